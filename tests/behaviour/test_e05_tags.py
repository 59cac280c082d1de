"""E05: tags narrow a search and are found as words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import BadFilter, IndexBehind, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore

TAGGED = {
    "The database of staging is rebuilt nightly.": ("staging", "database"),
    "The database of production is copied nightly.": ("production", "database"),
    "The staging cluster sleeps nightly.": ("staging",),
    "Backups run nightly.": (),
    "The Database is called kelp nightly.": ("Database", "größe"),
}


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return a memory with five tagged statements."""
    with treering.open() as opened:
        for text, tags in TAGGED.items():
            opened.remember(text, tags=tags, metadata={"kind": "note"})
        yield opened


@pytest.mark.parametrize(
    ("tags", "number"),
    [
        (["staging"], 2),
        (["database"], 2),
        (["staging", "database"], 1),
        (["database", "staging", "database"], 1),
        (["staging", "production"], 0),
        (["Database"], 1),
        (["größe"], 1),
        (["data"], 0),
        (["nothing"], 0),
        (["stag%"], 0),
        ([], 5),
        (["", "  "], 5),
        ("staging", 2),
    ],
)
def test_every_tag_must_be_there(memory: MemoryStore, tags: Any, number: int) -> None:
    """Several tags narrow together; a tag is compared whole and with its case."""
    answer = memory.search("nightly", tags=tags, empty_gate=0, mode="keyword")
    wanted = {tags} if isinstance(tags, str) else {tag for tag in tags if tag.strip()}
    assert {result.text for result in answer.results} == {
        text for text, has in TAGGED.items() if wanted <= set(has)
    }  # fmt: skip
    assert len(answer.results) == number


def test_tags_and_conditions_narrow_together(memory: MemoryStore) -> None:
    """A tag is ANDed to `where`; values of one key of `where` are alternatives."""
    assert (
        len(memory.search("nightly", tags=["staging"], where={"kind": "note"}, empty_gate=0, mode="keyword").results)
        == 2
    )
    assert not memory.search("nightly", tags=["staging"], where={"kind": "event"}, empty_gate=0, mode="keyword").results
    either = {"tags": ["production", "Database"]}
    assert len(memory.search("nightly", where=either, empty_gate=0, mode="keyword").results) == 2
    assert len(memory.search("nightly", where=either, tags=["database"], empty_gate=0, mode="keyword").results) == 1


def test_the_answer_says_what_was_narrowed_away(memory: MemoryStore) -> None:
    """No memory with the tags, and none of those with the words asked for, are two answers."""
    assert memory.search("nightly", tags=["nothing"]).reason == "filtered_out"
    assert memory.search("walrus", tags=["staging"], mode="keyword").reason == "no_match"


def test_a_tag_is_a_word(memory: MemoryStore) -> None:
    """A question finds a memory by a tag that its text does not hold."""
    id = memory.remember("It leaves from the north gate.", tags=["ferry timetable"]).id
    assert [result.id for result in memory.search("ferry", mode="keyword").results] == [id]


def test_tags_of_files_count_as_well(remember_files: Callable[..., MemoryStore]) -> None:
    """Front matter's `tags` and a memory's are one kind of label; memories alone need no scanned files."""
    memory = remember_files({"a.md": "---\ntags: [sea, cold]\n---\n# Walrus\n\nA walrus dives.\n"})
    id = memory.remember("The walrus of the zoo is called Antje.", tags=["sea"]).id
    assert {result.type for result in memory.search("walrus", tags=["sea"]).results} == {"chunk", "memory"}
    assert {result.type for result in memory.search("walrus", tags=["cold"]).results} == {"chunk"}
    with open(".treering.json", "w", encoding="utf-8") as rules:
        rules.write('{"rules": [{"glob": "*.md", "metadata": {"kind": "page"}}]}')
    with pytest.raises(IndexBehind):
        memory.search("walrus", tags=["sea"])
    assert [result.id for result in memory.search("walrus", tags=["sea"], in_="memories").results] == [id]


@pytest.mark.parametrize("tags", [3, [3], [None], None])
def test_what_is_no_tag_is_refused(memory: MemoryStore, tags: Any) -> None:
    """Anything but texts is refused in words."""
    with pytest.raises(BadFilter):
        memory.search("nightly", tags=tags)


def test_the_command_line_takes_tags(memory: MemoryStore, run: Callable[..., Any]) -> None:
    """`--tag` may be repeated, each one narrows; `--in` chooses a part."""
    found = json.loads(run("search", "nightly", "--tag", "staging", "--tag", "database", "--json").out)
    assert [result["tags"] for result in found["results"]] == [["staging", "database"]]
    assert run("search", "nightly", "--tag", "nothing").status == 1
    assert run("search", "nightly", "--in", "sources", "--tag", "staging").status == 1
    assert run("search", "nightly", "--in", "memories", "--tag", "staging").status == 0
    assert run("search", "nightly", "--in", "everything").status == 2


def test_the_list_of_memories_is_narrowed_by_tags(memory: MemoryStore, run: Callable[..., Any]) -> None:
    """Every tag must be there, pages and the total follow it, and the next command repeats what was asked."""
    assert [one.content for one in memory.list("memories", tags=["staging", "database"]).items] == [
        "The database of staging is rebuilt nightly."
    ]
    page = memory.list("memories", limit=1, tags="database")
    assert (page.total, len(page.items)) == (2, 1)
    rest = memory.list("memories", limit=1, after=page.next or "", tags="database")
    assert rest.next is None
    assert {one.content for one in (*page.items, *rest.items)} == set(list(TAGGED)[:2])
    assert memory.list("memories", tags=["nothing"]).total == 0
    with pytest.raises(InputError, match="tags narrow the list of memories"):
        memory.list("sources", tags=["staging"])
    shown = run("list", "memories", "--tag", "database", "--limit", "1").out
    assert f"next: treering list memories --tag database --limit 1 --after {page.items[0].id}" in shown
    assert json.loads(run("list", "memories", "--tag", "größe", "--json").out)["total"] == 1
    assert "0 of 0 memories" in run("list", "memories", "--tag", "none").out
