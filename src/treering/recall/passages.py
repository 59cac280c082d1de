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
from treering.domain.scoring import rarity
from treering.domain.text import fingerprint, head_text, search_text
from treering.recall.candidates import look_up
from treering.recall.holding import Holding
from treering.recall.shortlist import Listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Final

    from treering.domain.query import Filter
    from treering.ports import Transaction
    from treering.recall.candidates import Asked, Candidate
    from treering.records import StoredChunk

# Letters of a passage, and what BM25 takes for the usual length. 276 questions to long documents: 600 and 600 show
# .912 of what answers in 1,000 tokens, 800 and 800 .915, 1,000 and 800 .916, 1,500 and 1,000 .905.
_LETTERS: Final = 1000
_USUAL: Final = 800
# BM25 as FTS5 has it, and the head as heavy as in the index.
_K1: Final = 1.2
_B: Final = 0.75
_HEAD: Final = 2
# The best passages of all paragraphs, and the paragraphs that are looked at. With 8 or 48 passages as much is shown.
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


class _Part(NamedTuple):
    """A passage of a candidate with the words of the question that it holds, and its document's head, and how often."""

    one: Candidate
    place: Passage
    words: Counter[str]


class _Compared:
    """A question, ready to compare the passages of paragraphs."""

    def __init__(self, tx: Transaction, asked: Asked) -> None:
        """Prepare the terms that the index knows."""
        self._stems: Callable[[str], list[str]] = tx.keywords.stems
        self._holding = Holding(tx.keywords, asked.terms, asked.rarities)
        self._entries = asked.entries
        self._terms: dict[str, tuple[float, int]] = {}
        self._beginnings: dict[str, tuple[float, int]] = {}
        self._parts: list[_Part] = []
        for term, stems, known in zip(asked.terms, self._holding.stems, asked.frequencies, strict=True):
            if known and term.weight and stems:  # words side by side are compared by the evidence
                (self._beginnings if term.prefix else self._terms)[stems[-1]] = term.weight, known

    def takes(self, one: Candidate) -> bool:
        """Compare the passages of a paragraph, if it has several and a word of the question stands in one."""
        chunk = one.chunk
        stretches = passages(chunk.text)
        if len(stretches) == 1:
            return False
        head = self._counted(head_text(one.source.title, (above.title for above in chunk.path), one.source.key))
        for stem in head:
            head[stem] *= _HEAD
        self._entries += len(stretches)
        found = [(place, self._words(chunk.text[place.start : place.stop])) for place in stretches]
        parts = [_Part(one, place, words + head) for place, words in found if words]
        self._parts += parts
        return bool(parts)

    def best(self) -> list[Candidate]:
        """Return the best of all passages as candidates."""
        holders = Counter(stem for part in self._parts for stem in part.words)
        rarities = {stem: self._rarity(stem, number) for stem, number in holders.items()}
        scored = [(_bm25(part, rarities), part) for part in self._parts]
        scored.sort(key=lambda each: (-each[0], each[1].one.source.key, each[1].one.chunk.start, each[1].place))
        return [self._candidate(part, score) for score, part in scored[:_PASSAGES]]

    def _candidate(self, part: _Part, score: float) -> Candidate:
        """Return a passage in the place of its paragraph."""
        one, place, _ = part
        whole = one.chunk
        chunk = stretch(whole, place)
        evidence, words = self._holding.evidence(one.source.title, chunk.path, one.source.key, chunk.text)
        cut = place.start > 0, place.stop < len(whole.text)
        # The model has read the beginning of the paragraph: its share is that of a text of this length.
        meaning = one.meaning * _LETTERS / len(whole.text)
        return one._replace(chunk=chunk, score=score, evidence=evidence, words=words, meaning=meaning, cut=cut)

    def _rarity(self, stem: str, holders: int) -> float:
        """Return how telling a word is, passages counted as entries: of one paragraph alone some are rare, too."""
        weight, known = self._terms.get(stem) or max(
            counted for beginning, counted in self._beginnings.items() if stem.startswith(beginning)
        )
        return weight * rarity(known + holders, self._entries)

    def _words(self, text: str) -> Counter[str]:
        """Return how often a passage has each word of the question."""
        return self._counted(text if text.isascii() else search_text(text))

    def _counted(self, text: str) -> Counter[str]:
        """Return how often a text, as the index gets it, has each word of the question."""
        return Counter(filter(self._is_asked if self._beginnings else self._terms.__contains__, self._stems(text)))

    def _is_asked(self, stem: str) -> bool:
        """Tell whether a word is one of the question, or begins like one that is meant so."""
        return stem in self._terms or any(map(stem.startswith, self._beginnings))


def _bm25(part: _Part, rarities: Mapping[str, float]) -> float:
    """Return the BM25 of a passage, as if it were an entry of the index."""
    usual = _K1 * (1 - _B + _B * (part.place.stop - part.place.start) / _USUAL)
    return sum(rarities[stem] * times * (_K1 + 1) / (times + usual) for stem, times in part.words.items())


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
