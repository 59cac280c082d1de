"""Text cut into chunks along its own structure: by blocks, symbols, pages, entries, else by paragraphs.

Pure: no files, no database. Here: the choice by file name. ``markdown`` reads blocks, ``lists`` divides
long ones, ``prose`` reads paragraphs, ``paged`` page marks, ``labels`` headings that are words alone; ``detection``
tells what kind of text it is, of which ``dated`` and ``steps`` keep together what belongs together; ``packing`` makes
chunks of what they found, ``growth`` cuts the end of a text that has grown. ``languages`` says which files are source
code; ``syntax``, ``braces`` and ``indents`` find its ``blocks``, and ``code`` makes chunks of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.chunkers import dated, detection, labels, languages, packing, paged, prose, steps

if TYPE_CHECKING:
    from treering.domain.chunk import Chunked

# What readers make of the documents in the second line is Markdown.
_MARKDOWN_SUFFIXES: Final = (
    ".md", ".markdown", ".mdc", ".mdx",
    ".docx", ".docm", ".dotx", ".html", ".htm", ".xhtml", ".epub", ".pptx", ".pptm", ".xlsx", ".xlsm", ".eml",
)  # fmt: skip
_PAGED_SUFFIX: Final = ".pdf"


def chunk(
    text: str,
    name: str,
    *,
    front_matter_chars: int,
    target_chars: int = 600,
    max_leaf_tokens: int = 3000,
    domain: str = "",
) -> Chunked:
    """Return ``text`` as chunks that join to it exactly, in time linear in its length.

    A line ends with a line feed or a lone carriage return where structure is concerned, as in
    CommonMark; the numbers of lines count line feeds alone, as editors and ``grep`` do. Blank lines
    belong to the chunk before them, those at the start of the file to the first chunk.

    Args:
        text: the decoded text; any characters, lone surrogates included.
        name: file name or path; its suffix decides whether the text is Markdown, source code or neither.
        front_matter_chars: length of the front matter at the start; it becomes a chunk of its own. Code has none.
        target_chars: size up to which neighbouring blocks of a section share a chunk.
        max_leaf_tokens: estimated LLM tokens from which a chunk is flagged as oversized.
        domain: what kind of text it is, one of ``domain.kinds.DOMAINS``; empty to tell by the text.

    Returns:
        The chunks in order; none for an empty text.
    """
    language = languages.language_of(name)
    if language is not None:
        from treering.chunkers import code  # as below: it loads the grammars

        return code.chunk(text, language, target_chars=target_chars, max_leaf_tokens=max_leaf_tokens)
    beginning = text[front_matter_chars : front_matter_chars + detection.SAMPLE_CHARS]
    pieces = pieces_of(
        text, name, detection.plan(beginning, name, domain), target_chars, front_matter_chars=front_matter_chars
    )
    found = packing.pack(text, pieces, target_chars=target_chars, max_leaf_tokens=max_leaf_tokens)
    return found if is_markdown(name) else found._replace(title=None)  # a page mark or a chapter is no title


def pieces_of(
    text: str,
    name: str,
    plan: detection.Plan,
    target_chars: int,
    *,
    front_matter_chars: int = 0,
    divided: bool = False,
) -> list[packing.Piece]:
    """Return the pieces of a text, cut as a plan says.

    Args:
        text: the whole text, or its end.
        name: see ``chunk``.
        plan: what kind of text it is.
        target_chars: see ``chunk``.
        front_matter_chars: see ``chunk``.
        divided: see ``prose.pieces``.
    """
    if is_markdown(name):
        # Imported here so that a search, which cuts nothing, never loads the parser.
        from treering.chunkers import markdown

        pieces = markdown.pieces(text, front_matter_chars, target_chars)
    elif name.lower().endswith(_PAGED_SUFFIX):
        return paged.pieces(text, front_matter_chars, target_chars)
    else:
        pieces = prose.pieces(text, front_matter_chars, target_chars, divided=divided)
        pieces = labels.pieces(text, pieces, plan.domain) if pieces else pieces
    if plan.dated and pieces:
        return dated.pieces(text, pieces, target_chars, plan.order)
    return steps.pieces(text, pieces, target_chars) if plan.domain == "process" else pieces


def is_markdown(name: str) -> bool:
    """Tell by its suffix whether a file is Markdown, or a document whose reader writes Markdown."""
    return name.lower().endswith(_MARKDOWN_SUFFIXES)
