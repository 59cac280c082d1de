"""One file: what is new about it, read, decoded, described and cut."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Protocol

from treering.domain.source import Document, Metadata, Tracked
from treering.errors import InputError, NotFound, OutsideRoot
from treering.ingest import encoding, metadata, reading
from treering.intake import Base, Changes, NewVersion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from treering.domain.chunk import Chunk, Chunked
    from treering.domain.source import FileStamp, Root
    from treering.settings import Settings


class Chunker(Protocol):
    """What cuts a text: ``treering.chunkers.chunk``."""

    def __call__(
        self, text: str, name: str, *, front_matter_chars: int, target_chars: int, max_leaf_tokens: int
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
    """

    version: str
    title: str
    encoding: str
    notice: str
    chars: int

    def chunks(self, stop: int, count: int, *, opening: bool = False) -> Sequence[Chunk]:
        """Return the last ``count`` chunks before ordinal ``stop``, in order; ``opening``: that begin with headings."""
        ...

    def text(self, start: int, stop: int) -> str:
        """Return a stretch of the text."""
        ...


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
    """

    real_root: str
    root: int
    anchor: Callable[[str], str]
    settings: Settings
    rules: metadata.Rules
    chunker: Chunker
    earlier: Callable[[Tracked], AbstractContextManager[Earlier | None]] | None = None

    def look(self, path: str, known: Tracked | None, stamp: FileStamp | None = None) -> Changes:
        """Return what is new about the file at ``path``; an empty batch when nothing is.

        Args:
            path: path below the root.
            known: the file as the store knows it.
            stamp: the file's stamp from a scan; None to read it in any case.

        Raises:
            Unreadable: if the bytes cannot be had.
            Undecodable: if they are no text.
        """
        behind = known is not None and known.rules_hash != self.rules.hash and not self.rules.error
        if known is not None and known.stamp == stamp:
            if not behind:
                return Changes()
            if known.state != "parsed":  # nothing in the file adds to what the rules say
                return self._refreshed(known, Metadata({}, known.state, known.error))
        grown = known is not None and not behind and (stamp is None or stamp.size_bytes > known.stamp.size_bytes)
        content = self._read(path, known if grown and self.earlier else None)
        if known is not None and known.sha256 == content.sha256:
            if not behind:
                same = known.stamp == content.stamp
                return Changes() if same else Changes(touched=(known._replace(stamp=content.stamp),))
            known = known._replace(stamp=content.stamp)
            text = encoding.decode(content.raw).text
            return self._refreshed(known, metadata.parse(text, metadata.split(text)))
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

    def _refreshed(self, known: Tracked, front: Metadata) -> Changes:
        """Return new metadata for a file whose text is as before."""
        resolved = metadata.resolve(self.rules, known.path, front)
        return Changes(refreshed=((known._replace(rules_hash=self.rules.hash), resolved),))

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
            )
            if growth is None:
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
        text, name, notice = encoding.decode(content.raw)
        length = metadata.split(text)
        front = metadata.resolve(self.rules, path, metadata.parse(text, length))
        chunked = self.chunker(
            text,
            path.rpartition("/")[2],
            front_matter_chars=length,
            target_chars=self.settings.chunk_target_chars,
            max_leaf_tokens=self.settings.leaf_max_tokens,
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
            title=front.title or chunked.title or PurePosixPath(path).stem,
            document=Document(text, content.sha256, len(content.raw), name, notice, length),
            chunks=chunked.chunks,
            metadata=front,
        )


def read_one(
    root_path: Path,
    root: Root,
    file: Path,
    known: Callable[[str], Tracked | None],
    *,
    anchor: Callable[[str], str],
    settings: Settings,
    chunker: Chunker | None = None,
    earlier: Callable[[Tracked], AbstractContextManager[Earlier | None]] | None = None,
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
        real_root, root.number, anchor, settings, metadata.load_rules(root_path), chunker or usual_chunker(), earlier
    )
    try:
        return reader.look(path, known(path))
    except reading.Unreadable as error:
        if error.vanished:
            raise NotFound(f"there is no file {file}", hint="treering status") from error
        raise InputError(f"{file} was not indexed: {error}") from error
    except encoding.Undecodable as error:
        raise InputError(f"{file} was not indexed: {error}") from error


def max_bytes(settings: Settings) -> int:
    """Return the size above which a file is left out."""
    return int(settings.index_max_file_mb * 1e6)


def usual_chunker() -> Chunker:
    """Return the chunker of the room below; it loads the Markdown parser, so only for a run."""
    from treering.chunkers import chunk

    return chunk
