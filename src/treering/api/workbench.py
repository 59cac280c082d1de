"""The workbench: files without paying twice, scratch notes, long output made short; code by symbol is beside it.

What these find and keep is no memory: nothing here saves one. What a session puts aside lies in this object, so that it
ends with it; with ``session`` in a file beside the store, so that it outlives a process.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from treering.api import arguments
from treering.api.codework import CodeWork
from treering.errors import InputError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering.domain.policy import Caller
    from treering.places import Place
    from treering.ports import Extractor
    from treering.settings import Settings
    from treering.workbench.answers import Condensed, Handed, Recollection
    from treering.workbench.desk import Desk

    Progress = Callable[[int, int], None]

_READ_TOKENS = 25_000
_RECALL_TOKENS = 600
_RECALL_LINE_TOKENS = 60  # for the line that says how the whole is found again
_MOST_TOKENS = 100_000
_LABEL_CHARS = 80


class Workbench(CodeWork):
    """What a working agent needs beside its memory."""

    def __init__(
        self,
        place: Place,
        settings: Settings,
        caller: Caller | None = None,
        extractor: Extractor | None = None,
        beside: Place | None = None,
    ) -> None:
        """Use the store at ``place`` on behalf of ``caller``, else its owner; the desk is empty."""
        super().__init__(place, settings, caller, extractor, beside)
        self._own_desk: Desk | None = None

    def read_file(
        self,
        file: str | Path,
        *,
        force: bool = False,
        start_line: int = 1,
        limit_lines: int | None = None,
        max_tokens: int | None = None,
        session: str | None = None,
    ) -> Handed:
        """Return a file from the disk; what the session has seen of it already is not handed out twice.

        Args:
            file: any text file.
            force: whether to hand it out whatever was seen.
            start_line: where to begin, from 1.
            limit_lines: how many lines at the most; None for all.
            max_tokens: upper bound of the text, 100..100000; None for 25000.
            session: name of a session that outlives this object; None for this object's own.

        Raises:
            NotFound: if it is gone; the session forgets it.
            InputError: if it is no text file, too large, or ends before ``start_line``.
        """
        from treering.workbench import answers, reads

        first = arguments.within("start_line", start_line, 1, 2**31)
        count = None if limit_lines is None else arguments.within("limit_lines", limit_lines, 1, 2**31)
        most = arguments.within("max_tokens", max_tokens or _READ_TOKENS, 100, _MOST_TOKENS)
        real = os.path.realpath(arguments.absolute(file))
        with self.lock:
            desk = self._desk(session)
            try:
                text = self._text_of(real, file)
            except (NotFound, InputError):
                desk.forget_read(real)
                raise
            total = text.count("\n") + (not text.endswith("\n"))
            if first > max(total, 1):
                raise InputError(f"{file} ends at line {total}", hint=f"treering code read {file}")
            last = None if count is None else first + count - 1
            reading = reads.look(text, desk.reads.get(real), str(file), first, last, most, force=force)
            desk.note_read(real, reading.read)
        return answers.Handed(self._shown(real), reading)

    def scratch_note(self, text: str, *, label: str = "", session: str | None = None) -> int:
        """Put a note aside for this session, and return how many there are now; it never becomes a memory.

        Args:
            text: what to note.
            label: a word or two to find it by.
            session: name of a session that outlives this object; None for this object's own.

        Raises:
            InputError: if it says nothing, or more than a note.
        """
        from treering.workbench.desk import Aside

        text = text.strip()
        if not text:
            raise InputError("the note is empty", hint="treering scratch note 'what to keep in mind'")
        if len(text) > _MOST_TOKENS:
            raise InputError(
                f"a note of {len(text):,} characters is too long; the limit is {_MOST_TOKENS:,}",
                hint="treering digest FILE",
            )
        with self.lock:
            desk = self._desk(session)
            desk.put_aside(Aside("note", label[:_LABEL_CHARS], text))
            return sum(one.kind == "note" for one in desk.aside)

    def scratch_recall(
        self, query: str = "", *, clue: str | None = None, max_tokens: int | None = None, session: str | None = None
    ) -> Recollection:
        """Return notes of this session, and lines of the output that it condensed, best first.

        Args:
            query: what is looked for; empty for the notes, newest first.
            clue: further words that tell candidates apart.
            max_tokens: upper bound of all texts, 50..100000; None for 600.
            session: see ``scratch_note``.
        """
        from treering.workbench import answers, scratch

        most = arguments.within("max_tokens", max_tokens or _RECALL_TOKENS, 50, _MOST_TOKENS)
        with self.lock:
            kept = self._desk(session).aside
            found = scratch.recall(kept, query, clue or "", most)
            notes = sum(one.kind == "note" for one in kept)
            return answers.Recollection(query, tuple(found), notes, len(kept) - notes)

    def digest_output(
        self, text: str, *, label: str = "output", max_tokens: int | None = None, session: str | None = None
    ) -> Condensed:
        """Return long output condensed: its ends, failed tests, errors, totals; the whole can be recalled.

        Args:
            text: the output, with whatever a terminal obeys.
            label: what ``scratch_recall`` calls it.
            max_tokens: upper bound of the digest, 200..100000; None for 1500.
            session: see ``scratch_note``.

        Raises:
            InputError: if there is nothing to condense.
        """
        from treering.workbench import answers, digest
        from treering.workbench.desk import Aside

        most = arguments.within("max_tokens", max_tokens or digest.MAX_TOKENS, 200, _MOST_TOKENS)
        if not text.strip():
            raise InputError("there is nothing to condense: the text is blank", hint="treering digest test.log")
        label = label[:_LABEL_CHARS] or "output"
        made = digest.digest(text, most - _RECALL_LINE_TOKENS)
        with self.lock:
            self._desk(session).put_aside(Aside("output", label, "\n".join(digest.cleaned(text))))
        return answers.Condensed(label, made)

    def end_session(self, session: str | None = None) -> bool:
        """Take everything off a session's desk and tell whether anything was kept in a file."""
        from treering.workbench import sessions

        with self.lock:
            if session is not None:
                return sessions.end(sessions.folder_of(self.place.folder), session)
            self._desk(None).clear()
            return False

    def _desk(self, session: str | None) -> Desk:
        """Return the desk of a session: this object's own, or one that is kept in a file."""
        if session is not None:
            from treering.workbench import sessions

            return sessions.opened(sessions.folder_of(self.place.folder), session)
        if self._own_desk is None:
            from treering.workbench.desk import Desk

            self._own_desk = Desk()
        return self._own_desk

    def _clear_desks(self) -> int:
        """Take everything off every desk of this store: what was erased may lie on one; return how many files went."""
        from treering.workbench import sessions

        dropped = sessions.drop_all(sessions.folder_of(self.place.folder))
        if self._own_desk is not None:
            self._own_desk.clear()
        return dropped

    def _text_of(self, real: str, file: str | Path) -> str:
        """Return the text of a file as it is now.

        Raises:
            NotFound: if there is none.
            InputError: if it is a folder, no text, or too large.
        """
        from treering.ingest import encoding, reading
        from treering.ingest.versions import max_bytes

        if os.path.isdir(real):
            named = file or "."
            raise InputError(
                f"{named} is a folder, and files are read one at a time", hint=f"treering code map {named}"
            )
        try:
            content = reading.read(os.path.dirname(real), os.path.basename(real), max_bytes(self.settings))
            return encoding.decode(content.raw).text
        except reading.Unreadable as error:
            if error.vanished:
                raise NotFound(f"there is no file {file}", hint="treering code map .") from error
            raise InputError(f"{file} is not read: {error}", hint="treering code map .") from error
        except encoding.Undecodable as error:
            raise InputError(f"{file} cannot be read: {error}", hint="treering code map .") from error
