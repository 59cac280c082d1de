"""The registry of tables: what is canonical, and where a user's words stand.

Export, verify and erasure go by it. A test compares it with both databases: a table or column that is not here fails.
"""

from __future__ import annotations

from typing import Final

from treering.domain.named import NamedTuple


class Table(NamedTuple):
    """One table.

    Attributes:
        columns: all of them but the space, in the order of the first migration that has them.
        words: those that hold a user's words, or anything made of them.
        derived: whether ``reindex`` makes it again.
        key: how many columns, the first ones, identify a row besides the space.
        owners: those that hold the id of a memory, claim, source, version, proposal or entity that the row's words
            belong to; an erasure counts and proves by them.
        swept: whether an erasure removes the rows of erased owners by itself, and no room has to think of them.
    """

    columns: tuple[str, ...]
    words: tuple[str, ...] = ()
    derived: bool = False
    key: int = 1
    owners: tuple[str, ...] = ()
    swept: bool = False


TABLES: Final[dict[str, Table]] = {
    "setting": Table(("name", "value")),
    "counter": Table(("name", "value")),
    "root": Table(("number", "path", "glob", "rules_hash", "scanned_at"), ("path", "glob")),
    "source": Table(
        ("id", "key", "title", "kind", "trust", "custody", "version", "created_at", "url"),
        ("key", "title", "url"),
        owners=("id",),
    ),
    "version": Table(
        ("id", "source", "sha256", "size_bytes", "encoding", "notice", "chars", "lines", "recorded_at",
         "source_time", "original"),
        ("notice",),
        owners=("source",),
    ),
    "content": Table(("version", "start", "text"), ("text",), key=2, owners=("version",)),
    "tracked": Table(
        ("source", "root", "path", "size_bytes", "mtime_ns", "ctime_ns", "rules_hash", "state", "error"),
        ("path", "error"),
        owners=("source",),
    ),
    "skipped": Table(("root", "path", "reason"), ("path", "reason"), key=2),
    "folder": Table(("root", "path", "mtime_ns"), ("path",), key=2),
    "label": Table(("source", "key", "place", "value"), ("key", "value"), key=3, owners=("source",)),
    "claim": Table(
        ("id", "memory", "slot", "kind", "title", "content", "summary", "value", "trust", "actor", "author", "note",
         "valid_from", "valid_to", "recorded_at", "erased_at"),
        ("slot", "title", "content", "summary", "value"),
        owners=("id",),
    ),
    "replacement": Table(("claim", "old"), key=2),
    "claim_revision": Table(
        ("claim", "revision", "kind", "title", "content", "summary", "value", "labels", "changed_at"),
        ("title", "content", "summary", "value", "labels"),
        key=2,
        owners=("claim",),
    ),
    "evidence": Table(
        ("claim", "place", "since", "until", "version", "start", "stop", "quote"), ("quote",), key=2,
        owners=("claim", "version"),
    ),
    "decision": Table(
        ("number", "claim", "kind", "at", "until", "actor", "reason", "undone_at"), ("reason",),
        owners=("claim",),
    ),
    "proposal": Table(
        ("id", "state", "claim", "operation", "why", "author", "made_at", "decided_at", "reason"),
        ("operation", "reason"),
        owners=("id", "claim"),
    ),
    "entity": Table(("id", "kind", "name", "created_at"), ("name",), owners=("id",)),
    "alias": Table(("key", "entity", "name"), ("key", "name"), key=2, owners=("entity",)),
    "mention": Table(("claim", "entity"), key=2),
    "link": Table(("from_id", "to_id", "type", "made_at", "author"), key=3),
    "act": Table(("number", "at", "role", "author", "name", "target", "outcome", "inverse", "undone")),
    "handed": Table(("day", "client", "answers", "tokens"), key=2),
    "memory": Table(
        ("id", "entry", "kind", "title", "content", "summary", "slot", "value", "source", "status", "why",
         "verification", "trust", "revision", "fingerprint", "valid_from", "valid_to", "starts", "stops",
         "superseded_by", "recorded_at", "changed_at"),
        ("title", "content", "summary", "slot", "value"),
        owners=("id",),
    ),
    "memory_label": Table(("memory", "key", "place", "value"), ("key", "value"), key=3, owners=("memory",)),
    "briefing": Table(("id", "place", "memory", "pinned_at", "until", "role", "author"), key=2, owners=("memory",)),
    "recalled": Table(("memory", "times", "last_at"), owners=("memory",)),
    "tombstone": Table(("id", "forgotten_at", "reason"), ("reason",)),
    "erasure": Table(("id", "state", "begun_at", "wanted", "todo", "receipt", "marks"), ("receipt",)),
    "copy": Table(("path", "kind", "made_at"), ("path",)),
    "departed": Table(("key", "at"), ("key",)),
    "stretch": Table(("slot", "start", "stop", "memory", "state", "contested"), ("slot",), derived=True, key=2),
    # How a talk was cut into its turns stands in no text; the rest of it reindex makes again.
    "chunk": Table(
        ("entry", "source", "ordinal", "start", "stop", "first_line", "last_line", "kind", "path", "lead", "parent",
         "oversized", "opens", "fingerprint"),
        ("path", "lead"),
        owners=("source",),
    ),
    "mirror_due": Table(("kind", "id"), derived=True, key=2),
    "mirror_file": Table(("id", "path", "sha256", "size_bytes", "mtime_ns"), ("path",), derived=True),
    "model": Table(("number", "name"), derived=True),
    "vector": Table(("entry", "model", "change", "row"), ("row",), derived=True, key=2),
    "digest": Table(
        ("number", "parent", "level", "domain", "first", "last", "leaves", "fingerprint", "made", "text", "row"),
        ("first", "last", "text", "row"),
        derived=True,
    ),
    "digest_leaf": Table(("entry", "digest", "owner", "rank", "fingerprint"), ("rank",), derived=True),
    "digest_due": Table(("owner",), derived=True),
}  # fmt: skip
"""By name, each behind those that it refers to; the bytes of originals are apart, see ``ports.originals``."""

CANONICAL: Final = tuple(name for name, table in TABLES.items() if not table.derived)
"""What an export holds, in the order in which it can be taken in."""
