"""A02: a result carries every heading above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering import MemoryStore


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("undo release previous", ["Deploy guide", "Staging", "Rollback"]),
        ("courier partners", ["Deploy guide", "Production", "Checklist"]),
        ("upload attempts", ["Configuration", "Retries"]),
        ("copia de seguridad", ["Guía de operaciones", "Copias de seguridad"]),
        ("数据库迁移", ["值班手册", "数据库迁移"]),
        ("promote the replica", ["Database failover"]),
    ],
)
def test_a_result_names_all_its_headings(memory: MemoryStore, question: str, path: list[str]) -> None:
    """The path goes from the outermost heading to the nearest, and each of its titles stands in the text."""
    best = memory.search(question).results[0]
    assert [heading.title for heading in best.path] == path
    places = [best.text.index(title) for title in path]
    assert places == sorted(places)


def test_levels_that_jump_keep_their_order(remember_files: Callable[..., MemoryStore]) -> None:
    """A heading three levels deeper is under the one before; a shallower one leaves it."""
    memory = remember_files(
        {"a.md": "# One\n\n#### Deep\n\nThe quail.\n\n## Two\n\nThe heron.\n\n### Three\n\nThe stork.\n"}
    )
    paths = {
        bird: [heading.title for heading in memory.search(bird).results[0].path] for bird in ("quail", "heron", "stork")
    }
    assert paths == {"quail": ["One", "Deep"], "heron": ["One", "Two"], "stork": ["One", "Two", "Three"]}


def test_the_surface_shows_the_path(memory: MemoryStore, run: Callable[..., tuple[int, str, str]]) -> None:
    """The citation line of an answer names the headings beside file and lines."""
    _, out, _ = run("search", "undo release previous")
    citation = out.splitlines()[0]
    assert citation.startswith("[1] docs/deploy.md:9-")
    assert all(title in citation for title in ("Deploy guide", "Staging", "Rollback"))


def test_the_lines_of_a_citation_are_those_that_show_gives(remember_files: Callable[..., MemoryStore]) -> None:
    """Form feeds and other signs that some programs take for line ends count for none."""
    memory = remember_files({"a.md": "# A\n\none\x0ctwo\u2028three\x85four\x0bfive\x1csix\n\n# B\n\nThe stoat.\n"})
    first, last = memory.search("stoat").results[0].lines
    assert memory.show("a.md", start_line=first, limit_lines=last - first + 1).text == "# B\n\nThe stoat.\n"
