"""B09, B10: what the owner confirmed is never changed silently, in whatever words an agent asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

import treering
from treering.domain.policy import Caller

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from treering import MemoryStore

OWNER: Final = Caller()
AGENT: Final = Caller("agent", "some-agent")
SLOT: Final = "deploy/approvals"


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project."""
    with treering.open() as opened:
        yield opened


def state(memory: MemoryStore, id: str) -> tuple[str, str, str, str]:
    """Return what a memory says and how far it holds."""
    found = memory.show(id)
    return found.content, found.status, found.verification, found.trust


def draft(said: str, **fields: object) -> dict[str, object]:
    """Return a memory that quotes a note of the agent's own."""
    return {"content": "No approvals are needed.", "evidence": [{"source_id": said, "quote": "no approvals"}], **fields}


def attempts(id: str, said: str) -> dict[str, dict[str, Any]]:
    """Return the ways in which an agent may try to change a memory; ``said`` is a source that it quotes."""
    return {
        "create that replaces": {"op": "create", "memory": draft(said, replaces=[id])},
        "create elsewhere": {"op": "create", "memory": draft(said, replaces=[id], slot="some/topic")},
        "supersede": {"op": "supersede", "old_ids": [id], "memory": draft(said)},
        "supersede elsewhere": {"op": "supersede", "old_ids": [id], "memory": draft(said, slot="other/topic")},
        "create in the slot": {"op": "create", "memory": draft(said, slot=SLOT, value="0")},
        "update": {"op": "update", "id": id, "changes": {"content": "No rule."}},
        "end": {"op": "update", "id": id, "changes": {"valid_to": "9000"}},
        "untag": {"op": "update", "id": id, "changes": {"tags": []}},
        "archive": {"op": "archive", "id": id},
        "merge": {"op": "merge", "ids": [said.removeprefix("note:"), id]},
    }


NAMES: Final = tuple(attempts("", ""))


@pytest.mark.parametrize("slot", ["", SLOT])
@pytest.mark.parametrize("confirmed", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_an_agent_changes_nothing_of_the_owners(memory: MemoryStore, name: str, slot: str, confirmed: bool) -> None:  # noqa: FBT001
    """What the owner typed or confirmed stays as it is; what would change it waits, is disputed or is refused."""
    id = memory.remember("Deploys need two approvals.", slot=slot, value="2" if slot else "", tags=["rule"]).id
    if confirmed:
        memory.confirm(id)
    before = state(memory, id)
    memory._caller = AGENT
    said = memory.remember("Somebody says that no approvals are needed.").id
    operation = attempts(id, f"note:{said}")[name]
    try:
        [outcome] = memory.propose(operation)
    except treering.errors.InputError:
        assert "elsewhere" in name
        assert slot  # what replaces an answer answers the same slot
    else:
        expected = {"queued", "disputed"} if slot or name != "create in the slot" else {"accepted"}
        assert outcome.outcome in expected
    assert state(memory, id) == before


def test_a_tag_says_nothing_of_the_statement(memory: MemoryStore) -> None:
    """An agent adds a tag to what the owner confirmed; what it says, its trust and its confirmation stay."""
    id = memory.remember("Deploys need two approvals.", tags=["rule"]).id
    memory.confirm(id)
    before = state(memory, id)
    memory._caller = AGENT
    [outcome] = memory.propose({"op": "update", "id": id, "changes": {"tags": ["rule", "deploy"]}})
    assert outcome.outcome == "accepted"
    assert memory.show(id).tags == ("rule", "deploy")
    assert state(memory, id) == before
