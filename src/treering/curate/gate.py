"""The gate before every write: no secret comes into a memory, and nothing that its writer marked as private."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from treering.domain.echo import folded, is_rendered, repeats
from treering.domain.junk import says_nothing
from treering.domain.memory import tidy
from treering.domain.operation import Create, Operation, Supersede, Update
from treering.domain.secrets import find_secrets
from treering.errors import Echo, InputError, NothingSaid, SecretFound

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_PRIVATE = "private"
_SHOWN = 4
_SHOWN_WORDS = 40
_QUOTE_IT = "say what follows from it in your own words, or cite it: --source ID --quote 'its words'"


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


def require_worth(operation: Operation, handed: Iterable[str]) -> None:
    """Refuse an agent's statement without a quote that is not worth keeping.

    What the owner types is kept, whatever it is: nobody else knows what it is for.

    Args:
        operation: the agent's; only what it says in its own words is looked at.
        handed: texts that the agent was shown lately.

    Raises:
        NothingSaid: if it is an acknowledgement, a greeting or marks alone.
        Echo: if it gives back what was shown.
    """
    match operation:
        case Create(memory=draft) | Supersede(memory=draft) if not draft.evidence:
            text, alone = draft.content, not (draft.slot or draft.value or draft.title or draft.summary)
        case Update(changes=changes, evidence=()) if "content" in changes:
            text, alone = changes["content"], True
        case _:
            return
    if alone and says_nothing(text):
        raise NothingSaid(
            f"not stored: “{text[:_SHOWN_WORDS]}” says nothing by itself",
            hint="save one sentence that stands by itself",
        )
    if is_rendered(text):
        raise Echo("not stored: it bears the marks of an answer of this memory, which has it already", hint=_QUOTE_IT)
    if repeats(text, map(_folded, handed)):
        raise Echo("not stored: it gives back what this memory has just shown", hint=_QUOTE_IT)


_folded = lru_cache(maxsize=64)(folded)
"""The same texts are compared with each save of a session."""


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
