"""E02: which project is meant: worktrees share a store, and a folder that cannot be written still answers."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import treering
from treering.domain import mounts
from treering.errors import StorageFailed

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.sqlite

MOUNTS = """\
21 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
40 21 0:40 / /home rw - nfs4 filer:/home rw,vers=4.0
41 40 8:17 / /home/u/local rw - ext4 /dev/sdb1 rw
43 21 0:43 / /mnt/two\\040words rw - virtiofs host rw
45 21 0:45 / /mnt/ssh rw - fuse.sshfs u@h:/ rw
"""


@pytest.fixture
def git(tmp_path: Path) -> Callable[..., None]:
    """Return what runs Git in a folder of the test."""

    def run(folder: str, *words: str) -> None:
        whose = ("-c", "user.name=n", "-c", "user.email=n@example.invalid", "-c", "init.defaultBranch=main")
        subprocess.run(["git", "-C", str(tmp_path / folder), *whose, *words], check=True, capture_output=True)

    return run


@pytest.fixture
def worktree(tmp_path: Path, git: Callable[..., None]) -> Path:
    """Return a further worktree of the repository ``kelp``."""
    (tmp_path / "kelp").mkdir()
    git("kelp", "init", "-q")
    git("kelp", "commit", "-q", "--allow-empty", "-m", "x")
    git("kelp", "worktree", "add", "-q", "../kelp-next", "-b", "next")
    return tmp_path / "kelp-next"


def test_worktrees_share_one_memory(worktree: Path, tmp_path: Path, git: Callable[..., None]) -> None:
    """What is saved in one worktree is found in all, and stays when that one is removed."""
    with treering.open(worktree) as memory:
        assert memory.place.project == str(tmp_path / "kelp")
        assert memory.place.checkout == str(worktree)
        memory.remember("The bunting is red")
    git("kelp", "worktree", "remove", "--force", "../kelp-next")
    with treering.open(tmp_path / "kelp") as memory:
        assert memory.search("bunting").found


def test_a_setting_keeps_them_apart(worktree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``project.worktrees = "own"`` gives each worktree its own store."""
    monkeypatch.setenv("TREERING_PROJECT_WORKTREES", "own")
    with treering.open(worktree) as memory:
        memory.remember("The bunting is red")
    assert (worktree / ".treering" / "memory.db").is_file()
    assert not (tmp_path / "kelp" / ".treering").exists()


def test_a_file_that_came_along_leads_to_no_other_project(tmp_path: Path, worktree: Path) -> None:
    """The repository must know the worktree: a ``.git`` file in an archive is believed nothing."""
    false = tmp_path / "archive"
    false.mkdir()
    (false / ".git").write_text((worktree / ".git").read_text())
    with treering.open(false) as memory:
        assert memory.place.project == str(false)


def test_a_project_in_a_project_is_its_own(tmp_path: Path) -> None:
    """The nearest root wins."""
    (tmp_path / "outer" / ".git").mkdir(parents=True)
    inner = tmp_path / "outer" / "vendor" / "inner"
    (inner / ".git").mkdir(parents=True)
    with treering.open(inner) as memory:
        assert memory.place.project == str(inner)


def test_a_home_under_version_control_is_no_project(home: Path) -> None:
    """Dot files under Git make no project of a home folder."""
    (home / ".git").mkdir()
    (home / "notes").mkdir()
    with treering.open(home / "notes") as memory:
        assert memory.place.scope == "global"


def test_a_write_says_where_it_could_go(tmp_path: Path) -> None:
    """Where the project's store cannot be made, a search still answers from the user's own, and a write says so."""
    folder = tmp_path / "kelp"
    (folder / ".git").mkdir(parents=True)
    (folder / ".treering").symlink_to("/proc/nowhere")  # nobody makes a folder there
    with treering.open(scope="global") as own:
        own.remember("Tides come twice")
    with treering.open(folder) as memory:
        assert memory.search("tides").found
        with pytest.raises(StorageFailed) as failed:
            memory.remember("Oars are ash")
        assert "--scope global" in failed.value.hint


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/home/u/.treering", False),
        ("/home/u/local/.treering", True),
        ("/homes/x", True),
        ("/mnt/two words/x", False),
        ("/mnt/ssh/x", False),
        ("/srv/x", True),
    ],
)
def test_a_log_is_kept_where_no_other_machine_writes(path: str, allowed: bool) -> None:  # noqa: FBT001
    """CON-05: the table of mounts decides, the longest mount first."""
    assert mounts.wal_allowed(path, MOUNTS) is allowed


def test_a_store_on_a_shared_file_system_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is opened with a rollback journal, works, and the status names the reason."""
    table = tmp_path / "mountinfo"
    table.write_text("21 1 8:1 / / rw - nfs4 filer:/ rw\n")
    monkeypatch.setattr("treering.backends.sqlite.files._MOUNTS", str(table))
    with treering.open(store=tmp_path / "share") as memory:
        memory.remember("Tides come twice")
        assert memory.search("tides").found
        assert not list((tmp_path / "share").glob("*-wal"))
        assert any("shared file system (nfs4)" in notice for notice in memory.status().notices)
