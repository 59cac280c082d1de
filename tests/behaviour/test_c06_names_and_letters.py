"""C06, D04: what a question names, and the single letters of a Chinese one, raise what it asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import treering
from treering.evals.datasets import Document
from treering.evals.memories import Memory

if TYPE_CHECKING:
    from pathlib import Path

PARSING = '''
def read_input(frame, parse):
    """Parse a stale frame."""
    frame = parse(frame)
    return parse(frame)
'''
WARNING = """
def warn_of_stale_frame(stream, log):
    log.write("the last one came more than three seconds ago, or none has come since the stream began")
    return stream.age > 3
"""


def test_a_symbol_that_the_question_names_stands_first(folder: Path) -> None:
    """The function whose whole name stands in the question is above one that repeats some of its words."""
    (folder / "parsing.py").write_text(PARSING)
    (folder / "streams.py").write_text(WARNING)
    question = "where do we warn of a stale frame, and parse it?"
    with treering.open(folder) as memory:
        memory.code_find("read_input")  # indexes the code
        [first, *_] = memory.search(question, mode="keyword", in_="code").results
    assert "def warn_of_stale_frame" in first.text


def test_turns_of_whom_the_question_names_stand_first() -> None:
    """What a person said is above the same words to that person."""
    said = [
        ("Ada", "Hey Ben, do you still like kayaking on the lake?"),
        ("Ben", "Ada, kayaking on the lake is what I like."),
        ("Ada", "Lovely weather for a walk today."),
    ]
    turns = [
        Document(f"t{number}", text, session="s1", speaker=speaker, date=f"2026-01-0{number + 1}")
        for number, (speaker, text) in enumerate(said)
    ]
    with Memory(turns) as memory:
        assert memory.ranking("Does Ben like kayaking on the lake?", "keyword")[0] == "t1"
        assert memory.ranking("Does Ada like kayaking on the lake?", "keyword")[0] == "t0"


def test_single_letters_tell_chinese_answers_apart() -> None:
    """A letter that the answer has in another word counts: ``有多高`` and ``身高`` share no pair."""
    texts = {"job": "我上司的工作在北京。", "height": "我上司的身高才167厘米。", "city": "我上司的老家在南京。"}
    with Memory([Document(name, text) for name, text in texts.items()]) as memory:
        assert memory.ranking("我上司有多高", "keyword")[0] == "height"
