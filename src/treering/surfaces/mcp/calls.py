"""What each tool does: one call, one method of the memory, one reply."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treering.domain.context import Context
from treering.domain.depth import DEPTHS, in_short
from treering.domain.query import Answer
from treering.domain.text import llm_tokens
from treering.errors import InputError, NotFound, Refused
from treering.surfaces import views, views_context, views_text
from treering.surfaces.mcp.fitting import AROUND_TOKENS, ATTEMPTS, LEAST_ROOM, WORTH_SHOWING, cut, fitted, not_shown
from treering.surfaces.mcp.replies import DATA, Reply, called

if TYPE_CHECKING:
    from treering.domain.operation import Outcome
    from treering.surfaces.mcp.workplace import Workplace

VIEWS: Final = (
    "memories", "sources", "slots", "entities", "proposals", "briefings", "recent", "changes", "roots", "status",
)  # fmt: skip
_DATA_TOKENS: Final = llm_tokens(DATA) + 1
EMPTY: Final = "INSUFFICIENT EVIDENCE: the memory is empty.\n"
_GET_TOKENS: Final = 4000
_LIST_LIMIT: Final = 20
_LATELY: Final = "7d"


class Call(NamedTuple):
    """One call of a tool.

    Attributes:
        workplace: where it is carried out.
        given: its arguments, checked.
        stopped: set when nobody waits for the outcome any more.
    """

    workplace: Workplace
    given: dict[str, Any]
    stopped: Event


class Stopped(Exception):
    """Nobody waits for the outcome any more."""


def search(call: Call) -> Reply:
    """Answer a question."""
    memory = call.workplace.memory
    try:
        answer = _asked(call)
    except NotFound:
        if memory.status().exists:
            raise
        answer = Answer(call.given["query"], call.given.get("mode", "hybrid"), (), "empty_store", 0.0, 0)
    shown = views.answer_json(answer._replace(trace=()), memory.place.scope)
    if answer.ambiguous:
        following = called("memory_search", query=call.given["query"], clue="…")
        return Reply(f"{DATA}{views_text.answer_text(answer)}next: ask the user, or {following}\n", shown)
    if not answer.found:
        return Reply(f"{views_text.answer_text(answer)}{_next_step(answer)}", shown)
    shown["tokens"] += _DATA_TOKENS
    text = views_text.answer_text(answer._replace(tokens=shown["tokens"]))
    return Reply(DATA + text, shown)


def context(call: Call) -> Reply:
    """Answer a question from all that is known."""
    memory, given = call.workplace.memory, call.given
    max_tokens = given.get("max_tokens", memory.settings.search_max_tokens)
    try:
        answer = memory.context(
            given["question"],
            project=given.get("project", ""),
            participants=given.get("participants", ()),
            as_of=given.get("as_of", ""),
            known_at=given.get("known_at", ""),
            from_=given.get("from", ""),
            to=given.get("to", ""),
            history=given.get("history", False),
            max_tokens=max(50, max_tokens - _DATA_TOKENS),
            depth=given.get("depth", ""),
        )
    except NotFound:
        if memory.status().exists:
            raise
        answer = Context(given["question"], insufficient_evidence=True, text=EMPTY)
    shown = views_context.context_json(answer._replace(trace=()), memory.place.scope)
    shown["tokens"] += _DATA_TOKENS
    return Reply(DATA + shown.pop("text"), shown)


def _asked(call: Call) -> Answer:
    """Return the memory's answer, with room for the line above it."""
    given = call.given
    memory = call.workplace.memory
    path = given.get("path")
    max_tokens = given.get("max_tokens", memory.settings.search_max_tokens)
    return memory.search(
        given["query"],
        path=None if path is None else call.workplace.confined(path),
        where=given.get("where"),
        tags=given.get("tags", ()),
        source=given.get("source"),
        in_=given.get("in", "all"),
        kind=given.get("kinds", ()),
        status=given.get("statuses", ()),
        entity=given.get("entities", ()),
        as_of=given.get("as_of", ""),
        known_at=given.get("known_at", ""),
        from_=given.get("from", ""),
        to=given.get("to", ""),
        limit=given.get("limit"),
        max_tokens=max(50, max_tokens - _DATA_TOKENS),
        empty_gate=given.get("empty_gate"),
        mode=given.get("mode"),
        clue=given.get("clue", ""),
        depth=given.get("depth", ""),
    )


def _next_step(answer: Answer) -> str:
    """Return what may bring more when nothing answers."""
    calls = {
        "empty_store": called("memory_index", paths=["."]) + " if the user agrees",
        "filtered_out": called("memory_list", view="sources"),
        "empty_gate": "other words, or empty_gate=0 for the weak hits",
        "over_budget": "allow more with max_tokens",
    }
    return f"next: {calls.get(answer.reason or '', 'ask with other words')}\n"


def get(call: Call) -> Reply:
    """Show what was named, whole, as far as it fits."""
    given = call.given
    memory = call.workplace.memory
    outline = given.get("outline", False)
    left = given.get("max_tokens", _GET_TOKENS) - _DATA_TOKENS
    history = given.get("history", False)
    zone = memory.zone
    texts, items = [], []
    for place, name in enumerate(given["ids"]):
        if place and left < WORTH_SHOWING:
            texts.append(not_shown(given["ids"][place:], left))
            break
        shown = memory.show(
            name,
            start_line=given.get("start_line", 1),
            limit_lines=given.get("limit_lines"),
            depth=given.get("depth", ""),
        )
        part, text = shown, ""
        room = max(left - AROUND_TOKENS, LEAST_ROOM)
        for _ in range(ATTEMPTS):
            part, following = fitted(shown, name, room, outline=outline)
            text = views_text.shown_text(part, outline=outline, history=history, zone=zone) + following
            if (over := llm_tokens(text) - left) < 0 or room == LEAST_ROOM:
                break
            room = max(room - over - 1, LEAST_ROOM)
        text = cut(text, left)
        left -= llm_tokens(text)
        texts.append(text)
        items.append(views.shown_json(part, outline=outline))
    return Reply(DATA + "\n".join(texts), views.list_json(items, len(items)))


def list_view(call: Call) -> Reply:
    """List one page of what the memory holds, or say how it is."""
    view = call.given["view"]
    memory = call.workplace.memory
    if view == "status":
        status = memory.status()
        following = (
            "" if status.roots or status.memories else 'next: memory_index(paths=["."]) or memory_save(text=…)\n'
        )
        item = views.status_json(status)
        return Reply(views_text.status_text(status) + following, views.list_json([item], 1))
    if view == "changes":
        return _changes(call)
    narrowed = {name: call.given[name] for name in ("status", "kind", "slot", "depth") if name in call.given}
    try:
        page = memory.list(
            view, limit=call.given.get("limit", _LIST_LIMIT), after=call.given.get("after", ""), **narrowed
        )
    except NotFound:  # no store yet
        return Reply(
            f"0 {view}: nothing is saved or indexed yet\nnext: {called('memory_index', paths=['.'])}\n",
            views.list_json([], 0),
        )
    zone = memory.zone
    text = "".join(views_text.item_text(item, zone, memory.place.scope) for item in page.items)
    more = f"next: {called('memory_list', view=view, **narrowed, after=page.next)}\n" if page.next else ""
    listed = views.list_json(map(views.item_json, page.items), page.total, page.next or "")
    return Reply(f"{DATA if text else ''}{text}{len(page.items)} of {page.total} {view}\n{more}", listed)


def _changes(call: Call) -> Reply:
    """List what changed since a day."""
    from treering.surfaces import views_tree

    memory = call.workplace.memory
    try:
        found = memory.changes(call.given.get("since", _LATELY), limit=call.given.get("limit", _LIST_LIMIT))
    except NotFound:  # no store yet
        return Reply("0 changes: nothing is saved or indexed yet\n", views.list_json([], 0))
    depth = call.given.get("depth", "")
    if depth and depth not in DEPTHS:
        raise InputError(f"depth={depth!r}; possible are {', '.join(DEPTHS)}")
    if depth == "L1":
        found = found._replace(items=tuple(one._replace(text=in_short(one.text)) for one in found.items))
    text = views_tree.changed_text(found, memory.zone, memory.place.scope)
    return Reply(DATA + text if found.items else text, views_tree.changed_json(found))


_LABELS: Final = ("kind", "title", "summary", "tags", "value", "valid_from", "valid_to")
_CLAIM: Final = ("slot", "replaces", "entities", "source", "quote")


def save(call: Call) -> Reply:
    """Save a memory, or change one."""
    call.workplace.may_write()
    given = call.given
    memory = call.workplace.memory
    metadata = given.get("metadata")
    if "category" in given:
        metadata = {**(metadata or {}), "category": [given["category"]]}
    said = {name: given[name] for name in _LABELS if name in given}
    claimed = {name: given[name] for name in _CLAIM if name in given}
    if "id" in given:
        if claimed:
            names = " and ".join(claimed)
            raise InputError(f"memory_save: {names} cannot be changed of a memory; save a new one that replaces it")
        return _told(call, memory.update(given["id"], text=given.get("text"), metadata=metadata, **said), "Changed")
    if not given.get("text", "").strip():
        raise InputError("memory_save: text is missing: one sentence that stands by itself")
    outcome = memory.with_similar(memory.remember(given["text"], metadata=metadata, **said, **claimed))
    return _told(call, outcome, "Remembered")


def pin(call: Call) -> Reply:
    """Pin memories for a while, or end a briefing."""
    from treering.surfaces.views_briefings import pinned_text
    from treering.surfaces.views_memory import outcome_json

    call.workplace.may_write()
    memory, ids, ttl = call.workplace.memory, call.given["ids"], call.given["ttl"]
    ends = not ttl.strip().strip("0mhdwy")
    if ends and len(ids) != 1:
        raise InputError("memory_pin: one briefing ends at a time, by the id that memory_list(view='briefings') shows")
    outcome = memory.unpin(ids[0]) if ends else memory.pin(ids, ttl=ttl)
    done = "Unpinned" if ends else "Pinned"
    return Reply(pinned_text(outcome, done, called("memory_list", view="briefings")), outcome_json(outcome))


def mark_outdated(call: Call) -> Reply:
    """Say that a memory holds no longer."""
    call.workplace.may_write()
    given = call.given
    outcome = call.workplace.memory.mark_outdated(given["old"], given.get("new", ""), at=given.get("at", ""))
    return _told(call, outcome, "Remembered" if "new" in given else "Ended")


def _told(call: Call, outcome: Outcome, done: str) -> Reply:
    """Return what became of one change, and in which memory."""
    from treering.surfaces import views_memory

    memory = call.workplace.memory
    place = {"project": f"project {memory.place.project}", "global": "the user's own store; no project here"}
    text = views_memory.outcome_text(outcome, done, called("memory_get", ids=[outcome.proposal or outcome.id]))
    line, _, rest = text.partition("\n")
    where = place.get(memory.place.scope, memory.place.database)
    return Reply(f"{line}  ({views_text.clean_line(where)})\n{rest}", views_memory.outcome_json(outcome))


def add_source(call: Call) -> Reply:
    """Keep a text, or a file, as an original."""
    from treering.surfaces import views_import

    call.workplace.may_write()
    given = dict(call.given)
    text, path = given.pop("text", ""), given.pop("path", "")
    if bool(text) == bool(path):
        raise InputError("memory_add_source: give text, or the path of a file, and not both")
    if path and given.pop("title", ""):
        raise InputError("memory_add_source: title is for text; a file has its own")
    with call.workplace.apart() as memory:
        if text:
            imported = [memory.note(text, **given)]
        else:
            imported = list(memory.import_(call.workplace.absolute(path), **given))
    kept = [one for one in imported if one.outcome != "skipped"]
    following = called("memory_list", view="recent")
    if len(kept) == 1:
        following = f"{called('memory_get', ids=[kept[0].id])}; quote it by this id"
    text = f"{views_import.imported_text(imported)}next: {following}\n"
    return Reply(text, views_import.imported_json(imported), is_error=not kept)


def propose(call: Call) -> Reply:
    """Carry operations out, all of them or none."""
    from treering.surfaces import views_memory

    call.workplace.may_write()
    outcomes = call.workplace.memory.propose(call.given["operations"])
    text = "".join(f"{number}. {views_memory.outcome_text(one, 'Done:')}" for number, one in enumerate(outcomes, 1))
    waits = any(outcome.proposal for outcome in outcomes)
    following = called("memory_list", view="proposals" if waits else "memories")
    return Reply(f"{text}next: {following}\n", views_memory.batch_json(outcomes))


def index(call: Call) -> Reply:
    """Index folders, or drop one from the index."""
    call.workplace.may_write()
    given = call.given
    if "drop" in given:
        if given.get("paths"):
            raise InputError("memory_index: paths and drop are two things; call it once for each")
        return _drop(call)
    if not given.get("paths"):
        raise InputError(f"memory_index: paths is missing; the project is {called('memory_index', paths=['.'])}")
    paths = [call.workplace.confined(path) for path in given["paths"]]

    def progress(_done: int, _total: int) -> None:
        """End the run where nobody waits for it; what is indexed by then stays."""
        if call.stopped.is_set():
            raise Stopped

    with call.workplace.apart() as memory:
        reports = memory.index(paths, glob=given.get("glob", ""), code=given.get("code", False), progress=progress)
    text = "".join(map(views_text.index_text, reports)) + views_text.store_text(call.workplace.memory.place)
    following = "memory_search(query=…)" if any(report.files for report in reports) else 'memory_list(view="status")'
    return Reply(f"{text}next: {following}\n", views.index_json(reports))


def _drop(call: Call) -> Reply:
    """Drop a folder of the index; files are never touched."""
    from treering.surfaces import views_forget

    path = call.workplace.confined(call.given["drop"])
    memory = call.workplace.memory
    planned = memory.forget_directory(path, dry_run=True)
    if len(planned.roots) > 1:
        raise Refused(f"{path} holds {len(planned.roots)} indexed folders", hint=called("memory_list", view="roots"))
    report = memory.forget_directory(path)
    return Reply(
        views_forget.forgotten_text(report) + f"next: {called('memory_list', view='roots')}\n",
        views_forget.forgotten_json([report]),
    )
