"""``treering forget``: erase memories, or drop a directory that need not exist any more from the index."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from treering.errors import InputError, Refused
from treering.surfaces.cli.options import Command, Request, no_agent, open_memory
from treering.surfaces.cli.terminal import printable, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from treering.api import MemoryStore
    from treering.domain.operation import Forgotten
    from treering.domain.report import ForgetReport

    Outcomes = list[Forgotten | ForgetReport]

_IDS: Final = ("mem_", "src_", "ver_")


def _declare(parser: ArgumentParser) -> None:
    """Add what keeps an erasure from happening by accident."""
    parser.add_argument("--dry-run", action="store_true", help="say what would go, and touch nothing")
    parser.add_argument("--reason", metavar="R", default="", help="why; it stays with tombstones and receipt")
    fate = parser.add_mutually_exclusive_group()
    fate.add_argument("--cascade", action="store_true", help="memories that rest on what goes alone go with it")
    fate.add_argument("--keep-memories", action="store_true", help="they stay, without a quote")
    parser.add_argument("--this-version", action="store_true", help="of a source only the version that is shown goes")
    parser.add_argument("--yes", action="store_true", help="do it without asking")


def _run(request: Request) -> int:
    """Show what goes, ask unless told not to, forget it and say so."""
    names = tuple(dict.fromkeys(map(printable, request.words)))
    if not names:
        raise InputError("nothing was named", hint="treering forget --dry-run DIR")
    options = request.options
    if not options.dry_run and any(name.startswith(_IDS) for name in names):
        no_agent(options, "erase")  # before anybody is asked
    with open_memory(options) as memory, memory.lock:
        planned = _forget(memory, names, options, dry_run=True)
        if not (options.dry_run or options.yes):
            _ask(planned, memory.place.command("forget", "--yes", *names))
        outcomes = planned if options.dry_run else _forget(memory, names, options, dry_run=False)
    from treering.surfaces import views_forget

    if options.json:
        say_json(views_forget.forgotten_json(outcomes))
    else:
        say("".join(map(views_forget.forgotten_text, outcomes)) + "next: treering status\n")
    return int(any(one.receipt is not None and one.receipt.proof.found for one in outcomes))


def _forget(memory: MemoryStore, names: tuple[str, ...], options: Namespace, *, dry_run: bool) -> Outcomes:
    """Forget memories and sources together, and each directory by itself."""
    ids = [name for name in names if name.startswith(_IDS)]
    outcomes: Outcomes = []
    fate = {"cascade": options.cascade, "keep_memories": options.keep_memories, "dry_run": dry_run}
    reason = printable(options.reason)
    if ids:
        outcomes.append(memory.forget(ids, this_version=options.this_version, reason=reason, **fate))
    outcomes += [memory.forget_directory(name, reason=reason, **fate) for name in names if name not in ids]
    return outcomes


def _ask(planned: Outcomes, command: str) -> None:
    """Return once the user has agreed.

    Raises:
        Refused: if nobody can be asked, or the answer is no.
    """
    from treering.surfaces import views_forget

    what = "".join(map(views_forget.forgotten_text, planned))
    if sys.stdin is None or not sys.stdin.isatty():
        raise Refused(f"nothing was forgotten, because nobody can be asked. {what.strip()}", hint=command)
    sys.stderr.write(f"{what}Forget it? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise Refused("nothing was forgotten", hint=command)


COMMAND: Final = Command(
    "forget",
    "ID…|DIR… [options]",
    "Erase memories, sources, single versions of them, or what is indexed of a directory or file, which need not exist "
    "any more. Every byte of the store is read afterwards, and a receipt says what went, and where else it may still "
    "be. Files are never touched; what was forgotten stays out until `treering index --readmit`.",
    (
        "treering forget --dry-run docs",
        "treering forget --yes old-project",
        "treering forget mem_…",
        "treering forget src_… --cascade --reason 'asked to'",
        "treering forget src_… --this-version",
    ),
    _declare,
    _run,
)
