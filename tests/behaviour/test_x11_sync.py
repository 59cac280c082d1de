"""X11: the mirror's files are edited by hand and by git, and synced back by the rules for an agent's changes."""

from __future__ import annotations

import shutil
import subprocess
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import mirrors
import pytest

import treering
from treering.domain.policy import Caller
from treering.errors import NotAllowed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering import MemoryStore
    from treering.domain.syncing import SyncReport

pytestmark = pytest.mark.sqlite


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return an empty memory of a project."""
    with treering.open(folder) as opened:
        yield opened


def outcomes(report: SyncReport) -> dict[str, str]:
    """Return what became of each file, by the last part of its name."""
    return {one.path.rpartition("/")[2]: one.outcome for one in report.files}


def edit(memory: MemoryStore, id: str, *changes: tuple[str, str]) -> Path:
    """Replace texts in a memory's file, as somebody with an editor does."""
    path = mirrors.file_of(memory, id)
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    return path


def as_agent(memory: MemoryStore, text: str, **options: object) -> str:
    """Save a memory on behalf of an agent and return its id."""
    memory._caller = Caller("agent", "bot")
    id = memory.remember(text, **options).id  # type: ignore[arg-type]
    memory._caller = None
    return id


def test_an_edit_is_an_agents_update(memory: MemoryStore) -> None:
    """What an agent said changes, with its history; what the owner said waits; a second sync finds nothing."""
    theirs = as_agent(memory, "The gate opens at nine")
    mine = memory.remember("The gate closes at six").id
    edit(
        memory,
        theirs,
        ("opens at nine", "opens at ten"),
        ("type: Semantic\n", 'type: Semantic\ntags: [gate, "opening hours"]\n'),
    )
    path = edit(memory, mine, ("closes at six", "closes at seven"))
    report = memory.sync()
    assert sorted(one.outcome for one in report.files) == ["accepted", "queued"]
    shown = memory.show(theirs)
    assert (shown.content, shown.tags, shown.revision) == ("The gate opens at ten", ("gate", "opening hours"), 2)
    assert memory.show(mine).content == "The gate closes at six"
    assert path.read_text(encoding="utf-8").endswith("The gate closes at six\n")
    [waiting] = memory.list("proposals").items
    assert memory.sync().files == ()
    memory.approve(waiting.id)
    assert memory.show(mine).content == "The gate closes at seven"


def test_the_owner_may_say_that_edits_are_his(memory: MemoryStore) -> None:
    """With ``as_owner`` they take effect; an agent cannot say so."""
    id = memory.remember("The gate closes at six", slot="gate/closing", value="six").id
    edit(memory, id, ("closes at six", "closes at seven"), ("value: six", "value: seven"))
    memory._caller = Caller("agent", "bot")
    with pytest.raises(NotAllowed):
        memory.sync(as_owner=True)
    memory._caller = None
    assert list(outcomes(memory.sync(as_owner=True)).values()) == ["accepted"]
    shown = memory.show(id)
    assert (shown.content, shown.value, shown.trust) == ("The gate closes at seven", "seven", "owner")


def test_a_new_file_is_a_new_memory(memory: MemoryStore) -> None:
    """With front matter of people's own hand, or with none at all; it keeps its place and gets an id."""
    memory.remember("Something")
    memory.write_mirror()
    root = Path(memory.mirror_folder)
    (root / "ideas.md").write_text("Paint the lockers orange\n", encoding="utf-8")
    (root / "notes").mkdir()
    (root / "notes" / "Rule.md").write_text(
        "---\ntype: Procedure\ntitle: Rollback\ntags:\n  - deploy\nslot: kelp/rollback\nentities: [Ines]\n"
        "owner: platform\n---\n\n# How\n\nRun `kelp undo`.\n", encoding="utf-8",
    )  # fmt: skip
    report = memory.sync()
    assert outcomes(report) == {"ideas.md": "accepted", "Rule.md": "accepted"}
    rule = memory.show(next(one.id for one in report.files if one.path == "notes/Rule.md"))
    assert (rule.kind, rule.title, rule.slot, rule.trust) == ("procedure", "Rollback", "kelp/rollback", "agent")
    assert rule.metadata["owner"] == ("platform",)
    assert rule.content == "# How\n\nRun `kelp undo`."
    assert f"id: {rule.id}" in (root / "notes" / "Rule.md").read_text(encoding="utf-8")
    assert memory.sync().files == ()


def test_a_removed_file_archives_and_a_renamed_one_stays(memory: MemoryStore) -> None:
    """Of an agent's memory at once, of the owner's after review; a new name is kept."""
    theirs, mine, other = as_agent(memory, "One for the bin"), memory.remember("Mine").id, memory.remember("Moved").id
    mirrors.file_of(memory, theirs).unlink()
    mirrors.file_of(memory, mine).unlink()
    path = mirrors.file_of(memory, other)
    moved = path.rename(Path(memory.mirror_folder, "better name.md"))
    report = memory.sync()
    assert sorted(one.outcome for one in report.files) == ["archived", "queued"]
    assert memory.show(theirs).status == "archived"
    assert memory.show(mine).status == "active"
    assert "state: archived" in mirrors.file_of(memory, theirs).read_text(encoding="utf-8")
    assert memory.sync().files == ()
    memory.update(other, title="Another")
    assert mirrors.file_of(memory, other) == moved
    assert not path.exists()
    edit(memory, theirs, ("state: archived", "state: active"))
    memory.sync()
    assert memory.show(theirs).status == "active"


def test_most_files_gone_is_an_accident(memory: MemoryStore) -> None:
    """They are written again, and nothing is archived."""
    ids = [as_agent(memory, f"Parcel {number}") for number in range(9)]
    for id in ids[1:]:
        mirrors.file_of(memory, id).unlink()
    report = memory.sync()
    assert report.files == ()
    assert "8 files were gone" in report.notices[0]
    assert all(memory.show(id).status == "active" for id in ids)
    assert all(mirrors.file_of(memory, id).exists() for id in ids)


def test_a_tombstone_beats_a_copy(memory: MemoryStore) -> None:
    """A file that version control brings back goes again, and nothing of it comes in."""
    id = memory.remember("A word to forget").id
    path = mirrors.file_of(memory, id)
    copy = path.read_bytes()
    memory.forget(id)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(copy)
    [one] = memory.sync().files
    assert (one.outcome, one.id) == ("removed", id)
    assert not path.exists()
    assert not memory.search("word to forget").found


def test_a_forged_verified_is_not_taken(memory: MemoryStore) -> None:
    """Neither confirmation nor trust comes from a file, of an edited memory or of a new one."""
    id = as_agent(memory, "The vault is open")
    edit(
        memory,
        id,
        ("trust: agent\n", "trust: owner\n"),
        ("verification: inferred\n", "verification: user_confirmed\n"),
        ("id: mem", "verified: { by: human:owner, at: 2026-11-01T00:00:00Z }\nid: mem"),
    )
    (Path(memory.mirror_folder) / "new.md").write_text(
        "---\ntype: Decision\nverified:\n  - by: human:owner\n    at: 2026-11-01\ntrust: owner\n---\nAlso open\n",
        encoding="utf-8",
    )
    report = memory.sync()
    assert any("verified is not taken" in notice for one in report.files for notice in one.notices)
    for one in memory.list("memories").items:
        assert (one.verification, one.trust) == ("inferred", "agent")
    assert "user_confirmed" not in mirrors.file_of(memory, id).read_text(encoding="utf-8")


def test_both_sides_changed_goes_to_review(memory: MemoryStore, folder: Path) -> None:
    """A file that was edited while the store changed the same words is put before the owner; other words join."""
    id = as_agent(memory, "The gate opens at nine")
    path = edit(memory, id, ("opens at nine", "opens at ten"))
    memory.update(id, text="The gate opens at eight")
    assert path.read_text(encoding="utf-8").endswith("opens at ten\n")
    [one] = memory.sync().files
    assert one.outcome == "queued"
    assert memory.show(id).content == "The gate opens at eight"
    assert path.read_text(encoding="utf-8").endswith("opens at eight\n")
    assert memory.sync().files == ()
    path = edit(memory, id, ("type: Semantic\n", "type: Semantic\ntags: [gate]\n"))
    memory.update(id, title="Opening")
    [one] = memory.sync().files
    assert one.outcome == "accepted"
    assert (memory.show(id).title, memory.show(id).tags) == ("Opening", ("gate",))


def git(folder: Path, *words: str) -> int:
    """Run git and return its exit status."""
    who = ("-c", "user.name=t", "-c", "user.email=t@example.org")
    return subprocess.run(["git", *who, *words], cwd=folder, check=False, capture_output=True).returncode


def test_two_clones_become_one(folder: Path, tmp_path: Path) -> None:
    """Merged by git and synced, both know what either of them saved, with the same ids; a conflict goes to review."""
    other = tmp_path / "clone"
    with treering.open(folder) as first:
        base = as_agent(first, "The gate opens at nine")
        first.write_mirror()
    assert git(folder, "init", "-q", "-b", "main") == 0
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "one")
    assert git(folder, "clone", "-q", ".", str(other)) == 0
    assert not (other / ".treering" / "memory.db").exists()
    with treering.open(other) as second:
        second.rebuild()
        b = second.remember("Saved in the clone", slot="where/saved", value="clone", entities=["Ines"]).id
        (other / "b.txt").write_text("The clone keeps this text\n", encoding="utf-8")
        source = second.import_([other / "b.txt"])[0]
        quoting = second.remember("A text is kept", source=source.id, quote="clone keeps this").id
        second.update(base, text="The gate opens at ten")
        second.write_mirror()
    with treering.open(folder) as first:
        a = first.remember("Saved at home").id
        first.update(base, text="The gate opens at eight")
        first.write_mirror()
    for place in (folder, other):
        git(place, "add", "-A")
        git(place, "commit", "-qm", "two")
    git(folder, "remote", "add", "clone", str(other))
    git(folder, "fetch", "-q", "clone")
    assert git(folder, "merge", "-q", "clone/main") == 1  # both changed one file
    with treering.open(folder) as first:
        report = first.sync()
        assert {one.id for one in report.files} >= {b, quoting}
        assert not [one for one in report.files if one.outcome == "refused"]
        assert {one.id for one in first.list("memories").items} == {base, a, b, quoting}
        assert first.show(base).content == "The gate opens at eight"
        assert first.list("proposals").total == 1
        assert first.show(b).slot == "where/saved"
        assert first.show(quoting).quotes[0].text == "clone keeps this"
        assert first.verify().problems == ()
        assert first.sync().files == ()
        assert "<<<<<<<" not in mirrors.file_of(first, base).read_text(encoding="utf-8")
    git(folder, "add", "-A")
    assert git(folder, "commit", "-qm", "merged") == 0
    git(other, "fetch", "-q", "origin")
    git(other, "merge", "-q", "origin/main")
    with treering.open(other) as second:
        second.sync()
        assert {one.id for one in second.list("memories").items} == {base, a, b, quoting}
        assert second.show(b).trust == "owner"
        assert second.sync().files == ()


def test_names_of_other_systems(memory: MemoryStore) -> None:
    """A file whose name was taken apart into letters and accents is the same; line ends and a mark do not matter."""
    id = as_agent(memory, "Señal de salida", title="Señal única")
    path = mirrors.file_of(memory, id)
    apart = path.with_name(unicodedata.normalize("NFD", path.name))
    assert apart.name != path.name
    path.rename(apart)
    assert memory.sync().files == ()
    raw = b"\xef\xbb\xbf" + apart.read_bytes().replace(b"salida", b"llegada").replace(b"\n", b"\r\n")
    apart.write_bytes(raw)
    assert list(outcomes(memory.sync()).values()) == ["accepted"]
    assert memory.show(id).content == "Señal de llegada"


def test_a_new_quote_must_stand_in_its_source(memory: MemoryStore, folder: Path) -> None:
    """A quote that was added is evidence; one that was edited and matches no more is refused, and the file stays."""
    (folder / "a.txt").write_text("Doors stay open for 45 seconds, then they close.\n", encoding="utf-8")
    source = memory.import_(["a.txt"], trust="agent")[0]
    memory._caller = Caller("agent", "bot")
    id = memory.remember("Doors", source=source.id, quote="open for 45 seconds").id
    memory._caller = None
    foot = f"[^{source.version}]\n"
    edit(memory, id, (foot, f"{foot}\n> then they close\n\n{foot}"))
    assert list(outcomes(memory.sync()).values()) == ["accepted"]
    assert {one.text for one in memory.show(id).quotes} == {"open for 45 seconds", "then they close"}
    path = edit(memory, id, ("> open for 45 seconds", "> open for 46 minutes"))
    [one] = memory.sync().files
    assert one.outcome == "refused"
    assert "46 minutes" in path.read_text(encoding="utf-8")
    assert {one.text for one in memory.show(id).quotes} == {"open for 45 seconds", "then they close"}


def test_an_edit_that_waits_is_said_to_be_kept(memory: MemoryStore) -> None:
    """The file says again what holds, and the report says where the edit is; once it is approved the file has it."""
    id = memory.remember("The gate closes at six").id
    path = edit(memory, id, ("closes at six", "closes at seven"))
    [one] = memory.sync().files
    assert one.outcome == "queued"
    assert any(f"treering review approve {one.id}" in notice for notice in one.notices)
    assert path.read_text(encoding="utf-8").endswith("The gate closes at six\n")
    memory.approve(one.id)
    memory.write_mirror()
    assert path.read_text(encoding="utf-8").endswith("The gate closes at seven\n")
    assert memory.sync().files == ()


def test_an_edit_made_while_files_wait_to_be_written_is_kept(memory: MemoryStore) -> None:
    """Whatever the store still has to write of the same memory, the file stays as edited until it is synced."""
    ids = [as_agent(memory, f"Parcel {number} is in locker {number}") for number in range(4)]
    memory.write_mirror()
    memory._behind.enabled = False
    memory.pin(ids[0], ttl="3d")
    memory.update(ids[1], tags=["moved"])
    memory.confirm(ids[2])
    paths = {}
    with memory._reading() as tx:
        for id in ids:
            path = Path(memory.mirror_folder, tx.mirrored.files([id])[id].path)
            path.write_text(path.read_text("utf-8").replace("is in locker", "was in locker"), "utf-8")
            paths[id] = path
    memory.write_mirror()
    assert all("was in locker" in path.read_text("utf-8") for path in paths.values())
    report = memory.sync(as_owner=True)
    assert {one.outcome for one in report.files} == {"accepted"}
    assert all("was in locker" in memory.show(id).content for id in ids)
    assert memory.show(ids[1]).tags == ("moved",)


def test_a_restored_store_writes_its_mirror(memory: MemoryStore, folder: Path) -> None:
    """No backup has the mirror: a store that was restored writes it, its log too, and nobody removed a file."""
    ids = [memory.remember(f"Parcel {number}").id for number in range(9)]
    memory.write_mirror()
    archive = memory.backup(folder / "kept.tar").path
    treering.restore(archive, folder / "restored")
    with treering.open(store=folder / "restored") as restored:
        restored.remember("One more")
        report = restored.sync()
        assert (report.files, report.notices) == ((), ())
        assert {mirrors.file_of(restored, id).is_file() for id in ids} == {True}
        assert len([path for path in mirrors.files(restored) if path.startswith("log/")]) >= 1
        written = mirrors.rows(restored)
        with treering.open(store=folder / "again") as again:
            again.rebuild(restored.mirror_folder)
            assert mirrors.rows(again) == written


def test_a_mirror_that_is_not_there_is_written(memory: MemoryStore) -> None:
    """Who removes the whole folder has it written again, and is told that nothing was archived."""
    ids = [as_agent(memory, f"Parcel {number}") for number in range(9)]
    memory.write_mirror()
    shutil.rmtree(memory.mirror_folder)
    report = memory.sync()
    assert "the mirror was not there" in report.notices[0]
    assert {memory.show(id).status for id in ids} == {"active"}
    assert mirrors.file_of(memory, ids[0]).is_file()
    assert memory.sync().notices == ()
