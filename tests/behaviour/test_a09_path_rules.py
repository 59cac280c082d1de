"""A09: path rules give files metadata; the first rule that matches wins, a catch-all comes last."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import treering

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_the_first_rule_that_matches_wins(labelled: Path) -> None:
    """A meeting note is a meeting and not a page; what no other rule names falls to the catch-all."""
    with treering.open() as memory:
        memory.index(["."])
        kinds = {
            file: memory.show(file).metadata.get("kind")
            for file in ("notes/2026-03-02.md", "decisions/0001-queue.md", "notes/ideas.txt", "README.md")
        }
    assert kinds == {
        "notes/2026-03-02.md": ("meeting",),
        "decisions/0001-queue.md": ("decision",),
        "notes/ideas.txt": ("page",),
        "README.md": ("page",),
    }


def test_a_catch_all_at_the_front_takes_everything(labelled: Path) -> None:
    """Order decides, not how narrow a rule is."""
    rules = json.loads((labelled / ".treering.json").read_text(encoding="utf-8"))
    rules["rules"].insert(0, rules["rules"].pop())
    (labelled / ".treering.json").write_text(json.dumps(rules), encoding="utf-8")
    with treering.open() as memory:
        memory.index(["."])
        assert memory.show("decisions/0001-queue.md").metadata["kind"] == ("page",)


def test_the_rules_of_the_older_name_are_read(project: Path) -> None:
    """`.poma-metadata.json` says the same as `.treering.json` where that one is absent."""
    rules = {"rules": [{"glob": "runbooks/*.md", "metadata": {"shelf": "red"}}]}
    (project / ".poma-metadata.json").write_text(json.dumps(rules), encoding="utf-8")
    with treering.open() as memory:
        memory.index(["."])
        assert memory.search("promote the replica", where={"shelf": "red"}).found


@pytest.mark.parametrize(
    "rules",
    [
        '{"rules": [', "[]", '{"rules": [{"glob": "../*.md", "metadata": {}}]}',
        '{"rules": [{"glob": "/etc/*", "metadata": {}}]}', '{"rules": [{"glob": "a", "metadata": {"k": {"n": 1}}}]}',
        '{"rules": ' + "[" * 100_000,
    ],
    ids=["cut off", "no object", "upwards", "absolute", "nested", "too deep"],
)  # fmt: skip
def test_unusable_rules_are_named_and_stop_nothing(project: Path, run: Callable[..., Any], rules: str) -> None:
    """Indexing goes on without them and says so; status names the file; unfiltered search works."""
    (project / ".treering.json").write_text(rules, encoding="utf-8")
    indexed = run("index", ".")
    assert indexed.status == 0
    assert ".treering.json" in indexed.out
    assert ".treering.json" in run("status").out
    assert run("search", "promote the replica").status == 0
