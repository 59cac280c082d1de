"""Operations as JSON: values come back as they went, and all that is wrong is said at once."""

from __future__ import annotations

import json
from datetime import UTC
from typing import Any, Final, get_args
from unicodedata import normalize
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.curate.reading import read_operations
from treering.curate.writing import write_operation
from treering.domain import operation as op
from treering.domain.memory import KINDS, LONGEST
from treering.domain.operation import ENTITY_KINDS, LINK_TYPES, Citation, Draft, Mention, Operation, Update
from treering.errors import BadOperations

ONE: Final = "mem_" + "0" * 22
TWO: Final = "mem_" + "1" * 22
SEED: Final = """
[
{"op": "create", "memory": {
"kind": "decision",
"content": "Project A sends push notifications through option A (the existing push platform)",
"slot": "project-a/architecture",
"entities": [{"name": "Project A", "kind": "project"}],
"valid_from": "2026-10-01",
"evidence": [{"source_id": "src_1", "quote": "option A (the existing push platform)"}]
}}
]
"""


def wrong(given: object) -> str:
    """Return what is said of operations that cannot be read."""
    with pytest.raises(BadOperations) as raised:
        read_operations(given)
    assert raised.value.hint == "treering help propose"
    str(raised.value).encode()
    return str(raised.value)


def create(**memory: object) -> dict[str, object]:
    """Return a creation with these fields beside its content."""
    return {"op": "create", "memory": {"content": "Heron uses PostgreSQL 17.", **memory}}


def draft(**memory: object) -> Draft:
    """Return the memory that a creation with these fields proposes."""
    [created] = read_operations(create(**memory))
    assert isinstance(created, op.Create)
    return created.memory


def test_the_common_form() -> None:
    """The JSON that people know from elsewhere is read as it stands."""
    assert read_operations(SEED) == (
        op.Create(
            Draft(
                "Project A sends push notifications through option A (the existing push platform)",
                kind="decision",
                slot="project-a/architecture",
                valid_from="2026-10-01",
                entities=(Mention("Project A", "project"),),
                evidence=(Citation("src_1", "option A (the existing push platform)"),),
            )
        ),
    )


@pytest.mark.parametrize(
    ("given", "operation"),
    [
        (
            {"op": "update", "id": ONE, "changes": {"content": "Staging is on 17.", "valid_to": None, "tags": "db"}},
            Update(ONE, {"content": "Staging is on 17.", "valid_to": ""}, {"tags": ("db",)}),
        ),
        (
            {"op": "update", "id": ONE, "changes": {"tags": [], "metadata": {"team": None}}, "revision": 3},
            Update(ONE, {}, {"tags": (), "team": ()}, revision=3),
        ),
        (
            {"op": "update", "id": ONE, "evidence": {"source_id": "note:x", "quote": "it  is\nso"}},
            Update(ONE, {}, evidence=(Citation("note:x", "it  is\nso"),)),
        ),
        (
            {"op": "supersede", "old_ids": [ONE, TWO, ONE], "memory": {"content": "Option B."}},
            op.Supersede((ONE, TWO), Draft("Option B.")),
        ),
        ({"op": "supersede", "old_ids": ONE, "memory": {"content": "B."}}, op.Supersede((ONE,), Draft("B."))),
        ({"op": "link", "from_id": ONE, "to_id": TWO, "type": "contradicts"}, op.Link(ONE, TWO, "contradicts")),
        ({"op": "archive", "id": ONE, "reason": "no longer\nrelevant"}, op.Archive(ONE, "no longer relevant")),
        ({"op": "restore", "id": ONE, "revision": 2}, op.Restore(ONE, 2)),
        ({"op": "confirm", "id": f" {ONE} "}, op.Confirm(ONE)),
        ({"op": "merge", "ids": [ONE, TWO]}, op.Merge((ONE, TWO))),
    ],
)
def test_each_operation(given: dict[str, object], operation: Operation) -> None:
    """One object, a list of one, an object that holds the list, and any of them as text are the same."""
    for form in (given, [given], {"operations": [given]}, {"operations": json.dumps([given]), "schema": 1}):
        assert read_operations(form) == (operation,)
        assert read_operations("\ufeff" + json.dumps(form)) == (operation,)


def test_nothing_to_do() -> None:
    """An empty list is read as one."""
    assert read_operations([]) == read_operations('{"operations": []}') == ()


def test_a_memory_with_everything() -> None:
    """Every field is taken, in the form in which it is kept."""
    assert draft(
        content="Cafe\u0301.\r\n\r\n\r\n\r\nLine two.  ",
        kind="preference",
        title=" A\ntitle ",
        summary="short",
        slot="Project A/Launch date",
        value=" 15  November ",
        valid_from="2026-10-01T09:00:00+02:00",
        valid_to="2026-11",
        tags=["ci", " ci ", "", "数据"],
        metadata={"team": "blue", "pr": ["1", "2"], "gone": []},
        entities=["@Bob", {"name": "Project A", "kind": "Project"}, "Bob"],
        evidence=[{"source_id": "file:a.md", "quote": "four", "version": "ver_1"}],
        replaces="spicy noodles",
    ) == Draft(
        "Café.\n\nLine two.",
        "preference",
        "A title",
        "short",
        "project-a/launch-date",
        "15 November",
        "2026-10-01T09:00:00+02:00",
        "2026-11",
        {"tags": ("ci", "数据"), "team": ("blue",), "pr": ("1", "2")},
        (Mention("Bob"), Mention("Project A", "project")),
        (Citation("file:a.md", "four", "ver_1"),),
        ("spicy noodles",),
    )


def test_null_is_nothing() -> None:
    """A field that is null is one that is not there."""
    empty = dict.fromkeys(Draft._fields[1:])
    del empty["labels"]
    assert draft(**empty, tags=None, metadata=None) == Draft("Heron uses PostgreSQL 17.")


@pytest.mark.parametrize(
    ("memory", "words"),
    [
        ({"kind": "x"}, "there is no kind 'x'; there are episodic, semantic"),
        ({"kind": 1}, "the kind is a number, not a text"),
        ({"contnet": "x"}, "unknown field 'contnet'; did you mean content?"),
        ({"zzz": "x"}, "unknown field 'zzz'; there are content, kind"),
        ({"content": None}, "it has no 'content'"),
        ({"content": " \n"}, "the content is empty"),
        ({"content": ["x"]}, "the content is a list, not a text"),
        ({"content": "a\0b"}, "the content holds a NUL character"),
        ({"content": "a\ud800b"}, "the content holds half a character at position 1"),
        ({"content": "x" * (LONGEST + 1)}, "the content has 1,000,001 characters; at most 1,000,000"),
        ({"title": {}}, "the title is an object, not a text"),
        ({"value": 17}, "the value is a number, not a text"),
        ({"value": True}, "the value is true or false, not a text"),
        ({"slot": "a//b"}, "the slot 'a//b' has an empty part (write words"),
        ({"valid_from": "2026-02-30"}, "valid_from '2026-02-30' is no date: day is out of range"),
        ({"valid_from": "0001"}, "valid_from '0001' is no date: the years are 0002 to 9998"),
        ({"valid_to": "9999-12-31"}, "valid_to '9999-12-31' is no date"),
        ({"valid_from": "last week"}, "valid_from 'last week' is no date (write 2026, 2026-03"),
        ({"valid_from": 2026}, "the valid_from is a number, not a text"),
        ({"valid_from": "2026-03", "valid_to": "2026-02"}, "valid_to 2026-02 is not after valid_from 2026-03"),
        ({"tags": [1]}, "the tag is a number, not a text"),
        ({"tags": {"a": 1}}, "the tag is an object, not a text"),
        ({"metadata": ["a"]}, "the metadata is a list, not an object"),
        ({"metadata": {"a": 1}}, "the metadata is a number, not a text"),
        ({"metadata": {" ": "a"}}, "the key of the metadata is empty"),
        ({"metadata": {"tags": "a"}}, "tags: they have a field of their own"),
        ({"entities": [{"kind": "person"}]}, "operation 1, entities 1: it has no 'name'"),
        ({"entities": [3]}, "operation 1, entities 1: it is a number, not an object"),
        ({"entities": ["ok", {"name": "x", "kind": "dog"}]}, "entities 2: there is no kind of entity 'dog'"),
        ({"evidence": "some words"}, "operation 1, evidence 1: it is a text, not an object"),
        ({"evidence": [{"quote": "four"}]}, "operation 1, evidence 1: it has no 'source_id'"),
        ({"evidence": [{"source_id": "", "quote": "four"}]}, "the source_id is empty"),
        ({"evidence": [{"source_id": "s", "quote": " a  b"}]}, "the quote ' a  b' is too short: at least 4 characters"),
        ({"evidence": [{"source": "s", "quote": "four"}]}, "unknown field 'source'; did you mean source_id?"),
        ({"replaces": [""]}, "the description in 'replaces' is empty"),
    ],
)
def test_a_memory_with_a_mistake(memory: dict[str, object], words: str) -> None:
    """What is wrong with a memory is said with its operation and its field."""
    said = wrong([create(**memory)])
    assert said.startswith("operation 1")
    assert words in said


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("[", "this is no JSON: Expecting value in line 1, column 2"),
        ('[\n{"op": "merge",}\n]', "in line 2, column"),
        ("", "this is no JSON: Expecting value in line 1, column 1"),
        ("[NaN]", "this is no JSON: NaN is no number"),
        ('{"op": "merge", "op": "link"}', "the field 'op' stands twice in one object"),
        ("[" * 200_000, "this JSON is nested too deeply"),
        ("[" + "1" * 5000 + "]", "this JSON cannot be read"),
        ('"create"', "operations are a list of objects; this is a text"),
        (None, "operations are a list of objects; this is null"),
        (7, "this is a number"),
        (b"[]", "this is bytes"),
        ({"operations": 3}, "'operations' is a number, not a list"),
        ({"operations": "x"}, "this is no JSON"),
        ({}, "operation 1: it has no 'op'; there are create, supersede"),
        ([["op"]], "operation 1: it is a list, not an object"),
        ({"op": None}, "'op' is null; there are create"),
        ({"op": []}, "'op' is a list; there are create"),
        ({"op": "delete"}, "there is no operation 'delete'; there are create"),
        ({"op": "supercede"}, "did you mean supersede?"),
        ({"op": "create"}, "it has no 'memory'"),
        ({"op": "create", "memory": "text"}, "it is a text, not an object"),
        ({"op": "create", "content": "x"}, "unknown field 'content'; it belongs into 'memory'"),
        ({"op": "update", "id": ONE, "content": "x"}, "unknown field 'content'; it belongs into 'changes'"),
        ({"op": "update", "id": ONE, "changes": {"slot": "a"}}, "a memory keeps its slot: supersede it"),
        ({"op": "update", "id": ONE}, "it changes nothing"),
        ({"op": "update", "id": ONE, "changes": {}}, "it changes nothing"),
        ({"op": "update", "id": ONE, "changes": {"content": None}}, "it changes nothing"),
        ({"op": "update", "id": ONE, "changes": {"title": "a"}, "revision": True}, "whole number from 1"),
        ({"op": "update", "id": ONE, "changes": {"valid_from": "2026", "valid_to": "2025"}}, "is not after"),
        ({"op": "archive", "id": ONE, 3: "x"}, "a field is named by a number, not a text"),
        ({"op": "archive"}, "it has no 'id'"),
        ({"op": "archive", "id": "mem_1"}, "'mem_1' is no memory's id"),
        ({"op": "restore", "id": "src_" + "0" * 22}, "is no memory's id"),
        ({"op": "confirm", "id": ONE, "revision": 0}, "the revision is a whole number from 1"),
        ({"op": "link", "from_id": ONE, "to_id": ONE, "type": "related"}, "a memory is not linked to itself"),
        ({"op": "link", "from_id": ONE, "to_id": TWO, "type": "x"}, "there is no type of link 'x'; there are contra"),
        ({"op": "merge", "ids": [ONE, ONE]}, "'ids' names 1 of at least 2 memories"),
        ({"op": "supersede", "old_ids": [], "memory": {"content": "x"}}, "'old_ids' names 0 of at least 1 memory"),
        ({"op": "merge", "ids": ["a", "b"]}, "'a' is no memory's id"),
    ],
)
def test_an_operation_with_a_mistake(given: object, words: str) -> None:
    """What is no JSON, no operation, or one that lacks something, is said in words."""
    assert words in wrong(given)


def test_all_mistakes_at_once() -> None:
    """Every mistake of every operation is said, each with the number of its operation."""
    said = wrong(
        [
            create(),
            create(kind="x", valid_from="2026-02-30"),
            create(contnet="y"),
            {"op": "merge", "ids": ["a", "b"]},
        ]
    )
    parts = [part.partition(":")[0] for part in said.split("; operation ")]
    assert parts == ["operation 2", "2", "3", "4"]
    assert "there is no kind 'x'" in said
    assert "'2026-02-30' is no date" in said
    assert "unknown field 'contnet'; did you mean content?" in said
    assert "'a' is no memory's id" in said
    assert "'b' is no memory's id" in said


def test_a_thousand_mistakes_fit_a_screen() -> None:
    """Of very many mistakes the first are said, and how many more there are."""
    said = wrong([create(kind="x")] * 1000)
    assert said.endswith("; and 950 more")


def test_dates_are_meant_in_the_zone() -> None:
    """Whether an end lies behind its start depends on where a date without an offset is meant."""
    given = create(valid_from="2026-03-10T20:00:00-05:00", valid_to="2026-03-10")
    assert read_operations(given)  # nobody knows yet
    assert read_operations(given, ZoneInfo("America/New_York"))
    with pytest.raises(BadOperations, match="is not after"):
        read_operations(given, UTC)
    for dates in (("2026-03-11T00:00", "2026-03-10"), ("2026-03-11T00:00Z", "2026-03-10T20:00:00-04:00")):
        assert "is not after" in wrong(create(valid_from=dates[0], valid_to=dates[1]))


def test_long_but_not_too_long() -> None:
    """The longest statement is taken, and a repeated instant is no time to hold in."""
    assert len(draft(content="x" * LONGEST).content) == LONGEST
    assert "is not after" in wrong(create(valid_from="2026-03-10T09:00Z", valid_to="2026-03-10T09:00Z"))
    assert draft(valid_from="2026-03-10", valid_to="2026-03-10").valid_to == "2026-03-10"


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=True) | st.text(max_size=12)
NAMES: Final = (*Draft._fields, "op", "memory", "id", "ids", "old_ids", "changes", "tags", "metadata", "quote")
keys = st.sampled_from([*NAMES, "source_id", "name", "operations", "type", "revision"]) | st.text(max_size=5)
words = st.sampled_from(["create", "update", "supersede", "merge", "link", ONE, TWO, "2026-03", "decision"])
anything = st.recursive(
    scalars | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=6),
    max_leaves=30,
)
shaped = st.fixed_dictionaries(
    {"op": words},
    optional={"memory": anything, "changes": anything, "id": words, "evidence": anything, "ids": anything},
)


@given(anything | shaped | st.lists(shaped, max_size=3))
def test_any_json(given: Any) -> None:
    """Whatever it is, it is read, or refused as bad operations."""
    for form in (given, json.dumps(given)):
        try:
            assert isinstance(read_operations(form), tuple)
        except BadOperations as error:
            str(error).encode()


@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    """A text is JSON, or said not to be."""
    try:
        read_operations(text)
    except BadOperations as error:
        str(error).encode()


lines = st.text(st.characters(exclude_categories=["C", "Z", "M"]), min_size=1, max_size=8).map(
    lambda text: normalize("NFC", text)
)
short = st.just("") | lines
ids = st.sampled_from([ONE, TWO, "mem_" + "2" * 22])
revisions = st.none() | st.integers(1, 9)
citations = st.lists(
    st.builds(
        Citation, lines, st.text("abcd ", min_size=4).filter(lambda text: len(" ".join(text.split())) > 3), short
    ),
    max_size=2,
    unique=True,
).map(tuple)
labels = st.dictionaries(lines, st.lists(lines, min_size=1, max_size=2, unique=True).map(tuple), max_size=3)
drafts = st.builds(
    Draft,
    content=lines.filter(str.strip),
    kind=st.sampled_from(KINDS),
    title=short,
    summary=short,
    slot=st.sampled_from(["", "project-a/launch-date", "用户/城市"]),
    value=short,
    valid_from=st.sampled_from(["", "2026", "2026-03-10", "2026-03-10T09:00:00+02:00"]),
    valid_to=st.sampled_from(["", "2027", "2027-01-01T00:00Z"]),
    labels=labels,
    entities=st.lists(
        st.builds(Mention, st.sampled_from(["Bob", "项目甲", "Project A"]), st.sampled_from(ENTITY_KINDS)),
        max_size=3,
        unique=True,
    ).map(tuple),
    evidence=citations,
    replaces=st.lists(ids | lines, max_size=2, unique=True).map(tuple),
)
texts = st.dictionaries(st.sampled_from(["title", "summary", "value", "content"]), lines, max_size=2)
updates = st.builds(
    Update, ids, texts, labels | st.fixed_dictionaries({"tags": st.just(()), "team": st.just(())}), citations, revisions
).filter(lambda one: bool(one.changes or one.labels or one.evidence))
operations = st.one_of(
    st.builds(op.Create, drafts),
    st.builds(op.Supersede, st.lists(ids, min_size=1, unique=True).map(tuple), drafts),
    updates,
    st.builds(op.Link, st.just(ONE), st.just(TWO), st.sampled_from(LINK_TYPES)),
    st.builds(op.Archive, ids, short, revisions),
    st.builds(op.Restore, ids, revisions),
    st.builds(op.Confirm, ids, revisions),
    st.just(op.Merge((ONE, TWO))),
)


@given(st.lists(operations, max_size=3))
def test_what_is_written_is_read(batch: list[Operation]) -> None:
    """An operation that is written as JSON is read back as the same value."""
    written = json.dumps([write_operation(one) for one in batch])
    assert read_operations(written) == tuple(batch)


def test_every_operation_can_be_written() -> None:
    """The round trip above leaves no operation out."""
    assert {type(one) for one in get_args(op.Operation)} == {type}
    assert len(get_args(op.Operation)) == 8
