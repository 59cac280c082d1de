"""A memory with something of everything, its rows, and its files: what the tests of the mirror share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from treering import MemoryStore

# What a rebuild leaves to the next index run, and numbers that are given out anew.
LEFT_OUT: Final = ("root", "tracked", "skipped", "folder", "counter", "recalled", "copy", "handed", "departed")

OF_MACHINE: Final = ("copies", "files", "history")


def fill(memory: MemoryStore, folder: Path) -> dict[str, str]:
    """Save something of everything; return ids by what they are."""
    (folder / "a.md").write_text("# Lockers\n\nA locker door stays open for 45 seconds.\n", encoding="utf-8")
    (folder / "minutes.txt").write_bytes(b"Ines: the launch is on 10 March\r\nBjarne: fine\r\n")
    memory.index(["."])
    kept = memory.import_(["minutes.txt"], tags=["weekly"], metadata={"team": "harbour"})[0]
    old = memory.remember("Staging runs PostgreSQL 16", slot="staging/database", valid_from="2025-01-01", tags=["db"])
    new = memory.remember("Staging runs PostgreSQL 17", slot="staging/database", value="17", valid_from="2026-01-01")
    memory.confirm(new.id)
    plain = memory.remember("Ines owns the harbour lockers 港口", entities=["Ines"], metadata={"team": "harbour"})
    memory.update(plain.id, text="Ines owns the harbour lockers 港口 since May", title="Who owns: the lockers/*?")
    memory.entity_alias("Ines", "Inés M.")
    quoting = memory.remember(
        "Launch on 10 March", kind="decision", source=kept.id, quote="the launch is on 10 March\r\nBjarne: fine"
    )
    pinned = memory.remember("Doors close", summary="Soon", source="a.md", quote="A locker door stays open")
    memory.link(quoting.id, plain.id, type="supports")
    memory.pin(pinned.id, ttl="3d")
    clash = memory.remember("Staging runs MySQL", slot="staging/database", value="MySQL", valid_from="2026-01-01")
    hidden = memory.remember("Park the import job", kind="procedure")
    memory.archive(hidden.id, reason="old")
    gone = memory.remember("A word that has to go", slot="words/last")
    memory.forget(gone.id, reason="asked")
    memory.remember("A long one. " + "It goes on and on about lockers. " * 80)
    memory.undo()
    return {
        "kept": kept.id, "old": old.id, "new": new.id, "plain": plain.id, "quoting": quoting.id, "pinned": pinned.id,
        "clash": clash.id, "hidden": hidden.id, "gone": gone.id,
    }  # fmt: skip


def rows(memory: MemoryStore) -> dict[str, list[str]]:
    """Return all rows that a mirror keeps, by table, without numbers of the index."""
    found: dict[str, list[str]] = {}
    with memory._reading() as tx:
        tracked = {row["id"] for row in tx.tables.rows("source") if row["custody"] == "tracked"}
        cited = {row["version"] for row in tx.tables.rows("evidence")}
        versions = {row["id"]: row["source"] for row in tx.tables.rows("version")}
        read_again = {version for version, source in versions.items() if source in tracked and version not in cited}
        uncited = tracked - {versions[version] for version in cited & versions.keys()}
        for table in tx.tables.names:
            if table not in LEFT_OUT:
                kept = (_row(table, row, read_again, tracked, uncited) for row in tx.tables.rows(table))
                found[table] = [json.dumps(row, sort_keys=True) for row in kept if row]
    return found


def _row(
    table: str, row: dict[str, Any], read_again: set[str], tracked: set[str], uncited: set[str]
) -> dict[str, Any] | None:
    """Return a row as it is compared; None for one that the next index run makes."""
    if table == "setting":
        return row if row["name"] in {"zone", "erasure key"} else None
    if table == "erasure":  # marks stay with the store, and what a receipt says of the machine
        receipt = json.loads(row["receipt"])
        return {"id": row["id"], "state": row["state"], **{k: v for k, v in receipt.items() if k not in OF_MACHINE}}
    if table in {"chunk", "label"} and row["source"] in tracked:
        return None
    if table == "source":
        return None if row["id"] in uncited else {**row, "custody": ""}
    if (table == "version" and row["id"] in read_again) or (table == "content" and row["version"] in read_again):
        return None
    return {name: value for name, value in row.items() if name != "entry"}


def files(memory: MemoryStore) -> dict[str, str]:
    """Return the mirror's Markdown files by path."""
    root = Path(memory.mirror_folder)
    return {
        path.relative_to(root).as_posix(): path.read_bytes().decode()
        for path in sorted(root.rglob("*.md"))
        if path.is_file()
    }


def file_of(memory: MemoryStore, id: str) -> Path:
    """Return the file of an object."""
    memory.write_mirror()
    with memory._reading() as tx:
        return Path(memory.mirror_folder, tx.mirrored.files([id])[id].path)
