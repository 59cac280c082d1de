"""Memory: one distilled statement, and the rules for its text."""

from __future__ import annotations

from collections.abc import Sequence

from treering.domain.patterns import later
from treering.domain.text import fingerprint
from treering.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, Literal

    MemoryKind = Literal["episodic", "semantic", "project", "person", "decision", "procedure", "preference", "question"]
    MemoryStatus = Literal["active", "superseded", "disputed", "archived"]
    Verification = Literal["user_confirmed", "source_backed", "inferred"]
else:  # what typing costs is saved where a command starts (docs/decisions/0008)
    MemoryKind = MemoryStatus = Verification = str

KINDS: Final[tuple[MemoryKind, ...]] = (
    "episodic", "semantic", "project", "person", "decision", "procedure", "preference", "question",
)  # fmt: skip
STATUSES: Final[tuple[MemoryStatus, ...]] = ("active", "superseded", "disputed", "archived")
IN_SEARCH: Final = ("active", "superseded", "disputed")
"""Statuses of what searches look at; what is archived is hidden."""

_TRAILING: Final = later(r"(?m)[ \t]+$")
_MANY_BLANK: Final = later(r"\n{3,}")
LONG_CHARS: Final = 1500
"""A statement longer than this is also cut into chunks: a page of text has more than one thing to be found by."""
LONGEST: Final = 1_000_000
"""Most characters of a statement, and of any other text that is kept with it: what is longer is a source."""

# A sentence with and without its final stop says the same.
FINAL_STOPS: Final = " .。!！"


def tidy(text: str) -> str:
    """Return a statement without what only an editor sees: line ends, trailing blanks, blank lines in a row.

    Raises:
        InputError: if nothing is left, or it holds what no text holds.
    """
    import unicodedata  # a search from the shell writes nothing

    text = unicodedata.normalize("NFC", checked("text", text).replace("\r\n", "\n").replace("\r", "\n"))
    text = _MANY_BLANK.sub("\n\n", _TRAILING.sub("", text)).strip()
    if not text:
        raise InputError("there is nothing to remember: the text is empty", hint="treering remember 'one sentence'")
    return text


def one_line(name: str, text: str) -> str:
    """Return a title or summary on one line; it may be empty.

    Args:
        name: what it is, for the error.
        text: as it was given.

    Raises:
        InputError: if it holds what no text holds.
    """
    if text == "":
        return ""
    import unicodedata

    return " ".join(unicodedata.normalize("NFC", checked(name, text)).split())


def checked(name: str, text: str) -> str:
    """Return ``text`` as it is if it can be kept.

    Args:
        name: what it is, for the error.
        text: as it was given.

    Raises:
        InputError: if it is no string, or holds a NUL or half a character.
    """
    given: object = text  # callers without a type checker pass anything
    if not isinstance(given, str):
        raise InputError(f"the {name} is {type(text).__name__}, not a text")
    if "\0" in text:
        raise InputError(f"the {name} holds a NUL character: it is no text")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"the {name} holds half a character at position {error.start}") from error
    return text


def bounded(name: str, text: str) -> str:
    """Return ``text`` as it is if it is no longer than a statement, and what is kept with it, may be.

    Args:
        name: what it is, for the error.
        text: as it was given; what is no text is somebody else's to refuse.

    Raises:
        InputError: if it is longer.
    """
    given: object = text  # callers without a type checker pass anything
    if isinstance(given, str) and len(text) > LONGEST:
        raise InputError(
            f"the {name} has {len(text):,} characters; at most {LONGEST:,}: import it as a source",
            hint="treering note - < FILE, or treering import FILE; then quote what matters of it",
        )
    return text


def indexed_title(title: str, tags: Sequence[str], slot: str) -> str:
    """Return what a memory is found by besides its words: its title, its tags and the topic that it answers."""
    return " ".join([title, *tags, slot.replace("/", " ").replace("-", " ")]).strip()


def same_as(text: str) -> int:
    """Return a number that is equal for statements that say the same but for case, white space and final stop."""
    return fingerprint(text.rstrip(FINAL_STOPS) or text)  # of stops alone, each is itself


def memory_kind(kind: str) -> MemoryKind:
    """Return ``kind`` if it is one.

    Raises:
        InputError: naming the kinds that there are.
    """
    for known in KINDS:
        if known == kind:
            return known
    raise InputError(f"there is no kind {kind!r}; there are {', '.join(KINDS)}")
