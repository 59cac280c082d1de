"""``treering digest``: long output made short."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from treering.errors import InputError, NotFound
from treering.surfaces.cli.code import add_session, session_of
from treering.surfaces.cli.options import Command, Request, open_memory, whole_number
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

_MOST_BYTES: Final = 200_000_000


def _declare(parser: ArgumentParser) -> None:
    """Add what the output is called and how much is shown."""
    parser.add_argument("--label", metavar="L", default="", help="what recall calls it (default: the file's name)")
    parser.add_argument(
        "--max-tokens", metavar="N", type=whole_number(200, 100_000), help="upper bound (default: 1500)"
    )
    add_session(parser)


def _run(request: Request) -> int:
    """Condense a file, or what is piped in."""
    options = request.options
    if len(request.words) > 1:
        raise InputError(f"one file at a time, got {len(request.words)}", hint="treering digest test.log")
    name = request.words[0] if request.words else "-"
    text = _read(name)
    label = printable(options.label or ("output" if name == "-" else name.rpartition("/")[2]))
    with open_memory(options) as memory:
        condensed = memory.digest_output(text, label=label, max_tokens=options.max_tokens, session=session_of(options))
    from treering.domain.text import llm_tokens
    from treering.surfaces import views_workbench as views

    shown = views.condensed_text(condensed, "treering scratch recall WORDS finds lines of it")
    if options.json:
        say_json(views.condensed_json(condensed, llm_tokens(shown)))
    else:
        say(shown)
    return 0


def _read(name: str) -> str:
    """Return the output of a file or of standard input; bytes that are no UTF-8 become ``�``.

    Raises:
        NotFound: if there is no such file.
        InputError: if it cannot be read, is too large, or nothing is piped in.
    """
    try:
        if name != "-":
            with open(name, "rb") as file:
                raw = file.read(_MOST_BYTES + 1)
        elif sys.stdin is None or sys.stdin.isatty():
            raise InputError("there is nothing to condense", hint="make test 2>&1 | treering digest -")
        else:
            raw = sys.stdin.buffer.read(_MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise NotFound(f"there is no file {name}", hint="make test 2>&1 | treering digest -") from error
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}", hint="treering digest --help") from error
    if len(raw) > _MOST_BYTES:
        raise InputError(
            f"{name} is larger than {_MOST_BYTES // 1_000_000} MB", hint="tail -c 100M FILE | treering digest -"
        )
    return raw.decode("utf-8-sig", "replace")


COMMAND: Final = Command(
    "digest",
    "FILE|- [options]",
    "Make long output short: its first lines, the names of failed tests, errors with what stands around them, totals, "
    "its last lines. The whole is kept for the session; `treering scratch recall` finds lines of it.",
    ("treering digest build.log --label build", "make test 2>&1 | treering digest -"),
    _declare,
    _run,
)
