"""Documents to text: which reader a document gets, what becomes of its text, and every way to fail."""

from __future__ import annotations

import pytest

from treering.domain.source import Extract
from treering.errors import InputError
from treering.ingest import readers
from treering.ingest.encoding import Undecodable
from treering.ingest.readers import Unread, formats


def shout(raw: bytes, name: str) -> Extract:
    """Read a made-up format: its bytes in capitals, under the file's name."""
    return Extract(
        f"\ufeff{raw.decode().upper()}\r\n\x00from {name}", "shout", "loud", " A  title ", (("author", "me"),)
    )


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what a test registers go with it."""
    monkeypatch.setattr(formats, "_registered", {})


def test_text_is_decoded() -> None:
    """A file that is no document is decoded, and its front matter measured."""
    document = readers.read(b"---\na: b\n---\n# One\n", "note.md")
    assert (document.text, document.encoding) == ("---\na: b\n---\n# One\n", "utf-8")
    assert document.front_matter_chars == len("---\na: b\n---\n")


def test_what_a_reader_gives_is_made_clean(registry: None) -> None:
    """A text from a reader has one kind of line end, no NUL, no mark and one line feed at its end."""
    readers.register(".shout", shout)
    document = readers.read(b"hello", "a/b.SHOUT")
    assert document.text == "HELLO\nfrom a/b.SHOUT\n"
    assert (document.encoding, document.notice, document.title) == ("shout", "loud", "A title")
    assert document.properties == (("author", "me"),)
    assert (document.size_bytes, document.front_matter_chars) == (5, 0)


@pytest.mark.parametrize("suffix,reader", [("shout", shout), (".shout", "nowhere.at:all"), (".shout", lambda *_: None)])
def test_a_reader_must_be_found_again(registry: None, suffix: str, reader: object) -> None:
    """A suffix without a dot, and a reader that another process could not import, are refused."""
    with pytest.raises(InputError):
        readers.register(suffix, reader)  # type: ignore[arg-type]
    assert not readers.has_reader("x.shout")


@pytest.mark.parametrize(
    "raw,name,code",
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "a.docx", "password"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "a.doc", "unsupported"),
        (b"PK\x03\x04 something", "a.odt", "unsupported"),
        (b"PK\x03\x04 something", "a.zip", "unsupported"),
        (b"{\\rtf1 hello}", "a.rtf", "unsupported"),
        (b"no archive", "a.docx", "damaged"),
        (b"PK\x03\x04 cut", "a.xlsx", "damaged"),
        (b"%PDF-1.7\nnothing", "a.pdf", "damaged"),
        (b"<a><b></a>", "a.xml", "damaged"),
        (b"<html><script>x</script></html>", "a.html", "no_text"),
    ],
)
def test_failures_have_a_kind_and_a_reason(raw: bytes, name: str, code: str) -> None:
    """What cannot be read says why, for people and for programs."""
    with pytest.raises(Unread) as caught:
        readers.read(raw, name)
    assert caught.value.code == code
    assert str(caught.value)


def test_binary_is_no_text() -> None:
    """Bytes of no known kind are refused as before."""
    with pytest.raises(Undecodable, match="binary"):
        readers.read(bytes(range(256)), "a.bin")


def test_the_first_bytes_say_more_than_a_name() -> None:
    """A PDF under another name is read as one; a text under a document's old name is text."""
    assert formats.reader_for(b"%PDF-1.4\n", "scan.dat").endswith("pdf:read")
    assert formats.reader_for(b"plain words", "letter.doc") == ""
