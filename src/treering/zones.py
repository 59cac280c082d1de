"""Zones: where dates without an offset are meant. A store keeps the time zone that it was made in."""

from __future__ import annotations

import os
from datetime import UTC, tzinfo
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from treering.errors import BadSetting

if TYPE_CHECKING:
    from treering.ports import Transaction

NAME: Final = "zone"
"""Setting of a store: its time zone."""
_LINK: Final = "/etc/localtime"
_FOLDER: Final = "zoneinfo/"


def of_store(tx: Transaction, setting: str = "") -> tzinfo:
    """Return the time zone of a store.

    Args:
        tx: the store.
        setting: the zone that the user set; empty for the store's own.

    Raises:
        BadSetting: if there is no such zone.
    """
    name = setting or tx.setting(NAME)
    return zone(name) if name else UTC


def keep(tx: Transaction, setting: str = "") -> tzinfo:
    """Return the time zone of a store, and note the user's own in one that has none.

    Args:
        tx: a transaction that may write.
        setting: the zone that the user set; empty for the store's own.

    Raises:
        BadSetting: if there is no such zone.
    """
    return noted(tx, tx.setting(NAME), setting)


def noted(tx: Transaction, name: str | None, setting: str) -> tzinfo:
    """Do the same where what the store names, if anything, was read before."""
    if name is None:
        name = local()
        tx.put_setting(NAME, name)
    return zone(setting or name)


@lru_cache(maxsize=8)
def zone(name: str) -> tzinfo:
    """Return a time zone by its name.

    Raises:
        BadSetting: if there is no such zone.
    """
    if name == "UTC":
        return UTC
    from zoneinfo import ZoneInfo  # only where a zone is not UTC

    try:
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError) as error:
        raise BadSetting(
            f"there is no time zone {name!r}", hint="set time.zone to a name such as Europe/Madrid"
        ) from error


def local() -> str:
    """Return the name of the user's time zone; ``UTC`` where the system does not tell."""
    for given in (os.environ.get("TZ", "").lstrip(":"), os.path.realpath(_LINK).partition(_FOLDER)[2]):
        try:
            if given:
                zone(given)
                return given
        except BadSetting:
            continue
    return "UTC"
