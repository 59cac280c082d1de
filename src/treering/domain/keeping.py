"""Keeping: what can be said about an original that the store keeps, and what became of it."""

from __future__ import annotations

from typing import Literal, cast

from treering.domain.named import NamedTuple
from treering.domain.operation import Outcome
from treering.domain.source import SOURCE_KINDS, TRUSTS, Trust
from treering.errors import InputError

SourceKind = Literal[
    "file", "document", "note", "meeting", "chat", "ticket", "pull_request", "web", "code", "transcript"
]

KeptAs = Literal["accepted", "superseded", "exists", "skipped"]


class Said(NamedTuple):
    """What the caller says about originals; what is empty is found out.

    Attributes:
        kind: what they are.
        title: what the source is called.
        trust: whose word they are.
        url: where it stands for people to open.
        key: stable name of the source.
        source_time: the document's own date.
        labels: tags (key ``tags``) and metadata to filter by; they win over what the document says.
    """

    kind: SourceKind | Literal[""] = ""
    title: str = ""
    trust: Trust | Literal[""] = ""
    url: str = ""
    key: str = ""
    source_time: str = ""
    labels: dict[str, tuple[str, ...]] = {}  # noqa: RUF012 - never written to

    @property
    def is_of_one(self) -> bool:
        """Whether something is said that can be true of one original alone."""
        return bool(self.title or self.url or self.key)


class Imported(NamedTuple):
    """What became of one original.

    Attributes:
        path: the file, as a path to show; ``-`` for what was given as text or bytes.
        outcome: ``accepted`` as a new source; ``superseded``: a new version of a source; ``exists`` when there is
            nothing new; ``skipped``.
        id: its source; empty when it was skipped.
        version: the version that holds it.
        key: stable name of the source.
        title: what the source is called.
        trust: whose word it is.
        reason: why it was skipped.
        memories: what was taken out of it, one by one.
        notices: what the user should know.
    """

    path: str
    outcome: KeptAs
    id: str = ""
    version: str = ""
    key: str = ""
    title: str = ""
    trust: str = ""
    reason: str = ""
    memories: tuple[Outcome, ...] = ()
    notices: tuple[str, ...] = ()


def source_kind(kind: str) -> SourceKind:
    """Return ``kind`` if it is one of a source.

    Raises:
        InputError: naming the kinds that there are.
    """
    if kind not in SOURCE_KINDS:
        raise InputError(f"there is no kind of source {kind[:80]!r}; there are {', '.join(SOURCE_KINDS)}")
    return cast("SourceKind", kind)


def trust_level(trust: str) -> Trust:
    """Return ``trust`` if it is a level.

    Raises:
        InputError: naming the levels that there are.
    """
    for known in TRUSTS:
        if known == trust:
            return known
    raise InputError(f"there is no trust {trust[:80]!r}; there are {', '.join(TRUSTS)}")
