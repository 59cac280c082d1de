"""The time that a question asks about: "last week", "since May", "上周", "hace dos días", "as of 2026-10-15".

Dates are read by ``said_dates``; here it is told what stands around them. A wrong reading is worse than none: where a
question names no time, or names it in a way that is not known, nothing is read.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, NamedTuple

from treering.domain.dates import Span
from treering.domain.decided import ALWAYS, UNKNOWN
from treering.domain.said_dates import Said, said_dates

MAX_CHARS: Final = 2000
"""What is read of a question; a pasted page names many dates, and asks about none."""


class Asked(NamedTuple):
    """The time of a question.

    Attributes:
        spans: what it asks about, in the order of its words; open ends reach to ``UNKNOWN`` and ``ALWAYS``.
        as_of: the time whose state it asks for ("as of", "back then"); None for now.
        known_at: the time whose knowledge it asks for ("what did we believe on"); None for now.
        words: what was read, to be told to the one who asked; empty for nothing.
    """

    spans: tuple[Span, ...] = ()
    as_of: Span | None = None
    known_at: Span | None = None
    words: tuple[str, ...] = ()


NEVER: Final = Asked()
"""A question without a time."""

_FUTURE: Final = re.compile(
    r"\b(?:will|shall|going to|upcoming|planned|scheduled|due|deadline|next|"
    r"será|serán|vamos a|va a|van a|habrá|próxim[oa]s?|previst[oa]s?|vence)\b|[a-záéíóú]{3,}(?:ará|erá|irá|remos)\b"
    r"|将|会在|打算|计划|下次|即将|截止",
    re.IGNORECASE,
)
_BELIEVED: Final = re.compile(
    r"\b(?:did (?:we|i|you|they) (?:believe|think|know|assume)|had (?:we|i|you) (?:known|believed|thought)|"
    r"was (?:known|believed|assumed|recorded)|were we assuming|according to what (?:we|i) knew|"
    r"(?:creíamos|pensábamos|sabíamos|creía|sabía|pensaba|se (?:sabía|creía|pensaba)))\b"
    r"|(?:当时|那时)(?:我们|我|大家)?(?:认为|以为|相信|知道)|我们(?:曾经?|原来|原先)?(?:认为|以为|相信)",
    re.IGNORECASE,
)

_SENTENCE: Final = re.compile(r"(?:[^.!?。！？\n]|[.!](?!\s+[A-ZÁÉÍÓÚÑ¿¡]))+(?:(?P<asks>[?？])|[.!。！\n]|$)")

# What stands directly before a date, and behind it in Chinese.
_BEFORE: Final[dict[str, re.Pattern[str]]] = {
    "as_of": re.compile(
        r"(?:\bas (?:of|at)|\bas it (?:was|stood)(?: (?:on|in|at))?|\bback (?:in|on)|\bat the (?:time|end) of|\ba "
        r"(?:fecha|día) del?|"
        r"\bal (?:día )?|\bcon fecha del?|截至|截止到?|直到)\s*(?:the |el )?$",
        re.IGNORECASE,
    ),
    "since": re.compile(
        r"(?:\bsince|\bfrom|\bstarting(?: (?:on|in|from))?|\bdesde|\ba partir del?|自从?|从)\s*(?:the |el |la |early "
        r"|late )*$",
        re.IGNORECASE,
    ),
    "after": re.compile(
        r"(?:\bafter|\blater than|\bdespués del?|\bdespues del?|\bposterior(?:es)? al?)\s*(?:the |el |la )*$",
        re.IGNORECASE,
    ),
    "before": re.compile(
        r"(?:\bbefore|\bprior to|\bearlier than|\bantes del?|\banterior(?:es)? al?|\bpreviv?[oa]s? al?)\s*(?:the |el "
        r"|la )*$",
        re.IGNORECASE,
    ),
    "until": re.compile(
        r"(?:\buntil|\btill|\bup to|\bby|\bthrough|\bno later than|\bhasta|\bpara)\s*(?:the |el |la |end of )*$",
        re.IGNORECASE,
    ),
}
_BEHIND: Final[dict[str, re.Pattern[str]]] = {
    "since": re.compile(r"\s*(?:以来|至今|起|开始)"),
    "after": re.compile(r"\s*(?:之后|以后|后(?![天年来台端面续]))"),
    "before": re.compile(r"\s*(?:之前|以前|前(?![天年后端面一往]))"),
    "until": re.compile(r"\s*(?:为止|截止)"),
}
_JOINED: Final = re.compile(
    r"\s*(?:and|to|until|till|through|thru|-|–|—|y|a|al|hasta|到|至|和|与|~)\s*(?:el |the |end of )?", re.IGNORECASE
)
_BETWEEN: Final = re.compile(r"(?:\bbetween|\bfrom|\bentre|\bdesde|\bdel?|从|在)\s*(?:el |the )?$", re.IGNORECASE)


def when_asked(question: str, now: datetime, zone: tzinfo = UTC) -> Asked:
    """Return the time that a question asks about.

    English, Spanish and Chinese. A date without its year is the last one, in a question about what is to come the next.

    Args:
        question: as it was asked; its first ``MAX_CHARS`` characters count.
        now: when; aware.
        zone: where its days are meant.
    """
    text = question[:MAX_CHARS]
    today = now.astimezone(zone).date()
    found = _in_questions(text, said_dates(text, today, lean="future" if _FUTURE.search(text) else "past"))
    if not found:
        return NEVER
    spans: list[Span] = []
    as_of: Span | None = None
    words: list[str] = []
    at = 0
    while at < len(found):
        one, following = found[at], found[at + 1] if at + 1 < len(found) else None
        how, start, end = _around(text, one)
        if following and _ranged(text, one, following):
            spans.append(Span(_span(_with_year(one, following), zone).start, _span(following, zone).stop))
            end, at = following.end, at + 1
        elif how == "as_of":
            as_of = as_of or _span(one, zone)
        else:
            spans.append(_opened(how, _span(one, zone)))
        words.append(" ".join(text[start:end].split()))
        at += 1
    if spans and not as_of and _BELIEVED.search(text):
        return Asked((), None, _span(found[0], zone), tuple(words))
    if as_of and _BELIEVED.search(text):
        return Asked(tuple(spans), None, as_of, tuple(words))
    return Asked(tuple(spans), as_of, None, tuple(words))


def _in_questions(text: str, found: tuple[Said, ...]) -> tuple[Said, ...]:
    """Return the dates in the sentences that ask; all of them where none does."""
    asking = [match.span() for match in _SENTENCE.finditer(text) if match["asks"]]
    if not asking:
        return found
    return tuple(one for one in found if any(first <= one.at < last for first, last in asking))


def _around(text: str, one: Said) -> tuple[str, int, int]:
    """Return how a date is meant by the words around it, and where these begin and end."""
    before, after = text[: one.at], text[one.end :]
    for how, pattern in _BEFORE.items():
        found = pattern.search(before)
        if found:
            behind = _BEHIND.get(how)
            closing = behind.match(after) if behind else None
            return how, found.start(), one.end + (closing.end() if closing else 0)
    for how, pattern in _BEHIND.items():
        found = pattern.match(after)
        if found:
            return how, one.at, one.end + found.end()
    return "", one.at, one.end


def _ranged(text: str, one: Said, following: Said) -> bool:
    """Tell whether two dates are the ends of one range: "from March to May", "3月到5月"."""
    between = text[one.end : following.at]
    joined = _JOINED.fullmatch(between)
    if not joined or (following.stop <= one.first and one.given):
        return False
    word = between.strip().lower()
    if word in {"and", "y", "和", "与"}:
        return bool(re.search(r"(?:\bbetween|\bentre|在)\s*(?:el |the )?$", text[: one.at], re.IGNORECASE))
    return word in {"到", "至", "-", "–", "—", "~"} or bool(_BETWEEN.search(text[: one.at]))


def _with_year(one: Said, following: Said) -> Said:
    """Return the first end of a range in the year that its last one has, or the year before."""
    if one.given or (one.first <= following.first and one.first.year == following.first.year):
        return one
    year = following.first.year - ((one.first.month, one.first.day) > (following.first.month, following.first.day))
    return one._replace(first=_in_year(one.first, year), stop=_in_year(one.stop, year + one.stop.year - one.first.year))


def _in_year(day: date, year: int) -> date:
    """Return a day in another year; the 29th of February becomes the 28th."""
    return day.replace(year=year, day=min(day.day, 28) if day.month == 2 else day.day)


def _opened(how: str, span: Span) -> Span:
    """Return a span with the end that its preposition opens."""
    match how:
        case "since":
            return Span(span.start, ALWAYS)
        case "after":
            return Span(span.stop, ALWAYS)
        case "before":
            return Span(UNKNOWN, span.start)
        case "until":
            return Span(UNKNOWN, span.stop)
    return span


def _span(one: Said, zone: tzinfo) -> Span:
    """Return the time of a date where it is meant."""
    return Span(_midnight(one.first, zone), _midnight(one.stop, zone))


def _midnight(day: date, zone: tzinfo) -> datetime:
    """Return where a day begins, in UTC."""
    try:
        return datetime.combine(day, time(), zone).astimezone(UTC)
    except OverflowError:  # the first and the last day of the calendar
        return UNKNOWN if day.year < 2 else ALWAYS - timedelta(days=1)
