"""Hits counted in two ways, by one rule for every system.

By file: the file that the query was made from. By passage: that file, or one that holds the same passage word for word,
since no system can tell twins apart by the query. The passage of a body query is the paragraph of the file that has all
six words; of a heading query, the heading with the paragraph under it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BLANK = re.compile(r"\n\s*\n")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{3,}")
_LEAST_WORDS = 20  # of a paragraph that body queries are made from
_MARKS = re.compile(r"[`*_\[\]()#]")


class Shares(NamedTuple):
    """Shares of the queries of one kind, by depth of the list."""

    by_file: dict[int, float]
    by_passage: dict[int, float]


class Corpus:
    """The passages of a folder of Markdown files."""

    def __init__(self, directory: Path) -> None:
        """Read every file."""
        self._holders: dict[str, set[str]] = defaultdict(set)
        self._texts: dict[str, str] = {}
        for path in sorted(directory.rglob("*.md")):
            name = path.relative_to(directory).as_posix()
            self._texts[name] = path.read_text(encoding="utf-8")
            for passage in _passages(self._texts[name]):
                self._holders[passage].add(name)

    def right(self, query: dict[str, str]) -> set[str]:
        """Return the files that hold the passage of a query, its own file among them."""
        text = self._texts[query["gold"]]
        own = _headed(text, query["q"]) if query["kind"] == "heading" else _worded(text, query["q"])
        return {query["gold"]}.union(*(self._holders[passage] for passage in own))


def shares(corpus: Corpus, queries: Sequence[dict[str, str]], answers: Sequence[Sequence[str]]) -> dict[str, Shares]:
    """Return the shares of each kind of query whose file, or passage, is among the first 1 and 10 results."""
    found: dict[str, Shares] = {}
    for kind in sorted({query["kind"] for query in queries}):
        asked = [(query, answer) for query, answer in zip(queries, answers, strict=True) if query["kind"] == kind]

        def share(depth: int, *, twins: bool, asked: list[tuple[dict[str, str], Sequence[str]]] = asked) -> float:
            hits = [
                bool((corpus.right(query) if twins else {query["gold"]}) & set(answer[:depth]))
                for query, answer in asked
            ]
            return sum(hits) / len(hits)

        found[kind] = Shares(*({depth: share(depth, twins=twins) for depth in (1, 10)} for twins in (False, True)))
    return found


def _passages(text: str) -> Iterator[str]:
    """Yield every paragraph, and every heading with what stands under it, white space folded."""
    blocks = [" ".join(block.split()) for block in _BLANK.split(text)]
    for at, block in enumerate(blocks):
        yield block
        if block.startswith("#") and at + 1 < len(blocks):
            yield f"{block}\n{blocks[at + 1]}"


def _worded(text: str, query: str) -> list[str]:
    """Return the paragraphs that a body query may have been made from."""
    wanted = set(query.split())
    paragraphs = [" ".join(block.split()) for block in _BLANK.split(text)]
    return [one for one in paragraphs if wanted <= set(_WORD.findall(one)) and len(_WORD.findall(one)) >= _LEAST_WORDS]


def _headed(text: str, query: str) -> list[str]:
    """Return the heading that a query asks for, with what stands under it."""
    return [
        passage
        for passage in _passages(text)
        if "\n" in passage and _MARKS.sub(" ", passage.partition("\n")[0].lstrip("# ")).split() == query.split()
    ]
