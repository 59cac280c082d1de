"""Which folders an agent may name: the project, what its client works in, what the user allowed or indexed.

A path from an agent is text like any other: it may come from a document that it has read. So it is resolved,
links included, before it is compared; hidden folders hold keys and settings and are left to the user.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from treering.errors import OutsideRoot
from treering.places import is_within

if TYPE_CHECKING:
    from collections.abc import Iterable


class Bounds(NamedTuple):
    """Where an agent may point.

    Attributes:
        base: what its relative paths are relative to.
        folders: in these and what lies under them, except hidden folders.
        whole: in these also hidden folders: the user named or indexed them.
    """

    base: str
    folders: tuple[str, ...]
    whole: tuple[str, ...] = ()

    def also(self, indexed: Iterable[str]) -> Bounds:
        """Return bounds that take in the directories which are indexed already."""
        return self._replace(whole=(*self.whole, *map(os.path.realpath, indexed)))

    def absolute(self, path: str) -> str:
        """Return a path as an absolute one."""
        return os.path.normpath(os.path.join(self.base, os.path.expanduser(path)))

    def confined(self, path: str) -> str:
        """Return a path as an absolute one that lies inside.

        Raises:
            OutsideRoot: if it, or what it links to, lies outside or in a hidden folder.
        """
        absolute = self.absolute(path)
        real = os.path.realpath(absolute)
        if any(is_within(real, folder) for folder in self.whole):
            return absolute
        around = [folder for folder in self.folders if is_within(real, folder)]
        if not around:
            allowed = ", ".join(self.folders) or "no folder: there is no project here"
            raise OutsideRoot(
                f"{path} lies outside of what an agent may name ({allowed})",
                hint=f"the user can allow it: treering serve --allow {absolute}, or treering index {absolute}",
            )
        below = min((os.path.relpath(real, folder) for folder in around), key=len)
        hidden = [part for part in below.split(os.sep) if part.startswith(".") and part not in {".", ".."}]
        if hidden:
            raise OutsideRoot(
                f"{path} lies in the hidden folder {hidden[0]}, which only the user may name",
                hint=f"the user can index it: treering index {absolute}",
            )
        return absolute


def bounds(base: str, project: str | None, client: Iterable[str], allowed: Iterable[str], home: str) -> Bounds:
    """Return where an agent may point.

    Args:
        base: the folder that the server works for.
        project: root of the project; None without one.
        client: folders that the client says it works in.
        allowed: folders that the user allowed when starting the server.
        home: the user's home folder: it and what holds it are never allowed as a whole, unless the user named them.
    """
    candidates = [
        os.path.realpath(folder) for folder in ([project] if project else [base], client) for folder in folder
    ]
    folders = [folder for folder in dict.fromkeys(candidates) if not is_within(home, folder)]
    return Bounds(base, tuple(folders), tuple(os.path.realpath(os.path.expanduser(folder)) for folder in allowed))
