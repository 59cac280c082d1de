"""X08: secrets, junk and echoes are refused on a write, and what is marked as private is never stored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import treering
from treering.errors import Echo, InputError, NotFound, NothingSaid, SecretFound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.behaviour.conftest import Ran

    from treering import MemoryStore

# Made up, and put together here so that no scanner of sources takes them for real ones.
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
URL = "postgresql://kelp:" + "s3cr3t-Pa55word" + "@db.example.com/kelp"


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project."""
    with treering.open() as opened:
        yield opened


def bytes_of(folder: Path) -> bytes:
    """Return every byte of the project's store."""
    return b"".join(path.read_bytes() for path in sorted((folder / ".treering").rglob("*")) if path.is_file())


@pytest.mark.parametrize(
    "given",
    [
        {"text": f"The deploy token is {TOKEN}"},
        {"text": f"Staging is at {URL}"},
        {"text": "The token is kept by Ines", "title": TOKEN},
        {"text": "The token is kept by Ines", "summary": f"token {TOKEN}"},
        {"text": "The token is kept by Ines", "metadata": {"token": TOKEN}},
        {"text": "The token is kept by Ines", "slot": "kelp/token", "value": TOKEN},
    ],
)
def test_a_secret_is_refused_and_not_repeated(memory: MemoryStore, given: dict[str, object]) -> None:
    """In any field: nothing is stored, and the message shows the kind and no more than the first letters."""
    memory.remember("Something to be there before")
    with pytest.raises(SecretFound) as raised:
        memory.remember(**given)  # type: ignore[arg-type]
    assert TOKEN not in str(raised.value)
    assert "s3cr3t" not in str(raised.value)
    assert "nothing was stored" in str(raised.value)
    assert memory.list("memories").total == 1


def test_a_batch_with_one_secret_changes_nothing(memory: MemoryStore) -> None:
    """Operations and updates pass the same gate."""
    id = memory.remember("The token is kept by Ines").id
    with pytest.raises(SecretFound):
        memory.propose(
            [
                {"op": "create", "memory": {"content": "Lockers are orange"}},
                {"op": "create", "memory": {"content": f"It is {TOKEN}"}},
            ]
        )
    with pytest.raises(SecretFound):
        memory.update(id, text=f"The token is {TOKEN}")
    assert memory.list("memories").total == 1


@pytest.mark.sqlite
def test_private_parts_are_never_stored(memory: MemoryStore, folder: Path) -> None:
    """What stands between the marks is left out of everything; where nothing else was said, the save is refused."""
    id = memory.remember("Ines leads the harbour <private>her number is 555-0199</private> since May").id
    shown = memory.show(id)
    assert "555-0199" not in str(shown)
    assert "Ines leads the harbour" in str(shown)
    with pytest.raises(InputError, match="private"):
        memory.remember("<private>nothing else</private>")
    memory.close()
    assert b"555-0199" not in bytes_of(folder)
    assert b"nothing else" not in bytes_of(folder)


def test_ordinary_talk_of_secrets_is_stored(memory: MemoryStore) -> None:
    """Saying where a password is kept, or what a commit is called, is no secret."""
    for text in (
        "The database password is in the vault under kelp/staging",
        "Commit 3f2a9c1e8b7d6a5f4e3d2c1b0a9f8e7d6c5b4a39 broke the queue",
        "Set API_KEY in the environment before the first start",
    ):
        assert memory.remember(text).outcome == "accepted"


def test_the_command_refuses(folder: Path, run: Callable[..., Ran]) -> None:
    """Exit status 4, and no store is made for it."""
    ran = run("remember", f"The deploy token is {TOKEN}")
    assert ran.status == 4
    assert TOKEN not in ran.out + ran.err
    with treering.open() as opened, pytest.raises(NotFound):
        opened.search("token")


@pytest.mark.sqlite
def test_secrets_of_indexed_files_are_unreadable_at_rest(memory: MemoryStore, folder: Path) -> None:
    """The file stays as it is, the store holds no byte of the secret, the rest is found in its place."""
    page = folder / "log.md"
    page.write_text(
        f"# Wigeon\n\nThe deploy log of the wigeon.\n\nexport TOKEN={TOKEN}\n\nAll is well.\n", encoding="utf-8"
    )
    memory.index(["."])
    assert TOKEN in page.read_text(encoding="utf-8")
    (result,) = memory.search("deploy log of the wigeon").results
    assert TOKEN not in result.text
    assert "All is well." in result.text
    shown = memory.show(result.source)
    assert len(shown.text) == len(page.read_text(encoding="utf-8"))
    page.write_text(page.read_text(encoding="utf-8") + f"\nAnd again: {TOKEN}\n", encoding="utf-8")
    memory.index(["."])
    memory.close()
    assert TOKEN.encode() not in bytes_of(folder)
    assert TOKEN.lower().encode() not in bytes_of(folder)


@pytest.mark.sqlite
def test_a_secret_that_is_appended_is_unreadable_too(memory: MemoryStore, folder: Path) -> None:
    """Growth reads the tail alone; a secret in it, or one that goes on where the file ended, is found all the same."""
    page = folder / "log.md"
    page.write_text("# Wigeon\n\n" + "A line of the log.\n\n" * 200 + f"export TOKEN={TOKEN[:20]}", encoding="utf-8")
    memory.index(["."])
    with page.open("a", encoding="utf-8") as opened:
        opened.write(f"{TOKEN[20:]}\n\nURL={URL}\n")
    memory.index(["."])
    memory.close()
    assert TOKEN.encode() not in bytes_of(folder)
    assert b"s3cr3t-Pa55word" not in bytes_of(folder)


@pytest.fixture
def agent(memory: MemoryStore, folder: Path) -> Iterator[MemoryStore]:
    """Return the same memory on behalf of an agent; it holds a page and a memory."""
    (folder / "deploy.md").write_text(
        "# Deploys\n\nEvery deploy goes through the pipeline; nobody copies files by hand.\n"
    )
    memory.index([folder])
    memory.remember("Ines leads the harbour team and answers for the lockers in Oslo and Lisbon")
    with treering.open(as_agent="bot") as opened:
        yield opened


@pytest.mark.parametrize("text", ["ok", "Thanks!", "继续", "Sí, gracias.", "…", "yes please, go ahead"])
def test_an_agent_stores_no_turn_that_says_nothing(agent: MemoryStore, text: str) -> None:
    """It is refused with the reason, and nothing changes; no update makes a memory of it either."""
    with pytest.raises(NothingSaid, match="says nothing by itself"):
        agent.remember(text)
    with pytest.raises(NothingSaid):
        agent.propose([{"op": "create", "memory": {"content": text}}])
    own = agent.remember("The night shift empties the lockers").id
    with pytest.raises(NothingSaid):
        agent.update(own, text=text)
    assert agent.list("memories").total == 2


def test_a_yes_that_answers_something_is_kept(agent: MemoryStore) -> None:
    """With a topic or a title even one word is a statement; and what the owner types is kept, whatever it is."""
    assert agent.remember("yes", slot="user/dark-mode", value="yes").outcome == "accepted"
    with treering.open() as owner:
        assert owner.remember("ok").outcome == "accepted"


def test_what_was_handed_out_is_not_stored_again(agent: MemoryStore) -> None:
    """An answer's words, whole or in part, are refused, with what to do instead; words of one's own are kept."""
    result = agent.search("how does a deploy go").results[0]
    for text in (result.text, "Every deploy goes through the pipeline; nobody copies files by hand."):
        with pytest.raises(Echo, match="not stored") as raised:
            agent.remember(text)
        assert "--quote" in raised.value.hint
    assert (
        agent.remember("Deploys by hand are forbidden since the pipeline exists, says the guide").outcome == "accepted"
    )
    cited = agent.remember(
        "Every deploy goes through the pipeline; nobody copies files by hand.",
        source="deploy.md", quote="Every deploy goes through the pipeline",
    )  # fmt: skip
    assert cited.outcome == "accepted"


def test_an_echo_of_another_session_is_seen(agent: MemoryStore, run: Callable[..., Ran]) -> None:
    """A process that was shown nothing compares with what is stored."""
    ran = run("--as-agent", "bot", "remember", "Every deploy goes through the pipeline; nobody copies files by hand.")
    assert ran.status == 4
    assert "gives back" in ran.err
    ran = run(
        "--as-agent", "bot", "remember", "[1] deploy.md:3  Deploys  (0.93, ~41 tokens)\nEvery deploy has a pipeline."
    )
    assert ran.status == 4
    assert "marks of an answer" in ran.err
    assert agent.list("memories").total == 1


def test_what_is_there_already_is_answered_with(agent: MemoryStore) -> None:
    """An agent that saves a memory which it was shown gets that memory: nothing is new, and nothing is wrong."""
    found = agent.search("who leads the harbour team").results[0]
    again = agent.remember("Ines leads the harbour team and answers for the lockers in Oslo and Lisbon.")
    assert (again.outcome, again.id) == ("exists", found.id)
