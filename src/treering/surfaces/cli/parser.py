"""Every way of writing options, help and what is wrong with a line: argparse, with one parser for each command."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any, Final, NoReturn

from treering.errors import InputError
from treering.surfaces.cli.options import Request, declare_everywhere, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.surfaces.cli.options import Command

_WIDEST: Final = 100
_EXAMPLES: Final = "examples:\n"


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
    declare_everywhere(parser)
    return parser


def parse_fully(command: Command, arguments: Sequence[str]) -> Request:
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
