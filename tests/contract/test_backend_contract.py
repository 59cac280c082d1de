"""What every store promises of its transactions, see ``treering.ports.Backend``: one suite over all adapters."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from treering.domain.query import Filter, Term
from treering.domain.source import Skip
from treering.errors import StoreBusy

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.ports import Backend, Transaction


def everything(tx: Transaction) -> dict[str, Any]:
    """Return all that the port shows of a small store."""
    sources = tx.sources.list_sources(Filter(), 1000, "")
    return {
        "roots": tx.sources.roots(),
        "skips": tx.sources.skips(),
        "tracked": tx.sources.tracked(),
        "sources": sources,
        "texts": [tx.sources.text(source.version, 0, source.chars) for source in sources],
        "chunks": [tx.sources.chunks_of(source.version) for source in sources],
        "metadata": tx.sources.metadata([source.id for source in sources]),
        "count": tx.sources.count(Filter()),
        "entries": tx.keywords.size(),
        "words": tx.keywords.frequencies([Term((word,)) for word in ("gateway", "retry", "billing")]),
        "setting": tx.setting("analysis"),
    }


def fill(tx: Transaction, shelf: Any) -> None:
    """Write something of every kind."""
    root = tx.sources.put_root("docs", "")
    shelf.put(tx, "file:docs/a.md", "The gateway.\n\nThe retry.\n", root=root.number, metadata={"kind": ("note",)})
    tx.keywords.add([(1, "a", "The gateway."), (2, "a", "The retry.")])
    tx.sources.finish_root(root.number, "rules", "2026-01-01", [Skip("b.md", "it is a pipe")])
    tx.put_setting("analysis", "1")


def change(tx: Transaction, shelf: Any) -> None:
    """Change and add something of every kind."""
    tx.keywords.remove([(2, "a", "The retry.")])
    shelf.put(tx, "file:docs/a.md", "The billing.\n", metadata={"kind": ("event",)})
    shelf.put(tx, "file:docs/b.md", "More billing.\n")
    tx.keywords.add([(3, "a", "The billing.")])
    tx.sources.put_root("notes", "*.txt")
    tx.sources.finish_root(1, "other rules", "2026-01-02", [])
    tx.put_setting("analysis", "2")


def test_a_new_store_is_empty(backend: Backend) -> None:
    """A store that was just made answers every question with nothing."""
    with backend.read() as tx:
        seen = everything(tx)
    assert seen["words"] == [0, 0, 0]
    assert tuple(seen["count"]) == (0, 0, 0, 0)
    assert not any(seen[name] for name in ("roots", "skips", "tracked", "sources", "entries", "setting"))


def test_a_write_is_seen_inside_and_afterwards(backend: Backend, shelf: Any) -> None:
    """What a block wrote is read in the block itself and by every later one."""
    with backend.write() as tx:
        fill(tx, shelf)
        inside = everything(tx)
    with backend.read() as tx:
        assert everything(tx) == inside
    assert inside["words"] == [1, 1, 0]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, GeneratorExit])
def test_an_exception_leaves_the_old_state(backend: Backend, shelf: Any, error: type[BaseException]) -> None:
    """Whatever leaves the block by an exception leaves nothing behind, and the next block works."""
    with backend.write() as tx:
        fill(tx, shelf)
        before = everything(tx)

    def fail() -> None:
        with backend.write() as tx:
            change(tx, shelf)
            assert everything(tx) != before
            raise error

    with pytest.raises(error):
        fail()
    with backend.read() as tx:
        assert everything(tx) == before
    with backend.write() as tx:
        change(tx, shelf)
        assert everything(tx) != before


def test_an_exception_leaves_a_read(backend: Backend) -> None:
    """A reader may leave by an exception, and reading and writing go on."""

    def fail() -> None:
        with backend.read():
            raise ValueError("left early")

    with pytest.raises(ValueError, match="left early"):
        fail()
    with backend.write() as tx:
        tx.put_setting("analysis", "1")
    with backend.read() as tx:
        assert tx.setting("analysis") == "1"


def test_settings(backend: Backend) -> None:
    """A setting is None until it is put; any text is kept as it is; the last value holds."""
    with backend.write() as tx:
        assert tx.setting("name") is None
        for value in ("", "1", "línea\n漢字 🎉 ' \" %"):
            tx.put_setting("name", value)
            assert tx.setting("name") == value
        assert tx.setting("NAME") is None


def test_threads_share_a_store(backend: Backend) -> None:
    """Threads that read and write one backend at once lose no write and see no half of one."""

    def add(_: int) -> bool:
        with backend.write() as tx:
            count = int(tx.setting("left") or 0) + 1
            tx.put_setting("left", str(count))
            tx.put_setting("right", str(count))
        with backend.read() as tx:
            return tx.setting("left") == tx.setting("right")

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(add, range(60)))
    with backend.read() as tx:
        assert tx.setting("left") == "60"


def test_facts(backend: Backend) -> None:
    """A store says where it is, that it can be written, and how large it is; it was not replaced."""
    info = backend.info()
    assert {"engine", "size_bytes", "schema"} <= set(info)
    assert int(info["size_bytes"]) > 0
    assert int(info["schema"]) >= 1
    assert backend.location
    assert not backend.read_only
    assert not backend.replaced()


def test_closing_twice(backend: Backend) -> None:
    """A second close does nothing."""
    backend.close()
    backend.close()


def test_a_write_is_kept(open_store: Callable[..., Backend], shelf: Any) -> None:
    """What was written is there when the store is opened again."""
    store = open_store()
    with store.write() as tx:
        fill(tx, shelf)
        before = everything(tx)
    store.close()
    with open_store().read() as tx:
        assert everything(tx) == before


def test_a_reader_sees_one_state(open_store: Callable[..., Backend], shelf: Any) -> None:
    """A reader sees the state of when its block began, whatever others commit meanwhile; the next sees the new one."""
    one, other = open_store(), open_store()
    with one.write() as tx:
        fill(tx, shelf)
    with other.read() as looking:
        with one.write() as tx:
            change(tx, shelf)
            after = everything(tx)
        seen = everything(looking)
        assert seen["words"] == [1, 1, 0]
        assert seen["setting"] == "1"
        assert seen == everything(looking)
    with other.read() as tx:
        assert everything(tx) == after


def test_a_writer_is_seen_at_its_end_only(open_store: Callable[..., Backend], shelf: Any) -> None:
    """Nothing of an open write is seen through another door, and reading does not wait for it."""
    one, other = open_store(), open_store(busy_timeout_s=0.0)
    with one.write() as tx:
        fill(tx, shelf)
        with other.read() as looking:
            assert tuple(looking.sources.count(Filter())) == (0, 0, 0, 0)
            assert looking.keywords.size() == 0


def test_a_second_writer_gives_up_in_time(open_store: Callable[..., Backend]) -> None:
    """Who cannot write within the timeout is told who kept the store, and can write afterwards."""
    one, other = open_store(), open_store(busy_timeout_s=0.02)

    def write() -> None:
        with other.write() as tx:
            tx.put_setting("name", "other")

    with one.write() as tx:
        tx.put_setting("name", "one")
        with pytest.raises(StoreBusy, match=r"0\.02 s"):
            write()
    write()
    with one.read() as tx:
        assert tx.setting("name") == "other"


def test_a_second_writer_waits(open_store: Callable[..., Backend]) -> None:
    """A writer that meets another waits for its end and builds on what it wrote."""
    one, other = open_store(), open_store()
    started = threading.Event()

    def write() -> None:
        started.set()
        with other.write() as tx:
            tx.put_setting("name", f"{tx.setting('name')} other")

    thread = threading.Thread(target=write)
    with one.write() as tx:
        thread.start()
        assert started.wait(10)
        tx.put_setting("name", "one")
    thread.join(10)
    with one.read() as tx:
        assert tx.setting("name") == "one other"
