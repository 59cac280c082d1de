"""Markdown cut into chunks: sections, headings, blocks that stay whole, odd characters."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Final

import pytest

from treering.chunkers import chunk
from treering.domain.chunk import Heading

if TYPE_CHECKING:
    from treering.domain.chunk import Chunk, Chunked

LONG: Final = "Eleven herons stand in the reeds and wait. " * 5


def cut(text: str, *, front_matter_chars: int = 0, target_chars: int = 600, max_leaf_tokens: int = 3000) -> Chunked:
    """Return the chunks of a Markdown text after checking that they join to it."""
    chunked = chunk(
        text,
        "notes.md",
        front_matter_chars=front_matter_chars,
        target_chars=target_chars,
        max_leaf_tokens=max_leaf_tokens,
    )
    assert "".join(texts(text, chunked)) == text
    return chunked


def texts(text: str, chunked: Chunked) -> list[str]:
    """Return the text of each chunk."""
    return [text[found.start : found.stop] for found in chunked.chunks]


def titles(found: Chunk) -> list[str]:
    """Return the headings above a chunk, outermost first."""
    return [heading.title for heading in found.path]


def holding(text: str, chunked: Chunked, words: str) -> Chunk:
    """Return the one chunk whose text holds ``words``."""
    (found,) = [found for found in chunked.chunks if words in text[found.start : found.stop]]
    return found


# ── sections and headings ───────────────────────────────────────────────────────────────────────


def test_a_section_reaches_from_a_heading_to_the_next_of_any_level() -> None:
    """Each section is a chunk under its own headings, and knows the section it belongs to."""
    text = "# Boats\n\nAll of them.\n\n## Ferry\n\nSlow.\n\n### Crew\n\nFive.\n\n## Canoe\n\nQuick.\n"
    chunked = cut(text)
    assert [titles(found) for found in chunked.chunks] == [
        ["Boats"],
        ["Boats", "Ferry"],
        ["Boats", "Ferry", "Crew"],
        ["Boats", "Canoe"],
    ]
    assert [found.parent for found in chunked.chunks] == [None, 0, 1, 0]
    assert [(found.first_line, found.last_line) for found in chunked.chunks] == [(1, 4), (5, 8), (9, 12), (13, 15)]
    assert chunked.headings == (
        (Heading(1, "Boats"), 1),
        (Heading(2, "Ferry"), 5),
        (Heading(3, "Crew"), 9),
        (Heading(2, "Canoe"), 13),
    )


def test_levels_may_jump() -> None:
    """A heading closes every heading of its own level and deeper, whatever lies between."""
    text = "### Deep\n\na\n\n# Top\n\nb\n\n##### Far\n\nc\n\n### Near\n\nd\n"
    assert [titles(found) for found in cut(text).chunks] == [["Deep"], ["Top"], ["Top", "Far"], ["Top", "Near"]]


def test_text_before_the_first_heading_has_no_path() -> None:
    """A preamble is a chunk of its own at the top; the title is still the first heading."""
    text = "Owned by the tern crew.\n\n# Overview\n\nNothing.\n"
    chunked = cut(text)
    assert [titles(found) for found in chunked.chunks] == [[], ["Overview"]]
    assert chunked.chunks[1].parent is None
    assert chunked.title == "Overview"


def test_a_heading_without_content_joins_the_deeper_one() -> None:
    """It is never a chunk of its own when a deeper heading follows, and is one when none does."""
    text = "# Guide\n\n## Install\n\n### Linux\n\nRun it.\n\n## Empty\n\n## Last\n"
    chunked = cut(text)
    assert texts(text, chunked) == [
        "# Guide\n\n## Install\n\n### Linux\n\nRun it.\n\n",
        "## Empty\n\n",
        "## Last\n",
    ]
    assert [found.kind for found in chunked.chunks] == ["prose", "heading", "heading"]
    assert titles(chunked.chunks[0]) == ["Guide", "Install", "Linux"]
    assert [found.parent for found in chunked.chunks] == [None, 0, 0]


def test_a_rule_between_headings_is_no_content() -> None:
    """A line of dashes under a heading does not keep it from joining the deeper one."""
    assert len(cut("# A\n\n***\n\n## B\n\nText.\n").chunks) == 1


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("# Runbook #", "Runbook"),
        ("## Flush the cache ##   ", "Flush the cache"),
        ("# Port to C#", "Port to C#"),
        ("# Port to C# #", "Port to C#"),
        ("Rollback\nwindow\n------", "Rollback window"),
        ("Two *hours*\n===", "Two hours"),
        ("# The `max_tokens` *setting* and **more**", "The max_tokens setting and more"),
        ("# [Guide](https://example.org/a_b_c) to ![logo](x.png)", "Guide to logo"),
        ("# [Guide][1] to <b>bold</b><br>text &amp; ~~old~~ new", "Guide to bold text & old new"),
        ("# Setup {#setup-guide}", "Setup"),
        ("# Setup {#数据_guide .wide}", "Setup"),
        ("# Setup {: #setup }", "Setup"),
        ("# Setup {/*setup-guide*/}", "Setup"),
        ("# GET /users/ {id}", "GET /users/ {id}"),
        ("# The `{#if}`", "The {#if}"),
        ("# 数据库 **迁移** `表_a` [说明](u)", "数据库 迁移 表_a 说明"),
        ("# Caf&eacute; “_latte_” — *ñandú*", "Café “latte” — ñandú"),
        ("# \\# not \\*bold\\*", "# not *bold*"),
        ("# 🚀 Launch", "🚀 Launch"),
        ("#", ""),
    ],
)
def test_a_heading_is_the_plain_text_that_a_reader_sees(source: str, title: str) -> None:
    """Hashes, marks, link targets and anchors are gone; text, code and entities stay."""
    chunked = cut(f"{source}\n\n[1]: https://example.org\n")
    assert [heading.title for heading, _ in chunked.headings] == [title]
    assert chunked.title == (title or None)


def test_hash_lines_in_fences_are_no_headings() -> None:
    """Shell comments in backtick and tilde fences, unclosed ones too, stay where they are."""
    text = (
        "# Deploy\n\n## Canary\n\n```sh\n# copy\n## twice\n```\n\n~~~yaml\n# tilde\n```\n# inside\n```\n~~~\n\n"
        "The canary is called ibis-4.\n\n## Fleet\n\nTwo approvals.\n\n```\n# never closed\n"
    )
    chunked = cut(text)
    assert [heading.title for heading, _ in chunked.headings] == ["Deploy", "Canary", "Fleet"]
    assert titles(holding(text, chunked, "ibis-4")) == ["Deploy", "Canary"]


@pytest.mark.parametrize("block", ["```bash\na\n# x\n```", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"])
def test_what_follows_a_fence_or_a_table_keeps_its_section(block: str) -> None:
    """Blocks of several lines leave the headings of later chunks alone."""
    text = f"# Guide\n\n## Install\n\n{block}\n\nThen restart.\n\n## Usage\n\nCall.\n"
    chunked = cut(text)
    assert titles(holding(text, chunked, "Then restart.")) == ["Guide", "Install"]
    assert titles(holding(text, chunked, "Call.")) == ["Guide", "Usage"]
    assert holding(text, chunked, "Call.").parent == 0


def test_the_title_is_the_first_top_heading_unless_others_have_content() -> None:
    """A lone subtitle above the title does not take its place; a section with text does."""
    assert cut("## Draft\n\n# Report\n\nText.\n").title == "Report"
    assert cut("## Part\n\nText.\n\n# Report\n").title == "Part"
    assert cut("Intro.\n\n### Only\n").title == "Only"
    assert cut("No heading.\n").title is None


def test_setext_headings_a_second_top_heading_and_arrows() -> None:
    """Underlined headings count, two top headings are siblings, an arrow in the text is text."""
    text = "First\n=====\n\n→ a step\n\nPart\n----\n\nb\n\n# Second\n\nc\n"
    chunked = cut(text)
    assert [titles(found) for found in chunked.chunks] == [["First"], ["First", "Part"], ["Second"]]
    assert "→ a step" in texts(text, chunked)[0]


@pytest.mark.parametrize("start", ["# Mark", "    code"])
def test_a_byte_order_mark_hides_nothing(start: str) -> None:
    """A mark that was left in the text is part of the first chunk and changes no block."""
    chunked = cut(f"\ufeff{start}\n\nText.\n")
    assert chunked.chunks[0].kind == ("prose" if start == "# Mark" else "mixed")
    assert chunked.title == ("Mark" if start == "# Mark" else None)


# ── front matter ────────────────────────────────────────────────────────────────────────────────


def test_front_matter_is_the_first_chunk_and_never_read_as_markdown() -> None:
    """Its lines are neither title nor heading, and later pairs of dashes are ordinary rules."""
    front = "---\n# a comment\ntitle: Herons\n---\n"
    text = front + "\n# Title\n\nOne.\n\n---\n\n## Part\n\nTwo.\n\n---\n"
    chunked = cut(text, front_matter_chars=len(front))
    first, second, third = chunked.chunks
    assert (first.kind, first.start, first.stop, first.path, first.last_line) == ("front_matter", 0, len(front), (), 4)
    assert (second.start, second.first_line, second.kind) == (len(front), 5, "prose")
    assert titles(third) == ["Title", "Part"]
    assert chunked.title == "Title"
    assert chunked.headings == ((Heading(1, "Title"), 6), (Heading(2, "Part"), 12))


def test_a_file_of_front_matter_alone() -> None:
    """It is one chunk, or two when blank lines follow."""
    front = "---\na: b\n---\n"
    assert [found.kind for found in cut(front, front_matter_chars=len(front)).chunks] == ["front_matter"]
    kinds = [found.kind for found in cut(front + "\n\n", front_matter_chars=len(front)).chunks]
    assert kinds == ["front_matter", "blank"]


# ── packing and blocks that stay whole ──────────────────────────────────────────────────────────


def test_neighbours_share_a_chunk_up_to_the_target() -> None:
    """Blocks are added while the chunk stays within the target; blank lines go with what is above."""
    text = "One two.\n\n\n\nThree four.\n\nFive six.\n"
    assert texts(text, cut(text, target_chars=25)) == ["One two.\n\n\n\nThree four.\n\n", "Five six.\n"]


def test_a_heading_stays_with_its_first_block() -> None:
    """Even when that block alone is over the target; what follows starts anew, below the same path."""
    text = f"# Birds\n\n{LONG}\n\nShort.\n"
    chunked = cut(text, target_chars=50)
    assert texts(text, chunked) == [f"# Birds\n\n{LONG}\n\n", "Short.\n"]
    assert titles(chunked.chunks[1]) == ["Birds"]


@pytest.mark.parametrize(
    ("block", "kind"),
    [
        ("word word word\nword word word\nword word word", "prose"),
        ("```py\nx = 1\n\n\ny = 2\n\n# z\n```", "code"),
        ("~~~\nx = 1\n\n```\n\ny = 2\n~~~", "code"),
        ("    indented = 1\n\n    also_indented = 2", "code"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "table"),
        ("<div>\nsome\nmore\nlines\n</div>", "html"),
        ("<!-- a\n\ncomment\n\n-->", "html"),
        ("[^1]: A note\n    that goes on\n\n    and on.", "prose"),
        ("- item\n\n  ```\n  a\n\n  b\n  ```\n\n  more", "list"),
    ],
)
def test_a_block_is_never_cut(block: str, kind: str) -> None:
    """However small the target, a block and one item of a list is one chunk of its kind."""
    text = f"Before.\n\n{block}\n\nAfter.\n"
    chunked = cut(text, target_chars=1, max_leaf_tokens=8)
    assert texts(text, chunked) == ["Before.\n\n", f"{block}\n\n", "After.\n"]
    assert [found.kind for found in chunked.chunks] == ["prose", kind, "prose"]
    assert [found.oversized for found in chunked.chunks] == [False, True, False]


def test_a_table_with_short_rows_is_one_block() -> None:
    """Cells that its last row lacks are no blocks of their own."""
    text = "| a | b | c |\n|---|---|---|\n| 1 |\n\nAfter.\n"
    assert [found.kind for found in cut(text, target_chars=1).chunks] == ["table", "prose"]


def test_notes_on_one_line_are_one_chunk() -> None:
    """A note that begins on another note's line is no place to cut."""
    text = "[^1]: [^2]:        [^4]: all\n  [^3]: other\n"
    assert texts(text, cut(text, target_chars=1)) == ["[^1]: [^2]:        [^4]: all\n", "  [^3]: other\n"]


def test_an_unclosed_fence_reaches_to_the_end() -> None:
    """Everything after it is one piece of code."""
    text = "Start:\n\n```\na\n\n# b\n\n- c\n"
    chunked = cut(text, target_chars=1)
    assert texts(text, chunked) == ["Start:\n\n", "```\na\n\n# b\n\n- c\n"]


def test_a_long_quote_is_divided_between_its_blocks() -> None:
    """Each part begins at a line of its own with the quote's mark; a short quote stays whole."""
    text = "> One one\n> one.\n>\n> Two two\ntwo.\n>\n> - a\n> - b\n\n> Alone.\n"
    chunked = cut(text, target_chars=12)
    assert texts(text, chunked) == [
        "> One one\n> one.\n>\n",
        "> Two two\ntwo.\n>\n",
        "> - a\n> - b\n\n",
        "> Alone.\n",
    ]
    assert {found.kind for found in chunked.chunks} == {"quote"}
    assert len(cut(text).chunks) == 1


def test_a_quote_keeps_its_empty_lines() -> None:
    """Its first lines without text, or all of them, belong to the quote and not to what stands above."""
    text = "# A\n\nOne one.\n\n>\n> two two\n>\n> three\n\n# B\n\n>\n\n## C\n"
    assert texts(text, cut(text, target_chars=1)) == [
        "# A\n\nOne one.\n\n",
        ">\n> two two\n>\n",
        "> three\n\n",
        "# B\n\n>\n\n",
        "## C\n",
    ]


def test_link_definitions_are_divided_between_lines() -> None:
    """The end of a long change log, which shows as nothing, is not glued to its last paragraph."""
    lines = [f"[1.{number}]: https://example.org/{number}\n" for number in range(50)]
    text = "# Changes\n\nSome.\n\n" + "".join(lines)
    chunked = cut(text, target_chars=200)
    assert len(chunked.chunks) > 5
    assert all(found.stop - found.start <= 200 for found in chunked.chunks)
    assert {titles(found)[0] for found in chunked.chunks} == {"Changes"}


def test_oversized_is_measured_in_tokens() -> None:
    """Letters beyond the basic plane weigh three tokens, long words less than their letters."""
    words, emoji = "abcdefg " * 100, "🚀" * 100
    assert [found.oversized for found in cut(words, max_leaf_tokens=101).chunks] == [False]
    assert [found.oversized for found in cut(words, max_leaf_tokens=99).chunks] == [True]
    assert [found.oversized for found in cut(emoji, max_leaf_tokens=300).chunks] == [False]
    assert [found.oversized for found in cut(emoji, max_leaf_tokens=299).chunks] == [True]


# ── odd texts ───────────────────────────────────────────────────────────────────────────────────


def test_an_empty_text_has_no_chunks() -> None:
    """Nothing in, nothing out."""
    chunked = cut("")
    assert (chunked.title, chunked.chunks, chunked.headings) == (None, (), ())


@pytest.mark.parametrize("text", ["\n\n\n   \n\n", " ", "\ufeff", "\t\r\n", "\u3000\n\u2028"])
def test_a_blank_text_is_one_blank_chunk(text: str) -> None:
    """White space of any kind is kept as one chunk."""
    (only,) = cut(text).chunks
    assert only.kind == "blank"


@pytest.mark.parametrize("text", ["***\n", "[a]: b\n", "-", "x", "\x00", "\x0c#\n", "\\"])
def test_a_text_that_is_hardly_one(text: str) -> None:
    """A lone rule, definition, mark or control character is one chunk."""
    assert len(cut(text).chunks) == 1


def test_leading_blank_lines_go_to_the_first_chunk() -> None:
    """The first chunk begins at the first character and counts its lines."""
    (only,) = cut("\n\n# A\n").chunks
    assert (only.start, only.first_line, only.last_line) == (0, 1, 3)


def test_carriage_returns_end_lines_for_structure_only() -> None:
    """A line of CR LF counts once; a lone CR ends a line of Markdown but is not counted."""
    text = "# A\r\n\r\nb\r\n\r\n# C\r\rd\r# E\n\nf\n"
    chunked = cut(text)
    assert [titles(found) for found in chunked.chunks] == [["A"], ["C"], ["E"]]
    assert [(found.first_line, found.last_line) for found in chunked.chunks] == [(1, 4), (5, 5), (5, 7)]
    assert [line for _, line in chunked.headings] == [1, 5, 5]


@pytest.mark.parametrize("odd", ["é", "数据库", "🚀", "\u2028", "\x85", "\x0b", "\ud800", "\x00", "\t", "\u00a0"])
def test_offsets_count_characters(odd: str) -> None:
    """No character, a lone surrogate included, shifts what comes after it."""
    text = f"# {odd} One\n\n{odd}\n\n- {odd}\n\n## Two {odd}\n\n{odd} last\n"
    chunked = cut(text)
    first, second = chunked.chunks
    assert text[second.start :].startswith("## Two")
    assert (first.last_line, second.first_line, second.last_line) == (6, 7, 9)
    assert [line for _, line in chunked.headings] == [1, 7]


@pytest.mark.parametrize("mark", ["<日本", "<é", "&日;", "[日]: 本", "|é|é|\n|-|-|\n|日|本"])
def test_letters_of_other_scripts_make_no_markup(mark: str) -> None:
    """What stands for a letter while the text is parsed is never taken for markup itself."""
    text = f"{mark}\n\n# Next\n"
    assert [heading.title for heading, _ in cut(text).headings] == ["Next"]


@pytest.mark.parametrize("name", ["a.md", "B.MD", "c/d.markdown", "rules.mdc", "page.mdx"])
def test_the_suffix_says_that_it_is_markdown(name: str) -> None:
    """Every usual suffix of Markdown, in any case."""
    assert chunk("# A\n", name, front_matter_chars=0).title == "A"


def test_choosing_does_not_load_the_parser() -> None:
    """Importing the room, and cutting plain text, leave the Markdown parser alone."""
    code = (
        "import sys; from treering.chunkers import chunk; chunk('a', 'a.txt', front_matter_chars=0);"
        "sys.exit('pyromark' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ── paragraphs that are too long for one ────────────────────────────────────────────────────────


def test_a_paragraph_is_one_chunk_however_long() -> None:
    """Lines that end sentences, as a program writes them, part no paragraph: it is flagged as oversized."""
    text = "# Export\n\n" + "".join(f"Line {n}: {LONG.strip()}\n" for n in range(80)) + "\nEnd.\n"
    export, end = cut(text).chunks
    assert (export.kind, export.oversized, titles(export)) == ("prose", True, ["Export"])
    assert (end.oversized, text[end.start :]) == (False, "End.\n")
