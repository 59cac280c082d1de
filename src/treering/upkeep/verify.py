"""Verify: whether a store holds what it promises: hashes, quotes, chains, histories, and what is derived."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from treering.domain.memory import IN_SEARCH
from treering.domain.named import NamedTuple
from treering.domain.query import Filter
from treering.errors import Damaged
from treering.upkeep.ahead import ahead

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from treering.ports import Transaction
    from treering.records import StoredMemory, StoredSource

_PAGE: Final = 500
_EVERY: Final = 10_000
_LEFT_BEHIND: Final = (
    "bytes that no source has, left by an import that was interrupted: the next import of the file uses them, and"
    " treering verify --fix removes them"
)


class Problem(NamedTuple):
    """Something that is not as it should be.

    Attributes:
        kind: ``database``, ``hash``, ``quote``, ``chain``, ``history``, ``derived``, ``forgotten``, ``unfinished`` (an
            erasure) or ``orphan_file``.
        id: what it is about.
        text: what is wrong with it.
        mended: whether it was put right.
    """

    kind: str
    id: str
    text: str
    mended: bool = False

    @property
    def is_note(self) -> bool:
        """Whether nothing is lost or wrong by it: files that a process left behind take room alone."""
        return self.kind == "orphan_file"


class Checked(NamedTuple):
    """What was looked at.

    Attributes:
        problems: what is wrong, or was.
        counts: how many things of each kind were looked at.
    """

    problems: tuple[Problem, ...]
    counts: dict[str, int]

    @property
    def sound(self) -> bool:
        """Whether nothing is wrong any more; what was left behind is not wrong."""
        return all(one.mended or one.is_note for one in self.problems)


def verify(tx: Transaction) -> Checked:
    """Return what is wrong with the canonical rows of a store; its keyword index has a look of its own.

    Reads everything and writes nothing. Histories are ``api``'s to recompute.
    """
    counts = dict.fromkeys(("sources", "quotes", "memories", "claims", "entries"), 0)
    problems: list[Problem] = []
    for source in _sources(tx):
        counts["sources"] += 1
        problems += _source_problems(tx, source)
    for page in _memories(tx):
        known = ahead(tx, [one.id for one in page])
        for memory in page:
            counts["memories"] += 1
            problems += _memory_problems(known, memory, counts)
    problems += _original_problems(tx)
    problems += _forgotten_problems(tx)
    return Checked(tuple(problems), counts)


def unreadable(error: Damaged) -> Problem:
    """Return the problem that the keyword index cannot be read at all."""
    return Problem("derived", "words", f"the keyword index cannot be read: {error}")


def _sources(tx: Transaction) -> Iterator[StoredSource]:
    """Yield all sources."""
    after = ""
    while page := tx.sources.list_sources(Filter(), _PAGE, after):
        yield from page
        after = page[-1].key


def _memories(tx: Transaction) -> Iterator[list[StoredMemory]]:
    """Yield all memories, archived ones too, in pages."""
    after = ""
    while page := tx.memories.list_memories((), _PAGE, after):
        yield page
        after = page[-1].id


def _source_problems(tx: Transaction, source: StoredSource) -> Iterator[Problem]:
    """Yield what is wrong with a source's versions: their length, and their digest where the text is the bytes."""
    of_memory = source.key.startswith("note:mem_")
    for version in tx.sources.stored_versions(source.id):
        text = _text(tx, version.id, 0, version.chars)
        if text is None or len(text) != version.chars:
            yield Problem("hash", source.id, f"{source.key}: not all of its {version.chars:,} characters are there")
        elif (version.original == "text" or of_memory) and sha256(text.encode()).hexdigest() != version.sha256:
            yield Problem("hash", source.id, f"{source.key}: the text is not what was stored")


def _original_problems(tx: Transaction) -> Iterator[Problem]:
    """Yield originals whose bytes are gone or are other ones, and bytes that no version names."""
    named = set(tx.sources.digests())
    for digest in sorted(named):
        try:
            tx.originals.get(digest)
        except Damaged as error:
            yield Problem("hash", digest, str(error))
    for digest in tx.originals.kept():
        if digest not in named:
            yield Problem("orphan_file", digest, _LEFT_BEHIND)


def _memory_problems(tx: Transaction, memory: StoredMemory, counts: dict[str, int]) -> Iterator[Problem]:
    """Yield what is wrong with a memory: quotes that do not stand in their sources, broken chains."""
    claims = tx.claims.of_memories([memory.id])[memory.id]
    counts["claims"] += len(claims)
    if not claims:
        yield Problem("chain", memory.id, "no claim says what the memory says")
    if memory.superseded_by and not tx.memories.memories([memory.superseded_by]):
        yield Problem("chain", memory.id, f"its successor {memory.superseded_by} is not there")
    for revisions in _by_claim(tx, [claim.id for claim in claims]):
        if len(set(revisions)) != len(revisions) or any(number >= memory.revision for number in revisions):
            yield Problem("chain", memory.id, f"its revisions {revisions} do not lead to {memory.revision}")
    for quote in tx.memories.quotes([memory.id])[memory.id]:
        counts["quotes"] += 1
        if tx.sources.source_of(quote.version) is None:
            yield Problem("quote", memory.id, f"the version {quote.version} that it quotes is not there")
        elif _text(tx, quote.version, quote.start, quote.stop) != quote.text:
            yield Problem("quote", memory.id, f"“{quote.text[:60]}” does not stand in {quote.version} as stored")


def _text(tx: Transaction, version: str, start: int, stop: int) -> str | None:
    """Return a stretch of a version's text; None where the store does not hold it."""
    try:
        return tx.sources.text(version, start, stop)
    except Damaged:
        return None


def _by_claim(tx: Transaction, claims: list[str]) -> Iterable[list[int]]:
    """Return the numbers of each claim's revisions."""
    found: dict[str, list[int]] = {}
    for one in tx.claims.revisions(claims):
        found.setdefault(one.claim, []).append(one.revision)
    return found.values()


def _forgotten_problems(tx: Transaction) -> Iterator[Problem]:
    """Yield what was forgotten and is there all the same."""
    ids = [str(row["id"]) for row in tx.tables.rows("tombstone")]
    for start in range(0, len(ids), _EVERY):
        some = ids[start : start + _EVERY]
        proposals = [str(row["id"]) for row in tx.tables.rows_where("proposal", "id", some)]
        for id in (*tx.memories.memories(some), *tx.sources.sources(some), *tx.entities.entities(some), *proposals):
            yield Problem("forgotten", id, "it was forgotten, and is there")
        for claim in tx.claims.claims(some).values():
            if claim.content or claim.value or claim.title or claim.summary:
                yield Problem("forgotten", claim.id, "it was forgotten, and words of it are there")


def index_problems(tx: Transaction, counts: dict[str, int]) -> Iterator[Problem]:
    """Yield whether the keyword index has a row for each chunk and each memory that is not archived."""
    wanted = tx.sources.count(Filter()).chunks + tx.memories.count(IN_SEARCH)
    counts["entries"] = tx.keywords.size()
    if counts["entries"] != wanted:
        text = f"the keyword index has {counts['entries']:,} rows; it should have {wanted:,}"
        yield Problem("derived", "words", text)
    astray = tx.tree.astray()
    if astray:
        yield Problem("derived", "tree", f"{astray:,} digests and leaves hang on nothing")
