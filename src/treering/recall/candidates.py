"""From a question to the chunks that may answer it."""

from __future__ import annotations

from treering.domain import scoring, spelling
from treering.domain.memory import IN_SEARCH, indexed_title
from treering.domain.named import NamedTuple
from treering.domain.query import Term
from treering.domain.text import as_prefix, is_plainly_foreign, query_terms
from treering.recall.holding import Holding
from treering.records import StoredChunk, StoredSource

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Final

    from treering.domain.query import Query, Reason
    from treering.ports import Transaction
    from treering.recall.shortlist import Listed
    from treering.records import StoredMemory

_MOST_SLIPS: Final = 3
_LOOKED_THROUGH: Final = 4000
"""Words of the index that begin like an unknown one and are compared: 1 ms."""

_KEYWORDS: Final = 3
"""Terms of what is typed as key words; there a slip leaves nothing else to go by."""

_SLIP_SHARE: Final = 0.7
"""What a word counts in a whole sentence that another one was taken for; the rest stays with what was typed."""

_OF_ONE_NAME: Final = frozenset({"chat", "code", "transcript"})
"""Kinds of sources whose nearest heading says whose text it is: a symbol's, a speaker's.

Headings of documents name a subject, which their neighbours share: with them, too, pages asked for in Chinese lost
.07 of MRR@10.
"""

MOST_TERMS: Final = 32
"""Terms that are searched; a longer question is asked by its rarest ones."""


class Asked(NamedTuple):
    """A question as the index understands it.

    Attributes:
        terms: what is looked for.
        frequencies: in how many entries each occurs.
        rarities: how telling each is; 0 for terms that only help ranking.
        entries: how many entries the index has.
        why: what was decided, in words.
        slips: words that were taken for others, ``“databse” as “database”``.
    """

    terms: tuple[Term, ...]
    frequencies: tuple[int, ...]
    rarities: tuple[float, ...]
    entries: int
    why: str
    slips: tuple[str, ...] = ()


class Candidate(NamedTuple):
    """A chunk that matches.

    Attributes:
        chunk: the chunk.
        source: its source; for a memory, the note that was kept for it.
        score: BM25, later with all that is added to it; comparable within one question.
        evidence: how much of the question it explains.
        words: stems of the question's terms that it holds, with how telling each is.
        named: share of the words of the symbol or speaker it belongs to that the question holds; 0 for other text.
        meaning: what its meaning adds to the score.
        around: what its neighbours in a conversation add.
        cosine: how near its meaning is to the question's; None when that is not known.
        restatements: how many identical chunks of other sources it stands for.
        elsewhere: keys of those sources.
        memory: the memory that it is, or whose note it stands in.
        told: what a reader must know of it.
        tags: of the memory that it is.
        cut: whether it is a passage that leaves out what its paragraph has before it, and behind it.
    """

    chunk: StoredChunk
    source: StoredSource
    score: float
    evidence: scoring.Evidence
    words: dict[str, float]
    named: float = 0.0
    meaning: float = 0.0
    around: float = 0.0
    cosine: float | None = None
    restatements: int = 0
    elsewhere: tuple[str, ...] = ()
    memory: StoredMemory | None = None
    told: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    cut: tuple[bool, bool] = (False, False)


def analyse(tx: Transaction, query: Query) -> Asked:
    """Return the terms of a question with their frequencies in the store."""
    terms = list(query_terms(query.text)) or [term for group in query.filter.must for term in group]
    frequencies = tx.keywords.frequencies(terms)
    prefixes = _read_as_prefixes(tx, terms, frequencies)
    slips = _read_as_slips(tx, terms, frequencies, query.is_word or bool) if _may_slip(query, frequencies) else ()
    entries = tx.keywords.size()
    rarities = [term.weight * scoring.rarity(n, entries) for term, n in zip(terms, frequencies, strict=True)]
    kept = _rarest(rarities, frequencies)
    why = f"{sum(n == 0 for n in frequencies)} unknown" + (f", as prefix: {', '.join(prefixes)}" if prefixes else "")
    why += f", as a slip: {', '.join(slips)}" if slips else ""
    return Asked(
        tuple(terms[i] for i in kept),
        tuple(frequencies[i] for i in kept),
        tuple(rarities[i] for i in kept),
        entries,
        why,
        tuple(slips),
    )


def _read_as_prefixes(tx: Transaction, terms: list[Term], frequencies: list[int]) -> list[str]:
    """Read words that no entry holds as beginnings of words, in place; return those that helped."""
    helped = []
    for place, term in enumerate(terms):
        prefix = as_prefix(term) if not frequencies[place] else None
        if prefix is not None and (found := tx.keywords.frequencies([prefix])[0]):
            terms[place], frequencies[place] = prefix, found
            helped.append(prefix.text)
    return helped


def _read_as_slips(
    tx: Transaction, terms: list[Term], frequencies: list[int], is_word: Callable[[str], bool]
) -> list[str]:
    """Add what words that no entry holds may have meant, and return which were taken for which.

    In a sentence, what was typed stays with the rest of its weight: an answer that has the other word explains most of
    it, not all.
    """
    unknown = [
        place
        for place, (term, found) in enumerate(zip(terms, frequencies, strict=True))
        if not found and _may_be_slip(term) and not is_word(term.words[0])
    ]
    helped: list[str] = []
    share = 1.0 if len(terms) <= _KEYWORDS else _SLIP_SHARE
    for place in unknown[:_MOST_SLIPS]:
        word = terms[place].words[0]
        near = tx.keywords.beginning(word[: spelling.SURE], _LOOKED_THROUGH)
        found = spelling.meant(word, tx.keywords.stems(word)[0], near, tx.keywords.stems)
        meant = spelling.typed(found[0], tx.keywords.stems, is_word) if found else ""
        if found and meant:
            terms[place] = terms[place]._replace(weight=1 - share)
            terms.append(Term((meant,), weight=share))
            frequencies.append(found[1])
            helped.append(f"“{word}” as “{meant}”")
    return helped


def _may_slip(query: Query, frequencies: Sequence[int]) -> bool:
    """Tell whether words of a question may be slips: some are unknown, and it is not in a language without a list."""
    return query.is_word is not None and 0 in frequencies and not is_plainly_foreign(query.text)


def _may_be_slip(term: Term) -> bool:
    """Tell whether a term is one long word of Latin letters that counts."""
    word = term.words[0]
    return (
        len(term.words) == 1 and term.weight == 1 and not term.prefix and len(word) >= spelling.SHORTEST
        and word.isascii() and word.isalpha()
    )  # fmt: skip


def _rarest(rarities: list[float], frequencies: list[int]) -> list[int]:
    """Return the places of at most ``MOST_TERMS`` terms, known ones first, in their order."""
    by_use = sorted(range(len(rarities)), key=lambda i: (frequencies[i] == 0, -rarities[i]))
    return sorted(by_use[:MOST_TERMS])


def look_up(tx: Transaction, asked: Asked, listed: Sequence[Listed]) -> list[Candidate]:
    """Return the listed entries with their text and evidence, in their order."""
    entries = [one.entry for one in listed]
    chunks = tx.sources.chunks(entries)
    memories = tx.memories.by_entries([entry for entry in entries if entry not in chunks])
    named = {*(chunk.source for chunk in chunks.values()), *(memory.source for memory in memories.values())}
    sources = tx.sources.sources(list(named - {""}))
    of_note = {one.source: one for one in memories.values() if _is_note_of(sources.get(one.source), one)}
    notes = [source.id for source in sources.values() if source.kind == "note" and source.id not in of_note]
    labels = tx.memories.labels([memory.id for memory in memories.values()]) if memories else {}
    if notes:
        of_note |= tx.memories.by_sources(notes, {one.id: one for one in memories.values()})
    holding = Holding(tx.keywords, asked.terms, asked.rarities)
    found = []
    for one in listed:
        memory = memories.get(one.entry)
        if memory is None:
            chunk = chunks[one.entry]
            source = sources[chunk.source]
        else:
            own = of_note.get(memory.source)
            source = sources[memory.source] if own and own.id == memory.id else _stand_in(memory)
            chunk = _as_chunk(memory, source)
        title, text = (source.title, chunk.text) if memory is None else _as_indexed(memory, labels[memory.id])
        evidence, words = holding.evidence(title, chunk.path, source.key, text)
        known = memory or of_note.get(source.id)
        share = holding.named(chunk.path) if source.kind in _OF_ONE_NAME else 0.0
        more = (share, one.meaning, one.around, one.cosine)
        tags = () if memory is None else tuple(labels[memory.id].get("tags", ()))
        found.append(Candidate(chunk, source, one.keyword, evidence, words, *more, memory=known, tags=tags))
    return found


def _is_note_of(source: StoredSource | None, memory: StoredMemory) -> bool:
    """Tell whether a source is plainly a memory's own note: that of its first claim, which most memories have alone."""
    return source is not None and source.key == f"note:{memory.id}"


def of_memory(tx: Transaction, memory: StoredMemory, like: Candidate) -> Candidate:
    """Return a memory that no list brought up, with the score and evidence of another candidate."""
    own = tx.memories.by_sources([memory.source]).get(memory.source) if memory.source else None
    source = tx.sources.sources([memory.source])[memory.source] if own and own.id == memory.id else _stand_in(memory)
    return like._replace(
        chunk=_as_chunk(memory, source), source=source, memory=memory, restatements=0, elsewhere=(), told=()
    )


def _stand_in(memory: StoredMemory) -> StoredSource:
    """Return what stands for the note of a memory that has none of its own."""
    lines = memory.content.count("\n") + 1
    return StoredSource(
        memory.id, memory.id, memory.title, "memory", memory.trust, "kept", memory.id, "", "utf-8",
        len(memory.content), lines, memory.recorded_at,
    )  # fmt: skip


def _as_chunk(memory: StoredMemory, note: StoredSource) -> StoredChunk:
    """Return a memory as the one chunk of its note."""
    text = memory.content
    return StoredChunk(
        entry=memory.entry,
        source=note.id,
        version=note.version,
        ordinal=0,
        start=0,
        stop=len(text),
        first_line=1,
        last_line=text.count("\n") + 1,
        kind="memory",
        path=(),
        lead=(),
        fingerprint=memory.fingerprint,
        text=text,
    )


def _as_indexed(memory: StoredMemory, labels: Mapping[str, Sequence[str]]) -> tuple[str, str]:
    """Return a memory's title and text with all that the index holds of it: tags, slot and summary too."""
    text = f"{memory.summary}\n{memory.content}" if memory.summary else memory.content
    return indexed_title(memory.title, labels.get("tags", ()), memory.slot), text


def why_none(tx: Transaction, query: Query) -> Reason:
    """Return why a question with terms has no candidate."""
    if not tx.keywords.size():
        return "empty_store"
    if query.filter and not (tx.sources.count(query.filter).sources or tx.memories.count(IN_SEARCH, query.filter)):
        return "filtered_out"
    return "no_match"
