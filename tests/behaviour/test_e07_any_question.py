"""E07: typos, single words, pasted pages and punctuation are never an error; finding nothing has a reason."""

from __future__ import annotations

import string
import time
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import treering
from treering.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore

NOTES = {
    "hook.md": "Run the pre-commit hook before pushing.\n",
    "runner.md": "The fleet-task-runner needs 2 GB.\n",
    "uploads.md": "We don't retry uploads.\n",
    "steps.md": "See docs/runbooks/failover for the steps.\n",
    "python.md": "Builders use python 3.11.\n",
    "stop.md": 'The word "halt" ends the chat.\n',
    "client.md": "The C++ (legacy) client is frozen.\n",
    "pairs.md": "Set key:value pairs in sum = 3^2 form, 100% of them.\n",
    "sharp.md": "Bindings for C# are generated.\n",
    "mail.md": "Write to ops@example.org about $HOME/.config.\n",
    "gateway.md": "The db moved to port 5433 behind 网关二.\n",
    "reports.md": "Reporting and support exports run nightly.\n",
    "ci.md": "CI takes nine minutes.\n",
    "sentence.md": "本周确认客户地址核对改由网关负责，旧接口在下个月停用。\n",
    "kana.md": "カタカナのデータベースを移行する。\n",
    "hangul.md": "데이터베이스를 옮긴다.\n",
    "emoji.md": "The rocket 🚀 flies on Friday.\n",
}


@pytest.fixture
def notes(remember_files: Callable[..., MemoryStore]) -> MemoryStore:
    """Return a memory of one-line notes."""
    return remember_files(NOTES)


@pytest.fixture(scope="module")
def some_notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryStore]:
    """Return the same memory, made once for all generated questions."""
    folder = tmp_path_factory.mktemp("notes")
    for name, text in NOTES.items():
        (folder / name).write_text(text, encoding="utf-8")
    with treering.open(folder, store=str(tmp_path_factory.mktemp("store"))) as memory:
        memory.index([folder])
        yield memory


@pytest.mark.parametrize(
    ("question", "file"),
    [
        ("pre-commit", "hook.md"),
        ("pre commit hook", "hook.md"),
        ("fleet-task-runner", "runner.md"),
        ("don't retry", "uploads.md"),
        ("don’t retry", "uploads.md"),
        ("docs/runbooks/failover", "steps.md"),
        ("python 3.11", "python.md"),
        ('say "halt"', "stop.md"),
        ("C++ (legacy)", "client.md"),
        ("C++", "client.md"),
        ("C#", "sharp.md"),
        ("key:value", "pairs.md"),
        ("sum = 3^2", "pairs.md"),
        ("100%", "pairs.md"),
        ("ops@example.org", "mail.md"),
        ("$HOME/.config", "mail.md"),
        ("uploads AND NOT retry*", "uploads.md"),
        ("NEAR(uploads retry, 2)", "uploads.md"),
        ("head:uploads", "uploads.md"),
        ("retry uploads; DROP TABLE; --", "uploads.md"),
        ("db", "gateway.md"),
        ("db 网关", "gateway.md"),
        ("port", "gateway.md"),
        ("CI", "ci.md"),
        ("客户", "sentence.md"),
        ("地址核对", "sentence.md"),
        ("旧接口什么时候停用？", "sentence.md"),
        ("データベース", "kana.md"),
        ("데이터베이스", "hangul.md"),
        ("rocket 🚀", "emoji.md"),
        ("upload", "uploads.md"),
        ("UPLOADS", "uploads.md"),
        ("uplo", "uploads.md"),
    ],
)
def test_punctuation_is_no_syntax(notes: MemoryStore, question: str, file: str) -> None:
    """Marks, operators and scripts are text: the note with these words comes first."""
    assert [result.file for result in notes.search(question).results][:1] == [file]


@pytest.mark.parametrize("question", ["账单", "xylophone", "NOT", "AND OR", "NEAR", "zzz-zzz", "🛰️", "１２３４５"])
def test_what_is_not_there_is_not_found(notes: MemoryStore, question: str) -> None:
    """Words that no note has give nothing, and a reason."""
    answer = notes.search(question)
    assert (answer.results, answer.found) == ((), False)
    assert answer.reason in {"no_match", "no_terms", "empty_gate"}


def test_a_short_word_is_not_looked_for_inside_others(notes: MemoryStore) -> None:
    """`port` is not in `reporting` and `support`."""
    assert "reports.md" not in [result.file for result in notes.search("port").results]


@pytest.mark.parametrize("mark", [*string.punctuation, *string.whitespace, "\0", "\x1b[", "\u202e", "…", "。", "¿?"])
def test_a_mark_alone_finds_nothing_and_says_why(notes: MemoryStore, mark: str) -> None:
    """One mark holds no word: no error, no random note, the reason is that."""
    for question in (mark, mark * 3, f" {mark} "):
        answer = notes.search(question)
        assert (answer.results, answer.reason) == ((), "no_terms")


@pytest.mark.parametrize("question", ["", "   ", "\n\n", "???", "what is the", "的了", "¿qué es la?", "the", "…—…"])
def test_no_word_to_look_for_is_said(notes: MemoryStore, question: str) -> None:
    """Empty questions and those of words that every text has are answered with the reason, also without a gate."""
    for gate in (None, 0):
        answer = notes.search(question, empty_gate=gate)
        assert (answer.results, answer.reason) == ((), "no_terms")


def test_words_with_a_typo_beside_right_ones_are_no_matter(memory: MemoryStore) -> None:
    """One misspelt word does not keep the others from finding the page."""
    assert memory.search("nightly import job prak").results[0].file == "docs/deploy.md"


@pytest.mark.slow
def test_a_pasted_page_is_a_question(memory: MemoryStore, project: Path) -> None:
    """A page of the memory, and 100 kB of anything, are asked for in less than a second of CPU each."""
    page = (project / "docs" / "deploy.md").read_text(encoding="utf-8")
    assert memory.search(page).results[0].file == "docs/deploy.md"
    for paste in (
        "word " * 20_000, " ".join(f"w{n}" for n in range(17_000)), "a" * 100_000, "数据库" * 11_000, "\"'`" * 33_000,
        "a.b" * 33_000, "(" * 100_000, "aB" * 50_000, "\n" * 100_000, "🚀" * 25_000, "AND " * 25_000,
        "e\u0301" * 50_000,
    ):  # fmt: skip
        started = time.process_time()
        answer = memory.search(paste)
        assert time.process_time() - started < 1
        assert answer.found or answer.reason


@pytest.mark.parametrize("question", ["\ud800", "lock\udcffers", "\udfff\ud800", "lockers \ud83d"])
def test_half_letters_are_no_error(memory: MemoryStore, question: str) -> None:
    """Lone surrogates, as broken input has them, are passed over."""
    answer = memory.search(question)
    assert answer.found or answer.reason


@given(st.text(alphabet=st.characters(codec=None, exclude_categories=()), max_size=60))
def test_no_text_at_all_is_an_error(some_notes: MemoryStore, question: str) -> None:
    """Whatever is typed, the answer has results or a reason, never both and never neither."""
    answer = some_notes.search(question)
    assert bool(answer.results) != bool(answer.reason)
    assert answer.query == question


@pytest.mark.parametrize("question", ["", "  ", "'", '"', "--", "*", "what is the", "xylophone", "\udcff", "-xx -qq"])
def test_the_command_line_answers_in_words(memory: MemoryStore, run: Callable[..., Any], question: str) -> None:
    """Where nothing is found the exit status is 1, and the reason is a sentence; JSON names it."""
    done = run("search", "--", question)
    assert done.status == 1, done
    assert done.out.startswith("NOT FOUND: ")
    assert '"reason": "no_' in run("search", "--json", "--", question).out or question == "xylophone"


@pytest.mark.parametrize(
    "limits",
    [
        {"limit": 0}, {"limit": -1}, {"limit": 10**9}, {"limit": "5"}, {"limit": True}, {"limit": float("nan")},
        {"max_tokens": 0}, {"max_tokens": 49}, {"max_tokens": 10**7}, {"max_tokens": "900"},
        {"empty_gate": -0.1}, {"empty_gate": 1.1}, {"empty_gate": "none"},
    ],
)  # fmt: skip
def test_limits_out_of_range_are_refused_in_words(memory: MemoryStore, limits: dict[str, Any]) -> None:
    """The refusal names the argument and the range; it is no error of Python's."""
    name = next(iter(limits))
    with pytest.raises(InputError, match=name):
        memory.search("lockers", **limits)


@pytest.mark.parametrize("words", [("-k", "0"), ("-k", "many"), ("--max-tokens", "10"), ("--empty-gate", "2")])
def test_limits_typed_wrong_are_refused_in_words(
    memory: MemoryStore, run: Callable[..., Any], words: tuple[str, str]
) -> None:
    """Exit status 2 and a sentence that names the option."""
    done = run("search", "lockers", *words)
    assert (done.status, done.out) == (2, "")
    assert words[0] in done.err


def test_a_fraction_of_a_result_is_refused(memory: MemoryStore) -> None:
    """Numbers of results are whole."""
    with pytest.raises(InputError, match="limit"):
        memory.search("lockers", limit=2.5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "file"),
    [("pyhton", "python.md"), ("uplaods", "uploads.md"), ("bindngs", "sharp.md"), ("suport exprots", "reports.md")],
)
def test_a_slip_of_the_keyboard_finds_the_word(notes: MemoryStore, question: str, file: str) -> None:
    """A word that nothing holds is read as a known one that differs by a letter, and the answer says so."""
    answer = notes.search(question)
    assert answer.results
    assert answer.results[0].file == file
    assert any("read “" in notice for notice in answer.notices)


@pytest.mark.parametrize("question", ["reporters", "spurt", "pythons", "gate"])
def test_a_word_of_the_language_is_no_slip(notes: MemoryStore, question: str) -> None:
    """Real words are what they say, however near they come to one that is known: "lunch" is no "launch"."""
    assert not any("read “" in notice for notice in notes.search(question, empty_gate=0).notices)
