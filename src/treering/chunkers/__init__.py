"""Text cut into chunks along its own structure: Markdown by its blocks, everything else by paragraphs.

Pure: no files, no database. Here: the choice by file name. ``markdown`` reads blocks, ``lists`` divides
long ones, ``prose`` reads paragraphs, ``packing`` makes chunks of what they found, ``growth`` cuts the end of a
text that has grown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.chunkers import packing, prose

if TYPE_CHECKING:
    from treering.domain.chunk import Chunked

_MARKDOWN_SUFFIXES: Final = (".md", ".markdown", ".mdc", ".mdx")


def chunk(
    text: str, name: str, *, front_matter_chars: int, target_chars: int = 600, max_leaf_tokens: int = 3000
) -> Chunked:
    """Return ``text`` as chunks that join to it exactly, in time linear in its length.

    A line ends with a line feed or a lone carriage return where structure is concerned, as in
    CommonMark; the numbers of lines count line feeds alone, as editors and ``grep`` do. Blank lines
    belong to the chunk before them, those at the start of the file to the first chunk.

    Args:
        text: the decoded text; any characters, lone surrogates included.
        name: file name or path; its suffix decides whether the text is Markdown.
        front_matter_chars: length of the front matter at the start; it becomes a chunk of its own.
        target_chars: size up to which neighbouring blocks of a section share a chunk.
        max_leaf_tokens: estimated LLM tokens from which a chunk is flagged as oversized.

    Returns:
        The chunks in order; none for an empty text.
    """
    if is_markdown(name):
        # Imported here so that a search, which cuts nothing, never loads the parser.
        from treering.chunkers import markdown

        pieces = markdown.pieces(text, front_matter_chars, target_chars)
    else:
        pieces = prose.pieces(text, front_matter_chars, target_chars)
    return packing.pack(text, pieces, target_chars=target_chars, max_leaf_tokens=max_leaf_tokens)


def is_markdown(name: str) -> bool:
    """Tell by its suffix whether a file is Markdown."""
    return name.lower().endswith(_MARKDOWN_SUFFIXES)
