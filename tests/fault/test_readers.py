"""Documents that were made to do harm, and readers that fail: a clear reason, in time, and the next one is read."""

from __future__ import annotations

import io
import os
import sys
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from treering.ingest import readers
from treering.ingest.readers import Unread, formats
from treering.ingest.readers.apart import Limits, Readings

if TYPE_CHECKING:
    from collections.abc import Iterator

LAUGHS = '<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><a>&c;</a>'
OUTSIDE = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'


@pytest.fixture
def misbehaving(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give made-up suffixes the readers that misbehave."""
    monkeypatch.setattr(formats, "_registered", {})
    monkeypatch.setattr(sys, "path", [*sys.path, str(Path(__file__).parent)])
    for name in ("kind", "endless", "asleep", "greedy", "crashing", "huge"):
        readers.register(f".{name}", f"readers_for_faults:{name}")


@pytest.fixture
def readings(misbehaving: None) -> Iterator[Readings]:
    """Return what reads documents apart, with little patience and 600 MB."""
    with Readings(Limits(seconds=2.0, memory_bytes=600_000_000)) as opened:
        yield opened


def zipped(parts: dict[str, bytes]) -> bytes:
    """Return an archive."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return kept.getvalue()


@pytest.mark.parametrize(
    "name,code",
    [
        ("endless", "too_long"),
        ("asleep", "too_long"),
        ("greedy", "too_large"),
        ("crashing", "damaged"),
        ("huge", "too_large"),
    ],
)
def test_a_reader_that_fails_is_ended_and_the_next_document_read(readings: Readings, name: str, code: str) -> None:
    """Too long, too much and a crash end with their reason; the process that follows reads as before."""
    started = time.monotonic()
    with pytest.raises(Unread) as caught:
        readings.read(b"x", f"a.{name}")
    assert caught.value.code == code
    assert time.monotonic() - started < 60
    assert readings.read(b"words", "a.kind").text == "words\n"


def test_one_process_reads_many_documents(readings: Readings) -> None:
    """Two documents are read by the same process, which is not this one, whatever a library prints."""
    first, second = (readings.read(text, "a.kind") for text in (b"one", "zwei — 二".encode()))
    assert (first.text, second.text) == ("one\n", "zwei — 二\n")
    assert first.encoding == second.encoding != f"kind {os.getpid()}"


def test_a_process_that_was_killed_between_documents_is_replaced(readings: Readings) -> None:
    """Somebody ends the waiting process: the next document starts another."""
    number = int(readings.read(b"one", "a.kind").encoding.removeprefix("kind "))
    os.kill(number, 9)
    assert readings._child is not None
    readings._child.wait()
    assert readings.read(b"two", "a.kind").text == "two\n"


def test_text_starts_no_process() -> None:
    """Decoding needs nobody else."""
    with Readings() as opened:
        assert opened.read(b"words\n", "a.txt").text == "words\n"
        assert opened._child is None


@pytest.mark.parametrize("raw", [LAUGHS, OUTSIDE])
@pytest.mark.parametrize("name", ["a.xml", "a.docx", "a.epub"])
def test_entities_are_refused(raw: str, name: str) -> None:
    """XML that declares entities is refused wherever it stands, before anything is expanded or opened."""
    relation = '<r><R Type="x/officeDocument" Target="word/document.xml"/></r>'
    parts = {
        "_rels/.rels": relation.encode(),
        "word/document.xml": raw.encode(),
        "META-INF/container.xml": raw.encode(),
    }
    with pytest.raises(Unread, match="entities"):
        readers.read(raw.encode() if name == "a.xml" else zipped(parts), name)


def test_bombs_are_not_unpacked() -> None:
    """A part that unpacks to a gigabyte is given up at its limit, whatever the archive says of it."""
    raw = zipped({"_rels/.rels": b" " * 300_000_000})
    assert len(raw) < 500_000
    with pytest.raises(Unread, match="bomb") as caught:
        readers.read(raw, "a.docx")
    assert caught.value.code == "too_large"


@pytest.mark.parametrize("cut", [10, 100, 400])
def test_cut_archives_are_damaged(cut: int) -> None:
    """An archive that ends early says so."""
    raw = zipped({"_rels/.rels": os.urandom(500)})[:cut]
    with pytest.raises(Unread, match="damaged"):
        readers.read(raw, "a.docx")


def test_depth_is_refused() -> None:
    """XML nested ten thousand deep is refused, not followed."""
    raw = b"<a>" * 10_000 + b"x" + b"</a>" * 10_000
    with pytest.raises(Unread, match="deep"):
        readers.read(raw, "a.xml")
