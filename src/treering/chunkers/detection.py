"""What kind of text it is, told by its name and by signs in its beginning; English, Spanish and Chinese.

The beginning alone decides, so that a text that grows at its end stays what it was. In doubt a text is generic:
that is cut along its structure and nothing else.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Final, NamedTuple, cast

from treering.chunkers.labels import LABELS, STEP
from treering.domain.kinds import Domain
from treering.domain.written_dates import AMBIGUOUS, Order, opening, order_of

SAMPLE_CHARS: Final = 6000
"""Characters that are looked at, which takes 0.1 ms of some 3 for a file."""

_CODE: Final = frozenset(
    ".py .pyi .js .mjs .cjs .jsx .ts .tsx .java .kt .kts .c .h .cc .cpp .cxx .hpp .hh .cs .go .rs .swift .php .rb "
    ".scala .sh .bash .zsh .ps1 .sql .lua .pl .r .jl .ex .exs .erl .hs .clj .dart .vue .css .scss .json .yaml .yml "
    ".toml .ini .cfg .proto .graphql .tf".split()
)
# What stands before the first word of a line.
_MARKS: Final = " \t#*_+-•>[(<"
_FENCES: Final = ("```", "~~~")
# How a line begins that may be a date or a part of a text; all others are passed over at once.
_BEGINNINGS: Final = frozenset(
    # labels
    "cha cap boo lib pro epi pró epí chi his pas med cur all vit phy ass pla dia dis tre pat mot ant exp con evo jui "
    "ali pac ing ins ste dir met pre mit rem rol ela req "
    # months, weekdays, "date"
    "jan feb mar apr may jun jul aug sep oct nov dec ene abr ago set dic mon tue wed thu fri sat sun lun mié mie jue "
    "vie sáb sab dom dat fec ent".split()
)
_BEGINNINGS_HAN: Final = frozenset("第主现既个家体辅初诊治处过用医食原材配操步做制前回星周週日时")
_MIN_ENTRIES: Final = 3
_MIN_DATED_HEADINGS: Final = 2
_MIN_LINE_SHARE: Final = 0.15
_MIN_CLOCK_SHARE: Final = 0.3
_MIN_HEADING_SHARE: Final = 0.6
_MIN_CLINICAL: Final = 3
_FIRST_PERSON: Final = re.compile(r"\b(?:I|I'm|I've|I'll|my|me|yo|mi|mis|nosotros|nuestra?)\b|我|咱")
_SPEECH: Final = ("said", "asked", "replied", "whispered", "dijo", "preguntó", "respondió", "murmuró", "说", "道")
_SAID: Final = re.compile(
    r"[”\"»」,，][ \t]*(?:he|she|they|[A-Z]\w+)?[ \t]*"
    r"(?:said|asked|replied|whispered|dijo|preguntó|respondió|murmuró)\b|(?:说|道)[:：，]?[“「]"
)
_MIN_SAID: Final = 3


class Plan(NamedTuple):
    """How a text is to be cut.

    Attributes:
        domain: what kind of text it is.
        dated: whether it is a row of dated entries.
        order: of ambiguous dates in it.
    """

    domain: Domain = "generic"
    dated: bool = False
    order: Order = ""


GENERIC: Final = Plan()


@dataclass(slots=True)
class _Signs:
    """What the lines of a text's beginning show.

    Attributes:
        lines: how many lines have something on them.
        headings: how many headings there are, by level.
        dated_headings: the dates that headings begin with, by level.
        dates: how many other lines begin with a date.
        clocks: how many begin with a clock time alone.
        opened: the lines that begin with a date.
        steps: how many numbered steps there are.
        clinical: what the labels of a clinical note say.
        is_process: whether a part of a recipe or procedure is named.
        is_narrative: whether there is a chapter.
    """

    lines: int = 0
    headings: Counter[int] = field(default_factory=Counter)
    dated_headings: list[tuple[int, str]] = field(default_factory=list)
    dates: int = 0
    clocks: int = 0
    opened: list[tuple[str, int]] = field(default_factory=list)
    steps: int = 0
    clinical: set[str] = field(default_factory=set)
    is_process: bool = False
    is_narrative: bool = False


def plan(text: str, name: str, domain: str = "") -> Plan:
    """Return how a text is to be cut.

    Args:
        text: its beginning, at least ``SAMPLE_CHARS`` of it.
        name: file name or path.
        domain: what somebody said that it is, one of ``domain.kinds.DOMAINS``; empty to tell by the text.
    """
    suffix = name[name.rfind(".") :].lower() if "." in name else ""
    if domain == "generic" or (suffix in _CODE and not domain):
        return GENERIC if domain else Plan("code")
    sample = text[:SAMPLE_CHARS]
    signs = _signs(sample)
    dated = _is_dated(signs)
    order = order_of(signs.opened) if dated or domain == "personal" else ""
    if domain:
        return Plan(cast("Domain", domain), dated or domain == "personal", order)
    return Plan(_told(sample, signs, dated=dated), dated, order)


def _told(sample: str, signs: _Signs, *, dated: bool) -> Domain:
    """Return what the words of a text say that it is."""
    if len(signs.clinical) >= _MIN_CLINICAL:
        return "clinical"
    if dated:
        return "personal" if _FIRST_PERSON.search(sample) else "generic"
    if signs.is_process and signs.steps >= _MIN_ENTRIES:
        return "process"
    if signs.is_narrative and not signs.steps:
        return "narrative"
    is_spoken = sum(map(sample.count, _SPEECH)) >= _MIN_SAID and len(_SAID.findall(sample)) >= _MIN_SAID
    return "narrative" if is_spoken else "generic"


def _is_dated(signs: _Signs) -> bool:
    """Tell whether a text is a row of dated entries."""
    for level, number in Counter(level for level, _ in signs.dated_headings).items():
        days = {date for one, date in signs.dated_headings if one == level}
        if len(days) >= _MIN_DATED_HEADINGS and number >= _MIN_HEADING_SHARE * signs.headings[level]:
            return True
    entries = signs.dates + signs.clocks
    with_date = signs.dates >= _MIN_ENTRIES and entries >= _MIN_LINE_SHARE * signs.lines
    return with_date or (signs.clocks >= _MIN_ENTRIES and entries >= _MIN_CLOCK_SHARE * signs.lines)


def _signs(sample: str) -> _Signs:
    """Return what the lines of a text show, those of code aside."""
    signs = _Signs()
    fence = ""
    for line in sample.split("\n"):
        bare = line.lstrip(_MARKS)
        if not bare:
            continue
        signs.lines += 1
        if bare.startswith(_FENCES):
            fence = "" if fence and bare.startswith(fence) else fence or bare[:3]
        if fence:
            continue
        level = len(line) - len(line.lstrip("#")) if line[0] == "#" else 0
        if level:
            signs.headings[level] += 1
        if bare[0].isdigit():
            signs.steps += STEP.match(line) is not None
            _take_date(signs, line, level)
        elif bare[:3].lower() in _BEGINNINGS or bare[0] in _BEGINNINGS_HAN:
            _take_words(signs, line, level)
    return signs


def _take_date(signs: _Signs, line: str, level: int) -> bool:
    """Count a line that begins with a date or a time, and tell whether it does."""
    said = opening(line)
    if said is None:
        return False
    is_clock = bool(said.time) and not said.date and not AMBIGUOUS.search(line, 0, said.stop)
    signs.dates += not is_clock and not level
    signs.clocks += is_clock
    if level and said.date:
        signs.dated_headings.append((level, said.date))
    if not is_clock:
        signs.opened.append((line, 0))
    return True


def _take_words(signs: _Signs, line: str, level: int) -> None:
    """Count a line that begins with a word that says something about the text."""
    if _take_date(signs, line, level):
        return
    signs.steps += STEP.match(line) is not None
    if part := LABELS["clinical"].match(line):
        signs.clinical.add(part[1].lower())
    signs.is_process = signs.is_process or LABELS["process"].match(line) is not None
    signs.is_narrative = signs.is_narrative or LABELS["narrative"].match(line) is not None
