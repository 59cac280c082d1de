"""Putting the tree of digests together with what it is made of: by a run, by a descent, by an erasure."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from treering.errors import EmbedderFailed, IndexBehind, ReadOnlyStore, StoreBusy

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.api.meanings import Meanings
    from treering.places import Place
    from treering.ports import Backend, Transaction
    from treering.recall.descent import Asking
    from treering.recall.meaning import Meaning
    from treering.settings import Settings

MOST_IN_SEARCH: Final = 50
"""Sources and memories that a descent digests before it goes down: about .1 s. More are left to ``consolidate``."""


def domain_of(key: str, text: str) -> str:
    """Return what kind of text a source is, from its key and its beginning."""
    from treering.chunkers.detection import plan

    return plan(text, key).domain


def entries_due(store: Backend) -> list[int] | None:
    """Return the entries that are due where these are few; None where it is as well to look at all there are."""
    with store.read() as tx:
        owners = tx.tree.due(MOST_IN_SEARCH + 1)
        return None if len(owners) > MOST_IN_SEARCH else [one.entry for one in tx.tree.current(owners)]


def erase(tx: Transaction, settings: Settings) -> None:
    """Leave nothing of what was removed in the tree."""
    from treering.derived.digests import without_removed

    without_removed(tx, settings.tree_branch_factor, domain_of)


def run(
    store: Backend, settings: Settings, stored_as: str, *, force: bool, progress: Callable[[int, int], None] | None
) -> int:
    """Digest everything that is due, and return how many leaves came, went or changed.

    Args:
        store: the store; no transaction may be open.
        settings: sizes of the tree.
        stored_as: what the embedder's vectors are stored under; empty for none.
        force: whether the whole tree is made again.
        progress: called with sources and memories done and in all.
    """
    from treering.derived import digests

    with store.write() as tx:
        if force or (tx.setting(digests.MODEL) or "") != stored_as:  # rows of two models cannot be compared
            tx.tree.clear()
            tx.tree.all_due()
            tx.put_setting(digests.MODEL, stored_as)
        total = tx.tree.count_due()
    changed = done = 0
    while True:
        with store.write() as tx:
            owners = tx.tree.due(digests.BATCH)
            if not owners:
                return changed
            changed += digests.grow(tx, settings.tree_branch_factor, domain_of, owners)
            left = tx.tree.count_due()
        done = max(done, total - left)
        if progress is not None:
            progress(min(done, total), total)


def catch_up(store: Backend, settings: Settings, meanings: Meanings) -> None:
    """Digest what is due where that is little and nobody else writes; never waits."""
    from treering.derived.digests import MODEL, grow

    with store.read() as tx:
        due, stored_as = tx.tree.count_due(), tx.setting(MODEL)
    if not 0 < due <= MOST_IN_SEARCH:
        return
    if stored_as is None:
        with suppress(EmbedderFailed):
            stored_as = meanings.stored_as()
    with suppress(StoreBusy, ReadOnlyStore), store.write(wait=False) as tx:
        tx.put_setting(MODEL, stored_as or "")
        grow(tx, settings.tree_branch_factor, domain_of, tx.tree.due(MOST_IN_SEARCH))


def ask(
    store: Backend, settings: Settings, meanings: Meanings, place: Place, text: str
) -> tuple[Meaning, Asking, list[str]]:
    """Return what a question means to the tree, how it is gone down, and notices; what little is due is digested.

    Raises:
        IndexBehind: if nothing is digested, and that is more than a descent can do on the way.
    """
    from treering.derived.digests import MODEL
    from treering.recall.descent import Asking

    catch_up(store, settings, meanings)
    with store.read() as tx:
        due, stored_as, trunk = tx.tree.count_due(), tx.setting(MODEL) or "", tx.tree.trunk()
    if due and trunk is None:
        raise IndexBehind(f"nothing is digested yet: {due:,} texts wait for it", hint=place.command("consolidate"))
    meaning, question = meanings.descended(store, text, stored_as)
    notices = [f"{due:,} texts are not in the tree yet; next: {place.command('consolidate')}"] if due else []
    return meaning, Asking(settings.tree_beam_width, question, stored_as), notices
