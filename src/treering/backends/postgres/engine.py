"""The PostgreSQL store: opening, transactions, one writer at a time.

Readers see one snapshot (``repeatable read``) and never wait. A writer first takes an advisory lock, for which the
server queues fairly, and keeps it to its end: nothing inside can then meet another writer, so nothing has to be
repeated for a failed serialisation. A connection that was lost while nobody used it is replaced without a word; one
lost inside a transaction is an error.
"""

from __future__ import annotations

import itertools
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import psycopg

from treering.backends.postgres import schema
from treering.backends.postgres.connections import Limits, Pool
from treering.backends.postgres.database import PostgresDatabase, last_row
from treering.backends.postgres.faults import in_words
from treering.backends.postgres.originals import TableOriginals
from treering.backends.postgres.purging import purge
from treering.backends.postgres.search import PostgresKeywords
from treering.backends.postgres.vectors import PostgresVectors, settle
from treering.backends.transaction import SqlTransaction
from treering.errors import ReadOnlyStore, StoreBusy, StoreTooNew, Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from treering.domain.address import Address
    from treering.ports import Transaction

    Connection = psycopg.Connection[Any]

SPACE: Final = 1
"""The one space of a store, until there are several."""

_STATE: Final = f"select number from change where space = {SPACE}"
_READ: Final = f"begin isolation level repeatable read read only; {_STATE}"
_COMMIT: Final = f"update change set number = number + 1 where space = {SPACE}; commit"
_KILO: Final = 1000


class PostgresTransaction(SqlTransaction):
    """The parts of a store as seen inside one transaction."""

    def __init__(self, connection: Connection, number: int, *, writing: bool) -> None:
        """Bind the parts to a connection.

        Args:
            connection: inside a transaction.
            number: the last change that it sees.
            writing: whether it may change something itself.
        """
        database = PostgresDatabase(connection)
        super().__init__(database, SPACE)
        self.keywords = PostgresKeywords(database, SPACE)
        self.vectors = PostgresVectors(database, SPACE)
        self.originals = TableOriginals(database, SPACE)
        self._number = number
        self._own = itertools.count(1) if writing else None

    def state(self) -> tuple[int, int]:
        """Return the number of the last change; inside a writer, nothing that was there before."""
        return self._number, 0 if self._own is None else next(self._own)


class PostgresBackend:
    """A store in the schema ``treering`` of a PostgreSQL database."""

    compares = True

    def __init__(self, address: Address, *, create: bool, limits: Limits | None = None) -> None:
        """Open the store at ``address``.

        Args:
            address: the server and database.
            create: whether to make the store when the database has none.
            limits: of connections and time; None for the usual ones.

        Raises:
            NotFound: if there is no database or, where ``create`` is false, no store in it.
            BackendUnreachable: if the server does not answer or refuses the user.
            BackendUnfit: if it is too old or lacks pgvector.
            StoreTooNew: if a newer program wrote the store.
            StoreBusy: if the server has no connection left.
        """
        self.location = address.shown
        self._address = address
        self._limits = limits or Limits()
        self._seen: int | None = None
        self._replaced = False
        self._pool = Pool(address, self._limits, self._prepare)
        self._facts = self._set_up(create=create)
        self.read_only = self._facts.read_only
        self.upgraded = False  # no migration here leaves anything derived to be made

    def _set_up(self, *, create: bool) -> schema.Facts:
        """Bring the store up to date with the first connection; close it when that fails."""
        try:
            with in_words(self._address):
                connection, _ = self._pool.take()
                try:
                    facts = schema.bring_up_to_date(connection, self._address, create=create, lock=self._lock_sql())
                    self._prepare(connection)  # the extension may have come only now
                finally:
                    self._pool.give_back(connection)
        except BaseException:
            self._pool.close()
            raise
        return facts

    def _prepare(self, connection: Connection) -> None:
        """Set a connection up, and notice when the store is another one than before."""
        with in_words(self._address):
            identity = schema.set_up(connection, round(self._limits.statement_s * _KILO))
        self._replaced = self._replaced or (self._seen is not None and identity != self._seen)
        self._seen = self._seen if identity is None else identity

    def _lock_sql(self, *, wait: bool = True) -> str:
        """Return what takes the write lock at the beginning of a transaction."""
        most_ms = max(1, round(self._limits.busy_s * _KILO)) if wait else 1  # 0 would be for ever
        return f"set local lock_timeout = {most_ms}; select pg_advisory_xact_lock(hashtext('treering'), {SPACE})"

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """Open a view of one state."""
        with in_words(self._address), self._began(_READ) as (connection, number):
            yield PostgresTransaction(connection, number, writing=False)

    @contextmanager
    def write(self, *, wait: bool = True) -> Iterator[Transaction]:
        """Open a transaction that alone may write."""
        if self.read_only:
            raise ReadOnlyStore(
                f"the store {self.location} cannot be written here: {self._facts.why_read_only}",
                hint="connect as its owner to a server that takes writes",
            )
        begin = f"begin isolation level read committed read write; {self._lock_sql(wait=wait)}; {_STATE}"
        with in_words(self._address), self._began(begin) as (connection, number):
            self._refuse_newer(connection)
            yield PostgresTransaction(connection, number, writing=True)
            with in_words(self._address, committing=True):
                connection.execute(_COMMIT)

    def _refuse_newer(self, connection: Connection) -> None:
        """Stop writing to a store that a newer program has migrated meanwhile."""
        layout = int(last_row(connection, "select count(*) from migration")[0])
        if layout > self._facts.schema:
            raise StoreTooNew(
                f"a newer Treering has the store {self.location} migrated (layout {layout}; this program knows up to "
                f"{self._facts.schema}): nothing more is written by this one",
                hint="pip install --upgrade treering",
            )

    def check(self) -> list[str]:
        """Return nothing: the server checks its own files (``data_checksums``, ``amcheck``)."""
        return []

    def copy_to(self, path: str) -> None:
        """Refuse: a server's data is copied by its own tools."""
        raise Unavailable(f"the store {self.location} is on a server: {path} is not written", hint="pg_dump")

    @contextmanager
    def _began(self, begin: str) -> Iterator[tuple[Connection, int]]:
        """Begin a transaction on a connection that works; undo whatever is not committed at the end."""
        connection, number = self._begin(begin)
        try:
            yield connection, number
        finally:
            if connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                with suppress(psycopg.Error):
                    connection.execute("rollback")
            self._pool.give_back(connection)

    def _begin(self, begin: str) -> tuple[Connection, int]:
        """Return a connection inside a new transaction, and the number of the last change."""
        while True:
            connection, is_new = self._pool.take()
            try:
                return connection, int(last_row(connection, begin)[0])
            except psycopg.errors.LockNotAvailable as error:
                self._undo(connection)
                raise StoreBusy(
                    f"another process kept the store {self.location} locked for {self._limits.busy_s:g} s",
                    hint="try again, or raise postgres.busy_timeout_s",
                ) from error
            except psycopg.OperationalError:
                self._undo(connection)
                if is_new or not connection.closed:
                    raise
                self._pool.drop_idle()  # the server was restarted: none of the others works either
            except BaseException:
                self._undo(connection)
                raise

    def _undo(self, connection: Connection) -> None:
        """Give a connection back whose transaction did not begin."""
        with suppress(psycopg.Error):
            connection.execute("rollback")
        self._pool.give_back(connection)

    @contextmanager
    def _beside(self) -> Iterator[Connection]:
        """Open a connection beside the pool, for what takes long and cannot be in a transaction."""
        connection = self._pool.make()
        try:
            with in_words(self._address):
                connection.execute("set statement_timeout = 0")
                yield connection
        finally:
            connection.close()

    def settle(self) -> None:
        """Index vectors where there are many, and tell the planner what there is."""
        if not self.read_only:
            with self._beside() as connection:
                settle(connection, SPACE)

    def purge(self, *, wait: bool = True) -> bool:
        """Rewrite the tables that texts were removed from; False while somebody reads an earlier state."""
        with self._beside() as connection:
            return purge(connection, wait=wait)

    def drop(self) -> None:
        """Remove the store itself, for a measurement that made it."""
        with self._beside() as connection:
            connection.execute(f"drop schema {schema.NAME} cascade")

    def replaced(self) -> bool:
        """Tell whether the database holds another store than was opened, as far as a new connection has shown."""
        return self._replaced

    def info(self) -> Mapping[str, str | int]:
        """Return facts for ``status``."""
        with in_words(self._address), self._began(_READ) as (connection, _):
            size = schema.size_bytes(connection)
        return {
            "engine": self._facts.engine,
            "size_bytes": size,
            "schema": self._facts.schema,
            "notice": self._facts.notice,
        }

    def close(self) -> None:
        """Release all connections; a second call does nothing."""
        self._pool.close()
