"""``treering code``: source code by symbol, always as it stands on the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, did_you_mean, open_memory, whole_number
from treering.surfaces.cli.terminal import printable, progress_bar, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Sequence

_ACTIONS: Final = ("map", "find", "read")


def _declare(parser: ArgumentParser) -> None:
    """Add what is looked at and how much is shown."""
    parser.add_argument(
        "--detail",
        choices=("files", "symbols"),
        default="files",
        help="map: files with sizes, or also what they declare",
    )
    parser.add_argument("--path", metavar="DIR", default=".", help="find: where to look (default: here)")
    parser.add_argument(
        "--files", choices=("main", "test", "all"), default="main", help="find: without tests, tests alone, or all"
    )
    parser.add_argument("--subpath", metavar="P", default="", help="map, find: only what lies under P below it")
    parser.add_argument("--clue", metavar="TEXT", help="find: words that tell candidates apart")
    parser.add_argument("--max-tokens", metavar="N", type=whole_number(100, 100_000), help="upper bound of the answer")
    parser.add_argument("--force", action="store_true", help="read: the whole file, whatever was read before")
    parser.add_argument(
        "--start-line", metavar="N", type=whole_number(1, 2**31), default=1, help="read: where to begin"
    )
    parser.add_argument("--limit-lines", metavar="N", type=whole_number(1, 2**31), help="read: lines at the most")
    add_session(parser)


def add_session(parser: ArgumentParser) -> None:
    """Add which session a command belongs to."""
    parser.add_argument(
        "--session", metavar="NAME", help="the session it belongs to (default: TREERING_SESSION, else this terminal's)"
    )


def session_of(options: Namespace) -> str:
    """Return the session that a command belongs to."""
    import os

    from treering.workbench import sessions

    return options.session or sessions.current(os.environ)


def _run(request: Request) -> int:
    """Carry one of the three out."""
    action, *words = request.words or ("",)
    words = [printable(word) for word in words]
    if action == "map":
        return _map(request.options, words)
    if action == "find":
        return _find(request.options, words)
    if action == "read":
        return _read(request.options, words)
    near = did_you_mean(action, _ACTIONS) if action else ""
    raise InputError(f"treering code takes map, find or read, got {action[:80]!r}{near}", hint="treering code --help")


def _map(options: Namespace, words: Sequence[str]) -> int:
    """Show the map of a project."""
    if len(words) > 1:
        raise InputError(f"one directory at a time, got {len(words)}", hint="treering code map src")
    with open_memory(options) as memory:
        drawn = memory.code_map(
            words[0] if words else ".",
            detail=options.detail,
            subpath=options.subpath,
            max_tokens=options.max_tokens,
            progress=None if options.json else progress_bar("indexing"),
        )
    from treering.surfaces import views_workbench as views

    if options.json:
        say_json(views.map_json(drawn))
    else:
        say(views.map_text(drawn))
    return 0


def _find(options: Namespace, words: Sequence[str]) -> int:
    """Show the symbol that answers; 1 when none does."""
    if not "".join(words).strip():
        raise InputError("nothing was asked", hint="treering code find 'where is the retry decided'")
    with open_memory(options) as memory:
        answer = memory.code_find(
            " ".join(words),
            path=options.path,
            files=options.files,
            subpath=options.subpath,
            clue=options.clue,
            max_tokens=options.max_tokens,
            progress=None if options.json else progress_bar("indexing"),
        )
    from treering.surfaces import views_workbench as views

    if options.json:
        say_json(views.code_json(answer))
    else:
        say(views.code_text(answer, "--clue", "treering code read {} --start-line {}"))
    return 0 if answer.found else 1


def _read(options: Namespace, words: Sequence[str]) -> int:
    """Show a file, or what is new about it."""
    if len(words) != 1:
        raise InputError(f"one file at a time, got {len(words)}", hint="treering code read src/main.py")
    with open_memory(options) as memory:
        handed = memory.read_file(
            words[0],
            force=options.force,
            start_line=options.start_line,
            limit_lines=options.limit_lines,
            max_tokens=options.max_tokens,
            session=session_of(options),
        )
    from treering.surfaces import views_workbench as views

    if options.json:
        say_json(views.handed_json(handed))
    else:
        say(views.handed_text(handed, "--force", f"treering code read {words[0]} --start-line {{}}"))
    return 0


COMMAND: Final = Command(
    "code",
    "map [DIR] | find QUERY… | read FILE [options]",
    "Source code by symbol: a map of a project with sizes, the one symbol that answers a question, a file that is "
    "handed out once in a session and afterwards only as what changed. What DIR holds is indexed first.",
    (
        "treering code map src --detail symbols",
        "treering code find 'where is the retry decided' --path src",
        "treering code read src/client.py",
    ),
    _declare,
    _run,
)
