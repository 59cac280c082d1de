"""Chunking takes time linear in the text, on any input."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import pytest

from treering.chunkers import chunk

if TYPE_CHECKING:
    from collections.abc import Callable

# Each makes a text of a size that grows with its argument.
GROWING: Final[dict[str, Callable[[int], str]]] = {
    "items": lambda n: "- item\n" * 20 * n,
    "headings": lambda n: "# h\n" * 10 * n,
    "headings up and down": lambda n: "# a\n\n## b\n\n" * 5 * n,
    "quotes in quotes": lambda n: "> " * 5 * n + "x\n",
    "lists in lists on one line": lambda n: "- " * 5 * n + "x\n",
    "lines of nested lists": lambda n: ("- " * 20 + "x\n") * n,
    "brackets": lambda n: "[" * 10 * n + "]" * 10 * n,
    "stars": lambda n: "*a " * 20 * n,
    "a heading of marks": lambda n: "# " + "*a* `b` " * 10 * n,
    "a heading of braces": lambda n: "# " + "{#" * 20 * n + "}\n",
    "one long item": lambda n: "- a\n" + "  - b\n" * 20 * n,
    "a long line, then items": lambda n: "- " + "x" * 100 * n + "\n" + "- y\n" * 10 * n,
    "an introduction, then items": lambda n: "word\n" * 50 * n + "\n" + "- a longer item than the others\n" * 10 * n,
    "a line as introduction, then items": lambda n: "x" * 100 * n + "\n\n" + "- a longer item\n" * 10 * n,
    "quoted blocks": lambda n: "> a\n>\n" * 20 * n,
    "definitions": lambda n: "[a]: b\n" * 20 * n,
    "notes on one line": lambda n: "[^1]: " * 20 * n,
    "table rows": lambda n: "|a|b|\n|-|-|\n" + "|1|2|\n" * 20 * n,
    "blank lines": lambda n: "\r\n" * 200 * n,
    "spaces": lambda n: " " * 1000 * n + "x",
    "Chinese paragraphs": lambda n: "数据库迁移，上线时间。\n\n" * 20 * n,
    "carriage returns": lambda n: "- a\r" * 20 * n,
}


def seconds(text: str, name: str) -> float:
    """Return the CPU seconds that chunking takes, the best of three."""

    def once() -> float:
        start = time.process_time()
        chunk(text, name, front_matter_chars=0)
        return time.process_time() - start

    return min(once() for _ in range(3))


def fixed_loop() -> float:
    """Return the CPU seconds of a million additions, the yardstick of this machine."""
    start = time.process_time()
    total = 0
    for number in range(1_000_000):
        total += number
    return time.process_time() - start


@pytest.mark.slow
@pytest.mark.parametrize("growing", GROWING.values(), ids=GROWING.keys())
def test_four_times_the_text_takes_about_four_times_the_time(growing: Callable[[int], str]) -> None:
    """Far below the sixteen times of quadratic work."""
    assert seconds(growing(800), "a.md") < 10 * max(seconds(growing(200), "a.md"), 0.002)


@pytest.mark.parametrize(
    "text",
    ["word " * 200_000, "```\n" + "line of code\n" * 20_000, "," * 200_000],
    ids=["paragraph of 1 MB", "fence of 20,000 lines", "200 kB of commas"],
)
@pytest.mark.parametrize("name", ["a.md", "a.txt"])
def test_single_huge_blocks_are_quick(text: str, name: str) -> None:
    """Each takes less CPU than twelve times a million additions, and stays one chunk as Markdown."""
    assert seconds(text, name) < 12 * min(fixed_loop() for _ in range(3))
    if name == "a.md":
        (only,) = chunk(text, name, front_matter_chars=0).chunks
        assert only.oversized


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1_000, 100_000])
@pytest.mark.parametrize("mark", ["> ", "- ", "[", "*", "- > "])
def test_depth_overflows_nothing(mark: str, depth: int) -> None:
    """A hundred thousand levels on one line are one chunk."""
    assert len(chunk(mark * depth + "x\n", "a.md", front_matter_chars=0).chunks) == 1
