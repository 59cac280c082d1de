"""A07: an unchanged file costs one stat; text appended to a file costs only its tail."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import pytest

import treering

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore

LOG = "# Log\n\n" + "".join(f"## Day {n}\n\nThe gateway retried payment {n}.\n\n" for n in range(300))


def test_the_first_run_reads_and_the_second_looks(project: Path) -> None:
    """What was read once is unchanged in the next run, and only what changed is read in the third."""
    with treering.open() as memory:
        assert memory.index(["."])[0].added == 10
        report = memory.index(["."])[0]
        assert (report.added, report.changed, report.unchanged) == (0, 0, 10)
        (project / "README.md").write_text("# Kelp\n\nIt moves parcels by bicycle now.\n", encoding="utf-8")
        report = memory.index(["."])[0]
        assert (report.added, report.changed, report.unchanged) == (0, 1, 9)
        assert memory.search("bicycle").found


def test_an_unchanged_file_is_not_opened(project: Path) -> None:
    """A run opens nothing that has the size and times it was read with, even where the bytes could not be had."""
    with treering.open() as memory:
        memory.index(["."])
        before = {path: path.stat().st_atime_ns for path in project.rglob("*.md")}
        for path in before:
            os.utime(path, ns=(1, path.stat().st_mtime_ns))
        memory.index(["."])  # utime changed the ctime: each is read once more
        for path in before:
            assert path.read_bytes()
        assert memory.index(["."])[0].unchanged == 10


def test_what_is_appended_is_found_under_its_headings(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """An entry added below an old heading carries the path of a whole index, and the file stays one result."""
    memory = remember_files({"log.md": LOG})
    with (folder / "log.md").open("a", encoding="utf-8") as end:
        end.write("### Evening\n\nA heron stood on the locker.\n")
    assert memory.index(["."])[0].changed == 1
    result = memory.search("heron locker", mode="keyword").results[0]
    assert [heading.title for heading in result.path] == ["Log", "Day 299", "Evening"]
    assert result.lines[1] == LOG.count("\n") + 3
    assert (folder / "log.md").read_text(encoding="utf-8") == memory.show("log.md").text


def test_appending_keeps_what_was_there(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """The chunks of the beginning are not written again: their ids point into the new version with the same places."""
    memory = remember_files({"log.md": LOG})
    before = memory.show("log.md")
    with (folder / "log.md").open("a", encoding="utf-8") as end:
        end.write("## Day 300\n\nNothing.\n")
    report = memory.index(["."])[0]
    after = memory.show("log.md")
    assert after.version != before.version
    assert after.outline == (*before.outline, (2, "Day 300", LOG.count("\n") + 1))
    assert report.chunks == memory.status().chunks


def test_blank_lines_at_the_end_are_no_matter(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """Blank lines added at the end, then an entry: the file is known to the last character, as read at once."""
    memory = remember_files({"log.md": LOG.rstrip()})
    for added in ("\n", "  \n\n", "## Later\n\nThe heron is back.\n"):
        with (folder / "log.md").open("a", encoding="utf-8") as end:
            end.write(added)
        memory.index(["."])
    assert memory.search("heron", mode="keyword").found
    assert memory.show("log.md").text == (folder / "log.md").read_text(encoding="utf-8")
    memory.index(["."])
    assert memory.index(["."])[0].unchanged == 1


def test_an_edit_at_the_beginning_is_read_whole(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """A file that grew and whose beginning changed, too, is no longer what it was."""
    memory = remember_files({"log.md": LOG})
    (folder / "log.md").write_text(LOG.replace("payment 0", "invoice 0") + "The end.\n", encoding="utf-8")
    memory.index(["."])
    assert memory.search("invoice", mode="keyword").found
    assert memory.show("log.md").text == (folder / "log.md").read_text(encoding="utf-8")


def test_a_single_file_grows_as_well(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """Indexing one named file takes its tail in, too."""
    memory = remember_files({"log.md": LOG})
    with (folder / "log.md").open("a", encoding="utf-8") as end:
        end.write("A heron.\n")
    assert memory.index(["."], file="log.md")[0].changed == 1
    assert memory.search("heron", mode="keyword").found


def test_a_name_spelled_otherwise_is_the_same_folder(project: Path, run: Callable[..., Any]) -> None:
    """Relative, absolute, with dots and slashes: one folder, one entry for each file."""
    for spelling in (".", str(project), "./docs/..", f"{project}/", "../kelp"):
        assert run("index", spelling).status == 0
    with treering.open() as memory:
        status = memory.status()
    assert (len(status.roots), status.sources) == (1, 10)


@pytest.mark.slow
def test_appending_costs_a_fraction_of_reading(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """1 kB more on 2 MB takes far less processor time than the 2 MB took (a 70th to a 250th on a calm machine)."""
    started = time.process_time()
    memory = remember_files({"log.md": LOG * 200})
    whole = time.process_time() - started
    took = []
    for number in range(3):
        with (folder / "log.md").open("a", encoding="utf-8") as end:
            end.write(f"## More {number}\n\n" + "The ledger balanced.\n" * 45)
        started = time.process_time()
        memory.index(["."])
        took.append(time.process_time() - started)
    assert min(took) <= whole / 20
