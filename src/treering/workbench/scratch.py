"""Finding what a session put aside: notes, and the whole of what was condensed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from treering.domain.text import content_words, llm_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.workbench.desk import Aside

_BLOCK_ROWS: Final = 8
"""Lines of long output that are found and shown together."""

_HEARD: Final = 1.6
_UNHEARD: Final = 0.7
"""What a clue makes of a candidate that it is about, and of one that it is not."""


class Recalled(NamedTuple):
    """A note, or some lines of output.

    Attributes:
        label: what it was called.
        lines: first and last line in it; None for a whole note.
        text: what it says.
        score: how much of the question it holds; comparable within one answer.
        tokens: estimated LLM tokens.
    """

    label: str
    lines: tuple[int, int] | None
    text: str
    score: float
    tokens: int


def recall(kept: Sequence[Aside], query: str, clue: str, max_tokens: int) -> list[Recalled]:
    """Return what answers a question, best first, within a budget; without one the notes, newest first.

    Args:
        kept: everything that was put aside, in order.
        query: what is looked for; empty for all notes.
        clue: further words that tell candidates apart.
        max_tokens: of all texts together.
    """
    blocks = _blocks(kept)
    words = content_words(query)
    if not words:
        found = [block for block in reversed(blocks) if block.lines is None] or blocks[:1]
        return _fitting(found, max_tokens)
    held = [content_words(f"{block.label} {block.text}") for block in blocks]
    rarity = {word: math.log1p(len(blocks) / (1 + sum(word in one for one in held))) for word in words}
    hints = content_words(clue)
    ranked = []
    for place, (block, own) in enumerate(zip(blocks, held, strict=True)):
        score = sum(rarity[word] for word in words & own)
        if hints:
            score *= _HEARD if hints & own else _UNHEARD
        if score > 0:
            # A note says in a sentence what output says in thousands of lines; of two alike the newer one counts.
            ranked.append((score * (1.5 if block.lines is None else 1.0), place, block))
    ranked.sort(key=lambda one: (-one[0], -one[1]))
    return _fitting([block._replace(score=round(score, 3)) for score, _, block in ranked], max_tokens)


def _blocks(kept: Sequence[Aside]) -> list[Recalled]:
    """Return notes whole and output in stretches of some lines."""
    blocks = []
    for aside in kept:
        if aside.kind == "note":
            blocks.append(Recalled(aside.label, None, aside.text, 0.0, llm_tokens(aside.text)))
            continue
        rows = aside.text.split("\n")
        for first in range(0, len(rows), _BLOCK_ROWS):
            part = "\n".join(rows[first : first + _BLOCK_ROWS])
            last = min(first + _BLOCK_ROWS, len(rows))
            if part.strip():
                blocks.append(Recalled(aside.label, (first + 1, last), part, 0.0, llm_tokens(part)))
    return blocks


def _fitting(found: Sequence[Recalled], max_tokens: int) -> list[Recalled]:
    """Return the first ones that fit; the very first is cut if it must be."""
    taken: list[Recalled] = []
    for block in found:
        if block.tokens <= max_tokens:
            taken.append(block)
            max_tokens -= block.tokens
        elif not taken:
            part = block.text[: 2 * max_tokens]
            return [block._replace(text=f"{part}[…]", tokens=llm_tokens(part) + 2)]
        if max_tokens <= 0 or len(taken) >= 20:
            break
    return taken
