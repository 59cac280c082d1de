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
    if project.current and not global_.current:
        return Answering("project", project, None)
    if project.current and trusted:
        return Answering("project", project, SHADOWS)
    if project.status and not global_.status:
        return Answering("project", project, None)
    return Answering("global", global_, DOES_NOT_APPLY if project.status else None)
