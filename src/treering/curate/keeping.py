"""Keeping: an original becomes a version of its source, or is there already.

A source is known by its key, and its versions are never changed. It keeps the trust with which it first came: no
later version lends an owner's name to what somebody else wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from treering.domain.named import NamedTuple
from treering.domain.policy import LEVEL
from treering.domain.source import Metadata
from treering.errors import Conflict, NotAllowed

if TYPE_CHECKING:
    from collections.abc import Callable

    from treering.curate.curator import Curator
    from treering.domain.keeping import KeptAs, Said
    from treering.domain.source import Trust
    from treering.intake import KeptText
    from treering.ports import Transaction
    from treering.records import StoredSource

    Put = Callable[[KeptText, str, str], None]
    """Stores a text under an id for its source and one for its version, and what is derived with it."""

_TITLE_CHARS: Final = 80


class Kept(NamedTuple):
    """What became of an original.

    Attributes:
        outcome: ``accepted``, ``superseded`` or ``exists``.
        source: its source, as it is now.
        notices: what the user should know.
    """

    outcome: KeptAs
    source: StoredSource
    notices: tuple[str, ...] = ()


def keep(tx: Transaction, curator: Curator, new: KeptText, raw: bytes, said: Said, put: Put) -> Kept:
    """Keep an original.

    Args:
        tx: a transaction that may write.
        curator: on whose behalf.
        new: the text; without a key it is given one, unless its content is there already.
        raw: its bytes.
        said: what the caller says about it.
        put: what stores it.

    Raises:
        NotAllowed: if an agent would write into a source that is trusted more than what it brings.
        Conflict: if the source came with another trust than is given.
    """
    known = tx.sources.source_by_key(new.key) if new.key else None
    if known is None:
        new = new._replace(trust=said.trust or ("owner" if curator.caller.role == "owner" else "external"))
        if not said.key and not said.url and (twin := _twin(tx, new)):
            return _exists(tx, curator, twin, said, f"the same content is kept as {twin.id} ({twin.key})")
    else:
        if known.sha256 == new.document.sha256 and not is_out(tx, known):
            return _exists(tx, curator, known, said)
        new = _continued(curator, new, said, known)
    source = known.id if known else curator.make_id("src")
    title = new.title or (known.title if known else _first_line(new.document.text))
    new = new._replace(key=new.key or f"note:{source}", title=title)
    if new.original == "bytes":
        tx.originals.put(new.document.sha256, raw)
    version, former = curator.make_id("ver"), known.version if known and not is_out(tx, known) else ""
    put(new, source, version)
    outcome: KeptAs = "superseded" if former else "accepted"
    curator.record(tx, "import", source, outcome, [["unkeep", source, version, former]])
    return Kept(outcome, tx.sources.sources([source])[source])


def known(tx: Transaction, curator: Curator, key: str, sha256: str, said: Said) -> Kept:
    """Return the source that holds these bytes already, under this key.

    Raises:
        Conflict: if it has left, or holds something else by now.
    """
    source = tx.sources.source_by_key(key)
    if source is None or source.sha256 != sha256:
        raise Conflict("what the store held of it has changed meanwhile", hint="import it again")
    return _exists(tx, curator, source, said)


def is_out(tx: Transaction, source: StoredSource) -> bool:
    """Tell whether a source's import was taken back, so that it is there for what memories quote of it alone."""
    return source.chars > 0 and not tx.sources.chunks_before(source.version, 1, 1)


def _first_line(text: str) -> str:
    """Return the beginning of a text that has no title."""
    line = next((line for line in text.split("\n") if line.strip()), "").strip()
    return line if len(line) <= _TITLE_CHARS else f"{line[:_TITLE_CHARS].rstrip()}…"


def _twin(tx: Transaction, new: KeptText) -> StoredSource | None:
    """Return an imported source with the same content and trust."""
    alike = tx.sources.with_content(new.document.sha256)
    return next((one for one in alike if one.trust == new.trust and not is_out(tx, one)), None)


def _exists(tx: Transaction, curator: Curator, known: StoredSource, said: Said, *notices: str) -> Kept:
    """Leave a source as it is, but for what the caller says it is to be filtered by."""
    former = tx.sources.metadata([known.id])[known.id]
    tags = tuple(dict.fromkeys((*former.get("tags", ()), *said.labels.get("tags", ()))))
    given = said.labels if curator.caller.role == "owner" else {**said.labels, **former}  # an agent takes none away
    labels = {**former, **given, **({"tags": tags} if tags else {})}
    if labels != former:
        tx.sources.put_metadata(known.id, Metadata(labels))
    return Kept("exists", known, notices)


def _continued(curator: Curator, new: KeptText, said: Said, known: StoredSource) -> KeptText:
    """Return a text as the next version of a source.

    Raises:
        NotAllowed: see ``keep``.
        Conflict: see ``keep``.
    """
    if curator.caller.role != "owner":
        if LEVEL[said.trust or "external"] < LEVEL[known.trust]:
            raise NotAllowed(
                f"{known.id} ({known.key}) has trust {known.trust}: an agent brings no new version of it",
                hint="give it another key, or let the owner import it",
            )
    elif said.trust and said.trust != known.trust:
        raise Conflict(
            f"{known.id} ({known.key}) was kept with trust {known.trust}, which a source does not change",
            hint=f"leave --trust out, or import it under another name with --key; see treering show {known.id}",
        )
    return new._replace(trust=cast("Trust", known.trust), kind=said.kind or known.kind, url=new.url or known.url)
