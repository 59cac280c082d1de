"""A slot's history: each rule, and the meetings of two."""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest

from treering.domain.claim import Claim, Decision, History
from treering.domain.shadowing import shadowed
from treering.domain.timeline import history
from treering.errors import InputError

if TYPE_CHECKING:
    from treering.domain.claim import DecisionKind

NOW = "2026-11-30T12:00:00Z"
JAN, FEB, MAR = "2026-01-10", "2026-02-10", "2026-03-10"


def claim(id: str, value: str | None, start: str | None = None, **more: Any) -> Claim:
    """Return an agent's claim."""
    content = more.pop("content", f"It is {value}.")
    return Claim(
        id,
        content,
        more.pop("trust", "agent"),
        more.pop("actor", "agent"),
        more.pop("recorded_at", "2026-10-01T00:00:00Z"),
        value,
        start,
        **more,
    )


def owns(id: str, value: str, start: str | None = None, **more: Any) -> Claim:
    """Return a claim that the owner typed."""
    return claim(id, value, start, trust="owner", actor="owner", **more)


def tombstone(id: str, start: str | None = None, **more: Any) -> Claim:
    """Return what an erasure leaves."""
    return claim(id, None, start, content="", erased_at="2026-10-20T00:00:00Z", **more)


def on(kind: DecisionKind, target: str, day: str = "2026-10-20", until: str | None = None) -> Decision:
    """Return a decision of the owner."""
    return Decision(kind, target, f"{day}T00:00:00Z" if len(day) == 10 else day, until)


def drawn(found: History) -> str:
    """Return stretches and statuses on one line: `2026-01-10..2026-02-10 a,b | a:active c:disputed(clash)`."""
    stretches = "; ".join(
        f"{(one.start or '?')[:10]}..{(one.stop or '')[:10]} {','.join(one.ids)}"
        + ("" if one.state == "stated" else f" {one.state}")
        + (f" contested {one.contested_since[:10]}" if one.contested_since else "")
        for one in found.stretches
    )
    statuses = " ".join(
        f"{id}:{status}" + (f"({found.why[id]})" if id in found.why else "")
        for id, status in sorted(found.status.items())
    )
    return f"{stretches} | {statuses}"


EXAMPLES: dict[str, tuple[list[Claim], list[Decision], str]] = {
    "later and different supersedes": (
        [claim("a", "v", JAN), claim("b", "w", FEB)],
        [],
        "2026-01-10..2026-02-10 a; 2026-02-10.. b | a:superseded b:active",
    ),
    "the same again after something else is another memory": (
        [claim("a", "v", JAN), claim("b", "w", FEB), claim("c", "v", MAR)],
        [],
        "2026-01-10..2026-02-10 a; 2026-02-10..2026-03-10 b; 2026-03-10.. c | a:superseded b:superseded c:active",
    ),
    "a claim without value takes the value of claims with its content": (
        [claim("a", "v", JAN, content="Ships Monday"), claim("b", None, FEB, content=" ships  MONDAY "),
         claim("c", "v", MAR)],
        [],
        "2026-01-10.. a,b,c | a:active b:active c:active",
    ),
    "... not when they disagree": (
        [claim("a", "v", JAN, content="X"), claim("b", "w", FEB, content="X"), claim("c", None, MAR, content="X")],
        [],
        "2026-01-10..2026-02-10 a; 2026-02-10..2026-03-10 b; 2026-03-10.. c | a:superseded b:superseded c:active",
    ),
    "contents are compared composed": (
        [claim("a", None, JAN, content="E\u0301clair"), claim("b", None, FEB, content="éclair")],
        [],
        "2026-01-10.. a,b | a:active b:active",
    ),
    "the owner's correction of the same date disputes nobody": (
        [owns("a", "v", JAN), owns("b", "w", JAN, replaces=("a",))],
        [],
        "2026-01-10.. b | a:superseded b:active",
    ),
    "a chain of corrections of one date": (
        [owns("a", "v", JAN, replaces=("b",)), owns("b", "w", JAN, replaces=("c",)), owns("c", "x", JAN)],
        [],
        "2026-01-10.. a | a:active b:superseded c:superseded",
    ),
    "a correction dated before what it replaces": (
        [claim("a", "v", MAR), claim("b", "w", JAN, replaces=("a",))],
        [],
        "2026-01-10.. b | a:superseded b:active",
    ),
    "... does not reach one that is protected against it": (
        [claim("a", "v", MAR, trust="owner"), claim("b", "w", JAN, replaces=("a",))],
        [],
        "2026-03-10.. a | a:active b:disputed(protected)",
    ),
    "... nor does one that a claim after it stops take what it replaces along": (
        [claim("a", "v", MAR), claim("b", "w", FEB, replaces=("a",)), claim("c", "x", JAN, trust="owner")],
        [],
        "2026-01-10.. c | a:disputed(protected) b:disputed(protected) c:active",
    ),
    "replaced at the date of something that says the same": (
        [claim("a", "w", MAR), claim("b", "w", MAR), claim("c", "v", JAN, replaces=("a",))],
        [],
        "2026-01-10..2026-03-10 c; 2026-03-10.. a,b | a:active b:active c:superseded",
    ),
    "a correction back to what was in force does not interrupt it": (
        [claim("a", "v", JAN), claim("b", "w", FEB), claim("c", "v", FEB, replaces=("b",))],
        [],
        "2026-01-10.. a,c | a:active b:superseded c:active",
    ),
    "an edge runs through a claim that was taken out": (
        [claim("a", "v", JAN), claim("b", "w", JAN, replaces=("a",)), claim("c", "x", JAN, replaces=("b",))],
        [on("reject", "b")],
        "2026-01-10.. c | a:superseded b:archived c:active",
    ),
    "a ring of replacements orders nothing": (
        [claim("a", "v", JAN, replaces=("b",)), claim("b", "w", JAN, replaces=("c",)),
         claim("c", "x", JAN, replaces=("a", "c", "nobody"))],
        [],
        " | a:disputed(clash) b:disputed(clash) c:disputed(clash)",
    ),
    "what replaces a claim of a ring still does": (
        [claim("a", "v", JAN, replaces=("b",)), claim("b", "v", JAN, replaces=("a",)),
         claim("c", "x", JAN, replaces=("b", "a"))],
        [],
        "2026-01-10.. c | a:superseded b:superseded c:active",
    ),
    "an undated claim that is replaced comes first": (
        [claim("a", "v"), claim("b", "w", FEB, replaces=("a",))],
        [],
        "?..2026-02-10 a; 2026-02-10.. b | a:superseded b:active",
    ),
    "... by an undated one too": (
        [claim("a", "v"), claim("b", "w", replaces=("a",))],
        [],
        "?.. b | a:superseded b:active",
    ),
    "an undated one that replaces a dated one waits": (
        [claim("a", "v", JAN), claim("b", "w", replaces=("a",))],
        [],
        "2026-01-10.. a | a:active b:disputed(undated)",
    ),
    "the latest stated end holds": (
        [claim("a", "v", JAN, valid_to="2026-05"), claim("b", "v", FEB, valid_to="2026-08"), claim("c", "v", MAR)],
        [],
        "2026-01-10..2026-09-01 a,b,c | a:superseded b:superseded c:superseded",
    ),
    "an instant as an end is exclusive": (
        [claim("a", "v", JAN, valid_to="2026-05-01T00:00Z")],
        [],
        "2026-01-10..2026-05-01 a | a:superseded",
    ),
    "after an end nothing protects or joins": (
        [claim("a", "v", JAN, trust="owner", valid_to="2026-02"), claim("b", "w", MAR, trust="external"),
         claim("c", "v", "2026-03-01")],
        [],
        "2026-01-10..2026-03-01 a; 2026-03-01.. c | a:superseded b:disputed(protected) c:active",
    ),
    "a claim that ends before it begins never holds": (
        [claim("a", "v", FEB, valid_to="2026-01")],
        [],
        " | a:superseded",
    ),
    "... and ends nothing": (
        [claim("a", "v", JAN), claim("b", "w", None, valid_to="2026-03")],
        [on("approve", "b")],
        "2026-01-10.. a | a:active b:superseded",
    ),
    "of one date, the latest end holds": (
        [owns("a", "v", JAN, valid_to="2026-08"), claim("b", "v", JAN, valid_to="2026-05", trust="owner")],
        [],
        "2026-01-10..2026-09-01 a,b | a:superseded b:superseded",
    ),
    "of one date, the strongest is what the others repeat": (
        [claim("a", "v", FEB, trust="external"), claim("b", "v", FEB), claim("c", "x", JAN)],
        [],
        "2026-01-10..2026-02-10 c; 2026-02-10.. a,b | a:active b:active c:superseded",
    ),
    "the loser of a clash ends nothing by its end": (
        [claim("a", "v", JAN), claim("b", "w", FEB), claim("c", "v", FEB, valid_to="2026-05")],
        [],
        "2026-01-10.. a contested 2026-02-10 | a:active b:disputed(clash) c:disputed(clash)",
    ),
    "a higher repeat protects from its date on": (
        [claim("a", "v", JAN), claim("b", "v", FEB, trust="owner"), claim("c", "w", MAR)],
        [],
        "2026-01-10.. a,b | a:active b:active c:disputed(protected)",
    ),
    "a confirmed claim is stopped by nothing": (
        [claim("a", "v", JAN, trust="owner"), claim("b", "w", FEB, trust="external")],
        [on("confirm", "b")],
        "2026-01-10..2026-02-10 a; 2026-02-10.. b | a:superseded b:active",
    ),
    "what extraction finds in the owner's file has trust, and is not the owner's own": (
        [claim("a", "v", JAN, trust="owner"), claim("b", "w", FEB, trust="owner")],
        [on("confirm", "a")],
        "2026-01-10.. a | a:active b:disputed(protected)",
    ),
    "a confirmation of a superseded one protects to the end that was shown": (
        [claim("a", "v", JAN), claim("b", "w", FEB), claim("c", "x", MAR)],
        [on("confirm", "a", until="2026-03-10T00:00:00Z")],
        "2026-01-10..2026-03-10 a; 2026-03-10.. c | a:superseded b:disputed(protected) c:active",
    ),
    "in a clash the higher trust wins": (
        [claim("a", "v", FEB, trust="external"), claim("b", "w", FEB), claim("c", "x", FEB, trust="external")],
        [],
        "2026-02-10.. b | a:disputed(clash) b:active c:disputed(clash)",
    ),
    "a tie contests what stands": (
        [claim("z", "u", JAN), claim("a", "v", FEB), claim("b", "w", "2026-02")],
        [],
        "2026-01-10.. z contested 2026-02-01 | a:disputed(clash) b:disputed(clash) z:active",
    ),
    "... not when it is protected": (
        [claim("z", "u", JAN, trust="owner"), claim("a", "v", FEB), claim("b", "w", FEB)],
        [],
        "2026-01-10.. z | a:disputed(clash) b:disputed(clash) z:active",
    ),
    "a disputed one still clashes": (
        [claim("a", "v", "2026-02"), claim("b", "w", FEB, trust="owner"), claim("c", "x", "2026-02-20")],
        [],
        "2026-02-10.. b | a:disputed(clash) b:active c:disputed(clash)",
    ),
    "instants order within a day, and overlap the day": (
        [claim("a", "v", "2026-02-10T09:00Z"), claim("b", "w", "2026-02-10T10:00Z"), claim("c", "x", JAN)],
        [],
        "2026-01-10..2026-02-10 c; 2026-02-10..2026-02-10 a; 2026-02-10.. b | a:superseded b:active c:superseded",
    ),
    "the same instant clashes": (
        [claim("a", "v", "2026-02-10T09:00Z"), claim("b", "w", "2026-02-10T10:00+01:00")],
        [],
        " | a:disputed(clash) b:disputed(clash)",
    ),
    "the later decision wins a clash, the earlier claim is superseded": (
        [claim("a", "v", JAN), claim("b", "w", JAN)],
        [on("approve", "a", "2026-10-21"), on("confirm", "b", "2026-10-20")],
        "2026-01-10.. a | a:active b:superseded",
    ),
    "a later approval undoes the reject that approving the rival recorded": (
        [claim("a", "v", JAN), claim("b", "w", JAN)],
        [on("approve", "a"), on("reject", "b"), on("approve", "b", "2026-10-21"), on("reject", "a", "2026-10-21")],
        "2026-01-10.. b | a:archived b:active",
    ),
    "undated and the same is evidence": (
        [claim("a", "v"), claim("b", "v", FEB)],
        [],
        "2026-02-10.. b,a | a:active b:active",
    ),
    "undated evidence protects nothing": (
        [claim("a", "v", trust="owner"), claim("b", "v", JAN), claim("c", "w", FEB)],
        [],
        "2026-01-10..2026-02-10 b,a; 2026-02-10.. c | a:superseded b:superseded c:active",
    ),
    "undated and alone is in force": (
        [claim("a", "v"), claim("b", "v", valid_to="2027")],
        [],
        "?..2028-01-01 a,b | a:active b:active",
    ),
    "undated, and only disputed ones differ": (
        [claim("a", "v"), claim("b", "w", FEB), claim("c", "x", FEB)],
        [],
        " | a:disputed(undated) b:disputed(clash) c:disputed(clash)",
    ),
    "undated with another end is no evidence": (
        [claim("a", "v", valid_to="2026-05"), claim("b", "v", FEB)],
        [],
        "2026-02-10.. b | a:disputed(undated) b:active",
    ),
    "undated and rejected counts no more": (
        [claim("a", "v"), claim("b", "w")],
        [on("reject", "b")],
        "?.. a | a:active b:archived",
    ),
    "undated and confirmed is dated by the first confirmation": (
        [claim("a", "v", JAN), claim("b", "w")],
        [on("approve", "b", "2026-10-22"), on("confirm", "b", "2026-10-20")],
        "2026-01-10..2026-10-20 a; 2026-10-20.. b | a:superseded b:active",
    ),
    "undated and archived leaves its place empty": (
        [claim("a", "v"), claim("b", "v")],
        [on("archive", "a")],
        "?.. a archived | a:archived b:disputed(repeats_archived)",
    ),
    "undated and archived beside another leaves the walk": (
        [claim("a", "v"), claim("b", "w")],
        [on("archive", "a")],
        "?.. b | a:archived b:active",
    ),
    "undated repeats what was archived": (
        [claim("a", "v", JAN), claim("b", "v")],
        [on("archive", "a")],
        "2026-01-10.. a archived | a:archived b:disputed(repeats_archived)",
    ),
    "an archived one goes on stopping what it stopped": (
        [claim("a", "v", JAN, trust="owner"), claim("b", "w", FEB)],
        [on("archive", "a")],
        "2026-01-10.. a archived | a:archived b:disputed(protected)",
    ),
    "archiving a superseded one leaves its place empty, too": (
        [claim("z", "u", "2025"), claim("a", "v", JAN), claim("b", "w", FEB)],
        [on("archive", "a")],
        (
            "2025-01-01..2026-01-10 z; 2026-01-10..2026-02-10 a archived; 2026-02-10.. b "
            "| a:archived b:active z:superseded"
        ),
    ),
    "archiving a memory of two claims leaves one empty place": (
        [claim("a", "v", JAN), claim("b", "v", FEB)],
        [on("archive", "a"), on("archive", "b")],
        "2026-01-10.. a,b archived | a:archived b:archived",
    ),
    "archiving what never was in force frees what clashed with it": (
        [claim("a", "v", JAN), claim("b", "w", JAN)],
        [on("archive", "b")],
        "2026-01-10.. a | a:active b:archived",
    ),
    "archiving what was stopped changes nothing": (
        [claim("a", "v", JAN, trust="owner"), claim("b", "w", FEB)],
        [on("archive", "b")],
        "2026-01-10.. a | a:active b:archived",
    ),
    "archiving one of the future leaves the one before in force": (
        [claim("a", "v", JAN), claim("b", "w", "2027")],
        [on("archive", "b")],
        "2026-01-10.. a | a:active b:archived",
    ),
    "a claim dated after the act does not clash with what it emptied": (
        [claim("a", "v", "2026-10", trust="owner"), claim("b", "w", "2026-10-25")],
        [on("archive", "a")],
        "2026-10-01..2026-10-25 a archived; 2026-10-25.. b | a:archived b:active",
    ),
    "the owner says again what was archived": (
        [claim("a", "v", JAN), owns("b", "v", "2026-11-05")],
        [on("archive", "a")],
        "2026-01-10..2026-11-05 a archived; 2026-11-05.. b | a:archived b:active",
    ),
    "an approved repeat of what was archived": (
        [claim("a", "v", JAN), claim("b", "v", FEB)],
        [on("archive", "a"), on("approve", "b", "2026-10-25")],
        "2026-01-10..2026-02-10 a archived; 2026-02-10.. b | a:archived b:active",
    ),
    "a backdated claim of higher trust does not bring back what was archived": (
        [claim("a", "v", JAN, trust="owner"), claim("b", "v", FEB)],
        [on("archive", "b")],
        "2026-01-10..2026-02-10 a; 2026-02-10.. b archived | a:superseded b:archived",
    ),
    "... and the empty place ends when the memory would have": (
        [claim("a", "v", JAN, valid_to="2026-05"), claim("b", "v", FEB)],
        [on("archive", "b")],
        "2026-01-10..2026-02-10 a; 2026-02-10..2026-06-01 b archived | a:superseded b:archived",
    ),
    "archiving a memory frees nothing that clashed with one of its claims": (
        [claim("a", "v", JAN), claim("b", "v", FEB), claim("c", "w", FEB)],
        [on("archive", "a"), on("archive", "b")],
        "2026-01-10.. a,b archived | a:archived b:archived c:disputed(clash)",
    ),
    "a dated claim does not bring back what was archived without a date": (
        [claim("a", "v"), claim("b", "v", JAN)],
        [on("archive", "a")],
        "?.. a archived | a:archived b:disputed(repeats_archived)",
    ),
    "an agent backdates what was archived": (
        [claim("a", "v", JAN), claim("b", "v", FEB)],
        [on("archive", "b")],
        "2026-01-10..2026-02-10 a; 2026-02-10.. b archived | a:superseded b:archived",
    ),
    "restored from a reject": (
        [claim("a", "v", JAN), claim("b", "w", FEB)],
        [on("confirm", "a"), on("reject", "a", "2026-10-21"), on("restore", "a", "2026-10-22")],
        "2026-01-10.. a | a:active b:disputed(protected)",
    ),
    "an erasure cannot be restored": (
        [claim("a", "v", JAN)],
        [on("archive", "a"), on("erase", "a", "2026-10-21"), on("restore", "a", "2026-10-22")],
        "2026-01-10.. a erased | a:erased",
    ),
    "an erasure by decision and a tombstone are alike": (
        [claim("a", "v", JAN, trust="owner"), claim("b", "v", FEB)],
        [on("erase", "a")],
        "2026-01-10.. a erased | a:erased b:disputed(protected)",
    ),
    "a tombstone stops what it stopped": (
        [tombstone("a", JAN, trust="owner"), claim("b", "v", FEB)],
        [on("erase", "a")],
        "2026-01-10.. a erased | a:erased b:disputed(protected)",
    ),
    "a tombstone frees what is dated after its erasure": (
        [tombstone("a", JAN, trust="owner"), claim("b", "v", "2026-11-05")],
        [],
        "2026-01-10..2026-11-05 a erased; 2026-11-05.. b | a:erased b:active",
    ),
    "two tombstones: each frees what is dated after its own erasure": (
        [claim("a", "v", JAN, trust="owner"), claim("b", "v", JAN), claim("c", "w", "2026-10-22", trust="agent")],
        [on("erase", "a", "2026-10-21"), on("erase", "b", "2026-10-25")],
        "2026-01-10..2026-10-22 a,b erased; 2026-10-22.. c | a:erased b:erased c:active",
    ),
    "a memory of two claims, erased": (
        [tombstone("a", JAN), tombstone("b", JAN)],
        [on("erase", "a"), on("erase", "b")],
        "2026-01-10.. a,b erased | a:erased b:erased",
    ),
    "a rejected one stays rejected when it is archived; an erased one is erased": (
        [claim("a", "v", JAN), claim("b", "w", JAN), claim("c", "x", JAN)],
        [on("reject", "a"), on("archive", "a", "2026-10-21"), on("reject", "b"), on("erase", "b", "2026-10-21")],
        "2026-01-10.. c | a:archived b:erased c:active",
    ),
}  # fmt: skip


@pytest.mark.parametrize("title", EXAMPLES)
def test_what_follows_from_claims_and_decisions(title: str) -> None:
    """Each rule has its outcome, in whatever order claims and decisions come."""
    claims, decisions, expected = EXAMPLES[title]
    for some in itertools.permutations(claims):
        assert drawn(history(some, decisions, true_at=NOW)) == expected
    for some_decisions in itertools.permutations(decisions):
        assert drawn(history(claims, some_decisions, true_at=NOW)) == expected


@pytest.mark.parametrize(
    ("claims", "decisions", "empty"),
    [
        ([], [], "unknown"),
        ([claim("a", "v", JAN)], [on("reject", "a")], "unknown"),
        ([claim("a", "v", "2027")], [], "future"),
        ([claim("a", "v", "2027"), claim("b", "w", "2027")], [], "future"),
        ([claim("a", "v", JAN, valid_to="2026-05")], [], "ended"),
        ([claim("a", "v", JAN, valid_to="2026-05"), claim("b", "w", "2027")], [], "ended"),
        ([claim("a", "v", JAN, trust="owner", valid_to="2026-05"), claim("b", "w", FEB)], [], "ended"),
        ([claim("a", "v", JAN, valid_to="2026-05"), claim("b", "w", "2026-08"), claim("c", "x", "2026-08")], [],
         "disputed"),
        ([claim("a", "v"), claim("b", "w")], [], "disputed"),
        ([claim("a", "v", JAN, valid_to="2026-05")], [on("archive", "a")], "ended"),
        ([claim("a", "v", JAN)], [on("archive", "a")], "archived"),
        ([claim("a", "v", "2027")], [on("archive", "a", "2027-02-01")], "archived"),
        ([tombstone("a", JAN)], [], "erased"),
    ],
)  # fmt: skip
def test_an_empty_slot_says_why(claims: list[Claim], decisions: list[Decision], empty: str) -> None:
    """No current statement, and the reason for it."""
    found = history(claims, decisions, true_at=NOW)
    assert (found.current, found.empty) == (None, empty)


def test_status_is_that_of_the_instant_asked_about() -> None:
    """What holds at an instant is current then; what begins later is not, and neither is superseded."""
    claims = [claim("a", "v", JAN), claim("b", "w", FEB)]
    january = history(claims, [], true_at="2026-01-20")
    assert (january.current and january.current.ids, january.status) == (("a",), {"a": "active", "b": "active"})
    before = history(claims, [], true_at="2025")
    assert (before.current, before.empty) == (None, "future")
    assert history(claims, [], true_at="2026-02-10T00:00:00Z").status == {"a": "superseded", "b": "active"}


def test_known_at_leaves_out_what_came_later_but_not_erasures() -> None:
    """Claims and decisions of later are not there; what was erased later has left its tombstone already."""
    claims = [
        claim("a", "v", JAN),
        claim("b", "w", FEB, recorded_at="2026-10-15T00:00:00Z"),
        claim("c", "x", MAR, recorded_at="2026-10-25T00:00:00Z"),
    ]
    decisions = [on("confirm", "a", "2026-10-16"), on("erase", "b", "2026-10-30")]
    seen = [drawn(history(claims, decisions, true_at=NOW, known_at=f"2026-10-{day}")) for day in (14, 15, 16, 26)]
    assert seen == [
        "2026-01-10.. a | a:active",
        "2026-01-10..2026-02-10 a; 2026-02-10.. b erased | a:superseded b:erased",
        "2026-01-10.. a | a:active b:erased",
        "2026-01-10.. a | a:active b:erased c:disputed(protected)",
    ]
    assert history(claims, decisions, true_at=NOW, known_at="2026-09") == history([], [], true_at=NOW)


def test_dates_are_meant_in_the_store_s_zone() -> None:
    """A day begins when it begins there."""
    found = history([claim("a", "v", "2026-07-01")], [], true_at=NOW, zone=ZoneInfo("Asia/Shanghai"))
    assert found.stretches[0].start == "2026-06-30T16:00:00Z"


def test_the_latest_that_says_it_words_it() -> None:
    """A memory shows the value and the words of its latest dated claim."""
    claims = [
        claim("a", "v", JAN, content="First."),
        claim("b", "v", FEB, content="Second."),
        claim("c", "v", content="Third."),
    ]
    current = history(claims, [], true_at=NOW).current
    assert current
    assert (current.ids, current.value, current.content) == (("a", "b", "c"), "v", "Second.")


def test_an_emptied_place_tells_nothing() -> None:
    """No value and no words of an archived or erased claim are in a history."""
    for kind in ("archive", "erase"):
        found = history([claim("a", "secret", JAN)], [on(kind, "a")], true_at=NOW)  # type: ignore[arg-type]
        assert "secret" not in str(found)


@pytest.mark.parametrize("wrong", [{"start": "2026-02-30"}, {"start": JAN, "valid_to": "0001"}])
def test_a_claim_with_a_date_that_is_none_is_refused(wrong: dict[str, Any]) -> None:
    """A date that cannot be read is an error, never a guess."""
    with pytest.raises(InputError, match="is no date"):
        history([claim("a", "v", **wrong)], [], true_at=NOW)


@pytest.mark.parametrize(
    ("project", "global_", "known_as", "store", "notice"),
    [
        ("v", "w", "trusted", "project", "shadows the global store"),
        ("v", "w", "cloned", "global", "the project store has claims that do not apply"),
        ("v", "", "trusted", "project", None),
        ("v", "", "cloned", "project", None),
        ("v", "disputed", "trusted", "project", None),
        ("disputed", "w", "trusted", "global", "the project store has claims that do not apply"),
        ("disputed", "disputed", "trusted", "global", "the project store has claims that do not apply"),
        ("disputed", "", "trusted", "project", None),
        ("", "w", "trusted", "global", None),
        ("", "", "trusted", "global", None),
    ],
)
def test_a_project_slot_shadows_the_global_one_while_it_is_in_force(
    project: str, global_: str, known_as: str, store: str, notice: str | None
) -> None:
    """Only a claim in force shadows; an untrusted store shadows nothing that the global one answers."""
    sides = {"": [], "disputed": [claim("a", "v", JAN), claim("b", "w", JAN)]}
    histories = [history(sides.get(side, [claim("a", side, JAN)]), [], true_at=NOW) for side in (project, global_)]
    found = shadowed(*histories, trusted=known_as == "trusted")
    assert (found.store, found.notice) == (store, notice)
    assert found.history is histories[found.store == "global"]


@pytest.mark.parametrize("start", ["2026-01-01", "2026-{month:02}-{day:02}", None])
def test_the_cost_grows_with_the_number_of_claims(start: str | None) -> None:
    """Eight times the claims cost less than 30 times as much, on one day, on many, and without dates."""

    def cost(count: int) -> float:
        claims = [
            claim(
                f"{place:05}",
                f"{place % 7}",
                start and start.format(month=place // 28 % 12 + 1, day=place % 28 + 1),
                trust=("owner", "agent", "external")[place % 3],
                replaces=(f"{place - 1:05}",) if place % 2 else (),
            )
            for place in range(count)
        ]
        begun = time.process_time()
        history(claims, [], true_at=NOW)
        return time.process_time() - begun

    cost(100)
    assert min(cost(1600) for _ in range(3)) < 30 * min(cost(200) for _ in range(3))


@pytest.mark.parametrize("kinds", list(itertools.permutations(["archive", "restore", "archive"])))
def test_of_one_instant_the_decision_with_the_higher_number_is_the_later(kinds: tuple[DecisionKind, ...]) -> None:
    """Archived and restored within a millisecond, a claim is what was decided last, in whatever order it is told."""
    made = [on(kind, "a")._replace(number=number) for number, kind in enumerate(kinds, 1)]
    expected = "active" if kinds[-1] == "restore" else "archived"
    for told in itertools.permutations(made):
        assert history([claim("a", "1", JAN)], told, true_at=NOW).status == {"a": expected}
