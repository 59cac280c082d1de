"""Which files an agent may have imported: those in the folders of a setting, never hidden ones.

A path from an agent is text like any other: it may come from a document that it has read. It is resolved, links
included, before it is compared.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from treering.errors import OutsideRoot
from treering.places import is_within

if TYPE_CHECKING:
    from treering.places import Place
    from treering.settings import Settings


def roots(place: Place, settings: Settings) -> tuple[str, ...]:
    """Return the folders of which an agent may have files imported, without links."""
    given = [one for one in settings.capture_import_roots.split(os.pathsep) if one]
    base = place.project or place.home
    expanded = [place.home + one[1:] if one == "~" or one.startswith("~/") else one for one in given]
    folders = [os.path.join(base, one) for one in expanded] or ([place.project] if place.project else [])
    return tuple(dict.fromkeys(map(os.path.realpath, folders)))


def require_readable(real: str, place: Place, settings: Settings) -> None:
    """Refuse a file or folder that an agent may not have imported.

    Args:
        real: its path, absolute and without links.
        place: the store.
        settings: with ``capture.import_roots``.

    Raises:
        OutsideRoot: if it lies elsewhere, or is hidden, or lies in a hidden folder.
    """
    allowed = roots(place, settings)
    around = [folder for folder in allowed if is_within(real, folder)]
    if not around:
        folders = ", ".join(allowed) or "there is no project here"
        raise OutsideRoot(
            f"{real} lies outside of what an agent may have imported ({folders})",
            hint="the user can import it at the command line, or name its folder in the setting capture.import_roots",
        )
    below = min((os.path.relpath(real, folder) for folder in around), key=len)
    hidden = [part for part in below.split(os.sep) if part.startswith(".") and part not in {".", ".."}]
    if hidden:
        raise OutsideRoot(
            f"{real}: {hidden[0]} is hidden, and what is hidden only the user imports",
            hint=f"the user can: treering import {real}",
        )
