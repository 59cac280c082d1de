"""Bytes to text: certain where a mark or valid UTF-8 says so, else a guess that is named as one.

Told apart without a mark: UTF-16 by where its NULs stand, GB18030, Big5, Shift-JIS, EUC-JP and
EUC-KR by which characters come out, Western text by how rare and lonely its bytes above 127 are.
What cannot be told is refused, never read wrong in silence.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from typing import Final, NamedTuple

from treering.ingest.frequent import JAPANESE, KOREAN, SIMPLIFIED, TRADITIONAL, share


class Undecodable(Exception):
    """Bytes that are no text, or none that can be told; the message says which."""


class Decoded(NamedTuple):
    """Text with the way it was read.

    Attributes:
        text: without byte order marks, NUL or lone surrogates.
        encoding: name of the encoding, e.g. ``gb18030``.
        notice: what a reader should know; empty when the encoding is certain.
    """

    text: str
    encoding: str
    notice: str = ""


# UTF-32 first: its little-endian mark begins like that of UTF-16.
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Control characters that text has none of; tab, line ends, form feed, backspace and escape (coloured logs) may occur.
_CONTROLS: Final = bytes(b for b in range(32) if b not in b"\t\n\v\f\r\b\x1b") + b"\x7f"
_MAX_CONTROL_SHARE: Final = 0.02
_SAMPLE: Final = 200_000

_HIGH_RUN: Final = re.compile(rb"[\x80-\xff]+")
_UTF8_SIGN: Final = re.compile(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_KANA: Final = re.compile("[\u3041-\u3096\u30a1-\u30fa\u30fc]")
_HANGUL: Final = re.compile("[\uac00-\ud7a3]")
_LETTER: Final = re.compile("[\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]")
_LETTER_RUN: Final = re.compile("[\u3040-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]+")
_LATIN: Final = re.compile("[A-Za-z]")
_HALF: Final = re.compile("[\uff61-\uff9f]")  # kana half as wide as others: hardly ever meant
_HAN: Final = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_CJK_MARK: Final = re.compile("[\u2014\u2018-\u201d\u2026\u00b7\u3000-\u303f\uff01-\uff65\uffe0-\uffe6]")
# Letters of Western languages and the marks that word processors set.
_WESTERN: Final = re.compile("[À-ÖØ-öø-ÿŒœŠšŸŽžßªº¡¿«»‘’“”„‚–—…•·€£§°©®™´¨\u00a0²³µ½¼¾±×]")
# A high byte alone, up to three small letters and quotes within a word, or marks such as a dash with its blank.
_SMALL: Final = rb"[\x91-\x97\x9a\x9c\x9e\xaa\xba\xdf-\xff]{2,3}"
_WESTERN_RUN: Final = re.compile(
    rb"(?<![\x80-\xff])([\x80-\xff]|(?<=[A-Za-z])%b|%b(?=[A-Za-z])|[\x85\x91-\x97\xa0]+)(?![\x80-\xff])"
    % (_SMALL, _SMALL)
)
_MIN_FITTING: Final = 0.8
_MAX_WESTERN_SHARE: Final = 0.3
# As GB18030, 564 real Chinese documents scored .88 and more and a traditional one .75; Shift-JIS, Big5
# and Western text read as GB18030 at most .47. Read as Big5 the same documents reached .72: the best wins.
_MIN_PLAUSIBLE: Final = 0.6
_MIN_KANA: Final = 0.2
_MIN_JAPANESE: Final = 0.85
# Of texts of 20 characters in Chinese, Japanese and Korean 98 of 100 had .18 and more of the frequent characters in
# their own encoding, and at most .5 in another, which then was not the best. Western text had at most .1.
_MIN_FREQUENT: Final = 0.2
_MIN_LIKELY: Final = 0.4
_MIN_BY_ROWS: Final = 0.08
_MIN_LETTERS: Final = 8
_MAX_SECOND: Final = 0.7
_FREQUENT: Final = {
    "gb18030": SIMPLIFIED,
    "big5hkscs": TRADITIONAL,
    "cp949": KOREAN,
    "cp932": JAPANESE,
    "euc_jp": JAPANESE,
}


def decode(raw: bytes) -> Decoded:
    """Return the text of ``raw``; linear in its length.

    Raises:
        Undecodable: if the bytes are no text, or in an encoding that cannot be told.
    """
    for mark, name in _MARKS:
        if raw.startswith(mark):
            text = _strict(raw[len(mark) :], name)
            if text is not None and "\0" not in text:
                return Decoded(_clean(text), name)
    if b"\0" in raw:
        return _without_mark(raw)
    if _too_many_controls(raw):  # or halves of East Asian letters
        found = _utf16_without_nul(raw)
        if found is None:
            raise Undecodable("it is binary, no text")
        return found._replace(text=_clean(found.text))
    text = _strict(raw, "utf-8")
    return Decoded(_clean(text), "utf-8") if text is not None else _guess(raw)


def decode_more(raw: bytes) -> str | None:
    """Return what was added to UTF-8 text; None where it could change how the whole is read."""
    if b"\0" in raw or raw.translate(None, _CONTROLS) != raw:
        return None
    text = _strict(raw, "utf-8")
    return None if text is None else _clean(text)


def _strict(raw: bytes, name: str) -> str | None:
    """Return ``raw`` decoded without any error; None where there is one."""
    try:
        return raw.decode(name)
    except UnicodeDecodeError:
        return None


def _clean(text: str) -> str:
    """Return text without byte order marks, which also stand where files were joined."""
    return text if text.isascii() else text.replace("\ufeff", "")


def _too_many_controls(raw: bytes) -> bool:
    """Tell whether control characters are more than an accident."""
    controls = len(raw) - len(raw.translate(None, _CONTROLS))
    return controls > 1 and controls > _MAX_CONTROL_SHARE * len(raw)


def _without_mark(raw: bytes) -> Decoded:
    """Return UTF-16 text that has no mark.

    Frequent characters of East Asian languages decide; else most NULs are upper halves, as of line ends and blanks.
    Some lower halves are NUL too, as of the Chinese character for one.
    """
    nuls = raw[0::2].count(0), raw[1::2].count(0)
    read = ((nuls[upper], name, _strict(raw, name)) for upper, name in ((0, "utf-16-be"), (1, "utf-16-le")))
    texts = [(nul, name, text) for nul, name, text in read if text and "\0" not in text and _reads_like_text(text)]
    found = [one for one in texts if _is_full_of_frequent(one[2])] or [one for one in texts if one[0] > sum(nuls) / 2]
    if found:
        _, name, text = found[0]
        return Decoded(_clean(text), name, f"read as {name} (guessed)")
    raise Undecodable("it is binary, no text")


def _utf16_without_nul(raw: bytes) -> Decoded | None:
    """Return UTF-16 of East Asian letters alone, in which no half is NUL."""
    if len(raw) % 2:
        return None
    for name in ("utf-16-le", "utf-16-be"):
        text = _strict(raw, name)
        if text is not None and _reads_like_text(text) and _is_full_of_frequent(text):
            return Decoded(text, name, f"read as {name} (guessed)")
    return None


def _is_full_of_frequent(text: str) -> bool:
    """Tell whether East Asian letters make up most of a text, and frequent ones their usual part."""
    sample = text[:_SAMPLE]
    letters = "".join(_LETTER.findall(sample))
    signs = len(letters) + len(_KANA.findall(sample)) + len(_CJK_MARK.findall(sample))
    wide = sum(c > "\x7f" for c in sample)
    enough = signs >= _MIN_FITTING * wide and len(sample) - wide <= wide and len(letters) >= _MIN_LETTERS
    return enough and any(share(one, letters) >= _MIN_FREQUENT for one in _FREQUENT.values())


def _reads_like_text(text: str) -> bool:
    """Tell whether nearly all characters are assigned ones that text consists of."""
    sample = text[:_SAMPLE]
    odd = sum(unicodedata.category(c) in {"Cc", "Cn", "Co", "Cs"} and c not in "\t\n\r\f" for c in sample)
    return odd <= _MAX_CONTROL_SHARE * len(sample)


def _guess(raw: bytes) -> Decoded:
    """Return text that is neither marked nor valid UTF-8, where its encoding can be told."""
    for candidate in (_broken_utf8, _utf16_without_nul, _western, _japanese, _east_asian):
        found = candidate(raw)
        if found is not None and "\0" not in found.text:
            return found._replace(text=_clean(found.text))
    raise Undecodable("it is no UTF-8, and no other encoding can be told from its bytes")


def _broken_utf8(raw: bytes) -> Decoded | None:
    """Return UTF-8 in which few letters are broken, such as a log cut in the middle of one."""
    rest, signs = _UTF8_SIGN.subn(b" ", raw)
    broken = _HIGH_RUN.findall(rest)
    if signs < 4 * sum(map(len, broken)) and (signs < 4 or len(broken) > 1 or len(broken[0]) > 3):
        return None
    return Decoded(raw.decode("utf-8", "replace"), "utf-8", f"read as utf-8 with {len(broken)} broken letters replaced")


def _western(raw: bytes) -> Decoded | None:
    """Return cp1252 text: its high bytes are few, stand alone or within a word, and are letters or marks."""
    high = sum(map(len, _HIGH_RUN.findall(raw)))
    fitting = sum(len(run[1]) for run in _WESTERN_RUN.finditer(raw))
    if fitting < _MIN_FITTING * high or high > _MAX_WESTERN_SHARE * len(raw):
        return None
    text = _strict(raw, "cp1252")
    if text is None or len(_WESTERN.findall(text)) < _MIN_FITTING * high:
        return None
    return Decoded(text, "cp1252", "read as cp1252 (guessed)")


def _japanese(raw: bytes) -> Decoded | None:
    """Return Shift-JIS or EUC-JP text: a good part of Japanese is kana, of Chinese hardly any."""
    for name in ("cp932", "euc_jp"):
        text = _strict(raw, name)
        if text is not None and _share(_KANA, text) >= _MIN_KANA and _plausible_share(text, name) >= _MIN_JAPANESE:
            return Decoded(text, name, f"read as {name} (guessed)")
    return None


def _east_asian(raw: bytes) -> Decoded | None:
    """Return the reading that gives the most of its language's frequent characters, where that says enough.

    Where it does not, as in a list of names, whether the characters are common ones at all decides for Chinese and
    Japanese. A reading that is not far ahead of the next one says so.
    """
    found = []
    for name, frequent in _FREQUENT.items():
        text = _strict(raw, name)
        if text is not None and "\0" not in text:
            letters = "".join(_LETTER.findall(text[:_SAMPLE]))
            if _stands_in_words(text[:_SAMPLE]):
                continue
            found.append((share(frequent, letters), _plausible_share(text, name), text, name))
    likely = sorted((one for one in found if one[0] >= _MIN_FREQUENT and one[1] >= _MIN_LIKELY), reverse=True)
    by_rows = [one for one in found if one[1] >= _MIN_PLAUSIBLE and one[0] >= _MIN_BY_ROWS and one[3] != "cp949"]
    if not likely and not by_rows:
        return None
    best = likely[0] if likely else max(by_rows, key=lambda one: one[1])
    others = [one[3] for one in likely[1:] if one[0] > _MAX_SECOND * best[0]] if likely else [""]
    doubt = f", perhaps {others[0]}" if others and others[0] else ", not sure" if others else ""
    return Decoded(best[2], best[3], f"read as {best[3]} (guessed{doubt})")


def _stands_in_words(text: str) -> bool:
    """Tell whether East Asian letters stand by ones and twos within Latin words, as accents read wrong do."""
    runs = [*_LETTER_RUN.finditer(text)]
    touching = sum(bool(_LATIN.match(text, run.end()) or _LATIN.match(text, max(run.start() - 1, 0))) for run in runs)
    letters = sum(len(run[0]) for run in runs)
    return touching > 0.5 * len(runs) and letters < 2.5 * len(runs)


def _share(letters: re.Pattern[str], text: str) -> float:
    """Return the share of a script's letters among the characters beyond ASCII."""
    beyond = [c for c in text[:_SAMPLE] if c > "\x7f"]
    return len(letters.findall("".join(beyond))) / len(beyond) if beyond else 0.0


def _plausible_share(text: str, name: str) -> float:
    """Return how common the characters beyond ASCII are, 0..1.

    The older sets put the everyday characters in front: rows B0–D7 of GB 2312 (3,755 of them),
    A4–C6 of Big5 (5,401), up to 97 of Shift-JIS and CF of EUC-JP. One of those counts whole, a
    rarer one little, and in Korean all that is no Hangul.
    """
    beyond = [c for c in text[:_SAMPLE] if c > "\x7f"]
    if not beyond:
        return 0.0
    return sum(_weight(c, name) for c in beyond) / len(beyond)


_EVERYDAY: Final = {
    "gb18030": (0xB0, 0xD7, 0xA1),
    "big5hkscs": (0xA4, 0xC6, 0x40),
    "cp932": (0x88, 0x97, 0x40),
    "euc_jp": (0xB0, 0xCF, 0xA1),
}  # first and last row, lowest second byte


def _weight(sign: str, name: str) -> float:
    """Return how much a character speaks for its reading."""
    if _CJK_MARK.match(sign) or _HALF.match(sign):
        return -1.0 if name == "cp932" and _HALF.match(sign) else 1.0
    if _KANA.match(sign):
        return 1.0 if name in {"cp932", "euc_jp"} else 0.3
    if _HANGUL.match(sign):
        return 1.0 if name == "cp949" else -1.0
    if not _HAN.match(sign):
        return 0.5 if unicodedata.category(sign)[0] in "LPS" else -1.0
    return _weight_of_han(sign, name)


def _weight_of_han(sign: str, name: str) -> float:
    """Return how much a Chinese character speaks for its reading: by whether it is an everyday one."""
    if name == "cp949":
        return 0.1
    first, last, second = _EVERYDAY[name]
    code = sign.encode(name)
    return 1.0 if len(code) == 2 and first <= code[0] <= last and code[1] >= second else 0.3
