"""Front matter and path rules: what is read, what is refused whole, and which wins."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest

from treering.ingest import metadata

if TYPE_CHECKING:
    from pathlib import Path

    from treering.domain.source import Metadata


def read(block: str, body: str = "# Body\n") -> Metadata:
    """Return what the front matter with these lines says."""
    text = f"---\n{block}---\n{body}"
    return metadata.parse(text, metadata.split(text))


@pytest.mark.parametrize(
    "block,values",
    [
        ("kind: event\nsession: laptop-2\n", {"kind": ("event",), "session": ("laptop-2",)}),
        ("on: true\nn: 1\nf: 1.50\nd: 2026-10-01\nz: null\n",
         {"on": ("true",), "n": ("1",), "f": ("1.50",), "d": ("2026-10-01",), "z": ("null",)}),
        ("tags: [a, 'b, c', \"d\"]\n", {"tags": ("a", "b, c", "d")}),
        ("tags: []\nkind: x\n", {"kind": ("x",)}),
        ("tags:\n- a\n- b # second\n", {"tags": ("a", "b")}),
        ("tags:\n  - a\n\n  # note\n  - 'b # c'\n", {"tags": ("a", "b # c")}),
        ("a:\n  b: c\n  d: [e, f]\n  g:\n    - h\nk: l\n",
         {"a.b": ("c",), "a.d": ("e", "f"), "a.g": ("h",), "k": ("l",)}),
        ("kind: note # why\nurl: http://x/#y\nc: '#1'\n", {"kind": ("note",), "url": ("http://x/#y",), "c": ("#1",)}),
        ("title: Ops: Cache rules\n", {"title": ("Ops: Cache rules",)}),
        ("description: Limits for (REQ/DES/TASK): see the table\n",
         {"description": ("Limits for (REQ/DES/TASK): see the table",)}),
        ("type:\ntags: ~\nkind: x\n", {"kind": ("x",)}),
        ("type:   # to be filled in\n", {}),
        ("globs: *.py,**/*.ts\nalwaysApply: false\n", {"globs": ("*.py,**/*.ts",), "alwaysApply": ("false",)}),
        ("globs: [*.py, **/*.ts]\n", {"globs": ("*.py", "**/*.ts")}),
        ("globs: **/*.{js,jsx}\n", {"globs": ("**/*.{js,jsx}",)}),
        ("a: 'it''s'\nb: \"tab\\there \\u00e9 \\ud83d\\ude00\"\nc: ''\n",
         {"a": ("it's",), "b": ("tab\there é 😀",), "c": ("",)}),
        ("Created On: x\n数据: 值\n", {"Created On": ("x",), "数据": ("值",)}),
        ("", {}),
    ],
)  # fmt: skip
def test_the_grammar_is_read(block: str, values: dict[str, tuple[str, ...]]) -> None:
    """Everything in the restricted grammar is read, and all values are strings."""
    found = read(block)
    assert (found.state, found.error) == ("parsed", "")
    assert found.values == values


@pytest.mark.parametrize(
    "block,line",
    [
        ("kind: x\ntext: |\n  one\n", 3),
        ("text: >-\n  one\n", 2),
        ("a: &anchor x\n", 2),
        ("title: *Draft*\n", 2),
        ("title: *draft\n", 2),
        ("a: !tag x\n", 2),
        ("a: {b: c}\n", 2),
        ("from: `D:\\tools\\agent` copy\n", 2),
        ("links:\n- [[Roadmap]]s\n", 3),
        ("links:\n- [a, b]\n", 3),
        ("head:\n  - - meta\n", 3),
        ("steps:\n  - name: x\n", 3),
        ("a:\n  b:\n    c: d\n", 4),
        ("a: b\n  c: d\n", 3),
        ("a: one\n  and more\n", 3),
        ("kind: x\nkind: y\n", 3),
        ("a.b: x\na:\n  b: y\n", 4),
        ("tags: [a,\n  b]\n", 2),
        ("tags: [a] b\n", 2),
        ("tags: [a, {b: c}]\n", 2),
        ("tags: [a: b]\n", 2),
        ("a: 'open\n", 2),
        ("a: 'x' y\n", 2),
        ('a: "\\q"\n', 2),
        ('a: "\\ud800"\n', 2),
        ("just words\n", 2),
        ("- a\n", 2),
        ("a:\n\t- b\n", 3),
        ("name:foo\n", 2),
    ],
)
def test_anything_else_leaves_the_whole_block_unparsed(block: str, line: int) -> None:
    """What the grammar lacks is never half-read: no values, and the reason names the line."""
    found = read("first: kept?\n" + block)
    assert (found.state, found.values, found.title) == ("unparsed", {}, None)
    assert found.error.startswith(f"line {line + 1}: ")


def test_an_open_fence_is_unparsed_and_its_text_stays_body() -> None:
    """A fence that is never closed is reported, and nothing is taken from the body."""
    text = "---\nkind: note\n\n# Six\n\nThe fulmar rule.\n"
    assert metadata.split(text) == 0
    assert metadata.parse(text, 0).state == "unparsed"
    assert metadata.parse(text, 0).error.startswith("line 1: ")


@pytest.mark.parametrize(
    "text", ["", "# No\n", "---\n\n# A ruler\n\nText\n\n---\n", "---\n# A\n", "----\na: b\n---\n", "x"]
)
def test_a_text_without_front_matter_has_none(text: str) -> None:
    """A ruler at the top is no front matter."""
    assert metadata.split(text) == 0
    assert metadata.parse(text, 0) == metadata.parse("", 0)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_blanks_on_fences_do_not_matter(end: str) -> None:
    """Windows line ends and trailing blanks read the same."""
    text = end.join(["--- ", "kind: event\t", "tags: ", "- a ", "---\t", "# Body", ""])
    length = metadata.split(text)
    assert text[length:] == f"# Body{end}"
    assert metadata.parse(text, length).values == {"kind": ("event",), "tags": ("a",)}


def test_front_matter_may_end_the_file() -> None:
    """A closing fence needs no line end."""
    assert metadata.split("---\na: b\n---") == len("---\na: b\n---")


def test_a_block_over_64_kib_is_not_read() -> None:
    """A fence that closes too far down counts as open."""
    text = "---\n" + "a: b\n" * 20_000 + "---\n"
    assert metadata.split(text) == 0
    assert "64 KiB" in metadata.parse(text, 0).error


@pytest.mark.parametrize(
    "line",
    [
        "a: x" + " " * 60_000 + "y",
        "a" + " " * 60_000,
        "a: [" + "b," * 30_000,
        "a: '" + "''" * 30_000,
        " " * 60_000 + "a",
    ],
)
def test_hostile_lines_cost_no_time(line: str) -> None:
    """A line as long as a block may be is read in time that is linear in it."""
    started = time.process_time()
    read(line + "\n")
    assert time.process_time() - started < 0.5  # a quadratic reading takes ten seconds and more


def test_the_title_is_a_single_value() -> None:
    """Front matter gives a title only when it says one."""
    assert read("title: ' Ops '\n").title == "Ops"
    assert read("title: [a, b]\n").title is None
    assert read("title:\n").title is None


def rules_file(root: Path, content: object, name: str = ".treering.json") -> metadata.Rules:
    """Write a rules file and return what is read from it."""
    (root / name).write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return metadata.load_rules(root)


EVENTS = {
    "rules": [
        {"glob": "events/**/*.md", "metadata": {"kind": "event"}},
        {"glob": "DECISIONS.md", "metadata": {"kind": "decision"}},
        {"glob": "**/*.md", "metadata": {"kind": "note", "tags": ["a", "b"]}},
    ]
}


@pytest.mark.parametrize(
    "path,kind",
    [
        ("events/a.md", "event"),
        ("events/x/y/a.md", "event"),
        ("DECISIONS.md", "decision"),
        ("x/DECISIONS.md", "note"),
        ("a.md", "note"),
        ("decisions.md", "note"),
        ("a.txt", None),
    ],
)
def test_the_first_rule_that_matches_wins(tmp_path: Path, path: str, kind: str | None) -> None:
    """Rules are tried in order, and globs mean what paths mean."""
    rules = rules_file(tmp_path, EVENTS)
    assert rules.metadata(path).get("kind") == (None if kind is None else (kind,))


def test_front_matter_wins_key_by_key(tmp_path: Path) -> None:
    """A file's own word replaces a rule's value and leaves its other keys; an empty key says nothing."""
    rules = rules_file(tmp_path, EVENTS)
    assert metadata.resolve(rules, "a.md", read("kind: runbook\ntags:\n")).values == {
        "kind": ("runbook",),
        "tags": ("a", "b"),
    }


def test_no_rules_file_is_no_rules(tmp_path: Path) -> None:
    """Without a file nothing is said, and the digest is empty."""
    assert metadata.load_rules(tmp_path) == metadata.Rules()


def test_the_other_rules_file_is_read_too(tmp_path: Path) -> None:
    """``.poma-metadata.json`` is read where there is no ``.treering.json``."""
    assert rules_file(tmp_path, EVENTS, ".poma-metadata.json").metadata("a.md")["kind"] == ("note",)
    own = rules_file(tmp_path, {"rules": []})
    assert own.metadata("a.md") == {}


def test_layout_does_not_change_the_digest_but_content_does(tmp_path: Path) -> None:
    """Reformatting the file makes nothing stale; another value or order of rules does."""
    first = rules_file(tmp_path, EVENTS).hash
    assert first
    assert rules_file(tmp_path, json.dumps(EVENTS, indent=4, sort_keys=True) + "\n").hash == first
    assert rules_file(tmp_path, {"rules": EVENTS["rules"][::-1]}).hash != first
    assert rules_file(tmp_path, {"rules": []}).hash not in ("", first)


def test_numbers_and_truth_values_are_their_own_text(tmp_path: Path) -> None:
    """Values are strings: ``1.50`` stays ``1.50``."""
    rules = rules_file(tmp_path, '{"rules": [{"glob": "*.md", "metadata": {"a": 1.50, "b": true, "c": [1, "x"]}}]}')
    assert rules.metadata("a.md") == {"a": ("1.50",), "b": ("true",), "c": ("1", "x")}


def one_rule(glob: object = "*.md", values: object = None) -> dict[str, object]:
    """Return a rules file's content with a single rule."""
    return {"rules": [{"glob": glob, "metadata": {"k": "v"} if values is None else values}]}


@pytest.mark.parametrize(
    "content,word",
    [
        ("{", "not valid JSON"),
        ("[]", "no list"),
        ('{"rule": []}', "no list"),
        ({"rules": [], "more": 1}, "more"),
        ({"rules": ["x"]}, "rule 1"),
        ({"rules": [{"glob": "*"}]}, "rule 1"),
        (one_rule("/etc/*.md"), "absolute"),
        (one_rule("../x/*.md"), ".."),
        (one_rule("a\\b"), "backslash"),
        (one_rule("C:/x"), "absolute"),
        (one_rule(""), "empty"),
        (one_rule(["*.md"]), "no text"),
        (one_rule(values={"k": {"deep": "x"}}), "string"),
        (one_rule(values={"k": None}), "string"),
        (one_rule(values="x"), "object"),
        ('{"rules": [{"glob": "*", "metadata": {"k": "\\ud800"}}]}', "half a letter"),
        ('{"rules": [{"glob": "*", "metadata": {"k": NaN}}]}', "NaN"),
        ('{"rules": [], "rules": []}', "twice"),
        ("[" * 100_000, "deep"),
        ("\0\1\2", "binary"),
    ],
)
def test_unusable_rules_are_an_error_in_words(tmp_path: Path, content: object, word: str) -> None:
    """Whatever is wrong is named with the file, nothing is applied, and nothing crashes."""
    rules = rules_file(tmp_path, content)
    assert ".treering.json" in rules.error
    assert word in rules.error
    assert (rules.rules, rules.metadata("a.md")) == ((), {})
