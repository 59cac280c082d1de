"""The tree of digests under faults: killed at any commit, a failing statement, two processes at once."""

from __future__ import annotations

import signal
from contextlib import suppress
from typing import Any

import pytest
from whole_tree import check_whole

from treering.errors import StorageFailed

NOTES = {f"f{n:03}": f"# Page {n}\n\nThe pump {n} runs.\n" for n in range(300)}


def look(project: Any, name: str) -> tuple[int, int]:
    """Return how many nodes there are and how much is due; the tree is whole but for what is due."""
    with project.open(name) as memory, memory._reading() as tx:
        due = tx.tree.count_due()
        if not due:
            check_whole(tx, 8)
        return tx.tree.count()[0], due


def reaches_all_its_leaves(project: Any, name: str) -> bool:
    """Tell whether every leaf of a tree that may be behind is reached from its trunk, and every node."""
    with project.open(name) as memory, memory._reading() as tx:
        trunk = tx.tree.trunk()
        level, nodes, leaves = [trunk] if trunk else [], 0, 0
        while level:
            nodes += len(level)
            leaves += len(tx.tree.leaves([node.number for node in level]))
            level = tx.tree.children([node.number for node in level])
        return (nodes, leaves) == tx.tree.count()


def test_a_killed_run_leaves_no_orphan(project: Any) -> None:
    """Killed after whichever commit, all nodes and leaves are reached from the trunk, and the next run goes on."""
    project.write(**NOTES)
    project.made("killed")
    for commits in range(1, 5):
        process = project.start("commit", commits, "killed", "consolidate")
        process.communicate(timeout=120)
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL
        assert reaches_all_its_leaves(project, "killed")
    with project.open("killed") as memory:
        memory.consolidate()
    nodes, due = look(project, "killed")
    assert (nodes > 40, due) == (True, 0)


def test_a_statement_that_fails_leaves_a_whole_tree(project: Any) -> None:
    """Whichever statement fails, the tree is as before or after one of its steps, and the next run ends it."""
    project.write(**dict(list(NOTES.items())[:20]))
    project.made("failing")
    for number in range(5, 150, 12):
        with project.watched() as statements:
            statements.failing = number
            with project.open("failing") as memory, suppress(StorageFailed):
                memory.consolidate(force=True)
        assert reaches_all_its_leaves(project, "failing")
    with project.open("failing") as memory:
        memory.consolidate()
    assert look(project, "failing")[1] == 0


def test_two_processes_digest_at_once(project: Any) -> None:
    """They take turns and end with one whole tree, with as many leaves as one run alone makes."""
    project.write(**NOTES)
    project.made("both")
    project.made("alone")
    processes = [project.start("gate", 0, "both", "consolidate") for _ in range(3)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    ends = [(process.communicate("\n", timeout=120), process.returncode) for process in processes]
    assert [status for _, status in ends] == [0, 0, 0], ends
    look(project, "both")
    with project.open("both") as both, project.open("alone") as alone:
        assert both.tree().leaves == alone.consolidate().leaves


@pytest.mark.parametrize("others", ["index", "consolidate"])
def test_writers_go_on_beside_it(project: Any, others: str) -> None:
    """A run beside another that writes loses nothing of either."""
    project.write(**NOTES)
    project.made("beside")
    project.write(**{f"g{n}": f"# Other {n}\n\nThe valve {n} leaks.\n" for n in range(100)})
    words = ["index", str(project.docs)] if others == "index" else ["consolidate", "--force"]
    processes = [project.start("gate", 0, "beside", *more) for more in (["consolidate"], words)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    ends = [(process.communicate("\n", timeout=120), process.returncode) for process in processes]
    assert [status for _, status in ends] == [0, 0], ends
    with project.open("beside") as memory:
        memory.index([project.docs])
        memory.consolidate()
    assert look(project, "beside")[1] == 0
