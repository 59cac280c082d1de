"""Origins: all forms of a link to one page as one identity, so that importing it again makes a new version.

``github:owner/repo#123`` is a pull request or an issue, ``linear:APP-184`` a ticket, ``slack:<channel>/<time>`` a
thread, ``notion:<id>`` a page, ``web:<address>`` any other. Pure: nothing is fetched, a link is text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from treering.domain.named import NamedTuple
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from urllib.parse import SplitResult

    from treering.domain.keeping import SourceKind


class Origin(NamedTuple):
    """Where a page is.

    Attributes:
        key: its identity.
        kind: what such pages are.
    """

    key: str
    kind: SourceKind


_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)
_OURS: Final = ("file:", "import:", "note:")
"""How keys begin that the store gives itself."""

_LONGEST: Final = 2000
_PAGE: Final = r"(?P<owner>[\w.-]+)/(?P<repo>[\w.-]+?)"
_GITHUB_PATH: Final = re.compile(
    rf"/(?:repos/)?{_PAGE}/(?P<what>pulls?|issues?)/(?P<number>\d+)(?:/.*)?", re.IGNORECASE
)
_GITHUB_SHORT: Final = re.compile(rf"(?:github:|gh:)?{_PAGE}#(?P<number>\d+)", re.IGNORECASE)
_LINEAR_PATH: Final = re.compile(r"(?:/[^/]+)?/issue/(?P<id>[a-z][a-z0-9]*-\d+)(?:/.*)?", re.IGNORECASE)
_LINEAR_SHORT: Final = re.compile(r"linear:(?P<id>[a-z][a-z0-9]*-\d+)", re.IGNORECASE)
_SLACK_PATH: Final = re.compile(r"/archives/(?P<channel>[A-Z0-9]+)/p(?P<time>\d{11,})/?", re.IGNORECASE)
_SLACK_CLIENT: Final = re.compile(
    r"/client/[A-Z0-9]+/(?P<outer>[A-Z0-9]+)(?:/(?:thread/(?P<channel>[A-Z0-9]+)-)?p?(?P<time>\d{5,}\.?\d{6}))/?.*",
    re.IGNORECASE,
)
_SLACK_SHORT: Final = re.compile(r"slack:(?P<channel>[A-Z0-9]+)/(?P<time>\d{5,}\.?\d{6})", re.IGNORECASE)
_UUID: Final = re.compile(
    r"(?<![0-9a-f])([0-9a-f]{32}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?![0-9a-f])", re.IGNORECASE
)
_NOTION_SHORT: Final = re.compile(r"notion:([0-9a-f-]{32,36})", re.IGNORECASE)
_NOTION_HOSTS: Final = ("notion.so", "notion.site", "notion.com")
# What a link carries for those who count clicks; the page is the same without it.
_TRACKING: Final = re.compile(r"utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|ref_src|si")
_USUAL_PORTS: Final = (":80", ":443")


def origin(link: str) -> Origin:
    """Return the page that a link leads to.

    Args:
        link: a web address, with or without its scheme, or a short form such as ``owner/repo#123``.

    Raises:
        InputError: if it is no link.
    """
    link = _checked("url", link)
    if short := _short(link):
        return short
    address = link if _SCHEME.match(link) else f"https://{link}"
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").removeprefix("www.")
    except ValueError as error:
        raise InputError(f"{link[:200]!r} is no web address: {error}") from error
    app = parts.scheme.lower()
    if app not in {"http", "https", "slack", "notion", "linear"} or not (host or app == "slack") or " " in host:
        raise InputError(f"{link[:200]!r} is no web address", hint="--url https://…, or --key with a name of your own")
    if app not in {"slack", "linear"} and "." not in host:
        raise InputError(f"{link[:200]!r} is no web address", hint="--url https://…, or --key with a name of your own")
    readers: tuple[Callable[[SplitResult, str], Origin | None], ...] = (_github, _linear, _slack, _notion)
    return next((found for read in readers if (found := read(parts, host))), None) or _web(parts)


def named(key: str) -> Origin | None:
    """Return the page that a key given by a caller means; None for a name of the caller's own.

    Raises:
        InputError: if it is no key, or one that the store gives itself.
    """
    key = _checked("key", key)
    if key.startswith(_OURS):
        raise InputError(f"the key {key[:200]!r} begins with {key.partition(':')[0]}:, which the store gives itself")
    if short := _short(key):
        return short
    return origin(key) if _SCHEME.match(key) else None


def _checked(name: str, text: str) -> str:
    """Return a link or key on one line.

    Raises:
        InputError: if it is empty, too long, or no text.
    """
    from treering.domain.memory import one_line

    text = one_line(name, text)
    if not text or len(text) > _LONGEST:
        raise InputError(f"the {name} has {len(text):,} characters; there must be 1 to {_LONGEST:,}")
    return text


def _short(text: str) -> Origin | None:
    """Return the page of a short form; None for anything longer."""
    if found := _GITHUB_SHORT.fullmatch(text):
        return _github_page(found, "ticket")
    if found := _LINEAR_SHORT.fullmatch(text):
        return Origin(f"linear:{found['id'].upper()}", "ticket")
    if found := _SLACK_SHORT.fullmatch(text):
        return _thread(found["channel"], found["time"])
    if found := _NOTION_SHORT.fullmatch(text):
        return _notion_page(found[1])
    return None


def _github(parts: SplitResult, host: str) -> Origin | None:
    """Return a pull request or issue: the page, its files, its commits or a comment on it."""
    found = _GITHUB_PATH.fullmatch(parts.path)
    if not found or host not in {"github.com", "api.github.com", "m.github.com"}:
        return None
    return _github_page(found, "pull_request" if found["what"].lower().startswith("pull") else "ticket")


def _github_page(found: re.Match[str], kind: SourceKind) -> Origin:
    """Return the identity of a pull request or issue; both count from one number."""
    return Origin(f"github:{found['owner'].lower()}/{found['repo'].lower()}#{int(found['number'])}", kind)


def _linear(parts: SplitResult, host: str) -> Origin | None:
    """Return a ticket, whatever its title is by now."""
    is_app = parts.scheme == "linear"
    path = f"/{host}{parts.path}" if is_app and host != "linear.app" else parts.path
    found = _LINEAR_PATH.fullmatch(path) if is_app or host == "linear.app" else None
    return Origin(f"linear:{found['id'].upper()}", "ticket") if found else None


def _slack(parts: SplitResult, host: str) -> Origin | None:
    """Return the thread that a message belongs to; a message without one begins it."""
    query = dict(parse_qsl(parts.query))
    if parts.scheme == "slack":
        moment = query.get("thread_ts") or query.get("message") or ""
        return _thread(query.get("id", ""), moment) if query.get("id") and moment else None
    if host != "slack.com" and not host.endswith(".slack.com"):
        return None
    found = _SLACK_PATH.fullmatch(parts.path) or _SLACK_CLIENT.fullmatch(parts.path)
    if not found:
        return None
    channel = found["channel"] or found["outer"]
    return _thread(query.get("cid") or channel, query.get("thread_ts") or found["time"])


def _thread(channel: str, moment: str) -> Origin:
    """Return the identity of a thread; Slack writes its time with and without the point before the last six digits."""
    digits = moment.replace(".", "")
    return Origin(f"slack:{channel.upper()}/{digits[:-6]}.{digits[-6:]}", "chat")


def _notion(parts: SplitResult, host: str) -> Origin | None:
    """Return a page; the one that is opened over a list stands in the query."""
    if not any(host == one or host.endswith(f".{one}") for one in _NOTION_HOSTS):
        return None
    opened = _UUID.fullmatch(dict(parse_qsl(parts.query)).get("p", ""))
    ids = _UUID.findall(unquote(parts.path))
    return _notion_page(opened[1] if opened else ids[-1]) if opened or ids else None


def _notion_page(id: str) -> Origin | None:
    """Return the identity of a page."""
    digits = id.replace("-", "").lower()
    return Origin(f"notion:{digits}", "document") if len(digits) == 32 else None


def _web(parts: SplitResult) -> Origin:
    """Return any other page: without its scheme, what counts clicks, the place on it, and who signs in."""
    host = parts.netloc.rpartition("@")[2].lower().removeprefix("www.")
    for port in _USUAL_PORTS:
        host = host.removesuffix(port)
    query = urlencode(
        sorted((k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.fullmatch(k))
    )
    address = urlunsplit(("", host, parts.path.rstrip("/"), query, ""))
    return Origin(f"web:{address.removeprefix('//')}", "web")
