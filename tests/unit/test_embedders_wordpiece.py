"""Words and pieces: agreement with the uncased BERT tokenizer wherever there are letters."""

from __future__ import annotations

import importlib.util
import unicodedata
from typing import Any

import pytest

from treering.embedders.static import DATA
from treering.embedders.table import Table
from treering.embedders.wordpiece import MAX_WORDS, pieces, words

# Words and their pieces, as the tokenizers library gives them for the model's own tokenizer.json.
EXAMPLES = {
    "The quick brown fox jumps": ["the", "quick", "brown", "fox", "jumps"],
    "unaffable tokenization embeddings": [
        "una",
        "##ffa",
        "##ble",
        "token",
        "##ization",
        "em",
        "##bed",
        "##ding",
        "##s",
    ],
    "Kubernetes kubectl PostgreSQL SQLite pgvector": [
        "ku",
        "##ber",
        "##net",
        "##es",
        "ku",
        "##be",
        "##ct",
        "##l",
        "post",
        "##gre",
        "##s",
        "##q",
        "##l",
        "sql",
        "##ite",
        "pg",
        "##ve",
        "##ctor",
    ],
    "Straße ÅNGSTRÖM naïve Ωmega": ["st", "##raße", "ang", "##strom", "naive", "ω", "##me", "##ga"],
    "Dónde está la configuración": ["don", "##de", "est", "##a", "la", "con", "##fi", "##gur", "##acion"],
    "支付服务 東京都": ["東", "京", "都"],
    "한국어 문서": ["ᄒ", "##ᅡ", "##ᆫ", "##ᄀ", "##ᅮ", "##ᆨ", "##ᄋ", "##ᅥ", "ᄆ", "##ᅮ", "##ᆫ", "##ᄉ", "##ᅥ"],
    "हिन्दी भाषा": ["ह", "##ि", "##न", "##द", "##ी", "भ", "##ा", "##ष", "##ा"],
    "Привет мир": ["п", "##р", "##и", "##в", "##е", "##т", "м", "##и", "##р"],
    "مرحبا بالعالم": ["م", "##ر", "##ح", "##ب", "##ا", "ب", "##ا", "##ل", "##ع", "##ا", "##ل", "##م"],
    "İstanbul ΣΊΣΥΦΟΣ": ["istanbul", "σ", "##ι", "##σ", "##υ", "##φ", "##ο", "##σ"],
    "x86 3rd 2026 v18": ["x", "##86", "3rd", "202", "##6", "v", "##18"],
    "xqzzyvwk": ["x", "##q", "##zzy", "##v", "##wk"],
}


@pytest.fixture(scope="module")
def table() -> Table:
    """Return the built-in embedder's data."""
    return Table(DATA)


@pytest.fixture(scope="module")
def names(table: Table) -> dict[int, str]:
    """Return the piece of each row."""
    return {row: piece for piece, row in table.pieces().items()}


@pytest.mark.parametrize("text", EXAMPLES, ids=ascii)
def test_pieces_are_those_of_the_model(table: Table, names: dict[int, str], text: str) -> None:
    """Words in many scripts fall into the pieces that the model was trained with."""
    found = [names[row] for word in words(text) for row in pieces(word, table.find, table.longest)]
    assert found == EXAMPLES[text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't panic", ["don", "t", "panic"]),
        ("snake_case camelCase", ["snake", "case", "camelcase"]),
        ("Café ÅNGSTRÖM", ["cafe", "angstrom"]),
        ("“quoted”—dash…", ["quoted", "dash"]),
        ("漢字kana", ["漢", "字", "kana"]),
        ("co\u00adoperate zero\u200bwidth", ["cooperate", "zerowidth"]),
        ("€5 and 5€", ["5", "and", "5"]),
        ("a\u2028b\u3000c\u00a0d", ["a", "b", "c", "d"]),
        ("bad\ud800surrogate", ["bad", "surrogate"]),
        ("🎉party🎉", ["party"]),
        ("", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    """Punctuation, symbols and emoji separate; accents, soft hyphens and case are gone."""
    assert words(text) == expected


def test_only_the_first_words_count() -> None:
    """A long text gives its first 80 words."""
    assert words(" ".join(f"w{number}" for number in range(500))) == [f"w{number}" for number in range(MAX_WORDS)]


def test_blanks_before_a_long_text_are_passed_over() -> None:
    """A page that begins with a thousand blanks still has its words."""
    assert words(" " * 3000 + "late " * 300)[0] == "late"


def test_a_word_cut_by_the_limit_is_left_out() -> None:
    """Half of a word is no word, unless there is no other."""
    assert words("first " + "y" * 5000) == ["first"]
    assert len(words("y" * 5000)) == 1


def test_a_word_that_is_too_long_has_no_pieces(table: Table) -> None:
    """Beyond 100 letters a word is unknown, as in BERT."""
    assert pieces("a" * 100, table.find, table.longest)
    assert pieces("a" * 101, table.find, table.longest) == ()


def test_a_word_with_an_unknown_part_has_no_pieces(table: Table) -> None:
    """One letter that the vocabulary lacks makes the whole word unknown."""
    assert pieces("abc\U0001e900", table.find, table.longest) == ()


def test_agrees_with_the_tokenizers_library(table: Table, names: dict[int, str]) -> None:
    """On words alone, of every script in the vocabulary, the result is the library's."""
    if importlib.util.find_spec("tokenizers") is None:
        pytest.skip("the tokenizers library is not installed")
    tokenizer = bert(list(names.values()))
    for text in corpus(names):
        expected = [piece for piece in tokenizer.encode(text, add_special_tokens=False).tokens if piece != "[UNK]"]
        found = [names[row] for word in words(text) for row in pieces(word, table.find, table.longest)]
        assert found == expected, text


def bert(vocabulary: list[str]) -> Any:
    """Return the library's uncased BERT tokenizer over ``vocabulary``."""
    import tokenizers as library

    numbers = {piece: number for number, piece in enumerate(["[UNK]", *vocabulary])}
    model = library.models.WordPiece(numbers, unk_token="[UNK]", max_input_chars_per_word=100)  # noqa: S106 - a piece
    tokenizer = library.Tokenizer(model)
    tokenizer.normalizer = library.normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = library.pre_tokenizers.BertPreTokenizer()
    return tokenizer


def corpus(names: dict[int, str]) -> list[str]:
    """Return texts of words: joined pieces of the vocabulary, and every letter between two others."""
    plain = [piece.removeprefix("##") for piece in names.values()]
    joined = [" ".join(plain[at : at + 40]) for at in range(0, len(plain), 40)]
    glued = [f"{one}{other}" for one, other in zip(plain, plain[7:], strict=False)]
    letters = [chr(code) for code in range(0x80, 0x11000) if unicodedata.category(chr(code))[0] in "LN"]
    return [*joined, *(text.title() for text in joined), *glued, *(f"x{letter}y {letter}" for letter in letters)]
