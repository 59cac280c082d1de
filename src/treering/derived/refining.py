"""Digests that a language model writes, in place of the extractive ones, which stay wherever it fails."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from treering.derived.digests import inputs
from treering.domain.condensing import MAX_CHARS
from treering.domain.instructions import reads_like_instructions
from treering.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering.ports import Backend
    from treering.ports.tree import Summariser

_AT_ONCE: Final = 16
_MOST_CHARS: Final = 4 * MAX_CHARS
# A model that is not there would cost its time limit for every node.
_MOST_FAILURES: Final = 3


def refine(
    store: Backend, summariser: Summariser, timeout_s: float, progress: Callable[[int, int], None] | None = None
) -> tuple[int, list[str]]:
    """Have a summariser write the digests that it has not written yet, the lowest first.

    Nobody waits for it: it is asked between transactions, and what it says of a node that has changed meanwhile is
    not kept.

    Args:
        store: the store; no transaction may be open.
        summariser: what is asked.
        timeout_s: how long it may take for one digest.
        progress: called with nodes done and nodes in all.

    Returns:
        How many digests it wrote, and notices.
    """
    after, written, failures, in_a_row, why = (0, 0), 0, 0, 0, ""
    made = summariser.id
    while in_a_row < _MOST_FAILURES:
        with store.read() as tx:
            found = tx.tree.unlike(made, _AT_ONCE, after)
            found = [node for node in found if node.level == found[0].level]
            asked = [(node, inputs(tx, node)) for node in found]
            total = tx.tree.count()[0]
        if not asked:
            break
        for node, texts in asked:
            after = (node.level, node.number)
            try:
                text = ask(summariser, texts, timeout_s)
            except Unavailable as error:
                failures, in_a_row, why = failures + 1, in_a_row + 1, str(error)
                if in_a_row == _MOST_FAILURES:
                    break
                continue
            in_a_row = 0
            with store.write() as tx:
                now = tx.tree.nodes([node.number]).get(node.number)
                if now is not None and (now.fingerprint, now.made) == (node.fingerprint, node.made):
                    tx.tree.put([now._replace(text=text, made=made)])
                    written += 1
            if progress is not None:
                progress(written, total)
    if not failures:
        return written, []
    stopped = "; it was not asked again" if in_a_row == _MOST_FAILURES else ""
    return written, [f"{made} failed {failures} times, so extractive digests stay there: {why}{stopped}"]


def ask(summariser: Summariser, texts: Sequence[str], timeout_s: float) -> str:
    """Return a digest that a summariser writes.

    Raises:
        Unavailable: if it raises, takes too long, or says nothing, far too much or what reads like instructions.
    """
    said: list[object] = []

    def run() -> None:
        """Ask, and keep what comes of it."""
        try:
            said.append(summariser.summarise(texts, MAX_CHARS))
        except Exception as error:  # noqa: BLE001 - whatever another's code raises
            said.append(error)

    # A daemon: one that hangs keeps no process alive.
    asking = threading.Thread(target=run, name="treering-summariser", daemon=True)
    asking.start()
    asking.join(timeout_s)
    if not said:
        raise Unavailable(f"no answer within {timeout_s:g} s")
    return _checked(said[0])


def _checked(said: object) -> str:
    """Return what a summariser said as a digest."""
    if isinstance(said, BaseException):
        raise Unavailable(f"{type(said).__name__}: {str(said)[:200]}") from said
    if not isinstance(said, str):
        raise Unavailable("it returned no text")
    if len(said) > _MOST_CHARS:
        raise Unavailable(f"it returned {len(said):,} characters")
    lines = (" ".join(_plain(line).split()) for line in said.splitlines())
    text = "\n".join(line for line in lines if line)
    if not text:
        raise Unavailable("it returned an empty text")
    if reads_like_instructions(text):
        raise Unavailable("it returned what reads like instructions")
    return text


def _plain(line: str) -> str:
    """Return a line without control characters and half characters, which no database keeps."""
    return (
        "".join(" " if ord(letter) < 32 or 0x7F <= ord(letter) < 0xA0 else letter for letter in line)
        .encode("utf-8", "replace")
        .decode()
    )
