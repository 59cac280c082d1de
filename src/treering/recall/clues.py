"""Clues: a few more words that tell which of several things a question means."""

from __future__ import annotations

from treering.domain import ambiguity
from treering.domain.text import query_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.domain.query import Query
    from treering.ports import Transaction
    from treering.recall.candidates import Candidate


def with_clue(query: Query) -> Query:
    """Return a question that asks for the words of its clue, too."""
    return query._replace(text=f"{query.text} {query.clue}") if query.clue else query


def weigh(tx: Transaction, passed: Sequence[Candidate], query: Query) -> tuple[list[Candidate], str]:
    """Return candidates in which those with words of both, question and clue, count more; and how many these are.

    Args:
        tx: the store.
        passed: candidates with enough evidence.
        query: the question with its clue.
    """
    of_question = _stems(tx, query.text)
    of_clue = _stems(tx, query.clue)
    of_clue = of_clue - of_question or of_clue
    names = _names(tx, passed)
    both = 0
    weighed = []
    for one in passed:
        named = names.get(one.memory.id, frozenset()) if one.memory else frozenset()
        holds = not of_clue.isdisjoint(named.union(one.words)) and not of_question.isdisjoint(one.words)
        both += holds
        weighed.append(one._replace(score=one.score * (ambiguity.BOTH if holds else ambiguity.ONE)))
    return sorted(weighed, key=lambda one: -one.score), f"{both} with words of question and clue"


def _names(tx: Transaction, passed: Sequence[Candidate]) -> dict[str, frozenset[str]]:
    """Return the words of the names of those whom each memory speaks of: the memory itself need not say them."""
    mentions = tx.entities.mentions([one.memory.id for one in passed if one.memory is not None])
    known = tx.entities.entities(sorted({id for ids in mentions.values() for id in ids}))
    words = {id: _stems(tx, " ".join((one.name, *one.aliases))) for id, one in known.items()}
    return {memory: frozenset().union(*(words[id] for id in ids if id in words)) for memory, ids in mentions.items()}


def _stems(tx: Transaction, text: str) -> frozenset[str]:
    """Return the words of a text as the index has them."""
    return frozenset(stem for term in query_terms(text) for stem in tx.keywords.stems(" ".join(term.words)))
