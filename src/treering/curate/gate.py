"""The gate before every write: no secret comes into a memory, and nothing that its writer marked as private."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treering.domain.memory import tidy
from treering.domain.operation import Create, Operation, Supersede, Update
from treering.domain.secrets import find_secrets
from treering.errors import InputError, SecretFound

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_PRIVATE = "private"
_SHOWN = 4


def admitted(operation: Operation) -> Operation:
    """Return an operation without the parts that are marked as private.

    Raises:
        SecretFound: if a secret is left; the message names its kind and shows its first letters alone.
        InputError: if nothing but private parts was said.
    """
    match operation:
        case Create(memory=draft) | Supersede(memory=draft):
            content = _public(draft.content)
            _refuse((content, draft.title, draft.summary, draft.value, *_flat(draft.labels)))
            return operation if content == draft.content else operation._replace(memory=draft._replace(content=content))
        case Update(changes=changes, labels=labels):
            content = _public(changes.get("content", ""))
            _refuse((content, *(value for name, value in changes.items() if name != "content"), *_flat(labels)))
            if content != changes.get("content", ""):
                return operation._replace(changes={**changes, "content": content})
    return operation


def refuse_secrets(*texts: str) -> None:
    """Refuse texts that hold a secret.

    Raises:
        SecretFound: naming the first one's kind.
    """
    _refuse(texts)


def _public(text: str) -> str:
    """Return a text without its private parts."""
    if "<private>" not in text.lower():
        return text
    kept, at = [], 0
    for one in find_secrets(text):
        if one.kind == _PRIVATE:
            kept.append(text[at : one.span.start])
            at = one.span.stop
    rest = "".join((*kept, text[at:])) if kept else text
    if not rest.strip():
        raise InputError("all of it is marked as private: nothing is stored")
    return tidy(rest) if kept else text


def _refuse(texts: Sequence[str]) -> None:
    """Refuse texts that hold a secret."""
    for text in filter(None, texts):
        for one in find_secrets(text):
            if one.kind != _PRIVATE:
                shown = text[one.span.start : one.span.start + _SHOWN]
                raise SecretFound(
                    f"it holds what looks like a secret ({one.kind}, {shown}…): nothing was stored",
                    hint="say where it is kept instead of what it is",
                )


def _flat(labels: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the values of labels."""
    for values in labels.values():
        yield from values
