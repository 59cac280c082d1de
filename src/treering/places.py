"""Where things are: the project, the stores, and paths that survive a move.

A stored path is *anchored*: relative to the project (``docs/a.md``), to the home folder
(``~/notes/a.md``) or absolute (``/srv/notes/a.md``), in this order of preference, so that a project
can be copied anywhere with its store. ``.`` is the project itself. Separators are ``/``.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from treering.errors import NotFound

if TYPE_CHECKING:
    from collections.abc import Mapping

STORE_FOLDER: Final = ".treering"
DATABASE_FILE: Final = "memory.db"
SETTINGS_FILE: Final = "config.toml"
_DATABASE_SUFFIXES: Final = frozenset({".db", ".sqlite", ".sqlite3"})
_VCS: Final = (".git", ".hg", ".jj", ".svn", ".fossil", ".bzr")
_BUILD_FILES: Final = (
    "pyproject.toml", "setup.py", "package.json", "Cargo.toml", "go.mod", "pom.xml", "build.gradle",
    "build.gradle.kts", "composer.json", "Gemfile", "mix.exs", "CMakeLists.txt", "deno.json",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """One store and what its paths are relative to.

    Attributes:
        folder: the store's folder.
        database: the database file in it.
        scope: ``project``, ``global`` or ``named`` (by a path).
        project: root of the project; None when the working directory is in none.
        home: the user's home folder.
    """

    folder: Path
    database: Path
    scope: str
    project: Path | None
    home: Path

    def anchor(self, path: Path) -> str:
        """Return the anchored form of an absolute path; links in it are left as they are."""
        if self.project is not None and path.is_relative_to(self.project):
            return path.relative_to(self.project).as_posix()
        if path.is_relative_to(self.home):
            return str(PurePosixPath("~") / path.relative_to(self.home).as_posix())
        return path.as_posix()

    def resolve(self, anchored: str) -> Path:
        """Return the absolute path of an anchored one."""
        if anchored == "~" or anchored.startswith("~/"):
            return self.home / anchored[2:]
        if anchored.startswith("/") or self.project is None:
            return Path(anchored)
        return self.project / anchored


def find_place(store: str | None, cwd: Path, environ: Mapping[str, str]) -> Place:
    """Return the store to use from ``cwd``; nothing is made.

    Args:
        store: folder or database file named by the user; wins over everything.
        cwd: the working directory, absolute.
        environ: ``TREERING_STORE``, ``TREERING_PROJECT``, ``TREERING_HOME``, ``XDG_DATA_HOME``, ``HOME``.

    Raises:
        NotFound: if ``TREERING_PROJECT`` names no directory.
    """
    home = Path(environ.get("HOME") or Path.home())
    project = find_project(cwd, home, environ)
    named = store or environ.get("TREERING_STORE")
    if named:
        path = cwd / Path(named).expanduser()
        if path.suffix in _DATABASE_SUFFIXES:
            return Place(path.parent, path, "named", project, home)
        return Place(path, path / DATABASE_FILE, "named", project, home)
    folder = global_folder(home, environ) if project is None else project / STORE_FOLDER
    return Place(folder, folder / DATABASE_FILE, "global" if project is None else "project", project, home)


def global_folder(home: Path, environ: Mapping[str, str]) -> Path:
    """Return the folder of the user's own store."""
    if environ.get("TREERING_HOME"):
        return Path(environ["TREERING_HOME"]).expanduser()
    return Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "treering"


def user_settings(home: Path, environ: Mapping[str, str]) -> Path:
    """Return the user's settings file."""
    return Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "treering" / SETTINGS_FILE


def find_project(cwd: Path, home: Path, environ: Mapping[str, str]) -> Path | None:
    """Return the root of the project that ``cwd`` lies in; None when it lies in none.

    ``TREERING_PROJECT`` decides; else the nearest folder upwards with a store, else the nearest under
    version control, else the outermost with a build file. Never the home folder or above it, nor
    the root of the file system.

    Raises:
        NotFound: if ``TREERING_PROJECT`` names no directory.
    """
    named = environ.get("TREERING_PROJECT")
    if named:
        path = cwd / Path(named).expanduser()
        if not path.is_dir():
            raise NotFound(f"TREERING_PROJECT names {path}, which is no directory", hint="unset TREERING_PROJECT")
        return path
    global_store = global_folder(home, environ)
    candidates = [
        folder
        for folder in (cwd, *cwd.parents)
        if folder != folder.parent and not home.is_relative_to(folder) and folder != global_store
    ]
    for marks, nearest in (((STORE_FOLDER,), True), (_VCS, True), (_BUILD_FILES, False)):
        found = [folder for folder in candidates if any(os.path.lexists(folder / mark) for mark in marks)]
        if found:
            return found[0] if nearest else found[-1]
    return None
