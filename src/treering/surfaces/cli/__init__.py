"""The command line: find the command, run it, turn its outcome into an exit status.

Exit status: 0 done · 1 ran well, the answer is no · 2 bad input · 3 not found · 4 refused · 5 busy ·
6 unavailable · 7 damaged · 70 a bug of ours · 130 interrupted. With ``--json`` an error is an object on
standard output, else it is words on standard error.

Nothing is imported here that ``treering --version`` does not need.
"""

from __future__ import annotations

import sys

from treering.errors import InputError, TreeringError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from treering.surfaces.cli.options import Command

_INTERRUPTED = 130
_OUR_BUG = 70

# In the order of the overview: name, module, what it does.
_COMMANDS = {
    "init": ("init", "make a store beforehand"),
    "trust": ("trust", "trust the store and the settings that came with a project"),
    "index": ("index", "index directories in place, only what changed"),
    "import": ("import_", "keep files as originals, with every version"),
    "note": ("note", "keep a piece of text that memories can quote"),
    "remember": ("remember", "save one memory"),
    "context": ("context", "ask; what is in force, disputed and unknown, with quotes"),
    "ask": ("ask", "search, and ask back where a question may mean several things"),
    "search": ("search", "ask; answers are cited and fit a token budget"),
    "status": ("status", "where the memory is, what it holds, what is behind"),
    "stats": ("stats", "how much of what there is, and tokens handed out by client and day"),
    "show": ("show", "a memory, a source or a chunk, whole"),
    "list": ("listing", "memories, sources, slots, entities, proposals, briefings, roots, what came last"),
    "timeline": ("timeline", "what was true when: a slot, a subject, everything"),
    "facts": ("facts", "what is in force now"),
    "conflicts": ("conflicts", "where claims contradict one another"),
    "changes": ("changes", "what is new since a day: memories, sources, files"),
    "tree": ("tree", "the whole memory as a map of digests"),
    "consolidate": ("consolidate", "digest what changed into the tree"),
    "propose": ("propose", "apply operations, as JSON"),
    "review": ("review", "what waits for you: list, show, approve, reject"),
    "confirm": ("confirm", "vouch for memories"),
    "update": ("update", "change what a memory says; what it said before is kept"),
    "link": ("link", "say how one memory stands to another"),
    "entity": ("entity", "whom and what memories speak of: list, alias, merge"),
    "pin": ("pin", "raise memories in every answer for a while"),
    "unpin": ("unpin", "end a briefing"),
    "briefings": ("briefings", "what is pinned now"),
    "duplicates": ("duplicates", "memories that say the same, to be merged"),
    "undo": ("undo", "take the last change back"),
    "audit": ("audit", "who changed what"),
    "pause": ("pause", "take nothing in: no writes by agents, no imports"),
    "resume": ("resume", "take things in again"),
    "archive": ("archive", "hide memories"),
    "restore-memory": ("restore_memory", "bring archived memories back"),
    "forget": ("forget", "erase memories, or drop a directory from the index"),
    "code": ("code", "source code by symbol: a map, the one that answers, a file read once"),
    "scratch": ("scratch", "notes of a session, gone at its end"),
    "digest": ("digest", "long output made short: failures, errors, totals, both ends"),
    "verify": ("verify", "whether the store holds what it promises"),
    "doctor": ("doctor", "what Treering needs on this machine, and whether it is so"),
    "backup": ("backup", "the store as one archive, while others write"),
    "restore": ("restore", "a store from a backup"),
    "export": ("export", "everything that is kept, as lines of JSON or readable files"),
    "reindex": ("reindex", "make everything derived again"),
    "sync": ("sync", "edits of the readable files in mirror/ taken in, and the files brought up to date"),
    "rebuild": ("rebuild", "an empty store made again from the readable files alone"),
    "serve": ("serve", "the memory for agents: MCP over standard input and output"),
    "eval": ("eval", "measure retrieval on question sets, compare two measurements"),
    "demo": ("demo", "a tour on real text, in a store that is gone afterwards"),
}
# Commands that make so little garbage that looking for it never pays.
_BRIEF = (
    "", "context", "search", "remember", "status", "show", "list", "update", "archive", "restore-memory", "confirm",
    "review", "link", "entity", "undo", "audit", "pin", "unpin", "briefings",
)  # fmt: skip
_WITH_VALUE = ("--store", "--scope", "--as-agent")
_BEFORE_COMMAND = (*_WITH_VALUE, "--json", "--help", "-h", "--version", "-V")


def run() -> NoReturn:
    """Run the program as a process and end it: what the ``treering`` script calls.

    A command lives for milliseconds. Looking for garbage while it is loaded, and taking the interpreter down piece by
    piece at its end, cost a search 5 ms.
    """
    import gc
    import os

    gc.disable()
    status = main()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        status = _reader_left()
    os._exit(status)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        arguments: what was typed behind its name; None for the process's own.

    Returns:
        The exit status.
    """
    typed = sys.argv[1:] if arguments is None else list(arguments)
    try:
        if typed in (["--version"], ["-V"]):
            return _version()
        from treering.surfaces.cli.terminal import prepare_streams

        prepare_streams()
        return _run(typed)
    except TreeringError as error:
        return _report(typed, error.code, str(error), error.hint, error.exit_status)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        return _reader_left()
    except Exception as error:  # noqa: BLE001 - the edge: nothing may pass as a success or as words of Python's
        return _report_unforeseen(typed, error)


def _version(*, as_json: bool = False) -> int:
    """Print the version."""
    from treering import __version__

    if as_json:
        from treering.surfaces.cli.terminal import say_json

        say_json({"schema": 1, "version": __version__})
        return 0
    try:
        sys.stdout.write(f"treering {__version__}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        from treering.errors import StorageFailed

        raise StorageFailed(f"standard output cannot be written: {error.strerror}") from error
    return 0


def _run(typed: list[str]) -> int:
    """Run the command that was typed; without one, say where the memory is."""
    at = _command_at(typed)
    rest = typed[:at] + typed[at + 1 :]
    name = typed[at] if at < len(typed) else ""
    options = typed[: typed.index("--")] if "--" in typed else typed
    if name == "help" or (not name and ("--help" in options or "-h" in options)):
        return _help(rest, as_json="--json" in options)
    if not name and ("--version" in options or "-V" in options):
        return _version(as_json="--json" in options)
    command = _load(name)
    if name not in _BRIEF:
        import gc

        gc.enable()
    if "--help" in options or "-h" in options:
        return _help([name], as_json="--json" in options)
    from treering.surfaces.cli.options import parse

    return command.run(parse(command, rest))


def _command_at(typed: list[str]) -> int:
    """Return where the command's name stands; the end when there is none.

    Raises:
        InputError: if an option before it is no global one.
    """
    at = 0
    while at < len(typed) and typed[at].startswith("-"):
        name, _, value = typed[at].partition("=")
        if name not in _BEFORE_COMMAND:
            from treering.surfaces.cli.options import did_you_mean

            known = [option for option in _BEFORE_COMMAND if option.startswith("--")]
            near = did_you_mean(name, known) or f"; only {', '.join(known)} stand before the command"
            raise InputError(f"there is no global option {name[:80]}{near}", hint="treering help")
        at += 2 if name in _WITH_VALUE and not value else 1
    return min(at, len(typed))


def _load(name: str) -> Command:
    """Return a command; the empty name is the program without one.

    Raises:
        InputError: if there is none of that name.
    """
    if name and name not in _COMMANDS:
        from treering.surfaces.cli.options import did_you_mean

        raise InputError(f"there is no command {name[:80]!r}{did_you_mean(name, _COMMANDS)}", hint="treering help")
    # ``importlib`` would bring ``warnings`` along.
    module = __import__(f"treering.surfaces.cli.{_COMMANDS[name][0] if name else 'bare'}", fromlist=["COMMAND"])
    command: Command = module.COMMAND
    return command


def _help(words: list[str], *, as_json: bool) -> int:
    """Print the overview, or one command's help."""
    from treering.surfaces.cli.terminal import say, say_json

    names = [
        word for place, word in enumerate(words) if not word.startswith("-") and words[place - 1] not in _WITH_VALUE
    ]
    if names:
        from treering.surfaces.cli.parser import build_parser

        command = _load(names[0])
        text = build_parser(command).format_help()
        if as_json:
            say_json({"schema": 1, "command": command.name, "summary": command.summary, "text": text})
        else:
            say(text)
        return 0
    if as_json:
        commands = [{"name": name, "summary": summary} for name, (_, summary) in _COMMANDS.items()]
        say_json({"schema": 1, "commands": commands})
        return 0
    width = max(map(len, _COMMANDS))
    lines = "".join(f"  {name:<{width}}  {summary}\n" for name, (_, summary) in _COMMANDS.items())
    say(
        "usage: treering [--store PATH] [--scope project|global|both] [--as-agent NAME] [--json] COMMAND …\n\n"
        "Local long-term memory for AI agents: index a folder, ask, get a cited answer or NOT FOUND.\n\n"
        f"commands:\n{lines}\n"
        "`treering` alone says where the memory is; `treering help COMMAND` explains one.\n"
        "first steps:\n  treering index docs\n  treering search how do I configure logging\n"
    )
    return 0


def _report(typed: list[str], code: str, message: str, hint: str, exit_status: int) -> int:
    """Show an error where its reader looks for it, and return the exit status."""
    from contextlib import suppress

    from treering.surfaces.cli.terminal import discard_output, printable, say_json
    from treering.surfaces.views_text import clean

    words = f"error: {clean(message)}\n" + (f"hint: {clean(hint)}\n" if hint else "")
    options = typed[: typed.index("--")] if "--" in typed else typed
    try:
        if "--json" in options:
            from treering.surfaces.views import error_json

            say_json(error_json(code, printable(message), printable(hint), exit_status))
        else:
            sys.stderr.write(words)
        sys.stdout.flush()
    except (OSError, TreeringError):
        discard_output()  # it would fail once more when the process ends
        if "--json" in options:
            with suppress(OSError):  # nobody can be told; the exit status still says it
                sys.stderr.write(words)
    return exit_status


def _report_unforeseen(typed: list[str], error: Exception) -> int:
    """Show what no room foresaw: a name that cannot be stored, or a bug of ours with its traceback."""
    if isinstance(error, UnicodeEncodeError) and "\ud800" <= error.object[error.start] <= "\udfff":
        # Text is decoded before it gets in here; only names of files and folders still carry foreign bytes.
        message = f"{error.object[:200]!r} is a name that is not valid UTF-8"
        return _report(typed, InputError.code, message, "give it another name", InputError.exit_status)
    from traceback import format_exception

    from treering.surfaces.views_text import clean

    sys.stderr.write(clean("".join(format_exception(error))))
    message = f"Treering failed in a way that it should not: {type(error).__name__}: {error}"
    return _report(typed, "bug", message, "report it with the lines on standard error", _OUR_BUG)


def _reader_left() -> int:
    """Leave quietly when the reader of our output has gone: it had what it wanted."""
    from treering.surfaces.cli.terminal import discard_output

    discard_output()
    return 0
