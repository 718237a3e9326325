"""What an expression of the source stands for: a value, or a place that can be written.

A struct that is not in memory is its members, each a variable of the program or a value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from grader.simt.cuda.lowering.types import ArrayOf, CType, Struct
from grader.simt.program.nodes import Expression


@dataclass(frozen=True, eq=False, slots=True)
class Plain:
    """A number or a pointer."""

    type: CType
    node: Expression


@dataclass(frozen=True, eq=False, slots=True)
class Register:
    """A variable that has no address: a number or a pointer."""

    type: CType
    variable: str
    const: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Memory:
    """What a pointer points to; `pointer` may be evaluated several times."""

    type: CType
    pointer: Expression
    const: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Aggregate:
    """A struct by its members, or an array in one by its elements."""

    type: Struct | ArrayOf
    members: tuple[Value, ...]
    const: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Nothing:
    """The result of a function that returns none."""

    type: CType


Value: TypeAlias = "Plain | Register | Memory | Aggregate | Nothing"
Place: TypeAlias = "Register | Memory | Aggregate"
