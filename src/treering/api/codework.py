"""Code by symbol: a map of a directory, and the one symbol that answers.

Both bring the index up to date with the disk before they answer.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from treering.api import arguments
from treering.api.directories import Directories
from treering.api.searching import Searching
from treering.errors import InputError, NotFound

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering.domain.policy import Caller
    from treering.places import Place
    from treering.ports import Extractor, Transaction
    from treering.settings import Settings
    from treering.workbench.answers import CodeAnswer
    from treering.workbench.codemap import Map
    from treering.workbench.find import Files, Found
    from treering.workbench.symbols import Symbol

    Progress = Callable[[int, int], None]

_FIND_TOKENS = 1_500
_OTHERS = 4
_MOST_TOKENS = 100_000
_FILES = ("main", "test", "all")
_DETAILS = ("files", "symbols")


class CodeWork(Searching, Directories):
    """What is asked of source code."""

    def __init__(
        self,
        place: Place,
        settings: Settings,
        caller: Caller | None = None,
        extractor: Extractor | None = None,
        beside: Place | None = None,
    ) -> None:
        """Use the store at ``place`` on behalf of ``caller``, else its owner; no symbol is known yet."""
        super().__init__(place, settings, caller, extractor, beside)
        self._symbols: dict[str, tuple[str, list[Symbol]]] = {}

    def code_map(
        self,
        path: str | Path = ".",
        *,
        detail: str = "files",
        subpath: str = "",
        max_tokens: int | None = None,
        progress: Progress | None = None,
    ) -> Map:
        """Return the source files of a directory with their size in tokens, or what they declare.

        The directory is read first where that was not done yet or something changed; from then on it belongs to what
        a search finds.

        Args:
            path: a directory, or a file.
            detail: ``files``, or ``symbols`` with their lines.
            subpath: only what lies under this path below it.
            max_tokens: upper bound of the text, 100..100000; None for 4000.
            progress: called with files done and files in all, should the directory have to be read.

        Raises:
            NotFound: if the directory, or the path below it, is absent or holds no source code.
        """
        from treering.workbench import codemap
        from treering.workbench.symbols import declared

        arguments.choice("detail", detail, _DETAILS)
        most = arguments.within("max_tokens", max_tokens or codemap.MAX_TOKENS, 100, _MOST_TOKENS)
        with self.lock:
            wanted, notices = self._synced(path, subpath, progress)
            with self._reading() as tx:
                sheets = []
                for symbols, chars in self._code(tx, wanted):
                    found = tuple(declared(symbols)) if detail == "symbols" else ()
                    lines = symbols[-1].last if symbols else 0
                    sheets.append(codemap.Sheet(symbols[0].file, lines, codemap.estimated(chars), found))
        return codemap.drawn(self._shown(wanted), detail, sheets, most)._replace(notices=notices)

    def code_find(
        self,
        query: str,
        *,
        path: str | Path = ".",
        files: Files = "main",
        subpath: str = "",
        clue: str | None = None,
        max_tokens: int | None = None,
        progress: Progress | None = None,
    ) -> CodeAnswer:
        """Return the one symbol that answers a question, and where others stand that might.

        Args:
            query: the question, or a name.
            path: the directory to look in; it is read first, as ``code_map`` does.
            files: ``main`` leaves tests out, ``test`` looks in them alone, ``all`` ranks them below the rest.
            subpath: only what lies under this path below it.
            clue: further words that tell candidates apart.
            max_tokens: upper bound of the answer's estimated LLM tokens, 100..100000; None for 1500.
            progress: called with files done and files in all, should the directory have to be read.

        Raises:
            InputError: if the question is empty.
        """
        from treering.domain.text import content_words
        from treering.workbench import answers, find
        from treering.workbench.members import inside

        query = arguments.question(query)
        if not query.strip():
            raise InputError("nothing was asked", hint="treering code find 'where is the retry decided'")
        arguments.choice("files", files, _FILES)
        most = arguments.within("max_tokens", max_tokens or _FIND_TOKENS, 100, _MOST_TOKENS)
        with self.lock:
            wanted, notices = self._synced(path, subpath, progress)
            question = find.understood(query)
            relevance = self._relevance(f"{query} {clue}" if clue else query, wanted)
            with self._reading() as tx:
                symbols = [symbol for of_file, _ in self._code(tx, wanted) for symbol in of_file]
                texts = {}
                if clue:
                    by_key = {(one.version, one.ordinal): one for one in symbols}
                    texts = {key: _text(tx, by_key[key]) for key in relevance if key in by_key}
                found = find.ranked(
                    symbols,
                    relevance,
                    question,
                    files=files,
                    clue=content_words(clue or ""),
                    texts=texts,
                    inside=inside(symbols, relevance, question, lambda one: _text(tx, one)),
                )
                rivals = () if clue else find.rivals(found, question)
                return answers.code_answer(
                    query, _distinct(rivals or found, _OTHERS + 1), lambda one: _text(tx, one), symbols,
                    most, is_ambiguous=bool(rivals), notices=notices,
                )  # fmt: skip

    def _synced(self, path: str | Path, subpath: str, progress: Progress | None) -> tuple[str, tuple[str, ...]]:
        """Bring the index of a directory up to date; return what is wanted of it, absolute, and what to know.

        Raises:
            NotFound: if it, or the path below it, is absent.
            InputError: if none was named, or the path leads out of it.
        """
        from treering.places import is_within

        if not str(path).strip():
            raise InputError("no directory was named", hint="treering code map .")
        real = os.path.realpath(arguments.absolute(path))
        wanted = os.path.realpath(os.path.join(real, subpath)) if subpath else real
        for place, name in ((real, str(path)), (wanted, subpath)):
            if not os.path.exists(place):
                raise NotFound(f"there is no {name}", hint="treering code map .")
        if not is_within(wanted, real):
            raise InputError(f"{subpath} does not lie in {path}", hint=f"treering code map {path}")
        folder = real if os.path.isdir(real) else os.path.dirname(real)
        known = False
        try:
            with self._reading() as tx:
                roots = list(self._roots(tx).values())
        except NotFound:
            roots = []
        for root, place in roots:
            if is_within(folder, place) and not _leads_through_hidden(os.path.relpath(folder, place)):
                folder, known = place, root.reads_code
        report = self.index([folder], code=True, progress=progress)[0]
        first = () if known else (f"{folder} was indexed with its source code first",)
        return wanted, (*first, *report.notices[:3])

    def _relevance(self, query: str, wanted: str) -> dict[tuple[str, int], float]:
        """Return what a search thinks of chunks of code, by version and ordinal; the best has 1."""
        with self._alone():
            answer = self.search(query, path=wanted, in_="code", limit=100, max_tokens=_MOST_TOKENS, depth="L2")
        hits = [hit for result in answer.results for hit in result.chunks]
        best = max((hit.score for hit in hits), default=1.0) or 1.0
        found = {}
        for hit in hits:
            version, _, ordinal = hit.id.partition("#")
            found[version, int(ordinal)] = hit.score / best
        return found

    def _code(self, tx: Transaction, wanted: str) -> list[tuple[list[Symbol], int]]:
        """Return the chunks of each source file under a path, with its length; by path.

        Raises:
            NotFound: if there is none.
        """
        from treering.domain.query import Filter
        from treering.workbench.symbols import symbols_of

        anchors = self.place.anchors(wanted)
        narrowed = Filter(path=anchors[0], also=anchors[1:], part="code")
        found, after = [], ""
        while page := tx.sources.list_sources(narrowed, 500, after):
            for source in page:
                known = self._symbols.get(source.id)
                if known is None or known[0] != source.version:
                    chunks = tx.sources.chunks_before(source.version, 2**31, 2**31)
                    known = (source.version, symbols_of(self._place_of(source.key), source.version, chunks))
                    self._symbols[source.id] = known
                if known[1]:
                    found.append((known[1], source.chars))
            after = page[-1].key
        if not found:
            raise NotFound(f"{wanted} holds no source code that is read", hint=self.place.command("status"))
        return found

    def _shown(self, path: str) -> str:
        """Return a path as it is shown: below the working directory relative to it."""
        here = os.getcwd()
        return "." if path == here else path.removeprefix(here + os.sep)


def _text(tx: Transaction, symbol: Symbol) -> str:
    """Return the text of a chunk."""
    return tx.sources.text(symbol.version, symbol.start, symbol.stop)


def _distinct(found: list[Found] | tuple[Found, ...], most: int) -> list[Found]:
    """Return the best candidates, one for each name in each file."""
    kept: dict[tuple[str, tuple[str, ...], int], Found] = {}
    for one in found:
        symbol = one.symbol
        kept.setdefault((symbol.file, symbol.names, 0 if symbol.names else symbol.ordinal), one)
        if len(kept) == most:
            break
    return list(kept.values())


def _leads_through_hidden(below: str) -> bool:
    """Tell whether a path below a root leads through a hidden folder."""
    return any(part.startswith(".") and part != "." for part in below.split(os.sep))
