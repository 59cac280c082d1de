"""What ``context`` keeps of the evidence, and whether what is current stands above what is stale.

usage: context.py SET… [--limit N]
       context.py --texts DIR [--size 10000] [--store DIR]

Each set is a folder with ``corpus.jsonl`` and ``queries.jsonl``; a group's turns are stored as dated sources, as
``treering eval run`` stores them. Printed for each set:

- recall: mean fraction of the relevant turns that stand in an answer of 500, 1,500 and 4,000 tokens, of ``context``
  beside ``search`` (the same questions, the same store, hybrid);
- above: over questions with several relevant turns, of which more than one stands in an answer of 1,500 tokens: how
  often the newest of them stands first;
- abstained: how many unanswerable questions get INSUFFICIENT EVIDENCE, and how many answerable ones;
- ms: CPU time of a context of 900 tokens, median.

With ``--texts``, instead, what a context costs in a memory of that many memories, a fifth of them answers of slots,
and as many chunks of files, all made of sentences of the Markdown under DIR: p50 and p90 of the CPU time, beside
``search``. A store that is named is made once and used again.
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import treering
from treering.evals.datasets import read
from treering.evals.memories import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering import MemoryStore
    from treering.evals.datasets import Question

BUDGETS = (500, 1500, 4000)
_ABOVE = 1500
_PRINTED = 900
_QUESTIONS: Final = 60
_IN_ONE_FILE: Final = 100
_SENTENCE: Final = re.compile(r"[A-Z][^.!?|`#\n]{60,220}[.!?](?=\s|$)")


class Seen(NamedTuple):
    """What one question brought.

    Attributes:
        category: of the question.
        abstain: whether nothing answers it.
        refused: whether it was told so.
        recall: for each budget, the fractions that ``context`` and ``search`` kept.
        above: whether the newest relevant turn stands first; None when fewer than two stand in the answer.
        cpu_ms: of one context.
    """

    category: str
    abstain: bool
    refused: bool
    recall: dict[int, tuple[float, float]]
    above: bool | None
    cpu_ms: float


def measure(folder: str, limit: int) -> list[Seen]:
    """Return what the questions of a set bring."""
    data = read(folder, limit=limit)
    seen: list[Seen] = []
    for group, documents in data.groups.items():
        questions = [one for one in data.questions if one.group == group]
        with Memory(documents, vectors=True) as memory:
            seen += [_ask(memory, one, {turn.id: place for place, turn in enumerate(documents)}) for one in questions]
    return seen


def _ask(memory: Memory, question: Question, order: dict[str, int]) -> Seen:
    """Return what one question brings."""
    relevant = {id for id, grade in question.relevant.items() if grade > 0}
    recall = {}
    for budget in BUDGETS:
        mine, _ = memory.context(question.text, budget)
        other = memory.shown(question.text, "hybrid", budget)
        recall[budget] = (_fraction(mine, relevant), _fraction(tuple(other), relevant))
    answer, _ = memory.context(question.text, _ABOVE)
    standing = [id for id in answer if id in relevant]
    above = order[standing[0]] == max(order[id] for id in standing) if len(standing) > 1 else None
    began = time.process_time()
    _, refused = memory.context(question.text, _PRINTED)
    cpu_ms = (time.process_time() - began) * 1000
    return Seen(question.fields.get("category", ""), question.abstain, refused, recall, above, cpu_ms)


def cost(texts: str, size: int, store: str) -> None:
    """Print what contexts and searches cost in a large memory."""
    sentences = list(itertools.islice(_sentences(texts), 2 * size))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(store or folder)
        os.environ["TREERING_HOME"] = str(place / "home")  # the user's own store would be asked, too
        if not (place / ".treering").exists():
            _fill(place, sentences[:size], sentences[size:])
        with treering.open(place) as memory:
            print(f"{size:,} memories, {size:,} chunks; CPU ms, p50 and p90 of {_QUESTIONS} questions")
            step = max(1, len(sentences) // _QUESTIONS)
            questions = [f"what about {' '.join(one.split()[3:9])}" for one in sentences[step // 2 :: step]]
            for name in ("search", "context"):
                getattr(memory, name)("anything at all")
                times = sorted(_cpu_ms(memory, name, question) for question in questions)
                print(f"  {name}: {statistics.median(times):.2f}, {times[len(times) * 9 // 10]:.2f}")


def _cpu_ms(memory: MemoryStore, name: str, question: str) -> float:
    """Return the CPU time of one question, the best of three: the machine has other work."""
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        getattr(memory, name)(question, max_tokens=_PRINTED)
        best = min(best, time.process_time() - began)
    return best * 1000


def _sentences(folder: str) -> Iterator[str]:
    """Yield sentences of Markdown files, each once."""
    seen: set[str] = set()
    for path in sorted(Path(folder).rglob("*.md")):
        for found in _SENTENCE.finditer(path.read_text("utf-8", "replace")):
            if found[0] not in seen:
                seen.add(found[0])
                yield found[0]


def _fill(place: Path, said: Sequence[str], written: Sequence[str]) -> None:
    """Make a memory of sentences: some are said, others stand in files."""
    (place / ".git").mkdir(parents=True)
    for number in range(0, len(written), _IN_ONE_FILE):
        sections = (f"## Part {at}\n\n{one}\n\n" for at, one in enumerate(written[number : number + _IN_ONE_FILE]))
        (place / f"part{number:06}.md").write_text(f"# Part {number}\n\n{''.join(sections)}", encoding="utf-8")
    with treering.open(place) as memory:
        memory.index([place])
        operations = []
        for number, one in enumerate(said):
            slot = {"slot": f"topic/part-{number // 15}", "valid_from": f"20{number % 15 + 10}-01-01"}
            operations.append({"op": "create", "memory": {"content": one} | (slot if number % 5 == 0 else {})})
        for start in range(0, len(operations), 500):
            memory.propose(operations[start : start + 500])
        memory.ensure_embeddings()


def _fraction(found: Sequence[str], relevant: set[str]) -> float:
    """Return which share of the relevant documents was found; 1 where there are none."""
    return len(relevant.intersection(found)) / len(relevant) if relevant else 1.0


def main() -> None:
    """Measure each set and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--texts", default="", help="measure the cost alone, of sentences under this folder")
    parser.add_argument("--size", type=int, default=10_000, help="memories, and chunks")
    parser.add_argument("--store", default="", help="folder of a project to make, or to use again")
    parser.add_argument("--limit", type=int, default=0, help="questions at the most, evenly spaced")
    options = parser.parse_args()
    if options.texts:
        cost(options.texts, options.size, options.store)
    for folder in options.sets:
        _print(Path(folder).name, measure(folder, options.limit))


def _print(name: str, seen: Sequence[Seen]) -> None:
    """Print the figures of a set."""
    answerable = [one for one in seen if not one.abstain]
    print(f"{name}: {len(seen)} questions, {statistics.median(one.cpu_ms for one in seen):.1f} ms")
    for budget in BUDGETS:
        pairs = [one.recall[budget] for one in answerable]
        context, search = (statistics.fmean(pair[side] for pair in pairs) for side in (0, 1))
        print(f"  recall in {budget:,} tokens: context {context:.3f}, search {search:.3f}")
    for category in sorted({one.category for one in seen}):
        judged = [one.above for one in seen if one.category == category and one.above is not None]
        if judged:
            print(f"  above, {category}: {sum(judged)} of {len(judged)}")
    for what, some in (("unanswerable", [one for one in seen if one.abstain]), ("answerable", answerable)):
        if some:
            print(f"  abstained, {what}: {sum(one.refused for one in some)} of {len(some)}")


if __name__ == "__main__":
    main()
