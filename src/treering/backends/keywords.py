"""What keyword search on both databases shares: which of a question's terms bring rows."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from treering.domain.query import Term

TOKENIZER: Final = ("porter", ["unicode61", "remove_diacritics", "2"])
"""What makes words of text, on both databases: SQLite's own tokenizer, as the schema names it."""

HEAD_WEIGHT: Final = 2.0
"""A word in title, headings or path counts twice: best of 1, 2, 3, 5 on headings and bodies of 3,000 files."""

# Rows that rare words may bring, beside a share of the index: 67,632 entries took 1.3 ms instead of
# 3.4 ms with the same file first and the same ten files for all of 200 questions.
_RARE_ROWS: Final = 1000
_RARE_SHARE: Final = 0.02


def behind(letters: str) -> str:
    """Return what stands right behind everything that begins with some letters."""
    return f"{letters[:-1]}{chr(ord(letters[-1]) + 1)}"


def split(
    terms: Sequence[Term], frequencies: Sequence[int], entries: int
) -> tuple[list[tuple[Term, int]], list[tuple[Term, int]]]:
    """Return the rare and the frequent terms with their frequencies; terms that occur nowhere are left out.

    Args:
        terms: what is looked for.
        frequencies: in how many entries each occurs.
        entries: how many entries the index has.
    """
    most_rows = _RARE_ROWS + _RARE_SHARE * entries
    known = sorted((pair for pair in zip(frequencies, terms, strict=True) if pair[0]), key=lambda pair: pair[0])
    rows = 0
    rare: list[tuple[Term, int]] = []
    frequent: list[tuple[Term, int]] = []
    for frequency, term in known:
        rows += frequency
        (rare if not rare or (rows <= most_rows and not frequent) else frequent).append((term, frequency))
    return rare, frequent
