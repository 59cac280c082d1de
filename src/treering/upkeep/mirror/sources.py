"""The text of a kept or cited version as a file, and how it was cut beside it."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from treering.upkeep.mirror import front, rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from treering.upkeep.mirror.rows import Row

_UNCUT: Final = ("entry", "source")
_SOURCE: Final = ("key", "kind", "trust", "custody", "created_at")
_VERSION: Final[Row] = {"encoding": "utf-8", "notice": "", "source_time": "", "original": ""}


def render(version: Row, text: str, source: Row, labels: Sequence[Row], *, newest: bool) -> str:
    """Return the text of a version's file.

    Args:
        version: its row.
        text: what it says.
        source: the row of its source.
        labels: what the source is filtered by.
        newest: whether this file is the one that describes the source, too.
    """
    by_key = rows.grouped(labels, "key") if newest else {}
    values = {
        "type": source["kind"].capitalize(),
        "title": source["title"] or None,
        "resource": source["url"] or source["key"],
        "tags": [row["value"] for row in by_key.pop("tags", ())],
        "id": version["id"],
        "source": source["id"],
        "url": source["url"] if newest else None,
        **({name: source[name] for name in _SOURCE} if newest else {}),
        "metadata": {key: [row["value"] for row in several] for key, several in by_key.items()},
        "version": rows.packed(version, _VERSION, ("id", "source")),
        "text_sha256": digest(text),
    }
    return front.dump(values) + text


def digest(text: str) -> str:
    """Return by what a text is known again."""
    return sha256(text.encode(errors="surrogatepass")).hexdigest()


def unpack(values: Mapping[str, Any], body: str) -> dict[str, list[Row]]:
    """Return the rows of which a version's file was made, by table; the source's row only where it describes it.

    Raises:
        KeyError: if something is missing.
        TypeError: if something is not what it is said to be.
        AttributeError: likewise.
    """
    id, source = values["id"], values["source"]
    found: dict[str, list[Row]] = {
        "version": [{"id": id, "source": source, **_VERSION, **values["version"]}],
        "content": [{"version": id, "start": 0, "text": body}],
    }
    if "key" in values:
        row = {name: values[name] for name in _SOURCE}
        described = {"id": source, "title": values.get("title", ""), "version": id, "url": values.get("url", "")}
        found["source"] = [{**row, **described}]
        labels = {**({"tags": values["tags"]} if values.get("tags") else {}), **values.get("metadata", {})}
        found["label"] = [
            {"source": source, "key": key, "place": place, "value": value}
            for key, several in labels.items()
            for place, value in enumerate(several)
        ]
    return found


def render_cut(chunks: Sequence[Row]) -> str:
    """Return how a text was cut, a chunk on a line."""
    return "".join(json.dumps(rows.packed(row, {}, _UNCUT), ensure_ascii=False) + "\n" for row in chunks)


def read_cut(text: str, source: str) -> list[Row]:
    """Return the rows of ``render_cut``, without their entries.

    Raises:
        ValueError: if a line is none.
    """
    return [{"source": source, **json.loads(line)} for line in text.split("\n") if line]
