"""`NamedTuple` without importing `typing`, which takes 6 of the 15 ms a cached deck may take.

Type checkers see `typing.NamedTuple`; at run time a class body becomes a `collections.namedtuple`
of its annotations, with its docstring and properties. Fields have no defaults here.
"""

from __future__ import annotations

from collections import namedtuple

__all__ = ["TYPE_CHECKING", "NamedTuple"]

TYPE_CHECKING = False
"""Type checkers take this name for true."""

if TYPE_CHECKING:
    from typing import Any, NamedTuple
else:

    class _Fields(type):
        """Makes the tuple class when a class body with annotations ends."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = namedtuple(name, body.pop("__annotations__"))
            return type(name, (fields,), {**body, "__slots__": ()})

    class NamedTuple(metaclass=_Fields):
        """The base that class bodies name."""
