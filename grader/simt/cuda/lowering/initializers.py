"""Initializers: what the parts of an array or a struct begin with.

Lists must not lose digits: `int x{2.5}` is no C++, while `int x = 2.5` is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.analysis.folding import fold
from grader.simt.cuda.lowering.analysis.lists import add_braces, spell_text
from grader.simt.cuda.lowering.assigning import assign
from grader.simt.cuda.lowering.conversions import (
    alternative_of,
    check_copied,
    convert,
    load,
    member_of,
    rvalue,
    whole,
)
from grader.simt.cuda.lowering.expressions import lower, lower_given
from grader.simt.cuda.lowering.model.types import (
    DIM3,
    NULLPTR,
    Arithmetic,
    ArrayOf,
    CType,
    ReferenceTo,
    StructType,
    bindings_of,
    defaults_of,
    has_union,
    is_defaulted,
    is_scoped,
    parts_of,
)
from grader.simt.cuda.lowering.model.values import MemoryPlace, Plain, Value
from grader.simt.cuda.lowering.objects.lifetimes import check_unnamed
from grader.simt.cuda.lowering.objects.references import refer_to
from grader.simt.cuda.lowering.storage import declare_memory, make_variable
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.machine.conversion import uniform
from grader.simt.program.types import BFLOAT16, FLOAT16


def check_narrowing(unit: CudaUnit, node: syntax.Node, value: Plain, kind: CType) -> None:
    """Check that a type holds a constant that begins it in a list.

    Of variables, whose values may not fit, compilers only warn.

    Raises:
        Refused: it does not hold it.
    """
    own = value.type
    if not _is_number(own) or not _is_number(kind):
        return
    assert isinstance(own, Arithmetic)  # as all numbers
    assert isinstance(kind, Arithmetic)
    known = fold(value.node)
    if known is not None and not _holds(own, kind, known):
        raise unit.error(node, fact("cpp.narrowing", value=str(known), type=kind.name))


def _is_number(kind: CType) -> bool:
    """Return True for a number of C++'s own: halves are structs, with conversions of their own."""
    if not isinstance(kind, Arithmetic) or is_scoped(kind):
        return False
    return kind != NULLPTR and kind.dtype not in (FLOAT16, BFLOAT16)


def _holds(own: Arithmetic, kind: Arithmetic, known: float) -> bool:
    if kind.is_integer and not own.is_integer:
        return False
    there = uniform(known, kind.dtype)[0, 0].item()
    if own.is_integer:
        return bool(there == known)
    return math.isinf(known) or not math.isinf(there)


MOST_ELEMENTS = 2_000
"""Of an array that a list begins: each is an operation of its own."""


def constructs(unit: CudaUnit, kind: StructType, *, given: bool) -> bool:
    """Return True if a constructor of the source begins a struct, with values or without."""
    own: bool = unit.module.hooks.has_constructor(kind)
    return own and (given or not is_defaulted(kind))


def construct(unit: CudaUnit, node: syntax.Node, place: Value, given: Sequence[Value]) -> None:
    """Emit what arguments make of a struct; a constructor may do it where the struct is."""
    made = unit.module.hooks.make(unit, node, place.type, given, place)
    if made is not place:
        assign(unit, node, place, load(unit, node, made))


def initialize(unit: CudaUnit, node: syntax.Node, place: Value, given: syntax.Initializer) -> None:
    """Emit what a variable begins with.

    Raises:
        Refused: it does not fit.
    """
    values = given.values
    if len(values) == 1 and isinstance(place.type, ReferenceTo):
        bound = refer_to(unit, node, lower(unit, values[0]), place.type)
        assign(unit, node, place, bound)
        return
    if given.form != "{}" and len(values) == 1 and isinstance(values[0], syntax.BraceList):
        _fill(unit, node, place, values[0].values)
        return
    if given.form == "{}" or (not values and given.form == "()"):
        _fill(unit, node, place, values)
        return
    kind = place.type
    if isinstance(kind, ArrayOf) and spell_text(kind, values) is not values:
        _fill(unit, node, place, values)
        return
    if isinstance(kind, StructType):
        arguments = lower_given(unit, kind, values, braces=False)
        if given.form == "=" and _lacks_constructor(unit, kind, arguments):
            what = fact("cpp.no-conversion", type=arguments[0].type.name, wanted=kind.name)
            raise unit.error(node, what)
        construct(unit, node, place, arguments)
        return
    if len(values) != 1:
        raise unit.error(node, fact("cpp.too-many-values"))
    assign(unit, node, place, load(unit, node, lower(unit, values[0])))


def _lacks_constructor(unit: CudaUnit, kind: StructType, given: Sequence[Value]) -> bool:
    """Return True for a number that would have to become a struct without constructors."""
    aggregate = kind != DIM3 and not unit.module.hooks.has_constructor(kind)
    return aggregate and len(given) == 1 and isinstance(given[0].type, Arithmetic)


def make_initial(
    unit: CudaUnit, node: syntax.Node, kind: CType, given: syntax.Initializer
) -> Value:
    """Return a value without a name that an initializer begins.

    Raises:
        Refused: it does not fit.
    """
    values = given.values
    if isinstance(kind, (ArrayOf, StructType)):
        check_copied(unit, node, kind)
        check_unnamed(unit, node, kind)
        if has_union(kind):
            place: Value = declare_memory(unit, given, "list", kind, "local")
        else:
            place = make_variable(unit, "%list", kind)
        initialize(unit, node, place, given)
        return load(unit, node, place)
    listed = given.form == "{}"
    if len(values) == 1 and isinstance(values[0], syntax.BraceList):
        listed, values = True, values[0].values
    if len(values) > 1:
        raise unit.error(node, fact("cpp.too-many-values"))
    if not values:
        return convert(unit, node, whole(0), kind)
    if listed:
        return _listed(unit, values[0], kind)
    return convert(unit, node, rvalue(unit, node, lower(unit, values[0])), kind)


def _listed(unit: CudaUnit, value: syntax.Expression, kind: CType) -> Plain:
    """Lower a number or a pointer in a list, which must not lose digits.

    Raises:
        Refused: it does.
    """
    given = rvalue(unit, value, lower(unit, value))
    check_narrowing(unit, value, given, kind)
    return convert(unit, value, given, kind)


def _fill(
    unit: CudaUnit, node: syntax.Node, place: Value, values: tuple[syntax.Expression, ...]
) -> None:
    """Emit what a list of values begins an array, a struct, or a number with; the rest is zero."""
    kind = place.type
    if isinstance(kind, StructType) and constructs(unit, kind, given=bool(values)):
        if any(isinstance(each, syntax.Designated) for each in values):
            raise unit.refusal(node, fact("cpp.no-designators"))
        arguments = lower_given(unit, kind, values, braces=True)
        construct(unit, node, place, arguments)
    elif isinstance(kind, StructType) and len(values) == 1 and is_whole(unit, kind, values[0]):
        assign(unit, node, place, load(unit, node, lower(unit, values[0])))
    elif isinstance(kind, (ArrayOf, StructType)):
        _fill_parts(unit, node, place, add_braces(kind, values, partial(is_whole, unit)))
    elif len(values) > 1:
        raise unit.error(node, fact("cpp.too-many-values"))
    else:
        _fill_one(unit, node, place, values)


def _fill_parts(
    unit: CudaUnit, node: syntax.Node, place: Value, values: tuple[syntax.Expression, ...]
) -> None:
    """Emit what each part of an array or a struct begins with."""
    kind = place.type
    assert isinstance(kind, (ArrayOf, StructType))  # the caller has looked
    if isinstance(kind, StructType) and kind.alternatives and values:
        _fill_union(unit, node, place, values)
        return
    parts = parts_of(kind)
    if isinstance(kind, StructType) and any(isinstance(each, syntax.Designated) for each in values):
        _fill_designated(unit, node, place, values)
        return
    if len(values) > len(parts):
        raise unit.error(node, fact("cpp.too-many-values"))
    if len(parts) > MOST_ELEMENTS:
        raise unit.refusal(node, fact("cpp.large-list", most=MOST_ELEMENTS))
    for at in range(len(parts)):
        given = values[at : at + 1]
        if given or not begin_member(unit, node, place, at):
            _fill_one(unit, node, member_of(place, at), given)


def _fill_union(
    unit: CudaUnit, node: syntax.Node, place: Value, values: tuple[syntax.Expression, ...]
) -> None:
    """Emit what a union begins with: its first member, or the one that is named."""
    kind = place.type
    assert isinstance(kind, StructType)  # the caller has looked
    if len(values) > 1:
        raise unit.error(node, fact("cpp.too-many-values"))
    ((at, value),) = designate_members(unit, kind, values)
    if not isinstance(place, MemoryPlace):
        raise unit.refusal(node, fact("cpp.no-union"))
    _fill_one(unit, node, alternative_of(place, at), (value,))


def designate_members(
    unit: CudaUnit, kind: StructType, values: Sequence[syntax.Expression]
) -> list[tuple[int, syntax.Expression]]:
    """Return the places of the members that values begin, by their names or in order.

    Raises:
        Refused: a name is none of a member, or is there twice.
    """
    found = list[tuple[int, syntax.Expression]]()
    for value in values:
        if not isinstance(value, syntax.Designated):
            if any(isinstance(each, syntax.Designated) for each in values):
                raise unit.refusal(value, fact("cpp.no-designators"))
            found.append((len(found), value))
            continue
        at = kind.member(value.name)
        if at is None:
            raise unit.error(value, fact("cpp.no-member", type=kind.name, name=value.name))
        if any(at == other for other, _ in found):
            raise unit.error(value, fact("cpp.declared-twice", name=value.name))
        found.append((at, value.value))
    return found


def _fill_designated(
    unit: CudaUnit, node: syntax.Node, place: Value, values: tuple[syntax.Expression, ...]
) -> None:
    """Emit what a list begins that names its members, in the order of the members."""
    kind = place.type
    assert isinstance(kind, StructType)  # the caller has looked
    given = dict(designate_members(unit, kind, values))
    if sorted(given) != list(given):  # C++ has no such order, and C evaluates in that of the list
        raise unit.refusal(node, fact("cpp.no-designators"))
    for at in range(len(kind.members)):
        own = (given[at],) if at in given else ()
        if own or not begin_member(unit, node, place, at):
            _fill_one(unit, node, member_of(place, at), own)


def begin_member(unit: CudaUnit, node: syntax.Node, place: Value, at: int) -> bool:
    """Emit what a member begins with by default; False if its struct does not say."""
    kind = place.type
    if not isinstance(kind, StructType):
        return False
    default = defaults_of(kind).get(kind.members[at].name)
    if default is None:
        return False
    with unit.scopes.inner(bindings_of(kind)):
        initialize(unit, node, member_of(place, at), default)
    return True


def is_whole(unit: CudaUnit, kind: CType, value: syntax.Expression) -> bool:
    """Return True if a value without braces begins all of an array or a struct."""
    if not isinstance(kind, StructType) or isinstance(value, (syntax.BraceList, syntax.Designated)):
        return False
    if unit.module.hooks.has_constructor(kind):
        return True
    with unit.apart():
        return lower(unit, value).type == kind


def _fill_one(
    unit: CudaUnit, node: syntax.Node, place: Value, values: tuple[syntax.Expression, ...]
) -> None:
    if not values and isinstance(place.type, (ArrayOf, StructType)):
        _fill(unit, node, place, ())
    elif not values:
        assign(unit, node, place, whole(0))
    elif not isinstance(place.type, (ArrayOf, StructType, ReferenceTo)) and not isinstance(
        values[0], syntax.BraceList
    ):
        assign(unit, node, place, _listed(unit, values[0], place.type))
    else:
        initialize(unit, node, place, syntax.Initializer(node.place, "=", values))
