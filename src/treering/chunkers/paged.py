"""The text of a paged document: its page marks are headings, everything else is plain paragraphs.

What looks like Markdown on a page is what somebody printed, not structure.
"""

from __future__ import annotations

import re
from typing import Final

from treering.chunkers import prose
from treering.chunkers.packing import Piece
from treering.domain.chunk import Heading

_MARK: Final = re.compile(r"## (Page \d+)\n(?:\n|\Z)")
_MARK_LEVEL: Final = 2


def pieces(text: str, front_matter_chars: int, target_chars: int) -> list[Piece]:
    """Return page marks and paragraphs of ``text``; see ``prose.pieces``."""
    found = []
    for piece in prose.pieces(text, front_matter_chars, target_chars):
        mark = _MARK.match(text, piece.start) if piece.kind == "prose" else None
        found.append(Piece(piece.start, "heading", Heading(_MARK_LEVEL, mark[1])) if mark else piece)
    return found
