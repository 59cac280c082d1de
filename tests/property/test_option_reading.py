"""Options are read by a quick reader and by argparse: what the quick one reads, argparse reads alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.errors import InputError
from treering.surfaces import cli
from treering.surfaces.cli.options import parse
from treering.surfaces.cli.parser import build_parser, parse_fully

if TYPE_CHECKING:
    from treering.surfaces.cli.options import Command

COMMANDS = [cli._load(name) for name in ("", *cli._COMMANDS)]

values = st.sampled_from(["8", "0", "-3", "0.5", "x", "", "-", "--", "a=b", "-k", "memories", "keyword", "two words", "-a b"])


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
    try:
        expected = parse_fully(command, typed)
    except InputError as error:
        with pytest.raises(InputError) as caught:
            parse(command, typed)
        assert str(caught.value) == str(error)
    else:
        read = parse(command, typed)
        assert read.words == expected.words
        assert vars(read.options) == vars(expected.options)
