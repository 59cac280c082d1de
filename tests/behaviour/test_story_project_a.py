"""The first five minutes with meeting notes: why not option B, when does it launch now, and what was said of it before.

Told in English and in Chinese, through the command line, an agent's tools and Python, which all say the same.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest
from mcp import Client

import treering
from treering.surfaces.mcp.protocol import Handlers
from treering.surfaces.mcp.replies import DATA
from treering.surfaces.mcp.workplace import Wish, Workplace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering.domain.context import Context

ENGLISH: Final = {
    "2026-09-24-architecture.md": """\
---
title: Project A architecture review
date: 2026-09-24
project: Project A
attendees: [Alice, Bob]
type: meeting
---
# Project A architecture review 2026-09-24

## Decisions
- [slot: architecture] Project A sends push notifications through option A, the existing push platform.
- Project A does not choose option B, because it would need a second team on call.

## Facts
- The push platform is maintained by Bob's team.

## Action Items
- @Bob finish the integration review by October 10.
""",
    "2026-10-01-sync.md": """\
---
title: Project A weekly sync
date: 2026-10-01
project: Project A
attendees: [Alice, Bob]
type: meeting
---
# Project A weekly sync 2026-10-01

## Decisions
- [slot: launch-date] Project A will launch on November 15.
""",
    "2026-10-22-sync.md": """\
---
title: Project A weekly sync
date: 2026-10-22
project: Project A
attendees: [Alice, Bob]
type: meeting
---
# Project A weekly sync 2026-10-22

## Decisions
- [slot: launch-date] Project A will launch on December 1, since the payment review takes longer.
""",
}
CHINESE: Final = {
    "2026-09-24-架构评审.md": """\
---
title: Project A 架构评审
date: 2026-09-24
project: Project A
attendees: [李雷, 韩梅梅]
type: meeting
---
# Project A 架构评审 2026-09-24

## 决策
- [slot: architecture] Project A 的推送通知采用方案 A，即现有的推送平台。
- Project A 不采用方案 B，因为它需要再建一个值班团队。

## 事实
- 推送平台由韩梅梅的团队维护。

## 待办
- @韩梅梅 10 月 10 日前完成集成评审。
""",
    "2026-10-01-周会.md": """\
---
title: Project A 周会
date: 2026-10-01
project: Project A
attendees: [李雷, 韩梅梅]
type: meeting
---
# Project A 周会 2026-10-01

## 决策
- [slot: launch-date] Project A 将于 11 月 15 日上线。
""",
    "2026-10-22-周会.md": """\
---
title: Project A 周会
date: 2026-10-22
project: Project A
attendees: [李雷, 韩梅梅]
type: meeting
---
# Project A 周会 2026-10-22

## 决策
- [slot: launch-date] Project A 改为 12 月 1 日上线，因为支付评审需要更长时间。
""",
}


class Asked(NamedTuple):
    """A question with what has to answer it, first in force, and what must not stand in the answer."""

    question: str
    answer: str
    unsaid: str = ""
    as_of: str = ""


STORIES: Final = {
    "english": (
        ENGLISH,
        (
            Asked("Why didn't Project A choose option B?", "because it would need a second team on call"),
            Asked("When does Project A launch now?", "launch on December 1", "will launch on November 15."),
            Asked("When does Project A launch?", "launch on November 15", "December", "2026-10-15"),
        ),
    ),
    "chinese": (
        CHINESE,
        (
            Asked("为什么 Project A 不采用方案 B", "因为它需要再建一个值班团队"),
            Asked("Project A 现在什么时候上线", "12 月 1 日上线", "将于 11 月 15 日上线。"),
            Asked("Project A 什么时候上线", "11 月 15 日上线", "12 月", "2026-10-15"),
        ),
    ),
}


@pytest.fixture(params=STORIES)
def story(request: pytest.FixtureRequest, folder: Path, run: Callable[..., Any]) -> tuple[Asked, ...]:
    """Return the questions of a story whose notes were imported, the latest meeting first."""
    notes, asked = STORIES[request.param]
    for name in sorted(notes, reverse=True):
        (folder / name).write_text(notes[name], encoding="utf-8")
        ran = run("import", name, "--extract")
        assert ran.status == 0, ran
    return asked


def test_the_same_answer_everywhere(story: tuple[Asked, ...], run: Callable[..., Any]) -> None:
    """Each question gets its cited answer, in the same words from the command line, Python and an agent's tool."""
    with treering.open() as memory:
        for one in story:
            answer = memory.context(one.question, as_of=one.as_of)
            _compare(answer, one)
            options = ("--as-of", one.as_of) if one.as_of else ()
            printed = run("context", one.question, *options)
            assert (printed.status, printed.out) == (0, answer.text)
            told = json.loads(run("context", "--json", one.question, *options).out)
            assert told["text"] == answer.text
    for one, (text, told) in zip(story, asyncio.run(_by_tool(story)), strict=True):
        assert text.startswith(DATA)
        assert one.answer in text
        assert not told["insufficient_evidence"]
        assert one.answer in told["current"][0]["text"]


def _compare(answer: Context, one: Asked) -> None:
    """Compare an answer with what a question has to get."""
    assert not answer.insufficient_evidence
    first = answer.current[0]
    assert one.answer in first.text
    assert (first.status, first.verification, first.trust) == ("active", "source_backed", "owner")
    assert first.quotes[0].lines[0] > 1
    assert one.unsaid not in "".join(each.text for each in (*answer.current, *answer.passages)) or not one.unsaid
    assert first.quotes[0].text in first.text or first.text in first.quotes[0].text


async def _by_tool(story: tuple[Asked, ...]) -> list[tuple[str, dict[str, Any]]]:
    """Return what an agent is told of each question, as text and as data."""
    workplace = Workplace(Wish(folder="."))
    told = []
    try:
        async with Client(Handlers(workplace).server()) as client:
            for one in story:
                given = {"question": one.question} | ({"as_of": one.as_of} if one.as_of else {})
                result = await client.call_tool("memory_context", given)
                text = "\n".join(getattr(part, "text", "") for part in result.content)
                told.append((text, dict(result.structured_content or {})))
    finally:
        workplace.close()
    return told


def test_the_order_of_the_meetings_does_not_matter(story: tuple[Asked, ...]) -> None:
    """The slot has both dates in their order, though the later meeting was imported first."""
    assert len(story) == 3
    with treering.open() as memory:
        history = memory.timeline("project-a/launch-date")
        assert [one.start[:10] for one in history.stretches] == ["2026-10-01", "2026-10-22"]
        assert history.current == history.stretches[-1]
        (action,) = memory.search("integration review 集成评审", kind="project").results
        assert action.metadata["due"] == ("2026-10-10",)
