"""The resources: what has an id can be read by its address, ``treering://memory/mem_…`` or ``treering://source/src_…``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

from treering.errors import NotAllowed, NotFound
from treering.surfaces import views_text

if TYPE_CHECKING:
    from treering.records import StoredSource
    from treering.surfaces.mcp.workplace import Workplace

SCHEME: Final = "treering://"
STATUS: Final = "treering://status"
BRIEFINGS: Final = "treering://briefings"
TREE: Final = "treering://tree"
PAGE: Final = 100
MOST_CHARACTERS: Final = 1_000_000
"""Beyond that a resource is cut; ``memory_get`` reads it page by page."""


class Template(NamedTuple):
    """A family of addresses."""

    address: str
    name: str
    meaning: str
    mime: str


TEMPLATES: Final = (
    Template("treering://memory/{id}", "memory", "One memory with its quotes and history", "text/plain"),
    Template("treering://source/{id}", "source", "The stored text of one source, as it was read", "text/plain"),
)


def listed(workplace: Workplace, after: str) -> tuple[list[StoredSource], str | None]:
    """Return one page of the sources by key, and where the next begins; none without a store."""
    try:
        page = workplace.memory.list("sources", limit=PAGE, after=after)
    except NotFound:
        return [], None
    return list(page.items), page.next  # type: ignore[arg-type]  # the list of sources has sources


def read(workplace: Workplace, address: str) -> tuple[str, str]:
    """Return a resource's text and media type.

    Raises:
        NotFound: if there is no such resource.
    """
    if address == STATUS:
        return views_text.status_text(workplace.memory.status()), "text/plain"
    if address == BRIEFINGS:
        return _briefings(workplace), "text/plain"
    if address == TREE:
        return _tree(workplace), "text/plain"
    kind, _, id = address.removeprefix(SCHEME).partition("/")
    id = unquote(id)
    if not address.startswith(SCHEME) or (kind, id[:4]) not in {("memory", "mem_"), ("source", "src_")}:
        raise NotFound(f"there is no resource {address[:200]!r}")
    shown = workplace.memory.show(id)
    if kind == "memory":
        return _cut(views_text.shown_text(shown, history=True, zone=workplace.memory.zone)), "text/plain"
    text = getattr(shown, "text", "")
    return _cut(text), "text/markdown" if getattr(shown, "key", "").endswith((".md", ".markdown")) else "text/plain"


def _tree(workplace: Workplace) -> str:
    """Return the map of digests, or that it is closed here: digests quote what stands below them."""
    from treering.surfaces.mcp.replies import called
    from treering.surfaces.views_tree import tree_text

    memory = workplace.memory
    try:
        return tree_text(memory.tree(), memory.place.command("consolidate"))
    except NotAllowed as error:
        views = " or ".join(called("memory_list", view=view) for view in ("sources", "slots"))
        return f"{error}; digests quote what stands below them.\nnext: {views}\n"


def _briefings(workplace: Workplace) -> str:
    """Return what is pinned, as data."""
    from treering.surfaces.mcp.replies import DATA
    from treering.surfaces.views_briefings import briefings_text

    found = workplace.memory.briefings()
    return DATA + briefings_text(found, workplace.memory.zone) if found else "Nothing is pinned.\n"


def _cut(text: str) -> str:
    """Return a text that a client can take."""
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]}\n[…] cut; memory_get reads it whole\n"
