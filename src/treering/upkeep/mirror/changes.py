"""What people did to the files since they were written: found by a stat for each, and read where that differs."""

from __future__ import annotations

import unicodedata
from hashlib import sha256
from itertools import compress
from typing import TYPE_CHECKING, Any, Final

from treering.domain.ids import is_id
from treering.domain.named import NamedTuple
from treering.upkeep.mirror import front, memories, names, sources, texts
from treering.upkeep.mirror.folder import Seen
from treering.upkeep.mirror.reading import LARGEST_SOURCE, Trouble
from treering.upkeep.mirror.texts import Unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.ports.mirrored import Mirrored, MirrorFile, Stamp
    from treering.upkeep.mirror.folder import Folder

_FEW: Final = 5
"""As many files may be gone whatever share that is; of more than half of them it is taken for an accident."""


class Page(NamedTuple):
    """A file as it reads now.

    Attributes:
        path: below the mirror's folder.
        values: its front matter; empty without one.
        content: what it says, without its quotes.
        quotes: those that stand in it.
        body: everything behind the front matter, as it is.
    """

    path: str
    values: dict[str, Any]
    content: str
    quotes: tuple[memories.Quoted, ...]
    body: str

    @property
    def id(self) -> str:
        """What it says that it is the file of; empty when it says nothing."""
        return str(self.values.get("id") or "")


class Changes(NamedTuple):
    """What was done to the files.

    Attributes:
        new: files of nothing that the store knows.
        edited: memories by id, with what each side of a merge says: one or two pages.
        gone: memories whose file was removed.
        again: objects whose file is to be written again: nobody edits those.
        moved: files that lie elsewhere now, or were only touched.
        troubles: files that say nothing that can be taken, and why.
        held_back: how many files are gone, where that are too many to believe it.
    """

    new: list[Page]
    edited: dict[str, tuple[Page, ...]]
    gone: list[str]
    again: list[str]
    moved: list[MirrorFile]
    troubles: list[Trouble]
    held_back: int = 0


def look(folder: Folder, state: Mirrored) -> Changes:
    """Return what was done to the files since they were written or read.

    Args:
        folder: the mirror.
        state: what is known of it.
    """
    found = Changes([], {}, [], [], [], [])
    stamps = state.stamps()
    if not folder.exists():
        again = [one.id for one in state.files_at([stamp[0] for stamp in stamps])]
        return found._replace(held_back=len(again), again=again)
    noted, lying = _unlike(stamps, list(folder.walk()))
    left = {_plain(one.path): one for one in state.files_at([stamp[0] for stamp in noted])}
    unknown: list[Seen] = []
    for seen in map(Seen._make, sorted(lying)):
        known = left.pop(_plain(seen.path), None)
        if known is None:
            unknown.append(seen)
        elif known.size_bytes != seen.size_bytes or known.mtime_ns != seen.mtime_ns or seen.link:
            _touched(folder, seen, known, found)
    _sort_out(folder, unknown, left, state, found)
    missing = [one.id for one in left.values()]
    memories_gone = [id for id in missing if is_id(id, "mem")]
    if len(memories_gone) > max(_FEW, len(stamps) // 2):
        return found._replace(held_back=len(memories_gone), again=[*found.again, *missing])
    found.gone.extend(memories_gone)
    found.again.extend(id for id in missing if not is_id(id, "mem"))
    return found


def _unlike(noted: Sequence[Stamp], lying: Sequence[Stamp]) -> tuple[list[Stamp], list[Stamp]]:
    """Return of two lists, each without what is in both.

    By their hashes, which a set has found in a third of the time that whole tuples take. Two that differ and have
    one hash of 64 bits would be passed over until the next process, which makes other ones of the same words.
    """
    ours, theirs = list(map(hash, noted)), list(map(hash, lying))
    alone = set(ours) ^ set(theirs)
    if not alone:
        return [], []
    is_alone = alone.__contains__
    return list(compress(noted, map(is_alone, ours))), list(compress(lying, map(is_alone, theirs)))


def _touched(folder: Folder, seen: Seen, known: MirrorFile, found: Changes) -> None:
    """Note a file whose size or time is another one."""
    raw = _read(folder, seen, found)
    if raw is None:
        return
    if sha256(raw).hexdigest() == known.sha256:
        found.moved.append(known._replace(size_bytes=seen.size_bytes, mtime_ns=seen.mtime_ns))
    else:
        _edited(seen, raw, known, found)


def _sort_out(
    folder: Folder, unknown: Sequence[Seen], left: dict[str, MirrorFile], state: Mirrored, found: Changes
) -> None:
    """Note files at places where none was; those that were moved there are taken out of what is left."""
    if not unknown:
        return
    files = state.files()
    missing = {one.id: path for path, one in left.items()}
    for seen in sorted(unknown):
        raw = _read(folder, seen, found)
        if raw is not None:
            _unknown(seen, raw, files, missing, found)
    for path in [path for path, one in left.items() if one.id not in missing]:
        del left[path]


def _plain(path: str) -> str:
    """Return a path as it is compared: some systems take letters with accents apart."""
    return path if path.isascii() else unicodedata.normalize("NFC", path)


def _read(folder: Folder, seen: Seen, found: Changes) -> bytes | None:
    """Return the bytes of a file; None for one that is not read, which is then noted."""
    most = LARGEST_SOURCE if seen.path.startswith("sources/") else texts.LARGEST
    why = ""
    if seen.link:
        why = "it is a link: only files are read"
    elif seen.size_bytes > most:
        why = f"it is too large for a memory: {seen.size_bytes:,} bytes; treering import keeps it as a source"
    else:
        try:
            return folder.read(seen.path)
        except OSError as error:
            why = f"it cannot be read: {error.strerror}"
    found.troubles.append(Trouble(seen.path, why))
    return None


def page(path: str, text: str) -> Page:
    """Return a file as a page.

    Raises:
        Unreadable: if its front matter was broken.
    """
    parts = front.split(text)
    if parts.error:
        raise Unreadable(f"its front matter cannot be read: {parts.error}")
    content, quotes = memories.read_body(parts.body)
    return Page(path, parts.front or {}, content, tuple(quotes), parts.body)


def _edited(seen: Seen, raw: bytes, known: MirrorFile, found: Changes) -> None:
    """Note a file that says something else than was written."""
    if known.path in names.OWN or is_id(known.id, "prp") or is_id(known.id, "ent"):
        found.again.append(known.id)
        return
    try:
        text = texts.decode(raw)
        if is_id(known.id, "ver"):
            _source(seen, text, known, found)
            return
        ours, theirs = texts.sides(texts.lines_of(text))
        pages = [page(seen.path, side) for side in dict.fromkeys((ours, theirs))]
    except Unreadable as error:
        found.troubles.append(Trouble(seen.path, str(error)))
        return
    for one in pages:
        if one.id and one.id != known.id:
            why = (
                f"it says that it is {one.id}, but it is the file of {known.id}: put that id back, or remove the line"
                " in a copy of it for a new memory"
            )
            found.troubles.append(Trouble(seen.path, why))
            return
    found.edited[known.id] = tuple(pages)


def _source(seen: Seen, text: str, known: MirrorFile, found: Changes) -> None:
    """Note a source's file that was changed: its text is kept as it was."""
    parts = front.split(text)
    digest = (parts.front or {}).get("text_sha256")
    if digest in {sources.digest(parts.body), sources.digest(texts.lines_of(parts.body))} and digest is not None:
        found.again.append(known.id)
        return
    why = "a version's text does not change: treering import the new text, or remove the file and it is written again"
    found.troubles.append(Trouble(seen.path, why))


def _unknown(seen: Seen, raw: bytes, files: Mapping[str, MirrorFile], missing: dict[str, str], found: Changes) -> None:
    """Note a file at a place where none was; one that was moved there is no longer missing."""
    try:
        text = texts.decode(raw)
        is_source = seen.path.startswith("sources/")
        ours, theirs = (text, text) if is_source else texts.sides(texts.lines_of(text))
        pages = [page(seen.path, side) for side in dict.fromkeys((ours, theirs))]
    except Unreadable as error:
        found.troubles.append(Trouble(seen.path, str(error)))
        return
    id = pages[0].id
    known = files.get(id)
    if known is None:
        if seen.path not in names.OWN:
            found.new.extend(pages if len({one.id for one in pages}) > 1 else pages[:1])
        return
    if id not in missing:
        why = f"{known.path} has the id {id}, too: remove the line with the id for a new memory, or remove the file"
        found.troubles.append(Trouble(seen.path, why))
        return
    del missing[id]
    digest = sha256(raw).hexdigest()
    moved = known._replace(path=seen.path)
    if digest == known.sha256:
        found.moved.append(moved._replace(size_bytes=seen.size_bytes, mtime_ns=seen.mtime_ns))
        return
    found.moved.append(moved)
    _edited(seen, raw, moved, found)
