"""A08: a change is noticed by mtime, size, ctime and then content."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore


def test_an_edit_with_its_time_put_back_is_seen(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """Same size, same modification time, other words: the time of the change of the entry gives it away."""
    memory = remember_files({"a.md": "The pipit sings at dawn.\n", "b.md": "Another page.\n"})
    file = folder / "a.md"
    status = file.stat()
    file.write_bytes(b"The robin sings at dawn.\n")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)
    assert memory.index(["."])[0].changed == 1
    assert memory.search("robin", mode="keyword").found
    assert not memory.search("pipit", mode="keyword").found


def test_an_older_file_put_in_its_place_is_seen(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """A restored backup is older than what was read, and another text all the same."""
    memory = remember_files({"a.md": "The pipit sings at dawn.\n"})
    (folder / "backup").write_bytes(b"The whinchat sings.\n")
    os.utime(folder / "backup", ns=(10**18, 10**18))
    (folder / "backup").replace(folder / "a.md")
    memory.index(["."])
    assert memory.search("whinchat", mode="keyword").found


def test_a_new_time_alone_is_no_change(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """A file that was touched is read once, found unchanged, and costs a stat from then on."""
    memory = remember_files({"a.md": "The pipit sings at dawn.\n"})
    version = memory.show("a.md").version
    os.utime(folder / "a.md", ns=(10**18, 10**18))
    assert memory.index(["."])[0].changed == 0
    assert memory.show("a.md").version == version
    assert memory.index(["."])[0].unchanged == 1


def test_a_rewrite_in_the_moment_of_reading_is_seen(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """Written, indexed and written again without a pause, the second text is the one that is known."""
    for number in range(5):
        memory = remember_files({"a.md": f"The bird is number {number}.\n"})
        (folder / "a.md").write_bytes(f"The fish is number {number}.\n".encode())
        assert memory.index(["."])[0].changed == 1
        assert memory.search("fish", mode="keyword").found


def test_a_shorter_file_is_read_whole(remember_files: Callable[..., MemoryStore], folder: Path) -> None:
    """A log that was cut off and begun anew, longer or shorter, is what it is now."""
    memory = remember_files({"a.md": "# A\n\nThe pipit.\n\n## B\n\nThe robin.\n"})
    (folder / "a.md").write_bytes(b"# A\n\nThe pipit.\n")
    memory.index(["."])
    assert not memory.search("robin", mode="keyword").found
    (folder / "a.md").write_bytes(b"# A\n\nThe pipit.\n\nThe whinchat is here as well.\n")
    memory.index(["."])
    assert memory.search("whinchat", mode="keyword").found
