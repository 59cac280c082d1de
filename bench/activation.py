"""What the ages of raw sources do to the ranking: half-lives side by side.

Usage: ``python bench/activation.py SET… [--limit N] [--rows keyword,hybrid]``. Each set is asked on the day after its
newest text: without activation, and with half-lives of raw sources from a month to two years, floor .7. Sets without
dates can only change by rounding and are skipped.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from treering.domain import activation
from treering.evals import datasets, dates, runs

_HALVES = (0.0, 30.0, 90.0, 180.0, 365.0, 730.0)
_MEASURES = ("any@10", "fraction@10", "MRR@10")


def main() -> None:
    """Measure and print a line for each set, row and half-life."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--rows", default="keyword")
    options = parser.parse_args()
    real, recency = time.time_ns, activation.recency
    for folder in options.sets:
        one = datasets.read(folder, limit=options.limit)
        days = [dates.day_of(text.date) for texts in one.groups.values() for text in texts if text.date]
        known = [day for day in days if day]
        if not known:
            print(f"{one.name}: no dates")
            continue
        began = real()
        now = int((max(known).toordinal() - 719_163 + 1) * 86_400 * 1e9)
        for half in _HALVES:
            time.time_ns = lambda: now + real() - began  # noqa: B023
            activation.recency = _without if not half else _with(recency, half)
            found = runs.run(one, runs.Plan(rows=runs.check_rows(options.rows.split(","))))
            time.time_ns = real
            for name, row in found["rows"].items():
                shown = "  ".join(f"{each} {row['measures'][each]:.4f}" for each in _MEASURES)
                print(f"{one.name:22} {name:8} half-life {half or 'none':>6}  {shown}", flush=True)
    activation.recency = recency


def _without(_age: float, _half: float) -> float:
    """Return what age leaves where it does not count."""
    return 1.0


def _with(recency: Any, half: float) -> Any:  # noqa: ANN401
    """Return recency by one half-life."""
    return lambda age, _: recency(age, half)


if __name__ == "__main__":
    main()
