"""The built-in embedder: a sum of one learned vector for each word, offline and English.

One question is embedded in plain Python, so that a fresh process need not import numpy (0.2 CPU
seconds); batches use it. Sums are whole numbers in both ways, so the vectors agree.
"""

from __future__ import annotations

import math
import os
import struct
import sys
from _thread import allocate_lock as Lock  # noqa: N812 - what threading calls it; that takes 1 ms to import
from operator import add, mul

from treering.embedders.table import Table
from treering.embedders.wordpiece import WORDS_VERSION, pieces, words
from treering.errors import EmbedderFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

    from treering.embedders.batch import PieceRows

# A string: pathlib would cost a cold search 3 ms or more.
DATA: Final = os.path.join(os.path.dirname(__file__), "data", "potion-base-8M.vectors")
# Up to so many texts, importing numpy costs more CPU time than it saves (100 ms against 1.8 ms a chunk).
_WORTH_NUMPY: Final = 60
_MAX_CACHED_WORDS: Final = 20_000


class StaticEmbedder:
    """potion-base-8M as small integers; satisfies ``ports.Embedder``.

    The first 80 words of a text count. A text without a known word becomes a row of zeros.
    """

    def __init__(self, data: str = DATA) -> None:
        """Open the data file; nothing is read before it is needed.

        Raises:
            EmbedderFailed: if the file is absent or damaged.
        """
        self._table = Table(data)
        self._cache: dict[str, tuple[int, ...]] = {}
        self._asked = 0
        self._lock = Lock()
        self._piece_rows: PieceRows | None = None

    @property
    def id(self) -> str:
        """Name of the model."""
        return "static/potion-base-8M"

    @property
    def revision(self) -> str:
        """Hash of the data and version of the way texts are cut into words."""
        return f"{self._table.sha256[:16]}.{WORDS_VERSION}"

    @property
    def dimension(self) -> int:
        """Numbers in a vector: 256."""
        return self._table.dimension

    @property
    def english_only(self) -> bool:
        """Whether only English is understood: yes."""
        return True

    def embed_texts(self, texts: Sequence[str]) -> bytes:
        """Return ``len(texts) × 256`` little-endian float32; imports numpy for many texts.

        Raises:
            EmbedderFailed: if numpy is wanted and cannot be imported.
        """
        self._asked += len(texts)
        if self._asked <= _WORTH_NUMPY and "numpy" not in sys.modules:
            return b"".join(map(self.embed_query, texts))
        try:
            from treering.embedders.batch import PieceRows
        except ImportError as error:
            raise EmbedderFailed(f"numpy cannot be imported: {error}", hint="pip install numpy") from error
        with self._lock:
            if self._piece_rows is None:
                self._piece_rows = PieceRows(self._table)
            return self._piece_rows.embed(texts)

    def embed_query(self, text: str) -> bytes:
        """Return ``text`` as 256 little-endian float32, without numpy."""
        table, width = self._table, self._table.dimension
        total = [0] * width
        for row in self._pieces_of(text):
            scaled = map(mul, table.rows[row * width : (row + 1) * width], [table.scales[row]] * width)
            total = list(map(add, total, scaled))
        length = math.sqrt(sum(map(mul, total, total))) or 1.0
        return struct.pack(f"<{width}f", *[number / length for number in total])

    def _pieces_of(self, text: str) -> list[int]:
        """Return the rows of all pieces of a text, using the cache of words."""
        cache = self._cache
        if len(cache) > _MAX_CACHED_WORDS:
            cache.clear()
        found: list[int] = []
        for word in words(text):
            rows = cache.get(word)
            if rows is None:
                rows = cache[word] = pieces(word, self._table.find, self._table.longest)
            found += rows
        return found
