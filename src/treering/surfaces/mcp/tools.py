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
Shape = Literal["text", "texts", "whole", "share", "flag", "labels"]


class Parameter(NamedTuple):
    """One argument of a tool.

    Attributes:
        name: as the agent writes it.
        shape: one text, several, a whole number, a number from 0 to 1, yes or no, or keys with values.
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
            "whole": {"type": "integer", "minimum": self.least},
            "share": {"type": "number", "minimum": 0, "maximum": 1},
            "flag": {"type": "boolean"},
            "labels": {"type": "object"},
        }
        found = dict(kinds[self.shape])
        if self.choices:
            found["enum"] = list(self.choices)
        if self.shape == "whole" and self.most < 1_000_000_000:
            found["maximum"] = self.most
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
    """

    name: str
    title: str
    meaning: str
    parameters: tuple[Parameter, ...]
    gives: Json
    run: Callable[[Call], Reply]
    writes: bool = False
    is_slow: bool = False

    def input_schema(self) -> Json:
        """Return what its arguments must be."""
        found: Json = {
            "type": "object",
            "properties": {parameter.name: parameter.schema() for parameter in self.parameters},
            "additionalProperties": False,
        }
        needed = [parameter.name for parameter in self.parameters if parameter.is_needed]
        return {**found, "required": needed} if needed else found

    def output_schema(self) -> Json:
        """Return what its structured result has."""
        return {"type": "object", "properties": self.gives, "required": list(self.gives)}


_TEXT: Final[Json] = {"type": "string"}
_WHOLE: Final[Json] = {"type": "integer"}
_OBJECTS: Final[Json] = {"type": "array", "items": {"type": "object"}}

KINDS: Final = ("episodic", "semantic", "project", "person", "decision", "procedure", "preference", "question")

TOOLS: Final = (
    Tool(
        "memory_search",
        "Search memory",
        "Ask the user's memory: indexed files and saved memories, by words and meaning. Answers quote their source "
        "(file:lines or id), or say NOT FOUND. Start here before asking the user or guessing.",
        (
            Parameter("query", "text", "question in plain words", is_needed=True),
            Parameter("limit", "whole", "results at most; default 8", most=100),
            Parameter("max_tokens", "whole", "whole answer; default 900", least=100, most=100_000),
            Parameter("in", "text", choices=("all", "memories", "sources")),
            Parameter("path", "text", "only below this folder or file"),
            Parameter("tags", "texts", "must all be there"),
            Parameter("where", "labels", 'metadata filter, e.g. {"kind": ["decision", "note"]}'),
            Parameter("source", "text", "only this source id"),
            Parameter("mode", "text", choices=("hybrid", "keyword", "semantic")),
            Parameter("empty_gate", "share", "least evidence; 0 shows weak hits instead of NOT FOUND"),
        ),
        {"found": {"type": "boolean"}, "reason": {"type": ["string", "null"]}, "results": _OBJECTS, "tokens": _WHOLE},
        calls.search,
    ),
    Tool(
        "memory_get",
        "Read from memory",
        "Read memories, sources or chunks whole, by id (mem_…, src_…, ver_…#3) or file, page by page.",
        (
            Parameter("ids", "texts", is_needed=True),
            Parameter("start_line", "whole", "first line of a source"),
            Parameter("limit_lines", "whole"),
            Parameter("outline", "flag", "headings with lines instead of text"),
            Parameter("history", "flag", "also what a memory said before"),
            Parameter("max_tokens", "whole", "of all text; default 4000", least=100, most=100_000),
        ),
        {"items": _OBJECTS, "total": _WHOLE},
        calls.get,
    ),
    Tool(
        "memory_list",
        "List memory",
        "What the memory holds: saved memories, sources, what came last (recent), indexed folders (roots), or its "
        "status: where it is and what is behind.",
        (
            Parameter("view", "text", choices=calls.VIEWS, is_needed=True),
            Parameter("limit", "whole", "default 20", most=1000),
            Parameter("after", "text", "'next' of the page before"),
        ),
        {"items": _OBJECTS, "total": _WHOLE, "next": {"type": ["string", "null"]}},
        calls.list_view,
    ),
    Tool(
        "memory_save",
        "Save to memory",
        "Save one fact, decision or preference worth knowing in a later session, as a sentence that stands by itself. "
        "What is there already is not saved twice. With id, change that memory; what it said before is kept. "
        "No passwords or keys.",
        (
            Parameter("text", "text", "needed unless id is given"),
            Parameter("kind", "text", "default semantic", choices=KINDS),
            Parameter("tags", "texts"),
            Parameter("title", "text"),
            Parameter("summary", "text"),
            Parameter("category", "text"),
            Parameter("metadata", "labels"),
            Parameter("id", "text", "memory to change"),
        ),
        {"outcome": _TEXT, "id": _TEXT, "changed": _OBJECTS},
        calls.save,
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
            Parameter("drop", "text", "instead, drop this folder from the index"),
        ),
        {"outcomes": _OBJECTS},
        calls.index,
        writes=True,
        is_slow=True,
    ),
)
