"""Policy: who may do what to which memory. One exhaustive table; what a text says is no part of it.

A text that reads like instructions only ever lowers an agent's outcome to review. Where an agent may do something by
one line of the table and another line sends it to review, the review wins: an agent's own memory that rests on the
owner's words is protected against a change that brings less.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from treering.domain.named import NamedTuple
from treering.domain.source import Trust

Act = Literal[
    "create",
    "supersede",
    "update",
    "label",
    "link",
    "archive",
    "restore",
    "confirm",
    "merge",
    "decide",
    "erase",
    "configure",
]
"""What is done. ``label`` adds tags or metadata and takes none away: anything else that changes them is ``update``.
``decide`` approves or rejects, ``configure`` changes settings, trust or tokens."""

Verdict = Literal["apply", "review", "deny"]
Mode = Literal["review", "apply", "deny"]
"""What happens to an agent's claim without evidence: setting ``policy.inferred_create``."""

LEVEL: Final = {"external": 0, "agent": 1, "owner": 2}
"""Trust as a number: higher is more."""


EXTRACTION: Final = "extraction"
"""The author of what is taken out of documents."""


class Caller(NamedTuple):
    """Who asks for a change.

    Attributes:
        role: ``owner`` at the command line and in the inspector, ``agent`` everywhere else.
        name: what the caller goes by, for the audit log.
    """

    role: Literal["owner", "agent"] = "owner"
    name: str = "owner"


class Target(NamedTuple):
    """What a change would act on.

    Attributes:
        own: whether an agent made it; what other agents made counts as an agent's own.
        confirmed: whether the owner vouched for it.
        trust: whose word it is.
        hidden_by_owner: whether the owner archived or rejected it.
    """

    own: bool = True
    confirmed: bool = False
    trust: Trust = "agent"
    hidden_by_owner: bool = False


class Brought(NamedTuple):
    """What a change brings along.

    Attributes:
        sourced: whether it quotes anything; the note that keeps the words of ``remember`` counts.
        trust: the lowest trust of its evidence.
        suspicious: whether external words in it read like instructions.
        identical: whether the memories that it merges say the same.
    """

    sourced: bool = True
    trust: Trust = "agent"
    suspicious: bool = False
    identical: bool = True


class Ruling(NamedTuple):
    """A verdict with its reason; the reason is empty when the change applies."""

    verdict: Verdict
    why: str = ""


APPLIES: Final = Ruling("apply")
_OWNER_ONLY: Final[dict[Act, str]] = {
    "confirm": "only the owner confirms",
    "decide": "only the owner approves and rejects",
    "erase": "only the owner erases",
    "configure": "only the owner changes settings, trust and tokens",
}
_CLAIMS: Final = frozenset({"create", "supersede"})
_CHANGES_NOTHING: Final = frozenset({"create", "label", "link"})
"""What leaves the memories that are there as they are."""


def together(targets: Iterable[Target]) -> Target:
    """Return several memories as one target: as well protected as the best protected of them in each respect."""
    every = tuple(targets)
    return Target(
        own=all(one.own for one in every),
        confirmed=any(one.confirmed for one in every),
        trust=max((one.trust for one in every), key=LEVEL.__getitem__, default="external"),
        hidden_by_owner=any(one.hidden_by_owner for one in every),
    )


def allowed(caller: Caller, act: Act, target: Target, brought: Brought, *, inferred: Mode = "review") -> Ruling:
    """Return whether a caller's change applies, waits for the owner, or is refused.

    Protection inside a slot's history is not decided here: a claim may always be made, and the history says what
    becomes of it.

    Args:
        caller: who asks.
        act: what is to be done.
        target: the memory that it is done to; of several what ``together`` returns. Ignored by ``create``, ``label``
            and ``link``, which change no memory that is there.
        brought: what it brings along.
        inferred: what happens to an agent's claim without evidence.
    """
    if caller.role == "owner":
        return APPLIES
    if act in _OWNER_ONLY:
        return Ruling("deny", _OWNER_ONLY[act])
    unsourced = act in _CLAIMS and not brought.sourced
    if unsourced and inferred == "deny":
        return Ruling("deny", "it quotes no source")
    reason = next(_reasons(act, target, brought, unsourced=unsourced and inferred == "review"), "")
    return Ruling("review", reason) if reason else APPLIES


def _reasons(act: Act, target: Target, brought: Brought, *, unsourced: bool) -> Iterator[str]:
    """Yield why an agent's change waits for the owner."""
    if brought.suspicious:
        yield "external words in it read like instructions"
    if unsourced:
        yield "it quotes no source"
    if act == "merge" and not brought.identical:
        yield "the memories differ"
    if act == "restore" and target.hidden_by_owner:
        yield "the owner hid it"
    if act in _CHANGES_NOTHING:
        return
    if target.confirmed:
        yield "the owner confirmed the memory"
    if LEVEL[target.trust] > LEVEL[brought.trust]:
        yield f"the memory has the trust {target.trust}, the change {brought.trust}"
    if act in {"update", "archive"} and not target.own:
        yield "the memory is the owner's own word"
