"""Memories with words that stand nowhere else, saved in every way in which words may be kept beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import treering
from treering.domain.operation import Outcome
from treering.domain.policy import Caller


def by_agent(memory: treering.MemoryStore, operation: dict[str, object]) -> Outcome:
    """Carry out an operation on an agent's behalf."""
    memory._caller, before = Caller("agent", "some-agent"), memory._caller
    try:
        (outcome,) = memory.propose(operation)
    finally:
        memory._caller = before
    return outcome


def fill_with_secrets(memory: treering.MemoryStore, secret: Callable[[str], str]) -> list[str]:
    """Save memories in every way in which words may be kept beside them; return what must be forgotten."""
    other = memory.remember("The pump runs at night.", slot="pump/hours", valid_from="2026-01-10", entities=["Kelp"]).id
    first = memory.remember(
        f"The {secret('one')} opens at ten.", slot="gate/opening", value=secret("two"), valid_from="2026-01-10",
        title=secret("three"), summary=secret("four"), tags=[secret("five")], metadata={secret("six"): secret("seven")},
        entities=[secret("eight"), "Kelp"],
    ).id  # fmt: skip
    memory.update(first, text=f"It opens with {secret('nine')}.", tags=["plain"])
    quoting = [{"source_id": f"note:{first}", "quote": secret("nine")}]
    draft = {"slot": "gate/opening", "value": secret("ten"), "valid_from": "2026-01-10", "evidence": quoting}
    disputed = by_agent(memory, {"op": "create", "memory": {**draft, "content": f"With {secret('eleven')}."}})
    memory.reject(disputed.id, reason=secret("twelve"))
    by_agent(memory, {"op": "update", "id": first, "changes": {"content": f"By {secret('thirteen')}."}})
    queued = by_agent(memory, {"op": "create", "memory": {"content": f"The {secret('fourteen')} sings."}})
    approved = memory.approve(queued.id).id
    again = by_agent(memory, {"op": "create", "memory": {"content": f"A {secret('fifteen')} walks."}})
    memory.approve(again.id)
    archived = memory.remember(f"The {secret('sixteen')} rests.").id
    memory.archive(archived, reason=secret("seventeen"))
    merged = memory.remember(f"The {secret('eighteen')} waits.").id
    memory.propose({"op": "merge", "ids": [archived, merged]})
    taken_back = memory.remember(f"The {secret('nineteen')} leaves.").id
    memory.undo()
    memory.link(first, other)
    with memory._reading() as tx:
        last = [one.id for one in tx.memories.list_memories([], 100, "") if secret("fifteen") in one.content]
    return [merged, archived, first, disputed.id, approved, taken_back, *last]


NUMBERS: Final = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen"
).split()
