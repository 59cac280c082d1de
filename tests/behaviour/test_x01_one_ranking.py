"""X01: files, memories, talks, transcripts and code stand in one ranking, each with one line of provenance."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import treering

TEXTS = {
    "docs/retries.md": "# Retries\n\nThe parcel gateway retries a failed webhook five times, with a growing pause.\n",
    "src/gateway.py": 'def retry_webhook(attempts: int = 5) -> None:\n    """Retry a webhook of the gateway."""\n',
}
TRANSCRIPT = "user: why does the gateway retry a webhook?\nassistant: it stops after five retries of a webhook.\n"
CHAT = "Ines: the gateway should retry a webhook longer\nBo: five retries of a webhook are enough\n"


@pytest.fixture
def memory(tmp_path: Path) -> Any:
    """Return the memory of a project that has something of each kind about one thing."""
    (tmp_path / ".git").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    with treering.open(tmp_path) as opened:
        opened.index(tmp_path, code=True)
        for kind, text in (("transcript", TRANSCRIPT), ("chat", CHAT)):
            opened.note(text, kind=kind, title=f"The {kind}", source_time="2026-10-02")
        opened.remember("We decided that the gateway retries a webhook five times", kind="decision")
        opened.ensure_embeddings()
        yield opened


def test_one_ranking_over_everything(memory: Any) -> None:
    """One question brings up all five, comparable by one score, the best first."""
    found = memory.search("how often does the gateway retry a webhook", limit=10, max_tokens=4000)
    kinds = {one.kind or one.key.partition(":")[0] for one in found.results}
    sources = {one.title for one in found.results}
    assert {"decision", "file"} <= kinds
    assert {"The transcript", "The chat"} <= sources
    assert any((one.file or "").endswith("gateway.py") for one in found.results)
    scores = [one.score for one in found.results]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_each_has_one_line_of_provenance(memory: Any) -> None:
    """The line names the file with its lines and title, the source by its key, or the memory by its id and its day."""
    found = memory.search("how often does the gateway retry a webhook", limit=10, max_tokens=4000)
    for one in found.results:
        assert one.citation
        assert "\n" not in one.citation
    cited = {Path(one.file).name: one.citation for one in found.results if one.file}
    assert cited["retries.md"].startswith("docs/retries.md:1-3")
    assert "src/gateway.py:1-2" in cited["gateway.py"]
    [talk] = [one.citation for one in found.results if one.title == "The chat"]
    assert talk.startswith("note:src_")
    assert talk.endswith(":1-2  The chat")
    [memory_line] = [one.citation for one in found.results if one.type == "memory"]
    assert memory_line.startswith("mem_")


def test_a_context_lists_them_together(memory: Any) -> None:
    """The memory is what is in force; talks, code and pages are passages below it."""
    answer = memory.context("how often does the gateway retry a webhook?", max_tokens=2000)
    assert [one.kind for one in answer.current] == ["decision"]
    assert {"The transcript", "The chat"} <= {one.title for one in answer.passages}
    assert len(answer.passages) == 4
