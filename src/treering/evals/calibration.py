"""Gate and weight of meaning set on a user's own questions, proved on a part that had no say.

The values go into ``config.toml`` of the store, which a text editor changes as well; ``calibration.json`` beside it
keeps what was there before, so that one command undoes it.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treering.api import MemoryStore
from treering.errors import Conflict, InputError, NotFound, Refused, StorageFailed
from treering.evals import golden
from treering.places import SETTINGS_FILE
from treering.recall.ranking import KEYWORD_GATE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from treering.evals.golden import Asked, Golden
    from treering.places import Place
    from treering.settings import Settings

NEEDED: Final = 20
"""Questions of each kind that a calibration takes: ten to choose by and ten to judge by tell a fifth apart."""

WEIGHTS: Final = (0.0, 0.15, 0.3, 0.45, 0.6, 0.9)
RECORD: Final = "calibration.json"

# A mean reciprocal rank that is better by less is chance.
_LEAST_GAIN: Final = 0.01


class Choice(NamedTuple):
    """One setting before and after, with what the held-out questions say of both.

    Attributes:
        name: dotted, as in ``config.toml``.
        before: value until now.
        after: value from now on; the same where nothing better was found.
        measure: what was compared.
        held_before: measure of the held-out questions with the value before.
        held_after: the same with the new one.
        why: in words, what decided.
    """

    name: str
    before: float
    after: float
    measure: str
    held_before: float
    held_after: float
    why: str


def check(questions: Sequence[Golden]) -> None:
    """Refuse questions that are too few, or of one kind only.

    Raises:
        Refused: with the number that is needed.
    """
    answerable = sum(bool(one.relevant) for one in questions)
    kinds = (("that the memory answers", answerable), ("that nothing answers", len(questions) - answerable))
    lacking = [f"{NEEDED - count} more {kind} ({count} of {NEEDED})" for kind, count in kinds if count < NEEDED]
    if lacking:
        raise Refused(
            f"too few questions to calibrate on: it takes {' and '.join(lacking)}",
            hint="treering eval golden FILE measures with fewer",
        )


def calibrate(
    place: Place, settings: Settings, questions: Sequence[Golden], progress: Callable[[int, int], None] | None = None
) -> list[Choice]:
    """Return what half of the questions choose and the other half says of it; nothing is written.

    Every second question of a kind is held out.

    Raises:
        Refused: if there are too few.
    """
    check(questions)
    answerable = [one for one in questions if one.relevant]
    nothing = [one for one in questions if not one.relevant]
    current = settings.search_meaning_weight if settings.search_meaning_weight >= 0 else _measured_weight()
    weights = sorted({*WEIGHTS, current})
    asked: dict[float, list[Asked]] = {}
    for done, weight in enumerate(weights, start=1):
        asked[weight] = _ask(place, settings._replace(search_meaning_weight=weight), answerable)
        if progress is not None:
            progress(done, len(weights) + 1)
    choice = _weight(asked, current)
    chosen = settings._replace(search_meaning_weight=choice.after)
    refusals = _ask(place, chosen, nothing)
    if progress is not None:
        progress(len(weights) + 1, len(weights) + 1)
    gate = settings.search_empty_gate if settings.search_empty_gate >= 0 else KEYWORD_GATE
    return [choice, _gate(asked[choice.after], refusals, gate)]


def _measured_weight() -> float:
    """Return the weight that holds where none is set."""
    from treering.domain.query import Tuning

    return Tuning().meaning


def _ask(place: Place, settings: Settings, questions: Sequence[Golden]) -> list[Asked]:
    """Return what the questions get under the settings."""
    with MemoryStore(place, settings) as memory:
        return [golden.ask(memory, one, 10, "hybrid") for one in questions]


def _mean(asked: Sequence[Asked]) -> float:
    """Return the mean reciprocal rank."""
    return sum(map(golden.reciprocal, asked)) / len(asked)


def _weight(asked: Mapping[float, list[Asked]], current: float) -> Choice:
    """Return the weight of meaning that ranks best, if the held-out questions agree."""
    best = max(asked, key=lambda weight: (round(_mean(asked[weight][::2]), 6), -abs(weight - current)))
    before, after = _mean(asked[current][1::2]), _mean(asked[best][1::2])
    gain = _mean(asked[best][::2]) - _mean(asked[current][::2])
    if best == current or gain < _LEAST_GAIN:
        best, after, why = current, before, "no other weight ranks better"
    elif after < before:
        best, after, why = current, before, f"{best:g} ranked better where it was chosen and worse where it was judged"
    else:
        why = f"better by {gain:.3f} where it was chosen"
    return Choice("search.meaning_weight", current, best, "MRR@10", before, after, why)


def _gate(answerable: Sequence[Asked], nothing: Sequence[Asked], current: float) -> Choice:
    """Return the gate that tells the two kinds apart best, if the held-out questions agree."""
    seen = sorted({round(one.confidence, 4) for one in (*answerable[::2], *nothing[::2])})
    middles = [round((low + high) / 2, 3) for low, high in itertools.pairwise(seen)]
    candidates = sorted({current, *(middle for middle in middles if 0 < middle < 1)})
    best = max(
        candidates, key=lambda gate: (round(_right(answerable[::2], nothing[::2], gate), 6), -abs(gate - current))
    )
    before, after = (_right(answerable[1::2], nothing[1::2], gate) for gate in (current, best))
    gain = _right(answerable[::2], nothing[::2], best) - _right(answerable[::2], nothing[::2], current)
    if best == current or gain < _LEAST_GAIN:
        best, after, why = current, before, "no other gate tells them apart better"
    elif after < before:
        best, after, why = current, before, f"{best:g} was better where it was chosen and worse where it was judged"
    else:
        why = f"better by {gain:.3f} where it was chosen"
    return Choice("search.empty_gate", current, best, "mean of both kinds right", before, after, why)


def _right(answerable: Sequence[Asked], nothing: Sequence[Asked], gate: float) -> float:
    """Return the mean of the share of answerable questions let through and of the others refused."""
    passed = sum(one.confidence >= gate for one in answerable) / len(answerable)
    return (passed + sum(one.confidence < gate for one in nothing) / len(nothing)) / 2


def apply(place: Place, choices: Sequence[Choice]) -> list[Choice]:
    """Write what changes into the store's settings, and what it was before beside them; return what was written.

    Raises:
        StorageFailed: if the files cannot be written.
        InputError: if ``config.toml`` cannot be changed without disturbing what else it says.
    """
    changed = [one for one in choices if one.after != one.before]
    if not changed:
        return []
    file, record = _files(place)
    text = _read(file)
    known = _values(text)
    before = {one.name: known.get(one.name) for one in changed}
    if record.exists():  # calibrated before: undo leads back to what was there at first
        earlier = json.loads(_read(record))
        before |= {
            name: value for name, value in earlier["before"].items() if known.get(name) == earlier["after"][name]
        }
    after = {name: known.get(name) for name in before} | {one.name: one.after for one in changed}
    _write(record, json.dumps({"before": before, "after": after}, indent=1) + "\n")
    _write(file, _with_values(text, {one.name: one.after for one in changed}))
    return changed


def undo(place: Place) -> dict[str, tuple[float, float | None]]:
    """Set back what the last calibration changed; return each name with the value given up and the one restored.

    None stands for the default, which needs no line.

    Raises:
        NotFound: if nothing was calibrated.
        Conflict: if a value was changed by hand since.
        InputError: if the record is damaged.
    """
    file, record = _files(place)
    if not record.exists():
        raise NotFound("this store was not calibrated: there is nothing to undo", hint="treering eval calibrate FILE")
    try:
        kept = json.loads(_read(record))
        before, after = dict(kept["before"]), dict(kept["after"])
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{record} is damaged: {error}; set the values in {file} by hand") from error
    text = _read(file)
    known = _values(text)
    for name, value in after.items():
        if known.get(name) != value:
            raise Conflict(
                f"{name} is {known.get(name)} in {file}, not {value} as calibrated: it was changed since",
                hint=f"edit {file}, then remove {record}",
            )
    restored = _with_values(text, before)
    if restored.strip():
        _write(file, restored)
    else:
        file.unlink()
    record.unlink()
    return {name: (after[name], before[name]) for name in after}


def _files(place: Place) -> tuple[Path, Path]:
    """Return the settings of a store and the record of its calibration."""
    return Path(place.folder, SETTINGS_FILE), Path(place.folder, RECORD)


def _read(file: Path) -> str:
    """Return a file's text; empty when it is absent."""
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise StorageFailed(f"{file} cannot be read: {error}") from error


def _write(file: Path, text: str) -> None:
    """Replace a file at once or not at all."""
    partial = file.with_name(f"{file.name}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)  # of a store on a server it may be absent
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, file)
    except OSError as error:
        raise StorageFailed(f"{file} cannot be written: {error.strerror}") from error


def _values(text: str) -> dict[str, Any]:
    """Return the values of a settings file by dotted names."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{SETTINGS_FILE} is not valid TOML: {error}") from error
    return {
        f"{table}.{name}": value
        for table, values in tables.items()
        if isinstance(values, dict)
        for name, value in values.items()
    }


def _with_values(text: str, values: Mapping[str, float | None]) -> str:
    """Return a settings file with other values and all else as it was; None takes a line out.

    Raises:
        InputError: if the file is written in a way that a line cannot be put into.
    """
    changed = text
    for dotted, value in values.items():
        table, name = dotted.split(".", 1)
        changed = _with_value(changed, table, name, value)
    wanted = _values(text) | dict(values)
    if _values(changed) != {name: value for name, value in wanted.items() if value is not None}:
        raise InputError(f"{SETTINGS_FILE} is written in a way that is not changed by itself: set {dict(values)} there")
    return changed


def _with_value(text: str, table: str, name: str, value: float | None) -> str:
    """Return a settings file with one value in one table."""
    lines = text.splitlines(keepends=True)
    head = next((at for at, line in enumerate(lines) if re.match(rf"\s*\[\s*{table}\s*\]", line)), None)
    if head is None:
        return (
            text
            if value is None
            else f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}[{table}]\n{name} = {value}\n"
        )
    stop = next((at for at in range(head + 1, len(lines)) if lines[at].lstrip().startswith("[")), len(lines))
    kept = [line for line in lines[head + 1 : stop] if not re.match(rf"\s*{name}\s*=", line)]
    new = [] if value is None else [f"{name} = {value}\n"]
    section = [lines[head] if lines[head].endswith("\n") else lines[head] + "\n", *new, *kept]
    if len(section) == 1 and value is None:
        section = []
    return "".join([*lines[:head], *section, *lines[stop:]])
