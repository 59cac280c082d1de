"""Source code by symbol, measured on four libraries: indexing, finding names, answering questions, condensing a log.

usage: code.py [--sources DIR] [--names 400] [--missed]

Takes FastAPI, Pydantic, httpx and Rich from DIR, or fetches them with pip into a temporary folder. Questions by name
are made from the libraries themselves: every public class, function and method, as the parser of the standard library
finds them, so that what is measured has no part in saying what is right. ``README.md`` beside this file explains the
rows.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

REPOSITORY: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "src"))

import treering  # noqa: E402
from treering.domain.text import llm_tokens  # noqa: E402
from treering.surfaces.views_workbench import code_text, condensed_text  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering import MemoryStore

PACKAGES: Final = ("fastapi", "pydantic", "httpx", "rich")
QUESTIONS: Final = (
    ("when does a redirect count as an upgrade to https", "_is_https_redirect"),
    ("how is the boundary read from a multipart content type", "get_multipart_boundary_from_content_type"),
    ("where is the authorization header of digest auth built", "DigestAuth._build_auth_header"),
    ("how are the dependencies of a request solved", "solve_dependencies"),
    ("where is the OpenAPI document of an application generated", "get_openapi"),
    ("how many cells does a string take in the terminal", "cell_len"),
    ("decorate a method that validates a field", "field_validator"),
    ("where is a cookie header merged into the request of a client", "BaseClient._merge_cookies"),
)
"""Questions as they are asked of a code base, with the symbol that answers."""


class Name(NamedTuple):
    """A public name: how it is asked for, and each place where something of that name is defined."""

    asked: str
    places: frozenset[tuple[str, int]]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", type=Path, help="a folder with the four packages")
    parser.add_argument("--names", type=int, default=400, help="names to look up")
    parser.add_argument("--missed", action="store_true", help="print the names that were not found")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        os.environ["TREERING_HOME"] = str(Path(work, "home"))
        project = Path(work, "project")
        project.mkdir()
        fetch(options.sources, project)
        os.chdir(project)
        index(project)
        with treering.open(project, store=str(Path(work, "warm"))) as memory:
            memory.code_find("anything")
            print()
            lookups(memory, project, options.names, show_missed=options.missed)
            print()
            questions(memory, project)
            drawn = memory.code_map()
            print(f"\nmap: {drawn.tokens:,} tokens for {len(drawn.sheets)} files of {drawn.whole_tokens:,} tokens")
    log()


def fetch(sources: Path | None, project: Path) -> None:
    """Put the packages into a folder."""
    if sources is None:
        wheels = project.parent / "wheels"
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(wheels), *PACKAGES]
        subprocess.run(pip, check=True)
        for wheel in wheels.glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(project, [name for name in archive.namelist() if name.startswith(PACKAGES)])
                print(f"{wheel.name}", file=sys.stderr)
    else:
        for package in PACKAGES:
            (project / package).symlink_to(sources / package)
            subprocess.run(["cp", "-rL", str(sources / package), str(project / f"{package}.copy")], check=True)
            (project / package).unlink()
            (project / f"{package}.copy").rename(project / package)


def index(project: Path) -> None:
    """Print how quickly code is indexed, each time into a new store."""
    size = sum(path.stat().st_size for path in project.rglob("*.py"))
    print("| indexing | files | chunks | MB | CPU-s | MB per CPU-s |\n|---|---|---|---|---|---|")
    for name, provider in (("words", "none"), ("words and meaning", "static")):
        os.environ["TREERING_EMBEDDING_PROVIDER"] = provider
        took = []
        for number in range(3):
            with treering.open(project, store=str(project.parent / f"{provider}{number}")) as memory:
                began = time.process_time()
                [report] = memory.index([project], code=True)
                if provider == "static":
                    memory.ensure_embeddings()
                took.append(time.process_time() - began)
        cpu_s = statistics.median(took)
        figures = f"{size / 1e6:.1f} | {cpu_s:.2f} | {size / 1e6 / cpu_s:.1f}"
        print(f"| {name} | {report.files} | {report.chunks:,} | {figures} |")
    began = time.process_time()
    with treering.open(project, store=str(project.parent / "static0")) as memory:
        memory.index([project])
    print(f"\nnothing changed: {time.process_time() - began:.3f} CPU-s")


def public_names(project: Path) -> list[Name]:
    """Return every public class, function and method with where it is defined."""
    places: dict[str, set[tuple[str, int]]] = {}
    for path in sorted(project.rglob("*.py")):
        file = path.relative_to(project).as_posix()
        for name, node in definitions(ast.parse(path.read_text(encoding="utf-8"))):
            places.setdefault(name, set()).add((file, node.lineno))
            if "." in name:
                places.setdefault(name.rpartition(".")[2], set()).add((file, node.lineno))
    public = [name for name in places if not any(part.startswith("_") for part in name.split("."))]
    return [Name(name, frozenset(places[name])) for name in sorted(public)]


def definitions(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the top-level functions and classes of a module, and methods, by qualified name."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name, node
        if isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield f"{node.name}.{inner.name}", inner


def lookups(memory: MemoryStore, project: Path, count: int, *, show_missed: bool) -> None:
    """Print how often a public name leads to its definition."""
    names = public_names(project)
    asked = random.Random(7).sample(names, min(count, len(names)))  # noqa: S311 - a sample, no secret
    first = five = searched = 0
    tokens, took, missed = [], [], []
    for name in asked:
        began = time.process_time()
        answer = memory.code_find(name.asked)
        took.append(time.process_time() - began)
        tokens.append(llm_tokens(code_text(answer, "--clue", "{}{}")))
        places = [*([answer.best] if answer.best else []), *answer.others]
        hits = [any(is_at(place.file, place.lines, at) for at in name.places) for place in places[:5]]
        first += any(hits[:1])
        five += any(hits)
        missed += [] if any(hits) else [name.asked]
        found = memory.search(name.asked, in_="code", limit=5, max_tokens=4000, empty_gate=0).results
        shown = [(result.file or "", hit.lines) for result in found for hit in result.chunks]
        searched += any(is_at(file, lines, at) for file, lines in shown for at in name.places)
    print(f"{len(names):,} public names, {len(asked)} asked\n")
    print("| | hit@1 | hit@5 | tokens p50 | CPU ms p50 |\n|---|---|---|---|---|")
    row = f"{first / len(asked):.3f} | {five / len(asked):.3f} | {statistics.median(tokens):.0f}"
    print(f"| code find | {row} | {1000 * statistics.median(took):.0f} |")
    print(f"| search --in code, 4,000 tokens | – | {searched / len(asked):.3f} | – | – |")
    if show_missed:
        print("missed:", ", ".join(missed))


def is_at(file: str, lines: tuple[int, int], place: tuple[str, int]) -> bool:
    """Tell whether lines of a file hold a definition."""
    return file == place[0] and lines[0] <= place[1] <= lines[1]


def questions(memory: MemoryStore, project: Path) -> None:
    """Print what answers cost, beside reading the files that hold them."""
    print("| question | found | tokens | file, tokens |\n|---|---|---|---|")
    total, read = 0, {}
    for question, symbol in QUESTIONS:
        answer = memory.code_find(question)
        names = [*([answer.best.name] if answer.best else []), *(other.name for other in answer.others)]
        place = names.index(symbol) + 1 if symbol in names else 0
        tokens = llm_tokens(code_text(answer, "--clue", "{}{}"))
        file = next(one for one in project.rglob("*.py") if defines(one, symbol))
        read[file] = llm_tokens(file.read_text(encoding="utf-8"))
        total += tokens
        print(f"| {question} | {f'{place}.' if place else '–'} | {tokens:,} | {read[file]:,} |")
    print(f"| **all** | | {total:,} | {sum(read.values()):,} |")


def defines(file: Path, symbol: str) -> bool:
    """Tell whether a file defines a symbol."""
    return symbol in dict(definitions(ast.parse(file.read_text(encoding="utf-8"))))


def test_log(size: int, failing: int) -> tuple[str, Sequence[str]]:
    """Return a coloured log of a test run of about ``size`` characters, and the names of the tests that failed."""
    names = [f"tests/{'abc'[n % 3]}/test_{n % 11}.py::TestQueue::test_case_{n}[{n % 5}-x]" for n in range(failing)]
    lines, length = ["============ test session starts ============", "collected 61874 items", ""], 0
    while length < size * 0.9:
        lines.append(f"\x1b[32mtests/unit/test_mod_{len(lines) % 300}.py::test_{len(lines)} PASSED\x1b[0m [ 42%]")
        length += len(lines[-1]) + 1
    for name in names:
        lines += [f"____ {name} ____", "", ">       assert compute(x) == 3", "E       AssertionError: assert 4 == 3"]
        lines += [f"WARNING  client.py:{n} retrying after {n / 7:.3f}s" for n in range(size // (400 * failing))]
    lines += [f"FAILED {name} - AssertionError: assert 4 == 3" for name in names]
    return "\n".join([*lines, f"==== {failing} failed, {len(lines)} passed in 312.44s ====", ""]), names


def log() -> None:
    """Print what a log of five megabytes becomes."""
    print("\n| log, MB | failed tests | named | tokens | CPU-s |\n|---|---|---|---|---|")
    for failing in (10, 40):
        text, names = test_log(5_000_000, failing)
        with tempfile.TemporaryDirectory() as folder, treering.open(folder, store=folder) as memory:
            began = time.process_time()
            made = memory.digest_output(text)
            cpu_s = time.process_time() - began
        shown = condensed_text(made, "scratch recall")
        named = sum(name.partition("::")[2] in shown for name in names)
        print(f"| {len(text) / 1e6:.1f} | {failing} | {named} | {llm_tokens(shown):,} | {cpu_s:.2f} |")


if __name__ == "__main__":
    main()
