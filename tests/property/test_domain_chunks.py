"""Whatever kind of text it is taken for: chunks rebuild it exactly, entries stay whole, growing changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from treering.chunkers import chunk, detection
from treering.chunkers.dated import entry_date
from treering.chunkers.growth import chunk_grown
from treering.domain.chunk import Chunk
from treering.domain.kinds import DOMAINS

LINES: Final = st.sampled_from(
    [
        "## 2026-03-01\n", "## 2026-03-02 Monday\n", "### Work\n", "# Journal\n", "2026-03-01\n", "March 2, 2026\n",
        "2026-03-01 10:32 started\n", "- 2026-03-03: did it\n", "[10:32] Ana: hi\n", "10:33 Ben: yes\n",
        "2026年3月1日\n", "3 de marzo de 2026\n", "01/02/2026, 10:00 - Ana: hola\n", "I slept well.\n",
        "words " * 30 + "\n", "\n", "\n",
        "Ingredients\n", "Ingredientes:\n", "## Steps\n", "1. Mix.\n", "2. Bake for 20 minutes.\n", "- 200 g flour\n",
        "步骤\n", "Chapter 1\n", "CAPÍTULO II\n", "第三章 归来\n", "“No,” she said.\n", "Diagnosis: flu\n",
        "Allergies:\n", "主诉：咳嗽\n", "Tratamiento: reposo\n",
        "```\n", "2026-03-05 in code\n", "> 2026-03-06 quoted\n", "\r\n",
        "| a | b |\n",
    ]
)  # fmt: skip
TEXTS: Final = st.lists(LINES, max_size=30).map("".join)
NAMES: Final = st.sampled_from(["a.md", "a.txt", "a.pdf", "a.log"])
CHOSEN: Final = st.sampled_from(["", *DOMAINS])
TARGETS: Final = st.sampled_from([1, 60, 600])


class Before:
    """A text with its chunks, as a store would have them."""

    def __init__(self, text: str, chunks: Sequence[Chunk]) -> None:
        """Keep both."""
        self._text = text
        self._chunks = chunks
        self.chars = len(text)

    def chunks(self, stop: int, count: int, *, opening: bool = False) -> Sequence[Chunk]:
        """Return the last chunks before an ordinal."""
        return [one for one in self._chunks[:stop] if one.opens or not opening][-count:]

    def text(self, start: int, stop: int) -> str:
        """Return a stretch of the text."""
        return self._text[start:stop]


@given(text=TEXTS, name=NAMES, domain=CHOSEN, target=TARGETS)
def test_chunks_rebuild_the_text(text: str, name: str, domain: str, target: int) -> None:
    """Joined chunks are the text; lines, leads and headings tell the truth."""
    found = chunk(text, name, front_matter_chars=0, target_chars=target, domain=domain).chunks
    assert "".join(text[one.start : one.stop] for one in found) == text
    assert all(one.stop == following.start for one, following in pairwise(found))
    for one in found:
        assert one.first_line == text.count("\n", 0, one.start) + 1
        assert one.opens <= len(one.path)
        for lead in one.lead:
            assert 0 <= lead.start < lead.stop <= one.start
            assert lead.line == text.count("\n", 0, lead.start) + 1


@given(text=TEXTS, added=TEXTS, name=NAMES, domain=CHOSEN, target=TARGETS)
def test_growing_gives_the_chunks_of_the_whole(text: str, added: str, name: str, domain: str, target: int) -> None:
    """A text cut at its end alone has the chunks that it has when cut at once."""
    before = chunk(text, name, front_matter_chars=0, target_chars=target, domain=domain)
    whole = chunk(text + added, name, front_matter_chars=0, target_chars=target, domain=domain)
    growth = chunk_grown(Before(text, before.chunks), added, name, target_chars=target, domain=domain)
    if growth is not None:
        assert (*before.chunks[: growth.chunks[0].ordinal], *growth.chunks) == whole.chunks


@given(
    days=st.lists(st.integers(1, 28), min_size=3, max_size=8, unique=True).map(sorted),
    form=st.sampled_from(["## 2026-03-{:02}\n\n{}\n\n", "2026-03-{:02} 09:00 {}\n", "March {}, 2026\n{}\n\n"]),
    words=st.sampled_from(["I saw a heron.", "x " * 500, "I saw\n\n- one\n- two\n\nand more."]),
    name=st.sampled_from(["journal.md", "journal.txt"]),
)
def test_entries_are_whole_and_dated(days: list[int], form: str, words: str, name: str) -> None:
    """An entry is never cut, no chunk holds two days, and each chunk tells its day."""
    entries = [form.format(day, words) for day in days]
    text = "".join(entries)
    plan = detection.plan(text, name)
    assert plan.dated
    found = chunk(text, name, front_matter_chars=0).chunks
    borders = {one.start for one in found}
    at = 0
    for day, entry in zip(days, entries, strict=True):
        assert not any(at < border < at + len(entry) for border in borders)
        [holder] = [one for one in found if one.start <= at < one.stop]
        assert entry_date(holder, text) == f"2026-03-{day:02}"
        at += len(entry)
