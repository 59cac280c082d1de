"""Shallows: each value that leaves a memory, as L1 shows it. What is not named here is not let through at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from treering.api.browsing import Page
from treering.domain.briefing import Briefing
from treering.domain.context import Context, ContextQuery
from treering.domain.depth import beginning, brief, shallow
from treering.domain.keeping import Imported
from treering.domain.operation import Forgotten, Outcome
from treering.domain.query import Answer, Query, Result
from treering.domain.report import (
    ForgetReport,
    IndexReport,
    Remembered,
    RootStatus,
    Shown,
    SlotHistory,
    SlotStretch,
    Status,
    Waiting,
)
from treering.journal import StoredAct
from treering.records import StoredSource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from treering.domain.source import Skip

_UNREAD: Final = "left out"
_NOTE: Final = "note:mem_"
_SECTIONS: Final = ("current", "disputed", "history", "open_questions", "briefings", "passages")


def shallowed(value: Any) -> Any:  # noqa: ANN401 - whatever a method returns
    """Return a value as L1 shows it.

    Raises:
        TypeError: if nobody said how L1 shows such a value.
    """
    if value is None or isinstance(value, bool | int | float):
        return value
    reduce = _REDUCED.get(type(value))
    if reduce is not None:
        return reduce(value)
    if type(value) in {tuple, list}:
        return tuple(map(shallowed, value))
    raise TypeError(f"nothing says how L1 shows a {type(value).__name__}")


def _remembered(one: Remembered) -> Remembered:
    """Return a memory by title, topic and summary."""
    return one._replace(
        content=brief(one.summary, one.content),
        summary="",
        value="",
        why="",
        tags=(),
        metadata={},
        quotes=(),
        history=(),
        entities=(),
    )


def _shown(one: Shown) -> Shown:
    """Return a source by title, key, headings and its beginning; of a memory's own note the memory shows as much."""
    text = "" if one.key.startswith(_NOTE) else beginning(one.text)
    return one._replace(text=text, metadata={}, url="")


def _source(one: StoredSource) -> StoredSource:
    """Return a source by title and key."""
    return one._replace(url="")


def _root(one: RootStatus) -> RootStatus:
    """Return an indexed directory without words of what stands in its files."""
    return one._replace(
        skipped=_unread(one.skipped),
        unparsed=_unread(one.unparsed),
        rules_error=_UNREAD if one.rules_error else "",
    )


def _unread(skips: Iterable[Skip]) -> tuple[Skip, ...]:
    """Return files that were left out, without the reason, which may quote them."""
    return tuple(skip._replace(reason=_UNREAD) for skip in skips)


def _status(one: Status) -> Status:
    """Return a state without words of what stands in files."""
    return one._replace(roots=shallowed(one.roots), beside=shallowed(one.beside))


def _slot(one: SlotHistory) -> SlotHistory:
    """Return a slot's history by memories and dates: ``show`` has the titles and summaries."""
    return one._replace(
        current=_stretch(one.current) if one.current else None,
        stretches=tuple(map(_stretch, one.stretches)),
        disputed=tuple((memory, "", why, trust) for memory, _, why, trust in one.disputed),
        quotes=(),
    )


def _stretch(one: SlotStretch) -> SlotStretch:
    """Return a stretch without its statement."""
    return one._replace(value="", content="")


def _waiting(one: Waiting) -> Waiting:
    """Return what waits, with both sides in brief."""
    against = tuple(map(_remembered, one.against))
    return one._replace(
        operation="", reason="", memory=_remembered(one.memory) if one.memory else None, against=against
    )


def _answer(one: Answer) -> Answer:
    """Return an answer of titles and summaries."""
    return one._replace(
        results=tuple(map(shallow, one.results)),
        trace=tuple(step._replace(why="") for step in one.trace),
        ambiguous=tuple(choice._replace(about="") for choice in one.ambiguous),
    )


def _context(one: Context) -> Context:
    """Return a context of titles and summaries, told anew."""
    from treering.recall.telling import text_of

    parts: dict[str, Any] = {name: tuple(map(shallow, getattr(one, name))) for name in _SECTIONS}
    told = one._replace(**parts, trace=tuple(step._replace(why="") for step in one.trace))
    text, tokens = text_of(told, ContextQuery(Query(one.question, max_tokens=max(one.tokens, 50)), ""))
    return told._replace(text=text, tokens=tokens)


def _outcome(one: Outcome) -> Outcome:
    """Return what became of a change, by ids alone."""
    return one._replace(changed=tuple(change._replace(why="") for change in one.changed), notices=())


def _imported(one: Imported) -> Imported:
    """Return what became of an original."""
    return one._replace(memories=tuple(map(_outcome, one.memories)), notices=())


def _report(one: IndexReport) -> IndexReport:
    """Return what a run did, without words of what stands in files."""
    return one._replace(skipped=_unread(one.skipped), unparsed=_unread(one.unparsed))


def _page(one: Page) -> Page:
    """Return a page of entries in brief."""
    return one._replace(items=shallowed(one.items))


def _same(one: Any) -> Any:  # noqa: ANN401 - of what holds no words
    """Return what holds no words of anybody's."""
    return one


_REDUCED: Final[dict[type, Callable[[Any], Any]]] = {
    Answer: _answer,
    Context: _context,
    Briefing: lambda one: one._replace(text=one.brief, notices=()),
    ForgetReport: _same,
    Forgotten: _same,
    Imported: _imported,
    IndexReport: _report,
    Outcome: _outcome,
    Page: _page,
    Remembered: _remembered,
    Result: shallow,
    RootStatus: _root,
    Shown: _shown,
    SlotHistory: _slot,
    Status: _status,
    StoredAct: lambda one: one._replace(inverse=""),
    StoredSource: _source,
    Waiting: _waiting,
}
