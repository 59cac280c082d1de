"""Pausing: the owner says that nothing more is taken in, and that it is again."""

from __future__ import annotations

from treering.api.handle import PAUSED, Handle
from treering.api.stamping import now


class Pausing(Handle):
    """Whether a memory takes anything in."""

    def pause(self) -> str:
        """Stop capture: agents change nothing and nothing is imported, in this process or any other, until ``resume``.

        What the owner types with ``remember`` is still kept, everything is still found, and folders that are indexed
        are kept as they are on the disk.

        Returns:
            Since when it is paused, ISO 8601; of a pause that was there already, its own time.

        Raises:
            NotAllowed: if the caller is not the owner.
        """
        self._require_owner("pauses capture")
        with self._curating(create=True) as (tx, curator):
            if since := tx.setting(PAUSED):
                return since
            since = now()
            tx.put_setting(PAUSED, since)
            curator.record(tx, "pause", "capture", "accepted")
        return since

    def resume(self) -> str:
        """Let capture go on.

        Returns:
            Since when it was paused; empty when it was not.

        Raises:
            NotFound: if there is no store yet.
            NotAllowed: if the caller is not the owner.
        """
        self._require_owner("lets capture go on")
        with self._curating() as (tx, curator):
            since = tx.setting(PAUSED) or ""
            if since:
                tx.put_setting(PAUSED, "")
                curator.record(tx, "resume", "capture", "accepted")
        return since
