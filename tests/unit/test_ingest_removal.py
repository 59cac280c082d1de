"""What may leave the index, and what is held back because it looks like a failed mount."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from treering.ingest.removal import emptied, holdback

if TYPE_CHECKING:
    from pathlib import Path

TEN = [f"a/{n}.md" for n in range(10)]
TWENTY = [f"b/{n}.md" for n in range(20)]


def test_a_handful_leaves_without_asking() -> None:
    """Up to five files leave, even when they are the whole index."""
    assert holdback(TEN[:5], TEN[:5], ["a"]).removed == tuple(TEN[:5])


def test_a_vanished_folder_of_more_is_held() -> None:
    """More than five files of an emptied folder stay, and the folder is named."""
    found = holdback(TEN + TWENTY, [*TEN, "b/1.md"], ["a"])
    assert (found.removed, found.held) == (("b/1.md",), tuple(TEN))
    assert "10 files of the folder a" in found.reasons[0]


def test_files_of_a_folder_that_holds_others_leave() -> None:
    """Deleting some of a folder's files is a deletion."""
    assert holdback(TEN + TWENTY, TEN, []).removed == tuple(TEN)


def test_only_the_outermost_emptied_folder_is_named() -> None:
    """A folder inside an emptied one is no reason of its own."""
    gone = [f"a/in/{n}.md" for n in range(6)]
    assert len(holdback(gone + TWENTY, gone, ["a", "a/in"]).reasons) == 1


def test_exactly_half_leaves_and_more_is_held() -> None:
    """Half of the index may go; one file more looks wrong."""
    assert holdback(TWENTY, TWENTY[:10], []).held == ()
    assert holdback(TWENTY, TWENTY[:11], []).held == tuple(sorted(TWENTY[:11]))


@pytest.mark.parametrize("prune,left", [(True, 0), (False, 20)])
def test_the_user_decides(prune: bool, left: int) -> None:  # noqa: FBT001
    """``--prune`` removes all that is gone, ``--no-prune`` nothing."""
    assert len(holdback(TWENTY, TWENTY, ["b"], prune=prune).held) == left


def test_a_folder_with_the_same_beginning_is_another() -> None:
    """An emptied ``a`` says nothing about ``ab``."""
    gone = [f"ab/{n}.md" for n in range(6)]
    assert holdback(gone + TWENTY, gone, ["a"]).held == ()


def test_emptied_folders_are_seen_on_disk(tmp_path: Path) -> None:
    """A folder is emptied when it is absent or holds no file at any depth."""
    (tmp_path / "empty" / "deep").mkdir(parents=True)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "other.bin").touch()
    gone = ["empty/deep/a.md", "full/a.md", "absent/in/a.md", "a.md"]
    assert emptied(str(tmp_path), gone) == {"empty", "empty/deep", "absent", "absent/in"}
