"""Originals go along: verify checks them, a backup and an export hold them, and what nobody names can be removed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import treering

if TYPE_CHECKING:
    from collections.abc import Iterator

    from treering import MemoryStore

GBK = "项目甲将于十一月上线，推送平台由鲍勃的团队维护。\n".encode("gbk") * 5


@pytest.fixture
def memory(folder: Path) -> Iterator[MemoryStore]:
    """Return a memory with a text in GBK, one with a byte order mark, and a plain one in two versions."""
    (folder / "a.txt").write_bytes(GBK)
    (folder / "b.md").write_bytes(b"\xef\xbb\xbfMarked.\n")
    with treering.open() as opened:
        opened.import_([folder / "a.txt", folder / "b.md"])
        opened.note("One.", key="plain")
        opened.note("Two.", key="plain")
        opened.note("\ufeffA note with a mark.")
        yield opened


def test_verify_looks_at_every_original(memory: MemoryStore) -> None:
    """A sound store has no problem; changed bytes and bytes that nobody names are found, and the latter removed."""
    assert memory.verify().problems == ()
    with memory._opened(create=False).write() as tx:
        digest = tx.sources.digests()[0]
        raw = tx.originals.get(digest)
        tx.originals.remove(digest)
        tx.originals.put("0" * 64, b"nobody names it")
    found = {one.kind: one for one in memory.verify().problems}
    assert set(found) == {"hash", "orphan_file"}
    assert (found["hash"].id, found["orphan_file"].id) == (digest, "0" * 64)
    mended = {one.kind: one.mended for one in memory.verify(fix=True).problems}
    assert mended == {"hash": False, "orphan_file": True}
    with memory._opened(create=False).write() as tx:
        assert tx.originals.kept() == [one for one in tx.sources.digests() if one != digest]
        tx.originals.put(digest, raw)
    assert memory.verify().sound


def test_an_export_holds_the_bytes(memory: MemoryStore, tmp_path: Path) -> None:
    """An export taken into an empty store gives every original back."""
    memory.export(tmp_path / "all.jsonl")
    with treering.open(store=tmp_path / "elsewhere" / "team.db") as other:
        other.take_in(tmp_path / "all.jsonl")
        assert other.verify().problems == ()
        source = other.show("import:a.txt").source
        with other._reading() as tx:
            assert tx.originals.get(tx.sources.sources([source])[source].sha256) == GBK
        assert len(other.show("plain").versions) == 2
    assert (tmp_path / "elsewhere" / "team-originals").is_dir()


def test_no_secret_is_kept_of_an_original(folder: Path, memory: MemoryStore) -> None:
    """A key and a private part are unreadable in the text, and the bytes that hold them are kept nowhere."""
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3hJ5"[:36]
    text = f"The key is {secret} indeed.\n<private>The password of Ana is mango.</private>\nThe valve is open.\n"
    (folder / "s.md").write_bytes(b"\xef\xbb\xbf" + text.encode())
    (one,) = memory.import_(folder / "s.md")
    assert "unreadable" in one.notices[0]
    shown = memory.show(one.id)
    assert secret not in shown.text
    assert "mango" not in shown.text
    assert shown.text.splitlines()[2] == "The valve is open."
    with memory._reading() as tx:
        assert tx.sources.sources([one.id])[one.id].original == "masked"
        assert not any(secret.encode() in tx.originals.get(digest) for digest in tx.originals.kept())
    assert memory.import_(folder / "s.md")[0].outcome == "exists"
    assert memory.verify().problems == ()


@pytest.mark.sqlite
def test_a_backup_holds_the_bytes(memory: MemoryStore, tmp_path: Path) -> None:
    """A store that is put back from its backup has every original."""
    from treering.backends.sqlite.engine import SCHEMA
    from treering.upkeep import archive

    made = memory.backup(tmp_path / "out")
    archive.restore(made.path, str(tmp_path / "back"), SCHEMA)
    with treering.open(store=tmp_path / "back") as back:
        assert back.verify().problems == ()
        with back._reading() as tx:
            assert GBK in [tx.originals.get(digest) for digest in tx.sources.digests()]
