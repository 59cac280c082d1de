"""Published memory benchmarks as question sets, from the files that their authors publish.

usage: public_sets.py longmemeval|locomo|beam FILE-OR-FOLDER OUT

LongMemEval: ``longmemeval_s.json`` and the like, each question with a memory of its own. LoCoMo: ``locomo10.json``.
BEAM: a folder of chats, each with ``chat.json`` and ``probing_questions.json``. ``OUT`` gets ``corpus.jsonl`` and
``queries.jsonl`` as ``treering eval run --set OUT`` reads them. Standard library only.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Rows = tuple[list[dict[str, Any]], list[dict[str, Any]]]

_SESSION = re.compile(r"session_(\d+)")
_EVIDENCE = re.compile(r"D\d+:\d+")
_ADVERSARIAL = 5


def longmemeval(place: Path) -> Rows:
    """Return documents and questions of a LongMemEval file; the same session in two haystacks is two documents."""
    corpus, queries = [], []
    for one in json.loads(place.read_text(encoding="utf-8")):
        group = one["question_id"]
        relevant, anywhere = {}, one["answer_session_ids"]
        haystack = zip(one["haystack_session_ids"], one["haystack_dates"], one["haystack_sessions"], strict=True)
        for number, (session, date, turns) in enumerate(haystack):
            for place_in, turn in enumerate(turns):
                id = f"{group}/{number}/{session}/{place_in}"
                row = {"id": id, "text": turn["content"], "group": group, "session": session}
                corpus.append(row | {"date": _iso(date), "speaker": turn["role"]})
                if turn.get("has_answer"):
                    relevant[id] = 1
        abstain = group.endswith("_abs")
        queries.append(
            {
                "id": group,
                "text": one["question"],
                "group": group,
                "category": one["question_type"],
                "date": _iso(one["question_date"]),
                "relevant": {} if abstain else relevant,
                "relevant_sessions": [] if abstain else anywhere,
                "abstain": abstain,
            }
        )
    return corpus, queries


def _iso(date: str) -> str:
    """Return ``2023/05/23 (Tue) 07:05`` as ``2023-05-23T07:05:00``; anything else as it is."""
    found = re.fullmatch(r"(\d{4})/(\d\d)/(\d\d) \(\w+\) (\d\d:\d\d)", date)
    return f"{found[1]}-{found[2]}-{found[3]}T{found[4]}:00" if found else date


def locomo(place: Path) -> Rows:
    """Return documents and questions of a LoCoMo file; what a picture shows stands behind the words of its turn."""
    corpus, queries = [], []
    names = {1: "multi_hop", 2: "temporal", 3: "open_domain", 4: "single_hop", 5: "unanswerable"}
    for sample in json.loads(place.read_text(encoding="utf-8")):
        group, talk = sample["sample_id"], sample["conversation"]
        session_of = {}
        for name in sorted((key for key in talk if _SESSION.fullmatch(key)), key=lambda key: int(key[8:])):
            session = f"{group}/S{name[8:]}"
            for turn in talk[name]:
                id = f"{group}/{turn['dia_id']}"
                session_of[id] = session
                picture = f" [shares image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
                row = {"id": id, "text": turn["text"] + picture, "group": group, "session": session}
                corpus.append(row | {"date": talk.get(f"{name}_date_time", ""), "speaker": turn["speaker"]})
        for number, one in enumerate(sample["qa"]):
            abstain = one["category"] == _ADVERSARIAL
            named = [f"{group}/{id}" for text in one.get("evidence", []) for id in _EVIDENCE.findall(text)]
            known = {} if abstain else {id: 1 for id in named if id in session_of}
            queries.append(
                {
                    "id": f"{group}/q{number}",
                    "text": one["question"],
                    "group": group,
                    "category": names.get(one["category"], str(one["category"])),
                    "relevant": known,
                    "relevant_sessions": sorted({session_of[id] for id in known}),
                    "abstain": abstain,
                }
            )
    return corpus, queries


def beam(place: Path) -> Rows:
    """Return documents and questions of a folder of BEAM chats."""
    corpus, queries = [], []
    for chat in sorted(place.rglob("chat.json")):
        group = chat.parent.name
        known: dict[str, dict[str, Any]] = {}
        for number, batch in enumerate(json.loads(chat.read_text(encoding="utf-8")), start=1):
            date = ""
            for turn in _dicts_with(batch, "content"):
                date = turn.get("time_anchor") or date
                id = f"{group}/{turn.get('id', len(known))}"
                if id in known:  # some ids stand twice: the first one is meant
                    continue
                text = re.sub(r"\s*->->\s*[\d,\s]*$", "", turn["content"])
                known[id] = {"id": id, "text": text, "group": group, "session": f"{group}/b{number}"}
                corpus.append(known[id] | {"date": date, "speaker": turn["role"]})
        probes = json.loads((chat.parent / "probing_questions.json").read_text(encoding="utf-8"))
        for category, ones in probes.items():
            for number, one in enumerate(ones):
                sources = [f"{group}/{id}" for id in _numbers(one.get("source_chat_ids"))]
                abstain = category == "abstention"
                queries.append(
                    {
                        "id": f"{group}/{category}/{number}",
                        "text": one["question"],
                        "group": group,
                        "category": category,
                        "relevant": {} if abstain else {id: 1 for id in sources if id in known},
                        "abstain": abstain,
                    }
                )
    return corpus, queries


def _dicts_with(value: Any, key: str) -> Iterator[dict[str, Any]]:  # noqa: ANN401  any JSON
    """Yield the objects that have a key, however deep they stand, in order."""
    if isinstance(value, dict) and key in value:
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _dicts_with(inner, key)


def _numbers(value: Any) -> Iterator[int]:  # noqa: ANN401  any JSON
    """Yield the whole numbers in lists and objects, however deep they stand."""
    if isinstance(value, int):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _numbers(inner)


LOADERS: dict[str, Callable[[Path], Rows]] = {"longmemeval": longmemeval, "locomo": locomo, "beam": beam}


def main() -> int:
    """Write a question set."""
    if len(sys.argv) != 4 or sys.argv[1] not in LOADERS:
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    corpus, queries = LOADERS[sys.argv[1]](Path(sys.argv[2]))
    out = Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    for name, rows in (("corpus.jsonl", corpus), ("queries.jsonl", queries)):
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (out / name).write_text("".join(lines), encoding="utf-8")
    print(f"{out}: {len(corpus):,} documents, {len(queries):,} questions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
