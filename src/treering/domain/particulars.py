"""Particulars: what may not differ between two statements that say the same.

Numbers and their units, dates, versions, identifiers, names, negations, and words that have an opposite. "The timeout
is 30 s" and "The timeout is 40 s" share all but a digit and are two facts.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_PIECE: Final = re.compile(
    r"`[^`\n]+`"  # code
    r"|(?:[A-Za-z]:)?[\w.~-]*[/\\][\w./\\~*-]+"  # paths
    r"|[^\W\d_]+(?:['’][^\W\d_]+)+"  # don't
    r"|\w+(?:[._:@+#-]+\w+)+[+#]*"  # 1.2.3, max_tokens, v1.2-rc1, 10:30, a@b.c
    r"|[\u3400-\u9fff]"
    r"|\w+(?:\+\+|\#)?|[%€$£¥°<>=]"
)
_CAMEL: Final = re.compile(r"[a-z][A-Z]|[A-Z]{2,}")
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?:;。！？：；\n])[\s\"'“”‘’(\[*_#>-]*$")
_LOOKED_BACK: Final = 8

NUMBERS: Final = {
    word: str(number)
    for words in (
        "zero one two three four five six seven eight nine ten eleven twelve",
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
    )
    for number, word in enumerate(words.split())
} | {"una": "1", "dozen": "12", "hundred": "100", "thousand": "1000", "first": "1st", "second": "2nd", "third": "3rd"}
_CHINESE_DIGITS: Final = dict(
    zip("零一二两三四五六七八九十百千万亿", "0 1 2 2 3 4 5 6 7 8 9 10 100 1000 万 亿".split(), strict=True)
)

_NEGATIONS: Final = frozenset(
    """no not never none nothing nobody nowhere neither nor without cannot hardly rarely seldom unless except
    nunca jamás jamas nada nadie ningún ninguna ninguno sin tampoco excepto salvo
    不 没 無 无 未 别 勿 非 莫 禁""".split()
)
# Each stands for the side that it is on; two statements must be on the same one.
_OPPOSITES: Final = frozenset(
    """all some any every each only always sometimes usually often
    before after until since above below over under up down in out on off left right first last next previous
    early late earlier later more less most least fewer greater higher lower high low max min maximum minimum
    increase increases increased decrease decreases decreased raise raised reduce reduced grow shrink
    enable enables enabled disable disables disabled allow allows allowed deny denies denied forbid forbidden permit
    accept accepts accepted reject rejects rejected approve approved refuse refused pass passes passed fail fails failed
    start starts started stop stops stopped begin begins end ends open opens opened close closes closed
    add adds added remove removes removed delete deleted create created insert keep kept drop dropped
    true false yes required optional public private internal external read write reads writes sync async
    old new same different good bad better worse best worst fast slow faster slower hot cold light dark
    staging production prod dev development test testing master main client server frontend backend
    likes like loves love hates hate dislikes dislike prefers prefer avoids avoid want wants
    won lost win lose buy bought sell sold morning afternoon evening night today tomorrow yesterday
    should must may might can could will would was were used
    antes después despues hasta desde encima debajo arriba abajo más mas menos siempre todos todo algunos solo sólo
    activar activado desactivar desactivado permitir permitido prohibir prohibido abierto cerrado abrir cerrar mañana
    ayer hoy tarde noche primero último viejo nuevo
    前 后 上 下 左 右 内 外 先 晚 早 多 少 大 小 高 低 开 关 增 减 新 旧 是 否 允 必""".split()
)
_CALENDAR: Final = frozenset(
    """january february march april may june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
    fridays saturdays sundays mon tue wed thu fri sat sun weekly daily monthly yearly hourly nightly annual annually
    enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miércoles
    miercoles jueves viernes sábado sabado domingo diario semanal mensual anual""".split()
)
_UNITS: Final = frozenset(
    """b kb mb gb tb pb kib mib gib tib bytes byte bits bit kbps mbps gbps ns us µs ms s sec secs second seconds
    min mins minute minutes h hr hrs hour hours d day days week weeks month months year years quarter quarters fortnight
    mm cm m km in inch inches ft feet mile miles mi yd g kg mg lb lbs oz ton tons l ml hz khz mhz ghz w kw mw v a
    percent % ° c f k usd eur gbp dollars dollar euros euro pounds pound yen cents rpm qps rps tokens token chars
    segundo segundos minuto minutos hora horas día dias días semana semanas mes meses año años por ciento
    秒 分 时 天 日 周 月 年 元 米 克 号""".split()
)
_FOLLOWS_NUMBER: Final = 2


def particulars(text: str) -> tuple[str, ...]:
    """Return what of a statement may not differ, in its order: numbers with units, dates, names, negations, opposites.

    Number words are numbers, and months and days are what they are in small letters. A name is a word with a capital
    letter that does not begin a sentence, or with two of them.
    """
    text = unicodedata.normalize("NFKC", text).replace("’", "'")
    found: list[str] = []
    since_number = _FOLLOWS_NUMBER
    for match in _PIECE.finditer(text):
        piece = match[0]
        lower = piece.lower()
        number = _number(lower)
        kept = number or _particular(piece, lower, text, match.start())
        if not kept and since_number < _FOLLOWS_NUMBER and (lower in _UNITS or lower.rstrip("s") in _UNITS):
            kept = lower.rstrip("s") or lower
        if kept:
            found.append(kept)
        since_number = 0 if number else since_number + 1
    return tuple(found)


def _number(lower: str) -> str:
    """Return a number as digits; empty for anything else."""
    if lower in NUMBERS or lower in _CHINESE_DIGITS:
        return NUMBERS.get(lower) or _CHINESE_DIGITS[lower]
    return lower if any(map(str.isdigit, lower)) else ""


def _particular(piece: str, lower: str, text: str, start: int) -> str:
    """Return a word that may not differ, in the form in which it is compared; empty for any other."""
    if lower.endswith("n't") or lower == "cannot":
        return "not"
    if lower in _CALENDAR and lower != "may":
        return lower[:3]
    if lower in _NEGATIONS or lower in _OPPOSITES:
        return lower
    if piece[0] == "`" or any(mark in piece for mark in "_/\\@:.+#") or _CAMEL.search(piece):
        return lower.strip("`.:")
    if piece in "%€$£¥°<>=":
        return piece
    opens = piece[0].isupper() and piece != "I"
    return lower if opens and not _SENTENCE_START.search(text, max(0, start - _LOOKED_BACK), start) else ""
