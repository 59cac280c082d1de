"""Blocks: what a source file consists of, in rows, whoever found them.

Rows count line feeds from 0, as the parser does. A grammar (``syntax``), braces (``braces``) or indentation
(``indents``) find blocks; ``code`` makes chunks of them.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

BlockKind = Literal["function", "class", "imports", "code"]


class Block(NamedTuple):
    """One declaration or statement.

    Attributes:
        first: its first row, with the comments and decorators above that belong to it.
        last: its last row.
        kind: what it is; only a class holds members, ``code`` is any statement.
        name: as declared; empty where it has none.
        opens: row where the declaration itself begins.
        header: last row of what stands before its body.
        members: of a class, in order.
    """

    first: int
    last: int
    kind: BlockKind
    name: str = ""
    opens: int = 0
    header: int = 0
    members: tuple[Block, ...] = ()
