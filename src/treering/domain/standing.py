"""Claims as the walk meets them: dates as instants, decisions applied, and what each one says."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from functools import lru_cache
from typing import Final, NamedTuple

from treering.domain.claim import Claim
from treering.domain.dates import Span, span
from treering.domain.decided import UNDECIDED, UNKNOWN, Decided, State
from treering.domain.source import Trust

Said = tuple[str, str]
"""What a claim says, as claims are compared: ``value``, ``content`` or ``erased``, and the text of it."""

# An erased claim says nothing that could be told from what another erased one said.
_ERASED: Final[Said] = ("erased", "")
_LEVEL: Final[Mapping[Trust, int]] = {"external": 0, "agent": 1, "owner": 2}
# Of claims that nobody decided on, which most are.
_RANKS: Final = {trust: (UNKNOWN, level) for trust, level in _LEVEL.items()}


class Standing(NamedTuple):
    """A claim as the walk meets it.

    Attributes:
        id: the claim's.
        claim: the claim.
        said: what it says, as it is compared.
        value: the short value that it states or takes over.
        date: the span of its start; None when it is undated.
        start: since when it holds; ``UNKNOWN`` when it is undated.
        after: the first instant after its date; ``UNKNOWN`` when it is undated.
        end: the instant at which it holds no more; None when it states no end.
        trust: 0 to 2, higher is more.
        by_owner: typed, confirmed or approved by the owner: protection never stops it.
        decided: what the owner's decisions on it add up to.
        state: ``stated``, or ``archived`` or ``erased``.
        rank: what decides a clash: the latest confirmation, then trust.
    """

    id: str
    claim: Claim
    said: Said
    value: str | None
    date: Span | None
    start: datetime
    after: datetime
    end: datetime | None
    trust: int
    by_owner: bool
    decided: Decided
    state: State
    rank: tuple[datetime, int]


def standings(
    claims: Sequence[Claim], verdicts: Mapping[str, Decided], zone: tzinfo
) -> tuple[list[Standing], list[Standing]]:
    """Return the claims that take part in the walk, and those that do not.

    A rejected claim takes no part; nor does one that never is in force, because it was archived or erased before its
    date, or ends before it.

    Args:
        claims: those recorded by the instant asked about.
        verdicts: what was decided on them.
        zone: where dates without an offset are meant.

    Raises:
        InputError: if a claim's date is none.
    """
    inside: list[Standing] = []
    outside: list[Standing] = []
    values = _values_of_contents(claims, verdicts)
    for claim in claims:
        one = _standing(claim, verdicts.get(claim.id, UNDECIDED), values, zone)
        if (one.decided is UNDECIDED and one.end is None) or _takes_part(one):
            inside.append(one)
        else:
            outside.append(one)
    return inside, outside


def _takes_part(one: Standing) -> bool:
    """Say whether a claim was not rejected, and is not over before it begins."""
    if one.decided.rejected:
        return False
    acted = one.decided.acted
    return not one.date or not ((acted and one.start > acted) or (one.end and one.end <= one.start))


def _standing(claim: Claim, decided: Decided, values: Mapping[str, set[str]], zone: tzinfo) -> Standing:
    """Return a claim as the walk meets it."""
    said, value = (_ERASED, None) if decided.state == "erased" else _says(claim, values)
    date = span(claim.valid_from, zone) if claim.valid_from else _date_of_decision(decided)
    start, after = (date.start, date.after) if date else (UNKNOWN, UNKNOWN)
    return Standing(
        claim.id,
        claim,
        said,
        value,
        date,
        start,
        after,
        span(claim.valid_to, zone).stop if claim.valid_to else None,
        _LEVEL[claim.trust],
        claim.actor == "owner" or decided.first is not None,
        decided,
        decided.state,
        _RANKS[claim.trust] if decided is UNDECIDED else (decided.last, _LEVEL[claim.trust]),
    )


def _date_of_decision(decided: Decided) -> Span | None:
    """Return the date of an undated claim: its confirmation's."""
    return Span(decided.first, decided.first) if decided.first else None


def _says(claim: Claim, values: Mapping[str, set[str]]) -> tuple[Said, str | None]:
    """Return what a claim says, and its value: its own, else that of the claims with its content if they agree."""
    if claim.value:
        return _valued(claim.value), claim.value
    content = content_key(claim.content)
    agreed = values.get(content, ())
    if len(agreed) == 1:
        value = next(iter(agreed))
        return ("value", value), value
    return ("content", content), None


def _values_of_contents(claims: Iterable[Claim], verdicts: Mapping[str, Decided]) -> dict[str, set[str]]:
    """Return the values that go with each content; nothing when every claim states its own."""
    if all(claim.value for claim in claims):
        return {}
    values: dict[str, set[str]] = {}
    for claim in claims:
        decided = verdicts.get(claim.id, UNDECIDED)
        if claim.value and not decided.rejected and decided.state != "erased":
            values.setdefault(content_key(claim.content), set()).add(value_key(claim.value))
    return values


def content_key(text: str) -> str:
    """Return a text as contents are compared: NFC, white space and case folded."""
    return " ".join(_composed(_composed(text).casefold()).split())


def value_key(text: str) -> str:
    """Return a text as values are compared: NFC and white space folded, case kept."""
    return " ".join(_composed(text).split())


# A slot of 1,000 claims that is looked at once more reads the same values again: a tenth of its time without this.
@lru_cache(maxsize=4096)
def _valued(value: str) -> Said:
    """Return what a claim with a value says."""
    return "value", value_key(value)


def _composed(text: str) -> str:
    """Return a text in NFC."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)
