"""Every command over real files, in this process: what it prints, its exit status, its JSON."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from treering.surfaces.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable

GUIDE: Final = """---
topic: storage
---
# Guide

Treering keeps text where it is.

## Removed files

A file that was deleted leaves the index with the next run.

## Backups

The backup of the archive runs every night at three.
"""
BILLING: Final = """---
topic: billing
---
# Billing

## Refunds

Refunds are paid within fourteen days to the original card.
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with a folder of documents; it is the working directory."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "docs" / "money").mkdir(parents=True)
    (folder / "docs" / "guide.md").write_text(GUIDE, encoding="utf-8")
    (folder / "docs" / "money" / "billing.md").write_text(BILLING, encoding="utf-8")
    (folder / "docs" / "noise.md").write_bytes(b"\x00\x01\x02\xff\xfe\x00" * 50)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Return a function that runs a command and returns its exit status, output and messages."""

    def call(*words: str) -> tuple[int, str, str]:
        """Run one command."""
        capfd.readouterr()
        exit_status = main(words)
        printed = capfd.readouterr()
        return exit_status, printed.out, printed.err

    return call


@pytest.fixture
def run_json(run: Callable[..., tuple[int, str, str]]) -> Callable[..., tuple[int, dict[str, Any]]]:
    """Return a function that runs a command with --json and returns its exit status and its object."""

    def call(*words: str) -> tuple[int, dict[str, Any]]:
        """Run one command; its output is one line, one object, schema 1."""
        exit_status, out, _ = run(*words, "--json")
        assert out.count("\n") == 1
        given: dict[str, Any] = json.loads(out)
        assert given["schema"] == 1
        return exit_status, given

    return call


@pytest.fixture
def indexed(project: Path, run: Callable[..., tuple[int, str, str]]) -> Path:
    """Return the project with its documents indexed."""
    assert run("index", "docs")[0] == 0
    return project


def test_alone_the_program_says_where_the_memory_will_be(project: Path, run: Any) -> None:
    """Before anything is stored: the place, that it is not made yet, the next command; nothing is made."""
    exit_status, out, err = run()
    assert (exit_status, err) == (0, "")
    assert str(project / ".treering") in out
    assert "not made yet" in out
    assert "next: treering index" in out
    assert not (project / ".treering").exists()


def test_alone_the_program_says_what_the_memory_holds(indexed: Path, run: Any, run_json: Any) -> None:
    """Afterwards: number of sources, the indexed directories; with --json the whole status."""
    exit_status, out, _ = run()
    assert exit_status == 0
    assert "2 sources" in out
    assert "docs" in out
    assert run_json()[1]["sources"] == 2


def test_init_makes_the_store_and_may_be_repeated(project: Path, run: Any, run_json: Any) -> None:
    """The store's folder is there afterwards; a second time nothing is lost."""
    assert run("init")[0] == 0
    assert (project / ".treering").is_dir()
    exit_status, given = run_json("init")
    assert exit_status == 0
    assert given["exists"] is True


def test_index_says_what_is_new_and_what_was_skipped(project: Path, run: Any) -> None:
    """New files are counted, skipped ones with their reason; skipping is no failure."""
    exit_status, out, err = run("index", "docs")
    assert (exit_status, err) == (0, "")
    assert "2 files (2 new)" in out
    assert "1 skipped" in out
    assert "next: treering search" in out


def test_index_again_says_that_nothing_changed(indexed: Path, run: Any, run_json: Any) -> None:
    """The second run counts every file as unchanged."""
    assert "nothing changed" in run("index", "docs")[1]
    exit_status, given = run_json("index", "docs")
    assert exit_status == 0
    assert [outcome["unchanged"] for outcome in given["outcomes"]] == [2]


def test_index_of_an_absent_directory_is_not_found(project: Path, run: Any, run_json: Any) -> None:
    """Exit status 3 in words and as an object."""
    exit_status, out, err = run("index", "nowhere")
    assert (exit_status, out) == (3, "")
    assert "nowhere" in err
    exit_status, given = run_json("index", "nowhere")
    assert (exit_status, given["error"]["exit"]) == (3, 3)


def test_search_cites_file_and_lines(indexed: Path, run: Any) -> None:
    """A result begins with its file, lines and headings, and shows the text; the end counts it."""
    exit_status, out, err = run("search", "when", "are", "refunds", "paid")
    assert (exit_status, err) == (0, "")
    first = out.splitlines()[0]
    assert first.startswith("[1] docs/money/billing.md:")
    assert "Billing › Refunds" in first
    assert "within fourteen days" in out
    assert out.splitlines()[-1].endswith("tokens")


def test_search_takes_options_before_between_and_after_words(indexed: Path, run: Any) -> None:
    """Where an option stands makes no difference, and after -- everything is a word."""
    expected = run("search", "-k", "1", "refunds paid")
    assert expected[0] == 0
    assert run("search", "refunds", "-k", "1", "paid")[:2] == expected[:2]
    assert run("search", "refunds", "paid", "-k1")[:2] == expected[:2]
    assert run("search", "-k", "1", "--", "refunds", "paid")[:2] == expected[:2]


def test_search_as_an_object(indexed: Path, run_json: Any) -> None:
    """Results, tokens and trace are there, with the scope of the store."""
    exit_status, given = run_json("search", "refunds")
    assert exit_status == 0
    assert given["found"] is True
    assert given["results"][0]["scope"] == "project"
    assert given["results"][0]["source"]["file"] == "docs/money/billing.md"
    assert given["tokens"] <= 900
    assert [step["step"] for step in given["trace"]]


def test_search_without_an_answer_says_not_found(indexed: Path, run: Any, run_json: Any) -> None:
    """Exit status 1, NOT FOUND, why, and a next step; as an object found is false."""
    exit_status, out, err = run("search", "penguin colonies in antarctica")
    assert (exit_status, err) == (1, "")
    assert out.startswith("NOT FOUND: ")
    assert "\nnext: " in out
    exit_status, given = run_json("search", "penguin colonies in antarctica")
    assert (exit_status, given["found"], given["results"]) == (1, False, [])
    assert given["reason"]


def test_search_without_a_store_is_not_found(project: Path, run: Any) -> None:
    """Nothing indexed yet: exit status 3 with the command that would help, and no store is made."""
    exit_status, out, err = run("search", "anything")
    assert (exit_status, out) == (3, "")
    assert "treering index" in err
    assert not (project / ".treering").exists()


def test_search_in_an_empty_store_is_an_answer(project: Path, run: Any) -> None:
    """A store that holds nothing: NOT FOUND with the command that would help."""
    run("init")
    exit_status, out, _ = run("search", "anything")
    assert exit_status == 1
    assert out == "NOT FOUND: the memory is empty.\nnext: treering index DIR\n"


def test_search_is_narrowed_by_metadata_and_path(indexed: Path, run: Any, run_json: Any) -> None:
    """Values of one key are alternatives, keys must all hold; a filter that nothing passes is no error."""
    words = ("search", "--empty-gate", "0", "files refunds backup")
    both = run_json(*words, "--where", "topic=billing", "--where", "topic=storage")[1]
    assert len({result["source"]["key"] for result in both["results"]}) == 2
    billing = run_json(*words, "--where", "topic=billing")[1]
    assert {result["metadata"]["topic"][0] for result in billing["results"]} == {"billing"}
    money = run_json(*words, "--path", "docs/money")[1]
    assert {result["source"]["file"] for result in money["results"]} == {"docs/money/billing.md"}
    exit_status, out, _ = run(*words, "--where", "topic=gardening")
    assert exit_status == 1
    assert "NOT FOUND: nothing passes the filter" in out


def test_search_explains_itself(indexed: Path, run: Any) -> None:
    """--explain adds the table of steps, also when nothing answers."""
    for question in ("refunds", "penguin"):
        lines = run("search", "--explain", question)[1].splitlines()
        header = next(line for line in lines if line.startswith("step"))
        assert header.split() == ["step", "in", "out", "ms", "why"]


@pytest.mark.parametrize("words", [("search",), ("search", "-"), ("search", "-k", "1")])
def test_search_reads_its_question_from_a_pipe(
    indexed: Path, run: Any, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """Without a question, or with a dash, standard input is the question; bytes that are no UTF-8 do no harm."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"when are refunds paid \xff\n")))
    exit_status, out, _ = run(*words)
    assert exit_status == 0
    assert "fourteen days" in out


@pytest.mark.parametrize(
    "question",
    [
        "",
        "???",
        '"unbalanced AND (NEAR/3 OR *',
        "refunds 🎉🎉",
        "退款政策是什么",
        "refunds \udcff\ud800",
        "refunds \x00 \x1b[31m",
        "refunds " + "x" * 100_000,
        "refunds " * 12_500,
        "- refunds",
        "-5",
    ],
)
def test_any_question_is_safe(indexed: Path, run: Any, run_json: Any, question: str) -> None:
    """Punctuation, operators, emoji, broken Unicode, control characters and 100 kB end in an answer or NOT FOUND."""
    exit_status, out, err = run("search", question)
    assert exit_status in (0, 1)
    assert err == ""
    assert "\x1b" not in out
    assert run_json("search", question)[0] == exit_status


def test_stored_text_cannot_steer_the_terminal(project: Path, run: Any, run_json: Any) -> None:
    """Escape sequences of a document are missing on a terminal and intact in JSON."""
    text = "# Colours\n\nThe warning light is \x1b[31mred\x1b[0m\u202e today.\n"
    (project / "docs" / "colours.md").write_text(text, encoding="utf-8")
    run("index", "docs")
    shown = run("search", "warning light")[1]
    assert "The warning light is red today." in shown
    assert "\x1b[31m" in run_json("search", "warning light")[1]["results"][0]["text"]
    assert "\x1b" not in run("show", "docs/colours.md")[1]
    assert run_json("show", "docs/colours.md")[1]["items"][0]["text"] == text


@pytest.mark.skipif(os.name != "posix", reason="file names are bytes on POSIX only")
def test_hostile_file_names_are_shown_harmlessly(project: Path, run: Any, run_json: Any) -> None:
    """A name with an escape sequence, and one that is no UTF-8, neither steer nor stop anything."""
    (project / "docs" / "a\x1b[31m\nb.md").write_text("# Lantern\n\nThe lantern is lit.\n", encoding="utf-8")
    with open(os.fsencode(project / "docs") + b"/caf\xe9.md", "wb") as file:
        file.write(b"# Harbour\n\nThe harbour is closed.\n")
    for words in (("index", "docs"), ("status",), ("list", "sources"), ("search", "lantern"), ("search", "harbour")):
        exit_status, out, err = run(*words)
        assert exit_status in (0, 1)
        assert "\x1b" not in out + err
        run_json(*words)


def test_status_names_roots_and_skipped_files(indexed: Path, run: Any, run_json: Any) -> None:
    """The indexed directory and the file that could not be read, with its reason."""
    exit_status, out, _ = run("status")
    assert exit_status == 0
    assert "noise.md" in out
    root = run_json("status")[1]["roots"][0]
    assert root["files"] == 2
    assert [os.path.basename(skip["path"]) for skip in root["skipped"]] == ["noise.md"]


def test_status_names_front_matter_that_cannot_be_read(indexed: Path, run: Any, run_json: Any) -> None:
    """A block that is no front matter of ours is named with what is wrong in it."""
    (indexed / "docs" / "odd.md").write_text("---\nkey: {a: 1\n---\n# Odd\n", encoding="utf-8")
    run("index", "docs")
    assert "odd.md" in run("status")[1]
    assert run_json("status")[1]["roots"][0]["unparsed"][0]["reason"]


def test_list_and_show_fit_together(indexed: Path, run: Any, run_json: Any) -> None:
    """What a list names can be shown: by id, by key, by file, and by a chunk's id."""
    exit_status, listed = run_json("list", "sources")
    assert (exit_status, listed["total"], listed["next"]) == (0, 2, None)
    source = listed["items"][0]
    assert source["key"] in run("list", "sources")[1]
    by_id = run_json("show", source["id"])[1]["items"][0]
    assert run_json("show", source["key"])[1]["items"][0]["text"] == by_id["text"]
    assert run_json("show", "docs/guide.md")[1]["items"][0]["text"] == GUIDE
    chunk = run_json("search", "refunds")[1]["results"][0]["id"]
    exit_status, shown = run_json("show", chunk, source["id"])
    assert (exit_status, shown["total"]) == (0, 2)
    assert "fourteen" in shown["items"][0]["text"]


def test_lists_come_in_pages(indexed: Path, run: Any, run_json: Any) -> None:
    """The cursor of a page leads to the next, and the text shows the command for it."""
    first = run_json("list", "sources", "--limit", "1")[1]
    assert first["total"] == 2
    assert "--after" in run("list", "sources", "--limit", "1")[1]
    second = run_json("list", "sources", "--limit", "1", "--after", first["next"])[1]
    assert second["next"] is None
    assert first["items"][0]["key"] != second["items"][0]["key"]


@pytest.mark.parametrize("what", ["sources", "roots", "recent"])
def test_every_list_has_text_and_json(indexed: Path, run: Any, run_json: Any, what: str) -> None:
    """Each has its entries in both forms."""
    exit_status, out, _ = run("list", what)
    assert exit_status == 0
    assert len(out.splitlines()) >= 2
    assert run_json("list", what)[1]["items"]


def test_show_an_outline_and_a_part(indexed: Path, run: Any, run_json: Any) -> None:
    """--outline lists headings with lines; lines can be taken from the middle."""
    assert run_json("show", "docs/guide.md", "--outline")[1]["items"][0]["text"] is None
    out = run("show", "docs/guide.md", "--outline")[1]
    assert "Removed files" in out
    assert "leaves the index" not in out
    part = run_json("show", "docs/guide.md", "--start-line", "4", "--limit-lines", "1")[1]["items"][0]
    assert (part["text"], part["lines"]) == ("# Guide\n", [4, 4])


@pytest.mark.parametrize("name", ["src_0000000000000000000000", "docs/none.md", "nonsense", "\udcff", ""])
def test_show_something_that_is_not_there(indexed: Path, run: Any, run_json: Any, name: str) -> None:
    """Exit status 2 for what can be no name, 3 for what is not there; never a traceback."""
    exit_status, out, err = run("show", name)
    assert exit_status in (2, 3)
    assert out == ""
    assert err.startswith("error: ")
    assert run_json("show", name)[1]["error"]["exit"] == exit_status


def test_reindex_keeps_every_answer(indexed: Path, run: Any, run_json: Any) -> None:
    """Derived data made again answers as before."""
    before = run_json("search", "refunds")[1]["results"]
    exit_status, given = run_json("reindex")
    assert (exit_status, given["sources"]) == (0, 2)
    assert run("reindex")[0] == 0
    assert run_json("search", "refunds")[1]["results"] == before


def test_global_options_stand_before_and_after(project: Path, tmp_path: Path, run: Any) -> None:
    """--store and --json mean the same on both sides of the command, with a space or an equals sign."""
    store = str(tmp_path / "elsewhere")
    assert run("--store", store, "index", "docs")[0] == 0
    outputs = {
        run(*words)[1]
        for words in (
            ("--store", store, "--json", "list", "sources"),
            ("list", "sources", "--store", store, "--json"),
            (f"--store={store}", "list", "--json", "sources"),
            ("list", f"--store={store}", "sources", "--json"),
        )
    }
    assert len(outputs) == 1
    assert json.loads(outputs.pop())["total"] == 2
    assert not (project / ".treering").exists()


def test_scope_chooses_the_store(
    project: Path, home: Path, tmp_path: Path, run: Any, run_json: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Global means the user's own store also inside a project; project is not found outside of one."""
    assert str(home) in run_json("status", "--scope", "global")[1]["store"]
    assert str(project) in run_json("status", "--scope", "project")[1]["store"]
    outside = tmp_path / "outside"
    outside.mkdir()
    monkeypatch.chdir(outside)
    assert run("--scope", "project", "status")[0] == 3
    assert str(home) in run_json("status")[1]["store"]


def test_a_file_that_is_no_store_is_damaged(project: Path, run: Any, run_json: Any) -> None:
    """Exit status 7 and words, not a database's error."""
    (project / ".treering").mkdir()
    (project / ".treering" / "memory.db").write_bytes(b"this is no database, and long enough to be read as one" * 100)
    exit_status, _, err = run("status")
    assert exit_status == 7
    assert "Traceback" not in err
    assert run_json("search", "x")[1]["error"]["exit"] == 7


def test_a_bug_of_ours_is_told_apart(indexed: Path, run: Any, run_json: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever else escapes: exit status 70, a short message, the traceback on standard error, still an object."""
    from treering import api

    def fail(*_: object, **__: object) -> None:
        """Break in a way that nothing foresees."""
        message = "wires \x1b[31mcrossed"
        raise RuntimeError(message)

    monkeypatch.setattr(api, "open", fail)
    exit_status, out, err = run("status")
    assert (exit_status, out) == (70, "")
    assert "Traceback" in err
    assert "RuntimeError: wires crossed" in err
    exit_status, given = run_json("status")
    assert (exit_status, given["error"]["code"], given["error"]["exit"]) == (70, "bug", 70)


def test_an_interruption_is_quiet(indexed: Path, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends with 130 and no traceback."""
    from treering import api

    def interrupt(*_: object, **__: object) -> None:
        """Act like a user who has waited enough."""
        raise KeyboardInterrupt

    monkeypatch.setattr(api, "open", interrupt)
    assert run("status") == (130, "", "")
