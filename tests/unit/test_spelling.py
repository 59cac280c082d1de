"""Which known word a mistyped one may have been."""

from __future__ import annotations

import pytest

from treering.backends.tokens import stems
from treering.domain.spelling import derives, meant, one_slip, typed

WORDS = "kubernetes deployment restaurant vacation database configuration gateway migration authentication".split()
KNOWN = [(stems(word)[0], number) for number, word in enumerate(WORDS, 1)]


@pytest.mark.parametrize(
    ("word", "right"),
    [
        ("kuberntes", "kubernetes"),
        ("deploymnet", "deployment"),
        ("restaurnt", "restaurant"),
        ("vaccation", "vacation"),
        ("databse", "database"),
        ("configuratoin", "configuration"),
        ("gatewya", "gateway"),
        ("authentcation", "authentication"),
    ],
)
def test_one_slip_finds_the_word(word: str, right: str) -> None:
    """A letter missing, too many, wrong or in another place, in the stem or in the ending."""
    found = meant(word, stems(word)[0], KNOWN, stems)
    assert found is not None
    assert found[0] == stems(right)[0]
    assert stems(typed(found[0], stems, lambda word: word in WORDS)) == [found[0]]


@pytest.mark.parametrize("word", ["kubrentse", "walrus", "gate", "vocative"])
def test_two_slips_or_another_word_find_nothing(word: str) -> None:
    """What is farther away is not taken for it."""
    assert meant(word, stems(word)[0], KNOWN, stems) is None


def test_a_slip_is_one_letter() -> None:
    """Neither the same word nor two wrong letters are one slip."""
    assert one_slip("launch", "lunch")
    assert one_slip("form", "from")
    assert not one_slip("form", "form")
    assert not one_slip("form", "forms!!")
    assert not one_slip("abcd", "badc")


def test_the_most_frequent_of_several_is_meant() -> None:
    """What many entries hold is what people mean."""
    assert meant("staing", "stain", [("stage", 3), ("stains", 9)], stems) == ("stains", 9)


@pytest.mark.parametrize("word", ["expiry", "mergeable", "tokenizer", "stopper", "deploys", "scalability"])
def test_a_known_word_with_an_ending_is_a_word(word: str) -> None:
    """A silent ``e`` falls away before a vowel, and a last letter is doubled."""
    assert derives(word, {"expired", "merge", "token", "stop", "deploy", "scale"}.__contains__)


@pytest.mark.parametrize("word", ["managment", "databse", "deploymnet", "ing"])
def test_a_slip_is_no_known_word_with_an_ending(word: str) -> None:
    """Before a consonant the ``e`` stays, and a word is more than its ending."""
    assert not derives(word, {"manage", "database", "deploy"}.__contains__)
