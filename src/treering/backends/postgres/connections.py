"""Connections to one server: made when needed, used again, never more than allowed.

A small pool of our own: a command needs one connection, a server a handful; ``psycopg_pool`` starts threads that
watch over them, which neither wants.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import psycopg

from treering.backends.postgres.faults import not_connected
from treering.domain.named import NamedTuple
from treering.errors import StoreBusy

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.domain.address import Address

    Connection = psycopg.Connection[Any]


class Limits(NamedTuple):
    """How many connections there may be, and how long anything may take.

    Attributes:
        connections: open at once.
        connect_s: for making one.
        statement_s: for one statement; 0 for any time.
        busy_s: waiting for other writers, or for a connection that is in use.
    """

    connections: int = 4
    connect_s: float = 10.0
    statement_s: float = 120.0
    busy_s: float = 30.0


class Pool:
    """Open connections that nobody uses, and room for more. Safe to share between threads."""

    def __init__(self, address: Address, limits: Limits, prepare: Callable[[Connection], None]) -> None:
        """Begin without any.

        Args:
            address: the store.
            limits: how many, and for how long.
            prepare: called with each new connection before it is used.
        """
        self._address = address
        self._limits = limits
        self._prepare = prepare
        self._idle: list[Connection] = []
        self._used = 0
        self._changed = threading.Condition()
        self._closed = False

    def take(self) -> tuple[Connection, bool]:
        """Return a connection, and whether it is new; wait for one if all are in use.

        Raises:
            StoreBusy: if none became free in time.
            BackendUnreachable: if none can be made.
        """
        idle = self._reserve()
        return (self._made(), True) if idle is None else (idle, False)

    def _reserve(self) -> Connection | None:
        """Take room for one connection, with an idle one if there is any; wait where there is no room."""
        deadline = time.monotonic() + self._limits.busy_s
        with self._changed:
            while not self._idle and self._used >= self._limits.connections:
                if not self._changed.wait(deadline - time.monotonic()) and time.monotonic() >= deadline:
                    raise StoreBusy(
                        f"all {self._limits.connections} connections to {self._address.shown} are in use",
                        hint="try again, or raise postgres.connections",
                    )
            self._used += 1
            return self._idle.pop() if self._idle else None

    def _made(self) -> Connection:
        """Return a new connection for which there is room."""
        try:
            return self.make()
        except BaseException:
            self._free()
            raise

    def make(self) -> Connection:
        """Return a new connection beside the pool; the caller closes it."""
        connection = self._connect()
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self) -> Connection:
        """Connect to the server."""
        try:
            return psycopg.connect(
                self._address.url,
                autocommit=True,
                connect_timeout=max(2, round(self._limits.connect_s)),
                application_name="treering",
                client_encoding="utf8",
            )
        except psycopg.Error as error:
            raise not_connected(error, self._address) from None  # the cause may repeat the address

    def give_back(self, connection: Connection) -> None:
        """Take a connection back; one that is broken, or in a transaction, is closed."""
        sound = not connection.closed and connection.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
        with self._changed:
            if sound and not self._closed:
                self._idle.append(connection)
            else:
                connection.close()
        self._free()

    def _free(self) -> None:
        """Let another have the room of a connection that is no longer used."""
        with self._changed:
            self._used -= 1
            self._changed.notify()

    def drop_idle(self) -> None:
        """Close what nobody uses: after a restart of the server none of it works."""
        with self._changed:
            for connection in self._idle:
                connection.close()
            self._idle.clear()

    def close(self) -> None:
        """Close everything; connections in use follow when they come back."""
        self._closed = True
        self.drop_idle()
