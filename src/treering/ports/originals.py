"""Originals: the bytes of what was imported, where its text alone cannot give them back."""

from __future__ import annotations

from typing import Protocol


class Originals(Protocol):
    """Bytes by their SHA-256, each content once.

    What is put is there for good before ``put`` returns: a version that names it may follow in the same transaction.
    Bytes that no version names are harmless; ``Sources.digests`` tells which ones are named.
    """

    def put(self, sha256: str, raw: bytes) -> None:
        """Keep bytes under their digest; what is there already stays as it is.

        Raises:
            StorageFailed: if the disk or the server refuses.
        """
        ...

    def get(self, sha256: str) -> bytes:
        """Return the bytes of a digest.

        Raises:
            Damaged: if they are not there, or are other ones.
        """
        ...

    def remove(self, sha256: str) -> None:
        """Remove the bytes of a digest; unknown ones are ignored. Call it once no version names them."""
        ...

    def kept(self) -> list[str]:
        """Return the digest of everything that is kept, in order."""
        ...
