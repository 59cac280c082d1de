"""Context: what an agent is handed for one question, in sections."""

# No postponed annotations: a NamedTuple compiles each one that is a string, and a search pays for all of them.
from datetime import UTC, tzinfo
from typing import NamedTuple

from treering.domain.query import Query, Result, TraceStep


class ContextQuery(NamedTuple):
    """A question with the time that it is about.

    Attributes:
        query: the question, its budget and filter.
        at: the instant whose truth is asked for, ISO 8601 in UTC.
        past: whether that is another instant than now: what was told after it is left out.
        known_at: only what was recorded and decided by then; empty for all.
        zone: where dates without an offset are meant.
        since: only what held or was told from here on, in microseconds since 1970; None for any time.
        until: only what held or was told before; None for any time.
        spans: times that the question names, in microseconds since 1970: what was told or held then goes first.
        project: name or key of the project that is meant; empty for any.
        participants: names of people one of whom must take part; empty for any.
        history: whether what was superseded is shown, too.
        notices: what a reader should know whatever is found: how dates were read, which files are behind.
    """

    query: Query
    at: str
    past: bool = False
    known_at: str = ""
    zone: tzinfo = UTC
    since: int | None = None
    until: int | None = None
    spans: tuple[tuple[int, int], ...] = ()
    project: str = ""
    participants: tuple[str, ...] = ()
    history: bool = False
    notices: tuple[str, ...] = ()


class Context(NamedTuple):
    """What answers a question, cited, inside a budget.

    Attributes:
        question: as it was asked.
        current: memories in force.
        disputed: claims that contradict what is in force, or one another, and wait for the owner.
        history: what was in force before, or is no longer; each with its successor in the notices.
        open_questions: memories of kind ``question``.
        briefings: what is pinned.
        passages: passages of sources; those of dated conversations the newest first.
        insufficient_evidence: whether what is listed does not suffice for an answer.
        notices: what a reader should know about the whole.
        text: what an agent is shown.
        tokens: estimated LLM tokens of ``text``.
        trace: what each step did.
    """

    question: str
    current: tuple[Result, ...] = ()
    disputed: tuple[Result, ...] = ()
    history: tuple[Result, ...] = ()
    open_questions: tuple[Result, ...] = ()
    briefings: tuple[Result, ...] = ()
    passages: tuple[Result, ...] = ()
    insufficient_evidence: bool = False
    notices: tuple[str, ...] = ()
    text: str = ""
    tokens: int = 0
    trace: tuple[TraceStep, ...] = ()
