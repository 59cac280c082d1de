"""A filter as a condition on sources, in the common SQL of both databases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.backends.engine import in_list

if TYPE_CHECKING:
    from treering.backends.engine import Value
    from treering.domain.query import Filter


def source_condition(filter: Filter) -> tuple[str, dict[str, Value]]:
    """Return a condition on ``source s`` and its parameters; always true for an empty filter."""
    parts = ["1 = 1"]
    params: dict[str, Value] = {}
    if filter.source:
        parts.append("s.id = :only")
        params["only"] = filter.source
    if filter.path:
        condition, extra = _path_condition(filter.path)
        parts.append(condition)
        params |= extra
    for i, (key, values) in enumerate(filter.where):
        names, extra = in_list("value", values)
        renamed = {f"k{i}_{name}": value for name, value in extra.items()}
        parts.append(
            "exists (select 1 from label l where l.space = s.space and l.source = s.id"
            f" and l.key = :key{i} and l.value in {names.replace(':value', f':k{i}_value')})"
        )
        params |= {f"key{i}": key, **renamed}
    return " and ".join(parts), params


def _path_condition(path: str) -> tuple[str, dict[str, Value]]:
    """Return the condition that a source's file is ``path`` or lies under it."""
    if path == ".":
        return "s.key like 'file:%' and s.key not like 'file:/%' and s.key not like 'file:~/%'", {}
    under = f"file:{path.rstrip('/')}/"
    # A half-open range of keys uses the index and knows no wildcards; '0' follows '/'.
    return (
        "(s.key = :file or (s.key >= :under and s.key < :beyond))",
        {"file": f"file:{path}", "under": under, "beyond": under[:-1] + "0"},
    )
