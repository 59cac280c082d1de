"""Facts that somebody states of himself in a text, sentence by sentence, each with its date and the sentence as quote.

A question, a condition, a wish, a negation, a quotation, code and what is told of others yield nothing.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Final, NamedTuple

from treering.domain.said_dates import Said, said_dates
from treering.ingest.fact_patterns import PATIENT, PRODUCTS, Pattern
from treering.ingest.keys import dated, day_of, slug

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_SENTENCE: Final = 400
"""Characters of a sentence that is read; a longer one is a list, a table or a paste."""

# "Dr." ends no sentence.
_STOP: Final = r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\bSr)(?<!\bSra)(?<!\bvs)\."
_SENTENCE: Final = re.compile(
    rf"\S(?:[^.!?…。！？；]|(?!{_STOP})\.|[.!?…](?![\"'”’)\]]*(?:\s|$)))*(?:[.!?…。！？；]+[\"'”’)\]」』]*|$)"
)
_FENCE: Final = re.compile(r" {0,3}(```|~~~)")
_DATED_LINE: Final = re.compile(r"\s*(?:#{1,6} +|[-*+] +|\[|\*\*)?(?=\d{4}[-/年]|\d{1,2} (?:de )?[A-Za-z]{3})")
_MARKS: Final = re.compile(r"^[\s>#*+|_-]*(?:\d+[.)] +)?")
_SPEAKER: Final = re.compile(r"^\s*(?:\*\*)?(?P<who>[\w .'-]{1,30}?)(?:\*\*)?[:：](?:\*\*)?\s+")
_OTHERS: Final = frozenset("assistant ai bot system asistente sistema 助手 助理 机器人 系统 模型".split())

# What stands before a statement and takes it back, or makes it somebody else's.
_UNSURE_BEFORE: Final = re.compile(
    r"\b(?:if|whether|unless|when|while|before|until|once|imagine|suppose|supposing|pretend|wish|hope|hoping|would"
    r"|could|"
    r"should|might|maybe|perhaps|say|says|said|tell|tells|told|think|thinks|thought|claim|claims|asks?|asked|wrote"
    r"|writes|"
    r"dream|dreams|dreamed|dreamt|not|never|nor|didn['’]t|don['’]t|like|as though|assume|assuming|example|e\.g\."
    r"|i\.e\.|"
    r"character|story|guide|tutorial|article|in this|here|"
    r"si|cuando|mientras|antes de que|hasta que|ojal[aá]|quiz[aá]s?|tal vez|imagina|imaginemos|supongamos|finge|dice"
    r"|dijo|"
    r"dicen|dijeron|digo|cuenta|pregunta|preguntó|escribió|no|nunca|jamás|ya no|ni|aunque|como si|sueño con|ejemplo|"
    r"por ejemplo)\b|如果|要是|假如|假设|假装|当|也许|可能|或许|希望|但愿|说|问|告诉|想|梦|不|没|没有|从未|比如|例如"
    r"|据",
    re.IGNORECASE,
)
_UNSURE_AFTER: Final = re.compile(
    r"\b(?:until|as a (?:kid|child|teen|teenager|student)|when i was|back then|at (?:the|that) time|in my (?:twenties"
    r"|youth|"
    r"childhood|teens|dreams?|story|novel|mind)|for (?:college|university|uni|grad school)|hypothetically|years? "
    r"before|"
    r"in (?:this|the|my) (?:game|story|scenario|novel|book|dream|example)|hasta que|de ni[ñn][oa]|cuando era|en "
    r"(?:mis|un) sueños?|"
    r"por entonces|en aquel entonces|or so|right\?|no\?|¿no)\b|的时候|直到|小时候|当时|那时",
    re.IGNORECASE,
)
_DRAFT: Final = re.compile(r"\[[A-Z][\w' ]*\]|<[a-z_]+>|\{\w+\}|___")
_QUOTES: Final = (("“", "”"), ("«", "»"), ("「", "」"), ("『", "』"))

# A capital letter makes no place and no employer.
_NO_NAME: Final = frozenset(
    """i monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december home work night school college university english spanish chinese french god
    chapter level page step part section phase sales marketing engineering management production premium pro team
    progreso equipo curso inglés español casa clase grupo remoto slack teams zoom email your the my it he she""".split()
)
_PRODUCT: Final = re.compile(rf"(?:{PRODUCTS})(?![\w-])")
# "Trabajo en Madrid" names no employer.
_PLACES: Final = frozenset(
    """madrid barcelona valencia sevilla zaragoza málaga malaga murcia palma bilbao alicante córdoba valladolid vigo
    gijón granada españa méxico mexico cdmx guadalajara monterrey puebla bogotá bogota medellín cali colombia lima
    perú peru santiago chile argentina rosario quito ecuador guayaquil caracas venezuela montevideo uruguay
    asunción paraguay
    panamá guatemala honduras nicaragua habana cuba miami londres parís paris berlín roma lisboa europa alemania francia
    italia portugal inglaterra suiza holanda bruselas dublín viena""".split()
)

# What may stand between a statement and its date.
_FOLLOWS: Final = re.compile(
    r"[ ,(]{0,2}(?:(?:back |again |permanently )?(?:on|in|since|as of|from|at the start of|around|el|la|en|desde|a "
    r"partir del?|de)?"
    r"(?: (?:el|the))?) ?|自|从",
    re.IGNORECASE,
)
_LEADS: Final = re.compile(r"(?:on|in|since|as of|el|en|desde|a partir del?|自|从|我)?(?: el)? ?", re.IGNORECASE)
_JOINS: Final = re.compile(r"[ ,，:：]{0,2}(?:起|以来|之后|后|开始)?[，, ]?(?:yo |ya )?", re.IGNORECASE)

_PATIENT_LINE: Final = re.compile(
    r"^[ \t]*(?:[-*+] +)?(?:\*\*|__)?(?:Patient|PATIENT|Paciente|PACIENTE|患者|病人)(?: ?(?:name|Name|姓名))?(?:\*\*"
    r"|__)? ?[:：]"
    r"(?:\*\*|__)? *(?P<name>[^\n,，;(（]{2,60}?) *(?:[,，;(（].*)?$",
    re.MULTILINE,
)
_RECORD_LABEL: Final = re.compile(
    r"^[ \t]*(?:[-*+] +)?(?:\*\*|__)?(?:Diagnosis|Treatment|Medications?|Symptoms|Allergies|Diagnóstico|Diagnostico"
    r"|Tratamiento|"
    r"Medicación|Medicacion|Síntomas|Alergias|Motivo de consulta|诊断|治疗|用药|症状|过敏史|主诉|现病史)(?:\*\*|__)? "
    r"?[:：]",
    re.MULTILINE | re.IGNORECASE,
)
_NO_RECORDS: Final = 2


class Found(NamedTuple):
    """A fact that a text states.

    Attributes:
        slot: the topic.
        value: the short answer.
        pattern: what it was found by.
        sentence: the words that state it, as they stand in the text.
        valid_from: since when: the date in the sentence, else that of the entry, else the document's; may be empty.
    """

    slot: str
    value: str
    pattern: Pattern
    sentence: str
    valid_from: str


class Expressions(NamedTuple):
    """Patterns with their compiled expressions."""

    said: tuple[tuple[Pattern, re.Pattern[str]], ...]
    record: tuple[tuple[Pattern, re.Pattern[str]], ...]


def facts(text: str, expressions: Expressions, document_date: str) -> Iterator[Found]:
    """Yield the facts of a text, in order.

    Args:
        text: the text, without front matter.
        expressions: what to look for.
        document_date: as it is stored; empty for none.
    """
    patient = _patient(text)
    at = document_date
    listening = True
    for line in _lines(text):
        if _DATED_LINE.match(line):
            at = dated(line[:40]) or at
        speaker = _SPEAKER.match(line)
        if speaker:
            listening = speaker["who"].strip().casefold() not in _OTHERS
        if patient:
            yield from _records(line, expressions.record, patient, at)
        if listening and not line.lstrip().startswith((">", "|")):
            for sentence in _sentences(line[speaker.end() :] if speaker and not patient else line):
                yield from _stated(sentence, expressions.said, at)


def _lines(text: str) -> Iterator[str]:
    """Yield the lines outside fenced code; wrapped lines of a paragraph are one."""
    fence = ""
    held: list[str] = []
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1] == fence):
            fence = "" if fence else mark[1]
            continue
        if fence:
            continue
        if held and (not line.strip() or _begins(line)):
            yield "".join(held)
            held = []
        if line.strip():
            held.append(line)
    if held:
        yield "".join(held)


def _begins(line: str) -> bool:
    """Tell whether a line begins something of its own, and is no wrapped one."""
    marks = _MARKS.match(line)
    return bool(marks and marks[0].strip()) or bool(_SPEAKER.match(line)) or bool(_DATED_LINE.match(line))


def _sentences(line: str) -> Iterator[str]:
    """Yield the sentences of a paragraph without the marks in front of it."""
    for match in _SENTENCE.finditer(_MARKS.sub("", line, count=1)):
        sentence = match[0].strip(" \t\r\n,，")
        if 4 <= len(sentence) <= MAX_SENTENCE:
            yield sentence


def _stated(sentence: str, patterns: Iterable[tuple[Pattern, re.Pattern[str]]], at: str) -> Iterator[Found]:
    """Yield the facts of one sentence."""
    if sentence.rstrip("\"'”’)」 ").endswith(("?", "？")) or "¿" in sentence or _DRAFT.search(sentence):
        return
    for pattern, expression in patterns:
        if pattern.hints and not any(hint in sentence for hint in pattern.hints):
            continue
        for match in expression.finditer(sentence):
            value = _tidied(match["value"] or "")
            if value and _holds(sentence, match) and _fits(pattern, value):
                yield Found(_slot(pattern, match, "user"), value, pattern, sentence, _since(sentence, match, at))


def _holds(sentence: str, match: re.Match[str]) -> bool:
    """Tell whether what matches is stated, and by the one who writes."""
    before, after = sentence[: match.start()], sentence[match.end() :]
    return not (_UNSURE_BEFORE.search(before) or _UNSURE_AFTER.search(after) or _quoted(before))


def _quoted(before: str) -> bool:
    """Tell whether a quotation is open at the end of ``before``."""
    return before.count('"') % 2 == 1 or any(before.count(opens) > before.count(ends) for opens, ends in _QUOTES)


def _fits(pattern: Pattern, value: str) -> bool:
    """Tell whether a value can be what its slot holds."""
    first = value.casefold().split()[0].strip("'’")
    if pattern.slot in ("user/location", "user/employer", "user/name"):
        if first in _NO_NAME or (pattern.slot != "user/employer" and _PRODUCT.match(value)):
            return False
        return not (pattern.slot == "user/employer" and value.casefold() in _PLACES and "rabajo" in pattern.pattern)
    return value.casefold() not in ("team", "group", "it", "this", "that", "equipo", "grupo")


def _tidied(value: str) -> str:
    """Return a value without what ends its clause."""
    return " ".join(value.split()).strip(" ,;:*_`\"'’")


def _slot(pattern: Pattern, match: re.Match[str], patient: str) -> str:
    """Return the slot of a match, its groups filled in."""
    names = {name: slug(found or "") for name, found in match.groupdict().items()}
    return pattern.slot.format_map({**names, PATIENT: patient})


def _since(sentence: str, match: re.Match[str], at: str) -> str:
    """Return since when a statement holds: the date beside it, else ``at``."""
    day = day_of(at)
    near = [one for one in _said(sentence, day) if _beside(sentence, one, match)]
    fitting = [one for one in near if (one.given or day) and not (day and one.first > day)]
    return fitting[0].written if fitting else at


def _said(sentence: str, day: date | None) -> tuple[Said, ...]:
    """Return the dates of a sentence; those that need the day it was said, only when it is known."""
    found = said_dates(sentence, day or date(2, 1, 1))
    return found if day else tuple(one for one in found if one.given)


def _beside(sentence: str, one: Said, match: re.Match[str]) -> bool:
    """Tell whether a date follows a statement directly, lies in it or leads its sentence."""
    if match.start() <= one.at < match.end():
        return True
    if one.at >= match.end():
        return bool(_FOLLOWS.fullmatch(sentence[match.end() : one.at]))
    return bool(_LEADS.fullmatch(sentence[: one.at])) and bool(_JOINS.fullmatch(sentence[one.end : match.start()]))


def _patient(text: str) -> str:
    """Return whom a clinical record is about, as a key; ``user`` where it names nobody, empty for another text.

    A runbook has a diagnosis, too: it takes a patient or a second label of a record to make one.
    """
    labels = {match[0].strip(" -*+_:：\n").casefold() for match in _RECORD_LABEL.finditer(text)}
    named = _PATIENT_LINE.search(text)
    if not labels or (named is None and len(labels) < _NO_RECORDS):
        return ""
    return (slug(named["name"]) if named else "") or "user"


def _records(line: str, patterns: Iterable[tuple[Pattern, re.Pattern[str]]], patient: str, at: str) -> Iterator[Found]:
    """Yield what a line of a clinical record says."""
    for pattern, expression in patterns:
        match = expression.search(line.rstrip("\n"))
        value = _tidied(match["value"]) if match else ""
        if match and value:
            yield Found(_slot(pattern, match, patient), value, pattern, match[0].strip(), at)
