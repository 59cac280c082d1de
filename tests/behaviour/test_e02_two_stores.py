"""E01, E02, E05: the project's store and the user's own one answer together, with nothing to configure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import treering
from treering.errors import InputError, NotFound
from treering.surfaces.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering import MemoryStore

pytestmark = pytest.mark.sqlite


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the root of a project, which is the working directory."""
    root = tmp_path / "kelp"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def own() -> Iterator[MemoryStore]:
    """Yield the user's own store."""
    with treering.open(scope="global") as memory:
        yield memory


@pytest.fixture
def memory(project: Path) -> Iterator[MemoryStore]:
    """Yield the project's memory."""
    with treering.open(project) as memory:
        yield memory


def test_both_answer_as_one_and_say_where_they_stand(memory: MemoryStore, own: MemoryStore) -> None:
    """One question brings up what either store has; each result carries its scope."""
    here = memory.remember("The harbour lockers of this project are painted green").id
    there = own.remember("Paint for lockers is bought at the harbour shop").id
    answer = memory.search("harbour lockers paint")
    assert {one.id: one.scope for one in answer.results} == {here: "project", there: "global"}
    assert answer.results[0].id == here
    assert "[global]" in answer.results[1].citation
    assert answer.tokens <= 900


def test_a_write_goes_to_the_project_and_a_read_makes_nothing(memory: MemoryStore, project: Path) -> None:
    """The first write makes the project's store; looking at both makes neither."""
    with pytest.raises(NotFound):
        memory.search("harbour")
    assert not (project / ".treering").exists()
    memory.remember("The pier closes at nine")
    memory.search("pier")
    assert (project / ".treering" / "memory.db").is_file()
    assert memory.beside is not None
    assert not Path(memory.beside.database).exists()


def test_the_users_own_store_answers_before_the_project_has_one(memory: MemoryStore, own: MemoryStore) -> None:
    """A new project knows at once what its user keeps everywhere."""
    kept = own.remember("Commits are written in the imperative").id
    assert [(one.id, one.scope) for one in memory.search("commits imperative").results] == [(kept, "global")]
    assert memory.context("how are commits written").current[0].scope == "global"


def test_the_same_content_stands_once(memory: MemoryStore, own: MemoryStore) -> None:
    """What both stores say is shown once, as the project's."""
    here = memory.remember("Deploys happen on Mondays").id
    own.remember("Deploys happen on Mondays.")
    assert [one.id for one in memory.search("when do deploys happen").results] == [here]


def test_a_slot_of_the_project_shadows_the_other(memory: MemoryStore, own: MemoryStore) -> None:
    """What is in force in the project answers, with a notice, even where only the other store has the words."""
    own.remember("My editor is Helix with the dracula theme", slot="user/editor", value="Helix")
    here = memory.remember("In this project everybody writes in Emacs", slot="user/editor", value="Emacs").id
    answer = memory.search("dracula theme of the editor")
    assert [one.id for one in answer.results] == [here]
    assert any("shadows" in notice for notice in answer.notices)
    told = memory.context("dracula theme of the editor")
    assert [one.id for one in told.current] == [here]
    timeline = memory.timeline("user/editor")
    assert (timeline.scope, timeline.current and timeline.current.value) == ("project", "Emacs")
    assert timeline.notices


def test_an_ended_slot_of_the_project_shadows_nothing(memory: MemoryStore, own: MemoryStore) -> None:
    """Only a claim in force shadows."""
    own.remember("The editor is Helix", slot="user/editor", value="Helix")
    memory.remember("The editor was Emacs", slot="user/editor", value="Emacs", valid_from="2020", valid_to="2021")
    assert memory.state_at("user/editor", "2026-11-01") is None or memory.active_state("user/editor") == "Helix"
    assert memory.active_state("user/editor") == "Helix"


def test_ids_resolve_across_both(memory: MemoryStore, own: MemoryStore) -> None:
    """Shown, changed, hidden and erased is what an id names, in the store that holds it."""
    memory.remember("The pier closes at nine")
    there = own.remember("Tides are read from the almanac").id
    assert getattr(memory.show(there), "scope", "") == "global"
    memory.update(there, text="Tides are read from the printed almanac")
    memory.archive(there)
    memory.restore_memory(there)
    assert memory.propose([{"op": "archive", "id": there}])[0].id == there
    memory.forget(there)
    with pytest.raises(NotFound):
        own.show(there)


def test_an_unknown_id_is_named_in_both(memory: MemoryStore, own: MemoryStore) -> None:
    """The error says that neither store has it."""
    memory.remember("The pier closes at nine")
    own.remember("Tides are read from the almanac")
    with pytest.raises(NotFound, match="neither in the project's store"):
        memory.archive("mem_01m8p8xqv1ecercf2h0b2c")


def test_ids_of_two_stores_are_refused_together(memory: MemoryStore, own: MemoryStore) -> None:
    """An erasure is all or nothing, so it names one store."""
    here, there = memory.remember("The pier closes at nine").id, own.remember("Tides come twice").id
    with pytest.raises(InputError, match="one store at a time"):
        memory.forget([here, there])
    assert memory.show(here)
    assert memory.show(there)


def test_a_list_has_both_page_by_page(memory: MemoryStore, own: MemoryStore) -> None:
    """The project's entries come first; every entry is met once."""
    here = [memory.remember(f"Berth {number} is free").id for number in range(3)]
    there = [own.remember(f"Rope {number} is worn").id for number in range(4)]
    seen: list[str] = []
    after = ""
    while True:
        page = memory.list("memories", limit=2, after=after)
        assert page.total == len(here) + len(there)
        seen += [getattr(one, "id", "") for one in page.items]
        if page.next is None:
            break
        after = page.next
    assert (set(seen[:3]), set(seen[3:])) == (set(here), set(there))
    assert len(seen) == len(here) + len(there)


def test_one_scope_is_one_store(memory: MemoryStore, own: MemoryStore, capsys: pytest.CaptureFixture[str]) -> None:
    """``--scope`` narrows reads and chooses where a write goes."""
    memory.remember("The pier lamp is red")
    own.remember("The pier lamp at home is blue")
    for scope, colour in (("project", "red"), ("global", "blue")):
        assert main(["--scope", scope, "search", "pier lamp", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)["results"]
        assert [one["scope"] for one in found] == [scope]
        assert colour in found[0]["text"]
    assert main(["remember", "Knots are practised", "--scope", "global", "--json"]) == 0
    kept = json.loads(capsys.readouterr().out)["id"]
    assert own.show(kept)


def test_status_says_what_is_read_with_it(
    memory: MemoryStore, own: MemoryStore, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both stores are named with what they hold."""
    memory.remember("The pier lamp is red")
    own.remember("Tides come twice")
    status = memory.status()
    assert status.beside is not None
    assert status.beside.memories == 1
    assert main(["status"]) == 0
    assert "your own store, read with it: 1 memory" in capsys.readouterr().out


def test_without_a_project_the_users_own_store_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Outside of a project a save says nothing false, and the status says why it went where it went."""
    monkeypatch.chdir(tmp_path)
    assert main(["remember", "Tides come twice a day"]) == 0
    assert main(["status"]) == 0
    assert "no project here" in capsys.readouterr().out


def test_what_a_correction_replaces_stands_in_the_written_store(memory: MemoryStore, own: MemoryStore) -> None:
    """A few words name a memory of the project alone, since that is what is written."""
    own.remember("The office is in Porto")
    here = memory.remember("The warehouse is in Vigo").id
    outcome = memory.remember("The warehouse is in Lugo", replaces="warehouse in Vigo")
    assert [change.id for change in outcome.changed] == [here]


def test_context_of_both_keeps_to_the_budget(memory: MemoryStore, own: MemoryStore) -> None:
    """Two stores share one budget, and both are heard."""
    for number in range(12):
        memory.remember(f"Locker {number} in the harbour is painted green and holds {number} parcels for the harbour")
        own.remember(f"Harbour rule {number}: lockers are painted once in {number} years by whoever rents the locker")
    told = memory.context("harbour lockers painted", max_tokens=300)
    assert told.tokens <= 300
    assert {one.scope for one in told.current} == {"project", "global"}


def test_a_tag_that_the_question_names_raises(memory: MemoryStore, own: MemoryStore) -> None:
    """Of two that say the same kind of thing the one with the tag stands before the other."""
    own.remember("Ropes of hemp are oiled in spring")
    tagged = own.remember("Ropes of flax are oiled in spring", tags=["ropes", "oiled", "spring"]).id
    memory.remember("The pier closes at nine")
    assert memory.search("ropes oiled in spring").results[0].id == tagged


def test_outside_a_project_every_word_leads_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An index run says that the user's own store took it, and each hint is a command that works there."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Tides\n\nThey come twice.\n")
    monkeypatch.chdir(tmp_path / "notes")
    assert main(["index", "."]) == 0
    assert "in your own store, since there is no project here" in capsys.readouterr().out
    assert main(["--scope", "global", "status"]) == 0
    assert "no project here" not in capsys.readouterr().out, "it was asked for"
    assert main(["search", "tides", "--scope", "project"]) == 3
    assert "treering init --store .treering" in capsys.readouterr().err
    assert main(["trust", "."]) == 3
    said = capsys.readouterr().err
    assert "nothing came with it" in said
    assert "treering trust DIR" in said
    assert main(["init", "--store", ".treering"]) == 0
    assert main(["index", ".", "--scope", "project"]) == 0
    assert "own store" not in capsys.readouterr().out
    assert main(["trust", "."]) == 0
