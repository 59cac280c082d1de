"""The story of two people called Luis: whoever asks for “Luis” is asked back, and nothing is guessed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from treering import MemoryStore
    from treering.domain.ambiguity import Choice

JOURNAL = """\
2024-07-22
Vacaciones en Benidorm con Luis, mi primo. Comimos paella en el puerto y vimos los fuegos.

2024-11-30
Cierre de trimestre. Luis Marín revisó el pull request del inventario y pidió dos cambios.

2026-08-30
Fin de semana en la playa de El Saler con Luis. Hizo mucho viento.
"""


def test_two_people_called_luis(remember_files: Callable[..., MemoryStore]) -> None:
    """A journal knows a cousin and a colleague of one name; a clue tells which one is meant."""
    memory = remember_files({"personal.txt": JOURNAL})

    # "Luis" alone: the cousin and the colleague answer equally well, and so does a day that does not say which.
    asked = memory.search("Luis")
    assert asked.results == ()
    assert asked.reason == "ambiguous"
    assert {one.about for one in asked.ambiguous} == {"primo", "Marín", ""}
    assert all("Luis" in one.text for one in asked.ambiguous)
    assert 0 < asked.confidence < 0.75

    # A clue brings up the day that holds both.
    clued = memory.search("Luis", clue="vacaciones en Benidorm", max_tokens=80)
    assert clued.found
    assert clued.results[0].lines == (1, 2)
    assert "Benidorm" in clued.results[0].text

    # A clue that nothing holds changes nothing: it is asked back again, and said why.
    lost = memory.search("Luis", clue="trombón")
    assert lost.ambiguous
    assert any("clue" in notice for notice in lost.notices)

    # Who is named whole is meant, in a question as well.
    assert memory.search("¿qué revisó Luis Marín?").found

    # Asked by a program, the loop goes on as long as clues come and stops when they do.
    shown: list[int] = []

    def hints(candidates: Sequence[Choice]) -> str | None:
        """Say nothing useful, then the place."""
        shown.append(len(candidates))
        return ["trombón", "playa de El Saler"][len(shown) - 1]

    answer = memory.ask("Luis", clue_provider=hints)
    assert shown == [3, 3]
    assert answer.found
    assert "El Saler" in answer.results[0].text

    # Whoever gives no clue gets no answer either.
    assert memory.ask("Luis", clue_provider=lambda _: None).ambiguous
    assert memory.ask("Luis").ambiguous

    # An entry that shares a stray word with a question is no answer to it.
    nothing = memory.search("Which airline does Luis fly from Zanzibar to Reykjavik with?")
    assert not nothing.found
    assert not nothing.ambiguous
