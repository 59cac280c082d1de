"""Bytes to text: what is certain, what is guessed and named so, what is refused."""

from __future__ import annotations

import codecs

import pytest

from treering.ingest.encoding import Decoded, Undecodable, decode

SIMPLIFIED = "# 值班交接\n\n本周由朱镕喆负责机房巡检，备份由㛃组完成，交接清单放在共享盘。\n"
TRADITIONAL = "# 值班交接\n\n本週由陳小姐負責機房巡檢，備份由三組完成，交接清單放在共享碟。\n"
JAPANESE = "# 議事録\n\n本日の会議では、サーバーの移行日程について話し合いました。担当は田中さんです。\n"
KOREAN = "# 회의록\n\n오늘 회의에서는 서버 이전 일정을 논의했습니다. 담당자는 김민수입니다.\n"
FRENCH = "# Réunion\n\nL’équipe a décidé que la migration était prévue pour l’été ; coût 3 000 €.\n"
GERMAN = "# Größe\n\nDie Änderung für die Straße: Übergröße, Äpfel.\n"
SPANISH = "# Año\n\n¿Cuándo será la migración? Añádelo mañana, señor Muñoz.\n"


def test_utf8_is_certain() -> None:
    """Valid UTF-8 is read as such, without a notice and with its line ends as they are."""
    assert decode("naïve 数据 🙂\r\nb\r".encode()) == Decoded("naïve 数据 🙂\r\nb\r", "utf-8", "")


def test_nothing_is_text() -> None:
    """An empty file is an empty text."""
    assert decode(b"") == Decoded("", "utf-8", "")


@pytest.mark.parametrize(
    "mark,encoding",
    [
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_a_mark_decides_and_leaves(mark: bytes, encoding: str) -> None:
    """With a byte order mark the encoding is certain, and the mark is in no text."""
    assert decode(mark + FRENCH.encode(encoding)) == Decoded(FRENCH, encoding, "")


def test_a_mark_inside_leaves_too() -> None:
    """Marks that stand where files were joined are taken out as well."""
    assert decode(b"\xef\xbb\xbfone\n\xef\xbb\xbftwo\n").text == "one\ntwo\n"


@pytest.mark.parametrize(
    "text,written,read",
    [
        (SIMPLIFIED, "gb18030", "gb18030"),
        (TRADITIONAL, "gb18030", "gb18030"),
        ("上线时间\n", "gb18030", "gb18030"),
        (TRADITIONAL, "big5", "big5hkscs"),
        (JAPANESE, "cp932", "cp932"),
        (JAPANESE, "euc_jp", "euc_jp"),
        (KOREAN, "euc_kr", "cp949"),
        (FRENCH, "cp1252", "cp1252"),
        (GERMAN, "latin-1", "cp1252"),
        (SPANISH, "latin-1", "cp1252"),
        ("naïve café", "latin-1", "cp1252"),
        (FRENCH, "utf-16-le", "utf-16-le"),
        ("一份─清单，一二三。\n" + SIMPLIFIED, "utf-16-be", "utf-16-be"),
        ("오늘 회의에서는", "euc_kr", "cp949"),
        ("名前,年齢,住所\r\n佐藤太郎,30,東京\r\n三木英子,25,大阪\r\n", "cp932", "cp932"),
        ("名前,年齢,住所\r\n佐藤太郎,30,東京\r\n三木英子,25,大阪\r\n", "euc_jp", "euc_jp"),
        ("本周由值班的人负责机房巡检", "utf-16-le", "utf-16-le"),
        ("一份清单由一组的人完成，一共一次。\n", "utf-16-le", "utf-16-le"),
    ],
)
def test_a_guess_is_right_and_named(text: str, written: str, read: str) -> None:
    """Unmarked text in other encodings is read whole, and the notice says that it was guessed."""
    found = decode(text.encode(written))
    assert (found.text, found.encoding) == (text, read)
    assert found.notice == f"read as {read} (guessed)"


def test_a_log_cut_inside_a_letter_stays_utf8() -> None:
    """UTF-8 with one broken letter keeps all other letters, and the notice counts what was replaced."""
    found = decode("größer, schöner, übermäßig…".encode()[:-1])
    assert found.text.startswith("größer, schöner, übermäßig")
    assert found.encoding == "utf-8"
    assert "1 broken letters" in found.notice


@pytest.mark.parametrize(
    "raw",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x02",
        b"text\x00text",
        bytes(range(1, 32)) * 10,
        b"\xff\xfe\x00\x00\x00",
        "Сегодня обсуждали перенос сервера.".encode("cp1251"),
        bytes(range(128, 256)),
        "เมื่อวานเราได้หารือเรื่องการย้ายเซิร์ฟเวอร์".encode("cp874"),
        "Wczoraj omówiliśmy przeniesienie; żółć, gęś, źdźbło.".encode("iso8859-2"),
    ],
)
def test_what_is_no_text_is_refused(raw: bytes) -> None:
    """Binary data and encodings that cannot be told are refused with a reason, never read wrong."""
    with pytest.raises(Undecodable, match=r"binary|no other encoding"):
        decode(raw)


def test_coloured_logs_are_text() -> None:
    """Escape sequences of a terminal do not make a log binary."""
    assert decode(b"\x1b[31mred\x1b[0m " * 50).encoding == "utf-8"


def test_halves_of_letters_never_come_out() -> None:
    """A lone surrogate, however it is written, never reaches the text."""
    for raw in (b"a\xed\xa0\x80b", codecs.BOM_UTF16_LE + b"a\x00\x00\xd8b\x00"):
        try:
            text = decode(raw).text
        except Undecodable:
            continue
        assert not any("\ud800" <= sign <= "\udfff" for sign in text)
