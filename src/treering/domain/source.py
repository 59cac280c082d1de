"""Source: an original text, its versions, and what is known about a tracked file."""

from __future__ import annotations

from treering.domain.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, Literal

    Trust = Literal["owner", "agent", "external"]
    Custody = Literal["tracked", "kept"]
    FrontMatterState = Literal["none", "parsed", "unparsed"]
else:  # what typing costs is saved where a command starts (docs/decisions/0008)
    Trust = Custody = FrontMatterState = str

TRUSTS: Final[tuple[Trust, ...]] = ("owner", "agent", "external")
CODE: Final = "//code"
"""Stands at the end of a root's glob that reads source code as well: no path holds two slashes side by side."""

SOURCE_KINDS: Final = (
    "file", "document", "note", "meeting", "chat", "ticket", "pull_request", "web", "code", "transcript",
)  # fmt: skip
DATED: Final = ("chat", "meeting", "note", "ticket", "transcript")
"""Kinds of kept sources that tell of their own time: what was recorded later was not told before."""


class FileStamp(NamedTuple):
    """What the file system says of a file without opening it: the change check of A08."""

    size_bytes: int
    mtime_ns: int
    ctime_ns: int


class Metadata(NamedTuple):
    """What front matter and path rules say about a file.

    Attributes:
        values: key to its values, in order; a scalar has one value. All are strings.
        state: whether the file had front matter and whether it could be read.
        error: why front matter could not be read; empty otherwise.
        title: the document's title by front matter; None when it gives none.
    """

    values: dict[str, tuple[str, ...]]
    state: FrontMatterState = "none"
    error: str = ""
    title: str | None = None


class Document(NamedTuple):
    """One decoded original, ready to be cut into chunks.

    Attributes:
        text: the whole text; never contains a byte order mark or NUL.
        sha256: hexadecimal digest of the original bytes.
        size_bytes: length of the original.
        encoding: how it was decoded, e.g. ``utf-8``.
        notice: what a reader should know about the decoding; empty when it is certain.
        front_matter_chars: length of the front matter at the start of ``text``; 0 when none.
        title: what the document calls itself where its text does not say so; empty when it does not.
        properties: what it says about itself, such as author and date, as pairs of key and value.
    """

    text: str
    sha256: str
    size_bytes: int
    encoding: str
    notice: str = ""
    front_matter_chars: int = 0
    title: str = ""
    properties: tuple[tuple[str, str], ...] = ()


class Extract(NamedTuple):
    """What a reader takes out of one original.

    Attributes:
        text: Markdown, or plain text with page marks (``## Page 3``); any characters.
        encoding: how it was read, e.g. ``pdf`` or ``html (cp1252)``; never that of a text as it stands.
        notice: what could not be read or is uncertain; empty when all of it was read.
        title: as in ``Document``.
        properties: as in ``Document``.
    """

    text: str
    encoding: str
    notice: str = ""
    title: str = ""
    properties: tuple[tuple[str, str], ...] = ()


class Skip(NamedTuple):
    """A file that was left out, with the reason in words."""

    path: str
    reason: str


class Root(NamedTuple):
    """A directory that is indexed in place.

    Attributes:
        number: its number in the store.
        path: anchored path (see ``treering.places``).
        glob: which files of it are read, e.g. ``**/*.md``; empty for every supported one; with ``CODE`` at its end
            source code is supported, too.
        rules_hash: digest of the path rules that its metadata was resolved with; empty for none.
        scanned_at: end of the last complete run, ISO 8601; empty when none was completed.
    """

    number: int
    path: str
    glob: str
    rules_hash: str
    scanned_at: str

    @property
    def reads_code(self) -> bool:
        """Whether source code is among the supported files."""
        return self.glob.endswith(CODE)


class Tracked(NamedTuple):
    """A tracked file as the store knows it.

    Attributes:
        source: id of its source.
        root: number of its root.
        path: path below the root, with ``/`` as on disk.
        stamp: the file's stamp when it was read.
        sha256: digest of the bytes that were read.
        rules_hash: digest of the rules that its metadata was resolved with.
        state: what became of its front matter.
        error: why its front matter could not be read.
    """

    source: str
    root: int
    path: str
    stamp: FileStamp
    sha256: str
    rules_hash: str
    state: FrontMatterState
    error: str
