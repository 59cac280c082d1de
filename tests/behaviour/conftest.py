"""A small project as people have them: docs, runbooks, decisions and notes, in three languages."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

import treering
from treering.surfaces.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from treering import MemoryStore

FILES: Final = {
    "README.md": """\
# Kelp

Kelp moves parcels between lockers. It is one service, one queue and one database.

## Getting started

Run `make seed` once, then `make serve`. The service listens on port 7400.
""",
    "docs/deploy.md": """\
# Deploy guide

Every deploy goes through the pipeline; nobody copies files by hand.

## Staging

The staging cluster is rebuilt each night.

### Rollback

To roll back a bad release:

```bash
# this line is a comment, not a heading
kelp release list
kelp release undo --to previous
```

Afterwards the locker cache has to be warmed.

## Production

Two approvals are needed, one of them from the person on call.

| Region   | Window        | Approver |
|----------|---------------|----------|
| Lisbon   | 07:00 - 09:00 | Ines     |
| Oslo     | 06:00 - 08:00 | Bjarne   |
| Valencia | 10:00 - 11:00 | Carla    |

### Checklist

- Before the window
    - Announce it in the channel
    - Freeze merges
        1. Tell the courier partners
        2. Park the nightly import job
- After the window
    - Watch the error budget for an hour
""",
    "docs/configuration.md": """\
Configuration
=============

Settings come from the environment.

Timeouts
--------

`KELP_DOOR_TIMEOUT` is how long a locker door may stay open: 45 seconds unless it is set.

Retries
-------

The uploader gives up after `max_upload_attempts` tries. It backs off exponentially.
""",
    "docs/guia.md": """\
# Guía de operaciones

## Copias de seguridad

La copia de seguridad de la base de datos se hace cada noche a las tres y se guarda treinta días.

## Guardias

La guardia cambia los lunes. Quien sale escribe el resumen de la semana.
""",
    "docs/值班手册.md": """\
# 值班手册

## 数据库迁移

数据库迁移必须在低峰期进行，迁移前先备份。回滚脚本放在仓库的工具目录。

## 告警处理

柜门告警超过五分钟没有恢复时，联系现场维护人员。
""",
    "runbooks/disk-full.md": """\
---
kind: runbook
severity: high
systems: [queue, database]
---
# Disk full

When the volume of the queue fills up, delete acknowledged segments older than two days.

## Verify

The gauge `kelp_queue_free_bytes` rises within a minute.
""",
    "runbooks/failover.md": """\
---
kind: runbook
severity: critical
systems: [database]
---
# Database failover

Promote the replica in Oslo with `kelp db promote`. Writers reconnect by themselves.
""",
    "decisions/0001-queue.md": """\
# Use one durable queue

We keep one durable queue instead of a broker for each region, because ordering matters more than throughput.

Rejected: a broker for each region; it needs a merge step that nobody wants to own.
""",
    "notes/2026-03-02.md": """\
# Weekly, 2 March 2026

Attendees: Ines, Bjarne

Carla measured the sorting robot: 1,200 parcels an hour.
Bjarne will replace the barcode reader in Oslo before Easter.
""",
    "notes/ideas.txt": """\
Ideas for later

Let couriers reserve a locker from the telephone.
Paint the lockers in the harbour orange.
""",
}
RULES: Final = {
    "rules": [
        {"glob": "notes/2026-*.md", "metadata": {"kind": "meeting", "year": "2026"}},
        {"glob": "runbooks/**", "metadata": {"kind": "from-a-rule", "team": "operations"}},
        {"glob": "decisions/*.md", "metadata": {"kind": "decision"}},
        {"glob": "**/*", "metadata": {"kind": "page"}},
    ]
}


class Clock:
    """The time as a test wants it; it goes on by a second each time that somebody looks."""

    def __init__(self) -> None:
        """Begin with a day."""
        self._now = datetime(2026, 1, 1, tzinfo=UTC)

    def at(self, text: str) -> None:
        """Set the time, in UTC."""
        self._now = datetime.fromisoformat(text).replace(tzinfo=UTC)

    def time_ns(self) -> int:
        """Return the time in nanoseconds since 1970."""
        self._now += timedelta(seconds=1)
        return int(self._now.timestamp()) * 1_000_000_000


class Ran(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test on both databases, but for those that are about a store in a file."""
    alone = metafunc.config.getoption("sqlite_only") or metafunc.definition.get_closest_marker("sqlite")
    metafunc.parametrize("database", ["sqlite"] if alone else ["sqlite", "postgres"], indirect=True)


@pytest.fixture(autouse=True)
def database(request: pytest.FixtureRequest, home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the kind of database that everything goes into unless a test names a store itself."""
    if request.param == "postgres":
        monkeypatch.setenv("TREERING_STORE", request.getfixturevalue("databases").new())
    return str(request.param)


@pytest.fixture
def project(tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a project under version control; it is the working directory."""
    folder = tmp_path / "kelp"
    (folder / ".git").mkdir(parents=True)
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    if database == "postgres":  # a database of its own for this project
        monkeypatch.setenv("TREERING_PROJECT", str(folder))
    return folder


@pytest.fixture
def labelled(project: Path) -> Path:
    """Return the project with path rules that give its files metadata."""
    (project / ".treering.json").write_text(json.dumps(RULES), encoding="utf-8")
    return project


@pytest.fixture
def memory(project: Path) -> Iterator[MemoryStore]:
    """Return the project's memory, everything indexed."""
    with treering.open(project) as opened:
        opened.index([project])
        yield opened


@pytest.fixture
def folder(tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty project folder for texts of a test's own; it is the working directory."""
    empty = tmp_path / "own"
    (empty / ".git").mkdir(parents=True)
    monkeypatch.chdir(empty)
    if database == "postgres":
        monkeypatch.setenv("TREERING_PROJECT", str(empty))
    return empty


@pytest.fixture
def remember_files(folder: Path) -> Iterator[Callable[..., MemoryStore]]:
    """Return a function that writes files into ``folder``, indexes them and returns the memory."""
    opened = treering.open(folder)

    def write(files: dict[str, str | bytes]) -> MemoryStore:
        """Write files by their names, index the folder, return its memory."""
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        opened.index([folder])
        return opened

    yield write
    opened.close()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return a clock that the whole program reads."""
    made = Clock()
    monkeypatch.setattr(time, "time_ns", made.time_ns)
    return made


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Return a function that runs a ``treering`` command in this process."""

    def typed(*words: str | Path) -> Ran:
        """Run one command and return its exit status and both outputs."""
        capsys.readouterr()
        status = main([str(word) for word in words])
        out, err = capsys.readouterr()
        return Ran(status, out, err)

    return typed
