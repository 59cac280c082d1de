"""Named tuples that are quick to make: each command imports the classes of all values on its way anew."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import namedtuple

    class _Naming(type):
        """Makes a named tuple of a class body, as ``typing``'s does, and compiles no annotation.

        40 µs a class instead of 105, 3 ms of a search from the shell (``docs/decisions/0008-named-tuples.md``). That
        annotations mean something, and that fields with a default stand last, the type checker has seen.
        """

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            """Return a named tuple with the fields, defaults and methods of a class body."""
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = body["__annotations__"]  # strings: what is named so says ``from __future__ import annotations``
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])  # noqa: PYI024 - its fields are given
            for key, value in body.items():
                if key not in fields:
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Naming):
        """Base of a class whose annotated fields become a tuple's."""


__all__ = ["NamedTuple"]
