"""Ends the lives of variables: their destructors are called where control leaves their scope.

A struct with a destructor is only known as a variable of a block. What else would end one is
refused: values without a name, arguments and results by value, and variables of a loop's head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from grader.facts import fact
from grader.simt.cuda import declared, syntax
from grader.simt.cuda.lowering.conversions import member_of
from grader.simt.cuda.lowering.model.types import (
    Arithmetic,
    ArrayOf,
    CType,
    StructType,
    tree_of,
    unnest,
)
from grader.simt.cuda.lowering.model.values import MemoryPlace, Value
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.cuda.places import Place
from grader.simt.program import nodes

Kind = Literal["block", "head", "loop", "switch"]


@dataclass(eq=False)
class Lives:
    """A scope that is open; of a "head" or a "switch" no variable may have a destructor."""

    kind: Kind
    begun: list[tuple[syntax.Node, Value]] = field(default_factory=list)


def destructor_of(kind: StructType) -> declared.Function | None:
    """Return the destructor that the source gives a struct for the device; None for none."""
    return next(
        (
            each
            for each in tree_of(kind).functions
            if each.name.startswith("~") and not each.defaulted and not each.deleted
            if each.specifiers & {"__device__", "constexpr"}
        ),
        None,
    )


def has_destructor(kind: CType | None) -> bool:
    """Return True for a struct with a destructor, and for what has one in it."""
    if kind is None or isinstance(kind, Arithmetic):
        return False
    own, _ = unnest(kind)
    if not isinstance(own, StructType):
        return False
    return destructor_of(own) is not None or any(has_destructor(each.type) for each in own.members)


def check_unnamed(unit: CudaUnit, node: syntax.Node, kind: CType | None) -> None:
    """Check that a value that is no variable has no destructor.

    Raises:
        Refused: it has one.
    """
    if has_destructor(kind):
        raise unit.refusal(node, fact("cpp.no-destructors"))


def scope(unit: CudaUnit, kind: Kind) -> _OpenLives:
    """Open a scope."""
    return _OpenLives(unit.lives, Lives(kind))


class _OpenLives:
    """A scope that is open; a third of the time of a generator, for each body."""

    __slots__ = ("_all", "_own")

    def __init__(self, every: list[Lives], own: Lives) -> None:
        self._all, self._own = every, own

    def __enter__(self) -> None:
        self._all.append(self._own)

    def __exit__(self, *_: object) -> None:
        self._all.pop()


def begin_life(unit: CudaUnit, node: syntax.Variable, place: Value) -> None:
    """Note a variable that is there up to the end of the innermost scope.

    Raises:
        Refused: it has a destructor, and is in no block.
    """
    if not has_destructor(place.type):
        return
    if not unit.lives or unit.lives[-1].kind != "block":
        raise unit.refusal(node, fact("cpp.no-destructors"))
    unit.lives[-1].begun.append((node, place))


def leave_block(unit: CudaUnit, place: Place, last: object) -> list[nodes.Statement]:
    """Return what the end of the innermost block does, behind its last statement."""
    jumps = isinstance(last, (syntax.Return, syntax.Break, syntax.Continue))
    return [] if jumps else _statements(unit, place, unit.lives[-1:])


def leave_loop(unit: CudaUnit, place: Place, kinds: Sequence[Kind]) -> list[nodes.Statement]:
    """Return what a `break` or a `continue` does before it leaves, up to one of these scopes."""
    inner = next(at for at in reversed(range(len(unit.lives))) if unit.lives[at].kind in kinds)
    return _statements(unit, place, unit.lives[inner + 1 :])


def is_alive(unit: CudaUnit) -> bool:
    """Return True if there is a variable with a destructor."""
    return any(each.begun for each in unit.lives)


def leave_function(unit: CudaUnit) -> None:
    """Emit what a `return` does before it leaves."""
    _end(unit, unit.lives)


def _statements(unit: CudaUnit, place: Place, scopes: Sequence[Lives]) -> list[nodes.Statement]:
    with unit.apart() as operations:
        _end(unit, scopes)
    return [nodes.Step(unit.site(place), tuple(operations))] if operations else []


def _end(unit: CudaUnit, scopes: Sequence[Lives]) -> None:
    for each in reversed(scopes):
        for node, place in reversed(each.begun):
            _destroy(unit, node, place)


def _destroy(unit: CudaUnit, node: syntax.Node, place: Value) -> None:
    kind = place.type
    if isinstance(place, MemoryPlace):
        place = replace(place, const=False)
    if isinstance(kind, StructType) and (own := destructor_of(kind)) is not None:
        if own.body is None and own.refusal is None:
            raise unit.refusal(node, fact("cpp.no-destructors"))
        unit.module.hooks.destroy(unit, node, own, place)
    if isinstance(kind, StructType):
        parts = [each.type for each in kind.members]
    else:
        assert isinstance(kind, ArrayOf)  # it has something with a destructor
        parts = [kind.element] * (kind.length or 0)
    for at in reversed(range(len(parts))):
        if has_destructor(parts[at]):
            _destroy(unit, node, member_of(place, at))
