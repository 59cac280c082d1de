"""C08: exact phrases, words to leave out and alternatives, for those who type them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import treering
from treering.errors import InputError, TreeringError

FILES = {
    "release.md": "# Release\n\nA release to production is a blue green deploy: the new colour takes the traffic.\n",
    "staging.md": "# Staging\n\nA release to staging is a deploy of the green branch, blue lights when it fails.\n",
    "rollback.md": "# Rollback\n\nTo undo a release, send the traffic back to the former colour.\n",
    "数据.md": "# 数据库\n\n数据库的备份每天晚上进行一次, 恢复需要两个小时.\n",
}


@pytest.fixture
def memory(tmp_path: Path) -> Any:
    """Return the open memory of a project with a few files and two memories."""
    (tmp_path / ".git").mkdir()
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with treering.open(tmp_path) as opened:
        opened.index(tmp_path)
        opened.remember("Ines approves every release to production", tags=["people"])
        opened.remember("Karl approves what goes to the test machines")
        opened.ensure_embeddings()
        yield opened


def files(answer: Any) -> set[str]:
    """Return the names of the files of an answer, and the content of its memories' first word."""
    return {one.text.split()[0] if one.type == "memory" else Path(one.file).name for one in answer.results}


def test_a_phrase_must_stand_as_it_is_quoted(memory: Any) -> None:
    """Only what holds the words side by side answers; as plain text the same question finds others, too."""
    question = 'how does a "blue green" release work'
    assert files(memory.search(question, syntax="web")) == {"release.md"}
    assert {"release.md", "staging.md"} <= files(memory.search(question))
    assert memory.search(question, syntax="web").query == question


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid", "tree"])
def test_a_word_that_is_left_out_never_comes_back(memory: Any, mode: Any) -> None:
    """By no list: neither words nor meaning bring what holds the word, in text or heading."""
    if mode == "tree":
        memory.consolidate()
    everything = files(memory.search("deploy a release", mode=mode, empty_gate=0))
    assert "staging.md" in everything
    found = memory.search("deploy a release -staging", mode=mode, empty_gate=0, syntax="web")
    assert found.found
    assert "staging.md" not in files(found)
    assert all("staging" not in one.text.lower() for one in found.results)


def test_memories_are_left_out_too(memory: Any) -> None:
    """A memory counts with its text, its title and its tags."""
    assert "Ines" in files(memory.search("who approves a release", syntax="web"))
    assert "Ines" not in files(memory.search("who approves a release -people", syntax="web", empty_gate=0))
    assert "Ines" not in files(memory.search('who approves a release -"release to production"', syntax="web"))


def test_one_of_several_must_stand_there(memory: Any) -> None:
    """`OR` parts alternatives, words and phrases; what has none of them is no answer, however near it is."""
    found = memory.search('release "test machines" OR colour', syntax="web")
    assert files(found) == {"release.md", "rollback.md", "Karl"}


def test_an_alternative_that_is_missing_does_not_weaken_the_other(memory: Any) -> None:
    """Many alternatives of which one stands there are an answer, not too little evidence."""
    alternatives = "zeppelin OR quagmire OR walrus OR obsidian OR tungsten OR colour"
    assert "rollback.md" in files(memory.search(alternatives, syntax="web"))


def test_words_that_every_text_has(memory: Any) -> None:
    """A phrase of such words is looked for all the same, where nothing else is asked."""
    assert files(memory.search('"to the former"', syntax="web")) == {"rollback.md"}
    assert files(memory.search('"is a"', syntax="web", limit=8)) == {"release.md", "staging.md"}


def test_scripts_without_spaces(memory: Any) -> None:
    """Chinese phrases, in Chinese quotes too, stand inside a longer run of letters."""
    assert files(memory.search("“据库的备份” 恢复", syntax="web")) == {"数据.md"}
    assert not memory.search("“备份的数据库” 恢复", syntax="web").found
    assert not memory.search("恢复 -备份", syntax="web").found


@pytest.mark.parametrize(
    "question",
    [
        'an "unbalanced quote', '"" ""', "- -- --- -", "OR", "OR OR OR", '-"', '"-"', "a OR -b OR", "-'; drop table x",
        'NEAR(a b) "a" AND*', "* ^ : ( ) { }", "-\x00 \ud800", "'' '", '"a"b"c"', "-a-b-c", "“”", "« »", "-𞤀 OR 𞤀",
    ],
)  # fmt: skip
def test_any_text_is_safe(memory: Any, question: str) -> None:
    """Whatever is typed is answered, or is none; nothing in it is the syntax of a database."""
    assert memory.search(question, syntax="web").query
    assert memory.search(f"release {question}", syntax="web").query


def test_too_many_conditions_are_refused(memory: Any) -> None:
    """To pass over some of them would bring back what was left out."""
    with pytest.raises(InputError, match="65 words and phrases"):
        memory.search("release " + " ".join(f"-word{number}" for number in range(65)), syntax="web")
    with pytest.raises(TreeringError, match="syntax = 'sql'"):
        memory.search("release", syntax="sql")


def test_from_the_command_line_and_by_setting(
    memory: Any, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--syntax web` for one question, `search.syntax` for all; without either a dash is a dash."""
    monkeypatch.chdir(memory.place.project or ".")

    def told(*words: str) -> set[str]:
        """Return the files of an answer on the command line."""
        answer = json.loads(run("--json", "search", *words).out)
        return {one["source"]["file"] for one in answer["results"] if one["type"] == "chunk"}

    question = "deploy of a release -staging"
    assert told("--syntax", "web", "--", question) == {"release.md", "rollback.md"}
    assert "staging.md" in told("--", question)
    monkeypatch.setenv("TREERING_SEARCH_SYNTAX", "web")
    assert "staging.md" not in told("--", question)
    assert "staging.md" in told("--syntax", "plain", "--", question)
