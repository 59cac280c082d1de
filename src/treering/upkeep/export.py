"""Export and what takes it in: every canonical row of a store as one line of JSON."""

from __future__ import annotations

import base64
import json
from hashlib import sha256
from typing import IO, TYPE_CHECKING, Any, Final

from treering.errors import Conflict, Damaged, StoreTooNew

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.ports import Transaction

FORMAT: Final = 1
_MADE_BY: Final = "treering export"
_BATCH: Final = 500
_ORIGINAL: Final = "original"
"""Stands for a table where the bytes of an original are given."""

# What a new store has before anybody has saved anything.
_ANYBODY: Final = ("source", "claim", "memory", "root")


def write(tx: Transaction, out: IO[str], made_at: str, layout: int) -> int:
    """Write all canonical rows, a line each, and return how many there are.

    The first line says what follows; the last one how many lines there were, so that a cut file is noticed.
    """
    out.write(_line({"made_by": _MADE_BY, "format": FORMAT, "layout": layout, "made_at": made_at}))
    rows = 0
    for table in tx.tables.names:
        for row in tx.tables.rows(table):
            out.write(_line({"table": table, **{name: _plain(value) for name, value in row.items()}}))
            rows += 1
    for digest in tx.originals.kept():
        out.write(_line({"table": _ORIGINAL, "sha256": digest, "bytes": _plain(tx.originals.get(digest))}))
        rows += 1
    out.write(_line({"rows": rows}))
    return rows


def read(tx: Transaction, lines: Iterator[str], layout: int) -> int:
    """Take an export into an empty store and return how many rows it had.

    Raises:
        Conflict: if the store holds something.
        Damaged: if the file is no export, or was cut short.
        StoreTooNew: if a newer program made it.
    """
    if any(tx.tables.count(table) for table in _ANYBODY):
        raise Conflict("the store is not empty", hint="treering --store an/empty/folder import FILE --from treering")
    head = _parsed(next(lines, ""))
    if head.get("made_by") != _MADE_BY:
        raise Damaged("this is no export of Treering")
    if int(head["format"]) > FORMAT or int(head["layout"]) > layout:
        raise StoreTooNew("the export was made by a newer Treering", hint="pip install --upgrade treering")
    tx.tables.drop_defaults()
    rows, whole = 0, False
    table, batch = "", list[dict[str, Any]]()
    for line in lines:
        row = _parsed(line)
        if "table" not in row:
            whole = row.get("rows") == rows
            break
        name = row.pop("table")
        rows += 1
        if name == _ORIGINAL:
            _put_original(tx, row)
            continue
        if name not in tx.tables.names:
            raise Damaged(f"the export has a table {name!r} that is none")
        if name != table or len(batch) == _BATCH:
            _put(tx, table, batch)
            table, batch = name, []
        batch.append({key: _stored(value) for key, value in row.items()})
    _put(tx, table, batch)
    if not whole:
        raise Damaged(f"the export ends after {rows:,} rows: it was cut short")
    return rows


def _put(tx: Transaction, table: str, batch: list[dict[str, Any]]) -> None:
    """Add rows, if there are any."""
    if batch:
        try:
            tx.tables.put(table, batch)
        except (KeyError, LookupError, TypeError) as error:
            raise Damaged(f"a row of {table} lacks {error}") from error


def _put_original(tx: Transaction, row: dict[str, Any]) -> None:
    """Keep the bytes of an original, if they are those of its digest."""
    try:
        raw = _stored(row["bytes"])
        digest = sha256(raw).hexdigest()
    except (KeyError, TypeError, ValueError) as error:
        raise Damaged(f"an original of the export cannot be read: {error}") from error
    if digest != row.get("sha256"):
        raise Damaged(f"an original of the export is not what it was: {row.get('sha256')}")
    tx.originals.put(digest, raw)


def _line(values: dict[str, Any]) -> str:
    """Return one line."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) + "\n"


def _parsed(line: str) -> dict[str, Any]:
    """Return what a line says."""
    try:
        found = json.loads(line)
    except ValueError as error:
        raise Damaged(f"a line of the export is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise Damaged("a line of the export is no object")
    return found


def _plain(value: Any) -> Any:  # noqa: ANN401  what columns hold
    """Return a value as JSON has it; bytes as base64."""
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes | memoryview) else value


def _stored(value: Any) -> Any:  # noqa: ANN401  what JSON holds
    """Return a value as a column holds it."""
    return base64.b64decode(value["base64"]) if isinstance(value, dict) and "base64" in value else value
