"""The file of signs beside the database, for a process that answers once and has no time for numpy.

Derived and droppable: what it finds is compared exactly with the rows in the store, what it does not know yet is
read from there, and a file that is absent, cut short or of another store or model is as if there were none. It is
read whole: a map of a file that somebody cuts short would kill the process.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from zlib import crc32

from treering.domain.signs import TOKEN_BYTES, Header, SignFile, padded, without
from treering.errors import TreeringError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from treering.ports import Backend, Embedder, Transaction

LEAST: Final = 1000
"""Rows below which no file is made: so many are compared exactly as quickly."""

# 30,000 rows of 256 numbers, or half as many of 512: 6 ms. In a larger memory words alone must lead.
_QUICK_BYTES: Final = 1_200_000
# A file that lacks more than this share of the rows is made again.
_BEHIND: Final = 0.02
_BLOCK: Final = 16_384


def path_of(database: str, model: str) -> str:
    """Return where the signs of a model lie; the name is one that the store's ignore file covers."""
    return f"{database}-signs-{crc32(model.encode()):08x}"


def _setting(model: str) -> str:
    """Return the name of the setting that holds the token of a model's file."""
    return f"signs {model}"


def read(database: str, tx: Transaction, model: str, *, needed: bool = True) -> SignFile | None:
    """Return the signs of a model's rows; None where there are none to be trusted.

    Args:
        database: the database that the file lies beside.
        tx: the store.
        model: the model.
        needed: whether nothing else brings any entry; else a large file is left alone.
    """
    token = tx.setting(_setting(model))
    if token is None:
        return None
    try:
        with open(path_of(database, model), "rb") as file:
            if not needed and os.fstat(file.fileno()).st_size > _QUICK_BYTES:
                return None
            found = SignFile(memoryview(file.read()))
    except (OSError, ValueError):
        return None
    return found if found.header.token.hex() == token else None


def renew(database: str, store: Backend, embedder: Embedder, model: str) -> None:
    """Write the signs of all rows, if those that are there know too little; a failure leaves things as they are."""
    if "numpy" not in sys.modules:  # nothing but a few texts was embedded
        return
    with suppress(TreeringError, OSError):
        with store.read() as tx:
            count, change = tx.vectors.mark(model)
            if count < LEAST or _knows_enough(read(database, tx, model), tx, model, count):
                return
            rows = sorted(tx.vectors.rows(model))
        header = Header(os.urandom(TOKEN_BYTES), len(rows), change, padded(embedder.dimension) // 64)
        new = f"{path_of(database, model)}-{os.getpid()}"
        try:
            _write(new, header, rows)
            # First the token: a file without it is not believed, and one from before is of no use any more.
            with store.write(wait=False) as tx:
                tx.put_setting(_setting(model), header.token.hex())
            os.replace(new, path_of(database, model))
        finally:
            with suppress(OSError):
                os.remove(new)


def _knows_enough(signs: SignFile | None, tx: Transaction, model: str, count: int) -> bool:
    """Tell whether few rows came or went since a file was written."""
    if signs is None:
        return False
    few = max(LEAST // 10, int(_BEHIND * count))
    return abs(count - signs.header.rows) <= few and len(tx.vectors.rows(model, signs.header.change, few + 1)) <= few


def _write(path: str, header: Header, rows: list[tuple[int, bytes]]) -> None:
    """Write a file of signs that nobody else can read."""
    import numpy as np

    from treering.recall.matrix import signs_of

    size = len(rows[0][1])
    words = np.empty((len(rows), header.words), "<u8")
    for start in range(0, len(rows), _BLOCK):
        joined = b"".join(row for _, row in rows[start : start + _BLOCK])
        words[start : start + _BLOCK] = signs_of(np.frombuffer(joined, np.int8).reshape(-1, size))
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(header.packed())
        file.write(words[:, 0].tobytes())
        file.write(np.array([entry for entry, _ in rows], "<i8").tobytes())
        file.write(np.ascontiguousarray(words[:, 1:]).tobytes())


def cut(database: str, entries: Sequence[int]) -> None:
    """Cut rows out of every file of signs; one that cannot be read so is removed, and made again when there is time.

    Args:
        database: the database that they lie beside.
        entries: the rows.
    """
    folder, name = os.path.split(database)
    for beside in os.listdir(folder):
        if not beside.startswith(f"{name}-signs-"):
            continue
        path = os.path.join(folder, beside)
        try:
            with open(path, "rb") as file:
                left = without(file.read(), entries)
        except (OSError, ValueError):
            left = None
        with suppress(OSError):
            if left is None:
                os.remove(path)
            elif left:
                with open(os.open(f"{path}-{os.getpid()}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                    file.write(left)
                os.replace(f"{path}-{os.getpid()}", path)
