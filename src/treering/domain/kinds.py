"""Kinds of text, which are cut differently."""

from __future__ import annotations

from typing import Final, Literal, get_args

Domain = Literal["code", "narrative", "clinical", "personal", "process", "generic"]
"""What a text is: a program, a story, a patient's record, somebody's own notes, something to be done, anything else."""

DOMAINS: Final[tuple[str, ...]] = get_args(Domain)
