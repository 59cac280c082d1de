"""Scores, and the gate that they open or close."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treering
from treering.domain import scoring
from treering.domain.scoring import Evidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.api.store import MemoryStore

NOTES = {
    "deploy.md": "# Deploy\n\nThe gateway listens on port 8443.\n\nRoll back with `ship undo`, then page the owner.\n",
    "hosts.md": "# Hosts\n\n- heron-7 runs the nightly export\n- otter-2 keeps the backups\n",
    "build.md": "# Build\n\nCI runs on every push. A red run blocks the merge queue until someone fixes it.\n",
    "zh.md": "# 数据库\n\n迁移在十一月十五日晚上进行，之前要做备份。\n",
    "trouble.md": (
        "# Trouble\n\n## The export dies\n\n`ConnectionResetError: [Errno 104] Connection reset by peer` in "
        "`exporter/client.py` means that the proxy closed an idle socket. Set `keepalive_seconds` to 20.\n"
    ),
}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryStore]:
    """Return a memory of a few notes."""
    folder = tmp_path / "notes"
    folder.mkdir()
    journal = "\n".join(
        f"## Day {day}\n\nQuiet so far; the export took {day + 9} minutes and nobody was paged.\n" for day in range(60)
    )
    for name, text in {**NOTES, "journal.md": f"# Journal\n\n{journal}"}.items():
        (folder / name).write_text(text, encoding="utf-8")
    with treering.open(folder, store=str(tmp_path / "store")) as opened:
        opened.index([folder])
        yield opened


def sure(coverage: float, *, words: int = 6, size: int = 400, entries: int = 1000) -> float:
    """Return the confidence for an entry with the given share of the question."""
    found = Evidence(coverage, coverage, round(coverage * words))
    return scoring.confidence(found, scoring.signs(found, words, size, entries))


def test_a_rarer_word_tells_more() -> None:
    """A word is the more telling the fewer entries hold it, and never counts against an entry."""
    known = [scoring.rarity(n, 100) for n in (0, 1, 10, 50, 100)]
    assert known == sorted(known, reverse=True)
    assert known[-1] > 0


def test_evidence_is_a_share_of_the_rarity() -> None:
    """Coverage is what the entry holds of the question's rarity, together what its best paragraph holds."""
    found = scoring.evidence([3.0, 1.0, 0.0, 4.0], [0, 1, 2], [[0], [1, 2]])
    assert found == Evidence(coverage=0.5, together=0.375, words=2)


def test_evidence_of_a_question_without_telling_words_is_none() -> None:
    """Where no term counts, nothing is explained and nothing is divided by zero."""
    assert scoring.evidence([0.0], [0], [[0]]) == Evidence(0.0, 0.0, 0)


def test_explaining_the_whole_raises_a_score() -> None:
    """Of two entries with the same BM25 the one that explains more of the question scores higher."""
    assert scoring.weighed(5.0, Evidence(1.0, 1.0, 3)) == 5.0
    assert scoring.weighed(5.0, Evidence(0.8, 0.4, 3)) > scoring.weighed(5.0, Evidence(0.4, 0.4, 3))


def test_words_in_another_form_count_less_where_words_are_meant_as_typed() -> None:
    """A form lowers a score, and never as much as a word that is missing."""
    typed, mixed, other = (Evidence(1.0, 1.0, 3, share) for share in (0.2, 0.5, 1.0))
    assert scoring.weighed(5.0, mixed, as_typed=True) < scoring.weighed(5.0, typed, as_typed=True)
    assert scoring.weighed(5.0, other, as_typed=True) > scoring.weighed(5.0, Evidence(0.6, 0.6, 2), as_typed=True)
    assert scoring.weighed(5.0, mixed) == scoring.weighed(5.0, typed) == 5.0


@given(st.floats(0, 1), st.floats(0, 1), st.integers(1, 256), st.integers(0, 10**9), st.integers(1, 10**9))
def test_confidence_grows_with_coverage(one: float, other: float, words: int, size: int, entries: int) -> None:
    """Confidence lies in 0..1 and never falls when an entry holds more of the question."""
    less, more = sorted((one, other))
    low, high = (sure(share, words=words, size=size, entries=entries) for share in (less, more))
    assert 0.0 <= low <= high <= 1.0


def test_chance_lowers_confidence() -> None:
    """The same share says less in a longer entry, among more entries, and of a shorter question."""
    usual = sure(0.4)
    assert sure(0.4, size=4000) < usual
    assert sure(0.4, entries=100_000) < usual
    assert sure(0.4, words=3) < usual


@pytest.mark.parametrize("words", [1, 2, 30])
def test_every_word_held_is_certain(words: int) -> None:
    """An entry that holds every word of the question is certain, in the largest memory, too."""
    assert sure(1.0, words=words, size=10**7, entries=10**7) == 1.0
    assert sure(math.nextafter(1.0, 0.0), words=words, size=10**7, entries=10**7) == 1.0


@pytest.mark.parametrize(
    ("question", "file"),
    [
        ("port", "deploy.md"),
        ("CI", "build.md"),
        ("heron-7", "hosts.md"),
        ("heron", "hosts.md"),
        ("迁移", "zh.md"),
        ("备份", "zh.md"),
        ("which port does the gateway listen on?", "deploy.md"),
        ("迁移什么时候进行？", "zh.md"),
        ("keepalive_seconds", "trouble.md"),
    ],
)
def test_known_words_are_answered(memory: MemoryStore, question: str, file: str) -> None:
    """A single known word, an identifier and a plain question are answered by the note that holds them."""
    answer = memory.search(question)
    assert answer.found
    assert answer.results[0].key.endswith(file)


def test_a_pasted_error_is_answered(memory: MemoryStore) -> None:
    """A long error message finds the note that quotes one line of it."""
    pasted = (
        "Traceback (most recent call last):\n"
        '  File "/srv/app/exporter/client.py", line 212, in fetch\n    raise error\n'
        '  File "/usr/lib/python3.12/http/client.py", line 1428, in getresponse\n    response.begin()\n'
        "ConnectionResetError: [Errno 104] Connection reset by peer\n"
    )
    assert memory.search(pasted).results[0].key.endswith("trouble.md")


@pytest.mark.parametrize(
    "question",
    [
        "zeppelin",
        "火山",
        "which orchestra recorded the symphony first, and who conducted it that night?",
        "¿en qué año se fundó la universidad?",
    ],
)
def test_what_is_not_there_is_not_found(memory: MemoryStore, question: str) -> None:
    """A question about something else gets no answer, though a word of it may occur."""
    assert not memory.search(question).found


def test_zero_opens_the_gate(memory: MemoryStore) -> None:
    """With a gate of 0 whatever matches is shown, with the confidence that the gate would have read."""
    question = "which orchestra recorded the symphony first, and who was the owner of the concert hall?"
    closed, opened = memory.search(question), memory.search(question, empty_gate=0)
    assert (closed.found, closed.reason) == (False, "empty_gate")
    assert opened.found
    assert opened.confidence == closed.confidence < 0.2


def test_one_closes_the_gate(memory: MemoryStore) -> None:
    """With a gate of 1 only an entry that holds every word is shown."""
    assert memory.search("gateway port", empty_gate=1).found
    assert not memory.search("gateway port zeppelin", empty_gate=1).found
