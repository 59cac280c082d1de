"""A12: ``where`` ANDs keys, ORs values, minds case, and narrows the corpus before anything is ranked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import BadFilter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore


@pytest.fixture
def memory(labelled: Path) -> Iterator[MemoryStore]:
    """Return the memory of the project with its path rules."""
    with treering.open() as opened:
        opened.index(["."])
        yield opened


@pytest.mark.parametrize(
    ("where", "files"),
    [
        ({"kind": "runbook"}, {"disk-full.md", "failover.md"}),
        ({"kind": ["runbook", "decision"]}, {"disk-full.md", "failover.md", "0001-queue.md"}),
        ({"kind": "runbook", "severity": "critical"}, {"failover.md"}),
        ({"kind": ["runbook", "decision"], "systems": ["queue"]}, {"disk-full.md"}),
        ({"kind": "Runbook"}, set()),
        ({"KIND": "runbook"}, set()),
        ({"kind": "run"}, set()),
        ({"kind": []}, set()),
    ],
)
def test_keys_are_anded_and_values_ored(memory: MemoryStore, where: dict[str, Any], files: set[str]) -> None:
    """Every key must hold, one value of each is enough, and a value is compared whole and with its case."""
    answer = memory.search("queue database volume ordering replica", where=where, empty_gate=0)
    assert {str(result.file).rpartition("/")[2] for result in answer.results} == files


def test_no_conditions_are_no_filter(memory: MemoryStore) -> None:
    """An empty mapping narrows nothing."""
    memory.ensure_embeddings()
    assert memory.search("lockers", where={}).results == memory.search("lockers").results


def test_the_corpus_is_narrowed_before_ranking(remember_files: Callable[..., MemoryStore]) -> None:
    """A weak match of the wanted kind is found below any number of stronger ones of another kind."""
    strong = {f"strong/{n}.md": f"---\nkind: loud\n---\n# Walrus {n}\n\nWalrus walrus {n}.\n" for n in range(120)}
    weak = "# Pier\n\n" + "Ropes and lamps and planks. " * 20 + "Once a walrus came.\n"
    memory = remember_files({**strong, "weak.md": f"---\nkind: quiet\n---\n{weak}"})
    assert [r.file for r in memory.search("walrus", where={"kind": "quiet"}, limit=1).results] == ["weak.md"]


def test_the_command_line_takes_the_same_filter(memory: MemoryStore, run: Callable[..., Any]) -> None:
    """`--where` may be repeated: the same key ORs, another key ANDs; a value may hold an equals sign."""
    conditions = ("kind=runbook", "kind=decision", "systems=queue")
    out = run("search", "database", *(word for pair in conditions for word in ("--where", pair))).out
    assert "disk-full.md" in out
    assert "failover.md" not in out
    assert run("search", "database", "--where", "kind=a=b").status == 1
    assert run("search", "database", "--where", "kind").status == 2


@pytest.mark.parametrize("where", ["kind=runbook", ["kind"], {"kind": 3}, {3: "kind"}, {"kind": [None]}])
def test_what_is_no_filter_is_refused(memory: MemoryStore, where: Any) -> None:
    """Anything but a mapping of strings is refused in words, never read as "everything"."""
    with pytest.raises(BadFilter):
        memory.search("database", where=where)


@pytest.mark.parametrize("name", ["a_b", "a%b", "a*b", "docs", "[x]", "it's"])
def test_a_folder_is_that_folder_alone(remember_files: Callable[..., MemoryStore], name: str) -> None:
    """No mark in a folder's name is a pattern, and a folder whose name begins alike is another one."""
    folders = ("a_b", "a%b", "a*b", "axb", "docs", "docs2", "[x]", "x", "it's")
    memory = remember_files(
        {f"{folder}/page.md": f"The puffin of {number}.\n" for number, folder in enumerate(folders)}
    )
    assert [result.file for result in memory.search("puffin", path=name, limit=20).results] == [f"{name}/page.md"]
    assert [result.file for result in memory.search("puffin", path=f"{name}/page.md").results] == [f"{name}/page.md"]


@pytest.mark.parametrize("path", [".", "..", "/"])
def test_a_folder_above_the_index_holds_all_of_it(memory: MemoryStore, path: str) -> None:
    """A search below a folder that lies around the project finds what lies in it."""
    assert memory.search("promote the replica", path=path).found


@pytest.mark.parametrize(
    "where",
    [
        {"kind": [str(n) for n in range(501)]},
        {str(n): "x" for n in range(101)},
        {str(n): [str(m) for m in range(60)] for n in range(10)},
        {"kind": "\ud800"},
        {"\udfff": "note"},
    ],
)
def test_more_than_a_filter_can_hold_is_refused(memory: MemoryStore, where: dict[str, Any]) -> None:
    """Too many keys or values, and half characters, are a clear error; the most that is allowed is answered."""
    with pytest.raises(BadFilter, match=r"at most|no valid Unicode"):
        memory.search("queue", where=where)
    with pytest.raises(BadFilter, match="at most"):
        memory.search("queue", tags=[str(n) for n in range(101)])
    widest = {str(n): [str(m) for m in range(5)] for n in range(100)}
    assert not memory.search("queue", where=widest).found
    assert memory.search("queue", where={"kind": [*map(str, range(499)), "runbook"]}).found
