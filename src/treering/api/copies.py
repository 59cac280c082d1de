"""What another copy of the store has: its ids, and the texts of its sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.derived import rows as derived
from treering.domain.ids import is_id
from treering.domain.source import Document
from treering.domain.syncing import Synced
from treering.intake import KeptText
from treering.ports.mirrored import MirrorFile
from treering.upkeep.mirror import foreign, sources, texts

if TYPE_CHECKING:
    from treering.curate.curator import Curator
    from treering.domain.ids import Kind
    from treering.ports import Transaction
    from treering.settings import Settings
    from treering.upkeep.mirror.changes import Page


def known_ids(tx: Transaction, curator: Curator, page: Page) -> Curator:
    """Return a curator that gives a memory, its note and the note's version the ids that another copy gave them."""
    claims = [one for one in page.values.get("claims") or () if isinstance(one, dict) and one.get("id") == page.id]
    note = (claims[0].get("note") or {}) if claims else {}
    versions = note.get("versions") or [{}]
    wanted = {"mem": page.id, "src": note.get("id", ""), "ver": versions[-1].get("id", "")}
    if wanted["src"] and tx.sources.sources([wanted["src"]]):
        wanted = {"mem": page.id}

    def make_id(kind: Kind) -> str:
        """Return the id that is known, once, then new ones."""
        id = wanted.pop(kind, "")
        return id if id and is_id(id, kind) else curator.make_id(kind)

    return curator._replace(make_id=make_id)


def keep_version(tx: Transaction, curator: Curator, page: Page, settings: Settings) -> Synced | None:
    """Keep the text of a source that another copy of the store has, with the trust of whoever syncs."""
    from treering.api.cutting import rechunk  # it loads the readers

    values, source = page.values, str(page.values.get("source"))
    text = page.body if sources.digest(page.body) == values.get("text_sha256") else texts.lines_of(page.body)
    if sources.digest(text) != values.get("text_sha256"):
        return Synced(page.path, "refused", page.id, ("its text is not the one that was kept",))
    key = str(values.get("key") or "")
    if not key or tx.sources.source_by_key(key) is not None or tx.sources.sources([source]):
        return None  # a version of a source that is here already: what is here stays
    version = values.get("version") or {}
    document = Document(text, str(version["sha256"]), int(version["size_bytes"]), str(version.get("encoding", "utf-8")))
    trust = curator.caller.role
    new = KeptText(
        key, foreign.line(values.get("title")), str(values.get("kind")), trust, document,
        url=foreign.line(values.get("url")), source_time=str(version.get("source_time", "")),
        original="text" if version.get("original") == "text" else "masked" if version.get("original") else "",
    )  # fmt: skip
    derived.put_kept(tx, new, source, page.id, curator.at)
    stored = tx.sources.sources([source])[source]
    chunks = rechunk(tx, stored, text, settings).chunks
    tx.sources.put_chunks(page.id, text, chunks)
    pieces = tx.sources.chunks_of(page.id)
    heads = derived.entry_texts(stored.title, stored.key, text, pieces)
    tx.keywords.add((one.entry, head, body) for one, (head, body) in zip(pieces, heads, strict=True))
    curator.record(tx, "import", source, "accepted")
    tx.mirrored.put_files([MirrorFile(page.id, page.path, "", 0, 0)])
    return Synced(page.path, "accepted", source)
