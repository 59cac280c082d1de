"""Which known entities a text names."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.domain.entity import Entity
from treering.domain.naming import Names, entities_in

KNOWN = (
    Entity("ent_a", "Project A", "project", ("项目甲",)),
    Entity("ent_p", "Project", "thing"),
    Entity("ent_bob", "Bob", "person", ("Bob Stone", "小明")),
    Entity("ent_other", "bob", "project"),
    Entity("ent_pg", "PostgreSQL"),
    Entity("ent_cpp", "C++"),
    Entity("ent_net", ".NET"),
    Entity("ent_x", "X"),
)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("Bob runs project  A.", ["bob", "project a"]),
        ("Project\nAlpha", ["project"]),
        ("Bobby and Kabob", []),
        ("bob's idea, (BOB)", ["bob"]),
        ("Bob Stone, then Bob", ["bob stone", "bob"]),
        ("我们用PostgreSQL数据库", ["postgresql"]),
        ("昨天小明说项目甲上线", ["小明", "项目甲"]),
        ("C++ and .NET but not C", ["c++", ".net"]),
        ("a.net page", [".net"]),
        ("x marks the spot", []),
        ("@bob", ["bob"]),
        ("bob_stone", ["bob"]),
        ("", []),
    ],
)
def test_names_in_a_text(text: str, keys: list[str]) -> None:
    """A name of letters stands between other characters, a Chinese one anywhere; the longest of several counts."""
    assert [named.key for named in entities_in(text, KNOWN)] == keys


def test_a_name_of_several() -> None:
    """A name that two entities have is found with both: the text alone does not tell which."""
    [named] = entities_in("Bob said so", KNOWN)
    assert named.ids == ("ent_bob", "ent_other")


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=8), max_size=8))
def test_any_text_and_names(text: str, names: list[str]) -> None:
    """Whatever the text and the names, what is found is among the names, once."""
    known = [Entity(f"ent_{number}", name) for number, name in enumerate(names)]
    found = entities_in(text, known)
    assert len({named.key for named in found}) == len(found)
    assert {id for named in found for id in named.ids} <= {entity.id for entity in known}


def test_a_thousand_names_cost_little_more_than_one() -> None:
    """Looking for a thousand names, many of which begin alike, takes about as long as looking for one."""
    text = "The project meets project 17 and person 3 at noon, and nobody else. " * 2000
    few = Names([Entity("ent_0", "Project 17")])
    many = Names(
        [Entity(f"ent_{number}", f"{kind} {number}") for kind in ("Project", "Person") for number in range(500)]
    )
    took = []
    for names in (few, many):
        began = process_time()
        found = names.standing_in(text)
        took.append(process_time() - began)
    assert len(found) == 2
    assert took[1] < 10 * took[0] + 0.1
