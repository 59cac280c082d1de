"""``treering status``: where the memory is, its roots, and every way in which it is behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from treering.surfaces.cli.options import Command, Request, no_words, open_memory
from treering.surfaces.cli.terminal import say, say_json

if TYPE_CHECKING:
    from argparse import ArgumentParser

    from treering.domain.report import RootStatus, Status


def _declare(_parser: ArgumentParser) -> None:
    """Add nothing: all is shown."""


def _run(request: Request) -> int:
    """Show everything that the store knows about its own state."""
    no_words(request, "status")
    with open_memory(request.options) as memory:
        status = memory.status()
    if request.options.json:
        from treering.surfaces.views import status_json

        say_json(status_json(status))
    else:
        from treering.surfaces.views_text import status_text

        say(f"{status_text(status)}next: {next_step(status)}\n")
    return 0


def next_step(status: Status) -> str:
    """Return the command that helps most in this state."""
    from shlex import quote

    from treering.surfaces.views_text import clean_line

    if not status.roots:
        return "treering index DIR"
    behind = [root for root in status.roots if _mended_by_index(root)]
    if behind:
        return clean_line(f"treering index {' '.join(quote(root.path) for root in behind)}")
    return "treering search 'your question'"


def _mended_by_index(root: RootStatus) -> bool:
    """Tell whether a run over the root would bring it up to date."""
    is_behind = bool(root.unscanned or root.stale or root.behind or not root.scanned_at)
    return root.present and not (root.closed or root.rules_error) and is_behind


COMMAND: Final = Command(
    "status",
    "[options]",
    "Show where the memory is, what it holds, files that were skipped or whose front matter cannot be read, "
    "and metadata that is behind.",
    ("treering status", "treering status --json"),
    _declare,
    _run,
)
