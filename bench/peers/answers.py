"""The files that a system answers each query with, best first, as one JSON list of lists.

usage: answers.py treering|poma|sage DIR --queries FILE [-k 10]     with the Python of that system's environment

The system's own ``bench`` verb has indexed DIR before; for sage-memory, whose memories are texts, each file is saved
as one memory that has the path as its title, in a home of its own that is removed at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    Ask = Callable[[str], list[str]]


def treering_asks(directory: Path, limit: int) -> Ask:
    """Return how Treering is asked: no token budget, so that ranks are compared and nothing else."""
    import treering

    memory = treering.open(directory, store=str(directory.with_name(directory.name + ".treering")))
    return lambda text: [
        os.path.relpath(result.file or "", directory)
        for result in memory.search(text, limit=limit, max_tokens=100_000).results
    ]


def poma_asks(directory: Path, limit: int) -> Ask:
    """Return how poma-memory is asked: by words, as in a base installation."""
    import poma_memory

    sys.modules["poma_memory.search"].HAS_SEMANTIC = False
    index = poma_memory.MemoryIndex(str(directory / ".poma-memory.db"))
    return lambda text: [os.path.relpath(row["file_path"], directory) for row in index.search(text, top_k=limit)]


def sage_asks(directory: Path, limit: int) -> Ask:
    """Return how sage-memory is asked, after its store was filled."""
    home = Path(tempfile.mkdtemp())
    (home / "project").mkdir()
    os.environ["HOME"] = str(home)
    from sage_memory import db

    db.override_project_root(home / "project")
    from sage_memory.search import search
    from sage_memory.store import store

    for path in sorted(directory.rglob("*.md")):
        store(content=path.read_text("utf-8"), title=os.path.relpath(path, directory), tags=[])
    return lambda text: [row["title"] for row in search(query=text, limit=limit)["results"]]


def main() -> None:
    """Ask everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system", choices=("treering", "poma", "sage"))
    parser.add_argument("directory", type=Path)
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("-k", type=int, default=10)
    given = parser.parse_args()
    os.environ["HF_HUB_OFFLINE"] = "1"
    ask = {"treering": treering_asks, "poma": poma_asks, "sage": sage_asks}[given.system](
        given.directory.resolve(), given.k
    )
    print(json.dumps([ask(row["q"]) for row in json.loads(given.queries.read_text("utf-8"))]))


if __name__ == "__main__":
    main()
