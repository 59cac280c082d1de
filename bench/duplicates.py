"""Duplicates: how many statements that say the same are seen as such, and how many that do not.

Usage: ``python bench/duplicates.py --shared DIR``. Pairs are made from real sentences: of conversations, of rules for
agents and of documentation in three languages, each once with what changes nothing and once with what changes all. The
nearest neighbours of real sentences stand beside them.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from treering.backends.tokens import stems
from treering.domain.likeness import Shape, are_same, in_full, likeness, shape
from treering.domain.memory import same_as
from treering.domain.text import search_text

SAME: Final = 0.92
RELATED: Final = 0.65
_SETS: Final = ("locomo10", "beam_100k", "longmemeval_pooled", "memorybank_en_zh", "memdaily_zh", "docs_xling_fastapi")
_SENTENCE: Final = re.compile(r"(?<=[.!?。！？])\s*")
_EACH: Final = 400
_MONTHS: Final = "January February March April May June July August September October November December".split()
_DAYS: Final = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_NUMBER_WORDS: Final = {
    str(number): word for number, word in enumerate("two three four five six seven eight nine ten".split(), 2)
}
_UNITS: Final = {
    "minutes": "hours", "hours": "days", "days": "weeks", "weeks": "months", "months": "years", "miles": "km",
}  # fmt: skip

_TURNED: Final = {"before": "after", "after": "before", "antes": "después", "después": "antes"}

Change = Callable[[str, random.Random], str | None]


def _replaced(pattern: str, new: Callable[[re.Match[str]], str]) -> Change:
    """Return a change of the first match of a pattern; none where there is no match, or nothing changes."""

    def change(text: str, _: random.Random) -> str | None:
        """Return the changed text."""
        match = re.search(pattern, text)
        if not match or new(match) == match[0]:
            return None
        return text[: match.start()] + new(match) + text[match.end() :]

    return change


def _next(words: list[str]) -> Callable[[re.Match[str]], str]:
    """Return what replaces a word of a list by the one behind it."""
    return lambda match: words[(words.index(match[0]) + 1) % len(words)]


def _without_article(text: str, rng: random.Random) -> str | None:
    """Leave one article out."""
    places = list(re.finditer(r"\b(?:the|a|an|la|el|los|las) (?=\w)", text))
    if not places:
        return None
    chosen = rng.choice(places)
    return text[: chosen.start()] + text[chosen.end() :]


def _other_noun(text: str, rng: random.Random) -> str | None:
    """Put another lower-case word of the corpus in the place of a long one."""
    places = list(re.finditer(r"\b[a-záéíóúñ]{6,}\b", text))
    if not places:
        return None
    chosen = rng.choice(places)
    other = rng.choice([word for word in WORDS if word != chosen[0]])
    return text[: chosen.start()] + other + text[chosen.end() :]


def _swapped(text: str, rng: random.Random) -> str | None:
    """Let two long words change places."""
    places = list(re.finditer(r"\b[a-záéíóúñ]{5,}\b", text))
    if len(places) < 2:
        return None
    one, other = sorted(rng.sample(places, 2), key=lambda match: match.start())
    if one[0] == other[0]:
        return None
    return text[: one.start()] + other[0] + text[one.end() : other.start()] + one[0] + text[other.end() :]


def _other_ideograph(text: str, rng: random.Random) -> str | None:
    """Put another ideograph of the corpus in the place of one."""
    places = list(re.finditer("[\u4e00-\u9fff]", text))
    if not places:
        return None
    chosen = rng.choice(places)
    other = rng.choice([letter for letter in LETTERS if letter != chosen[0]])
    return text[: chosen.start()] + other + text[chosen.end() :]


WORDS: list[str] = []
LETTERS: list[str] = []

HARMLESS: Final[dict[str, Change]] = {
    "first letter": lambda text, _: (
        text[0].swapcase() + text[1:] if text[0].isalpha() and text[1:2].islower() else None
    ),
    "final stop": lambda text, _: text.rstrip(".!?。！？ ") + ("" if text[-1] in ".!?。！？" else "."),
    "white space": lambda text, _: re.sub(" ", "  ", text, count=2).replace(", ", ",\n", 1),
    "marks": lambda text, _: text.replace(",", "").replace("，", " ") if "," in text or "，" in text else None,
    "article": _without_article,
    "filler": _replaced(r"\b(?:is|are|was|have|has|had)\b", lambda match: f"{match[0]} really"),
    "contraction": _replaced(
        r"\b(?:do|does|did|is|are|was|were|have|has) not\b", lambda match: match[0].replace(" not", "n't")
    ),
    "written out": _replaced(
        r"\b(?:don|doesn|didn|isn|aren|wasn|haven|hasn|couldn|wouldn)'t\b", lambda match: match[0][:-3] + " not"
    ),
    "number word": _replaced(r"(?<![\w.,:-])(?:[2-9]|10)(?![\w.,:%-])", lambda match: _NUMBER_WORDS[match[0]]),
    "quotes": lambda text, _: text.replace("'", "’") if "'" in text else None,
}
"""Changes after which a text says the same."""

HARMFUL: Final[dict[str, Change]] = {
    "digit": _replaced(r"\d", lambda match: str((int(match[0]) + 1) % 10)),
    "last digit": _replaced(r"\d(?=\D*$)", lambda match: str((int(match[0]) + 3) % 10)),
    "month": _replaced(rf"\b(?:{'|'.join(_MONTHS)})\b", _next(_MONTHS)),
    "day": _replaced(rf"\b(?:{'|'.join(_DAYS)})\b", _next(_DAYS)),
    "negation": _replaced(r"\b(is|are|was|were|can|should|will|do|did)\b(?! not|n't)", lambda match: f"{match[0]} not"),
    "no negation": _replaced(r"\b(?:not|never) |n't\b", lambda _: ""),
    "chinese negation": _replaced("[是会能用喜需]", lambda match: f"不{match[0]}"),
    "unit": _replaced(rf"(?<=\d )(?:{'|'.join(_UNITS)})\b", lambda match: _UNITS[match[0]]),
    "identifier": _replaced(r"\b[a-z]+_[a-z]+\b", lambda match: match[0][:-2] + "x"),
    "name": _replaced(r"(?<=[a-z] )[A-Z][a-z]{3,}\b", lambda match: "Bjarne" if match[0] != "Bjarne" else "Ines"),
    "another word": _other_noun,
    "swapped": _swapped,
    "ideograph": _other_ideograph,
    "before and after": _replaced(r"\b(?:before|after|antes|después)\b", lambda match: _TURNED[match[0]]),
}
"""Changes after which it says something else."""


def sentences(shared: Path) -> list[str]:
    """Return real sentences of 5 to 60 words, or 8 to 80 ideographs, in an order of no meaning."""
    texts = [
        json.loads(line)["text"]
        for name in _SETS
        for line in (shared / f"eval/sets/{name}/corpus.jsonl").read_text("utf-8").splitlines()[:4000]
    ]
    texts += [path.read_text("utf-8", "replace") for path in sorted(shared.glob("markdown/*/**/*.md"))[::12]]
    found = {
        sentence.strip()
        for text in texts
        for line in text.splitlines()
        for sentence in _SENTENCE.split(line)
        if (5 <= len(sentence.split()) <= 60) or (8 <= len(re.findall("[\u4e00-\u9fff]", sentence)) <= 80)
    }
    ordered = sorted(found)
    random.Random(7).shuffle(ordered)  # noqa: S311  the same order each time
    return ordered


def shaped(text: str) -> Shape:
    """Return a text as it is compared."""
    whole = in_full(text)
    return shape(whole, stems(search_text(whole)))


def judged(kinds: dict[str, Change], texts: list[str], name: str) -> Iterator[tuple[str, int, int, int]]:
    """Yield each kind of change with its pairs, those that count as the same, and those that are related."""
    for kind, change in kinds.items():
        rng = random.Random(f"{name} {kind}")  # noqa: S311  the same pairs each time
        pairs = []
        for text in texts:
            other = change(text, rng)
            if other and other != text:
                pairs.append((text, other))
            if len(pairs) == _EACH:
                break
        same = related = 0
        for one, other in pairs:
            left, right = shaped(one), shaped(other)
            value = likeness(left, right)
            same += are_same(left, right, value, SAME)
            related += value >= RELATED
        yield kind, len(pairs), same, related


def neighbours(texts: list[str]) -> list[tuple[float, bool, str, str]]:
    """Return real sentences that share most with another one, the likest first."""
    shapes = {text: shaped(text) for text in texts}
    holders: dict[str, list[str]] = {}
    counts = Counter(word for found in shapes.values() for word in set(found.words))
    seen: list[tuple[float, bool, str, str]] = []
    for text, found in shapes.items():
        rare = sorted(set(found.words), key=lambda word: counts[word])[:4]
        for other in {other for word in rare for other in holders.get(word, ())[-50:]}:
            value = likeness(found, shapes[other], RELATED)
            if value >= RELATED:
                seen.append((value, are_same(found, shapes[other], value, SAME), text, other))
        for word in rare:
            holders.setdefault(word, []).append(text)
    return sorted(seen, reverse=True)


def main(arguments: list[str]) -> None:
    """Print precision and recall, kind by kind, and real neighbours."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--show", type=int, default=0, help="real neighbours to print")
    options = parser.parse_args(arguments)
    texts = sentences(options.shared)
    WORDS.extend(sorted({word for text in texts[:3000] for word in re.findall(r"\b[a-z]{6,}\b", text)}))
    LETTERS.extend(sorted({letter for text in texts for letter in re.findall("[\u4e00-\u9fff]", text)}))
    totals = {}
    for name, kinds in (("say the same", HARMLESS), ("say something else", HARMFUL)):
        pairs = same = related = 0
        for kind, count, merged, near in judged(kinds, texts, name):
            if count:
                shares = f"same {merged / count:.3f}, related {near / count:.3f}"
                sys.stdout.write(f"{name}: {kind:18} {count:4} pairs, {shares}\n")
            pairs, same, related = pairs + count, same + merged, related + near
        totals[name] = (pairs, same, related)
    good, bad = totals["say the same"], totals["say something else"]
    sys.stdout.write(
        f"precision {good[1] / (good[1] + bad[1]):.4f}, recall {good[1] / good[0]:.3f} of {good[0]} and {bad[0]} pairs;"
        f" named as related {good[2] / good[0]:.3f} and {bad[2] / bad[0]:.3f}\n"
    )
    found = neighbours(texts[:20_000])
    found = [one for one in found if same_as(one[2]) != same_as(one[3])]
    same = [one for one in found if one[1]]
    sys.stdout.write(f"20,000 real sentences: {len(same)} pairs the same, {len(found) - len(same)} related\n")
    for value, _, one, other in same[: options.show]:
        sys.stdout.write(f"{value:.2f}\n  {one}\n  {other}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
