"""E06: changed and deleted entries leave the search; lists are paged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.errors import Conflict, InputError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project."""
    with treering.open() as opened:
        yield opened


def found(memory: MemoryStore, question: str) -> list[str]:
    """Return the ids of whatever has a word of the question, best first."""
    return [result.id for result in memory.search(question, empty_gate=0, mode="keyword").results]


def test_a_changed_memory_is_found_by_its_new_words_alone(memory: MemoryStore) -> None:
    """Text, title, summary and tags that were replaced are found no more; what they said stays in the history."""
    id = memory.remember("Oslo uses gannets.", title="Birds", summary="About puffins.", tags=["auk"]).id
    memory.update(id, text="Oslo uses herons.", title="Waders", summary="About egrets.", tags=["stork"])
    for word in ("gannets", "birds", "puffins", "auk"):
        assert found(memory, word) == [], word
    for word in ("herons", "waders", "egrets", "stork", "oslo"):
        assert found(memory, word) == [id], word
    shown = memory.show(id)
    assert (shown.content, shown.title, shown.summary, shown.tags) == (
        "Oslo uses herons.", "Waders", "About egrets.", ("stork",),
    )  # fmt: skip
    assert shown.revision == 2
    assert [(number, text) for number, text, _ in shown.history] == [(1, "Oslo uses gannets.")]
    assert shown.history[0][2] == shown.changed_at
    assert memory.show(shown.quotes[0].source).text == shown.quotes[0].text == "Oslo uses herons."
    assert memory.search("waders").results[0].title == "Waders"


def test_only_what_is_given_changes(memory: MemoryStore) -> None:
    """Each field can be changed alone, and tags and metadata apart from one another."""
    id = memory.remember("One.", title="T", summary="S", tags=["a", "b"], metadata={"k": ["v", "w"]}).id
    memory.update(id, title="U")
    memory.update(id, kind="decision")
    memory.update(id, tags=["c"])
    shown = memory.show(id)
    assert (shown.content, shown.title, shown.summary, shown.kind) == ("One.", "U", "S", "decision")
    assert (shown.tags, shown.metadata) == (("c",), {"k": ("v", "w")})
    memory.update(id, metadata={})
    memory.update(id, tags=[])
    memory.update(id, summary="", title="")
    shown = memory.show(id)
    assert (shown.title, shown.summary, shown.tags, shown.metadata) == ("", "", (), {})
    assert memory.search("one", empty_gate=0, mode="keyword").results[0].title == ""


def test_a_change_that_cannot_be_is_refused(memory: MemoryStore) -> None:
    """Another memory's words, nothing at all, no text, no kind: an error, and everything is as before."""
    id = memory.remember("The quay is north.").id
    other = memory.remember("The quay is south.").id
    for error, changes in (
        (Conflict, {"text": "the quay is  SOUTH"}),
        (InputError, {}),
        (InputError, {"text": " "}),
        (InputError, {"text": "a\0"}),
        (InputError, {"kind": "fact", "text": "new"}),
        (InputError, {"title": "\ud800"}),
        (InputError, {"tags": ["\0"]}),
    ):
        with pytest.raises(error):
            memory.update(id, **changes)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        memory.update("mem_unknown", text="new")
    assert memory.show(id).content == "The quay is north."
    assert memory.show(id).revision == 1
    assert found(memory, "south") == [other]
    assert memory.update(id, text="THE QUAY IS NORTH!").outcome == "accepted"


def test_an_archived_memory_is_hidden_until_it_is_restored(memory: MemoryStore) -> None:
    """It is in no search, list or count; `show` still has it; changes reach it; restored it is as it was."""
    id = memory.remember("Lanterns hang at the pier.", tags=["light"]).id
    memory.archive(id)
    assert found(memory, "lanterns pier light") == []
    assert memory.list("memories").items == ()
    assert memory.status().memories == 0
    assert memory.show(id).status == "archived"
    memory.archive(id)
    memory.update(id, text="Lamps hang at the pier.")
    assert found(memory, "lamps lanterns") == []
    memory.restore_memory(id)
    memory.restore_memory(id)
    assert found(memory, "lamps") == [id]
    assert found(memory, "lanterns") == []
    assert found(memory, "light") == [id]
    assert memory.list("memories").total == 1


def test_what_is_said_again_stands_in_the_way_of_restoring(memory: MemoryStore) -> None:
    """An archived memory does not come back beside another one of the same words."""
    id = memory.remember("Lanterns hang at the pier.").id
    memory.archive(id)
    again = memory.remember("lanterns hang at the pier").id
    with pytest.raises(Conflict, match=again):
        memory.restore_memory(id)
    memory.forget([again])
    memory.restore_memory(id)
    assert found(memory, "lanterns") == [id]


def test_a_forgotten_memory_is_gone(memory: MemoryStore) -> None:
    """With its note, its history and its words; asked for by its id, the store says that it was forgotten."""
    id = memory.remember("Gulls steal bread.", tags=["bird"]).id
    memory.update(id, text="Gulls steal chips.")
    source = memory.show(id).quotes[0].source
    kept = memory.remember("Gulls sleep on roofs.").id
    assert memory.forget([id], dry_run=True).removed == (id,)
    assert set(found(memory, "gulls")) == {id, kept}
    assert memory.forget([id, id]).removed == (id,)
    assert found(memory, "gulls bread chips bird steal") == [kept]
    for name in (id, source, f"note:{id}"):
        with pytest.raises(NotFound):
            memory.show(name)
    for change in (memory.archive, memory.restore_memory, lambda id: memory.update(id, text="x")):
        with pytest.raises(NotFound, match="forgotten"):
            change(id)
    status = memory.status()
    assert (status.memories, status.sources) == (1, 1)


def test_all_are_forgotten_or_none(memory: MemoryStore) -> None:
    """One unknown id among several, and nothing is touched."""
    ids = [memory.remember(f"Crate {number} holds rope.").id for number in range(3)]
    for names in ([*ids, "mem_unknown"], ["mem_unknown", *ids], [*ids, ""]):
        with pytest.raises(NotFound):
            memory.forget(names)
        with pytest.raises(NotFound):
            memory.forget(names, dry_run=True)
    assert set(found(memory, "rope")) == set(ids)


def test_the_list_is_paged(memory: MemoryStore) -> None:
    """Each memory stands on one page, the newest first, and the last page says so; what came since is not missed."""
    ids = [memory.remember(f"Crate {number} holds rope.").id for number in range(23)]
    memory.archive(ids[5])
    after, pages = "", []
    while True:
        page = memory.list("memories", limit=5, after=after)
        assert page.total == 22
        pages.append([item.id for item in page.items])
        if page.next is None:
            break
        after = page.next
    assert [len(page) for page in pages] == [5, 5, 5, 5, 2]
    listed = [id for page in pages for id in page]
    assert sorted(listed) == sorted(id for id in ids if id != ids[5])
    assert listed == sorted(listed, reverse=True)  # ids begin with the time


def test_a_rebuild_gives_the_same_answers(memory: MemoryStore) -> None:
    """Derived data made again finds every active memory, and no archived one, by the same words."""
    ids = [memory.remember(f"Crate {number} holds rope.", tags=[f"t{number}"]).id for number in range(9)]
    memory.archive(ids[1])
    memory.update(ids[2], text="Crate two holds sails.", title="Sails")
    before = [
        memory.search(question, empty_gate=0, mode="keyword").results
        for question in ("crate", "rope", "t3", "sails", "t1")
    ]
    memory.reindex()
    after = [
        memory.search(question, empty_gate=0, mode="keyword").results
        for question in ("crate", "rope", "t3", "sails", "t1")
    ]
    assert after == before


def test_the_command_line_changes(folder: Path, run: Callable[..., Any]) -> None:
    """`update`, `archive`, `restore-memory`, `list memories` and `show --history` do the same."""
    id = json.loads(run("remember", "The quay is north.", "--tag", "a", "--json").out)["id"]
    assert run("update", id, "The", "quay", "is", "south.", "--kind", "decision").out.startswith(f"Changed {id}\n")
    assert "The quay is north." not in run("show", id).out
    assert "The quay is north." in run("show", id, "--history").out
    assert json.loads(run("show", id, "--json").out)["items"][0]["history"][0]["text"] == "The quay is north."
    assert run("update", id, "--tag", "", "--json").status == 0
    assert json.loads(run("show", id, "--json").out)["items"][0]["tags"] == []
    assert run("list", "memories").out.splitlines()[0].split()[0] == id
    assert json.loads(run("archive", id, "--json").out)["outcome"] == "accepted"
    assert run("search", "quay").status == 1
    assert json.loads(run("list", "memories", "--json").out)["items"] == []
    assert run("restore-memory", id).out == f"Restored {id}\nnext: treering show {id}\n"
    assert run("search", "quay").status == 0


def test_the_command_line_refuses(folder: Path, run: Callable[..., Any]) -> None:
    """Exit status 2 for bad input, 3 for what is not there, 5 for a conflict; of several ids all change or none."""
    id = json.loads(run("remember", "The quay is north.", "--json").out)["id"]
    other = json.loads(run("remember", "The quay is south.", "--json").out)["id"]
    assert run("update").status == 2
    assert run("update", id).status == 2
    assert run("update", "mem_unknown", "new").status == 3
    assert run("update", id, "the quay is south").status == 5
    assert run("remember", "x", "--kind", "fact").status == 2
    assert run("remember", "x", "--metadata", "novalue").status == 2
    assert run("archive").status == 2
    assert run("archive", "docs").status == 2
    assert run("archive", id, "mem_unknown").status == 3
    assert json.loads(run("list", "memories", "--json").out)["total"] == 2
    both = json.loads(run("archive", id, other, "--json").out)
    assert [outcome["id"] for outcome in both["outcomes"]] == [id, other]
    assert run("list", "memories").out.startswith("0 of 0 memories\n")


@pytest.mark.parametrize("length", [1, 200], ids=["short", "long"])
def test_the_quote_of_a_changed_memory_stands_in_its_note_as_it_is_now(
    folder: Path, run: Callable[..., Any], length: int
) -> None:
    """What ``show`` and ``search`` cite is the new text, at lines where the cited source holds it."""
    old, new = ("\n\n".join([f"The {bird} nests by the pylon."] * length) for bird in ("heron", "gannet"))
    id = json.loads(run("remember", old, "--json").out)["id"]
    assert run("update", id, new).status == 0
    [shown] = json.loads(run("show", id, "--json").out)["items"]
    [found] = json.loads(run("search", "gannet", "pylon", "--json").out)["results"]
    for entry in (shown, found):
        [quote] = entry["quotes"]
        source = json.loads(run("show", quote["source_id"], "--json").out)["items"][0]
        first, last = quote["lines"]
        assert "\n".join(source["text"].split("\n")[first - 1 : last]) == quote["text"] == new
        assert not quote["changed_since"]
    assert run("search", "heron").status == 1
