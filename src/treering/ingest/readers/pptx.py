"""PowerPoint: slides in order, their titles, texts, tables and notes."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final

from treering.domain.source import Extract
from treering.ingest.readers import markdown, markup
from treering.ingest.readers.archive import Archive
from treering.ingest.readers.formats import Unread

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

_SHOW: Final = "ppt/presentation.xml"
_TITLES: Final = frozenset({"title", "ctrTitle"})
# Numbers, dates and footers that stand on every slide.
_REPEATED: Final = frozenset({"sldNum", "dt", "ftr", "hdr", "sldImg"})
_SLIDE: Final = re.compile(r"ppt/slides/slide(\d+)\.xml$")


def read(raw: bytes, name: str) -> Extract:  # noqa: ARG001  a reader's signature
    """Return the text of a presentation.

    Raises:
        Unread: if it is locked, damaged, or unpacks to more than it may.
    """
    archive = Archive(raw)
    if _SHOW not in archive:
        raise Unread("it is damaged: it has no main part, as a presentation has to")
    blocks: list[str] = []
    for number, path in enumerate(_slides(archive), 1):
        blocks += _slide(archive, path, number)
    core = archive.part("docProps/core.xml")
    said = {one.tag: (one.text or "").strip() for one in markup.parse(core)} if core else {}
    properties = (("author", said.get("creator", "")), ("created", said.get("created", "")[:10]))
    return Extract(
        markdown.join(blocks), "pptx", "", said.get("title", ""), tuple([pair for pair in properties if pair[1]])
    )


def _targets(archive: Archive, path: str) -> dict[str, tuple[str, str]]:
    """Return what a part refers to: kind and path by id."""
    folder, name = posixpath.split(path)
    raw = archive.part(f"{folder}/_rels/{name}.rels")
    found = {}
    for one in markup.parse(raw) if raw else ():
        target = one.get("Target", "")
        full = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"{folder}/{target}")
        found[one.get("Id", "")] = (one.get("Type", ""), full)
    return found


def _slides(archive: Archive) -> list[str]:
    """Return the slides' parts in the order of the show."""
    targets = _targets(archive, _SHOW)
    # Both the number and the reference are called "id" once their namespaces are gone; the reference comes last.
    shown = [targets.get(one.get("id", ""), ("", ""))[1] for one in markup.parse(archive.part(_SHOW)).iter("sldId")]
    found = [path for path in shown if path in archive]
    numbered = ((int(match[1]), path) for path in archive.names() if (match := _SLIDE.match(path)))
    return found or [path for _, path in sorted(numbered)]


def _slide(archive: Archive, path: str, number: int) -> Iterator[str]:
    """Yield a slide under its number and title, its notes last."""
    root = markup.parse(archive.part(path))
    shapes = [one for one in _shapes(root) if _role(one) not in _REPEATED]
    title = " ".join(" ".join(_lines(one)) for one in shapes if _role(one) in _TITLES)
    yield markdown.heading(2, f"Slide {number}: {title}" if title else f"Slide {number}")
    for shape in shapes:
        if shape.tag == "tbl":
            yield markdown.table([" ".join(_lines(cell)) for cell in row.iter("tc")] for row in shape.iter("tr"))
        elif _role(shape) not in _TITLES:
            yield from map(markdown.paragraph, _lines(shape))
    for kind, notes in _targets(archive, path).values():
        if kind.endswith("/notesSlide") and (raw := archive.part(notes)):
            said = [line for one in _shapes(markup.parse(raw)) if _role(one) not in _REPEATED for line in _lines(one)]
            if said:
                yield markdown.paragraph("Notes: " + "\n".join(said))


def _shapes(root: Element) -> Iterator[Element]:
    """Yield shapes and tables in order; what stands in a group too."""
    waiting = [root]
    while waiting:
        one = waiting.pop()
        if one.tag in {"sp", "tbl"}:
            yield one
        elif one.tag != "Fallback":
            waiting += reversed(one)


def _role(shape: Element) -> str:
    """Return what a shape is on its slide, e.g. ``title``; empty for any other."""
    found = next(shape.iter("ph"), None)
    return "" if found is None else found.get("type", "")


def _lines(shape: Element) -> list[str]:
    """Return the paragraphs of a shape that have words."""
    found = []
    for paragraph in shape.iter("p"):
        words = "".join((one.text or "") if one.tag == "t" else "\n" * (one.tag == "br") for one in paragraph.iter())
        if words.strip():
            found.append(words.strip())
    return found
