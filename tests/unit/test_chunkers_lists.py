"""Lists: divided between items alone, and every part led by its introduction and its parents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from treering.chunkers import chunk

if TYPE_CHECKING:
    from treering.domain.chunk import Chunk, Chunked

STAIRS: Final = """\
# Release

Before the tag, in this order:

-   Freeze

    -   Tell support

    -   Lock the main branch

-   Build

    1.  Linux image

    2.  Windows image

        * sign with the puffin certificate

-   Announce
"""


def cut(text: str, target_chars: int) -> Chunked:
    """Return the chunks of a Markdown text after checking that they join to it."""
    chunked = chunk(text, "notes.md", front_matter_chars=0, target_chars=target_chars)
    assert "".join(text[found.start : found.stop] for found in chunked.chunks) == text
    return chunked


def leads(text: str, found: Chunk) -> list[str]:
    """Return the lines that lead to a chunk, checking that they lie before it."""
    assert all(lead.stop <= found.start for lead in found.lead)
    assert [lead.line for lead in found.lead] == [text.count("\n", 0, lead.start) + 1 for lead in found.lead]
    return [text[lead.start : lead.stop] for lead in found.lead]


def holding(text: str, chunked: Chunked, words: str) -> Chunk:
    """Return the one chunk whose text holds ``words``."""
    (found,) = [found for found in chunked.chunks if words in text[found.start : found.stop]]
    return found


def indent(line: str) -> int:
    """Return the width of a line's white space, a tab to the next multiple of four."""
    line = line.expandtabs(4)
    return len(line) - len(line.lstrip())


def test_a_short_list_stays_in_one_piece_with_its_introduction() -> None:
    """Within the target, paragraph and list are one chunk."""
    text = "Steps:\n\n- a\n  - b\n- c\n"
    (only,) = cut(text, 600).chunks
    assert (only.kind, only.lead) == ("mixed", ())


def test_a_part_of_a_list_is_led_by_introduction_and_parents() -> None:
    """An answer that shows leads and chunk reads from the outside in, each parent less indented."""
    chunked = cut(STAIRS, 40)
    found = holding(STAIRS, chunked, "puffin")
    assert leads(STAIRS, found) == ["Before the tag, in this order:", "-   Build", "    2.  Windows image"]
    shown = [*leads(STAIRS, found)[1:], STAIRS[found.start : found.stop].splitlines()[0]]
    widths = [indent(line) for line in shown]
    assert widths == sorted(set(widths))
    assert [heading.title for heading in found.path] == ["Release"]


def test_the_parent_is_the_chunk_with_the_nearest_lead() -> None:
    """From a sub-item up through its item to the introduction."""
    chunked = cut(STAIRS, 40)
    found = holding(STAIRS, chunked, "puffin")
    assert found.parent == holding(STAIRS, chunked, "Windows image").ordinal
    announce = holding(STAIRS, chunked, "Announce")
    assert leads(STAIRS, announce) == ["Before the tag, in this order:"]
    assert announce.parent == holding(STAIRS, chunked, "in this order").ordinal


def test_a_list_after_a_paragraph_is_led_by_it_from_its_first_item() -> None:
    """Also when the list fits one chunk and only the paragraph did not fit with it."""
    text = "Mind the order of these three steps:\n\n- one\n- two\n- three\n"
    chunked = cut(text, 30)
    assert leads(text, chunked.chunks[1]) == ["Mind the order of these three steps:"]
    assert chunked.chunks[1].parent == 0


@pytest.mark.parametrize("between", ["# Heading\n\n", "***\n\n", "> quote\n\n", "```\nx\n```\n\n", "[a]: b\n\n"])
def test_only_a_paragraph_right_before_the_list_introduces_it(between: str) -> None:
    """Another block, a rule or a heading between them breaks the bond."""
    text = f"A paragraph.\n\n{between}- one one\n- two two\n- three three\n"
    assert holding(text, cut(text, 12), "three").lead == ()


@pytest.mark.parametrize(
    ("one", "two", "bullets"),
    [
        ("  ", "    ", "---"),
        ("   ", "      ", "1**"),
        ("    ", "        ", "---"),
        ("\t", "\t\t", "-*+"),
        ("  ", "     ", "*1-"),
        ("   ", "      ", "11-"),
    ],
)
@pytest.mark.parametrize("gap", ["", "\n"])
def test_nested_lists_with_any_indent(one: str, two: str, bullets: str, gap: str) -> None:
    """Spaces or tabs, bullets or numbers, tight or loose: second children keep their parents."""
    marks = [bullet + "." if bullet == "1" else bullet for bullet in bullets]
    if one == "   " and marks[0] == "-":
        marks[0] = "1."
    lines = [
        f"{marks[0]} outer item\n",
        f"{one}{marks[1]} first child\n",
        f"{one}{marks[1]} second child\n",
        f"{two}{marks[2]} grandchild\n",
        f"{two}{marks[2]} other grandchild\n",
        f"{one}{marks[1]} third child\n",
        f"{marks[0]} outer sibling\n",
    ]
    text = gap.join(lines)
    chunked = cut(text, 10)
    assert [text[found.start : found.stop].strip() for found in chunked.chunks] == [line.strip() for line in lines]
    parents = [[text[lead.start : lead.stop].strip() for lead in found.lead] for found in chunked.chunks]
    outer, second = lines[0].strip(), lines[2].strip()
    assert parents == [[], [outer], [outer], [outer, second], [outer, second], [outer], []]
    assert {found.kind for found in chunked.chunks} == {"list"}


def test_an_item_without_sublist_is_never_cut() -> None:
    """Paragraphs and code that belong to an item stay with it."""
    item = "1. first\n\n   more about it\n\n   ```\n   code\n\n   code\n   ```\n\n   > quote\n\n   the end\n\n"
    text = item + "2. second\n"
    assert [text[found.start : found.stop] for found in cut(text, 5).chunks] == [item, "2. second\n"]


def test_what_follows_a_sublist_is_a_part_led_by_its_item() -> None:
    """The rest of an item after its sublist is one piece under the same parent."""
    text = "- parent item\n\n  - child one\n\n  - child two\n\n  after the children\n\n  and more\n\n- next\n"
    chunked = cut(text, 10)
    rest = holding(text, chunked, "after the children")
    assert text[rest.start : rest.stop] == "  after the children\n\n  and more\n\n"
    assert leads(text, rest) == ["- parent item"]


def test_lists_inside_a_quote_inside_an_item_stay_whole() -> None:
    """Only sublists divide an item, not lists that are quoted in it."""
    text = "- parent item\n\n  > - quoted one\n  > - quoted two\n\n- next\n"
    assert len(cut(text, 5).chunks) == 2


def test_a_parent_on_the_same_line_has_no_lines_of_its_own() -> None:
    """``- - a`` begins two lists on one line: its siblings have no lead, and nothing is cut in a line."""
    text = "- - one one\n  - two two\n- three\n"
    chunked = cut(text, 5)
    assert [text[found.start : found.stop] for found in chunked.chunks] == text.splitlines(keepends=True)
    assert [found.lead for found in chunked.chunks] == [(), (), ()]


def test_an_item_leads_with_its_first_paragraph_only() -> None:
    """Code and later paragraphs before the sublist are not repeated."""
    text = (
        "* first line\n  second line\n\n  other paragraph\n\n  * child\n* tight\n  ```\n  code\n  ```\n  * offspring\n"
    )
    chunked = cut(text, 5)
    assert leads(text, holding(text, chunked, "child")) == ["* first line\n  second line"]
    assert leads(text, holding(text, chunked, "offspring")) == ["* tight"]


def test_a_long_introduction_leads_with_its_last_lines() -> None:
    """Whole lines, about 300 characters; one long line is kept whole, a very long one left out."""
    lines = [f"line {number} of an introduction that is wrapped at some width\n" for number in range(20)]
    items = "\n- one one\n- two two\n"
    (lead,) = leads("".join(lines) + items, cut("".join(lines) + items, 12).chunks[-1])
    assert lead + "\n" == "".join(lines[-5:])
    assert 200 < len(lead) <= 300
    one = "a" * 700
    assert leads(f"{one}\n{items}", cut(f"{one}\n{items}", 12).chunks[-1]) == [one]
    assert cut(f"{one * 3}\n{items}", 12).chunks[-1].lead == ()


def test_a_long_item_leads_with_its_first_lines() -> None:
    """Whole lines from its start, about 300 characters; a very long single line is left out."""
    lines = ["- line of a long item that is wrapped\n", *["  line of a long item that is wrapped\n"] * 20]
    text = "".join(lines) + "  - child\n"
    (lead,) = leads(text, cut(text, 12).chunks[-1])
    assert text.startswith(lead + "\n")
    assert 200 < len(lead) <= 300
    for width, count in ((700, 1), (2000, 0)):
        text = f"- {'a' * width}\n  - child\n"
        assert len(cut(text, 12).chunks[-1].lead) == count


def test_leads_end_without_their_line_break() -> None:
    """Also in a file of CR LF lines."""
    text = "Intro:\r\n\r\n- parent\r\n  - child\r\n  - other\r\n"
    assert leads(text, cut(text, 5).chunks[-1]) == ["Intro:", "- parent"]


def test_a_staircase_keeps_its_nearest_leads() -> None:
    """Hundreds of levels yield eight leads, the nearest ones."""
    text = "".join(f"{'  ' * depth}- level {depth}\n" for depth in range(100))
    last = cut(text, 5).chunks[-1]
    assert [lead.strip() for lead in leads(text, last)] == [f"- level {depth}" for depth in range(91, 99)]


def test_task_lists_and_empty_items() -> None:
    """Check boxes are text of the item, an empty item is an item."""
    text = "- [ ] open task\n- [x] done task\n-\n- last task\n"
    chunked = cut(text, 5)
    assert [text[found.start : found.stop] for found in chunked.chunks] == text.splitlines(keepends=True)
