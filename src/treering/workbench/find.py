"""Which symbol answers: what search thinks of each, and what the question names.

The relevance of search is the ground. A name that the question spells out counts most, then a file that it names;
imports and tests are what one looks for last. A clue speaks for what it names and against the rest.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from treering.domain.text import content_words, llm_tokens
from treering.workbench.symbols import Symbol, is_test

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Files = Literal["main", "test", "all"]

# Found by exact lookups of public names (hit@5 .97 and more) and by questions in prose, which name nothing.
_QUALIFIED: Final = 2.0
_NAMED: Final = 1.0
_NAMED_LOOSELY: Final = 0.7
_WORDS: Final = 0.35
"""For a name all of whose words stand in the question; for a part of them by the square of the share. Of 21 questions
in prose the symbol that answers comes first for 9 instead of 6, and among five for 18 instead of 17."""

_STEM_LETTERS: Final = 4
"""So many letters at the beginning make two words alike, all but the last two at least: ``merge`` and ``merged``."""

_FILE: Final = 1.5
_STEM: Final = 1.15
_TEST: Final = 0.6
_IMPORTS: Final = 0.3
_STATEMENTS: Final = 0.85
_PART: Final = 0.9
"""For a piece of a class beside the one that opens it."""

_PRIVATE: Final = 0.95
"""For a name that says so by its first letter, as one of two alike."""

_HEARD: Final = 1.6
_UNHEARD: Final = 0.7
_CLOSE: Final = 0.97

_IDENTIFIER: Final = re.compile(r"[^\W\d][\w$]*(?:(?:\.|::|#|->)[^\W\d][\w$]*)*")
_PATH: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)+|[\w-]+\.\w{1,5}\b")
JOINT: Final = re.compile(r"\.|::|#|->")
_HUMPS: Final = re.compile(r"[a-z\d][A-Z]|_|[A-Z]{2}|\d")
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Question(NamedTuple):
    """What a question names.

    Attributes:
        names: identifiers that it spells out, each as its parts.
        paths: files and folders that it spells out, in small letters.
        words: its words, in small letters.
        about_tests: whether it asks for tests.
        is_bare: whether it is a name and nothing else, so that relevance tells nothing.
    """

    names: tuple[tuple[str, ...], ...]
    paths: tuple[str, ...]
    words: frozenset[str]
    about_tests: bool
    is_bare: bool = False


class Found(NamedTuple):
    """A candidate: the symbol, its score, and how exactly the question names it (0 to 3)."""

    symbol: Symbol
    score: float
    exactness: int


def understood(query: str) -> Question:
    """Return what a question names."""
    words = content_words(query)
    paths = tuple(found[0].lower() for found in _PATH.finditer(query))
    identifiers = [found[0] for found in _IDENTIFIER.finditer(query)]
    alone = len(query.split()) == 1
    names = []
    for place, one in enumerate(identifiers):
        capital = one[0].isupper() and not one.isupper() and place > 0
        called = f"{one}(" in query or f"`{one}`" in query
        if alone or called or capital or JOINT.search(one) or _HUMPS.search(one[1:]) or one.startswith("_"):
            names.append(tuple(JOINT.split(one)))
    return Question(tuple(names), paths, words, not words.isdisjoint({"test", "tests", "testing", "spec"}), alone)


def ranked(
    symbols: Iterable[Symbol],
    relevance: Mapping[tuple[str, int], float],
    question: Question,
    *,
    files: Files = "main",
    clue: frozenset[str] = frozenset(),
    texts: Mapping[tuple[str, int], str] | None = None,
    inside: Mapping[tuple[str, int], int] | None = None,
) -> list[Found]:
    """Return the symbols that may answer, best first.

    Args:
        symbols: of the whole project, or the part that is looked in.
        relevance: by version and ordinal, what search thinks of a chunk, 0..1; absent ones were not found.
        question: what is asked.
        files: whether tests are left out (``main``), looked for alone, or ranked below the rest.
        clue: words of a clue.
        texts: text of the chunks that search found, for the clue.
        inside: by version and ordinal, how exactly the question names what a class defines in its own chunk.
    """
    found = []
    for one in symbols:
        base = relevance.get((one.version, one.ordinal), 0.0)
        exactness = max(_exactness(one, question.names), (inside or {}).get((one.version, one.ordinal), 0))
        if not base and not exactness:
            continue
        tests = is_test(one.file)
        if (files == "main" and tests) or (files == "test" and not tests):
            continue
        score = (base + _bonus(one, question, exactness)) * _kind_factor(one) * _file_factor(one, question)
        if tests and files == "all" and not question.about_tests:
            score *= _TEST
        if clue:
            said = content_words(" ".join([one.file, *one.names, (texts or {}).get((one.version, one.ordinal), "")]))
            score *= _HEARD if clue & (said | _parts(one.names)) else _UNHEARD
        found.append(Found(one, score, exactness))
    found.sort(key=lambda one: (-one.score, len(one.symbol.names), one.symbol.file, one.symbol.first))
    return found


def rivals(found: Sequence[Found], question: Question) -> tuple[Found, ...]:
    """Return the candidates named as exactly as the best one and about as relevant; none for a clear answer."""
    if not found or not found[0].exactness:
        return ()
    best = found[0]
    close = [
        one
        for one in found
        if one.exactness == best.exactness and (question.is_bare or one.score >= _CLOSE * best.score)
    ]
    different = {(one.symbol.file, one.symbol.names) for one in close}
    return tuple(close) if len(different) > 1 else ()


def fitted(text: str, first: int, max_tokens: int) -> tuple[str, int, bool]:
    """Return a symbol's lines without blank ends and strange closing braces, the last line's number, and if it is cut.

    Args:
        text: the chunk.
        first: number of its first line.
        max_tokens: upper bound of the text.
    """
    rows = text.rstrip().split("\n")
    indent = len(rows[0]) - len(rows[0].lstrip())
    while len(rows) > 1 and not rows[-1].strip(" \t\r)}];") and len(rows[-1]) - len(rows[-1].lstrip()) < indent:
        rows.pop()  # closes the class around it
    while len(rows) > 1 and not rows[-1].strip():
        rows.pop()
    left = max_tokens
    for number, row in enumerate(rows):
        left -= llm_tokens(row) + 1
        if left < 0 and number:
            return "\n".join(rows[:number]), first + number - 1, True
    return "\n".join(row.rstrip("\r") for row in rows), first + len(rows) - 1, False


def _exactness(symbol: Symbol, names: Sequence[tuple[str, ...]]) -> int:
    """Return how a question names a symbol: 3 with what is around it, 2 by its name, 1 but for case; 0 not at all."""
    if not symbol.opens or not names:
        return 0
    own = tuple(part for name in symbol.names for part in JOINT.split(name))
    modules = frozenset(symbol.file.rpartition(".")[0].split("/"))
    best = 0
    for name in names:
        if own[-len(name) :] == name and (len(name) > 1 or len(own) == 1):
            best = max(best, 3)
        elif len(name) > 1 and (name[-len(own) :] == own and name[0] in modules):
            best = max(best, 3)  # module.function
        elif own[-1] == name[-1]:
            best = max(best, 2 if len(name) == 1 else 1)
        elif own[-1].lower() == name[-1].lower():
            best = max(best, 1)
    return best


def _bonus(symbol: Symbol, question: Question, exactness: int) -> float:
    """Return what a symbol's name adds to its relevance."""
    if exactness:
        return {3: _QUALIFIED, 2: _NAMED, 1: _NAMED_LOOSELY}[exactness]
    if symbol.opens:
        words = _parts(symbol.names[-1:])
        said = sum(_is_said(word, question.words) for word in words)
        return _WORDS * (said / len(words)) ** 2 if said > 1 else 0.0
    return 0.0


def _is_said(word: str, words: Iterable[str]) -> bool:
    """Tell whether a word, or one that begins alike, is among others."""
    if len(word) < _STEM_LETTERS:
        return word in words
    return any(
        len(other) >= _STEM_LETTERS and other.startswith(word[: max(_STEM_LETTERS, min(len(word), len(other)) - 2)])
        for other in words
    )


def _parts(names: Iterable[str]) -> frozenset[str]:
    """Return the words that names are made of, in small letters."""
    return frozenset(part.lower() for name in names for part in _WORD.findall(name))


def _kind_factor(symbol: Symbol) -> float:
    """Return what the kind of a chunk makes of its score."""
    if symbol.kind == "imports":
        return _IMPORTS
    if symbol.kind == "code":
        return _STATEMENTS
    if not symbol.opens:
        return _PART
    return _PRIVATE if symbol.names[-1].startswith("_") else 1.0


def _file_factor(symbol: Symbol, question: Question) -> float:
    """Return what it counts that the question names a symbol's file, or a word of its name."""
    path = symbol.file.lower()
    if any(f"/{named.strip('/')}/" in f"/{path}/" for named in question.paths):
        return _FILE
    stem = path.rpartition("/")[2].partition(".")[0].strip("_")
    return _STEM if len(stem) > 3 and stem in question.words else 1.0
