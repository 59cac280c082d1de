"""The SQLite store: opening, transactions between processes, faults in words.

One connection, used by one thread at a time. SQLite's own busy handler is unfair (writers starve),
so ``BEGIN IMMEDIATE`` is retried here with a short random wait; once it succeeds nothing inside the
transaction can meet a lock.
"""

from __future__ import annotations

import os
import time
from _thread import RLock
from contextlib import contextmanager

import apsw

from treering.backends.sqlite import files
from treering.backends.sqlite.database import SqliteDatabase
from treering.backends.sqlite.search import WORDS, SqliteKeywords
from treering.backends.transaction import SqlTransaction
from treering.backends.vectors import SqlVectors
from treering.errors import Damaged, NotAStore, ReadOnlyStore, StoreBusy, StoreTooNew, TreeringError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Final

    from treering.backends.migrate import Migration
    from treering.ports import Transaction
    from treering.ports.originals import Originals

APPLICATION_ID: Final = 0x54526E67
"""``TRng``: marks a SQLite file as a Treering store."""

SCHEMA: Final = 10
"""The layout that this program writes: the number of its migrations."""

SPACE: Final = 1
"""A SQLite store has one space."""

# Fair between processes: 700–1,143 commits for each of eight writers, where SQLite's handler gave 1–546.
_WAIT_S: Final = (0.0005, 0.004)
_READ_WAIT_S: Final = 5.0
"""How long who reads waits for a lock, at the most: beside a log there is none but while a process mends its index."""

# A search lasts milliseconds; who reads for longer than this empties the log on leaving.
_PURGE_S: Final = 2.0
_MIGRATIONS: Final = os.path.join(os.path.dirname(__file__), "migrations")
_LOG_PAGES: Final = 1000
"""Pages of log from which on a commit carries them into the file, as SQLite does by itself."""

_LONG_LOG_PAGES: Final = 8000
"""The same for a commit that waits for nobody: a search that keeps vectors has no time to wait for the disk."""


class SqliteTransaction(SqlTransaction):
    """The parts of a store as seen inside one transaction."""

    def __init__(self, database: SqliteDatabase, location: str) -> None:
        """Bind the parts to a database, whose file is at ``location``."""
        super().__init__(database, SPACE)
        self._database = database
        self.keywords = SqliteKeywords(database, SPACE)
        self.vectors = SqlVectors(database, SPACE, WORDS)
        self._location = location
        self._originals: Originals | None = None

    @property
    def originals(self) -> Originals:
        """The bytes of what was imported; made when first asked for, because a search never does."""
        if self._originals is None:
            from treering.backends.sqlite.originals import FileOriginals, MemoryOriginals, folder_of

            in_memory = self._location == ":memory:"
            self._originals = MemoryOriginals() if in_memory else FileOriginals(folder_of(self._location))
        return self._originals

    def state(self) -> tuple[int, int]:
        """Return what changes with every commit of another connection and every change of this one."""
        return self._database.state()


class SqliteBackend:
    """A store in one SQLite file."""

    compares = False
    shared = ""
    """The kind of file system, where several machines may share it: there the store does without a log."""

    def __init__(self, path: str, *, create: bool, synchronous: str = "normal", busy_timeout_s: float = 30.0) -> None:
        """Open the file at ``path`` (``:memory:`` for a store that dies with this object).

        Args:
            path: the file; its folder must exist.
            create: whether to make the file when it is absent.
            synchronous: ``normal`` or ``full``.
            busy_timeout_s: how long a write waits for other processes; who reads waits no longer than five seconds, but
                where the store does without a log.

        Raises:
            NotFound: if the file is absent and ``create`` is false.
            NotAStore: if it is something else than a Treering store.
            Damaged: if SQLite cannot read it.
            StoreTooNew: if a newer program wrote it.
            StorageFailed: if the operating system refuses.
        """
        self.location = path
        self.kept_earlier = ""
        self._busy_timeout_s = busy_timeout_s
        self._seen = -1
        self._lock = RLock()
        if path != ":memory:":
            files.check_file(path, create=create)
        with files.in_words(path):
            self._connection, self.read_only = files.opened(path, create=create)
            self._set_up(synchronous)
        self._database = SqliteDatabase(self._connection)
        self._transaction = SqliteTransaction(self._database, path)
        self._identity = files.identity(path)

    def _set_up(self, synchronous: str) -> None:
        """Prepare the connection while others may do the same; close it when that fails."""
        try:
            self._retrying(lambda: self._prepare(synchronous))
        except apsw.SQLError as error:  # a file format or a schema that SQLite cannot read
            self._connection.close()
            raise Damaged(f"the store {self.location} is damaged: {error}", hint="restore a backup") from error
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self, synchronous: str) -> None:
        """Set the connection up and bring the schema to this program's version."""
        run = self._connection.execute
        run("pragma foreign_keys = on")
        run("pragma secure_delete = on")
        run("pragma temp_store = memory")
        run("pragma cache_size = -16000")
        run(f"pragma synchronous = {synchronous}")
        self._refuse_foreign()
        if self._number("pragma user_version") != SCHEMA:
            self._upgrade()
        if not self.read_only and self.location != ":memory:":
            self.shared = files.shared_kind(self.location)
            mode = "delete" if self.shared else "wal"
            self._retrying(lambda: run(f"pragma journal_mode = {mode}"))

    def _upgrade(self) -> None:
        """Bring the schema to this program's version."""
        from treering.backends.migrate import pending, read_migrations, refuse_newer  # only where the schema differs

        migrations = read_migrations(_MIGRATIONS)
        refuse_newer(self._number("pragma user_version"), SCHEMA, self.location)
        self._keep_earlier(migrations)
        if self.read_only:
            pending(migrations, self._applied(), self.location)
            raise ReadOnlyStore(f"the store {self.location} needs an upgrade and cannot be written here")
        while True:
            self._begin()
            try:
                missing = pending(migrations, self._applied(), self.location)
                if missing:
                    self._apply(missing[0])
                self._connection.execute("commit")
            finally:
                self._end()
            if len(missing) <= 1:
                return

    def _keep_earlier(self, migrations: Sequence[Migration]) -> None:
        """Copy a store of an earlier layout beside itself before it is changed, once for each layout."""
        from treering.backends.migrate import pending

        layout = self._number("pragma user_version")
        if self.read_only or self.location == ":memory:" or not layout:
            return
        if not pending(migrations, self._applied(), self.location):
            return
        from treering.backends.sqlite import earlier

        self.kept_earlier = earlier.keep(self._connection, self.location, layout)

    @property
    def upgraded(self) -> bool:
        """Whether the layout was brought up to this program's on opening."""
        return bool(self.kept_earlier)

    def _refuse_foreign(self) -> None:
        """Refuse a SQLite file that some other program made."""
        made_by = self._number("pragma application_id")
        if made_by != APPLICATION_ID and (made_by or self._number("select count(*) from sqlite_schema")):
            raise NotAStore(f"{self.location} is a database of another program, not a Treering store")

    def _applied(self) -> list[tuple[int, str]]:
        """Return number and checksum of the migrations that the store records."""
        if not self._number("select count(*) from sqlite_schema where name = 'migration'"):
            return []
        rows = self._connection.execute("select number, checksum from migration order by number").fetchall()
        return [(int(str(number)), str(checksum)) for number, checksum in rows]

    def _apply(self, migration: Migration) -> None:
        """Run one migration and record it."""
        run = self._connection.execute
        run(migration.sql)
        run(
            "create table if not exists migration"
            " (number integer primary key, name text not null, checksum text not null) strict"
        )
        run("insert into migration values (?, ?, ?)", (migration.number, migration.name, migration.checksum))
        run(f"pragma application_id = {APPLICATION_ID}")
        run(f"pragma user_version = {migration.number}")

    def _fix_view(self) -> None:
        """Begin to read; ``begin`` alone would leave it to the first statement which state is seen."""
        self._connection.execute("begin")
        try:
            self._connection.execute("pragma schema_version").fetchall()
        except BaseException:
            self._end()
            raise

    def _end(self) -> None:
        """Undo what was not committed; a full or failing disk may have done so already."""
        if self._connection.in_transaction:
            self._connection.execute("rollback")

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Turn SQLite's failures into errors, and what could not happen into damage where there is some."""
        try:
            with files.in_words(self.location):
                yield
        except (apsw.Error, LookupError, ValueError, TypeError) as error:
            if isinstance(error, TreeringError) or self._is_sound():
                raise
            raise Damaged(f"the store {self.location} is damaged: {error}", hint="restore a backup") from error

    def _is_sound(self) -> bool:
        """Tell whether SQLite finds its own structures whole; takes as long as reading the file."""
        try:
            return self._connection.execute("pragma integrity_check(1)").fetchall() == [("ok",)]
        except apsw.Error:
            return False

    def _begin(self, *, wait: bool = True) -> None:
        """Take the write lock, waiting fairly for other processes."""
        try:
            self._connection.execute("begin immediate")
        except files.LOCKS:
            self._retrying(lambda: self._connection.execute("begin immediate"), wait=wait)

    def _retrying(self, action: Callable[[], object], *, wait: bool = True, most_s: float | None = None) -> None:
        """Call ``action`` until it meets no lock, or the timeout has passed; once, if nothing shall be waited for."""
        patience_s = self._busy_timeout_s if most_s is None else min(self._busy_timeout_s, most_s)
        deadline = time.monotonic() + patience_s * wait
        while True:
            try:
                action()
            except files.LOCKS as error:
                if time.monotonic() >= deadline:
                    raise StoreBusy(
                        f"another process kept the store {self.location} locked for {patience_s:g} s",
                        hint="try again, or raise sqlite.busy_timeout_s",
                    ) from error
                _wait()
            else:
                return

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """Open a view of one state."""
        with self._lock:
            try:
                self._database.run_later()
                self._retrying(self._fix_view, most_s=None if self.shared else _READ_WAIT_S)
                try:
                    yield self._transaction
                finally:
                    self._end()
            except Exception:
                with self._in_words():
                    raise

    @contextmanager
    def write(self, *, wait: bool = True) -> Iterator[Transaction]:
        """Open a transaction that alone may write."""
        if self.read_only:
            raise ReadOnlyStore(
                f"the store {self.location} cannot be written here",
                hint="--scope global saves in your own store, --store in another; or mend its folder's permissions",
            )
        with self._lock:
            try:
                self._begin(wait=wait)
                try:
                    self._refuse_newer()
                    yield self._transaction
                    self._commit(wait=wait)
                finally:
                    self._end()
            except Exception:
                with self._in_words():
                    raise

    def _commit(self, *, wait: bool) -> None:
        """Make a transaction last; who waits for nobody leaves a log of usual length to the next writer."""
        if wait:
            self._connection.execute("commit")
            return
        self._connection.wal_autocheckpoint(_LONG_LOG_PAGES)
        try:
            self._connection.execute("commit")
        finally:
            self._connection.wal_autocheckpoint(_LOG_PAGES)

    def _refuse_newer(self) -> None:
        """Stop writing to a store that a newer program has migrated meanwhile."""
        version = self._connection.data_version()
        if version == self._seen:  # nobody else has written since it was looked at
            return
        layout = self._number("pragma user_version")
        if layout > SCHEMA:
            raise StoreTooNew(
                f"a newer Treering has the store {self.location} migrated (layout {layout}; this program knows up to "
                f"{SCHEMA}): nothing more is written by this one",
                hint="pip install --upgrade treering",
            )
        self._seen = version

    def check(self) -> list[str]:
        """Return what SQLite finds wrong with its structures and references."""
        with self._lock, self._in_words():
            run = self._connection.execute
            found = [str(row[0]) for row in run("pragma integrity_check(100)").fetchall() if row[0] != "ok"]
            orphans = run("pragma foreign_key_check").fetchall()
        return [*found, *(f"a row of {row[0]} refers to a row of {row[2]} that is not there" for row in orphans)]

    def copy_to(self, path: str) -> None:
        """Write the data, as one state, into a new database file."""
        from treering.backends.sqlite import earlier

        with self._lock, self._in_words():
            earlier.copy(self._connection, path)
        os.chmod(path, 0o600)

    def purge(self, *, wait: bool = True) -> bool:
        """Carry the log into the file and empty it, unless a reader of an earlier state stays for longer."""
        deadline = time.monotonic() + min(self._busy_timeout_s, _PURGE_S) * wait
        with self._lock:
            while True:
                try:
                    busy = self._number("pragma wal_checkpoint(truncate)")
                except files.LOCKS:
                    busy = 1
                except (apsw.IOError, apsw.FullError):
                    return False
                if not busy or time.monotonic() >= deadline:
                    return not busy
                _wait()

    def settle(self) -> None:
        """Do nothing: every index is made as rows come."""

    def replaced(self) -> bool:
        """Tell whether the file at the location is another one than was opened, or gone."""
        return self.location != ":memory:" and files.identity(self.location) != self._identity

    def info(self) -> Mapping[str, str | int]:
        """Return facts for ``status``."""
        with self._lock, files.in_words(self.location):
            size = self._number("pragma page_count") * self._number("pragma page_size")
            schema = self._number("pragma user_version")
        notices = []
        if self.kept_earlier:
            notices.append(f"this store was upgraded; as it was before: {self.kept_earlier}")
        if self.shared:
            notices.append(
                f"on a shared file system ({self.shared}): without a write-ahead log, so a write waits longer"
            )
        engine = f"SQLite {apsw.sqlite_lib_version()}"
        return {"notice": "; ".join(notices), "engine": engine, "size_bytes": size, "schema": schema}

    def _number(self, sql: str) -> int:
        """Return the one number that a statement gives."""
        return int(str(self._connection.execute(sql).fetchall()[0][0]))

    def close(self) -> None:
        """Release the file; a second call does nothing."""
        with self._lock:
            self._connection.close()


def _wait() -> None:
    """Sleep for a short random time, so that waiting processes do not march in step."""
    import random  # only where somebody else holds the lock

    time.sleep(random.uniform(*_WAIT_S))  # noqa: S311  no secret depends on it
