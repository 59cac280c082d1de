"""The keyword gate measured: questions of another corpus answered, own questions that get NOT FOUND.

usage: gate.py SETS [--work DIR] [--questions N]

``SETS`` is a folder of evaluation sets: ``NAME/corpus.jsonl`` with ``id``, ``text``, optional ``title``,
``group``, ``lang``; ``NAME/queries.jsonl`` with ``id``, ``text``, ``relevant``, optional ``group``, ``lang``,
``abstain``. Each group is indexed as a memory of its own, through the same code as any folder, and gets
its own answerable questions (whether or not ranking finds the evidence) and as many questions of other sets.

Prints the rates with the shipped weights, the curve over the threshold, and what fits on some of the sets give
on the others. Standard library only.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import treering
from treering import wiring
from treering.domain import scoring
from treering.domain.query import Query
from treering.recall import candidates, ranking
from treering.recall.meaning import Unasked
from treering.recall.shortlist import shortlist

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from treering.ports import Backend, Transaction

Row = dict[str, Any]

# Sets made of the same texts: a question of one is no foreign question to the other.
ALIKE: Final = (
    {"longmemeval_pooled", "longmemeval_s_sample"},
    {"xquad_en", "xquad_es", "xquad_zh"},
    {"docs_xling_fastapi", "code_docstrings_py"},
)
# Its questions and documents are in different languages: keywords alone cannot answer them.
CROSS_LINGUAL: Final = "docs_xling_fastapi"
# The sets that the shipped weights were fitted on; all others judge them. Neither half holds a text of the other,
# each has large and small memories, conversations, prose, code, English and Chinese.
CALIBRATE: Final = (
    "beam_100k",
    "code_docstrings_py",
    "docs_xling_fastapi",
    "longmemeval_pooled",
    "longmemeval_s_sample",
    "timeqa_human",
    "xquad_en",
    "xquad_es",
    "xquad_zh",
)
# What else may be fitted on, to see how much the choice of sets matters.
XQUAD: Final = ("xquad_en", "xquad_es", "xquad_zh")
LONGMEMEVAL: Final = ("longmemeval_pooled", "longmemeval_s_sample")
OTHER_SPLITS: Final = (
    ("beam_100k", "chunking_eval", "cmrc2018_zh", "cosqa", *LONGMEMEVAL, "memdaily_zh"),
    ("beam_100k", "chunking_eval", "code_docstrings_py", CROSS_LINGUAL, "memdaily_zh", "timeqa_human", *XQUAD),
    ("code_docstrings_py", "cranfield", CROSS_LINGUAL, "locomo10", "memdaily_zh", *XQUAD),
    ("beam_100k", "code_docstrings_py", CROSS_LINGUAL, *LONGMEMEVAL, "memdaily_zh", *XQUAD),
)
MOST_GROUPS: Final = 40
FEWEST: Final = 20  # a rate of fewer questions says nothing
TARGET: Final = 0.05  # false NOT FOUND
WHOLE: Final = 0.999999  # an entry that holds every word is certain


class Case(NamedTuple):
    """One question put to one memory.

    Attributes:
        corpus: set that the memory was made of.
        origin: set that the question comes from.
        kind: ``own``, ``foreign`` (in a language of the memory) or ``mixed`` (in another).
        text: the question.
        signs: those of the best candidates.
        whole: whether one of them holds every word.
        confidence: what the shipped weights say.
    """

    corpus: str
    origin: str
    kind: str
    text: str
    signs: tuple[scoring.Signs, ...]
    whole: bool
    confidence: float


class Rates(NamedTuple):
    """Share of own questions that get NOT FOUND and of foreign ones that are answered; None where too few."""

    missed: float | None
    answered: float | None


Weights = tuple[float, ...]  # base, then one for each sign


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="measure and fit the keyword gate")
    parser.add_argument("sets", type=Path)
    parser.add_argument("--work", type=Path, help="where memories are kept for the next run")
    parser.add_argument("--questions", type=int, default=240, help="own and foreign questions for each set")
    options = parser.parse_args()
    names = sorted(folder.name for folder in options.sets.iterdir())
    with tempfile.TemporaryDirectory() as folder:
        work = options.work or Path(folder)

        def cases(chosen: Iterable[str]) -> list[Case]:
            """Return the cases of some sets."""
            return collect(options.sets, sorted(chosen), work, options.questions)

        everything, judged = cases(names), cases(set(names) - set(CALIBRATE))
        print(f"## Shipped weights on the sets that they were not fitted on, threshold {ranking.KEYWORD_GATE}")
        print_rates(judged, shipped, ranking.KEYWORD_GATE)
        print("\n## Shipped weights on all sets, foreign questions from all sets")
        print_rates(everything, shipped, ranking.KEYWORD_GATE)
        print("\n## Mean rates over the threshold")
        print_curve({"judged sets": judged, "all sets": everything})
        print("\n## Fitted on some sets, judged on the others")
        for split in (CALIBRATE, *OTHER_SPLITS):
            halves = (cases(set(split) & set(names)), cases(set(names) - set(split)))
            print_split(*halves)
            print_split(*reversed(halves))
        print("\n## Each set judged by a fit on all sets that are not alike")
        print_leave_one_out(everything)


# Questions put to memories


def collect(sets: Path, names: Sequence[str], work: Path, questions: int) -> list[Case]:
    """Return the cases of the named sets; foreign questions come from the named sets alone.

    Args:
        sets: folder of the sets.
        names: which of them.
        work: where memories are made, or are still from an earlier run.
        questions: how many own and how many foreign questions each set gets.
    """
    queries = {name: _rows(sets / name / "queries.jsonl") for name in names}
    cases: list[Case] = []
    for name in names:
        chance = random.Random(name)  # noqa: S311 - a sample that is the same in each run
        corpus = _grouped(_rows(sets / name / "corpus.jsonl"))
        own = _grouped(query for query in queries[name] if query["relevant"] and not query.get("abstain"))
        groups = sorted(own or corpus)
        chosen = chance.sample(groups, min(MOST_GROUPS, len(groups)))
        foreign = _foreign(name, queries, _languages(corpus[chosen[0]], corpus[chosen[-1]]), chance)
        each = -(-questions // len(chosen))
        for group in chosen:
            mine = own.get(group, [])
            asked = [(name, "own", query) for query in chance.sample(mine, min(each, len(mine)))]
            for kind, most in (("foreign", each), ("mixed", -(-each // 3))):
                asked += [(origin, kind, query) for origin, query in _taken(foreign[kind], most)]
            cases += _ask(_memory(work / name / _safe(group), corpus[group]), name, asked)
    return cases


def _rows(path: Path) -> list[Row]:
    """Return the rows of a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _grouped(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return rows by group."""
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[str(row.get("group") or "")].append(row)
    return groups


def _safe(group: str) -> str:
    """Return a group's name as a folder's."""
    return "group " + "".join(letter if letter.isalnum() else "_" for letter in group)


def _language(row: Row) -> str:
    """Return the language of a text: Chinese by its letters, Spanish where the set says so, else English."""
    if any("一" <= letter <= "鿿" for letter in row["text"][:2000]):
        return "zh"
    return "es" if row.get("lang") == "es" else "en"


def _languages(*groups: Sequence[Row]) -> set[str]:
    """Return the languages in which at least a tenth of a corpus is written."""
    rows = [row for group in groups for row in group]
    found = [_language(row) for row in rows]
    return {language for language in set(found) if found.count(language) * 10 >= len(found)}


def _foreign(
    name: str, queries: dict[str, list[Row]], languages: set[str], chance: random.Random
) -> dict[str, list[tuple[str, Row]]]:
    """Return questions of sets that are not alike, the sets in turn, by kind."""
    kinds: dict[str, list[tuple[str, Row]]] = {}
    for kind in ("foreign", "mixed"):
        by_set = []
        for origin, rows in queries.items():
            if origin == name or any({origin, name} <= alike for alike in ALIKE):
                continue
            fitting = [row for row in rows if not row.get("abstain")]
            fitting = [row for row in fitting if (_language(row) in languages) == (kind == "foreign")]
            by_set.append([(origin, row) for row in chance.sample(fitting, min(len(fitting), 300))])
        longest = max(map(len, by_set), default=0)
        kinds[kind] = [rows[turn] for turn in range(longest) for rows in by_set if turn < len(rows)]
    return kinds


def _taken(rows: list[tuple[str, Row]], most: int) -> list[tuple[str, Row]]:
    """Return the first rows and move them to the end, so that the next group gets others."""
    first, rows[:] = rows[:most], rows[most:] + rows[:most]
    return first


def _memory(folder: Path, rows: Sequence[Row]) -> Backend:
    """Return the database of a memory with one file for each row."""
    documents, store = folder / "documents", folder / "store"
    fresh = not store.exists()
    if fresh:
        documents.mkdir(parents=True)
        store.mkdir()
        for number, row in enumerate(rows):
            _write(documents, number, row)
    with treering.open(documents, store=str(store)) as memory:
        if fresh:
            memory.index([documents])
        return wiring.open_backend(memory.place, memory.settings, create=False)


def _write(folder: Path, number: int, row: Row) -> None:
    """Write one row as a file: Markdown, or plain text where it is code."""
    code = row.get("lang") == "python"
    title = row.get("title") if not code else None
    text = f"# {title}\n\n{row['text']}" if title and not row["text"].startswith(title) else row["text"]
    (folder / f"{number}.{'txt' if code else 'md'}").write_text(text, encoding="utf-8")


def _ask(backend: Backend, corpus: str, asked: Sequence[tuple[str, str, Row]]) -> list[Case]:
    """Return the cases of one memory."""
    try:
        with backend.read() as tx:
            return [_case(tx, corpus, *one) for one in asked]
    finally:
        backend.close()


def _case(tx: Transaction, corpus: str, origin: str, kind: str, row: Row) -> Case:
    """Put one question to a memory, as a search does up to the gate."""
    query = Query(row["text"])
    asked = candidates.analyse(tx, query)
    listed = shortlist(tx, query, asked, Unasked()).entries if asked.terms else []
    found = ranking.weigh(candidates.look_up(tx, asked, listed))
    seen = tuple(ranking.signs(one, asked) for one in found[:10])
    whole = any(one.evidence.coverage > WHOLE for one in found[:10])
    return Case(corpus, origin, kind, row["text"], seen, whole, ranking.confidence(found, asked))


# Rates


def shipped(case: Case) -> float:
    """Return the confidence that a search would report."""
    return case.confidence


def decide(weights: Weights) -> Callable[[Case], float]:
    """Return what gives a case's confidence with other weights."""

    def sure(case: Case) -> float:
        """Return the confidence of the surest candidate."""
        if case.whole or not case.signs:
            return float(case.whole)
        return max(_logistic(_sum(weights, seen)) for seen in case.signs)

    return sure


def rates(cases: Sequence[Case], sure: Callable[[Case], float], threshold: float) -> dict[str, Rates]:
    """Return the rates of each set."""
    found: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for case in cases:
        found[case.corpus][case.kind].append(sure(case) >= threshold)
    return {
        name: Rates(_share([not passed for passed in kinds["own"]]), _share(kinds["foreign"]))
        for name, kinds in found.items()
    }


def _share(found: Sequence[bool]) -> float | None:
    """Return the share of what is true; None where there are too few."""
    return sum(found) / len(found) if len(found) >= FEWEST else None


def mean(by_set: dict[str, Rates]) -> Rates:
    """Return the mean over the sets, in which each counts the same; the cross-lingual one is left out."""
    within = [each for name, each in by_set.items() if name != CROSS_LINGUAL]
    missed = [each.missed for each in within if each.missed is not None]
    answered = [each.answered for each in within if each.answered is not None]
    return Rates(sum(missed) / max(1, len(missed)), sum(answered) / max(1, len(answered)))


def threshold_for(cases: Sequence[Case], sure: Callable[[Case], float], most: float) -> float:
    """Return the highest threshold at which the mean of false NOT FOUND stays within ``most``."""
    known = {id(case): sure(case) for case in cases}
    steps = [step / 200 for step in range(200)]
    fitting = [step for step in steps if (mean(rates(cases, lambda c: known[id(c)], step)).missed or 0) <= most]
    return max(fitting, default=0.0)


def print_rates(cases: Sequence[Case], sure: Callable[[Case], float], threshold: float) -> None:
    """Print a Markdown table of the rates of each set and their mean."""
    by_set = rates(cases, sure, threshold)
    mixed = [case for case in cases if case.kind == "mixed"]
    print("| memory of | own questions: NOT FOUND | foreign, same language: answered |\n|---|---|---|")
    for name, each in by_set.items():
        print(f"| {name} | {_percent(each.missed)} | {_percent(each.answered)} |")
    total = mean(by_set)
    print(f"| **mean** | {_percent(total.missed)} | {_percent(total.answered)} |")
    if mixed:
        print(f"\nin another language: {sum(sure(case) >= threshold for case in mixed)} of {len(mixed)} answered")


def print_curve(known: dict[str, list[Case]]) -> None:
    """Print the mean rates over the threshold, with the shipped weights."""
    print(f"| threshold | {' | '.join(f'{name}: NOT FOUND | foreign answered' for name in known)} |")
    print("|---" * (1 + 2 * len(known)) + "|")
    for step in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6):
        means = [mean(rates(cases, shipped, step)) for cases in known.values()]
        print(f"| {step} | {' | '.join(_percent(share) for each in means for share in each)} |")


def print_split(fitted: Sequence[Case], judged: Sequence[Case]) -> None:
    """Print the weights that some sets give and the mean rates of the others with them."""
    weights = fit(fitted)
    sure = decide(weights)
    threshold = threshold_for(fitted, sure, TARGET)
    missed, answered = mean(rates(judged, sure, threshold))
    names = " ".join(dict.fromkeys(case.corpus for case in fitted))
    print(f"- {_percent(missed)} NOT FOUND, {_percent(answered)} foreign answered: fitted on {names}:", end=" ")
    print(f"{', '.join(f'{weight:.2f}' for weight in weights)}; threshold {threshold}", flush=True)


def print_leave_one_out(cases: Sequence[Case]) -> None:
    """Print each set's rates by weights and threshold that come from the others."""
    found: dict[str, Rates] = {}
    for name in dict.fromkeys(case.corpus for case in cases if case.corpus != CROSS_LINGUAL):
        alike = {name}.union(*(each for each in ALIKE if name in each))
        others = [case for case in cases if case.corpus not in alike and case.origin not in alike]
        sure = decide(fit(others))
        found |= rates([case for case in cases if case.corpus == name], sure, threshold_for(others, sure, TARGET))
        print(f"| {name} | {_percent(found[name].missed)} | {_percent(found[name].answered)} |", flush=True)
    total = mean(found)
    print(f"| **mean** | {_percent(total.missed)} | {_percent(total.answered)} |")


def _percent(share: float | None) -> str:
    """Return a share for people."""
    return "–" if share is None else f"{100 * share:.1f} %"


# Fit


def fit(cases: Sequence[Case]) -> Weights:
    """Return base and weights of a logistic function that tells own questions from foreign ones.

    Each set counts the same, and in it its own questions as much as the foreign ones. A case is judged by
    its surest candidate, which depends on the weights; so choosing and fitting take turns.
    """
    usable = [case for case in cases if case.kind != "mixed" and case.signs and case.corpus != CROSS_LINGUAL]
    sizes: dict[tuple[str, str], int] = defaultdict(int)
    for case in usable:
        sizes[case.corpus, case.kind] += 1
    usable = [case for case in usable if sizes[case.corpus, case.kind] >= FEWEST]
    goals = [float(case.kind == "own") for case in usable]
    counts = [1 / sizes[case.corpus, case.kind] for case in usable]
    weights: Weights = (0.0, 1.0, 0.0, 0.0)
    for _ in range(5):
        rows = [(1.0, *max(case.signs, key=lambda seen: _sum(weights, seen))) for case in usable]
        weights = _newton(rows, goals, counts)
    return weights


def _newton(rows: Sequence[tuple[float, ...]], goals: Sequence[float], counts: Sequence[float]) -> Weights:
    """Return the weights of a logistic regression."""
    width = len(rows[0])
    weights = [0.0] * width
    for _ in range(10):
        slope = [0.0] * width
        curve = [[1e-3 * (i == j) for j in range(width)] for i in range(width)]
        for row, goal, count in zip(rows, goals, counts, strict=True):
            sure = _logistic(sum(w * x for w, x in zip(weights, row, strict=True)))
            for i in range(width):
                slope[i] += count * (goal - sure) * row[i]
                scaled = count * sure * (1 - sure) * row[i]
                for j in range(width):
                    curve[i][j] += scaled * row[j]
        weights = [w + step for w, step in zip(weights, _solved(curve, slope), strict=True)]
    return tuple(weights)


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return the solution of a positive definite system of equations."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, row in enumerate(rows):
        for other in rows[:i] + rows[i + 1 :]:
            factor = other[i] / row[i]
            other[:] = [x - factor * y for x, y in zip(other, row, strict=True)]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def _sum(weights: Weights, seen: Sequence[float]) -> float:
    """Return the weighted sum of signs."""
    return weights[0] + sum(w * x for w, x in zip(weights[1:], seen, strict=True))


def _logistic(value: float) -> float:
    """Return a value squeezed into 0..1."""
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, value))))


if __name__ == "__main__":
    main()
