"""Mounts: on which file systems SQLite's write-ahead log is safe, as Linux's table of mounts tells."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final


SHARED: Final = frozenset(
    "nfs nfs4 cifs smb smb2 smb3 smbfs ncpfs afs coda ceph glusterfs lustre gpfs beegfs ocfs2 gfs2 davfs 9p v9fs"
    " virtiofs vboxsf vmhgfs autofs prl_fs orangefs pvfs2 moosefs".split()
)
"""File systems that several machines, or a machine and its host, may share: the log's index is shared memory, which
none of them shares."""


def kind_of(path: str, mountinfo: str) -> str:
    """Return the kind of the file system that holds an absolute path; empty when the table does not tell.

    Args:
        path: without links.
        mountinfo: the table, as ``/proc/self/mountinfo`` has it.
    """
    best, kind = -1, ""
    for line in mountinfo.splitlines():
        place, _, rest = line.partition(" - ")
        fields = place.split(" ")
        if len(fields) < 5 or not rest:
            continue
        mount = _plain(fields[4])
        holds = path == mount or path.startswith(mount if mount.endswith("/") else f"{mount}/")
        if holds and len(mount) >= best:  # the last one of a place lies on top
            best, kind = len(mount), rest.partition(" ")[0]
    return kind


def is_shared(kind: str) -> bool:
    """Tell whether a kind of file system may be shared between machines; a program's own may be anything."""
    return kind in SHARED or kind.startswith("fuse.")


def wal_allowed(path: str, mountinfo: str) -> bool:
    """Tell whether a store at ``path`` may keep its changes in a write-ahead log."""
    return not is_shared(kind_of(path, mountinfo))


def _plain(mount: str) -> str:
    """Return a mount's place as people write it; the table writes blanks as octal numbers."""
    if "\\" not in mount:
        return mount
    for octal, sign in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        mount = mount.replace(octal, sign)
    return mount
