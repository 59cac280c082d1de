"""Files of what is neither memory nor source: entities, proposals, what was erased, the store itself, the log."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from treering.upkeep.mirror import front, names, rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from treering.upkeep.mirror.rows import Row

FORMAT: Final = 1
_OKF_STATUS: Final = {"waiting": "draft", "approved": "stable"}
_ERASED_TEXT: Final = "\nWhat was erased, without a word of it. These ids never come back from a file.\n"
_STORE_TEXT: Final = (
    "\nWhat a rebuild needs to know besides: the time zone of dates, and the folders that were indexed in place.\n"
)
_ELSEWHERE: Final = ("copies", "files", "history")
"""What a receipt says of the machine on which it was given; the mirror is made to be shared."""
_ACT: Final = re.compile(r"<!-- (\[.*\]) -->$")
_CLAIM: Final[Row] = {"title": "", "content": "", "summary": "", "value": "", "note": "", "memory": ""}


def render_entity(entity: Row, aliases: Sequence[Row]) -> str:
    """Return the text of an entity's file."""
    others = [row["name"] for row in aliases if row["name"] != entity["name"]]
    values = {
        "type": entity["kind"].capitalize(),
        "title": entity["name"],
        "status": "stable",
        **entity,
        "aliases": list(dict.fromkeys(others)),
        "keys": {row["key"]: row["name"] for row in aliases},
    }
    del values["name"]
    return front.dump(values)


def unpack_entity(values: Mapping[str, Any]) -> dict[str, list[Row]]:
    """Return the rows of an entity's file; raises KeyError when something is missing."""
    id = values["id"]
    entity = {"id": id, "kind": values["kind"], "name": values["title"], "created_at": values["created_at"]}
    keys = values.get("keys", {}).items()
    return {"entity": [entity], "alias": [{"key": key, "entity": id, "name": name} for key, name in keys]}


def render_proposal(proposal: Row) -> str:
    """Return the text of a proposal's file."""
    operation = proposal["operation"]
    return front.dump({
        "type": "Proposal",
        "status": _OKF_STATUS.get(proposal["state"], "deprecated"),
        **proposal,
        "operation": json.loads(operation) if _is_plain(operation) else operation,
    })  # fmt: skip


def _is_plain(operation: str) -> bool:
    """Tell whether an operation is written again as it was."""
    try:
        return json.dumps(json.loads(operation), ensure_ascii=False) == operation
    except ValueError:
        return False


def unpack_proposal(values: Mapping[str, Any]) -> dict[str, list[Row]]:
    """Return the row of a proposal's file; raises KeyError when something is missing."""
    columns = ("state", "claim", "operation", "why", "author", "made_at", "decided_at", "reason")
    row = {"id": values["id"], **{name: values.get(name, "") for name in columns}}
    if not isinstance(row["operation"], str):
        row["operation"] = json.dumps(row["operation"], ensure_ascii=False)
    return {"proposal": [row]}


def render_erased(
    tombstones: Sequence[Row],
    claims: Sequence[Row],
    parts: Mapping[str, Mapping[str, list[Row]]],
    erasures: Sequence[Row] = (),
) -> str:
    """Return the text of the file of what was erased."""
    written = []
    for claim in claims:
        more = {
            "decisions": [
                rows.packed(row, rows.DECISION, ("claim",)) for row in parts["decision"].get(claim["id"], ())
            ],
            "replaces": [row["old"] for row in parts["replacement"].get(claim["id"], ())],
            "links": list(parts["link"].get(claim["id"], ())),
        }
        written.append({**rows.packed(claim, _CLAIM), **{name: value for name, value in more.items() if value}})
    return front.dump({
        "type": "Tombstones",
        "status": "deprecated",
        "tombstones": [rows.packed(row, {"reason": ""}) for row in tombstones],
        "claims": written,
        "receipts": [
            {name: value for name, value in json.loads(row["receipt"]).items() if name not in _ELSEWHERE}
            for row in erasures
        ],
    }) + _ERASED_TEXT  # fmt: skip


def unpack_erased(values: Mapping[str, Any]) -> dict[str, list[Row]]:
    """Return the rows of the file of what was erased; raises KeyError or TypeError when it is none."""
    found: dict[str, list[Row]] = {"tombstone": [{"reason": "", **row} for row in values.get("tombstones", ())]}
    found["erasure"] = [
        {
            "id": str(one["id"]), "state": "done", "begun_at": str(one["at"]), "wanted": "", "todo": "{}",
            "receipt": json.dumps(one, ensure_ascii=False), "marks": b"",
        }
        for one in values.get("receipts", ())
    ]  # fmt: skip
    for given in values.get("claims", ()):
        row = {**_CLAIM, **given}
        id = row["id"]
        for one in row.pop("decisions", ()):
            found.setdefault("decision", []).append({"claim": id, **rows.DECISION, **one})
        found.setdefault("replacement", []).extend({"claim": id, "old": old} for old in row.pop("replaces", ()))
        found.setdefault("link", []).extend(row.pop("links", ()))
        found.setdefault("claim", []).append(row)
    return found


def render_store(settings: Mapping[str, str], roots: Sequence[Row]) -> str:
    """Return the text of the file of the store itself."""
    indexed = [rows.packed(row, {"glob": ""}, ("number", "rules_hash", "scanned_at")) for row in roots]
    return front.dump({"type": "Store", "format": FORMAT, "settings": settings, "roots": indexed}) + _STORE_TEXT


def log_line(act: Row) -> str:
    """Return the line of an act in the log of its day; ids and no words."""
    undone = ", taken back" if act["undone"] else ""
    # Two dashes would end the comment.
    data = json.dumps(list(act.values()), ensure_ascii=False).replace("--", "-\\u002d").replace("--", "-\\u002d")
    said = f"{act['target']} {act['outcome']} at {act['at'][11:19]}{undone}"
    return f"* **{act['name'].capitalize()}**: {said} <!-- {data} -->"


def read_log(text: str, columns: Sequence[str]) -> list[tuple[Row | None, str]]:
    """Return the lines of a log, each with its act, or None where it is none."""
    found: list[tuple[Row | None, str]] = []
    for line in text.split("\n"):
        match = _ACT.search(line) if line.startswith("* ") else None
        row = None
        if match:
            try:
                values = json.loads(match[1])
                row = dict(zip(columns, values, strict=True))
            except ValueError:
                row = None
        found.append((row, line))
    return found


def day_log(day: str, lines: Iterable[str]) -> str:
    """Return the text of the log of a day."""
    return "\n".join([f"# Changes of {day} (UTC)", "", f"## {day}", *lines, ""])


def root_log(days: Iterable[str]) -> str:
    """Return the text of the log at the top: a line for each day, newest first."""
    blocks = [f"## {day}\n* **Changes** of [{day}](/{names.log_path(day)})\n" for day in sorted(days, reverse=True)]
    return "# Log\n\n" + "\n".join(blocks)


def index(months: Sequence[str], folders: Sequence[str], trunk: Sequence[str] = ()) -> str:
    """Return the text of the index at the top: where everything is, and what the tree of digests says of it.

    It changes with a new month, and when the tree was made anew.
    """
    lines = ["---", 'okf_version: "0.2"', "---", "# Memories", ""]
    lines += [f"* [{month}](memories/{month}/) - what was saved in {month}" for month in sorted(months, reverse=True)]
    shown = {
        "sources": "texts that are kept or cited, whole",
        "entities": "people, projects and things that memories speak of",
        "proposals": "what waits for the owner, or did",
    }
    lines += ["", "# More", "", *(f"* [{name}]({name}/) - {text}" for name, text in shown.items() if name in folders)]
    lines += ["* [erased](erased.md) - what was erased, without a word of it"] if names.ERASED in folders else []
    lines += ["* [store](store.md) - time zone and indexed folders", "* [log](log.md) - what changed, day by day", ""]
    lines += ["# What there is", "", *trunk, ""] if trunk else []
    return "\n".join(lines)
