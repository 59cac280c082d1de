"""What is shown of a chunk that is too long: sentences, chosen by the question."""

from __future__ import annotations

import pytest

from treering.domain.sentences import LONGEST, sentences
from treering.domain.text import llm_tokens
from treering.recall import windows
from treering.recall.excerpt import CUT, excerpt

PARAGRAPH = " ".join(
    [
        "The harbour office keeps a ledger of every ship that comes in.",
        "It is written by hand and copied at night.",
        "The heron barge pays a toll of nine florins in winter.",
        "In summer nothing is asked of it.",
        *[f"Ships of the {n}th company wait for the tide and for the pilot of the harbour." for n in range(30)],
        "The lighthouse is painted white every third year.",
    ]
)


@pytest.mark.parametrize(
    "text",
    [
        PARAGRAPH,
        "他昨天到了。然后他走了！为什么？没人知道。" * 20,
        "no end at all " * 200,
        "x" * 2000,
        "",
        "One. Two. Three.",
        'He said "Go." Then he left (at last). Really?! Yes…\n\nNew paragraph',
        "v1.2.3 is out, e.g. here; see a.b.c and so on " * 30,
    ],
    ids=["prose", "chinese", "no end", "one word", "empty", "short", "marks", "versions"],
)
def test_sentences_join_to_their_text(text: str) -> None:
    """Nothing is lost between sentences, and none is much longer than the most."""
    found = sentences(text)
    assert "".join(found) == text
    assert all(len(one) <= LONGEST for one in found)


def test_chinese_sentences_end_without_a_space() -> None:
    """The marks of Chinese end a sentence by themselves."""
    long = "一" * 50
    assert sentences(f"{long}。{long}！{long}") == [f"{long}。", f"{long}！", long]


def test_words_that_every_sentence_has_do_not_decide() -> None:
    """A word of one sentence outweighs one that the whole chunk is about."""
    found = windows.split([PARAGRAPH])
    chosen = windows.choose(found, 40, {"harbour": 3.0, "toll": 2.0})
    assert "toll of nine florins" in chosen[0].text


def test_two_places_are_shown_with_a_gap_between() -> None:
    """What stands far apart is shown together, marked as cut, within the tokens."""
    shown = excerpt(PARAGRAPH, 90, {"toll": 4.0, "lighthouse": 4.0})
    assert "nine florins" in shown.text
    assert "lighthouse" in shown.text
    assert CUT in shown.text
    assert llm_tokens(shown.text) <= 90
    assert not (shown.begins and shown.ends)


def test_every_shown_stretch_stands_in_the_text() -> None:
    """Between the marks, text is verbatim."""
    shown = excerpt(PARAGRAPH, 120, {"toll": 4.0, "pilot": 1.0})
    assert all(part.strip() in PARAGRAPH for part in shown.text.split(CUT))


def test_headings_stay_above_what_is_cut() -> None:
    """A section's heading is shown even where its paragraph is cut."""
    shown = excerpt(f"## Tolls\n\n{PARAGRAPH}", 80, {"florins": 1.0})
    assert shown.text.startswith(f"## Tolls\n{CUT}")
    assert "nine florins" in shown.text
    assert shown.first == 2


def test_a_long_line_is_cut_between_words() -> None:
    """What is shown of a line that does not fit begins and ends with whole words where there are blanks."""
    line = " ".join(f"filler{number}" for number in range(200)) + " the anchor stands here " + "padding words " * 200
    shown = excerpt(line, 18, {"anchor": 1.0}).text
    inner = shown.removeprefix(CUT).removesuffix(CUT)
    assert "anchor" in inner
    assert f" {inner.strip()} " in f" {line} "
