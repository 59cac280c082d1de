"""X05: an erasure is proved byte by byte and leaves a receipt; what may still hold the words is named."""

from __future__ import annotations

import json
import shutil
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Final

import apsw
import pytest
from secret_memories import fill_with_secrets

import treering
from treering.backends.registry import TABLES
from treering.domain.policy import Caller
from treering.domain.signs import HEADER_BYTES
from treering.domain.store_files import kind_of
from treering.errors import HasDependents, NotAllowed, NotFound, Refused
from treering.journal import StoredCopy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.behaviour.conftest import Ran

    from treering import MemoryStore

# Columns with words that belong to no memory and no source: the owner's reasons, places, what an index run met.
NOT_ERASED: Final = {
    "tombstone.reason", "erasure.receipt", "copy.path", "root.path", "root.glob", "skipped.path", "skipped.reason",
    "folder.path", "tracked.error", "version.notice", "chunk.lead",  # the last one has places in a text
    "claim.slot", "memory.slot", "stretch.slot",  # what a slot is called is its history's, which goes on without words
}  # fmt: skip


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return an empty memory."""
    with treering.open() as opened:
        yield opened


def secret(number: str) -> str:
    """Return words, Latin and Chinese, that stand nowhere else."""
    return f"zyz{number}qu锔{number}钥"


def bytes_of(folder: Path) -> bytes:
    """Return every byte of the project's store but for archives, in small letters."""
    files = [p for p in sorted((folder / ".treering").rglob("*")) if p.is_file() and p.parent.name != "backups"]
    return b"".join(p.read_bytes() for p in files).lower()


def with_words(memory: MemoryStore) -> set[str]:
    """Return the columns in which a secret stands."""
    found = set()
    with memory._reading() as tx:
        for table, columns in tx.erasures.words().items():
            for row in tx.tables.rows(table):
                found |= {f"{table}.{name}" for name in columns if "zyz" in str(row[name]) or "锔" in str(row[name])}
                found |= {f"{table}.row"} if table in {"vector", "digest"} else set()  # numbers made of words
    return found


@pytest.mark.sqlite
def test_no_canary_sings_in_any_field(memory: MemoryStore, folder: Path) -> None:
    """A secret is put into every column that has words, by the registry; after the erasures no byte has one.

    A column that is new and has no secret here fails.
    """
    ids = fill_with_secrets(memory, secret)
    docs = folder / secret("dir")
    docs.mkdir()
    for n in range(3):
        text = f"---\n{secret('label')}: {secret('value')}\n---\n# {secret('head')}\n\nThe {secret('page')} {n}.\n"
        (docs / f"{secret('file')}{n}.md").write_text(text, encoding="utf-8")
    memory.index([docs])
    (folder / "kept.txt").write_bytes(
        ("数据库迁移必须在低峰期进行，迁移前先备份。回滚脚本放在仓库的工具目录。" * 3 + secret("kept")).encode(
            "gb18030"
        )
    )
    (kept,) = memory.import_([folder / "kept.txt"], url=f"https://example.org/{secret('url')}")
    memory.scratch_note(f"The {secret('desk')}", session="one")
    memory.ensure_embeddings()
    (docs / f"{secret('gone')}.md").write_text("Short-lived.\n", encoding="utf-8")
    memory.index([docs])
    (docs / f"{secret('gone')}.md").unlink()
    memory.index([docs])
    memory.consolidate()
    memory.write_mirror()
    assert kept.outcome == "accepted", kept
    wanted = {f"{name}.{column}" for name, table in TABLES.items() for column in table.words} - NOT_ERASED
    assert wanted - with_words(memory) == set()
    receipt = memory.forget([*ids, kept.id], cascade=True).receipt
    assert receipt is not None
    assert receipt.proof.how == "bytes"
    assert receipt.proof.found == ()
    assert receipt.proof.pieces > 20
    assert receipt.removed["session"] == 1
    assert receipt.removed["original"] == 1
    done = memory.forget_directory(docs).receipt
    assert done is not None
    assert (done.proof.found, done.done) == ((), True)
    assert with_words(memory) - {"vector.row", "digest.row"} <= {"copy.path", "claim.slot"}
    left = bytes_of(folder)
    for trace in ("zyz", "锔", "zyz".encode("utf-16-le").decode("latin-1"), "锔".encode("utf-16-le").decode("latin-1")):
        raw = trace.encode("latin-1") if trace[0] == "z" and "\0" in trace else trace.encode()
        assert raw not in left, trace
    assert memory.verify().problems == ()


def signed_entries(store: Path) -> set[int]:
    """Return the entries of a store's file of signs: a number elsewhere in it, as its count of rows, is none."""
    raw = next(store.glob("memory.db-signs-*")).read_bytes()
    (rows,) = struct.unpack_from("<Q", raw, 24)
    return set(struct.unpack_from(f"<{rows}q", raw, HEADER_BYTES + 8 * rows))


@pytest.mark.slow
@pytest.mark.sqlite
def test_every_file_of_a_store_has_its_kind(memory: MemoryStore, folder: Path) -> None:
    """After everything that makes files no file is there that the registry does not know."""
    (folder / "a.bin.txt").write_bytes("Sitzung im März. Größe".encode("cp1252"))
    memory.import_([folder / "a.bin.txt"])
    for n in range(1100):
        memory.remember(f"Parcel {n} went through the harbour {n * n}")
    memory.ensure_embeddings()
    memory.reindex()
    memory.scratch_note("A note", session="one")
    memory.backup()
    store = folder / ".treering"
    paths = [p.relative_to(store).as_posix() for p in store.rglob("*") if p.is_file()]
    assert [path for path in paths if kind_of(path, "memory.db") is None] == []
    assert {"database", "original", "session", "backup", "signs"} <= {
        kind.name for path in paths if (kind := kind_of(path, "memory.db")) is not None
    }
    gone = memory.list("memories", limit=1).items[0].id
    with memory._reading() as tx:
        entry = tx.memories.memories([gone])[gone].entry
    assert entry in signed_entries(store)
    memory.forget([gone])
    assert entry not in signed_entries(store)


@pytest.mark.sqlite
def test_the_receipt_names_what_may_still_hold_it(memory: MemoryStore, folder: Path, run: Callable[..., Ran]) -> None:
    """Backups and exports wherever they are, the file itself, the repository around it; kept without a word of it."""
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_text("# A\n\nThe osprey nests in the tower.\n", encoding="utf-8")
    memory.index(["docs"])
    backup = memory.backup(folder / "elsewhere").path
    memory.export(folder / "all.jsonl")
    shutil.copy(backup, folder / ".treering" / "copied.tar")
    (folder / ".treering" / "backups").mkdir()
    shutil.copy(backup, folder / ".treering" / "backups" / "brought.tar")
    memory.close()
    ran = run("forget", "--yes", "docs", "--json", "--reason", "asked to")
    (outcome,) = json.loads(ran.out)["outcomes"]
    receipt = outcome["receipt"]
    told = " ".join([*receipt["copies"], *receipt["files"]])
    for path in (backup, folder / "all.jsonl", folder / ".treering" / "backups" / "brought.tar", folder / "docs"):
        assert str(path) in told
    assert receipt["history"] == [str(folder)]
    assert receipt["proof"]["how"] == "bytes"
    shown = json.loads(run("audit", "--receipts", "--json").out)["items"]
    assert shown == [{**receipt, "files": []}]
    assert receipt["file_count"] == 1
    assert "osprey" not in json.dumps(shown)
    assert "may still hold it" in run("audit", "--receipts").out


@pytest.mark.sqlite
def test_words_that_others_have_as_well_are_no_trace(memory: MemoryStore) -> None:
    """A sentence that another memory says too stays where it belongs, and nothing is reported."""
    shared = "The harbour closes at ten in the evening."
    one = memory.remember(f"{shared} Bring the key of the pump.").id
    memory.remember(f"{shared} Bring a lamp.")
    receipt = memory.forget([one]).receipt
    assert receipt is not None
    assert receipt.proof.found == ()
    assert receipt.proof.shared > 0
    assert memory.verify().problems == ()
    memory.remember("Bring the key of the pump.")
    assert memory.verify().problems == ()  # said again later: that is no failed erasure


@pytest.mark.sqlite
def test_verify_knows_erased_sentences_without_their_words(memory: MemoryStore, folder: Path) -> None:
    """A sentence that comes back in a row of before the erasure is found, though no word of it was kept."""
    import apsw

    words = "The osprey nests in the tower of the silo."
    memory.forget([memory.remember(words).id])
    other = memory.remember("Something else entirely").id
    memory.close()
    connection = apsw.Connection(str(folder / ".treering" / "memory.db"))
    connection.execute("update memory set content = ?, recorded_at = '2020-01-01' where id = ?", (words, other))
    connection.close()
    with treering.open() as again:
        problems = again.verify().problems
    assert any(one.kind == "forgotten" and "sentence" in one.text for one in problems), problems


def test_one_version_goes_and_the_one_before_is_shown_again(memory: MemoryStore, folder: Path) -> None:
    """``--this-version`` takes the current one; a version by its id takes that; an only one is refused."""
    file = folder / "plan.md"
    for month in ("May", "June", "July"):
        file.write_text(f"# Plan\n\nThe launch is in {month}.\n", encoding="utf-8")
        (done,) = memory.import_([file])
    with memory._reading() as tx:
        first, second, third = tx.sources.versions(done.id)
    assert memory.forget([done.id], this_version=True).removed == (third,)
    assert not memory.search("July launch", mode="keyword").found or "July" not in str(memory.search("launch").results)
    assert "June" in memory.search("launch", mode="keyword").results[0].text
    assert memory.forget([first]).removed == (first,)
    with memory._reading() as tx:
        assert tx.sources.versions(done.id) == [second]
    with pytest.raises(Refused, match="only this version"):
        memory.forget([second])
    assert memory.verify().problems == ()


def test_what_was_forgotten_stays_out_until_it_is_readmitted(memory: MemoryStore, folder: Path) -> None:
    """A run over a folder around it, a search that looks for new files, an agent: none brings it back."""
    (folder / "docs").mkdir()
    for name in ("a", "b"):
        (folder / "docs" / f"{name}.md").write_text(f"# {name}\n\nThe osprey {name} nests.\n", encoding="utf-8")
    memory.index([folder])
    done = memory.forget_directory(folder / "docs" / "a.md")
    assert (done.files, done.roots) == (1, ())
    (report,) = memory.index([folder])
    assert (report.files, report.added) == (1, 0)
    assert any("--readmit" in skip.reason for skip in report.skipped)
    (folder / "docs" / "a.md").write_text("# a\n\nThe osprey a nests elsewhere.\n", encoding="utf-8")
    assert "elsewhere" not in str(memory.search("osprey nests", empty_gate=0).results)
    with pytest.raises(Refused, match="was forgotten"):
        memory.index([folder], file="docs/a.md")
    memory._caller = Caller("agent", "bot")
    with pytest.raises(NotAllowed):
        memory.index([folder], readmit=True)
    memory._caller = None
    (report,) = memory.index([folder], readmit=True)
    assert report.added == 1
    (report,) = memory.index([folder])
    assert (report.files, report.skipped) == (2, ())


def test_a_cited_folder_is_refused_first(memory: MemoryStore, folder: Path) -> None:
    """Memories that quote its files are named; then they go with it, or stay without a quote; an agent decides none."""
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_text("# A\n\nThe osprey nests in the tower.\n", encoding="utf-8")
    memory.index(["docs"])
    source = memory.list("sources").items[0].id
    id = memory.remember("It nests", source=source, quote="The osprey nests in the tower").id
    with pytest.raises(HasDependents, match=id):
        memory.forget_directory("docs")
    memory._caller = Caller("agent", "bot")
    with pytest.raises(HasDependents, match=id):
        memory.forget_directory("docs")
    with pytest.raises(NotAllowed):
        memory.forget_directory("docs", cascade=True)
    memory._caller = None
    memory.forget_directory("docs", cascade=True, reason="told to")
    with pytest.raises(NotFound, match="forgotten"):
        memory.show(id)
    assert memory.verify().problems == ()


def test_twice_and_by_an_agent(memory: MemoryStore) -> None:
    """What is forgotten is not there to be forgotten again; an agent erases nothing."""
    id = memory.remember("The osprey nests in the tower").id
    memory._caller = Caller("agent", "bot")
    with pytest.raises(NotAllowed):
        memory.forget([id])
    memory._caller = None
    memory.forget([id])
    with pytest.raises(NotFound, match="forgotten"):
        memory.forget([id])
    assert len(memory.receipts()) == 1


def strewn(memory: MemoryStore, id: str, words: str) -> dict[str, Path]:
    """Strew copies of a memory's file about the mirror, as people and processes that die do; return them."""
    memory.write_mirror()
    mirror = Path(memory.mirror_folder)
    [file] = [path for path in mirror.glob("memories/*/*.md") if f"id: {id}\n" in path.read_text(encoding="utf-8")]
    left = {
        "copied": file.with_name("copy of it.md"),
        "moved": mirror / "kept" / "elsewhere.md",
        "half": file.with_name(f".999-{id[-12:]}.tmp"),
        "written": mirror / "memories" / "mine.md",
    }
    shutil.copy(file, left["copied"])
    left["half"].write_text(words, encoding="utf-8")
    left["written"].write_text(f"I heard this.\n{words}\n", encoding="utf-8")
    left["moved"].parent.mkdir()
    file.rename(left["moved"])
    return left


@pytest.mark.sqlite
@pytest.mark.parametrize("words", ["The zyzzyva ledger lies under the harbour stone.", "PIN 4711"])
def test_copies_of_its_file_go_with_it(memory: MemoryStore, words: str) -> None:
    """Moved, copied or half written, they go; what somebody wrote there is named, as far as it can be told from others.

    A repository in the mirror is named, and nothing in it is taken for a file of the store.
    """
    id = memory.remember(words).id
    memory.remember("The pump runs at noon.")
    left = strewn(memory, id, words)
    mirror = Path(memory.mirror_folder)
    (mirror / ".git").mkdir()
    (mirror / ".git" / "COMMIT_EDITMSG").write_text(words, encoding="utf-8")
    receipt = memory.forget(id).receipt
    assert receipt is not None
    there = {name for name, path in left.items() if path.exists()}
    assert there == {"written"}
    assert receipt.proof.found == (("mirror/memories/mine.md",) if len(words) > 20 else ())
    assert receipt.removed["file"] == 3
    assert str(mirror) in receipt.history
    assert len(list(mirror.glob("memories/*/*.md"))) == 1
    assert memory.verify(fix=True).sound == (len(words) < 20)


@pytest.mark.slow
@pytest.mark.sqlite
def test_copies_go_when_another_process_ends_it(memory: MemoryStore, folder: Path) -> None:
    """Who carries on after a reader has ended does not know the words; copies go by their id, and the rest by marks."""
    words = "The zyzzyva ledger lies under the harbour stone."
    id = memory.remember(words).id
    left = strewn(memory, id, words)
    reader = apsw.Connection(str(folder / ".treering" / "memory.db"))
    reader.execute("begin")
    reader.execute("select count(*) from memory").fetchall()
    receipt = memory.forget(id).receipt
    assert receipt is not None
    assert receipt.waiting
    reader.close()
    with treering.open() as other:
        other.remember("The pump runs at noon.")
        [ended] = other.receipts()
    assert (ended.done, ended.proof.how, ended.proof.found) == (True, "marks", ("mirror/memories/mine.md",))
    assert {name for name, path in left.items() if path.exists()} == {"written"}


@pytest.mark.slow
@pytest.mark.sqlite
def test_the_process_that_forgot_reads_every_byte_once_the_reader_has_ended(memory: MemoryStore, folder: Path) -> None:
    """It still knows the words."""
    id = memory.remember("The zyzzyva ledger lies under the harbour stone.").id
    reader = apsw.Connection(str(folder / ".treering" / "memory.db"))
    reader.execute("begin")
    reader.execute("select count(*) from memory").fetchall()
    memory.forget(id)
    reader.close()
    memory.remember("The pump runs at noon.")
    [ended] = memory.receipts()
    assert (ended.done, ended.proof.how, ended.proof.found) == (True, "bytes", ())


@pytest.mark.sqlite
def test_verify_finds_a_file_that_version_control_brought_back(memory: MemoryStore) -> None:
    """An old file in the mirror is found by its marks, and ``--fix`` removes it; what was said anew is none."""
    again, words = "The heron stands in the pond.", "The zyzzyva ledger lies under the harbour stone."
    ids = [memory.remember(text).id for text in (words, again)]
    memory.write_mirror()
    mirror = Path(memory.mirror_folder)
    kept = {path: path.read_bytes() for path in mirror.glob("memories/*/*.md")}
    memory.forget(ids)
    memory.remember(again)
    for path, raw in kept.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(raw)
    [problem] = memory.verify().problems
    assert (problem.kind, problem.mended) == ("forgotten", False)
    assert "zyzzyva" in problem.text.partition(" says")[0]
    [problem] = memory.verify(fix=True).problems
    assert problem.mended
    assert memory.verify().problems == ()
    assert not [path for path in kept if path.exists()]


@pytest.mark.sqlite
def test_a_proof_that_fails_is_not_done(memory: MemoryStore, run: Callable[..., Ran]) -> None:
    """Where erased words are still there, the command says where and ends with 1."""
    words = "The zyzzyva ledger lies under the harbour stone."
    id = memory.remember(words).id
    strewn(memory, id, words)
    memory.close()
    ran = run("forget", id, "--yes")
    assert ran.status == 1
    assert "STILL THERE: erased words stand in mirror/memories/mine.md" in ran.out


@pytest.mark.sqlite
def test_what_the_store_was_made_from_is_named(memory: MemoryStore, folder: Path) -> None:
    """An export that was taken in, a mirror that was read, an archive that was restored, and one that was cut short."""
    id = memory.remember("The zyzzyva ledger lies under the harbour stone.").id
    memory.export(folder / "all.jsonl")
    memory.export(folder / "okf", format="okf")
    archived = memory.backup(folder / "b.tar")
    (folder / "c.tar.part").write_bytes(b"half of it")
    with memory._opened(create=False).write() as tx:
        tx.erasures.note_copy(StoredCopy(str(folder / "c.tar"), "backup", "2026-11-30"))
    made = [treering.open(store=folder / name) for name in ("taken", "rebuilt")]
    made[0].take_in(folder / "all.jsonl")
    made[1].rebuild(folder / "okf")
    treering.restore(archived.path, folder / "restored")
    made.append(treering.open(store=folder / "restored"))
    named = [("all.jsonl",), ("okf",), ("all.jsonl", "okf", "b.tar")]
    for store, names in zip([*made, memory], [*named, (*named[2], "c.tar.part")], strict=True):
        receipt = store.forget(id).receipt
        assert receipt is not None
        assert {one.split()[1] for one in receipt.copies} == {str(folder / name) for name in names}
        store.close()


@pytest.mark.sqlite
def test_a_mirror_that_is_kept_elsewhere_is_read_as_well(memory: MemoryStore, folder: Path) -> None:
    """A link stands for it: what is left there is found, and the repository that it lies in is named."""
    words = "The zyzzyva ledger lies under the harbour stone."
    id = memory.remember(words).id
    memory.write_mirror()
    repository = folder.parent / "notes"
    (repository / ".git").mkdir(parents=True)
    shutil.move(memory.mirror_folder, repository / "kept")
    Path(memory.mirror_folder).symlink_to(repository / "kept")
    (repository / "kept" / "mine.md").write_text(f"I heard this.\n{words}\n", encoding="utf-8")
    receipt = memory.forget(id).receipt
    assert receipt is not None
    assert receipt.proof.found == ("mirror/mine.md",)
    assert str(repository) in receipt.history
    assert not list((repository / "kept").glob("memories/*/*.md"))
