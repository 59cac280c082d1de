"""Settings: frozen values with their defaults, read from TOML files and the environment.

Order of precedence: arguments, ``TREERING_*`` variables, ``config.toml`` of the store, ``config.toml``
of the user, the defaults here. A name that is not listed here is an error, never ignored.
"""

from __future__ import annotations

import os

from treering.domain.named import NamedTuple
from treering.errors import BadSetting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Final


class Settings(NamedTuple):
    """Everything that can be set. The dotted name is the field's with its first ``_`` as a dot.

    Attributes:
        search_limit: results of a search (1..100).
        search_depth: how much of each result is shown: ``L1`` title and summary, ``L2`` passages and contents with
            quotes, ``L3`` whole texts.
        search_max_tokens: estimated LLM tokens of an answer (50..100000).
        search_empty_gate: least evidence for an answer, 0..1; negative for the calibrated value.
        search_meaning_weight: what meaning counts beside words, 0..3; negative for the measured value.
        search_neighbours: how much the turns around a turn of a conversation count, 0..2; 1 as measured.
        search_same_source: what the next passages of a source count for each, 0..1.
        search_confidence_threshold: a question that may mean several things is asked back where the best answer is less
            sure than this, 0..1.
        search_ambiguity_margin: how far behind the best one the answer for another meaning must be, as a share of it,
            for the question to be answered rather than asked back, 0..1.
        search_max_clue_rounds: how often ``ask`` asks back (0..20).
        search_syntax: ``plain``, or ``web`` for questions in which ``"exact phrase"``, ``-word`` and ``OR`` mean
            something.
        search_freshness_ms: how long a search may look whether indexed files have changed; 0 for never.
        chunk_target_chars: size up to which neighbouring blocks share a chunk (100..10000).
        leaf_max_tokens: estimated LLM tokens from which a chunk is flagged as oversized.
        tree_branch_factor: children of a digest at the most (2..64).
        tree_beam_width: digests that a descent may open for each level of the tree (1..32).
        tree_summarizer: what makes digests: ``extractive`` (built in), ``openai`` (any OpenAI-compatible endpoint) or
            ``anthropic``. The last two send texts to ``tree.summarizer_url``.
        tree_summarizer_url: where a model is asked, e.g. ``http://localhost:11434/v1``; empty for the vendor's own.
        tree_summarizer_model: the model; its key is read from ``OPENAI_API_KEY`` or ``ANTHROPIC_API_KEY``.
        tree_summarizer_timeout_s: how long one digest may take a model before the extractive one stays.
        sqlite_synchronous: ``normal`` (a power cut may lose the last commits) or ``full``.
        sqlite_busy_timeout_s: how long a write waits for other processes.
        postgres_connections: connections of one process to a PostgreSQL store (1..100).
        postgres_connect_timeout_s: how long making a connection may take.
        postgres_statement_timeout_s: how long one statement may take; 0 for any time.
        postgres_busy_timeout_s: how long a write waits for other processes on a PostgreSQL store.
        index_max_file_mb: larger files are left out, with the reason.
        time_zone: where dates without an offset are meant, e.g. ``Europe/Madrid``; empty for the one that the store was
            made in.
        duplicates_same: likeness from which on two memories may say the same, 0.5..1.
        duplicates_related: likeness from which on a memory is named beside a new one, 0.3..1.
        policy_inferred_create: what happens to an agent's claim without evidence: ``review``, ``apply`` or ``deny``.
        briefings_max_active: how many briefings may be active at once (1..100).
        capture_import_roots: folders of which an agent may have files imported, e.g. ``["~/Documents", "docs"]``; in a
            variable with ``:`` between them; empty for the project. What is hidden in them stays refused.
        mirror_enabled: whether every memory also is a readable file in ``mirror/``; a store on a server has none.
        access_max_depth: the deepest that may be shown of this store, by any way: ``L1``, ``L2`` or ``L3``; empty for
            no limit.
        project_worktrees: whether all worktrees of one repository share its main one's store (``shared``), or each
            has its ``own``.
        embedding_provider: what finds passages by meaning: ``static`` (built in), ``multilingual`` (an extra), ``none``
            or ``hashing`` (for tests).
    """

    search_limit: int = 8
    search_depth: str = "L2"
    search_max_tokens: int = 900
    search_empty_gate: float = -1.0
    search_meaning_weight: float = -1.0
    search_neighbours: float = 1.0
    search_same_source: float = 0.2
    search_confidence_threshold: float = 0.45
    search_ambiguity_margin: float = 0.18
    search_max_clue_rounds: int = 3
    search_syntax: str = "plain"
    search_freshness_ms: float = 30.0
    chunk_target_chars: int = 600
    leaf_max_tokens: int = 3000
    tree_branch_factor: int = 8
    tree_beam_width: int = 3
    tree_summarizer: str = "extractive"
    tree_summarizer_url: str = ""
    tree_summarizer_model: str = ""
    tree_summarizer_timeout_s: float = 30.0
    sqlite_synchronous: str = "normal"
    sqlite_busy_timeout_s: float = 30.0
    postgres_connections: int = 4
    postgres_connect_timeout_s: float = 10.0
    postgres_statement_timeout_s: float = 120.0
    postgres_busy_timeout_s: float = 30.0
    index_max_file_mb: float = 128.0
    time_zone: str = ""
    duplicates_same: float = 0.92
    duplicates_related: float = 0.65
    policy_inferred_create: str = "review"
    briefings_max_active: int = 5
    capture_import_roots: str = ""
    mirror_enabled: bool = True
    access_max_depth: str = ""
    project_worktrees: str = "shared"
    embedding_provider: str = "static"


_LIMITS: Final[dict[str, tuple[float, float]]] = {
    "search_limit": (1, 100),
    "search_max_tokens": (50, 100_000),
    "search_empty_gate": (-1, 1),
    "search_meaning_weight": (-1, 3),
    "search_neighbours": (0, 2),
    "search_same_source": (0, 1),
    "search_confidence_threshold": (0, 1),
    "search_ambiguity_margin": (0, 1),
    "search_max_clue_rounds": (0, 20),
    "search_freshness_ms": (0, 10_000),
    "briefings_max_active": (1, 100),
    "duplicates_same": (0.5, 1),
    "duplicates_related": (0.3, 1),
    "chunk_target_chars": (100, 10_000),
    "leaf_max_tokens": (100, 1_000_000),
    "tree_branch_factor": (2, 64),
    "tree_beam_width": (1, 32),
    "tree_summarizer_timeout_s": (0.1, 600),
    "sqlite_busy_timeout_s": (0, 3600),
    "postgres_connections": (1, 100),
    "postgres_connect_timeout_s": (2, 600),
    "postgres_statement_timeout_s": (0, 86_400),
    "postgres_busy_timeout_s": (0, 3600),
    "index_max_file_mb": (0.001, 2048),
}
_CHOICES: Final = {
    "access_max_depth": ("", "L1", "L2", "L3"),
    "project_worktrees": ("shared", "own"),
    "search_depth": ("L1", "L2", "L3"),
    "search_syntax": ("plain", "web"),
    "policy_inferred_create": ("review", "apply", "deny"),
    "sqlite_synchronous": ("normal", "full"),
    "tree_summarizer": ("extractive", "openai", "anthropic"),
    "embedding_provider": ("static", "multilingual", "none", "hashing"),
}
# Variables that are not settings: places.py reads them, and the workbench its session.
_OTHER_VARIABLES: Final = frozenset(
    {"TREERING_HOME", "TREERING_PROJECT", "TREERING_SESSION", "TREERING_SHARED", "TREERING_STORE"}
)


# What a cloned project's settings may change before they are trusted: nothing that leads elsewhere or allows more.
_HARMLESS: Final = ("search_", "chunk_", "leaf_", "index_", "time_")


def load(files: tuple[str, ...], environ: Mapping[str, str], distrusted: str = "") -> Settings:
    """Read settings; later files win over earlier ones, the environment over both.

    Args:
        files: TOML files; absent ones are passed over.
        environ: variables such as ``TREERING_SEARCH_LIMIT``.
        distrusted: one of the files that came from elsewhere: only what is harmless is taken from it.

    Raises:
        BadSetting: if a file is no TOML, or a name or value is not possible.
    """
    settings = Settings()
    for file in files:
        given_there = _read(file)
        if file == distrusted:
            given_there = {name: value for name, value in given_there.items() if name.startswith(_HARMLESS)}
        settings = _apply(settings, given_there, file)
    prefix = "TREERING_"
    given = {
        name[len(prefix) :].lower(): value
        for name, value in environ.items()
        if name.startswith(prefix) and name not in _OTHER_VARIABLES
    }
    return _apply(settings, given, "the environment")


def origins(files: tuple[str, ...], environ: Mapping[str, str]) -> dict[str, tuple[int | float | str, str]]:
    """Return the settings that are given somewhere, with their values and the file or variable that decides.

    Args:
        files: TOML files, as for ``load``.
        environ: variables.

    Raises:
        BadSetting: if a file is no TOML, or a name or value is not possible.
    """
    found = {name: file for file in files for name in _read(file)}
    named = {f"TREERING_{name.upper()}": name for name in Settings._fields}
    found |= {named[variable]: variable for variable in environ if variable in named}
    settings = load(files, environ)
    return {name: (getattr(settings, name), where) for name, where in found.items()}


def withheld(file: str) -> tuple[str, ...]:
    """Return the dotted names of the settings in a file that only count once it is trusted."""
    return tuple(_dotted(name) for name in _read(file) if not name.startswith(_HARMLESS))


def _read(file: str) -> dict[str, object]:
    """Return a file's values under field names; an absent file has none."""
    try:
        with open(file, "rb") as opened:
            raw = opened.read()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise BadSetting(f"{file} cannot be read: {error.strerror}") from error
    import tomllib  # only where a settings file exists: it costs 4 ms

    try:
        tables = tomllib.loads(raw.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadSetting(f"{file} is not valid TOML: {error}") from error
    flat: dict[str, object] = {}
    for table, values in tables.items():
        if not isinstance(values, dict):
            raise BadSetting(f"{file}: {table!r} stands outside a table such as [search]")
        flat |= {f"{table}_{name}": value for name, value in values.items()}
    return flat


def _apply(settings: Settings, given: Mapping[str, object], where: str) -> Settings:
    """Return ``settings`` with ``given`` on top, each value checked."""
    types = {name: type(default) for name, default in Settings._field_defaults.items()}
    changes: dict[str, int | float | str] = {}
    for name, value in given.items():
        if name not in types:
            known = ", ".join(sorted(_dotted(field) for field in types))
            raise BadSetting(f"{where}: no setting is called {_dotted(name)!r}; known are {known}")
        try:
            changes[name] = _flag(value) if types[name] is bool else types[name](_listed(value))
        except ValueError as error:
            kind = {"int": "a whole number", "float": "a number", "bool": "true or false"}[types[name].__name__]
            raise BadSetting(f"{where}: {_dotted(name)} = {value!r} is not {kind}") from error
        _check(name, changes[name], where)
    return settings._replace(**changes)  # type: ignore[arg-type]  # types were checked above


def _flag(value: object) -> bool:
    """Return a value as yes or no; raises ValueError for anything else."""
    word = str(value).strip().lower()
    if word not in {"true", "false", "1", "0", "yes", "no", "on", "off"}:
        raise ValueError(word)
    return word in {"true", "1", "yes", "on"}


def _listed(value: object) -> str:
    """Return a value as text; a list of folders as a variable has it."""
    return os.pathsep.join(map(str, value)) if isinstance(value, list) else str(value)


def _check(name: str, value: float | str, where: str) -> None:
    """Refuse a value outside its range or choices."""
    if name in _CHOICES and value not in _CHOICES[name]:
        possible = ", ".join(filter(None, _CHOICES[name]))
        raise BadSetting(f"{where}: {_dotted(name)} = {value!r}; possible are {possible}")
    if name in _LIMITS and not _LIMITS[name][0] <= float(value) <= _LIMITS[name][1]:
        low, high = _LIMITS[name]
        raise BadSetting(f"{where}: {_dotted(name)} = {value} is outside {low:g} to {high:g}")


def _dotted(name: str) -> str:
    """Return a field's name as people write it: ``search.limit``."""
    return name.replace("_", ".", 1)
