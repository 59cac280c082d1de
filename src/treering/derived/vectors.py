"""Vectors from entries: made behind the text, in batches, by whoever comes first.

Text is committed without its vectors and found by its words meanwhile. A vector depends on the entry's
text and the model alone, so several processes may catch up at once; what one has stored the others
pass over. Each batch is a short transaction of its own: an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import re
import struct
import sys

from treering.domain.text import is_mostly_latin
from treering.domain.vector import SCALE, quantise
from treering.errors import EmbedderFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Final, NoReturn

    from treering.ports import Backend, Embedder, Transaction
    from treering.records import Unembedded

BATCH: Final = 512
"""Entries in one transaction: 20 ms of embedding. 256 are a tenth slower, 2,000 no quicker."""

# Length of a stored row: rounding moves it by a hundredth.
_SHORTEST: Final = (0.9 * SCALE) ** 2
_LONGEST: Final = (1.1 * SCALE) ** 2
_ANY_WORD: Final = re.compile(r"[^\W_]")
# A definition at the very start, behind comments and decorators.
_DECLARATION: Final = re.compile(
    r"(?:\s*(?:@|#|//|/?\*)[^\n]*\n){0,30}\s*(?:[a-z]+ ){0,4}?"
    r"(?:def|class|func|fn|fun|function|interface|struct|trait|enum|impl)[ \t]+(\w+)[^\n]*[({:]"
)
_NAME_PART: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
# What every model has a vector for.
_PLAIN_WORD: Final = re.compile(r"\b[A-Za-z]{2,20}\b")


def name_of(embedder: Embedder) -> str:
    """Return what an embedder's vectors are stored under."""
    return f"{embedder.id}@{embedder.revision}"


def plain_name(model: str) -> str:
    """Return a stored model's name for people, without its revision."""
    return model.partition("@")[0]


def embedded_text(entry: Unembedded) -> str:
    """Return what is embedded of an entry: its title and headings, then the beginning of its text.

    Of source code the name that it declares, twice, and its words one by one: a model of sentences knows neither
    ``addParcel`` nor ``self``. Of 120 questions each MRR@10 rose from .391 to .411 (code_docstrings_py) and from .356
    to .374 (cosqa); by meaning alone from .273 to .359 and from .171 to .191.

    Empty for an entry without a letter or digit: its headings alone would make it an answer to what they say.
    """
    if not _ANY_WORD.search(entry.text):
        return ""
    above = dict.fromkeys([entry.title, *entry.headings])
    declared = _DECLARATION.match(entry.text)
    if declared is None:
        return "\n".join([*above, entry.text])
    name = " ".join(_NAME_PART.findall(declared[1]))
    return " ".join([name, name, *_NAME_PART.findall(" ".join([*above, entry.text]))]).lower()


def missing(tx: Transaction, model: str) -> int:
    """Return how many entries lack a vector of the model, by counting alone."""
    return max(0, tx.keywords.size() - tx.vectors.mark(model)[0])


def catch_up(
    store: Backend,
    embedder: Embedder,
    *,
    newest_first: bool = False,
    wait: bool = True,
    keep: Collection[str] | None = (),
    batch: int = BATCH,
    total: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Embed the entries that lack a vector and return how many got one.

    Once the model covers everything, vectors of other models are removed.

    Args:
        store: the store; no transaction may be open.
        embedder: what makes the vectors.
        newest_first: whether what came last is found by its meaning first, for a model that takes long; otherwise rows
            come in the order of their keys, which makes their indexes a third smaller.
        wait: whether to wait while another process writes; else what is embedded then is lost.
        keep: other models whose vectors stay; None for all of them.
        batch: entries in one transaction.
        total: how many lack one, where the caller knows: to count them takes time that grows with the store.
        progress: called with entries done and entries in all.

    Raises:
        EmbedderFailed: if the embedder fails or gives no unit vectors; batches before stay.
        StoreBusy: if another process keeps the store locked.
        ReadOnlyStore: if it cannot be written.
    """
    model = name_of(embedder)
    if total is None:
        with store.read() as tx:
            total = missing(tx, model)
    left = total
    stored = last = 0
    while left > 0:
        with store.read() as tx:
            place = {"before": last} if newest_first else {"after": last}
            entries = tx.vectors.lacking(model, min(batch, left), **place)
        if not entries:
            break
        rows = embed(embedder, [embedded_text(entry) for entry in entries])
        with store.write(wait=wait) as tx:
            stored += tx.vectors.put(model, [(e.entry, e.revision, row) for e, row in zip(entries, rows, strict=True)])
        left -= len(entries)
        last = entries[-1].entry
        if progress is not None:
            progress(stored, total)
    if keep is not None:
        drop_others(store, model, keep, wait=wait)
    if stored and wait:
        store.settle()
    return stored


def drop_others(store: Backend, model: str, keep: Collection[str] = (), *, wait: bool = True) -> None:
    """Remove other models' vectors if this one covers everything, save those that are kept."""
    stay = {model, *keep}
    with store.read() as tx:
        if set(tx.vectors.models()) <= stay or tx.vectors.lacking(model, 1):
            return
    with store.write(wait=wait) as tx:
        for other in set(tx.vectors.models()) - stay:
            tx.vectors.drop(other)


def embed(embedder: Embedder, texts: Sequence[str]) -> list[bytes]:
    """Return the vectors of texts as they are stored; zeros for no text, or one in a script that the model cannot know.

    Raises:
        EmbedderFailed: if the embedder raises anything, or what it gives cannot be vectors of these texts.
    """
    size = embedder.dimension
    rows = [bytes(size)] * len(texts)
    known = [at for at, text in enumerate(texts) if text and (not embedder.english_only or is_mostly_latin(text))]
    if known:
        quantised = _checked(embedder, [texts[at] for at in known])
        for number, at in enumerate(known):
            rows[at] = quantised[number * size : (number + 1) * size]
    return rows


def _checked(embedder: Embedder, texts: Sequence[str]) -> bytes:
    """Return the stored form of what an embedder gives for texts, or raise what is wrong with it."""
    raw = _calling(embedder, lambda: embedder.embed_texts(texts))
    size = embedder.dimension
    if len(raw) != 4 * size * len(texts):
        _refuse(embedder, f"{len(raw)} bytes for {len(texts)} texts of {size} numbers each")
    try:
        quantised = quantise(raw)
    except ValueError as error:
        _refuse(embedder, str(error), error)
    if not _are_unit_or_zero(quantised, size):
        _refuse(embedder, "rows are not of unit length")
    if not any(quantised) and any(_PLAIN_WORD.search(text) and is_mostly_latin(text) for text in texts):
        _refuse(embedder, "nothing but zeros")
    return quantised


def _calling(embedder: Embedder, call: Callable[[], bytes]) -> bytes:
    """Return what a call of an embedder gives; whatever its library raises becomes one error."""
    try:
        return call()
    except EmbedderFailed:
        raise
    except Exception as error:  # noqa: BLE001 - whatever an adapter's library raises
        _refuse(embedder, f"{type(error).__name__}: {error}", error)


def embed_question(embedder: Embedder, text: str) -> bytes | None:
    """Return a question's vector as little-endian float32; None where it holds nothing that has a meaning.

    Raises:
        EmbedderFailed: if the embedder raises anything, or what it gives is no unit vector.
    """
    raw = _calling(embedder, lambda: embedder.embed_query(text))
    if len(raw) != 4 * embedder.dimension:
        _refuse(embedder, f"{len(raw)} bytes instead of {embedder.dimension} numbers")
    numbers = struct.unpack(f"<{embedder.dimension}f", raw)
    length = sum(number * number for number in numbers)
    if length == 0:
        return None
    if not 0.98 < length < 1.02:  # false for NaN, too
        _refuse(embedder, "a question's vector is not of unit length")
    return raw


def _are_unit_or_zero(rows: bytes, size: int) -> bool:
    """Tell whether every stored row has length 1 or is all zeros."""
    numpy = sys.modules.get("numpy")  # not imported here: that takes 0.2 s
    if numpy is not None:
        table = numpy.frombuffer(rows, numpy.int8).reshape(-1, size).astype(numpy.float32)
        squares = numpy.einsum("ij,ij->i", table, table)
        fine = ((squares > _SHORTEST) & (squares < _LONGEST)) | (squares == 0)
        return bool(fine.all())
    for at in range(0, len(rows), size):
        numbers = memoryview(rows)[at : at + size].cast("b").tolist()
        square = sum(number * number for number in numbers)
        if square and not _SHORTEST < square < _LONGEST:
            return False
    return True


def _refuse(embedder: Embedder, what: str, cause: Exception | None = None) -> NoReturn:
    """Raise the error that says what an embedder did."""
    raise EmbedderFailed(
        f"the embedder {embedder.id} failed: {what}", hint="treering search --mode keyword QUERY"
    ) from cause
