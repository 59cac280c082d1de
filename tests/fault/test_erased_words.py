"""B21, X05: erased words leave no byte, in however many segments the keyword index keeps them, and pins end."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

pytestmark = pytest.mark.sqlite

LATIN: Final = ("xylophone", "quetzalcoatl", "Brzęczyszczykiewicz")
CJK: Final = ("量子纠缠", "飞檐走壁", "ヴァイオリン")
GONE: Final = f"The {LATIN[0]} of {LATIN[1]} belongs to {LATIN[2]}; {CJK[0]}、{CJK[1]}と{CJK[2]}。"
TRACES: Final = [
    trace
    for word in (*LATIN, *CJK)
    for form in (word, word.lower())
    for trace in (form.encode(), form.encode("utf-16-le"), form.encode("utf-16-be"))
] + [pair.encode() for word in CJK for pair in (word[:2], word[1:3], word[2:4])]
"""The words as they are written, and what of them stands in the index: lower-case words, and pairs of characters."""


@pytest.fixture(autouse=True)
def _words_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave vectors out: they hold no words."""
    monkeypatch.setenv("TREERING_EMBEDDING_PROVIDER", "none")


def bytes_of(folder: Path) -> bytes:
    """Return every byte below a folder."""
    return b"\0".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.parametrize(("before", "behind", "together"), [
    (0, 0, 1), (0, 3, 1), (1, 1, 1), (14, 0, 1), (20, 20, 1), (3, 60, 1), (300, 300, 300), (200, 20, 7),
])  # fmt: skip
def test_no_byte_is_left_in_any_segment(project: Any, before: int, behind: int, together: int) -> None:
    """Whether the words lie in the newest segment, the oldest or a merged one: after the erasure none is left."""
    with project.open("store") as memory:

        def save(numbers: range) -> None:
            """Save memories, some in each transaction: each of those makes a segment of the index."""
            for start in range(numbers.start, numbers.stop, together):
                some = range(start, min(start + together, numbers.stop))
                memory.propose([{"op": "create", "memory": {"content": f"Pump {n} runs, 水泵{n}号。"}} for n in some])

        save(range(before))
        gone = memory.remember(GONE, tags=["canary"]).id
        save(range(before, before + behind))
        held = bytes_of(project.path / "store")
        assert [word for word in (*LATIN, *CJK) if word.lower().encode() in held or word.encode() in held]
        receipt = memory.forget([gone]).receipt
        assert receipt.done
        assert receipt.proof.found == ()
        assert memory.verify().problems == ()
        left = bytes_of(project.path / "store")
        assert [trace for trace in TRACES if trace in left] == []
        if before + behind:
            assert memory.search("pump runs", empty_gate=0).found
    assert project.is_whole("store")


def test_what_is_pinned_is_erased_and_its_pin_ends(project: Any) -> None:
    """The owner's word to erase is stronger than a pin: both go, and the answer says that it was pinned."""
    with project.open("store") as memory:
        alone = memory.remember(GONE).id
        first, second = memory.remember("The ferry is late.").id, memory.remember("The pier is closed.").id
        memory.pin(alone, ttl="3d")
        memory.pin([first, second], ttl="3d")
        planned = memory.forget([alone], dry_run=True)
        assert "would end" in planned.notices[0]
        assert len(memory.briefings()) == 2
        done = memory.forget([alone, first])
        assert [notice.partition(" was pinned")[0] for notice in done.notices] == [alone, first]
        (left,) = memory.briefings()
        assert list(left.memories) == [second]
        assert second not in left.text or "ferry" not in left.text
        assert memory.verify().problems == ()
    left_bytes = bytes_of(project.path / "store")
    assert [trace for trace in TRACES if trace in left_bytes] == []
