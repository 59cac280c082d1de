"""The command line as a real process: streams, encodings, a reader that leaves, what a start imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

pytestmark = pytest.mark.slow

START: Final = "import sys; from treering.surfaces.cli import main; sys.exit(main())"
SCRIPT: Final = "from treering.surfaces.cli import run; run()"
# What a start must not pay for: each of these costs more than parsing the command line does.
DEAR: Final = (
    "asyncio", "inspect", "importlib.metadata", "logging", "shutil", "pathlib", "dataclasses", "apsw", "json",
)  # fmt: skip


def start(*words: str | bytes, typed: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
    """Run the program in a process of its own and return what it left."""
    return subprocess.run(
        [sys.executable, "-c", START, *words],
        input=typed,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "", **variables},
        timeout=60,
    )


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """Return an indexed folder of one document, named relative to the working directory."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (tmp_path / ".git").mkdir()
    text = "# Café\n\n" + "".join(f"The café number {number} opens at nine.\n\n" for number in range(300))
    (folder / "café.md").write_text(text, encoding="utf-8")
    assert start("index", "docs").returncode == 0
    return folder


def test_the_version_imports_next_to_nothing() -> None:
    """--version stays a matter of milliseconds: none of the dear modules is loaded for it."""
    code = (
        "import sys; before = set(sys.modules); from treering.surfaces.cli import main; main(['--version']);"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        check=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    loaded = done.stdout.splitlines()[1].split()
    assert not set(loaded) & set(DEAR), loaded


def test_a_search_process_prints_its_answer_alone(documents: Path) -> None:
    """Standard error stays empty, also off a terminal; there is no colour."""
    done = start("search", "café", "opens", "-k", "1")
    assert (done.returncode, done.stderr) == (0, b"")
    assert "café.md:" in done.stdout.decode()
    assert b"\x1b" not in done.stdout


def test_a_question_may_come_from_a_pipe(documents: Path) -> None:
    """Standard input is the question when none was typed."""
    assert start("search", typed="when does the café open".encode()).returncode == 0


def test_a_terminal_that_knows_ascii_only_gets_escapes(documents: Path) -> None:
    """No letter stops the output, and JSON stays JSON."""
    assert start("search", "café", PYTHONIOENCODING="ascii").returncode == 0
    done = start("search", "café", "--json", PYTHONIOENCODING="ascii")
    assert json.loads(done.stdout.decode("ascii"))["query"] == "café"


@pytest.mark.skipif(os.name != "posix", reason="arguments are bytes on POSIX only")
def test_arguments_that_are_no_utf_8_are_words_all_the_same(documents: Path) -> None:
    """A broken byte in a question is a mark between words; in a path it is a name that is not there."""
    assert start("search", b"opens \xff nine").returncode == 0
    assert json.loads(start("search", b"opens \xff nine", "--json").stdout)["query"] == "opens \ufffd nine"
    assert start("index", b"no\xffwhere").returncode == 3
    assert json.loads(start("index", b"no\xffwhere", "--json").stdout)["error"]["exit"] == 3


def test_a_reader_that_leaves_is_no_error(documents: Path) -> None:
    """Output into a closed pipe ends quietly."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        done = subprocess.run(
            [sys.executable, "-c", START, "show", "docs/café.md"],
            stdout=closed,
            stderr=subprocess.PIPE,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [["status"], ["--version"], ["help"], ["status", "--json"]])
@pytest.mark.parametrize("script", [START, SCRIPT])
def test_an_output_that_cannot_be_written_is_told(
    documents: Path, script: str, words: list[str], unbuffered: str
) -> None:
    """A full disk behind standard output is no bug of ours: exit status 6 and words."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", script, *words],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONUNBUFFERED": unbuffered},
        )
    assert done.returncode == 6
    assert b"standard output cannot be written" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(os.name != "posix", reason="file names are bytes on POSIX only")
def test_places_that_are_no_utf_8_are_told_in_words(documents: Path) -> None:
    """Wherever a broken byte stands, the outcome is an answer or an error that says what to do, no bug of ours."""
    odd = os.fsencode(documents.parent) + b"/odd\xff"
    os.mkdir(odd)
    for words in (
        ("index", odd),
        ("index", "docs", "--file", b"docs/caf\xe9.md"),
        ("index", "docs", "--glob", b"*\xe9.md"),
        ("search", "--path", odd, "opens"),
        ("search", "--source", b"src_\xff", "opens"),
        ("search", "--where", b"topic=\xff", "opens"),
        ("list", "sources", "--after", b"\xff"),
        ("show", b"docs/caf\xe9.md"),
        ("--store", odd, "index", "docs"),
        ("--store", odd, "search", "opens"),
        ("demo", b"\xff"),
    ):
        done = start(*words)
        assert done.returncode in range(8), (words, done)
        assert b"Traceback" not in done.stderr, (words, done)
