"""Memories out of documents without a model: meeting notes, and facts that people state of themselves."""

from __future__ import annotations

import pytest

from treering.domain.operation import Draft, Mention
from treering.domain.quotes import locate
from treering.errors import InputError
from treering.ingest.extract import Extractor
from treering.ingest.fact_patterns import Pattern
from treering.ingest.metadata import parse, split

DAY = "2026-11-30"
ENGLISH = """---
title: Project A weekly sync
date: 2026-10-01
project: Project A
attendees: [Alice, Bob]
type: meeting
---
# Project A weekly sync 2026-10-01

## Decisions
- [slot: launch-date] Project A will launch on November 15.

## Facts
- The push platform is maintained by Bob's team.
  It runs on two nodes.

## Action Items
- [ ] @Bob finish the integration review by October 10.
- Alice: write to team/lead@example.invalid
"""
CHINESE = """---
date: 2026-10-01
project: 项目甲
attendees: [张三, 李四]
---
## 决策
- [slot: 上线日期] 项目甲将于11月15日上线。
## 背景
1. 推送平台由李四的团队维护。
## 待办
- @李四 10月10日前完成集成评审。
"""
SPANISH = """---
date: 2026-10-01
project: Proyecto A
type: reunión
---
**Decisiones:**
* [slot: fecha] El proyecto sale el 15 de noviembre.

## Tareas
* @Ana termina la revisión antes del 10 de octubre.
"""


def drafts(text: str, day: str = "", extractor: Extractor | None = None) -> list[Draft]:
    """Return what is taken out of a text; every quote stands in it."""
    metadata = parse(text, split(text)).values
    found = (extractor or Extractor()).operations(text, "src_1", day, metadata)
    for one in found:
        assert all(locate(text, cited.quote) and cited.source == "src_1" for cited in one.memory.evidence)
    return [one.memory for one in found]


def test_meeting_notes_become_memories() -> None:
    """Decisions, facts and action items are memories with kind, slot, date, people and project."""
    decision, fact, review, letter = drafts(ENGLISH)
    assert (decision.content, decision.kind) == ("Project A will launch on November 15.", "decision")
    assert (decision.slot, decision.valid_from) == ("project-a/launch-date", "2026-10-01")
    assert decision.entities == (Mention("Project A", "project"), Mention("Alice", "person"), Mention("Bob", "person"))
    assert fact.content == "The push platform is maintained by Bob's team.\nIt runs on two nodes."
    assert (fact.kind, fact.slot, fact.labels) == ("semantic", "", {})
    assert review.labels == {
        "tags": ("action-item",),
        "owner": ("Bob",),
        "due": ("2026-10-10",),
        "state": ("open",),
    }
    assert letter.labels == {"tags": ("action-item",), "owner": ("Alice",)}


@pytest.mark.parametrize(
    ("text", "slot", "owner", "project"),
    [(CHINESE, "项目甲/上线日期", "李四", "项目甲"), (SPANISH, "proyecto-a/fecha", "Ana", "Proyecto A")],
)
def test_notes_in_other_languages_are_read_alike(text: str, slot: str, owner: str, project: str) -> None:
    """Section names, due dates and slots work in Chinese and Spanish, under headings and bold labels."""
    found = drafts(text)
    assert (found[0].slot, found[0].kind, found[0].entities[0]) == (slot, "decision", Mention(project, "project"))
    assert found[-1].labels == {"tags": ("action-item",), "owner": (owner,), "due": ("2026-10-10",)}


@pytest.mark.parametrize(
    "text",
    [
        "# Requirements\n\n## Context\n- The user wants a button.\n## Decisions\n- Blue.\n",
        "---\ntype: prd\nproject: Project A\ndate: 2026-10-01\n---\n## Facts\n- Ten people asked for it.\n",
        "Yesterday we met and talked about the launch. It was decided to wait.",
        "# Weekly sync\n\n## Discussion\n- A long talk about colours.\n",
        "# Weekly sync\n\n```\n## Decisions\n- [slot: a] in a fence\n```\n",
    ],
)
def test_free_documents_yield_nothing(text: str) -> None:
    """What is no meeting notes, or stands outside the named sections, is left to whoever can read it."""
    assert drafts(text, DAY) == []


def test_an_item_with_a_slot_counts_anywhere() -> None:
    """Nobody writes [slot: …] by accident; without a date of its document the memory is undated."""
    (one,) = drafts("# Tips\n\n## Decisions\n- [slot: Deploy Approvals] Two are needed.\n- Blue is nice.\n")
    assert (one.slot, one.valid_from, one.content) == ("deploy-approvals", "", "Two are needed.")


def test_a_dated_heading_dates_its_entries() -> None:
    """Notes of several meetings in one file are each dated by their own heading."""
    text = "# Weekly sync\n## 2026-10-08\n### Decisions\n- Ship it.\n## 2026-10-15 late\n### Decisions\n- Do not.\n"
    assert [(one.content, one.valid_from) for one in drafts(text, "2026-11-01")] == [
        ("Ship it.", "2026-10-08"),
        ("Do not.", "2026-10-15"),
    ]


@pytest.mark.parametrize(
    ("text", "slot", "value", "since"),
    [
        ("I moved to Valencia on 2026-02-03.", "user/location", "Valencia", "2026-02-03"),
        ("I live in Madrid.", "user/location", "Madrid", DAY),
        ("Since 2020 I live in Berlin.", "user/location", "Berlin", "2020"),
        ("Last month I relocated to Rio de Janeiro!", "user/location", "Rio de Janeiro", "2026-10"),
        ("I'm now based in the San Francisco Bay Area.", "user/location", "San Francisco Bay Area", DAY),
        ("Hi. I work at Acme Corp as a designer.", "user/employer", "Acme Corp", DAY),
        ("I joined NovaTech as an engineer in May.", "user/employer", "NovaTech", DAY),
        ("I work as a night nurse in Leeds.", "user/occupation", "night nurse", DAY),
        ("My name is Ana Ruiz.", "user/name", "Ana Ruiz", DAY),
        ("My stack is Python + Postgres.", "user/stack", "Python + Postgres", DAY),
        ("we use PostgreSQL 17", "user/stack/postgresql", "PostgreSQL 17", DAY),
        ("I was diagnosed with asthma in March 2020 by Dr. X.", "user/diagnosis/asthma", "asthma", "2020-03"),
        ("I take metformin 500 mg daily.", "user/treatment/metformin", "metformin 500 mg", DAY),
        ("Me mudé a Valencia el 3 de febrero de 2026.", "user/location", "Valencia", "2026-02-03"),
        ("Vivo en Madrid.", "user/location", "Madrid", DAY),
        ("Trabajo en Google.", "user/employer", "Google", DAY),
        ("Trabajo como enfermera en Bilbao.", "user/occupation", "enfermera", DAY),
        ("Me llamo Luis.", "user/name", "Luis", DAY),
        ("Mi stack es Rust y Axum.", "user/stack", "Rust y Axum", DAY),
        ("Usamos PostgreSQL 17 en producción.", "user/stack/postgresql", "PostgreSQL 17", DAY),
        ("Me diagnosticaron diabetes en 2019.", "user/diagnosis/diabetes", "diabetes", "2019"),
        ("Tomo metformina 500 mg.", "user/treatment/metformina", "metformina 500 mg", DAY),
        ("我住在北京。", "user/location", "北京", DAY),
        ("我2026年2月3日搬到了上海。", "user/location", "上海", "2026-02-03"),
        ("我在腾讯公司工作。", "user/employer", "腾讯公司", DAY),
        ("你好，我叫张曼婷，很高兴。", "user/name", "张曼婷", DAY),
        ("我们使用 PostgreSQL 17。", "user/stack/postgresql", "PostgreSQL 17", DAY),
        ("我被诊断为糖尿病。", "user/diagnosis/糖尿病", "糖尿病", DAY),
        ("我每天都很好，我服用二甲双胍500毫克。", "user/treatment/二甲双胍", "二甲双胍500毫克", DAY),
    ],
)
def test_a_stated_fact_is_taken(text: str, slot: str, value: str, since: str) -> None:
    """The slot, its short value and since when; the sentence is what it quotes."""
    (one,) = drafts(text, DAY)
    assert (one.slot, one.value, one.valid_from) == (slot, value, since)


@pytest.mark.parametrize(
    "text",
    [
        "I don't live in Madrid.",
        "If I live in Madrid, I will see it.",
        "Do I live in Madrid?",
        "She said I live in Madrid.",
        "My sister lives in Madrid and works at Acme.",
        'The letter began: "I live in Madrid and I work at Acme."',
        "> I live in Madrid.",
        "```\nI live in Madrid.\n```",
        "Assistant: I live in Madrid.",
        "I wish I live in Paris someday.",
        "Maybe I work at Acme.",
        "I live in constant fear.",
        "I moved to Sales.",
        "I moved to Python.",
        "I work at Night.",
        "I lived in Rome as a child.",
        "I moved to Rome when I was ten.",
        "My name is [Your Name].",
        "We use Redis to cache what is slow.",
        "In this guide we use Docker and build an image.",
        "They were diagnosed with asthma.",
        "## Diagnosis\nDiagnosis: the disk is full",
        "No vivo en Madrid.",
        "¿Vivo en Madrid?",
        "Un concierto en vivo en Madrid.",
        "Trabajo en Madrid.",
        "Ya no trabajo en Google.",
        "El trabajo en Progreso sigue.",
        "Mi hermana vive en Madrid.",
        "我不住在北京。",
        "我住在北京的朋友来了。",
        "如果我住在北京，就好了。",
        "我住在北京吗？",
        "他住在北京。",
        "我在一家公司工作。",
        "我叫外卖。",
    ],
)
def test_what_is_not_stated_is_no_fact(text: str) -> None:
    """Negated, asked, supposed, quoted and of somebody else: none is a fact of the one who writes."""
    assert drafts(text, DAY) == []


def test_facts_that_do_not_replace_one_another_have_slots_of_their_own() -> None:
    """A second product, diagnosis or medicine retires none before it."""
    text = "We use Redis. We use PostgreSQL 17. I was diagnosed with asthma. I was diagnosed with gout."
    assert len({one.slot for one in drafts(text, DAY)}) == 4


def test_a_clinical_record_is_of_its_patient() -> None:
    """Diagnosis and treatment under their labels go to the patient, dated by their entry."""
    text = (
        "Patient: Ana López, 45\n\n2024-03-11\nDiagnóstico: migraña crónica\nTratamiento: topiramato 50 mg\n\n"
        "2025-01-10\nDiagnóstico: migraña episódica\n"
    )
    assert [(one.slot, one.value, one.valid_from) for one in drafts(text, DAY)] == [
        ("ana-lópez/diagnosis", "migraña crónica", "2024-03-11"),
        ("ana-lópez/treatment", "topiramato 50 mg", "2024-03-11"),
        ("ana-lópez/diagnosis", "migraña episódica", "2025-01-10"),
    ]


def test_relative_dates_need_the_day_they_were_said() -> None:
    """In an undated document "last month" is no date, and a date with its year is one."""
    text = "Last month I moved to Lyon. I work at Acme since 2020."
    assert [one.valid_from for one in drafts(text)] == ["", "2020"]


def test_patterns_are_added_to_one_extractor() -> None:
    """A user's pattern works where it was added, and nowhere else; named groups fill its slot."""
    extractor = Extractor()
    pet = Pattern("user/pet/{name}", r"\bmy (?P<value>cat|dog) is called (?P<name>[A-Z]\w+)", kind="person")
    extractor.add_pattern(pet)
    extractor.add_pattern(pet)
    (one,) = drafts("By the way, my cat is called Tom.", DAY, extractor)
    assert (one.slot, one.value, one.kind) == ("user/pet/tom", "cat", "person")
    assert drafts("my cat is called Tom.", DAY) == []
    assert drafts("If my cat is called Tom, fine.", DAY, extractor) == []


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        (Pattern("user/pet", "("), "no regular expression"),
        (Pattern("user/pet", "cat"), "no group named value"),
        (Pattern("", "(?P<value>cat)"), "is empty"),
        (Pattern("user/{pet}", "(?P<value>cat)"), "does not have"),
    ],
)
def test_a_pattern_that_cannot_work_is_refused(pattern: Pattern, said: str) -> None:
    """The error says what is wrong with it, when it is added."""
    with pytest.raises(InputError, match=said):
        Extractor().add_pattern(pattern)


def test_the_same_said_twice_is_one_memory() -> None:
    """Within one document and date a repeated fact is taken once."""
    assert len(drafts("I live in Madrid. As I wrote, I live in Madrid.", DAY)) == 1
