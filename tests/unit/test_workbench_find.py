"""Which symbol answers, by what the question names and what search thinks."""

from __future__ import annotations

import pytest

from treering.chunkers import chunk
from treering.workbench import codemap, find
from treering.workbench.symbols import Symbol, declared, is_test, symbols_of

CODE = """\
import os


class Ledger:
    '''Entries.'''

    def add(self):
        return 1

    def _sum(self):
        return 2


def add(x):
    return x
"""


def symbols(file: str = "src/ledger.py", version: str = "v1") -> list[Symbol]:
    """Return the symbols of a file."""
    return symbols_of(file, version, chunk(CODE, file, front_matter_chars=0, target_chars=40).chunks)


def names(query: str, relevance: dict[str, float] | None = None, **options: object) -> list[str]:
    """Return what is found among a source file and its test, as ``file name``."""
    known = [*symbols(), *symbols("tests/test_ledger.py", "v2")]
    told = {
        (one.version, one.ordinal): (relevance or {}).get(one.qualified or one.kind, 0.0)
        for one in known
        if (relevance or {}).get(one.qualified or one.kind)
    }
    found = find.ranked(known, told, find.understood(query), **options)  # type: ignore[arg-type]
    return [f"{one.symbol.file} {one.symbol.qualified or one.symbol.kind}" for one in found]


def test_a_name_counts_more_than_relevance() -> None:
    """A qualified name finds its symbol whatever search found; a bare one prefers what is called so alone."""
    relevance = {"Ledger": 1.0, "Ledger._sum": 0.9}
    assert names("where is Ledger.add", relevance)[0] == "src/ledger.py Ledger.add"
    assert names("add", relevance)[0] == "src/ledger.py add"
    assert names("ledger.add", relevance)[0] in {"src/ledger.py add", "src/ledger.py Ledger.add"}
    assert names("how are entries summed up", relevance)[0] == "src/ledger.py Ledger"


def test_tests_are_left_out_demoted_or_alone() -> None:
    """The default leaves tests out; all ranks them below, unless the question is about tests."""
    relevance = {"Ledger": 1.0}
    assert not [one for one in names("entries", relevance) if one.startswith("tests/")]
    assert names("entries", relevance, files="all")[0].startswith("src/")
    assert all(one.startswith("tests/") for one in names("entries", relevance, files="test"))


def test_the_file_that_is_named_comes_first() -> None:
    """A path, a file's name or a word of it in the question lifts its symbols."""
    relevance = {"Ledger": 0.8, "add": 0.8}
    assert names("entries in test_ledger.py", relevance, files="all")[0].startswith("tests/")
    assert names("entries in src/ledger.py", relevance, files="all")[0].startswith("src/")


def test_imports_are_what_one_looks_for_last() -> None:
    """Import lines rank below everything that search liked half as much."""
    assert names("os", {"imports": 1.0, "Ledger": 0.4})[0] == "src/ledger.py Ledger"


def test_a_clue_speaks_for_and_against() -> None:
    """The candidate that the clue is about wins over one that was better without."""
    relevance = {"Ledger": 1.0, "Ledger._sum": 0.7}
    assert names("entries", relevance, clue=frozenset({"sum"}))[0] == "src/ledger.py Ledger._sum"


def test_alike_names_are_rivals() -> None:
    """Two symbols of the same bare name are ambiguous; a qualified name is not."""
    known = [*symbols("src/a.py", "v1"), *symbols("src/b.py", "v2")]
    bare, qualified = find.understood("Ledger"), find.understood("Ledger.add")
    found = find.ranked(known, {("v2", 1): 1.0}, bare)
    assert {one.symbol.file for one in find.rivals(found, bare)} == {"src/a.py", "src/b.py"}
    assert find.rivals(find.ranked(symbols(), {}, qualified), qualified) == ()
    assert find.rivals([], bare) == ()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("where is get_user called", {("get_user",)}),
        ("what does `save` do", {("save",)}),
        ("httpx.Client.send", {("httpx", "Client", "send")}),
        ("std::vector growth", {("std", "vector")}),
        ("how does Depends work", {("Depends",)}),
        ("How are parcels counted", set()),
        ("reserve", {("reserve",)}),
        ("run() twice", {("run",)}),
    ],
)
def test_identifiers_are_told_from_words(query: str, expected: set[tuple[str, ...]]) -> None:
    """What looks like code is a name; the words of a sentence are none."""
    assert set(find.understood(query).names) == expected


def test_only_the_symbol_is_shown() -> None:
    """Blank lines behind it and the brace that closes its class are left away; a long one is cut at a line."""
    method = "  int f() {\n    return 1;\n  }\n}\n\n"
    assert find.fitted(method, 10, 500) == ("  int f() {\n    return 1;\n  }", 12, False)
    text, last, cut = find.fitted("def f():\n" + "    call(1)\n" * 500, 1, 60)
    assert cut
    assert last < 20
    assert text.startswith("def f():")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("tests/a.py", True), ("src/__tests__/x.ts", True), ("pkg/pool_test.go", True), ("a/cart.spec.ts", True),
        ("src/StockTest.java", True), ("conftest.py", True), ("spec/mailer_spec.rb", True), ("src/contest.py", False),
        ("src/latest.py", False), ("fastapi/testclient.py", False), ("src/attest/a.go", False),
    ],
)  # fmt: skip
def test_tests_are_known_by_their_path(path: str, expected: bool) -> None:  # noqa: FBT001 - a table
    """Folders and names that languages give to tests, and no word that only contains one."""
    assert is_test(path) is expected


def test_a_class_reaches_to_the_end_of_its_members() -> None:
    """The map shows a class with all its lines although its chunk ends before the first member."""
    assert [(one.name, one.first, one.last) for one in declared(symbols())] == [
        ("Ledger", 4, 13),
        ("Ledger.add", 7, 9),
        ("Ledger._sum", 10, 13),
        ("add", 14, 15),
    ]


def test_a_map_that_does_not_fit_counts_the_rest() -> None:
    """Files beyond the budget are counted, and the sizes are of all."""
    sheets = [codemap.Sheet(f"pkg{n}/module_{n}.py", 100, 900) for n in range(500)]
    drawn = codemap.drawn(".", "files", sheets, 1000)
    assert drawn.tokens <= 1000
    assert drawn.left_out > 0
    assert f"{drawn.left_out:,} more files" in drawn.text
    assert drawn.whole_tokens == 450_000
