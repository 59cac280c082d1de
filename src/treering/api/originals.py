"""Originals on their way into the store: read one by one, kept in batches."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from treering.api.extracting import Extracted, extract
from treering.curate import keeping
from treering.derived import rows
from treering.domain.keeping import Imported
from treering.domain.named import NamedTuple
from treering.errors import Conflict, NotAllowed
from treering.ingest import encoding, gathering, origins, readers, reading, taking
from treering.ingest.ahead import in_order
from treering.ingest.formats_alike import Formats
from treering.ingest.versions import max_bytes
from treering.recall.quotes import vanished

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from treering.curate.curator import Curator
    from treering.domain.keeping import Said
    from treering.errors import TreeringError
    from treering.ingest.origins import Origin
    from treering.ingest.taking import Taken
    from treering.ingest.versions import Documents
    from treering.intake import KeptText
    from treering.places import Place
    from treering.ports import Extractor, Transaction
    from treering.settings import Settings

    Progress = Callable[[int, int], None]

_BATCH_FILES: Final = 250
"""Files in one batch, as in an index run: a batch is one transaction, and the next caller waits for it."""
_BATCH_BYTES: Final = 4_000_000
"""Bytes after which a batch is full; a larger file makes a batch of its own."""


class Item(NamedTuple):
    """One original: taken in, there already, or the reason why it was not taken.

    Attributes:
        path: the file, as a path to show.
        taken: what is kept of it.
        reason: why it was not taken.
        known: key and digest of the source that holds these bytes already, so that they were not read again.
    """

    path: str
    taken: Taken | None
    reason: str = ""
    known: tuple[str, str] | None = None


def items(
    place: Place,
    settings: Settings,
    files: Sequence[str],
    said: Said,
    known: Callable[[str], str],
    progress: Progress | None,
) -> Iterator[Item]:
    """Yield each file in order, read, or the reason why it was not; documents are read two at a time.

    Args:
        place: the store.
        settings: limits and sizes.
        files: absolute paths.
        said: what the caller says about them.
        known: returns the digest that the store has under a key; empty for none. An import that was interrupted
            takes up where it ended: what was kept costs its bytes and no reader.
        progress: called with files read and files in all.
    """
    page = page_of(said)
    formats = Formats() if any(map(readers.has_reader, files)) else None

    def read(asked: tuple[str, str, str], documents: Documents) -> Item:
        path, key, digest = asked
        shown = gathering.shown(path)
        folder, name = os.path.split(path)
        try:
            reading.require_utf8(path)
            content = reading.read(folder, name, max_bytes(settings))
            if content.sha256 == digest:
                return Item(shown, None, known=(key, digest))
            return Item(shown, taking.take(content.raw, name, said, page, key, documents, settings))
        except (reading.Unreadable, encoding.Undecodable) as error:
            return Item(shown, None, str(error))

    def asked() -> Iterator[tuple[str, str, str]]:
        for path in files:
            key = page.key if page else said.key or f"import:{place.anchor(gathering.shown(path))}"
            yield path, key, known(key)

    for number, item in enumerate(in_order(read, asked()), 1):
        yield _with_twin(item, formats)
        if progress is not None:
            progress(number, len(files))


def _with_twin(item: Item, formats: Formats | None) -> Item:
    """Return an original with a note where an earlier one says the same in another format."""
    if formats is None or item.taken is None:
        return item
    twin = formats.twin(item.path, item.taken.text.document.text)
    if not twin:
        return item
    note = f"it says much the same as {twin}, which is in another format; both are kept"
    return item._replace(taken=item.taken._replace(notices=(*item.taken.notices, note)))


class Batch:
    """Originals on their way into one transaction."""

    def __init__(
        self, tx: Transaction, curator: Curator, said: Said, extractor: Extractor | None, refused: list[TreeringError]
    ) -> None:
        """Begin with none; what is refused goes into ``refused`` as well."""
        self._tx = tx
        self._curator = curator
        self._said = said
        self._extractor = extractor
        self._refused = refused
        self._rows: list[tuple[int, str, str]] = []

    def keep(self, items: Sequence[Item]) -> list[Imported]:
        """Keep originals and return what became of each."""
        done = [self._one(item) for item in items]
        # All at the end: between other writes, FTS5 would close a segment for each file.
        self._tx.keywords.add(self._rows)
        return done

    def _one(self, item: Item) -> Imported:
        """Keep one original, unless it is there or cannot be."""
        try:
            if item.taken is not None:
                taken = item.taken
                kept = keeping.keep(self._tx, self._curator, taken.text, taken.raw, self._said, self._put)
                return self._imported(item.path, kept, taken.notices)
            if item.known is not None:
                return self._imported(item.path, keeping.known(self._tx, self._curator, *item.known, self._said))
        except (NotAllowed, Conflict) as error:
            self._refused.append(error)
            return skipped(item.path, str(error))
        return skipped(item.path, item.reason)

    def _imported(self, path: str, kept: keeping.Kept, notices: tuple[str, ...] = ()) -> Imported:
        """Return what became of an original, and take out what it states."""
        source = kept.source
        gone = vanished(self._tx, [source.key]) if kept.outcome == "superseded" else ()
        extractor = self._extractor
        found = extract(self._tx, self._curator, extractor, source) if extractor else Extracted()
        return Imported(
            path, kept.outcome, source.id, source.version, source.key, source.title, source.trust,
            memories=found.outcomes, notices=(*notices, *kept.notices, *gone, *found.notices),
        )  # fmt: skip

    def _put(self, new: KeptText, source: str, version: str) -> None:
        """Store a text; its keyword rows follow."""
        self._rows += rows.put_unindexed(self._tx, new, source, version, self._curator.at)


def page_of(said: Said) -> Origin | None:
    """Return the page that originals are copies of; the key decides before the url."""
    page = origins.named(said.key) if said.key else None
    if said.url:
        linked = origins.origin(said.url)
        return page if said.key else linked
    return page


def in_batches(items: Iterator[Item]) -> Iterator[list[Item]]:
    """Join originals into batches."""
    batch: list[Item] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item.taken.raw) if item.taken else 0
        if len(batch) >= _BATCH_FILES or size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def skipped(path: str, reason: str) -> Imported:
    """Return an original that was left out."""
    return Imported(path, "skipped", reason=reason)
