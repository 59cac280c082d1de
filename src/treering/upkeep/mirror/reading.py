"""A whole mirror as rows: what a rebuild puts into an empty store."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from treering.domain.ids import is_id
from treering.domain.named import NamedTuple
from treering.ports.mirrored import MirrorFile
from treering.upkeep.mirror import front, memories, names, others, sources, texts
from treering.upkeep.mirror.folder import Seen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from treering.upkeep.mirror.folder import Folder
    from treering.upkeep.mirror.rows import Row

_ACT: Final = ("number", "at", "role", "author", "name", "target", "outcome", "inverse", "undone")
_SETTINGS: Final = ("zone", "erasure key")
_NAMED: Final = re.compile(r"[0-9a-z]{22}\.md\Z")
LARGEST_SOURCE: Final = 1 << 30
_TABLES: Final = (
    "source", "version", "content", "label", "claim", "replacement", "claim_revision", "evidence", "decision",
    "proposal", "entity", "alias", "mention", "link", "memory", "memory_label", "briefing", "tombstone", "act", "chunk",
    "erasure",
)  # fmt: skip


class Trouble(NamedTuple):
    """A file, or a part of one, that was not taken, and why."""

    path: str
    why: str


class Read(NamedTuple):
    """What a mirror holds.

    Attributes:
        rows: by table; entries are not given out yet.
        files: where each object was read.
        settings: what the store keeps about itself.
        roots: folders that were indexed in place: they are to be indexed again.
        troubles: what was not taken.
    """

    rows: dict[str, list[Row]]
    files: list[MirrorFile]
    settings: dict[str, str]
    roots: list[Row]
    troubles: list[Trouble]


def read(folder: Folder, progress: Callable[[int, int], None] | None = None) -> Read:
    """Read every file of a mirror.

    Args:
        folder: where it is.
        progress: called with files read and files in all.
    """
    found = Read({name: [] for name in _TABLES}, [], {}, [], [])
    taken: dict[str, str] = {}
    buried = set[str]()
    files = [Seen(*one) for one in folder.walk()]
    # What was erased is known before any file that version control may have brought back. A copy beside the original
    # rarely has a name that the id gives: the original is read first.
    files.sort(key=lambda one: (one.path != names.ERASED, _NAMED.search(one.path) is None, one.path))
    for number, seen in enumerate(files, 1):
        try:
            _file(folder, seen, found, taken, buried)
        except texts.Unreadable as error:
            found.troubles.append(Trouble(seen.path, str(error)))
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            what = (
                f"it lacks {error}"
                if isinstance(error, KeyError)
                else f"it does not say what a mirror's file says ({error})"
            )
            found.troubles.append(Trouble(seen.path, what))
        if progress is not None and number % 500 == 0:
            progress(number, len(files))
    _logs(folder, found)
    _mend(found)
    return found


def _file(folder: Folder, seen: Seen, found: Read, taken: dict[str, str], buried: set[str]) -> None:
    """Add what one file says."""
    is_source = seen.path.startswith("sources/")
    raw = _bytes_of(folder, seen, LARGEST_SOURCE if is_source else texts.LARGEST)
    text = texts.decode(raw)
    digest = sha256(raw).hexdigest()
    if not is_source:
        text = texts.lines_of(text)
        ours, theirs = texts.sides(text)
        if ours != theirs and seen.path == names.ERASED:  # what either side erased is erased
            _own(seen.path, front.split(theirs).front or {}, found)
        if ours != theirs:
            text, digest = ours, sha256(ours.encode()).hexdigest()
            found.troubles.append(
                Trouble(seen.path, "a merge left two sides: the first was taken, treering sync takes the other")
            )
    parts = front.split(text)
    if parts.front is None:
        raise texts.Unreadable(parts.error or "it has no front matter: treering sync takes it as a new memory")
    values = parts.front
    if seen.path in names.OWN:
        _own(seen.path, values, found)
        buried.update(row["id"] for row in found.rows["tombstone"])
        found.files.append(MirrorFile(seen.path, seen.path, digest, seen.size_bytes, seen.mtime_ns))
        return
    id = str(values.get("id", ""))
    if id in taken:
        raise texts.Unreadable(f"{taken[id]} has the id {id}, too; that one was taken")
    owner = str(values.get("source", "")) if is_id(id, "ver") else id
    if owner in buried:
        raise texts.Unreadable(f"{owner} was forgotten and stays so: treering sync removes the file")
    rows = _object(folder, seen.path, id, values, parts.body)
    taken[id] = seen.path
    for table, several in rows.items():
        found.rows[table] += several
    found.files.append(MirrorFile(id, seen.path, digest, seen.size_bytes, seen.mtime_ns))


def _bytes_of(folder: Folder, seen: Seen, most: int) -> bytes:
    """Return the bytes of a file that is one, and not too large."""
    if seen.link:
        raise texts.Unreadable("it is a link: only files are read")
    if seen.size_bytes > most:
        raise texts.Unreadable(f"it is too large: {seen.size_bytes:,} bytes")
    return folder.read(seen.path)


def _own(path: str, values: dict[str, Any], found: Read) -> None:
    """Add what the files at the top say."""
    if path == names.STORE:
        found.settings.update({str(k): str(v) for k, v in (values.get("settings") or {}).items() if k in _SETTINGS})
        found.roots.extend(values.get("roots") or [])
        return
    for table, several in others.unpack_erased(values).items():
        found.rows[table] += several


def _object(folder: Folder, path: str, id: str, values: dict[str, Any], body: str) -> dict[str, list[Row]]:
    """Return the rows of one object."""
    if is_id(id, "mem") and "claims" in values:
        return memories.unpack(values, *memories.read_body(body))
    if is_id(id, "ver"):
        rows = sources.unpack(values, body)
        if values.get("text_sha256") != sources.digest(body):
            plain = texts.lines_of(body)
            if values.get("text_sha256") != sources.digest(plain):
                raise texts.Unreadable("its text is no longer the one that was kept")
            rows["content"][0]["text"] = plain
        cut = path.removesuffix(".md") + names.CUT
        if folder.stat(cut) is not None:
            rows["chunk"] = sources.read_cut(folder.read(cut).decode(), values["source"])
        return rows
    if is_id(id, "ent"):
        return others.unpack_entity(values)
    if is_id(id, "prp"):
        return others.unpack_proposal(values)
    raise texts.Unreadable("it has no id of Treering's: treering sync takes it as a new memory")


def _logs(folder: Folder, found: Read) -> None:
    """Add the audit log."""
    for path in folder.logs():
        try:
            text = texts.lines_of(texts.decode(folder.read(path)))
        except (texts.Unreadable, OSError) as error:
            found.troubles.append(Trouble(path, str(error)))
            continue
        found.rows["act"] += [act for act, _ in others.read_log(text, _ACT) if act is not None]


def _mend(found: Read) -> None:
    """Make rows of files that two copies wrote, or that somebody removed some of, fit together."""
    rows = found.rows
    _one_by_key(rows)
    claims = _unique(rows["claim"], "id")
    rows["claim"] = list(claims.values())
    entities = _unique(rows["entity"], "id")
    rows["entity"] = list(entities.values())
    for table in ("tombstone", "erasure"):
        rows[table] = list(_unique(rows[table], "id").values())
    rows["version"] = list(_unique(rows["version"], "id").values())
    known = {row["id"] for row in rows["source"]}
    for row in [row for row in rows["version"] if row["source"] not in known]:
        found.troubles.append(Trouble(f"sources/{row['source']}", f"no file describes the source of {row['id']}"))
    rows["version"] = [row for row in rows["version"] if row["source"] in known]
    versions = {row["id"] for row in rows["version"]}
    rows["content"] = [row for row in rows["content"] if row["version"] in versions]
    rows["link"] = _kept(rows["link"], lambda row: row["from_id"] in claims and row["to_id"] in claims)
    rows["mention"] = _kept(rows["mention"], lambda row: row["claim"] in claims and row["entity"] in entities)
    _number(rows)
    erased = {id for id, row in claims.items() if row["erased_at"]}
    for table in ("evidence", "claim_revision", "mention"):
        rows[table] = [row for row in rows[table] if row["claim"] not in erased]


def _kept(rows: list[Row], wanted: Callable[[Row], bool]) -> list[Row]:
    """Return the rows that refer to what is there, each once."""
    return list({tuple(row.values()): row for row in rows if wanted(row)}.values())


def _unique(rows: Iterable[Row], column: str) -> dict[Any, Row]:
    """Return the first row of each key."""
    found: dict[Any, Row] = {}
    for row in rows:
        found.setdefault(row[column], row)
    return found


def _one_by_key(rows: dict[str, list[Row]]) -> None:
    """Let two sources that two copies made of one key be one."""
    first: dict[str, Row] = {}
    onto: dict[str, str] = {}
    for row in sorted(rows["source"], key=lambda one: one["id"]):
        known = first.setdefault(row["key"], row)
        if known["id"] != row["id"]:
            onto[row["id"]] = known["id"]
            known["version"] = max(known["version"], row["version"])
    rows["source"] = list(first.values())
    for table in ("version", "label", "chunk"):
        for row in rows[table]:
            row["source"] = onto.get(row["source"], row["source"])
    seen = {(row["source"], row["key"], row["place"]): row for row in rows["label"]}
    rows["label"] = list(seen.values())
    current = {row["id"]: row["version"] for row in rows["source"]}
    there = {row["id"] for row in rows["version"]}
    for row in rows["source"]:
        if row["version"] not in there:
            of_it = [one["id"] for one in rows["version"] if one["source"] == row["id"]]
            row["version"] = max(of_it, default=current[row["id"]])
    for row in rows["claim"]:
        row["note"] = onto.get(row["note"], row["note"])
    for row in rows["memory"]:
        row["source"] = onto.get(row["source"], row["source"])
    cut = {(row["source"], row["ordinal"]): row for row in rows["chunk"]}
    rows["chunk"] = list(cut.values())


def _number(rows: dict[str, list[Row]]) -> None:
    """Number decisions and acts anew where two copies used the same numbers."""
    for table in ("decision", "act"):
        several = {tuple(row.values()): row for row in rows[table]}.values()
        numbers = {row["number"] for row in several}
        ordered = sorted(several, key=lambda row: (row["number"], row["at"]))
        if len(numbers) < len(ordered):
            ordered = sorted(ordered, key=lambda row: (row["at"], row["number"]))
            for number, row in enumerate(ordered, 1):
                row["number"] = number
            for act in rows["act"]:  # what takes a decision back goes by its number
                act["inverse"] = ""
        rows[table] = ordered
