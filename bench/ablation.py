"""What each technique of ranking brings: one after the other added, through the production path.

usage: ablation.py SETS [--limit N] [--sets NAME,…] > ablation.json

``SETS`` is the folder of question sets. Every column is the product with other settings (``search.*``), with documents
that lack a field, or with the index's tokenizer as it is without stemming; no code of ranking is written again here.
Prints JSON, which ``quality.py`` makes the table of.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treering.backends.sqlite import search
from treering.derived import rows
from treering.evals import datasets, memories, metrics
from treering.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering.domain.query import Mode
    from treering.evals.datasets import Dataset, Document, Question


class Column(NamedTuple):
    """One way to run the product: name, mode, settings, whether fields are indexed, whether words are stemmed."""

    name: str
    mode: Mode
    settings: Settings
    fields: bool = True
    stemming: bool = True


_PLAIN: Final = Settings(search_neighbours=0.0, search_same_source=0.0)
COLUMNS: Final = (
    Column("keyword alone", "keyword", _PLAIN, fields=False, stemming=False),
    Column("+ stemming", "keyword", _PLAIN, fields=False),
    Column("+ vectors", "hybrid", _PLAIN, fields=False),
    Column("+ fields, dates", "hybrid", _PLAIN),
    Column("+ neighbours", "hybrid", Settings(search_same_source=0.0)),
    Column("+ same source", "hybrid", Settings()),
)
WEIGHTS: Final = (0.0, 0.3, 0.45, 0.6, 0.9, 1.2)
SETS: Final = {
    "locomo10": "fraction@10",
    "beam_100k": "fraction@10",
    "longmemeval_pooled": "fraction@10",
    "cosqa": "MRR@10",
    "code_docstrings_py": "MRR@10",
    "cranfield": "fraction@10",
    "docs_xling_fastapi": "MRR@10",
    "timeqa_human": "fraction@10",
    "xquad_en": "MRR@10",
    "xquad_es": "MRR@10",
    "xquad_zh": "MRR@10",
}


def main() -> int:
    """Print every column of every set."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=200, help="questions of each set (default: 200); 0 for all")
    parser.add_argument("--sets", default=",".join(SETS))
    given = parser.parse_args()
    found = {}
    for name in given.sets.split(","):
        dataset = datasets.read(given.folder / name, limit=given.limit)
        values = {column.name: measured(dataset, [column], SETS[name])[column.name] for column in COLUMNS}
        weighted = [
            Column(f"weight {weight:g}", "hybrid", Settings(search_meaning_weight=weight)) for weight in WEIGHTS
        ]
        values |= measured(dataset, weighted, SETS[name])
        found[name] = {"measure": SETS[name], "n": sum(one.judged for one in dataset.questions), "values": values}
        print(name, values, file=sys.stderr, flush=True)
    json.dump({"kind": "treering ablation", "limit": given.limit, "sets": found}, sys.stdout, indent=1)
    return 0


def measured(dataset: Dataset, columns: Sequence[Column], measure: str) -> dict[str, float]:
    """Return the mean of a measure for columns that ask the same memories."""
    first = columns[0]
    found: dict[str, list[float]] = {column.name: [] for column in columns}
    for group, questions in _by_group(dataset.questions).items():
        documents = dataset.groups.get(group, [])
        with (
            _stemming(first.stemming),
            memories.Memory(_shorn(documents, first), vectors=first.mode != "keyword") as one,
        ):
            for column in columns:
                one.set(column.settings)
                for question in questions:
                    ranking = one.ranking(question.text, column.mode)
                    shown = dict.fromkeys(metrics.BUDGETS, metrics.Shown(frozenset(), 0))
                    outcome = metrics.Outcome(ranking, 0.0, shown)
                    found[column.name].append(metrics.measures(question._replace(spans=()), outcome, {})[measure])
    return {name: round(sum(values) / len(values), 4) for name, values in found.items()}


def _by_group(questions: Sequence[Question]) -> dict[str, list[Question]]:
    """Return the judged questions of each memory."""
    found: dict[str, list[Question]] = {}
    for one in questions:
        if one.judged:
            found.setdefault(one.group, []).append(one)
    return found


def _shorn(documents: Sequence[Document], column: Column) -> list[Document]:
    """Return documents, without title, path, speaker and date where a column does without them; sessions stay."""
    if column.fields:
        return list(documents)
    return [one._replace(title="", path="", speaker="", date="") for one in documents]


@contextmanager
def _stemming(on: bool) -> Iterator[None]:  # noqa: FBT001
    """Make new indexes without stemming for a while: the schema names a tokenizer, which no setting changes."""
    if on:
        yield
        return
    kept = search.TOKENIZER, rows.bring_up_to_date

    def unstemmed(tx: Any, *rest: Any) -> None:  # noqa: ANN401  passed on
        """Bring a store up to date and give its empty index the other tokenizer."""
        kept[1](tx, *rest)
        database = tx.keywords._db  # noqa: SLF001
        [[statement]] = database.rows("select sql from sqlite_master where name = 'words'")
        database.run("drop table words_vocabulary")
        database.run("drop table words")
        database.run(statement.replace("porter unicode61", "unicode61"))
        database.run("create virtual table words_vocabulary using fts5vocab(words, 'row')")

    try:
        search.TOKENIZER, rows.bring_up_to_date = ("unicode61", kept[0][1][1:]), unstemmed  # type: ignore[misc,assignment]
        yield
    finally:
        search.TOKENIZER, rows.bring_up_to_date = kept  # type: ignore[misc]


if __name__ == "__main__":
    sys.exit(main())
