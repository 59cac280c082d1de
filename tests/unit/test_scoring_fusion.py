"""How words and meaning are put together, and what neighbours in a conversation add."""

from __future__ import annotations

import math

import pytest

from treering.domain import scoring
from treering.domain.text import is_mostly_latin

MODEL = "static/potion-base-8M"


def test_a_spread_is_mean_and_deviation() -> None:
    """Mean and population standard deviation; no numbers lie nowhere."""
    assert scoring.spread([1.0, 3.0]) == (2.0, 1.0)
    assert scoring.spread([5.0]) == (5.0, 0.0)
    assert scoring.spread([]) == (0.0, 0.0)


def test_a_cosine_counts_in_units_of_words() -> None:
    """One deviation above the mean adds the weight times the deviation of BM25, one below takes it away."""
    fusion = scoring.fusion([10.0, 2.0, 6.0], [0.2, 0.4], 0.5)
    assert math.isclose(fusion.adds(0.4), 0.5 * scoring.spread([10.0, 2.0, 6.0]).deviation)
    assert math.isclose(fusion.adds(0.2), -fusion.adds(0.4))
    assert fusion.adds(None) == pytest.approx(fusion.adds(0.3))


def test_the_scale_of_words_does_not_matter() -> None:
    """Ten times the BM25 gives the same order."""
    words, cosines = [3.0, 2.0, 1.0], [0.1, 0.2, 0.9]

    def order(factor: float) -> list[int]:
        scaled = [factor * word for word in words]
        fusion = scoring.fusion(scaled, cosines, 0.9)
        return sorted(range(3), key=lambda n: -(scaled[n] + fusion.adds(cosines[n])))

    assert order(1.0) == order(10.0) == order(0.1)


@pytest.mark.parametrize("cosines", [[], [0.3], [0.3, 0.3]])
def test_equal_cosines_change_nothing(cosines: list[float]) -> None:
    """Where all entries mean the same, or none is known, words decide."""
    fusion = scoring.fusion([4.0, 2.0], cosines, 0.5)
    assert [fusion.adds(cosine) for cosine in [*cosines, None]] == [0.0] * (len(cosines) + 1)


def test_without_words_cosines_are_taken_as_they_are() -> None:
    """A list by meaning alone is scored by its cosines."""
    assert scoring.fusion([], [0.1, 0.7], 0.5).adds(0.7) == 0.7


def test_one_hit_by_words_can_be_outweighed_by_nothing_less_than_meaning() -> None:
    """Equal BM25 leaves the order to the cosines."""
    fusion = scoring.fusion([2.0, 2.0], [0.1, 0.5], 0.5)
    assert fusion.adds(0.5) > fusion.adds(0.1)


def test_neighbours_raise_a_turn() -> None:
    """The answer beside a turn with the question's words overtakes a turn that stands alone with as much."""
    scores = {1: 9.0, 2: 1.0, 3: 0.0, 11: 0.0, 12: 1.0, 13: 0.0}
    added = scoring.in_conversation(scores, scores, [[1, 2, 3], [11, 12, 13]])
    assert scores[2] + added[2] > scores[12] + added[12]


def test_a_turn_at_the_edge_counts_itself() -> None:
    """A conversation of one turn gets what it would get between turns as good as itself."""
    whole = sum(scoring.NEIGHBOURS.values())
    assert scoring.in_conversation({1: 2.0}, {1}, [[1]]) == {1: pytest.approx(2.0 * whole)}


def test_a_turn_that_nothing_brought_counts_as_neighbour_only() -> None:
    """Scores of neighbours outside the list are used, and nothing is returned for them."""
    added = scoring.in_conversation({1: 1.0, 2: 0.5}, {1}, [[1, 2]])
    assert set(added) == {1}
    after, whole = scoring.NEIGHBOURS[1], sum(scoring.NEIGHBOURS.values())
    assert added[1] == pytest.approx(after * 0.5 + (whole - after) * 1.0)


def test_conversations_as_a_whole_count() -> None:
    """Of two turns with the same neighbourhood the one whose conversation has more to say gets more."""
    turns = [list(range(1, 12)), list(range(21, 32))]
    scores = dict.fromkeys(turns[0] + turns[1], 0.0) | {1: 1.0, 11: 5.0, 21: 1.0}
    added = scoring.in_conversation(scores, {1, 11, 21}, turns)
    assert added[1] > added[21]


def test_an_unknown_model_says_nothing_where_words_do() -> None:
    """Cosines of a model that nobody has calibrated change no confidence that words give."""
    assert scoring.with_meaning(0.3, 0.9, "other/model") == 0.3
    assert scoring.with_meaning(0.0, 0.9, "other/model") == 0.9
    assert scoring.with_meaning(0.3, None, MODEL) == 0.3


def test_confidence_grows_with_words_and_meaning() -> None:
    """Better words or a nearer meaning never make an answer less sure; every word there is certain."""
    steps = [n / 10 for n in range(10)]
    for cosine in steps:
        sure = [scoring.with_meaning(words, cosine, MODEL) for words in steps]
        assert sure == sorted(sure)
        assert scoring.with_meaning(1.0, cosine, MODEL) == 1.0
    for words in steps:
        sure = [scoring.with_meaning(words, cosine, MODEL) for cosine in steps]
        assert sure == sorted(sure)
        assert 0 <= sure[0] <= sure[-1] <= 1


@pytest.mark.parametrize(
    ("text", "latin"),
    [
        ("", True),
        ("how to retry", True),
        ("naïve café — “quoted” → done ✅", True),
        ("1234", True),
        ("¿Dónde está la configuración?", True),
        ("Tiếng Việt có dấu", True),
        ("数据库迁移", False),
        ("如何配置 max_tokens 参数", False),
        ("set the option 超时 to thirty seconds in the file", True),
        ("Привет, мир", False),
        ("Как настроить retry в gateway сегодня", False),
        ("ελληνικά", False),
        ("한국어 문서", False),
        ("हिन्दी में", False),
        ("العربية", False),
    ],
)
def test_scripts_are_told_apart(text: str, latin: bool) -> None:  # noqa: FBT001  as the table says
    """Mostly Latin letters, or none of any other script."""
    assert is_mostly_latin(text) is latin
