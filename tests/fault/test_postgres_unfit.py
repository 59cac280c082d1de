"""Servers that cannot hold a store are refused in words, with what to do, and nothing is left behind."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from throwaway_postgres import Server, installed

import treering
from treering.backends.postgres import schema
from treering.errors import BackendUnfit


@pytest.fixture(scope="module")
def poor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server whose installation has neither pgvector nor the contrib modules."""
    wheel = installed()
    package = tmp_path_factory.mktemp("poor") / wheel.parent.name
    shutil.copytree(wheel, package / wheel.name, symlinks=True)
    libraries = wheel.parent.with_name(f"{wheel.parent.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, package.with_name(libraries.name))
    for name in ("vector.control", "btree_gist.control"):
        files = [*package.rglob(name)]
        if not files:
            pytest.skip("the extensions of this installation lie elsewhere")
        for file in files:
            file.unlink()
    with Server(package / wheel.name) as server:
        yield server


def run(url: str, sql: str) -> list[Any]:
    """Run a statement as superuser and return its rows, if it has any."""
    with contextlib.closing(psycopg.connect(url, autocommit=True)) as connection:
        cursor = connection.execute(sql)  # type: ignore[call-overload]
        return cursor.fetchall() if cursor.description else []


def refused(url: str) -> BackendUnfit:
    """Return the error of making a store, after which nothing of it may be there."""
    with pytest.raises(BackendUnfit) as caught, treering.open(store=url) as memory:
        memory.remember("The first memory")
    assert caught.value.exit_status == 6
    assert run(url, "select 1 from pg_namespace where nspname = 'treering'") == []
    return caught.value


def test_a_server_without_pgvector(poor: Server) -> None:
    """It says that the server lacks it, and what is to be installed there."""
    error = refused(poor.url())
    assert "lacks the extension vector (pgvector), and its server does not have it" in str(error)
    assert error.hint == "install pgvector on the server"


def test_a_server_without_contrib(poor: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other extension that a store needs is asked for by its name, and by the package it comes in."""
    monkeypatch.setattr(schema, "_require_vector", lambda *_: "")
    add = schema._add
    monkeypatch.setattr(schema, "_add", lambda *of: add(*of) if of[1] != "vector" else None)
    error = refused(poor.url())
    assert "lacks the extension btree_gist" in str(error)
    assert "contrib" in error.hint


@pytest.mark.parametrize("offers_newer", [True, False])
def test_a_pgvector_that_is_too_old(databases: Any, monkeypatch: pytest.MonkeyPatch, *, offers_newer: bool) -> None:
    """It names both versions; the way is an update where the server has a newer one, else an installation."""
    url = databases.new()
    run(url, "update pg_extension set extversion = '0.6.2' where extname = 'vector'")
    if not offers_newer:
        monkeypatch.setattr(schema, "_OFFERED", "select '0.6.2'")
    error = refused(url)
    assert "has pgvector 0.6.2; Treering needs 0.7 or newer" in str(error)
    update, install = "as a superuser: alter extension vector update", "install pgvector 0.7 or newer on the server"
    assert error.hint == (update if offers_newer else install)


def test_a_pgvector_that_cannot_go_on_with_a_scan(databases: Any) -> None:
    """0.7 will do, and the status says what a newer one would bring."""
    url = databases.new()
    run(url, "update pg_extension set extversion = '0.7.4' where extname = 'vector'")
    with treering.open(store=url) as memory:
        memory.remember("The first memory")
        assert memory.search("first memory", in_="memories").found
        assert any("from 0.8 on filtered searches are quicker" in notice for notice in memory.status().notices)


def test_a_server_that_is_too_old(databases: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It names its version and the oldest that will do."""
    monkeypatch.setattr(schema, "_OLDEST_SERVER", 99)
    error = refused(databases.new())
    assert "Treering needs 99 or newer" in str(error)
    assert "pg_upgrade" in error.hint


def test_the_error_names_no_password(poor: Server) -> None:
    """Whoever reads it learns what is wrong and no secret."""
    url = poor.url().replace("postgres@", "postgres:hunter2@")
    assert "hunter2" not in str(refused(url))


def test_binaries_are_where_they_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another installation can be named for the suites."""
    monkeypatch.setenv("POSTGRES_FOR_TESTS", str(tmp_path))
    assert installed() == tmp_path
