"""Real documents: each behaves as its manifest says, and what it says is found."""

from __future__ import annotations

import json
import re
import shutil
import unicodedata
from typing import TYPE_CHECKING, Any, Final

import pytest

import treering
from treering.ingest import encoding
from treering.ingest.encoding import Undecodable
from treering.ingest.readers import Unread, read
from treering.ingest.readers.apart import Readings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from treering import MemoryStore

    Row = dict[str, Any]

MIN_FIRST: Final = 0.97
"""Share of the phrases for which the document stands first."""

# What a document of each behaviour may end in, besides its phrases.
MAY_FAIL: Final = {"no-text": {"no_text"}, "password": {"password"}, "error-or-text": {"damaged", "password"}}


def rows(shared: Path) -> list[Row]:
    """Return what the manifest says of each document."""
    lines = (shared / "documents" / "manifest.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def bare(text: str) -> str:
    """Return a text without white space: what lines and columns cannot change."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFC", text))


@pytest.fixture
def readings() -> Iterator[Readings]:
    """Return what reads documents apart."""
    with Readings() as opened:
        yield opened


def test_each_document_behaves_as_the_manifest_says(shared: Path, readings: Readings) -> None:
    """Texts hold every phrase; what has no text, a lock or damage says which; nothing crashes."""
    for row in rows(shared):
        code, text = outcome(readings, (shared / "documents" / row["file"]).read_bytes(), row["file"])
        if code:
            allowed = MAY_FAIL.get(row["behaviour"], {"no_text"} if row["behaviour"] == "text-or-empty" else set())
            assert code in allowed, row["file"]
            assert row["behaviour"] != "text-or-empty" or not row["expect"], row["file"]
            continue
        assert row["behaviour"] not in {"no-text", "password"}, row["file"]
        assert [phrase for phrase in row["expect"] if bare(phrase) not in bare(text)] == [], row["file"]
        assert not {"\0", "\ufeff"} & set(text)


def outcome(readings: Readings, raw: bytes, name: str) -> tuple[str, str]:
    """Return the kind of a failure, or the text."""
    try:
        return "", readings.read(raw, name).text
    except Unread as error:
        return error.code, ""


def test_apart_and_here_are_the_same(shared: Path, readings: Readings) -> None:
    """The process apart gives what reading in this one gives."""
    for row in rows(shared):
        raw = (shared / "documents" / row["file"]).read_bytes()
        if row["behaviour"] == "text":
            assert readings.read(raw, row["file"]) == read(raw, row["file"])


@pytest.fixture
def documents(shared: Path, tmp_path: Path) -> Iterator[MemoryStore]:
    """Return a memory that has all documents in its index."""
    folder = tmp_path / "project" / "documents"
    shutil.copytree(shared / "documents", folder, ignore=shutil.ignore_patterns("manifest*", "README*"))
    (tmp_path / "project" / ".git").mkdir()
    with treering.open(tmp_path / "project") as memory:
        memory.index(folder, glob="**/*")
        yield memory


def test_phrases_bring_their_document_first(shared: Path, documents: MemoryStore) -> None:
    """A phrase finds its document, on the first place for nearly all, or another that holds the phrase as well."""
    texts = {
        item.key.rpartition("/")[2]: bare(documents.show(item.key).text)  # type: ignore[union-attr]
        for item in documents.list("sources", limit=1000).items
    }
    asked = [(row["file"], phrase) for row in rows(shared) if row["file"] in texts for phrase in row["expect"]]
    missed = []
    for file, phrase in asked:
        results = documents.search(phrase, empty_gate=0).results
        first = (results[0].file or "").rpartition("/")[2] if results else ""
        if first != file and bare(phrase) not in texts.get(first, ""):
            missed.append((file, phrase, first))
    assert len(missed) <= (1 - MIN_FIRST) * len(asked), (len(asked), missed)


def test_texts_of_other_sets_survive_transcoding(shared: Path) -> None:
    """Chinese paragraphs written in GB18030 and Big5 are read back or refused, and refused hardly ever."""
    refused = wrong = 0
    lines = (shared / "eval" / "sets" / "cmrc2018_zh" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"][:200] for line in lines[:300]]
    for text in texts:
        for name in ("gb18030", "big5hkscs", "utf-16-be"):
            raw = text.encode(name, "ignore")
            try:
                wrong += encoding.decode(raw).text != raw.decode(name)
            except Undecodable:
                refused += 1
    assert wrong <= 2
    assert refused <= 0.05 * 3 * len(texts)
