"""A chunk's text cut to a number of tokens, around the words that were asked for.

Cut by lines, and long paragraphs by sentences (``windows``). What is kept is framed by what makes it
readable: the headings that begin the chunk, a table's header, the fence that is open, the items and the
introduction above a list item.
"""

from __future__ import annotations

import re

from treering.domain.named import NamedTuple
from treering.domain.patterns import later
from treering.domain.sentences import LONGEST
from treering.domain.text import llm_tokens
from treering.recall import windows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Final

CUT: Final = "[…]"
"""Stands where something is left out."""

# Two cut marks and two bare fences, each with its line end.
_MARKS_TOKENS: Final = 14

# Below this, what is shown is a few words around the match, without marks.
_FRAMED_TOKENS: Final = 28

# A text of more letters for each token allowed is not tried as a whole: English has four to five.
_LETTERS_THAT_FIT: Final = 5

# A line of a megabyte may hold a word a hundred thousand times.
_MOST_PLACES: Final = 300

_ATX: Final = later(r" {0,3}#{1,6}(?:[ \t]|$)")
_SETEXT: Final = later(r" {0,3}(?:=+|-+)[ \t]*$")
_FENCE: Final = later(r"[ \t>]*(`{3,}|~{3,})")
_ITEM: Final = later(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_TABLE_RULE: Final = later(r"[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")


class Excerpt(NamedTuple):
    """What is shown of a chunk.

    Attributes:
        text: the lines, framed, with marks where something is left out.
        first: the first line shown, counted from the chunk's first line as 0; its frame aside.
        last: the last line shown.
        begins: whether it begins where the chunk begins.
        ends: whether it ends where the chunk ends.
        tokens: estimated LLM tokens of the text; 0 where they were not counted.
    """

    text: str
    first: int
    last: int
    begins: bool
    ends: bool
    tokens: int = 0


def excerpt(text: str, most: int, words: Mapping[str, float]) -> Excerpt:
    """Return ``text`` without blank ends, cut to at most ``most`` tokens.

    Args:
        text: the chunk.
        most: estimated LLM tokens; at least about 20.
        words: lower-case words to cut around with how telling each is; the start is kept when none occurs.
    """
    skipped = text[: len(text) - len(text.lstrip())].count("\n")
    lines = [line.rstrip("\r") for line in text.rstrip().split("\n")[skipped:]]
    whole_text = "\n".join(lines)
    if (tokens := _counted_whole(whole_text, most)) is not None:
        return Excerpt(whole_text, skipped, skipped + len(lines) - 1, begins=True, ends=True, tokens=tokens)
    costs = [llm_tokens(line) + 1 for line in lines]
    if sum(costs) <= most:
        return Excerpt(whole_text, skipped, skipped + len(lines) - 1, begins=True, ends=True)
    if most >= _FRAMED_TOKENS and _is_prose(lines):
        return _by_sentences(lines, costs, most, words, skipped)
    if most < _FRAMED_TOKENS:
        return _few_words(lines, most, words, skipped)
    first, last, frame = _window(lines, costs, most - _MARKS_TOKENS, words)
    shown = [lines[place] for place in frame]
    opener = _open_fence(lines[:first])
    if opener is not None and opener not in frame:
        shown.append(_fence_mark(lines[opener]))  # its own line did not fit
    cut_before = any(lines[place].strip() for place in range(first) if place not in frame)
    if cut_before:
        shown.append(CUT)
    if first < last:
        shown += lines[first:last]
    else:
        room = most - _MARKS_TOKENS - sum(costs[place] for place in frame)
        shown.append(_cut_line(lines[first], room, words))
    stop = max(last, first + 1)
    opener = _open_fence(lines[:stop])
    if stop < len(lines):
        shown.append(CUT)
    if opener is not None:
        shown.append(_fence_mark(lines[opener]))
    whole = first < last
    return Excerpt(
        "\n".join(shown), skipped + first, skipped + stop - 1, whole and not cut_before, whole and stop == len(lines)
    )


def _counted_whole(text: str, most: int) -> int | None:
    """Return the tokens of a text that surely fits; None where its lines must be counted.

    No token of ASCII goes beyond its line, so that a text costs what its lines do; most chunks fit.
    """
    if len(text) >= _LETTERS_THAT_FIT * most or not text.isascii():
        return None
    tokens = llm_tokens(text)
    return tokens if tokens < most else None


def _few_words(lines: Sequence[str], most: int, words: Mapping[str, float], skipped: int) -> Excerpt:
    """Return the part of the best line around its match."""
    best = _best_line(lines, words)
    cut = _cut_line(lines[best].strip(" \t`~"), max(1, most - 2 * llm_tokens(CUT)), words)
    return Excerpt(cut, skipped + best, skipped + best, begins=False, ends=False)


def _is_prose(lines: Sequence[str]) -> bool:
    """Tell whether sentences can be shown by themselves: nothing frames them but headings, and some line is long."""
    framed = any("|" in line or _FENCE.match(line) or _ITEM.match(line) for line in lines)
    return not framed and max(map(len, lines)) > LONGEST


def _by_sentences(lines: list[str], costs: list[int], most: int, words: Mapping[str, float], skipped: int) -> Excerpt:
    """Return the sentences that hold most of the words, below the headings that the lines begin with."""
    headings = [place for heading in _headings(lines) for place in heading]
    frame = _fitting(headings, costs, (most - _MARKS_TOKENS) // 3)
    body = headings[-1] + 1 if headings else 0
    while not lines[body].strip():
        body += 1
    found = windows.split(lines[body:])
    room = most - _MARKS_TOKENS - sum(costs[place] for place in frame)
    chosen = windows.choose(found, room, words)
    if not chosen:
        return _few_words(lines, most, words, skipped)
    shown = [lines[place] for place in frame]
    stop = 0
    for one in chosen:
        if one.start > stop:
            shown.append(CUT)
        shown.append(one.text.rstrip())
        stop = one.stop
    ends = stop == len(found)
    if not ends:
        shown.append(CUT)
    first, last = chosen[0].first + skipped + body, chosen[-1].last + skipped + body
    whole = len(chosen) == 1
    return Excerpt("\n".join(shown), first, last, whole and chosen[0].start == 0, whole and ends)


def own_headings(text: str) -> int:
    """Return how many headings stand at the very start of a chunk's text."""
    lines = [line for line in text[:2000].splitlines() if line.strip()]
    return len(_headings(lines))


def _headings(lines: Sequence[str]) -> list[list[int]]:
    """Return the places of the lines of each heading that the lines begin with."""
    found: list[list[int]] = []
    at = 0
    while at < len(lines):
        if not lines[at].strip():
            at += 1
        elif _ATX.match(lines[at]):
            found.append([at])
            at += 1
        elif at + 1 < len(lines) and _SETEXT.match(lines[at + 1]) and not _ITEM.match(lines[at]):
            found.append([at, at + 1])
            at += 2
        else:
            break
    return found


def _window(lines: list[str], costs: list[int], room: int, words: Mapping[str, float]) -> tuple[int, int, list[int]]:
    """Return first line, line after the last and frame of what fits ``room``; no line when the best is too long."""
    best = _best_line(lines, words)
    frame = _fitting(_frame(lines, best), costs, room - min(costs[best], room // 2))
    left = room - costs[best] - sum(costs[place] for place in frame)
    if left < 0:
        return best, best, frame
    first = best
    before = left // 4
    while first > 0 and costs[first - 1] <= before:
        first -= 1
        before -= costs[first]
        left -= costs[first]
    last = best + 1
    while last < len(lines) and costs[last] <= left:
        left -= costs[last]
        last += 1
    while first > 0 and costs[first - 1] <= left:
        first -= 1
        left -= costs[first]
    framed = _frame(lines, first)
    if sum(costs[first:last]) + sum(costs[place] for place in framed) <= room:
        return first, last, framed
    return best, max(last, best + 1), frame


def _best_line(lines: Sequence[str], words: Mapping[str, float]) -> int:
    """Return the place of the first line that holds most of the words; a fence's own line is the last choice."""
    return max(
        range(len(lines)), key=lambda place: (_matches(lines[place], words), not _FENCE.match(lines[place]), -place)
    )


def _fitting(frame: list[int], costs: list[int], room: int) -> list[int]:
    """Return the nearest lines of a frame that fit."""
    kept: list[int] = []
    for place in reversed(frame):
        if costs[place] <= room:
            room -= costs[place]
            kept.append(place)
    return kept[::-1]


def _frame(lines: list[str], place: int) -> list[int]:
    """Return the places of the lines above one that make it readable, in order."""
    above = {at for heading in _headings(lines) for at in heading}
    opener = _open_fence(lines[:place])
    if opener is not None:
        above.add(opener)
    elif "|" in lines[place]:
        above.update(_table_header(lines, place))
    else:
        above.update(_parents(lines, place))
    return sorted(at for at in above if at < place)


def _table_header(lines: list[str], place: int) -> list[int]:
    """Return the places of the header row and the rule of the table that a row stands in."""
    at = place
    while at > 0 and "|" in lines[at]:
        if _TABLE_RULE.match(lines[at]) and "|" in lines[at - 1]:
            return [at - 1, at]
        at -= 1
    return []


def _parents(lines: list[str], place: int) -> list[int]:
    """Return the places of the items above a list item, and of the line that introduces the list."""
    found: list[int] = []
    indent = _indent(lines[place])
    in_list = _ITEM.match(lines[place]) is not None or indent > 0
    for at in range(place - 1, -1, -1):
        line = lines[at]
        if not in_list or _ATX.match(line):
            break
        if not line.strip():
            continue
        item = _ITEM.match(line) is not None
        if not item and not _indent(line):
            found.append(at)  # the introduction
            break
        if item and _indent(line) < indent:
            found.append(at)
            indent = _indent(line)
    return found


def _indent(line: str) -> int:
    """Return how far a line is indented; a tab counts four."""
    spread = line.expandtabs(4)
    return len(spread) - len(spread.lstrip())


def _matches(line: str, words: Mapping[str, float]) -> float:
    """Return how telling the words are that occur in a line."""
    lower = line.lower()
    return sum(weight for word, weight in words.items() if word in lower)


def _cut_line(line: str, room: int, words: Mapping[str, float]) -> str:
    """Return the part of one long line around its first match that fits ``room`` tokens."""
    start = _densest(line.lower(), 3 * room, words)
    low, high = 1, 8 * max(room, 1)  # no text has more than eight letters a token by our estimate
    while low < high:
        size = (low + high + 1) // 2
        if llm_tokens(line[start : start + size]) <= room:
            low = size
        else:
            high = size - 1
    stop = min(len(line), start + low)
    if stop < len(line):  # at a blank near the end, else within a word, as where a script has no blanks
        blank = line.rfind(" ", stop - low // 4, stop + 1)
        stop = blank if blank > start else stop
    return f"{CUT if start else ''}{line[start:stop]}{CUT if stop < len(line) else ''}"


def _densest(lower: str, width: int, words: Mapping[str, float]) -> int:
    """Return where the stretch of about ``width`` characters begins that holds most of the words, at a word if any."""
    places = sorted({found.start() for word in words for found in re.finditer(re.escape(word), lower)})
    best, most = 0, 0.0
    for start in places[:_MOST_PLACES]:
        held = sum(weight for word, weight in words.items() if lower.find(word, start, start + width) >= 0)
        if held > most:
            best, most = start, held
    start = max(0, best - width // 8)
    return start and (lower.find(" ", start, best) + 1 or start)


def _open_fence(lines: Sequence[str]) -> int | None:
    """Return the place of the line whose fence is still open after the lines; None when none is."""
    opener: int | None = None
    mark = ""
    for place, line in enumerate(lines):
        found = _FENCE.match(line)
        if found and opener is None:
            opener, mark = place, found[1]
        elif found and found[1][0] == mark[0] and len(found[1]) >= len(mark) and not line.strip(" \t>" + mark[0]):
            opener = None
    return opener


def _fence_mark(opener: str) -> str:
    """Return what closes the fence that a line opens, in the same quote or item."""
    found = _FENCE.match(opener)
    return opener[: found.end(1)] if found else ""
