"""Whatever a client sends, the server answers or says what is wrong with it, and goes on; the store stays sound."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp_session import Raw
from test_fuzz import ODD, TEXT, VALUE

import treering
from treering.surfaces.mcp.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.slow, pytest.mark.sqlite]

NAMES: Final = sorted({name for tool in TOOLS for name in tool.input_schema()["properties"]})
METHODS: Final = (
    "initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read", "resources/templates/list",
    "prompts/list", "completion/complete", "logging/setLevel", "notifications/cancelled", "no/such",
)  # fmt: skip
Quiet: Final = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project with a little of everything."""
    folder = tmp_path_factory.mktemp("kelp")
    (folder / ".git").mkdir()
    (folder / "a.md").write_text("---\nkind: note\n---\n# Gate\n\nIt closes at ten.\n", encoding="utf-8")
    with treering.open(folder) as memory:
        memory.index([folder])
        memory.remember("The gate closes at ten.", slot="gate/closing", value="10", valid_from="2026-01-10")
    return folder


@pytest.fixture(scope="module")
def session(project: Path) -> Iterator[Raw]:
    """Return a session with a server in a process of its own, which has to survive all of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project)
        with Raw("--tools", "all") as raw:
            raw.initialize()
            yield raw


@Quiet
@given(
    tool=st.sampled_from([tool.name for tool in TOOLS]),
    given_=st.dictionaries(st.one_of(st.sampled_from(NAMES), st.sampled_from(ODD)), st.one_of(TEXT, VALUE), max_size=5),
)
def test_any_arguments(session: Raw, tool: str, given_: dict[str, Any]) -> None:
    """Any arguments of any tool are a result, an error to act on, or one of the protocol; never a bug of ours."""
    answered = session.ask("tools/call", name=tool, arguments=given_)
    assert ("result" in answered) != ("error" in answered)
    assert "Traceback" not in json.dumps(answered)
    assert answered.get("error", {}).get("code") != -32603, answered
    if answered.get("result", {}).get("isError"):
        said = answered["result"]["content"][0]["text"]
        assert said
        assert "bug" not in said, said


@Quiet
@given(
    line=st.one_of(
        st.builds(json.dumps, VALUE),
        TEXT.map(lambda text: text.replace("\n", " ")),
        st.builds(
            lambda method, rest: json.dumps({"jsonrpc": "2.0", "method": method, **rest}),
            st.sampled_from(METHODS),
            st.fixed_dictionaries({}, optional={"id": VALUE, "params": VALUE}),
        ),
    )
)
def test_any_line(session: Raw, line: str) -> None:
    """Any line is answered, or is nothing to answer; the next question is answered either way."""
    session.send(line.encode("utf-8", "surrogatepass").replace(b"\r", b" ") + b"\n")
    assert session.ask("ping")["result"] == {}


def test_it_is_sound_after_all_that(session: Raw, project: Path) -> None:
    """What was accepted of all that leaves nothing that ``verify`` finds, and the server ends without a word."""
    assert not session.call("memory_list", view="status")["isError"]
    status, _, err = session.end()
    assert status == 0
    assert b"Traceback" not in err
    with treering.open(project) as memory:
        memory.trust()  # the session had another home
        assert memory.verify().problems == ()
