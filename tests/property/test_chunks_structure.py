"""Whatever the text, chunks rebuild it and tell the truth about lines, leads and headings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from treering.chunkers import chunk

if TYPE_CHECKING:
    from treering.domain.chunk import Chunk

ORACLE: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])

MARKS: Final = st.sampled_from(
    [
        "# ", "## ", "###### ", "#", "===\n", "---\n", "***\n", "- ", "* ", "+ ", "1. ", "2) ", "> ", "```\n", "~~~~\n",
        "    ", "\t", "  ", "   ", " ", "| a | b |\n|---|---|\n", "<div>\n", "</div>\n", "<!-- ", "-->", "[", "]",
        "](u)", "]: u\n", "`", "*", "_", "**", "&amp;", "\\", "\n", "\n\n", "\n\n\n", "- [ ] ",
    ]
)  # fmt: skip
WORDS: Final = st.sampled_from(["heron", "two words", "é", "数据库", "，", "“", "🚀", "C#", "x" * 90, "a b\nc d\n"])
ODD: Final = st.sampled_from(
    ["\r\n", "\r", "\u2028", "\x85", "\x0b", "\x0c", "\x1c", "\x00", "\ufeff", "\ud800", "\u3000", "[^1]: ", "|"]
)
LINES: Final = st.builds(
    "{}{}{}\n{}".format,
    st.sampled_from(["", "", "  ", "   ", "    ", "\t", "      ", "> ", ">", "\t\t"]),
    st.sampled_from(["- ", "* ", "1. ", "-   ", "10) ", "", "", "# ", "## ", "> ", "```", "| ", "---", "<p>"]),
    st.sampled_from(["heron", "two words", "*é* `C#`", "数据库", "x" * 70, "", "a | b"]),
    st.sampled_from(["", "", "", "\n", ">\n"]),
)
ANY_TEXT: Final = st.lists(MARKS | WORDS | LINES | ODD | st.text(max_size=3), max_size=40).map("".join)
# Where both parsers follow the specification: the oracle takes an underline after a line that lazily
# continues an item for a heading, and rows of a table without marks for code.
BLOCKS: Final = st.sampled_from(
    [
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n",
        "> quoted\n> *lines*\n>\n> - more\n\n",
        "```\n# a\n\n- b\n```\n",
        "~~~ py\n```\n# a\n~~~\n\n",
        "<div>\n\n# Inside\n\n</div>\n\n",
        "<!-- a\n\n# b -->\n",
        "\nSetext `title`\n=====\n",
        "\nOther\n---\n\n",
        "[a]: http://example.org\n\n",
    ]
)
PLAIN_LINES: Final = st.builds(
    "{}{}{}\n{}".format,
    st.sampled_from(["", "", "\n  ", "\n   ", "\n    ", "\n\t", "\n      ", "\n\t\t"]),
    st.sampled_from(["- ", "* ", "1. ", "-   ", "10) ", "", "", "# ", "## ", "###### ", "***"]),
    st.sampled_from(["heron", "two words", "*é* `C#`", "数据库", "x" * 70, "[a](b) #"]),
    st.sampled_from(["", "", "", "\n"]),
)
PLAIN_TEXT: Final = st.lists(BLOCKS | PLAIN_LINES | PLAIN_LINES, max_size=30).map("".join)
TARGETS: Final = st.sampled_from([1, 20, 100, 600])
NAMES: Final = st.sampled_from(["a.md", "a.txt"])


@given(text=ANY_TEXT, name=NAMES, target_chars=TARGETS, data=st.data())
def test_chunks_rebuild_the_text(text: str, name: str, target_chars: int, data: st.DataObject) -> None:
    """They follow one another without gap or overlap; front matter is exactly the first."""
    front = data.draw(st.integers(0, len(text)) if text else st.just(0))
    chunks = chunk(text, name, front_matter_chars=front, target_chars=target_chars).chunks
    assert "".join(text[found.start : found.stop] for found in chunks) == text
    assert [found.ordinal for found in chunks] == list(range(len(chunks)))
    assert all(found.start < found.stop for found in chunks)
    if front:
        assert (chunks[0].kind, chunks[0].stop) == ("front_matter", front)
    assert all(found.kind != "front_matter" for found in chunks[bool(front) :])
    assert all(found.start in {0, front} or text[found.start - 1] in "\r\n" for found in chunks)


@given(text=ANY_TEXT, name=NAMES, target_chars=TARGETS)
def test_lines_leads_and_parents_are_true(text: str, name: str, target_chars: int) -> None:
    """Lines count line feeds; leads lie before the chunk and in order; a parent comes first."""
    chunked = chunk(text, name, front_matter_chars=0, target_chars=target_chars)
    for found in chunked.chunks:
        assert found.first_line == text.count("\n", 0, found.start) + 1
        assert found.last_line == text.count("\n", 0, found.stop - 1) + 1
        assert found.parent is None or 0 <= found.parent < found.ordinal
        assert_leads(text, chunked.chunks, found)
    assert [line for _, line in chunked.headings] == sorted(line for _, line in chunked.headings)


def assert_leads(text: str, chunks: tuple[Chunk, ...], found: Chunk) -> None:
    """Check the leads of one chunk."""
    at = 0
    for lead in found.lead:
        assert at <= lead.start < lead.stop <= found.start
        assert lead.line == text.count("\n", 0, lead.start) + 1
        assert lead.start == 0 or text[lead.start - 1] in "\r\n\ufeff"
        at = lead.stop
    if found.lead:
        assert found.parent is not None
        parent = chunks[found.parent]
        assert parent.start <= found.lead[-1].start < parent.stop


@given(text=PLAIN_TEXT, target_chars=TARGETS)
@example(text="- a\n\t* b\n\t* c\n# D\n", target_chars=1)
def test_headings_and_paths_are_those_of_the_oracle(text: str, target_chars: int) -> None:
    """Line and level of each heading at the top level, and the open ones above each chunk."""
    chunked = chunk(text, "a.md", front_matter_chars=0, target_chars=target_chars)
    expected = [
        (token.map[0] + 1, int(token.tag[1]))
        for token in ORACLE.parse(text)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]
    assert [(line, heading.level) for heading, line in chunked.headings] == expected
    for found in chunked.chunks:
        levels: list[int] = []
        for line, level in expected:
            if line <= found.last_line:
                levels = [*(other for other in levels if other < level), level]
        assert [heading.level for heading in found.path] == levels


@given(text=PLAIN_TEXT, target_chars=TARGETS)
def test_no_block_is_cut(text: str, target_chars: int) -> None:
    """No chunk begins within a fence, code, HTML block, table or paragraph of the oracle."""
    starts = {
        found.first_line - 1 for found in chunk(text, "a.md", front_matter_chars=0, target_chars=target_chars).chunks
    }
    whole = {"fence", "code_block", "html_block", "table_open", "paragraph_open"}
    for token in ORACLE.parse(text):
        if token.type in whole and token.map:
            assert not starts.intersection(range(token.map[0] + 1, token.map[1]))


@given(text=PLAIN_TEXT)
def test_chunking_is_a_function(text: str) -> None:
    """The same text gives the same chunks, and a larger target never more of them."""
    few, many = (chunk(text, "a.md", front_matter_chars=0, target_chars=target).chunks for target in (600, 1))
    assert few == chunk(text, "a.md", front_matter_chars=0, target_chars=600).chunks
    assert len(few) <= len(many)
