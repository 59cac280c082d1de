"""Which store is used from where, and how its paths survive a move."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.errors import NotFound
from treering.places import Place, Scope, find_place, find_project, global_folder, user_settings


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a folder for projects; no folder above it is one."""
    return tmp_path


def make(folder: Path, *marks: str) -> Path:
    """Make a folder with marks in it: a name that ends in ``/`` is a folder, any other an empty file."""
    folder.mkdir(parents=True, exist_ok=True)
    for mark in marks:
        if mark.endswith("/"):
            (folder / mark).mkdir()
        else:
            (folder / mark).touch()
    return folder


def project_of(cwd: Path, home: Path, **environ: str) -> Path | None:
    """Return the project that a folder lies in."""
    found = find_project(str(cwd), {"HOME": str(home), **environ})
    return None if found is None else Path(found)


def place_of(store: str | None, cwd: Path, environ: dict[str, str], scope: Scope = "both") -> tuple[object, ...]:
    """Return the store that is used, as paths."""
    folder, database, kind, project, home, *_ = find_place(store, str(cwd), environ, scope)
    return Path(folder), Path(database), kind, None if project is None else Path(project), Path(home)


@pytest.mark.parametrize("mark", [".git/", ".git", ".hg/", ".jj/", ".svn/", "pyproject.toml", "package.json", "go.mod"])
def test_a_mark_makes_a_project(tree: Path, home: Path, mark: str) -> None:
    """A folder under version control or with a build file is a project, seen from anywhere below it."""
    top = make(tree / "p", mark)
    deep = make(top / "a" / "b")
    assert project_of(deep, home) == project_of(top, home) == top
    assert project_of(make(tree / "other"), home) is None


def test_a_store_wins_over_version_control_and_that_over_build_files(tree: Path, home: Path) -> None:
    """The nearest store decides, else the nearest version control, else the outermost build file."""
    top = make(tree / "top", "pyproject.toml")
    middle = make(top / "middle", "package.json")
    inner = make(middle / "inner", "setup.py")
    assert project_of(inner, home) == top
    make(middle, ".git/")
    assert project_of(inner, home) == middle
    make(top, ".git/")
    assert project_of(inner, home) == middle
    make(top, ".treering/")
    assert project_of(inner, home) == top
    make(inner, ".treering/")
    assert project_of(inner, home) == inner


def test_home_and_above_are_never_a_project(tree: Path) -> None:
    """Neither the home folder nor one above it is a project, whatever lies in it; folders below it may be."""
    make(tree, ".git/", "package.json")
    home = make(tree / "home", ".git/", ".treering/", "pyproject.toml")
    assert project_of(home, home) is None
    assert project_of(make(home / "notes"), home) is None
    assert project_of(make(home / "code", ".git/"), home) == home / "code"
    assert project_of(Path("/"), home) is None


def test_a_broken_link_is_a_mark(tree: Path, home: Path) -> None:
    """A mark counts although it leads nowhere, as a worktree's ``.git`` may."""
    (make(tree / "p") / ".git").symlink_to("gone")
    assert project_of(tree / "p", home) == tree / "p"


def test_a_named_project(tree: Path, home: Path) -> None:
    """``TREERING_PROJECT`` decides, relative to the working directory; a folder that is not there is refused."""
    make(tree / "p", ".git/")
    other = make(tree / "q")
    assert project_of(tree / "p", home, TREERING_PROJECT=str(other)) == other
    assert project_of(tree / "p", home, TREERING_PROJECT="../q") == other
    assert project_of(tree / "p", home, TREERING_PROJECT="") == tree / "p"
    with pytest.raises(NotFound, match=r"TREERING_PROJECT names .*gone, which is no directory"):
        project_of(tree / "p", home, TREERING_PROJECT="gone")


def test_which_store(tree: Path, home: Path) -> None:
    """An explicit store wins over a named one, that over the project's, and without any the user's own is used."""
    top = make(tree / "p", ".git/")
    environ = {"HOME": str(home)}
    own = home / ".local" / "share" / "treering"
    project = (top / ".treering", top / ".treering" / "memory.db", "project", top, home)
    assert place_of(None, top / "a", environ) == project
    named = {**environ, "TREERING_STORE": "elsewhere"}
    assert place_of(None, top, named) == (top / "elsewhere", top / "elsewhere" / "memory.db", "named", top, home)
    assert place_of("here", top, named) == (top / "here", top / "here" / "memory.db", "named", top, home)
    assert place_of(None, tree, environ) == (own, own / "memory.db", "global", None, home)
    assert list(top.iterdir()) == [top / ".git"]


def test_a_scope_chooses(tree: Path, home: Path) -> None:
    """One scope alone is taken at its word: the project's store or an error, the user's own in a project too."""
    top = make(tree / "p", ".git/")
    environ = {"HOME": str(home), "TREERING_STORE": "elsewhere"}
    own = home / ".local" / "share" / "treering"
    assert place_of(None, top, environ, "project")[:3] == (
        top / ".treering",
        top / ".treering" / "memory.db",
        "project",
    )
    assert place_of(None, top, environ, "global") == (own, own / "memory.db", "global", None, home)
    with pytest.raises(NotFound, match="is in no project"):
        find_place(None, str(tree), environ, "project")


@pytest.mark.parametrize(
    ("store", "folder", "database"),
    [
        ("/srv/m", "/srv/m", "/srv/m/memory.db"),
        ("/srv/m/x.db", "/srv/m", "/srv/m/x.db"),
        ("/srv/m/x.sqlite3", "/srv/m", "/srv/m/x.sqlite3"),
        ("/srv/m/x.txt", "/srv/m/x.txt", "/srv/m/x.txt/memory.db"),
    ],
)
def test_a_store_is_a_folder_or_a_database(tree: Path, home: Path, store: str, folder: str, database: str) -> None:
    """A store is named by its folder or by its database file, told apart by the suffix."""
    environ = {"HOME": str(home)}
    assert place_of(store, tree, environ)[:2] == (Path(folder), Path(database))
    assert place_of("~/m", tree, environ)[0] == home / "m"


def test_the_users_folders(home: Path) -> None:
    """The user's store and settings stand where the variables say, else in the usual folders."""
    environ = {"HOME": str(home)}
    assert global_folder(environ) == f"{home}/.local/share/treering"
    assert global_folder({**environ, "XDG_DATA_HOME": "/data"}) == "/data/treering"
    assert global_folder({**environ, "XDG_DATA_HOME": "/data", "TREERING_HOME": "~/own"}) == f"{home}/own"
    assert user_settings(environ) == f"{home}/.config/treering/config.toml"
    assert user_settings({**environ, "XDG_CONFIG_HOME": "/etc/x"}) == "/etc/x/treering/config.toml"


def test_commands_name_their_store() -> None:
    """A command that is proposed to a reader works on the same store, whatever its path holds."""
    assert IN_PROJECT._replace(database="/s p/memory.db").command("index", "a b") == (
        "treering --store '/s p/memory.db' index 'a b'"
    )
    assert WITHOUT.command("status") == "treering --scope global status"
    assert IN_PROJECT._replace(scope="project").command("status") == "treering status"


IN_PROJECT = Place("/s", "/s/memory.db", "named", "/home/me/p", "/home/me")
WITHOUT = Place("/s", "/s/memory.db", "global", None, "/home/me")


@pytest.mark.parametrize(
    ("place", "path", "anchored"),
    [
        (IN_PROJECT, "/home/me/p/docs/a.md", "docs/a.md"),
        (IN_PROJECT, "/home/me/p", "."),
        (IN_PROJECT, "/home/me/p/~/a.md", "./~/a.md"),
        (IN_PROJECT, "/home/me/p/~", "./~"),
        (IN_PROJECT, "/home/me/p/~a.md", "~a.md"),
        (IN_PROJECT, "/home/me/p2/a.md", "~/p2/a.md"),
        (IN_PROJECT, "/home/me", "~"),
        (IN_PROJECT, "/home/mei/a.md", "/home/mei/a.md"),
        (IN_PROJECT, "/srv/a b/ü 漢.md", "/srv/a b/ü 漢.md"),
        (IN_PROJECT, "/", "/"),
        (WITHOUT, "/home/me/p/docs/a.md", "~/p/docs/a.md"),
        (WITHOUT, "/srv/a.md", "/srv/a.md"),
    ],
)
def test_anchors(place: Place, path: str, anchored: str) -> None:
    """A path is kept relative to the project, else to the home folder, else absolute; and leads back to itself."""
    assert place.anchor(path) == anchored
    assert place.resolve(anchored) == path


def test_a_project_can_move() -> None:
    """What lies in the project is found below its new place; what lies outside stays where it was."""
    moved = Place("/s", "/s/memory.db", "named", "/mnt/copy", "/home/me")
    assert moved.resolve("docs/a.md") == "/mnt/copy/docs/a.md"
    assert moved.resolve(".") == "/mnt/copy"
    assert moved.resolve("~/notes/a.md") == "/home/me/notes/a.md"
    assert moved.resolve("/srv/a.md") == "/srv/a.md"


PARTS = st.lists(
    st.just("~") | st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1), max_size=4
)


@given(st.sampled_from(["/home/me/p", "/home/me", "/home", "/", "/srv"]), PARTS)
def test_every_path_leads_back(start: str, parts: list[str]) -> None:
    """Whatever a file is called, its anchored form resolves to it, also where a folder is called ``~``."""
    below = [part for part in parts if part not in {".", ".."}]
    path = os.path.join(start, *below)
    for place in (IN_PROJECT, WITHOUT):
        anchored = place.anchor(path)
        assert place.resolve(anchored) == path
        assert place.anchor(place.resolve(anchored)) == anchored


def test_a_store_on_a_server(tmp_path: Path) -> None:
    """Its paths hang on no project unless one is named; what is shown of it, commands included, has no password."""
    environ = {
        "HOME": str(tmp_path),
        "TREERING_STORE": "postgresql://ines:geheim@db/kelp?sslpassword=x1y2&sslmode=require",
    }
    shown = "postgresql://ines@db/kelp?sslmode=require"
    place = find_place(None, str(tmp_path), environ)
    assert (place.database, place.scope, place.project) == (shown, "shared", None)
    assert place.anchor(str(tmp_path / "notes")) == "~/notes"
    assert place.command("index", "docs") == "treering index docs"
    assert not any(secret in repr(place) for secret in ("geheim", "x1y2"))
    named = find_place(environ["TREERING_STORE"], str(tmp_path), {**environ, "TREERING_PROJECT": str(tmp_path)})
    assert named.project == str(tmp_path)
    assert named.anchor(str(tmp_path / "notes")) == "notes"
    assert named.command("status") == f"treering --store '{shown}' status"
