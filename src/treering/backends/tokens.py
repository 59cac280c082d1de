"""Words of a text by SQLite's own tokenizer, for a database that is not SQLite: the same words on both."""

from __future__ import annotations

from functools import cache
from typing import Final, cast

import apsw

from treering.backends.keywords import TOKENIZER

# PostgreSQL takes no word of more than 2,046 bytes; nobody types one of this length.
_LONGEST: Final = 500


@cache
def _tokenizer() -> apsw.FTS5Tokenizer:
    """Return the tokenizer, of a database that holds nothing."""
    return apsw.Connection(":memory:").fts5_tokenizer(*TOKENIZER)


def stems(text: str) -> list[str]:
    """Return the words of a text as an index compares them; the tail of an endless one is cut off."""
    raw = text.encode("utf-8", "replace")
    words = _tokenizer()(raw, apsw.FTS5_TOKENIZE_AUX, None, include_offsets=False, include_colocated=False)
    return [word[:_LONGEST] for word in cast("list[str]", words)]  # strings, since no more is asked for
