"""What an expression of the source stands for: a value, or a place that can be written.

A struct that is not in memory is its members, each a variable of the program or a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from grader.frozen import frozen
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.model.types import ArrayOf, CType, PointerTo, StructType, VoidType
from grader.simt.program.nodes import Expression
from grader.simt.program.types import PointedSpace


@frozen(eq=False)
class Plain:
    """A number or a pointer."""

    type: CType
    node: Expression


@frozen(eq=False)
class Returned(Plain):
    """What a function returned a reference to: its value, but not its place.

    Attributes:
        names: of the variables without an address among what it was passed.
    """

    names: frozenset[str] = frozenset()


@frozen(eq=False)
class OwnNumber(Plain):
    """A number that a template's `auto` parameter stands for: its type is a part of what it is."""


@frozen(eq=False)
class Register:
    """A variable that has no address: a number or a pointer."""

    type: CType
    variable: str
    const: bool = False


@frozen(eq=False)
class MemoryPlace:
    """What a pointer points to.

    Attributes:
        pointer: may be evaluated several times.
        stored: what an assignment has just stored there: its result needs no load.
        volatile: True if threads may synchronize by it.
    """

    type: CType
    pointer: Expression
    const: bool = False
    stored: Expression | None = None
    volatile: bool = False

    @property
    def space(self) -> PointedSpace:
        """The space that it points into."""
        return self.pointer.type.space  # type: ignore[union-attr]


@frozen(eq=False)
class Aggregate:
    """A struct by its members, or an array in one by its elements.

    Attributes:
        whole: of a base, the struct that it was taken from, and its place in that.
    """

    type: StructType | ArrayOf
    members: tuple[Value, ...]
    const: bool = False
    whole: tuple[Aggregate, int] | None = None


@frozen(eq=False)
class VoidValue:
    """The result of a function that returns none."""

    type: CType


@frozen(eq=False)
class Braces:
    """A list of values, where the type that it makes is not known yet."""

    node: syntax.BraceList

    @property
    def type(self) -> CType:
        """No type: only a name, for errors."""
        return VoidType("{…}")


@frozen(eq=False)
class Designator:
    """Functions of a name as a value: which of them is meant, the type says that is wanted.

    Attributes:
        type: a pointer to the function, if there is one of this name alone.
        functions: a `unit.Functions`.
        written: template arguments behind the name; None if there are no `<>`.
    """

    type: CType
    functions: Any
    written: tuple[syntax.TemplateArgument, ...] | None = None


def returned_names(value: Value) -> frozenset[str]:
    """Return the variables that what a function returned a reference to may be."""
    if isinstance(value, Aggregate):
        return frozenset().union(*map(returned_names, value.members))
    return value.names if isinstance(value, Returned) else frozenset()


def is_returned(value: Value) -> bool:
    """Return True for what a function returned a reference to."""
    if isinstance(value, Aggregate):
        return any(map(is_returned, value.members))
    return isinstance(value, Returned)


def decayed_type(value: Value) -> CType:
    """Return the type of a value as an argument: an array is a pointer to its elements."""
    if isinstance(value.type, ArrayOf):
        volatile = getattr(value, "volatile", False)
        return PointerTo(value.type.element, getattr(value, "const", False), volatile=volatile)
    return value.type


def is_place(value: Value) -> bool | None:
    """Return True for a place, const or not; None for what a function returned a reference to."""
    if is_returned(value):
        return None
    if isinstance(value, Aggregate):
        return None if not value.members else is_place(value.members[0])
    return isinstance(value, (Register, MemoryPlace))


def is_stored(closure: Aggregate) -> bool:
    """Return True for a closure that holds copies and pointers, and is no place elsewhere."""
    kind = closure.type
    assert isinstance(kind, StructType)  # of a closure
    return all(
        held.type == member.type
        for member, held in zip(kind.members, closure.members, strict=True)
        if member.name in kind.references
    )


Value: TypeAlias = "Plain | Register | MemoryPlace | Aggregate | VoidValue | Braces | Designator"
Place: TypeAlias = "Register | MemoryPlace | Aggregate"


def variables_in(value: Value) -> Iterator[str]:
    """Yield the program's variables that a place consists of."""
    if isinstance(value, Register):
        yield value.variable
    elif isinstance(value, Aggregate):
        for member in value.members:
            yield from variables_in(member)
