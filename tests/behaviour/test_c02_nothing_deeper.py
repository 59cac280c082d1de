"""C02: what a limited memory does not tell by its lists of topics, and what it still does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import treering
from treering import wiring
from treering.errors import BadSetting, Paused, StorageFailed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.behaviour.conftest import Ran

pytestmark = pytest.mark.sqlite

SAID = "The vault number is 4711, and it sits behind the painting"


def test_lists_of_topics_have_no_statements(folder: Path, run: Callable[..., Ran]) -> None:
    """Slots, facts, timelines and a memory's own note say at L1 no more than the memory's title and summary do."""
    with treering.open() as memory:
        saved = memory.remember(SAID, title="Vault", summary="Where the vault is.", slot="vault/number", value="4711")
        memory.propose({"op": "update", "id": saved.id, "changes": {"tags": ["safe"]}})
    (folder / ".treering" / "config.toml").write_text('[access]\nmax_depth = "L1"\n', encoding="utf-8")
    for words in (
        ["list", "slots"], ["facts"], ["timeline", "vault/number"], ["show", f"note:{saved.id}"], ["show", saved.id],
    ):  # fmt: skip
        for ran in (run(*words), run(*words, "--json")):
            assert "4711" not in ran.out + ran.err, words
            assert "painting" not in ran.out + ran.err, words


def test_a_limited_caller_may_save(folder: Path, run: Callable[..., Ran]) -> None:
    """A save goes through without a word about memories that say nearly the same."""
    with treering.open() as memory:
        memory.remember(SAID)
    (folder / ".treering" / "config.toml").write_text('[access]\nmax_depth = "L1"\n', encoding="utf-8")
    ran = run("remember", "Storks nest on the roof of the old mill")
    assert (ran.status, ran.err) == (0, "")
    assert "Remembered mem_" in ran.out


def test_bad_settings_are_not_trusted(folder: Path) -> None:
    """Where the settings that came with a store cannot be used, trusting it fails whole."""
    (folder / ".treering").mkdir()
    (folder / ".treering" / "config.toml").write_text('[access]\nmax_depth = "L9"\n', encoding="utf-8")
    with treering.open() as memory, pytest.raises(BadSetting, match="possible are L1, L2, L3"):
        memory.trust()
    assert not wiring.ledger(os.environ).knows_folder(str(folder / ".treering"))


def test_what_is_taken_in_by_hand_waits_for_capture(folder: Path) -> None:
    """While capture is paused, edits of the mirror's files stay where they are; the owner's own are taken in."""
    with treering.open() as memory:
        memory.remember("Something")
        memory.write_mirror()
        memory.pause()
        with pytest.raises(Paused):
            memory.sync()
        memory.sync(as_owner=True)
        memory.resume()
        memory.sync()


def test_an_export_needs_a_folder(folder: Path) -> None:
    """A file in a folder that is not there is refused in words."""
    with treering.open() as memory:
        memory.remember("Something")
        with pytest.raises(StorageFailed, match="cannot be written"):
            memory.export(folder / "absent" / "all.jsonl")


def test_the_hint_of_a_question_back_can_be_pasted(folder: Path, run: Callable[..., Ran]) -> None:
    """It has the question in it."""
    with treering.open() as memory:
        for name in ("Alder", "Birch"):
            memory.remember(f"Luis lives near the {name.lower()}.", entities=[f"Luis {name}"])
    assert "-- 'where does Luis live'" in run("ask", "where", "does", "Luis", "live").out
