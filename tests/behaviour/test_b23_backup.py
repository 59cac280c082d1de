"""B23: a backup is one state with checksums while others write, restores elsewhere, and an export is complete."""

from __future__ import annotations

import io
import json
import tarfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import treering
from treering.errors import Conflict, Damaged, NotAllowed, NotFound, StoreTooNew

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.behaviour.conftest import Ran

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return a memory with a file, a confirmed slot with a history, a proposal, entities, and something forgotten."""
    (folder / "a.md").write_text("# Lockers\n\nA locker door stays open for 45 seconds.\n", encoding="utf-8")
    with treering.open() as opened:
        opened.index(["."])
        opened.remember("Staging runs PostgreSQL 16", slot="staging/database", valid_from="2025-01-01", tags=["db"])
        id = opened.remember("Staging runs PostgreSQL 17", slot="staging/database", valid_from="2026-01-01").id
        opened.confirm(id)
        opened.remember("Ines owns the harbour lockers 港口", entities=["Ines"], metadata={"team": "harbour"})
        opened.forget(opened.remember("A word that has to go").id)
        yield opened


def told(memory: MemoryStore) -> object:
    """Return all that a memory shows of itself."""
    pages = [memory.list(what, limit=1000).items for what in ("memories", "sources")]
    return pages, memory.timelines(at="2026-11-30"), memory.entities(), memory.audit(limit=1000)


@pytest.mark.sqlite
def test_a_backup_is_restored_elsewhere(memory: MemoryStore, folder: Path) -> None:
    """The restored store says the same, is sound, and answers."""
    made = memory.backup(folder / "backups")
    assert Path(made.path).is_file()
    assert oct(Path(made.path).stat().st_mode & 0o777) == "0o600"
    restored = treering.restore(made.path, folder / "elsewhere")
    assert restored.files == made.files
    with treering.open(store=folder / "elsewhere") as other:
        assert told(other) == told(memory)
        assert other.verify().problems == ()
        assert other.search("PostgreSQL").found
    with pytest.raises(Conflict, match="not empty"):
        treering.restore(made.path, folder / "elsewhere")


@pytest.mark.sqlite
def test_a_backup_is_one_state_while_others_write(memory: MemoryStore, folder: Path) -> None:
    """Whatever another thread saves meanwhile is in it whole or not at all."""
    stop = threading.Event()

    def save() -> None:
        """Save until the backup is made."""
        with treering.open(folder) as writer:
            number = 0
            while not stop.is_set():
                number += 1
                writer.remember(f"The parcel {number} went through the harbour", slot=f"parcel/{number}")

    thread = threading.Thread(target=save)
    thread.start()
    try:
        made = [memory.backup(folder / f"b{number}") for number in range(3)]
    finally:
        stop.set()
        thread.join()
    for number, one in enumerate(made):
        treering.restore(one.path, folder / f"r{number}")
        with treering.open(store=folder / f"r{number}") as other:
            assert other.verify().problems == ()


def tampered(path: Path, name: str, content: bytes, *, replace: str = "") -> Path:
    """Return a copy of an archive with one more file, or with one in place of another."""
    out = path.with_name("tampered.tar")
    with tarfile.open(path) as source, tarfile.open(out, "w") as target:
        for member in source:
            read = source.extractfile(member)
            assert read is not None
            kept = content if member.name == replace else read.read()
            member.size = len(kept)
            target.addfile(member, io.BytesIO(kept))
        if not replace:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            target.addfile(info, io.BytesIO(content))
    return out


@pytest.mark.sqlite
def test_what_is_no_backup_is_refused_whole(memory: MemoryStore, folder: Path) -> None:
    """A flipped byte, a cut file, a foreign one, a newer one, a path that climbs out: an error, and nothing is left."""
    path = Path(memory.backup(folder / "backups").path)
    raw = path.read_bytes()
    with tarfile.open(path) as tar:
        first = tar.extractfile("manifest.json")
        assert first is not None
        manifest = json.loads(first.read())
    flipped = folder / "flipped.tar"
    at = raw.rindex(b"PostgreSQL 17")
    flipped.write_bytes(raw[:at] + b"PostgreSQL 18" + raw[at + 13 :])
    cut = folder / "cut.tar"
    cut.write_bytes(raw[: len(raw) // 2])
    foreign = folder / "foreign.tar"
    foreign.write_bytes(b"no archive at all")
    newer = tampered(path, "", json.dumps({**manifest, "layout": 999}).encode(), replace="manifest.json")
    for archive, error in ((flipped, Damaged), (cut, Damaged), (foreign, Damaged), (newer, StoreTooNew)):
        with pytest.raises(error):
            treering.restore(archive, folder / "new")
        assert not (folder / "new").exists()
        assert not list(folder.glob("new*"))
    climbing = tampered(path, "../escaped.txt", b"out")
    with pytest.raises(Damaged, match="no file of a store"):
        treering.restore(climbing, folder / "new")
    assert not (folder / "escaped.txt").exists()
    with pytest.raises(NotFound):
        treering.restore(folder / "none.tar", folder / "new")


@pytest.mark.sqlite
def test_an_export_taken_in_is_the_same_memory(memory: MemoryStore, folder: Path) -> None:
    """Every canonical row is in it; a new store that takes it in says the same, is sound, and answers."""
    rows = memory.export(folder / "all.jsonl")
    lines = (folder / "all.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == rows + 2
    assert "A word that has to go" not in "".join(lines)
    with treering.open(store=folder / "other") as other:
        assert other.take_in(folder / "all.jsonl") == rows
        assert told(other) == told(memory)
        assert other.verify().problems == ()
        assert other.search("港口").found
        other.export(folder / "again.jsonl")
        again = (folder / "again.jsonl").read_text(encoding="utf-8").splitlines()
        moved = ('"table":"counter"', '"table":"chunk"', '"table":"folder"')  # numbers are given out anew
        kept = [line for line in lines[1:-1] if not any(one in line for one in moved)]
        assert set(kept) <= set(again)
        with pytest.raises(Conflict, match="not empty"):
            other.take_in(folder / "all.jsonl")


@pytest.mark.sqlite
def test_an_export_that_was_cut_changes_nothing(memory: MemoryStore, folder: Path) -> None:
    """A file that ends too soon, or is no export, is refused, and the store stays empty."""
    memory.export(folder / "all.jsonl")
    lines = (folder / "all.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    with treering.open(store=folder / "other") as other:
        for content in ("".join(lines[:-3]), "".join(lines[:-1]), "{}\n", "no json\n", ""):
            (folder / "cut.jsonl").write_text(content, encoding="utf-8")
            with pytest.raises(Damaged):
                other.take_in(folder / "cut.jsonl")
            assert other.list("memories").total == 0
            assert other.list("sources").total == 0


@pytest.mark.sqlite
def test_the_commands(memory: MemoryStore, folder: Path, run: Callable[..., Ran]) -> None:
    """``backup``, ``restore`` and ``export`` say what they made and how to go on; nothing is overwritten."""
    ran = run("backup", "--json")
    assert ran.status == 0
    archive = json.loads(ran.out)["path"]
    assert Path(archive).parent == folder / ".treering" / "backups"
    ran = run("restore", archive, "--to", str(folder / "copy"))
    assert ran.status == 0
    assert "verify" in ran.out
    assert run("restore", archive, "--to", str(folder / "copy")).status == 5
    assert run("restore", archive).status == 2
    assert run("export", "--out", "all.jsonl").status == 0
    assert run("export", "--out", "all.jsonl").status == 5
    assert run("export").status == 2


@pytest.mark.sqlite
def test_an_agent_makes_none(memory: MemoryStore, folder: Path) -> None:
    """Backups and exports are the owner's: they hold everything."""
    from treering.domain.policy import Caller

    memory._caller = Caller("agent", "bot")
    with pytest.raises(NotAllowed):
        memory.backup(folder / "b")
    with pytest.raises(NotAllowed):
        memory.export(folder / "all.jsonl")
