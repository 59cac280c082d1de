"""The settled examples of what a slot's history is, lived through a store: said, decided and asked as users do it.

Each claim is brought by whom the example names, at its instant; each decision is a call of the owner's. The order in
which claims of one instant arrive is the example's, and every other one.
"""

from __future__ import annotations

import itertools
import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import pytest

import treering
from treering.domain.policy import Caller

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from treering import MemoryStore

    Case = dict[str, Any]

IDS: Final = [f"SLOT-{number:02}" for number in range(1, 74, 2) if number not in {11, 31}]  # 11 is about no claim
SLOT: Final = "kelp/answer"
# A decision on a memory is one on all that it says by then, up to the end that it has by then: the last claim of these
# came after it.
LATE: Final = ("SLOT-33", "SLOT-67", "SLOT-71")
TAKEN_BACK: Final = ("SLOT-73",)
"""What is in force is rejected by taking the last change back: there is one order for that."""
SHADOWING: Final = ("SLOT-75", "SLOT-77", "SLOT-79")


class Lived:
    """An example as it was lived through a store.

    Attributes:
        memory: the store.
        names: the example's names of each claim.
    """

    def __init__(self, memory: MemoryStore, patch: pytest.MonkeyPatch) -> None:
        """Begin with nothing said."""
        self.memory = memory
        self.names: dict[str, list[str]] = {}
        self._patch = patch
        self._sources: dict[str, str] = {}

    def at(self, instant: str) -> None:
        """Let the clock show an instant."""
        self._patch.setattr("treering.api.handle.now", lambda: instant.replace("Z", ".000Z"))

    def keep(self, contents: Sequence[str]) -> None:
        """Keep a text of each trust, in which everything stands that will be said."""
        for trust in ("owner", "agent", "external"):
            self._sources[trust] = self.memory.note("\n".join(contents), trust=trust, key=f"said-by-{trust}").id

    def say(self, claim: Case) -> None:
        """Bring a claim: the owner types it, or an agent quotes a text of its trust."""
        self.at(claim["recorded_at"])
        fields = {name: claim[name] for name in ("content", "value", "valid_from", "valid_to") if claim[name]}
        if claim["actor"] == "agent":
            self.memory._caller = Caller("agent", "an-agent")
            fields["evidence"] = [{"source_id": self._sources[claim["trust"]], "quote": claim["content"]}]
        before = self.claims()
        (outcome,) = self.memory.propose([{"op": "create", "memory": {"slot": SLOT, **fields}}])
        self.memory._caller = None
        new = self.claims().keys() - before.keys()
        (id,) = new or {outcome.id}
        self.names.setdefault(id, []).append(claim["id"])

    def decide(self, decision: Case) -> None:
        """Decide on the memory of a claim, as the command line does."""
        self.at(decision["at"])
        id = next(id for id, names in self.names.items() if decision["target"] in names)
        memory = self.claims()[id]
        waits = memory in {one.memory.id for one in self.memory.review() if one.memory}
        if decision["kind"] == "reject" and not waits:
            self.memory.undo()
            return
        do = {
            "confirm": self.memory.confirm, "approve": self.memory.approve, "reject": self.memory.reject,
            "archive": self.memory.archive, "restore": self.memory.restore_memory, "erase": self.memory.forget,
        }[decision["kind"]]  # fmt: skip
        do(memory)

    def claims(self) -> dict[str, str]:
        """Return the memory of each claim of the slot."""
        with self.memory._reading() as tx:
            return {one.id: one.memory for one in tx.claims.of_slot(SLOT)}

    def told(self, case: Case) -> dict[str, Any]:
        """Return what the store says of the slot at the example's instant, in the example's words."""
        found = self.memory.timeline(SLOT, at=case["true_at"], known_at=case["known_at"] or "")
        told: dict[str, Any] = {
            "intervals": [
                (one.start or None, one.stop or None, one.value or None, one.content or None, one.state, one.claims)
                for one in found.stretches
            ],
            "current": (found.current.value or None, found.current.content) if found.current else None,
            "empty": found.empty or None,
        }
        if not case["known_at"]:
            told |= {"status": self._statuses(), "proposals": self._waiting(), "why": self._why()}
        return told

    def _statuses(self) -> dict[str, str]:
        """Return the status of the memory of each claim."""
        told = {}
        for id, memory in self.claims().items():
            status = self.memory.show(memory).status if memory else "erased"
            told |= dict.fromkeys(self.names[id], status)
        return told

    def _waiting(self) -> set[str]:
        """Return the claims of which the review asks."""
        memories = {one.memory.id for one in self.memory.review() if one.memory}
        return {name for id, memory in self.claims().items() if memory in memories for name in self.names[id]}

    def _why(self) -> dict[str, str]:
        """Return why a claim waits, in words."""
        why = {one.memory.id: one.why for one in self.memory.review() if one.memory}
        return {name: why[memory] for id, memory in self.claims().items() if memory in why for name in self.names[id]}


WHY: Final = {
    "protected": "it differs from what is protected",
    "clash": "another claim of the same date differs",
    "undated": "it has no date and differs",
    "repeats_archived": "it repeats what was archived",
}


def expected(case: Case) -> dict[str, Any]:
    """Return what an example expects, as far as a store tells it."""
    settled = case["expected"]
    current = settled["current"]
    wanted: dict[str, Any] = {
        "intervals": [
            (one["from"], one["to"], one["value"], one["content"], one["state"], len(one["ids"]))
            for one in settled["intervals"]
        ],
        "current": (current["value"], current["content"]) if current else None,
        "empty": settled["empty"],
    }
    if not case["known_at"]:
        wanted |= {
            "status": settled["status"],
            "proposals": set(settled["proposals"]),
            "why": {name: WHY[why] for name, why in settled["why"].items()},
        }
    return wanted


def orders(case: Case) -> Iterator[list[Case]]:
    """Yield the example's claims and decisions by time, with those of one instant in every order."""
    events = sorted([*case["claims"], *case["decisions"]], key=lambda one: one.get("recorded_at") or one["at"])
    if case["id"] in LATE:
        events.remove(case["claims"][-1])
        events.append({**case["claims"][-1], "recorded_at": case["true_at"]})
    groups = [list(group) for _, group in itertools.groupby(events, lambda one: one.get("recorded_at") or one["at"])]
    for chosen in itertools.product(*map(itertools.permutations, groups)):
        yield [event for group in chosen for event in group]


@contextmanager
def lived(case: Case, events: Sequence[Case], store: str, patch: pytest.MonkeyPatch) -> Iterator[Lived]:
    """Give a store in which an example was lived through."""
    with treering.open(store=store) as memory, patch.context() as inner:
        told = Lived(memory, inner)
        told.at("2026-09-01T00:00:00Z")
        told.keep([one["content"] for one in case["claims"]])
        for event in events:
            if "recorded_at" in event:
                told.say(event)
            else:
                told.decide(event)
        yield told


def read(shared: Path, id: str) -> Case:
    """Return an example."""
    lines = (shared / "spec/slot_cases.jsonl").read_text("utf-8").splitlines()
    case: Case = next(found for line in lines if (found := json.loads(line))["id"] == id)
    return case


@pytest.mark.parametrize("id", IDS)
def test_a_settled_example_is_lived_through_a_store(
    id: str, shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """History, current answer, reason for none, statuses, and what waits and why are the example's, in every order."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")
    case = read(shared, id)
    for number, events in enumerate(itertools.islice(orders(case), 1 if id in TAKEN_BACK else None)):
        with lived(case, events, str(tmp_path / f"{number}.db"), monkeypatch) as told:
            assert told.told(case) == expected(case), [one.get("id") or one["kind"] for one in events]
            assert told.memory.verify().problems == ()


def test_settled_examples_are_lived_through_a_server(
    shared: Path, databases: Any, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """All of them in the example's order, on PostgreSQL, each in a database of its own."""
    if request.config.getoption("--sqlite-only"):
        pytest.skip("--sqlite-only")
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")
    wrong = {}
    for id in IDS:
        case = read(shared, id)
        with lived(case, next(orders(case)), databases.new(), monkeypatch) as told:
            if (found := told.told(case)) != expected(case):
                wrong[id] = found
    assert wrong == {}


def test_every_settled_example_is_lived(shared: Path) -> None:
    """None is left out but the one about no claim, and those about two stores."""
    lines = (shared / "spec/slot_cases.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines if json.loads(line)["claims"]] == [*IDS, *SHADOWING]
