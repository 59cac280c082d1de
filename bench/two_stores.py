"""What the user's own store costs beside the project's: CPU time of a warm search in both, as a multiple of one.

``python bench/two_stores.py [DIR] [--memories N,M]`` saves sentences of the Markdown under DIR (default: docs) as
memories, N in the project and M in the user's own store (default: 600,120), and asks questions made of their words.
Searches of both and of the project alone take turns, so that a noisy machine slows both; the median of the questions'
ratios is what counts. ``README.md`` beside this file has the figures.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

import treering

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering import MemoryStore

_SENTENCE: Final = re.compile(r"[A-Z][^.|`#*\n]{40,200}\.")
_QUESTIONS: Final = 40
_ROUNDS: Final = 9
_WORDS: Final = 5


def sentences(folder: Path) -> list[str]:
    """Return sentences of the pages in a folder, each once, in an order of chance that is always the same."""
    found = dict.fromkeys(
        " ".join(one[0].split())
        for page in sorted(folder.rglob("*.md"))
        for one in _SENTENCE.finditer(page.read_text())
    )
    listed = list(found)
    random.Random(1).shuffle(listed)  # noqa: S311  the same order each time
    return listed


def strange(texts: list[str]) -> list[str]:
    """Return texts none of whose words stands in the others."""
    return [re.sub(r"[a-zA-Z]+", lambda word: word[0][::-1].lower() + "qx", text) for text in texts]


def cost(search: Callable[[str], object], question: str) -> float:
    """Return the CPU time of a question in milliseconds."""
    started = time.process_time()
    search(question)
    return (time.process_time() - started) * 1000


def filled(memory: MemoryStore, texts: list[str]) -> None:
    """Save texts as memories, with their vectors."""
    for text in texts:
        memory.remember(text)
    memory.ensure_embeddings()


def measured(project: Path, home: Path, mine: list[str], theirs: list[str]) -> tuple[float, float, float]:
    """Return the milliseconds of one store and of both, and the median of the ratios."""
    os.environ |= {"HOME": str(home), "XDG_DATA_HOME": "", "XDG_CONFIG_HOME": "", "TREERING_HOME": ""}
    (project / ".git").mkdir(parents=True)
    home.mkdir()
    with treering.open(scope="global") as own:
        filled(own, theirs)
    chance = random.Random(2)  # noqa: S311  the same questions each time
    questions = [" ".join(chance.sample(re.findall(r"\w{4,}", text) * 2, _WORDS)) for text in mine[:_QUESTIONS]]
    with treering.open(project) as both, treering.open(project, scope="project") as one:
        filled(one, mine)
        costs: dict[str, tuple[list[float], list[float]]] = {question: ([], []) for question in questions}
        for each in range(_ROUNDS + 1):
            for question, (alone, together) in costs.items():
                took = cost(one.search, question), cost(both.search, question)
                if each:  # the first round warms
                    alone.append(took[0])
                    together.append(took[1])
    alone_ms = [min(alone) for alone, _ in costs.values()]
    both_ms = [min(together) for _, together in costs.values()]
    ratios = [two / one for one, two in zip(alone_ms, both_ms, strict=True)]
    return statistics.median(alone_ms), statistics.median(both_ms), statistics.median(ratios)


def main() -> None:
    """Measure an own store with the same words, and one with none of them."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parents[1] / "docs")
    parser.add_argument("--memories", default="600,120")
    given = parser.parse_args()
    first, second = map(int, given.memories.split(","))
    texts = sentences(given.folder)
    if len(texts) < first + second:
        raise SystemExit(f"{given.folder} has {len(texts)} sentences; {first + second} are needed")
    mine, theirs = texts[:first], texts[first : first + second]
    for name, others in (("the same words", theirs), ("none of the words", strange(theirs))):
        with tempfile.TemporaryDirectory() as made:
            project, home = Path(made, "project"), Path(made, "home")
            project.mkdir()
            os.chdir(project)
            one, two, ratio = measured(project, home, mine, others)
            print(f"{name}: one store {one:.2f} ms, both {two:.2f} ms, {ratio:.2f} times")


if __name__ == "__main__":
    main()
