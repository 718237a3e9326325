"""Functions of numbers of 16 bits and of pairs of them: `half`, `__nv_bfloat16`, `half2`, ….

What a function of two lanes does is what the one of a number does, for each lane.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.assigning import assign
from grader.simt.cuda.lowering.conversions import convert, load, number
from grader.simt.cuda.lowering.library import half
from grader.simt.cuda.lowering.library.entries import as_overload, type_of
from grader.simt.cuda.lowering.library.intrinsics import HADD
from grader.simt.cuda.lowering.library.overloads import Handler, LibraryOverload, overloaded
from grader.simt.cuda.lowering.model.types import (
    BFLOAT,
    BFLOAT2,
    BOOLEAN,
    FLOAT,
    HALF,
    HALF2,
    UNSIGNED,
    VECTORS,
    Arithmetic,
    CType,
    StructType,
    numbers_of,
)
from grader.simt.cuda.lowering.model.types import HEADERS as TYPE_HEADERS
from grader.simt.cuda.lowering.model.values import Aggregate, MemoryPlace, Plain, Value
from grader.simt.cuda.lowering.operators import operate, signed
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.intrinsics.functions.bfloat16 import ENTRIES, PLAIN_NAMES
from grader.simt.machine.operators import COMPARISONS
from grader.simt.program.nodes import Apply, Logical
from grader.simt.program.types import BOOL, UINT32

_OF_NUMBA = re.compile("_to_|int16_as_|_as_u?int16")
"""In the names of conversions that Numba has for itself."""


def _bfloat_overloads() -> Iterator[tuple[str, LibraryOverload]]:
    for name, entry in ENTRIES.items():
        if _OF_NUMBA.search(name):
            continue
        parameters = [type_of(dtype) for dtype in entry.operands]
        made = as_overload(name, entry, parameters, type_of(entry.results[0]))
        yield name if name in PLAIN_NAMES else f"__{name}", made


_OF_BFLOAT: dict[str, LibraryOverload] = dict(_bfloat_overloads())


_TESTS = frozenset(
    f"__h{test}{u}" for test in ("eq", "ne", "ge", "gt", "le", "lt") for u in ("", "u")
)

_OF_LANES = re.compile(r"_*h[a-z]+\d*(_[a-z]+)?")
_ALONE = frozenset({"__hisinf"})
"""Functions of a number that have none of two lanes."""


class Family(NamedTuple):
    """A number of 16 bits, and two of them in a word.

    Attributes:
        name: of the number in the names of functions.
        overloads: the functions of the number.
    """

    number: Arithmetic
    pair: StructType
    name: str
    pair_name: str
    overloads: Mapping[str, LibraryOverload]


FAMILIES = (
    Family(HALF, HALF2, "half", "half2", half.OVERLOADS),
    Family(BFLOAT, BFLOAT2, "bfloat16", "bfloat162", _OF_BFLOAT),
)


def _lanes(
    unit: CudaUnit, node: syntax.Call, made: LibraryOverload, given: Sequence[Aggregate]
) -> list[Value]:
    """Apply a function to each lane."""
    return [made.lower(unit, node, [pair.members[at] for pair in given]) for at in (0, 1)]


def _lanewise(
    made: LibraryOverload,
    pair: StructType,
    unit: CudaUnit,
    node: syntax.Call,
    given: Sequence[Aggregate],
) -> Value:
    """Apply a function to each lane; where it is a test, a lane is 1 or 0."""
    (kind,) = {member.type for member in pair.members}
    found = (load(unit, node, lane) for lane in _lanes(unit, node, made, given))
    members = (convert(unit, node, lane, kind) for lane in found if isinstance(lane, Plain))
    return Aggregate(pair, tuple(members))


def _both(
    made: LibraryOverload, unit: CudaUnit, node: syntax.Call, given: Sequence[Aggregate]
) -> Value:
    """Tell whether a test holds for both lanes."""
    left, right = (lane for lane in _lanes(unit, node, made, given) if isinstance(lane, Plain))
    return Plain(BOOLEAN, Logical(BOOL, (left.node, right.node), conjunction=True))


def _as_mask(
    made: LibraryOverload, unit: CudaUnit, node: syntax.Call, given: Sequence[Aggregate]
) -> Value:
    """Set the 16 bits of each lane for which a test holds."""
    low, high = (lane for lane in _lanes(unit, node, made, given) if isinstance(lane, Plain))
    return Plain(UNSIGNED, Apply(UINT32, "mask", _mask, (low.node, high.node)))


def _mask(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    return low * np.uint32(0xFFFF) | high * np.uint32(0xFFFF0000)


def _name_of_pairs(name: str) -> str:
    """Return what the function of two lanes is called that one of a number is made of."""
    if name == "__hdiv":
        return "__h2div"
    if not name.startswith("__"):
        return f"h2{name.removeprefix('h')}"
    return re.sub(r"^(__h[a-z]+)", r"\g<1>2", name)


def _of_lanes(family: Family) -> Iterator[tuple[str, LibraryOverload]]:
    """Yield the functions that do for each lane what one of a number does."""
    for name, made in family.overloads.items():
        own = set(made.parameters) == {family.number} and _OF_LANES.fullmatch(name)
        if not own or name in _ALONE:
            continue
        types = (family.pair,) * len(made.parameters)
        yield _name_of_pairs(name), LibraryOverload(types, partial(_lanewise, made, family.pair))
        if name in _TESTS:
            test = name.removeprefix("__h")
            yield f"__hb{test}2", LibraryOverload(types, partial(_both, made))
            yield f"__h{test}2_mask", LibraryOverload(types, partial(_as_mask, made))


def _rearrange(
    result: CType, places: Sequence[int], unit: CudaUnit, node: syntax.Call, given: Sequence[Value]
) -> Value:
    """Make a number or a vector of parts of what is given, each as its own type."""
    parts = list[Plain]()
    for value in given:
        members = value.members if isinstance(value, Aggregate) else (value,)
        parts.extend(unit.hold_plain(each) for each in members if isinstance(each, Plain))
    if not isinstance(result, StructType):
        return convert(unit, node, parts[places[0]], result, cast=True)
    pairs = zip(places, result.members, strict=True)
    made = (convert(unit, node, parts[at], member.type, cast=True) for at, member in pairs)
    return Aggregate(result, tuple(made))


def _rearrangements(family: Family) -> Iterator[tuple[str, LibraryOverload]]:
    own, pair, name, both = family.number, family.pair, family.name, family.pair_name
    floats = VECTORS["float2"]
    table: tuple[tuple[str, tuple[CType, ...], CType, tuple[int, ...]], ...] = (
        (f"make_{both}", (own, own), pair, (0, 1)),
        (f"__halves2{both}", (own, own), pair, (0, 1)),
        (f"__{name}2{both}", (own,), pair, (0, 0)),
        (f"__low2{name}", (pair,), own, (0,)),
        (f"__high2{name}", (pair,), own, (1,)),
        (f"__low2{both}", (pair,), pair, (0, 0)),
        (f"__high2{both}", (pair,), pair, (1, 1)),
        (f"__lows2{both}", (pair, pair), pair, (0, 2)),
        (f"__highs2{both}", (pair, pair), pair, (1, 3)),
        ("__lowhigh2highlow", (pair,), pair, (1, 0)),
        (f"__floats2{both}_rn", (FLOAT, FLOAT), pair, (0, 1)),
        (f"__float2{both}_rn", (FLOAT,), pair, (0, 0)),
        (f"__float22{both}_rn", (floats,), pair, (0, 1)),
        (f"__{both}2float2", (pair,), floats, (0, 1)),
        ("__low2float", (pair,), FLOAT, (0,)),
        ("__high2float", (pair,), FLOAT, (1,)),
    )
    for called, types, result, places in table:
        yield called, LibraryOverload(types, partial(_rearrange, result, places))


def _collect() -> tuple[dict[str, list[LibraryOverload]], dict[str, str]]:
    """Return the functions of each name, and the header that declares the first of them."""
    found: dict[str, list[LibraryOverload]] = {"__hadd": [HADD]}
    headers = dict[str, str]()
    for family in FAMILIES:
        made = (*family.overloads.items(), *_of_lanes(family), *_rearrangements(family))
        for name, overload in made:
            headers.setdefault(name, TYPE_HEADERS[family.pair])
            found.setdefault(name, []).append(overload)
    del headers["__hadd"]  # the one of two integers needs none
    return found, headers


_OVERLOADS, HEADERS = _collect()
HANDLERS: dict[str, Handler] = {name: overloaded(*each) for name, each in _OVERLOADS.items()}

_ARITHMETIC = ("+", "-", "*", "/")
_STEPS = ("++", "--")
_CHANGES = tuple(f"{operator}=" for operator in _ARITHMETIC)


def operate_pairs(
    unit: CudaUnit, node: syntax.Node, operator: str, values: Sequence[Value]
) -> Value | None:
    """Apply an operator that CUDA has for two lanes; None if it has none for these.

    Raises:
        Refused: what it changes is no place, or const.
    """
    place, kind = values[0], values[0].type
    assert isinstance(kind, StructType)  # the caller has looked
    changes = operator in _STEPS or operator in _CHANGES
    if changes and isinstance(place, MemoryPlace):
        place = unit.hold_place(place)
    given = [load(unit, node, each) for each in (place, *values[1:])]
    if operator in _STEPS:
        given = [unit.hold_value(given[0]), Aggregate(kind, _ones(kind))]
    if any(value.type is not kind for value in given):
        return None
    lanes = zip(*(pair.members for pair in given if isinstance(pair, Aggregate)), strict=True)
    made = [_operate_lane(unit, node, operator, lane) for lane in lanes]
    found = tuple(lane for lane in made if lane is not None)
    if len(found) < len(made):
        return None
    if operator in COMPARISONS:
        return Plain(BOOLEAN, Logical(BOOL, tuple(lane.node for lane in found), conjunction=True))
    result = Aggregate(kind, found)
    if not changes:
        return result
    assign(unit, node, place, result)
    return given[0] if operator in _STEPS and len(values) == 2 else place


def _ones(kind: StructType) -> tuple[Plain, ...]:
    return tuple(number(each, 1) for each in numbers_of(kind))


def _operate_lane(
    unit: CudaUnit, node: syntax.Node, operator: str, lane: Sequence[Value]
) -> Plain | None:
    """Apply an operator to a lane; None if pairs have none of this name."""
    numbers = [each for each in lane if isinstance(each, Plain)]
    if len(numbers) == 1:
        return signed(unit, node, numbers[0]) if isinstance(node, syntax.Unary) else None
    plain = operator if operator in COMPARISONS else operator[0]
    known = plain in (*COMPARISONS, *_ARITHMETIC)
    return operate(unit, node, plain, *numbers) if known else None
