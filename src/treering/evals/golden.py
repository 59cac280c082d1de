"""A user's own questions to a user's own memory: what is found, and why the rest is missed.

A file of golden queries has one JSON object on a line::

    {"query": "when do we ship?", "relevant": ["docs/plan.md", "mem_…"]}
    {"query": "who is the mayor?", "relevant": []}

``relevant`` names files as they are cited, keys, or ids of sources and memories; empty means that nothing answers.
``path`` and ``where`` narrow the search as in ``treering search``. The memory is only read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from treering.domain.text import query_terms
from treering.errors import InputError, NotFound
from treering.evals import datasets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from treering.api import MemoryStore
    from treering.domain.query import Answer, Mode

Reason = Literal["vocabulary", "filtered", "chunking", "ranking", "gated"]

REASONS: Final[dict[str, str]] = {
    "gated": "it was among the results, but the answer was NOT FOUND: treering eval calibrate, or a lower --empty-gate",
    "filtered": "path or where leaves it out, though it would be found without",
    "vocabulary": "it shares no word with the question: ask in its words, or add a memory that says it in yours",
    "chunking": "the words of the question stand in passages that lie apart: bring them together under one heading",
    "ranking": "other passages come before it",
}
"""Why something that answers was not among the results, and what to do about it."""

_DEPTH: Final = 100
_WIDE: Final = 100_000
# The best passage holds at most this share of the question's words that its source holds.
_APART: Final = 0.5
_FEWEST_WORDS: Final = 3


class Golden(NamedTuple):
    """One question to one's own memory.

    Attributes:
        line: where it stands in its file.
        query: the question.
        relevant: sources and memories that answer, by their ids; empty if nothing does.
        path: file or directory to look in; empty for all.
        where: metadata to filter by.
    """

    line: int
    query: str
    relevant: frozenset[str]
    path: str = ""
    where: Mapping[str, Any] | None = None


class Asked(NamedTuple):
    """What a question got.

    Attributes:
        golden: the question.
        rank: place of the first result that answers, from 1; 0 when none does or the gate refused.
        ungated: the same with the gate open, over the first 100.
        confidence: how sure the memory is that it answers.
        refused: whether the answer was NOT FOUND.
        reason: why nothing that answers is among the results; None when something is, or nothing should be.
    """

    golden: Golden
    rank: int
    ungated: int
    confidence: float
    refused: bool
    reason: Reason | None


def read(file: str | Path, memory: MemoryStore) -> list[Golden]:
    """Return the questions of a file, with what answers them looked up in the memory.

    Raises:
        InputError: if a line cannot be read, a question stands twice, or names what the memory does not have.
    """
    found: list[Golden] = []
    seen: dict[str, int] = {}
    unknown: list[str] = []
    for number, (where, row) in enumerate(datasets.rows(file), start=1):
        query, relevant = row.get("query"), row.get("relevant")
        if not isinstance(query, str) or not query.strip():
            raise InputError(f"{where}: 'query' must be a question")
        if not isinstance(relevant, list) or not all(isinstance(name, str) and name for name in relevant):
            raise InputError(f"{where}: 'relevant' must be a list of files, keys or ids; [] if nothing answers")
        known = " ".join(query.split()).casefold()
        if known in seen:
            raise InputError(f"{where}: the question {query[:60]!r} stands twice, first as number {seen[known]}")
        seen[known] = number
        path, filters = row.get("path", ""), row.get("where")
        if not isinstance(path, str) or not isinstance(filters, dict | None):
            raise InputError(f"{where}: 'path' must be text and 'where' an object")
        sources = set()
        for name in relevant:
            source = _source_of(memory, name)
            if source is None:
                unknown.append(f"{where} {name!r}")
            else:
                sources.add(source)
        found.append(Golden(number, query, frozenset(sources), path, filters))
    if unknown:
        more = f" and {len(unknown) - 5} more" if len(unknown) > 5 else ""
        raise InputError(
            f"the memory does not have what {', '.join(unknown[:5])}{more} names", hint="treering list sources"
        )
    if not found:
        raise InputError(f"{file} holds no question", hint="treering eval --help")
    return found


def _source_of(memory: MemoryStore, name: str) -> str | None:
    """Return the id of the source that a name stands for; of a memory, that of the memory. None if it is unknown."""
    try:
        shown = memory.show(name)
    except NotFound:
        return None
    return shown.id if name.startswith("mem_") else getattr(shown, "source", shown.id)


def ask(memory: MemoryStore, golden: Golden, k: int, mode: Mode | None = None) -> Asked:
    """Return what a question gets, and why what answers is missed."""
    gated = _search(memory, golden, limit=k, mode=mode)
    wide = _search(memory, golden, limit=_DEPTH, max_tokens=_WIDE, empty_gate=0.0, mode=mode)
    ungated = _rank(wide, golden.relevant)
    rank = 0 if not gated.found or ungated > k else ungated
    reason = None if rank or not golden.relevant else _why(memory, golden, ungated, k, refused=not gated.found)
    return Asked(golden, rank, ungated, gated.confidence, not gated.found, reason)


def _search(memory: MemoryStore, golden: Golden, **sizes: Any) -> Answer:  # noqa: ANN401  sizes of a search
    """Ask a question as its line says."""
    return memory.search(golden.query, path=golden.path or None, where=golden.where, **sizes)


def _rank(answer: Answer, relevant: frozenset[str]) -> int:
    """Return the place of the first result that answers, from 1; 0 for none."""
    places = (place for place, one in enumerate(answer.results, 1) if {one.source, one.id} & relevant)
    return next(places, 0)


def _why(memory: MemoryStore, golden: Golden, ungated: int, k: int, *, refused: bool) -> Reason:
    """Return why nothing that answers is among the results."""
    if refused and 0 < ungated <= k:
        return "gated"
    if (golden.path or golden.where) and not ungated:
        everywhere = memory.search(golden.query, limit=_DEPTH, max_tokens=_WIDE, empty_gate=0.0)
        if _rank(everywhere, golden.relevant):
            return "filtered"
    together, best = _words_in(memory, golden)
    if not together:
        return "vocabulary"
    if together >= _FEWEST_WORDS and best <= _APART * together:
        return "chunking"
    return "ranking"


def _words_in(memory: MemoryStore, golden: Golden) -> tuple[int, int]:
    """Return how many words of a question the best source that answers holds, and how many its best passage."""
    terms = [term.text.rstrip("…") for term in query_terms(golden.query) if term.weight]
    found = (0, 0)
    for name in golden.relevant:
        source = None if name.startswith("mem_") else name
        held: dict[str, int] = {}
        words = 0
        for term in terms:
            sizes: dict[str, Any] = {"limit": _DEPTH, "max_tokens": _WIDE, "empty_gate": 0.0, "mode": "keyword"}
            answer = memory.search(term, source=source, **sizes)
            words += answer.found
            for hit in {hit.id for result in answer.results for hit in result.chunks}:
                held[hit] = held.get(hit, 0) + 1
        found = max(found, (words, max(held.values(), default=0)))
    return found


def figures(asked: Sequence[Asked], k: int) -> dict[str, Any]:
    """Return what many questions come to."""
    judged = [one for one in asked if one.golden.relevant]
    nothing = [one for one in asked if not one.golden.relevant]
    found: dict[str, Any] = {"questions": len(asked), "answerable": len(judged), "unanswerable": len(nothing)}
    if judged:
        found |= {
            f"any@{k}": round(sum(one.rank > 0 for one in judged) / len(judged), 4),
            "MRR@10": round(sum(reciprocal(one) for one in judged) / len(judged), 4),
            "answered": round(sum(not one.refused for one in judged) / len(judged), 4),
            "reasons": {name: sum(one.reason == name for one in judged) for name in REASONS},
        }
    if nothing:
        found["refused"] = round(sum(one.refused for one in nothing) / len(nothing), 4)
    return found


def reciprocal(one: Asked) -> float:
    """Return 1 / rank with the gate open; 0 beyond rank 10."""
    return 1 / one.ungated if 0 < one.ungated <= 10 else 0.0
