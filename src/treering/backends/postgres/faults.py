"""What a PostgreSQL server says, in Treering's words. No message holds a password."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import psycopg
from psycopg import errors

from treering.errors import (
    BackendUnreachable,
    Damaged,
    InputError,
    NotFound,
    ReadOnlyStore,
    StorageFailed,
    StoreBusy,
    TreeringError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.domain.address import Address

_READ_ONLY: Final = (errors.ReadOnlySqlTransaction, errors.InsufficientPrivilege)
_NO_CONNECTION: Final = (errors.TooManyConnections, errors.ConfigurationLimitExceeded)
_AGAIN: Final = (errors.SerializationFailure, errors.DeadlockDetected, errors.LockNotAvailable)
_GONE: Final = (errors.UndefinedTable, errors.InvalidSchemaName)
_CORRUPT: Final = (errors.DataCorrupted, errors.IndexCorrupted)
# libpq gives no code when a connection fails, only the server's words; where they are in another language the
# general message stands.
_REFUSALS: Final = (
    (("too many clients", "connection slots", "too many connections"), "full"),
    (("password", "authentication", "no pg_hba.conf entry", 'role "'), "let nobody in"),
    (('database "',), "no database"),
)


@contextmanager
def in_words(address: Address, *, committing: bool = False) -> Iterator[None]:
    """Turn the driver's failures into Treering's errors; what can only be a bug of ours passes."""
    try:
        yield
    except psycopg.Error as error:
        known = in_treerings_words(error, address, committing=committing)
        if known is None:
            raise
        raise known from error


def in_treerings_words(  # noqa: PLR0911  one for each thing that can happen
    error: psycopg.Error, address: Address, *, committing: bool
) -> TreeringError | None:
    """Return the error that says what happened; None for what can only be a bug of ours.

    Args:
        error: what the driver raised.
        address: the store.
        committing: whether a lost connection leaves it open if the change was kept.
    """
    shown, told = address.shown, first_line(error, address)
    if isinstance(error, _READ_ONLY):
        return ReadOnlyStore(f"the store {shown} cannot be written here: {told}", hint="connect as its owner")
    if isinstance(error, _NO_CONNECTION):
        return _full(shown)
    if isinstance(error, _AGAIN):
        return StoreBusy(f"somebody else was changing the store {shown}: nothing was changed", hint="try again")
    if isinstance(error, _GONE):
        return NotFound(f"there is no store at {shown} any more: {told}", hint="treering index DIR")
    if isinstance(error, _CORRUPT):
        return Damaged(f"the store {shown} is damaged: {told}", hint="restore a backup")
    if isinstance(error, errors.QueryCanceled):
        return StorageFailed(
            f"the server of {shown} took too long: {told}", hint="try again, or raise postgres.statement_timeout_s"
        )
    if isinstance(error, (errors.DiskFull, errors.OutOfMemory, errors.ProgramLimitExceeded, errors.IoError)):
        return StorageFailed(f"the server of {shown} could not do it: {told}; nothing was changed")
    if isinstance(error, psycopg.OperationalError):
        kept = "whether the last change was kept is not known" if committing else "nothing was changed"
        return BackendUnreachable(f"the server of {shown} went away: {told}; {kept}", hint="try again")
    return None


def not_connected(error: psycopg.Error, address: Address) -> TreeringError:
    """Return the error that says why no connection was made."""
    told = first_line(error, address)
    if isinstance(error, psycopg.ProgrammingError):  # libpq cannot read it; its words may repeat parts of it
        return InputError(f"the address of the store {address.shown} has an option that PostgreSQL does not know")
    kind = next((kind for words, kind in _REFUSALS if any(word in told for word in words)), "")
    if kind == "full":
        return _full(address.shown)
    if kind == "no database" and "does not exist" in told:
        return NotFound(f"there is no database for the store {address.shown}", hint="createdb, or mend the address")
    if kind == "let nobody in":
        who = f"user {address.user!r}" if address.user else "the user"
        return BackendUnreachable(
            f"the server of {address.shown} refuses {who}: {told}",
            hint="check user and password; PGPASSWORD or ~/.pgpass keep the password out of the address",
        )
    return BackendUnreachable(
        f"the server of {address.shown} cannot be reached: {told}", hint="check that it runs and the address is right"
    )


def first_line(error: psycopg.Error, address: Address) -> str:
    """Return what a server or driver said, as one line without secrets."""
    told = (error.diag.message_primary or str(error)).strip()
    line = next((line.strip() for line in reversed(told.splitlines()) if "FATAL" in line), told.splitlines()[0:1])
    line = line if isinstance(line, str) else "".join(line)
    return address.without_secrets(line.rpartition("FATAL:")[2].strip())


def _full(shown: str) -> StoreBusy:
    """Return the error for a server that takes no more connections."""
    return StoreBusy(
        f"the server of {shown} has no connection left", hint="try again, or raise max_connections of the server"
    )
