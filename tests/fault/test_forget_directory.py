"""What was indexed of a directory leaves every file of the database when the directory is forgotten, on both."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import treering
from treering.domain.address import Address

WORDS = ("zyzzyvabody", "zyzzyvahead", "zyzzyvaname", "zyzzyvafolder", "zyzzyvamatter", "zyzzyvatail", "zyzzyvarule")


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str | None:
    """Return the address of a store on a server, or None for the project's own file."""
    return request.getfixturevalue("databases").new() if request.param == "postgres" else None


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with a directory that is full of rare words, and one that is not."""
    folder = tmp_path / "kelp"
    (folder / ".git").mkdir(parents=True)
    for name, text in {
        "secret/zyzzyvafolder/zyzzyvaname.md": "---\nkind: zyzzyvamatter\n---\n# A zyzzyvahead\n\nThe zyzzyvabody.\n",
        "secret/log.md": "# Log\n\n" + "A plain line of the log.\n" * 200 + "Then the zyzzyvatail.\n",
        "secret/.treering.json": '{"rules": [{"glob": "*.md", "metadata": {"team": "zyzzyvarule"}}]}',
        "docs/plain.md": "# Plain\n\nNothing but ordinary words.\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def held(store: str | None, project: Path, request: pytest.FixtureRequest) -> set[str]:
    """Return which of the words stand in the files of the database."""
    if store is None:
        files = [*(project / ".treering").rglob("*")]
    else:
        databases: Any = request.getfixturevalue("databases")
        name = Address(store).database
        databases.run("checkpoint", name)
        [(number,)] = databases.run("select oid from pg_database where datname = current_database()", name)
        files = [*(databases.server.data / "base" / str(number)).iterdir()]
    found = b"".join(file.read_bytes() for file in files if file.is_file()).lower()
    return {word for word in WORDS if word.encode() in found}


@pytest.mark.parametrize("gone", [False, True], ids=["there", "deleted before"])
def test_no_word_of_a_forgotten_directory_is_left(
    store: str | None, project: Path, request: pytest.FixtureRequest, *, gone: bool
) -> None:
    """Texts, headings, names, metadata and rules leave, also those of a file that grew; the rest is found as before."""
    with treering.open(project, store=store) as memory:
        memory.index([project / "secret", project / "docs"])
        with (project / "secret" / "log.md").open("a", encoding="utf-8") as log:
            log.write("And one more line.\n")
        memory.index([project / "secret"])
        memory.ensure_embeddings()
        memory.consolidate()
        memory._opened(create=False).settle()
        assert held(store, project, request) >= set(WORDS) - {"zyzzyvafolder"}
        if gone:
            shutil.rmtree(project / "secret")
        report = memory.forget_directory(project / "secret")
        assert report.receipt is not None
        assert (report.files, report.receipt.done) == (2, True)
        assert held(store, project, request) == set()
        assert memory.search("ordinary words").found
        assert memory.verify().problems == ()
