"""Erase: memories leave with every word of them; of a slot's claim its place in the history remains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.curate import targets
from treering.curate.settle import settle
from treering.domain.named import NamedTuple
from treering.errors import HasDependents, NotFound, Refused
from treering.ports.mirrored import Due

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.curate.curator import Curator
    from treering.journal import StoredClaim
    from treering.ports import Transaction
    from treering.records import StoredSource

_NAMED = 5


def memories(tx: Transaction, curator: Curator, ids: Sequence[str], reason: str) -> tuple[str, ...]:
    """Erase memories, all of them or none; return their ids.

    Raises:
        NotFound: if one is not there.
        NotAllowed: if the caller is not the owner.
    """
    curator.require_owner("erases", "treering forget")
    gone = tuple(dict.fromkeys(targets.get(tx, id).id for id in ids))
    for id in gone:
        _erase(tx, curator, id, reason)
    return gone


class Doomed(NamedTuple):
    """A source that is to be erased.

    Attributes:
        source: the source.
        versions: those that go.
        alone: memories that rest on it and on nothing else.
        partly: memories that rest on something else, too.
        left: versions that stay.
    """

    source: StoredSource
    versions: tuple[str, ...]
    alone: tuple[str, ...]
    partly: tuple[str, ...]
    left: tuple[str, ...] = ()


def doomed(tx: Transaction, id: str, *, cascade: bool, keep: bool, this_version: bool = False) -> Doomed:
    """Return a source that is to be erased, with the memories that rest on it.

    Args:
        tx: the store.
        id: the source, or one of its versions.
        cascade: whether memories that rest on it alone may go with it.
        keep: whether they may stay without it.
        this_version: whether only the version goes that is shown now.

    Raises:
        NotFound: if there is no such source.
        Refused: if it is the note of a memory, or has no other version.
        HasDependents: if memories rest on it, and nobody said what becomes of them.
    """
    source = _erasable(tx, tx.sources.source_of(id) or id)
    versions = every = tuple(tx.sources.versions(source.id))
    if this_version or id != source.id:
        versions = (source.version if id == source.id else id,)
        _require_another(source, versions[0], every)
    claims = tx.claims.claims(tx.claims.citing(versions))
    memories = sorted({claim.memory for claim in claims.values()} - {""})
    quotes = tx.memories.quotes(memories)
    alone = tuple(one for one in memories if all(quote.version in versions for quote in quotes[one]))
    if not (cascade or keep):
        _require_nothing(source, memories)
    partly = tuple(one for one in memories if one not in alone)
    return Doomed(source, versions, alone, partly, tuple(one for one in every if one not in versions))


def _require_another(source: StoredSource, version: str, every: Sequence[str]) -> None:
    """Refuse to erase the only version of a source, or what a file says at this moment."""
    if len(every) == 1:
        raise Refused(f"{source.id} has only this version", hint=f"treering forget {source.id}")
    if source.custody == "tracked" and version == source.version:
        raise Refused(f"{version} is what {source.key} says now: it would be read again",
                      hint=f"treering forget {source.id}")  # fmt: skip


def _require_nothing(source: StoredSource, memories: Sequence[str]) -> None:
    """Refuse to erase a source that memories rest on."""
    more = f" and {len(memories) - _NAMED} more" if len(memories) > _NAMED else ""
    if memories:
        raise HasDependents(
            f"memories rest on {source.id}: {', '.join(memories[:_NAMED])}{more}",
            hint=f"treering forget {source.id} --cascade (they go with it), or --keep-memories (they stay, unproved)",
        )


def source(tx: Transaction, curator: Curator, gone: Doomed, reason: str, *, keep: bool) -> tuple[str, ...]:
    """Erase what rests on a source; return the ids of what is gone. The source itself ``derived`` removes.

    Args:
        tx: a transaction that may write.
        curator: on whose behalf.
        gone: what ``doomed`` returned.
        reason: why; it stays with the tombstone.
        keep: whether memories that rest on it alone stay, as unconfirmed as their own word.

    Raises:
        NotAllowed: if the caller is not the owner.
    """
    curator.require_owner("erases", "treering forget")
    erased = () if keep else gone.alone
    for memory in erased:
        _erase(tx, curator, memory, reason)
    left = [one for one in (*gone.alone, *gone.partly) if one not in erased]
    for memory in left:
        curator.touch(memory)
    tx.claims.drop_evidence(gone.versions)
    if gone.source.key.startswith("note:"):
        _note_file(tx, gone.source)
    settle(tx, curator, [one for claims in tx.claims.of_memories(left).values() for one in claims])
    for id in gone.versions if gone.left else (gone.source.id,):
        _erase_proposals(tx, curator, id)
        tx.memories.bury(id, curator.at, reason)
        curator.record(tx, "forget", id, "erased")
    return (*(gone.versions if gone.left else (gone.source.id,)), *erased)


def _erasable(tx: Transaction, id: str) -> StoredSource:
    """Return a source that is there, and that is no memory's own note."""
    found = tx.sources.sources([id]).get(id)
    if found is None:
        at = tx.memories.forgotten_at(id)
        what = f"{id} was forgotten on {at[:10]}" if at else f"there is no source {id}"
        raise NotFound(what, hint="treering list sources")
    note = tx.memories.by_sources([found.id]).get(found.id)
    if note is not None:
        raise Refused(f"{found.id} is the note of {note.id}", hint=f"treering forget {note.id}")
    return found


def _erase(tx: Transaction, curator: Curator, memory: str, reason: str) -> None:
    """Erase one memory."""
    curator.touch(memory)
    claims = tx.claims.of_memories([memory])[memory]
    former = tx.claims.revisions([claim.id for claim in claims])
    words = sorted({one.content for one in claims} | {one.content for one in former})
    entities = tx.entities.mentions([memory]).get(memory, ())
    for claim in claims:
        _erase_proposals(tx, curator, claim.id, words)
        _erase_claim(tx, curator, claim)
    tx.entities.remove_unmentioned(entities)
    for id in set(entities).difference(tx.entities.entities(entities)):
        tx.memories.bury(id, curator.at)
    tx.memories.remove(memory)
    for id in {memory, *(claim.id for claim in claims)}:
        tx.memories.bury(id, curator.at, reason)
    settle(tx, curator, [claim._replace(memory="") for claim in claims])
    curator.record(tx, "forget", memory, "erased")


def _erase_proposals(tx: Transaction, curator: Curator, id: str, words: Sequence[str] = ()) -> None:
    """Erase what was put before the owner of something, or in its words; no file of the mirror brings it back."""
    for proposal in tx.journal.naming(id, words):
        tx.journal.remove_proposal(proposal.id)
        tx.memories.bury(proposal.id, curator.at)


def _erase_claim(tx: Transaction, curator: Curator, claim: StoredClaim) -> None:
    """Erase one claim, with its note and the notes of erased ones that it alone quoted."""
    quoted = {tx.sources.source_of(quote.version) or "" for quote in tx.claims.evidence([claim.id])[claim.id]}
    curator.decide(tx, claim.id, "erase")
    tx.claims.erase(claim.id, curator.at)
    for source in tx.sources.sources(sorted({claim.note, *quoted} - {""})).values():
        if source.id == claim.note or _is_left_over(tx, source):
            if source.id != claim.note:
                _note_file(tx, source)
            _remove_note(tx, source)


def _is_left_over(tx: Transaction, source: StoredSource) -> bool:
    """Tell whether a source is the note of a claim that was erased and was kept because another one quoted it."""
    kept, _, id = source.key.partition(":")
    claim = tx.claims.claims([id]).get(id)
    return kept == "note" and claim is not None and bool(claim.erased_at)


def _note_file(tx: Transaction, note: StoredSource) -> None:
    """Have the mirror write or remove a note's own file: it has one once its memory is gone, in whose file it stood."""
    tx.mirrored.add_due([Due("source", note.id)])


def _remove_note(tx: Transaction, note: StoredSource) -> None:
    """Remove a note, also from what claims rested on once; what others quote stays, but is searched no more."""
    versions = tx.sources.versions(note.id)
    if tx.claims.citing(versions):
        _note_file(tx, note)
        tx.sources.drop_chunks(note.version)
    else:
        tx.claims.drop_former_evidence(versions)
        tx.sources.remove_source(note.id)
