"""Which conversions each of C++'s casts has."""

from __future__ import annotations

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.model.types import (
    BOOLEAN,
    INT,
    Arithmetic,
    CType,
    PointerTo,
    VoidType,
    decay,
    find_base,
)
from grader.simt.cuda.lowering.unit import CudaUnit

_ADDRESS_SIZE = 8


def check_cast(unit: CudaUnit, node: syntax.Cast, given: CType, wanted: CType) -> None:
    """Check that a named cast has a conversion; the C cast has all that there are.

    Raises:
        Refused: it has none between these types.
    """
    given = decay(given)
    if (
        given == wanted
        or isinstance(wanted, VoidType)
        or isinstance(node.type, syntax.ReferenceType)
    ):
        return
    match node.style:
        case "static_cast":
            fits = _is_static(given, wanted)
        case "reinterpret_cast":
            fits = _is_reinterpreted(given, wanted)
        case "const_cast":
            fits = _has_pointers(given, wanted) and _target(given) == _target(wanted)
        case _:
            return
    if not fits:
        raise unit.error(node, fact("cpp.no-cast", style=node.style, wanted=wanted.name))


def _is_static(given: CType, wanted: CType) -> bool:
    if isinstance(given, PointerTo) and isinstance(wanted, PointerTo):
        of_any = isinstance(given.target, VoidType) or isinstance(wanted.target, VoidType)
        related = find_base(given.target, wanted.target), find_base(wanted.target, given.target)
        return (of_any or related != (None, None)) and not _drops_const(given, wanted)
    if isinstance(given, PointerTo) and isinstance(wanted, Arithmetic):
        return wanted == BOOLEAN
    return not isinstance(wanted, PointerTo) or not isinstance(given, Arithmetic) or given == INT


def _is_reinterpreted(given: CType, wanted: CType) -> bool:
    match given, wanted:
        case PointerTo(), PointerTo():
            return not _drops_const(given, wanted)
        case PointerTo(), Arithmetic():
            return wanted.is_integer and wanted.size == _ADDRESS_SIZE
        case Arithmetic(), PointerTo():
            return given.is_integer
    return False


def _has_pointers(given: CType, wanted: CType) -> bool:
    return isinstance(given, PointerTo) and isinstance(wanted, PointerTo)


def _target(kind: CType) -> CType | None:
    return kind.target if isinstance(kind, PointerTo) else None


def _drops_const(given: PointerTo, wanted: PointerTo) -> bool:
    return given.const and not wanted.const
