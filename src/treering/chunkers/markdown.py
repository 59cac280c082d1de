"""Markdown read as blocks: the only place that knows the parser.

The parser, pyromark, gives offsets of UTF-8 bytes. It is handed a stand-in of the text in which every
character is one ASCII character, so its offsets are ours. Block structure rests on ASCII characters
alone, so the stand-in has the same blocks (``docs/decisions/0002-markdown-parser.md``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, cast

import pyromark

from treering.chunkers.lists import Block, divide_list, divide_quote, introduction
from treering.chunkers.packing import Piece, Span
from treering.chunkers.prose import single_line_feeds
from treering.domain.chunk import ChunkKind, Heading

if TYPE_CHECKING:
    from collections.abc import Iterator

    Events = Iterator[tuple[Any, Any]]

# Not the parser's own front matter option: it takes any later pair of "---" lines for metadata.
_OPTIONS: Final = (
    pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_FOOTNOTES | pyromark.Options.ENABLE_STRIKETHROUGH
)
_KINDS: Final[dict[str, ChunkKind]] = {
    "Paragraph": "prose",
    "FootnoteDefinition": "prose",
    "List": "list",
    "BlockQuote": "quote",
    "CodeBlock": "code",
    "Table": "table",
    "HtmlBlock": "html",
}
_BLOCKS: Final = frozenset({*_KINDS, "Item", "Heading"})
# The first byte of each character stands for it, the others go. Letters become a letter; Latin-1 and
# General Punctuation a comma, because emphasis in headings asks what stands beside its marks.
_CONTINUATION: Final = bytes(range(0x80, 0xC0))
_STAND_INS: Final = bytes(range(0x80)) + bytes(ord("," if byte in {0xC2, 0xE2} else "x") for byte in range(0x80, 0x100))
_BYTE_ORDER_MARK: Final = "\ufeff"
_ANCHOR: Final = re.compile(r"\{:?\s*[#.][^{}]*\}")
_DEFINITION: Final = re.compile(r"^ {0,3}\[", re.MULTILINE)


def pieces(text: str, front_matter_chars: int, target_chars: int) -> list[Piece]:
    """Return the blocks of ``text``; items instead of a list, blocks instead of a quote, over the target.

    Blank lines at the start, or after the front matter, are a piece of their own.
    """
    found = [Piece(0, "front_matter")] if front_matter_chars else []
    if front_matter_chars == len(text):
        return found
    body = _stand_in(text, front_matter_chars)
    is_blank = body.isspace() or text[front_matter_chars:].isspace()
    blocks = [] if is_blank else _blocks(text, body, target_chars) or [Piece(front_matter_chars, "prose")]
    if is_blank or blocks[0].start > front_matter_chars:
        found.append(Piece(front_matter_chars, "blank"))
    return found + blocks


def _stand_in(text: str, front_matter_chars: int) -> str:
    """Return the text as ASCII of equal length; line feeds alone end lines, front matter is blank."""
    body = text[front_matter_chars:]
    skipped = front_matter_chars
    if body.startswith(_BYTE_ORDER_MARK):
        body = body[1:]
        skipped += 1
    if not body.isascii():
        body = body.encode("utf-8", "surrogatepass").translate(_STAND_INS, _CONTINUATION).decode("ascii")
    return "\n" * skipped + single_line_feeds(body)


def _blocks(text: str, body: str, target_chars: int) -> list[Piece]:
    """Return the pieces of all blocks at the top level."""
    events = cast("Events", pyromark.events_with_range(body, options=_OPTIONS))
    found: list[Piece] = []
    stop = 0
    paragraph: tuple[int, int] | None = None
    for event, span in events:
        if "Start" not in event or span["start"] < stop:
            continue
        start = span["start"]
        name = _name(event["Start"])
        if name not in _BLOCKS:  # a cell that the last row of a table lacks
            continue
        if start > stop and not (gap := body[stop:start]).isspace():
            found += _definitions(gap, stop)
            paragraph = None
        stop = span["end"]
        if name == "Heading":
            level = int(event["Start"]["Heading"]["level"][1])
            heading = Heading(level, _title(events, text, body, span))
            found.append(Piece(_line_start(body, start), "heading", heading))
        elif name == "List":
            leads = introduction(body, *paragraph) if paragraph else ()
            found += _list(events, body, span, leads, target_chars)
        elif name == "BlockQuote" and stop - start > target_chars:
            found += divide_quote(body, _line_start(body, start), _inside(events, body, name, start))
        elif name != "FootnoteDefinition" or _begins_line(body, start):
            found.append(Piece(_line_start(body, start), _KINDS[name]))
        paragraph = (found[-1].start, stop) if name == "Paragraph" else None
    if not (gap := body[stop:]).isspace():
        found += _definitions(gap, stop)
    return found


def _list(events: Events, body: str, span: dict[str, int], leads: tuple[Span, ...], target_chars: int) -> list[Piece]:
    """Return a list as one piece, or as its items when it is longer than the target."""
    if span["end"] - span["start"] <= target_chars:
        return [Piece(_line_start(body, span["start"]), "list", leads=leads)]
    return list(divide_list(body, _inside(events, body, "List", span["start"]), leads, target_chars))


def _line_start(body: str, at: int) -> int:
    """Return the offset of the first character of the line at ``at``."""
    return body.rfind("\n", 0, at) + 1


def _begins_line(body: str, start: int) -> bool:
    """Say whether a block is the first on its line; a note can begin on the line of another."""
    while start and body[start - 1] in " \t":
        start -= 1
    return start == 0 or body[start - 1] == "\n"


def _name(tag: str | dict[str, Any]) -> str:
    """Return the name of the parser's tag, which may carry attributes."""
    return tag if isinstance(tag, str) else next(iter(tag))


def _inside(events: Events, body: str, name: str, start: int) -> list[Block]:
    """Return the blocks up to the end of the block that began at ``start``."""
    found: list[Block] = []
    for event, span in events:
        if "Start" in event:
            if (inner := _name(event["Start"])) in _BLOCKS:
                at = span["start"]
                while body[at : at + 1].isspace():  # after a tab the parser counts back columns as characters
                    at += 1
                found.append(Block(inner, at, span["end"]))
        elif span["start"] == start and "End" in event and name in event["End"]:
            break
    return found


def _definitions(gap: str, offset: int) -> list[Piece]:
    """Return link definitions, which the parser reports as nothing; rules alone are not worth a piece."""
    if not gap.strip(" \t\r\n-*_"):
        return []
    return [Piece(offset + match.start(), "prose") for match in _DEFINITION.finditer(gap)]


def _title(events: Events, text: str, body: str, heading: dict[str, int]) -> str:
    """Return what a reader sees of a heading, white space collapsed; reads ``events`` past its end."""
    parts: list[str] = []
    is_code = False
    for event, span in events:
        start, stop = span["start"], span["end"]
        if "End" in event:
            if "Heading" in event["End"]:
                break
        elif "Text" in event:
            written = event["Text"]  # differs from the source where a character is written as an entity
            parts.append(text[start:stop] if body[start:stop] == written else written)
            is_code = is_code and not written
        elif "Code" in event:
            parts.append(text[start:stop].strip("`"))
            is_code = True
        elif isinstance(event, str) or "<br" in event.get("InlineHtml", ""):
            parts.append(" ")
    title = " ".join("".join(parts).split())
    return title if is_code else _without_anchor(title, text[heading["start"] : heading["end"]])


def _without_anchor(title: str, source: str) -> str:
    """Return a title without ``{#anchor}`` or ``{/*anchor*/}`` at its end."""
    at = title.rfind("{")
    if title.endswith("}") and at >= 0 and (_ANCHOR.fullmatch(title, at) or source.rstrip().endswith("*/}")):
        return title[:at].rstrip()
    return title
