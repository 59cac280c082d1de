"""Numbered forward-only migrations: each one transaction, recorded with its checksum.

A migration that has landed is never edited: its checksum is compared on every upgrade.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from treering.domain.named import NamedTuple
from treering.errors import Damaged, StoreTooNew

if TYPE_CHECKING:
    from collections.abc import Sequence


class Migration(NamedTuple):
    """One step of the schema.

    Attributes:
        number: its place, from 1.
        name: file name without number and suffix.
        sql: the statements.
    """

    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """Digest of the statements, white space at line ends aside."""
        return sha256("\n".join(line.rstrip() for line in self.sql.splitlines()).encode()).hexdigest()


def read_migrations(folder: str) -> list[Migration]:
    """Return the migrations of a folder such as ``0001_first.sql``, by number.

    Raises:
        Damaged: if numbers are missing or doubled: the installation is broken.
    """
    files = sorted(Path(folder).glob("*.sql"))
    found = [Migration(int(f.name[:4]), f.stem[5:], f.read_text(encoding="utf-8")) for f in files]
    if [migration.number for migration in found] != list(range(1, len(found) + 1)):
        raise Damaged("the installed program lacks a database migration", hint="pip install --force-reinstall treering")
    return found


def refuse_newer(layout: int, known: int, location: str) -> None:
    """Refuse a store with a later layout than this program knows.

    Raises:
        StoreTooNew: if it is later.
    """
    if layout > known:
        raise StoreTooNew(
            f"the store {location} was written by a newer Treering (layout {layout}; this program knows up to {known})",
            hint="pip install --upgrade treering",
        )


def pending(migrations: Sequence[Migration], applied: Sequence[tuple[int, str]], location: str) -> list[Migration]:
    """Return the migrations that a store still needs; one that has more of them is refused by ``refuse_newer``.

    Args:
        migrations: those of this program.
        applied: number and checksum of those that the store records, by number.
        location: the store, for messages.

    Raises:
        Damaged: if one was applied with another content.
    """
    refuse_newer(len(applied), len(migrations), location)
    for migration, (number, checksum) in zip(migrations, applied, strict=False):
        if (migration.number, migration.checksum) != (number, checksum):
            raise Damaged(f"the store {location} was laid out by another build of migration {number}")
    return list(migrations[len(applied) :])
