"""A store saved at each release opens, says what it said, is sound, and is kept as it was before."""

from __future__ import annotations

import gzip
import json
import shutil
import sqlite3
from pathlib import Path
from typing import Final

import pytest
from save_store import told

import treering

STORES: Final = Path(__file__).resolve().parent.parent / "fixtures" / "stores"
SAVED: Final = sorted(path.name.removesuffix(".tar.gz") for path in STORES.glob("*.tar.gz"))


@pytest.mark.parametrize("name", SAVED)
def test_a_saved_store_opens(name: str, tmp_path: Path) -> None:
    """Restored from its backup, brought up to date, and the same as ever; as it was it lies in ``backups/``."""
    (tmp_path / "saved.tar").write_bytes(gzip.decompress((STORES / f"{name}.tar.gz").read_bytes()))
    treering.restore(tmp_path / "saved.tar", tmp_path / "store")
    with treering.open(store=tmp_path / "store") as memory:
        assert told(memory) == json.loads((STORES / f"{name}.json").read_text(encoding="utf-8"))
        assert memory.verify().problems == ()
        assert memory.search("how long does a locker door stay open", mode="keyword").found
        assert memory.search("港口", mode="keyword").found
        info = memory._opened(create=False).info()
    layout = int(name.rpartition("-")[2])
    kept = tmp_path / "store" / "backups" / f"memory-layout-{layout}.db"
    if int(info["schema"]) == layout:
        assert not kept.exists()
        return
    assert oct(kept.stat().st_mode & 0o777) == "0o600"
    with sqlite3.connect(kept) as connection:
        assert connection.execute("pragma user_version").fetchone() == (layout,)
        assert connection.execute("pragma integrity_check").fetchone() == ("ok",)
    connection.close()
    shutil.copy(kept, tmp_path / "store" / "memory.db")
    with treering.open(store=tmp_path / "store") as memory:
        assert memory.search("how long does a locker door stay open", mode="keyword").found
        assert str(kept) in str(memory._opened(create=False).info()["notice"])
        status = memory.status()
        assert status.embedded == status.memories + status.chunks


def test_the_first_one_is_there() -> None:
    """An empty folder would pass the test above."""
    assert "layout-3" in SAVED


def test_only_a_few_earlier_layouts_are_kept(tmp_path: Path) -> None:
    """Of five copies the three newest stay."""
    import apsw

    from treering.backends.sqlite import earlier

    connection = apsw.Connection(str(tmp_path / "memory.db"))
    connection.execute("create table t (a)")
    for layout in (1, 2, 9, 10, 11):
        earlier.keep(connection, str(tmp_path / "memory.db"), layout)
    connection.close()
    left = sorted(path.name for path in (tmp_path / "backups").iterdir())
    assert left == ["memory-layout-10.db", "memory-layout-11.db", "memory-layout-9.db"]
