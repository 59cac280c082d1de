"""Importing: originals into the store, whole, with every version that they had."""

from __future__ import annotations

import os
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from treering.api import arguments
from treering.api.handle import Handle
from treering.errors import InputError, NotAllowed, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from treering.api.originals import Item
    from treering.domain.keeping import Imported, Said
    from treering.errors import TreeringError
    from treering.settings import Settings

    Progress = Callable[[int, int], None]


class Importing(Handle):
    """What is done with originals that the store keeps."""

    def import_(  # noqa: PLR0913  each says something of its own about the originals
        self,
        paths: Sequence[str | Path] | str | Path,
        *,
        extract: bool = False,
        kind: str = "",
        trust: str = "",
        url: str = "",
        key: str = "",
        source_time: str = "",
        domain: str = "",
        type: str = "",  # noqa: A002  as on the command line
        tags: Sequence[str] = (),
        metadata: Mapping[str, str | Sequence[str]] | None = None,
        force: bool = False,
        progress: Progress | None = None,
    ) -> tuple[Imported, ...]:
        """Keep files, and the files of folders, as originals; a changed file is a new version of its source.

        Args:
            paths: a file or folder, or several. Of folders everything that there is a reader for is taken, and the
                rest is listed with the reason.
            extract: whether to take out what meeting notes and plain statements say; each is an agent's claim with
                the file's trust, dated by the file.
            kind: file, document, note, meeting, chat, ticket, pull_request, web, code or transcript.
            trust: owner, agent or external; empty for that of the source where it is known, else for the owner's own
                ``owner`` and for an agent's ``external``.
            url: where the page stands that the one file is a copy of; all forms of a link name one source.
            key: stable name of the source of the one file.
            source_time: the document's own date; empty for what it says itself.
            domain: a subject to filter by; the same as ``metadata={"domain": …}``.
            type: a type to filter by; the same as ``metadata={"type": …}``.
            tags: words to filter by.
            metadata: keys with their values to filter by; they win over what a document says.
            force: whether also folders that a store's own memories were written into.
            progress: called with files read and files in all.

        Returns:
            What became of each file, what was skipped included.

        Raises:
            NotFound: if a path is not there; nothing is imported then.
            Refused: if one is the mirror or an export of a store, which ``rebuild`` reads.
            OutsideRoot: if an agent names a hidden file, or one outside of ``capture.import_roots``.
            NotAllowed: if an agent gives the trust of the owner.
            InputError: if something said about one original is given for several, or a value is none.
            Paused: if capture is paused.
        """
        from treering.api import originals
        from treering.ingest import gathering

        self._require_open()
        said = self._said(
            kind=kind, title="", trust=trust, url=url, key=key, source_time=source_time,
            tags=tags, metadata=arguments.described(metadata, domain=domain, type=type),
        )  # fmt: skip
        named = [os.path.realpath(os.path.expanduser(path)) for path in arguments.several(paths)]
        self._require_readable(named)
        if not force:
            from treering.api.own_folders import require_foreign

            require_foreign(named, self.place)
        gathered = gathering.gather(named)
        _require_one(said, len(gathered.files))
        items = originals.items(self.place, self.settings, gathered.files, said, self._digest_of, progress)
        kept = self._keep_all(items, said, extract=extract)
        return (*kept, *(originals.skipped(path, reason) for path, reason in gathered.skips))

    def import_bytes(  # noqa: PLR0913  as for ``import_``
        self,
        raw: bytes,
        *,
        name: str = "",
        extract: bool = False,
        kind: str = "",
        title: str = "",
        trust: str = "",
        url: str = "",
        key: str = "",
        source_time: str = "",
        domain: str = "",
        type: str = "",  # noqa: A002  as on the command line
        tags: Sequence[str] = (),
        metadata: Mapping[str, str | Sequence[str]] | None = None,
    ) -> Imported:
        """Keep one original that is no file, such as what comes through a pipe.

        Args:
            raw: its bytes.
            name: what a file of it would be called; its suffix says what it is.
            extract: see ``import_``.
            kind: see ``import_``.
            title: what it is called; empty for what it says itself.
            trust: see ``import_``.
            url: see ``import_``.
            key: see ``import_``; without key and url its content decides whether it is there already.
            source_time: see ``import_``.
            domain: see ``import_``.
            type: see ``import_``.
            tags: see ``import_``.
            metadata: see ``import_``.

        Raises:
            InputError: if it holds no text, is too large, or a value is none.
            NotAllowed: if an agent gives the trust of the owner, or writes into a source that is trusted more.
            Conflict: if the source came with another trust.
            Paused: if capture is paused.
        """
        from treering.api import originals
        from treering.ingest import taking
        from treering.ingest.versions import Documents

        self._require_open()
        said = self._said(
            kind=kind, title=title, trust=trust, url=url, key=key, source_time=source_time,
            tags=tags, metadata=arguments.described(metadata, domain=domain, type=type),
        )  # fmt: skip
        _require_some(raw, self.settings)
        page = originals.page_of(said)
        with _in_words(), closing(Documents()) as documents:
            name = os.path.basename(name) or taking.name_of(raw)
            taken = taking.take(raw, name, said, page, page.key if page else said.key, documents, self.settings)
        return self._keep_all(iter([originals.Item("-", taken)]), said, extract=extract)[0]

    def note(  # noqa: PLR0913  as for ``import_``
        self,
        text: str,
        *,
        kind: str = "note",
        title: str = "",
        url: str = "",
        key: str = "",
        source_time: str = "",
        trust: str = "",
        domain: str = "",
        type: str = "",  # noqa: A002  as on the command line
        tags: Sequence[str] = (),
        metadata: Mapping[str, str | Sequence[str]] | None = None,
        extract: bool = False,
    ) -> Imported:
        """Keep a piece of text as a source that memories can quote.

        Args:
            text: Markdown or plain text.
            kind: see ``import_``.
            title: what it is called; empty for its title or first line.
            url: see ``import_``.
            key: see ``import_bytes``.
            source_time: see ``import_``.
            trust: see ``import_``.
            domain: see ``import_``.
            type: see ``import_``.
            tags: see ``import_``.
            metadata: see ``import_``.
            extract: see ``import_``.

        Raises:
            InputError: if the text is empty or no text, or a value is none.
            NotAllowed: see ``import_bytes``.
            Conflict: see ``import_bytes``.
        """
        from treering.domain.memory import checked

        return self.import_bytes(
            checked("text", text).encode(), extract=extract, kind=kind, title=title, trust=trust, url=url, key=key,
            source_time=source_time, domain=domain, type=type, tags=tags, metadata=metadata,
        )  # fmt: skip

    def _digest_of(self, key: str) -> str:
        """Return the digest of what the store has under a key; empty for nothing, or what was taken back."""
        from treering.curate.keeping import is_out

        try:
            with self._reading() as tx:
                found = tx.sources.source_by_key(key)
                return found.sha256 if found and not is_out(tx, found) else ""
        except NotFound:  # no store yet
            return ""

    def add_pattern(
        self, slot: str, pattern: str, *, kind: str = "semantic", scope: str = "said", hints: Sequence[str] = ()
    ) -> None:
        """Take one more kind of fact out of documents, as long as this memory is open; the same one twice is one.

        Args:
            slot: the topic that such a fact answers, e.g. ``user/pet/{name}``: ``{name}`` stands for what the group of
                that name matched, and ``{patient}`` for whom a clinical record is about.
            pattern: a regular expression with the group ``value``, which becomes the fact's value; it is searched in
                one sentence at a time, with case.
            kind: kind of the memories that come of it.
            scope: ``said``: in what somebody says, where questions, conditions, quotations and negations do not count;
                ``record``: in a line of a clinical record.
            hints: words one of which stands in every sentence that it matches, to save time.

        Raises:
            InputError: if it is no regular expression or has no group ``value``, the slot is empty or names a group
                that the pattern does not have, there is no such kind or scope, or the extractor that was given to
                ``treering.open`` takes no patterns.
        """
        from treering.domain.memory import memory_kind
        from treering.ingest.fact_patterns import Pattern, scope_of

        add = getattr(self._extracting(), "add_pattern", None)
        if add is None:
            raise InputError("the extractor of this memory takes no patterns", hint="open it without one of your own")
        add(Pattern(slot, pattern, memory_kind(kind), scope_of(scope), tuple(map(str, arguments.several(hints)))))

    def _said(
        self,
        *,
        kind: str,
        title: str,
        trust: str,
        url: str,
        key: str,
        source_time: str,
        tags: Sequence[str],
        metadata: Mapping[str, str | Sequence[str]] | None,
    ) -> Said:
        """Return what the caller says about originals, checked."""
        from datetime import UTC

        from treering.domain.dates import span
        from treering.domain.keeping import Said, source_kind, trust_level
        from treering.domain.memory import one_line

        level = trust_level(trust) if trust else ""
        if level == "owner" and self._is_agent:
            raise NotAllowed("an agent cannot say that a source is the owner's", hint="--trust agent or external")
        source_time = one_line("source_time", source_time)
        if source_time:
            span(source_time, UTC)
        return Said(
            source_kind(kind) if kind else "", one_line("title", title), level,
            one_line("url", url), one_line("key", key), source_time, arguments.labels(tags, metadata),
        )  # fmt: skip

    def _require_readable(self, named: Sequence[str]) -> None:
        """Refuse an agent what only the owner imports."""
        from treering.api import capture

        if not named:
            raise InputError("no file or folder was named", hint="treering import PATH")
        if self._is_agent:
            for path in named:
                capture.require_readable(path, self.place, self.settings)

    def _keep_all(self, items: Iterator[Item], said: Said, *, extract: bool) -> tuple[Imported, ...]:
        """Keep originals in batches, each whole or not at all, and return what became of each.

        Raises:
            TreeringError: what is wrong with the one original that there is.
        """
        from treering.api import originals

        extractor = self._extracting() if extract else None
        done: list[Imported] = []
        refused: list[TreeringError] = []
        with self.lock:
            for batch in originals.in_batches(items):
                if any(item.taken or item.known for item in batch):
                    with self._curating(create=True) as (tx, curator):
                        done += originals.Batch(tx, curator, said, extractor, refused).keep(batch)
                else:  # what cannot be read makes no store
                    done += [originals.skipped(item.path, item.reason) for item in batch]
            if self._store is not None and any(one.outcome != "skipped" for one in done):
                behind = self._meanings.covering.after_index(self._store)
                done[-1] = done[-1]._replace(notices=(*done[-1].notices, *behind))
        _say(refused if len(done) == 1 else ())
        return tuple(done)


def _require_one(said: Said, files: int) -> None:
    """Refuse what names one source and was said of several."""
    if said.is_of_one and files > 1:
        raise InputError(
            f"a url or key is the name of one source, and {files:,} files were named", hint="import them one by one"
        )


def _require_some(raw: bytes, settings: Settings) -> None:
    """Refuse what is empty or too large to keep."""
    from treering.ingest.reading import too_large
    from treering.ingest.versions import max_bytes

    if not raw.strip():
        raise InputError("there is nothing to keep: it is empty", hint="treering note 'some text'")
    if len(raw) > max_bytes(settings):
        raise InputError(f"it was not kept: {too_large(max_bytes(settings))}")


@contextmanager
def _in_words() -> Iterator[None]:
    """Say in words why something holds no text."""
    from treering.ingest import encoding

    try:
        yield
    except encoding.Undecodable as error:
        raise InputError(f"it was not kept: {error}") from error


def _say(refused: Sequence[TreeringError]) -> None:
    """Raise what is wrong with the one original that there is."""
    for error in refused:
        raise error
