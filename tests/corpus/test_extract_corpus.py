"""Memories out of the handed notes, and none out of documents that state nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from treering.ingest.extract import Extractor
from treering.ingest.metadata import parse, split

if TYPE_CHECKING:
    from pathlib import Path

    from treering.domain.operation import Draft

EXTRACTOR = Extractor()


def _drafts(path: Path) -> list[Draft]:
    """Return what is taken out of a file."""
    text = path.read_text("utf-8", "replace").replace("\0", "")
    return [one.memory for one in EXTRACTOR.operations(text, "src_1", "", parse(text, split(text)).values)]


@pytest.mark.parametrize(
    ("name", "content", "since"),
    [
        ("2026-06-01", "Lantern will launch on November 15.", "2026-06-01"),
        ("2026-03-01", "Lantern will launch on September 1.", "2026-03-01"),
        ("undated", "Lantern will launch on December 24.", ""),
    ],
)
def test_the_handed_notes_fill_one_slot(name: str, content: str, since: str, shared: Path) -> None:
    """Each states the launch date of its own day, in the project's slot; the undated one has no date."""
    (one,) = _drafts(shared / f"cases/TMP-05/{name}.md")
    assert (one.slot, one.content, one.valid_from) == ("lantern/launch-date", content, since)


def test_the_handed_page_from_outside_claims_a_slot_without_a_date(shared: Path) -> None:
    """The page's own "decision" comes out as a claim like any other; its trust is its source's."""
    (one,) = _drafts(shared / "cases/SEC-01/page.md")
    assert (one.slot, one.valid_from) == ("deploy-approvals", "")


def test_documents_yield_only_what_meetings_decided(shared: Path) -> None:
    """Of every fourth document only minutes yield anything, and no document states a fact of its user."""
    files = sorted(path for path in shared.glob("markdown/*/**/*") if path.is_file())[::4]
    found = {path: drafts for path in files if (drafts := _drafts(path))}
    assert {path.relative_to(shared / "markdown").parts[0] for path in found} == {"rust_lang_team"}
    assert not [one for drafts in found.values() for one in drafts if one.slot.startswith("user/")]


def test_conversations_yield_few_and_plain_facts(shared: Path) -> None:
    """What is taken out of 11,000 turns are statements of one's name, home, employer or tools."""
    rows: list[dict[str, Any]] = [
        json.loads(line)
        for name in ("locomo10", "beam_100k", "longmemeval_pooled", "memorybank_en_zh")
        for line in (shared / f"eval/sets/{name}/corpus.jsonl").read_text("utf-8").splitlines()
    ]
    found = [one.memory for row in rows for one in EXTRACTOR.operations(row["text"], "src_1", "", {})]
    assert 25 <= len(found) <= 45
    assert {one.slot.split("/")[1] for one in found} <= {"name", "location", "employer", "stack"}
