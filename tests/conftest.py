"""What every test stands in: an empty home, a known environment, no network.

The fence is of this process; a child process inherits the environment but not the closed network.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import socket
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import psycopg
import pytest
from hypothesis import settings
from throwaway_postgres import Server

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY: Final = Path(__file__).resolve().parent.parent
SHARED: Final = Path(os.environ.get("TREERING_SHARED") or REPOSITORY.parent / "shared").absolute()

# "ci" gives the same examples in every run, so that a red run is red again; "search" looks for new ones.
settings.register_profile("ci", derandomize=True, max_examples=60, deadline=None, database=None)
settings.register_profile("search", max_examples=2000, deadline=None, database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a quick run leave the second database to the contract."""
    parser.addoption("--sqlite-only", action="store_true", help="run the behaviour suite on SQLite alone")


def pytest_report_header() -> str:
    """Say at the top of a run whether the corpus tests take part in it."""
    if SHARED.is_dir():
        return f"shared corpus: {SHARED}"
    return f"shared corpus: ABSENT ({SHARED}); the corpus tests are skipped, TREERING_SHARED names another place"


@pytest.fixture(scope="session")
def repository() -> Path:
    """Return the root of this project."""
    return REPOSITORY


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the shared corpus; skips the test where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"no shared corpus at {SHARED}; TREERING_SHARED names another place")
    return SHARED


class Databases:
    """A running PostgreSQL server, and empty databases on it for whoever asks."""

    def __init__(self, server: Server) -> None:
        """Use a server; what every database begins with is made once."""
        self.server = server
        self._numbers = itertools.count(1)
        self._made: list[str] = []
        self.run("create database pattern", "postgres")
        self.run("create extension vector; create extension btree_gist", "pattern")

    def run(self, sql: str, database: str) -> list[tuple[Any, ...]]:
        """Run a statement as superuser and return its rows, if it has any."""
        with contextlib.closing(psycopg.connect(self.server.url(database), autocommit=True)) as connection:
            cursor = connection.execute(sql)  # type: ignore[call-overload]
            return cursor.fetchall() if cursor.description else []

    def new(self) -> str:
        """Return the URL of a new database with pgvector and no store; a copy takes 15 ms."""
        name = f"store{next(self._numbers)}"
        self.run(f"create database {name} template pattern", "postgres")
        self._made.append(name)
        return self.server.url(name)

    def bare(self) -> str:
        """Return the name of a new database without pgvector."""
        name = f"store{next(self._numbers)}"
        self.run(f"create database {name} template template0", "postgres")
        self._made.append(name)
        return name

    def drop(self) -> None:
        """Remove the databases that were made."""
        for name in self._made:
            self.run(f"drop database {name} with (force)", "postgres")
        self._made.clear()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Databases]:
    """Return a running server; it starts with the first test that wants it."""
    with Server() as server:
        yield Databases(server)


@pytest.fixture
def databases(postgres_server: Databases) -> Iterator[Databases]:
    """Return what makes databases; those of a test are gone after it."""
    yield postgres_server
    postgres_server.drop()


@pytest.fixture(scope="session", autouse=True)
def _no_real_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what serves several tests, and is made outside of any, from the real user's store and settings."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("XDG_")]:
            patch.delenv(name)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("nobody")))
        yield


@pytest.fixture(autouse=True)
def home(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return an empty home folder, in an environment that says nothing of the real user.

    The working directory is ``tmp_path``. The home folder lies beside it, not in it: a folder that
    contains the home folder is never taken for a project.
    """
    folder = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("TREERING_", "XDG_", "LC_", "GIT_")) or name in {"COLUMNS", "FORCE_COLOR", "NO_COLOR"}:
            monkeypatch.delenv(name)
    for name, value in {"HOME": str(folder), "LANG": "C.UTF-8", "TZ": "UTC", "TERM": "dumb"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    time.tzset()
    yield folder
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(autouse=True)
def _closed_network(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test leave the machine, and only those marked ``network`` reach the machine itself."""
    connect, connect_ex, look_up = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo
    here = {"127.0.0.1", "::1", "localhost"} if request.node.get_closest_marker("network") else set()

    def check(host: object) -> None:
        if host not in here:
            pytest.fail(f"the test opened a connection to {host!r}: tests stay on their own", pytrace=True)

    def checked_connect(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX:
            check(address[0])
        connect(self, address)

    def checked_connect_ex(self: socket.socket, address: Any) -> int:
        if self.family != socket.AF_UNIX:
            check(address[0])
        return connect_ex(self, address)

    def checked_look_up(host: Any, *arguments: Any, **named: Any) -> Any:
        check(host)
        return look_up(host, *arguments, **named)

    monkeypatch.setattr(socket.socket, "connect", checked_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", checked_connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", checked_look_up)
