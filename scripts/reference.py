"""Write the pages of ``docs/reference`` that the program itself knows best: commands, settings, errors.

Usage: ``python scripts/reference.py``. ``tests/docs`` compares the files with what this makes, so a new
option or setting fails a test until the script has run.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "src"))

from treering import errors, settings  # noqa: E402
from treering.surfaces import cli  # noqa: E402
from treering.surfaces.cli.parser import build_parser  # noqa: E402

if TYPE_CHECKING:
    from argparse import Action
    from collections.abc import Iterator

FOLDER: Final = ROOT / "docs" / "reference"
_MADE: Final = "<!-- Made by scripts/reference.py; do not edit. -->\n"

_CLI: Final = """\
# Command line

Every command takes the same four options, before or behind its name; options may also stand before or behind words.
Behind `--` everything is a word. Results go to standard output, errors and progress to standard error; progress is
drawn on a terminal only. With `--json` each command prints one object on one line, errors included: see
[json.md](json.md). `treering` alone says where the memory is, what it holds and what to do next; `treering help
COMMAND` prints what stands here.

| exit status | meaning |
|---|---|
| 0 | done |
| 1 | ran well, the answer is no: nothing answers the question |
| 2 | bad input |
| 3 | not found: an id, a path, a store |
| 4 | refused |
| 5 | another process was in the way |
| 6 | something that this needs is not there |
| 7 | stored data is damaged |
| 70 | a bug of Treering's; the traceback stands on standard error |
| 130 | interrupted from the keyboard |

Which error has which status: [errors.md](errors.md).
"""

_NOTES: Final = {
    "search": "With `hybrid`, the default where entries have vectors, words and meaning are put together."
    " Where nothing "
    "is embedded, or the embedder fails, words answer alone and a notice says so.",
}

_SETTINGS: Final = """\
# Settings

Highest first: an argument of the call (`-k`, `--max-tokens`, `--empty-gate`), a `TREERING_…` variable, `config.toml`
in the store's folder, `config.toml` of the user (`~/.config/treering/`, or `$XDG_CONFIG_HOME/treering/`), the
default. A name that is not in this table is an error, never ignored. A file with every default:
[settings.example.toml](settings.example.toml).

"""

_PLACES: Final = """
## Where things are

These variables are read from the environment alone; they decide which store is used.

| variable | meaning |
|---|---|
| `TREERING_STORE` | the store, like `--store`; `--scope project` or `global` outdoes it |
| `TREERING_SESSION` | the session that `scratch`, `digest` and `code read` belong to; without it the terminal's |
| `TREERING_PROJECT` | root of the project, instead of looking for it; must be a directory |
| `TREERING_HOME` | folder of the user's own store; default `~/.local/share/treering`, or `$XDG_DATA_HOME/treering` |

Without them the project is the nearest folder upwards with a `.treering` folder; else the nearest under version
control (`.git`, `.hg`, `.jj`, `.svn`, `.fossil`, `.bzr`); else the outermost with a build file (`pyproject.toml`,
`package.json`, `Cargo.toml`, `go.mod` and the like). The home folder, what lies above it and the root of the file
system are never a project. Outside a project the user's own store is used, and `treering status` says so.

## Sizes that need a re-index

`chunk.target_chars` and `leaf.max_tokens` hold for text that is cut from now on. `treering reindex` cuts everything
again.
"""

_ERRORS: Final = """\
# Errors

What a user can cause or mend is a `TreeringError`, with a stable `code`, a message that says what happened to what,
and a `hint`: the command or step that mends it. From Python, catch as widely as you need: `except
treering.errors.NotFound`, or `TreeringError` for all of them. On the command line the message and the hint go to
standard error; with `--json` an [error object](json.md#errors) goes to standard output. Anything else that escapes is
a bug: code `bug`, exit status 70, with a traceback.

"A kind of" is the class that it inherits from; a class in brackets is one of Python's own that it also is.

| class | code | exit status | meaning | a kind of |
|---|---|---|---|---|
"""


_MCP: Final = """\
# MCP server

`treering serve`, or `treering-mcp`, over standard input and output; how to [connect an
agent](../howto/connect-an-agent.md). It serves clients of the protocol's revisions from 2024-11-05 to 2025-11-25,
which shake hands, and of 2026-07-28, which do not. It ends with status 0 when its input ends, when nobody reads its
output any more, or on SIGTERM, SIGINT or SIGHUP.

- A result has a text that is complete by itself, and the same as structured content, in the shapes of
  [json.md](json.md): a search's [answer](json.md#search) (its `trace` is left empty), lists and outcomes.
  `max_tokens` holds for the text; the structured content of a search repeats it with more keys.
- A call that cannot be carried out gives a result with `isError`: code, what is wrong with what, and the next call.
  Codes and exit statuses are those of [errors.md](errors.md). Only an unknown tool, an unknown resource and broken
  messages are errors of the protocol.
- Arguments are read with good will: a list may be one text, `a, b`, or JSON in a text; numbers and booleans may be
  texts; the singular of a plural (`path`, `tag`, `id`) and `top_k` for `limit` are taken. `null` is as good as
  nothing. Anything else that is unknown is refused with the names that there are.
- Text that comes from the memory stands under a line that calls it data, not instructions.
- Messages are UTF-8 whatever the locale is, at most 16 MB each.
"""


def cli_page() -> str:
    """Return the page of all commands, made from the parsers that print the help."""
    parts = [_CLI]
    for name, (_, summary) in cli._COMMANDS.items():  # noqa: SLF001  the list that `treering help` prints
        parts.append(f"\n## treering {name}\n\n{_first_capital(summary)}.\n" + _command(name))
    parts.append("\n## Everywhere\n\n" + _options(_groups("status")["everywhere"]))
    return parts[0].replace("\n", f"\n{_MADE}", 1) + "".join(parts[1:])


def _command(name: str) -> str:
    """Return usage, description, options and examples of one command."""
    parser = build_parser(cli._load(name))  # noqa: SLF001  as above
    own = _groups(name)["options"]
    text = f"\n```\n{parser.usage}\n```\n\n{parser.description}\n"
    if own:
        text += "\n" + _options(own)
    examples = "\n".join(line.strip() for line in (parser.epilog or "").splitlines()[1:])
    note = f"\n{_NOTES[name]}\n" if name in _NOTES else ""
    return f"{text}{note}\n```sh\n{examples}\n```\n"


def _groups(name: str) -> dict[str, list[Action]]:
    """Return a command's options by the title that help prints above them; argparse has no public way."""
    parser = build_parser(cli._load(name))  # noqa: SLF001  as above
    return {str(group.title): group._group_actions for group in parser._action_groups}  # noqa: SLF001


def _options(actions: list[Action]) -> str:
    """Return options as a table."""
    return "| option | meaning |\n|---|---|\n" + "".join(
        f"| {', '.join(_option(action, name) for name in action.option_strings)} | {_cell(action.help or '')} |\n"
        for action in actions
    )


def _option(action: Action, name: str) -> str:
    """Return one spelling of an option with its value."""
    value = "\\|".join(map(str, action.choices)) if action.choices else action.metavar
    return f"`{name}{f' {value}' if value else ''}`"


def settings_page() -> str:
    """Return the table of settings, made from their class and limits."""
    rows = "| setting | default | possible | variable | meaning |\n|---|---|---|---|---|\n"
    for field, default, meaning in _fields():
        rows += (
            f"| `{settings._dotted(field)}` | `{_toml(default)}` | {_possible(field)} | `TREERING_{field.upper()}` |"  # noqa: SLF001
            f" {_cell(meaning)} |\n"
        )
    return _SETTINGS.replace("\n", f"\n{_MADE}", 1) + rows + _PLACES


def settings_example() -> str:
    """Return a settings file with every default, commented out."""
    text = "# Treering: config.toml with every default. Made by scripts/reference.py; do not edit.\n"
    table = ""
    for field, default, meaning in _fields():
        named, _, name = field.partition("_")
        if named != table:
            table = named
            text += f"\n[{table}]\n"
        text += f"# {meaning}\n# {name} = {_toml(default)}\n"
    return text


def _fields() -> Iterator[tuple[str, object, str]]:
    """Yield each setting's field, default and meaning as its class's docstring gives it."""
    described = (settings.Settings.__doc__ or "").partition("Attributes:\n")[2].replace("``", "`")
    meanings = dict(
        line.strip().split(": ", 1) for line in re.sub(r"\n {12}", " ", described).splitlines() if ": " in line
    )
    for field, default in settings.Settings._field_defaults.items():
        yield field, default, meanings[field].removesuffix(".")


def _possible(field: str) -> str:
    """Return which values a setting takes."""
    if field in settings._CHOICES:  # noqa: SLF001  what the program itself compares with
        return ", ".join(f"`{choice}`" for choice in settings._CHOICES[field])  # noqa: SLF001
    if field == "time_zone":
        return "a name such as `Europe/Madrid`"
    if field == "capture_import_roots":
        return "a list of folders"
    if field in {"tree_summarizer_url", "tree_summarizer_model"}:
        return "text"
    if isinstance(settings.Settings._field_defaults[field], bool):
        return "`true`, `false`"
    low, high = settings._LIMITS[field]  # noqa: SLF001
    return f"{low:g} to {high:,.0f}"


def _toml(value: object) -> str:
    """Return a value as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else str(value)


def errors_page() -> str:
    """Return the table of errors, made from their classes."""
    return _ERRORS.replace("\n", f"\n{_MADE}", 1) + "".join(_error_rows(errors.TreeringError))


def _error_rows(kind: type[errors.TreeringError]) -> Iterator[str]:
    """Yield the rows of a class and of those that inherit from it."""
    first, *others = (base.__name__ for base in kind.__bases__)
    above = f"`{first}`" + "".join(f" (`{other}`)" for other in others)
    meaning = _cell((kind.__doc__ or "").strip().splitlines()[0].removesuffix("."))
    yield f"| `{kind.__name__}` | `{kind.code}` | {kind.exit_status} | {meaning} | {above} |\n"
    for inner in kind.__subclasses__():
        yield from _error_rows(inner)


def mcp_page() -> str:
    """Return the tools and resources of the server, made from the tables that it serves."""
    from treering.surfaces.mcp import arguments, bench, resources, tools

    text = _MCP.replace("\n", f"\n{_MADE}", 1)
    for tool in (*tools.TOOLS, *bench.BENCH):
        kind = "Changes the memory; can be repeated." if tool.writes else "Only reads."
        offered = "" if tool in tools.TOOLS else " Offered with `--tools all`."
        text += f"\n## {tool.name}\n\n{tool.meaning} {kind}{offered}\n\n| argument | takes | meaning |\n|---|---|---|\n"
        for one in tool.parameters:
            needed = "; needed" if one.is_needed else ""
            text += f"| `{one.name}` | {_cell(arguments.what(one))}{needed} | {_cell(one.meaning)} |\n"
        text += f"\nGives {', '.join(f'`{key}`' for key in tool.gives)}.\n"
    text += "\n## Resources\n\n| address | what it is |\n|---|---|\n"
    text += f"| `{resources.STATUS}` | what the memory holds and what is behind |\n"
    text += f"| `{resources.TREE}` | the whole memory as a map of digests |\n"
    return text + "".join(f"| `{one.address}` | {_cell(one.meaning)} |\n" for one in resources.TEMPLATES)


def _cell(text: str) -> str:
    """Return text that may stand in a table."""
    return " ".join(text.split()).replace("|", "\\|")


def _first_capital(text: str) -> str:
    """Return a phrase as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def pages() -> dict[str, str]:
    """Return every made file's name with its text."""
    return {
        "cli.md": cli_page(),
        "settings.md": settings_page(),
        "settings.example.toml": settings_example(),
        "errors.md": errors_page(),
        "mcp.md": mcp_page(),
    }


def main() -> int:
    """Write the files."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        sys.stdout.write(f"wrote docs/reference/{name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
