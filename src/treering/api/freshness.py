"""Whether indexed directories have moved on since they were indexed, seen by stat alone.

Looked at are the roots that a search reaches: each folder that the last run went through (its mtime tells
of names that came or went) and each known file (size, mtime, ctime). A look ends when its time is used up
and says what it has seen by then. Not looked at: roots that are absent or on a network file system, where
a stat may block, and the times of the folder that holds the database, which changes whenever it is opened.
"""

from __future__ import annotations

import os
import stat
import time
from contextlib import suppress
from functools import lru_cache, partial

from treering.domain.named import NamedTuple
from treering.domain.source import FileStamp
from treering.places import is_within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Final, Self, TypeVar

    from treering.domain.query import Filter
    from treering.domain.source import Root
    from treering.places import Place
    from treering.ports import Backend, Transaction
    from treering.settings import Settings

    _Item = TypeVar("_Item")
    _Rows = tuple[Sequence[tuple[str, int]], Sequence[tuple[str, int, int, int]]]


# Between two looks at the clock; 100 stats take 0.1 to 0.2 ms.
_STRIDE: Final = 100
# A warm handle looks at every search where that takes no longer; else not before ten times what the last look took.
# So searches one upon the other spend a tenth of their time on it, and nobody edits a file within that time.
_NEGLIGIBLE_S: Final = 0.0002
_PAUSE: Final = 10
_BY_HANDLE: Final = getattr(os, "O_PATH", 0)
_MOUNTS: Final = "/proc/self/mountinfo"
_NETWORK: Final = frozenset(
    "nfs nfs4 cifs smb smb3 smbfs ncpfs afs coda ceph glusterfs lustre gpfs beegfs ocfs2 davfs 9p autofs".split()
)


class Look(NamedTuple):
    """What was seen of one root.

    Attributes:
        root: the root as the store knows it.
        folder: where it is.
        changed: known files that are other than when they were read, with their stamp.
        gone: known files that are no files any more.
        moved: folders in which names came or went, with their mtime in ns.
        complete: whether everything was looked at.
        turned: those of ``changed`` of which size and mtime are as before, as a change of mode or owner leaves them.
    """

    root: Root
    folder: str
    changed: dict[str, FileStamp]
    gone: frozenset[str]
    moved: dict[str, int]
    complete: bool
    turned: frozenset[str] = frozenset()

    @property
    def is_fresh(self) -> bool:
        """Whether nothing was seen that an index run would read."""
        return not (self.changed or self.moved)


class Seen(NamedTuple):
    """What a search knows of its roots.

    Attributes:
        looks: what was seen, without the changes that were caught up with.
        notices: what stays behind, in words.
    """

    looks: tuple[Look, ...] = ()
    notices: tuple[str, ...] = ()


class Freshness:
    """Looks at the roots of one open memory, not more often than pays, and catches up with a few files."""

    def __init__(self, place: Place, settings: Settings) -> None:
        """Have looked at nothing yet."""
        self._place = place
        self._limit_s = settings.search_freshness_ms / 1000
        self._not_before = 0.0
        self._listed = Listed()

    def before_search(
        self, store: Backend, filter: Filter, catch_up: Callable[[Look, float], tuple[int, Look]]
    ) -> Seen:
        """Return what is known of the roots that a search reaches, once a few files were caught up with.

        Args:
            store: the open database.
            filter: what narrows the search.
            catch_up: reads what a look has found until a deadline, and returns how many files stay behind, and which.
        """
        started = time.monotonic()
        if not self._limit_s or filter.part == "memories" or started < self._not_before:
            return Seen()
        with store.read() as tx:
            reached, deadline = self._reached(tx, filter), started + self._limit_s
            looks = list(look(tx, reached, self._place.folder, deadline, self._listed))
        ended = time.monotonic()
        took = ended - started
        behind = [one for one in looks if not one.is_fresh]
        self._not_before = ended + took * _PAUSE if took > _NEGLIGIBLE_S and not behind else 0.0
        left = {one.folder: catch_up(one, ended + self._limit_s) for one in behind}
        kept = tuple(left[one.folder][1] if one.folder in left else one for one in looks)
        folders = [folder for folder, (number, _) in left.items() if number]
        files = sum(number for number, _ in left.values())
        return Seen(kept, (behind_text(files, self._place, folders),) if folders else ())

    def _reached(self, tx: Transaction, filter: Filter) -> list[tuple[Root, str]]:
        """Return the roots in which a search looks, with where they are."""
        roots = [(root, self._place.resolve(root.path)) for root in tx.sources.roots()]
        if not filter.path:
            return roots
        wanted = self._place.resolve(filter.path)
        return [one for one in roots if is_within(wanted, one[1]) or is_within(one[1], wanted)]


def together(each: Sequence[Seen]) -> Seen:
    """Return what is known of the roots of several stores."""
    looks = tuple(look for one in each for look in one.looks)
    return Seen(looks, tuple(notice for one in each for notice in one.notices))


def unseen(seen: Seen, place: Place) -> tuple[str, ...]:
    """Return that an answer may be missing because time ran out before every folder was looked at."""
    folders = [one.folder for one in seen.looks if not one.complete and os.path.isdir(one.folder)]
    if not folders:
        return ()
    return (f"not all of it was looked at for new files in time; to be sure: {place.command('index', *folders)}",)


def behind_text(files: int, place: Place, folders: Sequence[str]) -> str:
    """Return how many files are behind, with the command that mends it."""
    return f"{files:,} file{'s' if files > 1 else ''} behind: {place.command('index', *folders)}"


class Listed:
    """Folders and files of roots as one state of a store lists them: who stays looks at the same ones again."""

    def __init__(self) -> None:
        """Have read nothing yet."""
        self._state: object = None
        self._read: dict[int, _Rows] = {}

    def of(self, tx: Transaction, root: int) -> _Rows:
        """Return the folders and the files of a root, each with what it was like."""
        state = tx, tx.state()  # states of two connections are not to be compared
        if state != self._state:
            self._read, self._state = {}, state
        if root not in self._read:
            self._read[root] = list(tx.sources.folders(root).items()), tx.sources.stamps(root)
        return self._read[root]


def look(
    tx: Transaction, roots: Iterable[tuple[Root, str]], store_folder: str, deadline: float, listed: Listed
) -> Iterator[Look]:
    """Yield what is seen of each root that can be looked at.

    Args:
        tx: the store.
        roots: the roots with where they are.
        store_folder: the folder that holds the database.
        deadline: when to stop, as ``time.monotonic`` counts.
        listed: what was read of the same store before.
    """
    remote = network_mounts()
    for root, folder in roots:
        if not is_under(folder, remote) and os.path.isdir(folder):
            yield _look_at(tx, root, folder, store_folder, deadline, listed)


def _look_at(tx: Transaction, root: Root, folder: str, store_folder: str, deadline: float, listed: Listed) -> Look:
    """Return what is seen of one root."""
    prefix = os.path.join(folder, "")
    moved: dict[str, int] = {}
    folders, stamps = listed.of(tx, root.number)
    for part in _in_time(folders, deadline):
        for path, then_ns in part:
            now_ns = mtime_ns(prefix + path)
            if now_ns != then_ns and now_ns is not None and os.path.normpath(prefix + path) != store_folder:
                moved[path] = now_ns
    changed: dict[str, FileStamp] = {}
    gone: set[str] = set()
    turned: set[str] = set()
    seen = 0
    with _Inside(folder) as inside:
        for rows in _in_time(stamps, deadline):
            seen += len(rows)
            _compare(inside.lstat, rows, changed, gone, turned)
    if changed:  # a file that could not be read is as it was left
        left_out = {skip.path for number, skip in tx.sources.skips() if number == root.number}
        changed = {path: stamp for path, stamp in changed.items() if path not in left_out}
    complete = seen == len(stamps)
    return Look(root, folder, changed, frozenset(gone), moved, complete, frozenset(turned & changed.keys()))


class _Inside:
    """A folder in which files are looked at, by a handle of it where there is such a thing.

    The way to it is then not gone once for each file: 3,000 files take 6 instead of 8 ms in a process of their own.
    """

    def __init__(self, folder: str) -> None:
        """Have opened nothing yet."""
        self._folder = folder
        self._handle = -1
        self.lstat: Callable[[str], os.stat_result] = self._by_path

    def __enter__(self) -> Self:
        """Open the folder; what refuses is looked at by path."""
        if _BY_HANDLE:
            with suppress(OSError):
                self._handle = os.open(self._folder, _BY_HANDLE)
                self.lstat = partial(os.stat, dir_fd=self._handle, follow_symlinks=False)
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the folder."""
        if self._handle >= 0:
            os.close(self._handle)

    def _by_path(self, path: str) -> os.stat_result:
        """Look at a file by its whole path."""
        return os.lstat(os.path.join(self._folder, path))


def _compare(
    lstat: Callable[[str], os.stat_result],
    rows: Iterable[tuple[str, int, int, int]],
    changed: dict[str, FileStamp],
    gone: set[str],
    turned: set[str],
) -> None:
    """Add known files that are other than they were, or no files any more; what cannot be looked at is unknown."""
    for path, size, modified, ctime in rows:
        try:
            status = lstat(path)
        except (FileNotFoundError, NotADirectoryError):
            gone.add(path)
        except OSError:
            continue
        else:
            if status.st_mtime_ns == modified and status.st_size == size and status.st_ctime_ns == ctime:
                continue
            if stat.S_ISREG(status.st_mode):
                changed[path] = FileStamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns)
                if status.st_mtime_ns == modified and status.st_size == size:
                    turned.add(path)
            else:
                gone.add(path)


def _in_time(items: Sequence[_Item], deadline: float) -> Iterator[Sequence[_Item]]:
    """Yield stretches of ``items`` until the deadline."""
    for at in range(0, len(items), _STRIDE):
        if time.monotonic() >= deadline:
            return
        yield items[at : at + _STRIDE]


def mtime_ns(path: str) -> int | None:
    """Return when names in a folder came or went last; None when it cannot be looked at."""
    try:
        return os.stat(path).st_mtime_ns
    except OSError:
        return None


def network_mounts() -> tuple[str, ...]:
    """Return the places where a network file system, or one that asks a program, is mounted; empty if unknown."""
    return _mounts(_MOUNTS, int(time.monotonic()))


@lru_cache(maxsize=1)
def _mounts(table: str, _second: int) -> tuple[str, ...]:
    """Return what ``network_mounts`` does; a table is read once a second."""
    try:
        with open(table, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.readlines()
    except OSError:
        return ()
    found = []
    for line in lines:
        place, _, kind = line.partition(" - ")
        if (name := kind.partition(" ")[0]) in _NETWORK or name.startswith("fuse."):
            found.append(place.split(" ")[4].replace("\\040", " "))
    return tuple(found)


def is_under(folder: str, mounts: Iterable[str]) -> bool:
    """Tell whether a folder lies in one of the mounts."""
    return any(folder == mount or folder.startswith(os.path.join(mount, "")) for mount in mounts)
