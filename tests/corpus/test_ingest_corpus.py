"""Reading real files and the cases made after public bug reports."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from treering.domain.source import Root
from treering.ingest import encoding, metadata, pipeline
from treering.ingest.scan import scan
from treering.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from treering.intake import NewVersion


def index(folder: Path) -> tuple[pipeline.Run, dict[str, NewVersion]]:
    """Return a first run over ``folder`` and what it brought."""
    run = pipeline.Run(folder, Root(1, ".", "", "", ""), [], anchor=str, settings=Settings())
    return run, {version.tracked.path: version for batch in run.batches() for version in batch.versions}


@pytest.fixture
def case(shared: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Return a copy of the case folder that the test's parameter names."""
    return shutil.copytree(shared / "cases" / request.param, tmp_path / "case", copy_function=shutil.copyfile)


def test_nearly_all_real_front_matter_is_read(shared: Path) -> None:
    """Of 3,681 real files every one is text; 81 % of their front matter parses, all of it in rule files."""
    states: Counter[str] = Counter()
    for path in scan(shared / "markdown", max_bytes=10**8).files:
        text = encoding.decode((shared / "markdown" / path).read_bytes()).text
        state = metadata.parse(text, metadata.split(text)).state
        states[state] += 1
        states[f"{path.rpartition('.')[2]} {state}"] += 1
        assert "\ufeff" not in text
    assert states["none"] + states["parsed"] + states["unparsed"] > 3600
    assert states["parsed"] >= 0.8 * (states["parsed"] + states["unparsed"])
    assert states["mdc parsed"] > 500
    assert states["mdc unparsed"] == 0


def test_real_chinese_documents_survive_gb18030(shared: Path) -> None:
    """Chinese documents written in GB18030 and in unmarked UTF-16 are read back exactly."""
    for file in sorted((shared / "markdown" / "javaguide_zh" / "docs").rglob("*.md"))[:60]:
        text = file.read_text(encoding="utf-8-sig").replace("\ufeff", "")
        for name in ("gb18030", "utf-16-le"):
            assert encoding.decode(text.encode(name)).text == text, (file.name, name)


@pytest.mark.parametrize("case", ["ENC-01"], indirect=True)
def test_gb18030_beyond_gb2312(case: Path) -> None:
    """Characters outside GB2312 and GBK are read right."""
    text = index(case)[1]["handover.md"].document.text
    assert all(word in text for word in ("朱镕喆", "㛃", "交接清单"))
    assert text.startswith("# 值班交接\n")


@pytest.mark.parametrize("case", ["ENC-03"], indirect=True)
def test_marks_before_front_matter_and_headings(case: Path) -> None:
    """A byte order mark hides neither front matter nor a heading."""
    _, versions = index(case)
    assert versions["fm.md"].metadata.values == {"kind": ("event",)}
    assert {path: version.title for path, version in versions.items()} == {
        "fm.md": "Outage", "h1.md": "Title on line one", "setext.md": "Setext title",
    }  # fmt: skip
    assert not any("\ufeff" in version.document.text for version in versions.values())


@pytest.mark.parametrize("case", ["ENC-05"], indirect=True)
def test_utf16_notes_and_ignore_files(case: Path) -> None:
    """UTF-16 notes are read, and a UTF-16 ignore file keeps private things out."""
    _, versions = index(case)
    assert {path: version.title for path, version in versions.items()} == {
        "be.md": "Big endian", "le.md": "Little endian",
    }  # fmt: skip


@pytest.mark.parametrize("case", ["FM-01"], indirect=True)
def test_bad_front_matter_hides_nothing(case: Path) -> None:
    """All bodies are there, exactly the four bad files are named, good ones keep their metadata."""
    run, versions = index(case)
    bad = ["bad-alias.md", "bad-unclosed.md", "bad-wikilink.md", "bad-winpath.md"]
    assert [skip.path for skip in run.unparsed] == bad
    assert sorted(versions) == [*bad, "good1.md", "good2.md"]
    assert versions["good1.md"].metadata.values == {"kind": ("note",)}
    assert "The fulmar rule." in versions["bad-unclosed.md"].document.text


@pytest.mark.parametrize("case", ["FM-03"], indirect=True)
def test_second_colons_and_empty_values(case: Path) -> None:
    """A colon in a title, empty values and no front matter at all are ordinary."""
    run, versions = index(case)
    assert (run.unparsed, run.skips, len(versions)) == ((), (), 4)
    assert versions["colon.md"].title == "Ops: Cache rules"
    assert versions["nulltype.md"].metadata.values == {}


@pytest.mark.parametrize("case", ["PATH-01"], indirect=True)
def test_links_out_of_the_folder(case: Path) -> None:
    """Nothing from outside is read, and both links are named."""
    subprocess.run(["sh", "setup.sh"], cwd=case, check=True)
    run, versions = index(case / "vault")
    assert list(versions) == ["ok.md"]
    assert {skip.path for skip in run.skips} == {"link.md", "linkdir"}


@pytest.mark.parametrize("case", ["PATH-03"], indirect=True)
def test_decomposed_names(case: Path) -> None:
    """A file with a decomposed name is one file, under the name that it has."""
    subprocess.run([sys.executable, "setup.py"], cwd=case, check=True)
    assert list(index(case / "vault")[1]) == ["Re\u0301sume\u0301-Zoe\u0308.md"]
