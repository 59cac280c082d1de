"""Long lists and quotes: where they may be divided, and the lines that lead to each part.

Works on the blocks that a parser found; knows no parser. Everything is a loop over blocks in document
order with a stack of its own, so depth costs no recursion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from treering.chunkers.packing import Piece, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# Lines of an introduction or a parent item that are worth repeating before each part of a list.
_LEAD_CHARS: Final = 300
# One line beyond this says more than a lead should: the part stands without it.
_LONGEST_LEAD_LINE: Final = 4 * _LEAD_CHARS
# The nearest ones; a bound, so that a staircase of a thousand levels stays linear.
_MAX_LEADS: Final = 8


class Block(NamedTuple):
    """A block as the parser names it (``Item``, ``List``, ``Paragraph``…) with its offsets."""

    name: str
    start: int
    stop: int


class _Parent:
    """An item that is divided at its sublists."""

    def __init__(self, stop: int, leads: tuple[Span, ...]) -> None:
        """Keep where the item ends and the lines that lead to its sub-items."""
        self.stop = stop
        self.leads = leads
        self.is_past_sublist = False


def introduction(body: str, start: int, stop: int) -> tuple[Span, ...]:
    """Return the last whole lines, about 300 characters, of the paragraph before a list."""
    stop = start + len(body[start:stop].rstrip())
    first = body.rfind("\n", start, stop) + 1 or start
    if stop - first > _LONGEST_LEAD_LINE:
        return ()
    while first > start:
        above = body.rfind("\n", start, first - 1) + 1 or start
        if stop - above > _LEAD_CHARS:
            break
        first = above
    return (Span(first, stop),)


def divide_list(body: str, blocks: Sequence[Block], leads: tuple[Span, ...], target_chars: int) -> Iterator[Piece]:
    """Yield the items of a list, and the sub-items of an item that is longer than the target.

    Args:
        body: the text, each line ending with a line feed.
        blocks: the blocks inside the list in document order.
        leads: what introduces the list.
        target_chars: an item up to this size is one piece.

    Yields:
        Pieces that begin at the start of a line. A long item's own lines up to its sublist are one
        piece, and so is what follows the sublist.
    """
    parents: list[_Parent] = []
    passed = line_stop = 0
    for index, (name, start, stop) in enumerate(blocks):
        if start < passed:
            continue
        while parents and start >= parents[-1].stop:
            parents.pop()
        if name == "List":
            if parents:
                parents[-1].is_past_sublist = True
            continue
        divides = name == "Item" and stop - start > target_chars
        if not divides:
            passed = stop
        if name != "Item" and not _leaves_sublist(parents):
            continue
        above = parents[-1].leads if parents else leads
        own: tuple[Span, ...] = ()
        if start >= line_stop:  # else it shares a line with its parent, as in "- - a"
            first = body.rfind("\n", 0, start) + 1
            line_stop = _line_stop(body, start)
            yield Piece(first, "list", leads=above)
            own = _first_lines(body, first, stop, blocks[index + 1 : index + 2]) if divides else ()
        if divides:
            parents.append(_Parent(stop, (*above, *own)[-_MAX_LEADS:]))


def _leaves_sublist(parents: list[_Parent]) -> bool:
    """Say, once for each sublist, that the parent item goes on after it."""
    if not (parents and parents[-1].is_past_sublist):
        return False
    parents[-1].is_past_sublist = False
    return True


def _first_lines(body: str, first: int, stop: int, following: Sequence[Block]) -> tuple[Span, ...]:
    """Return the lines of an item's first paragraph.

    Args:
        body: the text.
        first: offset of the item's first line.
        stop: where the item ends.
        following: the next block, inside the item or after it.
    """
    for name, start, end in following:
        if start < stop:
            stop = end if name == "Paragraph" else body.rfind("\n", 0, start) + 1
    stop = first + len(body[first:stop].rstrip())
    cut = body.rfind("\n", first, first + _LEAD_CHARS + 1) if stop - first > _LEAD_CHARS else stop
    if cut < 0:  # one long line
        cut = min(_line_stop(body, first), stop)
    cut = first + len(body[first:cut].rstrip())
    return (Span(first, cut),) if first < cut <= first + _LONGEST_LEAD_LINE else ()


def divide_quote(body: str, start: int, blocks: Sequence[Block]) -> Iterator[Piece]:
    """Yield the parts of the quote at ``start``: the blocks directly inside it, each from its line on."""
    yield Piece(start, "quote")
    passed = blocks[0].stop if blocks else 0  # the first part takes in the first block
    line_stop = _line_stop(body, start)
    for block in blocks:
        if block.start >= passed:
            passed = block.stop
            if block.start >= line_stop:
                line_stop = _line_stop(body, block.start)
                yield Piece(body.rfind("\n", 0, block.start) + 1, "quote")


def _line_stop(body: str, start: int) -> int:
    """Return the offset of the line feed that ends the line at ``start``."""
    stop = body.find("\n", start)
    return stop if stop >= 0 else len(body)
