"""E03: storing the same thing again gives its existing id, and a new one is found at once."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import treering
from treering.errors import BadFilter, InputError, TreeringError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from treering import MemoryStore


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return the memory of an empty project; nothing is made yet."""
    with treering.open() as opened:
        yield opened


def found(memory: MemoryStore, question: str, **options: Any) -> list[str]:
    """Return the ids of what has words of the question, best first."""
    return [result.id for result in memory.search(question, mode="keyword", **options).results]


def test_a_new_memory_is_found_at_once(memory: MemoryStore) -> None:
    """The first save makes the store; the next question finds the memory by its words, title, tags and summary."""
    outcome = memory.remember(
        "The staging cluster is rebuilt at four.", title="Nightly rebuild", tags=["operations"],
        summary="Everything starts afresh before dawn.", kind="procedure", metadata={"category": "hosting"},
    )  # fmt: skip
    assert outcome.outcome == "accepted"
    for question in ("when is staging rebuilt", "nightly", "operations", "afresh before dawn"):
        (result,) = memory.search(question, mode="keyword").results
        assert (result.id, result.type, result.kind, result.status) == (outcome.id, "memory", "procedure", "active")
        assert (result.title, result.text) == ("Nightly rebuild", "The staging cluster is rebuilt at four.")
        assert result.metadata == {"tags": ("operations",), "category": ("hosting",)}
        assert result.verification == "inferred"


def test_the_text_is_kept_as_a_source_and_quoted(memory: MemoryStore) -> None:
    """A memory quotes the note that was kept of it, letter for letter, with its lines."""
    text = "  Zeile eins: 漢字 🎉\n\n\tindented\nlast"
    id = memory.remember(text).id
    (quote,) = memory.show(id).quotes
    source = memory.show(quote.source)
    assert quote.text == source.text == text.strip()
    assert (quote.lines, quote.trust, quote.changed_since) == ((1, 4), "owner", False)
    assert source.key == f"note:{id}"
    assert memory.search("Zeile", empty_gate=0, mode="keyword").results[0].quotes == (quote,)


@pytest.mark.parametrize(
    "again",
    [
        "Builds need 8 GB.\nNever less.",
        "Builds need 8 GB.\r\nNever less.  \r\n",
        "  builds NEED 8 gb.\n never   less\n\n",
        "Builds need 8 GB. Never less!",
    ],
)
def test_the_same_again_is_the_same_memory(memory: MemoryStore, again: str) -> None:
    """Case, white space, line ends and a final stop make no second memory; the new tags are added."""
    first = memory.remember("Builds need 8 GB.\nNever less.", tags=["ci"], metadata={"where": ["cloud"]})
    second = memory.remember(again, tags=["ram", "ci"], metadata={"where": "desk"})
    assert (second.outcome, second.id) == ("exists", first.id)
    assert memory.list("memories").total == 1
    shown = memory.show(first.id)
    assert (shown.tags, shown.metadata) == (("ci", "ram"), {"where": ("cloud", "desk")})
    assert shown.content == "Builds need 8 GB.\nNever less."
    assert found(memory, "ram") == [first.id]
    assert memory.status().sources == 1


def test_saying_it_again_changes_no_title(memory: MemoryStore) -> None:
    """Kind, title and summary of a memory that is there stay; where others were given, the outcome says so."""
    id = memory.remember("Builds need 8 GB.", title="Builds", kind="project").id
    assert memory.remember("Builds need 8 GB", title="Builds").notices == ()
    (notice,) = memory.remember("Builds need 8 GB", title="Memory", summary="Eight.", kind="decision").notices
    assert notice == f"its kind and title and summary stayed as before: treering update {id}"
    shown = memory.show(id)
    assert (shown.title, shown.kind, shown.summary) == ("Builds", "project", "")


def test_other_words_are_another_memory(memory: MemoryStore) -> None:
    """A digit, a question mark or texts of marks alone are different things."""
    texts = ["Builds need 8 GB", "Builds need 9 GB", "Builds need 8 GB?", "!!!", ".", "...", "。", "🎉"]
    ids = {memory.remember(text).id for text in texts}
    assert len(ids) == len(texts)
    assert memory.list("memories").total == len(texts)


def test_what_is_hidden_or_gone_can_be_said_again(memory: MemoryStore) -> None:
    """An archived or forgotten memory does not answer for a new one of the same words."""
    text = "The harbour closes at nine."
    first = memory.remember(text).id
    memory.archive(first)
    second = memory.remember(text)
    assert second.outcome == "accepted"
    memory.forget([second.id])
    third = memory.remember(text)
    assert third.outcome == "accepted"
    assert len({first, second.id, third.id}) == 3
    assert found(memory, "harbour") == [third.id]


@pytest.mark.sqlite
def test_another_store_has_its_own(memory: MemoryStore, tmp_path: Path) -> None:
    """The same text in another project's store is another memory."""
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    one = memory.remember("Builds need 8 GB.")
    with treering.open(other) as elsewhere:
        two = elsewhere.remember("Builds need 8 GB.")
        assert (two.outcome, elsewhere.list("memories").total) == ("accepted", 1)
    assert one.id != two.id


@pytest.mark.parametrize("text", ["", "  \n\t ", "a\0b", "half \ud83d", None, 5, ["a"]])
def test_no_text_is_refused_before_anything_is_made(memory: MemoryStore, folder: Path, text: Any) -> None:
    """What is no text is bad input, and no store appears for it."""
    with pytest.raises(InputError):
        memory.remember(text)
    assert not (folder / ".treering").exists()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"kind": "fact"}, InputError),
        ({"kind": ""}, InputError),
        ({"title": "a\0b"}, InputError),
        ({"title": "\udc80"}, InputError),
        ({"title": None}, InputError),
        ({"summary": "\ud800"}, InputError),
        ({"tags": ["a\0"]}, InputError),
        ({"tags": ["\udc80"]}, InputError),
        ({"tags": [3]}, BadFilter),
        ({"tags": None}, BadFilter),
        ({"metadata": {"k": "\ud800"}}, InputError),
        ({"metadata": {"k\0": "v"}}, InputError),
        ({"metadata": {"k": 3}}, BadFilter),
        ({"metadata": ["k"]}, BadFilter),
    ],
)
def test_labels_that_cannot_be_kept_are_refused(memory: MemoryStore, options: Any, error: type[TreeringError]) -> None:
    """A kind that there is not, and titles, tags and metadata that are no texts, are bad input; nothing is saved."""
    memory.init()
    with pytest.raises(error):
        memory.remember("A sentence.", **options)
    assert memory.list("memories").total == 0
    assert memory.status().sources == 0


@pytest.mark.slow
def test_a_megabyte_is_kept_whole(memory: MemoryStore) -> None:
    """A very long text is one memory: found by its last words, shown in part, kept to the letter."""
    text = "".join(f"Line {number} of the log tells nothing.\n" for number in range(26_000)) + "The pelican landed."
    id = memory.remember(text, title="A log").id
    answer = memory.search("pelican landed")
    assert [result.id for result in answer.results] == [id]
    assert "pelican landed" in answer.results[0].text
    assert answer.tokens <= 900
    assert memory.show(id).content == text
    assert memory.remember(text.upper()).id == id
    memory.forget([id])
    assert not memory.search("pelican", empty_gate=0, mode="keyword").found


@pytest.mark.parametrize("name", ["text", "title", "summary", "value"])
def test_what_is_longer_is_a_source(memory: MemoryStore, name: str) -> None:
    """Over a million characters is no statement: refused, as in a batch of operations, with what keeps it."""
    said = {"text": "The pelican landed.", name: "pelican " * 1_250_000}
    with pytest.raises(InputError, match=f"the {name} has 10,000,000 characters; at most 1,000,000") as refused:
        memory.remember(**said)
    assert "treering note" in refused.value.hint
    id = memory.remember("The pelican landed.").id
    with pytest.raises(InputError, match="at most 1,000,000"):
        memory.update(id, **{name: said[name]})
    assert (memory.list("memories").total, memory.show(id).revision) == (1, 1)


def test_memories_and_files_answer_together(remember_files: Callable[..., MemoryStore]) -> None:
    """One question is answered from files and memories; either part can be asked alone."""
    memory = remember_files({"pump.md": "# Pump\n\nThe pump stops at 40 degrees.\n"})
    id = memory.remember("Carla says the pump stops at 35 degrees already.").id
    question = "when does the pump stop"
    assert {result.type for result in memory.search(question).results} == {"chunk", "memory"}
    assert found(memory, question, in_="memories") == [id]
    assert [result.file for result in memory.search(question, in_="sources").results] == ["pump.md"]
    assert [result.file for result in memory.search(question, path=".").results] == ["pump.md"]
    with pytest.raises(InputError, match="memories"):
        memory.search(question, in_="pumps")


def test_any_characters_are_text(memory: MemoryStore) -> None:
    """Marks of query and markup languages, right-to-left text and odd spaces are kept and found by their words."""
    texts = {
        "quagga": 'quagga "stop" OR * NOT ( ] {} -- ; drop table memory; $(rm -rf) <b>&amp;</b> \\0 %s',
        "שלום": "שלום עולם",
        "okapi": "okapi\u200f\u202e\u00a0\u3000\ufeffmarks",
        "客户": "本周确认客户地址核对改由网关负责。",
        "тапир": "Тапи́р живёт здесь.",
    }
    for word, text in texts.items():
        id = memory.remember(text).id
        assert memory.show(id).content == text
        assert found(memory, word) == [id]


def test_the_command_line_saves(folder: Path, run: Callable[..., Any]) -> None:
    """`remember` says the id and the next command; its JSON has outcome, id, changed and notices."""
    first = run("remember", "Staging", "runs", "PostgreSQL", "17", "--tag", "db", "--category", "hosting", "--json")
    outcome = json.loads(first.out)
    assert outcome == {
        "schema": 1, "outcome": "accepted", "id": outcome["id"], "changed": [], "notices": [], "proposal": None,
        "similar": [],
    }  # fmt: skip
    again = run("remember", "staging runs postgresql 17.")
    assert again.out == f"Already there: {outcome['id']}\nnext: treering show {outcome['id']}\n"
    shown = json.loads(run("show", outcome["id"], "--json").out)["items"][0]
    assert (shown["text"], shown["tags"], shown["metadata"]) == (
        "Staging runs PostgreSQL 17", ["db"], {"category": ["hosting"]},
    )  # fmt: skip
    assert shown["quotes"][0]["lines"] == [1, 1]
    result = json.loads(run("search", "staging", "--json").out)["results"][0]
    assert (result["id"], result["type"], result["lines"], result["chunks"]) == (outcome["id"], "memory", None, [])
    assert (result["tags"], result["metadata"]) == (["db"], {"category": ["hosting"]})
    assert result["quotes"] == shown["quotes"]
    assert (result["kind"], result["status"], result["verification"]) == ("semantic", "active", "inferred")


def test_text_comes_from_a_pipe(folder: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without words or with a dash the text is read from standard input, exactly; what is no UTF-8 is refused."""

    def pipe(raw: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw), encoding="ascii"))

    pipe("Zwei Zeilen:\r\nnaïve 漢字 \n".encode())
    id = json.loads(run("remember", "-", "--json").out)["id"]
    assert json.loads(run("show", id, "--json").out)["items"][0]["text"] == "Zwei Zeilen:\nnaïve 漢字"
    for raw in (b"", b" \n", "naïve".encode("latin-1"), b"a\0b", "网关".encode("gb18030")):
        pipe(raw)
        assert run("remember").status == 2
    assert json.loads(run("list", "memories", "--json").out)["total"] == 1


@pytest.mark.sqlite
def test_the_module_saves(folder: Path) -> None:
    """`treering.remember` saves into the project's store; `treering.search` finds it, by tag too."""
    outcome = treering.remember("The kiosk sells tickets.", tags=["kiosk", "trade"], title="Kiosk")
    assert treering.remember("the kiosk sells tickets", kind="semantic").id == outcome.id
    row = treering.search("tickets", tags=["kiosk"])[0]
    assert (row.id, row["context"], row["file_path"]) == (outcome.id, "The kiosk sells tickets.", None)
    assert Path(".treering/memory.db").is_file()


LONG: Final = "\n\n".join(
    f"## Part {n}\n\n" + f"The {word} is kept in shed {n}. " + "Nothing else is to be said about it here. " * 12
    for n, word in enumerate("anvil bellows crucible drill easel funnel gimlet hammer".split())
)


@pytest.mark.parametrize("word", ["anvil", "crucible", "hammer"])
@pytest.mark.parametrize("most", [80, 200, 900])
def test_a_long_memory_is_found_by_any_part(folder: Path, word: str, most: int) -> None:
    """A page of text is one memory, cut into pieces: the one that was asked for is shown, inside the budget."""
    with treering.open() as memory:
        id = memory.remember(LONG, title="Tools").id
        for n in range(30):
            memory.remember(f"Note {n}: sheds are painted, sheds are kept dry.")
        answer = memory.search(f"in which shed is the {word} kept", max_tokens=most)
        assert answer.found
        assert answer.tokens <= most
        assert answer.results[0].id == id
        assert answer.results[0].type == "memory"
        assert word in answer.results[0].text
        assert sum(result.id == id for result in answer.results) == 1


def test_the_pieces_of_a_long_memory_live_and_go_with_it(folder: Path) -> None:
    """Hidden, brought back, changed, made again and forgotten: nothing of a piece is left or missing."""
    with treering.open() as memory:
        id = memory.remember(LONG).id
        memory.ensure_embeddings()

        def found(word: str) -> bool:
            return any(word in one.text for one in memory.search(f"where is the {word}", empty_gate=0).results)

        pieces = memory.status().chunks
        assert pieces > 3
        assert found("gimlet")
        memory.archive(id)
        assert memory.status().chunks == 0
        memory.reindex()
        assert memory.status().chunks == 0
        assert not found("gimlet")
        memory.restore_memory(id)
        assert memory.status().chunks == pieces
        assert found("gimlet")
        memory.update(id, text=LONG.replace("gimlet", "jigsaw"))
        assert not found("gimlet")
        assert found("jigsaw")
        memory.reindex()
        assert memory.status().chunks == pieces
        assert found("jigsaw")
        memory.update(id, text="The jigsaw was sold.")
        assert memory.status().chunks == 0
        assert found("jigsaw")
        memory.update(id, text=LONG)
        memory.forget(id)
        assert not found("anvil")
        assert memory.status().chunks == 0
        memory.ensure_embeddings()


def test_what_a_memory_and_a_file_say_is_shown_once(folder: Path) -> None:
    """The same sentence as a memory and as a passage is one result, which counts the other."""
    (folder / "docs").mkdir()
    (folder / "docs" / "walrus.md").write_text("# Walrus\n\nThe walrus   sleeps on the ice.\n", encoding="utf-8")
    (folder / "docs" / "seal.md").write_text("# Seal\n\nThe seal wakes on the ice.\n", encoding="utf-8")
    with treering.open() as memory:
        memory.index("docs")
        id = memory.remember("the walrus sleeps on the ice").id
        memory.ensure_embeddings()
        results = memory.search("walrus sleeps on the ice").results
        [one] = [result for result in results if "walrus" in result.text.lower()]
        assert one.restatements == 1
        assert one.notices == (
            "the same passage also stands in docs/walrus.md"
            if one.id == id
            else f"the same passage also stands in {id}",
        )
