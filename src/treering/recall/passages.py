"""The passages of an oversized paragraph, compared with chunks as if they were some.

A paragraph stays whole in the store, however long: an export without blank lines is one of 100,000 characters. As one
entry it ranks low, and its best sentences stand far apart; so a search looks at its passages
(``docs/decisions/0133-passages-of-long-paragraphs.md``).
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from treering.domain.named import NamedTuple
from treering.domain.patterns import later
from treering.domain.text import fingerprint, head_text, search_text
from treering.recall.candidates import look_up
from treering.recall.holding import Holding
from treering.recall.shortlist import Listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

    from treering.domain.query import Filter
    from treering.ports import Transaction
    from treering.recall.candidates import Asked, Candidate
    from treering.records import StoredChunk

# Letters of a passage, and what BM25 takes for the usual length. 276 questions to long documents: 600 and 600 show
# .909 of what answers in 1,000 tokens, 800 and 800 .911, 1,000 and 800 .914, 1,500 and 1,000 .901.
_LETTERS: Final = 1000
_USUAL: Final = 800
# BM25 as FTS5 has it, and the head as heavy as in the index.
_K1: Final = 1.2
_B: Final = 0.75
_HEAD: Final = 2.0
# The best passages of all paragraphs, and the paragraphs that are looked at. With 8
# passages .897 of what answers is shown, with 24 and 48 .903 (of 600 letters each).
_PASSAGES: Final = 24
_PARAGRAPHS: Final = 8
# At the end of a line, white space and closing marks aside.
_SENTENCE_END: Final = later(r"[.!?:;…。！？：；][\"'”’»)\]}*_ \t\r」』）】]*$")


class Passage(NamedTuple):
    """A stretch of a paragraph: offset of its first letter and after its last."""

    start: int
    stop: int


def parted(tx: Transaction, asked: Asked, found: Sequence[Candidate], filter: Filter) -> list[Candidate]:
    """Return candidates with the best passages of oversized paragraphs in the place of these.

    Paragraphs that no list brought up are looked at, too, where words are compared at all. A single line stays as it
    is, and so does a paragraph that only its meaning brought up.

    Args:
        tx: the store.
        asked: the question.
        found: the candidates.
        filter: what narrows the corpus.
    """
    if not any(one.score for one in found):
        return list(found)
    ranked = tx.keywords.rank(asked.terms, asked.frequencies, _PARAGRAPHS, filter._replace(long=True))
    long = dict(ranked)
    seen = {one.chunk.entry for one in found}
    more = look_up(tx, asked, [Listed(entry, score) for entry, score in ranked if entry not in seen])
    compared = _Compared(tx, asked)
    kept = [one for one in found if not (one.chunk.entry in long and compared.takes(one))]
    for one in more:
        compared.takes(one)
    return kept + compared.best()


class _Compared:
    """A question, ready to compare the passages of paragraphs."""

    def __init__(self, tx: Transaction, asked: Asked) -> None:
        """Prepare the terms that the index knows."""
        self._stems: Callable[[str], list[str]] = tx.keywords.stems
        self._holding = Holding(tx.keywords, asked.terms, asked.rarities)
        terms = zip(asked.terms, self._holding.stems, asked.rarities, asked.frequencies, strict=True)
        self._rarities: dict[str, float] = {}
        self._beginnings: dict[str, float] = {}
        self._scored: list[tuple[float, Candidate, Passage]] = []
        for term, stems, rarity, known in terms:
            if known and rarity and stems:  # words side by side are compared by the evidence
                (self._beginnings if term.prefix else self._rarities)[stems[-1]] = rarity

    def takes(self, one: Candidate) -> bool:
        """Compare the passages of a paragraph, if it has several and a word of the question stands in one."""
        chunk = one.chunk
        stretches = passages(chunk.text)
        if len(stretches) == 1:
            return False
        head = self._counted(head_text(one.source.title, (above.title for above in chunk.path), one.source.key))
        scored = [(self._bm25(chunk.text[each.start : each.stop], head), one, each) for each in stretches]
        scored = [each for each in scored if each[0]]
        self._scored += scored
        return bool(scored)

    def best(self) -> list[Candidate]:
        """Return the best of all passages as candidates."""
        ordered = sorted(self._scored, key=lambda each: (-each[0], each[1].source.key, each[1].chunk.start, each[2]))
        return [self._candidate(*each) for each in ordered[:_PASSAGES]]

    def _candidate(self, score: float, one: Candidate, place: Passage) -> Candidate:
        """Return a passage in the place of its paragraph."""
        whole = one.chunk
        chunk = stretch(whole, place)
        evidence, words = self._holding.evidence(one.source.title, chunk.path, one.source.key, chunk.text)
        cut = place.start > 0, place.stop < len(whole.text)
        # The model has read the beginning of the paragraph: its share is that of a text of this length.
        meaning = one.meaning * _LETTERS / len(whole.text)
        return one._replace(chunk=chunk, score=score, evidence=evidence, words=words, meaning=meaning, cut=cut)

    def _bm25(self, text: str, head: Counter[str]) -> float:
        """Return the BM25 of a passage, as if it were an entry of the index; 0 where none of its own words is asked."""
        body = self._counted(text if text.isascii() else search_text(text))
        if not body:
            return 0.0
        usual = _K1 * (1 - _B + _B * len(text) / _USUAL)
        score = 0.0
        for stem in body | head:
            times = body[stem] + _HEAD * head[stem]
            score += self._rarity(stem) * times * (_K1 + 1) / (times + usual)
        return score

    def _counted(self, text: str) -> Counter[str]:
        """Return how often a text has each word of the question."""
        return Counter(filter(self._rarity if self._beginnings else self._rarities.__contains__, self._stems(text)))

    def _rarity(self, stem: str) -> float:
        """Return how telling a word is; 0 for one that is not asked for."""
        known = self._rarities.get(stem, 0.0)
        if known or not self._beginnings:
            return known
        return max(
            (rarity for beginning, rarity in self._beginnings.items() if stem.startswith(beginning)), default=0.0
        )


def stretch(chunk: StoredChunk, place: Passage) -> StoredChunk:
    """Return a stretch of a chunk as a chunk of its own, with the same name."""
    text = chunk.text[place.start : place.stop]
    first = chunk.first_line + chunk.text.count("\n", 0, place.start)
    return chunk._replace(
        start=chunk.start + place.start,
        stop=chunk.start + place.stop,
        first_line=first,
        last_line=first + text.count("\n", 0, -1),
        lead=chunk.lead if place.start == 0 else (),
        fingerprint=fingerprint(text),
        text=text,
    )


def passages(text: str) -> list[Passage]:
    """Return the passages of a paragraph: neighbouring lines up to a size, to where a sentence ends if one does."""
    ends: list[int] = []
    start = pause = at = 0
    for line in text.split("\n"):
        stop = min(at + len(line) + 1, len(text))
        while stop - start > _LETTERS and at > start:
            start = pause if pause > start else at
            ends.append(start)
        at = stop
        if _SENTENCE_END.search(line):
            pause = at
    return [Passage(*each) for each in pairwise([0, *ends, len(text)])]
