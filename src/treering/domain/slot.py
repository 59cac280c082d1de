"""Slots: the keys of topics that have one answer at a time, such as ``project-a/launch-date``."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from treering.domain.fold import folded
from treering.domain.memory import checked
from treering.errors import InputError

LONGEST_SLOT: Final = 200
"""Most characters of a slot."""

_EXAMPLE: Final = "write words, separated by '/': project-a/launch-date"
# White space, low lines and every dash that an editor makes of a hyphen. Other marks stay: c and c++ are two topics.
_BETWEEN_WORDS: Final = re.compile(r"[\s_\-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]+")
_BETWEEN_PARTS: Final = re.compile("[/\uff0f]")  # the second one is what a Chinese keyboard writes


def slot_key(text: str) -> str:
    """Return the slot that a text names: ``Project A/Launch date`` is ``project-a/launch-date``.

    Case does not count, words are joined by ``-``, and ``/`` separates the parts; a key is its own key.

    Args:
        text: a slot as somebody wrote it, in the letters of any script.

    Raises:
        InputError: if it is empty, has a part without a letter or digit, is too long, or holds what no text holds.
    """
    parts = [_joined(part) for part in _BETWEEN_PARTS.split(folded(checked("slot", text)))]
    if not any(parts):
        raise InputError("the slot is empty" if not text.strip() else f"{_shown(text)} is no slot", hint=_EXAMPLE)
    for part in parts:
        if any(unicodedata.category(letter) == "Cc" for letter in part):
            raise InputError(f"the slot {_shown(text)} holds a control character", hint=_EXAMPLE)
        if not any(letter.isalnum() for letter in part):
            what = f"the part {part!r} without a letter or digit" if part else "an empty part"
            raise InputError(f"the slot {_shown(text)} has {what}", hint=_EXAMPLE)
    key = "/".join(parts)
    if len(key) > LONGEST_SLOT:
        raise InputError(f"the slot {_shown(text)} has {len(key):,} characters; at most {LONGEST_SLOT}", hint=_EXAMPLE)
    return key


def slot_under(project: str, name: str) -> str:
    """Return the slot that ``name`` means where a project is the subject; one with a ``/`` names its subject itself.

    Args:
        project: what a document or note is about; empty for nothing.
        name: a slot as somebody wrote it.

    Raises:
        InputError: as for ``slot_key``.
    """
    key = slot_key(name)
    if not project or "/" in key:
        return key
    return slot_key(f"{_BETWEEN_PARTS.sub(' ', project)}/{key}")


def _joined(part: str) -> str:
    """Return the words of one part, joined by dashes."""
    return "-".join(word for word in _BETWEEN_WORDS.split(part) if word)


def _shown(text: str) -> str:
    """Return the beginning of a text for an error."""
    return repr(text if len(text) <= 60 else text[:60] + "…")
