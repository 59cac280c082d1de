"""A context costs no more than it may, to the last token, in any script, and says what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treering
from treering.domain.text import llm_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from treering import MemoryStore

WORDS: Final = (
    "gateway",
    "网关迁移",
    "locker",
    "🎉",
    "Ana",
    "数据库",
    "the",
    "port 7000",
    "último",
    "as of 2026-01-15",
    "上周",
)


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryStore]:
    """Return a memory in several scripts: slots with histories and disputes, long memories, files, external ones."""
    folder: Path = tmp_path_factory.mktemp("own")
    (folder / ".git").mkdir()
    (folder / "迁移.md").write_text(
        "# 网关迁移\n\n" + "先停旧节点再切流量，确认监控无告警后登记结果。\n\n" * 30, "utf-8"
    )
    (folder / "party.md").write_text(
        "# 🎉 gateway\n\n" + "🎉🚀 The gateway port was 7000 👩‍👩‍👧. " * 60 + "\n", "utf-8"
    )
    with treering.open(folder, store=folder / "memory.db") as opened:
        opened.index([folder])
        opened.index([folder], file=folder / "party.md", trust="external")
        for number in range(6):
            day = f"2026-0{number + 1}-01"
            opened.remember(f"The gateway listens on port {7000 + number}.", slot="gateway/port", valid_from=day)
            opened.remember(f"网关迁移第{number}次：先停旧节点再切流量。" * (10 * number + 1), valid_from=day)
            opened.remember(f"Ana 🎉 opened locker {number} " + "🎉" * 40 * number, entities=["Ana", f"柜子{number}"])
        opened.remember("Should the gateway move?", kind="question", entities=["Ana"])
        rumour = {"source_id": "file:party.md", "quote": "The gateway port was 7000"}
        draft = {"content": "The gateway is on port 1.", "slot": "gateway/port", "valid_from": "2026-06-01"}
        opened.propose({"op": "create", "memory": {**draft, "evidence": [rumour]}})
        yield opened


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    words=st.lists(st.sampled_from(WORDS), min_size=1, max_size=6),
    max_tokens=st.integers(50, 4000) | st.integers(50, 200),
    options=st.fixed_dictionaries(
        {"history": st.booleans()},
        optional={
            "as_of": st.sampled_from(("2026-02-15", "1999", "2030-01-01")),
            "known_at": st.sampled_from(("2020-01-01", "9000-01-01")),
            "participants": st.just(("Ana",)),
            "empty_gate": st.just(0.0),
        },
    ),
)
def test_no_budget_is_exceeded(memory: MemoryStore, words: list[str], max_tokens: int, options: dict[str, Any]) -> None:
    """Whatever is asked with whatever budget, the text's own estimate is what is said and at most what was allowed."""
    question = " ".join(words)
    answer = memory.context(question, max_tokens=max_tokens, **options)
    assert answer.tokens == llm_tokens(answer.text), question
    assert answer.tokens <= max_tokens, (question, answer.text)


@pytest.mark.parametrize("max_tokens", [50, 60, 80, 120])
@pytest.mark.parametrize("question", ["网关迁移", "which port has the gateway", "Ana locker 🎉"])
def test_a_small_budget_still_answers(memory: MemoryStore, question: str, max_tokens: int) -> None:
    """With little room the first memory is cut; there is always something of it."""
    answer = memory.context(question, max_tokens=max_tokens)
    assert not answer.insufficient_evidence
    assert answer.current or answer.passages
