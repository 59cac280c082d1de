"""Text for people: compact, complete, and unable to steer a terminal."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.domain.chunk import Heading
from treering.domain.query import Answer, Result, TraceStep
from treering.domain.report import IndexReport, RootStatus, Shown, Status
from treering.domain.source import Skip
from treering.surfaces import views_text

RESULT = Result(
    id="ver_1#2",
    title="Guide",
    text="# Guide\n\nrun it\n",
    citation="docs/guide.md:12-18  Guide › Install",
    path=(Heading(1, "Guide"), Heading(2, "Install")),
    source="src_1",
    key="docs/guide.md",
    file="docs/guide.md",
    version="ver_1",
    trust="owner",
    lines=(12, 18),
    metadata={},
    chunks=(),
    score=0.871,
    tokens=120,
)
ROOT = RootStatus("docs", True, "", 3, 5, "2025-01-01T00:00:00Z", 0, 0, "", (), ())
STATUS = Status("/p/memory.db", "project", "/p", exists=True, sources=3, chunks=5, roots=(ROOT,))


def answer(*results: Result, notices: tuple[str, ...] = ()) -> Answer:
    """Return an answer with these results."""
    reason = None if results else "no_match"
    return Answer("q", "keyword", results, reason, 0.9, sum(result.tokens for result in results), notices)


def test_a_result_is_cited_then_quoted() -> None:
    """Number, file, lines, headings, score and tokens on a line; then the text as it is."""
    assert views_text.answer_text(answer(RESULT)) == (
        "[1] docs/guide.md:12-18  Guide › Install  (0.87, ~120 tokens)\n# Guide\n\nrun it\n\n1 result, ~120 tokens\n"
    )


def test_a_single_line_and_a_source_without_a_file_are_cited_too() -> None:
    """One line has one number; without a file the key stands in."""
    text = views_text.answer_text(answer(RESULT._replace(file=None, key="note:7", citation="note:7:4  Guide")))
    assert text.startswith("[1] note:7:4  Guide")


def test_notices_are_shown_with_what_they_belong_to() -> None:
    """A result's notice follows its text, the answer's stand at the end."""
    text = views_text.answer_text(answer(RESULT._replace(notices=("stale",)), notices=("2 files behind",)))
    assert text.index("note: stale") < text.index("note: 2 files behind") < text.index("1 result")


@pytest.mark.parametrize("reason", ["no_terms", "empty_gate", "filtered_out", "no_match", "empty_store", "later"])
def test_nothing_found_says_so_in_capitals_and_why(reason: str) -> None:
    """Every reason becomes a line that begins with NOT FOUND, one of a later version too."""
    text = views_text.answer_text(answer()._replace(reason=reason))
    assert text.startswith("NOT FOUND: ")
    assert text.count("\n") == 1


def test_a_trace_is_a_table() -> None:
    """Columns line up, numbers to the right."""
    text = views_text.trace_text(
        [TraceStep("analyse", 1, 12, "words", 0.1), TraceStep("gate", 12, 0, "too little", 10)]
    )
    assert text == (
        "step     in  out     ms  why\nanalyse   1   12   0.10  words\ngate     12    0  10.00  too little\n"
    )


def test_an_index_run_is_a_line_and_what_was_left_out() -> None:
    """Only changes that happened are named; skipped files are counted by reason."""
    skips = (Skip("a", "binary"), Skip("b", "binary"), Skip("c", "too large"))
    report = IndexReport("docs", files=120, added=3, removed=1, chunks=900, skipped=skips, took_s=1.234)
    assert views_text.index_text(report) == (
        "Indexed docs: 120 files (3 new, 1 removed), 900 chunks, 1.23 s\n"
        "  3 skipped: 2 × binary, 1 × too large; run `treering status`\n"
    )
    assert "nothing changed" in views_text.index_text(IndexReport("docs", files=120, unchanged=120))


def test_a_store_that_is_not_made_yet_says_so() -> None:
    """Where it will be, and that it is not there."""
    text = views_text.place_text(Status("/p/memory.db", "project", "/p", exists=False))
    assert "/p/memory.db" in text
    assert "not made yet" in text


def test_status_says_both_ways_in_which_metadata_is_behind() -> None:
    """Never read, and read with earlier rules; an absent root and broken rules as well."""
    root = ROOT._replace(unscanned=1, stale=2, present=False, rules_error="line 3: no colon")
    text = views_text.status_text(STATUS._replace(roots=(root,)))
    assert "metadata of 1 file was never read" in text
    assert "metadata of 2 files comes from earlier path rules" in text
    assert "absent" in text
    assert "line 3: no colon" in text


def test_status_names_twenty_skipped_files_and_counts_the_rest() -> None:
    """A long list is cut with its number and where all of it stands."""
    root = ROOT._replace(skipped=tuple(Skip(f"{number}.bin", "binary") for number in range(23)))
    text = views_text.status_text(STATUS._replace(roots=(root,)))
    assert text.count(".bin: binary") == 20
    assert "and 3 more; `treering status --json`" in text


def test_an_outline_is_indented_by_level() -> None:
    """Each heading stands with its line, deeper ones further in."""
    outline = ((1, "Guide", 1), (2, "Install", 10))
    shown = Shown(
        "src_1", "source", "Guide", "g.md", "src_1", "ver_1", (1, 20), "", outline, {}, "owner", "tracked", ""
    )
    text = views_text.shown_text(shown, outline=True)
    assert text.splitlines()[1:] == [" 1  Guide", "10    Install"]
    assert views_text.shown_text(shown._replace(outline=()), outline=True).endswith("no headings\n")


@pytest.mark.parametrize(
    "hostile, harmless",
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;new title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]an open string\nhides nothing", "an open string\nhides nothing"),
        ("a\x9b2Jb\x9d0;t\x9cc", "abc"),
        ("over\rwrite\b\b", "overwrite"),
        ("safe\u202egnp.exe\u2066", "safegnp.exe"),
        ("tab\tand\nline", "tab\tand\nline"),
        ("héllo 世界 🎉", "héllo 世界 🎉"),
        ("\x1bc\x1b(0\x1b", ""),
    ],
)
def test_stored_text_cannot_steer_the_terminal(hostile: str, harmless: str) -> None:
    """Escape sequences, control characters and reordering marks leave; letters, tabs and lines stay."""
    assert views_text.clean(hostile) == harmless


@given(st.text(alphabet=st.sampled_from("a\x1b[]0;m\x07\x9b\x9c\x9d\x90P\\\n\t\r\u202e ")))
def test_no_control_character_survives_cleaning(text: str) -> None:
    """Whatever is combined, only tabs and line feeds remain, and cleaning again changes nothing."""
    cleaned = views_text.clean(text)
    assert not [letter for letter in cleaned if letter not in "\t\n" and not letter.isprintable()]
    assert views_text.clean(cleaned) == cleaned
    assert not set("\n\t") & set(views_text.clean_line(text))


@pytest.mark.parametrize("piece", ["\x1b]", "\x9d", "\x1b[", "\x1b[0;", "\x1b", "\x1bP\x9d", "a\x1b]0;"])
def test_cleaning_takes_linear_time(piece: str) -> None:
    """Four times the text takes about four times as long, whatever opens and never closes."""

    def cost(times: int) -> float:
        began = time.process_time()
        views_text.clean(piece * times)
        return time.process_time() - began

    small = min(cost(20_000) for _ in range(3))
    assert min(cost(80_000) for _ in range(3)) < 10 * max(small, 0.002)


def test_a_file_name_cannot_forge_a_line() -> None:
    """Line feeds in names, titles and reasons become spaces."""
    text = views_text.answer_text(answer(RESULT._replace(citation="a\n[2] real.md:1:12-18  t\r\nu")))
    assert text.splitlines()[0] == "[1] a [2] real.md:1:12-18  t u  (0.87, ~120 tokens)"


@pytest.mark.parametrize(
    "number, noun, text",
    [(1, "file", "1 file"), (0, "file", "0 files"), (1234, "directory", "1,234 directories")],
)
def test_things_are_counted_in_words(number: int, noun: str, text: str) -> None:
    """One thing is singular, thousands are grouped."""
    assert views_text.counted(number, noun) == text


@pytest.mark.parametrize(
    "size_bytes, text", [(0, "0 bytes"), (999, "999 bytes"), (33_333, "33.3 kB"), (5_000_000_000, "5.0 GB")]
)
def test_sizes_have_a_unit(size_bytes: int, text: str) -> None:
    """The unit grows with the size."""
    assert views_text.size_text(size_bytes) == text
