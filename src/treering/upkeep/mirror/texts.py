"""The bytes of a file as text, whatever an editor, another system or a merge made of them."""

from __future__ import annotations

from typing import Final, NamedTuple

LARGEST: Final = 8 << 20
"""Most bytes of a file that is read as a memory: a statement has a million characters at most."""

LITERAL: Final = "\nliteral_marks: true\n"
"""Stands in the front matter of a file whose own words look like the marks of a merge."""

_OURS, _BASE, _MIDDLE, _THEIRS = "<<<<<<< ", "||||||| ", "=======", ">>>>>>> "


class Unreadable(Exception):
    """A file that holds no text, or too much; the message says why."""


class Sides(NamedTuple):
    """A file that git could not merge, as each side has it; both are the same without a conflict."""

    ours: str
    theirs: str


def decode(raw: bytes) -> str:
    """Return bytes as text: UTF-8, a byte order mark dropped, Unicode as it stands.

    Raises:
        Unreadable: if it is none.
    """
    if b"\0" in raw[:4096]:
        raise Unreadable("it is no text but bytes")
    try:
        return raw.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise Unreadable(f"it is no UTF-8: {error.reason} at byte {error.start:,}") from error


def has_marks(text: str) -> bool:
    """Tell whether a text looks like one that git could not merge."""
    return f"\n{_OURS}" in f"\n{text}"


def require_small(size_bytes: int, *, link: bool) -> None:
    """Refuse to read what is no file, or too large for a memory.

    Raises:
        Unreadable: if it is.
    """
    if link:
        raise Unreadable("it is a link: only files are read")
    if size_bytes > LARGEST:
        raise Unreadable(f"it is too large for a memory: {size_bytes:,} bytes; treering import keeps it as a source")


def lines_of(text: str) -> str:
    """Return a text with the line ends that the mirror writes."""
    return text.replace("\r\n", "\n") if "\r" in text else text


def sides(text: str) -> Sides:
    """Return what each side of a merge says.

    Raises:
        Unreadable: if there are marks of a conflict that do not fit together.
    """
    if _THEIRS not in text:
        return Sides(text, text)
    if LITERAL in text.partition("\n---\n")[0]:
        return Sides(text, text)
    if f"\n{_OURS}" not in f"\n{text}" or f"\n{_THEIRS}" not in text:
        return Sides(text, text)
    lines: dict[str, list[str]] = {"ours": [], "base": [], "theirs": []}
    state = "both"
    for line in text.split("\n"):
        following = _after(line, state)
        if following:
            state = following
        elif state == "both":
            lines["ours"].append(line)
            lines["theirs"].append(line)
        else:
            lines[state].append(line)
    if state != "both":
        raise Unreadable("marks of a merge conflict stand in it that do not fit together")
    return Sides("\n".join(lines["ours"]), "\n".join(lines["theirs"]))


def _after(line: str, state: str) -> str:
    """Return whose lines follow behind a mark; empty for a line that is none."""
    if line.startswith(_OURS) and state == "both":
        return "ours"
    if line.startswith(_BASE) and state == "ours":
        return "base"
    if line.rstrip() == _MIDDLE and state in {"ours", "base"}:
        return "theirs"
    return "both" if line.startswith(_THEIRS) and state == "theirs" else ""
