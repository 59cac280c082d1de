"""A root's walk: what is found, what is left out with a word, what is passed over in silence."""

from __future__ import annotations

import os
import socket
import subprocess
from shutil import which
from typing import TYPE_CHECKING

import pytest

from treering.domain.source import Skip
from treering.errors import InputError, NotFound
from treering.ingest import globs, ignore
from treering.ingest.scan import Scan, scan

if TYPE_CHECKING:
    from pathlib import Path

BIG = 1_000_000


def plant(root: Path, *paths: str, text: str = "x\n") -> None:
    """Write files below ``root``."""
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def found(root: Path, glob: str = "") -> list[str]:
    """Return the paths that a scan finds."""
    return list(scan(root, glob=glob, max_bytes=BIG).files)


def reasons(result: Scan) -> dict[str, str]:
    """Return the skips as a mapping."""
    return dict(result.skips)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return an empty folder."""
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


def test_supported_types_are_found_in_order(root: Path) -> None:
    """Every text type is found with its stamp, whatever its case; other types are only counted."""
    plant(root, "b.md", "a.MD", "d/e.txt", "d/c.mdc", "x.rst", "y.org", "z.adoc", "no.py", "README", "q.mdx", "r.text")
    result = scan(root, max_bytes=BIG)
    assert list(result.files) == ["a.MD", "b.md", "d/c.mdc", "d/e.txt", "q.mdx", "r.text", "x.rst", "y.org", "z.adoc"]
    status = os.stat(root / "b.md")
    assert result.files["b.md"] == (2, status.st_mtime_ns, status.st_ctime_ns)
    assert (result.skips, result.ignored) == ((), 2)


def test_hidden_and_known_noise_is_passed_over(root: Path) -> None:
    """Hidden names, dependencies and virtual environments below the root are not entered."""
    plant(root, ".h/a.md", ".b.md", "node_modules/p/README.md", "__pycache__/a.txt", "env/pyvenv.cfg", "env/lib/a.md")
    plant(root, ".git/a.md", ".treering/a.md", "ok.md")
    assert found(root) == ["ok.md"]


def test_a_hidden_root_is_entered(root: Path) -> None:
    """A root that is hidden itself was named by the user."""
    plant(root, ".claude/notes.md", ".claude/.cache/x.md")
    assert found(root / ".claude") == ["notes.md"]


@pytest.mark.parametrize(
    "glob,paths",
    [
        ("**/*.md", ["a.md", "d/b.md", "d/e/c.md"]),
        ("*.md", ["a.md"]),
        ("d/**/*.txt", ["d/e/t.txt"]),
        ("d/**", ["d/b.md", "d/e/c.md", "d/e/t.txt"]),
        ("**/*.{yaml,txt}", ["conf.yaml", "d/e/t.txt"]),
        ("**/[bc].md", ["d/b.md", "d/e/c.md"]),
        (".github/**/*.md", [".github/x/h.md"]),
    ],
)
def test_a_glob_narrows_and_widens(root: Path, glob: str, paths: list[str]) -> None:
    """A glob decides alone which files are read, hidden folders that it spells out included."""
    plant(root, "a.md", "d/b.md", "d/e/c.md", "d/e/t.txt", "conf.yaml", ".github/x/h.md")
    assert found(root, glob) == paths


@pytest.mark.parametrize("glob", ["/etc/*.md", "../*.md", "a\\*.md", "C:/*.md", "{a,b}" * 9])
def test_a_glob_that_leads_elsewhere_is_refused(root: Path, glob: str) -> None:
    """A glob stays below the root."""
    with pytest.raises(InputError, match="glob"):
        scan(root, glob=glob, max_bytes=BIG)


def test_known_files_are_kept_in_view(root: Path) -> None:
    """A file that the index has is found although hidden or of another type, unless it is ignored."""
    plant(root, ".h/a.md", ".h/other.md", "n.log", "i.log")
    plant(root, ".gitignore", text="i.log\n")
    assert list(scan(root, max_bytes=BIG, also={".h/a.md", "n.log", "i.log"}).files) == [".h/a.md", "n.log"]


def test_an_absent_root_and_a_file_are_refused(root: Path) -> None:
    """A root must be there and be a folder; nothing is made."""
    with pytest.raises(NotFound):
        scan(root / "absent", max_bytes=BIG)
    plant(root, "a.md")
    with pytest.raises(InputError):
        scan(root / "a.md", max_bytes=BIG)
    assert not (root / "absent").exists()


def test_links_are_named_and_never_followed(root: Path, tmp_path: Path) -> None:
    """Links out, to nothing, in a circle and inside are each left out with their own reason."""
    plant(tmp_path, "outside/secret.md")
    plant(root, "ok.md", "real/in.md")
    for name, target in {
        "out.md": "../outside/secret.md", "outdir": "../outside", "dangling.md": "nowhere", "circle.md": "circle.md",
        "inside.md": "ok.md", "insidedir": "real", "image.png": "../outside/secret.md",
    }.items():  # fmt: skip
        (root / name).symlink_to(target)
    result = scan(root, max_bytes=BIG)
    assert list(result.files) == ["ok.md", "real/in.md"]
    said = reasons(result)
    assert said.keys() == {"out.md", "outdir", "dangling.md", "circle.md", "inside.md", "insidedir"}
    assert "out of the folder" in said["out.md"]
    assert "out of the folder" in said["outdir"]
    assert "nothing" in said["dangling.md"]
    assert "circle" in said["circle.md"]
    assert "own path" in said["inside.md"]


def test_a_root_that_is_a_link_is_walked(root: Path, tmp_path: Path) -> None:
    """The root itself may be a link: the user named it."""
    plant(root, "a.md")
    (tmp_path / "alias").symlink_to(root)
    assert found(tmp_path / "alias") == ["a.md"]


def test_what_is_no_file_is_named(root: Path) -> None:
    """Pipes and sockets with a text file's name are left out with the reason, without waiting on them."""
    os.mkfifo(root / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("vault/socket.md")
        said = reasons(scan(root, max_bytes=BIG))
    assert "pipe" in said["pipe.md"]
    assert "socket" in said["socket.md"]


def test_a_large_file_is_named_and_unknown(root: Path) -> None:
    """A file over the limit is left out, and nothing is concluded about what it holds."""
    plant(root, "big.md", text="x" * 101)
    result = scan(root, max_bytes=100)
    assert "larger" in reasons(result)["big.md"]
    assert result.is_unknown("big.md")


def test_names_that_are_no_utf8_are_named(root: Path) -> None:
    """A name in another encoding is left out, written so that it can be shown."""
    try:
        with open(os.fsencode(root) + b"/caf\xe9.md", "wb"):
            pass
    except OSError:
        pytest.skip("this file system takes valid UTF-8 names only")
    assert scan(root, max_bytes=BIG).skips == (Skip("caf\\xe9.md", "its name is not valid UTF-8"),)


def test_composed_and_decomposed_names_stay_as_on_disk(root: Path) -> None:
    """Two spellings of an accent are two files, and a glob reaches both."""
    names = ["Re\u0301sume\u0301.md", "R\u00e9sum\u00e9.md"]
    plant(root, *names)
    if len(os.listdir(root)) == 1:
        pytest.skip("this file system takes the spellings as one name")
    assert found(root, "R\u00e9*.md") == names


def test_ignore_files_hold_at_every_level(root: Path) -> None:
    """The nearest ignore file's last matching line decides; the own one wins in its folder."""
    plant(root, "a.md", "private/x.md", "d/keep.md", "d/drop.md", "d/e/drop.md", "log.txt", "d/log.txt", "notes/n.md")
    plant(root, ".gitignore", text="private/\n/log.txt\ndrop.md\nnotes\n")
    plant(root, "d/.gitignore", text="!drop.md\n")
    plant(root, "d/e/.treeringignore", text="*\n")
    plant(root, ".treeringignore", text="!notes\n")
    assert found(root) == ["a.md", "d/drop.md", "d/keep.md", "d/log.txt", "notes/n.md"]


def test_ignore_files_above_the_root_hold_up_to_the_checkout(root: Path, tmp_path: Path) -> None:
    """A checkout's rules reach into a root below it, and no further rules do."""
    plant(tmp_path, ".gitignore", text="never.md\n")
    plant(root, ".git/HEAD", "sub/docs/a.md", "sub/docs/b.md", "sub/docs/c.md", "sub/docs/never.md", "sub/docs/d/e.md")
    plant(root, ".gitignore", text="b.md\n/sub/docs/d/\n")
    plant(root, "sub/.treeringignore", text="docs/c.md\n")
    assert found(root / "sub" / "docs") == ["a.md", "never.md"]
    plant(root, ".git/info/exclude", text="a.md\n")
    assert found(root / "sub" / "docs") == ["never.md"]


def test_a_named_root_is_entered_although_it_is_ignored(root: Path) -> None:
    """A pattern that takes out the root itself does not hold for what the user named."""
    plant(root, ".git/HEAD", ".claude/a.md", ".claude/b.md")
    plant(root, ".gitignore", text=".claude/\nb.md\n")
    assert found(root / ".claude") == ["a.md"]


def test_an_ignore_file_in_utf16_is_read(root: Path) -> None:
    """A rule written by a Windows shell keeps private things out."""
    plant(root, "private/x.md", "a.md")
    (root / ".gitignore").write_bytes(b"\xff\xfe" + "private/\r\n".encode("utf-16-le"))
    assert found(root) == ["a.md"]


@pytest.mark.parametrize("place", ["", "d/"])
def test_an_ignore_file_that_cannot_be_read_closes_its_folder(root: Path, place: str) -> None:
    """Private things never become searchable in silence: the folder is left out and named."""
    plant(root, "a.md", "d/x.md")
    (root / f"{place}.gitignore").write_bytes(b"\x00\x01\x02private/\n")
    result = scan(root, max_bytes=BIG)
    assert list(result.files) == (["a.md"] if place else [])
    assert ".gitignore" in reasons(result)[place.rstrip("/") or "."]
    assert result.is_unknown("d/x.md")


def test_an_ignore_file_that_is_a_link_closes_its_folder(root: Path, tmp_path: Path) -> None:
    """A link is not followed for rules either."""
    plant(tmp_path, "rules", text="private/\n")
    plant(root, "a.md")
    (root / ".gitignore").symlink_to(tmp_path / "rules")
    assert found(root) == []


@pytest.mark.parametrize(
    "line,path,is_folder,verdict",
    [
        ("build", "x/build", True, True),
        ("build/", "build", False, False),
        ("docs/**", "docs", True, False),
        ("docs/**", "docs/a/b.md", False, True),
        ("a/**/b", "a/b", False, True),
        ("a/**/b", "a/x/y/b", False, True),
        ("**/b", "b", False, True),
        ("/b", "a/b", False, False),
        ("*.md", "a/b.md", False, True),
        ("a/*.md", "a/b/c.md", False, False),
        ("[!a].md", "b.md", False, True),
        ("[a-c][[:digit:]].md", "b7.md", False, True),
        ("\\#x", "#x", False, True),
        ("\\!x", "!x", False, True),
        ("x\\ ", "x ", False, True),
        ("x  ", "x", False, True),
        ("#x", "#x", False, False),
        ("[", "[", False, False),
        ("a?c", "a/c", False, False),
        ("re\u0301s", "r\u00e9s", False, True),
        ("x\r", "x", False, True),
    ],
)
def test_patterns_mean_what_they_mean_to_git(
    line: str, path: str, is_folder: bool, verdict: bool  # noqa: FBT001
) -> None:  # fmt: skip
    """Each form of an ignore file's line takes out what it should."""
    path = globs.comparable(path)
    hits = [pattern.hits(path, path.rpartition("/")[2], is_folder=is_folder) for pattern in ignore.parse(line)]
    assert hits == ([verdict] if hits else [])
    assert any(hits) is verdict


def test_hostile_patterns_cost_no_time() -> None:
    """Many stars in one pattern do not make a match explode."""
    (pattern,) = ignore.parse("*a" * 40 + "b")
    assert not pattern.hits("a" * 200, "a" * 200, is_folder=False)


@pytest.mark.skipif(which("git") is None, reason="git is not installed: no oracle for ignore files")
def test_git_agrees(root: Path) -> None:
    """What is found is what git itself would list."""
    plant(
        root, "a/b/c.md", "a/x.md", "a/build/o.md", "build/o.md", "docs/k.md", "docs/d/k.md", "z.md", "t x.md", "ab.md",
        "docs/e/f/k.md", "w/docs/k.md",
    )  # fmt: skip
    plant(root, ".gitignore", text="/build/\ndocs/**\n!docs/d/\n!docs/d/k.md\nt\\ *\n**/f/\n[a-b]?.md\n")
    plant(root, "a/.gitignore", text="!build\n/*\n!/b\n")
    subprocess.run(["git", "init", "-q", "."], cwd=root, check=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--others", "--exclude-standard", "*.md"], cwd=root, check=True, capture_output=True
    ).stdout.decode()
    assert found(root) == sorted(filter(None, listed.split("\0")))
