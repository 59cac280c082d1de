"""The ways in which text gives orders to whoever reads it, in English, Spanish and Chinese: rules for ``instructions``.

A rule is as wide as a corpus of 3,706 Markdown files and 42,000 turns of conversations lets it be: what people write to
each other ("ignore this rule", "you must run the command") stays out, and what quotes such an order comes in.
"""

from __future__ import annotations

from typing import Final

from treering.domain.order_terms import Rule
from treering.domain.orders_authority import AUTHORITY
from treering.domain.orders_deeds import DEEDS

HIDDEN: Final = "it holds letters that no reader sees"

RULES: Final[tuple[Rule, ...]] = (*AUTHORITY, *DEEDS)
