"""Whatever comes in, what comes out is an answer or an error of ours: questions, operations, archives, exports."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treering
from treering.api import MemoryStore
from treering.errors import TreeringError

ODD: Final = (
    "", " ", "\x00", "\ud800", "\u202e", "\x1b[2J", "a" * 3000, "NEAR(", '"', "AND OR NOT", "*", "col:", "%s",
    "'; drop table", "mem_0000000000000000000000", "2026-02-30", "0001-01-01", "9999-12-31", "-1", "漢字", "🎉",
    "\r\n", "{", "../../etc",
)  # fmt: skip
TEXT: Final = st.one_of(st.sampled_from(ODD), st.text(max_size=60))
VALUE: Final = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXT, inner, max_size=3)),
    max_leaves=6,
)
DRAFT: Final = st.fixed_dictionaries(
    {},
    optional={
        name: st.one_of(TEXT, VALUE)
        for name in (
            "content", "title", "kind", "slot", "value", "summary", "tags", "metadata", "entities", "valid_from",
            "valid_to", "evidence", "source_id", "quote", "replaces", "unknown",
        )
    },
)  # fmt: skip
OPERATION: Final = st.fixed_dictionaries(
    {"op": st.one_of(st.sampled_from(["create", "update", "supersede", "link", "archive", "restore", "merge"]), VALUE)},
    optional={
        "id": VALUE, "ids": VALUE, "old_ids": VALUE, "memory": st.one_of(DRAFT, VALUE),
        "changes": st.one_of(DRAFT, VALUE), "type": TEXT, "from_id": TEXT, "to_id": TEXT, "reason": TEXT,
        "expected_revision": VALUE,
    },
)  # fmt: skip

Quiet: Final = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryStore]:
    """Return a memory that holds a little of everything."""
    folder = tmp_path_factory.mktemp("fuzz")
    (folder / "docs").mkdir()
    (folder / "docs" / "a.md").write_text("---\nkind: note\n---\n# Gate\n\nIt closes at ten.\n", encoding="utf-8")
    with treering.open(store=str(folder / "store")) as opened:
        opened.index([folder / "docs"])
        opened.remember("The gate closes at ten.", slot="gate/closing", value="10", valid_from="2026-01-10")
        yield opened


def refusal(act: Callable[[], object]) -> str:
    """Do something and return what was said against it; empty when it was done."""
    try:
        act()
    except TreeringError as error:
        return str(error) or "nothing was said"
    return ""


def count(memory: MemoryStore) -> tuple[int, int]:
    """Return how many memories and proposals there are."""
    return memory.list("memories", status="all").total, memory.list("proposals", status="all").total


@Quiet
@given(
    text=TEXT,
    options=st.fixed_dictionaries(
        {},
        optional={
            "limit": st.integers(-5, 500), "max_tokens": st.integers(-5, 10**9), "tags": st.lists(TEXT, max_size=2),
            "kind": TEXT, "status": TEXT, "source": TEXT, "mode": TEXT, "in_": TEXT, "as_of": TEXT, "known_at": TEXT,
            "empty_gate": st.floats(), "where": st.dictionaries(TEXT, TEXT, max_size=2),
        },
    ),
)  # fmt: skip
def test_any_question(memory: MemoryStore, text: str, options: dict[str, Any]) -> None:
    """A search answers, or says in words what it cannot be asked."""

    def ask() -> None:
        assert memory.search(text, **options).tokens <= max(options.get("max_tokens", 900), 0)

    assert refusal(ask) != "nothing was said"


@Quiet
@given(text=TEXT, options=st.dictionaries(st.sampled_from(["as_of", "known_at", "project"]), TEXT))
def test_any_question_for_context(memory: MemoryStore, text: str, options: dict[str, Any]) -> None:
    """The assembled answer comes, or says in words why not."""

    def ask() -> None:
        assert memory.context(text, **options).text

    assert refusal(ask) != "nothing was said"


@Quiet
@given(operations=st.one_of(st.lists(OPERATION, min_size=1, max_size=3), VALUE))
def test_any_operation(memory: MemoryStore, operations: Any) -> None:
    """A batch is carried out whole, or nothing of it, with an error in words; the store stays sound."""
    before = count(memory)
    said = refusal(lambda: memory.propose(operations))
    assert said != "nothing was said"
    assert not said or count(memory) == before


def test_it_is_sound_after_all_that(memory: MemoryStore) -> None:
    """What was accepted of all that leaves nothing that ``verify`` finds."""
    assert memory.verify().problems == ()


@Quiet
@given(data=st.data())
def test_any_damage_to_an_archive(
    memory: MemoryStore, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """An archive that was changed is refused, or was changed where nothing stands; nothing is left half made."""
    folder = tmp_path_factory.mktemp("archive")
    raw = bytearray(backup(memory, folder))
    kind = data.draw(st.sampled_from(["flip", "cut", "insert", "noise"]))
    place = data.draw(st.integers(0, len(raw) - 1))
    if kind == "flip":
        raw[place] ^= data.draw(st.integers(1, 255))
    elif kind == "cut":
        del raw[place:]
    elif kind == "insert":
        raw[place:place] = data.draw(st.binary(min_size=1, max_size=600))
    else:
        raw = bytearray(data.draw(st.binary(max_size=2000)))
    damaged = folder / "damaged.tar"
    damaged.write_bytes(raw)
    target = folder / "restored"
    said = refusal(lambda: treering.restore(damaged, target))
    assert said != "nothing was said"
    if said:
        assert not target.exists() or not any(target.iterdir())
    else:
        with treering.open(store=str(target)) as restored:
            assert restored.verify().problems == ()


_BACKUPS: Final[dict[int, bytes]] = {}


def backup(memory: MemoryStore, folder: Path) -> bytes:
    """Return the bytes of a backup, made once."""
    if id(memory) not in _BACKUPS:
        memory.backup(folder / "good.tar")
        _BACKUPS[id(memory)] = (folder / "good.tar").read_bytes()
    return _BACKUPS[id(memory)]


@Quiet
@given(
    names=st.lists(
        st.one_of(TEXT, st.sampled_from(["../out", "/etc/x", "memory.db", "manifest.json", "a/../../b"])), max_size=3
    ),
    body=st.binary(max_size=300),
)
def test_any_members_of_an_archive(tmp_path_factory: pytest.TempPathFactory, names: list[str], body: bytes) -> None:
    """An archive that somebody made by hand is refused and puts nothing anywhere."""
    folder = tmp_path_factory.mktemp("made")
    inner = folder / "inner"
    inner.mkdir()
    with tarfile.open(inner / "made.tar", "w") as archive:
        for name in names:
            member = tarfile.TarInfo(name.encode("utf-8", "replace").decode("utf-8")[:90])
            member.size = len(body)
            archive.addfile(member, io.BytesIO(body))
    with pytest.raises(TreeringError):
        treering.restore(inner / "made.tar", inner / "restored")
    assert sorted(path.name for path in folder.iterdir()) == ["inner"]


@Quiet
@given(lines=st.lists(st.one_of(VALUE.map(json.dumps), TEXT), max_size=4), head=st.booleans())
def test_any_lines_of_an_export(
    memory: MemoryStore, tmp_path_factory: pytest.TempPathFactory, lines: list[str], *, head: bool
) -> None:
    """What is no whole export is refused, and the store that should have taken it in is as empty as before."""
    folder = tmp_path_factory.mktemp("export")
    memory.export(folder / "good.jsonl")
    good = (folder / "good.jsonl").read_text(encoding="utf-8").split("\n")
    bad = "\n".join([*(good[:2] if head else []), *lines])
    (folder / "bad.jsonl").write_bytes(bad.encode("utf-8", "surrogatepass"))
    with treering.open(store=str(folder / "store")) as other:
        with pytest.raises(TreeringError):
            other.take_in(folder / "bad.jsonl")
        assert "no store" in refusal(lambda: other.list("memories")) or count(other) == (0, 0)
