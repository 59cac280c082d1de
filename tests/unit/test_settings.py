"""Settings: where they come from, which wins, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from treering.errors import BadSetting
from treering.settings import Settings, load


def file(path: Path, text: str) -> str:
    """Write a settings file and return its name."""
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_defaults(tmp_path: Path) -> None:
    """Without files and variables the defaults hold; absent files are passed over."""
    assert load((str(tmp_path / "none.toml"), str(tmp_path / "no" / "folder.toml")), {}) == Settings()


def test_precedence(tmp_path: Path) -> None:
    """A later file wins over an earlier one, and the environment over both; the rest stays as it was."""
    user = file(tmp_path / "user.toml", "[search]\nlimit = 3\nmax_tokens = 100\n[sqlite]\nsynchronous = 'full'\n")
    store = file(tmp_path / "store.toml", "[search]\nlimit = 4\n")
    assert load((user, store), {}) == Settings(search_limit=4, search_max_tokens=100, sqlite_synchronous="full")
    found = load((user, store), {"TREERING_SEARCH_LIMIT": "5"})
    assert (found.search_limit, found.search_max_tokens) == (5, 100)
    assert load((file(tmp_path / "empty.toml", ""),), {}) == Settings()


def test_every_setting_has_a_variable_and_a_place_in_a_file(tmp_path: Path) -> None:
    """Each setting can be written back as its default, in a file under its dotted name and as a variable."""
    for setting, value in Settings()._asdict().items():
        table, name = setting.split("_", 1)
        shown = str(value).lower() if isinstance(value, bool) else repr(value)
        written = file(tmp_path / "s.toml", f"[{table}]\n{name} = {shown}\n")
        assert load((written,), {}) == Settings()
        assert load((), {f"TREERING_{setting.upper()}": str(value)}) == Settings()


def test_other_variables(tmp_path: Path) -> None:
    """Variables that name places are no settings, and those of other programs are not looked at."""
    names = ("TREERING_HOME", "TREERING_PROJECT", "TREERING_STORE", "TREERING_SHARED", "PATH", "treering_x")
    assert load((), dict.fromkeys(names, "anything")) == Settings()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[search]\nlimits = 3\n", r"no setting is called 'search\.limits'; known are .*search\.limit"),
        ("[serach]\nlimit = 3\n", r"no setting is called 'serach\.limit'"),
        ("limit = 3\n", "'limit' stands outside a table"),
        ("[search]\nlimit = 'many'\n", r"search\.limit = 'many' is not a whole number"),
        ("[search]\nlimit = 3.5\n", r"search\.limit = 3\.5 is not a whole number"),
        ("[search]\nlimit = true\n", r"search\.limit = True is not a whole number"),
        ("[search]\nlimit = []\n", r"search\.limit = \[\] is not a whole number"),
        ("[search]\nlimit = 0\n", r"search\.limit = 0 is outside 1 to 100"),
        ("[search]\nlimit = 101\n", r"search\.limit = 101 is outside 1 to 100"),
        ("[search]\nempty_gate = nan\n", r"search\.empty_gate = nan is outside -1 to 1"),
        ("[sqlite]\nbusy_timeout_s = inf\n", r"sqlite\.busy_timeout_s = inf is outside 0 to 3600"),
        ("[sqlite]\nbusy_timeout_s = 'x'\n", r"'x' is not a number"),
        ("[sqlite]\nsynchronous = 'off'\n", r"sqlite\.synchronous = 'off'; possible are normal, full"),
        ("[search\n", "is not valid TOML"),
        ("[search]\nlimit = 3\nlimit = 4\n", "is not valid TOML"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, words: str) -> None:
    """A name or value that is not possible is an error with file, name and what would be right; never ignored."""
    path = file(tmp_path / "s.toml", text)
    with pytest.raises(BadSetting, match=words) as raised:
        load((path,), {})
    assert path in str(raised.value)


def test_a_bad_variable() -> None:
    """A variable with an unknown name or an impossible value is refused as one of the environment."""
    with pytest.raises(BadSetting, match=r"the environment: no setting is called 'serch\.limit'"):
        load((), {"TREERING_SERCH_LIMIT": "3"})
    with pytest.raises(BadSetting, match=r"the environment: search\.limit = '' is not a whole number"):
        load((), {"TREERING_SEARCH_LIMIT": ""})


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A folder in place of a file and bytes that are no text are refused in words."""
    with pytest.raises(BadSetting, match="cannot be read: Is a directory"):
        load((str(tmp_path),), {})
    (tmp_path / "s.toml").write_bytes(b"[search]\n# \xff\nlimit = 3\n")
    with pytest.raises(BadSetting, match="is not valid TOML"):
        load((str(tmp_path / "s.toml"),), {})
