"""Proving an erasure: which rows and words it concerns, where they are looked for, and what the receipt says."""

from __future__ import annotations

import json
import os
import re
import secrets
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from treering.api.readmitting import SETTING
from treering.domain.erasure import Proof, Receipt
from treering.domain.query import Term
from treering.domain.store_files import VERSION_CONTROL
from treering.domain.text import search_text
from treering.errors import TreeringError
from treering.upkeep import marks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from treering.domain.erasure import Wanted
    from treering.journal import StoredClaim, StoredErasure
    from treering.places import Place
    from treering.ports import Backend, Transaction
    from treering.upkeep.scan import Found

_MOST_SENTENCES: Final = 100_000
_MOST_WORDS: Final = 2_000
_MOST_IDS: Final = 100
_ID_END: Final = 12  # drawn at random: what stands before it is the time, which ids of one day have in common
_WORD: Final = re.compile(r"\w+")


def keep_key(tx: Transaction) -> bytes:
    """Return the key of the store's marks, which it gets with its first erasure."""
    known = tx.setting(SETTING)
    if known is None:
        known = secrets.token_hex(32)
        tx.put_setting(SETTING, known)
    return bytes.fromhex(known)


def planned(tx: Transaction, wanted: Wanted) -> tuple[str, ...]:
    """Return the ids of what would be erased."""
    from treering.curate import erase, targets

    gone: list[str] = []
    for id in wanted.ids:
        if not id.startswith(("src_", "ver_")):
            gone.append(targets.get(tx, id).id)
            continue
        found = erase.doomed(
            tx, id, cascade=wanted.cascade, keep=wanted.keep_memories, this_version=wanted.this_version
        )
        gone += [found.versions[0] if found.left else found.source.id]
        gone += () if wanted.keep_memories else found.alone
    return tuple(dict.fromkeys(gone))


def counted(tx: Transaction, wanted: Wanted) -> dict[str, int]:
    """Return how many rows of each table have to do with what would be erased."""
    return {table: len(rows) for table, rows in tx.erasures.rows_of(touched(tx, wanted)).items()}


def resting_on(tx: Transaction, sources: Sequence[str]) -> list[StoredClaim]:
    """Return the claims that quote a version of some sources."""
    versions = [version for source in sources for version in tx.sources.versions(source)]
    return list(tx.claims.claims(tx.claims.citing(versions)).values())


def touched(tx: Transaction, wanted: Wanted) -> tuple[str, ...]:
    """Return the ids of everything whose rows an erasure may take or change."""
    sources = {one for one in wanted.ids if one.startswith("src_")}
    versions = {one for one in wanted.ids if one.startswith("ver_")}
    for version in versions:
        sources |= {tx.sources.source_of(version) or ""} - {""}
    memories = {one for one in wanted.ids if not one.startswith(("src_", "ver_"))}
    memories |= {claim.memory for claim in resting_on(tx, sorted(sources))} - {""}
    claims = [claim for some in tx.claims.of_memories(sorted(memories)).values() for claim in some]
    ids = [claim.id for claim in claims]
    quoted = {quote.version for quotes in tx.claims.evidence(ids).values() for quote in quotes}
    notes = {claim.note for claim in claims if claim.note} | {tx.sources.source_of(one) or "" for one in quoted}
    sources |= {id for id, one in tx.sources.sources(sorted(notes - {""})).items() if one.key.startswith("note:")}
    versions |= {version for source in sources for version in tx.sources.versions(source)}
    words = {one.content for one in claims}
    proposals = {one.id for claim in claims for one in tx.journal.naming(claim.id, words)}
    proposals |= {one.id for source in sources for one in tx.journal.naming(source, ())}
    entities = {one for some in tx.entities.mentions(sorted(memories)).values() for one in some}
    return tuple(sorted({*memories, *ids, *sources, *versions, *proposals, *entities}))


def noted(
    tx: Transaction, place: Place, erasure: StoredErasure, wanted: Wanted, gone: Sequence[str],
    originals: Sequence[str], before: Mapping[str, Sequence[Mapping[str, Any]]],
    after: Mapping[str, Sequence[Mapping[str, Any]]],
) -> tuple[StoredErasure, list[str]]:  # fmt: skip
    """Return an erasure with what is left to do, its marks and its receipt; and the words that went."""
    counts, texts = marks.lost(before, after, tx.erasures.words())
    left = _entries(after)
    entries = [one for one in _entries(before) if one not in left]
    found = [one for text in texts for one in marks.sentences(text)]
    step = -(-len(found) // _MOST_SENTENCES) or 1
    key = keep_key(tx)
    joined = b"".join(sorted({marks.mark(key, one) for one in found[::step]}))
    files = files_of(place, before)
    copies, history = _elsewhere(tx, place, files)
    receipt = Receipt(
        erasure.id,
        erasure.begun_at,
        wanted.reason,
        counts,
        tuple(gone[:_MOST_IDS]),
        copies=copies,
        history=history,
        file_count=len(files),
    )
    return (
        erasure._replace(
            state="erased", wanted="", marks=joined,
            todo=json.dumps({"originals": list(originals), "entries": entries}),
            receipt=json.dumps(receipt.as_json(), ensure_ascii=False),
        ),
        texts,
    )  # fmt: skip


def _entries(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[int, None]:
    """Return the entries of the index that rows stand for."""
    return {row["entry"]: None for table in ("memory", "chunk") for row in rows.get(table, ())}


def files_of(place: Place, before: Mapping[str, Sequence[Mapping[str, Any]]]) -> tuple[str, ...]:
    """Return the files on disk that erased sources were read from and that are there still."""
    found = []
    for row in before.get("source", ()):
        kind, _, anchored = str(row["key"]).partition(":")
        path = place.resolve(anchored) if kind in {"file", "import"} else ""
        if path and os.path.lexists(path):
            found.append(path)
    return tuple(found)


def _elsewhere(tx: Transaction, place: Place, files: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what may still hold erased words: copies of the store, and repositories."""
    copies = [
        f"{one.kind} {path} of {one.made_at}"
        for one in tx.erasures.copies()
        for path in (one.path, f"{one.path}.part")  # the second one of a process that died
        if os.path.lexists(path)
    ]
    history: dict[str, None] = {}
    folder = os.path.join(place.folder, "backups")
    if place.address is None and os.path.isdir(folder):
        known = {path for one in tx.erasures.copies() for path in (one.path, f"{one.path}.part")}
        beside = (
            os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith((".tar", ".db", ".part"))
        )
        copies += [f"backup {path}" for path in beside if path not in known]
    for folder in sorted({os.path.dirname(path) for path in files}):
        if repository := _repository(folder):
            history[repository] = None
    if place.address is None:
        from treering.upkeep.mirror.folder import folder_of

        hidden = os.path.exists(os.path.join(place.folder, ".gitignore"))
        mirror = folder_of(place.database)
        shown = os.path.isdir(mirror)
        for folder in ((os.path.realpath(mirror),) if shown else ()) + ((place.folder,) if shown or not hidden else ()):
            if repository := _repository(folder):
                history[repository] = None
    return tuple(copies), tuple(history)


def _repository(folder: str) -> str:
    """Return the repository that a folder lies in; empty for none."""
    while True:
        if any(os.path.lexists(os.path.join(folder, mark)) for mark in VERSION_CONTROL):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return ""
        folder = above


def cut_signs(place: Place, entries: Sequence[int]) -> None:
    """Cut rows out of the files of signs beside the database."""
    if place.address is not None or not entries:
        return
    from treering.api import sidecar

    sidecar.cut(place.database, entries)


def in_index(tx: Transaction, texts: Sequence[str], entries: Sequence[int]) -> Proof:
    """Look for the words of erased texts in the keyword index; those that are left must be others'."""
    words = sorted({word for text in texts for word in _WORD.findall(search_text(text))})[:_MOST_WORDS]
    left = tx.keywords.under([Term((word,)) for word in words], entries)
    return Proof(words=len(words), found=("the keyword index",) if left else ())


def proved(
    store: Backend, place: Place, receipt: Receipt, joined: bytes, texts: Sequence[str] | None, at: str
) -> tuple[Receipt, bytes]:
    """Look for erased words in everything that the store has; return the receipt, and the marks that stay with it.

    A sentence that another text of the store has as well is no trace: it leaves no mark.
    """
    known = dict.fromkeys(marks.split(joined), at)
    if texts is not None and place.address is None:
        receipt, shared = _proved_by_bytes(store, place, receipt, texts)
        with store.read() as tx:
            key = keep_key_of(tx)
            maybe = {marks.mark(key, one): at for one in shared}
            others = marks.held(tx, key, {one: at for one in known if one in maybe})
        return receipt, b"".join(one for one in known if one not in others)
    with store.read() as tx:
        others = marks.held(tx, keep_key_of(tx), known)
    left = {one: at for one in known if one not in others}
    how = "marks" if texts is None else "rows"
    found = tuple(in_files(store, place, left, fix=True)[0]) if texts is None else ()
    proof = receipt.proof._replace(how=how, pieces=len(known), shared=len(others), found=found)
    return receipt._replace(proof=proof), b"".join(left)


def in_files(
    store: Backend, place: Place, known: Mapping[bytes, str], *, fix: bool
) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return files of the mirror that say an erased sentence, and those of them that were removed, each with a mark.

    Only those that do not lie there as they were written: the others say what the rows do, and with these they go.

    Args:
        store: the store.
        place: where it is.
        known: marks of erased sentences, with each when it was erased.
        fix: whether to remove files of what was erased, and half written ones.
    """
    from treering.upkeep.mirror import astray
    from treering.upkeep.mirror.folder import Folder, folder_of

    if place.address is not None or place.database == ":memory:":
        return {}, {}
    folder = Folder(folder_of(place.database))
    if not folder.exists():
        return {}, {}
    with store.read() as tx:
        paths = astray.unnoted(tx, folder)
        said = astray.saying(tx, folder, paths, keep_key_of(tx), known)
    gone = list[str]()
    if fix:
        with store.write() as tx:
            gone = astray.remove(tx, folder, paths)
    name = os.path.basename(folder.path)
    shown = {path: f"{name}/{path}" for path in said}
    first = {path: min(held) for path, held in said.items()}
    return (
        {shown[path]: mark for path, mark in first.items() if path not in gone},
        {shown[path]: mark for path, mark in first.items() if path in gone},
    )


def _proved_by_bytes(
    store: Backend, place: Place, receipt: Receipt, texts: Sequence[str]
) -> tuple[Receipt, list[str]]:  # fmt: skip
    """Read every byte of the store's files; return what was found, and the sentences that others may have as well.

    The ids of what went are looked for, too: a copy of a memory's file that lies elsewhere says whose it is.
    """
    from treering.upkeep.scan import pieces_of

    wanted = [one for text in texts for one in marks.sentences(text)]
    ends = [id[-_ID_END:] for id in receipt.ids]
    named = {piece for end in ends for piece in pieces_of(end)}
    scanned, halves = _scanned(place, [*wanted, *ends])
    said = {path: pieces - named for path, pieces in scanned.hits.items() if not pieces <= named}
    proof = receipt.proof._replace(
        how="bytes", files=scanned.files, size_bytes=scanned.size_bytes, pieces=scanned.pieces - len(named)
    )
    hits = frozenset(piece for pieces in said.values() for piece in pieces)
    living, kept = set[bytes](), set[str]()
    if hits:
        with store.read() as tx:
            living = _living(tx, hits)
            kept = set(tx.sources.digests())  # what is packed in them is theirs
    left = {path for path, pieces in said.items() if not pieces <= living and os.path.basename(path) not in kept}
    copies = [path for path, pieces in scanned.hits.items() if not named.isdisjoint(pieces)]
    gone = _without_copies(store, place, left.union(copies, halves))
    removed = {**receipt.removed, "file": len(gone)} if gone else receipt.removed
    found = sorted(os.path.relpath(path, place.folder) for path in left.difference(gone))
    proof = proof._replace(shared=len(living), found=(*proof.found, *found))
    return receipt._replace(proof=proof, removed=removed), [one for one in wanted if hits and pieces_of(one) <= hits]


def _without_copies(store: Backend, place: Place, paths: Iterable[str]) -> set[str]:
    """Remove from the mirror what is a copy of an erased object's file, or half of one; return which went."""
    from treering.upkeep.mirror import astray
    from treering.upkeep.mirror.folder import Folder, folder_of

    folder = Folder(folder_of(place.database))
    suspects = {below: path for path, below in astray.below(folder, paths).items()}
    if not suspects:
        return set()
    with store.write() as tx:
        return {suspects[one] for one in astray.remove(tx, folder, suspects)}


def keep_key_of(tx: Transaction) -> bytes:
    """Return the key of the store's marks; empty where nothing was ever erased."""
    known = tx.setting(SETTING)
    return bytes.fromhex(known) if known else b""


def _scanned(place: Place, sentences: Sequence[str]) -> tuple[Found, list[str]]:
    """Read every byte of the store's files but for archives, which the receipt names; return half written ones, too."""
    from treering.upkeep import scan

    folder, name = os.path.split(place.database)
    paths = [path for path, reach in scan.owned(folder, name) if reach not in {"named", "none"}]
    return scan.scan(paths, sentences), [path for path in paths if path.endswith(".tmp")]


def _living(tx: Transaction, pieces: frozenset[bytes]) -> set[bytes]:
    """Return the stretches that some text of the store has."""
    from treering.upkeep.scan import written

    found: set[bytes] = set()
    left = set(pieces)
    words = tx.erasures.words()
    for table in sorted(words, key=lambda name: name not in {"memory", "content"}):  # where most of it is
        for row in tx.tables.rows(table):
            for text in marks.texts_of(row, words[table]):
                here = [one for raw in written(text) for one in left if one in raw]
                if here:
                    found.update(here)
                    left.difference_update(here)
            if not left:
                return found
    for digest in tx.originals.kept():
        with suppress(TreeringError):
            raw = tx.originals.get(digest)
            found.update(one for one in left if one in raw)
    return found
