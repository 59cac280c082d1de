"""Regular expressions that are compiled where they are first used: a search from the shell uses few of those it meets.

Compiling all of them took 10 ms of it, a fifth.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern, compile  # noqa: A004 - what it is to the type checker

    later = compile
else:
    _METHODS = frozenset(("findall", "finditer", "fullmatch", "match", "search", "split", "sub", "subn"))

    class Pattern:
        """A regular expression; its methods are those of a compiled one."""

        def __init__(self, pattern: str, flags: int = 0) -> None:
            """Keep what is compiled later."""
            self.pattern = pattern
            self._flags = flags

        def __getattr__(self, name: str) -> object:
            """Compile, and keep the methods, so that later calls cost what those of a compiled one do."""
            if name not in _METHODS:
                raise AttributeError(name)
            import re

            compiled = re.compile(self.pattern, self._flags)
            for method in _METHODS:
                setattr(self, method, getattr(compiled, method))
            return getattr(self, name)

    later = Pattern

__all__ = ["Pattern", "later"]
