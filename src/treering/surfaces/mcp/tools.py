"""The tools: what each is called, takes and gives. The order here is the order that clients see.

An argument has the name of its option on the command line. Schemas are written by hand, because every
character of them is paid for in each of an agent's conversations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from treering.surfaces.mcp import calls

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.surfaces.mcp.calls import Call
    from treering.surfaces.mcp.replies import Reply

Json: TypeAlias = dict[str, Any]
Shape = Literal["text", "texts", "whole", "share", "flag", "labels", "operations"]


class Parameter(NamedTuple):
    """One argument of a tool.

    Attributes:
        name: as the agent writes it.
        shape: one text, several, a whole number, a number from 0 to 1, yes or no, keys with values, or operations.
        meaning: for the agent; empty where the name says it.
        choices: what a text may be; empty for anything.
        least: smallest whole number.
        most: largest whole number.
        is_needed: whether a call without it is refused.
    """

    name: str
    shape: Shape
    meaning: str = ""
    choices: tuple[str, ...] = ()
    least: int = 1
    most: int = 1_000_000_000
    is_needed: bool = False

    def schema(self) -> Json:
        """Return what the argument must be, as JSON Schema."""
        kinds: dict[Shape, Json] = {
            "text": {"type": "string"},
            "texts": {"type": "array", "items": {"type": "string"}},
            "whole": {"type": "integer"},
            "share": {"type": "number"},
            "flag": {"type": "boolean"},
            "labels": {"type": "object"},
            "operations": {"type": "array", "items": {"type": "object"}},
        }
        found = dict(kinds[self.shape])
        if self.choices:
            found["enum"] = list(self.choices)
        if self.meaning:
            found["description"] = self.meaning
        return found


class Tool(NamedTuple):
    """One tool.

    Attributes:
        name: as the agent calls it.
        title: for people.
        meaning: when to use it, for the agent.
        parameters: its arguments, the most important first.
        gives: properties of its structured result, as JSON Schema.
        run: carries a call out.
        writes: whether it changes the memory.
        is_slow: whether it may take long; such calls have threads of their own.
        is_core: whether every server offers it; the others come with ``--tools all``.
    """

    name: str
    title: str
    meaning: str
    parameters: tuple[Parameter, ...]
    gives: Json
    run: Callable[[Call], Reply]
    writes: bool = False
    is_slow: bool = False
    is_core: bool = True

    def input_schema(self) -> Json:
        """Return what its arguments must be; that others are refused is not said: the refusal says it."""
        found: Json = {
            "type": "object",
            "properties": {parameter.name: parameter.schema() for parameter in self.parameters},
        }
        needed = [parameter.name for parameter in self.parameters if parameter.is_needed]
        return {**found, "required": needed} if needed else found

    def output_schema(self) -> Json:
        """Return what its structured result has."""
        return {"type": "object", "properties": self.gives}


_TEXT: Final[Json] = {"type": "string"}
_WHOLE: Final[Json] = {"type": "integer"}
_OBJECTS: Final[Json] = {"type": "array"}

_DEPTH: Final = Parameter("depth", "text")
"""How much is shown; what the depths are stands where an agent asks first, and every refusal names them."""

KINDS: Final = ("episodic", "semantic", "project", "person", "decision", "procedure", "preference", "question")

TOOLS: Final = (
    Tool(
        "memory_context",
        "Ask memory",
        "Start here, before asking the user or guessing: what memory knows about a question: in force, "
        "disputed, open, before, pinned; cited; or INSUFFICIENT EVIDENCE.",
        (
            Parameter("question", "text", is_needed=True),
            Parameter("project", "text"),
            Parameter("participants", "texts"),
            Parameter("as_of", "text", "true then: 2026-10-15"),
            Parameter("known_at", "text", "recorded by then"),
            Parameter("from", "text"),
            Parameter("to", "text"),
            Parameter("history", "flag"),
            _DEPTH,
            Parameter("max_tokens", "whole", "default 900", least=100, most=100_000),
        ),
        {"current": _OBJECTS, "passages": _OBJECTS, "insufficient_evidence": {"type": "boolean"}},
        calls.context,
    ),
    Tool(
        "memory_search",
        "Search memory",
        "Search files and memories by words and meaning. Answers cite file:lines or id, or say NOT FOUND; "
        "AMBIGUOUS lists candidates: ask again with clue.",
        (
            Parameter("query", "text", is_needed=True),
            Parameter("clue", "text", "which one is meant"),
            Parameter("limit", "whole", most=100),
            Parameter("max_tokens", "whole", least=100, most=100_000),
            Parameter("in", "text", choices=("all", "memories", "sources", "code")),
            Parameter("path", "text", "folder or file"),
            Parameter("tags", "texts", "all of them"),
            Parameter("where", "labels", '{"kind": ["note"]}'),
            Parameter("source", "text"),
            Parameter("kinds", "texts"),
            Parameter("statuses", "texts"),
            Parameter("entities", "texts"),
            Parameter("as_of", "text"),
            Parameter("known_at", "text"),
            Parameter("from", "text"),
            Parameter("to", "text"),
            Parameter("mode", "text", choices=("hybrid", "keyword", "semantic", "tree")),
            _DEPTH._replace(meaning="L1 brief, L2, L3 whole"),
            Parameter("empty_gate", "share", "0 shows weak hits"),
        ),
        {"found": {"type": "boolean"}, "results": _OBJECTS},
        calls.search,
    ),
    Tool(
        "memory_get",
        "Read from memory",
        "Read memories, proposals, sources or chunks (ver_x#3) whole, by id or file, in pages.",
        (
            Parameter("ids", "texts", is_needed=True),
            Parameter("start_line", "whole"),
            Parameter("limit_lines", "whole"),
            Parameter("outline", "flag", "headings"),
            Parameter("history", "flag", "what it said before"),
            _DEPTH,
            Parameter("max_tokens", "whole", "default 4000", least=100, most=100_000),
        ),
        {"items": _OBJECTS},
        calls.get,
    ),
    Tool(
        "memory_list",
        "List memory",
        "What the memory holds: slots with what each says now, proposals that wait for the user, briefings (pinned), "
        "recent sources, roots (indexed folders).",
        (
            Parameter("view", "text", choices=calls.VIEWS, is_needed=True),
            Parameter("status", "texts", "archived, all"),
            Parameter("kind", "texts"),
            Parameter("slot", "text", "or subject"),
            _DEPTH,
            Parameter("since", "text", "of changes: 7d"),
            Parameter("limit", "whole", most=1000),
            Parameter("after", "text", "next of the page before"),
        ),
        {"items": _OBJECTS, "total": _WHOLE},
        calls.list_view,
    ),
    Tool(
        "memory_save",
        "Save to memory",
        "Save one fact, decision or preference that later sessions need, as one self-contained sentence. With a "
        "slot, a later answer supersedes the earlier one, which is kept. With id, change that memory. What the user "
        "must decide waits. No passwords or keys.",
        (
            Parameter("text", "text"),
            Parameter("kind", "text", choices=KINDS),
            Parameter("slot", "text", "topic with one answer: a/launch-date"),
            Parameter("value", "text", "short answer"),
            Parameter("valid_from", "text", "2026-03-10"),
            Parameter("valid_to", "text"),
            Parameter("replaces", "texts", "corrects: id or few words"),
            Parameter("entities", "texts"),
            Parameter("source", "text", "id or key, with quote"),
            Parameter("quote", "text", "verbatim"),
            Parameter("tags", "texts"),
            Parameter("title", "text"),
            Parameter("summary", "text"),
            Parameter("category", "text"),
            Parameter("metadata", "labels"),
            Parameter("id", "text"),
        ),
        {"outcome": _TEXT, "id": _TEXT},
        calls.save,
        writes=True,
    ),
    Tool(
        "memory_propose",
        "Change memory by operations",
        "Carry out several changes, all or none: "
        "create {memory: {content, kind, slot, value, valid_from, valid_to, title, summary, tags, metadata, entities, "
        "replaces, evidence: [{source_id, quote}]}}; supersede {old_ids, memory}; update {id, changes, evidence, "
        "revision}; link {from_id, to_id, type: contradicts|supports|causes|part_of|follows|related}; archive {id, "
        "reason}; restore {id}; merge {ids}. Claims without evidence and changes of confirmed memories wait for "
        "the user.",
        (Parameter("operations", "operations", 'each with "op" and its fields', is_needed=True),),
        {"outcomes": _OBJECTS},
        calls.propose,
        writes=True,
    ),
    Tool(
        "memory_add_source",
        "Add a source",
        "Keep a text or file, when the user asks, as evidence to quote; the same page again is a new version.",
        (
            Parameter("text", "text", "word for word"),
            Parameter("path", "text", "instead, a file of the project"),
            Parameter("title", "text"),
            Parameter("url", "text", "of the page: its identity"),
            Parameter("key", "text", "stable name without url"),
            Parameter("kind", "text", "meeting, chat, ticket, pull_request, web, document …"),
            Parameter("trust", "text", "agent: your own analysis", choices=("external", "agent")),
            Parameter("source_time", "text", "its own date, e.g. 2026-10-01"),
            Parameter("tags", "texts"),
            Parameter("metadata", "labels"),
            Parameter("extract", "flag", "also take memories out of meeting notes"),
        ),
        {"outcomes": _OBJECTS},
        calls.add_source,
        writes=True,
        is_slow=True,
    ),
    Tool(
        "memory_pin",
        "Pin for a while",
        "Raise memories in every answer while they matter now, for a few days; several are one briefing. Ends by "
        "itself, or with ttl 0.",
        (
            Parameter("ids", "texts", is_needed=True),
            Parameter("ttl", "text", "12h, 3d, 2w", is_needed=True),
        ),
        {"outcome": _TEXT, "id": _TEXT},
        calls.pin,
        writes=True,
    ),
    Tool(
        "memory_index",
        "Index folders",
        "Read folders of Markdown and text in place, only what changed, so that memory_search finds them. "
        "Files are never touched.",
        (
            Parameter("paths", "texts", "folders of the project"),
            Parameter("glob", "text", "only these files, e.g. docs/**/*.md"),
            Parameter("code", "flag", "source code, too"),
            Parameter("drop", "text", "instead, drop this folder from the index"),
        ),
        {"outcomes": _OBJECTS},
        calls.index,
        writes=True,
        is_slow=True,
    ),
    Tool(
        "mark_outdated",
        "Mark as outdated",
        "A memory no longer holds. With new, what holds instead takes its place; without, it ends. It stays readable.",
        (
            Parameter("old", "text", "its id, or a few words", is_needed=True),
            Parameter("new", "text", "what holds instead, as a sentence, or the id of a memory that says it"),
            Parameter("at", "text", "since when; default now"),
        ),
        {"outcome": _TEXT, "id": _TEXT, "changed": _OBJECTS},
        calls.mark_outdated,
        writes=True,
        is_core=False,
    ),
)
