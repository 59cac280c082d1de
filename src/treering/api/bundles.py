"""Bundles of the Open Knowledge Format that other tools wrote, on their way in."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from treering.curate import propose
from treering.domain.memory import one_line, tidy
from treering.domain.operation import Create, Draft
from treering.domain.syncing import Synced
from treering.errors import TreeringError
from treering.upkeep.mirror import foreign, front, texts

if TYPE_CHECKING:
    from treering.api.syncing import Curating
    from treering.domain.memory import MemoryKind
    from treering.upkeep.mirror.folder import Folder


class Bundle:
    """A bundle of the Open Knowledge Format that another tool wrote, on its way in."""

    def __init__(self, folder: Folder, curating: Curating) -> None:
        """Begin with nothing read."""
        self._folder = folder
        self._curating = curating

    def run(self) -> tuple[Synced, ...]:
        """Take in every concept and return what became of each."""
        found = sorted(self._folder.walk())
        return tuple(self._concept(path, size_bytes, link=link) for path, size_bytes, _, link in found)

    def _concept(self, path: str, size_bytes: int, *, link: bool) -> Synced:
        """Take in one concept."""
        try:
            texts.require_small(size_bytes, link=link)
            text = texts.lines_of(texts.decode(self._folder.read(path)))
            parts = front.split(text)
            notices: tuple[str, ...] = ()
            if parts.error:  # kept whole all the same: a concept is never turned away for its front matter
                notices = (f"its front matter was kept as text: {parts.error}",)
                parts = front.Parts({}, text)
            with self._curating() as (tx, curator):
                draft = _concept_draft(path, parts)
                outcome = propose.save(tx, curator, Create(draft), said=True)
        except (texts.Unreadable, TreeringError) as error:
            return Synced(path, "refused", notices=(str(error),))
        return Synced(path, outcome.outcome, outcome.id, (*notices, *outcome.notices))


def _concept_draft(path: str, parts: front.Parts) -> Draft:
    """Return the memory that a foreign concept is: its text, its title, and all the rest as metadata."""
    values = dict(parts.front or {})
    title = foreign.line(values.get("title")) or path.rpartition("/")[2].removesuffix(".md").replace("-", " ").replace(
        "_", " "
    )
    summary = foreign.line(values.get("description"))
    labels = foreign.labels_of(values, whole=True)
    if isinstance(values.get("id"), str):
        labels["id"] = (values["id"],)
    labels["okf_path"] = (path.removesuffix(".md"),)
    content = parts.body.strip() or summary or title
    return Draft(
        tidy(content), kind=cast("MemoryKind", foreign.kind_of(values)), title=one_line("title", title),
        summary=one_line("summary", summary), labels=labels,
    )  # fmt: skip
