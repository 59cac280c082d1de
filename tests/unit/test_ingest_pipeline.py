"""A run over a root: what is read again, what is only touched, what leaves, what stays unknown."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from treering.domain.chunk import Chunk, Chunked
from treering.domain.source import Root, Skip, Tracked
from treering.errors import InputError, NotFound, OutsideRoot
from treering.ingest import pipeline, reading
from treering.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering.intake import Changes, NewVersion


def whole(
    text: str, name: str, *, front_matter_chars: int, target_chars: int, max_leaf_tokens: int, domain: str
) -> Chunked:
    """Cut a text into one chunk, titled by its first line."""
    assert domain == ""
    assert name
    assert target_chars
    assert max_leaf_tokens
    body = text[front_matter_chars:]
    title = body.partition("\n")[0].removeprefix("# ") if body.startswith("# ") else None
    return Chunked(title, (Chunk(0, 0, len(text), 1, 1 + text.count("\n"), "mixed"),))


class Memory:
    """A root with what a store would know about it after each run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = Root(1, "vault", "", "", "")
        self.known: dict[str, Tracked] = {}
        self.versions: dict[str, NewVersion] = {}
        self.metadata: dict[str, dict[str, tuple[str, ...]]] = {}

    def write(self, path: str, content: str | bytes = "# T\n\nText.\n") -> Path:
        """Write a file below the root."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def index(self, glob: str = "", *, prune: bool | None = None, settings: Settings | None = None) -> pipeline.Run:
        """Run once and take in what comes."""
        run = pipeline.Run(
            self.folder, self.root, list(self.known.values()), anchor="vault/{}".format,
            settings=settings or Settings(),
            glob=glob, prune=prune, chunker=whole,
        )  # fmt: skip
        for changes in run.batches():
            self.take(changes)
        return run

    def index_file(self, file: Path) -> Changes:
        """Read one named file and take in what comes."""
        changes = pipeline.read_one(
            self.folder, self.root, file, self.known.get, anchor="vault/{}".format, settings=Settings(), chunker=whole
        )
        self.take(changes)
        return changes

    def take(self, changes: Changes) -> None:
        """Apply a batch as a store would."""
        for version in changes.versions:
            path = version.tracked.path
            self.known[path] = version.tracked._replace(source=version.tracked.source or f"src_{path}")
            self.versions[path] = version
            self.metadata[path] = version.metadata.values
        for tracked in changes.touched:
            self.known[tracked.path] = tracked
        for tracked, metadata in changes.refreshed:
            self.known[tracked.path] = tracked
            self.metadata[tracked.path] = metadata.values
        for tracked in changes.gone:
            del self.known[tracked.path], self.metadata[tracked.path]


def figures(run: pipeline.Run) -> tuple[int, int, int, int, int]:
    """Return added, changed, unchanged, refreshed, removed."""
    return run.added, run.changed, run.unchanged, run.refreshed, run.removed


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """Return an empty root."""
    folder = tmp_path / "vault"
    folder.mkdir()
    return Memory(folder)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Run as a user whom permissions stop, for they do not stop the superuser."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.fixture
def fenced() -> Iterator[Memory]:
    """Return an empty root that everybody may enter."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Memory(Path(folder))


def test_a_new_file_arrives_whole(memory: Memory) -> None:
    """Text, title, key, metadata, digest and stamp of a new file are complete."""
    memory.write("d/a.md", "---\nkind: note\n---\n# One\n")
    run = memory.index()
    version = memory.versions["d/a.md"]
    assert figures(run) == (1, 0, 0, 0, 0)
    assert (version.key, version.title) == ("file:vault/d/a.md", "One")
    assert version.document.text == "---\nkind: note\n---\n# One\n"
    assert version.document.front_matter_chars == len("---\nkind: note\n---\n")
    assert version.metadata.values == {"kind": ("note",)}
    assert version.tracked.stamp == reading.stamp_of(os.stat(memory.folder / "d/a.md"))
    assert version.document.size_bytes == version.tracked.stamp.size_bytes


@pytest.mark.parametrize(
    "text,title", [("---\ntitle: Front\n---\n# Head\n", "Front"), ("# Head\n", "Head"), ("words\n", "a.b"), ("", "a.b")]
)
def test_the_title_comes_from_the_best_place(memory: Memory, text: str, title: str) -> None:
    """Front matter, then the text's own title, then the file's name."""
    memory.write("a.b.md", text)
    memory.index()
    assert memory.versions["a.b.md"].title == title


def test_a_second_run_does_nothing(memory: Memory) -> None:
    """Unchanged files cost a stat, and no batch is handed out."""
    for n in range(5):
        memory.write(f"{n}.md")
    memory.index()
    run = pipeline.Run(
        memory.folder, memory.root, list(memory.known.values()), anchor=str, settings=Settings(), chunker=whole
    )
    assert list(run.batches()) == []
    assert figures(run) == (0, 0, 5, 0, 0)


def test_an_edit_with_its_time_set_back_is_seen(memory: Memory) -> None:
    """Same size and same mtime do not hide a change."""
    file = memory.write("a.md", "# old\n")
    memory.index()
    before = os.stat(file)
    file.write_text("# new\n", encoding="utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert figures(memory.index()) == (0, 1, 0, 0, 0)
    assert memory.versions["a.md"].title == "new"
    assert memory.known["a.md"].source == "src_a.md"


def test_two_edits_in_a_row_are_both_seen(memory: Memory) -> None:
    """An edit right after a run, of the same size, leaves a trace in the stamp."""
    file = memory.write("a.md", "# 000\n")
    memory.index()
    for n in range(1, 30):
        file.write_text(f"# {n:03}\n", encoding="utf-8")
        assert memory.index().changed == 1


def test_a_touched_file_is_not_cut_again(memory: Memory) -> None:
    """The same content under a new stamp is healed once."""
    file = memory.write("a.md")
    memory.index()
    del memory.versions["a.md"]
    os.utime(file, ns=(1, 1))
    assert figures(memory.index()) == (0, 0, 1, 0, 0)
    assert memory.known["a.md"].stamp.mtime_ns == 1
    assert memory.versions == {}


def test_deleted_and_renamed_files_leave(memory: Memory) -> None:
    """What is gone leaves; what moved arrives at its new path first."""
    memory.write("a/foo.md", "# foo\n")
    memory.write("bar.md", "# bar\n")
    memory.index()
    (memory.folder / "b").mkdir()
    (memory.folder / "a/foo.md").rename(memory.folder / "b/foo.md")
    (memory.folder / "bar.md").rename(memory.folder / "bar.md.bak")
    assert figures(memory.index()) == (1, 0, 0, 0, 2)
    assert list(memory.known) == ["b/foo.md"]


def test_a_renamed_folder_is_no_loss(memory: Memory) -> None:
    """Files that stand elsewhere now are not held back."""
    for n in range(8):
        memory.write(f"old/{n}.md", f"# {n}\n")
    memory.index()
    (memory.folder / "old").rename(memory.folder / "new")
    run = memory.index()
    assert (run.added, run.removed, run.held) == (8, 8, ())


def test_a_vanished_folder_is_held_until_the_user_decides(memory: Memory) -> None:
    """More than five files of a vanished folder stay, are named, and leave with ``prune``."""
    for n in range(6):
        memory.write(f"mount/{n}.md", f"# {n}\n")
    for n in range(20):
        memory.write(f"{n}.md", f"# top {n}\n")
    memory.index()
    for n in range(6):
        (memory.folder / f"mount/{n}.md").unlink()
    run = memory.index()
    assert (run.removed, len(run.held), len(memory.known)) == (0, 6, 26)
    assert "mount" in run.notices[0]
    assert memory.index(prune=False).removed == 0
    assert memory.index(prune=True).removed == 6


@pytest.mark.parametrize("prune", [None, True, False])
def test_an_absent_root_removes_nothing(memory: Memory, prune: bool | None) -> None:  # noqa: FBT001
    """Nothing can tell an unmounted drive from a deleted one."""
    memory.write("a.md")
    memory.index()
    memory.folder.rename(memory.folder.with_name("elsewhere"))
    with pytest.raises(NotFound):
        memory.index(prune=prune)
    assert list(memory.known) == ["a.md"]


@pytest.mark.parametrize("stand_in", ["folder", "pipe", "circle", "dangling", "outside"])
def test_what_stands_where_a_file_was_does_not_keep_it(memory: Memory, stand_in: str) -> None:
    """A folder, a pipe or any link in a file's place means that the file is gone."""
    file = memory.write("a.md")
    memory.write("b.md", "# b\n")
    memory.index()
    file.unlink()
    if stand_in == "folder":
        file.mkdir()
    elif stand_in == "pipe":
        os.mkfifo(file)
    else:
        (memory.folder.parent / "secret.md").write_text("OUTSIDESECRET", encoding="utf-8")
        file.symlink_to({"circle": "a.md", "dangling": "nowhere", "outside": "../secret.md"}[stand_in])
    run = memory.index()
    assert list(memory.known) == ["b.md"]
    assert [skip.path for skip in run.skips] == ([] if stand_in == "folder" else ["a.md"])


def test_one_broken_file_stops_nothing(memory: Memory) -> None:
    """Binary and undecodable files are named with the reason, the others arrive."""
    memory.write("a.md")
    memory.write("b.md", b"\x00\x01\x02")
    memory.write("c.txt", "Сегодня обсуждали перенос".encode("cp1251"))
    memory.write("d.md", "# d\n")
    run = memory.index()
    assert [skip.path for skip in run.skips] == ["b.md", "c.txt"]
    assert list(memory.known) == ["a.md", "d.md"]


def test_a_guess_is_told(memory: Memory) -> None:
    """A guessed encoding is a notice of the run."""
    memory.write("a.md", "# 值班交接\n交接清单放在共享盘。\n".encode("gb18030"))
    assert memory.index().notices == ("a.md: read as gb18030 (guessed)",)


def test_what_became_undecodable_stays_as_it_was(memory: Memory) -> None:
    """Unknown is never deleted: the old text stays and the file is named on every run."""
    file = memory.write("a.md", "# was\n")
    memory.index()
    file.write_bytes(b"\x00\x01\x02")
    for _ in range(2):
        run = memory.index()
        assert ([skip.path for skip in run.skips], run.removed) == (["a.md"], 0)
    assert memory.versions["a.md"].title == "was"


def test_unreadable_files_and_folders_stay_as_they_were(fenced: Memory) -> None:
    """A permission that is missing is named and deletes nothing."""
    file, inner = fenced.write("a.md"), fenced.write("d/e/b.md", "# b\n")
    fenced.index()
    file.chmod(0)
    os.utime(file, ns=(1, 1))
    inner.parent.parent.chmod(0)
    try:
        with as_nobody():
            run = fenced.index()
    finally:
        inner.parent.parent.chmod(0o755)
    assert [skip.path for skip in run.skips] == ["a.md", "d"]
    assert all("Permission denied" in skip.reason for skip in run.skips)
    assert (run.removed, sorted(fenced.known)) == (0, ["a.md", "d/e/b.md"])


def test_a_file_that_is_ignored_now_leaves(memory: Memory) -> None:
    """A new line in an ignore file takes effect on the next run."""
    memory.write("private.md")
    memory.index()
    memory.write(".gitignore", "private.md\n")
    assert memory.index().removed == 1


def test_rules_are_taken_anew_without_cutting(memory: Memory) -> None:
    """After an edit of the rules every file gets new metadata, front matter still wins, texts stay."""
    memory.write("a.md", "---\nkind: own\nx: y\n---\n# a\n")
    memory.write("b.md", "# b\n")
    memory.write("c.md", "---\n{\n---\n# c\n")
    memory.index()
    memory.versions.clear()
    memory.write(".treering.json", '{"rules": [{"glob": "**/*.md", "metadata": {"kind": "note"}}]}')
    assert figures(memory.index()) == (0, 0, 3, 3, 0)
    assert memory.metadata == {
        "a.md": {"kind": ("own",), "x": ("y",)}, "b.md": {"kind": ("note",)}, "c.md": {"kind": ("note",)},
    }  # fmt: skip
    assert memory.known["c.md"].state == "unparsed"
    assert memory.versions == {}
    memory.write(".treering.json", '{ "rules":[ {"metadata":{"kind":"note"}, "glob":"**/*.md"} ] }\n')
    assert figures(memory.index()) == (0, 0, 3, 0, 0)
    (memory.folder / ".treering.json").unlink()
    assert figures(memory.index()) == (0, 0, 3, 3, 0)
    assert memory.metadata["b.md"] == {}


def test_unreadable_rules_abort_nothing(memory: Memory) -> None:
    """Known files keep their metadata, new ones arrive, and both are put right once the rules are."""
    good = '{"rules": [{"glob": "**/*.md", "metadata": {"kind": "note"}}]}'
    memory.write("a.md")
    memory.write(".treering.json", good)
    memory.index()
    memory.write(".treering.json", "{")
    memory.write("b.md", "# b\n")
    run = memory.index()
    assert figures(run) == (1, 0, 1, 0, 0)
    assert "not valid JSON" in run.rules.error
    assert run.rules.error in run.notices[0]
    assert memory.metadata == {"a.md": {"kind": ("note",)}, "b.md": {}}
    memory.write(".treering.json", good)
    assert figures(memory.index()) == (0, 0, 2, 1, 0)
    assert memory.metadata["b.md"] == {"kind": ("note",)}


def test_unparsed_front_matter_is_named_on_every_run(memory: Memory) -> None:
    """The list holds known files too, and a mended or deleted file leaves it."""
    bad, worse = memory.write("a.md", "---\nt: *x*\n---\n"), memory.write("b.md", "---\nt: [\n---\n# b\n")
    assert [skip.path for skip in memory.index().unparsed] == ["a.md", "b.md"]
    run = memory.index()
    assert run.unparsed[0] == Skip("a.md", "line 2: aliases (*name) are not read")
    bad.write_text("---\nt: x\n---\n", encoding="utf-8")
    worse.unlink()
    assert memory.index().unparsed == ()


def test_a_narrower_run_leaves_the_rest_alone(memory: Memory) -> None:
    """Files that another glob does not reach are counted, and neither read nor removed."""
    memory.write("a.md")
    gone, changed = memory.write("b.txt", "b"), memory.write("c.txt", "c")
    memory.index()
    gone.unlink()
    changed.write_text("cc", encoding="utf-8")
    run = memory.index("**/*.md")
    assert (run.left_behind, run.removed, run.unchanged) == (2, 0, 1)
    assert memory.index().left_behind == 0
    assert sorted(memory.known) == ["a.md", "c.txt"]


def test_batches_are_bounded_and_removals_come_last(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Versions come in batches of limited size, and only then what leaves."""
    memory.write("z.md", "# z\n")
    memory.index()
    (memory.folder / "z.md").unlink()
    for n in range(600):
        memory.write(f"{n:03}.md", f"# {n}\n")
    memory.write("500.md", "x" * 2000)
    monkeypatch.setattr(pipeline, "BATCH_CHARS", 2000)
    done: list[tuple[int, int]] = []
    run = pipeline.Run(
        memory.folder, memory.root, list(memory.known.values()), anchor=str, settings=Settings(), chunker=whole
    )
    sizes = [(len(batch.versions), len(batch.gone)) for batch in run.batches(lambda n, of: done.append((n, of)))]
    assert sizes == [(250, 0), (250, 0), (1, 0), (99, 0), (0, 1)]
    assert done[-1] == (600, 600)


def test_the_size_limit_comes_from_the_settings(memory: Memory) -> None:
    """A larger file is named and not read."""
    memory.write("a.md", "x" * 2001)
    assert memory.index(settings=Settings(index_max_file_mb=0.002)).skips[0].path == "a.md"


def test_one_named_file_is_read_and_kept_fresh(memory: Memory) -> None:
    """A hidden or unsupported file can be named, by any spelling, and later runs look after it."""
    file = memory.write(".h/notes.log", "# one\n")
    assert len(memory.index_file(Path("vault/../vault/.h/notes.log")).versions) == 1
    assert not any(memory.index_file(file))
    file.write_text("# two\n", encoding="utf-8")
    assert figures(memory.index()) == (0, 1, 0, 0, 0)
    file.unlink()
    assert memory.index().removed == 1


def test_a_named_file_outside_the_root_is_refused(memory: Memory) -> None:
    """Neither a path nor a link leads out; a root with the same beginning is outside."""
    for name in ("secret.md", "vault2/a.md"):
        outside = memory.folder.parent / name
        outside.parent.mkdir(exist_ok=True)
        outside.write_text("OUTSIDESECRET", encoding="utf-8")
        with pytest.raises(OutsideRoot):
            memory.index_file(outside)
    (memory.folder / "link.md").symlink_to("../secret.md")
    with pytest.raises(OutsideRoot):
        memory.index_file(memory.folder / "link.md")


def test_a_named_file_that_cannot_be_read_is_an_error(memory: Memory) -> None:
    """One file alone is not passed over in silence."""
    with pytest.raises(NotFound):
        memory.index_file(memory.folder / "absent.md")
    with pytest.raises(InputError, match="binary"):
        memory.index_file(memory.write("a.md", b"\x00\x01\x02"))
    os.mkfifo(memory.folder / "pipe.md")
    with pytest.raises(InputError, match="pipe"):
        memory.index_file(memory.folder / "pipe.md")


def test_a_folder_swapped_for_a_link_leads_nowhere(memory: Memory) -> None:
    """Between the walk and the reading a parent may become a link: the file is not read."""
    outside = memory.folder.parent / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("OUTSIDESECRET", encoding="utf-8")
    (memory.folder / "d").symlink_to(outside)
    with pytest.raises(reading.Unreadable, match="link"):
        reading.read(str(memory.folder), "d/a.md", 1000)
    (memory.folder / "e.md").symlink_to(outside / "a.md")
    with pytest.raises(reading.Unreadable):
        reading.read(str(memory.folder), "e.md", 1000)


def test_both_spellings_of_an_accent_work(memory: Memory) -> None:
    """A renamed accent is one file before and one after."""
    file = memory.write("Re\u0301sume\u0301.md")
    memory.index()
    file.rename(memory.folder / "R\u00e9sum\u00e9.md")
    memory.index()
    assert len(memory.known) == 1
