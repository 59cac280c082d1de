"""A version that continues the one before it: what both have in common is carried over, not written again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treering.backends.engine import Database, Value
    from treering.intake import NewVersion


def grow(db: Database, space: int, new: NewVersion, version: str, at: str, part_chars: int) -> None:
    """Make ``version`` of what stays of the base and of the text that is new, and remove the base.

    Chunks that stay keep their entries; the new ones are the caller's.

    Args:
        db: a transaction that may write.
        space: the space.
        new: the content, with its base.
        version: id for the version.
        at: now, ISO 8601.
        part_chars: how many characters one part of a text holds.

    Raises:
        ValueError: if ``new`` has no base.
    """
    base, text = new.base, new.document.text
    if base is None:
        raise ValueError("only a text with a base can grow")
    params: dict[str, Value] = {"space": space, "base": base.version, "version": version}
    [(source, former_chars)] = db.rows(
        "select source, chars from version where space = :space and id = :base", {"space": space, "base": base.version}
    )
    # Parts before this one are full, so they stay; it may lie before or behind the place where the chunks part.
    first = former_chars // part_chars * part_chars
    kept = _between(db, space, base.version, first, base.start) if first < base.start else ""
    rest = kept + text[max(first - base.start, 0) :]
    db.run(
        "insert into version (space, id, source, sha256, size_bytes, encoding, notice, chars, lines, recorded_at)"
        " values (:space, :id, :source, :sha256, :size_bytes, :encoding, :notice, :chars, :lines, :at)",
        {
            "space": space,
            "id": version,
            "source": source,
            "sha256": new.document.sha256,
            "size_bytes": new.document.size_bytes,
            "encoding": new.document.encoding,
            "notice": new.document.notice,
            "chars": base.start + len(text),
            "lines": base.line - 1 + text.count("\n") + (not text.endswith("\n")),
            "at": at,
        },
    )
    db.run(
        "delete from chunk where space = :space and source = :source and ordinal >= :chunks",
        {"space": space, "source": source, "chunks": base.chunks},
    )
    db.run(
        "update content set version = :version where space = :space and version = :base and start < :first",
        {**params, "first": first},
    )
    db.run_many(
        "insert into content (space, version, start, text) values (:space, :version, :start, :text)",
        [
            {"space": space, "version": version, "start": first + at, "text": rest[at : at + part_chars]}
            for at in range(0, len(rest), part_chars)
        ],
    )
    db.run("update evidence set version = :version where space = :space and version = :base", params)
    db.run("delete from version where space = :space and id = :base", {"space": space, "base": base.version})


def _between(db: Database, space: int, version: str, first: int, stop: int) -> str:
    """Return the beginning of the part at ``first``, up to ``stop``."""
    params: dict[str, Value] = {"space": space, "version": version, "first": first}
    sql = "select text from content where space = :space and version = :version and start = :first"
    return "".join(str(row[0])[: stop - first] for row in db.rows(sql, params))
