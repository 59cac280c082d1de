"""Whatever stands in a document, the headings behind it keep their place, and no block is too large to answer from."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import pytest

import treering
from treering.domain.text import llm_tokens

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore

BLOCKS: Final = {
    "fence": "```bash\na\n# x\n## y\n```",
    "tilde fence": "~~~yaml\n# comment\n```\n# still inside\n```\nend: 3\n~~~",
    "fence in a list": "- item\n\n  ```\n  # x\n  ```",
    "indented code": "    # x\n    ## y",
    "table": "| a | b |\n|---|---|\n| 1 | # |\n| 2 | ## |",
    "quote with a heading": "> # quoted\n> text",
    "html": "<details>\n<h1>x</h1>\n\n# y is a heading after the blank line\n</details>",
    "comment": "<!--\n# not a heading\n-->",
    "footnote": "Text.[^1]\n\n[^1]: # no heading",
    "rule": "one\n\n---\n\n***",
    "nested list": "- a\n    - b\n        - c\n\n            # deep code",
}


def headings(memory: MemoryStore, question: str) -> list[str]:
    """Return the headings above the best hit."""
    return [heading.title for heading in memory.search(question).results[0].path]


@pytest.mark.parametrize("what", BLOCKS)
def test_the_tree_goes_on_behind_a_block(remember_files: Callable[..., MemoryStore], what: str) -> None:
    """A section after the block hangs under the document's title, not under a line of the block."""
    text = f"# Guide\n\n## Install\n\n{BLOCKS[what]}\n\nThen restart the marmot.\n\n## Usage\n\nCall the dormouse.\n"
    if what == "html":
        text = text.replace("# y is a heading after the blank line\n", "")
    memory = remember_files({"g.md": text})
    assert headings(memory, "marmot") == ["Guide", "Install"]
    assert headings(memory, "dormouse") == ["Guide", "Usage"]


def test_no_heading_is_made_of_a_fence(remember_files: Callable[..., MemoryStore]) -> None:
    """The outline holds what a reader sees as headings, and nothing else."""
    blocks = f"{BLOCKS['fence']}\n\n{BLOCKS['tilde fence']}\n"
    text = f"# Guide\n\n## Install\n\n{blocks}\n## Usage ##\n\nText.\n\n## Port to C#\n\nText.\n"
    memory = remember_files({"g.md": text})
    assert [title for _, title, _ in memory.show("g.md").outline] == ["Guide", "Install", "Usage", "Port to C#"]


def test_headings_of_every_kind(remember_files: Callable[..., MemoryStore]) -> None:
    """Underlined headings count, a second of the first level is beside the first, an arrow is text."""
    memory = remember_files({
        "setext.md": "One\n===\n\nTwo\n---\n\nThe otter.\n",
        "two.md": "# First\n\nText.\n\n# Second\n\nThe mink.\n",
        "bom.md": "\ufeff# Marked title\n\nThe shrew.\n",
        "arrow.md": "# Arrow\n\n→ leads to the mole\n",
    })  # fmt: skip
    assert headings(memory, "otter") == ["One", "Two"]
    assert headings(memory, "mink") == ["Second"]
    assert headings(memory, "shrew") == ["Marked title"]
    assert "→ leads to the mole" in memory.search("mole").results[0].text


def test_front_matter_is_no_title(remember_files: Callable[..., MemoryStore]) -> None:
    """The first heading is the title; a line of the front matter stands above no text."""
    memory = remember_files({"f.md": "---\nname: laptop\nsession: two\n---\n# Real title\n\n## Sub\n\nThe badger.\n"})
    result = memory.search("badger").results[0]
    assert (result.title, headings(memory, "badger")) == ("Real title", ["Real title", "Sub"])
    assert "session" not in result.text


def test_text_before_the_first_heading(remember_files: Callable[..., MemoryStore]) -> None:
    """A preamble, and a file without headings, are found under no heading."""
    memory = remember_files({"a.md": "Owned by team kestrel.\n\n# Later\n\nText.\n", "b.md": "Only a goshawk.\n"})
    assert headings(memory, "kestrel") == headings(memory, "goshawk") == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        "```\n" + "".join(f"line {n} of the log\n" for n in range(20_000)) + "walrus\n```\n",
        "The long tale goes on. " * 45_000 + "walrus",
        "".join(f"| {n} | row |\n" if n else "| a | b |\n|---|---|\n" for n in range(20_000)) + "| walrus | row |\n",
        ", " * 100_000 + "walrus",
    ],
    ids=["fence", "paragraph", "table", "commas"],
)
def test_a_huge_block_gives_a_small_answer(remember_files: Callable[..., MemoryStore], body: str) -> None:
    """However long the block is, the answer is within its budget and shows the word that was asked for."""
    memory = remember_files({"huge.md": f"# Huge\n\n{body}\n"})
    text = memory.search("walrus", max_tokens=300).results[0].text
    assert llm_tokens(text) <= 300
    assert "walrus" in text


@pytest.mark.slow
def test_odd_shapes_cost_no_more_than_prose(tmp_path: Path) -> None:
    """300,000 characters of one paragraph, of a fence, of commas or of brackets index as quickly as sections do."""

    def cost(name: str, text: str) -> float:
        """Return the CPU seconds of indexing one file of that size, of the better of two runs."""
        took = []
        for attempt in range(2):
            folder = tmp_path / f"{name}{attempt}"
            folder.mkdir()
            (folder / "a.md").write_text((text * (300_000 // len(text) + 1))[:300_000], encoding="utf-8")
            with treering.open(folder, store=str(folder / "store")) as memory:
                started = time.process_time()
                memory.index([folder])
                took.append(time.process_time() - started)
        return min(took)

    usual = cost("sections", "## Section\n\nSome words about lockers and couriers, and what they do by day.\n\n" * 9)
    shapes = {
        "paragraph": "The tale goes on and on. ",
        "commas": ", ",
        "brackets": "[](",
        "lines": "- item of one list\n",
        "quotes": "> ",
        "stars": "*a_ ",
        "letters": "x",
        "marks": "`",
        "tables": "| a | b |\n",
    }
    costs = {name: round(cost(name, text) / usual, 2) for name, text in shapes.items()}
    assert max(costs.values()) < 6, costs
    fence = cost("fence", "```\n" + "line of code that is not long\n" * 12_000)
    assert fence / usual < 6
