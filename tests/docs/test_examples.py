"""The documentation's Python examples run as they stand.

A fence opened with ``python runnable`` is executed, the ones of a page in order and in one namespace,
in a folder that holds the project's own README.md and docs/. Every other ``python`` fence must at
least be Python.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
PAGES = [path.relative_to(REPOSITORY) for path in (REPOSITORY / "README.md", *REPOSITORY.glob("docs/**/*.md"))]
FENCE = re.compile(r"^```python(?P<marks>[^\n]*)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", sorted(PAGES), ids=str)
def test_examples_run(page: Path, tmp_path: Path) -> None:
    """Each runnable example runs without an error, and each other one can be compiled."""
    text = (REPOSITORY / page).read_text(encoding="utf-8")
    shutil.copy(REPOSITORY / "README.md", tmp_path)
    shutil.copytree(REPOSITORY / "docs", tmp_path / "docs")
    namespace: dict[str, object] = {"__name__": "example"}
    for fence in FENCE.finditer(text):
        # Blank lines in front make a traceback name the page's own line.
        line = text.count("\n", 0, fence.start("code"))
        code = compile("\n" * line + fence["code"], str(page), "exec")
        if "runnable" in fence["marks"].split():
            exec(code, namespace)  # noqa: S102  # running it is the test
