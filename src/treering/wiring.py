"""Where adapters are chosen and put together: the only room that imports backends."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import lru_cache

from treering import settings as settings_module
from treering.errors import BadSetting, EmbedderFailed, ExtraNotInstalled, NotFound, StorageFailed
from treering.places import SETTINGS_FILE, STORE_FOLDER, global_folder, user_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final

    from treering.backends.postgres.engine import PostgresBackend
    from treering.domain.address import Address
    from treering.ledger import Ledger
    from treering.places import Place
    from treering.ports import Backend, Embedder
    from treering.ports.tree import Summariser
    from treering.settings import Settings

# The database and the bytes of originals do not belong under version control; whatever is readable beside it may.
_IGNORED: Final = (
    "# Treering keeps its database here; it stays on this machine.\n*.db\n*.db-*\noriginals/\n*-originals/\n"
)


def load_settings(place: Place, environ: Mapping[str, str]) -> Settings:
    """Return the settings that hold for a store; of those that came with a clone only what is harmless."""
    own = os.path.join(place.folder, SETTINGS_FILE)
    distrusted = own if withheld_settings(place, environ) else ""
    return settings_module.load((user_settings(environ), own), environ, distrusted)


def require_sound_settings(place: Place) -> None:
    """Read the settings of a store as if it were trusted.

    Raises:
        BadSetting: if they could not be used: then it is not to be trusted yet.
    """
    settings_module.load((os.path.join(place.folder, SETTINGS_FILE),), {})


def withheld_settings(place: Place, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the settings of a store that do not count because it came from elsewhere and is not trusted."""
    own = os.path.join(place.folder, SETTINGS_FILE)
    if not may_be_cloned(place) or not os.path.exists(own) or ledger(environ).knows_folder(place.folder):
        return ()
    return settings_module.withheld(own)


def ledger(environ: Mapping[str, str]) -> Ledger:
    """Return what is known of stores on this machine."""
    from treering.ledger import Ledger

    return Ledger(global_folder(environ))


def may_be_cloned(place: Place) -> bool:
    """Tell whether a store can have come with a project; one that the user named elsewhere, or his own, has not."""
    if place.address is not None or place.scope == "global":
        return False
    return place.scope == "project" or os.path.basename(place.folder) == STORE_FOLDER


def open_backend(place: Place, settings: Settings, *, create: bool) -> Backend:
    """Open the database of a store.

    Args:
        place: the store.
        settings: for waiting and durability.
        create: whether to make folder and database when they are absent.

    Raises:
        NotFound: if there is no store and ``create`` is false.
        ExtraNotInstalled: if the store needs a part of Treering that is not installed.
    """
    if place.address is not None:
        return _open_postgres(place.address, settings, create=create)
    from treering.backends.sqlite.engine import SqliteBackend

    if create and not os.path.exists(place.database):
        _make_folder(place)
    return SqliteBackend(
        place.database,
        create=create,
        synchronous=settings.sqlite_synchronous,
        busy_timeout_s=settings.sqlite_busy_timeout_s,
    )


def layout() -> int:
    """Return the newest layout of a store in a file that this program reads."""
    from treering.backends.sqlite.engine import SCHEMA

    return SCHEMA


def is_made(place: Place, settings: Settings) -> bool:
    """Tell whether there is a store at a place."""
    try:
        open_backend(place, settings, create=False).close()
    except NotFound:
        return False
    return True


def drop_store(place: Place, settings: Settings) -> None:
    """Remove a temporary store with everything in it, if it lies on a server."""
    if place.address is None:
        return
    store = _open_postgres(place.address, settings, create=False)
    try:
        store.drop()
    finally:
        store.close()


def _open_postgres(address: Address, settings: Settings, *, create: bool) -> PostgresBackend:
    """Open a store on a PostgreSQL server."""
    try:
        from treering.backends.postgres.connections import Limits
        from treering.backends.postgres.engine import PostgresBackend
    except ImportError as error:
        if (error.name or "").partition(".")[0] != "psycopg":
            raise
        raise ExtraNotInstalled(
            f"the store {address.shown} needs the extra postgres, which is not installed",
            hint="pip install 'treering[postgres]'",
        ) from error
    limits = Limits(
        settings.postgres_connections,
        settings.postgres_connect_timeout_s,
        settings.postgres_statement_timeout_s,
        settings.postgres_busy_timeout_s,
    )
    return PostgresBackend(address, create=create, limits=limits)


def make_embedder(settings: Settings) -> Embedder | None:
    """Return the embedder that the settings name; None for none.

    Raises:
        EmbedderFailed: if its data cannot be read.
    """
    if settings.embedding_provider == "static":
        from treering.embedders.static import StaticEmbedder

        return StaticEmbedder()
    if settings.embedding_provider == "hashing":
        from treering.embedders.hashing import HashingEmbedder

        return HashingEmbedder()
    if settings.embedding_provider == "multilingual":
        from treering.embedders.multilingual import MultilingualEmbedder

        return MultilingualEmbedder()
    return None


@lru_cache(maxsize=1)
def _vocabulary() -> Callable[[str], int] | None:
    """Return what finds a word among those that the built-in embedder knows; None where its data cannot be read."""
    from treering.embedders.static import DATA
    from treering.embedders.table import Table

    try:
        return Table(DATA).find
    except EmbedderFailed:
        return None


def is_word(word: str) -> bool:
    """Tell whether a word stands in the vocabulary of English that ships with Treering, or comes of one that does."""
    from treering.domain.spelling import derives

    find = _vocabulary()
    return find is None or find(word) >= 0 or derives(word, lambda known: find(known) >= 0)


def make_quick_embedder(settings: Settings) -> Embedder | None:
    """Return the embedder that stands in while a slow one is behind; None where the settings' own is quick.

    Raises:
        EmbedderFailed: if its data cannot be read.
    """
    if settings.embedding_provider != "multilingual":
        return None
    from treering.embedders.static import StaticEmbedder

    return StaticEmbedder()


def make_summariser(settings: Settings, environ: Mapping[str, str]) -> Summariser | None:
    """Return the model that the settings have condense texts; None where the extractive digests are all there is.

    Raises:
        BadSetting: if no model is named.
    """
    if settings.tree_summarizer == "extractive":
        return None
    if not settings.tree_summarizer_model:
        raise BadSetting(
            f"tree.summarizer = {settings.tree_summarizer!r} needs a model", hint="set tree.summarizer_model"
        )
    from treering.summarisers import anthropic, openai

    kind = openai.OpenAiSummariser if settings.tree_summarizer == "openai" else anthropic.AnthropicSummariser
    key = environ.get("OPENAI_API_KEY" if settings.tree_summarizer == "openai" else "ANTHROPIC_API_KEY", "")
    return kind(settings.tree_summarizer_url, settings.tree_summarizer_model, key, settings.tree_summarizer_timeout_s)


def is_local(settings: Settings) -> bool:
    """Tell whether the embedder works on this machine, thousands of texts a second."""
    return settings.embedding_provider in {"static", "hashing"}


def is_slow(model: str) -> bool:
    """Tell whether a stored model's vectors take long to make again."""
    return model.startswith("multilingual/")


def _make_folder(place: Place) -> None:
    """Make the store's folder, readable by its user alone, with an ignore file of its own."""
    made = not os.path.isdir(place.folder)
    try:
        os.makedirs(place.folder, mode=0o700, exist_ok=True)
        if made or place.scope == "global" or os.path.basename(place.folder) == STORE_FOLDER:
            # Another process may make the same store at this moment.
            with (
                suppress(FileExistsError),
                open(os.path.join(place.folder, ".gitignore"), "x", encoding="utf-8") as ignore,
            ):
                ignore.write(_IGNORED)
        # SQLite gives its log files the mode of the database.
        os.close(os.open(place.database, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise StorageFailed(
            f"the store {place.folder} cannot be made: {error.strerror}",
            hint="--scope global saves in your own store, --store in another"
            if place.scope == "project"
            else "TREERING_HOME names another folder for your own store",
        ) from error
