"""The scan for erased words: wherever they lie, in whatever writing, and nothing that only looks alike."""

from __future__ import annotations

import io
import zipfile
import zlib
from typing import TYPE_CHECKING

import pytest

from treering.domain.store_files import kind_of
from treering.upkeep.scan import pieces_of, scan

if TYPE_CHECKING:
    from pathlib import Path

HIDDEN = "The budget of the harbour was cut to nineteen. 密钥在第三个抽屉里。"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("at", [0, 1, 2, 3, 4, 5, 6, 7, (1 << 20) - 30, (1 << 20) - 1, (1 << 20) + 3])
def test_it_is_found_at_every_place(tmp_path: Path, at: int, encoding: str) -> None:
    """At every offset, across the borders of blocks, in each writing."""
    file = tmp_path / "f"
    file.write_bytes(b"." * at + HIDDEN.encode(encoding) + b"." * 1000)
    found = scan([str(file)], [HIDDEN])
    assert found.files == 1
    assert found.size_bytes >= file.stat().st_size
    assert found.hits[str(file)]


def test_a_rest_is_found(tmp_path: Path) -> None:
    """Forty-seven bytes of it are enough, whichever they are."""
    raw = HIDDEN.encode()
    for start in range(len(raw) - 47):
        (tmp_path / "f").write_bytes(b"\0" * 5 + raw[start : start + 47] + b"\0" * 5)
        assert scan([str(tmp_path / "f")], [HIDDEN]).hits, start


def test_what_only_looks_alike_is_not(tmp_path: Path) -> None:
    """The same first eight bytes, a rule of dashes, an absent file: nothing."""
    (tmp_path / "f").write_bytes(b"The budg et of another harbour" + b"-" * 500)
    found = scan([str(tmp_path / "f"), str(tmp_path / "none")], [HIDDEN, "-" * 100])
    assert (found.hits, found.files) == ({}, 1)
    assert pieces_of("-" * 100) == frozenset()


def test_small_files_are_looked_through_together_and_told_apart(tmp_path: Path) -> None:
    """Of two thousand, those that hold it are named; what only two of them together would hold is in none."""
    for number in range(2000):
        (tmp_path / f"{number:04}").write_bytes(b"Something else. " * (number % 7))
    (tmp_path / "0700").write_bytes(HIDDEN.encode())
    (tmp_path / "1999").write_bytes(b"ab" + HIDDEN.encode("utf-16-le"))
    short = "Nineteen of them."
    (tmp_path / "0300").write_bytes(short.encode()[:9])
    (tmp_path / "0301").write_bytes(short.encode()[9:])
    paths = [str(path) for path in sorted(tmp_path.iterdir())]
    found = scan(paths, [HIDDEN, short])
    assert sorted(found.hits) == [str(tmp_path / "0700"), str(tmp_path / "1999")]
    assert found.files == 2000
    assert found.size_bytes == sum(path.stat().st_size for path in tmp_path.iterdir())


def test_packed_documents_are_unpacked(tmp_path: Path) -> None:
    """In a zip archive, as Word writes one, and in a stream of a PDF."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", f"<t>{HIDDEN}</t>" * 50)
    (tmp_path / "a.docx").write_bytes(packed.getvalue())
    stream = zlib.compress(HIDDEN.encode() * 9)
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7\n1 0 obj\nstream\n" + stream + b"\nendstream")
    for name in ("a.docx", "b.pdf"):
        assert HIDDEN.encode() not in (tmp_path / name).read_bytes()
        assert scan([str(tmp_path / name)], [HIDDEN]).hits


def test_kinds_of_files() -> None:
    """Each file of a store has its kind, of a store with a name of its own too; others have none."""
    digest = "ab" + "0" * 62
    kinds = {
        "memory.db": "database", "memory.db-wal": "log", "memory.db-signs-0123abcd": "signs",
        f"originals/ab/{digest}": "original", "cache/sessions/x.session": "session", "mirror/a.md": "mirror",
        "backups/treering-1.tar": "backup", "backups/memory-layout-3.db": "earlier layout", "config.toml": "settings",
        ".gitignore": "ignore file", ".backup-x1": "backup half written", "notes.txt": None,
    }  # fmt: skip
    for path, name in kinds.items():
        kind = kind_of(path, "memory.db")
        assert (kind and kind.name) == name, path
    own = kind_of(f"team-originals/ab/{digest}", "team.db")
    assert own is not None
    assert own.name == "original"
    assert kind_of("memory.db", "team.db") is None
