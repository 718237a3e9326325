"""Chooses among the overloads of a function of CUDA, as C++ does, and converts its arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import convert, load, rvalue
from grader.simt.cuda.lowering.model.encoded import read_pair
from grader.simt.cuda.lowering.model.types import (
    BFLOAT,
    BOOLEAN,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONG,
    LONG_LONG,
    NARROW,
    PAIRS,
    RAW_PAIRS,
    UNSIGNED,
    UNSIGNED_LONG,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    Arithmetic,
    CType,
    PointerTo,
    StructType,
    promote,
)
from grader.simt.cuda.lowering.model.values import Aggregate, Plain, Value
from grader.simt.cuda.lowering.unit import CudaUnit
from grader.simt.errors import Refused

Handler = Callable[[CudaUnit, syntax.Call, Sequence[Value]], Value]
"""Lowers a call, from its lowered arguments."""
Lower = Callable[[CudaUnit, syntax.Call, Sequence[Any]], Value]
"""Lowers a call whose arguments have the types of the parameters."""

_KINDS = {
    "b": BOOLEAN, "i": INT, "u": UNSIGNED, "l": LONG, "L": UNSIGNED_LONG, "q": LONG_LONG,
    "Q": UNSIGNED_LONG_LONG, "S": UNSIGNED_SHORT, "h": HALF, "B": BFLOAT, "f": FLOAT, "d": DOUBLE,
}  # fmt: skip


class LibraryOverload(NamedTuple):
    """One function among those of a name."""

    parameters: tuple[CType, ...]
    lower: Lower


def kinds(letters: str) -> tuple[Arithmetic, ...]:
    """Return types by their letters: `i` is int, `u` unsigned, `Q` unsigned long long."""
    return tuple(_KINDS[letter] for letter in letters)


def called(node: syntax.Call) -> str:
    """Return the name by which a function of CUDA is called."""
    function = node.function
    if isinstance(function, syntax.Member):
        return function.name.identifier
    assert isinstance(function, syntax.Name)  # it was found by its name
    return function.spelled


def require(unit: CudaUnit, node: syntax.Call, given: Sequence[Value], *counts: int) -> None:
    """Check how many arguments there are.

    Raises:
        Refused: none of these counts.
    """
    if len(given) not in counts:
        name = called(node)
        raise unit.error(
            node, fact("cpp.argument-count", function=name, n=counts[0], given=len(given))
        )


def no_overload(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Refused:
    """Make the error for arguments of types that no function of this name takes."""
    types = tuple(value.type.name for value in given)
    return unit.error(node, fact("cpp.no-overload", name=called(node), types=types))


@dataclass(frozen=True)
class Overloaded:
    """Lowers calls of several functions of one name."""

    overloads: tuple[LibraryOverload, ...]

    def __call__(self, unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
        """Lower a call; see `Handler`."""
        counts = sorted({len(each.parameters) for each in self.overloads})
        require(unit, node, given, *counts)
        values = [_load(unit, node, value) for value in given]
        among = [each for each in self.overloads if len(each.parameters) == len(values)]
        chosen = among[0] if len(among) == 1 else _choose(unit, node, among, values)
        if len(among) > 1 and DOUBLE in chosen.parameters:
            numbers = [value for value in values if isinstance(value, Plain)]
            unit.widening.note_call(node, called(node), numbers)
        passed = list[Value]()
        for value, kind in zip(values, chosen.parameters, strict=True):
            if value.type != kind and (isinstance(value, Aggregate) or kind in PAIRS):
                raise no_overload(unit, node, values)
            passed.append(convert(unit, node, value, kind) if isinstance(value, Plain) else value)
        return chosen.lower(unit, node, passed)

    def distance(self, given: Sequence[Value]) -> int | None:
        """Return how far arguments are from what the nearest one takes; None if none does."""
        among = (each for each in self.overloads if len(each.parameters) == len(given))
        found = (_ranks(given, each.parameters) for each in among)
        return min((sum(ranks) for ranks in found if ranks is not None), default=None)


def _load(unit: CudaUnit, node: syntax.Node, value: Value) -> Value:
    """Return a number, a pointer, or a vector."""
    if value.type in RAW_PAIRS:
        loaded = load(unit, node, value)
        return read_pair(loaded) or loaded
    if isinstance(value.type, StructType) and value.type.vector:
        return load(unit, node, value)
    return rvalue(unit, node, value)


def overloaded(*overloads: LibraryOverload) -> Handler:
    """Return the function that lowers calls of these overloads."""
    return Overloaded(overloads)


def _choose(
    unit: CudaUnit, node: syntax.Call, among: Sequence[LibraryOverload], values: Sequence[Value]
) -> LibraryOverload:
    """Choose the overload that is better than all others for one argument, and worse for none."""
    rated = [(_ranks(values, each.parameters), each) for each in among]
    viable = [(ranks, each) for ranks, each in rated if ranks is not None]
    if not viable:
        raise no_overload(unit, node, values)
    least = tuple(min(ranks[at] for ranks, _ in viable) for at in range(len(values)))
    best = [each for ranks, each in viable if ranks == least]
    if len(best) != 1:
        types = tuple(value.type.name for value in values)
        raise unit.error(node, fact("cpp.ambiguous", name=called(node), types=types))
    return best[0]


def _ranks(values: Sequence[Value], wanted: Sequence[CType]) -> tuple[int, ...] | None:
    found: list[int] = []
    for value, kind in zip(values, wanted, strict=True):
        rank = _rank(value.type, kind)
        if rank is None:
            return None
        found.append(rank)
    return tuple(found)


def _rank(own: CType, wanted: CType) -> int | None:
    """Return how far a type is from another: itself, promoted, converted, by half's own means."""
    if own == wanted:
        return 0
    match own, wanted:
        case PointerTo(target, const), PointerTo():
            fits = target == wanted.target and (wanted.const or not const)
            return 1 if fits else None
        case Arithmetic(), Arithmetic():
            if {own, wanted} == NARROW:
                return None
            if wanted == BFLOAT:
                return 5  # of one that takes halves, too, a header is included first
            if NARROW & {own, wanted}:
                return 4 if wanted == DOUBLE else 3  # half becomes a double by way of float
            promoted = promote(own) if own.is_integer else DOUBLE
            return 1 if promoted == wanted else 2
    return None
