"""D14: finding code returns one symbol, never stale, and prefers what the query names."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import treering
from treering.domain.text import llm_tokens
from treering.errors import InputError, NotFound
from treering.workbench import members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from treering import MemoryStore

QUEUE = '''\
import heapq
from kelp.retry import backoff


class ParcelQueue:
    """Parcels by their deadline, the most urgent one first, for all stations of a city."""

    slots = 40

    def push(self, parcel):
        """Take a parcel in."""
        heapq.heappush(self.heap, (parcel.deadline, parcel))
        self.changed.set()

    def pop_urgent(self):
        """Hand out the parcel whose deadline is nearest."""
        if not self.heap:
            raise Empty(self.station)
        return heapq.heappop(self.heap)[1]

    def drain(self):
        """Give everything back, as before a deploy."""
        while self.heap:
            yield self.pop_urgent()
'''
RETRY = '''\
def backoff(attempt):
    """Seconds to wait before a courier is called again."""
    return min(60, 2**attempt)


def push(url, body):
    """Send a notification to a courier's phone."""
    return post(url, body)
'''
TEST = '''\
def test_backoff_grows():
    """Seconds to wait before a courier is called again grow with each attempt."""
    assert backoff(3) == 8
'''


@pytest.fixture
def bench(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of a project with code that nothing was indexed of."""
    for name, text in {"src/kelp/queue.py": QUEUE, "src/kelp/retry.py": RETRY, "tests/test_retry.py": TEST}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    with treering.open(folder) as memory:
        yield memory


def cited(memory: MemoryStore, query: str, **options: object) -> str:
    """Return where the symbol that answers stands; empty where none does."""
    answer = memory.code_find(query, **options)  # type: ignore[arg-type]
    return answer.best.cited if answer.best else ""


def test_one_symbol_answers(bench: MemoryStore) -> None:
    """Only its lines come, cited as file:first-last, for a fraction of what the file costs."""
    answer = bench.code_find("hand out the parcel whose deadline is nearest")
    assert answer.best is not None
    assert answer.best.cited == "src/kelp/queue.py:15-19  ParcelQueue.pop_urgent"
    assert answer.code == "\n".join(QUEUE.split("\n")[14:19])
    assert answer.tokens < llm_tokens(QUEUE)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("ParcelQueue.push", "src/kelp/queue.py:10-13  ParcelQueue.push"),
        ("retry.push", "src/kelp/retry.py:6-8  push"),
        ("ParcelQueue", "src/kelp/queue.py:5-8  ParcelQueue"),
        ("where does retry.py wait", "src/kelp/retry.py:1-3  backoff"),
        ("backoff", "src/kelp/retry.py:1-3  backoff"),
    ],
)
def test_what_the_query_names_is_preferred(bench: MemoryStore, query: str, found: str) -> None:
    """A qualified name, a file, a bare name: each leads to what is called so, never to an import line."""
    assert cited(bench, query) == found


def test_tests_are_left_out_unless_asked_for(bench: MemoryStore) -> None:
    """The default skips them, test looks in them alone, all ranks them below the rest."""
    asked = "seconds to wait before a courier is called again"
    assert cited(bench, asked) == "src/kelp/retry.py:1-3  backoff"
    assert cited(bench, asked, files="test") == "tests/test_retry.py:1-3  test_backoff_grows"
    both = bench.code_find(asked, files="all")
    assert both.best is not None
    assert both.best.file == "src/kelp/retry.py"
    assert "tests/test_retry.py" in {one.file for one in both.others}


def test_an_answer_is_never_stale(bench: MemoryStore, folder: Path) -> None:
    """A file that changed, moved its lines or went is seen before the answer."""
    assert cited(bench, "backoff") == "src/kelp/retry.py:1-3  backoff"
    file = folder / "src" / "kelp" / "retry.py"
    file.write_text("# new\n\n\n" + RETRY.replace("min(60", "min(90"), encoding="utf-8")
    answer = bench.code_find("backoff")
    assert answer.best is not None
    assert answer.best.lines == (4, 6)
    assert "min(90" in answer.code
    file.unlink()
    assert cited(bench, "backoff") in {"", "src/kelp/queue.py:1-2"}
    (folder / "src" / "kelp" / "queue.py").write_bytes(b"\0\1\2binary")
    assert bench.code_find("pop_urgent", files="all").notices == ()


def test_names_that_several_have_ask_for_a_clue(bench: MemoryStore, folder: Path) -> None:
    """Two classes of one name are listed, not guessed; a clue decides."""
    (folder / "src" / "kelp" / "old.py").write_text(
        "class ParcelQueue:\n    '''Replaced long ago by a list on paper.'''\n", encoding="utf-8"
    )
    answer = bench.code_find("ParcelQueue")
    assert answer.is_ambiguous
    assert answer.best is None
    assert {one.file for one in answer.others} == {"src/kelp/old.py", "src/kelp/queue.py"}
    assert cited(bench, "ParcelQueue", clue="list on paper").startswith("src/kelp/old.py")


def test_a_member_of_short_classes_asks_for_a_clue(bench: MemoryStore, folder: Path) -> None:
    """Classes that are one chunk each are listed when both define what is named, alone or with the class."""
    for name, sent in {"http": "request", "mail": "letter"}.items():
        (folder / "src" / "kelp" / f"{name}.py").write_text(
            f"class Client:\n    def send(self, {sent}):\n        return {sent}\n", encoding="utf-8"
        )
    (folder / "src" / "kelp" / "post.py").write_text(
        "class Office:\n    def hand(self, client):\n        client.send(1)\n        return send(2)\n", encoding="utf-8"
    )
    both = {"src/kelp/http.py", "src/kelp/mail.py"}
    for query in ("Client.send", "send"):
        answer = bench.code_find(query)
        assert answer.is_ambiguous, query
        assert {one.file for one in answer.others} == both, query
    assert cited(bench, "Client.send", clue="letter").startswith("src/kelp/mail.py")
    (folder / "src" / "kelp" / "http.py").unlink()
    assert cited(bench, "Client.send") == "src/kelp/mail.py:1-3  Client"


@pytest.mark.parametrize(
    "code",
    [
        "class Client {\n  async send(letter) { return letter }\n}\n",
        "public class Client {\n    public static List<String> send(String x) { return null; }\n}\n",
        "impl Client {\n    pub fn send<T>(&self, x: T) {}\n}\n",
        "struct Client {\n    void* send(int x);\n};\n",
        "class Client {\n    fun send(x: Int) = x\n}\n",
    ],
)
def test_definitions_of_many_languages_are_seen(code: str) -> None:
    """What defines a function in a class is told from what calls one."""
    assert members._defines(code, "send")
    assert not members._defines(code.replace("send", "post") + "\n  return send(1)\n  x.send(1)\n", "send")


def test_nothing_is_no_question(bench: MemoryStore, run: Callable[..., Any]) -> None:
    """Empty words are bad input, as a folder without a name is."""
    for words in (("find", ""), ("find", "  "), ("map", "")):
        assert run("code", *words).status == 2, words
    with pytest.raises(InputError, match="nothing was asked"):
        bench.code_find(" ")


def test_the_budget_holds(bench: MemoryStore, folder: Path) -> None:
    """A symbol that is too long is cut at a line and says so."""
    body = "".join(f"    step_{n}(parcel, station)\n" for n in range(2000))
    (folder / "src" / "kelp" / "long.py").write_text(f"def everything(parcel):\n{body}", encoding="utf-8")
    answer = bench.code_find("everything", max_tokens=200)
    assert answer.is_cut
    assert answer.tokens <= 200
    assert answer.code.startswith("def everything(parcel):\n")


def test_a_part_of_the_project_and_bad_questions(bench: MemoryStore) -> None:
    """A part narrows; blank questions and unknown choices are refused; what is not there is not found."""
    assert cited(bench, "push", subpath="src/kelp/retry.py") == "src/kelp/retry.py:6-8  push"
    assert not bench.code_find("zzqqy wobble").found
    for options in ({"files": "some"}, {"max_tokens": 1}):
        with pytest.raises(InputError):
            bench.code_find("push", **options)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        bench.code_find("push", subpath="nowhere")


def test_the_command_finds_code(bench: MemoryStore, run: Callable[..., tuple[int, str, str]]) -> None:
    """Found is 0, an ambiguous name 0, nothing 1; JSON has the best one first."""
    assert bench
    status, out, _ = run("code", "find", "pop_urgent")
    assert status == 0
    assert out.startswith("src/kelp/queue.py:15-19  ParcelQueue.pop_urgent\n")
    _, out, _ = run("code", "find", "pop_urgent", "--path", "src", "--json")
    shown = json.loads(out)
    assert shown["results"][0]["lines"] == [15, 19]
    assert shown["results"][0]["text"].startswith("    def pop_urgent")
    assert run("code", "find", "zzqqy")[0] == 1
    assert run("code", "find")[0] == 2
