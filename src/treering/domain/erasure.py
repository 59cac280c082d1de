"""Erasure: what was asked for, and the receipt that says what went and how that was proved. Never what it said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from treering.domain.named import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Wanted(NamedTuple):
    """What an erasure was told to take.

    Attributes:
        ids: memories and sources, in order.
        roots: numbers of indexed directories that are none any more.
        out: digests of what stays out of the index until it is readmitted.
        cascade: whether memories that rest on a source alone go with it.
        keep_memories: whether they stay, without a quote.
        this_version: whether of each source only the version that is shown goes.
        reason: why.
    """

    ids: tuple[str, ...]
    roots: tuple[int, ...] = ()
    out: tuple[str, ...] = ()
    cascade: bool = False
    keep_memories: bool = False
    this_version: bool = False
    reason: str = ""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Return what JSON says was wanted."""
        tuples = {name: tuple(given[name]) for name in ("ids", "roots", "out") if name in given}
        return cls(**{name: value for name, value in given.items() if name in cls._fields} | tuples)


class Proof(NamedTuple):
    """What was looked through for the erased words.

    Attributes:
        how: ``bytes`` where every byte of the store's files was read, ``rows`` where the files are a server's,
            ``marks`` where the words were not known any more, because another process had begun; empty for not yet.
        files: files that were read.
        size_bytes: bytes that were read, unpacked ones too.
        pieces: stretches of the erased words that were looked for.
        words: words of it that were looked for in the keyword index.
        shared: stretches that other texts of the store have as well, and that are there for that reason.
        found: files and tables in which erased words are left; empty when none are.
    """

    how: str = ""
    files: int = 0
    size_bytes: int = 0
    pieces: int = 0
    words: int = 0
    shared: int = 0
    found: tuple[str, ...] = ()


class Receipt(NamedTuple):
    """What an erasure did.

    Attributes:
        id: the erasure.
        at: when, ISO 8601.
        reason: why, as the owner gave it.
        removed: how many rows of each table went, and originals, desks and signs.
        ids: the memories and sources that went, at most a hundred of them.
        proof: how it was checked.
        waiting: what cannot be done yet, in words; it is done by whoever opens or changes the store next.
        copies: archives and exports that were there and may hold what was erased.
        files: files on disk that it was read from, which are not touched. Their names are the user's words: they are
            told once, and a receipt that is kept only counts them.
        file_count: how many those were.
        history: repositories whose history may hold it.
        done: whether nothing waits.
    """

    id: str
    at: str
    reason: str = ""
    removed: dict[str, int] = {}  # noqa: RUF012 - never written to
    ids: tuple[str, ...] = ()
    proof: Proof = Proof()
    waiting: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    file_count: int = 0
    history: tuple[str, ...] = ()
    done: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return what JSON has of it."""
        return {**self._asdict(), "proof": self.proof._asdict()}

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Return what JSON says."""
        proof = Proof(**_known(Proof._fields, given.get("proof", {})))
        return cls(**{**_known(cls._fields, given), "proof": proof})


def _known(fields: tuple[str, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what JSON has of some fields; a list as a tuple."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in given.items() if name in fields}
