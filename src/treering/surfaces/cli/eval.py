"""``treering eval``: measure retrieval on question sets or one's own questions, compare, and calibrate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.errors import InputError
from treering.surfaces.cli.options import Command, Request, did_you_mean, whole_number
from treering.surfaces.cli.terminal import progress_bar, say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from treering.evals.runs import Plan

_ACTIONS: Final = ("run", "compare", "golden", "calibrate", "strata")


def _declare(parser: ArgumentParser) -> None:
    """Add what is measured and how."""
    parser.add_argument(
        "--set", metavar="DIR", dest="sets", nargs="+", action="extend", default=[],
        help="run: folders with corpus.jsonl and queries.jsonl",
    )  # fmt: skip
    parser.add_argument(
        "--foreign", metavar="DIR", nargs="+", action="extend", default=[],
        help="run: sets whose questions nothing here answers, up to 200 of them",
    )  # fmt: skip
    parser.add_argument(
        "--rows", metavar="NAME,…",
        help="run: grep, bm25, keyword, vector, hybrid, tree (default: the first three); "
        "compare: one row of A and one of B",
    )  # fmt: skip
    parser.add_argument(
        "--limit", metavar="N", type=whole_number(0, 10**9), default=0, help="run: questions of each set"
    )
    parser.add_argument(
        "--k",
        metavar="N",
        type=whole_number(1, 100),
        default=10,
        help="run, golden: results of an answer (default: 10)",
    )
    parser.add_argument("--by", metavar="FIELD", default="", help="run: report by this field of the questions, too")
    parser.add_argument("--pooled", action="store_true", help="run: all groups of a set as one memory, which is harder")
    parser.add_argument(
        "--embedding", metavar="PROVIDER", choices=("static", "multilingual"), default="",
        help="run: what finds passages by their meaning: static (default) or multilingual",
    )  # fmt: skip
    parser.add_argument("--out", metavar="FILE", help="run, strata: write what was measured")
    parser.add_argument("--dry-run", action="store_true", help="calibrate: only say what would be set")
    parser.add_argument("--undo", action="store_true", help="calibrate: set back what the last one changed")


def _run(request: Request) -> int:
    """Measure or compare."""
    action, *words = request.words or ("",)
    if action in {"golden", "calibrate"}:
        from treering.surfaces.cli import eval_own

        return (eval_own.ask if action == "golden" else eval_own.calibrate)(request.options, words)
    if action == "strata":
        from treering.surfaces.cli import eval_strata

        return eval_strata.measure(request.options, words)
    on_server = (request.options.store or "").startswith(("postgresql://", "postgres://"))
    if (request.options.store is not None and not on_server) or request.options.scope != "both":
        raise InputError(
            "a measurement works in temporary stores, never in yours; --store names a database without one",
            hint="treering eval --help",
        )
    if action == "run":
        return _measure(request.options, words)
    if action == "compare":
        return _compare(request.options, words)
    near = did_you_mean(action, _ACTIONS) if action else ""
    raise InputError(
        f"treering eval takes run, compare, golden, calibrate or strata, got {action[:80]!r}{near}",
        hint="treering eval --help",
    )


def _measure(options: Namespace, words: list[str]) -> int:
    """Measure the sets and show what came out."""
    from treering.evals import datasets, results, runs, tables

    if words or not options.sets:
        raise InputError(
            f"treering eval run takes no words, got {words[0][:80]!r}" if words else "no set was named",
            hint="treering eval run --set DIR",
        )
    rows = runs.check_rows(options.rows.split(",")) if options.rows else runs.Plan().rows
    foreign = tuple(question.text for folder in options.foreign for question in datasets.read(folder).questions)
    plan = runs.Plan(
        rows=rows,
        k=options.k,
        by=options.by,
        foreign=foreign,
        store=options.store or "",
        embedding=options.embedding,
    )
    found = results.result(_sets(options, plan), plan, limit=options.limit, pooled=options.pooled)
    if options.out:
        results.save(found, options.out)
    if options.json:
        say_json(found)
    else:
        say(tables.result_text(found) + (f"\nwritten: {options.out}\n" if options.out else ""))
    return 0


def _sets(options: Namespace, plan: Plan) -> list[dict[str, object]]:
    """Measure one set after the other; a set that cannot be read is refused before any is measured."""
    from treering.evals import datasets, runs

    sets = [datasets.read(folder, limit=options.limit, pooled=options.pooled) for folder in options.sets]
    return [runs.run(one, plan, progress_bar(one.name)) for one in sets]


def _compare(options: Namespace, words: list[str]) -> int:
    """Show what moved between two results."""
    from treering.evals import results, tables

    if len(words) != 2:
        raise InputError("treering eval compare takes two files", hint="treering eval compare A.json B.json")
    rows = None
    if options.rows:
        names = options.rows.split(",")
        rows = (names[0], names[-1])
    found = results.compare(results.load(words[0]), results.load(words[1]), rows)
    if options.json:
        say_json({"schema": 1, "comparisons": [results.comparison_json(one) for one in found]})
    else:
        say(tables.comparison_text(found))
    return 0


COMMAND: Final = Command(
    "eval",
    "run --set DIR… | compare A B | golden FILE | calibrate FILE | strata [options]",
    "Measure retrieval on question sets, beside grep and plain BM25, or on your own questions to your own memory; "
    "compare two measurements; set gate and weight of meaning by your questions; strata measures precision, recall, "
    "tokens saved by depth, decay and briefings on a corpus that is shipped.",
    (
        "treering eval run --set sets/locomo10 --by category --out now.json",
        "treering eval run --set sets/* --limit 100 --rows keyword",
        "treering eval compare before.json now.json",
        "treering eval golden questions.jsonl",
        "treering eval calibrate questions.jsonl --dry-run",
        "treering eval strata --out strata.json",
    ),
    _declare,
    _run,
)
