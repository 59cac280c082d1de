"""What a session has on its desk: files as they were handed out, notes, and where both end."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from treering.errors import InputError
from treering.workbench import reads, scratch, sessions
from treering.workbench.desk import Aside, Desk, Read

FILE = "".join(f"line {n} of the file\n" for n in range(1, 61))


def look(
    text: str, before: Read | None, first: int = 1, last: int | None = None, *, most: int = 5000, force: bool = False
) -> reads.Reading:
    """Return what is handed out of a file."""
    return reads.look(text, before, "a.py", first, last, most, force=force)


def test_a_file_is_handed_out_once() -> None:
    """The first time it comes whole, the second time as unchanged; force gives it again."""
    once = look(FILE, None)
    assert (once.state, once.text, once.lines, once.total) == ("new", FILE, (1, 60), 60)
    again = look(FILE, once.read)
    assert (again.state, again.text, again.tokens) == ("unchanged", "", 0)
    assert look(FILE, once.read, force=True).text == FILE


def test_a_changed_file_comes_as_a_difference() -> None:
    """A unified diff against what was handed out; after it, the file counts as read."""
    once = look(FILE, None)
    changed = FILE.replace("line 30 of", "row 30 of")
    again = look(changed, once.read)
    assert again.state == "changed"
    assert "-line 30 of the file\n+row 30 of the file\n" in again.text
    assert again.tokens < again.whole_tokens / 2
    assert look(changed, again.read).state == "unchanged"


def test_a_difference_that_is_longer_than_the_file_gives_the_file() -> None:
    """A file that shrank to little, or became another, is handed out as it is."""
    once = look(FILE, None)
    assert look("short\n", once.read).text == "short\n"
    assert look("", once.read).text == ""


def test_ranges_are_handed_out_one_by_one() -> None:
    """Lines that were not seen are given; those that were are unchanged; all of them together are the file."""
    first = look(FILE, None, 1, 20)
    assert first.text.count("\n") == 20
    assert look(FILE, first.read, 5, 10).state == "unchanged"
    second = look(FILE, first.read, 15, 60)
    assert second.state == "new"
    assert look(FILE, second.read).state == "unchanged"
    changed = look(FILE + "more\n", first.read, 1, 20)
    assert changed.state == "new", "what was seen in part has no difference"


def test_a_long_file_ends_at_a_whole_line() -> None:
    """Beyond the budget the rest is left for the next call, and only what was shown counts as read."""
    part = look(FILE, None, most=100)
    assert part.text.endswith("\n")
    assert part.lines[1] < 60
    assert look(FILE, part.read, part.lines[1] + 1).state == "new"


def test_lines_are_counted_as_editors_do() -> None:
    """A form feed or a separator of Unicode begins no line; CRLF stays."""
    text = "a\x0cb\u2028c\r\nd\r\n"
    assert look(text, None, 2, 2).text == "d\r\n"


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """Return a folder for sessions that nothing is in yet."""
    return str(tmp_path / "store" / "cache" / "sessions")


def test_a_session_outlives_its_process(folder: str) -> None:
    """Notes and reads are there when the desk is opened again; files are closed to others."""
    desk = sessions.opened(folder, "review")
    assert not os.path.exists(folder), "nothing is made before something is put aside"
    desk.put_aside(Aside("note", "clock", "The flaky test needs a clock.\nTwo lines, é, \ud800."))
    desk.note_read("/x/a.py", Read("text\n", ((1, 1),)))
    again = sessions.opened(folder, "review")
    assert again.aside == desk.aside
    assert again.reads == desk.reads
    assert os.stat(os.path.join(folder, "review.session")).st_mode & 0o077 == 0
    assert os.stat(folder).st_mode & 0o077 == 0
    again.forget_read("/x/a.py")
    assert sessions.opened(folder, "review").reads == {}


def test_two_commands_of_a_session_lose_nothing(folder: str) -> None:
    """Desks that were opened before each other's notes still keep them all."""
    desks = [sessions.opened(folder, "shared") for _ in range(4)]
    for number in range(40):
        desks[number % 4].put_aside(Aside("note", "", f"note {number}"))
    assert {one.text for one in sessions.opened(folder, "shared").aside} == {f"note {n}" for n in range(40)}


def test_a_torn_record_costs_nothing_but_itself(folder: str) -> None:
    """What a crash left half written is passed over, whatever it is; the next record is whole."""
    desk = sessions.opened(folder, "torn")
    desk.put_aside(Aside("note", "", "before"))
    file = Path(folder, "torn.session")
    whole = file.read_bytes()
    for stop in range(len(whole)):
        file.write_bytes(whole + whole[:stop])
        sessions.opened(folder, "torn").put_aside(Aside("note", "", "after"))
        texts = [one.text for one in sessions.opened(folder, "torn").aside]
        assert texts[0] == "before"
        assert texts[-1] == "after"
    for odd in (
        b"[]\n",
        b'{"aside": 3}\n',
        b'{"read": "x", "seen": 5, "text": "t"}\n',
        b"\xff\xfe\n",
        b'{"read": 1}\n',
    ):
        file.write_bytes(odd + whole)
        assert [one.text for one in sessions.opened(folder, "torn").aside] == ["before"]


def test_a_session_ends_with_its_terminal(folder: str) -> None:
    """The notes of a terminal that is gone, and of a session a week idle, go with the next look at any."""
    os.makedirs(folder)
    gone = Path(folder, "terminal-999999999-1.session")
    idle = Path(folder, "old.session")
    for file in (gone, idle):
        file.write_text("{}\n", encoding="utf-8")
    os.utime(idle, (1, 1))
    own = sessions.current({})
    sessions.opened(folder, own).put_aside(Aside("note", "", "kept"))
    assert sessions.opened(folder, sessions.current({})).aside
    assert not gone.exists()
    assert not idle.exists()
    assert sessions.current({"TREERING_SESSION": "review"}) == "review"


def test_a_session_is_ended_by_hand_or_by_an_erasure(folder: str) -> None:
    """Ending removes one, an erasure all; what was never there is no error."""
    for name in ("one", "two"):
        sessions.opened(folder, name).put_aside(Aside("note", "", "x"))
    assert sessions.end(folder, "one")
    assert not sessions.end(folder, "one")
    assert sessions.drop_all(folder) == 1
    assert sessions.drop_all(folder) == 0


@pytest.mark.parametrize("name", ["../out", "", "a/b", ".hidden", "x" * 101, "a b"])
def test_a_name_leads_nowhere_else(folder: str, name: str) -> None:
    """A session cannot be called by a path."""
    with pytest.raises(InputError):
        sessions.opened(folder, name)
    assert not sessions.end(folder, name)


def test_old_output_goes_before_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A desk that is full gives up its oldest output and no note."""
    monkeypatch.setattr("treering.workbench.desk._MOST_CHARS", 100)
    desk = Desk()
    desk.put_aside(Aside("output", "first", "x" * 80))
    desk.put_aside(Aside("note", "", "n" * 50))
    desk.put_aside(Aside("output", "second", "y" * 40))
    assert [one.label for one in desk.aside] == ["", "second"]


def test_recall_finds_notes_and_lines_of_output() -> None:
    """A note comes first, output by the lines that hold the words; nothing is invented."""
    log = "\n".join(f"compiling module {n}" for n in range(200)) + "\nheron.c:12: undefined reference to marsh_depth\n"
    kept = [
        Aside("note", "plan", "The heron bug is in marsh_depth."),
        Aside("output", "build", log),
        Aside("note", "", "Buy milk."),
    ]
    found = scratch.recall(kept, "heron marsh_depth", "", 600)
    assert [one.label for one in found][:2] == ["plan", "build"]
    assert found[1].lines is not None
    assert "undefined reference" in found[1].text
    assert scratch.recall(kept, "walrus", "", 600) == []
    assert [one.text for one in scratch.recall(kept, "", "", 600)] == ["Buy milk.", "The heron bug is in marsh_depth."]


def test_a_clue_tells_candidates_apart() -> None:
    """Of two that match alike, the one that the clue is about comes first."""
    kept = [Aside("note", "", "Luis reviewed the parser."), Aside("note", "", "Luis reviewed the billing job.")]
    assert scratch.recall(kept, "Luis reviewed", "parser", 600)[0].text == "Luis reviewed the parser."
    assert scratch.recall(kept, "Luis reviewed", "billing", 600)[0].text == "Luis reviewed the billing job."


def test_recall_stays_in_its_budget() -> None:
    """A note that is longer than the budget is cut, many are left out."""
    kept = [Aside("note", "", f"heron {'word ' * 2000}{n}") for n in range(3)]
    [only] = scratch.recall(kept, "heron", "", 60)
    assert only.tokens <= 70
    assert json.dumps(only.text)
