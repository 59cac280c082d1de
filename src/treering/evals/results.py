"""Results as files: written with what made them, read again, compared question by question."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treering import __version__
from treering.errors import InputError, NotFound, StorageFailed
from treering.evals import metrics
from treering.evals.memories import DEPTH, settings_with
from treering.evals.runs import MEASURED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.evals.runs import Plan

SCHEMA: Final = 1
_KIND: Final = "treering eval"
_MOVED: Final = 10


class Difference(NamedTuple):
    """How one measure moved from one result to another.

    Attributes:
        n: questions that both have.
        before: mean in the first.
        after: mean in the second.
        low: lower bound of the change: 95 %, bootstrap over the questions.
        high: upper bound.
    """

    n: int
    before: float
    after: float
    low: float
    high: float

    @property
    def change(self) -> float:
        """The mean change."""
        return self.after - self.before


class Moved(NamedTuple):
    """A question that one of the two does much better: id, text, change, and what stood first in each."""

    id: str
    text: str
    change: float
    before: tuple[str, ...]
    after: tuple[str, ...]


class Comparison(NamedTuple):
    """A set in two results.

    Attributes:
        name: of the set.
        rows: which row of the first and of the second.
        measures: what moved, by name.
        moved: the questions that moved most, losses first.
    """

    name: str
    rows: tuple[str, str]
    measures: dict[str, Difference]
    moved: tuple[Moved, ...]


def result(sets: Sequence[dict[str, Any]], plan: Plan, *, limit: int, pooled: bool) -> dict[str, Any]:
    """Return measured sets with everything that made them.

    Args:
        sets: what ``runs.run`` returned.
        plan: what was measured.
        limit: questions of each set; 0 for all.
        pooled: whether the groups were one memory.
    """
    run = {"rows": plan.rows, "k": plan.k, "by": plan.by, "limit": limit, "pooled": pooled}
    sizes = {"budgets": metrics.BUDGETS, "measured": MEASURED, "depth": DEPTH}
    return {
        "schema": SCHEMA,
        "kind": _KIND,
        "version": __version__,
        "python": platform.python_version(),
        "run": run | sizes,
        "settings": settings_with(plan.embedding)._asdict(),
        "definitions": metrics.DEFINITIONS,
        "sets": list(sets),
    }


def save(found: Mapping[str, Any], file: str) -> None:
    """Write a result; a file of that name is replaced at once or not at all.

    Raises:
        StorageFailed: if it cannot be written.
    """
    partial = f"{file}.part"
    try:
        with open(partial, "w", encoding="utf-8") as out:
            json.dump(found, out, ensure_ascii=False, indent=1)
            out.write("\n")
        os.replace(partial, file)
    except OSError as error:
        raise StorageFailed(f"{file} cannot be written: {error.strerror}") from error


def load(file: str) -> dict[str, Any]:
    """Return a result that ``save`` wrote.

    Raises:
        NotFound: if there is no such file.
        InputError: if it is no result.
    """
    try:
        found = json.loads(Path(file).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise NotFound(f"{file} is absent", hint="treering eval run --set DIR --out FILE") from error
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise InputError(f"{file} is no result of `treering eval run --out`: {error}") from error
    if not isinstance(found, dict) or found.get("kind") != _KIND:
        raise InputError(f"{file} is no result of `treering eval run --out`")
    if found["schema"] != SCHEMA:
        raise InputError(f"{file} is a result of another version: schema {found['schema']}, not {SCHEMA}")
    return found


def compare(
    before: Mapping[str, Any], after: Mapping[str, Any], rows: tuple[str, str] | None = None
) -> list[Comparison]:
    """Return what moved between two results, for each set and row that both have.

    Args:
        before: a result.
        after: another one.
        rows: one row of each to compare; None for every row with itself.

    Raises:
        InputError: if they have no set and row in common.
    """
    others = {one["name"]: one for one in after["sets"]}
    found = []
    for one in before["sets"]:
        other = others.get(one["name"])
        if other is not None:
            pairs = [rows] if rows else [(name, name) for name in one["rows"]]
            found += [_compare_rows(one, other, pair) for pair in pairs if _has_both(one, other, pair)]
    if not found:
        raise InputError("the two results have no set and row in common", hint="treering eval compare A B --rows X,Y")
    return found


def _has_both(one: Mapping[str, Any], other: Mapping[str, Any], rows: tuple[str, str]) -> bool:
    """Tell whether two sets have the rows."""
    return rows[0] in one["rows"] and rows[1] in other["rows"]


def _compare_rows(one: Mapping[str, Any], other: Mapping[str, Any], rows: tuple[str, str]) -> Comparison:
    """Return what moved between a row of a set and a row of the same set elsewhere."""
    lines = {line["id"]: line for line in other["questions"]}
    pairs = [
        (line, line["rows"][rows[0]], lines[line["id"]]["rows"][rows[1]])
        for line in one["questions"]
        if line["id"] in lines
    ]
    columns: dict[str, list[tuple[float, float]]] = {}
    for _, first, second in pairs:
        for name in first["measures"].keys() & second["measures"].keys():
            columns.setdefault(name, []).append((first["measures"][name], second["measures"][name]))
    order = [name for name in one["rows"][rows[0]]["measures"] if name in columns]
    moved = sorted((_moved(*pair) for pair in pairs if pair[1]["measures"]), key=lambda one: -abs(one.change))
    most = [one for one in moved[:_MOVED] if one.change]
    return Comparison(
        one["name"],
        rows,
        {name: _difference(columns[name]) for name in order},
        tuple(sorted(most, key=lambda one: one.change)),
    )


def _difference(pairs: Sequence[tuple[float, float]]) -> Difference:
    """Return how a measure moved."""
    changes = [after - before for before, after in pairs]
    low, high = metrics.mean_interval(changes)
    n = len(pairs)
    return Difference(n, sum(pair[0] for pair in pairs) / n, sum(pair[1] for pair in pairs) / n, low, high)


def _moved(line: Mapping[str, Any], first: Mapping[str, Any], second: Mapping[str, Any]) -> Moved:
    """Return how a question moved: by its evidence among the first ten, and by the rank of the first of it."""
    change = sum(second["measures"][name] - first["measures"][name] for name in ("fraction@10", "MRR@10"))
    return Moved(line["id"], line["text"], round(change, 4), tuple(first["first"][:3]), tuple(second["first"][:3]))


def comparison_json(one: Comparison) -> dict[str, Any]:
    """Return a comparison as JSON has it."""
    return {
        "set": one.name,
        "rows": list(one.rows),
        "measures": {name: value._asdict() | {"change": value.change} for name, value in one.measures.items()},
        "moved": [moved._asdict() for moved in one.moved],
    }
