"""What a page of the mirror says differently from the store, as operations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, cast

from treering.domain.memory import one_line, tidy
from treering.domain.operation import Archive, Citation, Draft, Mention, Restore, Update
from treering.domain.slot import slot_key
from treering.upkeep.mirror import foreign, front, memories, rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.domain.memory import MemoryKind
    from treering.domain.operation import Labels, Operation
    from treering.ports import Transaction
    from treering.upkeep.mirror.changes import Page

_TEXTS: Final = {"title": "title", "summary": "description", "value": "value"}
_DATES: Final = ("valid_from", "valid_to")
_NOT_TAKEN: Final = ("verified", "verification", "trust", "generated")
_FIXED: Final = ("slot", "entities", "recorded_at")


class Edit:
    """What a page says differently from the store.

    Attributes:
        operations: what brings that about.
        conflict: whether the store has changed the same since the page was written.
        stale: whether the store has changed since.
        notices: what is not taken, and why.
    """

    def __init__(self, tx: Transaction, id: str, page: Page) -> None:
        """Compare a page with the memory of an id."""
        self._tx = tx
        self._id = id
        self._page = page
        whole = rows.load(tx, [id])[id]
        written = front.split(memories.render(whole, lambda _: ""))
        self._now: dict[str, Any] = written.front or {}
        content, self._quotes = memories.read_body(written.body)
        self._now = {**self._now, "content": content}
        self._whole = whole
        self.stale = page.values.get("revision", self._now["revision"]) != self._now["revision"]
        self.conflict = False
        self.notices: tuple[str, ...] = ()
        self.operations = self._all()

    def _all(self) -> list[Operation]:
        """Return the operations."""
        values, base = self._page.values, self._base()
        said = {"content": tidy(self._page.content), "kind": foreign.kind_of(values) if values else base["kind"]}
        said |= {name: foreign.line(values.get(key)) for name, key in _TEXTS.items()} if values else {}
        if values and not self.stale:
            said |= {name: foreign.line(values.get(name)) for name in _DATES}
        changed = {name: text for name, text in said.items() if text != base.get(name, "")}
        labels = self._labels(base["labels"]) if values else {}
        current = self._state()
        self.conflict = any(current.get(name, "") not in {base.get(name, ""), text} for name, text in changed.items())
        changed = {name: text for name, text in changed.items() if text != current.get(name, "")}
        found: list[Operation] = []
        evidence = self._evidence()
        if changed or labels or evidence:
            found.append(Update(self._id, changed, labels, evidence))
        found += self._hidden()
        self.notices = untaken(values, self._now if not self.stale else {}) + self._fixed()
        return found

    def _state(self) -> dict[str, str]:
        """Return what the store says now, in the words of an update."""
        memory = self._whole.memory
        return {name: memory[name] for name in ("content", "kind", *_TEXTS, *_DATES)}

    def _base(self) -> dict[str, Any]:
        """Return what the memory said when the page was written."""
        base: dict[str, Any] = {**self._state(), "labels": dict(self._whole.labels)}
        seen = self._page.values.get("revision")
        if not self.stale or not isinstance(seen, int):
            return base
        for row in self._whole.parts["claim_revision"].get(self._id, ()):
            if row["revision"] == seen:
                labels = {key: list(several) for key, several in json.loads(row["labels"] or "{}").items()}
                return {**base, **{name: row[name] for name in ("content", "kind", *_TEXTS)}, "labels": labels}
        return base

    def _labels(self, base: Mapping[str, Sequence[str]]) -> Labels:
        """Return tags and metadata that the page has otherwise."""
        said = foreign.labels_of(self._page.values)
        keys = {**base, **said}
        return {key: said.get(key, ()) for key in keys if tuple(base.get(key, ())) != said.get(key, ())}

    def _hidden(self) -> list[Operation]:
        """Return what hides the memory or brings it back, where the page says so."""
        values, now = self._page.values, self._now
        state, status = values.get("state"), values.get("status")
        fresh = values.get("changed_at", now.get("changed_at")) == now.get("changed_at")
        if now["state"] != "archived":
            by_status = status == "deprecated" and now["status"] != "deprecated" and fresh
            return [Archive(self._id, "its file says so")] if state == "archived" or by_status else []
        return (
            [Restore(self._id)] if fresh and (state == "active" or (status == "stable" and state != "archived")) else []
        )

    def _evidence(self) -> tuple[Citation, ...]:
        """Return quotes that the page has and the store has not."""
        known = {quote.text for quote in self._quotes}
        return tuple(
            Citation(self._tx.sources.source_of(quote.version) or quote.version, quote.text, quote.version)
            for quote in self._page.quotes
            if quote.text not in known and quote.version
        )

    def _fixed(self) -> tuple[str, ...]:
        """Return what an edit cannot change."""
        found = [
            f"{name} is not changed by an edit: write a new file, or supersede the memory"
            for name in _FIXED
            if self._page.values and not self.stale and self._page.values.get(name) != self._now.get(name)
        ]
        gone = [quote for quote in self._quotes if quote.text not in {one.text for one in self._page.quotes}]
        if gone and not self.stale:
            found.append(
                "a quote that was removed from the file stays: what a memory rests on is not taken away by an edit"
            )
        return tuple(found)


def untaken(values: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[str, ...]:
    """Return what a page says of itself that no file decides."""
    names = [name for name in _NOT_TAKEN if values.get(name) and values.get(name) != now.get(name)] if now else []
    if not now and values.get("verified"):
        names = ["verified"]
    return tuple(f"{name} is not taken from a file: treering confirm, or the source, decides it" for name in names)


def draft_of(tx: Transaction, page: Page, *, whole: bool = False) -> Draft:
    """Return the memory that a page proposes.

    Raises:
        InputError: if there is nothing in it, or a value is none.
    """
    values = page.values
    content = tidy(page.content)
    known: list[Citation] = []
    for quote in page.quotes:
        source = tx.sources.source_of(quote.version) if quote.version else None
        if source is not None:
            known.append(Citation(source, quote.text, quote.version))
        else:
            key = next(
                (
                    str(one.get("resource"))
                    for one in values.get("sources") or ()
                    if isinstance(one, dict) and one.get("id") == quote.version
                ),
                "",
            )
            found = tx.sources.source_by_key(key) if key else None
            if found is not None:
                known.append(Citation(found.id, quote.text))
    entities: list[Any] = values["entities"] if isinstance(values.get("entities"), list) else []
    slot = foreign.line(values.get("slot"))
    return Draft(
        content,
        kind=cast("MemoryKind", foreign.kind_of(values)),
        title=one_line("title", foreign.line(values.get("title"))),
        summary=one_line("summary", foreign.line(values.get("description"))),
        slot=slot_key(slot) if slot else "",
        value=foreign.line(values.get("value")),
        valid_from=foreign.line(values.get("valid_from")),
        valid_to=foreign.line(values.get("valid_to")),
        labels=foreign.labels_of(values, whole=whole),
        entities=tuple(Mention(str(name)) for name in entities),
        evidence=tuple(known),
    )
