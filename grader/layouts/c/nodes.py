"""The parts of a C expression, and of the statements before it, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from grader.facts import Fact
from grader.layouts.c.types import CType


class SourcePlace(NamedTuple):
    """Line and column, from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class IntegerLiteral:
    """A literal; its type follows from its value, base and suffix."""

    place: SourcePlace
    value: int
    type: CType


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, `threadIdx.x` included."""

    place: SourcePlace
    name: str


@dataclass(frozen=True, slots=True)
class Unary:
    """`+ - ~ !`."""

    place: SourcePlace
    operator: str
    operand: Node


@dataclass(frozen=True, slots=True)
class Cast:
    """`(type)operand`."""

    place: SourcePlace
    type: CType
    operand: Node


@dataclass(frozen=True, slots=True)
class Binary:
    """Any operator between two operands, `&&` and `||` included."""

    place: SourcePlace
    operator: str
    left: Node
    right: Node


@dataclass(frozen=True, slots=True)
class Conditional:
    """`test ? yes : no`."""

    place: SourcePlace
    test: Node
    yes: Node
    no: Node


@dataclass(frozen=True, slots=True)
class Call:
    """A call of one of `FUNCTIONS`."""

    place: SourcePlace
    name: str
    arguments: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class GuardedName:
    """A variable without a value in the elements where `flag` is 0; `what` is the fault there."""

    place: SourcePlace
    name: str
    flag: str
    what: Fact


Node = IntegerLiteral | Name | Unary | Cast | Binary | Conditional | Call | GuardedName


class Binding(NamedTuple):
    """A value that is computed once; later bindings and the indices use it by its name."""

    name: str
    value: Node


@dataclass(frozen=True, slots=True)
class CProgram:
    """A program: bindings in order, then the element's index.

    The index is one expression, or two for `tile[i][j]`. An expression alone has no bindings.
    """

    indices: tuple[Node, ...]
    bindings: tuple[Binding, ...] = ()
