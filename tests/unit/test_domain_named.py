"""Named tuples of our own are those of ``typing``, made quicker."""

from __future__ import annotations

import copy
from typing import NamedTuple as Typed

from treering.domain.named import NamedTuple


class Quick(NamedTuple):
    """A tree."""

    name: str
    rings: int = 1

    @property
    def shown(self) -> str:
        """Return the tree in words."""
        return f"{self.name} ({self.rings})"


class Usual(Typed):
    """A tree."""

    name: str
    rings: int = 1


def test_a_quick_one_is_like_a_usual_one() -> None:
    """Fields, defaults, words for it, place of the class, changes and comparison are the same."""
    quick, usual = Quick("elm"), Usual("elm")
    assert quick == usual == ("elm", 1)
    assert repr(quick) == repr(usual).replace("Usual", "Quick")
    assert quick._replace(rings=7) == Quick(rings=7, name="elm")
    assert quick._asdict() == usual._asdict()
    assert (Quick._fields, Quick._field_defaults) == (Usual._fields, Usual._field_defaults)
    assert (Quick.__module__, Quick.__doc__, Quick.__match_args__) == (__name__, "A tree.", ("name", "rings"))


def test_a_quick_one_has_its_methods_and_can_be_copied() -> None:
    """What stands in its body beside the fields is there; copies are equal."""
    quick = Quick("elm", 3)
    assert quick.shown == "elm (3)"
    assert copy.deepcopy(quick) == copy.copy(quick) == quick
