"""Desk: what one session has read and put aside. It ends with its session and is never long-term memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

Record = dict[str, Any]

_MOST_CHARS: Final = 64_000_000
"""Of what is put aside in one session; beyond it the oldest output goes, notes stay."""


class Aside(NamedTuple):
    """Something put aside: a note, or output in full.

    Attributes:
        kind: which of the two.
        label: what it is called.
        text: what it says.
    """

    kind: Literal["note", "output"]
    label: str
    text: str


class Read(NamedTuple):
    """A file as it was handed out.

    Attributes:
        text: the whole file.
        seen: first and last line of each stretch that was handed out of this text, joined and in order.
    """

    text: str
    seen: tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Desk:
    """What lies on the desk; each change is handed on to whoever keeps it.

    Attributes:
        keep: takes a record of each change; None where the desk lives in memory alone.
        aside: notes and output, in order.
        reads: files by their real path.
    """

    keep: Callable[[Record], None] | None = None
    aside: list[Aside] = field(default_factory=list)
    reads: dict[str, Read] = field(default_factory=dict)

    def put_aside(self, aside: Aside) -> None:
        """Put something aside, for good before it is there."""
        self._kept({"aside": list(aside)})
        self.aside.append(aside)
        left = sum(len(one.text) for one in self.aside) - _MOST_CHARS
        for one in [one for one in self.aside[:-1] if one.kind == "output"]:
            if left <= 0:
                break
            left -= len(one.text)
            self.aside.remove(one)

    def note_read(self, path: str, read: Read) -> None:
        """Note what was handed out of a file."""
        before = self.reads.get(path)
        record: Record = {"read": path, "seen": [list(span) for span in read.seen]}
        if before is None or before.text != read.text:
            record["text"] = read.text
        self._kept(record)
        self.reads[path] = read

    def forget_read(self, path: str) -> None:
        """Forget that a file was handed out."""
        if self.reads.pop(path, None) is not None:
            self._kept({"gone": path})

    def clear(self) -> None:
        """Take everything off the desk; whoever keeps it has to be told apart."""
        self.aside.clear()
        self.reads.clear()

    def replay(self, record: Record) -> None:
        """Do again what a record says; one of another make is passed over."""
        if isinstance(aside := record.get("aside"), list) and len(aside) == len(Aside._fields):
            self.aside.append(Aside(*aside))
        elif isinstance(path := record.get("read"), str):
            known = self.reads.get(path)
            text = record.get("text", known.text if known else None)
            if isinstance(text, str):
                self.reads[path] = Read(text, tuple((first, last) for first, last in record.get("seen", ())))
        elif isinstance(path := record.get("gone"), str):
            self.reads.pop(path, None)

    def _kept(self, record: Record) -> None:
        """Hand a record on."""
        if self.keep is not None:
            self.keep(record)
