"""Limits: a memory of which nothing deeper than L1 or L2 is shown, whoever asks and by whatever way.

Everything that leaves passes here. A method that is named in no table below is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Self

from treering.domain.depth import DEPTHS
from treering.errors import InputError, NotAllowed, QuoteNotFound, Refused, TreeringError

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.api.store import MemoryStore
    from treering.domain.operation import Outcome

AS_IT_IS: Final = frozenset({
    "place", "beside", "hand_out", "settings", "zone", "lock", "is_trusted", "close", "with_similar",
})  # fmt: skip
"""What holds no words of anybody's."""

AT_A_DEPTH: Final = frozenset({"ask", "search", "context", "show", "list"})
"""What is asked for at a depth, which is the limit's where none or a deeper one is meant."""

READS: Final = AT_A_DEPTH | {
    "audit", "audit_size", "briefings", "conflicts", "facts", "review", "review_show", "status", "timeline",
    "timelines", "timelines_about", "verify",
}  # fmt: skip

WRITES: Final = frozenset({
    "approve", "archive", "confirm", "embed_behind", "end_session", "ensure_embeddings", "entity_alias",
    "entity_merge", "forget", "forget_directory", "import_", "import_bytes", "index", "init", "link",
    "load_embedder", "mark_outdated", "note", "pin", "propose", "record_fact", "reindex", "reject", "remember",
    "restore_memory", "trust", "undo", "unpin", "update",
})  # fmt: skip

ONLY_L2: Final = frozenset({"active_state", "entities", "state_at"})
"""What has no shape at L1: it is off there."""

OFF: Final = frozenset({
    "add_pattern", "again", "backup", "changes", "code_find", "code_map", "consolidate", "digest_output", "doctor",
    "duplicates", "export", "export_bundle", "import_bundle", "mirror_folder", "pause", "read_file", "rebuild",
    "receipts", "resume", "scratch_note", "scratch_recall", "similar", "stats", "summariser", "sync", "take_in",
    "tree", "write_mirror",
})  # fmt: skip
"""What hands out whole texts, and the workbench, which reads files: off for a limited caller."""

_L2_LINES: Final = 40
"""Of a source's text at L2: its beginning; passages are what ``search`` finds."""

_L1_LISTS: Final = ("entities",)


class Limited:
    """A memory that shows nothing deeper than its limit; otherwise used as any other."""

    def __init__(self, memory: MemoryStore, depth: str) -> None:
        """Show ``memory`` down to ``depth``."""
        self._memory = memory
        self.max_depth = depth

    def __enter__(self) -> Self:
        """Return the memory itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the memory."""
        self._memory.close()

    @staticmethod
    def with_similar(outcome: Outcome) -> Outcome:
        """Return the outcome of a save; which memories say nearly the same is not told here."""
        return outcome

    def again(self) -> Limited:
        """Return the same memory through a connection of its own, as limited as this one."""
        return Limited(self._memory.again(), self.max_depth)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a memory has
        """Return a method of the memory that keeps to the limit.

        Raises:
            AttributeError: if a memory has no such method.
            NotAllowed: if it hands out more than the limit.
        """
        if name in AS_IT_IS:
            return getattr(self._memory, name)
        if name.startswith("_") or not hasattr(self._memory, name):
            raise AttributeError(name)
        if (name in READS or name in WRITES) or (name in ONLY_L2 and self.max_depth != "L1"):
            return self._kept(name, getattr(self._memory, name))
        raise NotAllowed(
            f"{name} is off: this memory is limited to {self.max_depth}",
            hint="the owner can lift the limit: access.max_depth, or --max-depth of the server",
        )

    def _kept(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        """Return a method whose outcome, errors included, keeps to the limit."""

        def call(*given: Any, **named: Any) -> Any:  # noqa: ANN401 - as the method takes and returns it
            self._narrow(name, given, named)
            try:
                found = method(*given, **named)
            except TreeringError as error:
                raise self._told(name, named, error) from None
            except Exception as error:  # noqa: BLE001 - its words, and those of its causes, may be anybody's
                raise RuntimeError(f"{name}: {type(error).__name__}") from None
            if self.max_depth == "L1":
                from treering.api.shallows import shallowed

                return found if name == "verify" else shallowed(found)
            return found

        return call

    def _narrow(self, name: str, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        """Ask for what the limit allows, in place.

        Raises:
            NotAllowed: if more was asked for.
            InputError: if there is no such depth.
        """
        asked = named.get("depth") or ""
        if asked and asked not in DEPTHS:
            raise InputError(f"depth={asked!r}; possible are {', '.join(DEPTHS)}")
        if asked > self.max_depth:
            raise NotAllowed(f"this memory is limited to {self.max_depth}", hint=f"--depth {self.max_depth}")
        if name not in AT_A_DEPTH:
            return
        named["depth"] = asked or min(self._memory.settings.search_depth, self.max_depth)
        if name == "list" and self.max_depth == "L1" and (given or (named.get("what"),))[0] in _L1_LISTS:
            raise NotAllowed("entities are not listed: this memory is limited to L1", hint="treering list memories")
        if name == "ask":
            named["clue_provider"] = None  # it would be shown more
        if name == "show":  # page by page a text would be shown whole
            named["start_line"] = 1
            named["limit_lines"] = (
                None if self.max_depth == "L1" else min(named.get("limit_lines") or _L2_LINES, _L2_LINES)
            )

    def _told(self, name: str, named: dict[str, Any], error: TreeringError) -> TreeringError:
        """Return an error without words of what is kept: those of a change may quote it."""
        own_words = isinstance(error, Refused) and not isinstance(error, QuoteNotFound)
        plain = isinstance(error, InputError) and name not in {"propose", "mark_outdated"} and not named.get("replaces")
        if self.max_depth != "L1" or name in READS or own_words or plain:
            return error
        return type(error)(f"{name} was refused ({error.code}); this memory is limited to L1, so no more is said")
