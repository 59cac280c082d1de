"""Plain text whose headings are words alone: chapters of a story, parts of a clinical note, of a recipe.

What such a line says stands above everything below it, as a heading of Markdown does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from treering.chunkers.packing import Piece
from treering.domain.chunk import Heading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.domain.kinds import Domain

_LEVEL: Final = 2  # below the document itself
_MARKUP: Final = r"^[ \t]*(?:\#{1,6}[ \t]+|\*\*|[-*][ \t]+)?"
_WORDS_ALONE: Final = r"[ \t]*(?:\*\*)?[:：]?[ \t]*\r?(?:\n|\Z)"
_WORDS_OR_LABEL: Final = r"[ \t]*(?:\*\*)?(?:[:：][ \t]*(?:\*\*)?[ \t]*|\r?(?:\n|\Z))"

_CHAPTERS: Final = (
    r"(?:chapter|cap[íi]tulo|book|libro)[ \t]+(?:\d{1,3}|[ivxlc]{1,7}|[a-z]{3,12})\b[^\n]{0,60}",
    r"prologue|epilogue|pr[óo]logo|ep[íi]logo|第[一二三四五六七八九十百零\d]{1,4}[章回卷][^\n]{0,40}",
)
_NOTE_PARTS: Final = (
    r"chief complaint|history of present illness|past medical history|(?:current )?medications?|allergies|vital signs",
    r"physical exam(?:ination)?|assessment(?: and plan)?|plan|diagnos[ie]s|discharge[^\n:：]{0,30}|prognosis|treatment",
    r"patient|motivo de (?:la )?consulta|antecedentes[^\n:：]{0,30}|exploraci[óo]n[^\n:：]{0,20}|paciente|constantes",
    r"diagn[óo]stico[^\n:：]{0,20}|tratamiento|medicaci[óo]n|alergias|evoluci[óo]n|juicio cl[íi]nico",
    r"主诉|现病史|既往史|个人史|家族史|体格检查|辅助检查|初步诊断|诊断|治疗|处方|过敏史|用药|医嘱",
)
_STEP_PARTS: Final = (
    r"ingredients?|instructions|steps|directions|method|procedure|preparation|prerequisites|mitigation|remediation",
    r"rollback|ingredientes|instrucciones|pasos|preparaci[óo]n|procedimiento|elaboraci[óo]n|requisitos previos",
    r"食材|原料|材料|配料|用料|操作步骤|步骤|做法|制作方法|前提条件|回滚",
)
_ENDINGS: Final = {"narrative": _WORDS_ALONE, "clinical": _WORDS_OR_LABEL, "process": _WORDS_ALONE}
LABELS: Final[dict[str, re.Pattern[str]]] = {
    domain: re.compile(rf"{_MARKUP}({'|'.join(words)}){_ENDINGS[domain]}", re.IGNORECASE | re.MULTILINE)
    for domain, words in (("narrative", _CHAPTERS), ("clinical", _NOTE_PARTS), ("process", _STEP_PARTS))
}
"""What a line says that stands above a part of such a text, by domain."""

STEP: Final = re.compile(
    r"^[ \t]{0,3}(?:\d{1,2}[.)、][ \t]*|(?:step|paso|第[一二三四五六七八九十]+步|步骤)[ \t]*\d{0,2}[.:：)])\S",
    re.IGNORECASE | re.MULTILINE,
)
"""The beginning of a numbered step."""


def pieces(text: str, base: Sequence[Piece], domain: Domain) -> list[Piece]:
    """Return paragraphs and the headings that stand between and in them.

    Args:
        text: the whole text.
        base: its paragraphs.
        domain: what kind of text it is, which decides what is a heading.
    """
    label = LABELS.get(domain)
    if label is None:
        return list(base)
    stops = [*(piece.start for piece in base[1:]), len(text)]
    found: list[Piece] = []
    for piece, stop in zip(base, stops, strict=True):
        if piece.kind != "prose":
            found.append(piece)
            continue
        open_at = piece.start
        for at in _lines(text, piece.start, stop):
            named = label.match(text, at, stop)
            if named is None:
                continue
            if at > open_at:
                found.append(Piece(open_at, "prose"))
            found.append(Piece(at, "heading", Heading(_LEVEL, " ".join(named[1].split()))))
            open_at = named.end()
        if text[open_at:stop].strip():
            found.append(Piece(open_at, "prose"))
    return found


def _lines(text: str, at: int, stop: int) -> list[int]:
    """Return where the lines of a stretch of text begin."""
    starts = [at]
    while (at := text.find("\n", at, stop) + 1) and at < stop:
        starts.append(at)
    return starts
