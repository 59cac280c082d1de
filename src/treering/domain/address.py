"""The address of a store on a PostgreSQL server, and how it is shown: never with its password."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

from treering.errors import InputError

_FORM: Final = "postgresql://USER@HOST:PORT/DATABASE"
_SECRET: Final = ("password", "sslpassword", "passfile", "oauth_client_secret")
_ESCAPES: Final = "in a name or password write @ as %40, : as %3A, / as %2F, # as %23, ? as %3F, % as %25"


class Address:
    """A ``postgresql://`` URL. What is shown of it holds no password, nor does any message.

    Attributes:
        url: the URL as libpq takes it, with its password.
        shown: the URL for people.
        user: who connects; empty when the URL does not say.
        database: the database; empty when the URL does not say.
    """

    __slots__ = ("_secrets", "database", "shown", "url", "user")

    def __init__(self, url: str) -> None:
        """Take an address apart.

        Raises:
            InputError: if it cannot be read, or could be read in two ways; the message does not repeat it.
        """
        rest = url.partition("://")[2]
        authority, slash, path = rest.partition("?")[0].partition("/")
        options = rest.partition("?")[2]
        login, at, host = authority.rpartition("@")
        _refuse_ambiguous(url, login, path)
        _refuse_hosts(host)
        name, _, password = login.partition(":")
        pairs = [pair for pair in options.split("&") if pair]
        if any("=" not in pair for pair in pairs):
            raise InputError(f"the store's address has an option without a value; the form is {_FORM}", hint=_ESCAPES)
        kept = [pair for pair in pairs if pair.partition("=")[0].lower() not in _SECRET]
        secrets = [pair.partition("=")[2] for pair in pairs if pair not in kept]
        self.url = url
        self.user, self.database = unquote(name), unquote(path)
        self._secrets = [secret for secret in (password, *secrets) if secret]
        self.shown = f"postgresql://{name}{at}{host}{slash}{path}{'?' if kept else ''}{'&'.join(kept)}"

    def __repr__(self) -> str:
        """Return the address without its password."""
        return f"Address({self.shown!r})"

    def __eq__(self, other: object) -> bool:
        """Tell whether another address is the same."""
        return isinstance(other, Address) and other.url == self.url

    def __hash__(self) -> int:
        """Return a number that is equal for equal addresses."""
        return hash(self.url)

    def without_secrets(self, text: str) -> str:
        """Return a text, such as a server's message, with the password taken out wherever it stands."""
        for secret in self._secrets:
            for written in {secret, unquote(secret)}:
                text = text.replace(written, "***")
        return text


def _refuse_ambiguous(url: str, login: str, path: str) -> None:
    """Refuse marks that would end the password somewhere else than its owner thinks."""
    if re.search(r"[\s\x00-\x1f\x7f]", url):
        raise InputError("the store's address holds white space or a control character", hint=_ESCAPES)
    if login.count(":") > 1 or any(mark in login for mark in "@[]") or "@" in path or "#" in url or "/" in path:
        raise InputError(
            f"the store's address cannot be read: it has @, :, / or # where they are not expected; the form is {_FORM}",
            hint=_ESCAPES,
        )
    if re.search(r"%(?![0-9A-Fa-f]{2})", url) or "%00" in url:
        raise InputError("the store's address holds a % that begins no escape", hint=_ESCAPES)


def _refuse_hosts(hosts: str) -> None:
    """Refuse what cannot be hosts with ports; a password with a slash in it ends up here."""
    for host in hosts.split(","):
        if not re.fullmatch(r"(\[[0-9A-Fa-f:.%]+\]|[^:\[\]@]*)(:\d*)?", host):
            raise InputError(
                f"the store's address has no host and port that can be read; the form is {_FORM}", hint=_ESCAPES
            )
