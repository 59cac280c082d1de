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
from treering.ingest import encoding, gathering, origins, reading, taking
from treering.ingest.versions import Documents, max_bytes
from treering.recall.quotes import vanished

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from treering.curate.curator import Curator
    from treering.domain.keeping import Said
    from treering.errors import TreeringError
    from treering.ingest.extract import Extractor
    from treering.ingest.origins import Origin
    from treering.ingest.taking import Taken
    from treering.intake import KeptText
    from treering.places import Place
    from treering.ports import Transaction
    from treering.settings import Settings

    Progress = Callable[[int, int], None]

_BATCH_FILES: Final = 250
"""Files in one batch, as in an index run: a batch is one transaction, and the next caller waits for it."""
_BATCH_BYTES: Final = 4_000_000
"""Bytes after which a batch is full; a larger file makes a batch of its own."""


class Item(NamedTuple):
    """One original: taken in, or the reason why it was not."""

    path: str
    taken: Taken | None
    reason: str = ""


def items(
    place: Place, settings: Settings, files: Sequence[str], said: Said, progress: Progress | None
) -> Iterator[Item]:
    """Yield each file, read, or the reason why it was not."""
    documents = Documents()
    page = page_of(said)
    try:
        for number, path in enumerate(files, 1):
            shown = gathering.shown(path)
            key = page.key if page else said.key or f"import:{place.anchor(shown)}"
            folder, name = os.path.split(path)
            try:
                reading.require_utf8(path)
                raw = reading.read(folder, name, max_bytes(settings)).raw
                yield Item(shown, taking.take(raw, name, said, page, key, documents, settings))
            except (reading.Unreadable, encoding.Undecodable) as error:
                yield Item(shown, None, str(error))
            if progress is not None:
                progress(number, len(files))
    finally:
        documents.close()


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
        done = [self._kept(item.path, item.taken) if item.taken else skipped(item.path, item.reason) for item in items]
        # All at the end: between other writes, FTS5 would close a segment for each file.
        self._tx.keywords.add(self._rows)
        return done

    def _kept(self, path: str, taken: Taken) -> Imported:
        """Keep one original and take out what it states."""
        try:
            kept = keeping.keep(self._tx, self._curator, taken.text, taken.raw, self._said, self._put)
        except (NotAllowed, Conflict) as error:
            self._refused.append(error)
            return skipped(path, str(error))
        source = kept.source
        gone = vanished(self._tx, [source.key]) if kept.outcome == "superseded" else ()
        extractor = self._extractor
        found = extract(self._tx, self._curator, extractor, source) if extractor else Extracted()
        return Imported(
            path, kept.outcome, source.id, source.version, source.key, source.title, source.trust,
            memories=found.outcomes, notices=(*taken.notices, *kept.notices, *gone, *found.notices),
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
