"""D01, D22, D23, B33: every memory is a readable file, and the store can be made again from these files alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import mirrors
import pytest

import treering
from treering.domain.policy import Caller
from treering.errors import Conflict, NotAllowed, NotFound, Refused, StorageFailed

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.behaviour.conftest import Ran


@pytest.mark.sqlite
def test_a_saved_memory_is_a_file_when_the_memory_is_closed(folder: Path) -> None:
    """The file has the words as they are, says what they are about, and lies beside an index and a log."""
    with treering.open() as memory:
        memory.remember(
            "Staging runs PostgreSQL 17",
            title="Staging: the database",
            tags=["db"],
            slot="staging/database",
            value="17",
        )
        assert memory.mirror_folder == str(folder / ".treering" / "mirror")
    found = mirrors.files(memory)
    [path] = [path for path in found if path.startswith("memories/")]
    assert path.rpartition("/")[2].startswith("staging-the-database--")
    text = found[path]
    for line in ('title: "Staging: the database"', 'tags: ["db"]', "status: stable", 'slot: "staging/database"'):
        assert f"\n{line}\n" in text
    assert text.endswith("---\n\nStaging runs PostgreSQL 17\n")
    assert 'okf_version: "0.2"' in found["index.md"]
    assert "PostgreSQL" not in "".join(text for path, text in found.items() if path.endswith("log.md"))
    assert "mirror" not in (folder / ".treering" / ".gitignore").read_text(encoding="utf-8")
    assert oct(os.stat(folder / ".treering" / "mirror" / path).st_mode & 0o777) == "0o600"


@pytest.mark.sqlite
def test_one_change_is_one_file_and_one_line_of_the_log(folder: Path) -> None:
    """Git shows a changed memory and a line that was added, and nothing else; the file keeps its name."""
    with treering.open() as memory:
        ids = [memory.remember(f"The parcel {number} is in locker {number}").id for number in range(4)]
        path = mirrors.file_of(memory, ids[1])
        before = mirrors.files(memory)
        memory.update(ids[1], title="Another title", text="The parcel 1 is in locker 7")
        assert mirrors.file_of(memory, ids[1]) == path
        after = mirrors.files(memory)
    changed = [one for one in after if after[one] != before.get(one)]
    log = next(one for one in changed if one.startswith("log/"))
    assert sorted(changed) == sorted([log, path.relative_to(memory.mirror_folder).as_posix()])
    assert after[log].startswith(before[log])
    assert after[log].count("\n") == before[log].count("\n") + 1


def test_a_store_is_rebuilt_from_a_bundle_alone(folder: Path) -> None:
    """Memories, histories, quotes, topics, people, links, decisions and what was erased are what they were."""
    with treering.open() as memory:
        ids = mirrors.fill(memory, folder)
        memory.export(folder / "bundle", format="okf")
        text = "".join(path.read_text(encoding="utf-8") for path in (folder / "bundle").rglob("*.md"))
        assert "A word that has to go" not in text
        with treering.open(store=folder / "other") as other:
            report = other.rebuild(folder / "bundle")
            assert report.forgotten > 0
            assert [one._replace(copies=(), files=(), history=()) for one in memory.receipts()] == list(
                other.receipts()
            )
            assert report.left_out == ()
            assert report.roots == (".",)
            assert mirrors.rows(other) == mirrors.rows(memory)
            assert other.verify().problems == ()
            assert other.search("港口").found
            assert other.search("goes on about lockers").found == memory.search("goes on about lockers").found
            assert other.timelines(at="2026-11-30") == memory.timelines(at="2026-11-30")
            assert other.audit(limit=1000) == memory.audit(limit=1000)
            assert other.conflicts()[0].slot == "staging/database"
            with pytest.raises(NotFound, match="forgotten"):
                other.show(ids["gone"])
            assert other.remember("Another").id != ids["gone"]


def test_a_bundle_of_one_database_fills_another(folder: Path) -> None:
    """What a file holds becomes a store of either kind."""
    with treering.open(store=folder / "one") as memory:
        mirrors.fill(memory, folder)
        memory.export(folder / "bundle", format="okf")
        said = mirrors.rows(memory)
    with treering.open() as other:
        assert other.rebuild(folder / "bundle").left_out == ()
        assert mirrors.rows(other) == said
        assert other.verify().problems == ()
        assert other.search("港口").found


@pytest.mark.sqlite
def test_a_lost_database_comes_back_from_the_mirror(folder: Path) -> None:
    """The files are known from then on: nothing of them is written anew, and a sync finds nothing."""
    with treering.open() as memory:
        mirrors.fill(memory, folder)
        memory.write_mirror()
        said = mirrors.rows(memory)
        before = mirrors.files(memory)
    for path in (folder / ".treering").glob("memory.db*"):
        path.unlink()
    with treering.open() as memory:
        with pytest.raises(NotFound, match="no memory beside it"):
            memory.sync()
        assert memory.rebuild().left_out == ()
        assert mirrors.rows(memory) == said
        report = memory.sync()
        assert report.files == ()
        after = mirrors.files(memory)
        assert {one for one in before if after[one] != before[one]} == {  # a folder that is still to be indexed again
            "store.md", *(one for one in before if "/lockers--" in one)
        }  # fmt: skip
        memory.index(["."])
        assert memory.search("locker door").found
        assert memory.verify().problems == ()
        with pytest.raises(Conflict, match="not empty"):
            memory.rebuild()


@pytest.mark.sqlite
def test_what_a_process_did_not_write_the_next_one_does(folder: Path) -> None:
    """A process that dies after the commit leaves a list behind; nothing of it is lost."""
    program = "import os, treering; treering.open().remember('Saved and gone'); os._exit(0)"
    subprocess.run([sys.executable, "-c", program], check=True, cwd=folder, env={**os.environ})
    assert not (folder / ".treering" / "mirror").exists()
    with treering.open() as memory:
        memory.remember("The next one")
    assert sum(text.endswith("\n\nSaved and gone\n") for text in mirrors.files(memory).values()) == 1


@pytest.mark.sqlite
def test_forgetting_takes_the_files_along(folder: Path) -> None:
    """Of a memory, and of a source with its texts, no word is left in any file, nor in a name of one."""
    (folder / "zebra.txt").write_text("The zebra crosses at noon\n", encoding="utf-8")
    with treering.open() as memory:
        source = memory.import_(["zebra.txt"])[0]
        one = memory.remember("Zebras cross", source=source.id, quote="The zebra crosses")
        two = memory.remember("A giraffe waits", title="Giraffe", tags=["tall"], entities=["Gerald"])
        memory.remember("Something else")
        memory.write_mirror()
        path = mirrors.file_of(memory, two.id)
        path.write_text(path.read_text(encoding="utf-8") + "edited: giraffe\n", encoding="utf-8")
        memory.forget(two.id)
        assert not path.exists()
        memory.forget(source.id, cascade=True)
        left = {str(path): path.read_bytes() for path in Path(memory.mirror_folder).rglob("*") if path.is_file()}
        joined = " ".join(left).lower().encode() + b" ".join(left.values()).lower()
        for word in (b"zebra", b"giraffe", b"gerald"):
            assert word not in joined
        assert one.id.encode() in joined
        assert "something-else" in " ".join(left)
        assert memory.sync().files == ()


@pytest.mark.sqlite
def test_a_mirror_that_is_turned_off_writes_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No folder appears; when it is turned on again, everything is caught up with."""
    monkeypatch.setenv("TREERING_MIRROR_ENABLED", "false")
    with treering.open() as memory:
        memory.remember("Not in a file yet")
        with pytest.raises(Refused, match="turned off"):
            memory.sync()
    assert not (folder / ".treering" / "mirror").exists()
    monkeypatch.delenv("TREERING_MIRROR_ENABLED")
    with treering.open() as memory:
        assert memory.sync().written > 0
    assert any(text.endswith("Not in a file yet\n") for text in mirrors.files(memory).values())


def test_what_a_mirror_refuses(folder: Path) -> None:
    """An agent exports and rebuilds nothing; a folder that is not there or not empty is refused."""
    with treering.open() as memory:
        memory.remember("One")
        with pytest.raises(NotFound):
            memory.rebuild(folder / "none")
        (folder / "full").mkdir()
        (folder / "full" / "x").touch()
        with pytest.raises(Conflict):
            memory.export(folder / "full", format="okf")
        memory._caller = Caller("agent", "bot")
        with pytest.raises(NotAllowed):
            memory.rebuild(folder / "full")
        with pytest.raises(NotAllowed):
            memory.export(folder / "out", format="okf")


def test_a_store_on_a_server_has_no_mirror(folder: Path, database: str) -> None:
    """It says so, and names the export instead."""
    with treering.open() as memory:
        memory.remember("One")
        if database == "postgres":
            assert memory.mirror_folder == ""
            with pytest.raises(Refused, match="server"):
                memory.sync()
        else:
            assert memory.sync().files == ()


@pytest.mark.sqlite
def test_a_long_process_writes_in_an_idle_moment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory that stays open writes the files itself, in a thread."""
    monkeypatch.setattr("treering.api.behind.IDLE_S", 0.0)
    with treering.open() as memory:
        memory.remember("The first one")
        memory.remember("The second one")
        thread = memory._behind._thread
        assert thread is not None
        for _ in range(500):
            with memory._reading() as tx:
                if not tx.mirrored.count_due():
                    break
            thread.join(0.01)
        assert sum(path.startswith("memories/") for path in mirrors.files(memory)) == 2
    assert not thread.is_alive()


@pytest.mark.sqlite
def test_the_commands(folder: Path, run: Callable[..., Ran], tmp_path: Path) -> None:
    """``export --format okf``, ``rebuild`` and ``sync`` say what they did and what comes next."""
    with treering.open() as memory:
        mirrors.fill(memory, folder)
    ran = run("export", "--format", "okf", "--out", str(tmp_path / "bundle"))
    assert ran.status == 0
    assert "rebuild --from" in ran.out
    ran = run("--store", str(tmp_path / "new"), "rebuild", "--from", str(tmp_path / "bundle"))
    assert ran.status == 0
    assert "next: treering index ." in ran.out
    assert run("--store", str(tmp_path / "new"), "rebuild", "--from", str(tmp_path / "bundle")).status == 5
    assert run("rebuild").status == 2
    assert run("sync").status == 0
    ran = run("sync", "--json")
    assert json.loads(ran.out)["items"] == []
    shutil.rmtree(folder / ".treering" / "mirror")
    ran = run("sync", "--json")
    assert "the mirror was not there" in json.loads(ran.out)["notices"][0]
    assert run("list", "memories", "--json").out.count('"mem_') > 4


@pytest.mark.sqlite
def test_a_mirror_that_cannot_be_written_fails_no_save(folder: Path) -> None:
    """A save and a close go well; what waits is written once the folder can be made."""
    (folder / ".treering").mkdir()
    blocked = folder / ".treering" / "mirror"
    blocked.write_text("in the way", encoding="utf-8")
    with treering.open() as memory:
        id = memory.remember("Saved all the same").id
        with pytest.raises(StorageFailed):
            memory.write_mirror()
        memory.forget(memory.remember("Forgotten all the same").id)
    blocked.unlink()
    with treering.open() as memory:
        assert memory.write_mirror() > 0
        assert memory.verify().problems == ()
        assert "Saved all the same" in mirrors.file_of(memory, id).read_text(encoding="utf-8")


@pytest.mark.sqlite
def test_the_index_tells_what_the_trunk_does(folder: Path) -> None:
    """After a consolidation the top of the tree stands in ``index.md``; what is forgotten leaves it at once."""
    with treering.open(folder) as memory:
        secret = memory.remember("The xylophone of Ruritania stands in the cellar of the museum").id
        for number in range(12):
            memory.remember(f"Ferry {number} leaves pier {number} at noon")
        memory.write_mirror()
        index = Path(memory.mirror_folder, "index.md")
        before = index.read_text(encoding="utf-8")
        assert "# What there is" not in before
        memory.consolidate()
        memory.write_mirror()
        assert index.read_text(encoding="utf-8") == before  # nothing else waited
    with treering.open(folder) as memory:
        said = index.read_text(encoding="utf-8")
        assert "* everything (13 entries)" in said
        assert "  * memories (13 entries)" in said
        memory.remember("One more")
        memory.write_mirror()
        assert index.read_text(encoding="utf-8") == said
        assert "xylophone" in said.lower()
        memory.forget([secret])
        assert "xylophone" not in index.read_text(encoding="utf-8").lower()
        assert memory.sync().files == ()
        memory.export_bundle(folder / "out")
        assert "# What there is" in (folder / "out" / "index.md").read_text(encoding="utf-8")


@pytest.mark.sqlite
def test_a_rebuild_brings_nothing_back_that_was_forgotten(folder: Path) -> None:
    """Files of a memory, a source, a person and a proposal that version control brought back: none is taken."""
    (folder / "zebra.txt").write_text("The zebra crosses at noon every day.\n", encoding="utf-8")
    with treering.open() as memory:
        memory.remember("What stays")
        one = memory.remember("The zebra sleeps by the river", entities=["Mrs Zebra"], slot="animals/river")
        memory.update(one.id, text="The zebra sleeps by the old river")
        source = memory.import_(["zebra.txt"])[0]
        memory.remember("It crosses", source=source.id, quote="The zebra crosses")
        memory._caller = Caller("agent", "bot")
        assert memory.update(one.id, text="The zebra has left the river").outcome == "queued"
        memory._caller = None
        memory.write_mirror()
        mirror = Path(memory.mirror_folder)
        kept = {path: path.read_bytes() for path in mirror.glob("*/**/*") if path.is_file()}
        kept = {path: raw for path, raw in kept.items() if b"zebra" in raw.lower()}
        assert {path.relative_to(mirror).parts[0] for path in kept} == {"memories", "sources", "entities", "proposals"}
        memory.forget(one.id)
        memory.forget(source.id, cascade=True)
        memory.write_mirror()
        said = mirrors.rows(memory)
    for path in (folder / ".treering").glob("memory.db*"):
        path.unlink()
    for path, raw in kept.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
    with treering.open() as memory:
        report = memory.rebuild()
        assert {path for path, _ in report.left_out} == {path.relative_to(mirror).as_posix() for path in kept}
        assert all("was forgotten" in reason for _, reason in report.left_out)
        assert mirrors.rows(memory) == said
        assert memory.verify().problems == ()
        with pytest.raises(NotFound, match="forgotten"):
            memory.show(one.id)
        assert {done.outcome for done in memory.sync().files} == {"removed"}
    files = [path.read_bytes().lower() for path in (folder / ".treering").rglob("*") if path.is_file()]
    assert not any(b"zebra" in raw for raw in files)


@pytest.mark.sqlite
def test_a_merge_of_what_two_copies_forgot_keeps_both_out(folder: Path) -> None:
    """Where git could not merge the file of what was erased, a rebuild takes both sides of it."""
    with treering.open() as memory:
        ids = [memory.remember(f"The zebra number {number} sleeps").id for number in range(3)]
        memory.write_mirror()
        mirror = Path(memory.mirror_folder)
        files = {path: path.read_bytes() for path in mirror.glob("memories/*/*.md")}
        memory.forget(ids[0])
        one = (mirror / "erased.md").read_text(encoding="utf-8")
        memory.forget(ids[1])
        both = (mirror / "erased.md").read_text(encoding="utf-8")
    theirs = "\n".join(line for line in both.split("\n") if ids[0] not in line)
    (mirror / "erased.md").write_text(f"<<<<<<< HEAD\n{one}=======\n{theirs}>>>>>>> other\n", encoding="utf-8")
    for path, raw in files.items():
        path.write_bytes(raw)
    with treering.open(store=folder / "else") as other:
        report = other.rebuild(mirror)
        assert report.forgotten == 2
        assert [item.id for item in other.list("memories").items] == [ids[2]]


@pytest.mark.sqlite
def test_a_note_that_outlives_its_memory_has_a_file(folder: Path) -> None:
    """What others quote of it stays, and the owner is told; its text comes back with a rebuild, and goes with it."""
    with treering.open() as memory:
        gone = memory.remember("The zebra sleeps by the river and dreams").id
        [quote] = memory.show(gone).quotes
        stays = memory.remember("It sleeps there", source=quote.source, quote="sleeps by the river").id
        planned = memory.forget(gone, dry_run=True)
        done = memory.forget(gone)
        for said, word in ((planned, "would stay"), (done, "stays")):
            [notice] = said.notices
            assert word in notice
            assert stays in notice
            assert f"treering forget {quote.source}" in notice
        memory.write_mirror()
        with treering.open(store=folder / "other") as other:
            assert other.rebuild(memory.mirror_folder).left_out == ()
            assert mirrors.rows(other) == mirrors.rows(memory)
            assert other.verify().problems == ()
            assert other.show(stays).quotes == memory.show(stays).quotes
        memory.forget(quote.source, keep_memories=True)
        assert memory.verify().problems == ()
    files = [path.read_bytes().lower() for path in (folder / ".treering").rglob("*") if path.is_file()]
    assert not any(b"zebra" in raw for raw in files)
