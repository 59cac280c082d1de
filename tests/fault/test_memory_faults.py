"""Saving and erasing when something fails, many do it at once, or a process dies: old state or new, nothing lost."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from changes_for_faults import ACTS, held, prepare
from secret_memories import NUMBERS, fill_with_secrets
from states_for_faults import Healed

from treering.errors import NotFound, StorageFailed


@pytest.mark.parametrize("lasting", [False, True], ids=["one fails", "all fail from there"])
@pytest.mark.parametrize("act", ACTS)
def test_every_statement_fails_once(quick_project: Any, act: str, *, lasting: bool) -> None:
    """Whichever statement of a change fails, the store is as before or after it, with a clean keyword index."""
    project = quick_project
    ids = prepare(project, "start")
    before = held(project, "start")
    project.copy("start", "clean")
    with project.watched() as statements, project.open("clean") as memory:
        ACTS[act](memory, ids)
        total = statements.seen
    after = held(project, "clean")
    assert before != after
    healed = Healed(project.path / "store")

    def heal() -> None:
        """Change what is as before, once more, and check what is there then."""
        with project.open("store") as memory:
            memory.status()  # an erasure that could not even be called off is carried on with
            if held(project, "store") == before:
                ACTS[act](memory, ids)
        assert held(project, "store") == after, number
        assert project.is_whole("store")

    failed = 0
    for number in range(1, total + 1):
        project.copy("start", "store")
        with project.watched() as statements:
            statements.failing, statements.lasting = number, lasting
            memory = project.open("store")
            try:
                ACTS[act](memory, ids)
            except StorageFailed:
                failed += 1
                assert held(project, "store") == before, number
            else:
                assert held(project, "store") == after, number
            memory.close()
        assert project.is_whole("store"), number
        healed.once(heal)
    assert total > 15
    assert failed > total - 5 or "forget" in act  # once the rows are gone, what fails waits


def test_every_statement_of_the_first_save_fails_once(quick_project: Any) -> None:
    """A first save that fails leaves no store, an empty one, or one with that memory; the next attempt works."""
    project = quick_project
    with project.watched() as statements, project.open("clean") as memory:
        memory.remember("The harbour is frozen.", tags=["a"])
        total = statements.seen
    after = held(project, "clean")
    healed = Healed(project.path / "store")

    def heal() -> None:
        """Save it after all."""
        with project.open("store") as memory:
            memory.remember("The harbour is frozen.", tags=["a"])
        assert held(project, "store") == after, number

    for number in range(1, total + 1):
        with project.watched() as statements:
            statements.failing = number
            with project.open("store") as memory, pytest.raises(StorageFailed):
                memory.remember("The harbour is frozen.", tags=["a"])
        if project.database("store").exists():
            assert project.is_whole("store"), number
            assert held(project, "store").get("memories", []) == [], number
        healed.once(heal)
        shutil.rmtree(project.path / "store")


def test_the_same_open_memory_goes_on(project: Any) -> None:
    """After a failure in the middle the memory that failed answers from the old state, and then saves."""
    prepare(project, "store")
    before = held(project, "store")
    with project.watched() as statements, project.open("store") as memory:
        memory.status()
        for number in itertools.count(1):
            statements.seen, statements.failing = 0, number
            try:
                memory.remember("The harbour is frozen.")
            except StorageFailed:
                statements.failing = 0
                assert held(project, "store") == before, number
                assert not memory.search("harbour", empty_gate=0, mode="keyword").found
                assert memory.search("gateway", empty_gate=0, mode="keyword").found
            else:
                break
        statements.failing = 0
        assert memory.search("harbour", empty_gate=0, mode="keyword").found
    assert number > 10
    assert project.is_whole("store")


def test_a_full_disk(project: Any) -> None:
    """On a full disk a save fails in words and leaves the old state; erasing still works, and makes room."""
    with project.open("store") as memory:
        large = memory.remember("".join(f"Paragraph {n} of the ledger {n * n}.\n" for n in range(6000))).id
        small = memory.remember("The gateway retries.").id
        connection = memory._opened(create=False)._connection
        pages = connection.execute("pragma page_count").fetchall()[0][0]
        before = held(project, "store")
        connection.execute(f"pragma max_page_count = {pages}")
        with pytest.raises(StorageFailed, match="disk is full: nothing was changed"):
            memory.remember("".join(f"Line {n} of another log {n * n}.\n" for n in range(6000)))
        with pytest.raises(StorageFailed, match="disk is full"):
            memory.update(small, text="".join(f"Line {n} of a third {n * n}.\n" for n in range(6000)))
        assert held(project, "store") == before
        assert memory.search("gateway", empty_gate=0, mode="keyword").found
        memory.forget([large])
        assert memory.remember("The harbour is frozen.").outcome == "accepted"
        assert memory.list("memories").total == 2
    assert project.is_whole("store")


def start(project: Any, code: str, *words: str) -> subprocess.Popen[str]:
    """Start a Python process in which ``memory`` is open on the store ``many``; it waits for a line, then runs."""
    opening = (
        "import sys, treering\n"
        f"memory = treering.open(store={str(project.path / 'many')!r})\n"
        "import treering.curate.propose, treering.derived.rows\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", opening + code, *words],
        cwd=project.path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def go(*processes: subprocess.Popen[str]) -> None:
    """Let waiting processes begin at once."""
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()


def test_eight_processes_save_at_once(project: Any) -> None:
    """Eight processes that make one store and save into it lose nothing, double nothing and meet no lock."""
    code = (
        "for n in range(40):\n"
        "    memory.remember(f'Process {sys.argv[1]} says {n}.', tags=['own'])\n"
        "    memory.remember(f'All of them say {n}.', tags=[f'by{sys.argv[1]}'])\n"
    )
    processes = [start(project, code, str(number)) for number in range(8)]
    go(*processes)
    ends = [(process.communicate(timeout=120)[1], process.returncode) for process in processes]
    assert [status for _, status in ends] == [0] * 8, ends
    assert project.is_whole("many")
    with project.open("many") as memory:
        assert memory.list("memories").total == 8 * 40 + 40
        for n in (0, 17, 39):
            (shared,) = (
                item for item in memory.list("memories", limit=1000).items if item.content.endswith(f"say {n}.")
            )
            assert set(shared.tags) == {f"by{number}" for number in range(8)}


def test_killed_between_saves(project: Any) -> None:
    """Every memory that was acknowledged before a kill is there, whole and findable; nothing else is half there."""
    code = "for n in range(100000): print(memory.remember(f'{sys.argv[1]} pelican {n}.').id, flush=True)\n"
    acknowledged: list[str] = []
    for round_ in range(4):
        process = start(project, code, f"round{round_}")
        go(process)
        assert process.stdout is not None
        acknowledged += [process.stdout.readline().strip() for _ in range(1 + 37 * round_)]
        process.kill()
        acknowledged += [
            line.strip() for line in process.stdout.read().splitlines(keepends=True) if line.endswith("\n")
        ]
        process.communicate()
        assert project.is_whole("many")
        with project.open("many") as memory:
            listed = {item.id for item in memory.list("memories", limit=1000).items}
            total = memory.list("memories").total
            if total <= 1000:
                assert set(acknowledged) <= listed
            for id in acknowledged:
                assert memory.show(id).status == "active"
            assert total - len(acknowledged) <= round_ + 1
            assert memory.status().sources == total
            last = memory.show(acknowledged[-1]).content
            assert last in [
                result.text for result in memory.search(last, empty_gate=0, mode="keyword", limit=100).results
            ]


def test_a_warm_store_sees_what_others_do(project: Any) -> None:
    """An open memory finds at once what another process saved, and no more what another process erased."""
    code = (
        "for line in sys.stdin:\n"
        "    verb, _, text = line.strip().partition(' ')\n"
        "    print(memory.remember(text).id if verb == 'remember' else memory.forget([text]).removed[0], flush=True)\n"
    )
    process = start(project, code)
    go(process)
    assert process.stdin is not None
    assert process.stdout is not None

    def tell(line: str) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{line}\n")
        process.stdin.flush()
        return process.stdout.readline().strip()

    with project.open("many") as memory:
        memory.init()
        for number in range(5):
            assert not memory.search("linnet", empty_gate=0, mode="keyword").found
            id = tell(f"remember The linnet fact number {number}.")
            assert [result.id for result in memory.search("linnet", empty_gate=0, mode="keyword").results] == [id]
            assert memory.remember(f"the linnet fact number {number}").id == id
            assert tell(f"forget {id}") == id
            assert not memory.search("linnet", empty_gate=0, mode="keyword").found
            assert memory.status().memories == 0
            with pytest.raises(NotFound, match="forgotten"):
                memory.show(id)
    process.communicate(timeout=60)
    assert process.returncode == 0


def bytes_of(folder: Path) -> bytes:
    """Return every byte that a store keeps."""
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


SECRETS: Final = ("xylophone", "Quetzalcoatl", "zwischenraum", "marmalade-17", "网关密钥")


@pytest.mark.parametrize("neighbours", [0, 400], ids=["alone", "among others"])
def test_what_was_forgotten_is_in_no_byte(project: Any, neighbours: int) -> None:
    """After erasing, words of text, title, summary, tags, metadata and former revisions are in no file of the store."""
    with project.open("store") as memory:
        for number in range(neighbours):
            memory.remember(f"Neighbour {number} lives in street {number * 7}.", tags=["street"])
        ids = [
            memory.remember(
                f"{number} The {SECRETS[0]} belongs to {SECRETS[1]}. {SECRETS[4]}", title=SECRETS[2],
                summary=f"{SECRETS[1]} has it.", tags=[SECRETS[3]], metadata={SECRETS[3]: SECRETS[2]},
            ).id
            for number in range(30)
        ]  # fmt: skip
        for id in ids[:10]:
            memory.update(id, text=f"Nothing of it is {SECRETS[0]} now {id}.", title="")
        for id in ids[5:15]:
            memory.archive(id)
        memory.reindex()
        assert SECRETS[0].encode() in bytes_of(project.path / "store")
        assert memory.forget(ids).notices == ()
        warm = bytes_of(project.path / "store").lower()
        for secret in (*SECRETS, "xylophon", "quetzalcoatl", "密钥"):
            assert secret.lower().encode() not in warm, secret
        assert memory.list("memories").total == neighbours
    assert project.is_whole("store")
    cold = bytes_of(project.path / "store").lower()
    for secret in SECRETS:
        assert secret.lower().encode() not in cold, secret


def test_no_byte_of_what_was_made_of_a_memory_is_left(project: Any) -> None:
    """Claims, revisions, proposals, reasons, entities, labels, merged and quoted words: all leave with the memory."""

    def secret(number: str) -> str:
        """Return a word that stands nowhere else."""
        return f"zyz{number}qu"

    with project.open("store") as memory:
        ids = fill_with_secrets(memory, secret)
        held_before = bytes_of(project.path / "store").lower()
        assert [number for number in NUMBERS if secret(number).encode() not in held_before] == []
        memory.forget(ids)
        left = bytes_of(project.path / "store").lower()
        assert [number for number in NUMBERS if secret(number).encode() in left] == []
        assert [one.content for one in memory.list("memories").items] == ["The pump runs at night."]
        assert [one.name for one in memory.entities()] == ["Kelp"]
        memory.reindex()
    assert project.is_whole("store")
    left = bytes_of(project.path / "store").lower()
    assert [number for number in NUMBERS if secret(number).encode() in left] == []


def test_erasing_beside_a_reader(project: Any) -> None:
    """While another process reads an earlier state, erasing works and says that the log must wait for it."""
    with project.open("many") as memory:
        id = memory.remember("The xylophone is hidden.").id
        code = (
            "with memory._reading() as tx:\n"
            "    print(tx.memories.count(), flush=True); sys.stdin.readline(); print(tx.memories.count(), flush=True)\n"
        )
        process = start(project, code)
        go(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        (notice,) = memory.forget([id]).notices
        assert "still reads" in notice
        assert not memory.search("xylophone", empty_gate=0, mode="keyword").found
        assert process.communicate("\n", timeout=60)[0] == "1\n"
    assert b"xylophone" not in bytes_of(project.path / "many")
