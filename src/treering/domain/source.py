"""Source: an original text, its versions, and what is known about a tracked file."""

from __future__ import annotations

from typing import Literal

from treering.domain.named import NamedTuple

Trust = Literal["owner", "agent", "external"]
Custody = Literal["tracked", "kept"]
FrontMatterState = Literal["none", "parsed", "unparsed"]


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
    """

    text: str
    sha256: str
    size_bytes: int
    encoding: str
    notice: str = ""
    front_matter_chars: int = 0


class Skip(NamedTuple):
    """A file that was left out, with the reason in words."""

    path: str
    reason: str


class Root(NamedTuple):
    """A directory that is indexed in place.

    Attributes:
        number: its number in the store.
        path: anchored path (see ``treering.places``).
        glob: which files of it are read, e.g. ``**/*.md``; empty for every supported one.
        rules_hash: digest of the path rules that its metadata was resolved with; empty for none.
        scanned_at: end of the last complete run, ISO 8601; empty when none was completed.
    """

    number: int
    path: str
    glob: str
    rules_hash: str
    scanned_at: str


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
