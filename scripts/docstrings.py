"""Check what docstrings promise: pydoclint's findings, less those that ask for empty words.

Called by ``scripts/test``. A docstring's first line says what the caller gets, and its sections
hold only what the signature cannot say; so a section may be absent, but one that is there must be
complete and true. Beside that, every function, the private ones too, has a docstring.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "treering"
FINDING = re.compile(r"(?P<file>.+?):(?P<line>\d+): (?P<code>DOC\d+): (?P<words>.*)")
# DOC201/402/405: the first line says what is returned or yielded.
# DOC502: a docstring also names what the functions it calls raise.
UNWANTED = frozenset({"DOC201", "DOC402", "DOC405", "DOC502"})
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def main() -> int:
    """Print every finding and return how the check ends."""
    files = {path: _definitions(path) for path in sorted(SOURCE.rglob("*.py"))}
    findings = [
        f"{path.relative_to(ROOT)}:{line}: {definition.name} has no docstring"
        for path, definitions in files.items()
        for line, definition in definitions.items()
        if ast.get_docstring(definition) is None and not _is_said_elsewhere(definition)
    ]
    for found in _pydoclint():
        definition = files[Path(found["file"])].get(int(found["line"]))
        if found["code"] not in UNWANTED and not (definition and _asks_too_much(found["code"], definition)):
            path = Path(found["file"]).relative_to(ROOT)
            findings.append(f"{path}:{found['line']}: {found['code']} {found['words']}")
    print("\n".join(findings) or f"docstrings of {len(files)} files hold")
    return bool(findings)


def _asks_too_much(code: str, definition: Definition) -> bool:
    """Tell whether a finding misses a section that may be absent, or attributes it cannot see."""
    if code in {"DOC101", "DOC103"}:  # arguments that the docstring lacks
        return "Args:" not in (ast.get_docstring(definition) or "")
    if code in {"DOC601", "DOC602", "DOC603"}:  # attributes, of which it knows only those of the class body
        return any(isinstance(node, ast.FunctionDef) and node.name == "__init__" for node in definition.body)
    return False


def _pydoclint() -> list[re.Match[str]]:
    """Return pydoclint's findings."""
    command = [sys.executable, "-m", "pydoclint.main", "--config", str(ROOT / "pyproject.toml"), str(SOURCE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    output = done.stdout + done.stderr
    found = [match for line in output.splitlines() if (match := FINDING.fullmatch(line.strip()))]
    if done.returncode and not found:
        raise SystemExit(output)
    return found


def _definitions(path: Path) -> dict[int, Definition]:
    """Return the classes, functions and methods of a file under their line; inner functions are left out."""
    found: dict[int, Definition] = {}
    bodies = [ast.parse(path.read_bytes()).body]
    while bodies:
        for node in bodies.pop():
            if isinstance(node, Definition):
                found[node.lineno] = node
            if isinstance(node, ast.ClassDef):
                bodies.append(node.body)
    return found


def _is_said_elsewhere(definition: Definition) -> bool:
    """Tell whether the language fixes what a function does, or an overload's last form says it."""
    overload = any(ast.unparse(decorator).endswith("overload") for decorator in definition.decorator_list)
    return overload or (definition.name.startswith("__") and definition.name.endswith("__"))


if __name__ == "__main__":
    sys.exit(main())
