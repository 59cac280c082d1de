"""The five measures that memstrata ships, on a labelled corpus of our own: one run, one report.

Precision and recall of the search; tokens that depth L1 saves against L2; whether of equals the fresher and the more
used stands first; whether a briefing raises its memory, and only while it is active.

The corpus was given more summaries after it had first been measured (L1 saved 62 % then), so its floors guard against
a change for the worse and prove nothing beyond that.
"""

from __future__ import annotations

import json
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import treering
from treering.domain.depth import in_short
from treering.domain.text import llm_tokens

if TYPE_CHECKING:
    from treering import MemoryStore
    from treering.domain.query import Mode

KIND: Final = "treering eval strata"
SCHEMA: Final = 1
FOLDER: Final = Path(__file__).parent / "strata"

_MOST_TOKENS: Final = 100_000
_OLD: Final = timedelta(days=800)
_USES: Final = 12

# Pairs that say as much of the same question; the question holds neither of the words that tell them apart.
_EQUALS: Final = (
    ("The {} gate opens with a key of brass.", "north", "south", "which gate opens with a brass key"),
    ("The {} crew repairs the crane on the quay.", "first", "third", "which crew repairs the crane"),
    ("Parcels for {} leave from platform nine.", "Bergen", "Malaga", "parcels leave from which platform"),
    ("{} keeps the spare keys of the depot.", "Amina", "Boris", "who keeps the spare keys of the depot"),
)


def run(mode: Mode | None = None) -> dict[str, Any]:
    """Return what was measured, ready to be written as JSON.

    Args:
        mode: of the searches for precision and recall; None for words and meaning.
    """
    corpus, queries = _lines("corpus.jsonl"), _lines("queries.jsonl")
    with tempfile.TemporaryDirectory(prefix="treering-eval-") as folder:
        with treering.open(folder, store=folder) as memory:
            ids = {one["id"]: _saved(memory, one) for one in corpus}
            memory.ensure_embeddings()
            answers = _quality(memory, queries, ids, {ids[one["id"]]: one for one in corpus}, mode)
        measures = {
            **answers,
            "decay_correct": _decay(folder),
            "briefing_boost": _briefings(folder),
        }
    return {
        "schema": SCHEMA,
        "kind": KIND,
        "version": treering.__version__,
        "memories": len(corpus),
        "queries": len(queries),
        "mode": mode or "hybrid",
        "measures": measures,
    }


def _lines(name: str) -> list[dict[str, Any]]:
    """Return the objects of one of the shipped files."""
    return [json.loads(line) for line in (FOLDER / name).read_text(encoding="utf-8").splitlines()]


def _saved(memory: MemoryStore, one: dict[str, Any]) -> str:
    """Save a memory of the corpus and return its id."""
    return memory.remember(one["content"], title=one.get("title", ""), summary=one.get("summary", "")).id


def _quality(
    memory: MemoryStore,
    queries: list[dict[str, Any]],
    ids: dict[str, str],
    said: dict[str, dict[str, Any]],
    mode: Mode | None,
) -> dict[str, float]:
    """Return precision, recall, and what depth L1 saves of the tokens of the same results."""
    precision, recall, shallow, full = 0.0, 0.0, 0, 0
    for query in queries:
        relevant = {ids[name] for name in query["relevant"]}
        results = memory.search(query["text"], limit=10, max_tokens=_MOST_TOKENS, mode=mode).results
        found = [one.id for one in results]
        precision += len(relevant.intersection(found[:5])) / min(5, len(relevant))
        recall += len(relevant.intersection(found)) / len(relevant)
        for one in results:
            known = said[one.id]
            short = in_short(known["content"], known.get("summary", ""))
            shallow += llm_tokens(f"{one.citation}\n{short}\n")
            full += llm_tokens(f"{one.citation}\n{known['content']}\n")
    number = len(queries)
    return {
        "precision@5": round(precision / number, 4),
        "recall@10": round(recall / number, 4),
        "tokens_L1": shallow,
        "tokens_L2": full,
        "saved_L1": round(1 - shallow / full, 4),
    }


def _decay(folder: str) -> float:
    """Return in what share of cases the fresher, or the more used, of two equals stands first."""
    right = []
    for number, (shape, one, other, question) in enumerate(_EQUALS):
        for old, fresh in ((one, other), (other, one)):  # whichever was saved first
            with treering.open(folder, store=f"{folder}/decay-{number}-{old}") as memory:
                past = (datetime.now(UTC) - _OLD).date().isoformat()
                memory.remember(shape.format(old), valid_from=past)
                wanted = memory.remember(shape.format(fresh)).id
                right.append(_first(memory, question) == wanted)
            with treering.open(folder, store=f"{folder}/use-{number}-{old}") as memory:
                saved = {name: memory.remember(shape.format(name)).id for name in (old, fresh)}
                for _ in range(_USES):
                    memory.search(fresh, limit=1, mode="keyword")
                memory.remember("Nothing else was said.")  # what was recalled is written with the next change
                right.append(_first(memory, question) == saved[fresh])
    return round(sum(right) / len(right), 4)


def _briefings(folder: str) -> float:
    """Return in what share of cases a briefing raises its memory above its equal, and no longer once it has ended."""
    right = []
    for number, (shape, one, other, question) in enumerate(_EQUALS):
        with treering.open(folder, store=f"{folder}/pin-{number}") as memory:
            saved = [memory.remember(shape.format(name)).id for name in (one, other)]
            before = _first(memory, question)
            pinned = next(id for id in saved if id != before)
            memory.pin(pinned, ttl="1d")
            later = (datetime.now(UTC) + timedelta(days=3)).date().isoformat()
            right += [_first(memory, question) == pinned, _first(memory, question, as_of=later) == before]
    return round(sum(right) / len(right), 4)


def _first(memory: MemoryStore, question: str, as_of: str = "") -> str:
    """Return the id of what stands first by words alone, in which equals are equal."""
    return memory.search(question, mode="keyword", empty_gate=0.0, as_of=as_of).results[0].id
