"""A memory as a file: what people read and edit on top, all of its history below, then its words and its quotes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from treering.domain.named import NamedTuple
from treering.records import FOREVER
from treering.upkeep.mirror import front, rows, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from treering.upkeep.mirror.rows import Row, Whole

QUOTES: Final = "<!-- quotes: what follows is what the memory rests on -->"
"""Ends the words of a memory; the last such line in a file counts."""

_OKF_STATUS: Final = {"active": "stable", "disputed": "draft", "superseded": "deprecated", "archived": "deprecated"}
# What a claim has in common with its memory when nothing else is said.
_SHARED: Final = (
    "kind",
    "title",
    "content",
    "summary",
    "value",
    "slot",
    "trust",
    "valid_from",
    "valid_to",
    "recorded_at",
)
_OWN: Final[Row] = {"actor": "owner", "author": "owner", "note": "", "erased_at": ""}
_FROM_MEMORY: Final = ("source", "why", "superseded_by", "changed_at")
_HEADING: Final = "# Quotes"
_LEVELS: Final = {"owner": "human:owner"}


class Quoted(NamedTuple):
    """A quote as it stands in a file: the words, and what they are said to stand in."""

    text: str
    version: str = ""


def render(whole: Whole, path_of: Callable[[str], str]) -> str:
    """Return the text of a memory's file.

    Args:
        whole: the memory.
        path_of: returns where the text of a version is in the mirror; empty when it is not.
    """
    memory = whole.memory
    quotes: list[tuple[str, str]] = []
    claims = [_claim(whole, claim, quotes) for claim in whole.claims]
    cited = list(dict.fromkeys(version for _, version in quotes if version in whole.cited))
    values = {
        "type": memory["kind"].capitalize(),
        "title": memory["title"],
        "description": memory["summary"],
        "tags": whole.labels.get("tags"),
        "status": _OKF_STATUS[memory["status"]],
        "stale_after": memory["valid_to"][:10] if len(memory["valid_to"]) >= len("2026-01-01") else "",
        "generated": _generated(whole),
        "verified": [
            {"by": "human:owner", "at": row["at"]}
            for claim in whole.claims
            for row in whole.parts["decision"].get(claim["id"], ())
            if row["kind"] in {"confirm", "approve"} and not row["undone_at"]
        ],
        "sources": [_source(version, whole.cited[version], path_of) for version in cited],
        "id": memory["id"],
        "kind": memory["kind"],
        "slot": memory["slot"],
        "value": memory["value"],
        "state": memory["status"],
        "trust": memory["trust"],
        "verification": memory["verification"],
        "valid_from": memory["valid_from"],
        "valid_to": memory["valid_to"],
        "entities": list(dict.fromkeys(
            whole.names[row["entity"]]
            for claim in whole.claims
            for row in whole.parts["mention"].get(claim["id"], ())
            if row["entity"] in whole.names
        )),
        "metadata": {k: v[0] if len(v) == 1 else v for k, v in whole.labels.items() if k != "tags"},
        "links": [
            {"type": row["type"], "to": row["to_id"], **rows.packed(row, {"from_id": memory["id"]}, ("type", "to_id"))}
            for claim in whole.claims
            for row in whole.parts["link"].get(claim["id"], ())
        ],
        "pinned": [rows.packed(row, {}, ("memory",)) for row in whole.pinned],
        "revision": memory["revision"],
        "recorded_at": memory["recorded_at"],
        "holds": _interval(memory),
        **{name: memory[name] for name in _FROM_MEMORY},
        "literal_marks": texts.has_marks(memory["content"]) or None,
        "claims": claims,
    }  # fmt: skip
    return front.dump(values) + _body(memory["content"], quotes, whole, path_of)


def _interval(memory: Row) -> list[int | None] | None:
    """Return the microseconds between which a memory holds; None for always."""
    starts, stops = memory["starts"], memory["stops"]
    ends = [None if starts == -FOREVER else starts, None if stops == FOREVER else stops]
    return None if ends == [None, None] else ends


def _generated(whole: Whole) -> Row:
    """Return who wrote what the memory says now, as the Open Knowledge Format names people and agents."""
    lead = whole.claims[0] if whole.claims else {"actor": "owner", "author": "", "recorded_at": ""}
    changed = [row["changed_at"] for row in whole.parts["claim_revision"].get(lead.get("id", ""), ())]
    by = "human:owner" if lead["actor"] == "owner" else f"agent/{lead['author'] or 'unnamed'}"
    return {"by": by, "at": max([lead["recorded_at"], *changed])}


def _source(version: str, source: Row, path_of: Callable[[str], str]) -> Row:
    """Return a source as the Open Knowledge Format lists it."""
    path = path_of(version)
    return {"id": version, "resource": f"/{path}" if path else source["url"] or source["key"], "title": source["title"]}


def _claim(whole: Whole, claim: Row, quotes: list[tuple[str, str]]) -> Row:
    """Return a claim with what hangs on it; quotes that stand in the body are added to ``quotes``."""
    memory, id, parts = whole.memory, claim["id"], whole.parts
    shared = {name: memory[name] for name in _SHARED}
    found = {"id": id, **rows.packed(claim, {**shared, **_OWN}, ("id", "memory", "note"))}
    note = whole.notes.get(id)
    own = ""
    if note is not None:
        own = note.versions[-1]["id"] if note.versions else ""
        found["note"] = rows.packed(note.source, rows.note_defaults(claim), ("version",))
        if note.source["version"] != own:
            found["note"]["version"] = note.source["version"]
        found["note"]["versions"] = [_version(row, note.texts.get(row["id"], ""), claim) for row in note.versions]
    elif claim["note"]:
        found["lost_note"] = claim["note"]
    evidence = [
        _evidence(place, row, claim, own, quotes) for place, row in enumerate(parts["evidence"].get(id, ()))
    ]  # fmt: skip
    more = {
        "evidence": evidence,
        "decisions": [rows.packed(row, rows.DECISION, ("claim",)) for row in parts["decision"].get(id, ())],
        "revisions": [rows.packed(row, {}, ("claim",)) for row in parts["claim_revision"].get(id, ())],
        "replaces": [row["old"] for row in parts["replacement"].get(id, ())],
        "mentions": [row["entity"] for row in parts["mention"].get(id, ())],
    }
    return {**found, **{name: value for name, value in more.items() if value}}


def _version(row: Row, text: str, claim: Row) -> Row:
    """Return a version of a note, with its text unless the claim says just that."""
    found = rows.packed(row, rows.version_defaults(text, claim["recorded_at"]), ("source",))
    return found if text == claim["content"] else {**found, "text": text}


def _evidence(place: int, row: Row, claim: Row, own: str, quotes: list[tuple[str, str]]) -> Row:
    """Return a piece of evidence; words that can stand in the body do."""
    defaults: Row = {"place": place, "since": 1, "until": 0, "start": 0, "stop": row["start"] + len(row["quote"])}
    if own and row["version"] == own and row["quote"] == claim["content"]:
        return rows.packed(row, {**defaults, "version": own, "quote": row["quote"]}, ("claim",))
    found = rows.packed(row, defaults, ("claim",))
    if not row["until"] and "\r" not in row["quote"]:
        if (row["quote"], row["version"]) not in quotes:
            quotes.append((row["quote"], row["version"]))
        found["quote"] = quotes.index((row["quote"], row["version"])) + 1
    return found


def _body(content: str, quotes: Sequence[tuple[str, str]], whole: Whole, path_of: Callable[[str], str]) -> str:
    """Return the words of a memory and, below them, its quotes."""
    if not quotes:
        return f"\n{content}\n{QUOTES}\n" if QUOTES in content else f"\n{content}\n"
    blocks = []
    for text, version in quotes:
        path, source = path_of(version), whole.cited.get(version, {})
        title = " ".join((source.get("title") or source.get("key") or version).split()).replace("]", ")")
        shown = f"[{title}](</{path}>)" if path else title
        lines = "\n".join(f"> {line}" if line else ">" for line in text.split("\n"))
        blocks.append(f"{lines}\n\n{shown} [^{version}]\n")
    return f"\n{content}\n\n{QUOTES}\n\n{_HEADING}\n\n" + "\n".join(blocks)


def read_body(body: str) -> tuple[str, list[Quoted]]:
    """Return what a memory says, and its quotes, from the part of a file behind its front matter."""
    at = body.rfind(QUOTES)
    if at < 0:
        return body.strip("\n"), []
    content, below = body[:at].strip("\n"), body[at + len(QUOTES) :]
    quotes: list[Quoted] = []
    lines: list[str] = []
    for line in below.split("\n"):
        if line.startswith(">"):
            lines.append(line[2:] if line.startswith("> ") else line[1:])
        elif lines and line.strip():
            found = _FOOTNOTE.search(line)
            quotes.append(Quoted("\n".join(lines), found[1] if found else ""))
            lines = []
    if lines:
        quotes.append(Quoted("\n".join(lines)))
    return content, quotes


_FOOTNOTE: Final = re.compile(r"\[\^(ver_[0-9a-z]+)\]")


def unpack(values: Mapping[str, Any], content: str, quotes: Sequence[Quoted]) -> dict[str, list[Row]]:
    """Return the rows of which a memory's file was made, by table.

    Raises:
        KeyError: if something is missing.
        ValueError: if something is not what it is said to be.
        TypeError: likewise.
    """
    from treering.domain.memory import same_as

    id = values["id"]
    starts, stops = values.get("holds") or (None, None)
    memory: Row = {
        "id": id, "kind": values["kind"], "title": values.get("title", ""), "content": content,
        "summary": values.get("description", ""), "slot": values.get("slot", ""), "value": values.get("value", ""),
        "status": values["state"], "verification": values["verification"], "trust": values["trust"],
        "revision": values["revision"], "fingerprint": same_as(content), "valid_from": values.get("valid_from", ""),
        "valid_to": values.get("valid_to", ""), "starts": -FOREVER if starts is None else starts,
        "stops": FOREVER if stops is None else stops,
        "recorded_at": values["recorded_at"], **{name: values.get(name, "") for name in _FROM_MEMORY},
    }  # fmt: skip
    labels = {**({"tags": values["tags"]} if values.get("tags") else {}), **values.get("metadata", {})}
    found: dict[str, list[Row]] = {
        "memory": [memory],
        "memory_label": [
            {"memory": id, "key": key, "place": place, "value": value}
            for key, several in labels.items()
            for place, value in enumerate(several if isinstance(several, list) else [several])
        ],
        "briefing": [{"memory": id, **one} for one in values.get("pinned", ())],
        "link": [{"from_id": id, "to_id": one["to"], **{k: v for k, v in one.items() if k != "to"}}
                 for one in values.get("links", ())],
    }  # fmt: skip
    for claim in values["claims"]:
        _unpack_claim(dict(claim), memory, quotes, found)
    return found


def _unpack_claim(given: Row, memory: Row, quotes: Sequence[Quoted], found: dict[str, list[Row]]) -> None:
    """Add the rows of one claim."""
    note, lost = given.pop("note", None), given.pop("lost_note", "")
    several = {name: given.pop(name, []) for name in ("evidence", "decisions", "revisions", "replaces", "mentions")}
    claim: Row = {**{name: memory[name] for name in _SHARED}, **_OWN, "memory": memory["id"], **given}
    id, own = claim["id"], ""
    if note is not None:
        note = dict(note)
        versions = note.pop("versions")
        own = versions[-1]["id"] if versions else ""
        source = {**rows.note_defaults(claim), "version": own, **note}
        add(found, "source", source)
        for one in versions:
            text = one.get("text", claim["content"])
            row = {**rows.version_defaults(text, claim["recorded_at"]), "source": source["id"], **one}
            row.pop("text", None)
            add(found, "version", row)
            add(found, "content", {"version": row["id"], "start": 0, "text": text})
        claim["note"] = source["id"]
    else:
        claim["note"] = lost
    add(found, "claim", claim)
    for place, one in enumerate(several["evidence"]):
        quote = one.get("quote", claim["content"])
        if isinstance(quote, int):
            quote = quotes[quote - 1].text
        start = one.get("start", 0)
        row = {"claim": id, "place": place, "since": 1, "until": 0, "version": own, "start": 0,
               "stop": start + len(quote), **one, "quote": quote}  # fmt: skip
        add(found, "evidence", row)
    for one in several["decisions"]:
        add(found, "decision", {"claim": id, **rows.DECISION, **one})
    for one in several["revisions"]:
        add(found, "claim_revision", {"claim": id, **one})
    for old in several["replaces"]:
        add(found, "replacement", {"claim": id, "old": old})
    for entity in several["mentions"]:
        add(found, "mention", {"claim": id, "entity": entity})


def add(found: dict[str, list[Row]], table: str, row: Row) -> None:
    """Add a row to those of its table."""
    found.setdefault(table, []).append(row)
