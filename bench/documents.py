"""What documents cost and bring: phrases found, readers side by side, encodings, speed.

Usage: ``python bench/documents.py [manifest] [libraries] [encodings] [speed]``. Needs the shared corpus (``--shared
DIR``, else ``TREERING_SHARED``). CPU time of this process and of those it starts; every figure stands beside what it
is compared with. ``libraries`` compares whatever of pypdf, python-docx, mammoth and selectolax is installed.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import json
import logging
import os
import random
import re
import shutil
import sys
import tempfile
import time
import unicodedata
import warnings
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import treering
from treering.chunkers import chunk
from treering.ingest import encoding, readers
from treering.ingest.encoding import Undecodable
from treering.ingest.readers.apart import Readings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Row = dict[str, Any]

ROUNDS = 5


def main(arguments: list[str]) -> int:
    """Run the named parts and print their figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []])
    parser.add_argument("--shared", type=Path, default=os.environ.get("TREERING_SHARED"))
    options = parser.parse_args(arguments)
    if options.shared is None or not (options.shared / "documents").is_dir():
        print("no shared corpus: name it with --shared or TREERING_SHARED", file=sys.stderr)
        return 2
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    for name in options.parts or PARTS:
        print(f"\n{name}")
        PARTS[name](options.shared)
    return 0


def tell(what: str, figures: str) -> None:
    """Print one line."""
    print(f"  {what:44} {figures}")


def spent(work: Callable[[], object]) -> float:
    """Return CPU seconds of a piece of work, child processes that ended included."""
    before = os.times()
    work()
    after = os.times()
    return sum(after[:4]) - sum(before[:4])


def bare(text: str) -> str:
    """Return a text without white space."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFC", text))


def rows(shared: Path) -> list[Row]:
    """Return the manifest."""
    lines = (shared / "documents" / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def manifest(shared: Path) -> None:
    """Index all documents and ask for their phrases."""
    listed = rows(shared)
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home, "project", "documents")
        shutil.copytree(shared / "documents", folder, ignore=shutil.ignore_patterns("manifest*", "README*"))
        (folder.parent / ".git").mkdir()
        with treering.open(folder.parent) as memory:
            took = time.monotonic()
            cpu = spent(lambda: memory.index(folder, glob="**/*"))
            took = time.monotonic() - took
            [root] = memory.status().roots
            texts = {
                item.key.rpartition("/")[2]: bare(memory.show(item.key).text)  # type: ignore[union-attr]
                for item in memory.list("sources", limit=1000).items
            }
            held = first = own = asked = 0
            for row in listed:
                for phrase in row["expect"]:
                    asked += 1
                    held += bare(phrase) in texts.get(row["file"], "")
                    results = memory.search(phrase, empty_gate=0).results
                    name = (results[0].file or "").rpartition("/")[2] if results else ""
                    own += name == row["file"]
                    first += name == row["file"] or bare(phrase) in texts.get(name, "")
    tell("documents, with text, skipped", f"{len(listed)}, {len(texts)}, {len(root.skipped)}")
    tell("index, whole process tree", f"{cpu:.2f} CPU-s, {took:.2f} s, {1000 * took / len(listed):.0f} ms a document")
    tell("phrases in their document's text", f"{held} of {asked}")
    tell("first result holds the phrase", f"{first} of {asked} = {first / asked:.3f}   (target .97)")
    tell("first result is the document itself", f"{own} of {asked} = {own / asked:.3f}   (some are twins)")


def _by_reader(raw: bytes, name: str) -> str:
    return readers.read(raw, name).text


def _by_pypdf(raw: bytes, _name: str) -> str:
    import pypdf

    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(raw)).pages)


def _by_pdfium(raw: bytes, _name: str) -> str:
    import pypdfium2

    with pypdfium2.PdfDocument(raw) as opened:
        return "\n".join(page.get_textpage().get_text_bounded() for page in opened)


def _by_python_docx(raw: bytes, _name: str) -> str:
    import docx

    opened = docx.Document(io.BytesIO(raw))
    cells = (cell.text for table in opened.tables for row in table.rows for cell in row.cells)
    return "\n".join([*(paragraph.text for paragraph in opened.paragraphs), *cells])


def _by_mammoth(raw: bytes, _name: str) -> str:
    import mammoth

    return str(mammoth.extract_raw_text(io.BytesIO(raw)).value)


def _by_selectolax(raw: bytes, name: str) -> str:
    from selectolax.lexbor import LexborHTMLParser

    from treering.ingest.readers import html

    del name
    tree = LexborHTMLParser(html.decoded(raw).text)
    return tree.body.text(separator="\n") if tree.body else ""


LIBRARIES: dict[str, list[tuple[str, str, Callable[[bytes, str], str]]]] = {
    "pdf": [
        ("this reader", "pypdfium2", _by_reader), ("pypdfium2 alone", "pypdfium2", _by_pdfium),
        ("pypdf alone", "pypdf", _by_pypdf),
    ],
    "docx": [
        ("this reader", "treering", _by_reader), ("python-docx", "docx", _by_python_docx),
        ("mammoth", "mammoth", _by_mammoth),
    ],
    "html": [("this reader", "treering", _by_reader), ("selectolax", "selectolax", _by_selectolax)],
}  # fmt: skip


def libraries(shared: Path) -> None:
    """Compare readers by the phrases that they find and by what they cost."""
    for kind, candidates in LIBRARIES.items():
        listed = [row for row in rows(shared) if row["kind"] == kind]
        for name, package, read in candidates:
            if importlib.util.find_spec(package) is None:
                tell(f"{kind}: {name}", "not installed")
                continue
            found = asked = failed = 0
            cpu = 0.0
            for row in listed:
                raw = (shared / "documents" / row["file"]).read_bytes()
                started = time.process_time()
                try:
                    text = bare(read(raw, row["file"]))
                except Exception:  # noqa: BLE001  whatever a library raises is a document that it does not read
                    text = ""
                    failed += row["behaviour"] == "text"
                cpu += time.process_time() - started
                asked += len(row["expect"])
                found += sum(bare(phrase) in text for phrase in row["expect"])
            tell(f"{kind}: {name}", f"{found} of {asked} phrases, {failed} unread, {cpu:.2f} CPU-s for {len(listed)}")


def encodings(shared: Path) -> None:
    """Write texts in other encodings and read them back, whole and in short pieces."""
    texts: dict[str, list[str]] = {"zh": [], "ja": [], "ko": [], "western": []}
    for name in ("cmrc2018_zh", "memdaily_zh"):
        lines = (shared / "eval" / "sets" / name / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
        texts["zh"] += [json.loads(line)["text"] for line in lines[:400]]
    for path in sorted((shared / "markdown").rglob("*.md")):
        text = path.read_text(encoding="utf-8", errors="replace")
        kana, hangul = len(re.findall("[\u3040-\u30ff]", text)), len(re.findall("[\uac00-\ud7a3]", text))
        if kana > 200 > hangul:
            texts["ja"].append(text)
        elif hangul > 200 > kana:
            texts["ko"].append(text)
        elif "/react_docs_es/" in str(path) or "/fastapi_docs_es/" in str(path):
            texts["western"].append(text)
    written = {
        "zh": ("gb18030", "big5hkscs", "utf-16-le"), "ja": ("cp932", "euc_jp"), "ko": ("cp949",),
        "western": ("cp1252",),
    }  # fmt: skip
    for language, names in written.items():
        for size in (20, 60, 300, 2000):
            pieces = list(_pieces(texts[language], size, language))
            for name in names:
                came: Counter[str] = Counter(_came(piece, name) for piece in pieces)
                tell(
                    f"{language} in {name}, {size} characters",
                    ", ".join(f"{what} {n}" for what, n in came.most_common()),
                )


def _pieces(texts: list[str], size: int, language: str) -> Iterable[str]:
    """Yield stretches of texts that hold letters beyond ASCII."""
    chance = random.Random(7)  # noqa: S311  the same stretches in every run
    for _ in range(300 if texts else 0):
        text = chance.choice(texts)
        at = chance.randrange(max(1, len(text) - size))
        piece = text[at : at + size]
        beyond = sum(letter > "\x7f" for letter in piece)
        if beyond >= (0.15 * size if language != "western" else 1):
            yield piece


def _came(piece: str, name: str) -> str:
    """Return what came back of a text written in an encoding."""
    raw = piece.encode(name, "ignore")
    wanted = raw.decode(name).replace("\ufeff", "")
    try:
        return "right" if encoding.decode(raw).text == wanted else "WRONG"
    except Undecodable:
        return "refused"


def speed(shared: Path) -> None:
    """Measure each format as it is indexed: read apart, cut; children counted."""
    texts = [path.read_bytes() for path in sorted((shared / "markdown" / "react_docs_es").rglob("*.md"))]
    size = sum(map(len, texts)) / 1e6
    cpu = min(spent(lambda: [encoding.decode(raw) for raw in texts]) for _ in range(ROUNDS))
    tell("text, decoded", f"{size / max(cpu, 1e-3):.0f} MB a CPU-s   (target 5)")
    decoded = [encoding.decode(raw).text for raw in texts]
    cpu = min(spent(lambda: [chunk(text, "a.md", front_matter_chars=0) for text in decoded]) for _ in range(ROUNDS))
    tell("text, cut", f"{size / cpu:.1f} MB a CPU-s")
    for kind, target in (("pdf", "20 pages"), ("docx", "10 documents"), ("html", "")):
        listed = [row for row in rows(shared) if row["kind"] == kind and row["behaviour"] == "text"]
        raws = [((shared / "documents" / row["file"]).read_bytes(), row["file"]) for row in listed] * ROUNDS

        def work(raws: list[tuple[bytes, str]] = raws) -> None:
            with Readings() as readings:
                for raw, name in raws:
                    document = readings.read(raw, name)
                    chunk(document.text, name, front_matter_chars=0)

        cpu = min(spent(work) for _ in range(3))
        found = [readers.read(raw, name).text for raw, name in raws]
        pages = sum(max(1, text.count("\n## Page ") + text.startswith("## Page ")) for text in found)
        number = f"{pages / cpu:.0f} pages" if kind == "pdf" else f"{len(raws) / cpu:.0f} documents"
        tell(
            f"{kind}, read apart and cut",
            f"{number} a CPU-s, starting included" + (target and f"   (target {target})"),
        )


PARTS: dict[str, Callable[[Path], None]] = {
    "manifest": manifest,
    "libraries": libraries,
    "encodings": encodings,
    "speed": speed,
}

if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
