"""The command line before any store is opened: help, mistakes in typing, numbers out of range."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from treering import settings
from treering.errors import BadSetting
from treering.surfaces.cli import main

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = (
    "init",
    "trust",
    "index",
    "import",
    "note",
    "remember",
    "context",
    "ask",
    "search",
    "status",
    "stats",
    "show",
    "list",
    "timeline",
    "facts",
    "conflicts",
    "changes",
    "tree",
    "consolidate",
    "propose",
    "review",
    "confirm",
    "update",
    "link",
    "entity",
    "pin",
    "unpin",
    "briefings",
    "duplicates",
    "undo",
    "audit",
    "pause",
    "resume",
    "archive",
    "restore-memory",
    "forget",
    "code",
    "scratch",
    "digest",
    "verify",
    "doctor",
    "backup",
    "restore",
    "export",
    "reindex",
    "sync",
    "rebuild",
    "serve",
    "eval",
    "demo",
)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    """Run a command and return its exit status and the one object that it printed."""
    exit_status = main(words)
    return exit_status, json.loads(capsys.readouterr().out)


def test_the_overview_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """All ways to ask for help print the same overview, with each command on a line."""
    overviews = []
    for words in (["help"], ["--help"], ["-h"]):
        assert main(words) == 0
        overviews.append(capsys.readouterr().out)
    assert len(set(overviews)) == 1
    listed = [line.split()[0] for line in overviews[0].splitlines() if line.startswith("  ") and line.split()]
    assert tuple(listed[: len(COMMANDS)]) == COMMANDS


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_explains_itself_with_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    """Help names the command, the global options and at least one line to try."""
    assert main(["help", command]) == 0
    text = capsys.readouterr().out
    assert main([command, "--help"]) == 0
    assert capsys.readouterr().out == text
    assert text.startswith(f"usage: treering {command}")
    assert f"\nexamples:\n  treering {command}" in text
    for option in ("--json", "--store", "--scope", "--as-agent"):
        assert option in text


def test_help_is_no_wider_than_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Descriptions wrap at COLUMNS; nonsense in it is ignored."""
    monkeypatch.setenv("COLUMNS", "60")
    main(["help", "search"])
    described = capsys.readouterr().out.partition("examples:")[0]
    assert max(map(len, described.splitlines())) <= 60
    monkeypatch.setenv("COLUMNS", "wide")
    assert main(["help", "search"]) == 0


def test_the_version_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Name and version, wherever the option stands."""
    for words in (["--version"], ["-V"], ["--version", "--scope", "both"]):
        assert main(words) == 0
        name, version = capsys.readouterr().out.split()
        assert name == "treering"
        assert version[0].isdigit()


@pytest.mark.parametrize(
    "words, expected",
    [
        (["serch", "x"], "did you mean search or scratch?"),
        (["search", "--limt", "3", "x"], "did you mean --limit?"),
        (["search", "--max_tokens=3", "x"], "did you mean --max-tokens?"),
        (["--jsn", "status"], "did you mean --json?"),
        (["list", "source"], "did you mean sources?"),
        (["--limit", "3", "search", "x"], "stand before the command"),
        (["help", "nothing"], "no command 'nothing'"),
        (["status", "now"], "takes no words"),
        (["init", "here"], "takes no words"),
        (["reindex", "all"], "takes no words"),
        (["index"], "no directory"),
        (["show"], "nothing was named"),
        (["list"], "proposals, briefings, roots, recent"),
        (["search", "--where", "topic", "x"], "KEY=VALUE"),
        (["search", "--where", "=x", "x"], "KEY=VALUE"),
        (["search", "--path"], "expected one argument"),
        (["search", "--mode", "magic", "x"], "invalid choice"),
        (["--store", "a", "--scope", "global", "status"], "two stores"),
        (["--store", "a", "demo"], "temporary store"),
        (["demo", "a", "b"], "one folder"),
        (["index", "--prune", "--no-prune", "a"], "not allowed with"),
    ],
)
def test_a_mistake_in_typing_is_bad_input(
    capsys: pytest.CaptureFixture[str], words: Sequence[str], expected: str
) -> None:
    """Exit status 2, what is wrong and how to go on, in words on standard error; no usage dump."""
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert expected in printed.err
    assert "\nhint: " in printed.err


def test_with_json_a_mistake_is_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    """Also when the options cannot be read, and wherever --json stands."""
    for words in (["--json", "search", "-k", "0", "x"], ["search", "x", "-k", "0", "--json"], ["serch", "--json"]):
        exit_status, printed = run_json(capsys, *words)
        assert exit_status == 2
        assert printed["schema"] == 1
        assert printed["error"]["exit"] == 2
        assert printed["error"]["code"] == "bad_input"


@pytest.mark.parametrize(
    "option, value, expected",
    [
        ("-k", "0", "1 to 100"),
        ("-k", "x", "1 to 100"),
        ("--limit", str(10**9), "1 to 100"),
        ("--limit", "9" * 5000, "1 to 100"),
        ("-k", "1.5", "1 to 100"),
        ("--max-tokens", "-5", "50 to 100000"),
        ("--max-tokens", "49", "50 to 100000"),
        ("--empty-gate", "2", "0 to 1"),
        ("--empty-gate", "nan", "0 to 1"),
        ("--empty-gate", "much", "0 to 1"),
    ],
)
def test_a_bad_number_is_told_its_range(
    capsys: pytest.CaptureFixture[str], option: str, value: str, expected: str
) -> None:
    """Exit status 2 with the range, and the message stays short."""
    assert main(["search", option, value, "x"]) == 2
    message = capsys.readouterr().err
    assert expected in message
    assert len(message) < 300


@pytest.mark.parametrize("name, option, value", [("LIMIT", "-k", 101), ("MAX_TOKENS", "--max-tokens", 100_001)])
def test_options_and_settings_have_the_same_limits(name: str, option: str, value: int) -> None:
    """What an option refuses as too much, its setting refuses too, and one less is right for both."""
    assert main(["search", option, str(value), "x"]) == 2
    with pytest.raises(BadSetting):
        settings.load((), {f"TREERING_SEARCH_{name}": str(value)})
    settings.load((), {f"TREERING_SEARCH_{name}": str(value - 1)})


@pytest.mark.parametrize("typed", [b"", b" \n", b"x" * 1_000_001])
def test_a_pipe_without_a_usable_question_is_bad_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: bytes
) -> None:
    """Nothing, white space, or a file piped in by mistake is refused before anything is opened."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed)))
    assert main(["search"]) == 2
    assert "standard input" in capsys.readouterr().err


def test_a_terminal_is_never_waited_for(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a question at a terminal the program says so instead of hanging."""
    monkeypatch.setattr("sys.stdin", Terminal())
    assert main(["search"]) == 2
    assert "nothing was asked" in capsys.readouterr().err


def test_hostile_words_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Errors repeat what was typed without its control characters, and not at length."""
    for words in (["\x1b[31mred"], ["search", "--\x1b[31mred"], ["list", "\x1b]0;t\x07" * 1000], ["x" * 100_000]):
        assert main(words) == 2
        message = capsys.readouterr().err
        assert "\x1b" not in message
        assert len(message) < 500


def test_progress_is_for_terminals_only() -> None:
    """A terminal sees a line that is drawn in place and wiped; a file sees nothing."""
    from treering.surfaces.cli.terminal import progress_bar

    assert progress_bar("indexing", io.StringIO()) is None
    terminal = Terminal()
    draw = progress_bar("indexing", terminal)
    assert draw is not None
    for done in range(1, 2001):
        draw(done, 2000)
    drawn = terminal.getvalue()
    assert "indexing 1 of 2,000" in drawn
    assert drawn.endswith("\r\x1b[K")
    assert drawn.count("\r") < 100


def test_a_removed_working_directory_is_not_found(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The program says what happened to the place where it was started."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert main(["status"]) == 3
    assert "removed" in capsys.readouterr().err
