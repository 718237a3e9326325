"""How a function is passed its arguments and its struct: by value, as a place in memory, or both.

A reference to a register is passed by value and given back, as `functions` says.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from grader.facts import fact
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.lowering.assigning import assign
from grader.simt.cuda.lowering.closures import Argument, Passed, pass_closure
from grader.simt.cuda.lowering.conversions import convert, load, peek, rvalue
from grader.simt.cuda.lowering.declarations import refer
from grader.simt.cuda.lowering.model.types import (
    VOID,
    ArrayOf,
    PointerTo,
    StructType,
    decay,
    is_closure,
    is_function_pointer,
)
from grader.simt.cuda.lowering.model.values import (
    Aggregate,
    MemoryPlace,
    Register,
    Value,
    VoidValue,
    is_place,
    is_returned,
)
from grader.simt.cuda.lowering.objects.bases import find_whole, names_whole, to_base
from grader.simt.cuda.lowering.objects.lifetimes import check_unnamed
from grader.simt.cuda.lowering.objects.stored_closures import refuse_returned
from grader.simt.cuda.lowering.pointed import require_pointed
from grader.simt.cuda.lowering.statements import flatten
from grader.simt.cuda.lowering.storage import declare_memory
from grader.simt.cuda.lowering.templates.structs import make_listed
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.program.nodes import Expression


def check_moved(
    unit: CudaUnit,
    parameter: declared.Parameter,
    given: syntax.Expression,
    value: Value,
    bindings: dict[str, Any],
) -> None:
    """Check that no variable is given where a function takes only what is moved or has no name.

    Raises:
        Refused: it is.
    """
    kind = parameter.type
    if not isinstance(kind, syntax.ReferenceType) or not kind.rvalue or trees.is_auto(kind.target):
        return
    if trees.type_name(kind.target) in bindings:  # it is a reference to a variable then
        return
    if isinstance(given, syntax.Name) and is_place(value):
        with unit.scopes.inner(bindings):
            same = unit.module.type_of(unit, kind) == value.type
        if same:
            raise unit.error(given, fact("cpp.not-moved", name=given.spelled))


def prepare_argument(
    unit: CudaUnit,
    node: syntax.Node,
    parameter: declared.Parameter,
    value: Value,
    bindings: dict[str, Any],
    *,
    addressed: bool,
) -> Value:
    """Return an argument; one without a place in memory for one, if its address is taken.

    Raises:
        Refused: it is a copy with a destructor.
    """
    if not isinstance(parameter.type, syntax.ReferenceType):
        check_unnamed(unit, node, value.type)
        return value
    if not addressed or isinstance(value, MemoryPlace):
        return value
    with unit.scopes.inner(bindings):
        kind = unit.module.type_of(unit, parameter.type)
        const = parameter.type.rvalue or unit.module.is_const(unit, parameter.type.target)
    if not const or is_closure(kind) or is_function_pointer(kind):
        return value
    given = to_base(make_listed(unit, value, kind), kind)
    if isinstance(kind, StructType) and given.type != kind:
        given = unit.module.hooks.make(unit, node, kind, (given,))
    made = declare_memory(unit, node, parameter.name, kind, "local")
    assign(unit, node, made, load(unit, node, given))
    return made


def pass_this(
    unit: CudaUnit, node: syntax.Node, source: declared.Function, this: Value
) -> tuple[Passed, list[Expression], Value]:
    """Return how a struct is passed to a function of its own."""
    if is_closure(this.type):
        return pass_closure(unit, node, this, copied=False)
    if isinstance(this, MemoryPlace):
        return pass_memory(unit, this, const=source.const)
    if is_returned(this) and not source.const:
        raise refuse_returned(unit, node, this)
    path: tuple[int, ...] = ()
    if isinstance(this, Aggregate) and names_whole(this):
        this, path = find_whole(this)
    loaded = load(unit, node, this)
    changeable = isinstance(this, Aggregate) and _is_place(this)
    how = "register" if changeable and not source.const and source.result is not None else "value"
    return Passed(this.type, how, base=path), flatten(loaded), this


def pass_memory(unit: CudaUnit, this: MemoryPlace, *, const: bool = False) -> Argument:
    """Return how a struct in memory is passed."""
    return Passed(this.type, "memory", this.space, const), [unit.hold(this.pointer)], this


def _is_place(value: Value) -> bool:
    if isinstance(value, Aggregate):
        return not value.const and all(map(_is_place, value.members))
    return isinstance(value, (MemoryPlace, Register))


def pass_argument(
    unit: CudaUnit,
    node: syntax.Node,
    parameter: declared.Parameter,
    value: Value,
    bindings: dict[str, Any],
) -> tuple[Passed, list[Expression], Value]:
    """Return how an argument is passed, its numbers, and the place it refers to."""
    with unit.scopes.inner(bindings):
        written = unit.module.type_of(unit, parameter.type)
        kind = unit.module.parameter_type(unit, parameter.type)
        const = isinstance(parameter.type, syntax.ReferenceType) and unit.module.is_const(
            unit, parameter.type.target
        )
    value = to_base(make_listed(unit, value, kind), kind)
    if is_function_pointer(kind):
        pointed = require_pointed(unit, node, value, kind)
        return Passed(kind, "function", function=pointed), [], VoidValue(VOID)
    if is_closure(kind):
        by_value = not isinstance(parameter.type, syntax.ReferenceType)
        return pass_closure(unit, node, value, copied=by_value)
    path: tuple[int, ...] = ()
    if isinstance(parameter.type, syntax.ReferenceType) and names_whole(value):
        assert isinstance(value, Aggregate)  # a base in registers
        value, path = find_whole(value)
        kind = written = value.type
    if isinstance(parameter.type, syntax.ReferenceType) and not _is_temporary(parameter, value):
        if not const:
            refer(unit, node, value, written, const=False)
        if isinstance(value, MemoryPlace) and (
            not const or decay(value.type, const=isinstance(value.type, ArrayOf)) == kind
        ):
            how = Passed(value.type, "memory", value.space, const)
            return how, [unit.hold(value.pointer)], replace(value, stored=None)
        if not const:
            return Passed(kind, "register", base=path), flatten(peek(unit, value)), value
    whole = isinstance(kind, StructType) and isinstance(value.type, ArrayOf)
    loaded = value if whole else load(unit, node, value)
    if isinstance(kind, StructType):
        if loaded.type != kind:
            loaded = unit.module.hooks.make(unit, node, kind, (loaded,))
        return Passed(kind, base=path), flatten(loaded), loaded
    plain = convert(unit, node, rvalue(unit, node, loaded), kind)
    space = plain.node.type.space if isinstance(kind, PointerTo) else "generic"  # type: ignore[union-attr]
    return Passed(kind, "value", space), [plain.node], plain


def _is_temporary(parameter: declared.Parameter, value: Value) -> bool:
    """Return True for what a `&&` keeps a copy of: a value, or what is const."""
    kind = parameter.type
    if not isinstance(kind, syntax.ReferenceType) or not kind.rvalue or is_returned(value):
        return False
    return not isinstance(value, (Register, MemoryPlace, Aggregate)) or not _is_changeable(value)


def _is_changeable(value: Value) -> bool:
    """Return True for a place that is not const."""
    if isinstance(value, Aggregate):
        return _is_place(value)
    return isinstance(value, (Register, MemoryPlace)) and not value.const
