"""Sets, measures, baselines and dates of ``treering eval``, each by itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from treering.backends.sqlite.engine import SqliteBackend
from treering.derived import rows
from treering.domain.chunk import Chunk, Heading
from treering.domain.query import Filter, Term
from treering.domain.source import Document as Text
from treering.errors import InputError, NotFound
from treering.evals import baselines, dates, metrics, results
from treering.evals.datasets import Document, Question, read
from treering.evals.memories import Memory
from treering.evals.metrics import Outcome, Shown
from treering.intake import KeptText

if TYPE_CHECKING:
    from pathlib import Path

NOTHING = Shown(frozenset(), 0)


def write(folder: Path, corpus: list[Any], queries: list[Any]) -> Path:
    """Write a set and return its folder; strings are written as they are."""
    for name, lines in (("corpus.jsonl", corpus), ("queries.jsonl", queries)):
        text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def outcome(*ranking: str, **shown: frozenset[str]) -> Outcome:
    """Return a ranking with the documents that answers show, by ``at_500`` and so on."""
    at = {budget: Shown(shown.get(f"at_{budget}", frozenset()), budget) for budget in metrics.BUDGETS}
    return Outcome(ranking, 1.0, at)


# Sets


def test_a_set_is_read_with_the_memories_that_are_asked(tmp_path: Path) -> None:
    """Groups without a question are left out; grades, marks and other fields are kept."""
    corpus = [{"id": "a", "text": "x", "group": "g"}, {"id": "b", "text": "y", "group": "h", "session": None}]
    asked = {"id": 1, "text": "?", "group": "g", "relevant": {"a": 2}, "category": "c", "spans": [[0, 1]]}
    found = read(write(tmp_path, corpus, [asked]))
    assert found.groups == {"g": [Document("a", "x", "g")]}
    assert found.questions == [
        Question("1", "?", "g", {"a": 2}, spans=((0, 1),), fields={"group": "g", "category": "c"})
    ]


def test_pooled_and_limited(tmp_path: Path) -> None:
    """Pooled, all documents are one memory; a limit takes questions evenly."""
    corpus = [{"id": str(n), "text": "x", "group": str(n)} for n in range(4)]
    queries = [{"id": f"q{n}", "text": "?", "group": str(n), "relevant": {}} for n in range(4)]
    found = read(write(tmp_path, corpus, queries), limit=2, pooled=True)
    assert [question.id for question in found.questions] == ["q0", "q2"]
    assert [len(documents) for documents in found.groups.values()] == [4]


@pytest.mark.parametrize(
    ("corpus", "queries", "told"),
    [
        (['{"id": "a", "text": "x"}', "{oops"], [], r"corpus\.jsonl:2: this line is no JSON"),
        (["[1]"], [], r"corpus\.jsonl:1: this line is no JSON object"),
        (['{"id": "a"}'], [], r"corpus\.jsonl:1: 'text' must be text"),
        (['{"id": "a", "text": "x"}'] * 2, [], r"corpus\.jsonl:2: the id 'a' stands twice"),
        ([], ['{"id": "q", "text": "?", "relevant": {"b": 1}}'], "names 'b', which corpus.jsonl lacks"),
        ([], ['{"id": "q", "text": "?", "relevant": ["b"]}'], r"queries\.jsonl:1: 'relevant' must map"),
        ([], ['{"id": "q", "text": "?", "spans": [3]}'], r"queries\.jsonl:1: 'spans' must be"),
        ([], ['{"id": "q", "text": "?", "stale": "a"}'], r"queries\.jsonl:1: 'stale' must be a list"),
        ([], ['{"id": "q", "text": "?"}'] * 2, "the id 'q' stands twice"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, corpus: list[str], queries: list[str], told: str) -> None:
    """What cannot be read is refused with the file, the line and what is wrong."""
    with pytest.raises(InputError, match=told):
        read(write(tmp_path, corpus, queries))


def test_an_absent_set_is_named(tmp_path: Path) -> None:
    """A folder without the files is not found."""
    with pytest.raises(NotFound, match=r"queries\.jsonl is absent"):
        read(tmp_path)


@pytest.mark.parametrize(
    ("written", "day", "words"),
    [
        ("2023-05-20T00:37:00", "2023-05-20", "20 May 2023"),
        ("2023/04/10 (Mon) 14:47", "2023-04-10", "10 April 2023"),
        ("4:04 pm on 20 January, 2023", "2023-01-20", "4:04 pm on 20 January, 2023"),
        ("March-15-2024", "2024-03-15", "March-15-2024"),
        ("2024年04月01日 周一 08:30", "2024-04-01", "2024年04月01日 周一 08:30"),
        ("2023-13-40", None, "2023-13-40"),
        ("some day", None, "some day"),
        ("", None, ""),
    ],
)
def test_dates_are_read_and_said(written: str, day: str | None, words: str) -> None:
    """Dates of the usual forms are understood; digits become words."""
    found = dates.day_of(written)
    assert (found.isoformat() if found else None, dates.in_words(written)) == (day, words)


# Measures


def test_measures_of_one_question() -> None:
    """Any, all and fraction at each cut, rank and gain are what their definitions say."""
    question = Question("q", "?", "", {"a": 1, "b": 2})
    found = metrics.measures(question, outcome("x", "a", "y", "z", "w", "b", at_500=frozenset("a")), {})
    assert (found["any@1"], found["any@5"], found["all@5"], found["all@10"]) == (0, 1, 0, 1)
    assert (found["fraction@1"], found["fraction@5"], found["fraction@10"]) == (0, 0.5, 1)
    assert found["MRR@10"] == 0.5
    assert found["nDCG@10"] == pytest.approx((1 / 1.58496 + 3 / 2.80735) / (3 + 1 / 1.58496), abs=1e-4)
    assert (found["evidence@500"], found["evidence@4000"], found["tokens@500"]) == (0.5, 0, 500)


def test_sessions_are_ranked_by_their_best_turn() -> None:
    """A session counts where its first turn stands, once."""
    question = Question("q", "?", "", {"a": 1}, sessions=("s", "t"))
    sessions = {"x1": "x", "x2": "x", "a": "s", "b": "t"}
    found = metrics.measures(question, outcome("x1", "x2", "a", "b"), sessions)
    assert (found["session any@5"], found["session all@5"], found["session fraction@5"]) == (1, 1, 1)


def test_spans_are_compared_by_characters() -> None:
    """Recall, precision and overlap count the characters of the right document alone."""
    question = Question("q", "?", "", {"a": 1}, spans=((10, 20),))
    shown = dict.fromkeys(metrics.BUDGETS, NOTHING)
    shown[metrics.SPAN_BUDGET] = Shown(frozenset("a"), 9, (("a", 0, 15), ("b", 0, 25)))
    found = metrics.measures(question, Outcome(("a",), 1.0, shown), {})
    assert found["span recall@1000"] == 0.5
    assert found["span precision@1000"] == pytest.approx(5 / 40)
    assert found["span IoU@1000"] == pytest.approx(5 / 45)


def test_auroc_counts_pairs() -> None:
    """It is the share of pairs in the right order, ties half; its interval holds it; without a side there is none."""
    assert metrics.auroc([3, 2], [1, 2]) == pytest.approx(3.5 / 4)
    assert metrics.auroc([1], []) is None
    assert metrics.auroc_interval([], [1]) is None
    interval = metrics.auroc_interval([0.9, 0.8, 0.4, 0.7], [0.1, 0.5, 0.3])
    assert interval is not None
    assert interval[0] <= (metrics.auroc([0.9, 0.8, 0.4, 0.7], [0.1, 0.5, 0.3]) or 0) <= interval[1]


def test_current_above_stale() -> None:
    """Known only where both are among the first ten."""
    question = Question("q", "?", "", {"n": 1}, current=("n",), stale=("o",))
    assert metrics.current_above_stale(question, ("x", "n", "o")) is True
    assert metrics.current_above_stale(question, ("o", "n")) is False
    assert metrics.current_above_stale(question, ("n",)) is None


# Baselines


def test_grep_counts_distinct_words() -> None:
    """A passage with more of the question's words stands first, whatever their case and number."""
    texts = baselines.passages([Document("a", "cat cat cat"), Document("b", "The CAT sat"), Document("c", "none")])
    assert baselines.Grep(texts).rank("cat sat?", 5) == [(1, 2.0), (0, 1.0)]


def test_windows_cover_a_document() -> None:
    """Windows join to the text, and an empty document has none."""
    texts = baselines.passages([Document("a", "abcdefg"), Document("b", "")], 3)
    assert "".join(one.text for one in texts) == "abcdefg"
    assert [one.start for one in texts] == [0, 3, 6]


def test_a_baseline_shows_whole_passages_that_fit() -> None:
    """What does not fit is passed over."""
    documents = [Document("long", "pump " * 400), Document("short", "a pump and some other words")]
    found = baselines.Baseline(baselines.passages(documents), baselines.BM25).ask(
        Question("q", "pump", "", {"short": 1}), (50, 4000), 10
    )
    assert set(found.ranking) == {"long", "short"}
    assert found.shown[50].documents == {"short"}
    assert found.shown[4000].documents == {"long", "short"}
    assert found.refused is None


# Memories


def test_turns_are_found_by_their_speaker_and_day() -> None:
    """Speaker and day of a turn are indexed as text beside it."""
    talk = [
        Document("1", "I like the blue one.", session="s", speaker="Ines", date="2026-03-02"),
        Document("2", "I like the green one.", session="s", speaker="Tom", date="2026-03-02"),
        Document("3", "I like the grey one.", session="t", speaker="Tom", date="2026-04-07"),
    ]
    with Memory(talk) as memory:
        asked = memory.ask(Question("q", "what does Ines like", "", {}), "keyword", (500,), 500, 10)
        assert asked.ranking[0] == "1"
        assert asked.shown[500].documents >= {"1"}
        assert asked.shown[500].tokens <= 500
        dated = memory.ask(Question("q", "what was liked in April", "", {}), "keyword", (500,), 500, 10)
        assert dated.ranking[0] == "3"


def test_shown_characters_are_those_of_the_document() -> None:
    """The characters that an answer shows are named by document, start and stop; a cut line counts what is shown."""
    long_line = "word " * 600 + "the zebra sleeps " + "word " * 600
    text = f"First paragraph about cats.\n\n{long_line}\n\nLast paragraph about zebra crossings."
    question = Question("q", "zebra", "", {"d": 1}, spans=((0, 5),))
    with Memory([Document("d", text)]) as memory:
        shown = memory.ask(question, "keyword", (300,), 300, 10).shown[300]
    pieces = [text[start:stop] for document, start, stop in shown.spans if document == "d"]
    assert any("zebra" in piece for piece in pieces)
    assert 0 < sum(map(len, pieces)) < 3000


def test_no_name_of_a_set_is_indexed() -> None:
    """Ids and sessions of a set cannot be found: some of them give the answer away."""
    with Memory([Document("answer_42", "plain words", session="answer_session"), Document("b", "more")]) as memory:
        assert memory.refuses("answer_42 answer session", "keyword")


def test_equal_texts_follow_one_another() -> None:
    """Texts that an answer shows once are found together: the one that is shown, then those that it stands for."""
    texts = {"a": "The heron stood in the reeds.", "b": "A pump runs.", "c": "the heron  stood in the reeds."}
    with Memory([Document(id, text) for id, text in texts.items()]) as memory:
        assert sorted(memory.ranking("heron in the reeds", "keyword")) == ["a", "c"]
        assert memory.shown("heron in the reeds", "keyword", 500) == {"a", "c"}


def test_odd_texts_are_kept() -> None:
    """Empty, blank and strangely encoded texts do no harm."""
    odd = [
        Document("a", ""),
        Document("b", " \n "),
        Document("c", "\ufeffnul\0byte pump"),
        Document("d", "\ud800 pump"),
    ]
    with Memory(odd) as memory:
        found = memory.ask(Question("q", "pump", "", {}), "keyword", (500,), 500, 10)
    assert set(found.ranking) == {"c", "d"}


def test_kept_text_is_found_and_replaced() -> None:
    """A kept text is found by its words and its headings at once; a new version of its key takes its place."""
    store = SqliteBackend(":memory:", create=True)

    def kept(text: str) -> KeptText:
        chunk = Chunk(0, 0, len(text), 1, 1, "prose", (Heading(1, "Ines"),))
        return KeptText("chat:1", "", "chat", "owner", Text(text, "0" * 64, len(text), "utf-8"), [chunk])

    with store.write() as tx:
        rows.put_kept(tx, kept("a leaking pump"), "src_a", "ver_a", "2026-03-02T00:00:00.000Z")
        terms = [Term(("pump",)), Term(("ines",)), Term(("seal",))]
        assert tx.keywords.frequencies(terms) == [1, 1, 0]
        rows.put_kept(tx, kept("a new seal"), "src_b", "ver_b", "2026-03-09T00:00:00.000Z")
        assert tx.keywords.frequencies(terms) == [0, 1, 1]
        assert tx.keywords.size() == 1
        assert tx.sources.count(Filter()).sources == 1
    store.close()


# Results


def test_a_file_that_is_no_result_is_refused(tmp_path: Path) -> None:
    """Another file, or one of another schema, is refused in words."""
    file = tmp_path / "r.json"
    for text, told in (("{", "is no result"), ('{"kind": "x"}', "is no result"), ("[]", "is no result")):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=told):
            results.load(str(file))
    file.write_text('{"kind": "treering eval", "schema": 99}', encoding="utf-8")
    with pytest.raises(InputError, match="another version"):
        results.load(str(file))


def test_a_paired_interval_knows_no_change_from_a_small_one() -> None:
    """Equal numbers have the interval 0 to 0; a change of every question is outside it."""
    assert metrics.mean_interval([0.0] * 20) == (0.0, 0.0)
    low, high = metrics.mean_interval([0.1] * 19 + [0.2])
    assert 0.1 <= low <= high <= 0.2
