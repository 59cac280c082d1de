"""E09: the installation is small, needs few packages, and a search starts without the dear ones."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

import pytest

MOST_NAMED: Final = 4
MOST_PACKAGES: Final = 32  # 26 are the protocol's SDK with all it needs, which only a server loads
MOST_MEGABYTES: Final = 125  # numpy alone takes 71, the SDK with all it needs 24


def needed(repository: Path) -> list[str]:
    """Return what an installation without extras needs, as the project's file says."""
    project = tomllib.loads((repository / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [re.split(r"[\s<>=!~;\[]", line)[0] for line in project["dependencies"]]


def with_all_it_needs(name: str) -> dict[str, Distribution]:
    """Return a package and every package that it needs without extras."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        try:
            found[one] = distribution(one)
        except PackageNotFoundError:  # for another system or Python
            continue
        waiting += [re.split(r"[\s<>=!~;\[(]", line)[0] for line in found[one].requires or () if "extra ==" not in line]
    return found


def test_few_packages_of_bounded_size(repository: Path) -> None:
    """The base installation names four packages; with all that they need in turn it stays bounded and small."""
    packages: dict[str, Distribution] = {}
    for name in needed(repository):
        packages |= with_all_it_needs(name)
    assert set(needed(repository)) <= set(packages)
    assert len(needed(repository)) <= MOST_NAMED
    assert len(packages) <= MOST_PACKAGES, sorted(packages)
    files = {str(file.locate()) for package in packages.values() for file in package.files or ()}
    size = sum(os.stat(file).st_size for file in files if os.path.exists(file))
    assert size < MOST_MEGABYTES * 1e6, f"{size / 1e6:.1f} MB"


@pytest.mark.sqlite
def test_a_search_imports_nothing_dear(memory: object, repository: Path) -> None:
    """A cold search loads neither the parser nor numeric, server or network packages, and answers."""
    code = (
        "import sys; from treering.surfaces.cli import main; status = main(['search', 'promote the replica']);"
        "print('LOADED', *sorted(name for name in sys.modules if '.' not in name)); sys.exit(status)"
    )
    # Measuring coverage loads packages of its own.
    ours = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    environment = {**ours, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, env=environment, encoding="utf-8", timeout=60
    )
    answer, _, loaded = done.stdout.partition("LOADED")
    assert "failover.md" in answer
    dear = {"numpy", "pyromark", "mcp", "httpx", "asyncio", "ssl", "sqlite3", "pathspec", "pydantic", "tree_sitter"}
    dear |= {"argparse", "dataclasses", "gettext", "hashlib", "inspect", "locale", "pathlib", "shutil", "tomllib"}
    dear |= {"datetime", "importlib", "json", "threading", "typing", "unicodedata", "warnings", "zoneinfo"}
    assert not dear & set(loaded.split())


@pytest.mark.sqlite
def test_a_search_loads_none_of_what_other_commands_need(memory: object, repository: Path) -> None:
    """A cold search loads neither the other use cases nor what the store keeps for them."""
    code = (
        "import sys; from treering.surfaces.cli import main; status = main(['search', 'promote the replica']);"
        "print('LOADED', *sorted(name for name in sys.modules if name.startswith('treering.'))); sys.exit(status)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, env=environment, encoding="utf-8", timeout=60
    )
    loaded = set(done.stdout.partition("LOADED")[2].split())
    assert "treering.recall.pipeline" in loaded
    others = {f"treering.api.{name}" for name in ("store", "workbench", "importing", "upkeep", "browsing", "state")}
    others |= {f"treering.backends.{name}" for name in ("claims", "entities", "journal", "registry", "growing")}
    others |= {"treering.journal", "treering.zones", "treering.domain.claim", "treering.domain.quotes"}
    assert not others & loaded
