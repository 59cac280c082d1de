"""XML with limits: no entities of its own, no depth that a text needs, and its reader for plain XML files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from treering.domain.source import Extract
from treering.ingest import encoding
from treering.ingest.readers.formats import Unread

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_DEPTH: Final = 400
_DECLARATION: Final = re.compile(r"\s*<\?xml[^>]*\?>")
_DECLARED: Final = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")


def parse(raw: bytes | str) -> Element:
    """Return the root of an XML document; names are without their namespace.

    Raises:
        Unread: if it is no well-formed XML, declares entities, or is nested too deeply.
    """
    builder = TreeBuilder()
    parser = expat.ParserCreate(namespace_separator="}")
    depth = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _MOST_DEPTH:
            raise Unread(f"its XML is nested more than {_MOST_DEPTH} deep")
        builder.start(local(tag), {local(key): value for key, value in attributes.items()})

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(local(tag))

    def refuse(*_: object) -> int:
        raise Unread("its XML declares entities, which could be made to grow without end")

    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = refuse
    parser.ExternalEntityRefHandler = refuse
    try:
        parser.Parse(raw, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise Unread(f"its XML is damaged: {error}") from error
    return builder.close()


def local(tag: str) -> str:
    """Return a name without its namespace."""
    return tag.rpartition("}")[2]


def decoded(raw: bytes) -> encoding.Decoded:
    """Return XML as text, in the encoding that it declares or that can be told.

    Raises:
        Undecodable: if it is no text.
    """
    declared = _DECLARED.match(raw.lstrip()[:200])
    if declared:
        name = declared[1].decode("ascii").lower()
        try:
            return encoding.Decoded(raw.decode(name).replace("\ufeff", ""), name)
        except (LookupError, UnicodeDecodeError, ValueError):
            pass  # it declares what it is not, as files that were converted do
    return encoding.decode(raw)


def read(raw: bytes, name: str) -> Extract:  # noqa: ARG001  a reader's signature
    """Return the texts of an XML file in order, one on each line, each run of elements that hold none a paragraph."""
    text, coded, notice = decoded(raw)
    root = parse(_DECLARATION.sub("", text, count=1))
    lines: list[str] = []
    for line in _texts(root):
        if line or (lines and lines[-1]):
            lines.append(line)
    return Extract("\n".join(lines), f"xml ({coded})", notice)


def _texts(root: Element) -> Iterator[str]:
    """Yield the text of each element that has some of its own; an empty line before one that has only elements."""
    waiting: list[Element | str] = [root]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
            continue
        mixed = (one.text or "").strip() or any((child.tail or "").strip() for child in one)
        if mixed or not len(one):
            if words := " ".join("".join(one.itertext()).split()):
                yield words
            continue
        yield ""
        waiting += reversed(list(one))
