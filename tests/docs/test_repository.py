"""The repository as a whole: what its files may name, where its links lead, what it says is proved."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
NOT_OURS = {"__pycache__", "node_modules", "build", "dist", "results"}
NUMBERS = [
    f"{letter}{number:02}"
    for letter, last in {"A": 28, "B": 35, "C": 15, "D": 23, "E": 10, "X": 23}.items()
    for number in range(1, last + 1)
]
# Each pattern is written so that it does not match itself.
FORBIDDEN = {
    "a path of one machine": r"(?<![\w.~])/(?:[w]ork|[r]oot)/",
    "a registry's host": r"[p]ypi\.org|[p]ythonhosted|[n]pmjs\.(?:org|com)|[c]rates\.io|[d]eb\.debian|proxy\.[g]olang",
    "a number of a tracker": r"\b[Ii]ssues? (?:#|no\. ?|number )?\d+\b|\b[P]R #\d+",
    "a page outside the repository": r"\b(?:[s]hared/)?spec/\w+\.md",
}


def our_files() -> list[Path]:
    """Return every file of the repository that is not made by a tool."""
    found = []
    for folder, folders, names in os.walk(REPOSITORY):
        folders[:] = [name for name in folders if name not in NOT_OURS and (name == ".ci" or name[0] != ".")]
        found += [Path(folder, name) for name in names if name not in {".git", ".venv.lock"}]
    return [path for path in sorted(found) if not path.name.startswith(".coverage")]


def markdown_pages() -> list[Path]:
    """Return the project's own pages; Markdown below tests/ is input, not documentation."""
    return [path for path in our_files() if path.suffix == ".md" and "tests" not in path.relative_to(REPOSITORY).parts]


def all_tests() -> dict[str, ast.FunctionDef]:
    """Return every test function under ``path::name``."""
    return {
        f"{path.relative_to(REPOSITORY).as_posix()}::{node.name}": node
        for path in our_files()
        if path.name.startswith("test_") and path.suffix == ".py"
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


@pytest.mark.parametrize("what", FORBIDDEN)
def test_files_speak_of_the_product_alone(what: str) -> None:
    """No file names a path of one machine, a registry's host, a tracker's number or a page outside."""
    pattern = re.compile(FORBIDDEN[what])
    found = [
        f"{path.relative_to(REPOSITORY)}:{number}: {line.strip()[:100]}"
        for path in our_files()
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not found, f"{what}:\n" + "\n".join(found)


def test_links_lead_somewhere() -> None:
    """Every relative link of the documentation names a file, and every ``#`` a heading of it."""
    broken = []
    for page in markdown_pages():
        prose = _without_code(page.read_text(encoding="utf-8"))
        targets = re.findall(r"\]\(<?([^)\s>]+)", prose) + re.findall(r"^\[[^\]]+\]:\s+(\S+)", prose, re.MULTILINE)
        for target in targets:
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            name, _, anchor = target.partition("#")
            file = (page.parent / name) if name else page
            if not file.exists() or (anchor and file.suffix == ".md" and anchor not in _anchors(file)):
                broken.append(f"{page.relative_to(REPOSITORY)}: {target}")
    assert not broken, "\n".join(broken)


def test_every_promise_has_one_line() -> None:
    """The table of features has each number once, in order, with words and a proof or "comes later"."""
    rows = _feature_rows()
    assert [number for number, _, _ in rows] == NUMBERS
    assert not [number for number, promise, proof in rows if not promise or not proof]


def test_proofs_exist() -> None:
    """Every test that the table of features names is there."""
    tests = all_tests()
    for number, _, proof in _feature_rows():
        if proof == "comes later":
            continue
        named = re.findall(r"`(tests/[^`]+)`", proof)
        assert named, f"{number}: neither a test nor “comes later”: {proof}"
        for test in named:
            assert test in tests, f"{number}: no test is called {test}"


def test_every_test_states_its_expectation() -> None:
    """Each test function has a docstring."""
    assert [name for name, test in all_tests().items() if not ast.get_docstring(test)] == []


def _feature_rows() -> list[tuple[str, str, str]]:
    """Return number, promise and proof of every row in the table of features."""
    page = (REPOSITORY / "docs" / "reference" / "features.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line[:1] == "|"]
    return [(cells[0], cells[1], cells[2]) for cells in rows if re.fullmatch(r"[A-Z]\d\d", cells[0])]


def _without_code(text: str) -> str:
    """Return Markdown without fences and code spans."""
    return re.sub(r"`[^`\n]+`", "", re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL))


def _anchors(page: Path) -> set[str]:
    """Return the anchors that a page's headings get when it is rendered."""
    headings = re.findall(r"^#{1,6}\s+(.+?)\s*#*$", _without_code(page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_promises_about_data_name_their_tests() -> None:
    """Each line of the page of promises names a test that exists."""
    page = (REPOSITORY / "docs" / "promises.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| ") and not line.startswith("| promise")]
    assert len(rows) > 20
    tests = all_tests()
    for row in rows:
        named = re.findall(r"`(tests/[^`]+)`", row)
        assert named, row
        assert [test for test in named if test not in tests] == []
