"""B18: everything that a memory said is shown with its quotes, and sources are read page by page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_show_history_has_every_wording(folder: Path, run: Callable[..., Any]) -> None:
    """Each former text with the time until which it stood, the slot's dates, and the quote of what it says now."""
    id = json.loads(run("remember", "The dock opens at six.", "--slot", "dock/opens", "--json").out)["id"]
    run("update", id, "The dock opens at seven.", "--value", "7:00")
    run("update", id, "The dock opens at eight.", "--value", "8:00")
    shown = json.loads(run("show", id, "--json").out)["items"][0]
    assert [(one["revision"], one["text"]) for one in shown["history"]] == [
        (1, "The dock opens at six."), (2, "The dock opens at seven."),
    ]  # fmt: skip
    assert (shown["slot"], shown["value"], shown["revision"]) == ("dock/opens", "8:00", 3)
    assert [quote["text"] for quote in shown["quotes"]] == ["The dock opens at eight."]
    text = run("show", id, "--history").out
    for part in ("slot: dock/opens = 8:00", "revision 1, until", "at six.", "revision 2, until", "at seven."):
        assert part in text, part


def test_a_change_to_what_one_has_not_seen_is_refused(folder: Path, run: Callable[..., Any]) -> None:
    """With the revision that was seen, a change is made only while it still is that one."""
    id = json.loads(run("remember", "The dock opens at six.", "--json").out)["id"]
    assert run("update", id, "The dock opens at seven.", "--revision", "1").status == 0
    late = run("update", id, "The dock opens at five.", "--revision", "1")
    assert (late.status, f"treering show {id} --history" in late.err) == (5, True)


def test_a_source_is_read_in_pages(folder: Path, run: Callable[..., Any]) -> None:
    """From a line, as many lines as are wanted."""
    (folder / "log.md").write_text("".join(f"line {number}\n" for number in range(1, 101)), encoding="utf-8")
    run("index", ".")
    page = json.loads(run("show", "log.md", "--start-line", "40", "--limit-lines", "3", "--json").out)["items"][0]
    assert (page["lines"], page["text"]) == ([40, 42], "line 40\nline 41\nline 42\n")


def test_memories_are_found_by_what_they_quote(folder: Path, run: Callable[..., Any]) -> None:
    """A memory quotes a file by its path; the list of memories is narrowed to those that do."""
    (folder / "plan.md").write_text("# Plan\n\nThe launch is on November 15.\n", encoding="utf-8")
    run("index", ".")
    ran = run(
        "remember", "Launch mid-November", "--source", "plan.md", "--quote", "on November 15", "--kind", "project",
        "--slot", "project-a/launch-date", "--json",
    )  # fmt: skip
    assert ran.status == 0, ran
    id = json.loads(ran.out)["id"]
    other = json.loads(run("remember", "Something else", "--json").out)["id"]

    def listed(*words: str) -> list[str]:
        """Return the ids of a list of memories."""
        return [one["id"] for one in json.loads(run("list", "memories", *words, "--json").out)["items"]]

    assert listed() == [other, id]
    assert listed("--source", "plan.md") == listed("--kind", "project") == listed("--slot", "Project A") == [id]
    assert listed("--kind", "project", "--kind", "semantic") == [other, id]
    assert listed("--status", "archived") == []
    assert run("list", "memories", "--source", "nowhere.md").status == 3
    assert run("list", "memories", "--status", "odd").status == 2
    assert run("list", "memories", "--kind", "odd").status == 2
    assert run("list", "sources", "--kind", "project").status == 2
    refused = run("remember", "Launch soon", "--source", "plan.md", "--quote", "launch is on November 16")
    assert (refused.status, "November 15" in refused.err) == (4, True)
    assert run("remember", "Launch soon", "--source", "plan.md").status == 2
