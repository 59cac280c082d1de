"""The databases that the contract is checked on, and files to put into them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from typing import Final, NamedTuple

import pytest

from treering.backends.postgres.connections import Limits
from treering.backends.postgres.engine import PostgresBackend
from treering.backends.sqlite.engine import SqliteBackend
from treering.domain.address import Address
from treering.domain.chunk import Chunk
from treering.domain.source import Document, FileStamp, Metadata, Tracked
from treering.intake import NewVersion
from treering.ports import Backend, Transaction

Open = Callable[..., Backend]


class Adapter(NamedTuple):
    """One kind of database: how an empty one is made, and whether a second door leads into it."""

    make: Callable[[pytest.FixtureRequest], Open]
    shared: bool


def in_memory(request: pytest.FixtureRequest) -> Open:
    """Return what opens a store that dies with it."""
    return partial(SqliteBackend, ":memory:", create=True)


def in_file(request: pytest.FixtureRequest) -> Open:
    """Return what opens a file in the test's folder."""
    return partial(SqliteBackend, str(request.getfixturevalue("tmp_path") / "memory.db"), create=True)


def on_server(request: pytest.FixtureRequest) -> Open:
    """Return what opens a database on a PostgreSQL server."""
    address = Address(request.getfixturevalue("databases").new())

    def open_store(**named: float) -> Backend:
        """Open the database, with the same argument for waiting as SQLite has."""
        wait = named.get("busy_timeout_s", 30.0)
        return PostgresBackend(address, create=True, limits=Limits(busy_s=wait))

    return open_store


ADAPTERS: Final = {
    "sqlite-memory": Adapter(in_memory, shared=False),
    "sqlite-file": Adapter(in_file, shared=True),
    "postgres": Adapter(on_server, shared=True),
}
SHARED: Final = [name for name, adapter in ADAPTERS.items() if adapter.shared]


@pytest.fixture(params=ADAPTERS)
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    """Return a new, empty store of each kind."""
    store = ADAPTERS[request.param].make(request)()
    yield store
    store.close()


@pytest.fixture(params=SHARED)
def open_store(request: pytest.FixtureRequest) -> Iterator[Open]:
    """Return what opens one and the same store again and again, for each kind that has several doors."""
    opened: list[Backend] = []
    open_one = ADAPTERS[request.param].make(request)

    def open_again(**named: object) -> Backend:
        opened.append(open_one(**named))
        return opened[-1]

    yield open_again
    for store in opened:
        store.close()


class Shelf:
    """Puts texts into a store as files that were read."""

    def __init__(self) -> None:
        """Number what is put from 1."""
        self._numbers = itertools.count(1)

    def new(
        self,
        key: str,
        text: str,
        *,
        root: int = 1,
        path: str = "",
        metadata: Mapping[str, tuple[str, ...]] | None = None,
        state: str = "none",
        chunks: tuple[Chunk, ...] | None = None,
    ) -> NewVersion:
        """Return a file's content: one chunk for each paragraph, unless others are given."""
        path = path or key.removeprefix("file:")
        digest = sha256(text.encode()).hexdigest()
        error = "line 1: no colon" if state == "unparsed" else ""
        return NewVersion(
            tracked=Tracked("", root, path, FileStamp(len(text), 1, 2), digest, "rules", state, error),  # type: ignore[arg-type]
            key=key,
            title=path.rpartition("/")[2],
            document=Document(text, digest, len(text.encode()), "utf-8"),
            chunks=paragraphs(text) if chunks is None else chunks,
            metadata=Metadata(dict(metadata or {}), state, error),  # type: ignore[arg-type]
        )

    def put(
        self, tx: Transaction, key: str, text: str, *, at: str = "2026-01-01T00:00:00.000Z", **named: object
    ) -> str:
        """Store a file and return the id of its source, which a root must already have been made for."""
        number = next(self._numbers)
        new = self.new(key, text, **named)  # type: ignore[arg-type]
        tx.sources.put_version(new, f"src_{number:03}", f"ver_{number:03}", at)
        found = tx.sources.source_by_key(key)
        assert found is not None
        return found.id


def paragraphs(text: str) -> tuple[Chunk, ...]:
    """Return a chunk for each paragraph, with the empty line after it."""
    pieces = [piece for piece in text.replace("\n\n", "\n\n\0").split("\0") if piece]
    starts = [0, *itertools.accumulate(map(len, pieces))]
    return tuple(
        Chunk(number, start, stop, text.count("\n", 0, start) + 1, text.count("\n", 0, stop) + 1, "prose")
        for number, (start, stop) in enumerate(itertools.pairwise(starts))
    )


@pytest.fixture
def shelf() -> Shelf:
    """Return what puts files into a store."""
    return Shelf()
