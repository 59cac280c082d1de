"""Save a small store as this program makes it, for the test that every later program opens it.

Usage: ``python scripts/save_store.py``, once for each release. Writes ``tests/fixtures/stores/layout-N.tar.gz``, a
backup, and beside it ``layout-N.json``, what it must say ever after. One that is there is never written again.
"""

from __future__ import annotations

import gzip
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))
import treering  # noqa: E402

FOLDER: Final = ROOT / "tests" / "fixtures" / "stores"
_NOTE: Final = "---\nkind: note\n---\n# Lockers\n\nA locker door stays open for 45 seconds. 柜门四十五秒后关闭。\n"


def fill(memory: treering.MemoryStore, project: Path) -> None:
    """Put something of every kind into a store: files, originals, slots, disputes, entities, what was forgotten."""
    (project / "docs").mkdir()
    (project / "docs" / "lockers.md").write_text(_NOTE, encoding="utf-8")
    (project / "minutes.md").write_text("# Minutes\n\nThe launch moves to May.\n", encoding="utf-8")
    memory.index([project / "docs"])
    (kept,) = memory.import_([project / "minutes.md"])
    (project / "minutes.md").write_text("# Minutes\n\nThe launch moves to June.\n", encoding="utf-8")
    memory.import_([project / "minutes.md"])
    memory.remember("The launch moves to June", source=kept.id, quote="moves to June")
    memory.remember("Staging runs PostgreSQL 16", slot="staging/database", valid_from="2025-01-01", tags=["db"])
    newer = memory.remember("Staging runs PostgreSQL 17", slot="staging/database", valid_from="2026-01-01").id
    memory.confirm(newer)
    owner = memory.remember("Ines owns the harbour lockers 港口", entities=["Ines"], metadata={"team": "harbour"}).id
    memory.update(owner, text="Ines owns all lockers 港口")
    memory.link(owner, newer, type="related")
    memory.archive(memory.remember("The old robot rests").id, reason="it was sold")
    memory.forget([memory.remember("A word that has to go").id])


def told(memory: treering.MemoryStore) -> dict[str, Any]:
    """Return what a store says that must be the same ever after."""
    memories = memory.list("memories", limit=1000).items
    return {
        "memories": sorted([one.id, one.content, one.status, one.slot, one.verification] for one in memories),
        "sources": sorted([one.id, one.key, one.sha256] for one in memory.list("sources", limit=1000).items),
        "entities": sorted(one.name for one in memory.entities()),
        "acts": [[one.number, one.name, one.target, one.outcome] for one in memory.audit(limit=1000)],
    }


def main() -> int:
    """Save a store; refuse to write one again."""
    with tempfile.TemporaryDirectory() as made:
        project = Path(made) / "project"
        (project / ".git").mkdir(parents=True)
        os.environ["HOME"], os.environ["TREERING_EMBEDDING_PROVIDER"] = made, "hashing"
        os.chdir(project)
        with treering.open(project) as memory:
            fill(memory, project)
            archive = Path(memory.backup(Path(made) / "store.tar").path)
            layout = int(memory._opened(create=False).info()["schema"])  # noqa: SLF001  what is inside is wanted
            out = FOLDER / f"layout-{layout}.tar.gz"
            if out.exists():
                sys.stderr.write(f"{out} is there already\n")
                return 1
            FOLDER.mkdir(parents=True, exist_ok=True)
            out.write_bytes(gzip.compress(archive.read_bytes(), 9, mtime=0))
            text = json.dumps(told(memory), ensure_ascii=False, indent=1)
            out.with_name(f"layout-{layout}.json").write_text(text + "\n", encoding="utf-8")
    sys.stdout.write(f"wrote {out.relative_to(ROOT)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
