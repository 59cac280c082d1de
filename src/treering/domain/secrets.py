"""Secrets in text: keys and tokens of known forms, private keys, passwords in addresses and assignments, private parts.

What is found is masked before anything is stored. A doubtful word is left: masked prose is lost for search.
Placeholders (``your-api-key``, ``${TOKEN}``, ``<password>``) are no secrets.

The search is fast because most text has nothing that a secret could begin with: words of fewer than ``_SHORTEST``
letters are left out first, and what remains is searched for a few dozen beginnings with ``str.find``.
"""

from __future__ import annotations

import re
from base64 import b64decode
from functools import cache
from typing import TYPE_CHECKING, Final

from treering.domain.quotes import Span
from treering.domain.secret_values import DEFAULTS, PLACEHOLDER, Secret, assigned, is_random, places
from treering.domain.token_forms import TOKEN_FORMS, TokenForm

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


_VISIBLE: Final = re.compile(r"[^\r\n]")
_SHORTEST: Final = 16
"""Letters of a word that can hold a token, or the first line of a broken one."""

_LONGEST: Final = 20_000
"""Characters of a private key that are looked through for its end."""

_ROUNDS: Final = 4
"""How often a text is searched again for what begins where a secret ends; chains of tokens need no second time."""

_PEM: Final = "PRIVATE KEY"
_PEM_BEGIN: Final = re.compile(r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END: Final = re.compile(r"-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY: Final = re.compile(r"(?:(?:\\n|\\r|\r?\n)?[ \t>\"'+|]*[A-Za-z0-9+/=]{8,}(?=[\"'\\\s]|$)[ \t\"'+]*)+")
_PUTTY: Final = "PuTTY-User-Key-File"
_PRIVATE: Final = re.compile(r"(?<!`)<private>.*?(?:</private>|\Z)", re.DOTALL | re.IGNORECASE)

_LOGIN: Final = re.compile(r"://[^\s/:@'\"<>`]{0,100}:(?P<value>[^\s/@'\"<>`]{3,200})@(?=[\w\[.-])")
_SIGNED: Final = re.compile(r"sig=(?P<value>[A-Za-z0-9%+/_-]{30,}=*)")
_TELEGRAM: Final = re.compile(r"(?<![A-Za-z0-9_:])\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])")
_MAILCHIMP: Final = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9_])")
_AZURE: Final = re.compile(r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])")
# It begins with its letters, which are looked for quickly; what stands before them is asked for afterwards.
_DISCORD: Final = re.compile(r"[MNO](?<![\w.-][MNO])[A-Za-z\d]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])")
_ANYWHERE: Final = (
    (":AA", _TELEGRAM, "telegram token"),
    ("-us", _MAILCHIMP, "mailchimp key"),
    ("Q~", _AZURE, "azure secret"),
    (".", _DISCORD, "discord token"),
)
_HEADER: Final = re.compile(r"(?P<how>bearer|basic)[ \t]+(?P<value>[A-Za-z0-9._~+/-]{12,}=*)", re.IGNORECASE)

_ENCODED: Final = ("LS0tLS1CRUdJTi", "QUtJQ", "Z2hwX", "c2st", "Z2l0aHViX3BhdF", "eG94", "QUl6Y", "c2tfbGl2ZV")
"""Beginnings of private keys and tokens in base64."""
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_LONG_BASE64: Final = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{28,}={0,2}(?![A-Za-z0-9+/_-])")
_PRINTED: Final = re.compile(rb"[\t\r\n -~]+")
_BREAK: Final = re.compile(r"\\?\r?\n[ \t>#*/|+\"'-]{0,12}")
_TOKEN_LETTER: Final = re.compile(r"[A-Za-z0-9_]")


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Return the secrets of a text, in order and apart from one another.

    Linear in the text; some 25 ns a character where there is none.

    Args:
        text: any text.
    """
    found = _search(text)
    for _ in range(_ROUNDS if found else 0):
        more = _search(_blanked(text, found))
        if not more:
            break
        found = sorted((*found, *more))
    return tuple(found)


def _search(text: str) -> list[Secret]:
    """Return the secrets that stand by themselves in a text; what overlaps is one."""
    lowered = _lowered(text)
    found = [
        *_private_parts(text, lowered),
        *_keys(text),
        *_tokens(text),
        *_logins(text, lowered),
        *assigned(text, lowered),
    ]
    found.sort(key=lambda one: (one.span.start, -one.span.stop))
    apart: list[Secret] = []
    for one in found:
        if not apart or one.span.start >= apart[-1].span.stop:
            apart.append(one)
        elif one.span.stop > apart[-1].span.stop:
            apart[-1] = Secret(Span(apart[-1].span.start, one.span.stop), apart[-1].kind)
    return apart


def _blanked(text: str, secrets: Iterable[Secret]) -> str:
    """Return a text of the same length in which nothing of the secrets is left, and no value either."""
    parts = []
    at = 0
    for one in secrets:
        parts += [text[at : one.span.start], " ", "]" * (one.span.stop - one.span.start - 1)]
        at = one.span.stop
    return "".join((*parts, text[at:]))


def masked(text: str, secrets: tuple[Secret, ...] | None = None) -> str:
    """Return a text with each secret replaced, as by ``[masked: github token]``; its lines keep their numbers.

    Args:
        text: any text.
        secrets: what ``find_secrets`` returned for it; None to look.
    """
    if secrets is None:
        secrets = find_secrets(text)
    parts = []
    at = 0
    for one in secrets:
        lines = "\n" * text.count("\n", *one.span)
        parts += [text[at : one.span.start], f"[masked: {one.kind}]{lines}"]
        at = one.span.stop
    return "".join((*parts, text[at:])) if parts else text


def blotted(text: str, secrets: Iterable[Secret]) -> str:
    """Return a text of the same length and lines in which each character of a secret is ``█``.

    Where offsets into a file have to stay what they are; ``masked`` says what was there, and moves what follows.
    """
    parts, at = [], 0
    for one in secrets:
        parts += [text[at : one.span.start], _VISIBLE.sub("█", text[one.span.start : one.span.stop])]
        at = one.span.stop
    return "".join((*parts, text[at:]))


def _lowered(text: str) -> str:
    """Return a text in small letters, each in its place."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)


def _private_parts(text: str, lowered: str) -> Iterator[Secret]:
    """Yield what the writer marked as private; what is never closed goes to the end."""
    if "<private>" in lowered:
        for match in _PRIVATE.finditer(text):
            yield Secret(Span(*match.span()), "private")


def _keys(text: str) -> Iterator[Secret]:
    """Yield private keys, whole or cut off, on lines or in one string."""
    if _PEM in text:
        for begin in _PEM_BEGIN.finditer(text):
            end = _PEM_END.search(text, begin.end(), begin.end() + _LONGEST)
            body = None if end else _PEM_BODY.match(text, begin.end(), begin.end() + _LONGEST)
            stop = end.end() if end else body.end() if body else begin.end()
            if stop > begin.end():
                yield Secret(Span(begin.start(), stop), "private key")
    if _PUTTY in text:
        for at in places(text, _PUTTY):
            mac = text.find("Private-MAC:", at, at + _LONGEST)
            if mac >= 0:
                yield Secret(Span(at, len(text[:mac]) + len(text[mac:].split("\n", 1)[0])), "private key")


def _tokens(text: str) -> Iterator[Secret]:
    """Yield tokens of known forms."""
    words = "\n".join([word for word in text.split() if len(word) >= _SHORTEST])
    if not words:
        return
    yield from _formed(text, words)
    for hint, pattern, kind in _ANYWHERE:
        if hint in words and pattern.search(words):
            yield from (Secret(Span(*match.span()), kind) for match in pattern.finditer(text))
    for hint in _ENCODED:
        if hint in words:
            yield from _encoded(text, hint)
    for run in _LONG_BASE64.finditer(words):
        if _hides_secret(run[0]):
            yield from (Secret(Span(at, at + len(run[0])), "encoded secret") for at in places(text, run[0]))


def _formed(text: str, words: str) -> Iterator[Secret]:
    """Yield tokens that have a form; one may follow another directly."""
    starts = [
        (at, number)
        for number, form in enumerate(TOKEN_FORMS)
        if form.start in words
        for at in places(text, form.start)
    ]
    end = 0
    for at, number in sorted(starts):
        if at == end or not at or not _TOKEN_LETTER.match(text, at - 1):
            for one in _token(text, at, TOKEN_FORMS[number], number):
                end = max(end, one.span.stop)
                yield one


def _token(text: str, at: int, form: TokenForm, number: int) -> Iterator[Secret]:
    """Yield the token that begins at a place, also when lines part it."""
    found = _form(number).match(text, at)
    stop = found.end() if found else _broken(text, at, number)
    if stop and "EXAMPLE" not in text[at:stop] and not _dull(text[at + len(form.start) : stop]):
        yield Secret(Span(at, stop), form.kind)


@cache
def _form(number: int) -> re.Pattern[str]:
    """Return the pattern of a form of tokens, compiled when one may be there."""
    return re.compile(re.escape(TOKEN_FORMS[number].start) + TOKEN_FORMS[number].rest)


def _broken(text: str, at: int, number: int) -> int:
    """Return where a token ends that is parted by line breaks; 0 when it is none."""
    window = text[at : at + 400]
    line = window.split("\n", 1)[0]
    if line == window or not re.search(r"[A-Za-z0-9_-][\\\"']{0,2}\s*$", line) or " " in line.strip():
        return 0
    joined = ""
    ends: list[int] = []
    start = 0
    for pause in _BREAK.finditer(window):
        joined += window[start : pause.start()]
        ends += range(start + 1, pause.start() + 1)
        start = pause.end()
    joined += window[start:]
    ends += range(start + 1, len(window) + 1)
    found = _form(number).match(joined)
    return at + ends[found.end() - 1] if found and re.search(r"\d", found[0]) else 0


def _dull(value: str) -> bool:
    """Tell whether a token is a stand-in: a letter again and again, or plainly words of one."""
    return len(set(value.lower())) < 4 or bool(re.search(r"x{6,}|your|\.{3}|placeholder", value, re.IGNORECASE))


def _encoded(text: str, hint: str) -> Iterator[Secret]:
    """Yield what begins like a secret in base64 and is one once it is read."""
    for at in places(text, hint):
        match = None if at and _TOKEN_LETTER.match(text, at - 1) else _BASE64.match(text, at)
        if match:
            try:
                plain = b64decode(match[0] + "=" * (-len(match[0]) % 4), altchars=b"-_" if "-" in match[0] else None)
            except ValueError:
                continue
            inner = plain.decode("utf-8", "replace")
            if _PEM in inner or any(inner.startswith(form.start) and find_secrets(inner) for form in TOKEN_FORMS):
                yield Secret(Span(*match.span()), "encoded secret")


def _hides_secret(run: str) -> bool:
    """Tell whether letters are a text in base64 that holds a secret; of most words it is no text at all."""
    if len(run.rstrip("=")) % 4 == 1:
        return False
    try:
        plain = b64decode(run.rstrip("=") + "=" * (-len(run.rstrip("=")) % 4), altchars=b"-_" if "-" in run else None)
    except ValueError:
        return False
    return plain.isascii() and _PRINTED.fullmatch(plain) is not None and bool(_search(plain.decode()))


def _logins(text: str, lowered: str) -> Iterator[Secret]:
    """Yield passwords in addresses, signatures and what headers carry."""
    if "@" in text:
        for match in _at_places(text, "://", _LOGIN):
            if match["value"].casefold() not in DEFAULTS and not PLACEHOLDER.search(match["value"]):
                yield Secret(Span(*match.span("value")), "password in an address")
    yield from (Secret(Span(*match.span("value")), "signature") for match in _at_places(text, "sig=", _SIGNED))
    for hint in ("bearer", "basic"):
        if hint in lowered:
            for at in places(lowered, hint):
                header = _HEADER.match(text, at)
                if header and _carried(header):
                    yield Secret(Span(*header.span("value")), "authorization")


def _at_places(text: str, part: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern at the places of a part that it begins with."""
    for at in places(text, part):
        match = pattern.match(text, at)
        if match:
            yield match


def _carried(match: re.Match[str]) -> bool:
    """Tell whether a header carries a real token or login."""
    value = match["value"]
    if match["how"].lower() == "basic":
        try:
            login = b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
        except ValueError:
            return False
        password = login.partition(":")[2]
        return len(password) > 2 and login.isprintable() and password.casefold() not in DEFAULTS
    return len(value) >= 20 and not PLACEHOLDER.search(value) and is_random(value)
