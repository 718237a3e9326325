"""Converts values from type to type, as C++ does implicitly or by a cast."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.model import strong
from grader.simt.cuda.lowering.model.encoded import read_number
from grader.simt.cuda.lowering.model.types import (
    BOOLEAN,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG_LONG,
    MOST_COPIED,
    NARROW,
    NULLPTR,
    UNCHANGED,
    Arithmetic,
    ArrayOf,
    CType,
    PointerTo,
    StructSource,
    StructType,
    VoidType,
    common_arithmetic,
    converts_alone,
    find_base,
    functions_of,
    has_array,
    is_closure,
    is_scoped,
    offset_of,
    parts_of,
    promote,
)
from grader.simt.cuda.lowering.model.values import (
    Aggregate,
    Braces,
    Designator,
    MemoryPlace,
    Plain,
    Register,
    Value,
    is_stored,
)
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.intrinsics.functions.bfloat16 import from_bits, to_bits
from grader.simt.program import nodes
from grader.simt.program import types as program_types
from grader.simt.program.bounds import must_hold
from grader.simt.program.nodes import Apply, Convert, Expression, Operate, Position, Read, target
from grader.simt.program.types import INT32, INT64, UINT32, VectorType
from grader.simt.program.walking import walk_expression

Stored = program_types.Scalar | VectorType | program_types.Pointer
"""What a place in memory can hold."""


def dtype_of(kind: CType) -> program_types.Type:
    """Return the program's type of a number or a pointer.

    A pointer's address space is that of its node, not of its type.
    """
    if isinstance(kind, Arithmetic):
        return kind.dtype
    assert isinstance(kind, PointerTo)  # the caller has looked
    return pointer_type(kind, "generic")


def pointer_type(kind: PointerTo, space: program_types.PointedSpace) -> program_types.Pointer:
    """Return the program's type of a pointer into an address space."""
    return program_types.Pointer(element_of(kind.target), space)


def element_of(kind: CType) -> Stored:
    """Return the program's type of what a pointer points to; bytes, if that has no number."""
    if isinstance(kind, Arithmetic):
        return kind.stored
    if isinstance(kind, ArrayOf):
        return element_of(kind.element)
    if isinstance(kind, StructType) and kind.vector:
        return vector_of(kind)
    if isinstance(kind, PointerTo):
        return pointer_type(kind, "generic")
    return program_types.UINT8


def vector_of(kind: StructType) -> VectorType:
    """Return the program's type of one of CUDA's vector types."""
    first = kind.members[0].type
    assert isinstance(first, Arithmetic)  # CUDA's have numbers
    return VectorType(first.stored, len(kind.members))


def from_stored(kind: CType, node: Expression) -> Expression:
    """Return a number of what memory holds of it."""
    if isinstance(kind, Arithmetic) and kind.stored != kind.dtype:
        return Apply(kind.dtype, "from bits", from_bits, (node,))
    return node


def to_stored(kind: CType, node: Expression) -> Expression:
    """Return what memory holds of a number."""
    if isinstance(kind, Arithmetic) and kind.stored != kind.dtype:
        return Apply(kind.stored, "to bits", to_bits, (node,))
    return node


def load(unit: CudaUnit, node: syntax.Node, value: Value) -> Value:
    """Return what a place holds; an array is a pointer to its first element."""
    if isinstance(value, Plain):
        return value
    match value:
        case Register(kind, variable):
            return Plain(kind, unit.read_variable(node, variable))
        case MemoryPlace(ArrayOf(element), pointer, const, volatile=volatile):
            return Plain(PointerTo(element, const, volatile=volatile), pointer)
        case MemoryPlace(StructType() as kind, pointer, const):
            return _load_struct(unit, node, kind, MemoryPlace(kind, pointer, const))
        case MemoryPlace(kind, stored=Expression() as known):
            return Plain(kind, known)
        case MemoryPlace(Arithmetic(is_integer=True) as kind, pointer, volatile=True):
            site = unit.site(node.place)
            known = unit.hold(strong.load(unit.module.program, site, kind.stored, pointer))
            return Plain(kind, from_stored(kind, known))
        case MemoryPlace(kind, pointer):
            stored = element_of(kind)
            found = nodes.Load(stored, target(stored, pointer, unit.site(node.place)))
            return Plain(kind, from_stored(kind, found))
        case Aggregate():
            return peek(unit, value)
    return value


def peek(unit: CudaUnit, value: Value) -> Value:
    """Return what variables hold, which need no value yet: a copy of a struct uses no member."""
    match value:
        case Register(kind, variable):
            return Plain(kind, Read(unit.variable_type(variable), variable))
        case Aggregate(kind, members, const) if not is_closure(kind) or is_stored(value):
            return Aggregate(kind, tuple(peek(unit, member) for member in members), const)
    return value


def _load_struct(
    unit: CudaUnit, node: syntax.Node, kind: StructType, where: MemoryPlace
) -> Aggregate:
    """Load a struct by as few accesses as its alignment allows, or by its members."""
    check_copied(unit, node, kind)
    wide = wide_vector(kind)
    if wide is None:
        return _load_parts(unit, node, kind, unit.hold_place(where))
    step, loaded = wide.dtype.itemsize * wide.size, []
    if kind.size > step:
        where = unit.hold_place(where)
    for at in range(0, kind.size, step):
        place = target(wide, point_to(where.pointer, at, wide), unit.site(node.place))
        whole = unit.hold(nodes.Load(wide, place))
        loaded += [nodes.Part(wide.dtype, whole, part) for part in range(wide.size)]
    return _gather(kind, iter(loaded))


def _gather(kind: StructType | ArrayOf, loaded: Iterator[Expression]) -> Aggregate:
    """Return a struct of its numbers, one after the other."""
    return Aggregate(
        kind,
        tuple(
            _gather(each, loaded)
            if isinstance(each, StructType | ArrayOf)
            else Plain(each, from_stored(each, next(loaded)))
            for each in parts_of(kind)
        ),
    )


_WIDEST = 16
"""Bytes of a thread's widest access."""


def wide_vector(kind: StructType) -> VectorType | None:
    """Return what a struct is copied by, as compilers do where its alignment allows it.

    None if it is copied member by member: its alignment is that of its numbers, or they differ.
    """
    if kind.vector:
        return vector_of(kind)
    numbers = [*_numbers_in(kind)]
    if kind.closure or len(set(numbers)) != 1:
        return None
    number = numbers[0]
    if not isinstance(number, Arithmetic) or kind.alignment <= number.size:
        return None
    if len(numbers) * number.size != kind.size:
        return None  # there are gaps
    return VectorType(number.stored, min(kind.alignment, _WIDEST) // number.size)


def _numbers_in(kind: CType) -> Iterator[CType | None]:
    """Yield the types of all numbers of a struct; None of what has no numbers alone."""
    if isinstance(kind, StructType) and not kind.alternatives:
        for member in kind.members:
            yield from _numbers_in(member.type)
    elif isinstance(kind, ArrayOf) and kind.length:
        for each in _numbers_in(kind.element):
            yield from (each,) * kind.length
    else:
        yield kind if isinstance(kind, Arithmetic) else None


def check_copied(unit: CudaUnit, node: syntax.Node, kind: CType, most: int = MOST_COPIED) -> None:
    """Check that a struct is small enough to be copied.

    Raises:
        Refused: it is not.
    """
    if kind.size > most and has_array(kind):
        raise unit.refusal(node, fact("cpp.large-copy", type=kind.name, most=most))


def _load_parts(
    unit: CudaUnit, node: syntax.Node, kind: StructType | ArrayOf, where: MemoryPlace
) -> Aggregate:
    """Load each member of a struct, or each element of an array in one."""
    members = (member_of(where, at) for at in range(len(parts_of(kind))))
    loaded = (
        _load_parts(unit, node, each.type, each)
        if isinstance(each, MemoryPlace) and isinstance(each.type, ArrayOf)
        else load(unit, node, each)
        for each in members
    )
    return Aggregate(kind, tuple(loaded))


def member_of(value: Value, at: int) -> Value:
    """Return a member of a struct, or an element of an array."""
    match value:
        case Aggregate(StructType(source=StructSource(tree)), members) if at < len(tree.bases):
            base = members[at]
            assert isinstance(base, Aggregate)  # as all structs in registers
            return replace(base, whole=(value, at))
        case Aggregate(_, members):
            return members[at]
        case MemoryPlace(StructType() as kind, pointer, const):
            member = kind.members[at]
            place = offset(pointer, member.offset, member.type)
            return MemoryPlace(member.type, place, const, volatile=value.volatile)
        case MemoryPlace(ArrayOf(element), pointer, const):
            place = offset(pointer, at * element.size, element)
            return MemoryPlace(element, place, const, volatile=value.volatile)
    raise AssertionError(value)


def alternative_of(value: MemoryPlace, at: int) -> MemoryPlace:
    """Return a member of a union."""
    assert isinstance(value.type, StructType)  # a union
    kind = value.type.alternatives[at].type
    return MemoryPlace(kind, offset(value.pointer, 0, kind), value.const)


def named_member(value: Value, path: Sequence[int]) -> Value | None:
    """Return the member that a path leads to; None of a union that is in no memory."""
    for at in path:
        if isinstance(value.type, StructType) and value.type.alternatives:
            if not isinstance(value, MemoryPlace):
                return None
            value = alternative_of(value, at)
        else:
            value = member_of(value, at)
    return value


def offset(pointer: Expression, size: int, kind_there: CType) -> Expression:
    """Return a pointer some bytes further, to something of a type."""
    return point_to(pointer, size, element_of(kind_there))


def point_to(pointer: Expression, size: int, there: Stored) -> Expression:
    """Return a pointer some bytes further, to what memory holds."""
    kind = pointer.type
    assert isinstance(kind, program_types.Pointer)  # the caller has looked
    moved = program_types.Pointer(there, kind.space)
    if size == 0:
        return pointer if moved == kind else Convert(moved, pointer)
    return nodes.Move(moved, pointer, nodes.Number(INT64, size), 1)


def move(pointer: Plain, index: Plain, *, back: bool = False) -> Plain:
    """Return a pointer some elements further, or some before.

    What is added to a signed index moves the pointer by itself: a sum beyond the index's type would
    be undefined, and what is known of each part stays known.
    """
    assert isinstance(pointer.type, PointerTo)  # the caller has looked
    size, moved = pointer.type.target.size, pointer.node
    terms = _split(index.node)
    watched = must_hold(index.node)
    if len(terms) > _MOST_TERMS or (watched and not is_pure(index.node)):
        terms = [(as_int64(index.node), 1)]
    only = terms[0][0] if len(terms) == 1 else None
    whole = index.node in (only, getattr(only, "operand", None))
    written = index.node if watched and not whole else None
    for at, (term, sign) in enumerate(terms):
        step = -size if (sign < 0) != back else size
        moved = nodes.Move(moved.type, moved, term, step, None if at else written)
    return Plain(pointer.type, moved)


_MOST_TERMS = 6
_SIGNED = (INT32, INT64)


def _split(node: Expression) -> list[tuple[Expression, int]]:
    """Return the terms of a sum of signed integers, in 64 bits, each with its sign."""
    match node:
        case Operate(kind, "+" | "-" as operator, (left, right)) if kind in _SIGNED:
            sign = 1 if operator == "+" else -1
            return [*_split(left), *((term, sign * own) for term, own in _split(right))]
        case Operate(kind, "*", (left, right)) if kind in _SIGNED and is_pure(node):
            first_terms, second_terms = _split(left), _split(right)
            if len(first_terms) * len(second_terms) <= _MOST_TERMS:
                return [
                    (_product(first, second), one * other)
                    for first, one in first_terms
                    for second, other in second_terms
                ]
        case Convert(kind, Convert() | Operate() as inner, None) if kind == INT64:
            return _split(inner)
    return [(as_int64(node), 1)]


def is_pure(node: Expression) -> bool:
    """Return True for arithmetic on variables and positions, which may be evaluated again."""
    pure = (Convert, nodes.Number, Operate, Position, Read)
    return all(isinstance(part, pure) for part in walk_expression(node))


def _product(left: Expression, right: Expression) -> Expression:
    if isinstance(left, nodes.Number) and isinstance(right, nodes.Number):
        return nodes.Number(INT64, left.value * right.value)
    return Operate(INT64, "*", (left, right))


def as_int64(node: Expression) -> Expression:
    """Return an integer as one of 64 bits."""
    if isinstance(node, nodes.Number):
        return nodes.Number(INT64, node.value)
    return node if node.type == INT64 else Convert(INT64, node)


def rvalue(unit: CudaUnit, node: syntax.Node, value: Value) -> Plain:
    """Return a number or a pointer.

    Raises:
        Refused: it is a struct, or nothing.
    """
    loaded = load(unit, node, value)
    if isinstance(loaded, Plain):
        return loaded
    if isinstance(loaded, Designator):
        raise unit.refusal(node, fact("cpp.no-function-pointers"))
    if isinstance(loaded, Braces):
        raise unit.refusal(loaded.node, fact("cpp.no-list-here"))
    if (number_of_bits := read_number(loaded)) is not None:
        return number_of_bits
    conversion = find_conversion(value)
    if conversion is not None:
        made = unit.module.hooks.operator(unit, node, conversion, (value,))
        if made is None:  # the source only declares it, or has it for the host
            wanted = conversion.strip()
            what = fact("cpp.no-conversion", type=loaded.type.name, wanted=wanted)
            raise unit.refusal(node, what)
        return rvalue(unit, node, made)
    raise unit.error(node, fact("cpp.not-a-number", type=loaded.type.name))


def find_conversion(value: Value) -> str | None:
    """Return what a struct converts to by a function of its own; None if that is not one type.

    C++ prefers functions that are not const for a struct that is not.
    """
    kind = value.type
    if not isinstance(kind, StructType) or kind.source is None:
        return None
    before = "operator "  # as in `operator float`; other operators have no blank
    const = isinstance(value, MemoryPlace | Aggregate) and value.const
    found = [
        each
        for each in functions_of(kind)
        if each.name.startswith(before) and (each.const or not const)
    ]
    names = {each.name for each in [each for each in found if not each.const] or found}
    return names.pop().removeprefix("operator") if len(names) == 1 else None


def convert(
    unit: CudaUnit, node: syntax.Node, value: Plain, kind: CType, *, cast: bool = False
) -> Plain:
    """Convert a number or a pointer to a type, implicitly or by a `cast`.

    Raises:
        Refused: C++ has no such conversion.
    """
    if value.type == kind:
        return Plain(kind, value.node) if isinstance(kind, PointerTo) else value
    match value.type, kind:
        case Arithmetic(), Arithmetic() if (value.type != NULLPTR or kind == BOOLEAN) and (
            cast or converts_alone(value.type, kind)
        ):
            if kind == FLOAT:
                unit.widening.note_float(value.node)
            through = _through_int(value, kind)
            site = unit.site(node.place) if not cast and _narrows(through, kind) else None
            return Plain(kind, Convert(kind.dtype, through, site))
        case PointerTo(), Arithmetic() if kind == BOOLEAN:
            return Plain(kind, Operate(BOOLEAN.dtype, "!=", (value.node, nodes.Number(INT64, 0))))
        case PointerTo(), PointerTo() if cast or _points_as(value.type, kind):
            given = value.node.type
            assert isinstance(given, program_types.Pointer)  # as all pointers
            moved = _move_to(unit, node, value, kind)
            return Plain(kind, Convert(pointer_type(kind, given.space), moved))
        case Arithmetic(), PointerTo() if is_null(value):
            return Plain(kind, Convert(pointer_type(kind, "generic"), value.node))
        case Arithmetic(), PointerTo() if cast and value.type.is_integer:
            return Plain(kind, Convert(pointer_type(kind, "generic"), as_int64(value.node)))
        case PointerTo(), Arithmetic() if cast and kind.is_integer:
            number = Plain(LONG_LONG, Convert(INT64, value.node))
            return convert(unit, node, number, kind, cast=True)
    what = fact("cpp.no-conversion", type=value.type.name, wanted=kind.name)
    raise unit.error(node, what)


def _move_to(unit: CudaUnit, node: syntax.Node, value: Plain, kind: PointerTo) -> Expression:
    """Return a pointer to a struct as one to a base of it, or back, in its own type."""
    assert isinstance(value.type, PointerTo)  # the caller has looked
    own, wanted = value.type.target, kind.target
    if own is wanted or (isinstance(node, syntax.Cast) and node.style == "reinterpret_cast"):
        return value.node
    up, down = find_base(own, wanted), find_base(wanted, own)
    apart = 0
    if up is not None and isinstance(own, StructType):
        apart = offset_of(own, up)
    elif down is not None and isinstance(wanted, StructType):
        apart = -offset_of(wanted, down)
    if not apart:
        return value.node
    pointer = unit.hold(value.node)
    is_set = Operate(BOOLEAN.dtype, "!=", (Convert(INT64, pointer), nodes.Number(INT64, 0)))
    moved = nodes.Move(pointer.type, pointer, nodes.Number(INT64, apart), 1)
    return nodes.Choose(pointer.type, is_set, moved, pointer)


def _through_int(value: Plain, kind: Arithmetic) -> Expression:
    """Return a float that becomes a shorter integer as an `int` or an `unsigned int`.

    nvcc converts in two steps: 320.0f is 64 as an `unsigned char`. `half` is a class, whose own
    conversions saturate.
    """
    if value.type in (FLOAT, DOUBLE) and kind.dtype.kind in "iu" and kind.size < INT.size:
        return Convert(UINT32 if kind.dtype.kind == "u" else INT32, value.node)
    return value.node


def _narrows(value: Expression, kind: Arithmetic) -> bool:
    """Return True for an integer that may not fit a signed type; a `char` holds bytes."""
    own = program_types.number(value.type)
    if own is None or isinstance(value, nodes.Number) or kind == CHAR:
        return False
    both = own.kind in "iu" and kind.is_integer and kind.is_signed
    return both and own.itemsize > kind.size


def _points_as(given: PointerTo, wanted: PointerTo) -> bool:
    """Return True if a pointer converts to another one by itself: to const, or to void."""
    if given.const and not wanted.const:
        return False
    if given.target == wanted.target or isinstance(wanted.target, VoidType):
        return True
    return find_base(given.target, wanted.target) is not None


def is_null(value: Plain) -> bool:
    """Return True for 0, which is a null pointer, too."""
    return isinstance(value.node, nodes.Number) and value.node.value == 0


def truth(unit: CudaUnit, node: syntax.Node, value: Value) -> Plain:
    """Return a value as a test."""
    return convert(unit, node, rvalue(unit, node, value), BOOLEAN)


def promoted(unit: CudaUnit, node: syntax.Node, value: Plain) -> Plain:
    """Return a number as arithmetic takes it."""
    if not isinstance(value.type, Arithmetic) or is_scoped(value.type):
        raise unit.error(node, fact("cpp.not-a-number", type=value.type.name))
    return convert(unit, node, value, promote(value.type) if value.type.is_integer else value.type)


def balanced(
    unit: CudaUnit, node: syntax.Node, left: Plain, right: Plain
) -> tuple[Plain, Plain, Arithmetic]:
    """Return two numbers in the type that arithmetic on them has."""
    if left.type == right.type and isinstance(left.type, Arithmetic) and left.type in UNCHANGED:
        return left, right, left.type
    if (
        not isinstance(left.type, Arithmetic)
        or not isinstance(right.type, Arithmetic)
        or NULLPTR in (left.type, right.type)
        or is_scoped(left.type)
        or is_scoped(right.type)
        or {left.type, right.type} == NARROW
    ):
        names = left.type.name, right.type.name
        raise unit.error(node, fact("cpp.no-operator", types=names))
    kind = common_arithmetic(left.type, right.type)
    return convert(unit, node, left, kind), convert(unit, node, right, kind), kind


def integer(unit: CudaUnit, node: syntax.Node, value: Value) -> Plain:
    """Return an integer.

    Raises:
        Refused: it is something else.
    """
    given = promoted(unit, node, rvalue(unit, node, value))
    if not isinstance(given.type, Arithmetic) or not given.type.is_integer:
        raise unit.error(node, fact("cpp.not-an-integer", type=given.type.name))
    return given


def selector(unit: CudaUnit, node: syntax.Node, value: Value) -> Plain:
    """Return what a `switch`, or one of its labels, takes: an integer, or an enumeration.

    Raises:
        Refused: it is something else.
    """
    given = rvalue(unit, node, value)
    return given if is_scoped(given.type) else integer(unit, node, given)


def number(kind: Arithmetic, value: float) -> Plain:
    """Return a number of the source."""
    return Plain(kind, nodes.Number(kind.dtype, value))


def whole(value: int) -> Plain:
    """Return an int."""
    return number(INT, value)
