"""Whether questions are asked back where they should be, and answered where they should be.

Usage: ``python bench/ambiguity.py SET [--limit N]`` with a question set of conversations (LoCoMo). All conversations
are one memory: each turn a memory of its speaker, who has a surname of the conversation's own, so that a first name
that occurs in several conversations is several people's. A question that is asked back is rightly so if it names one of
these; ``guess wrong`` is how often the first result would have come from another conversation.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import treering

_SURNAMES = ("Alder", "Birch", "Cedar", "Dogwood", "Elder", "Fir", "Ginkgo", "Hazel", "Ironwood", "Juniper")
_BESIDE = ("Max", "Frank")  # named in several conversations, besides those who speak


def lines(file: Path) -> list[dict[str, Any]]:
    """Return the objects of a file of JSON lines."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def main() -> None:
    """Fill a memory, ask, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", type=Path)
    parser.add_argument("--limit", type=int, default=10**9)
    parser.add_argument("--mode", default=None)
    options = parser.parse_args()
    turns, questions = lines(options.set / "corpus.jsonl"), lines(options.set / "queries.jsonl")
    groups = list(dict.fromkeys(turn["group"] for turn in turns))
    surname = dict(zip(groups, _SURNAMES, strict=False))
    people: dict[str, set[str]] = {}
    for turn in turns:
        for name in (turn["speaker"], *(one for one in _BESIDE if re.search(rf"\b{one}\b", turn["text"]))):
            people.setdefault(name, set()).add(turn["group"])
    shared = {name for name, found in people.items() if len(found) > 1}
    print(f"{len(turns)} memories, {len(people)} names, shared: {sorted(shared)}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder, treering.open(store=folder) as memory:
        group_of = {}
        for turn in turns:
            names = [turn["speaker"], *(one for one in people if re.search(rf"\b{one}\b", turn["text"]))]
            held = [one for one in dict.fromkeys(names) if turn["group"] in people[one]]
            text = f"{turn['speaker']}: {turn['text']}"
            try:
                saved = memory.remember(text, entities=[f"{one} {surname[turn['group']]}" for one in held])
            except treering.errors.TreeringError:
                continue
            group_of[saved.id] = turn["group"]
        memory.ensure_embeddings()
        ask(memory, people, shared, questions[:: max(1, len(questions) // options.limit)], group_of, options.mode)


def ask(
    memory: treering.MemoryStore,
    people: dict[str, set[str]],
    shared: set[str],
    questions: list[dict[str, Any]],
    group_of: dict[str, str],
    mode: Any,  # noqa: ANN401
) -> None:
    """Ask bare names and whole questions, and print what was asked back."""
    bare = [(name, shape.format(name)) for name in people for shape in ("{}", "Who is {}?", "What about {}?")]
    asked = [(name, bool(memory.search(text, mode=mode).ambiguous)) for name, text in bare]
    right = sum(back and name in shared for name, back in asked)
    print(f"bare names: {len(bare)}, of shared names {sum(name in shared for name, _ in asked)};"
          f" asked back {sum(back for _, back in asked)}, rightly {right}")  # fmt: skip
    counts = dict.fromkeys(("shared", "other", "back shared", "back other", "wrong", "back wrong"), 0)
    began = time.process_time()
    for question in questions:
        is_shared = any(re.search(rf"\b{name}\b", question["text"]) for name in shared)
        back = bool(memory.search(question["text"], mode=mode).ambiguous)
        kind = "shared" if is_shared else "other"
        counts[kind] += 1
        counts[f"back {kind}"] += back
        if is_shared:
            guess = memory.search(question["text"], mode=mode, empty_gate=0.0).results
            wrong = bool(guess) and group_of.get(guess[0].id) != question["group"]
            counts["wrong"] += wrong
            counts["back wrong"] += wrong and back
    backs = counts["back shared"] + counts["back other"]
    print(f"questions: {counts}; precision {counts['back shared'] / max(1, backs):.3f},"
          f" other asked back {counts['back other'] / max(1, counts['other']):.4f},"
          f" {1000 * (time.process_time() - began) / len(questions):.2f} ms CPU each")  # fmt: skip


if __name__ == "__main__":
    main()
