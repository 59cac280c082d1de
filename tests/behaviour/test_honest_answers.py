"""An answer is the passage that was asked for, or an honest no; never the best of a bad lot."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import treering

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore


@pytest.mark.parametrize("question", ["xylophone quantum", "", "!!!", "the", "Kubernetes ingress certificates"])
def test_what_no_page_holds_is_not_found(memory: MemoryStore, question: str) -> None:
    """No page comes back with a score of nothing: there is a reason instead."""
    answer = memory.search(question)
    assert (answer.results, bool(answer.reason)) == ((), True)


def test_one_stray_word_is_no_answer(memory: MemoryStore) -> None:
    """A question of which one common word occurs is not answered with the page that happens to hold it."""
    answer = memory.search("which antibiotics help a sick canary after the window surgery")
    assert (answer.results, answer.reason) == ((), "empty_gate")
    assert memory.search("which antibiotics help a sick canary after the window surgery", empty_gate=0).found


@pytest.mark.parametrize("word", ["数据库", "迁移", "低峰期", "回滚脚本", "备份", "仓库", "柜门告警", "维护人员"])
def test_words_inside_chinese_sentences(memory: MemoryStore, word: str) -> None:
    """Words of two to four letters are found inside a sentence, with the sentence around them."""
    result = memory.search(word).results[0]
    assert result.file == "docs/值班手册.md"
    assert word in result.text


def test_latin_words_inside_chinese_sentences(remember_files: Callable[..., MemoryStore]) -> None:
    """A name between Chinese letters, without a blank, is a word of its own."""
    memory = remember_files({"a.md": "我们用PostgreSQL存储订单数据。\n", "b.md": "我们用别的存储图片。\n"})
    assert [result.file for result in memory.search("PostgreSQL").results] == ["a.md"]


@pytest.mark.parametrize(
    ("question", "file"),
    [
        ("migration", "store.md"),
        ("migrate", "store.md"),
        ("cafe", "bar.md"),
        ("CAFÉ", "bar.md"),
        ("user name", "code.md"),
        ("getUserName", "code.md"),
        ("getusername", "code.md"),
        ("retry count", "code.md"),
        ("max_retry_count", "code.md"),
        ("1.2.3", "version.md"),
        ("C++", "version.md"),
        ("C# bindings", "version.md"),
        ("straße", "bar.md"),
        ("src/client/upload.py", "path.md"),
        ("upload.py", "path.md"),
    ],
)
def test_words_are_found_in_their_other_forms(
    remember_files: Callable[..., MemoryStore], question: str, file: str
) -> None:
    """Stems, accents, parts of names, versions, marks of languages and paths all lead to their page."""
    memory = remember_files({
        "store.md": "# Store\n\nThe migrations run at night.\n",
        "bar.md": "# Bar\n\nOur café in the Hauptstraße is open.\n\nDie Straße ist lang.\n",
        "code.md": "# Code\n\nCall getUserName and max_retry_count here.\n",
        "version.md": "# Versions\n\nVersion 1.2.3 of the C++ client, also C# bindings.\n",
        "path.md": "# Paths\n\nIt stands in src/client/upload.py since May.\n",
        "other.md": "# Other\n\nVersion 1.2.4 of a C compiler, and the user of a retry.\n",
    })  # fmt: skip
    assert [result.file for result in memory.search(question).results][:1] == [file]


@pytest.mark.parametrize("word", ["ᏣᎳᎩ", "ꮳꮃꭹ", "𞤆𞤵𞤤𞤢𞤪", "𞤨𞤵𞤤𞤢𞤪", "ᲥᲐᲠᲗᲣᲚᲘ", "ქართული"])
def test_scripts_with_young_capitals_are_found(remember_files: Callable[..., MemoryStore], word: str) -> None:
    """Cherokee, Adlam and Georgian words are found as they stand, and in the other case."""
    memory = remember_files(
        {"chr.md": "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ.\n", "adlam.md": "𞤆𞤵𞤤𞤢𞤪 here.\n", "geo.md": "ქართული ენა.\n", "en.md": "A page.\n"}
    )
    assert memory.search(word, mode="keyword").found


def test_copies_do_not_fill_the_answer(remember_files: Callable[..., MemoryStore]) -> None:
    """Equal passages are one result that says where else it stands; the different page is there, too."""
    copies = {f"copy{n}.md": "# Same\n\nThe lynx hunts at dusk in the valley.\n" for n in range(6)}
    memory = remember_files({**copies, "other.md": "# Other\n\nThe lynx sleeps by day.\n"})
    results = memory.search("lynx", limit=5).results
    assert len(results) == 2
    assert "other.md" in [result.file for result in results]
    same = next(result for result in results if result.file != "other.md")
    assert same.restatements == 5
    assert "copy" in " ".join(same.notices)


def test_which_files_are_read(remember_files: Callable[..., MemoryStore]) -> None:
    """Hidden folders and those of version control stay out; the usual suffixes of text are in."""
    memory = remember_files({
        ".git/y.md": "foxglove git\n",
        ".hidden/y.md": "foxglove hidden\n",
        "node_modules/y.md": "foxglove modules\n",
        "a.markdown": "foxglove one\n",
        "b.mdx": "foxglove two\n",
        "c.txt": "foxglove three\n",
        "d.rst": "foxglove four\n",
        "e.py": "foxglove = 5\n",
    })  # fmt: skip
    answer = memory.search("foxglove", limit=20)
    assert {result.file for result in answer.results} == {"a.markdown", "b.mdx", "c.txt", "d.rst"}


@pytest.mark.parametrize("order", [(".claude",), (".claude", "."), (".", ".claude")])
def test_a_hidden_folder_that_is_named_is_read(folder: Path, order: tuple[str, ...]) -> None:
    """`index .claude` reads it, but not the hidden folders in it, also where the project around it is indexed."""
    for name, text in {".claude/a.md": "The foxglove.", ".claude/.cache/b.md": "The bluebell.", "c.md": "Ivy."}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    with treering.open() as memory:
        for path in order:
            memory.index([path])
        assert memory.search("foxglove").found
        assert not memory.search("bluebell").found
        assert memory.search("ivy").found == ("." in order)


@pytest.mark.sqlite
def test_a_search_writes_nothing(memory: MemoryStore, project: Path, run: Callable[..., Any]) -> None:
    """After any number of searches, by this handle and by others, the database has the same bytes."""
    memory.close()
    database = project / ".treering" / "memory.db"
    before = (database.read_bytes(), database.stat().st_mtime_ns)
    for question in ("lockers", "nothing of the kind", "数据库", ""):
        run("search", question)
    assert (database.read_bytes(), database.stat().st_mtime_ns) == before


def test_a_search_is_quiet(memory: MemoryStore) -> None:
    """A process that finds, and one that does not, leave nothing on standard error."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for question, status in (("sorting robot", 0), ("xylophone", 1)):
        done = subprocess.run(
            [sys.executable, "-m", "treering", "search", question],
            capture_output=True, check=False, env=environment, timeout=60,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (status, b"")
