"""Marks: keyed digests of erased sentences, by which a store can be searched for them without knowing them.

What a mark proves and what not: ``docs/decisions/0070-erasure-marks.md``.
"""

from __future__ import annotations

import json
import re
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from treering.ports import Transaction

SIZE: Final = 8
LEAST_BYTES: Final = 12
"""Shorter texts are no proof of anything: other texts have them by chance. Four Chinese characters are twelve bytes."""

_SENTENCE: Final = re.compile(r"[\r\n]+|(?<=[.!?;])\s+|(?<=[。！？；])\s*")
# When a row came about; of a table that has none of these the owner's date counts.
_DATES: Final = ("recorded_at", "changed_at", "made_at", "at", "created_at")


def sentences(text: str) -> Iterator[str]:
    """Yield a text's sentences and lines that are long enough to be told from others', and the whole of a short one."""
    whole = text.strip()
    seen = set[str]()
    for part in (*((whole,) if len(whole) < 400 else ()), *_SENTENCE.split(whole)):
        one = part.strip()
        if one not in seen and len(one.encode("utf-8", "surrogatepass")) >= LEAST_BYTES:
            seen.add(one)
            yield one


def mark(key: bytes, sentence: str) -> bytes:
    """Return the mark of a sentence."""
    return blake2b(sentence.encode("utf-8", "surrogatepass"), digest_size=SIZE, key=key).digest()


def split(joined: bytes) -> list[bytes]:
    """Return marks that are stored one behind the other."""
    return [joined[at : at + SIZE] for at in range(0, len(joined), SIZE)]


def texts_of(row: Mapping[str, Any], columns: Iterable[str]) -> Iterator[str]:
    """Yield the words that stand in some columns of a row; of JSON the strings in it."""
    for column in columns:
        value = row[column]
        if not isinstance(value, str) or not value or value.startswith("note:mem_"):
            continue
        if value[0] in "{[":
            yield from strings_in(value)
        yield value


def strings_in(text: str) -> Iterator[str]:
    """Yield the strings of a JSON text, nothing of another one."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return
    yield from strings(value)


def strings(value: Any) -> Iterator[str]:  # noqa: ANN401  what JSON holds
    """Yield the strings in a value, names of members too."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += [*one.values(), *one]
        elif isinstance(one, list):
            waiting += one


def held(
    tx: Transaction, key: bytes, marks: Mapping[bytes, str], counts: Callable[[str, str], bool] = lambda *_: True
) -> dict[bytes, str]:
    """Return the marks whose sentence stands in a text of the store, with the table that it stands in.

    Args:
        tx: the store.
        key: the store's own.
        marks: what is looked for; with each mark when it was erased.
        counts: tells of a row's date and of that of an erasure whether the row counts.
    """
    found: dict[bytes, str] = {}
    clean = set[int]()  # the same words stand in a memory, its claim, its note and its quote
    for table, columns in tx.erasures.words().items() if marks else ():
        if table in {"erasure", "copy", "tombstone", "vector"}:
            continue
        for row in tx.tables.rows(table):
            at = next((str(row[name]) for name in _DATES if name in row), "")
            for text in texts_of(row, columns):
                if hash(text) in clean:
                    continue
                clean.add(hash(text))
                for one in sentences(text):
                    known = mark(key, one)
                    if known not in marks:
                        continue
                    clean.discard(hash(text))  # another row of it may count
                    if known not in found and counts(at or _owner_date(tx, row), marks[known]):
                        found[known] = table
                        if len(found) == len(marks):
                            return found
    return found


def _owner_date(tx: Transaction, row: Mapping[str, Any]) -> str:
    """Return when that came about which a row without a date belongs to; empty where nobody can tell."""
    if "version" in row:
        source = tx.sources.source_of(str(row["version"]))
        versions = tx.sources.stored_versions(source) if source else []
        return next((one.recorded_at for one in versions if one.id == row["version"]), "")
    if "memory" in row:
        known = tx.memories.memories([str(row["memory"])]).get(str(row["memory"]))
        return known.changed_at if known else ""
    if "claim" in row:
        claim = tx.claims.claims([str(row["claim"])]).get(str(row["claim"]))
        return claim.recorded_at if claim else ""
    if "source" in row:
        source_row = tx.sources.sources([str(row["source"])]).get(str(row["source"]))
        versions = tx.sources.stored_versions(source_row.id) if source_row else []
        return max((one.recorded_at for one in versions), default="")
    return ""


def lost(before: Mapping[str, Sequence[Mapping[str, Any]]], after: Mapping[str, Sequence[Mapping[str, Any]]],
         words: Mapping[str, Sequence[str]]) -> tuple[dict[str, int], list[str]]:  # fmt: skip
    """Return how many rows of each table went or were blanked, and the texts that stood in them and no longer do.

    Args:
        before: rows by table, as they were.
        after: the same rows, as they are.
        words: the columns of each table that have a user's words.
    """
    counts: dict[str, int] = {}
    gone: dict[str, None] = {}
    left = {text for table, rows in after.items() for row in rows for text in texts_of(row, words.get(table, ()))}
    for table, rows in before.items():
        still = {json.dumps(row, default=repr, sort_keys=True) for row in after.get(table, ())}
        for row in rows:
            texts = list(texts_of(row, words.get(table, ())))
            if json.dumps(row, default=repr, sort_keys=True) in still:
                continue
            if all(text in left for text in texts) and any(_same_key(row, one) for one in after.get(table, ())):
                continue  # another state of the same words
            counts[table] = counts.get(table, 0) + 1
            gone |= dict.fromkeys(text for text in texts if text not in left)
    return counts, list(gone)


def _same_key(row: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Tell whether two rows of a table begin alike."""
    first = next(iter(row))
    return bool(row[first] == other[first])
