"""``treering eval golden`` and ``eval calibrate``: one's own questions to one's own memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treering.errors import InputError
from treering.surfaces.cli.options import open_memory
from treering.surfaces.cli.terminal import progress_bar, say, say_json

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from treering.evals.calibration import Choice
    from treering.evals.golden import Asked

_SHOWN = 20


def ask(options: Namespace, words: Sequence[str]) -> int:
    """Ask a memory the questions of a file and show what is found, and why the rest is missed."""
    from treering.evals import golden

    file = _file(words, "golden")
    with open_memory(options) as memory:
        questions = golden.read(file, memory)
        progress = progress_bar("asked")
        asked = []
        for done, question in enumerate(questions, start=1):
            asked.append(golden.ask(memory, question, options.k))
            if progress is not None:
                progress(done, len(questions))
    found = golden.figures(asked, options.k)
    if options.json:
        say_json({"schema": 1, "figures": found, "missed": [_missed_json(one) for one in asked if _is_wrong(one)]})
    else:
        say("\n".join(_lines(found, asked)) + "\n")
    return 0


def calibrate(options: Namespace, words: Sequence[str]) -> int:
    """Set gate and weight of meaning by the questions of a file, or undo that."""
    from treering.evals import calibration, golden

    if options.undo:
        if words:
            raise InputError("--undo takes no file", hint="treering eval calibrate --undo")
        with open_memory(options) as memory:
            restored = calibration.undo(memory.place)
        if options.json:
            say_json({"schema": 1, "restored": {name: before for name, (_, before) in restored.items()}})
        else:
            for name, (given_up, before) in restored.items():
                say(f"{name}: {given_up} → {'the default' if before is None else before}\n")
        return 0
    file = _file(words, "calibrate")
    with open_memory(options) as memory:
        questions = golden.read(file, memory)
        place, settings = memory.place, memory.settings
    choices = calibration.calibrate(place, settings, questions, progress_bar("measured"))
    written = [] if options.dry_run else calibration.apply(place, choices)
    if options.json:
        say_json({"schema": 1, "choices": [one._asdict() for one in choices], "written": [one.name for one in written]})
    else:
        say("\n".join(_choice_lines(choices, written, dry_run=options.dry_run)) + "\n")
    return 0


def _file(words: Sequence[str], action: str) -> str:
    """Return the one file that was named."""
    if len(words) != 1:
        raise InputError(f"treering eval {action} takes one file of questions", hint="treering eval --help")
    return words[0]


def _is_wrong(one: Asked) -> bool:
    """Tell whether a question was missed, or answered though nothing answers it."""
    return one.reason is not None or (not one.golden.relevant and not one.refused)


def _missed_json(one: Asked) -> dict[str, Any]:
    """Return a question that went wrong."""
    return {
        "line": one.golden.line,
        "query": one.golden.query,
        "reason": one.reason or "answered",
        "rank": one.ungated or None,
        "confidence": round(one.confidence, 4),
    }


def _lines(found: dict[str, Any], asked: Sequence[Asked]) -> Iterator[str]:
    """Yield what came out, in words."""
    from treering.evals.golden import REASONS
    from treering.surfaces.views_text import clean_line

    reasons = found.pop("reasons", {})
    yield "  ".join(f"{name} {value}" for name, value in found.items())
    for name, count in reasons.items():
        if count:
            yield f"missed, {name}: {count}  ({REASONS[name]})"
    wrong = [one for one in asked if _is_wrong(one)]
    for one in wrong[:_SHOWN]:
        place = f", at {one.ungated} with the gate open" if one.ungated else ""
        yield clean_line(f"  {one.golden.line}: {one.golden.query[:90]}  [{one.reason or 'answered'}{place}]")
    if len(wrong) > _SHOWN:
        yield f"  … and {len(wrong) - _SHOWN} more: --json names all"


def _choice_lines(choices: Sequence[Choice], written: Sequence[Choice], *, dry_run: bool) -> Iterator[str]:
    """Yield what was chosen, what it brings and how to undo it."""
    for one in choices:
        change = f"{one.before:g} → {one.after:g}" if one.after != one.before else f"stays {one.before:g}"
        judged = f"{one.measure} of the questions held out {one.held_before:.3f} → {one.held_after:.3f}"
        yield f"{one.name}: {change}  ({one.why}; {judged})"
    if written:
        yield "written to the store's config.toml; next: treering eval calibrate --undo takes it back"
    else:
        yield "nothing was written" + (": --dry-run" if dry_run else "")
