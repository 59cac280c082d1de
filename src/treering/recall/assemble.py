"""From ranked chunks to readable blocks, one for each source, inside the token budget.

Hits are taken in the order of their scores as long as they fit; then each source's hits are laid out
in document order under their headings, with the lines that make them readable and ``[…]`` where
something is left out. What is counted is what is shown: headline, block and notices.
"""

from __future__ import annotations

from treering.domain.citation import citation, closing, headline, marked, memory_citation
from treering.domain.depth import brief, shallow, standing
from treering.domain.ids import chunk_id
from treering.domain.query import Result
from treering.domain.text import llm_tokens
from treering.recall.excerpt import excerpt, own_headings
from treering.recall.layout import (
    Piece,
    cheatsheet,
    chunk_hit,
    headings_tokens,
    lines_of,
    outside_tokens,
    runs_of,
    shown_tokens,
    trust_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

    from treering.domain.evidence import Quoted
    from treering.domain.query import Query
    from treering.ports import Transaction
    from treering.recall.candidates import Candidate
    from treering.records import StoredMemory, StoredSource

# A hit gets what its score is of its own and its next rivals' together, within these bounds: a long chunk must leave
# room for other opinions, one that nothing comes near may fill most of the answer. Against a flat third, of what
# answers .85 instead of .77 stands in 1,000 tokens of chunking_eval, and .29 instead of .25 (cranfield), .38 (.36,
# BEAM), .64 (.60, documentation asked in other languages) of the evidence in 500.
_LEAST_SHARE: Final = 0.25
_MOST_SHARE: Final = 0.66
_RIVALS: Final = 5
# Before the first hit below this share of the best score, those before it get what is left.
_STRONG: Final = 0.5
# Below this an excerpt says too little to be worth its headline.
_LEAST_TOKENS: Final = 20
# ``[L123-456]`` with its line end, and with a gap before it.
_MARK_TOKENS: Final = 9
_MARKS_TOKENS: Final = 16
# `` L123-456,`` in the mark, and the line end.
_LEAD_TOKENS: Final = 9
# ``[…]`` with its line end.
_CUT_TOKENS: Final = 5
# The least that is shown where nothing else is: a few words around the match.
_BARE_TOKENS: Final = 6
# Where the gate is off, the order must still show in the relevance.
_LEAST_RELEVANCE: Final = 0.01
TALKS: Final = frozenset({"chat", "transcript"})
"""Kinds of sources whose later parts may correct earlier ones: a talk goes on."""
_PAGED: Final = "its text goes on; page by page: treering show {id} --start-line N"
# Files that are named as holding the same passage.
_NAMED: Final = 3


class Purse:
    """What one answer may still cost; the pieces of two stores are paid from one."""

    def __init__(self, query: Query) -> None:
        """Hold what the query allows, less the line below the answer."""
        self.left = query.max_tokens - closing_tokens(query.limit, query.max_tokens)
        self.blocks = 0


class Assembly:
    """The pieces of one answer that stand in one store, taken as long as they fit."""

    def __init__(
        self,
        tx: Transaction,
        query: Query,
        place_of: Callable[[str], str],
        purse: Purse | None = None,
        scope: str = "",
    ) -> None:
        """Begin an empty answer.

        Args:
            tx: the store.
            query: with the budget and the number of results.
            place_of: returns how the file or key of a source is shown.
            purse: the budget that is shared with another store's pieces; None for one of its own.
            scope: of the store, where two are asked; the user's own one stands behind each of its citations.
        """
        self._tx = tx
        self._query = query
        self._place_of = place_of
        self._purse = purse or Purse(query)
        self._scope = scope
        self._label = f"  [{scope}]" if scope == "global" else ""
        self._blocks: dict[str, list[Piece]] = {}

    def take(self, one: Candidate, share: float) -> None:
        """Add a hit if it fits; the very first is cut to whatever is left.

        Args:
            one: the hit.
            share: of the budget that it may take, within bounds.
        """
        purse = self._purse
        known = one.source.id in self._blocks
        if self._query.depth != "L2":
            if known:
                return
            one, share = self._at_depth(one), 1.0
        full = not known and purse.blocks == self._query.limit
        if full or (purse.blocks and purse.left < _LEAST_TOKENS + _MARKS_TOKENS):
            return
        share = max(_LEAST_SHARE, share if share == 1 else min(_MOST_SHARE, share))
        most = max(int(purse.left * share), min(purse.left, int(self._query.max_tokens * share)))
        piece = self._piece(one, min(most, purse.left), known=known, bare=False)
        if piece is None and not purse.blocks:
            piece = self._piece(one, purse.left, known=False, bare=False)
            piece = piece or self._piece(one, purse.left, known=False, bare=True)
        if piece is not None:
            self._blocks.setdefault(one.source.id, []).append(piece)
            purse.blocks += not known
            purse.left -= piece.cost

    def _at_depth(self, one: Candidate) -> Candidate:
        """Return a hit with what another depth than L2 shows of it: of L1 a few words, of L3 the whole version."""
        one = one._replace(cut=(False, False))
        chunk, summary = one.chunk, one.memory.summary if one.memory else ""
        if self._query.depth == "L1":
            return one._replace(chunk=chunk._replace(text=brief(summary, chunk.text), lead=()))
        if chunk.kind == "memory":
            return one
        text = self._tx.sources.text(chunk.version, 0, one.source.chars)
        whole = chunk._replace(text=text, start=0, stop=len(text), first_line=1, last_line=max(one.source.lines, 1))
        return one._replace(chunk=whole._replace(lead=(), path=()))

    def _piece(self, one: Candidate, most: int, *, known: bool, bare: bool) -> Piece | None:
        """Return a hit in at most ``most`` tokens; None if they are too few.

        Args:
            one: the hit.
            most: estimated LLM tokens.
            known: whether its source is in the answer already.
            bare: whether to leave out headings, leads and notices, which cost much where little is left.
        """
        # Names of symbols are no headings: a member is led by its class's own line.
        deep = self._query.depth
        above = () if bare or deep != "L2" or one.source.kind == "code" else one.chunk.path
        headings = above[: len(above) - own_headings(one.chunk.text)] if above else ()
        leads = () if bare else self._leads(one)
        outside = trust_of(one) == "external"
        titles = [] if bare or outside else [one.source.title, *(heading.title for heading in one.chunk.path)]
        cited = self._cited(one, (one.chunk.first_line, one.chunk.last_line), titles)
        notices = () if known or bare else _notices(one)
        if deep == "L1":
            notices = standing(one.memory.status, one.memory.superseded_by) if one.memory else ()
        around = _MARK_TOKENS if bare else _MARKS_TOKENS
        if any(one.cut) and not (known and any(self._blocks[one.source.id][0].candidate.cut)):
            around += _CUT_TOKENS  # behind the last one; the mark before the first is that of its gap
        around += headings_tokens(headings) + sum(llm_tokens(text) + _LEAD_TOKENS for _, _, text in leads)
        if not known:
            head = headline(self._purse.blocks + 1, cited, 0.99, self._query.max_tokens, one.restatements)
            around += shown_tokens(head, "", notices) + (outside_tokens() if outside else 0)
        if most - around < (_BARE_TOKENS if bare else _LEAST_TOKENS):
            return None
        if deep == "L3" and llm_tokens(one.chunk.text) > most - around:
            notices = () if bare else (*notices, _PAGED.format(id=one.source.id))
            around += 0 if bare else llm_tokens(_PAGED.format(id=one.source.id)) + _LEAD_TOKENS
            if most - around < _LEAST_TOKENS:
                return None
        shown = excerpt(one.chunk.text, most - around, {} if deep == "L3" else one.words)
        if deep == "L1":
            shown = shown._replace(first=0, last=one.chunk.last_line - one.chunk.first_line)
        piece = Piece(
            one, shown, leads, headings, cited, notices, around + (shown.tokens or llm_tokens(shown.text)) + 1
        )
        return piece._replace(cited=self._cited(one, lines_of(piece), titles))

    def _cited(self, one: Candidate, lines: tuple[int, int], titles: Sequence[str]) -> str:
        """Return how a hit is cited: a memory by its id and date, anything else by place and lines."""
        if one.memory is None:
            return citation(self._place_of(one.source.key), lines, titles) + self._label
        title = "" if one.memory.trust == "external" else one.memory.title
        return memory_citation(one.memory.id, one.memory.recorded_at, title) + self._label

    def grow(self) -> None:
        """Give what is left of the budget to the hits that were cut, best source first."""
        for pieces in self._blocks.values():
            for place, piece in enumerate(pieces):
                if self._purse.left < _LEAST_TOKENS or (piece.shown.begins and piece.shown.ends):
                    continue
                grown = self._piece(piece.candidate, piece.cost + self._purse.left, known=place > 0, bare=False)
                if grown is not None and grown.cost > piece.cost:
                    self._purse.left -= grown.cost - piece.cost
                    pieces[place] = grown

    def _leads(self, one: Candidate) -> tuple[tuple[int, int, str], ...]:
        """Return the lines outside a chunk that make it readable."""
        read = self._tx.sources.text
        return tuple(
            (lead.start, lead.line, read(one.chunk.version, lead.start, lead.stop).rstrip().replace("\r\n", "\n"))
            for lead in one.chunk.lead
        )

    @property
    def best(self) -> float:
        """Score of the best piece; 0 without one."""
        return max((pieces[0].candidate.score for pieces in self._blocks.values()), default=0.0)

    def results(self, relevance: float, best: float = 0.0) -> tuple[Result, ...]:
        """Return the results, best first.

        Args:
            relevance: of the best one.
            best: score of that, where it stands in another store; 0 for the best piece here.
        """
        metadata = self._metadata()
        quotes = self._quotes()
        best = (best or self.best or 1.0) / relevance
        return tuple(
            self._result(number, pieces, best, metadata[source], quotes.get(source, ()))
            for number, (source, pieces) in enumerate(self._blocks.items(), start=1)
        )

    def _memories(self) -> dict[str, StoredMemory]:
        """Return the memories in the answer by the source that is their note."""
        found = ((source, pieces[0].candidate.memory) for source, pieces in self._blocks.items())
        return {source: memory for source, memory in found if memory is not None}

    def _quotes(self) -> dict[str, tuple[Quoted, ...]]:
        """Return what each memory in the answer rests on, by the source that is its note."""
        memories = {source: memory.id for source, memory in self._memories().items()}
        if not memories:
            return {}
        from treering.recall.quotes import quotes_of

        read = [pieces[0].candidate.source for source, pieces in self._blocks.items() if source in memories]
        found = quotes_of(self._tx, list(memories.values()), read)
        return {source: found[memory] for source, memory in memories.items()}

    def _metadata(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return the metadata of each source in the answer; for a memory its tags and metadata."""
        memories = {source: memory.id for source, memory in self._memories().items()}
        found = self._tx.sources.metadata([source for source in self._blocks if source not in memories])
        labels = self._tx.memories.labels(list(memories.values())) if memories else {}
        return found | {source: labels[memory] for source, memory in memories.items()}

    def _result(
        self,
        number: int,
        ranked: Sequence[Piece],
        best: float,
        metadata: dict[str, tuple[str, ...]],
        quotes: tuple[Quoted, ...],
    ) -> Result:
        """Lay out one source."""
        first = ranked[0]
        one = first.candidate
        memory = one.memory
        pieces = sorted(ranked, key=lambda piece: piece.candidate.chunk.start)
        runs = runs_of(pieces)
        if self._query.newest_first and one.source.kind in TALKS:
            runs.reverse()
            pieces = [piece for run in runs for piece in run]
        text = first.shown.text if self._query.depth == "L1" else cheatsheet(runs)
        source = self._original(one, quotes)
        score = round(one.score / best, 6)
        # The price stands in the headline itself: counted with room for its digits.
        head = headline(number, first.cited, score, self._query.max_tokens, one.restatements)
        result = Result(
            id=chunk_id(one.chunk.version, one.chunk.ordinal) if memory is None else memory.id,
            title=one.source.title if memory is None else memory.title,
            text=text,
            citation=first.cited,
            path=one.chunk.path,
            source=source.id,
            key=source.key,
            file=self._place_of(one.source.key) if one.source.key.startswith("file:") else None,
            version=one.chunk.version,
            trust=trust_of(one),
            lines=lines_of(first),
            metadata=metadata,
            chunks=tuple(chunk_hit(piece, best) for piece in pieces),
            score=score,
            tokens=shown_tokens(head, marked(text, trust_of(one)), first.notices),
            restatements=one.restatements,
            notices=first.notices,
            type="chunk" if memory is None else "memory",
            kind=None if memory is None else memory.kind,
            status=None if memory is None else memory.status,
            verification=None if memory is None else memory.verification,
            recorded_at=one.source.recorded_at if memory is None else memory.recorded_at,
            quotes=quotes,
            slot=memory.slot if memory else "",
            value=memory.value if memory else "",
            valid_from=memory.valid_from if memory else "",
            valid_to=memory.valid_to if memory else "",
            superseded_by=memory.superseded_by if memory else "",
            scope=self._scope,
            summary=memory.summary if memory else "",
        )
        return shallow(result) if self._query.depth == "L1" else result

    def _original(self, one: Candidate, quotes: tuple[Quoted, ...]) -> StoredSource:
        """Return the source of a result; of a memory without a note of its own the first one that it quotes."""
        if one.memory is None or one.source.id != one.memory.id or not quotes:
            return one.source
        return self._tx.sources.sources([quotes[0].source])[quotes[0].source]


def fit(
    tx: Transaction, ranked: Sequence[Candidate], query: Query, place_of: Callable[[str], str], confidence: float = 1.0
) -> tuple[Result, ...]:
    """Return the results that fit ``query.max_tokens``, best first; none when not even the best one fits.

    The best one's relevance is the ``confidence``: how sure it is that anything here answers.
    """
    assembly = Assembly(tx, query, place_of)
    return fit_all([(assembly, one) for one in ranked], confidence)


def fit_all(ranked: Sequence[tuple[Assembly, Candidate]], confidence: float) -> tuple[Result, ...]:
    """Return the results that fit, best first, each candidate with the assembly of its store; none when none fits.

    All of one store share one assembly, and all assemblies one purse.
    """
    scores = [one.score for _, one in ranked]
    assemblies = list(dict.fromkeys(assembly for assembly, _ in ranked))
    grown = False
    for place, (assembly, one) in enumerate(ranked):
        if one.score < _STRONG * scores[0] and not grown:
            _grow(assemblies)
            grown = True
        assembly.take(one, one.score / sum(scores[place : place + _RIVALS]))
    _grow(assemblies)
    best = max((assembly.best for assembly in assemblies), default=0.0)
    relevance = max(confidence, _LEAST_RELEVANCE)
    found = [result for assembly in assemblies for result in assembly.results(relevance, best)]
    return tuple(found if len(assemblies) == 1 else sorted(found, key=lambda one: -one.score))


def _grow(assemblies: Sequence[Assembly]) -> None:
    """Give what is left of the budget to the hits that were cut, store by store."""
    for assembly in assemblies:
        assembly.grow()


def closing_tokens(results: int, tokens: int) -> int:
    """Return what the line below an answer costs, with the blank line before it."""
    return llm_tokens(closing(results, tokens)) + 2


def _notices(one: Candidate) -> tuple[str, ...]:
    """Return what a reader should know about a hit."""
    elsewhere = sorted({key.removeprefix("file:").removeprefix("note:") for key in one.elsewhere})
    more = f" and {len(elsewhere) - _NAMED} more" if len(elsewhere) > _NAMED else ""
    same = (f"the same passage also stands in {', '.join(elsewhere[:_NAMED])}{more}",) if elsewhere else ()
    return (*one.told, *same)
