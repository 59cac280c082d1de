"""Making everything derived again keeps the pieces of what was kept as its keeper cut it."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import treering
from treering.derived import rows
from treering.domain.chunk import Chunk, Heading
from treering.domain.source import Document
from treering.intake import KeptText

if TYPE_CHECKING:
    from pathlib import Path

TURNS = ("Where does the walrus sleep?\n\n", "On the ice.\n\nIt wakes at noon.\n\n", "Thanks!\n\n")


def talk() -> KeptText:
    """Return a conversation of three turns; the second has two paragraphs."""
    text, chunks, line = "", [], 1
    for ordinal, said in enumerate(TURNS):
        last = line + said.count("\n") - 1
        above = (Heading(1, f"speaker {ordinal % 2}"),)
        chunks.append(Chunk(ordinal, len(text), len(text) + len(said), line, last, "prose", above))
        text, line = text + said, last + 1
    raw = text.encode()
    return KeptText(
        "chat:1", "A talk", "chat", "owner", Document(text, sha256(raw).hexdigest(), len(raw), "utf-8"), chunks
    )


def test_a_conversation_stays_cut_by_its_turns(folder: Path) -> None:
    """Each turn is the piece that it was, under its speaker, and found as before."""
    with treering.open() as memory:
        memory.init()
        with memory._opened(create=True).write() as tx:
            rows.put_kept(tx, talk(), "src_talk", "ver_talk", "2026-01-01T00:00:00.000Z")

        def pieces() -> list[tuple[str, int, tuple[Heading, ...]]]:
            with memory._reading() as tx:
                return [(one.text, one.first_line, one.path) for one in tx.sources.chunks_of("ver_talk")]

        before, answer = pieces(), memory.search("when does it wake", mode="keyword", empty_gate=0)
        assert [text for text, _, _ in before] == list(TURNS)
        memory.reindex()
        assert pieces() == before
        again = memory.search("when does it wake", mode="keyword", empty_gate=0)
        assert [result.text for result in again.results] == [result.text for result in answer.results]
