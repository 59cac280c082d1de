"""X11: files as editors, merges, other systems and accidents leave them: taken or refused in words, nothing is lost."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import mirrors
import pytest

import treering

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering import MemoryStore

pytestmark = pytest.mark.sqlite


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return a memory of a project with two memories, and their files."""
    with treering.open(folder) as opened:
        opened.remember("The first one", title="First")
        opened.remember("The second one", title="Second")
        opened.write_mirror()
        yield opened


def why(memory: MemoryStore, name: str) -> str:
    """Sync and return why a file was refused; everything else must be as it was."""
    before = mirrors.rows(memory)["memory"]
    report = memory.sync()
    [one] = [one for one in report.files if one.path.rpartition("/")[2] == name]
    assert one.outcome == "refused"
    assert mirrors.rows(memory)["memory"] == before
    assert report.clean is False
    assert (Path(memory.mirror_folder) / one.path).exists() or (Path(memory.mirror_folder) / one.path).is_symlink()
    return one.notices[0]


def of(memory: MemoryStore, title: str) -> tuple[str, Path]:
    """Return id and file of a memory by its title."""
    [id] = [one.id for one in memory.list("memories").items if one.title == title]
    return id, mirrors.file_of(memory, id)


def test_a_file_of_fifty_megabytes(memory: MemoryStore) -> None:
    """It is not read as a memory."""
    with (Path(memory.mirror_folder) / "big.md").open("wb") as opened:
        opened.truncate(50 << 20)
    assert "too large" in why(memory, "big.md")


def test_a_binary_file_and_one_in_another_encoding(memory: MemoryStore) -> None:
    """They are no text."""
    (Path(memory.mirror_folder) / "image.md").write_bytes(b"\x89PNG\r\n\0\0")
    assert "no text" in why(memory, "image.md")
    (Path(memory.mirror_folder) / "image.md").write_bytes("Señal".encode("latin-1"))
    assert "UTF-8" in why(memory, "image.md")


def test_a_link_out_of_the_folder(memory: MemoryStore, tmp_path: Path) -> None:
    """A linked file or folder is not read, and nothing is written through it."""
    secret = tmp_path / "secret.md"
    secret.write_text("The key is under the mat\n", encoding="utf-8")
    (Path(memory.mirror_folder) / "link.md").symlink_to(secret)
    assert "link" in why(memory, "link.md")
    (Path(memory.mirror_folder) / "link.md").unlink()
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.md").write_text("Not ours\n", encoding="utf-8")
    (Path(memory.mirror_folder) / "folder").symlink_to(outside, target_is_directory=True)
    assert memory.sync().files == ()
    assert not memory.search("mat").found
    (Path(memory.mirror_folder) / "entities").symlink_to(outside, target_is_directory=True)
    memory.remember("Ines is here", entities=["Ines"])
    with pytest.raises(treering.errors.StorageFailed, match="link"):
        memory.write_mirror()
    assert [one.name for one in outside.iterdir()] == ["x.md"]


@pytest.mark.parametrize(
    "broken",
    ["title: 'open", "title: [a, b", "title: *alias", "  - odd: {", "title: a\ntitle: b"],
)
def test_front_matter_that_was_broken_by_hand(memory: MemoryStore, broken: str) -> None:
    """The file is refused with the line, and is taken once it is mended."""
    id, path = of(memory, "First")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("title: First", broken), encoding="utf-8")
    assert "front matter" in why(memory, path.name)
    path.write_text(text.replace("title: First", "title: Mended"), encoding="utf-8")
    memory.sync(as_owner=True)
    assert memory.show(id).title == "Mended"


def test_front_matter_that_is_not_closed(memory: MemoryStore) -> None:
    """The file is refused."""
    _, path = of(memory, "First")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("\n---\n", "\n"), encoding="utf-8")
    assert "not closed" in why(memory, path.name)


def test_two_files_with_one_id(memory: MemoryStore) -> None:
    """The one that was there stays the memory's; the copy is refused."""
    id, path = of(memory, "First")
    copy = path.with_name("a copy.md")
    copy.write_text(path.read_text(encoding="utf-8").replace("The first", "Another"), encoding="utf-8")
    assert id in why(memory, "a copy.md")
    assert memory.show(id).content == "The first one"
    with treering.open(store=path.parents[5] / "else") as other:
        report = other.rebuild(memory.mirror_folder)
        assert [one for one, _ in report.left_out] == [copy.relative_to(memory.mirror_folder).as_posix()]
        assert other.show(id).content == "The first one"


def test_an_edited_id(memory: MemoryStore) -> None:
    """It is no other memory's file, and the memory is not archived."""
    id, path = of(memory, "First")
    path.write_text(path.read_text(encoding="utf-8").replace(f"id: {id}\n", f"id: {id[:-1]}z\n", 1), encoding="utf-8")
    assert id in why(memory, path.name)
    assert memory.show(id).status == "active"


def test_titles_that_no_file_system_likes(memory: MemoryStore) -> None:
    """Long ones, paths, reserved names, signs alone, and two that differ in case: each is a file of its own."""
    titles = [
        "x" * 5000,
        "../../etc/passwd",
        "CON",
        "index",
        "log.md",
        "???",
        "Case",
        "case",
        "CASE",
        "a/b\\c:d",
        "港口" * 200,
    ]
    ids = [memory.remember(f"Number {number}", title=title).id for number, title in enumerate(titles)]
    root = Path(memory.mirror_folder).resolve()
    paths = [mirrors.file_of(memory, id) for id in ids]
    assert len({str(path).lower() for path in paths}) == len(ids)
    for path in paths:
        assert path.resolve().is_relative_to(root)
        assert len(path.name.encode()) < 100
        assert path.name not in {"index.md", "log.md"}
    with treering.open(store=root.parents[1] / "else") as other:
        assert other.rebuild(root).left_out == ()
        assert mirrors.rows(other)["memory"] == mirrors.rows(memory)["memory"]


@pytest.mark.parametrize(
    "content",
    [
        "---\nid: mem_x\n---\nNo front matter of ours",
        "<!-- quotes: what follows is what the memory rests on -->\n\n> not a quote",
        "# Quotes\n\n> a line\n> another\n\n[^ver_01]",
        "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> x",
        "A tab\tand \u2028 odd \u0085 line ends",
        "---",
        "> quoted\n\n---\n\nend",
    ],
)
def test_words_that_look_like_the_format(memory: MemoryStore, content: str) -> None:
    """Whatever a memory says, its file says it and is read back as just that."""
    id = memory.remember(content, title=content[:60], summary="a: b # c", tags=["x: y", "- z", "#", "true", "1"]).id
    memory.write_mirror()
    assert memory.sync().files == ()
    path = mirrors.file_of(memory, id)
    os.utime(path, ns=(1, 1))
    with treering.open(store=path.parents[5] / "else") as other:
        assert other.rebuild(memory.mirror_folder).left_out == ()
        assert mirrors.rows(other) == mirrors.rows(memory)
    assert memory.sync().files == ()


def test_a_secret_in_a_file_is_refused(memory: MemoryStore) -> None:
    """What a write refuses, a sync refuses: the secret comes into no store."""
    (Path(memory.mirror_folder) / "key.md").write_text("The key is AKIAIOSFODNN7EXAMPLQ, keep it\n", encoding="utf-8")
    assert "AKIAIOSFODNN7EXAMPLQ" not in why(memory, "key.md")


def test_an_edited_text_of_a_source(memory: MemoryStore, folder: Path) -> None:
    """A version does not change: the edit is refused, a removed file is written again, a rebuild leaves it out."""
    (folder / "a.txt").write_text("Doors stay open.\n", encoding="utf-8")
    source = memory.import_(["a.txt"])[0]
    memory.write_mirror()
    path = mirrors.file_of(memory, source.version)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("open", "shut"), encoding="utf-8")
    assert "does not change" in why(memory, path.name)
    with treering.open(store=folder / "else") as other:
        [(left, reason)] = other.rebuild(memory.mirror_folder).left_out[:1]
        assert left.endswith(path.name)
        assert "no longer" in reason
    path.unlink()
    assert memory.sync().files == ()
    assert path.read_text(encoding="utf-8") == text


def test_what_a_rebuild_cannot_read_is_listed(memory: MemoryStore, folder: Path) -> None:
    """Everything else comes back; the file stays for whoever mends it."""
    id, path = of(memory, "First")
    path.write_text(path.read_text(encoding="utf-8").replace("kind: semantic\n", ""), encoding="utf-8")
    (path.parent / "broken.md").write_bytes(b"\0\1\2")
    with treering.open(store=folder / "else") as other:
        report = other.rebuild(memory.mirror_folder)
        assert len(report.left_out) == 2
        assert [one.title for one in other.list("memories").items] == ["Second"]
    assert path.exists()
    assert memory.show(id).content == "The first one"
