"""Tokens: the estimate beside real vocabularies, set by set.

Usage: ``python bench/tokens.py --shared DIR`` with ``bpe-openai`` installed: its wheel has cl100k_base and o200k_base.
Prints the estimate by what was counted, and how many texts it underrates by more than 3 %.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from treering.domain.text import llm_tokens

_EACH: Final = 300
_LEAST: Final = 0.97
_FOLDERS: Final = "fastapi_docs_zh react_docs_es vue_docs_zh javaguide_zh rust_rfcs prometheus_runbooks".split()


def texts(shared: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield sets of texts by name."""
    rng = random.Random(1)  # noqa: S311  the same texts each time
    for folder in sorted((shared / "eval/sets").iterdir()):
        rows = [json.loads(line)["text"] for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()]
        yield folder.name, rng.sample(rows, min(_EACH, len(rows)))
    for name in _FOLDERS:
        files = sorted((shared / "markdown" / name).rglob("*.md"))
        yield name, [file.read_text("utf-8", "replace") for file in rng.sample(files, min(20, len(files)))]


def main(arguments: list[str]) -> None:
    """Print a line for each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, required=True)
    options = parser.parse_args(arguments)
    import bpe_openai  # type: ignore[import-not-found,import-untyped,unused-ignore]

    vocabularies = {name: bpe_openai.get_encoding(name) for name in ("cl100k_base", "o200k_base")}
    for name, rows in texts(options.shared):
        estimates = [llm_tokens(row) for row in rows]
        line = f"{name:22} {len(rows):4} texts"
        for vocabulary, encoding in vocabularies.items():
            counts = [len(encoding.encode(row)) for row in rows]
            low = sum(mine < _LEAST * real for mine, real in zip(estimates, counts, strict=True))
            line += f"   {vocabulary} {sum(estimates) / max(sum(counts), 1):.3f} ({low} low)"
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
