"""A store to put drawn claims and decisions into, and what it makes of them, told without ids and times."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st
from slot_dates import span
from slot_oracle import oracle

from treering.api import MemoryStore
from treering.api.stamping import now
from treering.curate.recorded import claims_of, decisions_of
from treering.curate.settle import settle
from treering.domain.claim import History
from treering.domain.dates import instant, micros
from treering.domain.policy import Caller
from treering.domain.source import Document
from treering.intake import KeptText
from treering.journal import StoredClaim
from treering.places import Place
from treering.ports import Transaction
from treering.records import FOREVER
from treering.settings import Settings

SLOT: Final = "kelp/answer"
WORDING: Final = ("The answer is {}.", "the  ANSWER is {}.", "The answer is {}, still.")
STARTS: Final = (
    "", "2026", "2026-01-10", "2026-02-10", "2026-03", "2026-03-10", "2026-03-10T09:00:00+02:00",
    "2026-03-10T07:00:00Z", "2026-04-01", "2026-05-20", "2099-01-01", "2099-03",
)  # fmt: skip
ENDS: Final = ("2026", "2026-03-10", "2026-03-10T12:00:00+01:00", "2026-05-20", "2026-06", "2099-02", "2100")
KINDS: Final = ("confirm", "approve", "reject", "archive", "restore", "forget")
AGENT: Final = Caller("agent", "an-agent")
OWNER: Final = Caller()


class Said(NamedTuple):
    """A claim as somebody brings it; ``by`` is ``typed`` for the owner, else the trust of the source it quotes."""

    content: str
    value: str
    by: str
    valid_from: str
    valid_to: str


class Decided(NamedTuple):
    """A decision on whatever memory holds a claim by then."""

    kind: str
    on: Said


@st.composite
def claims(draw: st.DrawFn) -> Said:
    """Make a claim of few values and dates, so that the rules meet one another."""
    said = draw(st.sampled_from("vwx"))
    start = draw(st.sampled_from(STARTS))
    end = ""
    if draw(st.integers(0, 3)) == 0:
        end = draw(st.sampled_from([one for one in ENDS if not start or span(one)[1] > span(start)[0]]))
    return Said(
        content=draw(st.sampled_from(WORDING)).format(said),
        value=draw(st.sampled_from(("", said, said, said))),
        by=draw(st.sampled_from(("typed", "owner", "agent", "agent", "agent", "external"))),
        valid_from=start,
        valid_to=end,
    )


@st.composite
def dated_claims(draw: st.DrawFn) -> Said:
    """Make a claim with a value and a date, mostly of a day that no other one has: what its neighbours can settle."""
    claim = draw(claims())
    day = f"20{draw(st.integers(19, 33))}-{draw(st.integers(1, 12)):02}-{draw(st.integers(1, 28)):02}"
    start = draw(st.sampled_from((day, day, day, day, day[:7], day[:4], f"{day}T23:30:00-08:00")))
    end = f"20{draw(st.integers(19, 33))}-07" if claim.valid_to else ""
    by = draw(st.sampled_from(("typed", "agent", "agent", "agent", "agent", "agent", claim.by)))
    said = claim.content.lower().split(" is ")[1][0]
    return claim._replace(value=said, valid_from=start, valid_to=end if end > start else "", by=by)


class Slot:
    """One slot of a store of its own.

    Attributes:
        memory: the store.
    """

    def __init__(self, memory: MemoryStore) -> None:
        """Keep a source of each trust that claims may quote."""
        self.memory = memory
        self._began = now()
        text = "\n".join(wording.format(said) for wording in WORDING for said in "vwx")
        with memory._curating(create=True) as (tx, curator):
            for trust in ("owner", "agent", "external"):
                document = Document(text, sha256(text.encode()).hexdigest(), len(text), "utf-8")
                kept = KeptText(f"url:{trust}", "", "web", trust, document)  # type: ignore[arg-type]
                tx.sources.put_kept(kept, curator.make_id("src"), curator.make_id("ver"), curator.at)

    def say(self, said: Said, replaces: Sequence[str] = ()) -> Any:
        """Bring a claim."""
        self.memory._caller = OWNER if said.by == "typed" else AGENT
        evidence = [] if said.by == "typed" else [{"source_id": f"url:{said.by}", "quote": said.content}]
        fields = {
            "content": said.content, "value": said.value, "slot": SLOT, "evidence": evidence,
            "valid_from": said.valid_from, "valid_to": said.valid_to, "replaces": list(replaces),
        }  # fmt: skip
        (outcome,) = self.memory.propose(
            [{"op": "create", "memory": {name: value for name, value in fields.items() if value}}]
        )
        return outcome

    def decide(self, decided: Decided) -> None:
        """Decide on the memory that holds a claim, as far as there is something to decide."""
        self.memory._caller = OWNER
        holder = self.holder(decided.on)
        if not holder:
            return
        if decided.kind in {"approve", "reject"}:
            if holder in {one.memory.id for one in self.memory.review() if one.memory}:
                getattr(self.memory, decided.kind)(holder)
        elif decided.kind == "forget":
            self.memory.forget([holder])
        else:
            act = {"confirm": "confirm", "archive": "archive", "restore": "restore"}[decided.kind]
            self.memory.propose([{"op": act, "id": holder}])

    def undo(self) -> None:
        """Take the last change back."""
        self.memory._caller = OWNER
        self.memory.undo()

    def holder(self, said: Said) -> str:
        """Return the memory that holds a claim, or one that says no less; empty when none does."""
        with self.memory._reading() as tx:
            found = sorted(
                (one.content != said.content, one.trust, one.actor, one.memory)
                for one in tx.claims.of_slot(SLOT)
                if one.memory
                and (one.value, one.valid_from, one.valid_to) == (said.value, said.valid_from, said.valid_to)
                and (one.value or one.content == said.content)
            )
        return found[0][3] if found else ""

    def ids(self) -> set[str]:
        """Return all memories, of any status."""
        with self.memory._reading() as tx:
            return {one.id for one in tx.memories.list_memories([], 1000, "")}

    def told(self, without: Collection[str] = ()) -> dict[str, Any]:
        """Return what list, show, timeline and review say, without ids and times of writing."""
        with self.memory._reading() as tx:
            known = tx.memories.list_memories([], 1000, "")
            names = {one.id: one.content for one in known if one.id not in without}
        memories = {}
        for id in names:
            one = self.memory.show(id)
            memories[id] = (
                one.content, one.value, one.slot, one.status, one.why, one.verification, one.trust, one.valid_from,
                one.valid_to, names.get(one.superseded_by, one.superseded_by), sorted(q.text for q in one.quotes),
                sorted(one.tags),
            )  # fmt: skip
        found = self.memory.timeline(SLOT)
        told = {
            "memories": sorted(memories.values(), key=repr),
            "stretches": [
                (one.start, one.stop, names.get(one.memory, ""), one.value, one.state, one.contested_since)
                for one in found.stretches
            ],
            "current": found.current and found.current.content,
            "empty": found.empty,
            "disputed": sorted((content, why) for _, content, why, _ in found.disputed),
            "waiting": sorted(one.memory.content for one in self.memory.review() if one.memory),
        }
        return _untimed(told, self._began)

    def require_whole(self) -> None:
        """Settle all claims together, which must change no row of what one after the other has come to."""
        before = self._rows()
        with self.memory._curating() as (tx, curator):
            settle(tx, curator, tx.claims.of_slot(SLOT))
        assert self._rows() == before

    def _rows(self) -> dict[str, Any]:
        """Return every row that follows from the claims."""
        with self.memory._reading() as tx:
            stored = tx.claims.of_slot(SLOT)
            rows = tx.memories.memories(sorted({one.memory for one in stored}))
            return {
                "claims": stored,
                "rows": rows,
                "labels": tx.memories.labels(list(rows)),
                "stretches": tx.claims.stretches(SLOT),
                "proposals": tx.journal.about([one.id for one in stored]),
            }

    def require_agreement(self) -> None:
        """Hold every row to what the oracle makes of the claims and decisions that are stored."""
        with self.memory._viewing() as (tx, curator):
            stored = tx.claims.of_slot(SLOT)
            made = decisions_of(tx.claims.decisions([one.id for one in stored]))
            found = oracle(claims_of(tx, stored), made, true_at=curator.at)
            _compare(tx, stored, found)


def _untimed(told: Any, began: str) -> Any:
    """Return what was told without the instants of decisions and what spellings differ by."""
    if isinstance(told, dict):
        return {name: _untimed(value, began) for name, value in told.items()}
    if isinstance(told, list | tuple):
        return [_untimed(value, began) for value in told]
    if not told:
        return told
    dated = re.sub(r"\d{4}-\S+Z", lambda at: "then" if began <= at[0] <= now() else at[0], told)
    return " ".join(dated.casefold().split())  # of what says the same the first wording stays


def _compare(tx: Transaction, stored: Sequence[StoredClaim], found: History) -> None:
    """Compare the rows of a slot with its history."""
    holder = {one.id: one.memory for one in stored}
    rows = tx.memories.memories(sorted({memory for memory in holder.values() if memory}))
    for one in stored:
        if one.erased_at:
            assert (one.memory, one.content, one.value) == ("", "", "")
        else:
            assert rows[one.memory].status == found.status[one.id], one
    kept = tx.claims.stretches(SLOT)
    expected = [
        (_at(one.start, -FOREVER), _at(one.stop, FOREVER), holder[one.ids[-1]], one.state) for one in found.stretches
    ]
    assert [(one.start, one.stop, one.memory, one.state) for one in kept] == expected
    assert all(first.stop <= second.start for first, second in pairwise(kept))
    in_force = sorted(
        (row.starts, row.stops) for row in rows.values() if row.starts < row.stops and row.starts < FOREVER
    )
    assert all(first[1] <= second[0] for first, second in pairwise(in_force))
    about = tx.journal.about([one.id for one in stored])
    assert {claim for claim, one in about.items() if one.state == "waiting"} == set(found.proposals)


def _at(text: str | None, missing: int) -> int:
    """Return an instant as rows have it."""
    return micros(instant(text)) if text else missing


@contextmanager
def slot() -> Iterator[Slot]:
    """Give a slot in a new store, dates in UTC."""
    folder = tempfile.mkdtemp()
    place = Place(folder, str(Path(folder) / "memory.db"), "named", None, folder)
    settings = Settings(time_zone="UTC", search_freshness_ms=0, embedding_provider="none")
    try:
        with MemoryStore(place, settings) as memory:
            yield Slot(memory)
    finally:
        shutil.rmtree(folder)
