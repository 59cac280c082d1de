"""Changes of memories to be interrupted, what they begin with, and what a store holds of memories."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from secret_memories import by_agent

import treering
from treering.backends.sqlite.engine import SCHEMA

HELD: Final = {
    "memories": "select m.content, m.title, m.kind, m.slot, m.value, m.status, m.why, m.verification, m.trust,"
    " m.revision, m.fingerprint, m.valid_from, m.valid_to, m.starts, m.stops, n.content,"
    " s.title, v.sha256, s.key = 'note:' || m.id from memory m left join source s on s.id = m.source"
    " left join version v on v.id = s.version left join memory n on n.id = m.superseded_by",
    "claims": "select c.content, m.content, c.id = m.id, c.title, c.slot, c.value, c.trust, c.actor, c.author,"
    " c.valid_from, c.valid_to, c.erased_at <> '' from claim c left join memory m on m.id = c.memory",
    "revisions": "select c.content, r.revision, r.content, r.title, r.labels from claim_revision r"
    " join claim c on c.id = r.claim",
    "evidence": "select c.content, e.place, e.since, e.until, e.start, e.stop, e.quote from evidence e"
    " join claim c on c.id = e.claim join version v on v.id = e.version",
    "decisions": "select c.content, d.number, d.kind, d.until, d.actor, d.reason, d.undone_at <> '' from decision d"
    " join claim c on c.id = d.claim",
    "replacements": "select c.content, o.content from replacement r join claim c on c.id = r.claim"
    " join claim o on o.id = r.old",
    "stretches": "select t.slot, t.start, t.stop, t.state, t.contested, m.content from stretch t"
    " left join memory m on m.id = t.memory",
    "proposals": "select p.state, c.content, p.operation, p.why, p.author, p.decided_at <> '', p.reason from proposal p"
    " left join claim c on c.id = p.claim",
    "names": "select e.name, e.kind, a.name, a.key from entity e join alias a on a.entity = e.id",
    "mentions": "select c.content, e.name from mention t join claim c on c.id = t.claim"
    " join entity e on e.id = t.entity",
    "links": "select a.content, l.type, b.content from link l join claim a on a.id = l.from_id"
    " join claim b on b.id = l.to_id",
    "acts": "select number, role, author, name, outcome, inverse <> '', undone from act",
    "labels": "select m.content, l.key, l.place, l.value from memory_label l join memory m on m.id = l.memory",
    "texts": "select c.text from content c join version v on v.id = c.version join source s on s.id = v.source",
    "words": "select term, doc, cnt from words_vocabulary",
    "sizes": "select (select count(*) from memory), (select count(*) from source), (select count(*) from version),"
    " (select count(*) from content), (select count(*) from evidence), (select count(*) from tombstone),"
    " (select count(*) from claim), (select count(*) from decision), (select count(*) from words_docsize)",
}
"""What a store holds of memories, without ids and times."""

SAVED: Final = {
    "kept": "The gateway retries five times.",
    "hidden": "The ledger closes at midnight.",
    "first": "Rollback takes two hours.",
    "second": "Backups run at three.",
}

SLOT: Final = "gate/closing"
KEEPER: Final = "gate/keeper"

Act = Callable[[treering.MemoryStore, dict[str, str]], object]
ACTS: Final[dict[str, Act]] = {
    "remember": lambda memory, ids: memory.remember("The harbour is frozen.", title="Ice", tags=["a", "b"]),
    "remember again": lambda memory, ids: memory.remember("the gateway retries five times", tags=["new"]),
    "update": lambda memory, ids: memory.update(ids["kept"], text="It retries six times.", title="Six", tags=["c"]),
    "archive": lambda memory, ids: memory.archive(ids["kept"]),
    "restore": lambda memory, ids: memory.restore_memory(ids["hidden"]),
    "forget": lambda memory, ids: memory.forget([ids["first"], ids["hidden"], ids["second"]]),
    "answer": lambda memory, ids: memory.remember(
        "The gate closes at noon.", slot=SLOT, value="12", valid_from="2026-02-10", entities=["Inés"], tags=["x"]
    ),
    "answer between": lambda memory, ids: memory.remember(
        "Inés kept the gate in 2023.", slot=KEEPER, value="Inés", valid_from="2023"
    ),
    "supersede": lambda memory, ids: memory.propose(
        {
            "op": "supersede",
            "old_ids": [ids["answer"]],
            "memory": {
                "content": "It closes at one.",
                "value": "13",
                "valid_from": "2026-04",
                "evidence": [{"source_id": f"note:{ids['kept']}", "quote": "five times"}],
            },
        }
    ),
    "reword": lambda memory, ids: memory.update(ids["answer"], text="Ten is when it closes.", valid_to="2026-05"),
    "put away": lambda memory, ids: memory.archive(ids["answer"], reason="it moved"),
    "confirm": lambda memory, ids: memory.confirm(ids["answer"]),
    "approve": lambda memory, ids: memory.approve(ids["waiting"]),
    "reject": lambda memory, ids: memory.reject(ids["waiting"], reason="it is wrong"),
    "merge": lambda memory, ids: memory.propose({"op": "merge", "ids": [ids["kept"], ids["second"]]}),
    "link": lambda memory, ids: memory.link(ids["kept"], ids["second"], type="supports"),
    "queue": lambda memory, ids: by_agent(memory, {"op": "archive", "id": ids["kept"]}),
    "undo": lambda memory, ids: memory.undo(),
    "forget an answer": lambda memory, ids: memory.forget([ids["answer"], ids["waiting"]], reason="told to"),
}


def held(project: Any, name: str) -> dict[str, list[Any]]:
    """Return what a store holds of memories, in order; nothing at all while its tables are not made."""
    with project.connected(name) as run:
        if run("pragma user_version") != [(SCHEMA,)]:
            return {}
        return {what: sorted(run(sql), key=repr) for what, sql in HELD.items()}


def prepare(project: Any, name: str) -> dict[str, str]:
    """Save memories, change one, hide one; let an agent contradict the answer to a slot; return their ids."""
    with project.open(name) as memory:
        ids = {key: memory.remember(text, tags=["old", key]).id for key, text in SAVED.items()}
        memory.update(ids["first"], text="Rollback takes one hour.", title="Rollback")
        memory.archive(ids["hidden"])
        for year, keeper in (("2021", "Ana"), ("2022", "Luis"), ("2024", "Mar")):
            memory.remember(f"{keeper} keeps the gate.", slot=KEEPER, value=keeper, valid_from=year)
        ids["answer"] = memory.remember(
            "The gate closes at ten.", slot=SLOT, value="10", valid_from="2026-01-10", entities=["Inés Prado"]
        ).id
        draft = {
            "content": "The gate closes at nine.", "slot": SLOT, "value": "9", "valid_from": "2026-01-10",
            "evidence": [{"source_id": f"note:{ids['kept']}", "quote": "gateway"}],
        }  # fmt: skip
        contradicted = by_agent(memory, {"op": "create", "memory": draft})
        assert contradicted.outcome == "disputed"
        ids["waiting"] = contradicted.id
    return ids
