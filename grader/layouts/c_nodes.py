"""The parts of a C expression, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from grader.layouts.c_types import CType


class Place(NamedTuple):
    """Line and column, from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Number:
    """A literal; its type follows from its value, base and suffix."""

    place: Place
    value: int
    type: CType


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, `threadIdx.x` included."""

    place: Place
    name: str


@dataclass(frozen=True, slots=True)
class Unary:
    """`+ - ~ !`."""

    place: Place
    operator: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Cast:
    """`(type)operand`."""

    place: Place
    type: CType
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary:
    """Any operator between two operands, `&&` and `||` included."""

    place: Place
    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Conditional:
    """`test ? yes : no`."""

    place: Place
    test: Node
    yes: Node
    no: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A call of one of `FUNCTIONS`."""

    place: Place
    name: str
    arguments: tuple[Node, ...]


Node = Number | Name | Unary | Cast | Binary | Conditional | Call


@dataclass(frozen=True, slots=True)
class CExpression:
    """One expression for the element's place, or two for `tile[i][j]`."""

    indices: tuple[Node, ...]
