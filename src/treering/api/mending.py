"""Mending: a keyword index that is lost or damaged is made again from the stored text, and the question asked again."""

from __future__ import annotations

from contextlib import suppress

from treering.errors import Damaged, NotFound, ReadOnlyStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.domain.query import Answer
    from treering.ports import Backend

_NOTICE = "the keyword index was lost or damaged; it was made again from the stored text"


def answered(ask: Callable[[], Answer], opened: Callable[[], Backend], mend: Callable[[Backend], None]) -> Answer:
    """Return the answer to a question; where the index turns out to be broken, after it was made again.

    Args:
        ask: asks the question.
        opened: returns the store.
        mend: makes everything derived again, in one transaction: others read the earlier state until it ends.

    Raises:
        Damaged: if more than the index is, or nothing may be written here.
    """
    try:
        answer = ask()
        if answer.found or not _is_lost(opened()):
            return answer
    except Damaged:
        with suppress(ReadOnlyStore, NotFound):  # then the question fails as before
            mend(opened())
    else:
        if opened().read_only:
            notice = "the keyword index is lost, and nothing can be written here: run treering reindex where it can be"
            return answer._replace(notices=(*answer.notices, notice))
        mend(opened())
    answer = ask()
    return answer._replace(notices=(*answer.notices, _NOTICE))


def _is_lost(store: Backend) -> bool:
    """Tell whether an index has no word although there is something to find; looked at where nothing was found."""
    from treering.domain.memory import IN_SEARCH
    from treering.domain.query import Filter

    with store.read() as tx:
        return not tx.keywords.has_words() and bool(tx.memories.count(IN_SEARCH) or tx.sources.count(Filter()).chunks)
