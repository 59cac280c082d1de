"""An embedder without data: hashed words and letter triples, for tests and demonstrations."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING
from zlib import crc32

from treering.embedders.wordpiece import WORDS_VERSION, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class HashingEmbedder:
    """Texts are near that share words, or parts of words; satisfies ``ports.Embedder``.

    Knows no meanings. The first 80 words of a text count.
    """

    def __init__(self, dimension: int = 256) -> None:
        """Make an embedder with ``dimension`` numbers in a vector; more make fewer collisions."""
        self._dimension = dimension

    @property
    def id(self) -> str:
        """Name of the method and its size."""
        return f"hashing/{self._dimension}"

    @property
    def revision(self) -> str:
        """Version of the features and of the way texts are cut into words."""
        return f"1.{WORDS_VERSION}"

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return self._dimension

    @property
    def english_only(self) -> bool:
        """Whether only English is understood: no, every script is treated alike."""
        return False

    def embed_texts(self, texts: Sequence[str]) -> bytes:
        """Return ``len(texts) × dimension`` little-endian float32."""
        return b"".join(map(self.embed_query, texts))

    def embed_query(self, text: str) -> bytes:
        """Return ``text`` as ``dimension`` little-endian float32."""
        total = [0] * self._dimension
        for feature, weight in _features(text):
            number = crc32(feature.encode())
            # The top bit is the sign, so that collisions cancel on average (Weinberger et al. 2009).
            total[number % self._dimension] += weight if number < 1 << 31 else -weight
        length = math.sqrt(sum(number * number for number in total)) or 1.0
        return struct.pack(f"<{self._dimension}f", *[number / length for number in total])


def _features(text: str) -> Iterator[tuple[str, int]]:
    """Yield each word with weight 2 and the letter triples of ``<word>`` with weight 1."""
    for word in words(text):
        yield word, 2
        marked = f"<{word}>"
        for at in range(len(marked) - 2):
            yield marked[at : at + 3], 1
