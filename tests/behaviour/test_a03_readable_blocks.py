"""A03: nested lists keep their parents, tables their header row, code fences come whole and closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering import MemoryStore

BUDGETS = (100, 300, 900, 3000)
LONG_LIST = "# Packing\n\nWhat goes into the van:\n\n" + "".join(
    f"- Crate {crate} for the harbour\n"
    f"    - Layer {crate} of blankets, folded twice and tied with a blue cord\n"
    f"        1. Lamp {crate} with the glass wrapped in newspaper{' and the walrus label' if crate == 23 else ''}\n"
    for crate in range(40)
)
LONG_TABLE = "# Stock\n\n| Article | Shelf | Keeper |\n|---------|-------|--------|\n" + "".join(
    f"| {'walrus tusk replica' if row == 300 else f'shell {row}'} | {row} | keeper {row % 7} |\n" for row in range(600)
)
LONG_FENCE = (
    "# Log\n\n## Crash\n\n```text\n"
    + "".join(f"step {number}: {'walrus refused' if number == 700 else 'fine'}\n" for number in range(1500))
    + "```\n\nAfter the log.\n"
)


def indent(text: str, wanted: str) -> int:
    """Return how far the line that holds ``wanted`` is indented."""
    line = next(line for line in text.splitlines() if wanted in line)
    return len(line) - len(line.lstrip())


def test_a_nested_item_comes_with_its_parents(memory: MemoryStore) -> None:
    """The items above a hit are shown, each further to the left."""
    text = memory.search("courier partners").results[0].text
    parents = ("Before the window", "Freeze merges", "Tell the courier partners")
    assert [text.index(parent) for parent in parents] == sorted(text.index(parent) for parent in parents)
    assert indent(text, parents[0]) < indent(text, parents[1]) < indent(text, parents[2])


def test_an_item_deep_in_a_long_list_comes_with_its_parents(remember_files: Callable[..., MemoryStore]) -> None:
    """Also where the list is far too long for one answer, introduction and parents stand above the item."""
    memory = remember_files({"list.md": LONG_LIST})
    text = memory.search("walrus", max_tokens=300).results[0].text
    parents = ("What goes into the van:", "Crate 23 for", "Layer 23 of", "Lamp 23 with")
    assert [text.index(parent) for parent in parents] == sorted(text.index(parent) for parent in parents)
    assert indent(text, parents[1]) < indent(text, parents[2]) < indent(text, parents[3])
    assert "Crate 39" not in text


@pytest.mark.parametrize("indentation", ["  ", "   ", "    ", "\t"])
def test_any_indent_makes_a_child(remember_files: Callable[..., MemoryStore], indentation: str) -> None:
    """Two, three or four blanks or a tab: the item is a child of the one above, and no code block."""
    memory = remember_files(
        {"l.md": f"# L\n\n- outer weasel\n{indentation}- inner stoat\n{indentation}- second polecat\n- outer ermine\n"}
    )
    text = memory.search("polecat").results[0].text
    assert indent(text, "outer weasel") < indent(text, "second polecat")
    assert "```" not in text


@pytest.mark.parametrize("max_tokens", [200, 300, 900])
def test_a_row_comes_with_the_header_of_its_table(remember_files: Callable[..., MemoryStore], max_tokens: int) -> None:
    """One row of a long table is shown under the table's header row, with a mark for the rows left out."""
    memory = remember_files({"table.md": LONG_TABLE})
    lines = memory.search("walrus tusk", max_tokens=max_tokens).results[0].text.splitlines()
    header = lines.index("| Article | Shelf | Keeper |")
    row = next(at for at, line in enumerate(lines) if "walrus tusk replica" in line)
    assert lines[header + 1].startswith("|---")
    assert header < row
    assert "[…]" in lines[header + 2 : row]


@pytest.mark.parametrize("max_tokens", BUDGETS)
@pytest.mark.parametrize("mark", ["```", "~~~~"])
def test_a_cut_fence_is_opened_and_closed(
    remember_files: Callable[..., MemoryStore], mark: str, max_tokens: int
) -> None:
    """A piece of a long fence stands between an opening and a closing fence of its own."""
    memory = remember_files({"log.md": LONG_FENCE.replace("```", mark)})
    lines = memory.search("walrus refused", max_tokens=max_tokens).results[0].text.splitlines()
    fences = [at for at, line in enumerate(lines) if line.startswith(mark[:3])]
    hit = next(at for at, line in enumerate(lines) if "walrus refused" in line)
    assert len(fences) == 2, lines
    assert fences[0] < hit < fences[1]
    assert lines[fences[1]] == mark


def test_a_short_fence_comes_whole(memory: MemoryStore) -> None:
    """A fence that fits is not cut, and its hash lines stay code."""
    text = memory.search("undo release previous").results[0].text
    fence = "```bash\n# this line is a comment, not a heading\nkelp release list\nkelp release undo --to previous\n```"
    assert fence in text


def test_a_fence_that_is_never_closed_is_closed_in_an_answer(remember_files: Callable[..., MemoryStore]) -> None:
    """What the author forgot does not swallow the text behind the answer."""
    memory = remember_files({"open.md": "# Open\n\n```\n" + "".join(f"marten {n}\n" for n in range(400))})
    text = memory.search("marten 300", max_tokens=200).results[0].text
    assert sum(line.startswith("```") for line in text.splitlines()) % 2 == 0


def test_windows_line_ends_change_nothing(remember_files: Callable[..., MemoryStore]) -> None:
    """A cut table keeps its header, a cut fence is closed, and underlined headings are shown once."""
    texts = {
        "table.md": LONG_TABLE,
        "log.md": LONG_FENCE,
        "two.md": "Title\n=====\n\nPart\n----\n\nThe otter sleeps.\n",
    }
    memory = remember_files({name: text.replace("\n", "\r\n") for name, text in texts.items()})
    table = memory.search("walrus tusk", max_tokens=300).results[0].text.splitlines()
    assert table.index("| Article | Shelf | Keeper |") < table.index("| walrus tusk replica | 300 | keeper 6 |")
    log = memory.search("walrus refused", max_tokens=200).results[0].text.splitlines()
    assert [line for line in log if line.startswith("```")] == ["```text", "```"]
    otter = memory.search("otter").results[0].text
    assert (otter.count("Title"), otter.count("Part")) == (1, 1)


def test_a_fence_in_a_quote_is_closed_in_the_quote(remember_files: Callable[..., MemoryStore]) -> None:
    """The closing mark stands behind the quote's own: without it, it would open a fence of its own."""
    lines = "".join(f"> code {number}{' tern' if number == 500 else ''}\n" for number in range(900))
    memory = remember_files({"q.md": f"# Q\n\n> Quoted:\n>\n> ```\n{lines}> ```\n> end\n"})
    text = memory.search("tern", max_tokens=200).results[0].text.splitlines()
    assert [line for line in text if "```" in line] == ["> ```", "> ```"]
