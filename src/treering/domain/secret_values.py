"""Values that stand beside a name such as ``password`` or ``api_key``, and whether they look like a secret.

A doubtful word is left: masked prose is lost for search. Placeholders (``your-api-key``, ``${TOKEN}``, ``<password>``)
are no secrets. ``secrets`` has tokens of known forms, keys, logins and private parts.
"""

from __future__ import annotations

import re
from math import log2
from typing import TYPE_CHECKING, Final, NamedTuple

from treering.domain.quotes import Span

if TYPE_CHECKING:
    from collections.abc import Iterator


class Secret(NamedTuple):
    """A secret in a text.

    Attributes:
        span: its characters; of an assignment the value alone.
        kind: what it is, in a few words.
    """

    span: Span
    kind: str


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
PLACEHOLDER: Final = re.compile(
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
DEFAULTS: Final = frozenset(
    """pass pwd user admin root guest postgres mysql test token key secret pw p pswd db username foo bar baz none null
    letmein minio minioadmin rabbitmq redis mongo""".split()
)


def assigned(text: str, lowered: str) -> Iterator[Secret]:
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
    for stems, strong in ((_STRONG, True), (_WEAK, False)):
        for stem in stems:
            if stem in lowered:  # mostly it is not, and a text without any is told in no time
                yield from ((at + len(stem), strong) for at in places(lowered, stem))
    for at in places(lowered, "key"):
        if _KEY.search(lowered, max(0, at - 12), at):
            yield at + 3, False


def _secretive(value: str, *, strong: bool) -> bool:
    """Tell whether an assigned value looks like a secret: no word, reference or placeholder."""
    if len(value) < (6 if strong else 16) or PLACEHOLDER.search(value) or _REFERENCE.match(value):
        return False
    if not strong:
        return is_random(value)
    return (
        value.casefold() not in DEFAULTS
        and value.isascii()
        and any(letter.isalpha() for letter in value)
        and any(letter.isdigit() for letter in value)
        and len(set(value)) > 4
        and "/" not in value
    )


def is_random(value: str) -> bool:
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


def places(text: str, part: str) -> Iterator[int]:
    """Yield where a part stands in a text."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + len(part))
