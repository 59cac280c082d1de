"""From ranked chunks to readable blocks, one for each source, inside the token budget.

Hits are taken in the order of their scores as long as they fit; then each source's hits are laid out
in document order under their headings, with the lines that make them readable and ``[…]`` where
something is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from treering.domain.ids import chunk_id
from treering.domain.query import ChunkHit, Result
from treering.domain.text import llm_tokens
from treering.recall.excerpt import CUT, excerpt, own_headings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.domain.chunk import Heading
    from treering.domain.query import Query
    from treering.ports import Transaction
    from treering.recall.candidates import Candidate

# One long chunk must leave room for a second opinion.
_LARGEST_SHARE: Final = 0.5
# Below this an excerpt says too little to be worth its citation.
_LEAST_TOKENS: Final = 24
# A result's citation line, and the marks between its hits.
_CITATION_TOKENS: Final = 30
_MARK_TOKENS: Final = 12
# Hits weaker than this share of the best one are noise beside it.
_WEAKEST_SHARE: Final = 0.3


@dataclass(slots=True)
class _Piece:
    """A hit as it will be shown: its text, cut if need be, and the lines before it."""

    candidate: Candidate
    text: str
    leads: tuple[tuple[int, int, str], ...]


@dataclass(slots=True)
class _Block:
    """The pieces of one source."""

    pieces: list[_Piece] = field(default_factory=list)


def fit(tx: Transaction, ranked: Sequence[Candidate], query: Query) -> tuple[Result, ...]:
    """Return the results that fit ``query.max_tokens``, best first."""
    blocks: dict[str, _Block] = {}
    left = query.max_tokens
    best = ranked[0].score
    for one in ranked:
        known = one.source.id in blocks
        if one.score < best * _WEAKEST_SHARE or (not known and len(blocks) == query.limit):
            continue
        piece, cost = _piece(
            tx, one, min(left, max(query.max_tokens * _LARGEST_SHARE, left * _LARGEST_SHARE)), known=known
        )
        if piece is None:
            continue
        blocks.setdefault(one.source.id, _Block()).pieces.append(piece)
        left -= cost
    metadata = tx.sources.metadata(list(blocks))
    return tuple(_result(block, best, metadata[source]) for source, block in blocks.items())


def _piece(tx: Transaction, one: Candidate, most: float, *, known: bool) -> tuple[_Piece | None, int]:
    """Return a hit with all it brings along in at most ``most`` tokens, and what it costs; None if that is too few."""
    leads = tuple(
        (lead.start, lead.line, tx.sources.text(one.chunk.version, lead.start, lead.stop).rstrip())
        for lead in one.chunk.lead
    )
    around = _MARK_TOKENS + (0 if known else _CITATION_TOKENS)
    around += _headings_tokens(one.chunk.path)
    around += sum(llm_tokens(text) + 1 for _, _, text in leads)
    room = int(most) - around
    if room < _LEAST_TOKENS:
        return None, 0
    text = excerpt(one.chunk.text, room, one.chunk.kind, one.words)
    return _Piece(one, text, leads), around + llm_tokens(text)


@lru_cache(maxsize=512)
def _headings_tokens(path: tuple[Heading, ...]) -> int:
    """Return what the headings above a chunk cost."""
    return sum(llm_tokens(heading.title) + 2 for heading in path)


def _result(block: _Block, best: float, metadata: dict[str, tuple[str, ...]]) -> Result:
    """Lay out one source."""
    first = block.pieces[0].candidate
    pieces = sorted(block.pieces, key=lambda piece: piece.candidate.chunk.ordinal)
    text = _cheatsheet(pieces)
    restatements = sum(piece.candidate.restatements for piece in pieces)
    elsewhere = sorted({key for piece in pieces for key in piece.candidate.elsewhere})
    notices = (f"the same passage also stands in {', '.join(elsewhere[:3])}",) if elsewhere else ()
    return Result(
        id=chunk_id(first.chunk.version, first.chunk.ordinal),
        title=first.source.title,
        text=text,
        path=first.chunk.path,
        source=first.source.id,
        key=first.source.key,
        file=first.source.key.removeprefix("file:") if first.source.key.startswith("file:") else None,
        version=first.chunk.version,
        trust=first.source.trust,
        lines=(first.chunk.first_line, first.chunk.last_line),
        metadata=metadata,
        chunks=tuple(_chunk_hit(piece.candidate, best) for piece in pieces),
        score=round(first.score / best, 4),
        tokens=llm_tokens(text) + _CITATION_TOKENS,
        restatements=restatements,
        notices=notices,
    )


def _chunk_hit(one: Candidate, best: float) -> ChunkHit:
    """Return the reference to one hit."""
    chunk = one.chunk
    lines = (chunk.first_line, chunk.last_line)
    return ChunkHit(chunk_id(chunk.version, chunk.ordinal), chunk.path, lines, round(one.score / best, 4))


def _cheatsheet(pieces: Sequence[_Piece]) -> str:
    """Return the pieces of one source in document order with headings, leads, line numbers and gaps."""
    lines: list[str] = []
    shown: tuple[object, ...] = ()
    seen = 0
    for piece in pieces:
        chunk = piece.candidate.chunk
        adjacent = bool(lines) and chunk.start == seen
        if lines and not adjacent:
            lines.append(CUT)
        inherited = chunk.path[: len(chunk.path) - own_headings(chunk.text)]
        common = 0
        while common < min(len(shown), len(inherited)) and shown[common] == inherited[common]:
            common += 1
        lines += [f"{'#' * heading.level} {heading.title}" for heading in inherited[common:]]
        lines += [text for start, _, text in piece.leads if start >= seen]
        if not adjacent:
            lines.append(f"[L{chunk.first_line}-{chunk.last_line}]")
        lines.append(piece.text)
        shown, seen = chunk.path, chunk.stop
    return "\n".join(lines)
