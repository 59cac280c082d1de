"""The tour: real commands over real text, in a store that is gone afterwards."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest

from treering.surfaces.cli import main

MANUAL = """# Harbour manual

## Opening hours

The harbour office opens at seven and closes at nineteen.

## Mooring visiting boats

Visiting boats moor at the eastern pier and pay at the kiosk.

## Diesel and water supply

Diesel is sold at the fuel dock; drinking water is free.
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which temporary files are made in this test."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    """Return a folder with a manual of three sections and one more document."""
    folder = tmp_path / "manual"
    folder.mkdir()
    (folder / "harbour.md").write_text(MANUAL, encoding="utf-8")
    (folder / "pier.md").write_text("# Pier rules\n\n## Swimming near the pier\n\nIt is forbidden.\n", encoding="utf-8")
    return folder


def test_the_tour_of_a_folder_shows_the_main_job(
    capfd: pytest.CaptureFixture[str], manual: Path, temporary: Path, home: Path
) -> None:
    """Index, cited answers, a narrowed question, memories that change, NOT FOUND; and nothing is left behind."""
    before = sorted(manual.rglob("*"))
    assert main(["demo", str(manual)]) == 0
    out = capfd.readouterr().out
    commands = [line for line in out.splitlines() if line.startswith("$ treering ")]
    assert commands[0].startswith("$ treering index")
    assert commands[-1] == commands[0]
    assert "made from its own headings" in out
    assert "[1] " in out
    assert "--path" in out
    assert "it takes the place of what held before" in out
    assert "since 2026-02-03: PostgreSQL 17; before: PostgreSQL 16" in out
    assert "since 2025-03-01: PostgreSQL 16, until 2026-02-03" in out
    assert "disputed: the owner decides" in out
    assert "NOT FOUND" in out
    assert "nothing changed" in out
    assert sorted(manual.rglob("*")) == before
    assert list(temporary.iterdir()) == []
    assert list(home.iterdir()) == []


def test_questions_read_like_questions(
    capfd: pytest.CaptureFixture[str], manual: Path, temporary: Path, home: Path
) -> None:
    """A heading that asks comes first, one that many files share never; every question is answered by its own file."""
    boilerplate = "\n## Where this document applies\n\nEverywhere in the harbour.\n"
    text = (manual / "pier.md").read_text(encoding="utf-8")
    (manual / "pier.md").write_text(text + "\n## Who may fish there?\n\nMembers.\n" + boilerplate, encoding="utf-8")
    (manual / "harbour.md").write_text(MANUAL + boilerplate, encoding="utf-8")
    assert main(["demo", "--json", str(manual)]) == 0
    steps = json.loads(capfd.readouterr().out)["steps"]
    searches = [step for step in steps if step["command"].startswith("treering search")]
    assert "Who may fish there?" in searches[0]["command"]
    assert "Mooring visiting boats" in searches[1]["command"]
    files = [step["output"]["results"][0]["source"]["file"] for step in searches[:-1]]
    assert [Path(file).name for file in files[:2]] == ["pier.md", "harbour.md"]
    assert not any("document applies" in step["command"] for step in searches)
    assert [step["exit"] for step in searches[:-1]] == [0] * len(files)


@pytest.mark.slow
def test_the_tour_needs_no_folder(
    capfd: pytest.CaptureFixture[str], temporary: Path, tmp_path: Path, home: Path
) -> None:
    """Without one it reads the descriptions of installed packages; each question but the stray one is answered."""
    assert main(["demo", "--json"]) == 0
    tour = json.loads(capfd.readouterr().out)
    assert tour["schema"] == 1
    searches = [step for step in tour["steps"] if step["command"].startswith("treering search")]
    assert [step["exit"] for step in searches] == [0, 0, 0, 1]
    assert tour["steps"][0]["output"]["outcomes"][0]["added"] >= 3
    assert {outcome["added"] for outcome in tour["steps"][-1]["output"]["outcomes"]} == {0}
    expected = ("apsw", "pathspec", "pyromark")
    for step, package in zip(searches, expected, strict=False):
        assert package in [
            name for result in step["output"]["results"] for name in result["metadata"].get("package", [])
        ]
    assert list(temporary.iterdir()) == []
    assert list(home.iterdir()) == []
    assert Path.cwd() == tmp_path


@pytest.mark.parametrize("content", [{}, {"picture.png": b"\x89PNG\r\n\x1a\n\x00\x00"}])
def test_a_folder_without_readable_files_is_not_found(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, temporary: Path, content: dict[str, bytes]
) -> None:
    """An empty folder, or one of pictures: said in words, exit status 3."""
    folder = tmp_path / "empty"
    folder.mkdir()
    for name, data in content.items():
        (folder / name).write_bytes(data)
    assert main(["demo", str(folder)]) == 3
    assert "no file that can be read" in capfd.readouterr().err
    assert list(temporary.iterdir()) == []


def test_an_absent_folder_is_not_found(capfd: pytest.CaptureFixture[str], temporary: Path) -> None:
    """Exit status 3, as an object too."""
    assert main(["demo", "nowhere"]) == 3
    assert "nowhere" in capfd.readouterr().err
    assert main(["demo", "nowhere", "--json"]) == 3
    assert json.loads(capfd.readouterr().out)["error"]["exit"] == 3
