"""D13: a map of a project shows its files with token sizes, and its symbols with lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import pytest

import treering
from treering.errors import InputError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore

QUEUE: Final = """\
import heapq


class ParcelQueue:
    '''Parcels by their deadline, the most urgent one first.'''

    slots = 40

    def push(self, parcel):
        heapq.heappush(self.heap, parcel)

    def pop_urgent(self):
        if not self.heap:
            raise Empty
        return heapq.heappop(self.heap)

    def drain(self):
        while self.heap:
            yield self.pop_urgent()

    def __len__(self):
        return len(self.heap)
"""
RETRY: Final = """\
def backoff(attempt):
    '''Seconds to wait before a courier is called again.'''
    return min(60, 2**attempt)
"""
FILES: Final = {
    "README.md": "# Kelp\n\nMoves parcels.\n",
    "src/kelp/queue.py": QUEUE,
    "src/kelp/retry.py": RETRY,
    "web/cart.ts": "export function addParcel(cart, parcel) {\n  return [...cart, parcel];\n}\n",
    "tests/test_queue.py": "def test_pop_urgent():\n    assert ParcelQueue().pop_urgent() is None\n",
}


@pytest.fixture
def bench(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of a project with code that nothing was indexed of."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    with treering.open(folder) as memory:
        yield memory


def test_the_map_shows_every_source_file_with_its_size(bench: MemoryStore) -> None:
    """A few hundred tokens stand for the whole; documents are no source files."""
    drawn = bench.code_map()
    assert [sheet.file for sheet in drawn.sheets] == [
        "src/kelp/queue.py", "src/kelp/retry.py", "tests/test_queue.py", "web/cart.ts",
    ]  # fmt: skip
    assert all(sheet.tokens > 10 for sheet in drawn.sheets)
    assert drawn.tokens < drawn.whole_tokens
    assert "src/kelp/ queue.py" in drawn.text


def test_the_map_of_symbols_has_their_lines(bench: MemoryStore, folder: Path) -> None:
    """Classes and functions with the lines on which they stand in the file."""
    drawn = bench.code_map(detail="symbols", subpath="src")
    assert [sheet.file for sheet in drawn.sheets] == ["src/kelp/queue.py", "src/kelp/retry.py"]
    found = {one.name: (one.first, one.last) for one in drawn.sheets[0].symbols}
    assert set(found) == {
        "ParcelQueue", "ParcelQueue.push", "ParcelQueue.pop_urgent", "ParcelQueue.drain", "ParcelQueue.__len__",
    }  # fmt: skip
    rows = (folder / "src" / "kelp" / "queue.py").read_text("utf-8").split("\n")
    for name, (first, last) in found.items():
        assert name.rpartition(".")[2] in rows[first - 1]
        assert first <= last <= len(rows)


def test_the_map_is_of_the_disk_as_it_is_now(bench: MemoryStore, folder: Path) -> None:
    """New, changed and removed files show at once, without another command."""
    bench.code_map()
    (folder / "src" / "kelp" / "new.py").write_text("def heron():\n    return 1\n", encoding="utf-8")
    (folder / "web" / "cart.ts").unlink()
    (folder / "src" / "kelp" / "retry.py").write_text("def bittern():\n    return 2\n", encoding="utf-8")
    drawn = bench.code_map(detail="symbols")
    assert {one.name for sheet in drawn.sheets for one in sheet.symbols} >= {"heron", "bittern"}
    assert "web/cart.ts" not in {sheet.file for sheet in drawn.sheets}


def test_what_is_read_first_is_said(bench: MemoryStore) -> None:
    """The first map indexes the directory and says so; the second does not."""
    assert "indexed with its source code first" in bench.code_map().notices[0]
    assert bench.code_map().notices == ()


def test_nothing_to_map_is_an_error_with_the_next_step(bench: MemoryStore, folder: Path) -> None:
    """An absent directory, one without code, a part that leads out."""
    (folder / "empty").mkdir()
    for path, options, error in (
        ("nowhere", {}, NotFound),
        ("empty", {}, NotFound),
        ("src", {"subpath": "../web"}, InputError),
        ("src", {"detail": "all"}, InputError),
    ):
        with pytest.raises(error):
            bench.code_map(path, **options)  # type: ignore[arg-type]


def test_the_command_draws_the_map(bench: MemoryStore, run: Callable[..., tuple[int, str, str]]) -> None:
    """Text for people, JSON for programs."""
    assert bench
    status, out, _ = run("code", "map", ".", "--detail", "symbols")
    assert status == 0
    assert "ParcelQueue" in out
    _, out, _ = run("code", "map", "--json")
    shown = json.loads(out)
    assert shown["total"] == len(shown["files"]) == 4
    assert run("code", "map", "nowhere")[0] == 3
    assert run("code", "mapp")[0] == 2
