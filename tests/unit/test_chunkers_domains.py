"""Kinds of text: what each is taken for, and that what belongs together stays together."""

from __future__ import annotations

import pytest

from treering.chunkers import chunk, detection
from treering.chunkers.dated import entry_date
from treering.domain.chunk import Chunk

JOURNAL = (
    "# Journal\n\n## 2026-03-01\n\nI slept well.\n\n- walked\n- read\n\n### Work\n\nNothing.\n\n"
    "## 2026-03-02\n\nI ran.\n"
)
LOG = "".join(f"2026-03-0{day} 10:0{minute} INFO heron {minute} seen\n" for day in (1, 2) for minute in range(5))
CHAT = "2026-03-01\n10:32 Ana: hi\n10:33 Ben: my day was long\nand hot\n10:35 Ana: ok\n2026-03-02\n09:00 Ben: again\n"
RECIPE = "Bread\n\nIngredients:\n- 500 g flour\n- 10 g salt\n\nSteps:\n1. Mix.\n2. Wait.\n3. Bake for 40 minutes.\n"
RECETA = "# Tortilla\n\n## Ingredientes\n\n- 4 huevos\n\n## Preparación\n\n1. Batir.\n2. Freír.\n3. Dar la vuelta.\n"
RUNBOOK = "# 回滚\n\n## 步骤\n\n1. 停止服务。\n2. 恢复备份。\n3. 启动服务。\n"
NOTE = "Patient: A. B.\nChief complaint: cough\n\nDiagnosis: flu\nFever for two days.\n\nTreatment:\nRest.\n"
NOTA = "Motivo de consulta: tos\nAntecedentes: asma\nDiagnóstico: gripe\nTratamiento: reposo\n"
BINGLI = "主诉：咳嗽三天\n现病史：发热\n诊断：流感\n治疗：休息\n"
STORY = "Chapter 1\n\nIt rained.\n\n“No,” she said.\n\nChapter 2\n\nIt rained again.\n"
CUENTO = "Capítulo I\n\nLlovía.\n\nCapítulo II\n\nLlovía otra vez.\n"
GUSHI = "第一章 归来\n\n下雨了。\n\n第二章 离开\n\n又下雨了。\n"
PLAIN = "# Notes\n\nThe database is backed up at 03:00. See 2026-03-01 for why.\n\n1. one\n2. two\n"


def cut(text: str, name: str = "a.txt", domain: str = "", target: int = 600) -> list[Chunk]:
    """Return the chunks of a text."""
    found = chunk(text, name, front_matter_chars=0, target_chars=target, domain=domain).chunks
    assert "".join(text[one.start : one.stop] for one in found) == text
    return list(found)


def paths(chunks: list[Chunk]) -> list[list[str]]:
    """Return the headings above each chunk."""
    return [[heading.title for heading in one.path] for one in chunks]


@pytest.mark.parametrize(
    "text,name,domain,dated",
    [
        (JOURNAL, "a.md", "personal", True), (LOG, "a.log", "generic", True), (CHAT, "a.txt", "personal", True),
        (RECIPE, "a.txt", "process", False), (RECETA, "a.md", "process", False), (RUNBOOK, "a.md", "process", False),
        (NOTE, "a.txt", "clinical", False), (NOTA, "a.txt", "clinical", False), (BINGLI, "a.txt", "clinical", False),
        (STORY, "a.txt", "narrative", False), (CUENTO, "a.txt", "narrative", False),
        (GUSHI, "a.txt", "narrative", False),
        (PLAIN, "a.md", "generic", False), ("", "a.md", "generic", False), (LOG, "a.py", "code", False),
        ("# Changes\n\n## [1.1.0] - 2026-03-01\n\n- x\n\n## [1.0.0] - 2026-02-01\n\n- y\n", "a.md", "generic", False),
        (f"```\n{LOG}```\n\nThat was the log.\n", "a.md", "generic", False),
    ],
)  # fmt: skip
def test_a_text_is_taken_for_what_it_is(text: str, name: str, domain: str, dated: bool) -> None:  # noqa: FBT001
    """Signs in English, Spanish and Chinese tell the kinds apart; in doubt a text is generic."""
    found = detection.plan(text, name)
    assert (found.domain, found.dated) == (domain, dated)


def test_what_somebody_says_wins() -> None:
    """A kind that is given is taken whatever the text looks like."""
    assert detection.plan(LOG, "a.log", "generic") == detection.GENERIC
    assert detection.plan(PLAIN, "a.md", "personal").dated
    assert detection.plan(LOG, "a.py", "personal").dated


def test_an_entry_of_a_journal_is_one_chunk_with_its_day() -> None:
    """What stands under a date stays together, headings and lists in it too, under that date alone."""
    found = cut(JOURNAL, "a.md", target=20)
    assert [JOURNAL[one.start : one.stop].strip().partition("\n")[0] for one in found] == ["# Journal", "## 2026-03-02"]
    assert paths(found) == [["Journal", "2026-03-01"], ["Journal", "2026-03-02"]]
    assert [entry_date(one, JOURNAL) for one in found] == ["2026-03-01", "2026-03-02"]


def test_headings_within_an_entry_are_in_the_outline_and_not_above_the_next() -> None:
    """The outline names them; the entry after them stands under its own date."""
    found = chunk(JOURNAL, "a.md", front_matter_chars=0)
    assert [heading.title for heading, _ in found.headings] == ["Journal", "2026-03-01", "Work", "2026-03-02"]


def test_lines_of_a_log_share_a_chunk_within_a_day() -> None:
    """Short entries of one day are packed, those of another day are not, and none is cut."""
    found = cut(LOG)
    assert [entry_date(one, LOG) for one in found] == ["2026-03-01", "2026-03-02"]
    assert len(cut(LOG, target=90)) == 6


def test_a_message_brings_the_line_with_its_day() -> None:
    """Messages that say the time alone are led by the day's line, and lines that continue one stay with it."""
    found = cut(CHAT, target=30)
    texts = [CHAT[one.start : one.stop] for one in found]
    assert "10:33 Ben: my day was long\nand hot\n" in texts
    at = texts.index("10:33 Ben: my day was long\nand hot\n")
    assert [CHAT[lead.start : lead.stop] for lead in found[at].lead] == ["2026-03-01"]
    assert entry_date(found[at], CHAT) == "2026-03-01"


def test_a_long_entry_is_whole_and_flagged() -> None:
    """An entry beyond any size is one chunk that says so."""
    long = f"2026-03-01 {'word ' * 4000}\n\nmore of it\n"
    text = f"{long}2026-03-02 short\n2026-03-03 short\n"
    first, *_ = cut(text, domain="personal")
    assert (first.stop, first.oversized) == (len(long), True)


@pytest.mark.parametrize("text,name", [(RECIPE, "a.txt"), (RECETA, "a.md"), (RUNBOOK, "a.md")])
def test_steps_stay_with_what_they_need(text: str, name: str) -> None:
    """A short recipe or procedure is one chunk, its heading and ingredients with its steps."""
    assert len(cut(text, name, target=40)) == 1


def test_a_long_procedure_is_divided_by_its_sections() -> None:
    """Where the whole is too long, each section with its steps stays whole."""
    part = "## Part {}\n\nBefore you begin, breathe.\n\n1. Mix all of it.\n2. Wait for it.\n3. Bake it.\n\n"
    text = "# Bread\n\n" + "".join(part.format(number) for number in range(9))
    found = cut(text, "a.md", "process", target=60)
    assert paths(found)[1:3] == [["Bread", "Part 1"], ["Bread", "Part 2"]]
    assert len(found) == 9


def test_parts_of_a_clinical_note_are_its_headings() -> None:
    """What a label says stands above what follows it, on its line and below."""
    found = cut(NOTE, target=30)
    assert ["Diagnosis"] in paths(found)
    assert "Fever for two days." in NOTE[found[paths(found).index(["Diagnosis"])].start :]
    assert ["主诉"] in paths(cut(BINGLI, target=10))


def test_chapters_of_a_story_are_its_headings() -> None:
    """A chapter's line stands above its paragraphs; it is no title of the file."""
    assert paths(cut(STORY)) == [["Chapter 1"], ["Chapter 2"]]
    assert paths(cut(GUSHI)) == [["第一章 归来"], ["第二章 离开"]]
    assert chunk(STORY, "a.txt", front_matter_chars=0).title is None


def test_long_minutes_are_cut_by_their_parts() -> None:
    """An entry that is long and has headings of its own is cut at these, each part under the date."""
    part = "### Topic {}\n\n" + "Ana and Ben agreed on it after a while. " * 10 + "\n\n"
    text = "".join(f"## 2026-03-0{day}\n\n" + "".join(part.format(n) for n in range(9)) for day in (1, 2))
    found = cut(text, "minutes.md", target=400)
    assert len(found) == 18
    assert paths(found)[1] == ["2026-03-01", "Topic 1"]
    assert {entry_date(one, text) for one in found} == {"2026-03-01", "2026-03-02"}


def test_one_day_is_no_row_of_entries() -> None:
    """A document that names its own date twice is cut as any other."""
    assert not detection.plan("# 2026-03-01\n\n## Agenda\n\n# 2026-03-01\n\nwords\n", "a.md").dated
