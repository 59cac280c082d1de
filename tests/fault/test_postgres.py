"""A PostgreSQL store when the server, the address or the rights are not what they should be."""

from __future__ import annotations

import contextlib
import re
import shutil
import sys
from typing import TYPE_CHECKING, Any, Final

import pytest
from secret_memories import NUMBERS, fill_with_secrets
from throwaway_postgres import GUARDED

import treering
from treering.backends.postgres import purging, schema
from treering.backends.postgres.connections import Limits
from treering.backends.postgres.engine import PostgresBackend
from treering.domain.address import Address
from treering.domain.query import Filter
from treering.errors import (
    BackendUnfit,
    BackendUnreachable,
    ExtraNotInstalled,
    InputError,
    NotFound,
    ReadOnlyStore,
    StorageFailed,
    StoreBusy,
    StoreTooNew,
    TreeringError,
)
from treering.surfaces.cli import main

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECRET: Final = "p@ss/w:rd#%?é 1"  # noqa: S105  of a server that lives for one test
WRITTEN: Final = "p%40ss%2Fw%3Ard%23%25%3F%C3%A9%201"


@pytest.fixture
def url(databases: Any) -> str:
    """Return the address of a new store."""
    address: str = databases.new()
    PostgresBackend(Address(address), create=True).close()
    return address


@pytest.fixture
def guarded(databases: Any, url: str) -> Iterator[str]:
    """Return the address of a store for a user who has a password full of odd characters and owns nothing."""
    name = Address(url).database
    databases.run(f"create role {GUARDED} login password '{SECRET}'", name)
    databases.run(f"grant usage on schema treering to {GUARDED}", name)
    databases.run(f"grant select on all tables in schema treering to {GUARDED}", name)
    yield url.replace("postgres@", f"{GUARDED}:{WRITTEN}@")
    databases.run(f"drop owned by {GUARDED}", name)
    databases.run(f"drop role {GUARDED}", name)


def opened(url: str, *, create: bool = False, **limits: float) -> contextlib.closing[PostgresBackend]:
    """Open a store and close it at the end of a block."""
    return contextlib.closing(PostgresBackend(Address(url), create=create, limits=Limits(**limits)))  # type: ignore[arg-type]


def put(store: PostgresBackend, value: str) -> None:
    """Write something."""
    with store.write() as tx:
        tx.put_setting("test", value)


def got(store: PostgresBackend) -> str | None:
    """Read what was written."""
    with store.read() as tx:
        return tx.setting("test")


# Addresses


def test_a_password_of_odd_characters_works_and_is_never_shown(guarded: str) -> None:
    """Written as escapes it lets its user in; neither location, facts nor representation repeat it."""
    with opened(guarded) as store:
        shown = f"{store.location} {store.info()} {Address(guarded)!r}"
        assert store.read_only
    assert GUARDED in shown
    assert "p%40ss" not in shown
    assert SECRET not in shown


@pytest.mark.parametrize(
    "written",
    [
        "postgresql://u:p@qz@host/db", "postgresql://u:pa/qz@host/db", "postgresql://u:pa#qz@host/db",
        "postgresql://u:pa?qz@host/db", "postgresql://u:pa qz@host/db", "postgresql://u:pa%qz@host/db",
        "postgresql://u:pa:qz@host/db", "postgresql://u:[qz@host/db", "postgresql://u:paqz@host:port/db",
        "postgresql://u:paqz@host/db?option", "postgresql://u:paqz@host/db/more", "postgresql://u:pa\tqz@host/db",
        "postgresql://u:pa%00qz@host/db",
    ],
)  # fmt: skip
def test_an_address_that_could_be_misread_is_refused(
    written: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What its owner may have meant otherwise is an error before anybody is asked, and no part of it is printed."""
    for words in (["--store", written, "status"], ["status", "--json", "--store", written]):
        assert main(words) == 2
        told = "".join(capsys.readouterr())
        assert "store's address" in told
        assert "qz" not in told
    monkeypatch.setenv("TREERING_STORE", written)
    assert main(["search", "anything"]) == 2


@pytest.mark.parametrize("option", ["nonsense=pa55word", "sslmode=pa55word", "connect_timeout=pa55word"])
def test_an_option_that_libpq_cannot_read(option: str) -> None:
    """An unknown option or value is said to be wrong."""
    with pytest.raises(TreeringError), opened(f"postgresql://u@127.0.0.1:1/db?{option}"):
        pass


def test_a_wrong_password(guarded: str) -> None:
    """The error names the user and says where passwords can be kept; the password is in no part of it."""
    wrong = guarded.replace(WRITTEN, "hunter22")
    with pytest.raises(BackendUnreachable, match=r"refuses user 'guarded'.*password") as caught, opened(wrong):
        pass
    assert "pgpass" in caught.value.hint
    assert "hunter22" not in f"{caught.value} {caught.value.hint} {caught.value!r} {caught.value.__cause__}"


def test_no_server_and_no_database(url: str) -> None:
    """A server that does not answer is said not to be reached; a database that is not there, not to be there."""
    with pytest.raises(BackendUnreachable, match="cannot be reached"), opened("postgresql://u:pa55@/db?host=/nowhere"):
        pass
    with pytest.raises(NotFound, match="no database"), opened(url.replace(Address(url).database, "absent")):
        pass


def test_the_extra_is_not_installed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the driver the error names the extra and how it is installed."""
    for name in [name for name in sys.modules if name.startswith(("psycopg", "treering.backends.postgres"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ExtraNotInstalled, match="extra postgres") as caught, treering.open(store=url) as memory:
        memory.remember("The driver is absent.")
    assert caught.value.hint == "pip install 'treering[postgres]'"


# Rights and versions


def test_who_may_only_read(guarded: str, url: str) -> None:
    """A user without the right to write reads; writing is refused with the reason."""
    with opened(url) as store:
        put(store, "written")
    with opened(guarded) as store:
        assert got(store) == "written"
        with pytest.raises(ReadOnlyStore, match="may only read"):
            put(store, "refused")
    with opened(f"{url}&options=-cdefault_transaction_read_only%3Don") as store:
        assert got(store) == "written"
        with pytest.raises(ReadOnlyStore, match="read-only"):
            put(store, "refused")


def test_a_newer_store_is_refused(databases: Any, url: str) -> None:
    """A store with a migration that this program does not know is not touched."""
    databases.run("insert into treering.migration values (99, 'later', 'x')", Address(url).database)
    with pytest.raises(StoreTooNew, match="newer Treering"), opened(url):
        pass


def test_an_older_store_is_brought_up_to_date(
    databases: Any, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A migration that is missing is applied at the next opening, once; who cannot write is told."""
    folder = tmp_path / "migrations"
    shutil.copytree(schema._MIGRATIONS, folder)
    number = len(list(folder.iterdir())) + 1
    (folder / f"{number:04}_more.sql").write_text("create table more (n integer); insert into more values (1);")
    monkeypatch.setattr(schema, "_MIGRATIONS", str(folder))
    with pytest.raises(ReadOnlyStore, match="upgraded"), opened(f"{url}&options=-cdefault_transaction_read_only%3Don"):
        pass
    for _ in range(2):
        with opened(url) as store:
            assert store.info()["schema"] == number
    assert databases.run("select count(*) from treering.more", Address(url).database) == [(1,)]


def test_a_database_without_pgvector(databases: Any) -> None:
    """Who may not add the extension is told who can, and nothing is left behind."""
    bare = databases.bare()
    databases.run(f"create role {GUARDED} login password 'x'", "postgres")
    try:
        databases.run(f"grant create on database {bare} to {GUARDED}", bare)
        url = databases.server.url(bare).replace("postgres@", f"{GUARDED}:x@")
        with pytest.raises(BackendUnfit, match="lacks the extension vector") as caught, opened(url, create=True):
            pass
        assert "create extension vector" in caught.value.hint
        assert databases.run("select 1 from pg_namespace where nspname = 'treering'", bare) == []
    finally:
        databases.run(f"drop owned by {GUARDED}", bare)
        databases.run(f"drop role {GUARDED}", "postgres")


def test_nothing_is_made_by_looking(databases: Any) -> None:
    """A question to a database without a store says so and makes none."""
    url = databases.new()
    with pytest.raises(NotFound, match="no store"), opened(url):
        pass
    assert databases.run("select 1 from pg_namespace where nspname = 'treering'", Address(url).database) == []


# A server that goes


def test_no_connection_is_left(databases: Any, guarded: str, url: str) -> None:
    """A user beyond the number of connections is told to try again; the store is busy, not broken."""
    databases.run(f"alter role {GUARDED} connection limit 1", Address(url).database)
    with opened(guarded) as store, store.read(), pytest.raises(StoreBusy, match="no connection left"), opened(guarded):
        pass


def test_more_threads_than_connections(url: str) -> None:
    """Who gets no connection of the process in time is told which setting gives more."""
    with opened(url, connections=1, busy_s=0.05) as store, store.read():
        with pytest.raises(StoreBusy, match=r"1 connections .* in use") as caught:
            got(store)
        assert "postgres.connections" in caught.value.hint


def test_a_restart_between_two_questions_is_not_noticed(databases: Any, url: str) -> None:
    """Connections that a restart has cut are replaced; reading and writing go on."""
    with opened(url) as store:
        put(store, "before")
        databases.server.halt()
        databases.server.start()
        assert got(store) == "before"
        databases.server.halt()
        databases.server.start()
        put(store, "after")
        assert got(store) == "after"


def test_a_restart_inside_a_transaction_leaves_the_old_state(databases: Any, url: str) -> None:
    """A write whose server goes fails and changes nothing; while it is away the error says so."""

    def interrupted(store: PostgresBackend) -> None:
        with store.write() as tx:
            tx.put_setting("test", "half")
            databases.server.halt()
            tx.put_setting("test", "whole")

    with opened(url) as store:
        put(store, "before")
        try:
            with pytest.raises(BackendUnreachable, match="nothing was changed"):
                interrupted(store)
            with pytest.raises(BackendUnreachable):
                got(store)
        finally:
            databases.server.start()
        assert got(store) == "before"


def test_a_commit_that_is_cut_off_is_not_known(databases: Any, url: str) -> None:
    """When the server goes at the very end, the error says that nobody knows whether the change was kept."""

    def cut_off(store: PostgresBackend) -> None:
        with store.write() as tx:
            tx.put_setting("test", "perhaps")
            databases.server.halt()

    with opened(url) as store:
        try:
            with pytest.raises(BackendUnreachable, match="is not known"):
                cut_off(store)
        finally:
            databases.server.start()
        assert got(store) in {None, "perhaps"}


def test_a_session_that_an_administrator_ends(databases: Any, url: str) -> None:
    """A reader whose session is ended gets an error, and the next question is answered."""
    end = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'treering'"

    def ask(store: PostgresBackend) -> None:
        with store.read() as tx:
            databases.run(end, Address(url).database)
            tx.setting("test")

    with opened(url) as store:
        with pytest.raises(BackendUnreachable, match="went away"):
            ask(store)
        assert got(store) is None


def test_a_statement_takes_too_long(url: str) -> None:
    """A statement beyond its time ends with the setting that allows more; the connection goes on working."""

    def sleep(store: PostgresBackend) -> None:
        with store.read() as tx:
            tx.sources._db.rows("select pg_sleep(30)")  # type: ignore[attr-defined]

    with opened(url, statement_s=0.05) as store:
        with pytest.raises(StorageFailed, match="too long") as caught:
            sleep(store)
        assert "postgres.statement_timeout_s" in caught.value.hint
        assert got(store) is None


def test_the_store_is_dropped_meanwhile(databases: Any, url: str) -> None:
    """A store that somebody removed is not found any more; one made in its place is known for another."""
    with opened(url) as store:
        databases.run("drop schema treering cascade", Address(url).database)
        with pytest.raises(NotFound, match="no store"):
            got(store)


# Erasing


def test_forgotten_words_leave_the_servers_files(databases: Any, url: str, tmp_path: Path) -> None:
    """After `forget` no table, index or statistics file of the database holds a word of the memory."""
    with treering.open(store=url) as memory:
        for number in range(40):
            memory.remember(f"The ordinary fact number {number}.", tags=["plain"])
        secret = memory.remember("The zyzzyva sleeps.", title="Xylotile", summary="Quokkasum", tags=["vexillum"])
        memory.update(secret.id, text="The zyzzyva wakes.")
        memory._opened(create=False).settle()
        databases.run("analyze", Address(url).database)
        databases.run("checkpoint", Address(url).database)
        assert "zyzzyva" in words_in_files(databases, url)
        assert memory.forget([secret.id]).notices == ()
        databases.run("checkpoint", Address(url).database)
        assert words_in_files(databases, url) == set()
        assert memory.search("ordinary fact 7").found


def test_words_kept_beside_a_memory_leave_the_servers_files(databases: Any, url: str) -> None:
    """Claims, revisions, proposals, reasons, entities, labels and merged words leave the server's files, too."""
    words = {f"zyz{number}qu".encode() for number in NUMBERS}

    def held() -> set[bytes]:
        """Return which of the words stand in the files of the database."""
        databases.run("checkpoint", Address(url).database)
        [(number,)] = databases.run(
            "select oid from pg_database where datname = current_database()", Address(url).database
        )
        files = b"".join(file.read_bytes() for file in (databases.server.data / "base" / str(number)).iterdir())
        return {word for word in words if word in files.lower()}

    with treering.open(store=url) as memory:
        ids = fill_with_secrets(memory, "zyz{}qu".format)
        memory._opened(create=False).settle()
        assert held() == words
        assert memory.forget(ids).notices == ()
        assert held() == set()


def words_in_files(databases: Any, url: str) -> set[str]:
    """Return which of the words of the forgotten memory stand in the files of a database."""
    name = Address(url).database
    [(number,)] = databases.run("select oid from pg_database where datname = current_database()", name)
    held = b"".join(file.read_bytes() for file in (databases.server.data / "base" / str(number)).iterdir())
    return {
        word
        for word in ("zyzzyva", "Xylotile", "Quokkasum", "vexillum")
        if re.search(word.encode(), held, re.IGNORECASE)
    }


def test_purging_waits_for_a_reader_and_says_so(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """While somebody still sees the removed rows, purging says that they are not gone."""
    monkeypatch.setattr(purging, "_WAIT_MS", 50)
    with opened(url) as store, opened(url) as other:
        put(store, "one")
        with other.read() as tx:
            assert tx.setting("test") == "one"
            tx.sources.count(Filter())
            with store.write() as writing:
                writing.keywords.add([(1, "head", "body")])
            with store.write() as writing:
                writing.keywords.remove([(1, "head", "body")])
            assert not store.purge()
        assert store.purge()


def test_a_store_that_cannot_be_made_leaves_no_connection(url: str) -> None:
    """Opening that fails closes what it opened: no warning of a lost connection, and the error is ours."""
    with pytest.raises(InputError), treering.open(store=url.replace("?host", "?hsot")) as memory:
        memory.status()
