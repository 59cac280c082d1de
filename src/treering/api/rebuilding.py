"""Filling an empty store with the rows of a mirror, and with everything that is derived from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from treering.api.cutting import rechunk
from treering.derived import rows as derived
from treering.domain.memory import LONG_CHARS
from treering.domain.syncing import RebuildReport
from treering.errors import Conflict
from treering.upkeep.mirror import reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from treering.curate.curator import Curator
    from treering.domain.chunk import Chunked
    from treering.ports import Transaction
    from treering.records import StoredSource
    from treering.settings import Settings
    from treering.upkeep.mirror.folder import Folder

    Row = dict[str, Any]

# What a new store has before anybody has saved anything.
_ANYBODY: Final = ("source", "claim", "memory", "root", "tombstone")
_PAGE: Final = 1000


def fill(
    tx: Transaction,
    folder: Folder,
    settings: Settings,
    *,
    own: bool,
    progress: Callable[[int, int], None] | None,
) -> RebuildReport:
    """Read a mirror into an empty store.

    Args:
        tx: a transaction that may write.
        folder: the mirror.
        settings: how texts are cut whose pieces no file says.
        own: whether it is this store's own, so that its files are known from now on.
        progress: called with files read and files in all.

    Raises:
        Conflict: if the store holds something.
    """
    if any(tx.tables.count(table) for table in _ANYBODY):
        raise Conflict("the store is not empty", hint="treering --store an/empty/folder rebuild --from DIR")
    found = reading.read(folder, progress)
    tables = found.rows
    for row in tables["source"]:
        row["custody"] = "kept"  # a file in place is read again by the next index run
    _without_lost_originals(tx, tables["version"])
    _give_entries(tables)
    tx.tables.drop_defaults()
    for table in tx.tables.names:
        if table == "content":
            tx.tables.put_texts((row["version"], row["text"]) for row in tables["content"])
        elif table in tables:
            for page in _pages(tables[table]):
                tx.tables.put(table, page)
    tx.tables.put("setting", [{"name": name, "value": value} for name, value in found.settings.items()])
    tx.tables.put("counter", _counters(tables))

    def cut(source: StoredSource, text: str) -> Chunked:
        """Cut a text whose pieces no file says."""
        return rechunk(tx, source, text, settings)

    derived.index_all(tx, cut, list(_to_index(tables)))
    if own:
        tx.mirrored.put_files(found.files)
    counted = sum(len(several) for several in tables.values())
    return RebuildReport(
        folder.path, len(tables["memory"]), len(tables["source"]), counted,
        tuple(map(tuple, found.troubles)),  # type: ignore[arg-type]  # pairs
        tuple(str(root.get("path")) for root in found.roots), len(tables["tombstone"]),
    )  # fmt: skip


def settle_slots(tx: Transaction, curator: Curator) -> None:
    """Make the histories of slots, and whatever memories do not agree with them."""
    from treering.curate.settle import settle
    from treering.recall.slots import all_slots

    for slot in list(all_slots(tx)):
        settle(tx, curator._replace(quiet=True), tx.claims.of_slot(slot))


def _without_lost_originals(tx: Transaction, versions: list[Row]) -> None:
    """Keep of documents whose bytes lie nowhere the text alone."""
    kept = frozenset(tx.originals.kept()) if any(row["original"] == "bytes" for row in versions) else frozenset()
    for row in versions:
        if row["original"] == "bytes" and row["sha256"] not in kept:
            row["original"] = "masked"


def _pages(rows: list[Row]) -> Iterator[list[Row]]:
    """Yield rows in pages."""
    for start in range(0, len(rows), _PAGE):
        yield rows[start : start + _PAGE]


def _give_entries(tables: dict[str, list[Row]]) -> None:
    """Give numbers in the index to memories and chunks."""
    number = 0
    for table, key in (("memory", "id"), ("chunk", "source")):
        for row in sorted(tables[table], key=lambda one, key=key: (one[key], one.get("ordinal", 0))):  # type: ignore[misc]
            number += 1
            row["entry"] = number


def _counters(tables: dict[str, list[Row]]) -> list[Row]:
    """Return how far numbers are given out."""
    last = {
        "entry": len(tables["memory"]) + len(tables["chunk"]),
        "decision": max((row["number"] for row in tables["decision"]), default=0),
        "act": max((row["number"] for row in tables["act"]), default=0),
    }
    return [{"name": name, "value": value} for name, value in last.items() if value]


def _to_index(tables: dict[str, list[Row]]) -> Iterable[str]:
    """Yield the sources whose texts are searched: all but the short notes of memories."""
    chars = {row["id"]: row["chars"] for row in tables["version"]}
    tracked = {row["source"] for row in tables["chunk"]}
    left_over = {f"note:{row['id']}" for row in tables["claim"] if row["erased_at"]}
    for row in tables["source"]:
        note = row["key"].startswith("note:mem_") and row["key"] not in left_over
        if row["id"] in tracked or (note and chars.get(row["version"], 0) > LONG_CHARS):
            yield row["id"]
