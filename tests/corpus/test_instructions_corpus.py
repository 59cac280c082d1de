"""Orders to an agent in the handed case, and how seldom real text is taken for one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from treering.domain.instructions import reads_like_instructions

if TYPE_CHECKING:
    from pathlib import Path

CONVERSATIONS = ("locomo10", "beam_100k", "longmemeval_pooled", "memdaily_zh", "memorybank_en_zh")


def test_the_handed_page_is_seen(shared: Path) -> None:
    """A page that tells the assistant to void a rule and claims the owner's trust does not pass as plain text."""
    page = (shared / "cases/SEC-01/page.md").read_text("utf-8")
    assert reads_like_instructions(page)
    assert reads_like_instructions(page.split("\n\n")[1])


def test_real_documents_seldom_read_like_orders(shared: Path) -> None:
    """Of every eighth document, rules for agents among them, fewer than one in fifty has a paragraph that does."""
    files = sorted(path for path in shared.glob("markdown/*/**/*") if path.is_file())[::8]
    found = [path for path in files if any(map(reads_like_instructions, _paragraphs(path)))]
    assert len(found) < len(files) / 50, found


def test_conversations_are_no_orders(shared: Path) -> None:
    """Of what people and assistants say to each other less than one turn in a thousand does."""
    turns = [
        json.loads(line)["text"]
        for name in CONVERSATIONS
        for line in (shared / f"eval/sets/{name}/corpus.jsonl").read_text("utf-8").splitlines()[::8]
    ]
    found = [turn for turn in turns if reads_like_instructions(turn)]
    assert len(found) < len(turns) / 1000, found


def _paragraphs(path: Path) -> list[str]:
    """Return a document's paragraphs: what a quote is taken from."""
    return path.read_text("utf-8", "replace").split("\n\n")
