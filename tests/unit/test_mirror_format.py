"""The mirror's format: front matter both ways, the YAML of others, names of files, texts as editors leave them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.upkeep.mirror import foreign, front, memories, names, others, texts, yaml

PLAIN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
VALUES = st.one_of(
    PLAIN, st.integers(-(2**62), 2**62), st.lists(PLAIN, min_size=1, max_size=3), st.dictionaries(PLAIN, PLAIN)
)
KEYS = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)


@given(
    st.dictionaries(KEYS, VALUES, max_size=5), st.lists(st.dictionaries(PLAIN, PLAIN, min_size=1), max_size=3), PLAIN
)
def test_front_matter_comes_back(values: dict[str, object], rows: list[dict[str, str]], body: str) -> None:
    """Whatever is written is read back as it was, less what is empty, by the quick way and as YAML."""
    written = {**values, "rows": rows}
    text = front.dump(written)
    parts = front.split(text + body)
    kept = {key: value for key, value in written.items() if value not in ("", [], {})}
    assert (parts.front, parts.body, parts.error) == (kept, body, "")
    assert yaml.mapping(text[4:-4]) == kept


@pytest.mark.parametrize(
    ("block", "found"),
    [
        ("a: 1\nb: -2\nc: 1.5\nd: 2026-06-20T22:53:05Z", {"a": 1, "b": -2, "c": "1.5", "d": "2026-06-20T22:53:05Z"}),
        ("a: true\nb: No\nc: ~\nd:", {"a": True, "b": "No", "c": None, "d": None}),
        ("a: 'it''s'\nb: \"x\\n\\u00e9\"\n'c d': e", {"a": "it's", "b": "x\né", "c d": "e"}),
        ("a: {by: human:x, at: 2026-01-01}", {"a": {"by": "human:x", "at": "2026-01-01"}}),
        ("b: [1, 'two', [three]]", {"b": [1, "two", ["three"]]}),
        ("a:\n  - b: 1\n    c: 2\n  - d\n-x: y", {"a": [{"b": 1, "c": 2}, "d"], "-x": "y"}),
        ("a:\n- b\n- - c\n  - d\ne:\n  f:\n    g: h", {"a": ["b", ["c", "d"]], "e": {"f": {"g": "h"}}}),
        ("a: |\n  one\n    two\n\n", {"a": "one\n  two\n"}),
        ("b: >-\n  folded\n  line\n\n  next\n", {"b": "folded line\nnext"}),
        ("c: |+\n  x\n\n", {"c": "x\n\n"}),
        ("a: one\n  two # no\n  three\nb: x # y\nc: x#y", {"a": "one two three", "b": "x", "c": "x#y"}),
        ("a: https://example.org/x#y\nb: Revenue: policy", {"a": "https://example.org/x#y", "b": "Revenue: policy"}),
        ('a: [1,\n  2,\n  3]\nb: "one\n  two"', {"a": [1, 2, 3], "b": "one two"}),
        ("# only a comment", {}),
        ("a: 1\r\nb: 2\r", {"a": 1, "b": 2}),
    ],
)  # fmt: skip
def test_yaml_of_others(block: str, found: object) -> None:
    """Flow and block collections, quoted and plain texts, block scalars and comments are read as they are meant."""
    assert yaml.mapping(block) == found


@pytest.mark.parametrize(
    "block",
    ["a", "- a", "a: *b", "a: &b c", "a: !t c", "a: [1", "a: {b", "a: 'x", "a: b\na: c", "a: b\n  c: d", "\ta: b",
     "a: [1] x", "a: @x", 'a: "\\uZZZZ" x', "a:\n" + "".join(f"{'  ' * n}- a:\n" for n in range(1, 40))],
)  # fmt: skip
def test_what_is_no_yaml_is_said_to_be_none(block: str) -> None:
    """It is never half-read."""
    with pytest.raises(yaml.NotYaml):
        yaml.mapping(block)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    """No text between the lines makes the reader fail in another way, or for ever."""
    parts = front.split(f"---\n{text}\n---\nbody")
    assert parts.front is not None or parts.error or parts.body


@given(
    PLAIN.filter(lambda text: text == text.strip("\n")),
    st.lists(PLAIN.filter(lambda text: text and "\r" not in text), max_size=3),
)
def test_words_and_quotes_come_back(content: str, quotes: list[str]) -> None:
    """What a memory says, and what it quotes, stands in the body just so."""
    blocks = [(text, f"ver_{number}") for number, text in enumerate(quotes)]
    whole = type("Whole", (), {"cited": {}})()
    body = memories._body(content, blocks, whole, lambda _: "")  # type: ignore[arg-type]
    found, back = memories.read_body(body)
    assert found == content
    assert [one.text for one in back] == quotes


@given(PLAIN, PLAIN)
def test_names_are_names(title: str, content: str) -> None:
    """Whatever the words, the name is short, has no sign that a file system minds, and ends with the id."""
    path = names.memory_path("mem_01m8p96nxtqwavq69c804k", "2026-11-30T00:00:00Z", title, content)
    assert path.startswith("memories/2026-11/")
    name = path.rpartition("/")[2]
    assert path.count("/") == 2
    assert name.endswith("01m8p96nxtqwavq69c804k.md")
    assert len(name.encode()) <= 90
    assert not set(name) & set('\\:*?"<>|\0 ')
    assert name not in names.RESERVED


def test_sides_of_a_merge() -> None:
    """Marks as git writes them, with and without the base, part the sides; others are refused."""
    text = "a\n<<<<<<< HEAD\nb\n||||||| base\nx\n=======\nc\n>>>>>>> other\nd\n"
    assert texts.sides(text) == ("a\nb\nd\n", "a\nc\nd\n")
    assert texts.sides("plain\n=======\n") == ("plain\n=======\n", "plain\n=======\n")
    with pytest.raises(texts.Unreadable):
        texts.sides("<<<<<<< HEAD\nb\n>>>>>>> other\n")


def test_an_act_comes_back_from_the_log() -> None:
    """Its line has ids alone and reads as a sentence; names with dashes do not end the comment."""
    act = {"number": 3, "at": "2026-11-30T12:00:00.000Z", "role": "agent", "author": "a--b-->---", "name": "create",
           "target": "mem_x", "outcome": "accepted", "inverse": '[["reject", "mem_x"]]', "undone": 1}  # fmt: skip
    line = others.log_line(act)
    assert line.startswith("* **Create**: mem_x accepted at 12:00:00, taken back <!-- ")
    assert "--" not in line.partition("<!--")[2].removesuffix(" -->")
    assert others.read_log(line, tuple(act)) == [(act, line)]
    assert others.read_log("* **Create**: odd <!-- [1] -->\nx", tuple(act))[0][0] is None


def test_keys_of_other_tools_are_kept() -> None:
    """What a memory has no place for becomes metadata, objects as JSON."""
    values = {"type": "Metric", "runtime": "x", "parameters": [{"name": "year"}], "flag": True, "none": None, "n": 3}
    labels = foreign.labels_of(values, whole=True)
    assert labels == {
        "type": ("Metric",),
        "runtime": ("x",),
        "parameters": (json.dumps({"name": "year"}),),
        "flag": ("true",),
        "n": ("3",),
    }
    assert foreign.labels_of(values) == {key: value for key, value in labels.items() if key != "type"}
    assert foreign.kind_of({"type": "Decision"}) == "decision"
