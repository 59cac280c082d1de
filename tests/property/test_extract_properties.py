"""What holds of extraction whatever the text: it never fails, and every quote stands in the text."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from treering.domain.asking import when_asked
from treering.domain.dates import span
from treering.domain.instructions import reads_like_instructions
from treering.domain.quotes import SHORTEST, locate
from treering.domain.said_dates import said_dates
from treering.ingest.extract import Extractor
from treering.ingest.keys import dated, day_of
from treering.ingest.metadata import parse, split

PIECES = (
    *("---\n", "date: 2026-10-01\n", "project: A/B c\n", "attendees: [Bo, 张三]\n", "type: meeting\n"),
    *("## Decisions\n", "**TODO:**\n", "### 待办\n", "# Reunión 2026-10-02\n", "```\n", "> ", "\n", "\r\n", "\n\n"),
    *(
        "- ",
        "  - ",
        "1. ",
        "[x] ",
        "[slot: launch date] ",
        "[slot: a/b]",
        "@Bo ",
        "@张三 ",
        "by October 10 ",
        "10月10日前",
    ),
    *(
        "I live in ",
        "Madrid",
        "me mudé a ",
        "我住在",
        "北京",
        "。",
        ". ",
        "? ",
        '"',
        "we use PostgreSQL 17",
        "last week",
    ),
    *(
        "Diagnosis: ",
        "Patient: ",
        "é",
        "e\u0301",
        "\u200b",
        "\x0b",
        "\u2028",
        "\x85",
        " ",
        "in May ",
        "2026-02-30 ",
        "İ",
    ),
)
texts = st.one_of(st.text(max_size=200), st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
days = st.one_of(st.just(""), st.just("2026"), st.just("2026-10"), st.dates().map(str), st.just("2026-10-01T09:00:00Z"))
EXTRACTOR = Extractor()


@given(texts.filter(lambda text: "\0" not in text), days)
def test_every_quote_stands_in_its_text(text: str, day: str) -> None:
    """Whatever comes out can be cited, has a date that can be stored, and says something."""
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        return
    for one in EXTRACTOR.operations(text, "src_1", day, parse(text, split(text)).values):
        memory = one.memory
        assert memory.content.strip()
        assert all(len(" ".join(cited.quote.split())) >= SHORTEST for cited in memory.evidence)
        assert all(locate(text, cited.quote) for cited in memory.evidence)
        assert not memory.valid_from or memory.valid_from == day or span(memory.valid_from)
        assert all(values and all(values) for values in memory.labels.values())


@given(texts, st.dates())
def test_dates_stand_where_they_are_said_to(text: str, today: object) -> None:
    """Dates come in order, apart from one another, within the text, and never end before they begin."""
    end = 0
    for one in said_dates(text, today):  # type: ignore[arg-type]
        assert end <= one.at < one.end <= len(text)
        assert one.first < one.stop
        end = one.end


@given(texts)
def test_no_text_breaks_the_readers(text: str) -> None:
    """Any string can be asked about."""
    reads_like_instructions(text)
    asked = when_asked(text, datetime(2026, 11, 30, tzinfo=UTC))
    assert all(one.start < one.stop for one in asked.spans)
    day_of(text)
    dated(text)
