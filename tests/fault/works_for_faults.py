"""Works that write in an order: index runs, the mirror and its syncs; and what each step of theirs leaves."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from test_mirror_faults import change, edit, fill, held

from treering.backends.sqlite.engine import SCHEMA

Step = Callable[[Any], object]


class Work(NamedTuple):
    """A work whose order of writing the page tells.

    Attributes:
        title: of the section, behind "The write order of".
        prepare: makes a project of which ``store`` is what the work begins with.
        run: does the work there.
        steps: regular expression of what a step writes, by its number; the first that fits counts.
        left: looks at what a crash after a step leaves, by the step's number, before anybody mends it.
        mend: does what the page says.
        check: looks at the end.
        unwritten: steps that write nothing, or nothing in such a small store.
        apart: whether steps are parts of one transaction.
    """

    title: str
    prepare: Step
    run: Step
    steps: Mapping[int, str]
    left: Mapping[int, Step]
    mend: Step
    check: Step
    unwritten: frozenset[int] = frozenset()
    apart: bool = False


def there(project: Any, path: str) -> bool:
    """Tell whether a file is there."""
    return bool((project.path / path).exists())


def count(project: Any, table: str, where: str = "1") -> int:
    """Return how many rows a table of the store has, without opening the store; 0 where the table is not made."""
    with project.connected("store") as run:
        if not run(f"select 1 from sqlite_schema where name = '{table}'"):  # noqa: S608
            return 0
        return int(run(f"select count(*) from {table} where {where}")[0][0])  # noqa: S608


def layout(project: Any) -> int:
    """Return the layout of the store."""
    return int(project.query("store", "pragma user_version")[0][0])


def is_sound(project: Any) -> bool:
    """Check the store as ``verify`` does."""
    assert project.is_whole("store")
    with project.open("store") as memory:
        assert memory.verify().problems == ()
    return True


def with_leftovers_gone(project: Any) -> bool:
    """Let ``verify`` remove what a crash left, as if an hour had passed, and find nothing more."""
    for path in (project.path / "store").rglob("*"):
        if path.name.startswith(".backup-") or path.name.endswith((".part", ".tmp")):
            os.utime(path, (0, 0))
    with project.open("store") as memory:
        memory.verify(fix=True)
    return is_sound(project)


# An index run


def pages(project: Any) -> None:
    """Write more files than one batch takes, and no store."""
    project.write(**{f"f{n:03}": f"# Page {n}\n\nThe pump {n} runs.\n" for n in range(260)})


def fewer_pages(project: Any) -> None:
    """Index files of which some go then, and one changes."""
    pages(project)
    project.made("store")
    for n in range(3):
        (project.docs / f"f{n:03}.md").unlink()
    project.write(f004="# Page 4\n\nThe heron stands.\n")


def index(project: Any) -> None:
    """Index the folder."""
    with project.open("store") as memory:
        memory.index([project.docs], prune=True)


def is_indexed(project: Any) -> None:
    """Check that the store is what a new one would be."""
    project.made("fresh")
    assert project.contents("store") == project.contents("fresh")
    assert is_sound(project)
    shutil.rmtree(project.path / "fresh")


BATCH: Final = r"insert into (source|version|tracked)"
INDEX: Final = Work(
    "an index run",
    pages,
    index,
    {
        2: r"^mkdir store$|^open store/.gitignore",
        3: r"^open store/memory\.db$",
        4: r"insert into migration|journal_mode = wal",
        5: r"insert into root|into setting .*(?!.*insert into source)",
        9: r"update root|insert into folder",
        6: BATCH,
    },
    {
        2: lambda p: [there(p, "store"), not there(p, "store/memory.db")],
        3: lambda p: [p.database("store").stat().st_size == 0],
        4: lambda p: [layout(p) == SCHEMA, count(p, "root") == 0],
        5: lambda p: [count(p, "root") == 1, count(p, "source") == 0],
        6: lambda p: [count(p, "root", "scanned_at <> ''") == 0, count(p, "source") > 100],
    },
    index,
    is_indexed,
    unwritten=frozenset({1, 7, 8, 10, 11}),
)
AGAIN: Final = INDEX._replace(
    prepare=fewer_pages,
    steps={6: r"insert into (version|tracked)", 8: r"delete from source", 9: r"update root|insert into folder"},
    left={6: lambda p: [count(p, "source") == 260], 8: lambda p: [count(p, "source") == 257]},
    unwritten=frozenset({1, 2, 3, 4, 5, 7, 10, 11}),
)


def long_pages(project: Any) -> None:
    """Write so many pieces that their vectors get signs, beside a store that has none yet."""
    project.write(first="# First\n\nThe pump runs.\n")
    project.made("store")
    os.environ.pop("TREERING_EMBEDDING_PROVIDER")  # the fixture puts it back
    for name in "ab":
        project.write(**{name: "".join(f"# Page {n}\n\nThe {name} pump {n} runs.\n\n" for n in range(520))})


def signs(project: Any) -> list[str]:
    """Return the files of signs, whole or in parts."""
    return sorted(path.name for path in (project.path / "store").glob("memory.db-signs-*"))


def has_meanings(project: Any) -> None:
    """Check that everything has its vector, and that the signs are there."""
    is_indexed(project)
    with project.open("store") as memory:
        assert memory.status().embedded == memory.status().chunks
    assert len(signs(project)) == 1


MEANINGS: Final = INDEX._replace(
    prepare=long_pages,
    steps={
        10: r"insert into (vector|model)",
        11: r"store/memory\.db-signs|insert into setting",
        6: r"insert into (version|tracked)",
        9: r"update root|insert into folder",
    },
    left={
        6: lambda p: [count(p, "chunk") > 1000, count(p, "vector") == 0],
        9: lambda p: [count(p, "root", "scanned_at <> ''") == 1, count(p, "vector") == 0],
        10: lambda p: [count(p, "vector") == count(p, "chunk"), signs(p) == []],
    },
    check=has_meanings,
    unwritten=frozenset({1, 2, 3, 4, 5, 7, 8}),
)

# The mirror


def in_step(project: Any) -> None:
    """Check that files and store say the same, in the words that are meant, and that nothing is left to do."""
    assert with_leftovers_gone(project)
    with project.open("store") as memory:
        assert memory.sync().files == ()
        assert memory.write_mirror() == 0
    assert held(project, "store") == project.wanted


def prepared(project: Any, make: Step) -> None:
    """Prepare the store ``start``, and put a copy of it in the place of ``store``."""
    make(project)
    project.copy("start", "store")


def write_mirror(project: Any) -> None:
    """Write the mirror."""
    with project.open("store") as memory:
        memory._behind.enabled = False
        memory.write_mirror()


MIRROR: Final = Work(
    "the mirror",
    lambda project: prepared(project, change),
    write_mirror,
    {2: r"store/mirror/log", 1: r"store/mirror|begin immediate", 3: r"mirror_file|mirror_due|commit"},
    {
        1: lambda p: [count(p, "mirror_due", "kind = 'memory'") > 0, count(p, "mirror_due", "kind = 'act'") > 0],
        2: lambda p: [count(p, "mirror_due", "kind = 'act'") > 0],
    },
    write_mirror,
    in_step,
    apart=True,
)


def edited(project: Any) -> None:
    """Let files of a mirror be edited while something waits to be written into it."""
    ids = fill(project)
    with project.open("start") as memory:
        memory._behind.enabled = False
        memory.remember("The lamp is lit.")
    edit(project, ids)


def sync(project: Any) -> None:
    """Take the edits in."""
    with project.open("store") as memory:
        memory._behind.enabled = False
        memory.sync()


SYNC: Final = Work(
    "a sync",
    lambda project: prepared(project, edited),
    sync,
    {
        3: r"insert into act ",
        1: r"delete from mirror_due(?!.*proposals)",
        4: r"(remove|rmdir) store/mirror|store/mirror/",
        2: r"insert into mirror_file|^sql begin immediate\nsql commit$",
    },
    {
        1: lambda p: [count(p, "memory", "content like '%lamp%'") == 1, count(p, "proposal", "state = 'waiting'") == 1],
        2: lambda p: [
            count(p, "mirror_file", "path = 'better name.md'") == 1,
            count(p, "memory", "content like '%ten%'") == 0,
        ],
    },
    sync,
    in_step,
    unwritten=frozenset({5, 6}),
)
