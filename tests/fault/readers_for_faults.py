"""Readers that misbehave, for the tests of the process that runs them."""

from __future__ import annotations

import os
import sys

from treering.domain.source import Extract


def kind(raw: bytes, name: str) -> Extract:
    """Read a text, in a process whose number it tells; print a lot besides."""
    sys.stdout.write("noise " * 1000)
    sys.stdout.flush()
    sys.stderr.write("noise\n")
    return Extract(raw.decode(), f"kind {os.getpid()}", name)


def endless(raw: bytes, name: str) -> Extract:
    """Never come to an end."""
    while True:
        pass


def asleep(raw: bytes, name: str) -> Extract:
    """Wait for what never comes, without work."""
    os.read(os.pipe()[0], 1)
    return Extract("", "")


def greedy(raw: bytes, name: str) -> Extract:
    """Take all memory."""
    return Extract(str(len([bytearray(1 << 24) for _ in range(10_000)])), "greedy")


def crashing(raw: bytes, name: str) -> Extract:
    """End the process as a fault in native code does."""
    os.abort()


def huge(raw: bytes, name: str) -> Extract:
    """Give more than a document holds."""
    return Extract("x" * 60_000_000, "huge")
