"""B25: derived data that is lost or damaged is noticed, and made again while questions are answered."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import pytest

import treering

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.behaviour.conftest import Ran

DAMAGES = {
    "every row is gone": "insert into words (words) values ('delete-all')",
    "its data is gone": "delete from words_data",
    "its data is noise": "update words_data set block = zeroblob(length(block))",
    "the table is gone": "drop table words",
    "the vocabulary is gone": "drop table words_vocabulary",
}


def filled(folder: Path) -> Path:
    """Fill a store with a file and a memory, close it and return its database."""
    (folder / "a.md").write_text("# Lockers\n\nA locker door stays open for 45 seconds.\n", encoding="utf-8")
    with treering.open() as memory:
        memory.index(["."])
        memory.remember("The kestrel nests on the silo")
    return folder / ".treering" / "memory.db"


def damage(database: Path, *statements: str) -> None:
    """Change a store behind the program's back."""
    connection = apsw.Connection(str(database))
    for statement in statements:
        connection.execute(statement)
    connection.close()


@pytest.mark.sqlite
@pytest.mark.parametrize("name", DAMAGES)
def test_a_broken_index_is_made_again_by_the_question(folder: Path, name: str) -> None:
    """The first question finds what it should, and says that the index was made again; then all is sound."""
    database = filled(folder)
    damage(database, DAMAGES[name])
    with treering.open() as memory:
        answer = memory.search("kestrel silo", mode="keyword")
        assert answer.found
        assert any("made again" in notice for notice in answer.notices)
        again = memory.search("locker door", mode="keyword")
        assert again.found
        assert not any("made again" in notice for notice in again.notices)
        assert memory.verify().problems == ()


@pytest.mark.sqlite
def test_verify_and_reindex_mend_what_nobody_has_asked_for(folder: Path, run: Callable[..., Ran]) -> None:
    """``verify`` names a broken index and ``--fix`` mends it; ``reindex`` does, too."""
    database = filled(folder)
    damage(database, DAMAGES["the table is gone"])
    assert run("verify").status == 1
    assert run("verify", "--fix").status == 0
    assert run("verify").status == 0
    damage(database, DAMAGES["its data is noise"])
    assert run("reindex").status == 0
    assert run("search", "--mode", "keyword", "kestrel").status == 0


@pytest.mark.sqlite
def test_lost_vectors_and_signs_are_made_again(folder: Path) -> None:
    """Without its vectors a store goes on with words, and ``reindex --vectors`` makes them again."""
    database = filled(folder)
    damage(database, "delete from vector")
    for file in database.parent.glob("memory.db-signs-*"):
        file.write_bytes(b"noise")
    with treering.open() as memory:
        assert memory.search("kestrel silo").found
        memory.ensure_embeddings()
        with memory._reading() as tx:
            assert sum(tx.vectors.mark(model)[0] for model in tx.vectors.models()) == tx.keywords.size()


@pytest.mark.sqlite
def test_what_was_said_is_never_made_from_what_is_derived(folder: Path) -> None:
    """Statuses and words of memories follow from claims: a changed row is put right by ``verify --fix``."""
    database = filled(folder)
    damage(database, "update memory set content = 'The kestrel is gone'")
    with treering.open() as memory:
        assert not memory.verify().sound
        assert memory.verify(fix=True).sound
        assert [one.content for one in memory.list("memories").items] == ["The kestrel nests on the silo"]
        assert memory.verify().problems == ()
