"""Query and answer: what is asked, what comes back, and how it came about."""

from __future__ import annotations

from treering.domain.ambiguity import Choice
from treering.domain.chunk import Heading
from treering.domain.evidence import Quoted
from treering.domain.named import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final, Literal

    from treering.domain.depth import Depth

    Mode = Literal["keyword", "hybrid", "semantic", "tree"]
    Part = Literal["all", "memories", "sources", "code"]
    Reason = Literal["no_terms", "empty_gate", "filtered_out", "no_match", "empty_store", "over_budget", "ambiguous"]
else:  # what typing costs is saved where a command starts (docs/decisions/0008)
    Mode = Part = Reason = str

PARTS: Final[tuple[Part, ...]] = ("all", "memories", "sources", "code")


class Term(NamedTuple):
    """One thing to look for in the keyword index.

    Attributes:
        words: words that must stand side by side; usually one.
        prefix: whether the last word may continue.
        weight: how much of it must be explained by an answer, relative to a plain word.
    """

    words: tuple[str, ...]
    prefix: bool = False
    weight: float = 1.0

    @property
    def text(self) -> str:
        """The term as a reader would write it."""
        return " ".join(self.words) + ("…" if self.prefix else "")


class Filter(NamedTuple):
    """What narrows the corpus before anything is ranked.

    Attributes:
        where: metadata keys with their accepted values; keys are ANDed, values ORed.
        path: anchored directory or file that sources must lie under; empty for all.
        source: id of the only source to look in; empty for all.
        also: further anchored directories that count as lying under ``path``.
        part: memories alone, sources alone (without the notes that memories keep), of these source code alone, or all.
        root: number of the indexed directory whose own files are meant; 0 for all.
        kinds: of memories or sources, one of which it must be; empty for all.
        statuses: of memories, one of which it must have at ``moment``; empty for all.
        moment: when a status is meant, in microseconds since 1970.
        entities: ids of whom a memory must speak of at least one; empty for all.
        at: only what was in force at this instant, or told by then, in microseconds since 1970; None for any time.
        known_at: only what was recorded by then, as ``recorded_at`` is written; empty for all.
        since: only what held or was told from here on, in microseconds since 1970; None for any time.
        until: only what held or was told before; None for any time.
        slot: topic that memories answer, or the first parts of one; empty for all. No source passes.
        must: of each group of terms one must stand in the words of an entry; empty for any words.
        without: terms that may not stand in them.
        long: only paragraphs that are flagged as oversized. No memory passes.
    """

    where: tuple[tuple[str, tuple[str, ...]], ...] = ()
    path: str = ""
    source: str = ""
    also: tuple[str, ...] = ()
    part: Part = "all"
    root: int = 0
    kinds: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    moment: int = 0
    entities: tuple[str, ...] = ()
    at: int | None = None
    known_at: str = ""
    since: int | None = None
    until: int | None = None
    slot: str = ""
    must: tuple[tuple[Term, ...], ...] = ()
    without: tuple[Term, ...] = ()
    long: bool = False

    def __bool__(self) -> bool:
        """Tell whether anything is narrowed at all."""
        return self != EVERYTHING


EVERYTHING: Final = Filter()


class Tuning(NamedTuple):
    """How much each sign counts beside the words; what measurements chose for all sets stands here.

    Attributes:
        meaning: a standard deviation of the cosines, in standard deviations of BM25
            (``docs/decisions/0010-fusion.md``).
        neighbours: how much of the measured share the turns around a turn of a conversation count.
        same_source: what the next two passages of a source count for each of its passages. Of documentation asked
            in other languages .57 instead of .55 of MRR@10; from .25 on less of long documents' answers is shown.
    """

    meaning: float = 0.6
    neighbours: float = 1.0
    same_source: float = 0.2


class Query(NamedTuple):
    """One question.

    Attributes:
        text: the question as it was typed.
        limit: how many results at the most (1 to 100).
        max_tokens: upper bound of the answer's estimated LLM tokens.
        filter: what narrows the corpus.
        empty_gate: least evidence for an answer, 0..1; None for the calibrated one, 0 for none.
        mode: which lists are used.
        tuning: how much each sign counts.
        now: the instant whose truth is asked for, in microseconds since 1970; 0 for the status as it is stored.
        known_at: as in ``Filter``: what was recorded later is not known.
        newest_first: whether what was said last in a talk stands first.
        clue: words that tell which of several things is meant; empty for none.
        asks_back: whether a question that may mean several things is asked back.
        margin: how far ahead the best answer must be of one about something else, as a share of it.
        threshold: how sure it must be.
        is_word: tells whether a word is one of a language, so that it is no slip of the keyboard; None where nobody
            knows, and then no word is taken for another.
        depth: how much of each result is shown.
        look_at: candidates whose text is read; 0 for as many as the results need.
    """

    text: str
    limit: int = 8
    max_tokens: int = 900
    filter: Filter = Filter()
    empty_gate: float | None = None
    mode: Mode = "keyword"
    tuning: Tuning = Tuning()
    now: int = 0
    known_at: str = ""
    newest_first: bool = False
    clue: str = ""
    asks_back: bool = False
    margin: float = 0.18
    threshold: float = 0.45
    is_word: Callable[[str], bool] | None = None
    depth: Depth = "L2"
    look_at: int = 0


class TraceStep(NamedTuple):
    """What one step of the pipeline did.

    Attributes:
        step: its name.
        before: how many things it was given.
        after: how many it passed on.
        why: what it decided, in words.
        took_ms: wall time.
    """

    step: str
    before: int
    after: int
    why: str
    took_ms: float


class ChunkHit(NamedTuple):
    """A chunk that stands in a result: id, headings, first and last line, score."""

    id: str
    path: tuple[Heading, ...]
    lines: tuple[int, int]
    score: float


class Result(NamedTuple):
    """One entry of an answer: the hits of one source, readable as they stand.

    Attributes:
        id: id of its best chunk.
        title: the document's title.
        text: the cheatsheet: headings, leads, hits in document order, ``[…]`` for gaps.
        citation: where its best chunk stands: place, lines, title and headings.
        path: headings of the best chunk.
        source: id of the source.
        key: the source's stable key.
        file: path to open, relative to the working directory where possible; None without a file.
        version: id of the version that was read.
        trust: of the source.
        lines: first and last line of the best chunk.
        metadata: the source's metadata.
        chunks: all hits in the cheatsheet, in document order.
        score: relevance of the best hit, 0..1 within this answer.
        tokens: estimated LLM tokens of ``text`` with its citation.
        restatements: how many identical passages elsewhere it stands for.
        notices: what a reader should know about it.
        type: ``chunk`` for passages of a source, ``memory`` for a memory, whose ``id`` is then its own.
        kind: of a memory; None for passages.
        status: of a memory; None for passages.
        verification: of a memory; None for passages.
        recorded_at: when it was recorded, ISO 8601.
        quotes: what a memory rests on; empty for passages.
        slot: the topic that a memory answers; empty for none.
        value: the short answer.
        valid_from: since when a memory holds; empty when unknown.
        valid_to: until when; empty without an end.
        superseded_by: the memory that follows it.
        entities: names of what a memory speaks of.
        scope: of the store that it stands in; empty where one store was asked.
        summary: of a memory; empty for none, and for passages.
    """

    id: str
    title: str
    text: str
    citation: str
    path: tuple[Heading, ...]
    source: str
    key: str
    file: str | None
    version: str
    trust: str
    lines: tuple[int, int]
    metadata: dict[str, tuple[str, ...]]
    chunks: tuple[ChunkHit, ...]
    score: float
    tokens: int
    restatements: int = 0
    notices: tuple[str, ...] = ()
    type: Literal["chunk", "memory"] = "chunk"
    kind: str | None = None
    status: str | None = None
    verification: str | None = None
    recorded_at: str = ""
    quotes: tuple[Quoted, ...] = ()
    slot: str = ""
    value: str = ""
    valid_from: str = ""
    valid_to: str = ""
    superseded_by: str = ""
    entities: tuple[str, ...] = ()
    scope: str = ""
    summary: str = ""


class Descent(NamedTuple):
    """How a descent through the tree of digests went.

    Attributes:
        opened: nodes whose children were looked at.
        nodes: nodes there are.
        depth: levels between the trunk and the leaves.
        path: what the nodes above the best leaf cover, from the trunk down.
    """

    opened: int
    nodes: int
    depth: int
    path: tuple[str, ...]


class Answer(NamedTuple):
    """What a search returns.

    Attributes:
        query: the question.
        mode: which lists took part.
        results: best first; empty when nothing answers.
        reason: why nothing answers; None when something does.
        confidence: evidence of the best hit, 0..1.
        tokens: estimated LLM tokens of all results together; at most the query's ``max_tokens``.
        notices: what a reader should know about the whole answer.
        trace: what each step did, in order.
        ambiguous: what the question may mean; where anything stands here, there are no results.
        descent: how a search by the tree went; None for any other.
    """

    query: str
    mode: Mode
    results: tuple[Result, ...]
    reason: Reason | None
    confidence: float
    tokens: int
    notices: tuple[str, ...] = ()
    trace: tuple[TraceStep, ...] = ()
    ambiguous: tuple[Choice, ...] = ()
    descent: Descent | None = None

    @property
    def found(self) -> bool:
        """Whether anything answers the question."""
        return bool(self.results)
