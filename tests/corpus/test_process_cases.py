"""Faults that users reported of several processes on one store and of those that die, as the shared cases have them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final, Self

import pytest

import treering
from treering.errors import TreeringError

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.sqlite, pytest.mark.slow]

KILLS: Final = 20
WORKER: Final = """
import json, sys, treering
memory = treering.open(store=sys.argv[1])
does = {
    'open': lambda asked: None,
    'remember': lambda asked: memory.remember(asked['text']).id,
    'update': lambda asked: memory.update(asked['id'], text=asked['text']).id,
    'forget': lambda asked: memory.forget(asked['ids']).removed,
    'search': lambda asked: [one.id for one in memory.search(asked['query'], empty_gate=0, mode='keyword').results],
}
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(does[asked['do']](asked)), flush=True)
"""
"""Does what it is told, a line for each, with one memory that stays open."""


class Worker:
    """A process with a memory of its own on a store."""

    def __init__(self, store: Path) -> None:
        """Start it."""
        self.process = subprocess.Popen(
            [sys.executable, "-c", WORKER, str(store)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=store.parent,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the memory, and wait."""
        self.process.communicate(timeout=120)

    def tell(self, *asked: dict[str, Any]) -> None:
        """Say what is to be done."""
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{json.dumps(one)}\n" for one in asked))
        self.process.stdin.flush()

    def told(self) -> Any:
        """Return what came of the next thing."""
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def do(self, **asked: Any) -> Any:
        """Let one thing be done and return what came of it."""
        self.tell(asked)
        return self.told()


def steps_of(shared: Path, case: str) -> list[dict[str, Any]]:
    """Return the steps of a case."""
    found: list[dict[str, Any]] = json.loads((shared / "cases" / case / "expect.json").read_text(encoding="utf-8"))[
        "steps"
    ]
    return found


def test_processes_that_write_at_the_same_time(shared: Path, tmp_path: Path) -> None:
    """CON-01: none of what several processes save and ask at once is lost or fails, and the store is sound."""
    store, number = tmp_path / "store", 0
    for step in steps_of(shared, "CON-01"):
        if step["do"] == "spawn":
            with ExitStack() as stack:
                workers = [stack.enter_context(Worker(store)) for _ in range(step["processes"])]
                asked = step["each"]["remember"] + step["each"].get("search", 0)
                for worker in workers:
                    for turn in range(step["each"]["remember"]):
                        number += 1
                        worker.tell({"do": "remember", "text": f"The avocet number {number} was seen."})
                        if turn < step["each"].get("search", 0):
                            worker.tell({"do": "search", "query": "avocet"})
                assert all(worker.told() for worker in workers for _ in range(asked))
            continue
        with treering.open(store=store) as memory:
            if step["do"] == "list":
                assert memory.list("memories").total == step["expect_count"]
            else:
                assert step["do"] == "verify"
                assert len(memory.verify().problems) == step["expect_problems"]


def test_killed_in_the_middle_of_a_write(shared: Path, tmp_path: Path) -> None:
    """CON-03: after twenty kills what was acknowledged is there, and the store sound; a cut export is refused whole."""
    kills, verify, _ = steps_of(shared, "CON-03")
    store, acknowledged = tmp_path / "store", []
    for round_ in range(kills["times"]):
        worker = Worker(store)
        worker.tell(*({"do": "remember", "text": f"Round {round_} saw heron {n}."} for n in range(200)))
        acknowledged += [worker.told() for _ in range(1 + round_)]
        worker.process.send_signal(signal.SIGKILL)
        worker.process.communicate()
    assert round_ == KILLS - 1
    with treering.open(store=store) as memory:
        assert len(memory.verify().problems) == verify["expect_problems"]
        assert all(memory.show(id).status == "active" for id in acknowledged)
        memory.export(tmp_path / "all.jsonl")
    lines = (tmp_path / "all.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_text("".join(lines[:-1]) + lines[-1][: len(lines[-1]) // 2], encoding="utf-8")
    with treering.open(store=tmp_path / "other") as memory:
        with pytest.raises(TreeringError):
            memory.take_in(tmp_path / "cut.jsonl")
        assert memory.list("memories").total == 0
        memory.take_in(tmp_path / "all.jsonl")
        assert all(memory.show(id).status == "active" for id in acknowledged)


def test_a_process_that_stays_sees_what_others_did(shared: Path, tmp_path: Path) -> None:
    """CON-07: what another process saved, changed, erased or put in the file's place, the next question finds."""
    store, ids = tmp_path / "store", dict[str, str]()
    with treering.open(store=tmp_path / "new") as memory:
        memory.remember("The bittern booms.")
        in_new = memory.remember("The avocet of the new file.").id
    with treering.open(store=store) as memory:
        memory.init()

    def replace(_: dict[str, Any]) -> None:
        """Put another database in the place of the open one."""
        for suffix in ("-wal", "-shm"):
            (store / f"memory.db{suffix}").unlink(missing_ok=True)
        os.replace(tmp_path / "new" / "memory.db", store / "memory.db")
        shutil.rmtree(tmp_path / "new")

    with Worker(store) as a, Worker(store) as b:
        workers = {"A": a, "B": b}
        for step in steps_of(shared, "CON-07"):
            if step["do"] == "replace_db_file":
                replace(step)
                continue
            asked = {key: step[key] for key in ("do", "text", "query") if key in step}
            asked |= {"id": ids.get(step.get("id", ""), "")} | {"ids": [ids[name] for name in step.get("ids", ())]}
            found = workers[step["process"]].do(**asked)
            if "as" in step:
                ids[step["as"]] = found
            if "expect_ids" in step:
                assert found == [ids[name] for name in step["expect_ids"]], step
            if "expect_results" in step:
                assert len(found) == step["expect_results"], step
            if step.get("expect") == "state of the new file":
                assert found == [in_new], step
