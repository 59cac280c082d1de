"""Which memory a few words mean."""

from __future__ import annotations

import pytest

from treering.domain.replacing import Candidate, Choice, choose, unplain

NOODLES = Candidate("mem_noodles", "The user likes spicy noodles.")
SHOP = Candidate("mem_shop", "The noodle shop opens at nine.")
SOUP = Candidate("mem_soup", "The user cooked spicy noodles on Friday.")
MADRID = Candidate("mem_madrid", "The user lives in Madrid.")
PORT = Candidate("mem_port", "Heron listens on port 7070.")
PORTS = Candidate("mem_ports", "Heron listens on port 7071.")
CITY = Candidate("mem_city", "用户住在马德里。")


@pytest.mark.parametrize(
    ("words", "candidates", "id"),
    [
        ("spicy noodles", [NOODLES, SHOP], "mem_noodles"),
        ("liked spicy noodle", [SHOP, NOODLES], "mem_noodles"),
        ("where the user lives", [NOODLES, MADRID], "mem_madrid"),
        ("port 7071", [PORT, PORTS], "mem_ports"),
        ("mem_soup", [NOODLES, SOUP], "mem_soup"),
        ("住在马德里", [MADRID, CITY], "mem_city"),
    ],
)
def test_the_one_that_has_the_words(words: str, candidates: list[Candidate], id: str) -> None:
    """One candidate has more of the words than all others, or is named by its id."""
    assert choose(words, candidates) == Choice(id)


@pytest.mark.parametrize(
    ("words", "candidates", "listed"),
    [
        ("spicy noodles", [NOODLES, SOUP, SHOP], [NOODLES, SOUP]),
        ("heron port", [PORT, PORTS], [PORT, PORTS]),
        ("noodles, or the shop the user likes", [NOODLES, SHOP], [NOODLES, SHOP]),
        ("his place of residence", [MADRID], [MADRID]),
        ("that one", [MADRID, PORT], [MADRID, PORT]),
        ("spicy noodles", [], []),
        ("", [MADRID], [MADRID]),
    ],
)
def test_none_is_taken_by_guess(words: str, candidates: list[Candidate], listed: list[Candidate]) -> None:
    """With several that fit alike, or none that has half of the words, the writer is asked."""
    assert choose(words, candidates) == Choice(listed=tuple(listed))


def test_few_are_listed() -> None:
    """Of many that fit alike the first five are listed."""
    many = [Candidate(f"mem_{number}", "Heron calls the ledger.") for number in range(50)]
    assert choose("heron ledger", many).listed == tuple(many[:5])


def test_what_the_writer_is_told() -> None:
    """The candidates stand there with their ids and their words; nothing was replaced."""
    said = unplain("spicy noodles", choose("spicy noodles", [NOODLES, SOUP]))
    assert "mem_noodles 'The user likes spicy noodles.'; mem_soup 'The user cooked" in said
    assert "nothing was replaced" in said
    assert unplain("x" * 999, Choice()).startswith("nothing here is what 'xxx")
