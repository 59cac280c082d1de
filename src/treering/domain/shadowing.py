"""Which of two stores answers for a slot that both have."""

from typing import Final, Literal, NamedTuple

from treering.domain.claim import History

SHADOWS: Final = "shadows the global store"
DOES_NOT_APPLY: Final = "the project store has claims that do not apply"


class Answering(NamedTuple):
    """The store that answers for a slot.

    Attributes:
        store: which one.
        history: what it says.
        notice: what the reader must know of the other store; None when there is nothing.
    """

    store: Literal["project", "global"]
    history: History
    notice: str | None


def shadowed(project: History, global_: History, *, trusted: bool) -> Answering:
    """Return which store answers for a slot, and the notice to show with it.

    Only a claim in force in the project shadows the global slot; where the global one is silent, the project answers.

    Args:
        project: the slot in the project store.
        global_: the slot in the global store.
        trusted: whether the user trusts the project store; an untrusted one shadows nothing that the global one
            answers.
    """
    store, notice = answers(
        project=bool(project.current),
        global_=bool(global_.current),
        project_said=bool(project.status),
        global_said=bool(global_.status),
        trusted=trusted,
    )
    return Answering(store, project if store == "project" else global_, notice)


def answers(
    *, project: bool, global_: bool, project_said: bool, global_said: bool, trusted: bool
) -> tuple[Literal["project", "global"], str | None]:
    """Return which store answers for a slot, and the notice, from whether each has a claim in force, or any at all."""
    if project and not global_:
        return "project", None
    if project and trusted:
        return "project", SHADOWS
    if project_said and not global_said:
        return "project", None
    return "global", DOES_NOT_APPLY if project_said else None
