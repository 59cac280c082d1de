"""What holds of memories whatever is done to them in whatever order: a store agrees with a dictionary."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any, Final, NamedTuple

import apsw
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, precondition, rule

import treering
from treering.domain.query import Filter
from treering.domain.text import query_terms
from treering.errors import Conflict, InputError, NotFound

WORDS: Final = ("amber", "basalt", "cedar", "dune", "网关重试", "señal")
TAGS: Final = ("red", "blue", "ünï")
TITLES: Final = ("", "ember", "fjord")
ENDS: Final = ("", ".", "!", " ", "\n", "\r\n")

texts = st.builds(
    lambda words, end, upper: (" ".join(words).upper() if upper else " ".join(words)) + end,
    st.lists(st.sampled_from(WORDS), max_size=3),
    st.sampled_from(ENDS),
    st.booleans(),
)
tags = st.lists(st.sampled_from(TAGS), max_size=2, unique=True)


class Model(NamedTuple):
    """A memory as it should be."""

    text: str
    title: str
    tags: tuple[str, ...]
    active: bool = True
    former: tuple[str, ...] = ()

    def words(self) -> set[str]:
        """Return every word that finds it."""
        return set(f"{self.text} {self.title} {' '.join(self.tags)}".lower().replace("!", "").replace(".", "").split())


def said(text: str) -> str:
    """Return what statements that say the same have in common."""
    stripped = text.strip()
    return " ".join((stripped.rstrip(" .!") or stripped).lower().split())


class Memories(RuleBasedStateMachine):
    """Memories are saved, changed, hidden, brought back, erased and derived anew."""

    ids = Bundle("ids")

    def __init__(self) -> None:
        """Open an empty store."""
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        (self.folder / ".git").mkdir()
        self.memory = treering.open(self.folder)
        self.memory.init()
        self.model: dict[str, Model] = {}
        self.forgotten: set[str] = set()

    def teardown(self) -> None:
        """Check the whole file and remove it."""
        self.memory.close()
        connection = apsw.Connection(str(self.folder / ".treering" / "memory.db"))
        try:
            assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
            assert connection.execute("pragma foreign_key_check").fetchall() == []
            connection.execute("insert into words (words) values ('integrity-check')")
        finally:
            connection.close()
            shutil.rmtree(self.folder)

    def same(self, text: str, besides: str = "") -> str | None:
        """Return the active memory that says the same."""
        return next(
            (id for id, one in self.model.items() if one.active and id != besides and said(one.text) == said(text)),
            None,
        )

    @rule(target=ids, text=texts, title=st.sampled_from(TITLES), tags=tags)
    def remember(self, text: str, title: str, tags: list[str]) -> str:
        """A new statement is a new memory, one that is there gets the tags, no text is refused."""
        if not text.strip():
            with pytest.raises(InputError):
                self.memory.remember(text, title=title, tags=tags)
            return "mem_unknown"
        known = self.same(text)
        outcome = self.memory.remember(text, title=title, tags=tags)
        if known is None:
            assert outcome.outcome == "accepted"
            assert outcome.id not in self.model
            self.model[outcome.id] = Model(text.strip(), title, tuple(tags))
        else:
            assert (outcome.outcome, outcome.id) == ("exists", known)
            one = self.model[known]
            self.model[known] = one._replace(tags=tuple(dict.fromkeys((*one.tags, *tags))))
        return outcome.id

    @rule(id=ids, text=texts, tags=st.none() | tags)
    def update(self, id: str, text: str, tags: list[str] | None) -> None:
        """A change replaces text and tags, unless another memory says so, it is no text or nothing of it is new."""
        one = self.model.get(id)
        expected: type[Exception] | None = None
        if not text.strip():
            expected = InputError
        elif one is None:
            expected = NotFound
        elif one.active and self.same(text, id):
            expected = Conflict
        if one is None or expected is not None:
            assert expected is not None
            with pytest.raises(expected):
                self.memory.update(id, text=text, tags=tags)
            return
        outcome = self.memory.update(id, text=text, tags=tags)
        changed = one._replace(text=text.strip(), tags=one.tags if tags is None else tuple(tags))
        assert outcome.outcome == ("exists" if changed == one else "accepted")
        if changed != one:
            self.model[id] = changed._replace(former=(*one.former, one.text))

    @rule(id=ids)
    def archive(self, id: str) -> None:
        """A memory that is there is hidden."""
        if id in self.model:
            self.memory.archive(id)
            self.model[id] = self.model[id]._replace(active=False)

    @rule(id=ids)
    def restore(self, id: str) -> None:
        """A memory that is there comes back, unless another one says the same."""
        if id not in self.model:
            return
        if self.same(self.model[id].text, id):
            with pytest.raises(Conflict):
                self.memory.restore_memory(id)
        else:
            self.memory.restore_memory(id)
            self.model[id] = self.model[id]._replace(active=True)

    @rule(id=consumes(ids))
    def forget(self, id: str) -> None:
        """A memory that is there is erased; one that is not is an error."""
        if id not in self.model:
            with pytest.raises(NotFound):
                self.memory.forget([id])
        else:
            assert self.memory.forget([id]).removed == (id,)
            del self.model[id]
            self.forgotten.add(id)

    @precondition(lambda self: len(self.model) > 1)
    @rule()
    def rebuild(self) -> None:
        """Derived data is made again."""
        self.memory.reindex()

    @rule()
    def reopen(self) -> None:
        """The store is closed and opened."""
        self.memory.close()
        self.memory = treering.open(self.folder)

    @invariant()
    def lists_and_counts_agree(self) -> None:
        """List, status and the keyword index have the active ones, each once."""
        active = {id for id, one in self.model.items() if one.active}
        page = self.memory.list("memories", limit=1000)
        assert sorted(item.id for item in page.items) == sorted(active)
        assert page.total == len(active) == self.memory.status().memories
        assert self.memory.status().sources == len(self.model)
        with self.memory._reading() as tx:
            assert tx.keywords.size() == len(active)

    @invariant()
    def what_is_shown_agrees(self) -> None:
        """Each memory says what it should, with its note, its quote and its history; the erased ones say nothing."""
        for id, one in self.model.items():
            shown = self.memory.show(id)
            assert (shown.content, shown.title, shown.tags) == (one.text, one.title, one.tags)
            assert shown.status == ("active" if one.active else "archived")
            assert tuple(text for _, text, _ in shown.history) == one.former
            assert [quote.text for quote in shown.quotes] == [one.text]
            assert not shown.quotes[0].changed_since
            assert self.memory.show(f"note:{id}").text == one.text
        for id in self.forgotten:
            with pytest.raises(NotFound, match="forgotten"):
                self.memory.show(id)

    @invariant()
    def searches_agree(self) -> None:
        """Every word finds the active memories that hold it, in text, title or tags, and no other."""
        for word in (*WORDS, *TAGS, *TITLES[1:]):
            expected = {id for id, one in self.model.items() if one.active and word in one.words()}
            assert self.hits(word) == expected, word
            answer = self.memory.search(word, limit=100, max_tokens=100_000, empty_gate=0, mode="keyword")
            given = {result.id for result in answer.results}
            assert given <= expected, word
            assert bool(given) == bool(expected), word
            for result in answer.results:
                assert (result.text, result.title) == (self.model[result.id].text, self.model[result.id].title)

    def hits(self, word: str) -> set[str]:
        """Return the memories whose keyword rows hold a word."""
        terms = query_terms(word)
        with self.memory._reading() as tx:
            found: Any = tx.keywords.rank(terms, tx.keywords.frequencies(terms), 10_000, Filter())
            memories = tx.memories.by_entries([hit.entry for hit in found])
        assert len(memories) == len(found)
        return {one.id for one in memories.values()}


Memories.TestCase.settings = settings(max_examples=15, stateful_step_count=20)
TestMemories = Memories.TestCase
