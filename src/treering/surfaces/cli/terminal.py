"""Standard streams: what is written where, progress on a terminal, a question from a pipe."""

from __future__ import annotations

import sys
import time

from treering.errors import InputError, StorageFailed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, TextIO

MAX_INPUT_BYTES: Final = 1_000_000
"""A pasted log is a question of 100 kB; beyond this a file was piped in by mistake."""

_MAX_TEXT_BYTES: Final = 10_000_000

_REDRAW_S: Final = 0.1


def prepare_streams() -> None:
    """Let no character stop an output, whatever the terminal's encoding is."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def say(text: str) -> None:
    """Write ``text`` to standard output.

    Raises:
        StorageFailed: if it cannot be written, e.g. to a full disk.
        BrokenPipeError: if the reader has gone.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise StorageFailed(f"standard output cannot be written: {error.strerror}") from error


def discard_output() -> None:
    """Send what standard output still holds to nowhere, so that it fails no second time at the end of the process."""
    import os
    from contextlib import suppress

    with suppress(OSError, ValueError):  # no real stream: nothing is written at exit either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say_json(value: dict[str, Any]) -> None:
    """Write a JSON object on a line of its own; letters stay letters where the output can carry them."""
    import json  # 6 ms, for those who ask for it

    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    say(json.dumps(value, ensure_ascii=not utf8) + "\n")


def printable(text: str) -> str:
    """Return ``text`` as valid Unicode: bytes of an argument that are no UTF-8 become ``�``.

    Nothing in a store is called by such bytes: files with such names are skipped.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= letter <= "\udfff" else letter for letter in text)
    return text


def progress_bar(word: str, stream: TextIO | None = None) -> Callable[[int, int], None] | None:
    """Return a function that draws ``word 120 of 3,000`` in place; None where nobody would see it.

    Args:
        word: what is going on.
        stream: the terminal; None for standard error.
    """
    out = stream or sys.stderr
    if out is None or not out.isatty():
        return None
    drawn_at = 0.0

    def draw(done: int, total: int) -> None:
        """Draw the state, at most ten times a second, and wipe it at the end."""
        nonlocal drawn_at
        now = time.monotonic()
        if done < total and now - drawn_at < _REDRAW_S:
            return
        drawn_at = now
        out.write("\r\x1b[K" if done >= total else f"\r\x1b[K{word} {done:,} of {total:,}")
        out.flush()

    return draw


def read_input() -> str:
    """Return the question that is piped in.

    Raises:
        InputError: if it is a terminal, blank, or longer than ``MAX_INPUT_BYTES``.
    """
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError("nothing was asked", hint="treering search 'your question'")
    raw = sys.stdin.buffer.read(MAX_INPUT_BYTES + 1)
    if len(raw) > MAX_INPUT_BYTES:
        raise InputError(f"the question on standard input is longer than {MAX_INPUT_BYTES:,} bytes")
    text = raw.decode("utf-8-sig", "replace")
    if not text.strip():
        raise InputError("nothing was asked: standard input is empty", hint="treering search 'your question'")
    return text


def read_bytes(hint: str) -> bytes:
    """Return what is piped in, byte for byte.

    Args:
        hint: a command that gives it in another way.

    Raises:
        InputError: if it is a terminal.
    """
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError("there is nothing on standard input", hint=hint)
    return sys.stdin.buffer.read()


def read_text(hint: str) -> str:
    """Return the text that is piped in to be kept, exactly.

    Args:
        hint: a command that gives it in another way.

    Raises:
        InputError: if it is a terminal, no UTF-8, or longer than 10 MB.
    """
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError("there is nothing to remember", hint=hint)
    raw = sys.stdin.buffer.read(_MAX_TEXT_BYTES + 1)
    if len(raw) > _MAX_TEXT_BYTES:
        raise InputError(
            f"the text on standard input is longer than {_MAX_TEXT_BYTES:,} bytes", hint="put it in a file and index it"
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"standard input is no UTF-8: byte {error.start} fits nothing", hint=hint) from error
