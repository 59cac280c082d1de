"""E02: what is looked at covers the project's store and the user's own one, and an id names the store that is meant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import treering
from treering.errors import InputError, NotFound, Refused
from treering.surfaces.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering import MemoryStore

pytestmark = pytest.mark.sqlite


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryStore]:
    """Yield the memory of a project, which is the working directory."""
    root = tmp_path / "kelp"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    with treering.open(root) as memory:
        yield memory


@pytest.fixture
def own() -> Iterator[MemoryStore]:
    """Yield the user's own store."""
    with treering.open(scope="global") as memory:
        yield memory


def test_the_audit_log_is_one(memory: MemoryStore, own: MemoryStore, capsys: pytest.CaptureFixture[str]) -> None:
    """Acts of both stores by time, each with its store, page by page until all were met once."""
    acts: set[tuple[str, str]] = set()
    for number in range(3):
        acts.add(("project", memory.remember(f"Berth {number} is free").id))
        acts.add(("global", own.remember(f"Rope {number} is worn").id))
    assert {(act.scope, act.target) for act in memory.audit()} == acts
    assert memory.audit_size() == len(acts)
    seen: list[tuple[str, str]] = []
    following = "0"
    while following:
        assert main(["audit", "--limit", "2", "--before", following, "--json"]) == 0
        page = json.loads(capsys.readouterr().out)
        assert page["total"] == len(acts)
        seen += [(one["scope"], one["target"]) for one in page["items"]]
        following = page["next"]
    assert len(seen) == len(acts)
    assert set(seen) == acts
    assert main(["audit"]) == 0
    assert capsys.readouterr().out.count("[global]") == 3
    with pytest.raises(InputError):
        memory.audit(before="first")


def test_stats_count_both(memory: MemoryStore, own: MemoryStore, capsys: pytest.CaptureFixture[str]) -> None:
    """Each store has its numbers, in sections that say whose they are."""
    memory.remember("The pier lamp is red")
    own.remember("Tides come twice")
    own.remember("The almanac is printed")
    found = memory.stats()
    assert (found.scope, found.memories) == ("project", 1)
    assert found.beside is not None
    assert (found.beside.scope, found.beside.memories) == ("global", 2)
    assert main(["stats"]) == 0
    said = capsys.readouterr().out
    assert said.index("The project's store") < said.index("Your own store")
    assert main(["stats", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["beside"]["memories"] == 2
    with treering.open(scope="project") as alone:
        assert alone.stats().beside is None


def test_changes_of_both(memory: MemoryStore, own: MemoryStore, capsys: pytest.CaptureFixture[str]) -> None:
    """What is new stands in one list, the last first, counted together."""
    here = memory.remember("The pier lamp is red").id
    there = own.remember("Tides come twice").id
    found = memory.changes("1d")
    assert [(one.id, one.scope) for one in found.items] == [(there, "global"), (here, "project")]
    assert found.counts == {"memory added": 2}
    cut = memory.changes("1d", limit=1)
    assert ([one.id for one in cut.items], cut.cut) == ([there], True)
    assert main(["changes", "--since", "1d"]) == 0
    assert next(line for line in capsys.readouterr().out.splitlines() if "[global]" in line).endswith("[global]")


def test_duplicates_of_both(memory: MemoryStore, own: MemoryStore, capsys: pytest.CaptureFixture[str]) -> None:
    """Groups name their store, and each is merged in its own."""
    memory.remember("The pier lamp is red")
    for text in ("The harbour office opens at nine on weekdays", "the harbour office opens at nine, on weekdays"):
        own.remember(text)
    [group] = memory.duplicates().groups
    assert {one.scope for one in group} == {"global"}
    assert main(["duplicates"]) == 0
    assert "[global]" in capsys.readouterr().out
    [outcome] = memory.duplicates(merge=True).outcomes
    assert outcome.changed
    assert not own.duplicates().groups


def test_looking_at_both_works_before_the_project_has_a_store(memory: MemoryStore, own: MemoryStore) -> None:
    """The user's own store is shown where nothing was saved in the project yet."""
    there = own.remember("Tides come twice").id
    assert [act.target for act in memory.audit()] == [there]
    assert [one.id for one in memory.changes("1d").items] == [there]
    assert memory.stats().beside is not None
    assert not memory.duplicates().groups


def test_an_id_names_its_store(memory: MemoryStore, own: MemoryStore) -> None:
    """Whatever is done to a thing of the user's own store by its id is done there, from within a project."""
    memory.remember("The pier closes at nine")
    there = own.remember("Ana Torres keeps the tide table", entities=["Ana Torres"]).id
    source = own.note("The tide table hangs in the office.").id
    who = own.entities()[0].id
    memory.entity_alias(who, "Anita")
    memory.entity_alias("Anita", "Annie")
    assert set(own.entities()[0].aliases) >= {"Anita", "Annie"}
    quoting = memory.remember("The tide table is in the office", source=source, quote="hangs in the office")
    assert own.show(quoting.id)
    assert any("own store" in notice for notice in quoting.notices)
    memory.confirm(there)
    after = memory.remember("Ben Ruiz keeps the tide table", replaces=there)
    assert own.show(after.id)
    memory.pin([there, after.id], ttl="1d")
    with pytest.raises(NotFound, match="not pinned by itself"):
        memory.unpin(there)
    memory.unpin(own.briefings()[0].id)
    assert not memory.briefings()


def test_a_few_words_may_mean_a_memory_of_the_other_store(memory: MemoryStore, own: MemoryStore) -> None:
    """What no memory of the project fits is looked for in the user's own store, and corrected there."""
    memory.remember("The pier closes at nine")
    old = own.remember("The tide table hangs in the office").id
    outcome = memory.remember("The tide table hangs in the boathouse", replaces="tide table in the office")
    assert [change.id for change in outcome.changed] == [old]
    assert own.show(outcome.id)


def test_undo_says_whose_change_was_last(memory: MemoryStore, own: MemoryStore) -> None:
    """Nothing is taken back in a store that the user did not mean."""
    here = memory.remember("The pier closes at nine").id
    there = own.remember("Tides come twice").id
    memory.archive(there)
    with pytest.raises(Refused, match="your own store") as refused:
        memory.undo()
    assert "--scope global undo" in refused.value.hint
    own.undo()
    own.undo()
    assert memory.undo().id == here


def test_what_is_erased_elsewhere_says_so(memory: MemoryStore, own: MemoryStore, tmp_path: Path) -> None:
    """The plan names the user's own store, for a memory and for an indexed folder."""
    memory.remember("The pier closes at nine")
    there = own.remember("Tides come twice").id
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Ropes\n\nThey are oiled in spring.\n", encoding="utf-8")
    own.index([tmp_path / "notes"])
    assert "in your own store" in memory.forget(there, dry_run=True).notices
    assert "in your own store" in memory.forget_directory(tmp_path / "notes", dry_run=True).notices
    memory.forget_directory(tmp_path / "notes")
    assert not own.list("roots").items
    with pytest.raises(NotFound):
        memory.forget_directory(tmp_path / "notes")


def test_the_hint_lists_what_is_of_the_same_kind(memory: MemoryStore, own: MemoryStore) -> None:
    """An id that nothing has leads to the list of its kind."""
    memory.remember("The pier closes at nine")
    own.remember("Tides come twice")
    for name, command in (
        ("mem_01m8p8xqv1ecercf2h0b2c", "treering list memories"),
        ("src_01m8p8xqv1ecercf2h0b2c", "treering list sources"),
        ("ver_01m8p8xqv1ecercf2h0b2c#3", "treering list sources"),
        ("prp_01m8p8xqv1ecercf2h0b2c", "treering review list"),
        ("docs/none.md", "treering list sources"),
        ("brf_01m8p8xqv1ecercf2h0b2c", "treering briefings"),
        ("era_01m8p8xqv1ecercf2h0b2c", "treering audit --receipts"),
    ):
        with pytest.raises((NotFound, InputError)) as refused:
            memory.show(name)
        assert refused.value.hint == command, name
    with pytest.raises(InputError) as refused:
        memory.show("ent_01m8p8xqv1ecercf2h0b2c")
    assert "--entity ent_" in refused.value.hint
    with pytest.raises(NotFound) as missing:
        memory.entity_alias("ent_01m8p8xqv1ecercf2h0b2c", "x")
    assert missing.value.hint == "treering list entities"


def test_a_source_that_is_not_there_is_no_empty_answer(memory: MemoryStore) -> None:
    """A search narrowed to nothing says that there is no such source."""
    memory.remember("The pier closes at nine")
    with pytest.raises(NotFound):
        memory.search("pier", source="src_01m8p8xqv1ecercf2h0b2c")


def test_an_entity_of_the_other_store_without_slots(memory: MemoryStore, own: MemoryStore) -> None:
    """Asked for its timeline, the answer is that no slot speaks of it, not that nobody knows it; in either store."""
    memory.remember("The pier lamp is red", entities=["pier lamp"])
    own.remember("Luis knows the tides", entities=["Luis"])
    for store, name in ((memory, "pier lamp"), (own, "Luis")):
        (entity,) = [one for one in store.list("entities").items if one.name == name]
        for asked in (name, entity.id):
            with pytest.raises(NotFound, match=f"no slot speaks of {asked}"):
                memory.timelines_about(asked)
    with pytest.raises(NotFound, match="no slot and no entity nobody"):
        memory.timelines_about("nobody")
