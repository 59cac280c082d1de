"""``treering demo``: the main job in one sitting, on real text, in a store that is gone afterwards.

Each step is a command as a user would type it; its output is the real one, by the same code. Here are
the script of the tour and where its text comes from.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from treering.errors import InputError, NotFound
from treering.surfaces.cli.options import Command, Request
from treering.surfaces.cli.terminal import say, say_json
from treering.surfaces.views_text import clean_line

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

_LEAST_DESCRIPTION: Final = 400
"""Characters; a shorter description of a package only points to a web page."""

_SHORTEST_TELLING_WORD: Final = 4
_LONGEST_QUESTION: Final = 80
_SOURCES: Final = 24
"""Files whose outlines are read for headings; with 200 files a tour stays within a second of looking."""

_TRIES: Final = 12
_QUESTIONS: Final = 3
_SHORT_CODE: Final = re.compile(r":[a-z0-9_+-]+:")
_QUESTION_WORDS: Final = frozenset(
    "how what why when where which who can should does is are cómo qué por cuándo".split()
)
_STRAY_QUESTION: Final = "which violin did the lighthouse keeper repaint last winter"
_OWN_QUESTIONS: Final = (
    "when should I use APSW instead of sqlite3",
    "how do I find the files that match gitignore patterns",
    "parse Markdown into HTML with options enabled",
)
_OFTEN_HEADINGS: Final = frozenset(
    """about acknowledgements authors background changelog conclusion contents contributing credits description
    documentation example examples features getting-started installation introduction license links notes overview
    readme references related requirements resources setup summary todo usage""".split()
)


class _Step(NamedTuple):
    """One command of the tour: why it is shown, and its words without ``treering``."""

    why: str
    words: tuple[str, ...]


def _declare(_parser: ArgumentParser) -> None:
    """Add nothing: the folder is a word."""


def _run(request: Request) -> int:
    """Give the tour over the folder that was named, else over text that this machine has anyway."""
    options = request.options
    if options.store is not None or options.scope != "both":
        raise InputError("the demo works in a temporary store of its own, never in yours", hint="treering demo")
    if len(request.words) > 1:
        raise InputError("the demo takes one folder", hint="treering demo docs")
    with TemporaryDirectory(prefix="treering-demo-") as temporary:
        tour = _Tour(Path(temporary) / "store", as_json=options.json)
        if request.words:
            _tour_of_folder(tour, request.words[0])
        else:
            corpus = Path(temporary) / "texts"
            names = _write_corpus(corpus)
            with contextlib.chdir(corpus):
                _tour_of_own_text(tour, names)
        return tour.end()


_SLOT: Final = ("--slot", "staging/database", "--value")
_MEMORIES: Final = (
    _Step(
        "Keep what was decided. What answers the same question shares a slot.",
        ("remember", "Staging runs PostgreSQL 16", *_SLOT, "PostgreSQL 16", "--valid-from", "2025-03-01"),
    ),
    _Step(
        "A later answer takes the place of the earlier one, which is kept.",
        ("remember", "Staging runs PostgreSQL 17", *_SLOT, "PostgreSQL 17", "--valid-from", "2026-02-03"),
    ),
    _Step(
        "What an agent says against the owner's word changes nothing by itself.",
        ("remember", "--as-agent", "claude", "Staging runs MySQL", *_SLOT, "MySQL", "--valid-from", "2026-05-01"),
    ),
    _Step(
        "Ask: what is in force, what it replaced, what is disputed.",
        ("context", "--max-tokens", "300", "which database does staging run"),
    ),
    _Step("And what was true then.", ("context", "--max-tokens", "200", "which database did staging run in May 2025")),
    _Step("What waits for the owner.", ("review", "list")),
)


class _Tour:
    """Runs commands against the temporary store and shows what they print."""

    def __init__(self, store: Path, *, as_json: bool) -> None:
        self.store = store
        self.as_json = as_json
        self.steps: list[dict[str, Any]] = []

    def tell(self, text: str) -> None:
        """Say something between two commands."""
        if not self.as_json:
            say(f"{text}\n")

    def show(self, step: _Step) -> int:
        """Run one command, print it with its output and its time, and return its exit status."""
        from shlex import join

        typed = f"treering {clean_line(join(step.words))}"
        self.tell(f"\n# {step.why}\n$ {typed}")
        wall, cpu = time.perf_counter(), time.process_time()
        exit_status, output = self.ask(step.words) if self.as_json else (self._call(step.words), {})
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        self.tell(f"(exit status {exit_status}, {wall * 1000:.0f} ms, {cpu * 1000:.0f} ms of CPU)")
        self.steps.append({"command": typed, "exit": exit_status, "took_ms": round(wall * 1000, 1), "output": output})
        return exit_status

    def ask(self, words: Sequence[str]) -> tuple[int, dict[str, Any]]:
        """Run one command silently and return its exit status and its JSON."""
        import json

        with contextlib.redirect_stdout(io.StringIO()) as output:
            exit_status = self._call(("--json", *words))
        return exit_status, json.loads(output.getvalue())

    def _call(self, words: Sequence[str]) -> int:
        """Run one command in the temporary store."""
        from treering.surfaces.cli import main

        return main(["--store", str(self.store), *words])

    def end(self) -> int:
        """Close the tour and return the worst exit status of its commands; "nothing found" is none."""
        if self.as_json:
            say_json({"schema": 1, "steps": self.steps})
        else:
            say("\nThe temporary store is removed. With text of yours: treering index DIR\n")
        return max((step["exit"] for step in self.steps if step["exit"] > 1), default=0)


def _tour_of_own_text(tour: _Tour, names: Sequence[str]) -> None:
    """Show the main job over the descriptions of installed packages and the project's documents."""
    folders = [name for name in ("packages", "docs") if Path(name).is_dir()]
    tour.tell(
        f"The descriptions of {len(names)} Python packages on this machine"
        f"{', and the documents of Treering itself,' if 'docs' in folders else ''} are indexed in a temporary store."
    )
    tour.show(_Step("Index folders in place.", ("index", *folders)))
    for question in _OWN_QUESTIONS[:2]:
        tour.show(_Step("Ask in your own words.", ("search", "-k", "2", "--max-tokens", "400", question)))
    narrow = ("search", "--path", "packages", "--where", "package=pyromark", _OWN_QUESTIONS[2])
    tour.show(_Step("Narrow the question to a folder and to metadata, before anything is ranked.", narrow))
    _end_of_tour(tour, folders)


def _tour_of_folder(tour: _Tour, folder: str) -> None:
    """Show the main job over a folder, with questions made from its headings.

    Raises:
        NotFound: if it is absent or has no readable file.
    """
    if not Path(folder).is_dir():
        raise NotFound(f"{folder} is no directory", hint="treering demo")
    tour.tell(f"{clean_line(folder)} is indexed in a temporary store; the questions are made from its own headings.")
    exit_status = tour.show(_Step("Index a folder in place.", ("index", folder)))
    listed = tour.ask(("list", "sources", "--limit", "200"))[1] if exit_status == 0 else {}
    if not listed.get("items"):
        raise NotFound(f"{folder} has no file that can be read as Markdown or text", hint="treering demo")
    questions = _questions(tour, [source["id"] for source in listed["items"]])
    for question in questions[:2]:
        why = "Ask what one of its headings asks." if _asks(question) > 1 else "Ask: words of one of its headings."
        tour.show(_Step(why, ("search", "-k", "2", "--max-tokens", "400", question)))
    for question in questions[2:3] or questions[:1]:
        found = tour.ask(("search", "-k", "1", question))[1].get("results")
        if found:
            step = ("search", "--path", found[0]["source"]["file"], "-k", "1", "--max-tokens", "400", question)
            tour.show(_Step("Narrow the question to a part of it, before anything is ranked.", step))
    _end_of_tour(tour, [folder])


def _end_of_tour(tour: _Tour, folders: Sequence[str]) -> None:
    """Show memories that change, a question that nothing answers, and a run that finds nothing changed."""
    for step in _MEMORIES:
        tour.show(step)
    tour.show(_Step("A question that nothing here answers.", ("search", _STRAY_QUESTION)))
    tour.show(_Step("Index again: what did not change costs a look at its time stamp.", ("index", *folders)))


def _questions(tour: _Tour, sources: Sequence[str]) -> list[str]:
    """Return up to three headings to ask for, each of another source: those first that people would ask."""
    asked: list[str] = []
    done: set[str] = set()
    tries = 0
    for title, source in sorted(_headings(tour, sources).items(), key=lambda one: -_asks(one[0])):
        if source in done:
            continue
        tries += 1
        if len(asked) == _QUESTIONS or tries > _TRIES:
            break
        exit_status, answer = tour.ask(("search", "-k", "1", "--", title))
        if exit_status == 0 and answer["results"][0]["source"]["id"] == source:
            asked.append(title)
            done.add(source)
    return asked


def _headings(tour: _Tour, sources: Sequence[str]) -> dict[str, str]:
    """Return headings that say what they are about, each with its source; not those of several sources."""
    found: dict[str, set[str]] = {}
    for source in sources[:: max(1, len(sources) // _SOURCES)]:
        exit_status, listed = tour.ask(("show", "--outline", source))
        outline = listed["items"][0]["outline"] if exit_status == 0 else []
        for heading in outline[1:] or outline:
            title = _SHORT_CODE.sub("", clean_line(heading["title"])).strip().lstrip("0123456789.) ")
            if len(title) <= _LONGEST_QUESTION and len(_telling_words(title)) > 1:
                found.setdefault(title, set()).add(source)
    return {title: min(owners) for title, owners in found.items() if len(owners) == 1}


def _asks(title: str) -> int:
    """Return how much a heading reads like what a person would ask: 1 for an activity, more for a question."""
    words = title.lower().split()
    if title.endswith(("?", "？")) or words[0] in _QUESTION_WORDS:
        return 3 if title.endswith(("?", "？")) else 2
    return int(words[0].endswith("ing") and len(words) > 2)


def _telling_words(title: str) -> list[str]:
    """Return the words of a heading that not every document has in its headings."""
    words = title.lower().split()
    return [word for word in words if len(word) >= _SHORTEST_TELLING_WORD and word not in _OFTEN_HEADINGS]


def _write_corpus(folder: Path) -> list[str]:
    """Write real text to ``folder`` and return the names of the packages that it describes.

    The descriptions that packages brought along become ``packages/<name>.md`` with their name and
    version as front matter; Treering's own documents, where its source tree is, become ``docs/``.
    """
    from importlib.metadata import distributions

    packages = folder / "packages"
    packages.mkdir(parents=True)
    names = []
    for distribution in distributions():
        about = distribution.metadata
        if "Name" not in about or "Description" not in about or len(about["Description"]) < _LEAST_DESCRIPTION:
            continue
        name, text = about["Name"], about["Description"]
        front = f"---\npackage: {name}\nversion: {distribution.version}\n---\n"
        file = packages / f"{name.replace(os.sep, '-')}.md"
        file.write_text(front + text, encoding="utf-8", errors="replace", newline="\n")
        names.append(name)
    _copy_documents(folder / "docs")
    return sorted(set(names))


def _copy_documents(folder: Path) -> None:
    """Copy the project's Markdown documents to ``folder`` when the program runs from its source tree."""
    tree = Path(__file__).resolve().parents[4]
    if not (tree / "pyproject.toml").is_file() or not (tree / "src" / "treering").is_dir():
        return
    documents = tree / "docs"
    for file in sorted(documents.rglob("*.md")):
        copy = folder / file.relative_to(documents)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes())


COMMAND: Final = Command(
    "demo",
    "[FOLDER] [options]",
    "Show the main job on real text: FOLDER, or else the descriptions of the Python packages on this machine. "
    "It works in a temporary store and leaves nothing behind.",
    ("treering demo", "treering demo docs"),
    _declare,
    _run,
)
