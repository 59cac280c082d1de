"""A filter as a condition on sources, memories and entries, in the common SQL of both databases."""

from __future__ import annotations

from treering.backends.engine import in_list
from treering.domain.named import NamedTuple
from treering.domain.query import EVERYTHING
from treering.domain.source import DATED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Final

    from treering.backends.engine import Value
    from treering.domain.query import Filter, Term

_CITES: Final = (
    "exists (select 1 from claim c join evidence e on e.space = c.space and e.claim = c.id and e.until = 0"
    " join version v on v.space = e.space and v.id = e.version"
    " where c.space = m.space and c.memory = m.id and v.source = :only)"
)


_SPEAKS: Final = (
    "exists (select 1 from claim c join mention e on e.space = c.space and e.claim = c.id"
    " where c.space = m.space and c.memory = m.id and e.entity in"
)
# What ended only by what was recorded later had not ended for whoever knew no more.
_LATER: Final = (
    "exists (select 1 from memory f where f.space = m.space and f.id = m.superseded_by and f.recorded_at > :known)"
)
_VERSION: Final = "select 1 from version w where w.space = s.space and w.id = s.version"
_OF_MEMORY: Final = (
    "(s.key like 'note:mem_%' and exists"
    " (select 1 from claim n where n.space = s.space and n.id = substr(s.key, 6) and n.note = s.id))"
)
LONG: Final = "c.oversized = 1 and c.kind = 'prose'"
"""A paragraph too long to be one passage; as the index ``chunk_long`` says."""

_OWN_DATE: Final = "select 1 from label d where d.space = s.space and d.source = s.id and d.key = 'date' and d.value"
"""The front matter's date; what does not begin with a digit is none."""


class WordIndex(NamedTuple):
    """How the keyword index of a database is asked for entries.

    Attributes:
        holding: the statement that returns them, with ``{}`` for the name of its parameter.
        written: returns what is looked for as the parameter has it, any one of some terms; empty for nothing.
    """

    holding: str
    written: Callable[[Sequence[Term]], str]


def passing(filter: Filter, index: WordIndex) -> tuple[str, dict[str, Value]]:
    """Return the statement for the numbers of the entries that pass a filter, and its parameters beside ``:space``."""
    condition, params = source_condition(filter)
    of_memory, more = memory_condition(filter)
    sql = (
        f"select c.entry from chunk c where c.space = :space{f' and {LONG}' if filter.long else ''} and c.source in"
        f" (select s.id from source s where s.space = :space and {condition})"
        f" union all select m.entry from memory m where m.space = :space and {of_memory}"
    )
    params |= more
    if not (filter.must or filter.without):
        return sql, params
    words, more = _word_conditions(filter, "p.entry", index)
    return f"select p.entry from ({sql}) p where {' and '.join(words)}", params | more


def entry_condition(filter: Filter, entry: str, index: WordIndex) -> tuple[str, dict[str, Value]]:
    """Return the condition that an entry passes a filter, beginning with ``and``, and its parameters beside ``:space``.

    Args:
        filter: what narrows the corpus; nothing is returned where it does not.
        entry: the expression for the number of the entry.
        index: the keyword index.
    """
    words, params = _word_conditions(filter, entry, index)
    rest = filter._replace(must=(), without=())
    if rest != EVERYTHING:
        sql, more = passing(rest, index)
        words, params = [f"{entry} in ({sql})", *words], params | more
    return "".join(f" and {condition}" for condition in words), params


def _word_conditions(filter: Filter, entry: str, index: WordIndex) -> tuple[list[str], dict[str, Value]]:
    """Return the conditions that the words of an entry are as a filter has them."""
    params: dict[str, Value] = {}
    conditions = []
    for number, group in enumerate(filter.must):
        name = f"must{number}"
        params[name] = index.written(group)
        conditions.append(f"{entry} in ({index.holding.format(name)})" if params[name] else "1 = 0")
    left_out = index.written(filter.without) if filter.without else ""
    if left_out:
        params["without"] = left_out
        conditions.append(f"{entry} not in ({index.holding.format('without')})")
    return conditions, {name: value for name, value in params.items() if value}


def source_condition(filter: Filter) -> tuple[str, dict[str, Value]]:
    """Return a condition on ``source s`` and its parameters; always true for an empty filter."""
    if filter.part == "memories" or filter.statuses or filter.entities or filter.slot:
        return "1 = 0", {}
    parts, params = _times_of_source(filter)
    if filter.part == "sources" or filter.kinds:
        parts.append(f"not {_OF_MEMORY}")
    if filter.kinds:
        names, extra = in_list("kind", filter.kinds)
        parts.append(f"s.kind in {names}")
        if "note" not in filter.kinds:  # the index has no notes, of which there is one for each memory
            parts.append("s.kind <> 'note'")
        params |= extra
    if filter.part == "code":
        parts.append("s.kind = 'code' and s.kind <> 'note'")  # as the index says
    if filter.source:
        parts.append("s.id = :only")
        params["only"] = filter.source
    if filter.root:
        tracked = "select 1 from tracked r where r.space = s.space and r.source = s.id and r.root = :root"
        parts.append(f"exists ({tracked})")
        params["root"] = filter.root
    if filter.path:
        conditions = [_path_condition(path, number) for number, path in enumerate((filter.path, *filter.also))]
        parts.append(f"({' or '.join(condition for condition, _ in conditions)})")
        for _, extra in conditions:
            params |= extra
    condition, extra = _where_condition(filter, "label", "l.source = s.id")
    return " and ".join([*parts, condition]), params | extra


def memory_condition(filter: Filter) -> tuple[str, dict[str, Value]]:
    """Return a condition on ``memory m`` and its parameters; a memory lies in no directory."""
    if filter.path or filter.root or filter.part in {"sources", "code"} or filter.long:
        return "1 = 0", {}
    parts, params = _times_of_memory(filter)
    if filter.source:
        parts.append(_CITES)
        params["only"] = filter.source
    if filter.kinds:
        names, extra = in_list("kind", filter.kinds)
        parts.append(f"m.kind in {names}")
        params |= extra
    if filter.statuses:
        statuses = {status: f"({_status(status, known=bool(filter.known_at))})" for status in filter.statuses}
        parts.append(f"({' or '.join(statuses.values())})")
        params |= {"moment": filter.moment} if {"active", "superseded"} & statuses.keys() else {}
    if filter.entities:
        names, extra = in_list("entity", filter.entities)
        parts.append(f"{_SPEAKS} {names})")
        params |= extra
    if filter.slot:
        # As for paths: a half-open range, and '0' follows '/'.
        parts.append("(m.slot = :slot or (m.slot >= :under_slot and m.slot < :beyond_slot))")
        params |= {"slot": filter.slot, "under_slot": f"{filter.slot}/", "beyond_slot": f"{filter.slot}0"}
    condition, extra = _where_condition(filter, "memory_label", "l.memory = m.id")
    return " and ".join([*parts, condition]), params | extra


def _status(status: str, *, known: bool) -> str:
    """Return the condition that a memory has a status at the instant that is meant."""
    if status not in {"active", "superseded"}:
        # One of the names in the code, never what somebody typed; the second condition is that of the index.
        return f"m.status = '{status}' and m.status <> 'active'"
    later = f" or {_LATER}" if known else ""
    holds = f"m.starts <= :moment and (m.stops > :moment{later})"
    return f"m.status in ('active', 'superseded') and {'' if status == 'active' else 'not '}({holds})"


def _times_of_memory(filter: Filter) -> tuple[list[str], dict[str, Value]]:
    """Return the conditions that a memory was in force when it is asked about, and known by then."""
    parts = ["1 = 1"]
    params: dict[str, Value] = {}
    if filter.known_at:
        parts.append("m.recorded_at <= :known")
        params["known"] = filter.known_at
    # What says nothing of its time holds from when it was recorded.
    since = "(case when m.valid_from = '' then m.recorded_at {0} :{1}_text else m.starts {0} :{1} end)"
    if filter.at is not None:
        later = f" or {_LATER}" if filter.known_at else ""
        # What is disputed is in force at no time: it is shown as what somebody says from when it is said to begin.
        holds = f"{since.format('<=', 'at')} and (m.stops > :at{later})"
        parts.append(f"(m.status = 'disputed' and m.valid_from <= :at_text or {holds})")
        params |= {"at": filter.at, "at_text": _stamp(filter.at)}
    if filter.since is not None:
        parts.append("m.stops > :since and (m.valid_from <> '' or m.recorded_at >= :since_text)")
        params |= {"since": filter.since, "since_text": _stamp(filter.since)}
    if filter.until is not None:
        parts.append(since.format("<", "until"))
        params |= {"until": filter.until, "until_text": _stamp(filter.until)}
    return parts, params


def _times_of_source(filter: Filter) -> tuple[list[str], dict[str, Value]]:
    """Return the conditions that a source is of the time that is asked about, and known by then.

    Files without a date of their own are of any time up to an instant, and of no range.
    """
    parts = ["1 = 1"]
    params: dict[str, Value] = {}
    if filter.known_at:
        parts.append(f"exists ({_VERSION} and w.recorded_at <= :known)")
        params["known"] = filter.known_at
    kinds = ", ".join(f"'{kind}'" for kind in DATED)
    # As of an instant only what is dated later is left out; in a range only what is dated in it stays. A date that was
    # given is compared as it is written: to the day, since few have an offset.
    comparisons = (("at", "<=", filter.at), ("since", ">=", filter.since), ("until", "<", filter.until))
    for name, comparison, moment in comparisons:
        if moment is None:
            continue
        stamp = _stamp(moment)
        if name == "at":
            own = f"not exists ({_OWN_DATE} >= '0' and d.value < ':' and d.value > :at_day)"
        else:
            own = f"exists ({_OWN_DATE} >= '0' and d.value < ':' and d.value {comparison} :{name}_day)"
        parts.append(
            f"exists ({_VERSION} and ((w.source_time <> '' and w.source_time {comparison} :{name}_given)"
            f" or (w.source_time = '' and ((s.kind in ({kinds}) and w.recorded_at {comparison} :{name}_text)"
            f" or (s.kind not in ({kinds}) and {own})))))"
        )
        params |= {
            f"{name}_text": stamp,
            f"{name}_day": f"{stamp[:10]}~" if name == "at" else stamp[:10],
            f"{name}_given": stamp[:10] if name == "since" else stamp,
        }
    return parts, params


def _stamp(moment: int) -> str:
    """Return an instant as ``recorded_at`` is written."""
    from treering.domain.dates import from_micros, stamped  # only a question about a time needs them

    return stamped(from_micros(moment))


def _where_condition(filter: Filter, table: str, owner: str) -> tuple[str, dict[str, Value]]:
    """Return the condition that labels have one of the accepted values for each key."""
    parts = ["1 = 1"]
    params: dict[str, Value] = {}
    for i, (key, values) in enumerate(filter.where):
        names, extra = in_list("value", values)
        renamed = {f"k{i}_{name}": value for name, value in extra.items()}
        parts.append(
            f"exists (select 1 from {table} l where l.space = :space and {owner}"
            f" and l.key = :key{i} and l.value in {names.replace(':value', f':k{i}_value')})"
        )
        params |= {f"key{i}": key, **renamed}
    return " and ".join(parts), params


def _path_condition(path: str, number: int) -> tuple[str, dict[str, Value]]:
    """Return the condition that a source's file is ``path`` or lies under it."""
    if path == ".":
        return "(s.key like 'file:%' and s.key not like 'file:/%' and s.key not like 'file:~/%')", {}
    under = f"file:{path.rstrip('/')}/"
    # A half-open range of keys uses the index and knows no wildcards; '0' follows '/'.
    return (
        f"(s.key = :file{number} or (s.key >= :under{number} and s.key < :beyond{number}))",
        {f"file{number}": f"file:{path}", f"under{number}": under, f"beyond{number}": under[:-1] + "0"},
    )
