"""A text that grew at its end has the chunks of the whole, wherever it was cut and whatever was added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from hypothesis import example, given, settings
from hypothesis import strategies as st

from treering.chunkers import chunk
from treering.chunkers.growth import chunk_grown
from treering.domain.chunk import Chunk

FRAGMENTS: Final = (
    "# A\n", "## B\n", "### C [x]\n", "# [x] y\n", "## [x][y]\n", "#", "##", "# \n", "#nospace\n", "Title\n=====\n",
    "Sub\n---\n", "Words here\n", "more words that go on and on for a while\n", "word " * 40, "a" * 90 + "\n",
    "no newline", "x", " ", "\n", "\n\n", "\n\n", " \n", "\t\n", "\r\n", "\r", "Line\r\n", "## Win\r\n", "\x0c\n",
    "\u3000\n", "```\n", "~~~py\n", "```js\ncode\n", "- item\n", "  - sub\n", "    deep\n", "1. one\n", "2) two\n",
    "10. ten\n", "+ plus\n", "- [ ] task\n", "> quote\n", ">> q\n", "> - l\n", "===\n", "---\n", "--\n", "-\n",
    "***\n", "* * *\n", "| a | b |\n", "|---|---|\n", "| c | d |\n", "a | b\n", "---|---\n", "[x]: /url\n", "[x]:\n",
    '[y]: /url "title\n', 'end"\n', "[x]\n", "[^1]: note\n", "text[^1]\n", "### h[^1]\n", "<div>\n", "</div>\n",
    "<!-- c\n", "-->\n", "<script>\n", "</script>\n", "<pre>\n", "</pre>\n", "<?php\n", "?>\n", "<b>inline</b>\n",
    "    code\n", "\tcode\n", "\\\n", "&amp;\n", "汉字内容。\n", "# 标题\n", "é — “q”\n", "**bold** text\n",
    "[link](x)\n", "2026-01-02 10:00 a line of a log\n", "[10:32]: said\n",
)  # fmt: skip
"""What may stand at the end of a document, and what may turn it into something else."""


class Before:
    """A text with its chunks, as a store would have them."""

    def __init__(self, text: str, chunks: Sequence[Chunk]) -> None:
        """Keep both."""
        self._text = text
        self._chunks = chunks
        self.chars = len(text)

    def chunks(self, stop: int, count: int, *, opening: bool = False) -> Sequence[Chunk]:
        """Return the last chunks before an ordinal."""
        return [one for one in self._chunks[:stop] if one.opens or not opening][-count:]

    def text(self, start: int, stop: int) -> str:
        """Return a stretch of the text."""
        return self._text[start:stop]


def grown(text: str, cut: int, name: str, target_chars: int) -> int | None:
    """Compare the chunks of a text cut at once and after growing; return how many stayed, None if it is cut whole."""
    options: dict[str, Any] = {"front_matter_chars": 0, "target_chars": target_chars}
    whole, before = chunk(text, name, **options), chunk(text[:cut], name, **options)
    growth = chunk_grown(Before(text[:cut], before.chunks), text[cut:], name, target_chars=target_chars)
    if growth is None:
        return None
    kept = growth.chunks[0].ordinal
    assert (*before.chunks[:kept], *growth.chunks) == whole.chunks
    assert before.title == whole.title
    assert growth.text == text[growth.start :]
    assert growth.line == text.count("\n", 0, growth.start) + 1
    return kept


@settings(max_examples=400)
@given(
    st.booleans(),
    st.lists(st.sampled_from(FRAGMENTS), min_size=2, max_size=24).map("".join),
    st.floats(0, 1),
    st.sampled_from(["a.md", "a.md", "a.txt"]),
    st.sampled_from([20, 60, 100, 600]),
)
@example(False, "10. ten\n\n<b>inline</b>\n\n[x]\n\n* * *\n\n```\n", 0.66, "a.md", 20)
@example(True, "one\n\n2026 line\n\n10. ten\n\n", 0.7, "a.md", 20)
@example(False, "10. ten\n\n# \n\n2) two\n\n--\n\n- task\n\n]]>\n  - sub\n", 0.8, "a.md", 20)
@example(True, "# [x] y\n\ntext\n\n## B\n\n[x]: /url\n", 0.75, "a.md", 20)
def test_growing_gives_the_chunks_of_the_whole(titled: bool, text: str, at: float, name: str, target: int) -> None:  # noqa: FBT001
    """Open fences, underlines below a paragraph, targets of links, tables, endings of lines: whatever is added."""
    text = ("# T\n\nIts text.\n\n" if titled else "") + text
    grown(text, int(len(text) * at), name, target)


@given(st.lists(st.sampled_from(["- a\n", "Said it.\n\n", "## Day\n\n", "```\ncode\n```\n\n"]), min_size=1, max_size=8))
def test_a_log_is_cut_at_its_end_alone(entries: list[str]) -> None:
    """To a long log under headings any entries may be added: all but its last chunks stay."""
    log = "# Log\n\n" + "".join(f"## Day {day}\n\nThe gateway retried {day} times.\n\n- noted\n\n" for day in range(60))
    kept = grown(log + "".join(entries), len(log), "log.md", 100)
    assert kept is not None
    assert kept >= len(chunk(log, "log.md", front_matter_chars=0, target_chars=100).chunks) - 2


def test_lines_without_a_blank_one_are_cut_at_their_end_alone() -> None:
    """A log of plain lines, one paragraph for the chunker, is not read whole for a line more."""
    log = "".join(f"2026-01-02 10:{line % 60:02} the gateway retried payment {line}\n" for line in range(900))
    kept = grown(log + "2026-01-03 one more\n", len(log), "log.txt", 600)
    assert kept is not None
    assert kept >= len(chunk(log, "log.txt", front_matter_chars=0).chunks) - 2


def test_a_heading_far_above_is_still_the_parent() -> None:
    """Chunks at the end know the chunks of the headings that they stand under, however far above these are."""
    middle = "".join(f"### Step {n}\n\nThe step has words, {n} of them.\n\n" for n in range(300))
    text = f"# Book\n\n## Part\n\nIt begins.\n\n{middle}### Last\n\nAnd ends.\n\n#### Deep\n\nVery deep.\n"
    assert grown(text, text.index("### Last"), "book.md", 60) is not None


def test_a_target_that_comes_later_changes_a_heading() -> None:
    """A heading with a link reads differently once the link leads somewhere: then the whole is cut."""
    text = "# Changes\n\nAll of them.\n\n## [1.2]\n\nFirst.\n\n## Older\n\nNothing.\n\n[1.2]: https://example.org\n"
    assert grown(text, text.index("[1.2]:"), "changes.md", 20) is None
