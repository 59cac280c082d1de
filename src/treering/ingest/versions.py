"""One file: what is new about it, read, decoded, described and cut."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final, Protocol

from treering.chunkers.languages import is_code
from treering.domain.kinds import DOMAINS
from treering.domain.source import Document, Metadata, Tracked
from treering.errors import InputError, NotFound, OutsideRoot
from treering.ingest import encoding, generated, metadata, readers, reading
from treering.intake import Base, Changes, NewVersion

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from treering.domain.chunk import Chunk, Chunked
    from treering.domain.source import FileStamp, Root
    from treering.ingest.readers.apart import Readings
    from treering.settings import Settings


DOMAIN_KEY: Final = "domain"
"""The key of metadata that says what kind of text a file is."""


class Chunker(Protocol):
    """What cuts a text: ``treering.chunkers.chunk``."""

    def __call__(
        self, text: str, name: str, *, front_matter_chars: int, target_chars: int, max_leaf_tokens: int, domain: str
    ) -> Chunked:
        """Return the text's title, chunks and headings."""
        ...


class Earlier(Protocol):
    """A file as the store has it: its current version, of which a grown file is a continuation.

    Attributes:
        version: id of the version.
        title: what the source is called.
        encoding: how the version was decoded.
        notice: what is uncertain about that.
        chars: length of its text.
        domain: what kind of text its metadata says that it is; empty when it does not.
    """

    version: str
    title: str
    encoding: str
    notice: str
    chars: int
    domain: str

    def chunks(self, stop: int, count: int, *, opening: bool = False) -> Sequence[Chunk]:
        """Return the last ``count`` chunks before ordinal ``stop``, in order; ``opening``: that begin with headings."""
        ...

    def text(self, start: int, stop: int) -> str:
        """Return a stretch of the text."""
        ...


class Documents:
    """Originals to text for one run: what is text at once, any other in a process that begins with the first."""

    def __init__(self) -> None:
        """Begin without that process."""
        self._readings: Readings | None = None

    def read(self, raw: bytes, path: str) -> Document:
        """Return the text of an original.

        Raises:
            Undecodable: if it has none, or it cannot be had.
        """
        name = path.rpartition("/")[2]
        if not readers.reader_for(raw, name):
            return readers.document(raw, None)
        if self._readings is None:
            from treering.ingest.readers.apart import Readings

            self._readings = Readings()
        return self._readings.read(raw, name)

    def abandon(self) -> None:
        """End the process at once, whatever it reads; may be called while another thread waits for it."""
        if self._readings is not None:
            self._readings.abandon()

    def close(self) -> None:
        """End the process; the next document starts another."""
        if self._readings is not None:
            self._readings.close()


@dataclass(frozen=True, slots=True)
class Reader:
    """What is the same for every file that is read for a root.

    Attributes:
        real_root: the root as ``os.path.realpath`` returns it.
        root: its number in the store.
        anchor: from a path below the root to its anchored form.
        settings: limits and sizes.
        rules: the root's path rules.
        chunker: what cuts the texts.
        earlier: opens a known file as it is stored; None to read every changed file whole.
        documents: what takes the text out of originals; whoever made it closes it.
        domain: what kind of text the files are, for those whose front matter does not say it; empty to tell by each.
        handwritten: whether source code that a program wrote is left out, unless it is known already.
    """

    real_root: str
    root: int
    anchor: Callable[[str], str]
    settings: Settings
    rules: metadata.Rules
    chunker: Chunker
    earlier: Callable[[Tracked], AbstractContextManager[Earlier | None]] | None = None
    documents: Documents = field(default_factory=Documents)
    domain: str = ""
    handwritten: bool = False

    def look(self, path: str, known: Tracked | None, stamp: FileStamp | None = None) -> Changes:
        """Return what is new about the file at ``path``; an empty batch when nothing is.

        Args:
            path: path below the root.
            known: the file as the store knows it.
            stamp: the file's stamp from a scan; None to read it in any case.

        Raises:
            Unreadable: if the bytes cannot be had.
            Undecodable: if they are no text, or not of the kind that is wanted.
        """
        behind = known is not None and known.rules_hash != self.rules.hash and not self.rules.error
        if known is not None and known.stamp == stamp:
            if not (behind or self.domain):
                return Changes()
            if known.state != "parsed" and not readers.has_reader(path):  # nothing in it adds to what the rules say
                return self._refreshed(known, Metadata({}, known.state, known.error))
        anew = behind or bool(self.domain)
        grown = known is not None and not anew and (stamp is None or stamp.size_bytes > known.stamp.size_bytes)
        can_grow = grown and self.earlier and not readers.has_reader(path)
        content = self._read(path, known if can_grow else None)
        if known is not None and known.sha256 == content.sha256:
            if not anew:
                same = known.stamp == content.stamp
                return Changes() if same else Changes(touched=(known._replace(stamp=content.stamp),))
            known = known._replace(stamp=content.stamp)
            document = self.documents.read(content.raw, path)
            return self._refreshed(known, metadata.parse(document.text, document.front_matter_chars), document)
        if known is not None and content.start:
            version = self._grown(path, known, content)
            return Changes(versions=(version or self._version(path, known, self._read(path, None)),))
        return Changes(versions=(self._version(path, known, content),))

    def look_anew(self, path: str, known: Tracked) -> Changes:
        """Return a known file read whole, whatever the store has of it; raises as ``look`` does."""
        return Changes(versions=(self._version(path, known, self._read(path, None)),))

    def _read(self, path: str, known: Tracked | None) -> reading.Content:
        """Return a file's content; only what was added where it begins like the ``known`` one."""
        beginning = reading.Beginning(known.stamp.size_bytes, known.sha256) if known else None
        return reading.read(self.real_root, path, max_bytes(self.settings), beginning)

    def _refreshed(self, known: Tracked, front: Metadata, document: Document | None = None) -> Changes:
        """Return new metadata for a file whose text is as before."""
        resolved = self._resolved(known.path, front, document)
        return Changes(refreshed=((known._replace(rules_hash=self.rules.hash), resolved),))

    def _resolved(self, path: str, front: Metadata, document: Document | None) -> Metadata:
        """Return a file's metadata: front matter, then path rules, then what a document says about itself."""
        found = metadata.resolve(self.rules, path, front)
        said = {key: (value,) for key, value in document.properties} if document else {}
        told = {DOMAIN_KEY: (self.domain,)} if self.domain and DOMAIN_KEY not in front.values else {}
        return found._replace(values={**said, **found.values, **told})

    def _grown(self, path: str, known: Tracked, content: reading.Content) -> NewVersion | None:
        """Return the end of a file that has grown; None where the whole must be read."""
        from treering.chunkers.growth import chunk_grown

        appended = encoding.decode_more(content.raw)
        if appended is None or known.state == "unparsed" or self.earlier is None:
            return None
        with self.earlier(known) as before:
            if before is None or (before.encoding, before.notice) != ("utf-8", ""):
                return None
            if known.state == "none" and before.text(0, min(3, before.chars)) == "---":
                return None  # a fence that was open may have been closed
            growth = chunk_grown(
                before,
                appended,
                path.rpartition("/")[2],
                target_chars=self.settings.chunk_target_chars,
                max_leaf_tokens=self.settings.leaf_max_tokens,
                domain=before.domain,
            )
            if growth is None or has_secrets(growth.text):
                return None
            return NewVersion(
                tracked=known._replace(stamp=content.stamp, sha256=content.sha256),
                key=f"file:{self.anchor(path)}",
                title=before.title,
                document=Document(growth.text, content.sha256, content.start + len(content.raw), "utf-8"),
                chunks=growth.chunks,
                metadata=Metadata({}, known.state, known.error),
                base=Base(before.version, growth.chunks[0].ordinal, growth.start, growth.line),
            )

    def _version(self, path: str, known: Tracked | None, content: reading.Content) -> NewVersion:
        """Return a file's content, decoded and cut."""
        document = without_secrets(self.documents.read(content.raw, path))
        code = is_code(path)
        if code and self.handwritten and known is None and (reason := generated.why(path, document.text)):
            raise encoding.Undecodable(reason)
        length = 0 if code else document.front_matter_chars
        front = self._resolved(path, metadata.parse(document.text, length), document)
        chunked = self.chunker(
            document.text,
            path.rpartition("/")[2],
            front_matter_chars=length,
            target_chars=self.settings.chunk_target_chars,
            max_leaf_tokens=self.settings.leaf_max_tokens,
            domain=domain_of(front.values),
        )
        return NewVersion(
            tracked=Tracked(
                source=known.source if known else "",
                root=self.root,
                path=path,
                stamp=content.stamp,
                sha256=content.sha256,
                rules_hash=self.rules.hash,
                state=front.state,
                error=front.error,
            ),
            key=f"file:{self.anchor(path)}",
            title=front.title or chunked.title or document.title or PurePosixPath(path).stem,
            document=document,
            chunks=chunked.chunks,
            metadata=front,
            kind="code" if code else "file",
        )


def has_secrets(text: str) -> bool:
    """Tell whether a text holds what may not be stored."""
    from treering.domain.secrets import find_secrets

    return bool(find_secrets(text))


def without_secrets(document: Document) -> Document:
    """Return a document in which secrets and private parts cannot be read; every offset is as before.

    Its notice says so, and with a notice a file that grows is read whole: a secret may go on where it was cut.
    """
    from treering.domain.secrets import blotted, find_secrets  # it compiles a page of patterns

    secrets = find_secrets(document.text)
    if not secrets:
        return document
    kinds = ", ".join(dict.fromkeys(secret.kind for secret in secrets))
    notice = "; ".join(filter(None, (document.notice, f"made unreadable: {kinds}")))
    return document._replace(text=blotted(document.text, secrets), notice=notice)


def read_one(  # noqa: PLR0913  what a run needs is what its caller alone knows
    root_path: Path,
    root: Root,
    file: Path,
    known: Callable[[str], Tracked | None],
    *,
    anchor: Callable[[str], str],
    settings: Settings,
    chunker: Chunker | None = None,
    earlier: Callable[[Tracked], AbstractContextManager[Earlier | None]] | None = None,
    domain: str = "",
) -> Changes:
    """Return what is new about one named file; empty when nothing is.

    The user named it, so its type, its name and ignore files do not matter. A link is read at the
    place where it leads, and only inside the root.

    Args:
        root_path: the root's folder.
        root: the root as the store knows it.
        file: the file, absolute or relative to the working directory.
        known: returns the tracked file at a path below the root.
        anchor: from a path below the root to its anchored form.
        settings: limits and sizes.
        chunker: what cuts the text; None for the usual one.
        earlier: see ``Reader``.
        domain: see ``Reader``.

    Raises:
        OutsideRoot: if the file does not lie in the root once links are followed.
        NotFound: if the root or the file does not exist.
        InputError: if the file cannot be read or is no text.
    """
    real_root, real = os.path.realpath(root_path), os.path.realpath(file)
    if not os.path.isdir(real_root):
        raise NotFound(f"there is no folder {root_path}", hint="treering status")
    if not real.startswith(os.path.join(real_root, "")):
        raise OutsideRoot(f"{file} does not lie in {root_path}")
    path = os.path.relpath(real, real_root).replace(os.sep, "/")
    reader = Reader(
        real_root,
        root.number,
        anchor,
        settings,
        metadata.load_rules(root_path),
        chunker or usual_chunker(),
        earlier,
        domain=domain,
    )
    try:
        return reader.look(path, known(path))
    except reading.Unreadable as error:
        if error.vanished:
            raise NotFound(f"there is no file {file}", hint="treering status") from error
        raise InputError(f"{file} was not indexed: {error}") from error
    except encoding.Undecodable as error:
        raise InputError(f"{file} was not indexed: {error}") from error
    finally:
        reader.documents.close()


def domain_of(metadata: Mapping[str, Sequence[str]]) -> str:
    """Return what kind of text a file is by its metadata; empty when it does not say."""
    said = metadata.get(DOMAIN_KEY, ())
    return said[0] if len(said) == 1 and said[0] in DOMAINS else ""


def max_bytes(settings: Settings) -> int:
    """Return the size above which a file is left out."""
    return int(settings.index_max_file_mb * 1e6)


def usual_chunker() -> Chunker:
    """Return the chunker of the room below; it loads the Markdown parser, so only for a run."""
    from treering.chunkers import chunk

    return chunk
