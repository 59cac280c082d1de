"""Proposals and the audit log: the relational half, written once for both databases."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from treering.backends.engine import next_number, upsert, upsertion
from treering.backends.space import InSpace
from treering.domain.stats import Handed
from treering.journal import StoredAct, StoredProposal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from treering.journal import ProposalState

_PROPOSAL: Final = f"select {', '.join(StoredProposal._fields)} from proposal where space = :space"
_ACT_COLUMNS: Final = tuple(name for name in StoredAct._fields if name != "scope")  # its store is not written down
_PUT_ACT: Final = upsertion("act", 2, ("space", *_ACT_COLUMNS))
_ACT: Final = f"select {', '.join(_ACT_COLUMNS)} from act where space = :space"


class SqlJournal(InSpace):
    """``ports.curated.Journal`` in the common SQL of SQLite and PostgreSQL."""

    def put_proposal(self, proposal: StoredProposal) -> None:
        """Store a proposal, new or changed."""
        upsert(self._db, "proposal", 2, self._params(**proposal._asdict()))

    def proposals(self, ids: Sequence[str]) -> dict[str, StoredProposal]:
        """Return the known ones among ``ids``."""
        return {row[0]: StoredProposal(*row) for row in self._in(f"{_PROPOSAL} and id in", ids)}

    def list_proposals(self, state: ProposalState | None, limit: int, after: str = "") -> list[StoredProposal]:
        """Return proposals of a state by id."""
        sql = f"{_PROPOSAL} and (:state = '' or state = :state) and id > :after order by id limit :limit"
        rows = self._db.rows(sql, self._params(state=state or "", after=after, limit=limit))
        return [StoredProposal(*row) for row in rows]

    def waiting(self, operation: str) -> str:
        """Return the proposal that waits with exactly this operation."""
        sql = "select id from proposal where space = :space and state = 'waiting' and operation = :operation"
        found = self._db.rows(sql, self._params(operation=operation))
        return str(found[0][0]) if found else ""

    def count_proposals(self, state: ProposalState | None) -> int:
        """Return how many proposals have a state."""
        sql = "select count(*) from proposal where space = :space and (:state = '' or state = :state)"
        return int(self._db.rows(sql, self._params(state=state or ""))[0][0])

    def about(self, claims: Sequence[str]) -> dict[str, StoredProposal]:
        """Return the newest proposal about each of the claims that has one."""
        rows = sorted(self._in(f"{_PROPOSAL} and claim <> '' and claim in", claims))
        return {row[2]: StoredProposal(*row) for row in rows}

    def naming(self, id: str, words: Iterable[str] = ()) -> list[StoredProposal]:
        """Return the proposals about a claim, or whose operation names its id or has one of the texts."""
        sql = f"{_PROPOSAL} and (claim = :id or operation like :pattern escape '!')"
        found: set[StoredProposal] = set()
        for text in (id, *words):
            written = json.dumps(text, ensure_ascii=False)
            for sign in "!%_":
                written = written.replace(sign, f"!{sign}")
            rows = self._db.rows(sql, self._params(id=id, pattern=f"%{written}%"))
            found.update(StoredProposal(*row) for row in rows)
        return sorted(found)

    def remove_proposal(self, id: str) -> None:
        """Remove a proposal without a trace."""
        self._db.run("delete from proposal where space = :space and id = :id", self._params(id=id))

    def hand_out(self, given: Handed) -> None:
        """Add answers and their tokens to those that a client was given on a day."""
        self._db.run(
            "insert into handed (space, day, client, answers, tokens) values (:space, :day, :client, :answers, :tokens)"
            " on conflict (space, day, client) do update set answers = handed.answers + excluded.answers,"
            " tokens = handed.tokens + excluded.tokens",
            self._params(**given._asdict()),
        )

    def handed_out(self) -> list[Handed]:
        """Return what clients were given, the last day first, then by client."""
        sql = "select day, client, answers, tokens from handed where space = :space order by day desc, client"
        return [Handed(*row) for row in self._db.rows(sql, self._params())]

    def record(self, act: StoredAct) -> int:
        """Add a line to the audit log and return its number."""
        number = next_number(self._db, self._space, "act", 1)
        values = {name: getattr(act, name) for name in _ACT_COLUMNS}
        self._db.run(_PUT_ACT, {"space": self._space, **values, "number": number, "undone": 0})
        return number

    def acts(self, limit: int, before: int = 0, target: str = "") -> list[StoredAct]:
        """Return lines of the audit log, newest first."""
        parts = ("and number < :before" if before else "", "and target = :target" if target else "")
        rows = self._db.rows(
            f"{_ACT} {' '.join(parts)} order by number desc limit :limit",
            self._params(
                limit=limit, **({"before": before} if before else {}), **({"target": target} if target else {})
            ),
        )
        return [StoredAct(*row)._replace(undone=bool(row[-1])) for row in rows]

    def count_acts(self, target: str = "") -> int:
        """Return how many lines the audit log has."""
        sql = "select count(*) from act where space = :space and (:target = '' or target = :target)"
        return int(self._db.rows(sql, self._params(target=target))[0][0])

    def mark_undone(self, number: int) -> None:
        """Note that an act was taken back."""
        self._db.run("update act set undone = 1 where space = :space and number = :number", self._params(number=number))
