"""What the type traits of `std` say that the source names."""

from __future__ import annotations

from grader.facts import fact
from grader.simt.cuda import syntax, trees
from grader.simt.cuda.lowering.model.groups import BLOCK, HEADER, TILE, TYPES, tile_of
from grader.simt.cuda.lowering.model.types import Arithmetic, CType, common_arithmetic, decay
from grader.simt.cuda.lowering.unit import CudaUnit


def are_same(unit: CudaUnit, node: syntax.Name) -> bool | None:
    """Return what `std::is_same_v` of two types is; None for any other name."""
    if node.spelled not in ("std::is_same_v", "std::is_same::value"):
        return None
    given = node.parts[1].arguments or ()
    types = [each for each in given if isinstance(each, syntax.Type)]
    if len(types) != 2 or len(given) != 2:
        raise unit.error(node, fact("cpp.template-arguments", name=node.parts[1].identifier))
    first, second = types
    alike = unit.module.type_of(unit, first) == unit.module.type_of(unit, second)
    forms = {(trees.is_const(each), isinstance(each, syntax.ReferenceType)) for each in types}
    return alike and len(forms) == 1


def common_type(unit: CudaUnit, name: syntax.Name) -> CType:
    """Return what `std::common_type` of types is: theirs, or what numbers convert to."""
    given = next(each.arguments for each in name.parts if each.arguments is not None)
    kinds = [
        decay(unit.module.type_of(unit, each)) for each in given if isinstance(each, syntax.Type)
    ]
    common = kinds[0] if kinds else None
    for kind in kinds[1:]:
        if isinstance(common, Arithmetic) and isinstance(kind, Arithmetic) and common != kind:
            common = common_arithmetic(common, kind)
        elif common != kind:
            common = None
    if common is None:
        raise unit.refusal(name, fact("cpp.no-type", name=name.spelled))
    return common


def find_group(unit: CudaUnit, name: syntax.Name) -> CType:
    """Return a type of cooperative groups."""
    unit.module.require_header(unit, name, HEADER)
    last = name.parts[-1]
    if last.identifier in TYPES:
        return TYPES[last.identifier]
    if last.identifier != TILE:
        raise unit.refusal(name, fact("cpp.no-cooperative-group", name=last.identifier))
    written = last.arguments or ()
    if not written or isinstance(written[0], syntax.Type):
        raise unit.error(name, fact("cpp.template-arguments", name=last.identifier))
    size = unit.module.constant(unit, written[0])
    tile = tile_of(size)
    if tile is None:
        raise unit.refusal(name, fact("cpp.no-tile", size=size, group=BLOCK.name))
    return tile
