"""X11: bundles of the Open Knowledge Format that other tools wrote come in whole; ours are such bundles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import mirrors
import pytest

import treering
from treering.errors import InputError, NotFound, Refused
from treering.upkeep.mirror import front, yaml

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.behaviour.conftest import Ran

METRIC = """\
---
type: Attested Computation
title: Revenue for fiscal year
description: Recognized revenue, per Finance's definition.
tags: [finance, revenue]
runtime: bigquery
parameters:
  - { name: year, type: integer, required: true }
executor:
  resource: references/run.md
  receipt: [job_id, executed_sql]
generated: { by: agent/gemini, at: 2026-06-20T22:53:05Z }
verified: { by: human:ahormati, at: 2026-06-25T09:00:00Z }
stale_after: 2026-09-23
sources:
  - id: policy
    resource: https://wiki.example.org/revenue
note: >-
  folded
  lines
---

# Computation

    SELECT 1

By the policy.[^policy]
"""


@pytest.fixture
def bundle(folder: Path) -> Path:
    """Return a bundle of another tool."""
    root = folder / "bundle"
    (root / "metrics").mkdir(parents=True)
    (root / "index.md").write_text('---\nokf_version: "0.2"\n---\n# Metrics\n', encoding="utf-8")
    (root / "log.md").write_text("# Log\n\n## 2026-05-22\n* **Update**: x\n", encoding="utf-8")
    (root / "metrics" / "revenue.md").write_text(METRIC, encoding="utf-8")
    (root / "playbook.md").write_text("---\ntype: Playbook\n---\n\n1. Look.\n2. Act.\n", encoding="utf-8")
    (root / "odd.md").write_text("---\ntype: &x Odd\nlink: *x\n---\nStill a concept.\n", encoding="utf-8")
    return root


def test_a_foreign_bundle_comes_in_whole(folder: Path, bundle: Path) -> None:
    """Every concept is a memory, unknown keys are metadata, nothing is confirmed, and nothing comes twice."""
    with treering.open() as memory:
        report = memory.import_bundle(bundle)
        assert [one.outcome for one in report.files] == ["accepted"] * 3
        by_path = {one.path: memory.show(one.id) for one in report.files}
        revenue = by_path["metrics/revenue.md"]
        assert (revenue.title, revenue.tags) == ("Revenue for fiscal year", ("finance", "revenue"))
        assert revenue.summary == "Recognized revenue, per Finance's definition."
        assert revenue.metadata["type"] == ("Attested Computation",)
        assert revenue.metadata["runtime"] == ("bigquery",)
        assert json.loads(revenue.metadata["parameters"][0]) == {"name": "year", "type": "integer", "required": True}
        assert json.loads(revenue.metadata["verified"][0])["by"] == "human:ahormati"
        assert revenue.metadata["note"] == ("folded lines",)
        assert revenue.verification == "inferred"
        assert revenue.content.startswith("# Computation")
        assert by_path["playbook.md"].title == "playbook"
        assert "Still a concept." in by_path["odd.md"].content
        assert "&x" in by_path["odd.md"].content
        assert {one.outcome for one in memory.import_bundle(bundle).files} == {"exists"}
        with pytest.raises(NotFound):
            memory.import_bundle(folder / "none")
        (folder / "empty").mkdir()
        with pytest.raises(InputError):
            memory.import_bundle(folder / "empty")


def test_the_command(folder: Path, bundle: Path, run: Callable[..., Ran]) -> None:
    """``import DIR --from okf`` lists what became of each concept."""
    ran = run("import", str(bundle), "--from", "okf", "--json")
    assert ran.status == 0
    assert json.loads(ran.out)["total"] == 3
    assert run("import", "a", "b", "--from", "okf").status == 2


def test_ours_is_a_bundle(folder: Path) -> None:
    """Each file that is not reserved has front matter with a type; reserved ones are as the format has them."""
    with treering.open() as memory:
        mirrors.fill(memory, folder)
        assert memory.export(folder / "out", format="okf") > 8
    for path in sorted((folder / "out").rglob("*.md")):
        text = path.read_bytes().decode()
        parts = front.split(text)
        if path.name == "index.md":
            assert parts.front == {"okf_version": "0.2"}
        elif path.name == "log.md":
            assert parts.front is None
            assert "\n## 20" in text
        else:
            assert parts.front is not None
            assert parts.front["type"]
            # What any YAML reader makes of it, and not only ours.
            assert yaml.mapping(text[4 : text.index("\n---\n") + 1]) == parts.front
    assert not any(path.is_symlink() for path in (folder / "out").rglob("*"))
    assert Path(folder / "out" / ".gitattributes").is_file()


@pytest.mark.sqlite
def test_a_stores_own_folder_is_not_imported(folder: Path) -> None:
    """An export and a mirror are refused with the command that reads them; who insists has their files as texts."""
    with treering.open(folder) as memory:
        memory.remember("The gate opens at nine")
        memory.export_bundle(folder / "shared")
        memory.write_mirror()
        for take_in in (memory.import_bundle, memory.import_):
            with pytest.raises(Refused, match="its mirror or as an export") as refused:
                take_in(folder / "shared")
            assert "rebuild --from" in refused.value.hint
            with pytest.raises(Refused, match="the mirror of this store") as refused:
                take_in(memory.mirror_folder)
            assert refused.value.hint.endswith("sync")
        assert memory.list("memories").total == 1
        assert memory.import_bundle(folder / "shared", force=True).files
        (folder / "theirs").mkdir()
        (folder / "theirs" / "store.md").write_text("---\ntype: Store\n---\nIt opens at nine.\n", encoding="utf-8")
        assert memory.import_bundle(folder / "theirs").files[0].outcome == "accepted"
