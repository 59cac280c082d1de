"""D23: writes are atomic, and nothing that was saved is ever lost."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import treering

if TYPE_CHECKING:
    from pathlib import Path

    from treering import MemoryStore

WORDS = "amber basalt cedar dune ember fjord glacier harbour island juniper".split()


def sayings(count: int) -> list[str]:
    """Return statements that all differ."""
    return [f"The {WORDS[n % 10]} stone number {n} lies at the {WORDS[n // 10 % 10]}." for n in range(count)]


def contents(memory: MemoryStore) -> list[str]:
    """Return what all memories say."""
    found, after = [], ""
    while True:
        page = memory.list("memories", limit=100, after=after)
        found += [item.content for item in page.items]
        if page.next is None:
            return sorted(found)
        after = page.next


def test_threads_lose_nothing(folder: Path) -> None:
    """Eight threads save through one memory, some of them the same: each statement is there once."""
    texts = sayings(240)
    errors: list[BaseException] = []
    with treering.open() as memory:

        def save(number: int) -> None:
            """Save a third of all, in an order of its own."""
            try:
                for text in texts[number::3] if number % 2 else reversed(texts[number % 3 :: 3]):
                    memory.remember(text, tags=[f"by{number}"])
            except BaseException as error:
                errors.append(error)
                raise

        threads = [threading.Thread(target=save, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors
        saved = {
            texts[n]
            for number in range(8)
            for n in (range(number, 240, 3) if number % 2 else range(number % 3, 240, 3))
        }
        assert contents(memory) == sorted(saved)
        assert memory.status().sources == len(saved)


def test_processes_lose_nothing(folder: Path) -> None:
    """Four processes save at once, each its own and all one more: every statement is there once, with all tags."""
    code = (
        "import sys, treering\n"
        "with treering.open() as memory:\n"
        "    for number in range(25):\n"
        "        memory.remember(f'Process {sys.argv[1]} says {number}.')\n"
        "        memory.remember(f'All say {number}.', tags=[sys.argv[1]])\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    processes = [
        subprocess.Popen([sys.executable, "-c", code, str(number)], env=environment, stderr=subprocess.PIPE)
        for number in range(4)
    ]
    ends = [(process.communicate(timeout=120)[1], process.returncode) for process in processes]
    assert [status for _, status in ends] == [0] * 4, ends
    with treering.open() as memory:
        own = [f"Process {process} says {number}." for process in range(4) for number in range(25)]
        assert contents(memory) == sorted([*own, *(f"All say {number}." for number in range(25))])
        shared = memory.search("all say 7", tags=["0", "1", "2", "3"], empty_gate=0, mode="keyword").results
        assert "All say 7." in [result.text for result in shared]


def test_every_letter_is_kept(folder: Path) -> None:
    """What was saved comes back letter for letter, from the memory and from its note, also after a rebuild."""
    texts = [*sayings(20), "漢字 🎉 naïve\n\n\tcode {}\n- list", "x" * 70_000 + " end", "a\u2028b\x0bc\x85d"]
    with treering.open() as memory:
        ids = [memory.remember(text).id for text in texts]
        memory.reindex()
    with treering.open() as memory:
        for id, text in zip(ids, texts, strict=True):
            shown = memory.show(id)
            assert shown.content == text
            assert memory.show(f"note:{id}").text == text
            assert shown.quotes[0].text == text
