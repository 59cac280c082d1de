"""Question sets: a folder with ``corpus.jsonl`` and ``queries.jsonl``, one JSON object on a line.

``corpus.jsonl`` has ``id`` and ``text``, and may have ``title``, ``group``, ``session``, ``date``, ``speaker``,
``path``. ``queries.jsonl`` has ``id``, ``text`` and ``relevant`` (document ids with their grades), and may have
``group``, ``relevant_sessions``, ``abstain`` (nothing in the set answers), ``spans`` (characters of the relevant
document that answer), ``current`` and ``stale`` (ids that say the same of different times), and anything to
report by, such as ``category``. A group is a memory of its own: its questions see its documents alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treering.errors import InputError, NotFound

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CORPUS: Final = "corpus.jsonl"
QUERIES: Final = "queries.jsonl"


class Document(NamedTuple):
    """One row of a corpus; absent fields are empty."""

    id: str
    text: str
    group: str = ""
    session: str = ""
    title: str = ""
    path: str = ""
    speaker: str = ""
    date: str = ""


class Question(NamedTuple):
    """One question with what answers it.

    Attributes:
        id: its name in the set.
        text: what is asked.
        group: the memory that is asked.
        relevant: ids of the documents that answer, with grades from 1.
        abstain: whether nothing answers, so that the right answer is NOT FOUND.
        sessions: the sessions that answer, where the set names them.
        spans: characters of the relevant document that answer, where the set names them.
        current: ids that say what holds now.
        stale: ids that say what held before.
        fields: its other fields, to report by.
    """

    id: str
    text: str
    group: str
    relevant: dict[str, int]
    abstain: bool = False
    sessions: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    current: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    fields: dict[str, str] = {}  # noqa: RUF012  never written to

    @property
    def judged(self) -> bool:
        """Whether the set says which documents answer."""
        return bool(self.relevant) and not self.abstain


class Dataset(NamedTuple):
    """A question set.

    Attributes:
        name: of its folder.
        groups: the documents of each memory that is asked, in their order.
        questions: the questions.
    """

    name: str
    groups: dict[str, list[Document]]
    questions: list[Question]


def read(folder: str | Path, *, limit: int = 0, pooled: bool = False) -> Dataset:
    """Return the set in a folder, with the memories alone that are asked.

    Args:
        folder: with ``corpus.jsonl`` and ``queries.jsonl``.
        limit: questions at the most, evenly spaced over the file; 0 for all.
        pooled: whether all groups are one memory, the harder variant.

    Raises:
        NotFound: if a file is absent.
        InputError: if a line cannot be read, an id stands twice, or a question names an unknown document.
    """
    place = Path(folder)
    questions = _evenly([_question(where, row) for where, row in rows(place / QUERIES)], limit)
    if pooled:
        questions = [question._replace(group="") for question in questions]
    asked = {question.group for question in questions}
    groups: dict[str, list[Document]] = {}
    known: set[str] = set()
    for where, row in rows(place / CORPUS):
        document = _document(where, row)
        _once(where, document.id, known)
        group = "" if pooled else document.group
        if group in asked:
            groups.setdefault(group, []).append(document)
    _check(place, questions, known)
    return Dataset(place.resolve().name, groups, questions)


def _evenly(questions: list[Question], limit: int) -> list[Question]:
    """Return at most ``limit`` questions, evenly spaced."""
    return questions[:: max(1, len(questions) // limit)][:limit] if limit else questions


def rows(file: str | Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each row of a file with where it stands, in words."""
    try:
        with Path(file).open(encoding="utf-8-sig") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield f"{file}:{number}", _row(f"{file}:{number}", line)
    except FileNotFoundError as error:
        raise NotFound(
            f"{file} is absent"
            + (f": a question set has {CORPUS} and {QUERIES}" if Path(file).name in (CORPUS, QUERIES) else ""),
            hint="treering eval --help",
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8: {error}") from error
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}") from error


def _row(where: str, line: str) -> dict[str, Any]:
    """Return one line as an object."""
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{where}: this line is no JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise InputError(f"{where}: this line is nested too deeply") from error
    if not isinstance(row, dict):
        raise InputError(f"{where}: this line is no JSON object")
    return row


def _text(where: str, row: dict[str, Any], name: str, *, required: bool = False) -> str:
    """Return a field that is text; numbers are taken as written, null as absent."""
    value = row.get(name)
    if value is None and not required:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InputError(f"{where}: {name!r} must be text")
    return str(value)


def _texts(where: str, row: dict[str, Any], name: str) -> tuple[str, ...]:
    """Return a field that is a list of texts."""
    value = row.get(name) or []
    if not isinstance(value, list) or not all(isinstance(one, str | int) for one in value):
        raise InputError(f"{where}: {name!r} must be a list of texts")
    return tuple(map(str, value))


def _document(where: str, row: dict[str, Any]) -> Document:
    """Return a row of a corpus."""
    return Document(
        id=_text(where, row, "id", required=True),
        text=_text(where, row, "text", required=True),
        **{name: _text(where, row, name) for name in Document._fields[2:]},
    )


def _question(where: str, row: dict[str, Any]) -> Question:
    """Return a row of questions."""
    return Question(
        id=_text(where, row, "id", required=True),
        text=_text(where, row, "text", required=True),
        group=_text(where, row, "group"),
        relevant=_grades(where, row),
        abstain=row.get("abstain") is True,
        sessions=_texts(where, row, "relevant_sessions"),
        spans=_spans(where, row),
        current=_texts(where, row, "current"),
        stale=_texts(where, row, "stale"),
        fields={name: value for name, value in row.items() if isinstance(value, str) and name not in ("id", "text")},
    )


def _grades(where: str, row: dict[str, Any]) -> dict[str, int]:
    """Return the documents that answer with their grades."""
    value = row.get("relevant") or {}
    if not isinstance(value, dict) or not all(isinstance(grade, int) for grade in value.values()):
        raise InputError(f"{where}: 'relevant' must map document ids to whole numbers")
    return {id: grade for id, grade in value.items() if grade > 0}


def _spans(where: str, row: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    """Return the characters that answer."""
    value = row.get("spans") or []
    try:
        return tuple((int(start), int(stop)) for start, stop in value)
    except (TypeError, ValueError) as error:
        raise InputError(f"{where}: 'spans' must be a list of [start, stop]") from error


def _once(where: str, id: str, known: set[str]) -> None:
    """Add an id to those that are known; refuse one that is."""
    if id in known:
        raise InputError(f"{where}: the id {id!r} stands twice")
    known.add(id)


def _check(place: Path, questions: Sequence[Question], known: set[str]) -> None:
    """Refuse questions that stand twice or name documents that the corpus lacks."""
    seen: set[str] = set()
    for question in questions:
        _once(str(place / QUERIES), question.id, seen)
        for id in question.relevant:
            if id not in known:
                raise InputError(f"{place / QUERIES}: question {question.id!r} names {id!r}, which {CORPUS} lacks")
