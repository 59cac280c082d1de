"""B33: a project can be copied anywhere with its store, and its originals and keys go along."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from importing import outcomes

import treering


@pytest.mark.sqlite
def test_a_copied_project_knows_its_originals(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In another place the same files are the same sources, and their bytes are there."""
    raw = "项目甲将于十一月上线，推送平台由鲍勃的团队维护。\n".encode("gbk") * 5
    (folder / "notes").mkdir()
    (folder / "notes" / "a.txt").write_bytes(raw)
    with treering.open() as memory:
        (one,) = memory.import_("notes/a.txt")
        assert one.key == "import:notes/a.txt"
    moved = tmp_path / "other" / "place"
    shutil.copytree(folder, moved)
    shutil.rmtree(folder)
    monkeypatch.chdir(moved)
    with treering.open() as memory:
        assert outcomes(memory.import_("notes")) == {"a.txt": "exists"}
        assert memory.show("notes/a.txt").source == one.id
        with memory._reading() as tx:
            assert tx.originals.get(tx.sources.digests()[0]) == raw
