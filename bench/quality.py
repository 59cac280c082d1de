"""The page of retrieval quality, made from a result of ``treering eval run --out``.

usage: quality.py RESULT [MORE…] [--build TEXT] [--ablation FILE] [--curves SVG] > docs/reference/quality.md

Several results are put together; of a set and row that stand in two, the later one counts. ``--ablation`` takes what
``ablation.py`` printed; ``--curves`` draws how answerable questions and near misses are told apart.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treering.evals import curves, results
from treering.evals.runs import ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class Measure(NamedTuple):
    """A line of the first table: what of which set, and the target for the base installation."""

    set: str
    name: str
    target: str = ""
    part: str = ""


MEASURES: Final = (
    Measure("locomo10", "any@10", "≥ .81"),
    Measure("locomo10", "fraction@10", "≥ .74"),
    Measure("locomo10", "fraction@10", "≥ .48", "multi_hop"),
    Measure("locomo10", "session any@5", "≥ .945"),
    Measure("locomo10", "session any@10", "≥ .98"),
    Measure("beam_100k", "fraction@10", "≥ .53"),
    Measure("longmemeval_pooled", "fraction@10", "≥ .79"),
    Measure("docs_xling_fastapi", "MRR@10", "≥ .66", "es"),
    Measure("docs_xling_fastapi", "MRR@10", "≥ .53", "zh"),
    Measure("memdaily_zh (pooled)", "fraction@10", "≥ .23"),
    Measure("cosqa", "MRR@10", "≥ .37"),
    Measure("code_docstrings_py", "MRR@10", "≥ .45"),
    Measure("cranfield", "fraction@10"),
    Measure("timeqa_human", "fraction@10"),
    Measure("cmrc2018_zh", "MRR@10"),
    Measure("xquad_en", "MRR@10"),
    Measure("xquad_es", "MRR@10"),
    Measure("xquad_zh", "MRR@10"),
    Measure("memdaily_zh", "fraction@5"),
    Measure("chunking_eval", "span recall@1000", "≥ .90"),
)

NEAR_MISSES: Final = ("locomo10", "beam_100k", "longmemeval_pooled")
"""Sets with questions that sound like their memory and that nothing in it answers."""

_COMPARED: Final = ("any@10", "fraction@10", "MRR@10", "nDCG@10")

_TOP: Final = """\
# Retrieval quality

<!-- Made by bench/quality.py from the output of `treering eval run --out`; do not edit. -->

What the development halves of public question sets say. Nobody here wrote a question or a judgement; one setting
holds for all sets. Each group of a set is a memory of its own, made and asked through the code that a user's memory
runs. The sets are not part of this repository (several licences forbid it); `treering eval run --set DIR` measures
any folder in the same format, with your own questions, too.

```sh
treering eval run --set sets/* --by category --out quality.json
treering eval run --set sets/memdaily_zh --pooled --out pooled.json
python bench/ablation.py sets > ablation.json
python bench/quality.py quality.json pooled.json --ablation ablation.json \\
    --curves docs/reference/near-misses.svg > docs/reference/quality.md
treering eval compare quality.json after.json
```
"""

_READING: Final = """\

## How to read them

A development half has been looked at while building: expect less on text that nobody here has seen.
`longmemeval_pooled` puts the evidence of 229 questions into one memory and is no LongMemEval-S. `docs_xling_fastapi`
asks in Spanish and Chinese about English text, so words alone find what stays English in both. `memdaily_zh (pooled)`
is the harder variant of a set whose own memories hold ten lines each; it repeats sentences in many memories of which
one counts, so that the order of equals moves it by points: equal texts are shown once, with the others named, and
follow one another in a ranking. Sets with a small n are evenly spaced samples: three of 80
questions are four points. Retrieval is not question answering: these figures say whether the evidence is there, not
whether a model uses it.

## Definitions

```
"""


def main() -> int:
    """Print the page."""
    parser = argparse.ArgumentParser(description="Print the page of retrieval quality.")
    parser.add_argument("results", nargs="+")
    parser.add_argument("--build", help="what was measured: a commit, or several")
    parser.add_argument("--ablation", type=Path)
    parser.add_argument("--curves", type=Path)
    given = parser.parse_args()
    found = [results.load(file) for file in given.results]
    sets: dict[str, dict[str, Any]] = {}
    for one in found:
        for part in one["sets"]:
            name = part["name"] + (" (pooled)" if one["run"]["pooled"] else "")
            before = sets.get(name, {}).get("rows", {})
            sets[name] = {**part, "name": name, "rows": before | part["rows"]}
    rows = [name for name in ROWS if any(name in one["rows"] for one in sets.values())]
    build = [f"**Build:** {given.build}.\n"] if given.build else []
    lines = [_TOP, *build, *_first_table(sets, rows), *_against(sets), *_sizes(sets), *_budgets(sets, rows)]
    lines += _refusals(sets, rows)
    if given.curves:
        given.curves.write_text(
            curves.drawn({name: sets[name]["questions"] for name in NEAR_MISSES if name in sets}), "utf-8"
        )
        lines.append(f"\n![Own questions answered against near misses answered]({given.curves.name})")
    if given.ablation:
        lines += _ablation(json.loads(given.ablation.read_text(encoding="utf-8")))
    print("\n".join(lines) + f"\n{_READING}{found[-1]['definitions']}\n```")
    return 0


def _first_table(sets: Mapping[str, Any], rows: Sequence[str]) -> Iterator[str]:
    """Yield the table of one main measure or two for each set."""
    yield "## What is found\n"
    yield f"| set | measure | n | {' | '.join(rows)} | target |"
    yield "|---|---|---|" + "---|" * (len(rows) + 1)
    for one in MEASURES:
        if one.set not in sets:
            continue
        found = sets[one.set]
        n = found["n"]["judged"]
        values = {name: row["measures"] for name, row in found["rows"].items()}
        if one.part:
            parts = {name: row.get("by", {}).get(one.part) for name, row in found["rows"].items()}
            values = {name: part["measures"] for name, part in parts.items() if part}
            n = next((part["n"] for part in parts.values() if part), 0)
        if values:
            cells = " | ".join(_share(values.get(name, {}).get(one.name)) for name in rows)
            yield f"| {one.set}{f', {one.part}' if one.part else ''} | {one.name} | {n:,} | {cells} | {one.target} |"


def _against(sets: Mapping[str, Any]) -> Iterator[str]:
    """Yield by how much hybrid search differs from keyword search on every set."""
    yield "\n## Hybrid against keyword\n"
    yield "Points (hundredths) that meaning adds to words: mean over the judged questions.\n"
    yield f"| set | {' | '.join(_COMPARED)} |"
    yield "|---|" + "---|" * len(_COMPARED)
    for name, one in sorted(sets.items()):
        if one["n"]["judged"] and {"keyword", "hybrid"} <= one["rows"].keys():
            before, after = (one["rows"][row]["measures"] for row in ("keyword", "hybrid"))
            cells = (f"{100 * (after[measure] - before[measure]):+.1f}" for measure in _COMPARED)
            yield f"| {name} | {' | '.join(cells)} |"


def _ablation(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield what each technique brings, and the weight of meaning."""
    limit = f"up to {found['limit']} questions of each set" if found["limit"] else "all questions"
    columns = list(next(iter(found["sets"].values()))["values"])
    for title, names in (
        ("What each technique brings", [name for name in columns if not name.startswith("weight")]),
        ("Weight of meaning", [name for name in columns if name.startswith("weight")]),
    ):
        yield f"\n## {title}\n"
        yield (
            f"Made by `bench/ablation.py` with {limit}; each column adds one thing to the one before it.\n"
            if ("+" in names[1])
            else f"Made by `bench/ablation.py` with {limit}: `search.meaning_weight` alone differs.\n"
        )
        yield f"| set | measure | n | {' | '.join(names)} |"
        yield "|---|---|---|" + "---|" * len(names)
        for name, one in found["sets"].items():
            cells = " | ".join(_share(one["values"][column]) for column in names)
            yield f"| {name} | {one['measure']} | {one['n']} | {cells} |"
        means = {column: [one["values"][column] for one in found["sets"].values()] for column in names}
        yield f"| **mean** | | | {' | '.join(_share(sum(values) / len(values)) for values in means.values())} |"


def _sizes(sets: Mapping[str, Any]) -> Iterator[str]:
    """Yield the table of what the sets consist of."""
    yield "\n## The sets\n"
    yield "| set | documents | sessions | memories | questions | judged (n) | unanswerable |"
    yield "|---|---|---|---|---|---|---|"
    for name, one in sorted(sets.items()):
        n = one["n"]
        counts = (one["documents"], one["sessions"], one["memories"], n["questions"], n["judged"], n["unanswerable"])
        yield f"| {name} | {' | '.join(f'{count:,}' for count in counts)} |"


def _budgets(sets: Mapping[str, Any], rows: Sequence[str]) -> Iterator[str]:
    """Yield the table of what fits answers of three sizes."""
    yield "\n## What survives a token budget\n"
    yield "`evidence@t` for answers of 500, 1,500 and 4,000 tokens, and the mean tokens of the last one.\n"
    yield f"| set | {' | '.join(rows)} |"
    yield "|---|" + "---|" * len(rows)
    for name, one in sorted(sets.items()):
        if one["n"]["judged"]:
            cells = (_survives(one["rows"].get(row, {}).get("measures", {})) for row in rows)
            yield f"| {name} | {' | '.join(cells)} |"


def _survives(measures: Mapping[str, float]) -> str:
    """Return the evidence at each budget, and the tokens of the largest."""
    if not measures:
        return "–"
    shares = " / ".join(_share(measures[f"evidence@{budget}"]) for budget in (500, 1500, 4000))
    return f"{shares} ({measures['tokens@4000']:,.0f})"


def _refusals(sets: Mapping[str, Any], rows: Sequence[str]) -> Iterator[str]:
    """Yield the table of the gate."""
    yield "\n## What is refused\n"
    yield (
        "The share of judged questions that get an answer, of unanswerable ones that get none, and the AUROC of the"
        " confidence.\n"
    )
    yield (
        "`answered, foreign`: the share of up to 200 questions of other sets that get an answer. Sets that the gate was"
        " not fitted on: locomo10, cosqa, cranfield, chunking_eval, cmrc2018_zh, memdaily_zh.\n"
    )
    yield "| set | row | answered | answered, foreign | refused | AUROC | CPU ms p50 / p95 |"
    yield "|---|---|---|---|---|---|---|"
    for name, one in sorted(sets.items()):
        for row in rows:
            found = one["rows"].get(row, {})
            if "auroc" in found or "answered" in found:
                area = "–"
                if "auroc" in found:
                    low, high = found["auroc_interval"]
                    area = f"{_share(found['auroc'])} ({_share(low)} to {_share(high)})"
                times = f"{found['cpu_ms_p50']:.1f} / {found['cpu_ms_p95']:.1f}" if "cpu_ms_p50" in found else "–"
                rates = " | ".join(_share(found.get(rate)) for rate in ("answered", "foreign", "refused"))
                yield f"| {name} | {row} | {rates} | {area} | {times} |"


def _share(value: float | None) -> str:
    """Return a share with three digits."""
    return "–" if value is None else f"{value:.3f}".removeprefix("0")


if __name__ == "__main__":
    sys.exit(main())
