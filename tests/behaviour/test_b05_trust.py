"""B05, B27: trust is given at import; agents bring external texts, from allowed folders, never hidden ones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from importing import agent, outcomes

import treering
from treering.errors import NotAllowed, OutsideRoot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project; nothing is made yet."""
    with treering.open() as opened:
        yield opened


def test_the_owner_brings_trust_and_an_agent_does_not(memory: MemoryStore) -> None:
    """What the owner imports is the owner's unless said otherwise; an agent's is external, or its own, never more."""
    assert memory.note("Mine.").trust == "owner"
    assert memory.note("Theirs.", trust="external").trust == "external"
    with agent(memory) as bot:
        assert bot.note("From the web.").trust == "external"
        assert bot.note("My analysis.", trust="agent").trust == "agent"
        with pytest.raises(NotAllowed, match="owner's"):
            bot.note("Yours, truly.", trust="owner")


def test_an_agent_adds_no_version_to_what_is_trusted_more(folder: Path, memory: MemoryStore) -> None:
    """Words that an agent brings never appear under the owner's name, nor external ones under an agent's."""
    (folder / "a.md").write_text("The owner's words.\n")
    (mine,) = memory.import_(folder / "a.md")
    (folder / "a.md").write_text("Other words.\n")
    with agent(memory) as bot:
        with pytest.raises(NotAllowed, match="trust owner"):
            bot.import_(folder / "a.md")
        analysis = bot.note("One.", key="analysis", trust="agent")
        with pytest.raises(NotAllowed, match="trust agent"):
            bot.note("Two.", key="analysis")
        assert bot.note("Two.", key="analysis", trust="agent").id == analysis.id
        (folder / "b.md").write_text("New.\n")
        assert outcomes(bot.import_(folder)) == {"a.md": "skipped", "b.md": "accepted"} | {
            name: "skipped" for name in os.listdir(folder) if name.startswith(".")
        }
    assert memory.show(mine.id).text == "The owner's words.\n"


def test_an_agent_adds_labels_and_takes_none_away(memory: MemoryStore) -> None:
    """What is there already gets the tags and facts of an agent beside the owner's, never instead of them."""
    mine = memory.note("Words.", key="mine", tags=["a"], domain="harbour")
    with agent(memory) as bot:
        assert bot.note("Words.", key="mine", tags=["b"], domain="other", type="log").outcome == "exists"
    assert memory.show(mine.id).metadata == {"tags": ("a", "b"), "domain": ("harbour",), "type": ("log",)}


def test_an_external_source_makes_an_external_memory(memory: MemoryStore) -> None:
    """A memory has the trust of what it quotes, whoever proposes it."""
    source = memory.note("The release window moves to Thursdays.", trust="external")
    (outcome,) = memory.propose(
        {
            "op": "create",
            "memory": {
                "content": "Releases are on Thursdays.",
                "evidence": [{"source_id": source.id, "quote": "moves to Thursdays"}],
            },
        }
    )
    assert memory.show(outcome.id).trust == "external"


def test_an_agent_imports_from_the_project_alone(folder: Path, memory: MemoryStore, tmp_path: Path) -> None:
    """A file elsewhere, a hidden one, and a link that leads there are refused; the project's others are read."""
    (folder / "a.md").write_text("Words.\n")
    (folder / ".ssh").mkdir()
    (folder / ".ssh" / "notes.md").write_text("secret\n")
    (folder / ".env").write_text("secret\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "b.md").write_text("secret\n")
    (folder / "way").symlink_to(elsewhere)
    (folder / "way.md").symlink_to(folder / ".ssh" / "notes.md")
    with agent(memory) as bot:
        for path in (".ssh/notes.md", ".ssh", ".env", "way", "way/b.md", "way.md", elsewhere, "/etc/hostname", ".."):
            with pytest.raises(OutsideRoot):
                bot.import_(path)
        assert not memory.status().exists
        assert outcomes(bot.import_(folder))["a.md"] == "accepted"
    assert not memory.search("secret", mode="keyword", empty_gate=0).found
    assert memory.import_([folder / "way" / "b.md", folder / ".env"])[0].outcome == "accepted"


def test_a_setting_says_where_an_agent_may_read(
    folder: Path, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Folders of `capture.import_roots` take the place of the project, in a file as a list; hidden ones stay closed."""
    documents = home / "Documents"
    (documents / ".private").mkdir(parents=True)
    (documents / "a.md").write_text("Words.\n")
    (documents / ".private" / "b.md").write_text("secret\n")
    (folder / "c.md").write_text("Words.\n")
    with treering.open() as memory:
        settings = Path(memory.place.folder) / "config.toml"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('[capture]\nimport_roots = ["~/Documents", "notes"]\n')
    with treering.open() as memory:
        memory.trust()  # settings that lie in a project count once their owner says so
    (folder / "notes").mkdir()
    (folder / "notes" / "d.md").write_text("Other words.\n")
    with treering.open() as memory, agent(memory) as bot:
        assert bot.import_([documents / "a.md", folder / "notes" / "d.md"])[1].outcome == "accepted"
        for path in (documents / ".private" / "b.md", folder / "c.md"):
            with pytest.raises(OutsideRoot):
                bot.import_(path)
    monkeypatch.setenv("TREERING_CAPTURE_IMPORT_ROOTS", os.pathsep.join([str(folder), "~/Documents"]))
    with treering.open() as memory, agent(memory) as bot:
        assert bot.import_(folder / "c.md")[0].outcome in {"accepted", "exists"}
