"""Commands and their options: one small parser, built for the command that was named alone.

Global options stand before or after the command, options before or after words. After ``--`` everything is a word.
"""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from treering.errors import BadFilter, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from treering.api import MemoryStore

_WIDEST: Final = 100
_EXAMPLES: Final = "examples:\n"


class Request(NamedTuple):
    """What was typed.

    Attributes:
        words: everything that is no option, in order.
        options: the options' values.
    """

    words: tuple[str, ...]
    options: argparse.Namespace


class Command(NamedTuple):
    """One command of the program.

    Attributes:
        name: as it is typed.
        usage: what stands behind the name.
        summary: what it does, in a sentence.
        examples: complete lines to try.
        declare: adds its options to a parser.
        run: does it and returns the exit status.
    """

    name: str
    usage: str
    summary: str
    examples: tuple[str, ...]
    declare: Callable[[argparse.ArgumentParser], None]
    run: Callable[[Request], int]


class _Layout(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal; argparse itself would import ``shutil`` for each option to know that."""

    def __init__(self, prog: str, **kwargs: Any) -> None:  # noqa: ANN401 - what argparse passes differs by version
        kwargs["width"] = _width()
        super().__init__(prog, **kwargs)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Wrap the description and leave the lines of the examples as they are."""
        layout = argparse.RawDescriptionHelpFormatter if text.startswith(_EXAMPLES) else argparse.HelpFormatter
        return layout._fill_text(self, text, width, indent)  # noqa: SLF001 - argparse offers no public way


class _Parser(argparse.ArgumentParser):
    """A parser that raises instead of leaving the program."""

    def error(self, message: str) -> NoReturn:
        """Raise what argparse found wrong."""
        raise InputError(message.removeprefix("argument "), hint=f"{self.prog} --help")


def _width() -> int:
    """Return the columns of the terminal, at most what reads well."""
    try:
        columns = int(os.environ.get("COLUMNS", "")) or _WIDEST
    except ValueError:
        try:
            columns = os.get_terminal_size().columns
        except OSError:
            columns = 80
    return max(40, min(columns, _WIDEST))


def build_parser(command: Command) -> argparse.ArgumentParser:
    """Return the parser of one command with the global options."""
    parser = _Parser(
        prog=f"treering {command.name}",
        usage=f"treering {command.name} {command.usage}".rstrip(),
        description=command.summary,
        epilog=_EXAMPLES + "\n".join(f"  {example}" for example in command.examples),
        formatter_class=_Layout,
        add_help=False,
        allow_abbrev=False,
    )
    command.declare(parser)
    everywhere = parser.add_argument_group("everywhere")
    everywhere.add_argument("--store", metavar="PATH", help="a store's folder or database file, or postgresql://…")
    everywhere.add_argument(
        "--scope",
        choices=("project", "global", "both"),
        default="both",
        help="project: only inside one; global: your own store; both: the project's, else your own (default)",
    )
    everywhere.add_argument("--json", action="store_true", help="print one JSON object")
    everywhere.add_argument("-h", "--help", action="store_true", help="show this text")
    return parser


def parse(command: Command, arguments: Sequence[str]) -> Request:
    """Read what was typed, the command's name taken out.

    Raises:
        InputError: if an option is unknown or its value impossible.
    """
    parser = build_parser(command)
    arguments = list(arguments)
    stop = arguments.index("--") if "--" in arguments else len(arguments)
    options, words = parser.parse_known_args(arguments[:stop])
    for word in words:
        if _looks_like_option(word):
            known = [name for action in parser._actions for name in action.option_strings]  # noqa: SLF001
            raise InputError(
                f"treering {command.name} has no option {word.partition('=')[0]}{did_you_mean(word, known)}",
                hint=f"treering {command.name} --help",
            )
    return Request((*words, *arguments[stop + 1 :]), options)


def _looks_like_option(word: str) -> bool:
    """Tell ``--limt`` from a dash, a negative number and a sentence that begins with a dash."""
    if word == "-" or not word.startswith("-") or " " in word:
        return False
    return not word[1].isdigit() and word[1] != "."


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean …?`` with the known names that resemble ``word``, or nothing."""
    from difflib import get_close_matches

    bare = {name.lstrip("-"): name for name in known}  # dashes would make short options resemble anything
    near = [bare[name] for name in get_close_matches(word.partition("=")[0].lstrip("-")[:80], list(bare), n=2)]
    return f"; did you mean {' or '.join(near)}?" if near else ""


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from ``low`` to ``high``."""

    def read(text: str) -> int:
        """Return the number that ``text`` is."""
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is no whole number from {low} to {high}")
        return number

    return read


def fraction(text: str) -> float:
    """Return the number from 0 to 1 that ``text`` is."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no number from 0 to 1")
    return number


def key_values(option: str, pairs: Iterable[str]) -> dict[str, list[str]]:
    """Return ``key=value`` pairs as keys with their values; empty ones are left out.

    Args:
        option: where they stood.
        pairs: as they were typed.

    Raises:
        BadFilter: if one of them has no key or no ``=``.
    """
    from treering.surfaces.cli.terminal import printable

    found: dict[str, list[str]] = {}
    for pair in pairs:
        key, equals, value = printable(pair).partition("=")
        if not equals or not key.strip():
            if not pair:
                continue
            raise BadFilter(f"{option} {pair[:80]!r} is no KEY=VALUE", hint=f"{option} topic=billing")
        found.setdefault(key.strip(), []).append(value)
    return found


def no_words(request: Request, command: str) -> None:
    """Refuse words behind a command that takes none.

    Raises:
        InputError: if there are any.
    """
    if request.words:
        given = request.words[0][:80]
        raise InputError(f"treering {command} takes no words, got {given!r}", hint=f"treering {command} --help")


def open_memory(options: argparse.Namespace) -> MemoryStore:
    """Open the store that the options name, or the one that belongs to the working directory.

    Args:
        options: with ``store`` and ``scope``.

    Raises:
        InputError: if ``--store`` and ``--scope`` name two stores.
        NotFound: if ``--scope project`` is given outside a project, or the working directory is gone.
    """
    from treering import api
    from treering.errors import NotFound

    if options.scope != "both" and options.store is not None:
        raise InputError("--store and --scope name two stores", hint="leave one of them out")
    try:
        here = os.getcwd()
    except FileNotFoundError as error:
        raise NotFound("the working directory was removed", hint="cd ~") from error
    return api.open(here, store=options.store, scope=options.scope)
