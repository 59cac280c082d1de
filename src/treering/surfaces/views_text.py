"""From the API's values to compact text for people: pure, one trailing line feed each, no colour.

Whatever comes from stored text or file names goes through ``clean`` or ``clean_line`` here, so a file
cannot steer the terminal that shows it.
"""

from __future__ import annotations

import re

from treering.domain.citation import closing, headline, marked
from treering.domain.source import CODE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import tzinfo
    from typing import Final

    from treering.api.browsing import Item
    from treering.domain.ambiguity import Choice
    from treering.domain.query import Answer, Result, TraceStep
    from treering.domain.report import IndexReport, Remembered, RootStatus, Shown, Status, Waiting
    from treering.domain.source import Skip
    from treering.places import Place
    from treering.records import StoredSource

SHOWN_SKIPS: Final = 20
"""Files named one by one in ``status``; the others are counted, and all stand in its JSON."""

_SHOWN_HELD: Final = 5

# Compiled where they are first needed: most text holds nothing that they take away, and they cost a search 0.5 ms.
# Escape sequences as ECMA-48 writes them: CSI; the string-carrying ones, on one line and closed, so that
# an open one cannot hide the text behind it; those of two letters.
_ESCAPE: Final = (
    r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\n\x1b\x90\x98\x9c-\x9f]*+(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*+[0-~]?"
)
# C0 without tab and line feed, DEL, C1, and the marks that reorder text on a screen.
_CONTROL: Final = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
_LINE_BREAK: Final = "[\t\n\v\f\r\x85\u2028\u2029]+"

_NOT_FOUND: Final = {
    "no_terms": "the question has no word that can be looked up",
    "empty_gate": "no passage shows enough evidence for an answer",
    "filtered_out": "nothing passes the filter",
    "no_match": "none of its words stands in what was searched",
    "empty_store": "the memory is empty",
    "over_budget": "there is an answer, but no part of it fits the tokens that were allowed",
}


def clean(text: str) -> str:
    """Return ``text`` without anything that moves a cursor, sets a colour or reorders the line."""
    if text.replace("\n", "").isprintable():
        return text
    return re.sub(_CONTROL, "", re.sub(_ESCAPE, "", text))


def clean_line(text: str) -> str:
    """Return ``text`` as :func:`clean` does, on one line."""
    return text if text.isprintable() else clean(re.sub(_LINE_BREAK, " ", text))


def answer_text(answer: Answer) -> str:
    """Return an answer: a citation and a cheatsheet for each result, then what it comes to."""
    if answer.ambiguous:
        return _ambiguous_text(answer)
    if not answer.results:
        return _not_found_text(answer)
    blocks = [_result_text(number, result) for number, result in enumerate(answer.results, 1)]
    notices = "".join(f"note: {clean_line(notice)}\n" for notice in answer.notices)
    return "\n".join(blocks) + f"\n{notices}{closing(len(answer.results), answer.tokens)}\n"


def _ambiguous_text(answer: Answer) -> str:
    """Return what a question may mean instead of an answer."""
    text = f"AMBIGUOUS: it may mean one of these, and none is plainly meant (confidence {answer.confidence:.2f}).\n"
    notices = "".join(f"note: {clean_line(notice)}\n" for notice in answer.notices)
    return text + choices_text(answer.ambiguous) + notices


def choices_text(choices: Sequence[Choice]) -> str:
    """Return things that may be meant, each with its number, where it stands and how it begins."""
    text = ""
    for number, one in enumerate(choices, 1):
        known = (clean_line(one.about), clean_line(one.place), one.date, clean_line(one.title))
        said = f"     {marked(clean_line(one.text), one.trust)}\n" if one.text else ""
        text += f"  {number}. {'  '.join(filter(None, known))}\n{said}"
    return text


def _not_found_text(answer: Answer) -> str:
    """Return why nothing answers."""
    reason = _NOT_FOUND.get(answer.reason or "no_match", answer.reason)
    notices = "".join(f"note: {clean_line(notice)}\n" for notice in answer.notices)
    return f"NOT FOUND: {reason}.\n{notices}"


def _result_text(number: int, result: Result) -> str:
    """Return one result: headline, text, notices."""
    head = headline(number, result.citation, result.score, result.tokens, result.restatements)
    notices = "".join(f"note: {clean_line(notice)}\n" for notice in result.notices)
    return f"{clean_line(head)}\n{marked(clean(result.text).rstrip(), result.trust)}\n{notices}"


def trace_text(trace: Sequence[TraceStep]) -> str:
    """Return what each step of a search did, as a table."""
    rows = [("step", "in", "out", "ms", "why")]
    rows += [
        (step.step, str(step.before), str(step.after), f"{step.took_ms:.2f}", clean_line(step.why)) for step in trace
    ]
    return table_text(rows, right=(1, 2, 3))


def index_text(report: IndexReport) -> str:
    """Return what an index run did with one root: a line, and one for what was left out."""
    changes = [
        f"{number} {word}"
        for number, word in (
            (report.added, "new"),
            (report.changed, "changed"),
            (report.removed, "removed"),
            (report.refreshed, "with new metadata"),
        )
        if number
    ]
    text = (
        f"Indexed {clean_line(report.root)}: {counted(report.files, 'file')}"
        f" ({', '.join(changes) or 'nothing changed'}), {counted(report.chunks, 'chunk')}, {report.took_s:.2f} s\n"
    )
    left_out = []
    if report.skipped:
        left_out.append(f"{len(report.skipped)} skipped: {_reasons_text(report.skipped)}")
    if report.unparsed:
        left_out.append(f"{counted(len(report.unparsed), 'file')} with front matter that cannot be read")
    if report.left_behind:
        left_out.append(f"{counted(report.left_behind, 'indexed file')} outside this run's glob left as they were")
    if left_out:
        text += f"  {'; '.join(left_out)}; run `treering status`\n"
    if report.extracted:
        text += f"  {counted(len(report.extracted), 'statement')} taken out; run `treering list memories`\n"
    return text + "".join(f"  note: {clean_line(notice)}\n" for notice in report.notices)


def _reasons_text(skips: Sequence[Skip]) -> str:
    """Return the most frequent reasons with their numbers."""
    numbers: dict[str, int] = {}
    for skip in skips:
        numbers[skip.reason] = numbers.get(skip.reason, 0) + 1
    frequent = sorted(numbers, key=lambda reason: -numbers[reason])
    shown = [f"{numbers[reason]} × {clean_line(reason)}" for reason in frequent[:3]]
    return ", ".join(shown) + (", …" if len(frequent) > len(shown) else "")


NO_PROJECT: Final = "no project here"
"""Begins the notice of a status where the user's own store is used for want of a project."""


def store_text(place: Place) -> str:
    """Return the line that says where something went for want of a project; empty where it went to one."""
    if not place.lacks_project:
        return ""
    return f"  in your own store, since there is {NO_PROJECT}: {clean_line(place.database)}\n"


def place_text(status: Status) -> str:
    """Return where the memory is and what it holds, in two or three lines."""
    kinds = {"project": "the project's store", "global": "your own store", "shared": "a shared store"}
    kind = kinds.get(status.scope, "a store named by path")
    if any(notice.startswith(NO_PROJECT) for notice in status.notices):
        kind += f": {NO_PROJECT}"
    beside = _beside_text(status.beside) if status.beside else ""
    if not status.exists:
        return f"Memory   {clean_line(status.store)}  ({kind}, not made yet)\n{beside}"
    state = f"{kind}, {size_text(status.size_bytes)}{', read-only' if status.read_only else ''}"
    memories = f"{counted(status.memories, 'memory')}, " if status.memories else ""
    return (
        f"Memory   {clean_line(status.store)}  ({state})\n"
        f"Holds    {memories}{counted(status.sources, 'source')}, {counted(status.chunks, 'chunk')},"
        f" {counted(status.characters, 'character')} in {counted(len(status.roots), 'indexed directory')}\n{beside}"
    )


def _beside_text(other: Status) -> str:
    """Return what the user's own store holds, which is read together with a project's."""
    holds = f"{counted(other.memories, 'memory')}, {counted(other.sources, 'source')}"
    return f"And      {clean_line(other.store)}  (your own store, read with it: {holds})\n"


def status_text(status: Status) -> str:
    """Return where the memory is, its roots, and every way in which it is behind."""
    text = place_text(status)
    if status.project:
        text += f"Project  {clean_line(status.project)}\n"
    text += _vectors_text(status)
    if status.paused:
        text += f"Paused   since {status.paused}: agents write nothing and nothing is imported; next: treering resume\n"
    for root in status.roots:
        text += root_text(root)
    text += _skips_text("Skipped", [skip for root in status.roots for skip in root.skipped])
    text += _skips_text("Front matter not read", [skip for root in status.roots for skip in root.unparsed])
    return text + "".join(f"note: {clean_line(notice)}\n" for notice in status.notices)


def _vectors_text(status: Status) -> str:
    """Return how much of the memory can be found by its meaning."""
    entries = status.chunks + status.memories
    if not entries:
        return ""
    if not status.model:
        return "Vectors  none: everything is found by its words\n"
    missing = "; next: treering reindex --vectors" if status.embedded < entries else ""
    return f"Vectors  {status.embedded:,} of {counted(entries, 'entry')} by {clean_line(status.model)}{missing}\n"


def root_text(root: RootStatus) -> str:
    """Return one indexed directory: a line, and one for each way in which it is behind."""
    path = clean_line(root.path)
    glob = root.glob.removesuffix(CODE)
    reads = [*([clean_line(glob)] if glob else []), *(["with source code"] if glob != root.glob else [])]
    glob = f" ({', '.join(reads)})" if reads else ""
    scanned = f"indexed {root.scanned_at}" if root.scanned_at else "no run was completed"
    text = f"Root     {path}{glob}: {counted(root.files, 'file')}, {counted(root.chunks, 'chunk')}, {scanned}\n"
    behind = [] if root.trust == "owner" else [f"trust {root.trust}: its words are shown as data"]
    if not root.present:
        behind.append("the directory is absent; its files stay in the index")
    if root.closed:
        behind.append(f"the directory cannot be opened ({clean_line(root.closed)}); its files stay in the index")
    if root.unscanned:
        behind.append(f"metadata of {counted(root.unscanned, 'file')} was never read")
    if root.stale:
        behind.append(f"metadata of {counted(root.stale, 'file')} comes from earlier path rules")
    if root.behind:
        verb = "is" if root.behind == 1 else "are"
        behind.append(f"{counted(root.behind, 'file')} {verb} behind: changed, new or gone since")
    if root.held:
        names = ", ".join(map(clean_line, root.held[:_SHOWN_HELD])) + (", …" if len(root.held) > _SHOWN_HELD else "")
        held = counted(len(root.held), "file")
        behind.append(f"{held} gone from disk and held back; `treering index --prune` removes them: {names}")
    if root.rules_error:
        behind.append(f"path rules cannot be read: {clean_line(root.rules_error)}")
    return text + "".join(f"         {line}\n" for line in behind)


def _skips_text(title: str, skips: Sequence[Skip]) -> str:
    """Return the first files that were left out, with their reasons, and how many more there are."""
    if not skips:
        return ""
    text = f"{title} ({len(skips)})\n"
    text += "".join(f"  {clean_line(skip.path)}: {clean_line(skip.reason)}\n" for skip in skips[:SHOWN_SKIPS])
    more = len(skips) - SHOWN_SKIPS
    return text + (f"  and {more} more; `treering status --json` names them all\n" if more > 0 else "")


def shown_text(
    shown: Shown | Remembered | Waiting, *, outline: bool = False, history: bool = False, zone: tzinfo | None = None
) -> str:
    """Return a memory or proposal, or a source or chunk: a line that says what it is, then its text or its headings."""
    from datetime import UTC  # an answer shows no date

    from treering.domain.report import Shown

    if not isinstance(shown, Shown):
        from treering.surfaces.views_kept import kept_text

        return kept_text(shown, history=history, zone=zone or UTC)
    head = (
        f"{clean_line(shown.key)}:{shown.lines[0]}-{shown.lines[1]}  {clean_line(shown.title)}"
        f"  ({shown.version}, {shown.custody}, trust {shown.trust}, recorded {shown.recorded_at})\n"
        f"{_origin_text(shown)}"
    )
    if not outline:
        text = clean(shown.text)
        return head + text + ("" if text.endswith("\n") or not text else "\n")
    if not shown.outline:
        return f"{head}no headings\n"
    width = len(str(shown.outline[-1][2]))
    return head + "".join(
        f"{line:>{width}}  {'  ' * (level - 1)}{clean_line(title)}\n" for level, title, line in shown.outline
    )


def _origin_text(shown: Shown) -> str:
    """Return where a source comes from, its own date, and which other versions there are; nothing where none is."""
    facts = [shown.url and f"from {clean_line(shown.url)}", shown.source_time and f"dated {shown.source_time}"]
    others = [version for version in shown.versions if version != shown.version]
    facts.append(f"other versions: {', '.join(others)}" if others else "")
    said = "; ".join(filter(None, facts))
    return f"{said}\n" if said else ""


def source_text(source: StoredSource) -> str:
    """Return one source on a line."""
    return (
        f"{source.id}  {clean_line(source.key)}  {clean_line(source.title)}"
        f"  ({counted(source.lines, 'line')}, recorded {source.recorded_at})\n"
    )


def item_text(item: Item, zone: tzinfo | None = None, scope: str = "") -> str:
    """Return one entry of a list.

    Args:
        item: the entry.
        zone: where its dates are meant; None for UTC.
        scope: of the store that was asked; an entry of another one names it.
    """
    first, end, rest = _item_text(item, zone).partition("\n")
    return f"{first}{of_store(item.scope, scope)}{end}{rest}"


def of_store(scope: str, asked: str) -> str:
    """Return what names the store of an entry at the end of its line; empty where it is the one that was asked."""
    return f"  [{scope}]" if scope and asked and scope != asked else ""


def _item_text(item: Item, zone: tzinfo | None) -> str:
    """Return one entry of a list as its store has it."""
    from datetime import UTC

    from treering.domain.report import RootStatus  # a cold search shows no list
    from treering.records import StoredSource
    from treering.surfaces.views_kept import kept_line

    if isinstance(item, StoredSource):
        return source_text(item)
    return root_text(item) if isinstance(item, RootStatus) else kept_line(item, zone or UTC)


def table_text(rows: Sequence[Sequence[str]], right: Iterable[int] = ()) -> str:
    """Return rows with their columns aligned.

    Args:
        rows: cells, all rows of one length.
        right: numbers of the columns that are aligned to the right.
    """
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    to_right = frozenset(right)
    lines = (
        "  ".join(
            cell.rjust(width) if at in to_right else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def counted(number: int, noun: str) -> str:
    """Return ``1 file``, ``2 files``, ``1,234 directories``."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def size_text(size_bytes: int) -> str:
    """Return a size as ``3.2 MB``, base 1000."""
    step = 1000
    if size_bytes < step:
        return f"{size_bytes} bytes"
    size, unit = size_bytes / step, "kB"
    for larger in ("MB", "GB", "TB"):
        if size < step:
            break
        size, unit = size / step, larger
    return f"{size:.1f} {unit}"
