"""A group of documents as a real memory, asked as users ask.

A session of a conversation is one source whose chunks are its turns, with the day and the speaker as the
headings above each; any other document is a source of its own. Names of a set stay out of the index, since
some of them tell the answer; a path does not, since a file has one.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import contextmanager
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple, Self

from treering import wiring
from treering.api import MemoryStore
from treering.chunkers import chunk as cut
from treering.derived import rows
from treering.domain import ids
from treering.domain.chunk import Chunk, Chunked, Heading
from treering.domain.source import Document as Text
from treering.domain.text import fingerprint
from treering.errors import Refused
from treering.evals import dates
from treering.evals.metrics import Outcome, Shown
from treering.intake import KeptText
from treering.places import find_place
from treering.recall.excerpt import CUT
from treering.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering.domain.query import Answer, Mode, Result
    from treering.evals.datasets import Document, Question
    from treering.ports import Transaction
    from treering.records import StoredSource

DEPTH: Final = 50
"""Results of the search that rankings are read from."""

_WIDE: Final = 100_000
# Paragraphs up to this size are never parted by the chunkers either.
_LONG: Final = 2400
_MARKDOWN: Final = (".md", ".markdown", ".mdc", ".mdx")
_SYMBOL: Final = "::"
# Shorter parts of a line stand in many lines.
_TELLING: Final = 12


class _Part(NamedTuple):
    """A source to be, with the document that each of its chunks belongs to."""

    text: KeptText
    day: str
    documents: list[str]


class Memory:
    """The documents of one group in a temporary store.

    Attributes:
        settings: what it runs with: the defaults, whatever this machine's user has set.
    """

    def __init__(
        self, documents: Sequence[Document], *, vectors: bool = False, store: str = "", embedding: str = ""
    ) -> None:
        """Write the documents, in the order of their days.

        Args:
            documents: a group.
            vectors: whether to compute embeddings, for other modes than ``keyword``.
            store: a database without a store to work in, as a URL; empty for a temporary file.
            embedding: the embedding provider; empty for the default.

        Raises:
            Refused: if the database holds a store.
        """
        self.settings: Final = settings_with(embedding)
        self._texts = {one.id: one.text for one in documents}
        self._alike = _alike(documents)
        self._document_of: dict[str, str] = {}
        self._folder = tempfile.TemporaryDirectory(prefix="treering-eval-")
        self._place = find_place(store or self._folder.name, self._folder.name, {"HOME": self._folder.name})
        if self._place.address is not None and wiring.is_made(self._place, self.settings):
            raise Refused(f"{self._place.database} holds a store: a measurement needs a database without one")
        backend = wiring.open_backend(self._place, self.settings, create=True)
        with backend.write() as tx:
            rows.bring_up_to_date(tx, _nothing_to_cut)
            for number, part in enumerate(_parts(documents, self.settings)):
                source, version = (ids.make(kind, number, number.to_bytes(8, "big")) for kind in ("src", "ver"))
                rows.put_kept(tx, part.text, source, version, part.day)
                for ordinal, document in enumerate(part.documents):
                    self._document_of[ids.chunk_id(version, ordinal)] = document
        backend.settle()
        backend.close()
        self._memory = MemoryStore(self._place, self.settings)
        if vectors:
            self._memory.ensure_embeddings()

    def __enter__(self) -> Self:
        """Return the memory itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the store."""
        self.close()

    def close(self) -> None:
        """Remove the store."""
        self._memory.close()
        wiring.drop_store(self._place, self.settings)
        self._folder.cleanup()

    def ask(self, question: Question, mode: Mode, budgets: Sequence[int], measured: int, limit: int) -> Outcome:
        """Return what is found for a question.

        Args:
            question: what is asked.
            mode: which lists take part.
            budgets: LLM tokens of the answers, the gate left open.
            measured: the budget whose answer is timed and meets the gate.
            limit: results of an answer at the most.
        """
        began = time.process_time()
        gated = self._memory.search(question.text, mode=mode, limit=limit, max_tokens=measured)
        cpu_ms = (time.process_time() - began) * 1000
        ranking = self.ranking(question.text, mode)
        shown = {}
        for budget in budgets:
            if budget == measured and gated.found:
                answer = gated
            else:
                answer = self._memory.search(question.text, mode=mode, limit=limit, max_tokens=budget, empty_gate=0)
            shown[budget] = self._shown(answer, spans=bool(question.spans))
        opened = (gated.descent.opened, gated.descent.nodes) if gated.descent else None
        return Outcome(ranking, gated.confidence, shown, refused=not gated.found, cpu_ms=cpu_ms, opened=opened)

    def digest(self) -> None:
        """Make the tree of digests, for the mode ``tree``."""
        self._memory.consolidate()

    def context(self, question: str, max_tokens: int) -> tuple[tuple[str, ...], bool]:
        """Return the documents of a context in the order of its text, and whether its evidence does not suffice."""
        answer = self._memory.context(question, max_tokens=max_tokens)
        shown = [self._document_of[hit.id] for passage in answer.passages for hit in passage.chunks]
        return tuple(dict.fromkeys(shown)), answer.insufficient_evidence

    def shown(self, question: str, mode: Mode, max_tokens: int) -> frozenset[str]:
        """Return the documents that stand in the answer of a search, the gate left open."""
        answer = self._memory.search(question, mode=mode, max_tokens=max_tokens, empty_gate=0)
        return self._shown(answer, spans=False).documents

    def refuses(self, question: str, mode: Mode) -> bool:
        """Tell whether a question gets NOT FOUND."""
        return not self._memory.search(question, mode=mode).found

    def set(self, settings: Settings) -> None:
        """Answer under other settings from now on; what is stored stays as it is."""
        place = self._memory.place
        self._memory.close()
        self._memory = MemoryStore(place, settings)
        self._memory.search("anything", empty_gate=0)  # the first search of a memory reads fewer vectors

    def ranking(self, question: str, mode: Mode) -> tuple[str, ...]:
        """Return the documents that are found for a question by their best chunk, the gate left open.

        An answer shows equal texts once and names the others: these follow the one that is shown.
        """
        answer = self._memory.search(question, mode=mode, limit=DEPTH, max_tokens=_WIDE, empty_gate=0)
        hits = [(hit.score, hit.id) for result in answer.results for hit in result.chunks]
        hits.sort(key=lambda hit: -hit[0])
        return tuple(dict.fromkeys(one for _, id in hits for one in self._alike[self._document_of[id]]))

    @contextmanager
    def digested(self) -> Iterator[Transaction]:
        """Yield the store to be read, once everything stands in the tree of digests."""
        self._memory.consolidate()
        with self._memory._reading() as tx:  # noqa: SLF001 - a measurement looks inside
            yield tx

    def document(self, version: str, ordinal: int) -> str:
        """Return the document that a chunk belongs to."""
        return self._document_of[ids.chunk_id(version, ordinal)]

    def _shown(self, answer: Answer, *, spans: bool) -> Shown:
        """Return what an answer shows; with its characters if asked for."""
        hits = (hit for result in answer.results for hit in result.chunks)
        found = frozenset(one for hit in hits for one in self._alike[self._document_of[hit.id]])
        shown = tuple(span for result in answer.results for span in self._spans(result)) if spans else ()
        return Shown(found, answer.tokens, shown)

    def _spans(self, result: Result) -> Iterator[tuple[str, int, int]]:
        """Yield the characters of a document that a result shows, its headings and leads aside."""
        printed = result.text.split("\n")
        whole = set(printed)
        pieces = {line.replace(CUT, "").rstrip() for line in printed}
        for hit in result.chunks:
            document = self._document_of[hit.id]
            text = self._texts[document]
            start = 0
            for number, line in enumerate(text.split("\n"), start=1):
                if hit.lines[0] <= number <= hit.lines[1]:
                    if line.rstrip("\r") in whole:
                        yield document, start, start + len(line)
                    else:
                        for piece in pieces:
                            if len(piece) >= _TELLING and (at := line.find(piece)) >= 0:
                                yield document, start + at, start + at + len(piece)
                start += len(line) + 1


def settings_with(embedding: str) -> Settings:
    """Return the default settings, with an embedding provider if one is named."""
    return Settings(embedding_provider=embedding) if embedding else Settings()


def _alike(documents: Sequence[Document]) -> dict[str, tuple[str, ...]]:
    """Return for each document itself and those with equal text."""
    of_text: dict[int, list[str]] = {}
    for one in documents:
        of_text.setdefault(fingerprint(_clean(one.text)), []).append(one.id)
    return {id: tuple(dict.fromkeys((id, *same))) for same in of_text.values() for id in same}


def _nothing_to_cut(_source: StoredSource, _text: str) -> Chunked:
    """Return no chunks: a new store has no source to cut again."""
    return Chunked(None, ())


def _parts(documents: Sequence[Document], settings: Settings) -> list[_Part]:
    """Return the sources that a group makes, in the order of their days; those without a day keep their place."""
    sessions: dict[str, list[Document]] = {}
    for number, one in enumerate(documents):
        if one.text.strip():
            sessions.setdefault(f"s{one.session}" if one.session else f"d{number}", []).append(one)
    parts = []
    for number, turns in enumerate(sessions.values()):
        talk = turns[0].session or turns[0].speaker
        parts.append(_conversation(number, turns) if talk else _single(number, turns[0], settings))
    if all(part.day for part in parts):
        parts.sort(key=lambda part: part.day)
    return parts


def _conversation(number: int, turns: Sequence[Document]) -> _Part:
    """Return a session as one source, each turn a chunk under its day and its speaker."""
    text, chunks, line = "", [], 1
    for ordinal, turn in enumerate(turns):
        said = _clean(turn.text).strip("\n") + "\n\n"
        last = line + said.count("\n") - 1
        above = [name for name in (dates.in_words(turn.date), turn.speaker) if name]
        path = tuple(Heading(level, name) for level, name in enumerate(above, start=1))
        chunks.append(Chunk(ordinal, len(text), len(text) + len(said), line, last, "prose", path))
        text += said
        line = last + 1
    kept = _kept(f"chat:s{number}", turns[0].title, "chat", text, chunks)
    return _Part(kept, _day(turns[0]), [turn.id for turn in turns])


def _single(number: int, one: Document, settings: Settings) -> _Part:
    """Return a document as one source: whole, or cut as files are if it is long or Markdown."""
    text = _clean(one.text)
    _, joined, symbol = one.id.partition(_SYMBOL)
    symbol = symbol if joined and one.path and one.id.startswith(one.path) else ""
    title = one.title
    if len(text) > _LONG or one.path.lower().endswith(_MARKDOWN):
        made = cut(text, one.path or "text.txt", front_matter_chars=0, target_chars=settings.chunk_target_chars)
        title = title or made.title or ""
        chunks = list(made.chunks)
    else:
        chunks = [Chunk(0, 0, len(text), 1, text.count("\n") + 1, "prose")]
    if symbol or one.date:
        above = [Heading(1, name) for name in (dates.in_words(one.date), symbol) if name]
        chunks = [made._replace(path=(*above, *made.path)) for made in chunks]
    kind = "code" if symbol else "document"
    key = f"{kind}:{one.path}{joined and symbol and _SYMBOL}{symbol}" if one.path else f"{kind}:d{number}"
    return _Part(_kept(key, title, kind, text, chunks), _day(one), [one.id] * len(chunks))


def _kept(key: str, title: str, kind: str, text: str, chunks: Sequence[Chunk]) -> KeptText:
    """Return a text as the store keeps it."""
    raw = text.encode("utf-8", "replace")
    return KeptText(key, title, kind, "owner", Text(text, sha256(raw).hexdigest(), len(raw), "utf-8"), chunks)


def _clean(text: str) -> str:
    """Return a text as files are decoded: without NUL and byte order mark, of the same length, lone halves replaced."""
    return text.replace("\0", " ").replace("\ufeff", " ").encode("utf-8", "replace").decode()


def _day(one: Document) -> str:
    """Return the day of a document, ISO 8601; empty when it names none."""
    day = dates.day_of(one.date)
    return f"{day.isoformat()}T00:00:00.000Z" if day else ""
