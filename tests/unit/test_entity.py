"""Entities: one thing under all of its names, and nobody taken for somebody else by guess."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.domain.entity import (
    LONGEST_NAME,
    Entity,
    aliased,
    entity_kind,
    entity_name,
    merged,
    name_key,
    resolve,
)
from treering.domain.operation import ENTITY_KINDS, Mention
from treering.errors import Conflict, InputError

SMITH = Entity("ent_smith", "Alice Smith", "person", ("Ally",))
JONES = Entity("ent_jones", "Alice Jones", "person", ("Ally", "AJ"))
BOB = Entity("ent_bob", "Bob", "person")
MERCURY_PROJECT = Entity("ent_mproject", "Mercury", "project")
MERCURY_PLACE = Entity("ent_mplace", "Mercury", "place")
HERON = Entity("ent_heron", "Heron")
KNOWN = (SMITH, JONES, BOB, MERCURY_PROJECT, MERCURY_PLACE, HERON)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Project A", " project\n a "),
        ("José", "Jose\u0301"),
        ("O’Brien", "o'brien"),
        ("@Bob", "bob"),
        ("Ｈｅｒｏｎ", "heron"),
        ("Straße", "STRASSE"),
        ("小明", "小明 "),
    ],
)
def test_names_that_are_one(one: str, other: str) -> None:
    """Case, composition, width, apostrophes, white space and the sign of a mention make no other name."""
    assert name_key(one) == name_key(other)


@given(st.text(max_size=20))
def test_a_name_key_is_its_own(text: str) -> None:
    """What names are compared by does not change when it is made again."""
    assert name_key(name_key(text)) == name_key(text)


@pytest.mark.parametrize(
    ("mention", "id"),
    [
        (Mention("alice smith", "person"), "ent_smith"),
        (Mention("Alice Smith"), "ent_smith"),
        (Mention("AJ", "person"), "ent_jones"),
        (Mention("@bob"), "ent_bob"),
        (Mention("Mercury", "project"), "ent_mproject"),
        (Mention("mercury", "place"), "ent_mplace"),
        (Mention("heron", "project"), "ent_heron"),
    ],
)
def test_a_name_leads_to_its_entity(mention: Mention, id: str) -> None:
    """A name or an alias means the one entity that has it and fits the kind; a thing fits every kind."""
    [found] = resolve([mention], KNOWN).found
    assert (found.id, found.new, found.candidates) == (id, -1, ())


@pytest.mark.parametrize(
    ("mention", "candidates"),
    [
        (Mention("Ally", "person"), ("ent_smith", "ent_jones")),
        (Mention("Mercury"), ("ent_mproject", "ent_mplace")),
    ],
)
def test_several_are_candidates(mention: Mention, candidates: tuple[str, ...]) -> None:
    """A name of several fitting entities means none of them, and no other one is made."""
    resolution = resolve([mention], KNOWN)
    [found] = resolution.found
    assert (found.id, found.new, found.candidates, resolution.new) == ("", -1, candidates, ())


def test_a_first_name_is_nobody_else() -> None:
    """Alice is neither of the two Alices, nor the only one: she is new, and those who may be she are named."""
    resolution = resolve([Mention("Alice", "person"), Mention("Bob Stone", "person")], KNOWN)
    alice, stone = resolution.found
    assert (alice.id, alice.new, alice.alike) == ("", 0, ("ent_smith", "ent_jones"))
    assert (stone.id, stone.new, stone.alike) == ("", 1, ("ent_bob",))
    [single] = resolve([Mention("Alice", "person")], [SMITH]).found
    assert (single.id, single.alike) == ("", ("ent_smith",))
    [project] = resolve([Mention("Alice", "project")], [SMITH]).found
    assert (project.new, project.alike) == (0, ())


def test_another_kind_is_another_entity() -> None:
    """A person who is called like a known project is new."""
    resolution = resolve([Mention("Mercury", "person")], [MERCURY_PROJECT])
    assert resolution.new == (Mention("Mercury", "person"),)


def test_new_names_of_a_batch_are_one() -> None:
    """The same new name several times is made once, under the kind that one of them says; two kinds are two."""
    mentions = [Mention("Kestrel"), Mention("kestrel", "project"), Mention("KESTREL")]
    resolution = resolve(mentions, KNOWN)
    assert resolution.new == (Mention("Kestrel", "project"),)
    assert [one.new for one in resolution.found] == [0, 0, 0]
    both = resolve([Mention("Kestrel", "place"), Mention("kestrel", "project"), Mention("Kestrel")], KNOWN)
    assert [one.kind for one in both.new] == ["place", "project", "thing"]


def test_a_thing_gets_its_kind() -> None:
    """A mention that says what a thing is sharpens it, unless two say different kinds."""
    assert resolve([Mention("Heron", "project"), Mention("Heron")], KNOWN).sharpened == {"ent_heron": "project"}
    assert resolve([Mention("Heron", "project"), Mention("Heron", "place")], KNOWN).sharpened == {}
    assert resolve([Mention("Bob", "person")], KNOWN).sharpened == {}


@given(st.lists(st.sampled_from(["Alice", "alice smith", "Ally", "Mercury", "Bob", "Kestrel"]), max_size=6), st.data())
def test_every_mention_has_one_answer(names: list[str], data: st.DataObject) -> None:
    """Each mention is known, new, or has several candidates; the order of mentions changes nothing but the places."""
    mentions = [Mention(name, data.draw(st.sampled_from(ENTITY_KINDS))) for name in names]
    resolution = resolve(mentions, KNOWN)
    for one in resolution.found:
        assert sum([bool(one.id), one.new >= 0, len(one.candidates) > 1]) == 1
    back = resolve(mentions[::-1], KNOWN)
    assert {(name_key(one.name), one.kind) for one in back.new} == {
        (name_key(one.name), one.kind) for one in resolution.new
    }
    assert [one.id for one in back.found][::-1] == [one.id for one in resolution.found]


def test_two_become_one() -> None:
    """Merging keeps the first one's name and kind and the names of both, each once."""
    both = merged(SMITH, JONES)
    assert both == Entity("ent_smith", "Alice Smith", "person", ("Ally", "Alice Jones", "AJ"))
    assert merged(HERON, MERCURY_PROJECT).kind == "project"
    with pytest.raises(InputError, match="is one entity already"):
        merged(BOB, BOB)


def test_another_name() -> None:
    """An alias is added once; one that leads to another entity is refused with the command that merges the two."""
    robert = aliased(BOB, "@Robert", KNOWN)
    assert robert.aliases == ("Robert",)
    assert aliased(robert, "robert", KNOWN).aliases == ("Robert",)
    assert aliased(BOB, "BOB", KNOWN) == BOB
    assert aliased(BOB, "Mercury", KNOWN).aliases == ("Mercury",)
    with pytest.raises(Conflict, match="ent_smith is called Ally already") as raised:
        aliased(BOB, "Ally", KNOWN)
    assert raised.value.hint == "treering entity merge ent_bob ent_smith"


@pytest.mark.parametrize("text", ["", " @ "[:1], "\u200b", "a\0", "\ud800", "x" * (LONGEST_NAME + 1)])
def test_what_is_no_name(text: str) -> None:
    """Nothing, nothing that can be seen, and what is too long or no text is refused."""
    with pytest.raises(InputError):
        entity_name(text)


def test_kinds() -> None:
    """Kinds are read in any case and both spellings; another one is refused, naming those that there are."""
    assert entity_kind("Person") == "person"
    assert entity_kind("organization") == "organisation"
    with pytest.raises(InputError, match=r"no kind of entity 'projct'; there are person.*did you mean project"):
        entity_kind("projct")
