"""What a rebuild and a sync come to, as values."""

from __future__ import annotations

from treering.domain.named import NamedTuple


class Synced(NamedTuple):
    """What became of one file that somebody changed.

    Attributes:
        path: the file, below the mirror's folder.
        outcome: as of an operation; ``archived``, ``moved``, ``removed`` or ``rewritten`` of the file itself;
            ``refused`` when nothing was done.
        id: the memory, the proposal or the source; empty when there is none.
        notices: what the user should know.
    """

    path: str
    outcome: str
    id: str = ""
    notices: tuple[str, ...] = ()


class SyncReport(NamedTuple):
    """What a sync came to.

    Attributes:
        folder: the mirror.
        files: those that somebody had changed.
        written: files that were written because the store had changed.
        notices: what the user should know.
    """

    folder: str
    files: tuple[Synced, ...]
    written: int = 0
    notices: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether every change was taken or put before the owner."""
        return not any(one.outcome == "refused" for one in self.files)


class RebuildReport(NamedTuple):
    """What a rebuild came to.

    Attributes:
        folder: where the files were read.
        memories: how many there are.
        sources: how many there are.
        rows: how many rows were made of files.
        left_out: files, or parts of them, that were not taken, with the reason.
        roots: folders that were indexed in place and are to be indexed again.
        forgotten: how many tombstones there are; marks of erased sentences are in no file.
    """

    folder: str
    memories: int
    sources: int
    rows: int
    left_out: tuple[tuple[str, str], ...] = ()
    roots: tuple[str, ...] = ()
    forgotten: int = 0
