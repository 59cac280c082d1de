"""Text as the search sees it: stored text and questions, in several languages and in code."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.backends.sqlite.engine import SqliteBackend
from treering.domain.query import Term
from treering.domain.text import (
    MAX_TERMS,
    as_prefix,
    fingerprint,
    head_text,
    is_plainly_foreign,
    llm_tokens,
    query_terms,
    search_text,
)

ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)


def plain(text: str) -> list[str]:
    """Return the terms of a question that count, as a reader would write them."""
    return [term.text for term in query_terms(text) if term.weight]


def wholes(text: str) -> list[str]:
    """Return the terms of a question that only add to what its words find."""
    return [term.text for term in query_terms(text) if not term.weight]


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What is the retry limit?", ["retry", "limit"]),
        ("the user's guide", ["user", "guide"]),
        ("what’s new", ["new"]),
        ("O'Brien", ["o", "brien"]),
        ("AND OR NOT", []),
        ("don't", []),
        ("don’t you", []),
        ("what is the", []),
        ("¿Cuál es la configuración del teléfono?", ["configuración", "teléfono"]),
        ("cómo se reinicia el servidor", ["reinicia", "servidor"]),
        ("la base de datos", ["base", "datos"]),
        ("de", ["de"]),
        ("naïve CAFÉ", ["naïve", "café"]),
        ("за\u0301мок cafe\u0301", ["замок", "café"]),
        ("什么是网关的重试次数", ["是网", "网关", "重试", "试次", "次数"]),
        ("如何重启", ["重启"]),
        ("支", ["支…"]),
        ("的", []),
        ("设定 サーバー", ["设定", "サー", "ーバ", "バー"]),
        ("한국어 문서", ["한국", "국어", "문서"]),
        ("iPhone手机 case", ["iphone", "手机", "case"]),
        ("ＦＵＬＬ ﬁle", ["full", "file"]),
        ("max_tokens", ["max", "tokens"]),
        ("httpTimeoutMs", ["http", "timeout", "ms"]),
        ("HTTPServer parseXMLFile2", ["http", "server", "parse", "xml", "file", "2"]),
        ("C++ or C# and f#", ["cplusplus", "csharp", "fsharp"]),
        ("c", ["c"]),
        ("3.11", ["3 11"]),
        ("1.2.3", ["1 2 3"]),
        ("e.g. I/O", ["e g", "i o"]),
        ("src/app.py:12", ["src", "app", "py", "12"]),
        ("foo@example.com", ["foo", "example", "com"]),
        ("max_tokens tokens max", ["max", "tokens"]),
        ("🎉 party 🎉", ["party"]),
        ("🎉", []),
        ("??? — ***", []),
        ("", []),
        ("\0\ufeff\u200b", []),
    ],
)
def test_what_a_question_asks_for(question: str, terms: list[str]) -> None:
    """A question yields its own words once each, in order, without those that every text has; any text is safe."""
    assert plain(question) == terms


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("max_tokens", ["max tokens"]),
        ("httpTimeoutMs", ["httptimeoutms"]),
        ("state-of-the-art", ["state of the art"]),
        ("src/app.py", ["src app py"]),
        ("std::vector<int>", ["std vector"]),
        ("3.11", []),
        ("plain words", []),
        ("网关重试", []),
    ],
)
def test_a_name_is_also_looked_for_as_a_whole(question: str, whole: list[str]) -> None:
    """A name of several parts adds itself as words side by side, which nothing has to explain."""
    assert wholes(question) == whole


def test_a_pasted_page_is_bounded() -> None:
    """Of a pasted page the first distinct terms are taken, not all."""
    terms = query_terms(" ".join(f"word{n} word{n}" for n in range(5000)))
    assert len(terms) == MAX_TERMS
    assert [term.text for term in terms[:2]] == ["word0", "word1"]


@given(ANY_TEXT)
def test_any_question_is_safe(text: str) -> None:
    """No text makes a question fail; terms are lower case words, none of them twice."""
    terms = query_terms(text)
    assert len(terms) == len(set(terms)) <= MAX_TERMS
    for term in terms:
        assert term.words
        assert all(word and word == word.lower() and not any(c.isspace() for c in word) for word in term.words)


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("plain text, as it is", "plain text, as it is"),
        ("httpTimeoutMs", "httpTimeoutMs http Timeout Ms"),
        ("HTTPServer", "HTTPServer HTTP Server"),
        ("Title McDonald", "Title McDonald Mc Donald"),
        ("C++ C#", "C++ C# Cplusplus Csharp"),
        ("网关重试", " 网关 关重 重试 试 "),
        ("支", "  支 "),
        ("a网关b", "a 网关 关 b"),
        ("party🥳🤖now é", "party now é"),
        ("ＦＵＬＬ", "FULL"),
        ("ᏣᎳᎩ ÉTÉ", "ꮳꮃꭹ ÉTÉ"),
        ("", ""),
    ],
)
def test_what_the_index_is_given(text: str, stored: str) -> None:
    """Stored text stays but for young capitals, with CJK as pairs, and parts of names and words for C++ at the end."""
    assert search_text(text) == stored


# Letters younger than Unicode 6.1 are split and folded by it otherwise than by SQLite's tokenizer.
LETTERS = (
    "aZéÜßİıſøŁŒ09_ αΩςάЖяЇөאבשعربيकिषเกทขაბ한국어カなー支付网\u3007豈ᎠꭰᲐა𞤀𞤢ｗＷ①½ﬁ²\u0301\u200d\xa0\n"
    "'’._/\\:@+&-#%$\"()[]{}*~^<>=|?!,;…—“”🎉🥳€°"
)


@pytest.mark.slow
@given(st.text(st.sampled_from(LETTERS), max_size=40))
def test_a_text_is_found_by_its_own_words(text: str) -> None:
    """Every term of a text, asked for, stands in that text as the index sees it: both sides agree."""
    store = SqliteBackend(":memory:", create=True)
    with store.write() as tx:
        tx.keywords.add([(1, "", search_text(text))])
        terms = [term for term in query_terms(text) if len(term.words) == 1]
        missed = [
            term
            for term, frequency in zip(terms, tx.keywords.frequencies(terms), strict=True)
            if not frequency and any(tx.keywords.stems(word) for word in term.words)
        ]
    store.close()
    assert missed == []


def test_a_head() -> None:
    """A head holds title, headings and the words of the path, each heading once, in the form of stored text."""
    head = head_text("Guide", ["Guide", "Set httpTimeout"], "file:docs/my_page-2.md")
    assert head == "Guide Set httpTimeout docs my page 2 md http Timeout"
    assert head_text("", [], "note:") == " "


def test_prefixes() -> None:
    """A single word of three letters or more may be read as a beginning; nothing else may."""
    assert as_prefix(Term(("retr",), weight=0.5)) == Term(("retr",), prefix=True, weight=0.5)
    assert as_prefix(Term(("re",))) is None
    assert as_prefix(Term(("max", "tokens"))) is None
    assert as_prefix(Term(("支",), prefix=True)) is None


HOSTILE = {
    "one word": lambda n: "x" * n,
    "capitals": lambda n: "X" * n,
    "alternating case": lambda n: "aB" * (n // 2),
    "digits": lambda n: "1" * n,
    "dots": lambda n: "a." * (n // 2),
    "joining marks": lambda n: "a" + "'" * n,
    "marks between": lambda n: "a-_'" * (n // 4),
    "commas": lambda n: "," * n,
    "white space": lambda n: " " * n,
    "CJK": lambda n: "网" * n,
    "particles": lambda n: "的什么" * (n // 3),
    "emoji": lambda n: "🎉" * n,
    "accents": lambda n: "e" + "\u0301" * n,
    "plus signs": lambda n: "C++" * (n // 3),
    "hashes": lambda n: "C#" * (n // 2),
    "capitals and one small": lambda n: "A" * (n - 1) + "b",
    "ligatures": lambda n: "\ufdfa" * (n // 18),
}


def cost(action: Callable[[str], object], text: str) -> float:
    """Return the CPU seconds that an action takes."""
    started = time.process_time()
    action(text)
    return time.process_time() - started


@pytest.mark.slow
@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.parametrize("action", [search_text, query_terms, fingerprint, llm_tokens])
def test_time_is_linear(kind: str, action: Callable[[str], object]) -> None:
    """A hostile text of 1 MB costs about as much as its length says of one of a sixteenth, far from its square."""
    small, large = HOSTILE[kind](62_500), HOSTILE[kind](1_000_000)
    most = 16 * 3 * max(0.002, *(cost(action, small) for _ in range(3)))
    assert any(cost(action, large) < most for _ in range(4)), most  # others use the machine too


@given(ANY_TEXT)
def test_a_fingerprint_sees_through_case_and_white_space(text: str) -> None:
    """Texts that differ in white space and case alone have one fingerprint, a signed number of 64 bits."""
    number = fingerprint(text)
    assert -(2**63) <= number < 2**63
    assert fingerprint(f"  {'  '.join(text.split())}\n") == number
    if text.isascii():
        assert fingerprint(text.upper()) == fingerprint(text.lower()) == number


def test_a_fingerprint_tells_texts_apart() -> None:
    """Texts with other words, other order or other accents have other fingerprints, the same in every process."""
    texts = ["", "a b", "b a", "ab", "á b", "a b c", "漢字", "漢", "🎉"]
    assert len({fingerprint(text) for text in texts}) == len(texts)
    assert fingerprint("The  Gateway\n") == fingerprint("the gateway") == 578172126616604611


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0), ("a", 1), ("hello world", 2), ("internationalization", 3), ("12345", 2), ("漢字", 3), ("🎉", 3),
        ("a\nb", 3), ("foo(bar)", 4), ("café", 2), ("  \t ", 0), ("don't", 3),
    ],
)  # fmt: skip
def test_tokens(text: str, tokens: int) -> None:
    """Tokens are estimated by runs of letters and digits, marks, line breaks and wide letters."""
    assert llm_tokens(text) == tokens


@given(ANY_TEXT, ANY_TEXT)
def test_tokens_add_up(one: str, other: str) -> None:
    """Two texts on lines of their own cost what each costs, and the line break; a broken token is rounded up once."""
    assert 0 <= llm_tokens(one) + 1 + llm_tokens(other) - llm_tokens(f"{one}\n{other}") <= 1
    assert llm_tokens(unicodedata.normalize("NFC", one)) <= llm_tokens(unicodedata.normalize("NFD", one))


@pytest.mark.parametrize(
    ("question", "foreign"),
    [
        ("¿Cuándo se fundó la universidad?", True),
        ("cuando nos mudamos de casa", True),
        ("größe der datenbank", True),
        ("when did we move", False),
        ("the café on the corner", False),
        ("python read csv column", False),
        ("", False),
    ],
)
def test_another_language_is_told_where_it_is_plain(question: str, *, foreign: bool) -> None:
    """Spanish words and letters with marks tell of it; English ones and doubt do not."""
    assert is_plainly_foreign(question) is foreign
