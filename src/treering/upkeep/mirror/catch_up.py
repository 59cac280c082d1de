"""Catch up: files are made to say what the store does, for what has changed and nothing else."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from treering.domain.named import NamedTuple
from treering.ports.mirrored import Due, MirrorFile
from treering.upkeep.mirror import memories, names, others, rows, sources, trunk
from treering.upkeep.mirror.noted import Unnoted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from treering.ports import Transaction
    from treering.upkeep.mirror.folder import Folder
    from treering.upkeep.mirror.noted import State
    from treering.upkeep.mirror.rows import Row

_ACT: Final = ("number", "at", "role", "author", "name", "target", "outcome", "inverse", "undone")
_OWN_KINDS: Final = frozenset({"erased", "store"})
_PAGE: Final = 500
_NOTE: Final = "note:mem_"


class Caught(NamedTuple):
    """What was written.

    Attributes:
        written: files that are new or other ones than before.
        removed: files of what is no more.
        held: files that were changed by hand and left alone, until they are synced.
    """

    written: int = 0
    removed: int = 0
    held: tuple[str, ...] = ()


def catch_up(tx: Transaction, folder: Folder, limit: int, *, force: Sequence[str] = ()) -> Caught:
    """Write what has changed into the mirror.

    Args:
        tx: a transaction that may write; as long as it is open nobody else writes the mirror.
        folder: the mirror.
        limit: how many changed objects at most.
        force: ids of objects whose files are written whatever was done to them by hand.
    """
    due = tx.mirrored.due(limit)
    writer = _Writer(tx, folder, tx.mirrored, frozenset(force))
    writer.write([*due, *_asked(tx, force)])
    tx.mirrored.done(due)
    return writer.finish()


def erase(tx: Transaction, folder: Folder) -> Caught:
    """Take what was erased out of the files, whatever else waits to be written.

    Files of what is no more go, even where somebody edited them; files of what has changed with it are written anew.
    """
    due = _due_of_files(tx)
    writer = _Writer(tx, folder, tx.mirrored, frozenset())
    writer.write(due)
    tx.mirrored.done(due)
    return writer.finish()


def put_receipts(tx: Transaction, folder: Folder) -> None:
    """Write the file of what was erased as it is now, unless it says so already."""
    writer = _Writer(tx, folder, tx.mirrored, frozenset())
    writer.write([Due("erased", "")])
    writer.finish()


def _due_of_files(tx: Transaction) -> list[Due]:
    """Return what has changed of objects that have files; neither all files nor all that waits is read."""
    due = tx.mirrored.due(_PAGE)
    if len(due) < _PAGE:
        files = tx.mirrored.files([one.id for one in due])
        having = {one.id for one in due if one.id in files or (one.kind == "source" and _texts_of(tx.mirrored, one.id))}
        return [one for one in due if one.id in having or one.kind in _OWN_KINDS]
    files = tx.mirrored.files()
    owners = {path.split("/")[1] for path in (file.path for file in files.values()) if path.startswith("sources/")}
    return [*tx.mirrored.due_among([*files, *owners]), *tx.mirrored.due_among([""])]


def _texts_of(state: State, source: str) -> dict[str, MirrorFile]:
    """Return the files of a source's versions."""
    return state.files_below(f"sources/{source}")


def write_all(tx: Transaction, folder: Folder, progress: Callable[[int, int], None] | None = None) -> int:
    """Write everything into a new folder, of which the store takes no note; return how many files that are."""
    state, done = Unnoted(), 0
    tables = {"source": "source", "memory": "memory", "entity": "entity", "proposal": "proposal", "act": "act"}
    total = sum(tx.tables.count(table) for table in tables.values())
    written = 0
    for kind, table in tables.items():
        page: list[Due] = []
        for row in tx.tables.rows(table):
            page.append(Due(kind, str(row["number" if kind == "act" else "id"])))
            done += 1
            if len(page) == _PAGE:
                written += _written(tx, folder, state, page)
                page = []
                if progress is not None:
                    progress(done, total)
        written += _written(tx, folder, state, page)
    return written + _written(tx, folder, state, [Due("erased", ""), Due("store", "")])


def _written(tx: Transaction, folder: Folder, state: Unnoted, page: Sequence[Due]) -> int:
    """Write some files and return how many."""
    writer = _Writer(tx, folder, state, frozenset())
    writer.write(page)
    return writer.finish().written


def _asked(tx: Transaction, force: Sequence[str]) -> list[Due]:
    """Return the objects that were asked for by id; a version stands for its source."""
    found = []
    for id in force:
        if id in names.OWN:
            found.append(Due("erased" if id == names.ERASED else "store", ""))
        elif id.startswith("ver_"):
            found.append(Due("source", tx.sources.source_of(id) or id))
        else:
            found.append(Due(_KINDS[id[:3]], id))
    return found


def _is_before(act: tuple[int, str], line: str) -> bool:
    """Tell whether the last line of a log is that of an earlier act."""
    [(last, _)] = others.read_log(line, _ACT)
    return last is not None and last["number"] < act[0] and last["at"] <= act[1]


_KINDS: Final = {"mem": "memory", "src": "source", "ent": "entity", "prp": "proposal"}


class _Writer:
    """One run: what was read of the store, and what came of it."""

    def __init__(self, tx: Transaction, folder: Folder, state: State, force: frozenset[str]) -> None:
        """Begin with nothing written."""
        self._tx = tx
        self._folder = folder
        self._state = state
        self._force = force
        self._files: dict[str, MirrorFile] = {}
        self._new: dict[str, MirrorFile] = {}
        self._gone: list[str] = []
        self._held: list[str] = []
        self._indexed = False

    def write(self, due: Sequence[Due]) -> None:
        """Write the files of objects; sources first, because memories say where they are."""
        by_kind: dict[str, list[str]] = {}
        for one in due:
            by_kind.setdefault(one.kind, []).append(one.id)
        steps: dict[str, Callable[[list[str]], None]] = {
            "source": self._sources, "memory": self._memories, "entity": self._entities,
            "proposal": self._proposals, "erased": self._erased, "store": self._store, "act": self._acts,
        }  # fmt: skip
        for kind, step in steps.items():
            if kind in by_kind:
                step(list(dict.fromkeys(by_kind[kind])))

    def finish(self) -> Caught:
        """Note the files and return what was done."""
        is_there = self._folder.stat(names.INDEX) is not None
        if is_there or self._indexed or self._new:
            raw = others.index(*self._folder.months(), trunk.lines(self._tx))
            if not is_there or self._digest_of(names.INDEX) != sha256(raw.encode(errors="surrogatepass")).hexdigest():
                self._folder.write("", names.INDEX, raw)
        self._state.put_files(self._new.values())
        self._state.drop_files(self._gone)
        return Caught(len(self._new), len(self._gone), tuple(self._held))

    def _put(self, id: str, path: str, text: str) -> None:
        """Write a file, unless it says so already or was changed by hand."""
        known = self._files.get(id)
        raw = text.encode(errors="surrogatepass")
        digest = sha256(raw).hexdigest()
        if known is None:
            there = self._folder.stat(path)
            if there is not None and id not in self._force:
                if sha256(self._folder.read(path)).hexdigest() == digest:
                    self._new[id] = MirrorFile(id, path, digest, *there)
                else:
                    self._held.append(path)
                return
            self._indexed = self._indexed or self._is_new_folder(path)
        elif id not in self._force:
            path = known.path
            there = self._folder.stat(path)
            if there == (known.size_bytes, known.mtime_ns):
                if digest == known.sha256:
                    return
            elif there is not None:
                said = self._digest_of(path)
                if said == digest:  # written by a process that died, or by somebody, before it was noted
                    self._new[id] = MirrorFile(id, path, digest, *there)
                    return
                if said != known.sha256:
                    self._held.append(path)
                    return
        self._new[id] = self._folder.write(id, path, text)

    def _is_new_folder(self, path: str) -> bool:
        """Tell whether the index has to name the folder of a file that is to be written."""
        return self._folder.stat(path.rpartition("/")[0] or path) is None

    def _digest_of(self, path: str) -> str:
        """Return the digest of what a file says; empty where it cannot be read."""
        try:
            return sha256(self._folder.read(path)).hexdigest()
        except OSError:
            return ""

    def _drop(self, ids: Iterable[str]) -> None:
        """Remove the files of objects that are no more."""
        for id in ids:
            if id in self._files:
                self._folder.remove(self._files[id].path)
                self._gone.append(id)

    def _know(self, ids: Sequence[str]) -> None:
        """Read up on files."""
        self._files |= self._state.files([id for id in ids if id not in self._files])

    def _path_of(self, id: str) -> str:
        """Return where an object's file is, or is going to be."""
        found = self._new.get(id) or self._files.get(id)
        return found.path if found else ""

    def _memories(self, ids: list[str]) -> None:
        """Write memories."""
        self._know(ids)
        found = rows.load(self._tx, ids)
        self._know([version for whole in found.values() for version in whole.cited])
        for id, whole in found.items():
            memory = whole.memory
            path = self._path_of(id) or names.memory_path(
                id, memory["recorded_at"], memory["title"], memory["value"] and memory["slot"], memory["content"]
            )
            self._put(id, path, memories.render(whole, self._path_of))
        self._drop(id for id in ids if id not in found)

    def _sources(self, ids: list[str]) -> None:
        """Write the texts of sources."""
        where = self._tx.tables.rows_where
        known = {row["id"]: row for row in where("source", "id", ids)}
        labels = rows.grouped(where("label", "source", ids), "source")
        versions = rows.grouped(where("version", "source", ids), "source")
        left_over = self._left_over(known.values())
        for id in ids:
            source = known.get(id)
            kept = self._kept(source, versions.get(id, []), left_over) if source else []
            every = [row["id"] for row in versions.get(id, [])]
            self._know([*every, *(f"cut:{version}" for version in every)])
            for place, row in enumerate(kept):
                self._version(row, source or {}, labels.get(id, []), newest=place == len(kept) - 1)
            stay = {row["id"] for row in kept}
            self._drop(one for version in every if version not in stay for one in (version, f"cut:{version}"))
            if source is None:
                gone = _texts_of(self._state, id)
                self._files |= gone
                self._drop(gone)

    def _left_over(self, sources: Iterable[Row]) -> frozenset[str]:
        """Return the keys of notes whose memory was erased, and that stay because others quote them."""
        ids = [source["key"][len("note:") :] for source in sources if source["key"].startswith(_NOTE)]
        found = self._tx.claims.claims(ids) if ids else {}
        return frozenset(f"note:{id}" for id, claim in found.items() if claim.erased_at)

    def _kept(self, source: Row, versions: Sequence[Row], left_over: Collection[str]) -> list[Row]:
        """Return the versions of a source whose text the mirror has, the one that describes the source last."""
        if source["key"].startswith(_NOTE) and source["key"] not in left_over:  # it is a part of the memory's file
            return []
        if source["custody"] == "kept":
            return sorted(versions, key=lambda row: (row["id"] == source["version"], row["id"]))
        cited = {
            row["version"] for row in self._tx.tables.rows_where("evidence", "version", [v["id"] for v in versions])
        }
        return sorted((row for row in versions if row["id"] in cited), key=lambda row: row["id"])

    def _version(self, version: Row, source: Row, labels: Sequence[Row], *, newest: bool) -> None:
        """Write one version, and how it was cut."""
        id = version["id"]
        text = self._tx.sources.text(id, 0, version["chars"])
        path = self._path_of(id) or f"sources/{source['id']}/{names.name(id, source['title'], source['key'])}"
        self._put(id, path, sources.render(version, text, source, labels, newest=newest))
        cut = f"cut:{id}"
        chunks = []
        if newest and source["custody"] == "kept" and source["version"] == id:
            chunks = sorted(
                self._tx.tables.rows_where("chunk", "source", [source["id"]]), key=lambda row: row["ordinal"]
            )
        if chunks:
            self._put(cut, path.removesuffix(".md") + names.CUT, sources.render_cut(chunks))
        else:
            self._drop([cut])

    def _entities(self, ids: list[str]) -> None:
        """Write entities."""
        self._know(ids)
        found = {row["id"]: row for row in self._tx.tables.rows_where("entity", "id", ids)}
        aliases = rows.grouped(self._tx.tables.rows_where("alias", "entity", ids), "entity")
        for id, row in found.items():
            path = self._path_of(id) or f"entities/{names.name(id, row['name'])}"
            self._put(id, path, others.render_entity(row, aliases.get(id, [])))
        self._drop(id for id in ids if id not in found)

    def _proposals(self, ids: list[str]) -> None:
        """Write proposals."""
        self._know(ids)
        found = {row["id"]: row for row in self._tx.tables.rows_where("proposal", "id", ids)}
        for id, row in found.items():
            self._put(id, self._path_of(id) or f"proposals/{names.name(id)}", others.render_proposal(row))
        self._drop(id for id in ids if id not in found)

    def _erased(self, _: list[str]) -> None:
        """Write what was erased."""
        where = self._tx.tables.rows_where
        claims = where("claim", "memory", [""])
        ids = [row["id"] for row in claims]
        parts = {table: rows.grouped(where(table, "claim", ids), "claim") for table in ("decision", "replacement")}
        parts["link"] = rows.grouped(where("link", "from_id", ids), "from_id")
        tombstones = list(self._tx.tables.rows("tombstone"))
        erasures = [row for row in self._tx.tables.rows("erasure") if row["state"] == "done"]
        if tombstones or claims:
            self._own(names.ERASED, others.render_erased(tombstones, claims, parts, erasures))

    def _store(self, _: list[str]) -> None:
        """Write what is to be known of the store."""
        settings = {
            row["name"]: row["value"] for row in self._tx.tables.rows_where("setting", "name", ["zone", "erasure key"])
        }
        self._own(names.STORE, others.render_store(settings, list(self._tx.tables.rows("root"))))

    def _own(self, path: str, text: str) -> None:
        """Write a file at the top that nobody edits."""
        known = self._state.files([path]).get(path)
        raw = text.encode()
        if known is None or path in self._force or self._changed(known, raw):
            self._indexed = self._indexed or known is None
            self._new[path] = self._folder.write(path, path, text)

    def _changed(self, known: MirrorFile, raw: bytes) -> bool:
        """Tell whether a file is to be written, because it is gone or would say something else."""
        return known.sha256 != sha256(raw).hexdigest() or self._folder.stat(known.path) is None

    def _acts(self, numbers: list[str]) -> None:
        """Write lines of the log, each under its day."""
        acts = self._tx.tables.rows_where("act", "number", [int(number) for number in numbers])
        fresh = False
        for day, several in rows.grouped(({**row, "day": row["at"][:10]} for row in acts), "day").items():
            path = names.log_path(day)
            fresh = fresh or self._folder.stat(path) is None
            wanted = {
                (row["number"], row["at"]): others.log_line({name: row[name] for name in _ACT}) for row in several
            }
            text = "".join(f"{line}\n" for line in wanted.values())
            if self._folder.append(path, text, partial(_is_before, min(wanted))):
                continue
            lines = []
            for act, line in self._log(path):
                lines.append(wanted.pop((act["number"], act["at"]), line) if act else line)
            self._folder.write("", path, others.day_log(day, [*lines, *wanted.values()]))
        if fresh or self._folder.stat(names.LOG) is None:
            days = ["-".join(path.split("/")[1:3]) for path in self._folder.logs()]
            self._folder.write("", names.LOG, others.root_log(days))

    def _log(self, path: str) -> list[tuple[Row | None, str]]:
        """Return the lines of a day's log below its head."""
        if self._folder.stat(path) is None:
            return []
        text = self._folder.read(path).decode(errors="surrogateescape").replace("\r\n", "\n")
        return [one for one in others.read_log(text, _ACT) if one[1].startswith("* ")]
