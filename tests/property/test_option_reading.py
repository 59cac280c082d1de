"""Options are read by a quick reader and by argparse: what the quick one reads, argparse reads alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from treering.errors import InputError
from treering.surfaces import cli
from treering.surfaces.cli.options import parse
from treering.surfaces.cli.parser import build_parser, parse_fully

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.surfaces.cli.options import Command, Request

COMMANDS = [cli._load(name) for name in ("", *cli._COMMANDS)]

values = st.sampled_from(
    ["8", "0", "-3", "0.5", "x", "", "-", "--", "a=b", "-k", "memories", "keyword", "two words", "-a b"]
)


@st.composite
def lines(draw: st.DrawFn) -> tuple[Command, list[str]]:
    """Return a command and what was typed behind it."""
    command = draw(st.sampled_from(COMMANDS))
    named = [name for action in build_parser(command)._actions for name in action.option_strings]
    option = st.sampled_from([*named, "--limt", "--js"])
    joined = st.builds(lambda name, value: f"{name}={value}", option, values)
    return command, draw(st.lists(st.one_of(option, values, joined), max_size=6))


@given(lines())
def test_both_readers_read_alike(line: tuple[Command, list[str]]) -> None:
    """The same words, the same values, or the same complaint."""
    command, typed = line
    assert outcome(parse, command, typed) == outcome(parse_fully, command, typed)


def outcome(reader: Callable[..., Request], command: Command, typed: list[str]) -> object:
    """Return the words and values that a reader makes of a line, or its complaint."""
    try:
        read = reader(command, typed)
    except InputError as error:
        return str(error), error.hint
    return read.words, vars(read.options)
