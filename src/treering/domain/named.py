"""Named tuples that are quick to make: each command imports the classes of all values on its way anew."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from _collections import _tuplegetter
    from types import FunctionType

    _CODES = {}

    def _code(size: int) -> object:
        """Return the code of a function that makes a tuple of so many values; compiled once for each number."""
        if size not in _CODES:
            names = "".join(f"a{at}, " for at in range(size))
            _CODES[size] = eval(f"lambda _cls, {names}: _new(_cls, ({names}))").__code__  # noqa: S307 - numbers alone
        return _CODES[size]

    class _Values(tuple):
        """What every named tuple can do, as ``collections.namedtuple``'s can."""

        __slots__ = ()
        _fields = ()

        @classmethod
        def _make(cls, values: object) -> _Values:
            """Return one of values in order."""
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **values: object) -> _Values:
            """Return one with other values in some fields."""
            made = self._make(map(values.pop, self._fields, self))
            if values:
                raise ValueError(f"Got unexpected field names: {list(values)!r}")
            return made

        __replace__ = _replace

        def _asdict(self) -> dict[str, object]:
            """Return the values by field."""
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            """Return how one is written."""
            return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in zip(self._fields, self, strict=True))})"

        def __getnewargs__(self) -> tuple[object, ...]:
            """Return what copies and pickles are made of."""
            return tuple(self)

    class _Naming(type):
        """Makes a named tuple of a class body, as ``typing``'s does, and compiles no annotation and next to no code.

        14 µs a class instead of 40 with ``namedtuple`` and 105 with ``typing``'s; a search from the shell makes 57
        (``docs/decisions/0008-named-tuples.md``). That annotations mean something, and that fields with a default stand
        last, the type checker has seen.
        """

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            """Return a named tuple with the fields, defaults and methods of a class body."""
            if not bases:
                return super().__new__(cls, name, bases, body)
            # Strings: what is named so says ``from __future__ import annotations``.
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            names = {"co_name": "__new__", "co_qualname": f"{name}.__new__", "co_varnames": ("_cls", *fields)}
            code = _code(len(fields)).replace(**names)
            new = FunctionType(code, {"_new": tuple.__new__}, "__new__", tuple(defaults.values()))
            getters = {field: _tuplegetter(at, "") for at, field in enumerate(fields)}
            own = {"__slots__": (), "__new__": new, "_fields": fields, "_field_defaults": defaults}
            return type(name, (_Values,), body | own | getters | {"__match_args__": fields})

    class NamedTuple(metaclass=_Naming):
        """Base of a class whose annotated fields become a tuple's."""


__all__ = ["NamedTuple"]
