"""Virtual environments for the peers, made once in the scratch folder, with the versions that the table names."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

POMA = "poma-memory[mcp]==0.6.0"
SAGE = "sage-memory==0.13.2"
_EXTENSIONS = "import sqlite3; sqlite3.connect(':memory:').enable_load_extension(True)"


def poma_python(work: Path, given: Path | None) -> Path:
    """Return the Python of an environment with poma-memory: the one given, else one made with this Python."""
    return given.absolute() if given else _made(work / "venv-poma", sys.executable, POMA)


def sage_python(work: Path, given: Path | None) -> Path | None:
    """Return the Python of an environment with sage-memory; None where no Python here can run it.

    It needs a Python whose SQLite can load extensions, which many builds of Python have not.
    """
    if given:
        return given.absolute()
    able = next(filter(_loads_extensions, _pythons()), None)
    return None if able is None else _made(work / "venv-sage", able, SAGE)


def _pythons() -> Iterable[str]:
    """Return Pythons to try, this one first."""
    names = ("python3", "python3.11", "python3.12", "python3.13")
    found = [sys.executable, *map(shutil.which, names), *(f"/usr/bin/{name}" for name in names)]
    return [path for path in dict.fromkeys(found) if path and shutil.which(path)]


def _loads_extensions(python: str) -> bool:
    """Tell whether a Python is new enough and its SQLite can load extensions."""
    code = f"import sys; assert sys.version_info >= (3, 11); {_EXTENSIONS}"
    return subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0


def _made(folder: Path, python: str, requirement: str) -> Path:
    """Return the Python of an environment; makes it unless it is there."""
    own = folder / "bin" / "python"
    if not (folder / "complete").exists():
        print(f"making {folder} with {requirement}", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([python, "-m", "venv", folder], check=True)
        subprocess.run([own, "-m", "pip", "install", "--quiet", requirement], check=True)
        (folder / "complete").touch()
    return own
