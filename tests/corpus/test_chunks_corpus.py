"""Real Markdown and the handed cases, with markdown-it-py as the oracle of block structure."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import pytest
from markdown_it import MarkdownIt

from treering.chunkers import chunk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from markdown_it.token import Token

    from treering.domain.chunk import Chunk, Chunked

ORACLE: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])
FRONT_MATTER: Final = re.compile(r"---\r?\n(?:.*\n)*?---[ \t]*(?:\r?\n|$)")
# One file in so many is compared with the oracle, which is ten times slower than the chunker.
SAMPLED: Final = 4


@pytest.fixture(scope="session")
def files(shared: Path) -> list[tuple[str, str, int]]:
    """Return name, text and length of front matter of every readable Markdown file."""
    found = []
    for path in sorted((shared / "markdown").rglob("*.md*")):
        if path.is_file():
            text = path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
            front = FRONT_MATTER.match(text)
            found.append((str(path), text, front.end() if front else 0))
    assert len(found) > 3000
    return found


def line_of(text: str, offset: int) -> int:
    """Return the number of the line at ``offset``."""
    return text.count("\n", 0, offset) + 1


def test_chunks_cover_every_file_exactly(files: list[tuple[str, str, int]]) -> None:
    """Joined they are the file; numbers, lines, leads and parents are in order."""
    for name, text, front in files:
        chunks = chunk(text, name, front_matter_chars=front).chunks
        assert "".join(text[found.start : found.stop] for found in chunks) == text, name
        line = 1
        for ordinal, found in enumerate(chunks):
            assert (found.ordinal, found.first_line) == (ordinal, line), name
            line += text.count("\n", found.start, found.stop)
            assert found.last_line == line - text.endswith("\n", found.start, found.stop), name
            assert found.parent is None or 0 <= found.parent < ordinal, name
            assert found.start == 0 or text[found.start - 1] in "\r\n", name
            assert all(lead.start < lead.stop <= found.start for lead in found.lead), name
            assert all(one.stop <= other.start for one, other in pairwise(found.lead)), name


def test_headings_and_paths_are_those_of_the_oracle(files: list[tuple[str, str, int]]) -> None:
    """Level, line and plain title of every heading at the top level, and the path of every chunk."""
    for name, text, front in files[::SAMPLED]:
        chunked = chunk(text, name, front_matter_chars=front, domain="generic")
        above = line_of(text, front) - 1
        expected = list(oracle_headings(ORACLE.parse(text[front:]), above))
        assert [(line, heading.level) for heading, line in chunked.headings] == [entry[:2] for entry in expected], name
        for (heading, _), (_, _, title) in zip(chunked.headings, expected, strict=True):
            assert heading.title == title or title.endswith("}"), name
        for found in chunked.chunks[1:] if front else chunked.chunks:
            assert [heading.level for heading in found.path] == open_levels(expected, found.last_line), name


def oracle_headings(tokens: list[Token], above: int) -> Iterator[tuple[int, int, str]]:
    """Yield line, level and plain title of each heading that the oracle sees outside lists and quotes."""
    for token, inline in pairwise(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map:
            yield token.map[0] + 1 + above, int(token.tag[1]), " ".join("".join(plain(inline)).split())


def plain(inline: Token) -> Iterator[str]:
    """Yield what a reader sees of a line of text."""
    for child in inline.children or ():
        if child.type in {"text", "code_inline"}:
            yield child.content
        elif child.type == "image":
            yield from plain(child)
        elif child.type in {"softbreak", "hardbreak"} or child.content.startswith("<br"):
            yield " "


def open_levels(headings: list[tuple[int, int, str]], line: int) -> list[int]:
    """Return the levels of the headings that stand above ``line``, outermost first."""
    levels: list[int] = []
    for at, level, _ in headings:
        if at <= line:
            levels = [*(other for other in levels if other < level), level]
    return levels


def test_no_block_of_the_oracle_is_cut(files: list[tuple[str, str, int]]) -> None:
    """No chunk begins within a fence, table, paragraph, HTML block or an item without sublist."""
    whole = {"fence", "code_block", "html_block", "table_open", "paragraph_open"}
    for name, text, front in files[1::SAMPLED]:
        for target_chars in (1, 600):
            chunks = chunk(text[front:], name, front_matter_chars=0, target_chars=target_chars).chunks
            starts = {found.first_line - 1 for found in chunks}
            lines = text[front:].split("\n")
            for first, stop, is_whole in oracle_blocks(ORACLE.parse(text[front:]), whole):
                # A note's lines make several paragraphs or definitions to an oracle without footnotes.
                inside = [
                    at for at in range(first + 1, stop) if at in starts and not lines[at].lstrip().startswith("[")
                ]
                assert not (is_whole and inside), (name, first + 1)


def oracle_blocks(tokens: list[Token], whole: set[str]) -> Iterator[tuple[int, int, bool]]:
    """Yield first line, line after the last, and whether it may not be cut, of blocks outside quotes."""
    quotes = 0
    for index, token in enumerate(tokens):
        quotes += token.type == "blockquote_open"
        quotes -= token.type == "blockquote_close"
        if quotes == 0 and token.map:
            if token.type == "list_item_open":
                yield *token.map, not has_sublist(tokens, index)  # type: ignore[misc]
            else:
                yield *token.map, token.type in whole  # type: ignore[misc]


def has_sublist(tokens: list[Token], index: int) -> bool:
    """Say whether a list stands in the item whose token is at ``index``, directly or deeper."""
    level = tokens[index].level
    for token in tokens[index + 1 :]:
        if token.level == level:
            return False
        if token.type in {"bullet_list_open", "ordered_list_open"}:
            return True
    return False


def test_every_item_can_begin_a_chunk(files: list[tuple[str, str, int]]) -> None:
    """With the least target each item of the oracle outside quotes begins a chunk, or its heading does."""
    for name, text, front in files[2::SAMPLED]:
        chunks = chunk(text[front:], name, front_matter_chars=0, target_chars=0, domain="generic").chunks
        starts = {found.first_line - 1 for found in chunks}
        for line in oracle_items(ORACLE.parse(text[front:])):
            assert line in starts, (name, line + 1)


def oracle_items(tokens: list[Token]) -> Iterator[int]:
    """Yield the line of each item outside quotes, but not of one that follows a heading or starts the file."""
    quotes = 0
    for index, token in enumerate(tokens):
        quotes += token.type == "blockquote_open"
        quotes -= token.type == "blockquote_close"
        if quotes == 0 and token.type == "list_item_open" and token.map:
            is_first = tokens[index - 1].type.endswith("list_open")
            if not (is_first and (index == 1 or tokens[index - 2].type in {"heading_close", "hr"})):
                yield token.map[0]


# ── the handed cases ────────────────────────────────────────────────────────────────────────────


def steps(shared: Path, case: str, verb: str) -> list[dict[str, Any]]:
    """Return the steps of a case that do ``verb``."""
    expect = json.loads((shared / "cases" / case / "expect.json").read_text("utf-8"))
    return [step for step in expect["steps"] if step["do"] == verb]


def chunked_file(shared: Path, case: str, name: str, target_chars: int = 600) -> tuple[str, Chunked]:
    """Return the text of a case's file and its chunks."""
    text = (shared / "cases" / case / name).read_bytes().decode("utf-8")
    return text, chunk(text, name, front_matter_chars=0, target_chars=target_chars)


def holding(text: str, chunked: Chunked, words: str) -> Chunk:
    """Return the one chunk that holds ``words``."""
    (found,) = [found for found in chunked.chunks if words in text[found.start : found.stop]]
    return found


@pytest.mark.parametrize("case", ["MD-01", "MD-03", "MD-05"])
def test_answers_stand_under_the_expected_headings(shared: Path, case: str) -> None:
    """Each question's words lie in a chunk with the case's heading path."""
    text, chunked = chunked_file(shared, case, "notes.md")
    asked = steps(shared, case, "search")
    assert asked
    for step in asked:
        found = holding(text, chunked, step.get("expect_contains", step["query"]))
        assert [heading.title for heading in found.path] == step["expect_heading_path"]


def test_hash_lines_in_fences(shared: Path) -> None:
    """MD-01: the outline holds the headings and nothing from inside the fences."""
    _, chunked = chunked_file(shared, "MD-01", "notes.md")
    (outline,) = steps(shared, "MD-01", "outline")
    assert [heading.title for heading, _ in chunked.headings] == outline["expect_headings"]


def test_nested_lists(shared: Path) -> None:
    """MD-03: leads and chunk show each parent above and less indented than its child."""
    text, chunked = chunked_file(shared, "MD-03", "notes.md", target_chars=30)
    (step,) = steps(shared, "MD-03", "search")
    found = holding(text, chunked, step["query"])
    shown = "\n".join([text[lead.start : lead.stop] for lead in found.lead] + [text[found.start : found.stop]])
    indents = []
    for words in step["expect_contains_in_order"]:
        (line,) = [line for line in shown.splitlines() if words in line]
        indents.append(len(line) - len(line.lstrip()))
    assert indents == sorted(set(indents))


def test_files_without_headings(shared: Path) -> None:
    """MD-07: a preamble has no path, a plain line one chunk, a blank file a blank one, an empty file none."""
    text, chunked = chunked_file(shared, "MD-07", "preamble.md")
    assert holding(text, chunked, "owned by team Kestrel").path == ()
    assert [found.kind for found in chunked_file(shared, "MD-07", "plain.md")[1].chunks] == ["prose"]
    assert [found.kind for found in chunked_file(shared, "MD-07", "blank.md")[1].chunks] == ["blank"]
    assert chunked_file(shared, "MD-07", "empty.md")[1].chunks == ()
