"""Origins: every form of a link to one page is one identity, and different pages stay different."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.errors import InputError
from treering.ingest.origins import named, origin

PAGES = {
    "github:owner/repo#123": (
        "https://github.com/owner/repo/pull/123",
        "http://www.github.com/Owner/Repo/pull/123/",
        "github.com/owner/repo/pull/123/files",
        "https://github.com/owner/repo/pull/123/files#diff-0a1b",
        "https://github.com/owner/repo/pull/123/commits/0123abc",
        "https://github.com/owner/repo/pull/123#issuecomment-99",
        "https://github.com/owner/repo/pull/123?notification_referrer_id=abc#discussion_r5",
        "https://github.com/owner/repo/issues/123",
        "https://api.github.com/repos/owner/repo/pulls/123",
        "https://api.github.com/repos/owner/repo/issues/123",
        "owner/repo#123",
        "github:OWNER/repo#0123",
    ),
    "linear:APP-184": (
        "https://linear.app/acme/issue/APP-184/fix-the-login",
        "https://linear.app/acme/issue/app-184",
        "https://linear.app/acme/issue/APP-184/another-title#comment-1",
        "https://linear.app/issue/APP-184",
        "linear://acme/issue/APP-184",
        "linear:app-184",
    ),
    "slack:C0123AB/1700000000.123456": (
        "https://acme.slack.com/archives/C0123AB/p1700000000123456",
        "https://acme.slack.com/archives/C0123AB/p1700000099000000?thread_ts=1700000000.123456&cid=C0123AB",
        "https://acme.enterprise.slack.com/archives/C0123AB/p1700000000123456/",
        "https://app.slack.com/client/T01/C0123AB/thread/C0123AB-1700000000.123456",
        "slack://channel?team=T01&id=C0123AB&message=1700000099.000000&thread_ts=1700000000.123456",
        "slack:c0123ab/1700000000.123456",
        "slack:C0123AB/1700000000123456",
    ),
    "notion:0123456789abcdef0123456789abcdef": (
        "https://www.notion.so/acme/Some-PRD-0123456789abcdef0123456789abcdef",
        "https://www.notion.so/acme/Renamed-0123456789ABCDEF0123456789ABCDEF?pvs=4#ffffffffffffffffffffffffffffffff",
        "https://notion.so/0123456789abcdef0123456789abcdef",
        "https://notion.so/01234567-89ab-cdef-0123-456789abcdef",
        "https://acme.notion.site/Some-PRD-0123456789abcdef0123456789abcdef",
        "https://www.notion.so/acme/ffffffffffffffffffffffffffffffff?v=1&p=0123456789abcdef0123456789abcdef&pm=s",
        "notion://www.notion.so/acme/Some-PRD-0123456789abcdef0123456789abcdef",
        "notion:01234567-89ab-cdef-0123-456789abcdef",
    ),
    "web:example.org/a?b=1&c=2": (
        "https://example.org/a?c=2&b=1",
        "http://www.example.org:80/a/?b=1&c=2#part",
        "https://EXAMPLE.org/a?b=1&c=2&utm_source=mail&fbclid=x",
        "https://user:secret@example.org/a?b=1&c=2",
        "example.org/a?b=1&c=2",
    ),
}


@pytest.mark.parametrize(("key", "link"), [(key, link) for key, links in PAGES.items() for link in links])
def test_all_forms_of_a_link_are_one_page(key: str, link: str) -> None:
    """Whatever a link carries besides the page, its identity is the page's."""
    assert origin(link).key == key


def test_other_pages_are_others() -> None:
    """A link to something near a page is not that page."""
    links = [
        "https://github.com/owner/repo/pull/124",
        "https://github.com/owner/repo/discussions/123",
        "https://github.com/owner/repo",
        "https://github.example.com/owner/repo/pull/123",
        "https://notgithub.com/owner/repo/pull/123",
        "https://linear.app/acme/project/APP-184",
        "https://acme.slack.com/archives/C0123AB",
        "https://evilslack.com/archives/C0123AB/p1700000000123456",
        "https://www.notion.so/acme/Some-PRD",
    ]
    keys = [origin(link).key for link in links]
    assert len(set(keys)) == len(links)
    assert keys[0] == "github:owner/repo#124"
    assert all(key.startswith("web:") for key in keys[1:]), keys


def test_a_page_says_what_it_is() -> None:
    """Pull requests, tickets, threads, pages and the rest of the web are kept as such."""
    kinds = [origin(links[0]).kind for links in PAGES.values()]
    assert kinds == ["pull_request", "ticket", "chat", "document", "web"]


@pytest.mark.parametrize(
    "link", ["", "hello", "two words", "ftp://example.org/a", "https://", "javascript:alert(1)", "https://[::1/"]
)
def test_what_is_no_link_is_refused(link: str) -> None:
    """A word, another protocol or half an address is an error, never an identity."""
    with pytest.raises(InputError):
        origin(link)


def test_a_key_is_a_name_of_the_callers_own_unless_it_means_a_page() -> None:
    """A short form or a link as a key is the page; the names that the store gives itself are refused."""
    assert named("my-notes") is None
    page = named("https://github.com/owner/repo/pull/123")
    assert page is not None
    assert page.key == "github:owner/repo#123"
    for key in ("note:mem_1", "file:docs/a.md", "import:a.md", "", "x" * 3000):
        with pytest.raises(InputError):
            named(key)


@given(st.text(max_size=60))
def test_any_text_is_a_page_or_refused(text: str) -> None:
    """No text crashes the reader, and an identity is its own identity when it is given as a key."""
    try:
        found = origin(text)
    except InputError:
        return
    if not found.key.startswith("web:"):
        again = named(found.key)
        assert again is not None
        assert again.key == found.key
