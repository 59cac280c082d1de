"""Claims with what they rest on and what was decided on them: the relational half, written once for both databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.backends.engine import by_index, in_list, next_number, slices, upsert, upsertion
from treering.backends.space import InSpace
from treering.journal import Near, StoredClaim, StoredDecision, StoredRevision, StoredStretch
from treering.records import Quote

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from treering.backends.engine import Value

_CLAIM: Final = f"select {', '.join(StoredClaim._fields)} from claim where space = :space"
_PUT: Final = upsertion("claim", 2, ("space", *StoredClaim._fields))
_DECISION: Final = f"select {', '.join(StoredDecision._fields)} from decision where space = :space"
_STRETCH: Final = f"select {', '.join(StoredStretch._fields)} from stretch where space = :space"
# How many claims a slot has, and how many of them are not judged by their date and trust alone, or state a value.
_ODD: Final = (
    "select count(*), count(case when c.valid_from = '' or c.erased_at <> ''"
    " or exists (select 1 from decision d where d.space = c.space and d.claim = c.id)"
    " or exists (select 1 from replacement r where r.space = c.space and r.claim = c.id) then 1 end),"
    " count(case when c.value <> '' then 1 end)"
    " from claim c where c.space = :space and c.slot = :slot and c.slot <> ''"
)
# The end of what began last, and of what was before it: whoever wrote last about what ended since wrote about these.
_LATELY: Final = (
    "select s.stop, m.status from stretch s join memory m on m.space = s.space and m.id = s.memory"
    " where s.space = :space and s.slot = :slot and s.start <= :now order by s.start desc limit 2"
)
_REVISION: Final = f"select {', '.join(StoredRevision._fields)} from claim_revision where space = :space"


class SqlClaims(InSpace):
    """``ports.claims.Claims`` in the common SQL of SQLite and PostgreSQL."""

    # What was said

    def put(self, claim: StoredClaim) -> None:
        """Store a claim, new or changed."""
        self._db.run(_PUT, {"space": self._space, **claim._asdict()})

    def claims(self, ids: Sequence[str]) -> dict[str, StoredClaim]:
        """Return the known ones among ``ids``."""
        return {row[0]: StoredClaim(*row) for row in self._in(f"{_CLAIM} and id in", ids)}

    def of_slot(self, slot: str) -> list[StoredClaim]:
        """Return all claims of a slot by id."""
        # Without the second condition the planner does not see that the index without slotless claims will do; with an
        # order it reads all claims by their id: 1.2 instead of 0.03 ms among 10,000.
        rows = self._db.rows(f"{_CLAIM} and slot = :slot and slot <> ''", self._params(slot=slot))
        return [StoredClaim(*row) for row in sorted(rows)]

    def of_memories(self, memories: Sequence[str]) -> dict[str, list[StoredClaim]]:
        """Return the claims that each given memory holds."""
        found: dict[str, list[StoredClaim]] = {memory: [] for memory in memories}
        for row in sorted(self._in(f"{_CLAIM} and memory in", memories)):
            found[row[1]].append(StoredClaim(*row))
        return found

    def slots(self, limit: int, after: str = "") -> list[str]:
        """Return the names of slots in order."""
        sql = "select distinct slot from claim where space = :space and slot <> '' and slot > :after order by slot"
        return [row[0] for row in self._db.rows(f"{sql} limit :limit", self._params(after=after, limit=limit))]

    def count_slots(self) -> int:
        """Return the number of slots."""
        sql = "select count(distinct slot) from claim where space = :space and slot <> ''"
        return int(self._db.rows(sql, self._params())[0][0])

    def put_replaced(self, claim: str, olds: Collection[str]) -> None:
        """Add claims that one was said to replace."""
        if not olds:
            return
        self._db.run_many(
            "insert into replacement (space, claim, old) values (:space, :claim, :old) on conflict do nothing",
            [self._params(claim=claim, old=old) for old in olds],
        )

    def drop_replaced(self, claim: str, olds: Iterable[str]) -> None:
        """Take back that a claim was said to replace others."""
        self._db.run_many(
            "delete from replacement where space = :space and claim = :claim and old = :old",
            [self._params(claim=claim, old=old) for old in olds],
        )

    def replaced(self, claims: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return what each given claim was said to replace."""
        return self._pairs("select claim, old from replacement where space = :space and claim in", claims)

    def replacing(self, olds: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return the claims that were said to replace each given one."""
        return self._pairs("select old, claim from replacement where space = :space and old in", olds)

    # What it rests on

    def add_evidence(self, claim: str, quotes: Sequence[Quote], since: int) -> None:
        """Add evidence from a revision on."""
        if not quotes:
            return
        place = 0
        if since > 1:  # a claim that is new has none; to ask in the same statement took 0.1 ms for each quote
            sql = "select coalesce(max(place) + 1, 0) from evidence where space = :space and claim = :claim"
            place = self._db.rows(sql, self._params(claim=claim))[0][0]
        self._db.run_many(
            "insert into evidence (space, claim, place, since, until, version, start, stop, quote)"
            " values (:space, :claim, :place, :since, 0, :version, :start, :stop, :text)",
            [
                self._params(claim=claim, place=number, since=since, **quote._asdict())
                for number, quote in enumerate(quotes, place)
            ],
        )

    def evidence(self, claims: Sequence[str]) -> dict[str, list[Quote]]:
        """Return what each given claim rests on now."""
        found: dict[str, list[Quote]] = {claim: [] for claim in claims}
        sql = "select claim, place, version, start, stop, quote from evidence where space = :space and until = 0"
        for row in sorted(self._in(f"{sql} and claim in", claims)):
            found[row[0]].append(Quote(*row[2:]))
        return found

    def end_evidence(self, claim: str, revision: int) -> None:
        """Let all evidence of a claim count until a revision, and no longer."""
        self._db.run(
            "update evidence set until = :revision where space = :space and claim = :claim and until = 0",
            self._params(claim=claim, revision=revision),
        )

    def resume_evidence(self, claim: str, revision: int) -> None:
        """Take ``end_evidence`` back, and remove what was added since that revision."""
        which = self._params(claim=claim, revision=revision)
        of_claim = "where space = :space and claim = :claim"
        self._db.run(f"delete from evidence {of_claim} and since >= :revision", which)
        self._db.run(f"update evidence set until = 0 {of_claim} and until = :revision", which)

    def drop_evidence(self, versions: Sequence[str]) -> None:
        """Remove all evidence that stands in the versions, former one too."""
        for part in slices(versions):
            names, params = in_list("i", part)
            of_versions = by_index("evidence", "claim", f"version in {names}")
            self._db.run(f"delete from evidence where space = :space and {of_versions}", self._params(**params))

    def drop_former_evidence(self, versions: Sequence[str]) -> None:
        """Remove what claims quoted of versions at an earlier revision and do so no more."""
        for part in slices(versions):
            names, params = in_list("i", part)
            of_versions = by_index("evidence", "claim", f"version in {names}")
            sql = f"delete from evidence where space = :space and until <> 0 and {of_versions}"
            self._db.run(sql, self._params(**params))

    def move_evidence(self, version: str, onto: str) -> None:
        """Let evidence that stands in one version stand in another."""
        of_version = by_index("evidence", "claim", "version = :version")
        self._db.run(
            f"update evidence set version = :onto where space = :space and {of_version}",
            self._params(version=version, onto=onto),
        )

    def citing(self, versions: Sequence[str]) -> list[str]:
        """Return the claims whose present evidence stands in one of the versions."""
        found = set[str]()
        for part in slices(versions):
            names, params = in_list("i", part)
            of_versions = by_index("evidence", "claim", f"version in {names}")
            sql = f"select claim from evidence where space = :space and until = 0 and {of_versions}"
            found.update(row[0] for row in self._db.rows(sql, self._params(**params)))
        return sorted(found)

    def put_revision(self, revision: StoredRevision) -> None:
        """Keep what a claim said before."""
        upsert(self._db, "claim_revision", 3, self._params(**revision._asdict()))

    def revisions(self, claims: Sequence[str]) -> list[StoredRevision]:
        """Return what the claims said before, oldest first."""
        return sorted(
            (StoredRevision(*row) for row in self._in(f"{_REVISION} and claim in", claims)),
            key=lambda one: (one.revision, one.claim),
        )

    # What was decided, and what follows

    def decide(self, decision: StoredDecision) -> int:
        """Record a decision and return its number."""
        number = next_number(self._db, self._space, "decision", 1)
        upsert(self._db, "decision", 2, self._decision(decision._replace(number=number)))
        return number

    def _decision(self, decision: StoredDecision) -> dict[str, Value]:
        """Return a decision's columns, its key first."""
        return self._params(**decision._asdict())

    def decisions(self, claims: Sequence[str]) -> list[StoredDecision]:
        """Return the decisions on claims by number."""
        found: list[StoredDecision] = []
        for part in slices(claims):
            names, params = in_list("i", part)
            rows = self._db.rows(
                f"{_DECISION} and {by_index('decision', 'number', f'claim in {names}')}", self._params(**params)
            )
            found += [StoredDecision(*row) for row in rows]
        return sorted(found)

    def decided_on(self, number: int) -> str:
        """Return the claim that a decision is about."""
        sql = "select claim from decision where space = :space and number = :number"
        return str(self._db.rows(sql, self._params(number=number))[0][0])

    def withdraw(self, number: int, at: str) -> None:
        """Take a decision back."""
        self._db.run(
            "update decision set undone_at = :at where space = :space and number = :number and undone_at = ''",
            self._params(number=number, at=at),
        )

    def put_stretches(self, slot: str, stretches: Sequence[StoredStretch]) -> None:
        """Replace the history of a slot."""
        self.move_stretches(slot, self.stretches(slot), stretches)

    def stretches(self, slot: str) -> list[StoredStretch]:
        """Return the history of a slot by time."""
        rows = self._db.rows(f"{_STRETCH} and slot = :slot order by start", self._params(slot=slot))
        return [StoredStretch(*row) for row in rows]

    def near(self, slot: str, at: int, now: int, each: int) -> Near:
        """Return what stands near an instant, without reading the slot's claims one by one."""
        params = self._params(slot=slot, at=at, now=now, each=each)
        count, odd, valued = self._db.rows(_ODD, params)[0]
        if odd or valued not in {0, count} or count == 1:
            return Near(is_plain=not odd, is_told=count == 1, is_alone=count == 1, before=(), behind=())
        told = self._db.rows(_LATELY, params)
        before = self._db.rows(f"{_STRETCH} and slot = :slot and start < :at order by start desc limit :each", params)
        behind = self._db.rows(f"{_STRETCH} and slot = :slot and start >= :at order by start limit :each", params)
        return Near(
            is_plain=True,
            is_told=all((status == "active") == (stop > now) for stop, status in told),
            is_alone=False,
            before=tuple([StoredStretch(*row) for row in before]),
            behind=tuple([StoredStretch(*row) for row in behind]),
        )

    def dated(self, slot: str, since: str, until: str) -> list[tuple[str, str, str]]:
        """Return id, memory and date of the claims of some years."""
        of_years = "slot = :slot and slot <> '' and valid_from >= :since and valid_from < :until"
        sql = f"select id, memory, valid_from from claim where space = :space and {of_years}"
        return [
            (row[0], row[1], row[2]) for row in self._db.rows(sql, self._params(slot=slot, since=since, until=until))
        ]

    def move_stretches(self, slot: str, known: Sequence[StoredStretch], wanted: Sequence[StoredStretch]) -> None:
        """Put stretches in the place of others."""
        there, here = set(known), set(wanted)
        # What goes leaves first: the database refuses two that overlap, for a moment too.
        self._db.run_many(
            "delete from stretch where space = :space and slot = :slot and start = :start",
            [self._params(slot=slot, start=one.start) for one in known if one not in here],
        )
        self._db.run_many(
            "insert into stretch (space, slot, start, stop, memory, state, contested)"
            " values (:space, :slot, :start, :stop, :memory, :state, :contested)",
            [self._params(slot=slot, **one._asdict()) for one in wanted if one not in there],
        )

    def erase(self, claim: str, at: str) -> None:
        """Leave of a claim its tombstone."""
        which = self._params(claim=claim, at=at)
        self._db.run(
            "update claim set memory = '', kind = 'semantic', title = '', content = '', summary = '', value = '',"
            " note = '', author = '', erased_at = :at where space = :space and id = :claim",
            which,
        )
        for table in ("evidence", "claim_revision", "mention"):
            self._db.run(f"delete from {table} where space = :space and claim = :claim", which)
        self._db.run("delete from link where space = :space and (from_id = :claim or to_id = :claim)", which)
        on_claim = by_index("decision", "number", "claim = :claim")
        self._db.run(f"update decision set reason = '' where space = :space and {on_claim}", which)

    def _pairs(self, sql: str, values: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Return rows of two columns as what belongs to each first one."""
        found: dict[str, tuple[str, ...]] = {}
        for key, value in sorted(self._in(sql, values)):
            found[key] = (*found.get(key, ()), value)
        return found
