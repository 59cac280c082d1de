"""Words are compared by their stems; of passages that hold them all, the one that has them as typed is first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from treering.domain.text import query_terms
from treering.recall.holding import Holding

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering import MemoryStore


@pytest.mark.parametrize("typed", [0, 1])
def test_the_form_that_was_typed_stands_first(remember_files: Callable[..., MemoryStore], typed: int) -> None:
    """Two notes differ in the form of a word alone; each is first where its own is asked for, and both are found."""
    forms = ("policy", "policies")
    others = {f"z{n}.md": f"Part {n} is about the {('harbour', 'network', 'lamp')[n % 3]}.\n" for n in range(30)}
    memory = remember_files(
        {f"{n}.md": f"The network {form} of the harbour guards wharves.\n" for n, form in enumerate(forms)} | others
    )
    found = [str(hit.file) for hit in memory.search(f"harbour network {forms[typed]}").results]
    assert found[0].endswith(f"{typed}.md")
    assert found[1].endswith(f"{1 - typed}.md")


def inflected(memory: MemoryStore, question: str, title: str, text: str) -> float:
    """Return the share of a question that a text has in other forms alone, after checking that it holds all words."""
    terms = query_terms(question)
    with memory._reading() as tx:
        found, _ = Holding(tx.keywords, terms, [1.0] * len(terms)).evidence(title, (), "file:a.md", text)
    assert found.coverage == 1
    return found.inflected


def test_a_word_in_the_title_counts_as_typed(remember_files: Callable[..., MemoryStore]) -> None:
    """The form may stand in the document's title; a word counts once, by what it weighs."""
    memory = remember_files({"a.md": "A note.\n"})
    text = "The ferries of the harbour leave at noon."
    assert inflected(memory, "ferry harbours noon ferries", "", text) == 0.5
    assert inflected(memory, "ferry harbours noon ferries", "Ferry", text) == 0.25


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("aplicacion del puerto", "La aplicación del puerto está en el muelle."),
        ("aplicación del puerto", "La aplicación del puerto está en el muelle."),
        ("C++ harbour", "The harbour is steered in C++ alone."),
        ("getUser harbour", "The harbour calls getUser at noon."),
        ("港口系统", "港口系统在中午运行。"),
    ],
)
def test_accents_symbols_and_scripts_lose_nothing(
    remember_files: Callable[..., MemoryStore], question: str, text: str
) -> None:
    """A word without its accent, a symbol that is searched by name, parts of names and Chinese count as typed."""
    memory = remember_files({"a.md": f"{text}\n"})
    assert memory.search(question).found
    assert inflected(memory, question, "", text) == 0
