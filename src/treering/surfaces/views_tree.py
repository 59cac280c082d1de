"""The tree of digests and what changed, as JSON objects and as compact text."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Final

from treering.domain.dates import plain
from treering.surfaces.views import SCHEMA, JsonObject, list_json
from treering.surfaces.views_text import clean, clean_line, counted, of_store

if TYPE_CHECKING:
    from datetime import tzinfo

    from treering.domain.tree_report import Change, Changed, Consolidated, TreeMap, TreeNode

_TEXT_CHARS: Final = 120


def tree_json(found: TreeMap) -> JsonObject:
    """Return the map of the tree."""
    return {
        "schema": SCHEMA,
        "tree": None if found.trunk is None else _node_json(found.trunk),
        "tokens": found.tokens,
        "nodes": found.nodes,
        "leaves": found.leaves,
        "behind": found.due,
    }


def _node_json(node: TreeNode) -> JsonObject:
    """Return a node with those that are shown below it."""
    return {
        "id": node.id,
        "type": "digest",
        "label": node.label,
        "domain": node.domain or None,
        "leaves": node.leaves,
        "text": node.text,
        "made_by": node.made,
        "children": [_node_json(child) for child in node.children],
    }


def tree_text(found: TreeMap, consolidate: str) -> str:
    """Return the map of the tree.

    Args:
        found: the map.
        consolidate: the command that digests what is behind.
    """
    behind = f"{counted(found.due, 'text')} not digested yet; next: {clean_line(consolidate)}\n" if found.due else ""
    if found.trunk is None:
        return behind or "0 digests: the memory is empty\nnext: treering index DIR\n"
    return f"{clean(found.text)}{found.nodes:,} digests, {found.leaves:,} leaves\n{behind}"


def consolidated_json(made: Consolidated) -> JsonObject:
    """Return what a digesting run did."""
    return {"schema": SCHEMA, **made._asdict(), "notices": list(made.notices)}


def consolidated_text(made: Consolidated) -> str:
    """Return what a digesting run did."""
    by_model = f", {made.refined:,} written by a model" if made.refined else ""
    notices = "".join(f"note: {clean_line(notice)}\n" for notice in made.notices)
    changed = "1 leaf" if made.changed == 1 else f"{made.changed:,} leaves"
    return f"Digested {changed}: {made.nodes:,} digests over {made.leaves:,} leaves{by_model}.\n{notices}"


def changed_json(found: Changed) -> JsonObject:
    """Return what changed, as one page of a list."""
    listed = list_json((_change_json(one) for one in found.items), sum(found.counts.values()))
    return {**listed, "since": found.since, "counts": found.counts, "cut": found.cut}


def _change_json(one: Change) -> JsonObject:
    """Return one change."""
    return {
        "at": one.at,
        "what": one.what,
        "type": one.type,
        "id": one.id or None,
        "text": one.text or None,
        "superseded_by": one.successor or None,
        "slot": one.slot or None,
        "scope": one.scope or None,
    }


def changed_text(found: Changed, zone: tzinfo = UTC, scope: str = "") -> str:
    """Return what changed, a line each, the last first, and what that comes to.

    Args:
        found: the changes.
        zone: in which their times are shown.
        scope: of the store that was asked; a change of another one names it.
    """
    lines = "".join(_change_line(one, zone, scope) for one in found.items)
    counts = ", ".join(_counted(name, number) for name, number in found.counts.items())
    more = " (there is more: a later --since, or a higher --limit)" if found.cut else ""
    return f"{lines}since {plain(found.since, zone)}: {counts or 'nothing changed'}{more}\n"


def _counted(name: str, number: int) -> str:
    """Return how many changes of a kind there are, such as ``2 memories added``."""
    thing, _, what = name.partition(" ")
    return f"{counted(number, thing)} {what}"


def _change_line(one: Change, zone: tzinfo, scope: str) -> str:
    """Return one change: when, what, to what."""
    text = one.text if len(one.text) <= _TEXT_CHARS else f"{one.text[: _TEXT_CHARS - 1]}…"
    after = f" → {one.successor}" if one.successor else ""
    slot = f" [{one.slot}]" if one.slot else ""
    words = f"{plain(one.at, zone)}  {one.type} {one.what}  {one.id}{after}{slot}  {text}"
    return f"{clean_line(words).rstrip()}{of_store(one.scope, scope)}\n"
