"""Distrust: a store that came from elsewhere, read as words from outside and never written.

Whatever it says of its own trust: everything in it is external and unconfirmed until its user trusts it.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, cast

from treering.errors import ReadOnlyStore

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from treering.ports import Backend, Transaction

EXTERNAL: Final = "external"
UNCONFIRMED: Final = "inferred"
_VOUCHING: Final = frozenset({"confirm", "approve"})


class Distrusted:
    """A database whose words are another's; takes the place of the backend."""

    read_only = True

    def __init__(self, backend: Backend, command: str) -> None:
        """Read ``backend``; ``command`` is what would make it trusted."""
        self._backend = backend
        self._command = command

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a backend has
        """Return what the database says of itself."""
        return getattr(self._backend, name)

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """Open a view in which everything is external and unconfirmed."""
        with self._backend.read() as tx:
            yield cast("Transaction", _Lowered(tx))

    def write(self, *, wait: bool = True) -> Any:  # noqa: ANN401, ARG002 - as a backend's
        """Refuse to write.

        Raises:
            ReadOnlyStore: always.
        """
        raise ReadOnlyStore(
            f"{self._backend.location} came from elsewhere: it is read as words from outside, and not written, until"
            " you trust it",
            hint=self._command,
        )

    def purge(self, *, wait: bool = True) -> bool:
        """Refuse to write."""
        return bool(self.write(wait=wait))

    def settle(self) -> None:
        """Do nothing: nothing was written."""

    def info(self) -> Mapping[str, str | int]:
        """Return what the database says of itself, with a word on where it came from."""
        told = f"this store came from elsewhere: its words are external and unconfirmed; next: {self._command}"
        found = dict(self._backend.info())
        notice = str(found.get("notice", ""))
        return {**found, "notice": f"{told}; {notice}" if notice else told}


class _Lowered:
    """A transaction in which everything is external and unconfirmed."""

    def __init__(self, tx: Transaction) -> None:
        """Lower what ``tx`` says."""
        self._tx = tx
        self.sources = _Part(tx.sources)
        self.memories = _Part(tx.memories)
        self.claims = _Part(tx.claims)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a transaction has
        """Return what holds no trust."""
        return getattr(self._tx, name)


class _Part:
    """One part of a transaction whose rows are lowered as they come out."""

    def __init__(self, part: object) -> None:
        """Lower what ``part`` returns."""
        self._part = part

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the part has
        """Return a method whose rows are external and unconfirmed."""
        method = getattr(self._part, name)

        def call(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - as the method takes and returns it
            return lowered(method(*given, **named))

        return call


def lowered(value: Any) -> Any:  # noqa: ANN401 - rows of any kind
    """Return rows, alone or in lists and dictionaries, as external and unconfirmed; decisions that vouch go."""
    if isinstance(value, dict):
        return {key: lowered(one) for key, one in value.items()}
    if isinstance(value, list):
        return [lowered(one) for one in value if getattr(one, "kind", "") not in _VOUCHING]
    fields = getattr(value, "_fields", ())
    changes = {}
    if "trust" in fields:
        changes["trust"] = EXTERNAL
    if "verification" in fields:
        changes["verification"] = UNCONFIRMED
    if "actor" in fields:
        changes["actor"] = "agent"
    return value._replace(**changes) if changes else value
