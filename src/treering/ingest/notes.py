"""Meeting notes in the convention: sections of decisions, facts and action items, each item one statement.

```
## Decisions
- [slot: launch-date] Project A will launch on November 15.
## Action Items
- @Bob finish the integration review by October 10.
```

Section names in English, Spanish and Chinese. A document is meeting notes when its front matter or its title says so;
of any other one only the items with a slot count, because nobody writes ``[slot: …]`` by accident.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from treering.domain.said_dates import said_dates
from treering.ingest.keys import dated, day_of, slug

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Section = Literal["decision", "fact", "action"]

_NAMES: Final[dict[str, Section]] = {
    **dict.fromkeys(
        (
            *("decision", "decisions", "key decisions", "decisions made", "decision made"),
            *("decisión", "decisiones", "decision tomada", "decisiones tomadas", "acuerdos", "acuerdo"),
            *("决策", "决定", "决议", "决策事项", "会议决策", "会议决定", "決策", "決定"),
        ),
        "decision",
    ),
    **dict.fromkeys(
        (
            *("fact", "facts", "key facts", "context", "hecho", "hechos", "contexto", "antecedentes", "conclusiones"),
            *("事实", "背景", "结论", "事實", "結論", "背景信息", "会议结论"),
        ),
        "fact",
    ),
    **dict.fromkeys(
        (
            *("action item", "action items", "actions", "todo", "todos", "to do", "to-do", "to dos", "to-dos"),
            *("acciones", "tareas", "pendientes", "tareas pendientes", "puntos de acción", "por hacer"),
            *("待办", "待办事项", "行动项", "行动事项", "行动计划", "待辦", "待辦事項", "行動項"),
        ),
        "action",
    ),
}
_MEETING: Final = re.compile(
    r"meeting|minutes|\bsync\b|stand-?up|retro(?:spective)?\b|kick-?off|\b1:1\b|weekly|reuni[oó]n|\bactas?\b|minuta"
    r"|semanal|"
    r"会议|周会|例会|晨会|站会|纪要|复盘|评审会|會議",
    re.IGNORECASE,
)
_HEADING: Final = re.compile(r" {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$")
_LABEL: Final = re.compile(r"(?:\*\*|__)?([^\W\d][\w /-]{1,30}?)[ \t]*(?:[:：](?:\*\*|__)?|(?:\*\*|__)[:：]?)[ \t]*$")
_ITEM: Final = re.compile(r"(?P<indent>[ \t]*)(?:[-*+•]|\d{1,3}[.)、])[ \t]+(?P<box>\[[ xX]\][ \t]+)?(?=\S)")
_FENCE: Final = re.compile(r" {0,3}(```|~~~)")
_DECORATION: Final = re.compile(r"^[\W\d_]+|[\W_]+$")
_SLOT: Final = re.compile(r"[\[【] ?slot ?[:：] ?(?P<slot>[^\]】\n]{1,120}?) ?[\]】]", re.IGNORECASE)
_AT: Final = re.compile(r"(?<![\w@./`])@(?P<name>[^\W\d_][\w-]*(?:\.[\w-]+)*)(?![\w/@])")
_OWNER: Final = re.compile(
    r"\b(?:owner|responsable|encargad[oa]|asignad[oa] a|assigned to|assignee)[ :：]+(?P<one>[^\W\d_][\w.-]*(?: "
    r"[A-ZÁÉÍÓÚÑ][\w.-]*)?)"
    r"|(?:负责人|责任人)[:： ]*(?P<two>[^\W\d_]{2,12})",
    re.IGNORECASE,
)
_DUE_BEFORE: Final = re.compile(
    r"(?:\b(?:by|before|due|until|till|no later than|deadline|on or before|antes del?|para el?|hasta el?|a más "
    r"tardar el?|"
    r"fecha límite|vence el?|for)\b(?: (?:the |el |on |by |end of |del? )*)?|截止(?:日期|到|至|时间)?|于|在"
    r"|到)[ :：]*[(（]?$",
    re.IGNORECASE,
)
_DUE_AFTER: Final = re.compile(r"[ ]?(?:之前|以前|前|截止|内)")


class Item(NamedTuple):
    """One item of a section.

    Attributes:
        section: what it is.
        words: the item as it stands in the text.
        content: the statement: without list mark, box and slot.
        slot: as it was written; empty for none.
        done: whether its box is ticked; None without a box.
        valid_from: the date of the entry that it stands in, or the document's; may be empty.
    """

    section: Section
    words: str
    content: str
    slot: str
    done: bool | None
    valid_from: str


def is_notes(text: str, metadata: Mapping[str, tuple[str, ...]]) -> bool:
    """Tell whether a document is meeting notes.

    Args:
        text: the text, without front matter.
        metadata: its front matter.
    """
    kind = " ".join((*metadata.get("type", ()), *metadata.get("kind", ())))
    if kind:
        return bool(_MEETING.search(kind))
    if metadata.get("attendees") or (metadata.get("project") and metadata.get("date")):
        return True
    heading = next((match[2] for line in text.splitlines()[:20] if (match := _HEADING.match(line))), "")
    return bool(_MEETING.search(" ".join((*metadata.get("title", ()), heading))))


def items(text: str, document_date: str) -> Iterator[Item]:
    """Yield the items of the sections that the convention names.

    Args:
        text: the text, without front matter.
        document_date: as it is stored; empty for none.
    """
    section: Section | None = None
    depth = 0
    at = document_date
    held: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1] == fence):
            fence = "" if fence else mark[1]
        title, level = _title(line) if not fence and not mark else ("", 0)
        item = None if fence or mark else _ITEM.match(line)
        if title or (item and len(item["indent"]) < 2) or (held and not line.strip()):
            yield from _item(held, section, at)
            held = []
        if title:
            named = _NAMES.get(_DECORATION.sub("", title).casefold())
            if named:
                section, depth = named, level
            elif level <= depth:
                section = None
            if level < 7 and _opens_entry(title, document_date):
                at = dated(title) or at
        elif item and len(item["indent"]) < 2 and section:
            held = [line]
        elif held and not fence and not mark:
            held.append(line)
    yield from _item(held, section, at)


def _title(line: str) -> tuple[str, int]:
    """Return the heading that a line is, and its level; a name with a colon alone on its line counts as level 7."""
    heading = _HEADING.match(line)
    if heading:
        return heading[2], len(heading[1])
    label = _LABEL.match(line)
    if label and label[1].strip().casefold() in _NAMES:
        return label[1].strip(), 7
    return "", 0


def _opens_entry(title: str, document_date: str) -> bool:
    """Tell whether a heading dates what follows: it begins with a date, or the document has none of its own."""
    return title.strip("[(【")[:4].isdigit() or not document_date


def _item(held: list[str], section: Section | None, at: str) -> Iterator[Item]:
    """Yield the item that lines make, if they make one."""
    if not held or section is None:
        return
    mark = _ITEM.match(held[0])
    rest = held[0][mark.end() if mark else 0 :]
    lines = [rest.strip(), *(line.strip() for line in held[1:])]
    words = "\n".join([rest, *held[1:]]).strip()
    slot = _SLOT.search(lines[0])
    if slot:
        lines[0] = f"{lines[0][: slot.start()].rstrip()} {lines[0][slot.end() :].lstrip()}".strip()
    content = "\n".join(line for line in lines if line.strip(" -*+"))
    if len(content) >= 2 and len(" ".join(words.split())) >= 4:
        box = mark["box"] if mark else None
        done = True if content.startswith("~~") else None if not box else "x" in box.lower()
        yield Item(section, words, content, slot["slot"].strip() if slot else "", done, at)


def slot_of(written: str, project: str) -> str:
    """Return a slot under its project: ``launch-date`` of Project A is ``project-a/launch-date``.

    Args:
        written: what the notes say; one with a slash is whole already.
        project: name of the project; empty for none.
    """
    parts = [part for part in map(slug, written.split("/")) if part]
    if len(parts) == 1 and project and slug(project):
        parts.insert(0, slug(project))
    return "/".join(parts)


def names_in(content: str) -> tuple[str, ...]:
    """Return the people that a statement names by ``@name``, each once."""
    return tuple(dict.fromkeys(match["name"] for match in _AT.finditer(content)))


def owner_of(content: str, attendees: tuple[str, ...]) -> str:
    """Return who is to do an action item: the first ``@name``, a named owner, or the attendee that it begins with."""
    named = names_in(content)
    if named:
        return named[0]
    said = _OWNER.search(content)
    if said:
        return said["one"] or said["two"]
    begins = re.match(
        r"(?P<who>[^:：,，]{1,40}?)(?:[:：]|,? (?:to|will|should|debe|va a)\b|(?:负责|将|需要?))", content
    )
    who = begins["who"].strip().casefold() if begins else ""
    return next((name for name in attendees if who and name.casefold() == who), "")


def due_of(content: str, at: str) -> str:
    """Return by when an action item is due, as a date is stored; empty when it does not say.

    Args:
        content: the statement.
        at: when it was written: a day without its year is the next one from there.
    """
    day = day_of(at)
    for said in said_dates(content, day or date(2, 1, 1), lean="future"):
        before, after = content[: said.at], content[said.end :]
        if (said.given or day) and (_DUE_BEFORE.search(before) or _DUE_AFTER.match(after)):
            return said.written
    return ""
