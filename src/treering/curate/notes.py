"""Notes: the text of a memory as it was said, kept as a source that the memory quotes."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from treering.domain.memory import LONG_CHARS
from treering.domain.source import Document
from treering.intake import KeptText
from treering.records import Quote

if TYPE_CHECKING:
    from treering.curate.curator import Curator
    from treering.domain.chunk import Chunk
    from treering.domain.operation import Draft
    from treering.domain.source import Trust
    from treering.journal import StoredClaim
    from treering.ports import Transaction


def keep(
    tx: Transaction, curator: Curator, claim: str, words: Draft | StoredClaim, trust: Trust, *, new: bool = False
) -> tuple[str, Quote]:
    """Keep what a claim says as its note, in a new version when there is one; return the note and the quote of it.

    Args:
        tx: a transaction that may write.
        curator: on whose behalf.
        claim: its id.
        words: what it says.
        trust: whose word it is.
        new: whether the claim is new, so that there is no note of it.
    """
    content = words.content
    raw = content.encode()
    document = Document(content, sha256(raw).hexdigest(), len(raw), "utf-8")
    note = KeptText(f"note:{claim}", words.title, "note", trust, document, pieces(content))
    version = curator.make_id("ver")
    known = tx.sources.source_by_key(note.key) if not new else None
    source = known.id if known else curator.make_id("src")
    tx.sources.put_kept(note, source, version, curator.at, first=new)
    return source, Quote(version, 0, len(content), content)


def pieces(content: str) -> tuple[Chunk, ...]:
    """Return the chunks of a long statement, so that any part of it is found as such; none of a short one."""
    if len(content) <= LONG_CHARS:
        return ()
    from treering.chunkers import chunk  # it loads the Markdown parser

    return chunk(content, "note.md", front_matter_chars=0).chunks
