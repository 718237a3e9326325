"""Makes the typed program's expressions as Numba's rules ask for them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from enum import Enum
from itertools import count
from typing import Any

import numpy as np

from grader.frozen import frozen
from grader.simt.machine.conversion import member_number
from grader.simt.program import nodes
from grader.simt.program.nodes import Convert, Expression, Keep, Operation, Read, Set, is_temporary
from grader.simt.program.types import (
    Array,
    Constant,
    Member,
    Nothing,
    Range,
    RecordType,
    Scalar,
    Slice,
    Tuple,
    Type,
    VectorType,
    number,
)

_TEMPORARIES = count(1)


class TypedNode(ast.expr):
    """An expression of the source that was compiled already."""

    def __init__(self, typed: Expression, node: ast.expr) -> None:
        super().__init__()
        self.typed = typed
        ast.copy_location(self, node)


@frozen(eq=False)
class Iteration(Expression):
    """A series of elements, of which a loop takes one in each round.

    Attributes:
        count: how many elements there are.
        element: from the number of a round, an int64 from 0, to its element.
    """

    begin: tuple[Operation, ...]
    count: Expression
    element: Callable[[Expression], Expression]


def temporary() -> str:
    """Return the name of a variable that no other has."""
    return f"%{next(_TEMPORARIES)}"


def constant(value: Any, dtype: Scalar | None = None) -> nodes.Number:
    """Make a number of the source; an integer without `dtype` keeps its value in its type."""
    if dtype is None and isinstance(value, int) and not isinstance(value, bool):
        return nodes.Number(Constant(value), value)
    return nodes.Number(dtype or np.dtype(type(value)), value)


def member(value: Enum) -> nodes.Number:
    """Make a member of an enumeration."""
    return nodes.Number(Member(type(value)), member_number(value))


def cast(typed: Expression, dtype: Scalar) -> Expression:
    """Convert a number to another dtype."""
    return typed if typed.type == dtype else Convert(dtype, typed)


def keep_value(typed: Expression) -> tuple[Expression, Expression]:
    """Split a value that is used twice: the first evaluates it, the second returns the result."""
    if isinstance(typed.type, Constant):
        return typed, typed
    name = temporary()
    return Keep(typed.type, name, typed), Read(typed.type, name)


_HELD = (Array, RecordType, VectorType, Tuple, Nothing, Member, Range, Slice)


def is_value(kind: Type) -> bool:
    """Return True if a variable can hold a value of this type."""
    return number(kind) is not None or isinstance(kind, _HELD)


def hold(typed: Expression) -> tuple[list[Operation], Expression]:
    """Set a temporary to a value that several operations read; what holds no value is as it is."""
    known = isinstance(typed, Read) and is_temporary(typed.variable)
    if known or not is_value(typed.type):
        return [], typed
    name = temporary()
    return [Set(name, typed)], Read(typed.type, name)


def pack(parts: list[Expression]) -> nodes.Pack:
    """Pack several expressions into a tuple."""
    return nodes.Pack(Tuple(tuple(part.type for part in parts)), tuple(parts))


def unpack(typed: Expression, kind: Tuple) -> list[Expression]:
    """Unpack a tuple whose items are evaluated in order: the first one evaluates the tuple."""
    if isinstance(typed, nodes.Pack):
        return list(typed.parts)
    again, source = typed, typed
    if not isinstance(typed, Read):
        source, again = keep_value(typed)
    items: list[Expression] = []
    for place, item_type in enumerate(kind.items):
        items.append(nodes.Part(item_type, source, place))
        if not isinstance(item_type, Constant):  # a constant is not evaluated
            source = again
    return items


def item(typed: Expression, place: int) -> nodes.Part:
    """Take one part of a tuple or of a vector."""
    assert isinstance(typed.type, (Tuple, VectorType))  # the caller has looked
    return nodes.Part(typed.type.items[place], typed, place)
