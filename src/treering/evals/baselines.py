"""What a user has without Treering: grep, and plain BM25 over the documents."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from heapq import nlargest
from typing import TYPE_CHECKING, Final, NamedTuple

from treering.domain.text import llm_tokens
from treering.evals.metrics import Outcome, Shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from treering.evals.datasets import Document, Question

    Ranked = list[tuple[int, float]]

K1: Final = 0.9
B: Final = 0.4

# Kana, ideographs and hangul, taken as pairs of letters; words of any other script.
_WORDS: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_FIRST_CJK: Final = 0x3040


def words(text: str) -> list[str]:
    """Return the lower-case words of a text; runs of Chinese, Japanese and Korean letters as pairs."""
    found: list[str] = []
    for word in _WORDS.findall(text.lower()):
        if ord(word[0]) >= _FIRST_CJK and len(word) > 1:
            found += [word[i : i + 2] for i in range(len(word) - 1)]
        else:
            found.append(word)
    return found


class Passage(NamedTuple):
    """What a baseline ranks: a document, or a window of one.

    Attributes:
        document: id of the document.
        head: its title.
        text: what is shown of it.
        start: where ``text`` begins in the document.
    """

    document: str
    head: str
    text: str
    start: int


def passages(documents: Iterable[Document], window: int = 0) -> list[Passage]:
    """Return documents as passages of at most ``window`` characters; 0 for whole documents."""
    return [
        Passage(one.id, one.title, one.text[start : start + window] if window else one.text, start)
        for one in documents
        for start in (range(0, len(one.text), window) if window else (0,))
    ]


class Grep:
    """Counts the distinct words of a question that a passage contains, and knows no other order."""

    def __init__(self, texts: Sequence[Passage]) -> None:
        """Fold the case of every passage."""
        self._folded = [f"{one.head}\n{one.text}".casefold() for one in texts]

    def rank(self, question: str, limit: int) -> Ranked:
        """Return the places of passages that contain a word of the question, those with most words first."""
        wanted = {word.casefold() for word in words(question)}
        counts = [sum(word in text for word in wanted) for text in self._folded]
        best = nlargest(limit, range(len(counts)), key=lambda place: (counts[place], -place))
        return [(place, float(counts[place])) for place in best if counts[place]]


class BM25:
    """Okapi BM25 without stemming and without a stop list."""

    def __init__(self, texts: Sequence[Passage]) -> None:
        """Count the words of every passage."""
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[int] = []
        for place, one in enumerate(texts):
            counts = Counter(words(f"{one.head} {one.text}"))
            self._lengths.append(counts.total())
            for word, count in counts.items():
                self._postings[word].append((place, count))
        self._mean = sum(self._lengths) / max(1, len(self._lengths))

    def rank(self, question: str, limit: int) -> Ranked:
        """Return the places of passages that contain a word of the question, best first, with their scores."""
        scores: dict[int, float] = defaultdict(float)
        n = len(self._lengths)
        for word in words(question):
            found = self._postings.get(word, ())
            rarity = math.log(1 + (n - len(found) + 0.5) / (len(found) + 0.5))
            for place, count in found:
                size = 1 - B + B * self._lengths[place] / self._mean
                scores[place] += rarity * count * (K1 + 1) / (count + K1 * size)
        best = nlargest(limit, scores.items(), key=lambda item: (item[1], -item[0]))
        return [(place, round(score, 4)) for place, score in best]


class Baseline:
    """A ranking of passages, shown whole as long as they fit."""

    def __init__(self, texts: Sequence[Passage], ranker: Callable[[Sequence[Passage]], Grep | BM25]) -> None:
        """Prepare the passages of one memory."""
        self._texts = texts
        self._ranker = ranker(texts)

    def ask(self, question: Question, budgets: Sequence[int], depth: int) -> Outcome:
        """Return what is found for a question; a baseline never refuses.

        Args:
            question: what is asked.
            budgets: LLM tokens of the answers.
            depth: passages at the most.
        """
        ranked = self._ranker.rank(question.text, depth)
        documents = tuple(dict.fromkeys(self._texts[place].document for place, _ in ranked))
        return Outcome(
            ranking=documents,
            confidence=ranked[0][1] if ranked else 0.0,
            shown={budget: self._shown(ranked, budget) for budget in budgets},
        )

    def _shown(self, ranked: Ranked, budget: int) -> Shown:
        """Return the passages that fit a budget, each whole or not at all."""
        left = budget
        taken = []
        for place, _ in ranked:
            one = self._texts[place]
            if len(one.text) <= 8 * left and (cost := llm_tokens(one.text)) <= left:
                left -= cost
                taken.append(one)
        spans = tuple((one.document, one.start, one.start + len(one.text)) for one in taken)
        return Shown(frozenset(one.document for one in taken), budget - left, spans)
