"""Junk: turns of a conversation that say nothing by themselves: "ok", "thanks!", 继续, a row of marks."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

_LONGEST: Final = 80
"""Letters of a text that may be nothing but such turns; a longer one is never looked at."""

_WORDS: Final = """
a bit later|absolutely|ack|agreed|all good|all right|alright|awesome|bye|carry on|cheers|continue|cool|correct|do it
|done|exactly|excellent|fine|for now|go ahead|go on|good|good job|good morning|good night|got it|great|great job|hello
|hey|hi|hm+|i agree|i see|indeed|keep going|k|lgtm|lol|looks good|looks good to me|makes sense|many thanks|never ?mind
|nice|nice work|no|no problem|no thanks|no worries|nope|noted|of course|ok+|okay|ok(?:ay)? then|perfect|please|please
continue|please do|please proceed|proceed|really|right|roger|same|see you|ship it|so much|sounds good|sounds great|sure
|sure thing|test|testing|thank you|thank you very much|thanks|thanks a lot|that works|thx|ty|understood|very good|well
done|will do|wow|yeah|yep|yes|yes please|yup|you too|you'?re welcome|your welcome|anything else|go|next
|is there anything else i can help (?:you )?with|let me know if you need anything else
|adelante|adiós|adios|buen trabajo|buenas|bueno|buenos días|claro|claro que sí|continúa|continua|correcto|de acuerdo|de
nada|entendido|eso es|está bien|esta bien|exacto|excelente|genial|gracias|gracias de nuevo|hecho|hola|listo|muchas
gracias|muy bien|no gracias|ningún problema|perfecto|por favor|por supuesto|sí|si|sí por favor|sigue|sigue así|siguiente
|suena bien|vale|vale gracias|venga|ya
"""
_CHINESE: Final = (
    "继续吧|继续|请继续|好的|好吧|好了|好|嗯|哦|噢|啊|行|行吧|可以|可以的|没问题|没事|谢谢你|谢谢您|谢谢|多谢|感谢|辛苦了|收到"
    "|知道了|明白了|明白|了解了|了解|懂了|是的|是|对的|对|没错|不用了|不用|不客气|不是|不|你好|您好|再见|下一步|下一个|同意|完成|完成了"
    "|太好了|太棒了|很好|不错|请|吧|哈"
)


def says_nothing(text: str) -> bool:
    """Tell whether a text is nothing but acknowledgements, greetings, closings or marks.

    In English, Spanish or Chinese. A text with a digit or any other word says something.
    """
    if len(text) > _LONGEST * 4:
        return False
    words = " ".join("".join(map(_kept, unicodedata.normalize("NFKC", text).lower().replace("’", "'"))).split())
    return not words or (len(words) <= _LONGEST and bool(_pattern().fullmatch(words)))


def _kept(letter: str) -> str:
    """Return a letter, digit or apostrophe as it is; anything else, a mark or a picture, as a blank."""
    return letter if letter.isalnum() or letter == "'" or unicodedata.category(letter)[0] == "M" else " "


@cache
def _pattern() -> re.Pattern[str]:
    """Return what such turns look like; compiled when the first short text comes."""
    # The longest first and never given back: linear, whatever begins like one of them.
    spoken, chinese = (
        "|".join(sorted(turns.split("|"), key=len, reverse=True))
        for turns in (" ".join(_WORDS.split()).replace(" |", "|"), _CHINESE)
    )
    return re.compile(rf"(?:(?>(?:{spoken})(?![\w'])|{chinese}) ?)++")
