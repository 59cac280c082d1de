"""What an embedder gives is checked before it is stored or compared."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

import pytest

from treering.derived import vectors
from treering.embedders.hashing import HashingEmbedder
from treering.embedders.static import StaticEmbedder
from treering.errors import EmbedderFailed
from treering.records import Unembedded

if TYPE_CHECKING:
    from collections.abc import Sequence


class Broken(HashingEmbedder):
    """An embedder that gives whatever it is told to."""

    def __init__(self, given: bytes | Exception) -> None:
        """Give ``given`` for everything."""
        super().__init__(4)
        self.given = given

    def embed_texts(self, texts: Sequence[str]) -> bytes:
        """Return or raise what was given."""
        return self.embed_query("")

    def embed_query(self, text: str) -> bytes:
        """Return or raise what was given."""
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


def numbers(*values: float) -> bytes:
    """Return numbers as little-endian float32."""
    return struct.pack(f"<{len(values)}f", *values)


FAULTS = {
    "raises": RuntimeError("out of memory"),
    "nan": numbers(math.nan, 0, 0, 0),
    "infinite": numbers(math.inf, 0, 0, 0),
    "too few numbers": numbers(1, 0, 0),
    "another dimension": numbers(1, 0, 0, 0, 0, 0, 0, 0),
    "no bytes": b"",
    "too long": numbers(0.9, 0.9, 0, 0),
    "too short": numbers(0.1, 0, 0, 0),
    "zeros for words": numbers(0, 0, 0, 0),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_row_is_refused(fault: str) -> None:
    """Whatever is wrong is one error that names the embedder and the way out."""
    with pytest.raises(EmbedderFailed, match="hashing/4 failed") as raised:
        vectors.embed(Broken(FAULTS[fault]), ["some words"])
    assert "--mode keyword" in raised.value.hint


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != "zeros for words"])
def test_a_faulty_question_is_refused(fault: str) -> None:
    """A question's vector is checked in the same way; zeros mean that it has no word."""
    with pytest.raises(EmbedderFailed, match="hashing/4 failed"):
        vectors.embed_question(Broken(FAULTS[fault]), "some words")
    assert vectors.embed_question(Broken(FAULTS["zeros for words"]), "…") is None


def test_zeros_are_right_where_there_is_no_word() -> None:
    """Punctuation and emoji alone become rows of zeros, beside rows that are none."""
    embedder = StaticEmbedder()
    rows = vectors.embed(embedder, ["***", "🎉", "hello world"])
    assert [any(row) for row in rows] == [False, False, True]
    assert vectors.embed(embedder, ["---", ""]) == [bytes(256), bytes(256)]


def test_an_english_model_is_not_asked_for_other_scripts() -> None:
    """Text that is mostly in another script has a row of zeros; a multilingual model embeds it."""
    texts = ["数据库迁移必须在低峰期进行", "The database moves at night."]
    assert [any(row) for row in vectors.embed(StaticEmbedder(), texts)] == [False, True]
    assert [any(row) for row in vectors.embed(HashingEmbedder(), texts)] == [True, True]


def test_title_and_headings_stand_before_the_text() -> None:
    """What is embedded is title, headings, text; a repeated heading stands once; without a word of its own, nothing."""
    entry = Unembedded(1, 0, "Guide", ("Guide", "Cars"), "They need petrol.")
    assert vectors.embedded_text(entry) == "Guide\nCars\nThey need petrol."
    assert vectors.embedded_text(entry._replace(text="*** ---\n")) == ""


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("# Hold.\n@cached\nasync def reserveSlot(self):\n    return 1\n", "reserve slot reserve slot stock hold"),
        ("export class ParcelQueue<T> {\n", "parcel queue parcel queue stock export"),
        ("class of 1999: a list\n", "of of stock class"),
        ("Classes are cut.\n", "Stock\nClasses are cut."),
        ("def größe_ändern(x):  # 汉字\n", "größe ändern größe ändern stock def größe ändern x 汉字"),
        ("class struggle\n", "Stock\nclass struggle"),
    ],
)
def test_code_is_embedded_by_its_words(text: str, begins: str) -> None:
    """What begins with a definition is embedded as the declared name, twice, and single words; prose as it is."""
    entry = Unembedded(1, 0, "Stock", (), text)
    assert vectors.embedded_text(entry).startswith(begins)


def test_models_have_a_name_for_the_store_and_one_for_people() -> None:
    """The stored name holds the revision; people see it without."""
    name = vectors.name_of(HashingEmbedder(8))
    assert name.startswith("hashing/8@")
    assert vectors.plain_name(name) == "hashing/8"
