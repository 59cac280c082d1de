"""What an answer prints never costs more than it reports, and it reports no more than it may."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

import pytest

import treering
from treering.domain.text import llm_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from treering import MemoryStore

BUDGETS: Final = (50, 60, 100, 300, 900, 3000)
TITLES = "# " + "A title of a document that goes on and on " * 5 + "\n\n## " + "and a second heading as long " * 5
FILES: Final = {
    "short.md": "# Short\n\nThe walrus sleeps.\n",
    "数据库迁移手册与值班安排/海象的文件名字很长很长.md": "# 海象\n\n海象在码头睡觉。The walrus sleeps on the pier.\n",
    "titles.md": f"{TITLES}\n\nThe walrus of the long titles.\n",
    "fence.md": "# Log\n\n```text\n" + "".join(f"line {n}: walrus {n * 7}\n" for n in range(2500)) + "```\n",
    "table.md": "# T\n\n| a | b |\n|---|---|\n" + "".join(f"| walrus {n} | {n * 7} |\n" for n in range(700)),
    "list.md": "# L\n\nIntro to it:\n\n" + "".join(f"- item {n}\n    - walrus {n} on its rock\n" for n in range(400)),
    "paragraph.md": "# P\n\n" + "The walrus waits for the ferry, and nobody knows why. " * 2500 + "\n",
    "code.md": "## Usage\n\n### Updating the form optimistically\n\n```js {2,3,8,12-13}\n"
    + "".join(
        f"  return <Thread narwhal{{{n}}} sendMessage={{send}} pending={{isPending}} />; // {n}\n" for n in range(60)
    )
    + "```\n",
    "memo.md": "# Reference\n\n## Usage in components\n\n### Skipping what was rendered before\n\n"
    "Tell it when to keep the previous value:\n\n"
    '```js {4,9} [[1, 3, "narwhal"], [1, 6, "narwhal"], [2, 6, "/name/update"], [3, 6, "submitAction"]]\n'
    "import { memo } from 'react';\n\n"
    + "export default function ProductPage({ narwhal, referrer, theme }) { return memo(narwhal, referrer); }\n" * 9
    + "```\n\nText between.\n\n"
    + '```{ .dockerfile .annotate hl_lines="10  13" }\n'
    + "RUN install the narwhal with all that it needs && clean up behind it\n" * 12
    + "```\n",
    "emoji.md": "# E\n\n" + "🦭 walrus 🚀 " * 400 + "\n",
    "unbroken.md": "# U\n\nwalrus " + "x" * 30_000 + "\n",
    **{f"copies/{n}.md": "# Copy\n\nThe walrus of the copies eats clams.\n" for n in range(9)},
}
LEAST: Final = 300  # below it these citations alone, with their long paths and titles, may take everything
QUESTIONS: Final = (
    "walrus", "walrus 1400", "walrus of the long titles", "海象 码头", "walrus copies clams", "ferry", "rock",
    "🦭 walrus", "return Thread narwhal 30",
)  # fmt: skip


pytestmark = pytest.mark.sqlite  # words on a screen, from one memory for all questions


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryStore]:
    """Return a memory whose paths, titles and blocks are as long as they get; made once for all questions."""
    folder = tmp_path_factory.mktemp("budget")
    (folder / ".git").mkdir()
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    with treering.open(folder) as opened:
        opened.index([folder])
        yield opened


@pytest.fixture(autouse=True)
def _in_the_folder(memory: MemoryStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask from where the files are."""
    monkeypatch.chdir(memory.place.project or "")


@pytest.mark.parametrize("max_tokens", BUDGETS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_printed_answer_costs_what_it_says(
    memory: MemoryStore, run: Callable[..., Any], question: str, max_tokens: int
) -> None:
    """Citations, notes and the last line included, the words on the screen stay within the number at their end."""
    done = run("search", question, "--max-tokens", max_tokens)
    if done.status == 1 and max_tokens < LEAST:
        assert "fits the tokens" in done.out
        assert llm_tokens(done.out) <= max_tokens
        return
    assert done.status == 0, done
    reported = int(re.search(r"~(\d+) tokens\n\Z", done.out)[1])  # type: ignore[index]  # else the test fails
    assert llm_tokens(done.out) <= reported <= max_tokens, done.out


@pytest.mark.parametrize("max_tokens", BUDGETS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_parts_of_an_answer_add_up(memory: MemoryStore, question: str, max_tokens: int) -> None:
    """Each result's tokens cover its text, and together they are the answer's, within the limit."""
    answer = memory.search(question, max_tokens=max_tokens)
    assert answer.results or (answer.reason == "over_budget" and max_tokens < LEAST)
    assert all(llm_tokens(result.text) <= result.tokens for result in answer.results)
    assert sum(result.tokens for result in answer.results) <= answer.tokens <= max_tokens


@pytest.mark.parametrize("max_tokens", BUDGETS)
def test_a_short_answer_fits_any_budget(memory: MemoryStore, max_tokens: int) -> None:
    """The smallest budget still shows the word that was asked for; what is short is no reason for NOT FOUND."""
    answer = memory.search("walrus sleeps", max_tokens=max_tokens)
    assert "walrus" in answer.results[0].text
    assert answer.reason is None


@pytest.mark.parametrize("max_tokens", BUDGETS)
@pytest.mark.parametrize("question", QUESTIONS)
def test_fences_are_closed_whatever_was_cut(memory: MemoryStore, question: str, max_tokens: int) -> None:
    """In each result every fence that is opened is closed."""
    for result in memory.search(question, max_tokens=max_tokens).results:
        assert sum(line.startswith("```") for line in result.text.splitlines()) % 2 == 0, result.text


def test_more_room_never_shows_less(memory: MemoryStore) -> None:
    """A larger budget gives at least as many passages."""
    shown = [
        sum(len(result.chunks) for result in memory.search("walrus", max_tokens=budget).results) for budget in BUDGETS
    ]
    assert shown == sorted(shown)


def test_the_setting_is_the_budget_where_none_is_given(
    memory: MemoryStore, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an argument an answer stays within `search.max_tokens`, 900 at first."""
    assert 0 < json.loads(run("search", "walrus", "--json").out)["tokens"] <= 900
    monkeypatch.setenv("TREERING_SEARCH_MAX_TOKENS", "200")
    assert 0 < json.loads(run("search", "walrus", "--json").out)["tokens"] <= 200


@pytest.mark.slow
def test_no_budget_leaves_half_a_fence(memory: MemoryStore) -> None:
    """Whatever fits, a closing mark comes with an opening one: alone it would open a fence."""
    for question in ("function ProductPage narwhal", "narwhal previous value", "hl_lines dockerfile annotate"):
        for budget in range(50, 200, 5):
            for result in memory.search(question, max_tokens=budget).results:
                marks = [line for line in result.text.splitlines() if line.startswith("```")]
                assert len(marks) % 2 == 0, (budget, result.text)
