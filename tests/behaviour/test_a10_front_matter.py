"""A10: front matter is read by a small grammar; what it cannot read is left and named by ``status``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering import MemoryStore

GOOD = """\
---
kind: event   # what it is
session: "laptop-2 # three"
owners: [Ines, 'Bjarne, the elder']
places:
  - Oslo
  - Lisbon
machine:
  arch: arm64
  cores: 8
draft: true
---
# Outage

The sandpiper incident lasted an hour.
"""
BAD = {
    "a block scalar": "text: |\n  several\n  lines\n",
    "an anchor": "base: &base one\n",
    "an alias": "base: *base\n",
    "a flow mapping": "base: {a: 1}\n",
    "a key twice": "kind: a\nkind: b\n",
    "two levels": "a:\n  b:\n    c: 1\n",
    "a list of mappings": "steps:\n  - name: one\n",
    "an open quote": 'kind: "event\n',
}


def test_the_grammar_gives_strings(remember_files: Callable[..., MemoryStore]) -> None:
    """Scalars, both kinds of lists and one nested level are read; true and 8 stay text; comments go."""
    memory = remember_files({"outage.md": GOOD})
    assert memory.show("outage.md").metadata == {
        "kind": ("event",),
        "session": ("laptop-2 # three",),
        "owners": ("Ines", "Bjarne, the elder"),
        "places": ("Oslo", "Lisbon"),
        "machine.arch": ("arm64",),
        "machine.cores": ("8",),
        "draft": ("true",),
    }
    assert memory.search("sandpiper", where={"draft": "true", "machine.arch": "arm64"}).found


@pytest.mark.parametrize("what", BAD)
def test_what_is_outside_the_grammar_is_named(
    remember_files: Callable[..., MemoryStore], run: Callable[..., Any], what: str
) -> None:
    """Such a block gives no metadata at all; status names the file; its text and its neighbours are found."""
    memory = remember_files({
        "bad.md": f"---\ncolour: green\n{BAD[what]}---\n# Bad\n\nThe lapwing.\n",
        "good.md": "---\ncolour: green\n---\n# Good\n\nThe plover.\n",
    })  # fmt: skip
    assert memory.show("bad.md").metadata == {}
    assert [skip.path for root in memory.status().roots for skip in root.unparsed] == ["bad.md"]
    assert "bad.md" in run("status").out
    assert memory.search("lapwing").found
    assert memory.search("plover", where={"colour": "green"}).found
    assert memory.search("lapwing", where={"colour": "green"}).reason == "no_match"


def test_an_unclosed_block_is_text_and_named(remember_files: Callable[..., MemoryStore]) -> None:
    """A file whose front matter never ends is found by its text, and status names it."""
    memory = remember_files({"open.md": "---\nkind: event\n\n# Open\n\nThe dunnock.\n"})
    assert memory.search("dunnock").found
    assert [skip.path for root in memory.status().roots for skip in root.unparsed] == ["open.md"]


@pytest.mark.parametrize(
    "block", ["\ufeff---\nkind: x\n---\n", "---\r\nkind: x\r\n---\r\n", "---  \nkind: x  \n--- \n"]
)
def test_marks_and_blanks_do_not_hide_it(remember_files: Callable[..., MemoryStore], block: str) -> None:
    """A byte order mark, Windows line ends and trailing blanks change nothing."""
    memory = remember_files({"a.md": f"{block}# Title\n\nThe wigeon.\n"})
    shown = memory.show("a.md")
    assert (shown.metadata, shown.title) == ({"kind": ("x",)}, "Title")


def test_odd_values_are_kept_as_they_stand(remember_files: Callable[..., MemoryStore]) -> None:
    """A second colon in a title stays; a key without a value records nothing; no file is lost for it."""
    memory = remember_files({
        "colon.md": "---\ntitle: Ops: the cache\n---\nThe siskin.\n",
        "null.md": "---\ntype:\ntags: ~\n---\n# Null\n\nThe serin.\n",
        "none.md": "# None\n\nThe twite.\n",
    })  # fmt: skip
    assert memory.search("siskin").results[0].title == "Ops: the cache"
    assert memory.show("null.md").metadata == {}
    assert memory.search("serin").found
    assert memory.search("twite").found
    assert not [skip for root in memory.status().roots for skip in root.unparsed]
