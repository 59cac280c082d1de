"""Where things are: the project, the stores, and paths that survive a move.

A stored path is *anchored*: relative to the project (``docs/a.md``), to the home folder
(``~/notes/a.md``) or absolute (``/srv/notes/a.md``), in this order of preference, so that a project
can be copied anywhere with its store. ``.`` is the project itself. Separators are ``/``.

Paths here are strings: importing pathlib costs a cold search 3 ms.
"""

from __future__ import annotations

import os

from treering.domain.named import NamedTuple
from treering.errors import NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Final, Literal

    from treering.domain.address import Address

    Environment = Mapping[str, str]
    Scope = Literal["project", "global", "both"]
else:  # what typing costs is saved where a command starts (docs/decisions/0008)
    Scope = str

STORE_FOLDER: Final = ".treering"
DATABASE_FILE: Final = "memory.db"
SETTINGS_FILE: Final = "config.toml"
_DATABASE_SUFFIXES: Final = (".db", ".sqlite", ".sqlite3")
_VCS: Final = (".git", ".hg", ".jj", ".svn", ".fossil", ".bzr")
_SCHEMES: Final = ("postgresql://", "postgres://")
_BUILD_FILES: Final = (
    "pyproject.toml", "setup.py", "package.json", "Cargo.toml", "go.mod", "pom.xml", "build.gradle",
    "build.gradle.kts", "composer.json", "Gemfile", "mix.exs", "CMakeLists.txt", "deno.json",
)  # fmt: skip


class Place(NamedTuple):
    """One store and what its paths are relative to. All paths are absolute.

    Attributes:
        folder: the store's folder.
        database: the database file in it.
        scope: ``project``, ``global``, ``named`` (by a path) or ``shared`` (on a server).
        project: root of the project, for a store named by path the one that holds the store; None without one.
        home: the user's home folder.
        address: where the database is, if it is on a server; ``database`` is then how that is shown to people.
        assumed: whether the environment names the store, so that commands need not.
        checkout: root of the further worktree that one stands in, whose repository's main one has the store.
        chosen: whether the user's own store was asked for; else it is used for want of a project.
    """

    folder: str
    database: str
    scope: str
    project: str | None
    home: str
    address: Address | None = None
    assumed: bool = False
    checkout: str | None = None
    chosen: bool = False

    @property
    def lacks_project(self) -> bool:
        """Whether the user's own store is used because there is no project."""
        return self.scope == "global" and not self.chosen

    def anchor(self, path: str) -> str:
        """Return the anchored form of an absolute path; links in it are left as they are."""
        if self.project is not None and is_within(path, self.project):
            below = os.path.relpath(path, self.project).replace(os.sep, "/")
            return f"./{below}" if f"{below}/".startswith("~/") else below  # a folder that is called so
        if is_within(path, self.home):
            below = os.path.relpath(path, self.home).replace(os.sep, "/")
            return "~" if below == "." else f"~/{below}"
        return path.replace(os.sep, "/")

    def anchors(self, path: str) -> tuple[str, ...]:
        """Return every anchored directory that lies at or under an absolute path, its own form first.

        A folder above the project holds the project's files, whose anchored paths do not begin with its own.
        """
        found = [self.anchor(path)]
        if self.project is not None and path != self.project and is_within(self.project, path):
            found.append(".")
        if path != self.home and is_within(self.home, path):
            found.append("~")
        return tuple(found)

    def resolve(self, anchored: str) -> str:
        """Return the absolute path of an anchored one."""
        if anchored == "~" or anchored.startswith("~/"):
            return os.path.normpath(os.path.join(self.home, anchored[2:]))
        if self.project is None or os.path.isabs(anchored):
            return anchored
        return os.path.normpath(os.path.join(self.project, anchored))

    def command(self, *words: str) -> str:
        """Return a command over this store, ready to be pasted into a shell."""
        from shlex import join  # only a refusal needs it

        by_name = [] if self.assumed else ["--store", self.database]
        named = {"named": by_name, "shared": by_name, "global": ["--scope", "global"]}.get(self.scope, [])
        return join(["treering", *named, *words])


def is_within(path: str, folder: str) -> bool:
    """Tell whether ``path`` is ``folder`` or lies in it; both are absolute and normal."""
    return path == folder or path.startswith(folder if folder.endswith(os.sep) else folder + os.sep)


def find_place(
    store: str | None, cwd: str, environ: Environment, scope: Scope = "both", *, share_worktrees: bool = True
) -> Place:
    """Return the store to use from ``cwd``; nothing is made.

    Args:
        store: folder, database file or ``postgresql://`` URL named by the user; wins over everything.
        cwd: the working directory, absolute.
        environ: ``TREERING_STORE``, ``TREERING_PROJECT``, ``TREERING_HOME``, ``XDG_DATA_HOME``, ``HOME``.
        scope: ``project`` for the project's store only, ``global`` for the user's own; ``both`` for the project's,
            or the user's own outside a project.
        share_worktrees: whether further worktrees of a repository use the store of its main one.

    Raises:
        NotFound: if ``TREERING_PROJECT`` names no directory, or there is no project and one is asked for.
    """
    home = _home(environ)
    named = store or (environ.get("TREERING_STORE") if scope == "both" else None)
    if named and named.startswith(_SCHEMES):
        return _on_server(named, environ, home, assumed=not store)
    if named:
        path = _absolute(named, cwd, home)
        if path.endswith(_DATABASE_SUFFIXES):
            folder = os.path.dirname(path)
            return Place(folder, path, "named", _around(os.path.realpath(folder), home), home)
        return Place(path, os.path.join(path, DATABASE_FILE), "named", _around(os.path.realpath(path), home), home)
    project = None if scope == "global" else find_project(cwd, environ)
    if project is None and scope == "project":
        raise NotFound(
            f"{cwd} is in no project",
            hint="treering init --store .treering makes it one; without --scope project the user's own store is used",
        )
    folder = global_folder(environ) if project is None else os.path.join(project, STORE_FOLDER)
    kind = "global" if project is None else "project"
    checkout = None
    if project is not None and share_worktrees and not environ.get("TREERING_PROJECT"):
        main = None if os.path.exists(os.path.join(folder, DATABASE_FILE)) else main_worktree(project)
        if main is not None and not is_within(home, main):
            checkout, project, folder = project, main, os.path.join(main, STORE_FOLDER)
    database, chosen = os.path.join(folder, DATABASE_FILE), scope == "global"
    return Place(folder, database, kind, project, home, checkout=checkout, chosen=chosen)


def main_worktree(folder: str) -> str | None:
    """Return the main worktree of the Git repository of which ``folder`` is a further one; None when it is none.

    The repository must know the worktree, too: a file that came with an archive cannot lead to another project.
    """
    own = os.path.join(folder, ".git")
    if not os.path.isfile(own):
        return None
    try:
        git = os.path.join(folder, _line(own).removeprefix("gitdir:").strip())
        common = os.path.realpath(os.path.join(git, _line(os.path.join(git, "commondir"))))
        known = os.path.realpath(os.path.join(git, _line(os.path.join(git, "gitdir"))))
    except (OSError, ValueError):  # a submodule, or no worktree that is whole
        return None
    main = os.path.dirname(common)
    is_main = os.path.basename(common) == ".git" and os.path.isdir(main)
    return main if is_main and known == os.path.realpath(own) else None


def _line(file: str) -> str:
    """Return the first line of a small file."""
    with open(file, encoding="utf-8", errors="surrogateescape") as opened:
        return opened.readline(4096).strip()


def _on_server(url: str, environ: Environment, home: str, *, assumed: bool) -> Place:
    """Return the place of a store on a server.

    Many projects may be in it, so its paths hang on none of them, unless ``TREERING_PROJECT`` says that it belongs to
    one: then checkouts in different places hold the same files. What Treering keeps beside a store is in the user's
    own folder.
    """
    from treering.domain.address import Address

    address = Address(url)
    project = find_project(home, environ) if environ.get("TREERING_PROJECT") else None
    return Place(global_folder(environ), address.shown, "shared", project, home, address, assumed)


def global_folder(environ: Environment) -> str:
    """Return the folder of the user's own store."""
    home = _home(environ)
    if environ.get("TREERING_HOME"):
        return _absolute(environ["TREERING_HOME"], home, home)
    data = environ.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    return os.path.join(_absolute(data, home, home), "treering")


def user_settings(environ: Environment) -> str:
    """Return the user's settings file."""
    home = _home(environ)
    config = environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config")
    return os.path.join(_absolute(config, home, home), "treering", SETTINGS_FILE)


def find_project(cwd: str, environ: Environment) -> str | None:
    """Return the root of the project that ``cwd`` lies in; None when it lies in none.

    ``TREERING_PROJECT`` decides; else the nearest folder upwards with a store, else the nearest under
    version control, else the outermost with a build file. Never the home folder or above it, nor
    the root of the file system.

    Raises:
        NotFound: if ``TREERING_PROJECT`` names no directory.
    """
    home = _home(environ)
    named = environ.get("TREERING_PROJECT")
    if named:
        path = os.path.realpath(_absolute(named, cwd, home))
        if not os.path.isdir(path):
            raise NotFound(f"TREERING_PROJECT names {path}, which is no directory", hint="unset TREERING_PROJECT")
        return path
    return _around(cwd, home)


def _around(path: str, home: str) -> str | None:
    """Return the project that marks on disk say a folder lies in, which need not exist itself.

    A store named by path is read from anywhere, so what its paths are relative to hangs on nothing but where it lies:
    two projects that share one must not take each other's ``docs`` for their own.
    """
    candidates = [folder for folder in _upwards(path) if not is_within(home, folder)]
    for marks, nearest in (((STORE_FOLDER,), True), (_VCS, True), (_BUILD_FILES, False)):
        found = [folder for folder in candidates if any(os.path.lexists(os.path.join(folder, mark)) for mark in marks)]
        if found:
            return found[0] if nearest else found[-1]
    return None


def _home(environ: Environment) -> str:
    """Return the user's home folder, without links."""
    return os.path.realpath(environ.get("HOME") or os.path.expanduser("~"))


def _absolute(path: str, base: str, home: str) -> str:
    """Return ``path`` as an absolute one; ``~`` is the home folder."""
    if path == "~" or path.startswith(("~/", f"~{os.sep}")):
        path = os.path.join(home, path[2:])
    return os.path.normpath(os.path.join(base, path))


def _upwards(folder: str) -> Iterator[str]:
    """Yield a folder and those above it, without the root of the file system."""
    while (parent := os.path.dirname(folder)) != folder:
        yield folder
        folder = parent
