"""What a search from the shell reads without the dear parts of the standard library is the same as with them."""

from __future__ import annotations

import re
import unicodedata

import pytest

from treering.backends.chunks import _dump, _headings, _leads
from treering.domain.chunk import Heading, Lead
from treering.domain.letters import _FAMILIAR
from treering.domain.patterns import later
from treering.errors import Damaged


def test_a_late_pattern_is_a_compiled_one() -> None:
    """It finds, splits and replaces as one that was compiled at once, and says what it looks for."""
    late, known = later(r"(\d)x"), re.compile(r"(\d)x")
    text = "1x and 2x"
    assert (late.findall(text), late.split(text), late.sub("-", text)) == (
        ["1", "2"],
        ["", "1", " and ", "2", ""],
        "- and -",
    )
    assert late.match(text) is not None
    assert late.pattern == known.pattern


def test_a_late_pattern_has_no_other_names() -> None:
    """What a pattern has not, it has not either."""
    with pytest.raises(AttributeError):
        _ = later("x").nothing  # type: ignore[attr-defined]


def test_familiar_letters_stay_as_they_are() -> None:
    """No letter that is passed over has a compatible form, and none is a mark that joins the one before it."""
    assert all(unicodedata.normalize("NFKC", letter) == letter for letter in _FAMILIAR)
    assert not any(unicodedata.combining(letter) for letter in _FAMILIAR)


@pytest.mark.parametrize(
    "title", ["Guide", 'a "quoted" one', "back\\slash", '\\"', "],[2,", "é]]", "", "a\tb\n", "\0\1"]
)
def test_headings_are_read_as_they_were_written(title: str) -> None:
    """Whatever stands in a title comes back."""
    path = (Heading(1, title), Heading(12, "Next"))
    assert _headings(_dump(path)) == path


def test_leads_are_read_as_they_were_written() -> None:
    """Numbers come back, and none is none."""
    leads = (Lead(1, 20, 3), Lead(40, 50, 6))
    assert (_leads(_dump(leads)), _leads("")) == (leads, ())


@pytest.mark.parametrize("text", ['[[1,"a"', '[[1,"a"]', '[[1,"a"],[2,"b]]', "x"])
def test_damaged_headings_are_refused(text: str) -> None:
    """Headings that break off are no headings."""
    with pytest.raises(Damaged):
        _headings(text)
