"""The estimate of tokens beside what two real vocabularies count: cl100k_base and o200k_base, as recorded here."""

from __future__ import annotations

from typing import Final

import pytest

from treering.domain.text import llm_tokens

COUNTED: Final = {
    "english": (
        (
            "The uploader gives up after three tries and backs off exponentially. Whoever is on call read"
            "s the log first, then restarts the worker, and writes down what happened before the next shi"
            "ft begins."
        ),
        38,
        38,
    ),
    "markdown": (
        (
            "## Rollback\n\n- `kelp release undo --to previous`\n- Warm the locker cache\n\n| Region | Window "
            "| Approver |\n|---|---|---|\n| Lisbon | 07:00 - 09:00 | Ines |\n"
        ),
        51,
        51,
    ),
    "code": (
        (
            'def retry(times: int, wait_s: float = 0.5) -> None:\n    """Try again, more slowly each time.'
            '"""\n    for attempt in range(times):\n        time.sleep(wait_s * 2**attempt)\n'
        ),
        47,
        47,
    ),
    "spanish": (
        (
            "La copia de seguridad de la base de datos se hace cada noche a las tres y se guarda treinta "
            "días. Quien termina su guardia escribe el resumen de la semana y avisa al equipo de Valencia"
            " si algo quedó pendiente."
        ),
        53,
        46,
    ),
    "chinese": (
        (
            "数据库迁移必须在低峰期进行，迁移前先备份。回滚脚本放在仓库的工具目录。柜门告警超过五分钟没有恢复"
            "时，联系现场维护人员，并在值班手册中记录处理过程。"
        ),
        80,
        55,
    ),
    "japanese": (
        (
            "データベースの移行は夜間に行い、その前に必ずバックアップを取る。ロッカーの警報が五分以上続く場合"
            "は、現場の担当者に連絡する。"
        ),
        65,
        49,
    ),
    "korean": (
        (
            "데이터베이스 이전은 야간에 진행하고, 그 전에 반드시 백업한다. 경보가 오 분 이상 계"
            "속되면 현장 담당자에게 연락한다."
        ),
        60,
        36,
    ),
    "russian": (
        (
            "Перенос базы данных выполняется ночью, перед этим обязательно делается резервная копия. Если"
            " тревога длится больше пяти минут, звоните дежурному."
        ),
        58,
        35,
    ),
    "arabic": (
        ("يتم نقل قاعدة البيانات ليلا بعد أخذ نسخة احتياطية. إذا استمر الإنذار أكثر من خمس دقائق فاتصل بالمسؤول."),
        73,
        29,
    ),
    "german": (
        (
            "Die Datenbankübertragung läuft nachts, und vorher wird eine Sicherung angelegt. Bleibt der S"
            "chließfachalarm länger als fünf Minuten bestehen, ruft der Bereitschaftsdienst die Außendien"
            "sttechnikerin an."
        ),
        58,
        45,
    ),
    "emoji": (
        ("🚀 Release is out 🎉🎉 thanks @ines 👍🏽 see #ops — ✅ done ❌ rollback ⏱ 09:30"),
        37,
        31,
    ),
    "numbers": (
        (
            "2026-11-30T13:04:10.491Z 10.0.17.254:5433 sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0"
            "b822cd15d6c15b0f00a08"
        ),
        72,
        72,
    ),
    "json": (
        (
            '{"schema": 1, "results": [{"id": "mem_01m8p9ctg8px60tem0saze", "score": 0.93, "lines": [3, 4'
            '], "tags": ["go", "style"]}], "found": true}'
        ),
        62,
        62,
    ),
}
"""By what they are: texts with their tokens in cl100k_base and o200k_base."""

LEAST: Final = 0.97


@pytest.mark.parametrize("name", COUNTED)
def test_no_text_is_underrated(name: str) -> None:
    """Against the newer vocabulary no text is counted more than 3 % too low."""
    text, _, counted = COUNTED[name]
    assert llm_tokens(text) >= LEAST * counted


def test_all_together_hold_for_the_older_vocabulary_too() -> None:
    """Words of one language may be counted low, all together are not."""
    assert sum(llm_tokens(text) for text, _, _ in COUNTED.values()) >= LEAST * sum(one[1] for one in COUNTED.values())


def test_plain_english_is_not_overrated() -> None:
    """What is counted too much is taken from the answer."""
    text, _, counted = COUNTED["english"]
    assert llm_tokens(text) <= 1.15 * counted


@pytest.mark.parametrize("text", ["", " ", "\n", "a", "é", "网", "🚀", "\ud800", "\U0003fffd" * 3])
def test_every_text_has_a_price(text: str) -> None:
    """Whatever it is made of; blanks alone cost nothing, and a line break one."""
    assert llm_tokens(text) == (0 if text in {"", " "} else max(1, llm_tokens(text)))


def test_the_price_of_parts_is_the_price_of_the_whole() -> None:
    """Lines that are counted one by one cost no less than together, but for what is rounded."""
    for text, _, _ in COUNTED.values():
        lines = text.splitlines(keepends=True)
        assert sum(map(llm_tokens, lines)) >= llm_tokens(text) - len(lines)
