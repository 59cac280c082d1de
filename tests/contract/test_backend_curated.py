"""What every store promises of claims, entities and the journal, see ``treering.ports.curated``: one suite for all."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from treering.domain.source import Document
from treering.intake import KeptText
from treering.journal import (
    StoredAct,
    StoredBriefing,
    StoredClaim,
    StoredDecision,
    StoredEntity,
    StoredLink,
    StoredProposal,
    StoredRevision,
    StoredStretch,
)  # fmt: skip
from treering.records import FOREVER, Attended, Quote, StoredMemory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.ports import Backend, Transaction

AT = "2026-01-01T00:00:00.000Z"
LATER = "2026-02-01T00:00:00.000Z"
ODD = "Ünï 🎉\n漢字 100%_!"


@pytest.fixture
def tx(backend: Backend) -> Iterator[Transaction]:
    """Return a writing transaction of an empty store."""
    with backend.write() as tx:
        yield tx


def claim(id: str, *, memory: str = "", slot: str = "a/b", **changes: str) -> StoredClaim:
    """Return a claim."""
    given = StoredClaim(
        id, memory or id, slot, "decision", "T", ODD, "S", "v", "agent", "agent", "me", "", "2026", "2027", AT
    )
    return given._replace(**changes)  # type: ignore[arg-type]


def put(tx: Transaction, *claims: StoredClaim) -> None:
    """Store claims."""
    for one in claims:
        tx.claims.put(one)


def test_claims_come_back(tx: Transaction) -> None:
    """By id, slot and memory, in order; a changed one takes the place of the old one."""
    one, two, three = claim("mem_2"), claim("mem_1", memory="mem_2"), claim("mem_3", slot="")
    put(tx, one, two, three, claim("mem_4", slot="c/d"))
    assert tx.claims.claims(["mem_2", "mem_9", "mem_3"]) == {"mem_2": one, "mem_3": three}
    assert tx.claims.of_slot("a/b") == [two, one]
    assert tx.claims.of_slot("") == []
    assert tx.claims.of_memories(["mem_2", "mem_9"]) == {"mem_2": [two, one], "mem_9": []}
    assert (tx.claims.slots(10), tx.claims.slots(1), tx.claims.slots(9, "a/b")) == (["a/b", "c/d"], ["a/b"], ["c/d"])
    put(tx, one._replace(content="New", slot="c/d"))
    assert tx.claims.of_slot("a/b") == [two]


def test_replacements(tx: Transaction) -> None:
    """They are found from both sides, each once, and can be taken back."""
    put(tx, *map(claim, ("mem_1", "mem_2", "mem_3")))
    tx.claims.put_replaced("mem_3", ["mem_2", "mem_1"])
    tx.claims.put_replaced("mem_3", ["mem_1"])
    assert tx.claims.replaced(["mem_3", "mem_1"]) == {"mem_3": ("mem_1", "mem_2")}
    assert tx.claims.replacing(["mem_1", "mem_3"]) == {"mem_1": ("mem_3",)}
    tx.claims.drop_replaced("mem_3", ["mem_1"])
    assert tx.claims.replaced(["mem_3"]) == {"mem_3": ("mem_2",)}


def test_evidence_of_revisions(tx: Transaction) -> None:
    """It keeps its order; what was given up is no longer there and comes back; it moves with its text."""
    put(tx, claim("mem_1"), claim("mem_2"))
    first, second, third = (Quote(f"ver_{n}", 0, 3, ODD) for n in (1, 2, 3))
    tx.claims.add_evidence("mem_1", [first, second], 1)
    tx.claims.add_evidence("mem_2", [], 1)
    assert tx.claims.evidence(["mem_1", "mem_2"]) == {"mem_1": [first, second], "mem_2": []}
    tx.claims.end_evidence("mem_1", 2)
    tx.claims.add_evidence("mem_1", [third], 2)
    assert tx.claims.evidence(["mem_1"]) == {"mem_1": [third]}
    assert tx.claims.citing(["ver_1", "ver_3"]) == ["mem_1"]
    assert tx.claims.citing(["ver_1"]) == []
    tx.claims.resume_evidence("mem_1", 2)
    assert tx.claims.evidence(["mem_1"]) == {"mem_1": [first, second]}
    tx.claims.move_evidence("ver_1", "ver_9")
    assert tx.claims.citing(["ver_9"]) == ["mem_1"]
    tx.claims.end_evidence("mem_1", 2)
    tx.claims.add_evidence("mem_1", [second], 2)
    tx.claims.drop_former_evidence(["ver_2"])
    assert tx.claims.evidence(["mem_1"]) == {"mem_1": [second]}
    tx.claims.resume_evidence("mem_1", 2)
    assert [quote.version for quote in tx.claims.evidence(["mem_1"])["mem_1"]] == ["ver_9"]


def test_decisions_are_numbered_and_taken_back(tx: Transaction) -> None:
    """Each has its own number; one that was taken back stays with the time of it, the first time."""
    put(tx, claim("mem_1"), claim("mem_2"))
    made = StoredDecision(0, "mem_1", "confirm", AT, LATER, "owner", ODD)
    assert [tx.claims.decide(made), tx.claims.decide(made._replace(claim="mem_2", kind="reject"))] == [1, 2]
    assert tx.claims.decisions(["mem_1"]) == [made._replace(number=1)]
    assert tx.claims.decided_on(2) == "mem_2"
    tx.claims.withdraw(1, LATER)
    tx.claims.withdraw(1, AT)
    assert tx.claims.decisions(["mem_1", "mem_2"])[0].undone_at == LATER


def test_a_history_is_replaced(tx: Transaction) -> None:
    """Stretches come back by time; those of other slots stay."""
    one = StoredStretch(-FOREVER, 5, "mem_1", "stated", None)
    two = StoredStretch(5, FOREVER, "mem_2", "archived", 7)
    tx.claims.put_stretches("a/b", [two, one])
    tx.claims.put_stretches("c/d", [one])
    assert tx.claims.stretches("a/b") == [one, two]
    wider = [one._replace(stop=9), two._replace(start=9)]
    tx.claims.put_stretches("a/b", wider)
    assert tx.claims.stretches("a/b") == wider
    tx.claims.put_stretches("a/b", [])
    assert (tx.claims.stretches("a/b"), tx.claims.stretches("c/d")) == ([], [one])


def test_what_stands_near_an_instant(tx: Transaction) -> None:
    """The stretches before and behind, nearest first, as long as dates alone decide; a part of them is replaced."""
    years = [claim(f"mem_{n}")._replace(slot="a/b", valid_from=f"{n}", memory=f"mem_{n}") for n in range(2001, 2006)]
    put(tx, *years[:1])
    assert tx.claims.near("a/b", 0, 0, 2).is_alone
    put(tx, *years[1:], claim("mem_1")._replace(slot="c/d", valid_from="2003"))
    steps = [StoredStretch(n, n + 1, f"mem_{2001 + n}", "stated", None) for n in range(4)]
    tx.claims.put_stretches("a/b", [*steps, StoredStretch(4, FOREVER, "mem_2005", "stated", None)])
    near = tx.claims.near("a/b", 2, 9, 2)
    assert (near.is_plain, near.is_told, near.is_alone) == (True, True, False)
    assert (near.before, near.behind[0]) == ((steps[1], steps[0]), steps[2])
    assert len(near.behind) == 2
    dates = [("mem_2002", "mem_2002", "2002"), ("mem_2003", "mem_2003", "2003")]
    assert sorted(tx.claims.dated("a/b", "2002", "2004")) == dates
    tx.claims.move_stretches("a/b", steps[1:3], [steps[1]._replace(stop=3)])
    assert [(one.start, one.stop) for one in tx.claims.stretches("a/b")] == [(0, 1), (1, 3), (3, 4), (4, FOREVER)]
    tx.claims.decide(StoredDecision(0, "mem_2001", "confirm", AT, "", "owner", ""))
    assert not tx.claims.near("a/b", 2, 9, 2).is_plain
    put(tx, years[0]._replace(slot="e/f"), years[1]._replace(slot="e/f", valid_from=""))
    assert not tx.claims.near("e/f", 2, 9, 2).is_plain


def test_the_database_refuses_an_overlap(backend: Backend) -> None:
    """Two stretches of one slot that share an instant fail in the database itself, and nothing of them is left."""

    def overlap() -> None:
        with backend.write() as tx:
            stretches = [StoredStretch(0, 10, "m", "stated", None), StoredStretch(9, 20, "n", "stated", None)]
            tx.claims.put_stretches("a/b", stretches)

    with pytest.raises(Exception, match=r"(?i)overlap|exclusion|conflict"):
        overlap()
    with backend.read() as tx:
        assert tx.claims.stretches("a/b") == []


def test_a_tombstone_has_no_word(tx: Transaction) -> None:
    """An erased claim keeps slot, dates, trust and decisions; its words, evidence, names and links are gone."""
    put(tx, claim("mem_1"), claim("mem_2"))
    tx.claims.add_evidence("mem_1", [Quote("ver_1", 0, 1, "x")], 1)
    tx.claims.put_revision(StoredRevision("mem_1", 1, "decision", "T", ODD, "S", "v", '{"tags": ["a"]}', AT))
    tx.claims.decide(StoredDecision(0, "mem_1", "confirm", AT, "", "owner", "words"))
    tx.entities.put(StoredEntity("ent_1", "person", "Ada"), {"ada": "Ada"}, AT)
    tx.entities.mention("mem_1", ["ent_1"])
    tx.entities.put_link(StoredLink("mem_2", "mem_1", "supports", AT, "me"))
    assert len(tx.claims.revisions(["mem_1"])) == 1
    tx.claims.erase("mem_1", LATER)
    left = tx.claims.claims(["mem_1"])["mem_1"]
    kept = (left.slot, left.valid_from, left.valid_to, left.trust, left.actor, left.recorded_at, left.erased_at)
    assert kept == ("a/b", "2026", "2027", "agent", "agent", AT, LATER)
    assert {left.memory, left.title, left.content, left.summary, left.value, left.note, left.author} == {""}
    assert tx.claims.evidence(["mem_1"]) == {"mem_1": []}
    assert tx.claims.revisions(["mem_1"]) == []
    assert [one.reason for one in tx.claims.decisions(["mem_1"])] == [""]
    assert tx.entities.links(["mem_2"]) == []
    tx.entities.remove_unmentioned(["ent_1"])
    assert tx.entities.list_entities(5) == []


def test_entities_and_their_names(tx: Transaction) -> None:
    """They are found by id, by any name and by who speaks of them; a merged one gives all of that away."""
    put(tx, claim("mem_1"), claim("mem_2"), claim("mem_3", memory="mem_2"))
    ada, bob = StoredEntity("ent_1", "person", "Ada", ("A. L.", ODD)), StoredEntity("ent_2", "person", "Bob")
    tx.entities.put(ada, {"ada": "Ada", "a l": "A. L.", "odd": ODD}, AT)
    tx.entities.put(bob, {"bob": "Bob", "ada": "Ada"}, AT)
    assert tx.entities.entities(["ent_1", "ent_9"]) == {"ent_1": ada}
    assert tx.entities.by_keys(["ada", "bob", "nobody"]) == {"ada": ("ent_1", "ent_2"), "bob": ("ent_2",)}
    assert ("a l", "ent_1") in tx.entities.names()
    assert [one.id for one in tx.entities.list_entities(5, "ent_1")] == ["ent_2"]
    tx.entities.mention("mem_1", ["ent_1"])
    tx.entities.mention("mem_3", ["ent_1", "ent_2", "ent_2"])
    assert tx.entities.mentions(["mem_1", "mem_2", "mem_9"]) == {"mem_1": ("ent_1",), "mem_2": ("ent_1", "ent_2")}
    assert tx.entities.memories_of("ent_1") == ["mem_2", "mem_1"]
    tx.entities.merge("ent_1", "ent_2")
    assert tx.entities.memories_of("ent_2") == ["mem_2", "mem_1"]
    assert tx.entities.by_keys(["odd"]) == {"odd": ("ent_2",)}
    assert tx.entities.entities(["ent_1"]) == {}
    tx.entities.remove_unmentioned(["ent_2"])
    assert [one.id for one in tx.entities.list_entities(5)] == ["ent_2"]


def test_links(tx: Transaction) -> None:
    """A link is there once, from either end, until it is taken away."""
    put(tx, claim("mem_1"), claim("mem_2"))
    link = StoredLink("mem_1", "mem_2", "causes", AT, "me")
    assert (tx.entities.put_link(link), tx.entities.put_link(link._replace(author="you"))) == (True, False)
    assert tx.entities.links(["mem_2"]) == tx.entities.links(["mem_1", "mem_2"]) == [link]
    tx.entities.unlink("mem_1", "mem_2", "causes")
    assert tx.entities.links(["mem_1"]) == []


def test_proposals(tx: Transaction) -> None:
    """They are found by id, state, operation, claim and by what their operation names or says."""
    one = StoredProposal("prp_1", "waiting", "mem_1", "", "why", "me", AT)
    said = '{"op": "create", "memory": {"content": "50% \\"of\\" a_b!"}, "id": "mem_1"}'
    two = StoredProposal("prp_2", "waiting", "", said, ODD, "me", AT)
    for proposal in (one, two, one._replace(id="prp_3", state="rejected", decided_at=LATER, reason=ODD)):
        tx.journal.put_proposal(proposal)
    assert tx.journal.proposals(["prp_2", "prp_9"]) == {"prp_2": two}
    assert [found.id for found in tx.journal.list_proposals("waiting", 5)] == ["prp_1", "prp_2"]
    assert [found.id for found in tx.journal.list_proposals(None, 5, "prp_1")] == ["prp_2", "prp_3"]
    assert (tx.journal.waiting(said), tx.journal.waiting("{}")) == ("prp_2", "")
    assert (tx.journal.count_proposals("waiting"), tx.journal.count_proposals("closed")) == (2, 0)
    assert {claim: found.id for claim, found in tx.journal.about(["mem_1", "mem_2"]).items()} == {"mem_1": "prp_3"}
    assert [found.id for found in tx.journal.naming("mem_1")] == ["prp_1", "prp_2", "prp_3"]
    assert tx.journal.naming("mem-1") == tx.journal.naming("mem_2", ["50% of a_b!", "50"]) == []
    assert [found.id for found in tx.journal.naming("mem_2", ['50% "of" a_b!'])] == ["prp_2"]
    tx.journal.put_proposal(two._replace(state="approved", decided_at=LATER))
    assert tx.journal.waiting(said) == ""
    tx.journal.remove_proposal("prp_2")
    assert tx.journal.proposals(["prp_2"]) == {}


def test_the_audit_log(tx: Transaction) -> None:
    """Lines are numbered, newest first, in pages and by target; one that was taken back says so."""
    act = StoredAct(0, AT, "agent", "me", "update", "mem_1", "accepted", '[["withdraw", 1]]')
    assert [tx.journal.record(act), tx.journal.record(act._replace(target="mem_2")), tx.journal.record(act)] == [
        1,
        2,
        3,
    ]
    tx.journal.mark_undone(1)
    assert [(one.number, one.undone) for one in tx.journal.acts(2, 3)] == [(2, False), (1, True)]
    assert [one.number for one in tx.journal.acts(1)] == [3]
    assert tx.journal.acts(5, target="mem_2") == [act._replace(number=2, target="mem_2")]


def test_an_owner_of_a_note_is_found(tx: Transaction) -> None:
    """The memory whose claim has a note is found by it, once the memory is there."""
    document = Document("abc", sha256(b"abc").hexdigest(), 3, "utf-8")
    tx.sources.put_kept(KeptText("note:mem_1", "", "note", "owner", document), "src_1", "ver_1", AT)
    put(tx, claim("mem_1", note="src_1"))
    assert tx.memories.by_sources(["src_1"]) == {}


def remembered(tx: Transaction, id: str, status: str = "active") -> None:
    """Store a memory as it stands."""
    entry = tx.memories.next_entry()
    tx.memories.put(
        StoredMemory(id, entry, "decision", "T", ODD, "", "", status, "inferred", "agent", 1, 7, AT, AT)  # type: ignore[arg-type]
    )


def test_briefings_last_until_they_end(tx: Transaction) -> None:
    """They come back by age with their memories in order, raise those, and go where they or their memories do."""
    for id in ("mem_1", "mem_2", "mem_3"):
        remembered(tx, id)
    several = StoredBriefing("brf_1", ("mem_2", "mem_1"), AT, LATER, "agent", "me")
    one = StoredBriefing("mem_3", ("mem_3",), "2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z", "owner", "owner")
    tx.attention.pin(one)
    tx.attention.pin(several)
    assert tx.attention.briefings(AT) == [several, one]
    assert tx.attention.of(["mem_1", "mem_3", "mem_9"], "2026-01-03T00:00:00.000Z") == {"mem_1": Attended(0, LATER)}
    assert tx.attention.briefings("2026-01-03T00:00:00.000Z") == [several]
    tx.attention.remove_ended("2026-01-03T00:00:00.000Z")
    assert tx.attention.briefings(AT) == [several]
    remembered(tx, "mem_2", "archived")
    assert tx.attention.briefings(AT) == [several._replace(memories=("mem_1",))]
    tx.memories.remove("mem_1")
    assert tx.attention.briefings(AT) == []
    tx.attention.pin(several._replace(memories=("mem_3",), until=AT))
    tx.attention.unpin("brf_1")
    tx.attention.unpin("brf_1")
    assert tx.attention.briefings("") == []


def test_recalls_add_up(tx: Transaction) -> None:
    """Each batch adds to the one before; a memory that is gone by then is passed over."""
    remembered(tx, "mem_1")
    tx.attention.recall({"mem_1": 2, "mem_9": 5}, AT)
    tx.attention.recall({"mem_1": 3}, LATER)
    tx.attention.pin(StoredBriefing("mem_1", ("mem_1",), AT, LATER, "agent", "me"))
    assert tx.attention.of(["mem_1", "mem_9"], AT) == {"mem_1": Attended(5, LATER)}
    assert tx.attention.of([], AT) == {}
