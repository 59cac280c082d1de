"""Taking removed text out of the server's files, as far as a client can."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from psycopg import errors

from treering.backends.registry import TABLES

if TYPE_CHECKING:
    import psycopg
    from psycopg.errors import Diagnostic

    Connection = psycopg.Connection[Any]

# Who reads an earlier state is waited for as long as SQLite's log is.
_WAIT_MS: Final = 2000
# Every table with a user's words, or numbers made of them.
_TABLES: Final = (*(name for name, table in TABLES.items() if table.words), "original", "words", "word")
_DEAD: Final = re.compile(r"\d+")


def purge(connection: Connection, *, wait: bool = True) -> bool:
    """Write the tables anew that hold removed rows, indexes with them; tell whether none is left.

    ``vacuum full`` and no less: a plain one frees the room of removed rows without blanking it, and a GIN index keeps
    words for ever.

    Args:
        connection: outside of any transaction.
        wait: whether somebody who reads an earlier state is waited for.
    """
    left = 0

    def listen(told: Diagnostic) -> None:
        """Add up the removed rows that somebody can still see."""
        nonlocal left
        found = _DEAD.match(told.message_detail or "")
        left += int(found[0]) if found and told.severity_nonlocalized == "INFO" else 0

    connection.execute(f"set lock_timeout = {_WAIT_MS if wait else 1}")
    connection.add_notice_handler(listen)
    try:
        for table in _TABLES:
            connection.execute(f"vacuum (full, verbose) {table}")
    except (errors.LockNotAvailable, errors.InsufficientPrivilege):
        return False
    finally:
        connection.remove_notice_handler(listen)
    return not left
