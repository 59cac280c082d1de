"""X18: search by meaning works offline straight after installation, and harms no other language."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore

LANGUAGES = {
    "en": "The ferry leaves at noon.",
    "es": "El transbordador sale al mediodía.",
    "fr": "Le traversier part à midi.",
    "de": "Die Fähre fährt mittags ab.",
    "pt": "A balsa parte ao meio-dia.",
    "it": "Il traghetto parte a mezzogiorno.",
    "nl": "De veerboot vertrekt om twaalf uur.",
    "pl": "Prom odpływa w południe.",
    "cs": "Trajekt odplouvá v poledne.",
    "tr": "Feribot öğlen kalkıyor.",
    "vi": "Phà rời bến lúc trưa.",
    "fi": "Lautta lähtee keskipäivällä.",
    "ru": "Паром отходит в полдень.",
    "uk": "Пором відходить опівдні.",
    "el": "Το πλοίο φεύγει το μεσημέρι.",
    "he": "המעבורת יוצאת בצהריים.",
    "ar": "العبارة تغادر عند الظهر.",
    "hi": "नौका दोपहर में निकलती है।",
    "zh": "渡轮中午出发。",
    "ja": "フェリーは正午に出発します。",
    "ko": "페리는 정오에 출발합니다.",
}


def test_no_network_and_no_download(
    remember_files: Callable[..., MemoryStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fresh store finds by meaning without a single connection, within two seconds."""
    attempts: list[object] = []
    monkeypatch.setattr(socket, "socket", lambda *given, **_: attempts.append(given))
    started = time.monotonic()
    memory = remember_files({"cars.md": "# Cars\n\nAn automobile needs petrol.\n", "note.md": "The skua fact.\n"})
    assert memory.search("vehicle fuel").results[0].file == "cars.md"
    assert memory.search("skua").results[0].file == "note.md"
    assert attempts == []
    assert time.monotonic() - started < 2


def test_a_cold_search_by_meaning_needs_no_numeric_library(
    remember_files: Callable[..., MemoryStore], folder: Path
) -> None:
    """One search in a fresh process finds what no word brings, and numpy is not loaded."""
    remember_files({"cars.md": "# Cars\n\nAn automobile needs petrol.\n", "bread.md": "A loaf of bread.\n"}).close()
    code = (
        "import sys; from treering.surfaces.cli import main; status = main(['search', 'vehicle fuel']);"
        "print('numpy' in sys.modules); sys.exit(status)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, env=environment, encoding="utf-8", timeout=60
    )
    assert "cars.md" in done.stdout
    assert done.stdout.rstrip().endswith("False")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_found_by_its_words(language: str, remember_files: Callable[..., MemoryStore]) -> None:
    """In a memory of twenty languages the own words of each bring its page first, cold and warm."""
    memory = remember_files({f"{name}.md": text + "\n" for name, text in LANGUAGES.items()})
    for _ in range(2):
        assert memory.search(LANGUAGES[language]).results[0].file == f"{language}.md"


def test_other_scripts_are_left_to_words(remember_files: Callable[..., MemoryStore]) -> None:
    """A question in another script than the model's is answered by words alone, which the trace says."""
    memory = remember_files({"zh.md": "渡轮中午出发。\n", "en.md": "The ferry leaves at noon.\n"})
    answer = memory.search("渡轮什么时候出发")
    assert [result.file for result in answer.results] == ["zh.md"]
    assert answer.mode == "keyword"
    assert "knows English alone" in {step.step: step.why for step in answer.trace}["candidates"]


def test_one_document(remember_files: Callable[..., MemoryStore]) -> None:
    """A memory of one page is found by words and by meaning."""
    memory = remember_files({"only.md": "An automobile needs petrol.\n"})
    for question in ("petrol", "vehicle fuel", "automobile petrol"):
        for _ in range(2):
            answer = memory.search(question)
            assert [result.file for result in answer.results] == ["only.md"], question


def test_identical_documents(remember_files: Callable[..., MemoryStore]) -> None:
    """Thirty equal pages are one result that counts the others."""
    memory = remember_files({f"p{n}.md": "An automobile needs petrol.\n" for n in range(30)})
    for question in ("petrol", "vehicle fuel"):
        for _ in range(2):
            results = memory.search(question).results
            assert len(results) == 1
            assert results[0].restatements >= 20


def test_digits_alone(remember_files: Callable[..., MemoryStore]) -> None:
    """Pages of digits are found by exactly their digits."""
    memory = remember_files({f"p{n}.md": f"{n * 7919} {n * 104729} {n}\n" for n in range(1, 40)})
    for _ in range(2):
        assert memory.search(str(17 * 104729)).results[0].file == "p17.md"


def test_punctuation_alone_is_near_to_nothing(remember_files: Callable[..., MemoryStore]) -> None:
    """A page of marks is in no answer by meaning, not even with the gate open."""
    memory = remember_files({"marks.md": "*** ——— ……\n", "cars.md": "An automobile needs petrol.\n"})
    for _ in range(2):
        answer = memory.search("vehicle fuel", empty_gate=0)
        assert [result.file for result in answer.results] == ["cars.md"]
    assert memory.status().embedded == 2
