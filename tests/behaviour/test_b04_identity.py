"""B04: all forms of a link to one page are one source."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import treering
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project; nothing is made yet."""
    with treering.open() as opened:
        yield opened


def test_another_form_of_the_link_is_a_new_version(folder: Path, memory: MemoryStore) -> None:
    """A pull request imported by its page, its files or its short form is one source with a version for each text."""
    forms = {
        "https://github.com/Owner/repo/pull/7": "Opened.\n",
        "https://github.com/owner/repo/pull/7/files?w=1": "Reviewed.\n",
        "owner/repo#7": "Merged.\n",
    }
    (folder / "pr.md").write_text("Reverted.\n")
    kept = [memory.note(text, url=url, kind="pull_request", trust="external") for url, text in forms.items()]
    kept.append(memory.import_(folder / "pr.md", key="github:owner/repo#7")[0])
    assert {(one.id, one.key) for one in kept} == {(kept[0].id, "github:owner/repo#7")}
    shown = memory.show("https://www.github.com/owner/repo/issues/7")
    assert (shown.text, shown.source_kind, len(shown.versions)) == ("Reverted.\n", "pull_request", 4)
    assert shown.url == "owner/repo#7"


def test_a_link_or_key_names_one_source(folder: Path, memory: MemoryStore) -> None:
    """A link for several files, or what is no link, is refused, and nothing is kept."""
    for name in ("a.md", "b.md"):
        (folder / name).write_text(f"{name}\n")
    with pytest.raises(InputError, match="2 files"):
        memory.import_(folder, url="https://example.org")
    for wrong in ({"url": "no link"}, {"key": "note:x"}, {"kind": "memo"}, {"trust": "mine"}):
        with pytest.raises(InputError):
            memory.import_(folder / "a.md", **wrong)
    assert not memory.status().exists


def test_the_kind_follows_the_page_and_the_document(folder: Path, memory: MemoryStore) -> None:
    """A page, a document's own word and its format say what it is; what the caller says decides."""
    (folder / "m.md").write_text("---\ntype: meeting\n---\nWords.\n")
    (folder / "w.html").write_text("<html><body>Web words</body></html>")
    kinds = {
        "meeting": memory.import_(folder / "m.md")[0].id,
        "web": memory.import_(folder / "w.html")[0].id,
        "ticket": memory.note("Ticket.", kind="", url="https://linear.app/acme/issue/APP-184/title").id,
        "chat": memory.note("Hi.", kind="", url="https://a.slack.com/archives/C01/p1700000000123456").id,
        "transcript": memory.note("Said.", kind="transcript").id,
    }
    assert {memory.show(id).source_kind: id for id in kinds.values()} == kinds
