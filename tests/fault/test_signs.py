"""The file of signs: absent, damaged, old or of another store, it costs no answer."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import treering
from treering.api import covering, sidecar
from treering.domain.query import Filter
from treering.domain.signs import SignFile
from treering.recall import meaning

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering import MemoryStore
    from treering.ports import Embedder

COUNT = 300
PETROL = "An automobile needs petrol."


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with one page about cars among many about something else, indexed, with a file of signs."""
    monkeypatch.setattr(sidecar, "LEAST", 50)
    project = tmp_path / "own"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    (project / "cars.md").write_text(PETROL + "\n", encoding="utf-8")
    for number in range(COUNT - 1):
        (project / f"p{number}.md").write_text(f"The lighthouse {number} blinks {number} times.\n", encoding="utf-8")
    with treering.open(project) as memory:
        memory.index([project])
        assert path_of(memory) is not None
    return project


def path_of(memory: MemoryStore) -> str | None:
    """Return where the signs lie, if they do."""
    found = [name for name in os.listdir(memory.place.folder) if "-signs-" in name and name.count("-") == 2]
    return os.path.join(memory.place.folder, found[0]) if found else None


def cold(folder: Path, question: str = "vehicle fuel") -> tuple[list[str], str]:
    """Return the answer of a memory that has neither numpy nor an earlier search, and how it was found."""
    code = (
        "import sys, treering, json\n"
        "with treering.open('.') as memory:\n"
        "    answer = memory.search(sys.argv[1])\n"
        "    whys = {step.step: step.why for step in answer.trace}\n"
        "    print(json.dumps([[r.file for r in answer.results], whys['candidates'], 'numpy' in sys.modules]))\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", code, question],
        cwd=folder, env=environment, capture_output=True, check=True, encoding="utf-8", timeout=60,
    )  # fmt: skip
    import json

    files, why, loaded = json.loads(done.stdout)
    assert not loaded
    return files, why


def test_a_process_without_numpy_looks_at_every_row(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Signs name the rows that are compared, beside those that the words brought."""
    monkeypatch.delenv("TREERING_SHARED", raising=False)
    files, why = cold(folder)
    assert files == ["cars.md"]
    assert "compared with the likeliest of everything" in why
    assert "the likeliest of everything" in cold(folder, "how often does the lighthouse blink")[1]


def _delete(path: str) -> None:
    """Remove the file."""
    os.remove(path)


def _cut(path: str) -> None:
    """Cut the file in the middle."""
    os.truncate(path, os.path.getsize(path) // 2)


def _empty(path: str) -> None:
    """Leave nothing of it."""
    os.truncate(path, 0)


def _flip(path: str) -> None:
    """Flip a bit of the header."""
    with open(path, "r+b") as file:
        file.seek(20)
        byte = file.read(1)[0]
        file.seek(20)
        file.write(bytes([byte ^ 1]))


def _folder(path: str) -> None:
    """Put a folder in its place."""
    os.remove(path)
    os.mkdir(path)


@pytest.mark.parametrize("harm", [_delete, _cut, _empty, _flip, _folder])
def test_a_damaged_file_is_as_if_there_were_none(folder: Path, harm: Callable[[str], None]) -> None:
    """Every answer comes without it; the next run makes it anew where it can."""
    with treering.open(folder) as memory:
        path = path_of(memory)
        assert path is not None
        harm(path)
        files, why = cold(folder)
        assert files == ["cars.md"]
        assert "compared with everything" in why
        memory.index([folder])
        if harm is not _folder:
            assert "likeliest" in cold(folder)[1]


def test_damage_does_not_hide_anything(folder: Path) -> None:
    """Rows that are all wrong lead to other candidates, which are compared with what the store says."""
    with treering.open(folder) as memory:
        path = path_of(memory)
        assert path is not None
        with open(path, "r+b") as file:
            file.seek(60)
            file.write(os.urandom(os.path.getsize(path) - 60))
    files, _ = cold(folder, "petrol for the automobile")
    assert files == ["cars.md"]


def test_signs_of_another_store_are_not_believed(folder: Path) -> None:
    """A file that was copied from elsewhere has another token; another model has another file."""
    with treering.open(folder) as memory:
        path = path_of(memory)
        assert path is not None
        mine = Path(path).read_bytes()
        store = memory._opened(create=False)
        with store.write() as tx:
            model = tx.vectors.models()[0]
            assert sidecar.read(memory.place.database, tx, model) is not None
            tx.put_setting(f"signs {model}", "0" * 32)
        assert Path(path).read_bytes() == mine
        with store.read() as tx:
            assert sidecar.read(memory.place.database, tx, model) is None
            assert sidecar.read(memory.place.database, tx, "hashing/256@1.1") is None
    assert "compared with everything" in cold(folder)[1]


def test_what_changed_since_is_right(folder: Path) -> None:
    """Pages that came, went and changed after the file was written are compared as they are now."""
    with treering.open(folder) as memory:
        path = path_of(memory)
        assert path is not None
        stamp = os.stat(path).st_mtime_ns
        (folder / "cars.md").write_text("The gull is a bird.\n", encoding="utf-8")
        (folder / "new.md").write_text("A vehicle of another kind burns fuel: a lorry.\n", encoding="utf-8")
        os.remove(folder / "p7.md")
        memory.index([folder], prune=True)
        assert os.stat(path).st_mtime_ns == stamp  # a few changes are read from the store
    assert cold(folder)[0] == ["new.md"]
    assert "likeliest" in cold(folder)[1]
    assert "p7.md" not in cold(folder, "lighthouse 7 blinks 7 times")[0]


def test_many_changes_renew_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that knows too little is written again; until then nothing is searched by it."""
    with treering.open(folder) as memory:
        path = path_of(memory)
        assert path is not None
        before = SignFile(memoryview(Path(path).read_bytes())).header
        for number in range(200):
            (folder / f"q{number}.md").write_text(f"The foghorn {number} sounds.\n", encoding="utf-8")
        with monkeypatch.context() as patch:
            patch.setattr(covering.Covering, "_renew_signs", lambda *_: None)
            memory.index([folder])
        patched = meaning._MOST_UNSIGNED
        monkeypatch.setattr(meaning, "_MOST_UNSIGNED", 100)
        store = memory._opened(create=False)
        rescored, _ = memory._meanings._ask_one(store, "vehicle fuel", _embedder(memory), warm=False)
        with store.read() as tx:
            assert sidecar.read(memory.place.database, tx, tx.vectors.models()[0]) is not None
            assert rescored.nearest(tx, 5, Filter(), needed=False) == {}
        monkeypatch.setattr(meaning, "_MOST_UNSIGNED", patched)
        (folder / "last.md").write_text("The last page.\n", encoding="utf-8")
        memory.index([folder])
        after = SignFile(memoryview(Path(path).read_bytes())).header
    assert after.rows > before.rows
    assert after.token != before.token


def _embedder(memory: MemoryStore) -> Embedder:
    """Return the memory's embedder."""
    embedder = memory._meanings.embedder
    assert embedder is not None
    return embedder


def test_filters_hold_before_anything_is_chosen(folder: Path) -> None:
    """Where the only page that passes is unlike the question, it is compared all the same."""
    (folder / "sub").mkdir()
    (folder / "sub" / "far.md").write_text("A poem about nothing at all.\n", encoding="utf-8")
    with treering.open(folder) as memory:
        memory.index([folder])
        store = memory._opened(create=False)
        found, _ = memory._meanings._ask_one(store, "vehicle fuel", _embedder(memory), warm=False)
        with store.read() as tx:
            only = Filter(path="sub")
            assert len(tx.vectors.passing(only)) == 1
            near = found.nearest(tx, 5, only, needed=True)
            assert set(near) <= set(tx.vectors.passing(only))


def _harm(folder: Path, stop: threading.Event) -> None:
    """Cut and remove the file again and again."""
    with treering.open(folder) as memory:
        while not stop.is_set():
            with suppress(FileNotFoundError):
                path = path_of(memory) or ""
                os.truncate(path, os.path.getsize(path) // 2)
                os.remove(path)


def _renew(folder: Path, stop: threading.Event, faults: list[BaseException]) -> None:
    """Write the file again and again."""
    try:
        with treering.open(folder) as memory:
            store = memory._opened(create=False)
            while not stop.is_set():
                memory._meanings.covering._renew_signs(store)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the test has to know
        faults.append(error)


def test_memories_write_and_read_at_once(folder: Path) -> None:
    """Renewing, deleting and cutting the file while other memories search leaves every answer right."""
    stop = threading.Event()
    faults: list[BaseException] = []
    threads = [threading.Thread(target=_harm, args=(folder, stop))]
    threads += [threading.Thread(target=_renew, args=(folder, stop, faults)) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(40):
            with closing(treering.open(folder)) as memory:
                store = memory._opened(create=False)
                found, _ = memory._meanings._ask_one(store, "vehicle fuel", _embedder(memory), warm=False)
                with store.read() as tx:
                    best = next(iter(found.nearest(tx, 5, Filter(), needed=True)))
                    assert tx.sources.chunks([best])[best].text.strip() == PETROL
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert faults == []
