"""Backup and restore: a store as one archive with a digest of every file in it.

The archive is a tar file: ``manifest.json`` first, then the database as SQLite copies it while others write, then what
lies beside it. Restoring checks every digest before anything is put in place, and never writes outside its folder.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from treering.domain.named import NamedTuple
from treering.errors import Conflict, Damaged, InputError, NotFound, StorageFailed, StoreTooNew

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import IO

FORMAT: Final = 1
_MANIFEST: Final = "manifest.json"
_MADE_BY: Final = "treering backup"
_BLOCK: Final = 1 << 20
_MOST_MANIFEST: Final = 64 << 20


class Archived(NamedTuple):
    """A backup that was made or taken in.

    Attributes:
        path: the archive, or the folder that it was restored to.
        files: how many files it holds.
        size_bytes: their size together.
        made_at: when the backup was made, ISO 8601.
    """

    path: str
    files: int
    size_bytes: int
    made_at: str


def write(out: str, files: Mapping[str, str], made_at: str, facts: Mapping[str, str | int]) -> Archived:
    """Write an archive; it appears under its name when it is whole.

    Args:
        out: path of the archive; must not exist.
        files: path of each file by its name in the archive.
        made_at: when, ISO 8601.
        facts: what the manifest says besides, such as the layout of the store.

    Raises:
        Conflict: if there is such a file.
        StorageFailed: if it cannot be written.
    """
    if os.path.exists(out):
        raise Conflict(f"{out} exists already", hint="treering backup --out another/folder")
    partial = f"{out}.part"
    try:
        digests = {name: _digest_of(path) for name, path in files.items()}
        manifest = {"format": FORMAT, "made_by": _MADE_BY, "made_at": made_at, **facts, "files": digests}
        with open(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as opened:
            with tarfile.open(fileobj=opened, mode="w") as tar:
                _add(tar, _MANIFEST, json.dumps(manifest, indent=1, ensure_ascii=False).encode())
                for name, path in files.items():
                    tar.add(path, arcname=name, recursive=False, filter=_anonymous)
            opened.flush()
            os.fsync(opened.fileno())
        os.replace(partial, out)
    except OSError as error:
        raise StorageFailed(f"the backup {out} cannot be written: {error.strerror}") from error
    finally:
        if os.path.exists(partial):
            os.remove(partial)
    size = sum(int(entry["size_bytes"]) for entry in digests.values())
    return Archived(out, len(files), size, made_at)


def restore(archive: str, folder: str, layout: int) -> Archived:
    """Put a store back from an archive into a folder that is empty or not there; nothing is left of a failure.

    Args:
        archive: the file that ``write`` made.
        folder: where to.
        layout: the newest layout of a store that this program reads.

    Raises:
        NotFound: if there is no such archive.
        Conflict: if there is something in the folder.
        Damaged: if the archive is no backup, is cut short, or a digest differs.
        StoreTooNew: if a newer program made it.
    """
    _require_room(archive, folder)
    beside = f"{folder.rstrip(os.sep)}.restoring"
    with _written_whole(archive, beside):
        archived = _unpack(archive, beside, layout)._replace(path=folder)
        if os.path.isdir(folder):
            os.rmdir(folder)
        os.replace(beside, folder)
    return archived


def _require_room(archive: str, folder: str) -> None:
    """Refuse an archive that is not there, and a folder that holds something."""
    if not os.path.isfile(archive):
        raise NotFound(f"there is no archive {archive}")
    if os.path.isdir(folder) and os.listdir(folder):
        raise Conflict(f"{folder} is not empty", hint="treering restore ARCHIVE --to an/empty/folder")


@contextmanager
def _written_whole(archive: str, beside: str) -> Iterator[None]:
    """Make a folder to unpack into, of which nothing is left when that fails."""
    shutil.rmtree(beside, ignore_errors=True)
    try:
        os.makedirs(beside, mode=0o700)
        yield
    except OSError as error:
        raise StorageFailed(f"{archive} cannot be restored: {error.strerror or error}") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _unpack(archive: str, folder: str, layout: int) -> Archived:
    """Write the files of an archive, each checked, and return what it held."""
    try:
        with tarfile.open(archive, "r:") as tar:
            manifest = _manifest(tar, archive, layout)
            wanted: dict[str, Any] = dict(manifest["files"])
            size = sum(int(entry["size_bytes"]) for entry in wanted.values())
            archived = Archived(folder, len(wanted), size, str(manifest["made_at"]))
            for member in tar:
                if member.name != _MANIFEST:
                    _put(tar, member, wanted.pop(member.name, None), folder, archive)
            if wanted:
                raise Damaged(f"{archive} lacks {', '.join(sorted(wanted)[:3])}: it was cut short")
    except (tarfile.TarError, EOFError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Damaged(f"{archive} is no backup of Treering, or is damaged: {error}") from error
    return archived


def _manifest(tar: tarfile.TarFile, archive: str, layout: int) -> dict[str, Any]:
    """Return the manifest, which stands first."""
    first = tar.next()
    opened = tar.extractfile(first) if first is not None and first.name == _MANIFEST else None
    if opened is None or first is None or first.size > _MOST_MANIFEST:
        raise Damaged(f"{archive} is no backup of Treering")
    manifest: dict[str, Any] = json.loads(opened.read())
    if manifest.get("made_by") != _MADE_BY:
        raise Damaged(f"{archive} is no backup of Treering")
    if int(manifest["format"]) > FORMAT or int(manifest["layout"]) > layout:
        raise StoreTooNew(f"{archive} was made by a newer Treering", hint="pip install --upgrade treering")
    return manifest


def _put(tar: tarfile.TarFile, member: tarfile.TarInfo, wanted: Any, folder: str, archive: str) -> None:  # noqa: ANN401  from JSON
    """Write one file, if the manifest names it, it stays inside the folder, and its digest is right."""
    place = os.path.normpath(os.path.join(folder, member.name))
    inside = place.startswith(os.path.join(folder, "")) and not os.path.isabs(member.name) and "\\" not in member.name
    if not (member.isreg() and inside and isinstance(wanted, dict)):
        raise Damaged(f"{archive} holds {member.name!r}, which is no file of a store")
    source = tar.extractfile(member)
    if source is None:
        raise Damaged(f"{archive}: {member.name} cannot be read")
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
        digest = _copied(source, opened)
        opened.flush()
        os.fsync(opened.fileno())
    if digest != wanted["sha256"]:
        raise Damaged(f"{archive}: {member.name} is not what was backed up: its digest differs")


def _copied(source: IO[bytes], target: IO[bytes]) -> str:
    """Copy a file and return its digest."""
    digest = sha256()
    while block := source.read(_BLOCK):
        digest.update(block)
        target.write(block)
    return digest.hexdigest()


def _digest_of(path: str) -> dict[str, str | int]:
    """Return the digest and the size of a file."""
    digest, size = sha256(), 0
    with open(path, "rb") as opened:
        while block := opened.read(_BLOCK):
            digest.update(block)
            size += len(block)
    return {"sha256": digest.hexdigest(), "size_bytes": size}


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    """Add a file that is no file yet."""
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(content), 0o600
    tar.addfile(info, io.BytesIO(content))


def _anonymous(info: tarfile.TarInfo) -> tarfile.TarInfo:
    """Return an entry without its owner: an archive is restored elsewhere."""
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    info.mode = 0o600
    return info


def files_beside(folder: str, database: str, skipped: Sequence[str]) -> dict[str, str]:
    """Return the files of a store besides its database, by their path in the store.

    Args:
        folder: of the store.
        database: the database file; its log files are left out, too.
        skipped: folders of the store that are left out.
    """
    found: dict[str, str] = {}
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if os.path.relpath(os.path.join(place, one), folder) not in skipped)
        for name in sorted(names):
            path = os.path.join(place, name)
            if not path.startswith(database) and os.path.isfile(path) and not os.path.islink(path):
                found[os.path.relpath(path, folder).replace(os.sep, "/")] = path
    return found


def require_folder(folder: str) -> None:
    """Make a folder for archives.

    Raises:
        InputError: if it is a file.
        StorageFailed: if it cannot be made.
    """
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise InputError(f"{folder} is a file, not a folder")
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
    except OSError as error:
        raise StorageFailed(f"the folder {folder} cannot be made: {error.strerror}") from error
