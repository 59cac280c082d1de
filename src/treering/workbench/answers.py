"""What the workbench answers, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from treering.domain.text import llm_tokens
from treering.workbench import find
from treering.workbench.symbols import Symbol, declared

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.workbench.digest import Digest
    from treering.workbench.find import Found
    from treering.workbench.reads import Reading
    from treering.workbench.scratch import Recalled

_MOST_MEMBERS: Final = 40
_AROUND_TOKENS: Final = 30
_SHARE_OF_OTHERS: Final = 4
"""What is said of other candidates is at most one part in so many: the code is what was asked for."""


class Place(NamedTuple):
    """Where a symbol stands: file, first and last line, qualified name."""

    file: str
    lines: tuple[int, int]
    name: str

    @property
    def cited(self) -> str:
        """The place as it is shown: ``src/a.py:10-20  Ledger.add``."""
        first, last = self.lines
        span = f"{first}-{last}" if last > first else str(first)
        return f"{self.file}:{span}  {self.name}".rstrip()


class CodeAnswer(NamedTuple):
    """What was found for a question about code.

    Attributes:
        query: the question.
        best: where the symbol that answers stands; None where nothing does, or several do.
        code: its text.
        is_cut: whether the text ends before the symbol does.
        members: of a class, where its members stand.
        others: further candidates, best first; all of them where the question is ambiguous.
        is_ambiguous: whether several symbols are named alike, so that a clue is needed.
        tokens: estimated LLM tokens of everything that is shown.
        notices: what a reader should know.
    """

    query: str
    best: Place | None
    code: str
    is_cut: bool
    members: tuple[Place, ...]
    others: tuple[Place, ...]
    is_ambiguous: bool
    tokens: int
    notices: tuple[str, ...] = ()

    @property
    def found(self) -> bool:
        """Whether anything answers or might."""
        return self.best is not None or bool(self.others)


class Handed(NamedTuple):
    """A file, or what is new about it: its path and what is handed out."""

    file: str
    reading: Reading


class Recollection(NamedTuple):
    """What was recalled from a session.

    Attributes:
        query: what was looked for.
        found: notes and lines of output, best first.
        notes: notes of the session in all.
        outputs: condensed outputs in all.
    """

    query: str
    found: tuple[Recalled, ...]
    notes: int
    outputs: int


class Condensed(NamedTuple):
    """Output, condensed, and what it is called."""

    label: str
    digest: Digest


def code_answer(
    query: str,
    found: Sequence[Found],
    text_of: Callable[[Symbol], str],
    symbols: Sequence[Symbol],
    max_tokens: int,
    *,
    is_ambiguous: bool,
    notices: tuple[str, ...],
) -> CodeAnswer:
    """Return the answer for some candidates, best first.

    Args:
        query: the question.
        found: the candidates.
        text_of: returns a chunk's text.
        symbols: every chunk that was looked at.
        max_tokens: upper bound of what is shown.
        is_ambiguous: whether all candidates are as good as the first.
        notices: what a reader should know.
    """
    room = max_tokens - _AROUND_TOKENS - sum(llm_tokens(notice) + 3 for notice in notices)
    others = found if is_ambiguous else found[1:]
    left = room if is_ambiguous else room // _SHARE_OF_OTHERS
    places = []
    for one in others:
        placed = _placed(one.symbol, text_of(one.symbol))
        cost = llm_tokens(placed.cited) + 2
        if cost > left:
            break
        left -= cost
        room -= cost
        places.append(placed)
    if is_ambiguous or not found:
        return CodeAnswer(query, None, "", False, (), tuple(places), is_ambiguous, max_tokens - room, notices)
    best = found[0].symbol
    room -= llm_tokens(best.file + best.qualified) + 8
    code, last, is_cut = find.fitted(text_of(best), best.first, max(room, 1))
    room -= llm_tokens(code)
    members = _members(best, symbols, room)
    room -= sum(llm_tokens(f"{one.name} {one.lines[0]}-{one.lines[1]}, ") for one in members)
    place = Place(best.file, (best.first, last), best.qualified)
    return CodeAnswer(query, place, code, is_cut, members, tuple(places), False, max_tokens - room, notices)


def _placed(symbol: Symbol, text: str) -> Place:
    """Return where a symbol stands, without the blank lines behind it."""
    _, last, _ = find.fitted(text, symbol.first, 2**31)
    return Place(symbol.file, (symbol.first, last), symbol.qualified)


def _members(best: Symbol, symbols: Sequence[Symbol], room: int) -> tuple[Place, ...]:
    """Return where the members of a class stand that is found by the chunk which opens it."""
    if not best.opens:
        return ()
    inside = [one for one in symbols if one.version == best.version and one.names[: len(best.names)] == best.names]
    after = [one for one in inside if one.ordinal > best.ordinal]
    places = []
    for one in declared(after)[:_MOST_MEMBERS]:
        name = one.name.removeprefix(f"{best.qualified}.")
        if "." in name or one.name == best.qualified:
            continue
        room -= llm_tokens(f"{name} {one.first}-{one.last}, ")
        if room < 0:
            break
        places.append(Place(best.file, (one.first, one.last), name))
    return tuple(places)
