"""Mail: its heading lines, its text, and the names of what is attached."""

from __future__ import annotations

import email
import email.policy
import email.utils
from typing import TYPE_CHECKING, Final, cast

from treering.domain.source import Extract
from treering.ingest import encoding
from treering.ingest.readers import html, markdown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import EmailMessage

_SHOWN: Final = ("From", "To", "Cc", "Date")
_MOST_PARTS: Final = 500


def read(raw: bytes, name: str) -> Extract:  # noqa: ARG001  a reader's signature
    """Return the text of a message."""
    message = email.message_from_bytes(raw, policy=email.policy.default)
    subject = _line(message, "Subject")
    notices: list[str] = []
    heading = "\n".join(f"{key}: {value}" for key in _SHOWN if (value := _line(message, key)))
    blocks = [markdown.heading(1, subject), markdown.paragraph(heading), *_parts(message, notices)]
    properties = (("author", _line(message, "From")), ("date", _date(message)))
    return Extract(
        markdown.join(blocks),
        "eml",
        "; ".join(dict.fromkeys(notices)),
        subject,
        tuple([pair for pair in properties if pair[1]]),
    )


def _line(message: EmailMessage, key: str) -> str:
    """Return a line of the heading; empty when it is absent or cannot be read."""
    try:
        return " ".join(str(message.get(key, "")).split())
    except (ValueError, IndexError, TypeError, AttributeError):  # what the library raises for lines made up badly
        return ""


def _date(message: EmailMessage) -> str:
    """Return the day that a message was sent, as its sender's clock had it."""
    try:
        return email.utils.parsedate_to_datetime(_line(message, "Date")).date().isoformat()
    except (ValueError, TypeError):
        return ""


def _parts(message: EmailMessage, notices: list[str]) -> Iterator[str]:
    """Yield the text of a message and of messages in it, plain where there is a choice, and names of the rest."""
    body = message.get_body(("plain", "html"))
    attached = []
    for number, part in enumerate(message.walk()):
        if number == _MOST_PARTS:
            notices.append(f"only the first {_MOST_PARTS} parts were read")
            break
        if part is body:
            yield from _text(part, notices)
        elif part.get_content_type() == "message/rfc822":
            yield markdown.heading(2, "Forwarded message")
        elif name := part.get_filename():
            attached.append(name)
        elif body is not None and part.get_content_maintype() == "text" and not _is_other_form(message, part):
            yield from _text(part, notices)
    if attached:
        yield markdown.paragraph(f"Attached: {', '.join(attached)}")


def _is_other_form(message: EmailMessage, part: object) -> bool:
    """Tell whether a part is another way of writing what another part says."""
    return any(part in one.get_payload() for one in message.walk() if one.get_content_type() == "multipart/alternative")


def _text(part: EmailMessage, notices: list[str]) -> Iterator[str]:
    """Yield a part's text as blocks."""
    raw = cast("bytes", part.get_payload(decode=True) or b"")
    try:
        text = raw.decode(part.get_content_charset("utf-8"))
    except (LookupError, UnicodeDecodeError, ValueError):
        text, _, notice = encoding.decode(raw)
        notices.append(notice or "its declared encoding was wrong")
    if part.get_content_type() == "text/html":
        yield html.extract(text, "eml").text
    else:
        yield from (markdown.paragraph(one) for one in text.replace("\r\n", "\n").split("\n\n"))
