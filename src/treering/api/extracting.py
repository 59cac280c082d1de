"""Extracting: what a document states without a model, proposed as an agent's claims with the document's trust."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.curate import propose
from treering.domain.named import NamedTuple
from treering.domain.policy import EXTRACTION, Caller
from treering.errors import TreeringError

if TYPE_CHECKING:
    from treering.curate.curator import Curator
    from treering.domain.operation import Outcome
    from treering.ports import Extractor, Transaction
    from treering.records import StoredSource


class Extracted(NamedTuple):
    """What was taken out of a document.

    Attributes:
        outcomes: what became of each statement, in order.
        notices: statements that could not be proposed, with the reason.
    """

    outcomes: tuple[Outcome, ...] = ()
    notices: tuple[str, ...] = ()


def extract(tx: Transaction, curator: Curator, extractor: Extractor, source: StoredSource) -> Extracted:
    """Propose what a source's current version states; what is there already stays as it is.

    Args:
        tx: a transaction that may write.
        curator: on whose behalf the source was read; what it states is an agent's claim all the same.
        extractor: what finds it.
        source: the source.
    """
    text = tx.sources.text(source.version, 0, source.chars)
    labels = tx.sources.metadata([source.id])[source.id]
    agent = curator._replace(caller=Caller("agent", EXTRACTION))
    outcomes: list[Outcome] = []
    notices: list[str] = []
    for operation in extractor.operations(text, source.id, source.source_time, labels):
        try:
            outcomes += propose.propose(tx, agent, [operation])
        except TreeringError as error:  # each is looked at before anything is written
            words = operation.memory.content[:80]
            notices.append(f"not taken out of {source.key}: “{words}”: {error}")
    return Extracted(tuple(outcomes), tuple(notices))
