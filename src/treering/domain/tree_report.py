"""What the tree of digests shows and what changed, as the API returns it."""

from __future__ import annotations

from treering.domain.named import NamedTuple


class TreeNode(NamedTuple):
    """A node of the tree of digests, as it is shown.

    Attributes:
        id: its identifier, while the tree stays as it is.
        label: what it covers: a branch, a folder, a file, or the first and last of several.
        domain: its branch; empty for the trunk.
        below: levels below the trunk.
        leaves: chunks and memories below it.
        text: its digest, in lines.
        made: what made that.
        children: the nodes below it that are shown.
    """

    id: str
    label: str
    domain: str
    below: int
    leaves: int
    text: str
    made: str
    children: tuple[TreeNode, ...] = ()


class TreeMap(NamedTuple):
    """As much of the tree as was asked for.

    Attributes:
        trunk: the node above all others; None where nothing is digested.
        text: the map as lines.
        tokens: estimated LLM tokens of that.
        nodes: nodes there are.
        leaves: leaves there are.
        due: sources and memories that changed since they were digested.
    """

    trunk: TreeNode | None
    text: str
    tokens: int
    nodes: int
    leaves: int
    due: int


class Consolidated(NamedTuple):
    """What a digesting run did.

    Attributes:
        changed: leaves that came, went or changed.
        refined: digests that a model wrote.
        nodes: nodes there are now.
        leaves: leaves there are now.
        took_s: wall time.
        notices: what failed on the way.
    """

    changed: int
    refined: int
    nodes: int
    leaves: int
    took_s: float
    notices: tuple[str, ...] = ()


class Change(NamedTuple):
    """One thing that changed.

    Attributes:
        at: when, ISO 8601.
        what: of a memory ``added``, ``updated``, ``superseded``, ``disputed`` or ``archived``; of a file ``indexed``,
            ``changed`` or ``gone``; of another source ``imported`` or ``changed``; of either ``forgotten``.
        type: ``memory``, ``file`` or ``source``.
        id: its identifier; empty for a file that is gone.
        text: what a memory says, or the file or key of a source; empty for what was forgotten.
        successor: of a memory that was superseded, the id of the one that holds.
        slot: of a memory.
        scope: of its store, where two are read as one.
    """

    at: str
    what: str
    type: str
    id: str
    text: str
    successor: str = ""
    slot: str = ""
    scope: str = ""


class Changed(NamedTuple):
    """What changed since an instant, the last first.

    Attributes:
        since: the instant, ISO 8601 in UTC.
        items: the changes.
        counts: how many there are of each kind, such as ``memory added``.
        cut: whether there are more than were asked for.
    """

    since: str
    items: tuple[Change, ...]
    counts: dict[str, int]
    cut: bool
