"""Dates in running text, in English, Spanish and Chinese: "last week", "10 de octubre".

A wrong reading is worse than none: the name of a month needs a day, a year or a preposition beside it, so that "may"
and "march" stay verbs; a bare number is no year; 10/11/2026 can be read in two ways and is not read. What surrounds a
date ("since", "before") is not this room's: see ``asking``.
"""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import Final, NamedTuple

from treering.domain.date_forms import FORMS, Form
from treering.domain.date_readers import Lean, shift

_PART: Final = frozenset(("last", "next", "this", "past", "este", "el pasado", "el próximo", "pasado", "próximo"))
"""Leads that are part of the date."""
_UNEVEN: Final = re.compile(r"\s\s|[^\S ]")


class Said(NamedTuple):
    """A date that a text names.

    Attributes:
        at: where its words begin.
        end: where they end.
        first: its first day.
        stop: the day after its last one.
        given: whether its year stands there, so that it does not depend on the day it was said.
        lead: the preposition that was needed to see it, which stands before ``at``; empty for none.
    """

    at: int
    end: int
    first: date
    stop: date
    given: bool = False
    lead: str = ""

    @property
    def written(self) -> str:
        """The date as it is stored: a day, a month or a year where it is one, else its first day."""
        following = shift(self.first, "month", 1)
        if self.first.day == 1 and self.stop == following:
            return self.first.isoformat()[:7]
        if (self.first.month, self.first.day) == (1, 1) and self.stop == shift(self.first, "year", 1):
            return self.first.isoformat()[:4]
        return self.first.isoformat()


def said_dates(text: str, today: date, *, lean: Lean = "past") -> tuple[Said, ...]:
    """Return the dates that a text names, in order; of two that share letters the first, then the longer one.

    Args:
        text: a question or a sentence. Time is linear in it.
        today: the day it was said.
        lean: which one is meant by a date without its year, and by a bare day of the week: the last or the next.
    """
    lowered, places = _folded(text)
    found = [
        (start, match.end(), _said(form, match, start, today, lean))
        for number, form in enumerate(FORMS)
        for match in _compiled(number).finditer(lowered)
        for start in (_start(match),)
    ]
    found.sort(key=lambda one: (one[0], -one[1]))
    kept: list[Said] = []
    end = 0
    for start, stop, said in found:
        if start >= end:
            end = stop
            kept += [said] if said else []
    if places:
        return tuple(one._replace(at=places[one.at], end=places[one.end - 1] + 1) for one in kept)
    return tuple(kept)


def _folded(text: str) -> tuple[str, list[int]]:
    """Return text in small letters with single blanks, and where each letter stood; no places where none moved."""
    lowered = text.lower()
    if len(lowered) != len(text):  # a few capitals become two letters
        lowered = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
    if not _UNEVEN.search(lowered):
        return lowered, []
    letters: list[str] = []
    places: list[int] = []
    for at, letter in enumerate(lowered):
        folded = " " if letter.isspace() else letter
        if folded != " " or not letters or letters[-1] != " ":
            letters.append(folded)
            places.append(at)
    return "".join(letters), places


def _start(match: re.Match[str]) -> int:
    """Return where a date begins: behind the preposition that it needed, if that is no part of it."""
    lead = match.groupdict().get("lead")
    if not lead or lead in _PART:
        return match.start()
    return match.end() - len(match.string[match.end("lead") : match.end()].lstrip())


def _said(form: Form, match: re.Match[str], start: int, today: date, lean: Lean) -> Said | None:
    """Return the date that a form reads; None where the calendar has no such day."""
    groups = match.groupdict()
    lead = groups.get("lead") or ""
    try:
        span = form.read(match, today, lean)
    except (ValueError, OverflowError):
        return None
    if span is None:
        return None
    return Said(start, match.end(), *span, bool(groups.get("year")), "" if lead in _PART else lead)


@cache
def _compiled(number: int) -> re.Pattern[str]:
    """Return a form's pattern; all together take some milliseconds to compile, so none is at import."""
    return re.compile(FORMS[number].pattern)
