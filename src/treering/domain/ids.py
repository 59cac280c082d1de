"""Identifiers: a kind, then 22 characters that sort by time of creation.

``src_01jd…`` is a source, ``ver_…`` a version, ``mem_…`` a memory, ``ent_…`` an entity, ``prp_…`` a proposal,
``brf_…`` a briefing, ``era_…`` an erasure. A chunk has no identity of its own: ``ver_…#12`` is the twelfth piece of a
version.
"""

from __future__ import annotations

from functools import lru_cache

from treering.domain.patterns import later
from treering.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final, Literal

    Kind = Literal["src", "ver", "mem", "ent", "prp", "brf", "era"]
else:  # what typing costs is saved where a command starts (docs/decisions/0008)
    Kind = str

# Crockford's base 32 without the letters that look like digits.
_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS: Final = [first + second for first in _ALPHABET for second in _ALPHABET]
_TIME_BITS: Final = 50
_ENTROPY_BYTES: Final = 8
_SHIFTS: Final = range(50, -1, -10)
_LISTS: Final = {
    "mem_": "treering list memories", "ent_": "treering list entities", "prp_": "treering review list",
    "brf_": "treering briefings", "era_": "treering audit --receipts",
}  # fmt: skip
_SHAPE: Final = later(r"(src|ver|mem|ent|prp|brf|era)_[0-9a-hjkmnp-tv-z]{22}(?:#(\d+))?")


def make(kind: Kind, at_ms: int, entropy: bytes) -> str:
    """Return an identifier for something made at ``at_ms``.

    Args:
        kind: prefix of the identifier.
        at_ms: milliseconds since 1970 in UTC.
        entropy: eight random bytes; 60 of their bits are used.
    """
    chance = int.from_bytes(entropy[:_ENTROPY_BYTES], "big") >> 4
    return f"{kind}_{_time_digits(at_ms)}{''.join([_PAIRS[chance >> shift & 1023] for shift in _SHIFTS])}"


@lru_cache(maxsize=4)
def _time_digits(at_ms: int) -> str:
    """Return the ten digits that an identifier begins with; what is saved together is mostly made together."""
    return "".join([_PAIRS[at_ms >> shift & 1023] for shift in range(_TIME_BITS - 10, -1, -10)])


def chunk_id(version: str, ordinal: int) -> str:
    """Return the identifier of the ``ordinal``-th chunk (from 0) of ``version``."""
    return f"{version}#{ordinal}"


def parse(text: str) -> tuple[str, str, int | None]:
    """Split an identifier into its kind, the identifier itself and a chunk's ordinal.

    Raises:
        InputError: if ``text`` is no identifier of Treering's.
    """
    found = _SHAPE.fullmatch(text)
    if found is None:
        raise InputError(
            f"{text!r} is no id: ids look like src_… for a source or ver_…#3 for a chunk", hint=listing(text)
        )
    ordinal = found.group(2)
    return found.group(1), text.partition("#")[0], None if ordinal is None else int(ordinal)


def listing(name: str) -> str:
    """Return the command that lists things of the kind of an id; what is no id may be a source's key, or a file."""
    return _LISTS.get(name[:4], "treering list sources")


def is_id(text: str, kind: Kind) -> bool:
    """Tell whether ``text`` is an identifier of a kind; whether there is such a thing is another question."""
    found = _SHAPE.fullmatch(text)
    return found is not None and found.group(1) == kind and found.group(2) is None
