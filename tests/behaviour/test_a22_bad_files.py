"""A22: one unreadable, oddly encoded or dangling file never ends a run; unreadable is never taken for deleted."""

from __future__ import annotations

import os
import socket
import unicodedata
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore


def skipped(memory: MemoryStore) -> dict[str, str]:
    """Return what the status says was left out, with the reason."""
    return {skip.path: skip.reason for root in memory.status().roots for skip in root.skipped}


def test_odd_files_are_named_and_the_others_are_found(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """A dangling link, a loop, a pipe, a socket, a folder called like a page and binary bytes stop nothing."""
    (folder / "dangling.md").symlink_to("nowhere.md")
    (folder / "loop.md").symlink_to("loop.md")
    os.mkfifo(folder / "pipe.md")
    (folder / "folder.md").mkdir()
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.open(folder, os.O_RDONLY)
        os.chdir(folder)
        listener.bind("socket.md")
        os.close(here)
        memory = remember_files({"good.md": "The avocet.\n", "binary.md": bytes(range(256)) * 40})
    assert memory.search("avocet").found
    assert skipped(memory).keys() == {"dangling.md", "loop.md", "pipe.md", "socket.md", "binary.md"}
    assert all(skipped(memory).values())


@pytest.mark.skipif(os.geteuid() == 0, reason="whoever may read everything meets no unreadable file")
def test_an_unreadable_file_stays_in_the_index(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """Once its permission is gone the file is unknown: it is named, and its text is still found."""
    memory = remember_files({"a.md": "The godwit.\n"})
    (folder / "a.md").chmod(0)
    (folder / "b.md").write_text("New.\n", encoding="utf-8")
    report = memory.index(["."])[0]
    (folder / "a.md").chmod(0o600)
    assert report.removed == 0
    assert memory.search("godwit").found


def test_a_file_that_turns_binary_stays_as_it_was(remember_files: Callable[..., MemoryStore]) -> None:
    """What cannot be decoded any more is unknown, never "deleted": its last text is kept, and it is named."""
    memory = remember_files({"a.md": "The godwit.\n", "b.md": "The knot.\n"})
    memory = remember_files({"a.md": b"\x00\xff\x00\x01" * 500})
    assert memory.search("godwit").found
    assert "a.md" in skipped(memory)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "latin-1", "cp1252"])
def test_a_page_in_another_encoding_is_text(remember_files: Callable[..., MemoryStore], encoding: str) -> None:
    """The heading and the words are found, whatever the file's bytes are."""
    chinese = encoding.startswith(("utf", "gb"))
    body = "值班交接清单在第三页，联系人是朱镕喆。\n" if chinese else "Die Tür zum Café ist für Zoë geöffnet.\n"
    mark = {"utf-16-le": "\ufeff", "utf-16-be": "\ufeff"}.get(encoding, "")
    page = f"{mark}# Handover\n\n{body}".encode(encoding)
    memory = remember_files({"page.md": page, "plain.md": "# Other\n\nText.\n"})
    result = memory.search("交接清单" if chinese else "Café Tür").results[0]
    assert [heading.title for heading in result.path] == ["Handover"]
    assert body.strip() in result.text
    assert "\ufeff" not in memory.show("page.md").text


def test_accents_written_in_two_ways_are_one_text(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """A decomposed name and text are found by composed words, shown by either name, and never stand twice."""
    name = unicodedata.normalize("NFD", "Résumé für Zoë.md")
    memory = remember_files({name: unicodedata.normalize("NFD", "# Résumé für Zoë\n\nShort.\n")})
    assert len(memory.search("résumé für Zoë").results) == 1
    assert "Short." in memory.show("Résumé für Zoë.md").text
    (folder / name).rename(folder / unicodedata.normalize("NFC", name))
    memory.index(["."])
    assert len(memory.search("résumé").results) == 1
    assert memory.status().sources == 1


def test_an_ignore_file_in_another_encoding_hides_what_it_names(remember_files: Callable[..., MemoryStore]) -> None:
    """A UTF-16 ignore file is read or its folder left out; what it names is never searchable."""
    memory = remember_files({
        ".gitignore": "private/\n".encode("utf-16"), "private/a.md": "The secret smew.\n", "b.md": "The open smew.\n",
    })  # fmt: skip
    answer = memory.search("smew")
    assert "private" not in " ".join(str(result.file) for result in answer.results)
    assert answer.found or ".gitignore" in " ".join(skipped(memory).values())


def test_empty_and_blank_files_are_no_error(remember_files: Callable[..., MemoryStore]) -> None:
    """They are files of the index without a chunk to find."""
    memory = remember_files({"empty.md": "", "blank.md": "\n \n\t\n", "a.md": "The ruff.\n"})
    assert skipped(memory) == {}
    assert memory.status().sources == 3
    assert memory.search("ruff").found
