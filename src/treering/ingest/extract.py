"""Memories out of documents without a model: meeting notes in the convention, and facts that fit a pattern.

Each is dated by its document (or by its own words) and quotes what it was taken from, word for word. A document that is
neither yields nothing: an agent distils it instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.domain.memory import checked
from treering.domain.operation import Citation, Create, Draft, Mention
from treering.domain.text import fingerprint
from treering.ingest.fact_patterns import PATTERNS, Pattern, check_pattern
from treering.ingest.facts import Expressions, Found, facts
from treering.ingest.keys import dated
from treering.ingest.metadata import split
from treering.ingest.notes import Item, due_of, is_notes, items, names_in, owner_of, slot_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from treering.domain.memory import MemoryKind
    from treering.domain.operation import Labels

_KIND: Final[dict[str, MemoryKind]] = {"decision": "decision", "fact": "semantic", "action": "project"}
MAX_CONTENT: Final = 4000
"""Characters of an item; a longer one is a paste, and no statement."""


class Extractor:
    """Takes memories out of texts; holds the patterns of facts, its own and those that were added."""

    def __init__(self, patterns: Iterable[Pattern] = PATTERNS) -> None:
        """Look for ``patterns``.

        Raises:
            InputError: as for ``check_pattern``.
        """
        self._patterns: tuple[Pattern, ...] = ()
        self._expressions = Expressions((), ())
        for pattern in patterns:
            self.add_pattern(pattern)

    @property
    def patterns(self) -> tuple[Pattern, ...]:
        """What is looked for, in the order in which it was added."""
        return self._patterns

    def add_pattern(self, pattern: Pattern) -> None:
        """Look for one more kind of fact from now on; the same pattern again changes nothing.

        Raises:
            InputError: as for ``check_pattern``.
        """
        if pattern in self._patterns:
            return
        entry = (pattern, check_pattern(pattern))
        self._patterns += (pattern,)
        held = self._expressions
        if pattern.scope == "record":
            self._expressions = held._replace(record=(*held.record, entry))
        else:
            self._expressions = held._replace(said=(*held.said, entry))

    def operations(
        self, text: str, source_id: str, document_date: str, metadata: Mapping[str, tuple[str, ...]]
    ) -> tuple[Create, ...]:
        """Return the memories that a document states, as operations; none for a free-form document.

        Args:
            text: the whole decoded text, front matter included.
            source_id: what the quotes cite.
            document_date: the document's own date as dates are stored; empty to take the front matter's ``date``.
            metadata: its front matter; ``project``, ``attendees``, ``type``, ``title`` and ``date`` are read.

        Raises:
            InputError: if the text holds what no text holds.
        """
        body = checked("text", text)[split(text) :]
        at = document_date or dated(" ".join(metadata.get("date", ())[:1]))
        drafts = [*self._from_notes(body, source_id, at, metadata), *self._from_facts(body, source_id, at)]
        once = {(fingerprint(one.content), one.slot, one.value, one.valid_from): one for one in reversed(drafts)}
        return tuple(Create(one) for one in reversed(once.values()))

    def _from_notes(
        self, body: str, source_id: str, at: str, metadata: Mapping[str, tuple[str, ...]]
    ) -> Iterator[Draft]:
        """Yield a draft for each item of meeting notes."""
        whole = is_notes(body, metadata)
        for item in items(body, at):
            if (whole or item.slot) and len(item.content) <= MAX_CONTENT:
                yield _draft(item, source_id, metadata)

    def _from_facts(self, body: str, source_id: str, at: str) -> Iterator[Draft]:
        """Yield a draft for each fact; the same one again with the same date is one."""
        seen: set[tuple[str, str, str]] = set()
        for found in facts(body, self._expressions, at):
            key = (found.slot, found.value.casefold(), found.valid_from)
            if key not in seen:
                seen.add(key)
                yield _fact_draft(found, source_id)


def _draft(item: Item, source_id: str, metadata: Mapping[str, tuple[str, ...]]) -> Draft:
    """Return the memory of an item of meeting notes."""
    project = next(iter(metadata.get("project", ())), "").strip()
    attendees = tuple(name.strip().lstrip("@") for name in metadata.get("attendees", ()) if name.strip().lstrip("@"))
    owner = owner_of(item.content, attendees) if item.section == "action" else ""
    people = dict.fromkeys((*names_in(item.content), *((owner,) if owner else ()), *attendees))
    return Draft(
        item.content,
        _KIND[item.section],
        slot=slot_of(item.slot, project) if item.slot else "",
        valid_from=item.valid_from,
        labels=_labels(item, owner),
        entities=(*((Mention(project, "project"),) if project else ()), *(Mention(name, "person") for name in people)),
        evidence=(Citation(source_id, item.words),),
    )


def _labels(item: Item, owner: str) -> Labels:
    """Return what an action item says besides its statement; nothing for other items."""
    if item.section != "action":
        return {}
    done = {None: "", False: "open", True: "done"}[item.done]
    said = {"owner": owner, "due": due_of(item.content, item.valid_from), "state": done}
    return {"tags": ("action-item",), **{key: (value,) for key, value in said.items() if value}}


def _fact_draft(found: Found, source_id: str) -> Draft:
    """Return the memory of a fact."""
    return Draft(
        found.sentence,
        found.pattern.kind,
        slot=found.slot,
        value=found.value,
        valid_from=found.valid_from,
        evidence=(Citation(source_id, found.sentence),),
    )
