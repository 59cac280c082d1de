"""``treering scratch``: notes of a session, gone at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.code import add_session, session_of
from treering.surfaces.cli.options import Command, Request, did_you_mean, open_memory, whole_number
from treering.surfaces.cli.terminal import printable, read_text, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

_ACTIONS: Final = ("note", "recall", "end")


def _declare(parser: ArgumentParser) -> None:
    """Add what a note is called and how much is shown."""
    parser.add_argument("--label", metavar="L", default="", help="note: a word or two to find it by")
    parser.add_argument("--clue", metavar="TEXT", help="recall: words that tell candidates apart")
    parser.add_argument(
        "--max-tokens", metavar="N", type=whole_number(50, 100_000), help="recall: upper bound (default: 600)"
    )
    add_session(parser)


def _run(request: Request) -> int:
    """Note, recall or end; 1 when nothing is recalled."""
    action, *words = request.words or ("",)
    if action not in _ACTIONS:
        near = did_you_mean(action, _ACTIONS) if action else ""
        raise InputError(
            f"treering scratch takes note, recall or end, got {action[:80]!r}{near}", hint="treering scratch --help"
        )
    options, session = request.options, session_of(request.options)
    said = printable(" ".join(words))
    from treering.surfaces import views_workbench as views

    with open_memory(options) as memory:
        if action == "note":
            text = read_text("treering scratch note 'what to keep in mind'") if said == "-" else said
            notes = memory.scratch_note(text, label=printable(options.label), session=session)
            shown, words_shown = {"outcome": "noted", "notes": notes}, f"Noted for this session ({notes} in all)\n"
        elif action == "recall":
            found = memory.scratch_recall(said, clue=options.clue, max_tokens=options.max_tokens, session=session)
            if options.json:
                say_json(views.recalled_json(found))
            else:
                say(views.recalled_text(found))
            return 0 if found.found else 1
        else:
            ended = memory.end_session(session)
            shown = {"outcome": "ended", "kept": ended}
            words_shown = "The session's notes are gone\n" if ended else "The session had put nothing aside\n"
    if options.json:
        say_json({"schema": 1, **shown})
    else:
        say(words_shown)
    return 0


COMMAND: Final = Command(
    "scratch",
    "note TEXT…|- | recall [QUERY…] | end [options]",
    "Notes of one session: they survive its compaction and are gone at its end, never long-term memory. Recall also "
    "finds lines of output that digest condensed.",
    (
        "treering scratch note 'the flaky test is test_retry; it needs the clock fixed'",
        "treering scratch recall flaky",
        "treering scratch end",
    ),
    _declare,
    _run,
)
