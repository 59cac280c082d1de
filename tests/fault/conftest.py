"""A project to break, and what a store holds, whoever wrote it and how often."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import apsw
import pytest

import treering
from treering.api import MemoryStore

_ENOUGH_BYTES: Final = 64 << 20
CHILD: Final = Path(__file__).with_name("child.py")
OWNED: Final = "from source s join version v on v.space = s.space and v.id = s.version"
CONTENTS: Final = {
    "sources": f"select s.key, s.title, v.sha256, v.encoding, v.chars, v.lines {OWNED}",
    "versions": "select s.key, count(*) from version v join source s on s.id = v.source group by s.key",
    "texts": f"select s.key, c.start, c.text {OWNED} join content c on c.version = v.id",
    "chunks": f"select s.key, c.ordinal, c.start, c.stop, c.kind, c.path, c.fingerprint {OWNED}"
    " join chunk c on c.space = s.space and c.source = s.id",
    "tracked": "select s.key, r.path, t.path, t.size_bytes, t.rules_hash, t.state, t.error"
    " from tracked t join source s on s.id = t.source join root r on r.number = t.root",
    "labels": "select s.key, l.key, l.place, l.value from label l join source s on s.id = l.source",
    "roots": "select path, glob, rules_hash, scanned_at <> '' from root",
    "skipped": "select r.path, k.path, k.reason from skipped k join root r on r.number = k.root",
    "words": "select term, doc, cnt from words_vocabulary",
    "vectors": "select s.key, c.ordinal, m.name, hex(v.row) from vector v join model m on m.number = v.model"
    " join chunk c on c.entry = v.entry join source s on s.id = c.source",
    "sizes": "select (select count(*) from version), (select count(*) from content where start = 0),"
    " (select count(*) from chunk), (select count(*) from words_docsize), (select count(*) from vector)",
}
"""What a store holds, without ids and times: equal for equal folders."""


class Statements:
    """Counts the statements of every connection made while it is in place, and lets one of them fail.

    Attributes:
        failing: number of the first statement that fails; 0 for none.
        lasting: whether all statements after it fail too.
        seen: statements so far.
        before: called before each statement with its text.
    """

    def __init__(self) -> None:
        """Let nothing fail."""
        self.failing = self.seen = 0
        self.lasting = False
        self.before: Any = lambda sql: None

    def __call__(self, _cursor: object, sql: str, _bindings: object) -> bool:
        """Count one statement; refuse it if its time has come."""
        if sql == "rollback" and not self.lasting:  # what a first failure calls for
            return True
        self.seen += 1
        self.before(sql)
        if self.failing and (self.seen == self.failing or (self.lasting and self.seen > self.failing)):
            raise apsw.IOError("disk I/O error")
        return True


class Project:
    """A project with a folder ``docs``, and any number of stores for it.

    Attributes:
        path: the project.
        docs: the folder that is indexed.
    """

    def __init__(self, path: Path) -> None:
        """Make the project at ``path``."""
        self.path = path
        self.docs = path / "docs"
        self.docs.mkdir()
        (path / ".git").mkdir()

    def write(self, **texts: str) -> None:
        """Write documents under their names."""
        for name, text in texts.items():
            (self.docs / f"{name}.md").write_text(text, encoding="utf-8")

    def database(self, name: str) -> Path:
        """Return where the database of a store is."""
        return self.path / name / "memory.db"

    def open(self, name: str) -> MemoryStore:
        """Return the memory with the store of that name."""
        return treering.open(self.path, store=str(self.path / name))

    def made(self, name: str) -> Path:
        """Index the folder into a store, close it and return its database."""
        with self.open(name) as memory:
            memory.index([self.docs])
        return self.database(name)

    @contextmanager
    def connected(self, name: str) -> Iterator[Callable[[str], list[Any]]]:
        """Return what gives the rows of a statement through a connection of its own, to the end of the block."""
        connection = apsw.Connection(str(self.database(name)))
        connection.exec_trace = None  # whoever watches the program's connections does not mean this one
        try:
            yield lambda sql: connection.execute(sql).fetchall()
        finally:
            connection.close()

    def query(self, name: str, sql: str) -> list[Any]:
        """Return what a statement gives through a connection of its own."""
        with self.connected(name) as run:
            return run(sql)

    def contents(self, name: str) -> dict[str, list[Any]]:
        """Return what a store holds, in order; nothing at all while its tables are not made."""
        with self.connected(name) as run:
            if not run("select * from sqlite_schema where name = 'words_vocabulary'"):
                return {}
            return {what: sorted(run(sql)) for what, sql in CONTENTS.items()}

    def is_whole(self, name: str) -> bool:
        """Check every page, index, reference and keyword of a store."""
        with self.connected(name) as run:
            assert run("pragma integrity_check") == [("ok",)]
            assert run("pragma foreign_key_check") == []
            if run("select * from sqlite_schema where name = 'words'"):
                run("insert into words (words) values ('integrity-check')")
        return True

    def copy(self, start: str, name: str) -> None:
        """Put a copy of one store in another's place."""
        shutil.rmtree(self.path / name, ignore_errors=True)
        shutil.copytree(self.path / start, self.path / name)

    @staticmethod
    @contextmanager
    def watched() -> Iterator[Statements]:
        """Watch every connection that is made inside the block."""
        statements = Statements()

        def watch(connection: apsw.Connection) -> None:
            connection.exec_trace = statements

        apsw.connection_hooks.append(watch)
        try:
            yield statements
        finally:
            apsw.connection_hooks.remove(watch)

    def start(self, fault: str, number: int, name: str, *words: str) -> subprocess.Popen[str]:
        """Start the command line on a store in a process that a fault befalls; see ``child.py``."""
        return subprocess.Popen(
            [sys.executable, str(CHILD), fault, str(number), "--store", str(self.path / name), *words],
            cwd=self.path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONWARNINGS": "error"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, fault: str, number: int, name: str, *words: str) -> tuple[int, str, str]:
        """Run a command in such a process and return exit status, output and words."""
        process = self.start(fault, number, name, *words)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """Return a project whose folder holds nothing yet."""
    return Project(tmp_path)


@pytest.fixture
def quick_project(tmp_path: Path) -> Iterator[Project]:
    """Return the same in memory where the system has a file system there: thousands of stores wait for no disk."""
    memory = Path("/dev/shm")  # noqa: S108
    if not os.access(memory, os.W_OK) or shutil.disk_usage(memory).free < _ENOUGH_BYTES:
        yield Project(tmp_path)
        return
    with tempfile.TemporaryDirectory(dir=memory, prefix="treering-") as folder:
        yield Project(Path(folder))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a folder on a file system of two megabytes; skips where none can be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
