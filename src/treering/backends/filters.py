"""A filter as a condition on sources, in the common SQL of both databases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.backends.engine import in_list

if TYPE_CHECKING:
    from treering.backends.engine import Value
    from treering.domain.query import Filter


def source_condition(filter: Filter) -> tuple[str, dict[str, Value]]:
    """Return a condition on ``source s`` and its parameters; always true for an empty filter."""
    if filter.part == "memories":
        return "1 = 0", {}
    parts = ["1 = 1"]
    params: dict[str, Value] = {}
    if filter.part == "sources":
        parts.append("not exists (select 1 from memory n where n.space = s.space and n.source = s.id)")
    if filter.source:
        parts.append("s.id = :only")
        params["only"] = filter.source
    if filter.root:
        tracked = "select 1 from tracked r where r.space = s.space and r.source = s.id and r.root = :root"
        parts.append(f"exists ({tracked})")
        params["root"] = filter.root
    if filter.path:
        conditions = [_path_condition(path, number) for number, path in enumerate((filter.path, *filter.also))]
        parts.append(f"({' or '.join(condition for condition, _ in conditions)})")
        for _, extra in conditions:
            params |= extra
    condition, extra = _where_condition(filter, "label", "l.source = s.id")
    return " and ".join([*parts, condition]), params | extra


def memory_condition(filter: Filter) -> tuple[str, dict[str, Value]]:
    """Return a condition on ``memory m`` and its parameters; a memory lies in no directory."""
    if filter.path or filter.root or filter.part == "sources":
        return "1 = 0", {}
    params: dict[str, Value] = {"only": filter.source} if filter.source else {}
    condition, extra = _where_condition(filter, "memory_label", "l.memory = m.id")
    return ("m.source = :only and " if filter.source else "") + condition, params | extra


def _where_condition(filter: Filter, table: str, owner: str) -> tuple[str, dict[str, Value]]:
    """Return the condition that labels have one of the accepted values for each key."""
    parts = ["1 = 1"]
    params: dict[str, Value] = {}
    for i, (key, values) in enumerate(filter.where):
        names, extra = in_list("value", values)
        renamed = {f"k{i}_{name}": value for name, value in extra.items()}
        parts.append(
            f"exists (select 1 from {table} l where l.space = :space and {owner}"
            f" and l.key = :key{i} and l.value in {names.replace(':value', f':k{i}_value')})"
        )
        params |= {f"key{i}": key, **renamed}
    return " and ".join(parts), params


def _path_condition(path: str, number: int) -> tuple[str, dict[str, Value]]:
    """Return the condition that a source's file is ``path`` or lies under it."""
    if path == ".":
        return "(s.key like 'file:%' and s.key not like 'file:/%' and s.key not like 'file:~/%')", {}
    under = f"file:{path.rstrip('/')}/"
    # A half-open range of keys uses the index and knows no wildcards; '0' follows '/'.
    return (
        f"(s.key = :file{number} or (s.key >= :under{number} and s.key < :beyond{number}))",
        {f"file{number}": f"file:{path}", f"under{number}": under, f"beyond{number}": under[:-1] + "0"},
    )
