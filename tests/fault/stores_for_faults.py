"""Works that make, copy or change whole stores; and what each step of theirs leaves."""

from __future__ import annotations

import os
import shutil
import tarfile
from pathlib import Path
from typing import Any, Final

from test_mirror_faults import change, fill, held
from works_for_faults import Work, count, is_sound, layout, prepared, there, with_leftovers_gone

import treering
from treering.backends.sqlite.engine import SCHEMA

REPOSITORY: Final = Path(__file__).resolve().parents[2]
GBK: Final = "项目甲将于十一月上线，推送平台由鲍勃的团队维护。\n".encode("gbk")


def rebuild(project: Any) -> None:
    """Make the store of the mirror's files."""
    with project.open("store") as memory:
        memory._behind.enabled = False
        memory.rebuild(project.path / "start" / "mirror")


def with_true_mirror(project: Any) -> None:
    """Have a store whose mirror says all, and none beside it."""
    change(project)
    with project.open("start") as memory:
        memory.write_mirror()


def rebuilt(project: Any) -> None:
    """Rebuild where nothing is yet; a store that is whole refuses it."""
    if not count(project, "claim"):
        rebuild(project)


REBUILD: Final = Work(
    "a rebuild",
    with_true_mirror,
    rebuild,
    {
        1: r"^mkdir store$|^open store/(\.gitignore|memory\.db)$",
        2: r"insert into migration|journal_mode = wal",
        3: r"insert into claim",
        4: r"insert into copy",
    },
    {
        1: lambda p: [p.database("store").stat().st_size == 0],
        2: lambda p: [layout(p) == SCHEMA, count(p, "claim") == 0],
        3: lambda p: [count(p, "claim") > 0, count(p, "copy") == 0],
    },
    rebuilt,
    lambda p: [is_sound(p), held(p, "store") == p.wanted],
)


def with_original(project: Any) -> None:
    """Have a store with memories, a mirror, and a document whose bytes are kept."""
    fill(project)
    (project.path / "page.gbk.txt").write_bytes(GBK)
    with project.open("start") as memory:
        memory.import_([project.path / "page.gbk.txt"])
        memory.write_mirror()


def backed_up(project: Any) -> None:
    """Have a backup, and an empty folder to restore it to."""
    with_original(project)
    with project.open("start") as memory:
        memory.backup(project.path / "kept.tar")
    (project.path / "store").mkdir()


def restore(project: Any) -> None:
    """Restore the backup."""
    treering.restore(project.path / "kept.tar", project.path / "store")


def restored(project: Any) -> None:
    """Restore the backup where there is no store."""
    if not there(project, "store/memory.db"):
        restore(project)


def is_restored(project: Any) -> None:
    """Check that all is there, that no file of the mirror is taken for removed, and that nothing lies about."""
    assert held(project, "store") == project.wanted
    assert not there(project, "store.restoring")
    with project.open("store") as memory:
        assert memory.sync().files == ()
    assert held(project, "store") == project.wanted
    assert is_sound(project)


RESTORE: Final = Work(
    "a restore",
    backed_up,
    restore,
    {
        2: r"^(open|mkdir) store\.restoring/",
        1: r"^(mkdir|remove|rmdir) store\.restoring$",
        3: r"^rmdir store$",
        4: r"^rename store\.restoring store$",
        5: r"delete from mirror_file|journal_mode = wal",
    },
    {
        1: lambda p: [there(p, "store.restoring"), not there(p, "store/memory.db")],
        2: lambda p: [there(p, "store.restoring/memory.db"), not there(p, "store/memory.db")],
        3: lambda p: [there(p, "store.restoring/memory.db"), not there(p, "store")],
        4: lambda p: [there(p, "store/memory.db"), not there(p, "store/mirror"), count(p, "mirror_file") > 0],
    },
    restored,
    is_restored,
)


def backup(project: Any) -> None:
    """Make the backup."""
    with project.open("store") as memory:
        memory.backup(project.path / "kept.tar")


def restores(project: Any) -> None:
    """Check that the archive is a whole one."""
    treering.restore(project.path / "kept.tar", project.path / "back")
    assert held(project, "back") == project.wanted
    shutil.rmtree(project.path / "back")
    assert with_leftovers_gone(project)
    assert not list((project.path / "store").glob(".backup-*"))


def backed_up_again(project: Any) -> None:
    """Check an archive that is there, and make one where there is none."""
    if there(project, "kept.tar"):
        restores(project)
    else:
        backup(project)


def noted_and_not_there(project: Any, *, parts: bool) -> list[bool]:
    """Tell whether an archive is noted that is not there, with a part of one or without."""
    return [not there(project, "kept.tar"), there(project, "kept.tar.part") == parts, count(project, "copy") == 1]


BACKUP: Final = Work(
    "a backup",
    lambda project: prepared(project, with_original),
    backup,
    {
        1: r"insert into copy",
        2: r"^mkdir store/\.backup-",
        3: r"journal_mode = delete",
        4: r"^open kept\.tar\.part",
        5: r"^rename kept\.tar\.part kept\.tar",
        6: r"^(remove|rmdir) ",
    },
    {
        1: lambda p: noted_and_not_there(p, parts=False),
        2: lambda p: noted_and_not_there(p, parts=False),
        3: lambda p: noted_and_not_there(p, parts=False),
        4: lambda p: noted_and_not_there(p, parts=True),
        5: lambda p: [there(p, "kept.tar"), count(p, "copy") == 1],
    },
    backed_up_again,
    restores,
)


def earlier(project: Any) -> None:
    """Put a store of an earlier layout into the place of ``store``."""
    store = project.path / "store"
    store.mkdir(exist_ok=True)
    with tarfile.open(REPOSITORY / "tests" / "fixtures" / "stores" / "layout-3.tar.gz") as saved:
        for one in saved:
            content = saved.extractfile(one)
            if content is not None and one.name != "manifest.json":
                (store / one.name).parent.mkdir(exist_ok=True)
                (store / one.name).write_bytes(content.read())


def look(project: Any) -> None:
    """Open the store and ask it."""
    with project.open("store") as memory:
        assert memory.search("how long does a locker door stay open", mode="keyword").found


def is_upgraded(project: Any) -> None:
    """Check layout, copy and keyword index."""
    assert layout(project) == SCHEMA
    assert there(project, "store/backups/memory-layout-3.db")
    look(project)
    assert with_leftovers_gone(project)
    assert not list((project.path / "store" / "backups").glob("*.part"))


UPGRADE: Final = Work(
    "an upgrade",
    earlier,
    look,
    {
        1: r"^(mkdir store/backups|open store/backups/.*\.part)|journal_mode = delete",
        2: r"^(rename|remove) store/backups/.*\.part",
        3: r"insert into migration|journal_mode = wal",
        4: r"insert into words",
    },
    {
        1: lambda p: [not there(p, "store/backups/memory-layout-3.db"), layout(p) == 3],
        2: lambda p: [there(p, "store/backups/memory-layout-3.db"), layout(p) == 3],
        3: lambda p: [layout(p) == SCHEMA, count(p, "words_docsize") == 0],
    },
    look,
    is_upgraded,
)


def reindex(project: Any) -> None:
    """Make again what is derived."""
    with project.open("store") as memory:
        memory.reindex()


def is_reindexed(project: Any) -> None:
    """Check that words and vectors are those of a store that was never broken."""
    with project.open("store") as memory:
        memory.ensure_embeddings()
    assert project.contents("store") == project.indexed
    assert is_sound(project)


def with_vectors(project: Any) -> None:
    """Index some files, of which a piece was cut otherwise by an earlier program."""
    os.environ.pop("TREERING_EMBEDDING_PROVIDER")  # the fixture puts it back
    project.write(**{f"f{n}": f"# Page {n}\n\nThe pump {n} runs.\n" for n in range(5)})
    project.made("store")
    project.indexed = project.contents("store")
    project.query("store", "delete from chunk")


REINDEX: Final = Work(
    "reindex",
    with_vectors,
    reindex,
    {1: r"insert into words", 2: r"insert into vector"},
    {1: lambda p: [count(p, "chunk") == 5, count(p, "vector") == 0]},
    reindex,
    is_reindexed,
)

TRACES: Final = (b"buoy", "推送平台".encode("gbk"), "推送平台".encode())


def forget(project: Any) -> None:
    """Erase a memory, and the document whose bytes are kept."""
    with project.open("store") as memory:
        memory.forget(project.doomed)


def doomed(project: Any) -> None:
    """Have a store with what is to go, and its ids."""
    with_original(project)
    project.doomed = [
        *(row[0] for row in project.query("start", "select id from memory where content = 'The buoy drifts.'")),
        *(row[0] for row in project.query("start", "select id from source where key like '%page.gbk.txt'")),
    ]
    assert len(project.doomed) == 2


def bytes_left(project: Any) -> list[bytes]:
    """Return which of the erased words stand in a file of the store."""
    files = [path.read_bytes() for path in (project.path / "store").rglob("*") if path.is_file()]
    return [one for one in TRACES if any(one in raw for raw in files)]


def look_at(project: Any) -> None:
    """Open the store as whoever comes next does."""
    with project.open("store") as memory:
        memory.status()


def is_forgotten(project: Any) -> None:
    """Check that nothing of it is left, and the receipt."""
    with project.open("store") as memory:
        (receipt,) = memory.receipts()
        assert receipt.done
        assert memory.verify().problems == ()
    assert bytes_left(project) == []


FORGET: Final = Work(
    "forget",
    lambda project: prepared(project, doomed),
    forget,
    {
        2: r"insert into tombstone",
        1: r"into erasure [^\n]* begun(\n|$)",
        6: r"into erasure [^\n]* done(\n|$)",
        3: r"remove store/originals",
        4: r"store/mirror",
        5: r"wal_checkpoint",
    },
    {
        1: lambda p: [count(p, "erasure", "state = 'begun'") == 1, count(p, "memory", "content like '%buoy%'") == 1],
        2: lambda p: [count(p, "erasure", "state = 'erased'") == 1, count(p, "memory", "content like '%buoy%'") == 0],
        3: lambda p: [
            count(p, "erasure", "state = 'erased'") == 1,
            not list((p.path / "store").rglob("originals/*/*")),
        ],
        4: lambda p: [bool(bytes_left(p)), count(p, "erasure", "state = 'erased'") == 1],
        5: lambda p: [count(p, "erasure", "state = 'erased'") == 1],
    },
    look_at,
    is_forgotten,
)
