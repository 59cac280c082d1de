"""Results as text that reads at a glance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from treering.evals.metrics import BUDGETS, DEFINITIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from treering.evals.results import Comparison

_OF_PARTS: Final = ("any@1", "any@10", "fraction@5", "fraction@10", "MRR@10")
_SHOWN_TEXT: Final = 90


def result_text(found: Mapping[str, Any]) -> str:
    """Return a result as one table for each set, with the definitions below."""
    parts = ["\n".join(_set_lines(one)) for one in found["sets"]]
    run = found["run"]
    made = (
        f"treering {found['version']} · {run['k']} results an answer · rankings from the first {run['depth']} results"
    )
    made += f" · {run['limit']} questions of each set" if run["limit"] else ""
    made += " · groups pooled" if run["pooled"] else ""
    return "\n\n".join([*parts, made, DEFINITIONS]) + "\n"


def heading(one: Mapping[str, Any]) -> str:
    """Return what a set consists of."""
    n = one["n"]
    sessions = f" in {one['sessions']:,} sessions" if one["sessions"] else ""
    memories = f", {one['memories']:,} memories" if one["memories"] > 1 else ""
    rest = n["questions"] - n["judged"] - n["unanswerable"]
    unjudged = f", {rest:,} without judgement" if rest else ""
    return (
        f"{one['name']}: {one['documents']:,} documents{sessions}{memories}; n = {n['judged']:,} judged"
        f" of {n['questions']:,} questions, {n['unanswerable']:,} unanswerable{unjudged}"
    )


def _set_lines(one: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a set's table."""
    rows = one["rows"]
    yield heading(one)
    yield _line("", rows)
    for label, names in _families(next(iter(rows.values()))["measures"]).items():
        yield _line(label, [_cell(row["measures"], names) for row in rows.values()])
    for label, cells in _other_lines(rows):
        yield _line(label, cells)
    parts = {part: values["n"] for row in rows.values() for part, values in row.get("by", {}).items()}
    for part, n in parts.items():
        yield f"  {part} (n = {n})"
        for label, names in _families(_OF_PARTS).items():
            yield _line(f"  {label}", [_cell(row["by"][part]["measures"], names) for row in rows.values()])


def _line(label: str, cells: Iterable[str]) -> str:
    """Return one line of a table."""
    return f"  {label:24}" + "".join(f"{cell:>20}" for cell in cells)


def _families(names: Iterable[str]) -> dict[str, list[str]]:
    """Return measures that differ in what stands behind the ``@`` alone under one label: ``any@1/5/10``."""
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(name.partition("@")[0], []).append(name)
    return {
        f"{family}@{'/'.join(name.partition('@')[2] for name in members)}": members
        for family, members in families.items()
    }


def _cell(measures: Mapping[str, float], names: Sequence[str]) -> str:
    """Return the values of a family."""
    return "/".join(_number(measures.get(name)) for name in names)


def _other_lines(rows: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Yield what is no mean over judged questions, with a cell for each row."""
    lines: dict[str, Callable[[Mapping[str, Any]], str]] = {
        "answered": lambda row: _number(row.get("answered")),
        "refused": lambda row: _number(row.get("refused")),
        "foreign": lambda row: _number(row.get("foreign")),
        "AUROC": _auroc,
        "current": lambda row: "{} of {}".format(*row["current"]) if "current" in row else "–",
        "cpu ms p50/p95": lambda row: (
            f"{row['cpu_ms_p50']:.1f}/{row['cpu_ms_p95']:.1f}" if "cpu_ms_p50" in row else "–"
        ),
        "opened of nodes": lambda row: f"{row['opened']:.1f} of {row['nodes']:,.0f}" if "opened" in row else "–",
        f"tokens@{BUDGETS[-1]} max": lambda row: (
            f"{row['tokens_max'][str(BUDGETS[-1])]:,}" if "tokens_max" in row else "–"
        ),
    }
    for name, cell in lines.items():
        cells = [cell(row) for row in rows.values()]
        if any(text != "–" for text in cells):
            yield name, cells


def _auroc(row: Mapping[str, Any]) -> str:
    """Return an AUROC with its interval."""
    if "auroc" not in row:
        return "–"
    low, high = row["auroc_interval"]
    return f"{row['auroc']:.2f} ({low:.2f}–{high:.2f})".replace("0.", ".")


def _number(value: float | None) -> str:
    """Return a share with three digits and no zero before them, a larger number whole."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if value > 1 else f"{value:.3f}".removeprefix("0")


def comparison_text(found: Sequence[Comparison]) -> str:
    """Return what moved between two results."""
    return "\n\n".join("\n".join(_comparison_lines(one)) for one in found) + "\n"


def _comparison_lines(one: Comparison) -> Iterator[str]:
    """Yield the lines of one set and row."""
    yield f"{one.name}: {one.rows[0]} → {one.rows[1]}"
    for name, value in one.measures.items():
        sign = "+" if value.low > 0 else "-" if value.high < 0 else " "
        yield (
            f" {sign} {name:22}{_number(value.before):>8} →{_number(value.after):>8}   {value.change:+.3f}"
            f"  ({value.low:+.3f} to {value.high:+.3f})  n = {value.n}"
        )
    for moved in one.moved:
        yield f"   {moved.change:+.2f}  {moved.id}: {moved.text[:_SHOWN_TEXT]}"
