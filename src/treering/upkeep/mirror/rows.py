"""Rows with what hangs on them, as they are read for a file and made of one again."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from treering.ports import Transaction

Row = dict[str, Any]


class Whole(NamedTuple):
    """One memory with all rows of which it consists.

    Attributes:
        memory: its row.
        labels: its tags and metadata by key.
        claims: rows of its claims by id, the memory's own first.
        parts: rows by table, then by claim: evidence, decisions and the rest.
        notes: of each claim with a note of its own: the source's row, its versions' rows, and their texts.
        names: of entities that are mentioned, by id.
        cited: what is quoted besides notes: by version, the source's row.
        pinned: its pins.
    """

    memory: Row
    labels: dict[str, list[str]]
    claims: list[Row]
    parts: Mapping[str, Mapping[str, list[Row]]]
    notes: Mapping[str, Note]
    names: Mapping[str, str]
    cited: Mapping[str, Row]
    pinned: list[Row]


class Note(NamedTuple):
    """The note of a claim: its source, the versions, oldest first, and their texts."""

    source: Row
    versions: list[Row]
    texts: dict[str, str]


PARTS: Final = ("replacement", "claim_revision", "evidence", "decision", "mention")


def packed(row: Mapping[str, Any], defaults: Mapping[str, Any], leave: Iterable[str] = ()) -> Row:
    """Return of a row what is not as it would be anyway."""
    return {k: v for k, v in row.items() if k not in leave and not (k in defaults and defaults[k] == v)}


def grouped(rows: Iterable[Row], column: str) -> dict[str, list[Row]]:
    """Return rows by what they have in a column."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row[column], []).append(row)
    return found


def load(tx: Transaction, ids: Sequence[str]) -> dict[str, Whole]:
    """Return the memories that are there among ``ids``, with everything that belongs to them."""
    where = tx.tables.rows_where
    memories = where("memory", "id", ids)
    labels = grouped(where("memory_label", "memory", ids), "memory")
    pinned = grouped(where("briefing", "memory", ids), "memory")
    claims = grouped(where("claim", "memory", ids), "memory")
    every = [one["id"] for several in claims.values() for one in several]
    parts = {table: grouped(where(table, "claim", every), "claim") for table in PARTS}
    parts["link"] = grouped(where("link", "from_id", every), "from_id")
    notes = _notes(tx, [one for several in claims.values() for one in several if one["note"]])
    entities = {row["entity"] for several in parts["mention"].values() for row in several}
    names = {row["id"]: row["name"] for row in where("entity", "id", sorted(entities))}
    own = {version["id"] for note in notes.values() for version in note.versions}
    quoted = {row["version"] for several in parts["evidence"].values() for row in several} - own
    versions = where("version", "id", sorted(quoted))
    sources = {row["id"]: row for row in where("source", "id", sorted({row["source"] for row in versions}))}
    cited = {row["id"]: sources[row["source"]] for row in versions}
    return {
        row["id"]: Whole(
            row,
            _values(labels.get(row["id"], ())),
            sorted(claims.get(row["id"], []), key=lambda one, id=row["id"]: (one["id"] != id, one["id"])),  # type: ignore[misc]
            parts,
            notes,
            names,
            cited,
            pinned.get(row["id"], []),
        )
        for row in memories
    }  # fmt: skip


def _values(labels: Iterable[Row]) -> dict[str, list[str]]:
    """Return labels as keys with their values, in order."""
    return {key: [one["value"] for one in several] for key, several in grouped(labels, "key").items()}


def _notes(tx: Transaction, claims: Sequence[Row]) -> dict[str, Note]:
    """Return the notes of claims, by claim."""
    where = tx.tables.rows_where
    sources = {row["id"]: row for row in where("source", "id", [one["note"] for one in claims])}
    versions = grouped(where("version", "source", list(sources)), "source")
    texts: dict[str, str] = {}
    for row in where("content", "version", [one["id"] for several in versions.values() for one in several]):
        texts[row["version"]] = texts.get(row["version"], "") + row["text"]
    return {
        one["id"]: Note(sources[one["note"]], versions.get(one["note"], []), texts)
        for one in claims
        if one["note"] in sources
    }


def note_defaults(claim: Row) -> Row:
    """Return what a claim's note is like when nothing else is said."""
    return {
        "key": f"note:{claim['id']}", "title": claim["title"], "kind": "note", "trust": claim["trust"],
        "custody": "kept", "created_at": claim["recorded_at"], "url": "",
    }  # fmt: skip


def version_defaults(text: str, recorded_at: str) -> Row:
    """Return what the version of a plain text is like when nothing else is said."""
    raw = text.encode(errors="surrogatepass")
    return {
        "sha256": sha256(raw).hexdigest(), "size_bytes": len(raw), "encoding": "utf-8", "notice": "",
        "chars": len(text), "lines": text.count("\n") + (not text.endswith("\n")) if text else 0,
        "recorded_at": recorded_at, "source_time": "", "original": "",
    }  # fmt: skip


DECISION: Final[Row] = {"until": "", "actor": "owner", "reason": "", "undone_at": ""}
