"""The passages of a paragraph: they cover it, end with sentences, and know their lines."""

from __future__ import annotations

from itertools import pairwise

from treering.recall.passages import Passage, passages, stretch
from treering.records import StoredChunk

SENTENCE = "Eleven herons stand in the reeds and wait. " * 5


def cut(text: str) -> list[str]:
    """Return the passages of a text after checking that they join to it."""
    found = passages(text)
    assert "".join(text[one.start : one.stop] for one in found) == text
    assert all(before.stop == after.start for before, after in pairwise(found))
    return [text[one.start : one.stop] for one in found]


def test_lines_are_packed_up_to_a_size() -> None:
    """Neighbouring lines make a passage of up to 1,000 letters, and none begins within a line."""
    found = cut("".join(f"Line {n}: {SENTENCE.strip()}\n" for n in range(100)))
    assert 20 < len(found) < 30
    assert max(map(len, found)) <= 1000
    assert all(one.startswith("Line ") for one in found)


def test_a_passage_ends_with_a_sentence_where_one_ends() -> None:
    """A line that a hand broke begins no passage when a sentence ends within reach."""
    lines = [
        *["herons that stand in the reeds and wait for"] * 9,
        "a boat that never comes.",
        *["and more of"] * 9,
        "it!",
    ]
    found = cut("\n".join(lines * 10) + "\n")
    assert all(one.endswith((".\n", "!\n")) for one in found)


def test_lines_without_sentences_are_passages_too() -> None:
    """A log or a table that nobody marked as one is divided at its lines."""
    found = cut("".join(f"2026-03-{n % 28 + 1:02} 12:00 heron {n} seen at the weir\n" for n in range(500)))
    assert max(map(len, found)) <= 1000
    assert all(one.startswith("2026-") for one in found)


def test_one_line_is_one_passage() -> None:
    """A line is never cut here, however long; one behind a short one stands alone."""
    assert cut(SENTENCE * 200) == [SENTENCE * 200]
    assert cut(f"Short.\n{SENTENCE * 200}\nShort.\n") == ["Short.\n", f"{SENTENCE * 200}\n", "Short.\n"]
    assert cut("") == [""]


def test_a_stretch_counts_from_its_own_lines() -> None:
    """Offsets and lines are those of the document, and the paragraph's name stays."""
    text = "one.\ntwo.\nthree.\n"
    whole = StoredChunk(7, "src_a", "ver_a", 3, 100, 100 + len(text), 11, 13, "prose", (), (), 1, text)
    made = stretch(whole, Passage(5, 10))
    assert (made.text, made.start, made.stop, made.first_line, made.last_line) == ("two.\n", 105, 110, 12, 12)
    assert (made.entry, made.version, made.ordinal) == (7, "ver_a", 3)
    assert made.fingerprint != whole.fingerprint
