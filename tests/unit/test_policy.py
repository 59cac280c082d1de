"""Who may do what: every cell of the table, against the same table written out by hand."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Final, NamedTuple, get_args

import pytest

from treering.domain.policy import Act, Brought, Caller, Mode, Ruling, Target, Verdict, allowed, together
from treering.domain.source import TRUSTS

ACTS: Final = get_args(Act)

MODES: Final = get_args(Mode)
YES_NO: Final = (True, False)
TARGETS: Final = tuple(Target(*facts) for facts in product(YES_NO, YES_NO, TRUSTS, YES_NO))
BROUGHT: Final = tuple(Brought(*facts) for facts in product(YES_NO, TRUSTS, YES_NO, YES_NO))
OWNER: Final = Caller()
AGENT: Final = Caller("agent", "some-agent")

# role; acts, `any` for all; facts that must all hold; verdict. The first line that fits decides.
TABLE: Final = """
owner | any                                    |                     | apply
agent | confirm decide erase configure         |                     | deny
agent | create supersede                       | unsourced deny      | deny
agent | create supersede                       | unsourced review    | review
agent | any                                    | instructions        | review
agent | update archive                         | owners-own          | review
agent | supersede update archive restore merge | confirmed           | review
agent | supersede update archive restore merge | outranked           | review
agent | restore                                | hidden-by-owner     | review
agent | merge                                  | differing           | review
agent | any                                    |                     | apply
"""
OUTRANKED: Final = {("owner", "agent"), ("owner", "external"), ("agent", "external")}
"""Trust of the memory, then of what is brought against it."""


class Cell(NamedTuple):
    """One question to the table."""

    caller: Caller
    act: Act
    target: Target
    brought: Brought
    inferred: Mode

    def answer(self) -> Ruling:
        """Return what the program says."""
        return allowed(self.caller, self.act, self.target, self.brought, inferred=self.inferred)

    def facts(self) -> set[str]:
        """Return what holds of it, in the words of the table."""
        _, _, target, brought, inferred = self
        words = {
            "unsourced": not brought.sourced,
            "instructions": brought.suspicious,
            "differing": not brought.identical,
            "owners-own": not target.own,
            "confirmed": target.confirmed,
            "hidden-by-owner": target.hidden_by_owner,
            "outranked": (target.trust, brought.trust) in OUTRANKED,
        }
        return {inferred} | {word for word, holds in words.items() if holds}


CELLS: Final = tuple(Cell(*cell) for cell in product((OWNER, AGENT), ACTS, TARGETS, BROUGHT, MODES))
LINES: Final = tuple(tuple(part.split() for part in line.split("|")) for line in TABLE.strip().splitlines())


def expected(cell: Cell) -> Verdict:
    """Return the verdict of the first line of the table that fits."""
    facts = cell.facts()
    for [role], acts, needed, [verdict] in LINES:
        if role == cell.caller.role and (cell.act in acts or acts == ["any"]) and facts.issuperset(needed):
            return verdict  # type: ignore[return-value]
    raise AssertionError(cell)


def test_every_cell() -> None:
    """Role, act, what it is done to, what it brings and the setting: each combination is ruled as the table says."""
    assert len(CELLS) == 2 * 12 * 24 * 24 * 3
    wrong = [cell for cell in CELLS if cell.answer().verdict != expected(cell)]
    assert not wrong, (len(wrong), wrong[0], wrong[0].answer())


def test_a_reason_is_given() -> None:
    """Whatever does not apply says why, and what applies needs no reason."""
    assert all(bool(ruling.why) == (ruling.verdict != "apply") for ruling in map(Cell.answer, CELLS))


STRICTNESS: Final = {"apply": 0, "review": 1, "deny": 2}


@cache
def strictness(cell: Cell) -> int:
    """Return how much a cell's verdict holds back."""
    return STRICTNESS[cell.answer().verdict]


def test_words_that_read_like_instructions_only_ever_lower() -> None:
    """They never make a verdict milder, nor a refusal of what an agent may propose; an agent's change waits."""
    for cell in CELLS:
        if cell.brought.suspicious:
            plain = cell._replace(brought=cell.brought._replace(suspicious=False))
            lowered = max(strictness(plain), 1 if cell.caller.role == "agent" else 0)
            assert strictness(cell) == lowered, cell


def test_more_trust_never_holds_back_and_more_protection_never_lets_through() -> None:
    """A change that is trusted more passes at least as well, a memory that is protected more is changed less easily."""
    for cell in CELLS:
        if cell.caller.role == "owner":
            continue
        here = strictness(cell)
        if cell.brought.trust != "owner":
            assert strictness(cell._replace(brought=cell.brought._replace(trust="owner"))) <= here, cell
        assert strictness(cell._replace(brought=cell.brought._replace(sourced=True))) <= here, cell
        better = {"own": False, "confirmed": True, "trust": "owner", "hidden_by_owner": True}
        for fact, value in better.items():
            guarded = cell.target._replace(**{fact: value})
            assert strictness(cell._replace(target=guarded)) >= here, cell


def test_an_agent_never_does_what_is_the_owners() -> None:
    """Confirming, approving, rejecting, erasing and configuring are refused to agents and never queued."""
    for cell in CELLS:
        if cell.act in {"confirm", "decide", "erase", "configure"}:
            assert cell.answer().verdict == ("apply" if cell.caller.role == "owner" else "deny"), cell


@pytest.mark.parametrize(
    ("targets", "one"),
    [
        ((), Target(trust="external")),
        ((Target(),), Target()),
        ((Target(trust="external"), Target(trust="owner")), Target(trust="owner")),
        ((Target(confirmed=True), Target(own=False)), Target(own=False, confirmed=True)),
        ((Target(), Target(hidden_by_owner=True)), Target(hidden_by_owner=True)),
    ],
)
def test_several_targets(targets: tuple[Target, ...], one: Target) -> None:
    """Several memories are as well protected as the best protected of them, in each respect."""
    assert together(targets) == one


def test_several_targets_are_ruled_like_the_strictest() -> None:
    """A change of two memories together is held back at least as much as a change of either."""
    for one, other in product(TARGETS, TARGETS):
        both = Cell(AGENT, "supersede", together([one, other]), Brought(), "review")
        assert strictness(both) >= max(strictness(both._replace(target=target)) for target in (one, other))
