"""The pieces of one source, laid out in document order: headings, lines that lead to them, line numbers, gaps."""

from __future__ import annotations

from functools import lru_cache

from treering.domain.citation import marked
from treering.domain.ids import chunk_id
from treering.domain.named import NamedTuple
from treering.domain.query import ChunkHit
from treering.domain.text import llm_tokens
from treering.recall.excerpt import CUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.domain.chunk import Heading
    from treering.recall.candidates import Candidate
    from treering.recall.excerpt import Excerpt


class Piece(NamedTuple):
    """A hit as it will be shown.

    Attributes:
        candidate: the hit.
        shown: its text, cut if need be.
        leads: start, first line and text of the lines before it that make it readable.
        headings: the headings above it that its own text does not begin with.
        cited: how its source is cited when it is the first hit of it.
        notices: what a reader should know about it.
        cost: estimated LLM tokens of all that, at the most.
    """

    candidate: Candidate
    shown: Excerpt
    leads: tuple[tuple[int, int, str], ...]
    headings: tuple[Heading, ...]
    cited: str
    notices: tuple[str, ...]
    cost: int


def chunk_hit(piece: Piece, best: float) -> ChunkHit:
    """Return the reference to one hit."""
    one = piece.candidate
    name = chunk_id(one.chunk.version, one.chunk.ordinal)
    return ChunkHit(name, one.chunk.path, lines_of(piece), round(one.score / best, 6))


def lines_of(piece: Piece) -> tuple[int, int]:
    """Return the first and the last line of the file that a piece shows."""
    first = piece.candidate.chunk.first_line
    return first + piece.shown.first, first + piece.shown.last


def runs_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return pieces in document order as stretches without a gap."""
    runs: list[list[Piece]] = []
    for piece in pieces:
        before = runs[-1][-1] if runs else None
        joins = before is not None and before.candidate.chunk.stop == piece.candidate.chunk.start
        if before is not None and joins and before.shown.ends and piece.shown.begins:
            runs[-1].append(piece)
        else:
            runs.append([piece])
    return runs


def cheatsheet(runs: Sequence[Sequence[Piece]]) -> str:
    """Return stretches of one source with headings, leads, line numbers and gaps."""
    lines: list[str] = []
    above: tuple[Heading, ...] = ()
    seen = 0
    for run in runs:
        head = run[0]
        goes_on = head.candidate.cut[0] and head.shown.begins and not lines
        if lines and lines[-1] != CUT:
            lines.append(CUT)
        common = 0
        while common < min(len(above), len(head.headings)) and above[common] == head.headings[common]:
            common += 1
        lines += [f"{'#' * heading.level} {heading.title}" for heading in head.headings[common:]]
        leads = [(line, text) for start, line, text in head.leads if start >= seen]
        if head.candidate.memory is None:
            shown = [(line, line + text.count("\n")) for line, text in leads]
            lines.append(_mark([*shown, (lines_of(head)[0], lines_of(run[-1])[1])]))
        lines += [text for _, text in leads]
        if goes_on:
            lines.append(CUT)
        for before, piece in zip([None, *run], run, strict=False):
            if before is not None:
                lines += [""] * (lines_of(piece)[0] - lines_of(before)[1] - 1)
            lines += piece.shown.text.split("\n")
        if run[-1].candidate.cut[1] and run[-1].shown.ends:
            lines.append(CUT)
        above, seen = run[-1].candidate.chunk.path, run[-1].candidate.chunk.stop
    return "\n".join(lines)


def _mark(stretches: Sequence[tuple[int, int]]) -> str:
    """Return the mark that names which lines follow: ``[L9-11]``, or ``[L3, L9-11]`` where some are left out."""
    joined: list[tuple[int, int]] = []
    for first, last in stretches:
        if joined and joined[-1][1] + 1 == first:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return f"[{', '.join(f'L{first}-{last}' if last > first else f'L{first}' for first, last in joined)}]"


@lru_cache(maxsize=1)
def outside_tokens() -> int:
    """Return what the marks around words from outside cost, in which eight digits cost the most that they can."""
    return llm_tokens(marked("", "external")) + 8


def trust_of(one: Candidate) -> str:
    """Return whose word a hit is."""
    return one.source.trust if one.memory is None else one.memory.trust


@lru_cache(maxsize=512)
def headings_tokens(path: tuple[Heading, ...]) -> int:
    """Return what headings cost, each on a line."""
    return sum(llm_tokens(f"{'#' * heading.level} {heading.title}") + 1 for heading in path)


def shown_tokens(head: str, text: str, notices: Sequence[str]) -> int:
    """Return what a result costs as it is printed: headline, text and notices, each on lines of its own."""
    lines = [head, *([text] if text else []), *(f"note: {notice}" for notice in notices), ""]
    return llm_tokens("\n".join(lines)) + 1
