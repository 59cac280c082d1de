"""What every store promises of filters, lists and counts, see ``treering.ports``: one suite over all adapters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from treering.domain.query import Filter, Term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.ports import Backend, Transaction
    from treering.records import StoredSource

KEYS = (
    "file:docs/a.md",
    "file:docs/A.md",
    "file:docs/sub/b.md",
    "file:docs-old/a.md",
    "file:docs.md",
    "file:docs",
    "file:docs0/a.md",
    "file:Docs/a.md",
    "file:100%/a_b.md",
    "file:100x/aXb.md",
    "file:-dash/🎉.md",
    "file:~draft.md",
    "file:./~/t.md",
    "file:~/notes/n.md",
    "file:~/notes-2/n.md",
    "file:/srv/notes/s.md",
    "file:/srv/notes2/s.md",
    "file:ünï/漢字.md",
    "note:docs/a.md",
)
METADATA: dict[str, dict[str, tuple[str, ...]]] = {
    "file:docs/a.md": {"kind": ("note",), "tags": ("red", "blue")},
    "file:docs/A.md": {"kind": ("Note",), "tags": ("blue",)},
    "file:docs/sub/b.md": {"kind": ("event",), "tags": ("red",)},
    "file:docs.md": {"Kind": ("note",), "100%": ("_",)},
    "file:~/notes/n.md": {"kind": ("note", "event"), "empty": ("",)},
}


@pytest.fixture
def tx(backend: Backend, shelf: Any) -> Iterator[Transaction]:
    """Return a writing transaction of a store with one file under each key, in the keyword index too."""
    with backend.write() as tx:
        tx.sources.put_root("docs", "")
        for number, key in enumerate(KEYS):
            shelf.put(tx, key, "A text.\n", metadata=METADATA.get(key), path=key, at=f"2026-01-{number % 5 + 1:02}")
            source = tx.sources.source_by_key(key)
            assert source is not None
            for chunk in tx.sources.chunks_of(source.version):
                tx.keywords.add([(chunk.entry, key, chunk.text)])
        yield tx


def passing(tx: Transaction, filter: Filter) -> set[str]:
    """Return the keys that pass a filter, by all the ways of asking for them."""
    listed = tx.sources.list_sources(filter, 1000, "")
    newest = tx.sources.list_sources(filter, 1000, "", newest_first=True)
    terms = [Term(("text",))]
    ranked = tx.keywords.rank(terms, tx.keywords.frequencies(terms), 1000, filter)
    owners = {chunk.source for chunk in tx.sources.chunks([hit.entry for hit in ranked]).values()}
    keys = [source.key for source in listed]
    assert sorted(keys) == sorted(source.key for source in newest)
    assert owners == {source.id for source in listed}
    assert tuple(tx.sources.count(filter)) == (len(keys), len(keys), 8 * len(keys), 0)
    return set(keys)


def test_no_filter(tx: Transaction) -> None:
    """An empty filter narrows nothing."""
    assert passing(tx, Filter()) == set(KEYS)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("docs", {"docs/a.md", "docs/A.md", "docs/sub/b.md", "docs"}),
        ("docs/", {"docs/a.md", "docs/A.md", "docs/sub/b.md"}),
        ("docs/sub", {"docs/sub/b.md"}),
        ("docs/a.md", {"docs/a.md"}),
        ("docs/a", set()),
        ("doc", set()),
        ("DOCS", set()),
        ("Docs", {"Docs/a.md"}),
        ("docs.md", {"docs.md"}),
        ("docs_old", set()),
        ("100%", {"100%/a_b.md"}),
        ("100%/a_b.md", {"100%/a_b.md"}),
        ("100_", set()),
        ("%", set()),
        ("docs*", set()),
        ("-dash", {"-dash/🎉.md"}),
        ("ünï", {"ünï/漢字.md"}),
        ("ünï/漢字.md", {"ünï/漢字.md"}),
        ("~", {"~/notes/n.md", "~/notes-2/n.md"}),
        ("~/notes", {"~/notes/n.md"}),
        ("~draft.md", {"~draft.md"}),
        ("./~", {"./~/t.md"}),
        ("/", {"/srv/notes/s.md", "/srv/notes2/s.md"}),
        ("/srv/notes", {"/srv/notes/s.md"}),
        ("/srv/notes/s.md", {"/srv/notes/s.md"}),
        ("'; drop table source; --", set()),
    ],
)
def test_paths(tx: Transaction, path: str, expected: set[str]) -> None:
    """A path stands for itself and all below it: no sibling that begins alike, no wildcard, no other case."""
    assert passing(tx, Filter(path=path)) == {f"file:{name}" for name in expected}


def test_the_project_itself(tx: Transaction) -> None:
    """``.`` is every file of the project: none below the home folder, none with an absolute path, no other kind."""
    assert passing(tx, Filter(path=".")) == {
        key for key in KEYS if key.startswith("file:") and not key.startswith(("file:~/", "file:/"))
    }


def test_several_folders(tx: Transaction) -> None:
    """Further folders count as lying under the path: each file of any of them passes, once."""
    assert passing(tx, Filter(path="docs/sub", also=("~/notes", "/srv/notes", "docs"))) == {
        "file:docs/a.md", "file:docs/A.md", "file:docs/sub/b.md", "file:docs", "file:~/notes/n.md",
        "file:/srv/notes/s.md",
    }  # fmt: skip
    assert passing(tx, Filter(path=".", also=("~",))) == {
        key for key in KEYS if key.startswith("file:") and not key.startswith("file:/")
    }
    assert passing(tx, Filter(path="none", also=("docs-old",), where=(("kind", ("note",)),))) == set()


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"kind": ("note",)}, {"docs/a.md", "~/notes/n.md"}),
        ({"kind": ("Note",)}, {"docs/A.md"}),
        ({"Kind": ("note",)}, {"docs.md"}),
        ({"kind": ("note", "event")}, {"docs/a.md", "docs/sub/b.md", "~/notes/n.md"}),
        ({"kind": ("note", "none such")}, {"docs/a.md", "~/notes/n.md"}),
        ({"tags": ("blue",)}, {"docs/a.md", "docs/A.md"}),
        ({"kind": ("note",), "tags": ("red",)}, {"docs/a.md"}),
        ({"kind": ("note", "event"), "tags": ("red", "green")}, {"docs/a.md", "docs/sub/b.md"}),
        ({"kind": ("event",), "tags": ("blue",)}, set()),
        ({"100%": ("_",)}, {"docs.md"}),
        ({"100_": ("_",)}, set()),
        ({"100%": ("%",)}, set()),
        ({"empty": ("",)}, {"~/notes/n.md"}),
        ({"kind": ("",)}, set()),
        ({"kind": ()}, set()),
        ({"kind": ("note' or '1'='1",)}, set()),
        ({"kind": (*(f"no{i}" for i in range(400)), "note")}, {"docs/a.md", "~/notes/n.md"}),
    ],
)
def test_metadata(tx: Transaction, where: dict[str, tuple[str, ...]], expected: set[str]) -> None:
    """Every key must hold one of its values, letter for letter; a value is never a pattern."""
    assert passing(tx, Filter(where=tuple(where.items()))) == {f"file:{name}" for name in expected}


def test_everything_at_once(tx: Transaction) -> None:
    """Path, metadata and source narrow together; an unknown source leaves nothing."""
    source = tx.sources.source_by_key("file:docs/a.md")
    assert source is not None
    where = (("kind", ("note", "event")),)
    assert passing(tx, Filter(where=where, path="docs")) == {"file:docs/a.md", "file:docs/sub/b.md"}
    assert passing(tx, Filter(source=source.id)) == {"file:docs/a.md"}
    assert passing(tx, Filter(where=where, path="docs", source=source.id)) == {"file:docs/a.md"}
    assert passing(tx, Filter(path="docs/sub", source=source.id)) == set()
    assert passing(tx, Filter(source="src_unknown")) == set()


def pages(tx: Transaction, filter: Filter, size: int, *, newest_first: bool) -> list[StoredSource]:
    """Return a list that was fetched page by page."""
    found: list[StoredSource] = []
    after = ""
    while page := tx.sources.list_sources(filter, size, after, newest_first=newest_first):
        assert len(page) <= size
        found += page
        after = f"{page[-1].recorded_at} {page[-1].id}" if newest_first else page[-1].key
    return found


@pytest.mark.parametrize("size", [1, 4, 1000])
def test_pages_by_key(tx: Transaction, size: int) -> None:
    """Pages of any size give every source once, by the code points of its key."""
    assert [source.key for source in pages(tx, Filter(), size, newest_first=False)] == sorted(KEYS)
    narrowed = pages(tx, Filter(path="docs"), size, newest_first=False)
    assert [source.key for source in narrowed] == [
        "file:docs",
        "file:docs/A.md",
        "file:docs/a.md",
        "file:docs/sub/b.md",
    ]


@pytest.mark.parametrize("size", [1, 4, 1000])
def test_pages_by_time(tx: Transaction, size: int) -> None:
    """Pages of any size give every source once, the newest version first; of equal times the later id first."""
    found = pages(tx, Filter(), size, newest_first=True)
    assert len(found) == len(KEYS)
    order = [(source.recorded_at, source.id) for source in found]
    assert order == sorted(order, reverse=True)
    assert len({source.recorded_at for source in found}) == 5


def test_a_page_after_a_source_that_left(tx: Transaction) -> None:
    """A list goes on where it was, although the last entry of the page before has left meanwhile."""
    first = tx.sources.list_sources(Filter(), 3, "")
    tx.sources.remove_source(first[-1].id)
    rest = tx.sources.list_sources(Filter(), 1000, first[-1].key)
    assert [source.key for source in first + rest] == sorted(KEYS)


def test_counts(tx: Transaction, shelf: Any) -> None:
    """Counts follow the filter: sources, chunks, characters, and files whose front matter cannot be read."""
    shelf.put(tx, "file:docs/bad.md", "One é.\n\nTwo 🎉.\n", state="unparsed", path="bad.md")
    assert tuple(tx.sources.count(Filter(path="docs"))) == (5, 6, 4 * 8 + 15, 1)
    assert tuple(tx.sources.count(Filter(path="docs/bad.md"))) == (1, 2, 15, 1)
    assert tuple(tx.sources.count(Filter(path="~"))) == (2, 2, 16, 0)
    assert tuple(tx.sources.count(Filter(path="none"))) == (0, 0, 0, 0)
