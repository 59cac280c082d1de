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
from math import log2
from typing import TYPE_CHECKING, Final, NamedTuple

from treering.domain.quotes import Span
from treering.domain.token_forms import TOKEN_FORMS, TokenForm

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Secret(NamedTuple):
    """A secret in a text.

    Attributes:
        span: its characters; of an assignment the value alone.
        kind: what it is, in a few words.
    """

    span: Span
    kind: str


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
_DISCORD: Final = re.compile(r"(?<![\w.-])[MNO][A-Za-z\d]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])")
_ANYWHERE: Final = (
    (":AA", _TELEGRAM, "telegram token"),
    ("-us", _MAILCHIMP, "mailchimp key"),
    ("Q~", _AZURE, "azure secret"),
    (".", _DISCORD, "discord token"),
)
_HEADER: Final = re.compile(r"(?P<how>bearer|basic)[ \t]+(?P<value>[A-Za-z0-9._~+/-]{12,}=*)", re.IGNORECASE)

# Parts of names, by how much their value must look like a secret.
_STRONG: Final = ("passw", "passphrase", "pwd", "contraseñ", "密码", "口令")
_WEAK: Final = ("secret", "token", "credential", "密钥", "令牌")
# A key opens something by what stands before it; looking for "key" first costs a tenth of looking for each.
_KEY: Final = re.compile(r"(?:api|access|account|private|auth|encryption|signing|license)[_\- ]?\Z")
# The name in a mask is none.
_MASK: Final = re.compile(r"\[masked: [a-z0-9 ]{0,30}\Z")
# From the name of what is assigned to its value.
_ASSIGNED: Final = re.compile(
    r"(?P<name>[\w.\-]{0,40})[\"'`\]]{0,2}[ \t]{0,4}(?:=>|:=|==?|:|：| is[: ]| are[: ]| es[: ]|是[:：]?|为[:：]?)[ "
    r"\t]{0,4}"
    r"(?:[urbf]?[\"'`](?P<quoted>[^\"'`\s]{6,300})[\"'`]|(?P<bare>[!#$%&*+\-./0-9:=?@A-Z\\^_a-z~]{6,300}))",
    re.IGNORECASE,
)
# What such a name means when it goes on like this is no secret itself.
_NO_SECRET: Final = re.compile(
    r"length|len\b|min|max|polic|field|file|path|url|uri|type|count|expir|ttl|prompt|reset|hint|label|input|form"
    r"|strength|"
    r"pattern|regex|manager|generat|salt|rotation|iteration|encod|byte|limit|budget|usage|cost|size|name|_id\b|-id\b"
    r"|_ref|"
    r"version|param|arn|hash|digest|header|endpoint|scope|class|provider|store|command|_env|source|template|column"
    r"|index",
    re.IGNORECASE,
)
_PLACEHOLDER: Final = re.compile(
    r"your|example|x{3,}|\*{3,}|\.{3}|…|change.?(?:me|it|this)|placeholder|dummy|sample|replace|insert|redacted"
    r"|masked|hidden|"
    r"password|passwd|contrase|secret(?!_)|my.?(?:token|key|pass)|todo|none|null|undefined|true|false|12345|abcdef"
    r"|foobar|[<>{}]|%[({sd]|"
    r"_here|here_|-here|todo",
    re.IGNORECASE,
)
_REFERENCE: Final = re.compile(
    r"(?:pbkdf2|\$2[aby]\$|\$argon2|\$[156]\$|sha(?:1|256|512)[:$-]|bcrypt|scrypt|https?:|file:|vault:|op:|ref\+|arn:"
    r"|env[:.]|os\.|process\.|self\.|this\.|config|settings|request|req\.|args"
    r"|secrets?\.|"
    r"vars?\.|data\.|var\.|params|options|user\.|[./~#&@!$-])|.*(?:\(|\[|\)$|::|->)|[A-Za-z_]+(?:\.[A-Za-z_]+)+$",
    re.IGNORECASE,
)
_DEFAULTS: Final = frozenset(
    """pass pwd user admin root guest postgres mysql test token key secret pw p pswd db username foo bar baz none null
    letmein minio minioadmin rabbitmq redis mongo""".split()
)
_ENCODED: Final = ("LS0tLS1CRUdJTi", "QUtJQ", "Z2hwX", "c2st", "Z2l0aHViX3BhdF", "eG94", "QUl6Y", "c2tfbGl2ZV")
"""Beginnings of private keys and tokens in base64."""
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
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
        *_assignments(text, lowered),
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
        for at in _places(text, _PUTTY):
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


def _formed(text: str, words: str) -> Iterator[Secret]:
    """Yield tokens that have a form; one may follow another directly."""
    places = [
        (at, number)
        for number, form in enumerate(TOKEN_FORMS)
        if form.start in words
        for at in _places(text, form.start)
    ]
    end = 0
    for at, number in sorted(places):
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
    for at in _places(text, hint):
        match = None if at and _TOKEN_LETTER.match(text, at - 1) else _BASE64.match(text, at)
        if match:
            try:
                plain = b64decode(match[0] + "=" * (-len(match[0]) % 4), altchars=b"-_" if "-" in match[0] else None)
            except ValueError:
                continue
            inner = plain.decode("utf-8", "replace")
            if _PEM in inner or any(inner.startswith(form.start) and find_secrets(inner) for form in TOKEN_FORMS):
                yield Secret(Span(*match.span()), "encoded secret")


def _logins(text: str, lowered: str) -> Iterator[Secret]:
    """Yield passwords in addresses, signatures and what headers carry."""
    if "@" in text:
        for match in _at_places(text, "://", _LOGIN):
            if match["value"].casefold() not in _DEFAULTS and not _PLACEHOLDER.search(match["value"]):
                yield Secret(Span(*match.span("value")), "password in an address")
    yield from (Secret(Span(*match.span("value")), "signature") for match in _at_places(text, "sig=", _SIGNED))
    for hint in ("bearer", "basic"):
        if hint in lowered:
            for at in _places(lowered, hint):
                header = _HEADER.match(text, at)
                if header and _carried(header):
                    yield Secret(Span(*header.span("value")), "authorization")


def _at_places(text: str, part: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern at the places of a part that it begins with."""
    for at in _places(text, part):
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
        return len(password) > 2 and login.isprintable() and password.casefold() not in _DEFAULTS
    return len(value) >= 20 and not _PLACEHOLDER.search(value) and _random(value)


def _assignments(text: str, lowered: str) -> Iterator[Secret]:
    """Yield values that stand beside a name such as ``password`` or ``api_key`` and look like one."""
    for at, strong in _names(lowered):
        match = None if _MASK.search(lowered, max(0, at - 40), at) else _ASSIGNED.match(text, at)
        if match and not _NO_SECRET.search(match["name"]):
            group = "quoted" if match["quoted"] else "bare"
            value = match[group].rstrip(".,;:!?。，；\\")
            if _secretive(value, strong=strong):
                start = match.start(group)
                yield Secret(Span(start, start + len(value)), "password" if strong else "secret value")


def _names(lowered: str) -> Iterator[tuple[int, bool]]:
    """Yield where the part of a name ends that speaks of a secret, and whether any value beside it is one."""
    ascii_only = lowered.isascii()
    for stems, strong in ((_STRONG, True), (_WEAK, False)):
        for stem in stems:
            if not ascii_only or stem.isascii():
                yield from ((at + len(stem), strong) for at in _places(lowered, stem))
    for at in _places(lowered, "key"):
        if _KEY.search(lowered, max(0, at - 12), at):
            yield at + 3, False


def _secretive(value: str, *, strong: bool) -> bool:
    """Tell whether an assigned value looks like a secret: no word, reference or placeholder."""
    if len(value) < (6 if strong else 16) or _PLACEHOLDER.search(value) or _REFERENCE.match(value):
        return False
    if not strong:
        return _random(value)
    return (
        value.casefold() not in _DEFAULTS
        and value.isascii()
        and any(letter.isalpha() for letter in value)
        and any(letter.isdigit() for letter in value)
        and len(set(value)) > 4
        and "/" not in value
    )


def _random(value: str) -> bool:
    """Tell whether a value is random rather than made of words: letters and digits mixed, with high entropy."""
    plain = re.sub(r"[^A-Za-z0-9]", "", value)
    if len(plain) < 16 or not value.isascii() or not re.search(r"\d", plain) or not re.search("[A-Za-z]", plain):
        return False
    if re.fullmatch(r"[0-9a-fA-F-]+", value):
        return len(plain) >= 32 and _entropy(plain.lower()) > 2.8
    changes = len(re.findall(r"(?<=[a-z])[A-Z0-9]|(?<=[A-Z])[0-9]|(?<=[0-9])[A-Za-z]|(?<=[A-Z])[a-z]", value))
    return _entropy(plain) > 3.4 and changes * 4 >= len(plain)


def _entropy(value: str) -> float:
    """Return the bits that a letter of a value carries, by its own frequencies."""
    shares = [value.count(letter) / len(value) for letter in set(value)]
    return -sum(share * log2(share) for share in shares)


def _places(text: str, part: str) -> Iterator[int]:
    """Yield where a part stands in a text."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + len(part))
