"""Secrets in the handed log, and how few there seem to be in real documents and conversations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from treering.domain.secrets import find_secrets, masked

if TYPE_CHECKING:
    from pathlib import Path


def test_the_handed_log_keeps_its_words_and_loses_its_secrets(shared: Path) -> None:
    """Key, token, password and private key are masked; the rest is as it was, on its lines."""
    log = (shared / "cases/SEC-03/log.md").read_text("utf-8")
    step = json.loads((shared / "cases/SEC-03/expect.json").read_text("utf-8"))["steps"][1]
    left = masked(log)
    assert not [pattern for pattern in step["patterns"] if pattern in left]
    assert "postgres://admin:[masked: password in an address]@db.example.invalid:5432/app" in left
    assert left.splitlines().index("The wigeon service came up after 40 s.") == log.splitlines().index(
        "The wigeon service came up after 40 s."
    )


def test_few_documents_seem_to_hold_a_secret(shared: Path) -> None:
    """Fewer than six in a thousand files do, and what is found there has the form of one."""
    files = [path for path in sorted(shared.glob("markdown/*/**/*")) if path.is_file()]
    found = [path for path in files if find_secrets(path.read_text("utf-8", "replace"))]
    assert len(found) < len(files) * 6 / 1000, found


def test_conversations_hold_none(shared: Path) -> None:
    """In 11,000 turns and 6,000 functions nothing is taken for a secret but what is one."""
    rows = [
        json.loads(line)["text"]
        for name in ("locomo10", "beam_100k", "longmemeval_pooled", "cosqa")
        for line in (shared / f"eval/sets/{name}/corpus.jsonl").read_text("utf-8").splitlines()
    ]
    assert len([row for row in rows if find_secrets(row)]) <= 1
