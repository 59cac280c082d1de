"""Commands and their options, read for the command that was named alone.

Global options stand before or after the command, options before or after words. After ``--`` everything is a word.
"""

from __future__ import annotations

import os
from types import SimpleNamespace

from treering.domain.named import NamedTuple
from treering.errors import BadFilter, InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Final

    from treering.api import MemoryStore
    from treering.api.searching import Searching

_PLAIN_ACTIONS: Final = {"store": None, "append": None, "store_true": False, "store_false": True}
_PLAIN_SAYINGS: Final = frozenset(("action", "choices", "default", "dest", "help", "metavar", "type"))

CLIENT: Final = "cli"
"""What the command line goes by where tokens are counted."""


class Request(NamedTuple):
    """What was typed.

    Attributes:
        words: everything that is no option, in order.
        options: the options' values.
    """

    words: tuple[str, ...]
    options: Namespace


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
    declare: Callable[[ArgumentParser], None]
    run: Callable[[Request], int]


def declare_everywhere(parser: ArgumentParser) -> None:
    """Add the options that every command has."""
    everywhere = parser.add_argument_group("everywhere")
    everywhere.add_argument("--store", metavar="PATH", help="a store's folder or database file, or postgresql://…")
    everywhere.add_argument(
        "--scope",
        choices=("project", "global", "both"),
        default="both",
        help="project or global: that store alone; both: reads cover both, writes go to the project's (default)",
    )
    everywhere.add_argument(
        "--as-agent", metavar="NAME", help="act as this agent: what only the owner does is refused, some things wait"
    )
    everywhere.add_argument("--json", action="store_true", help="print one JSON object")
    everywhere.add_argument("-h", "--help", action="store_true", help="show this text")


class _Plain:
    """Options as nearly everybody writes them, read without argparse, whose import and set-up cost a search 5 ms.

    Stands in for a parser while a command declares its options. What it cannot read it leaves to argparse.
    """

    def __init__(self) -> None:
        """Know no option yet."""
        self._options: dict[str, tuple[str, dict[str, Any]]] = {}
        self._values: dict[str, Any] = {}
        self._known = True

    def add_argument(self, *names: str, **how: Any) -> None:  # noqa: ANN401 - as argparse takes it
        """Take an option as argparse's method of that name does."""
        dest = how.get("dest") or names[-1].lstrip("-").replace("-", "_")
        action = how.setdefault("action", "store")
        self._known &= how.keys() <= _PLAIN_SAYINGS and action in _PLAIN_ACTIONS
        self._values.setdefault(dest, how.get("default", _PLAIN_ACTIONS.get(action)))
        self._options |= dict.fromkeys(names, (dest, how))

    def add_argument_group(self, _title: str) -> _Plain:
        """Return what takes the options of a group: this."""
        return self

    def add_mutually_exclusive_group(self) -> _Plain:
        """Return what takes options that exclude one another, which are left to argparse."""
        self._known = False
        return self

    def read(self, arguments: Sequence[str]) -> Request | None:
        """Return what was typed; None where argparse must read it, or say what is wrong."""
        values, words, rest = dict(self._values), [], iter(arguments)
        for word in rest:
            if word == "-" or not word.startswith("-"):
                words.append(word)
                continue
            name, equals, given = word.partition("=")
            dest, how = self._options.get(name, ("", {}))
            action = how.get("action", "")
            if action.startswith("store_") and not equals:
                values[dest] = action == "store_true"
                continue
            given = given if equals else next(rest, "-")
            if action not in ("store", "append") or given.startswith("-"):
                return None
            try:
                value = how.get("type", str)(given)
            except Exception:  # noqa: BLE001 - argparse tries it, too, and says what is wrong
                return None
            if value not in how.get("choices", (value,)):
                return None
            values[dest] = value if action == "store" else [*(values[dest] or ()), value]
        options: Any = SimpleNamespace(**values)
        return Request(tuple(words), options) if self._known else None


def parse(command: Command, arguments: Sequence[str]) -> Request:
    """Read what was typed, the command's name taken out.

    Raises:
        InputError: if an option is unknown or its value impossible.
    """
    stop = arguments.index("--") if "--" in arguments else len(arguments)
    plain = _Plain()
    for declare in (command.declare, declare_everywhere):
        declare(plain)  # type: ignore[arg-type]  # of a parser it has what is called
    request = plain.read(arguments[:stop])
    if request is None:
        from treering.surfaces.cli.parser import parse_fully

        return parse_fully(command, arguments)
    return request._replace(words=(*request.words, *arguments[stop + 1 :]))


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
            from argparse import ArgumentTypeError

            raise ArgumentTypeError(f"{text[:40]!r} is no whole number from {low} to {high}")
        return number

    return read


def declare_depth(parser: ArgumentParser) -> None:
    """Add how much is shown."""
    parser.add_argument(
        "--depth", choices=("L1", "L2", "L3"), default="",
        help="L1: title and summary; L2: passages and contents with quotes; L3: whole texts (default: L2)",
    )  # fmt: skip


def fraction(text: str) -> float:
    """Return the number from 0 to 1 that ``text`` is."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= 1:
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(f"{text[:40]!r} is no number from 0 to 1")
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


def no_agent(options: Namespace, verb: str) -> None:
    """Refuse what only the owner does when an agent asks for it.

    Raises:
        NotAllowed: if an agent does.
    """
    from treering.errors import NotAllowed

    if options.as_agent is not None:
        raise NotAllowed(f"only the owner may {verb}", hint=f"leave out --as-agent {options.as_agent}")


def again(options: Namespace) -> str:
    """Return the program with the global options that chose the store, for a command that is proposed."""
    from shlex import quote

    from treering.surfaces.cli.terminal import printable

    store = "" if options.store is None else f" --store {quote(printable(options.store))}"
    return f"treering{store}" + ("" if options.scope == "both" else f" --scope {options.scope}")


def open_memory(options: Namespace) -> MemoryStore:
    """Open the store that the options name, or the one that belongs to the working directory.

    Args:
        options: with ``store``, ``scope`` and ``as_agent``.

    Raises:
        InputError: if ``--store`` and ``--scope`` name two stores, or the agent's name is none.
        NotFound: if ``--scope project`` is given outside a project, or the working directory is gone.
    """
    from treering import api

    here, agent = _whence(options)
    return api.open(here, store=options.store, scope=options.scope, as_agent=agent)


def open_for_search(options: Namespace) -> Searching:
    """Open the same for one question alone."""
    from treering import api

    here, agent = _whence(options)
    return api.open_for_search(here, store=options.store, scope=options.scope, as_agent=agent)


def _whence(options: Namespace) -> tuple[str, str | None]:
    """Return the working directory and the agent's name."""
    from treering.errors import NotFound

    if options.scope != "both" and options.store is not None:
        raise InputError("--store and --scope name two stores", hint="leave one of them out")
    try:
        here = os.getcwd()
    except FileNotFoundError as error:
        raise NotFound("the working directory was removed", hint="cd ~") from error
    from treering.surfaces.cli.terminal import printable

    return here, None if options.as_agent is None else printable(options.as_agent)
