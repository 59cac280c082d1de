"""X21: a search knows when its folders have moved on."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import apsw
import pytest

import treering
from treering.api import freshness, noticing
from treering.domain.text import llm_tokens
from treering.errors import TreeringError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from treering import MemoryStore


def ask(text: str, **named: Any) -> Any:
    """Return the answer of a memory that was opened for this question."""
    with treering.open() as memory:
        return memory.search(text, mode="keyword", **named)


@pytest.fixture(autouse=True)
def _time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a look take as long as it needs: a busy machine takes longer than a search would give it."""
    monkeypatch.setenv("TREERING_SEARCH_FRESHNESS_MS", "10000")


@pytest.fixture
def indexed(project: Path) -> Path:
    """Return the project, everything indexed."""
    with treering.open() as memory:
        memory.index(["."])
    return project


def test_a_file_edited_in_place_is_found_as_it_is(indexed: Path) -> None:
    """New words are found without a run in between, old ones are not."""
    (indexed / "notes" / "ideas.txt").write_text("Sell ice cream from the lockers.\n", encoding="utf-8")
    assert ask("ice cream").found
    assert not ask("reserve telephone").found
    assert ask("ice cream").notices == ()


def test_a_new_file_is_found(indexed: Path) -> None:
    """Also in a folder that is new, and not when an ignore file leaves it out."""
    (indexed / "runbooks" / "fresh.md").write_text("# Fresh\n\nThe walrus page.\n", encoding="utf-8")
    assert ask("walrus").results[0].file == "runbooks/fresh.md"
    (indexed / "docs" / "deep" / "er").mkdir(parents=True)
    (indexed / "docs" / "deep" / "er" / "new.md").write_text("The narwhal page.\n", encoding="utf-8")
    assert ask("narwhal").results[0].file == "docs/deep/er/new.md"
    (indexed / ".gitignore").write_text("secret*\n", encoding="utf-8")
    (indexed / "docs" / "deep" / "secret.md").write_text("The beluga page.\n", encoding="utf-8")
    (indexed / "docs" / "deep" / "page.xyz").write_text("The dugong page.\n", encoding="utf-8")
    assert not ask("beluga").found
    assert not ask("dugong").found
    assert ask("walrus").notices == ()


def test_a_renamed_file_has_its_new_name_alone(indexed: Path) -> None:
    """What moved is found once, under the name it has now."""
    (indexed / "docs" / "guia.md").rename(indexed / "notes" / "manual.md")
    answer = ask("copia de seguridad")
    assert [result.file for result in answer.results] == ["notes/manual.md"]
    assert answer.results[0].notices == ()


def test_a_deleted_file_is_not_shown_as_if_it_were_there(indexed: Path, run: Callable[..., Any]) -> None:
    """It stays in the index until a run decides, and whoever finds it is told."""
    (indexed / "notes" / "ideas.txt").unlink()
    [result, *_] = ask("couriers reserve telephone").results
    assert result.notices == (noticing.GONE,)
    assert f"note: {noticing.GONE}" in run("search", "--mode", "keyword", "couriers reserve telephone").out
    assert ask("sorting robot").results[0].notices == ()
    with treering.open() as memory:
        assert memory.status().roots[0].behind == 1


def test_a_root_that_is_absent_is_no_error(indexed: Path, tmp_path: Path) -> None:
    """Answers come from what is known, each with a word; nothing is removed and nothing blocks."""
    (tmp_path / "mount").mkdir()
    (tmp_path / "mount" / "a.md").write_text("The walrus page.\n")
    with treering.open() as memory:
        memory.index([tmp_path / "mount"])
    (tmp_path / "mount").rename(tmp_path / "unmounted")
    answer = ask("walrus")
    assert [result.notices for result in answer.results] == [(noticing.GONE,)]
    (tmp_path / "unmounted").rename(tmp_path / "mount")
    assert [result.notices for result in ask("walrus").results] == [()]


def test_many_changes_are_announced(indexed: Path, run: Callable[..., Any]) -> None:
    """More than twenty files are for a run; the answer says how many and prints the command, `status` too."""
    (indexed / "more").mkdir()
    for one in range(21):
        (indexed / "more" / f"{one}.md").write_text(f"Page {one} of the walrus.\n", encoding="utf-8")
    answer = ask("roll back a bad release")
    assert answer.found
    assert answer.notices == (f"21 files behind: treering index {indexed}",)
    nothing = ask("walrus")
    assert not nothing.found
    assert nothing.notices == answer.notices
    assert "note: 21 files behind" in run("search", "--mode", "keyword", "walrus").out
    assert json.loads(run("status", "--json").out)["roots"][0]["behind"] == 21
    status = run("status").out
    assert "21 files are behind" in status
    assert f"next: treering index {indexed}" in status
    run("index", ".")
    assert ask("walrus").notices == ()
    assert json.loads(run("status", "--json").out)["roots"][0]["behind"] == 0


def test_a_large_change_is_announced(indexed: Path) -> None:
    """More than 1 MB is for a run, and a result from a file that changed says so."""
    guide = indexed / "docs" / "deploy.md"
    guide.write_text(guide.read_text(encoding="utf-8") + "More text.\n" * 100_000, encoding="utf-8")
    answer = ask("roll back a bad release")
    assert answer.notices == (f"1 file behind: treering index {indexed}",)
    assert answer.results[0].file == "docs/deploy.md"
    assert answer.results[0].notices == (noticing.CHANGED,)


@pytest.mark.sqlite
def test_nobody_is_waited_for(indexed: Path) -> None:
    """While another process writes, a search answers at once from what is there and says what is behind."""
    (indexed / "notes" / "ideas.txt").write_text("Sell ice cream from the lockers.\n", encoding="utf-8")
    other = apsw.Connection(str(indexed / ".treering" / "memory.db"))
    other.execute("begin immediate")
    answer = ask("couriers reserve telephone")
    assert answer.found
    assert answer.notices == (f"1 file behind: treering index {indexed}",)
    assert answer.results[0].notices == (noticing.CHANGED,)
    other.execute("rollback")
    other.close()
    assert ask("ice cream").found


@pytest.mark.sqlite
def test_a_search_over_what_is_fresh_writes_nothing(indexed: Path) -> None:
    """Not even after the run that made the store in one of its own folders."""
    with treering.open() as memory:
        memory.search("release", mode="keyword")
        connection = memory._opened(create=False)._connection  # type: ignore[attr-defined]
        before = connection.total_changes()
        memory.search("release", mode="keyword")
        memory.search("nothing of the kind", mode="keyword")
        assert connection.total_changes() == before
    fresh = treering.open()
    fresh.search("release", mode="keyword")
    assert fresh._opened(create=False)._connection.total_changes() == 0  # type: ignore[attr-defined]
    fresh.close()


def test_a_warm_memory_sees_changes_too(memory: MemoryStore, project: Path) -> None:
    """One open handle, edits between its questions: each answer knows them."""
    for number in range(5):
        (project / "README.md").write_text(f"# Kelp\n\nThe walrus number {number}.\n", encoding="utf-8")
        memory._freshness._not_before = 0.0
        assert f"number {number}" in memory.search("walrus", mode="keyword").results[0].text


def test_it_can_be_turned_off(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With ``search.freshness_ms`` at 0 a search looks at nothing and says nothing of changes."""
    monkeypatch.setenv("TREERING_SEARCH_FRESHNESS_MS", "0")
    (indexed / "notes" / "ideas.txt").write_text("Sell ice cream from the lockers.\n", encoding="utf-8")
    assert not ask("ice cream").found
    assert ask("couriers reserve telephone").notices == ()


def test_a_file_that_cannot_be_read_is_mentioned_once(indexed: Path) -> None:
    """A file that turned binary is behind until a run has said why it is left as it was."""
    (indexed / "notes" / "ideas.txt").write_bytes(bytes(range(256)) * 20)
    assert "1 file behind" in ask("sorting robot").notices[0]
    with treering.open() as memory:
        memory.index(["."])
    assert ask("sorting robot").notices == ()


@pytest.mark.parametrize("kind", ["a pipe", "a folder", "a link"])
def test_something_else_in_a_files_place_is_gone(indexed: Path, kind: str) -> None:
    """A pipe blocks nobody, a link is not followed."""
    file = indexed / "notes" / "ideas.txt"
    file.unlink()
    if kind == "a pipe":
        os.mkfifo(file)
    elif kind == "a folder":
        file.mkdir()
    else:
        file.symlink_to(indexed / "README.md")
    assert ask("sorting robot").found


def test_a_narrowed_search_looks_where_it_searches(indexed: Path, tmp_path: Path) -> None:
    """Changes in a root that cannot be in the answer are no matter of it."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "a.md").write_text("The walrus page.\n")
    with treering.open() as memory:
        memory.index([other])
    for one in range(25):
        (other / f"new{one}.md").write_text("Another page.\n")
    assert ask("sorting robot", path="notes").notices == ()
    assert "25 files behind" in ask("walrus", path=other).notices[0]


@pytest.mark.parametrize("max_tokens", [60, 100, 200])
def test_notices_of_a_refusal_are_inside_the_budget(indexed: Path, run: Callable[..., Any], max_tokens: int) -> None:
    """NOT FOUND says what is behind where there is room for it, and never more than was allowed."""
    for number in range(40):
        (indexed / "docs" / f"new{number}.md").write_text(f"# New {number}\n", encoding="utf-8")
    done = run("search", "--mode", "keyword", "--max-tokens", max_tokens, "xylophone")
    assert done.status == 1
    assert llm_tokens(done.out) <= max_tokens
    assert ("files behind" in done.out) == (max_tokens >= 100)


@pytest.mark.parametrize("max_tokens", [50, 60, 80, 120, 300])
def test_notices_are_inside_the_budget(indexed: Path, run: Callable[..., Any], max_tokens: int) -> None:
    """Whatever is said of files costs no more than was allowed, as printed."""
    (indexed / "notes" / "ideas.txt").unlink()
    shutil.copytree(indexed / "docs", indexed / "copies")
    for one in range(25):
        (indexed / "copies" / f"new{one}.md").write_text("Another page.\n")
    for question in ("couriers reserve telephone", "roll back a bad release", "queue"):
        options = ("--mode", "keyword", "--max-tokens", max_tokens)
        out = run("search", *options, question).out
        assert llm_tokens(out) <= max_tokens or "NOT FOUND" in out
        answer = ask(question, max_tokens=max_tokens)
        assert answer.tokens <= max_tokens
        for result in answer.results:
            assert result.file is not None
            assert os.path.exists(result.file) or noticing.GONE in result.notices


def test_time_that_is_used_up_says_nothing_wrong(indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look that ends before it has seen anything announces nothing, and the answer is there."""
    monkeypatch.setenv("TREERING_SEARCH_FRESHNESS_MS", "0.000001")
    (indexed / "notes" / "ideas.txt").write_text("Sell ice cream from the lockers.\n", encoding="utf-8")
    answer = ask("couriers reserve telephone")
    assert answer.found
    assert answer.notices == ()


def test_a_network_file_system_is_left_alone(indexed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a stat may block, nothing is looked at: the list of mounts tells such places."""
    mounts = tmp_path / "mountinfo"
    mounts.write_text(f"27 1 254:0 / / rw - ext4 /dev/vda rw\n30 27 0:9 / {indexed} rw - nfs4 server:/x rw\n")
    monkeypatch.setattr(freshness, "_MOUNTS", str(mounts))
    (indexed / "notes" / "ideas.txt").unlink()
    [result, *_] = ask("couriers reserve telephone").results
    assert result.notices == ()
    assert freshness.network_mounts() == (str(indexed),)


def test_rules_that_changed_are_still_refused(labelled: Path) -> None:
    """Catching up with a file says nothing about the others' metadata: a filter waits for a run."""
    with treering.open() as memory:
        memory.index(["."])
    rules = labelled / ".treering.json"
    rules.write_text(rules.read_text(encoding="utf-8").replace('"decision"', '"choice"'), encoding="utf-8")
    (labelled / "decisions" / "0002.md").write_text("# Two\n\nAnother durable queue.\n", encoding="utf-8")
    with pytest.raises(TreeringError, match="rules"):
        ask("durable queue", where={"kind": "choice"})


def test_files_that_only_have_another_time_are_quietly_compared(indexed: Path) -> None:
    """A change of mode or a checkout forth and back of many files is no news, and they are compared once."""
    many = indexed / "many"
    many.mkdir()
    for one in range(60):
        (many / f"{one}.md").write_text(f"Page {one} of the walrus.\n", encoding="utf-8")
    with treering.open() as memory:
        memory.index(["."])
    for one in range(0, 60, 2):
        (many / f"{one}.md").chmod(0o600)
        os.utime(many / f"{one + 1}.md")
    with treering.open() as memory:
        assert memory.status().roots[0].behind == 0
    answer = ask("walrus")
    for _ in range(20):  # a slow machine compares some of them only
        if not answer.notices and not any(result.notices for result in answer.results):
            break
        answer = ask("walrus")
    assert answer.notices == ()
    assert [result.notices for result in answer.results] == [()] * len(answer.results)
    with treering.open() as memory, memory._reading() as tx:
        [root] = tx.sources.roots()
        known = {path: ctime for path, _, _, ctime in tx.sources.stamps(root.number)}
    assert known["many/0.md"] == (many / "0.md").stat().st_ctime_ns
    assert known["many/1.md"] == (many / "1.md").stat().st_ctime_ns


def test_edits_under_their_old_time_are_read_among_many_that_only_look_changed(indexed: Path) -> None:
    """Of 30 files with another ctime the one with other words in the same size is read."""
    many = indexed / "many"
    many.mkdir()
    for one in range(30):
        (many / f"{one}.md").write_text(f"Page {one:02} of the walrus.\n", encoding="utf-8")
    with treering.open() as memory:
        memory.index(["."])
    for one in range(30):
        (many / f"{one}.md").chmod(0o600)
    status = (many / "0.md").stat()
    (many / "0.md").write_text("Page 00 of the dugong.\n", encoding="utf-8")
    os.utime(many / "0.md", ns=(status.st_atime_ns, status.st_mtime_ns))
    found = next((answer for answer in (ask("dugong") for _ in range(20)) if answer.found), None)
    assert found is not None
    assert found.results[0].file == "many/0.md"
