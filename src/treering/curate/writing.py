"""Operations as JSON, on their way out: what ``reading`` takes back as the same value."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from treering.domain.operation import Archive, Confirm, Create, Link, Merge, Restore, Supersede, Update

if TYPE_CHECKING:
    from collections.abc import Iterable

    from treering.domain.operation import Citation, Draft, Labels, Operation

Json = dict[str, object]


def write_operation(operation: Operation) -> Json:
    """Return an operation as a JSON object, without what it leaves open."""
    said: Json
    match operation:
        case Create(memory):
            said = {"op": "create", "memory": _draft(memory)}
        case Supersede(old_ids, memory):
            said = {"op": "supersede", "old_ids": list(old_ids), "memory": _draft(memory)}
        case Update(id, changes, labels, evidence, revision):
            said = {"op": "update", "id": id, "changes": {**changes, **_labels(labels)}}
            said |= {"evidence": _evidence(evidence), "revision": revision}
        case Link(from_id, to_id, type):
            said = {"op": "link", "from_id": from_id, "to_id": to_id, "type": type}
        case Archive(id, reason, revision):
            said = {"op": "archive", "id": id, "reason": reason, "revision": revision}
        case Restore(id, revision):
            said = {"op": "restore", "id": id, "revision": revision}
        case Confirm(id, revision):
            said = {"op": "confirm", "id": id, "revision": revision}
        case Merge(ids):
            said = {"op": "merge", "ids": list(ids)}
        case _:
            assert_never(operation)
    return _filled(said)


def _draft(draft: Draft) -> Json:
    """Return a proposed memory as a JSON object."""
    rest = draft._asdict()
    del rest["labels"]
    rest["entities"] = [entity._asdict() for entity in draft.entities]
    rest["evidence"] = _evidence(draft.evidence)
    rest["replaces"] = list(draft.replaces)
    return _filled({**rest, **_labels(draft.labels)})


def _evidence(evidence: Iterable[Citation]) -> list[Json]:
    """Return quotes as JSON objects."""
    return [_filled({"source_id": one.source, "quote": one.quote, "version": one.version}) for one in evidence]


def _labels(labels: Labels) -> Json:
    """Return tags and metadata as the two fields that they have in JSON."""
    metadata = {key: list(values) for key, values in labels.items() if key != "tags"}
    tags: Json = {"tags": list(labels["tags"])} if "tags" in labels else {}
    return {**tags, "metadata": metadata} if metadata else tags


def _filled(fields: Json) -> Json:
    """Return fields without the empty ones."""
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}
