"""D15: reading a file twice in a session gives UNCHANGED or a difference; force gives it again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import treering
from treering.errors import InputError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore

TEXT = "".join(f"def heron_{n}():\n    return {n}\n\n\n" for n in range(40))


@pytest.fixture
def bench(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of a project with one file, which is not indexed."""
    (folder / "heron.py").write_text(TEXT, encoding="utf-8")
    with treering.open(folder) as memory:
        yield memory


def test_the_second_read_costs_nothing(bench: MemoryStore) -> None:
    """Whole, then UNCHANGED, then whole again by force."""
    assert bench.read_file("heron.py").reading.text == TEXT
    again = bench.read_file("heron.py").reading
    assert (again.state, again.tokens) == ("unchanged", 0)
    assert bench.read_file("heron.py", force=True).reading.text == TEXT


def test_a_change_comes_as_a_difference(bench: MemoryStore, folder: Path) -> None:
    """Only the changed lines with their surroundings; then it is unchanged."""
    bench.read_file("heron.py")
    (folder / "heron.py").write_text(TEXT.replace("return 20", "return 21"), encoding="utf-8")
    changed = bench.read_file(folder / "heron.py").reading
    assert changed.state == "changed"
    assert "-    return 20\n+    return 21\n" in changed.text
    assert changed.tokens < changed.whole_tokens / 3
    assert bench.read_file("heron.py").reading.state == "unchanged"


def test_another_session_has_seen_nothing(bench: MemoryStore, folder: Path) -> None:
    """Sessions do not know of each other; one with a name goes on in another process."""
    bench.read_file("heron.py")
    assert bench.read_file("heron.py", session="review").reading.state == "new"
    with treering.open(folder) as other:
        assert other.read_file("heron.py").reading.state == "new"
        assert other.read_file("heron.py", session="review").reading.state == "unchanged"


def test_ranges(bench: MemoryStore) -> None:
    """Some lines are given, once; beyond the end is an error that says where it ends."""
    part = bench.read_file("heron.py", start_line=5, limit_lines=2).reading
    assert part.text == "def heron_1():\n    return 1\n"
    assert bench.read_file("heron.py", start_line=6, limit_lines=1).reading.state == "unchanged"
    assert bench.read_file("heron.py").reading.state == "new"
    with pytest.raises(InputError, match="ends at line 160"):
        bench.read_file("heron.py", start_line=161)


def test_a_file_that_becomes_something_else_is_forgotten(bench: MemoryStore, folder: Path) -> None:
    """Shrunk, binary, a folder, gone: each is said, and what comes back is new."""
    file = folder / "heron.py"
    bench.read_file(file)
    file.write_text("x = 1\n", encoding="utf-8")
    assert bench.read_file(file).reading.text == "x = 1\n"
    file.write_bytes(b"\0\1\2\3" * 100)
    with pytest.raises(InputError, match="binary"):
        bench.read_file(file)
    file.unlink()
    with pytest.raises(NotFound):
        bench.read_file(file)
    file.mkdir()
    with pytest.raises(InputError, match="is a folder"):
        bench.read_file(file)
    file.rmdir()
    file.write_text("x = 1\n", encoding="utf-8")
    assert bench.read_file(file).reading.state == "new"


def test_a_link_and_its_file_are_one(bench: MemoryStore, folder: Path) -> None:
    """What was read under one path is known under the other."""
    (folder / "link.py").symlink_to(folder / "heron.py")
    bench.read_file("heron.py")
    assert bench.read_file("link.py").reading.state == "unchanged"


def test_the_command_reads_once_in_a_terminal(bench: MemoryStore, run: Callable[..., tuple[int, str, str]]) -> None:
    """Two commands of one terminal are one session; text says UNCHANGED, JSON says it in a field."""
    assert bench
    assert run("code", "read", "heron.py")[1].endswith(TEXT)
    assert run("code", "read", "heron.py")[1].startswith("UNCHANGED")
    assert json.loads(run("code", "read", "heron.py", "--json")[1])["state"] == "unchanged"
    assert run("code", "read", "heron.py", "--session", "other")[1].endswith(TEXT)
    assert run("code", "read", "heron.py", "--force")[1].endswith(TEXT)
    assert run("code", "read", "nowhere.py")[0] == 3
