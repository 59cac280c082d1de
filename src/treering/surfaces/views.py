"""From the API's values to JSON objects: one shape for all surfaces, as ``docs/reference`` lists it.

Every top-level object carries ``"schema": 1``. Keys of features that an object has nothing for are
present with null or an empty list, so that programs can rely on them. Text is untouched here; what a
terminal is shown stands in ``views_text``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from treering.domain.source import CODE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from treering.api.browsing import Item
    from treering.domain.ambiguity import Choice
    from treering.domain.evidence import Quoted
    from treering.domain.query import Answer, Result, TraceStep
    from treering.domain.report import IndexReport, Remembered, RootStatus, Shown, Status, Waiting
    from treering.domain.source import Skip
    from treering.records import StoredSource

JsonObject: TypeAlias = dict[str, Any]

SCHEMA: Final = 1
"""Raised when a key changes its meaning or goes away; new keys leave it as it is."""


def answer_json(answer: Answer, scope: str) -> JsonObject:
    """Return a search's answer.

    Args:
        answer: what the search returned.
        scope: of the store it came from: ``project``, ``global`` or ``named``.
    """
    return {
        "schema": SCHEMA,
        "query": answer.query,
        "mode": answer.mode,
        "results": [result_json(result, scope) for result in answer.results],
        "found": answer.found,
        "reason": answer.reason,
        "ambiguous": {"candidates": list(map(_choice_json, answer.ambiguous))} if answer.ambiguous else None,
        "confidence": round(answer.confidence, 4),
        "tokens": answer.tokens,
        "notices": list(answer.notices),
        "trace": trace_json(answer.trace),
        "descent": None if answer.descent is None else answer.descent._asdict() | {"path": list(answer.descent.path)},
    }


def _choice_json(choice: Choice) -> JsonObject:
    """Return one of the things that a question may mean."""
    return choice._asdict()


def trace_json(trace: Sequence[TraceStep]) -> list[JsonObject]:
    """Return what each step did."""
    return [
        {"step": step.step, "in": step.before, "out": step.after, "why": step.why, "ms": round(step.took_ms, 3)}
        for step in trace
    ]


def result_json(result: Result, scope: str) -> JsonObject:
    """Return one result. Each metadata key has a list of values, also where there is only one."""
    return {
        "id": result.id,
        "type": result.type,
        "scope": result.scope or scope,
        "title": result.title,
        "text": result.text,
        "path": [heading.title for heading in result.path],
        "source": {
            "id": result.source,
            "key": result.key,
            "file": result.file,
            "version": result.version,
            "trust": result.trust,
        },
        "lines": None if result.type == "memory" else list(result.lines),
        "status": result.status,
        "verification": result.verification,
        "kind": result.kind,
        "slot": result.slot or None,
        "value": result.value or None,
        "valid_from": result.valid_from or None,
        "valid_to": result.valid_to or None,
        "superseded_by": result.superseded_by or None,
        "tags": list(result.metadata.get("tags", ())),
        "metadata": metadata_json(
            {key: values for key, values in result.metadata.items() if result.type != "memory" or key != "tags"}
        ),
        "quotes": quotes_json(result.quotes),
        "trust": result.trust,
        "entities": list(result.entities),
        "recorded_at": result.recorded_at or None,
        "restatements": result.restatements,
        "score": round(result.score, 4),
        "tokens": result.tokens,
        "notices": list(result.notices),
        "chunks": []
        if result.type == "memory"
        else [
            {
                "id": hit.id,
                "path": [heading.title for heading in hit.path],
                "lines": list(hit.lines),
                "score": round(hit.score, 4),
            }
            for hit in result.chunks
        ],
    }


def index_json(reports: Sequence[IndexReport]) -> JsonObject:
    """Return what an index run did, one outcome for each root in the order they were named."""
    return {"schema": SCHEMA, "outcomes": [_report_json(report) for report in reports]}


def _report_json(report: IndexReport) -> JsonObject:
    """Return what an index run did with one root."""
    return {
        "outcome": "accepted",
        "root": report.root,
        "files": report.files,
        "added": report.added,
        "changed": report.changed,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "refreshed": report.refreshed,
        "left_behind": report.left_behind,
        "chunks": report.chunks,
        "skipped": _skips_json(report.skipped),
        "unparsed": _skips_json(report.unparsed),
        "took_s": round(report.took_s, 4),
        "notices": list(report.notices),
        "extracted": list(report.extracted),
    }


def status_json(status: Status) -> JsonObject:
    """Return where the memory is and what it holds."""
    return {
        "schema": SCHEMA,
        "store": status.store,
        "scope": status.scope,
        "project": status.project,
        "exists": status.exists,
        "read_only": status.read_only,
        "memories": status.memories,
        "sources": status.sources,
        "chunks": status.chunks,
        "characters": status.characters,
        "embedded": status.embedded,
        "model": status.model or None,
        "size_bytes": status.size_bytes,
        "store_schema": status.schema,
        "roots": [root_json(root) for root in status.roots],
        "notices": list(status.notices),
        "paused": status.paused or None,
        "beside": status_json(status.beside) if status.beside else None,
    }


def root_json(root: RootStatus) -> JsonObject:
    """Return one indexed directory."""
    return {
        "path": root.path,
        "present": root.present,
        "closed": root.closed or None,
        "glob": root.glob.removesuffix(CODE) or None,
        "code": root.glob.endswith(CODE),
        "trust": root.trust,
        "scope": root.scope or None,
        "files": root.files,
        "chunks": root.chunks,
        "scanned_at": root.scanned_at or None,
        "unscanned": root.unscanned,
        "stale": root.stale,
        "behind": root.behind,
        "held": list(root.held),
        "rules_error": root.rules_error or None,
        "skipped": _skips_json(root.skipped),
        "unparsed": _skips_json(root.unparsed),
    }


def source_json(source: StoredSource) -> JsonObject:
    """Return one source with its current version."""
    return {**source._asdict(), "scope": source.scope or None}


def item_json(item: Item) -> JsonObject:
    """Return one entry of a list."""
    from treering.domain.report import RootStatus  # a cold search shows no list
    from treering.records import StoredSource
    from treering.surfaces.views_kept import kept_json

    if isinstance(item, StoredSource):
        return source_json(item)
    return root_json(item) if isinstance(item, RootStatus) else kept_json(item)


def shown_json(shown: Shown | Remembered | Waiting, *, outline: bool = False) -> JsonObject:
    """Return a memory, a proposal, or a source or chunk with headings and text; with ``outline`` the text is null."""
    from treering.domain.report import Shown

    if not isinstance(shown, Shown):
        return item_json(shown)
    return {
        "id": shown.id,
        "kind": shown.kind,
        "title": shown.title,
        "key": shown.key,
        "source": shown.source,
        "version": shown.version,
        "lines": list(shown.lines),
        "text": None if outline else shown.text,
        "outline": [{"level": level, "title": title, "line": line} for level, title, line in shown.outline],
        "metadata": metadata_json(shown.metadata),
        "trust": shown.trust,
        "custody": shown.custody,
        "recorded_at": shown.recorded_at,
        "source_kind": shown.source_kind,
        "url": shown.url or None,
        "source_time": shown.source_time or None,
        "versions": list(shown.versions),
        "scope": shown.scope or None,
    }


def list_json(items: Iterable[JsonObject], total: int, following: str = "") -> JsonObject:
    """Return one page of a list.

    Args:
        items: the page's objects.
        total: how many there are on all pages.
        following: cursor of the next page; empty on the last.
    """
    return {"schema": SCHEMA, "items": list(items), "total": total, "next": following or None}


def error_json(code: str, message: str, hint: str, exit_status: int) -> JsonObject:
    """Return an error.

    Args:
        code: stable name for programs.
        message: what happened, to what.
        hint: the command that mends it; empty when there is none.
        exit_status: what the command line exits with.
    """
    return {"schema": SCHEMA, "error": {"code": code, "message": message, "hint": hint or None, "exit": exit_status}}


def metadata_json(metadata: dict[str, tuple[str, ...]]) -> JsonObject:
    """Return metadata; every key has a list of strings."""
    return {key: list(values) for key, values in metadata.items()}


def quotes_json(quotes: Iterable[Quoted]) -> list[JsonObject]:
    """Return what a memory rests on."""
    return [
        {
            "text": quote.text,
            "source_id": quote.source,
            "lines": list(quote.lines),
            "trust": quote.trust,
            "changed_since": quote.changed_since,
        }
        for quote in quotes
    ]


def _skips_json(skips: Iterable[Skip]) -> list[JsonObject]:
    """Return files that were left out, with the reason."""
    return [{"path": skip.path, "reason": skip.reason} for skip in skips]
