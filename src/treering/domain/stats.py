"""Stats: how much a memory holds, of what, and what it has cost those who read it."""

from __future__ import annotations

from treering.domain.named import NamedTuple


class Handed(NamedTuple):
    """What a client was given on a day.

    Attributes:
        day: in UTC, ``2026-11-30``.
        client: what it calls itself; ``cli`` for the command line.
        answers: how many texts.
        tokens: their estimated LLM tokens.
    """

    day: str
    client: str
    answers: int
    tokens: int


class Stats(NamedTuple):
    """Numbers of a memory.

    Attributes:
        memories: how many there are, archived ones too.
        by_kind: active memories of each kind.
        by_category: active memories of each value of the metadata ``category``.
        by_status: memories of each status.
        by_verification: active memories that are confirmed, rest on a source, or are inferred.
        sources: number of sources.
        chunks: number of chunks.
        embedded: chunks and active memories that have a vector of the model.
        entries: chunks and active memories.
        model: name of the embedder; empty when there is none.
        waiting: proposals that wait for the owner.
        handed: what clients were given, the last day first.
        paused: since when capture is paused; empty when it is not.
        scope: of the store, where two are read as one.
        beside: the same of the user's own store, where it is read with this one.
    """

    memories: int = 0
    by_kind: dict[str, int] = {}  # noqa: RUF012 - never written to
    by_category: dict[str, int] = {}  # noqa: RUF012 - never written to
    by_status: dict[str, int] = {}  # noqa: RUF012 - never written to
    by_verification: dict[str, int] = {}  # noqa: RUF012 - never written to
    sources: int = 0
    chunks: int = 0
    embedded: int = 0
    entries: int = 0
    model: str = ""
    waiting: int = 0
    handed: tuple[Handed, ...] = ()
    paused: str = ""
    scope: str = ""
    beside: Stats | None = None
