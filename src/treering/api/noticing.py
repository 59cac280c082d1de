"""What an answer says of files that moved on since they were indexed, inside the budget."""

from __future__ import annotations

import os

from treering.api.freshness import is_under, network_mounts
from treering.domain.text import llm_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Final

    from treering.api.freshness import Seen
    from treering.domain.query import Answer, Result

GONE: Final = "gone from disk since it was indexed"
UNKNOWN: Final = "out of reach on disk ({why}); this is what it said when it was indexed"
CHANGED: Final = "changed on disk since it was indexed"
TOUCHED: Final = "touched on disk since it was indexed; its text was not compared yet"

# The first answer leaves no room for notices, the second knows what they cost, the third where they are others.
_ATTEMPTS: Final = 3
# Tokens of the longest NOT FOUND with its next command.
_REFUSAL: Final = 50


def told(
    ask: Callable[[int], Answer], max_tokens: int, seen: Seen, folders: Sequence[str], notices: Sequence[str] = ()
) -> Answer:
    """Return an answer with what a reader must know of its files, inside the budget.

    Args:
        ask: returns an answer of at most so many tokens.
        max_tokens: the budget.
        seen: what is known of the roots.
        folders: where all indexed directories are.
        notices: what else is to be said of the whole answer.
    """
    plain = ask(max_tokens)
    every = (*seen.notices, *notices)
    if not plain.results:
        return refused(plain, every, max_tokens)
    for said in (every, ()):  # where only so much fits, a word on the whole is not worth the answer
        most = max_tokens
        for _ in range(_ATTEMPTS):
            answer = _with_notes(plain if most == max_tokens else ask(most), seen, folders, said)
            if answer.results and answer.tokens <= max_tokens:
                return answer
            most = max(most - max(answer.tokens - max_tokens, 1), 1)
    there = tuple(result for result in plain.results if GONE not in _marked(result, {}, (), folders).notices)
    return plain._replace(results=there) if there else plain._replace(results=(), reason="over_budget", tokens=0)


def refused(answer: Answer, notices: Iterable[str], max_tokens: int) -> Answer:
    """Return an answer without results with those notices that still fit beside its words, the first ones first."""
    left = max_tokens - _REFUSAL - sum(_price(notice) for notice in answer.notices)
    kept: list[str] = []
    for notice in notices:
        left -= _price(notice)
        if left < 0:
            break
        kept.append(notice)
    return answer._replace(notices=(*answer.notices, *kept))


def _with_notes(answer: Answer, seen: Seen, folders: Sequence[str], notices: Sequence[str]) -> Answer:
    """Return an answer with notices on the whole and on results whose file is gone or changed."""
    results = marked(answer.results, seen, folders)
    price = sum(new.tokens - old.tokens for new, old in zip(results, answer.results, strict=True))
    price += sum(_price(notice) for notice in notices) if results else 0
    return answer._replace(results=results, notices=(*answer.notices, *notices), tokens=answer.tokens + price)


def marked(results: Sequence[Result], seen: Seen, folders: Sequence[str]) -> tuple[Result, ...]:
    """Return results with a notice where the file is gone or changed."""
    changed = {
        os.path.join(one.folder, path): TOUCHED if path in one.turned else CHANGED
        for one in seen.looks
        for path in one.changed
    }
    remote = network_mounts() if any(result.file for result in results) else ()
    return tuple(_marked(result, changed, remote, folders) for result in results)


def _marked(result: Result, changed: Mapping[str, str], remote: Sequence[str], folders: Sequence[str]) -> Result:
    """Return a result with a notice where its file is gone or changed."""
    if result.file is None:
        return result
    file = os.path.abspath(result.file)
    if is_under(file, remote) or not is_under(file, folders):
        return result
    notice = changed.get(file) or _absence(file)
    if not notice:
        return result
    return result._replace(notices=(*result.notices, notice), tokens=result.tokens + _price(notice))


def _absence(file: str) -> str:
    """Return what is to be said where a file is not seen on disk; empty when it is there."""
    try:
        return GONE if is_gone(file) else ""
    except OSError as error:
        return UNKNOWN.format(why=error.strerror)


def is_gone(path: str) -> bool:
    """Tell whether nothing is there any more.

    Raises:
        OSError: if that cannot be told, as in a folder that may not be entered.
    """
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    return False


def _price(notice: str) -> int:
    """Return what a notice costs as it is printed, on a line of its own."""
    return llm_tokens(f"note: {notice}\n")
