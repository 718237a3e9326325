"""Chooses among functions of one name, as C++ ranks what their arguments convert to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grader.facts import fact
from grader.frozen import frozen
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.libraries import is_in_library, name_library
from grader.simt.cuda.lowering.expressions import lower
from grader.simt.cuda.lowering.model.types import (
    DOUBLE,
    FLOAT,
    Arithmetic,
    CType,
    PointerTo,
    StructType,
    VoidType,
    converts_alone,
    decay,
    is_function_pointer,
    promote,
)
from grader.simt.cuda.lowering.model.values import (
    Aggregate,
    Braces,
    Designator,
    MemoryPlace,
    Value,
)
from grader.simt.cuda.lowering.pointed import find_pointed
from grader.simt.cuda.lowering.templates.deducing import bind, find_specialization
from grader.simt.cuda.lowering.templates.structs import make_listed
from grader.simt.cuda.lowering.unit import CudaUnit, Functions
from grader.simt.errors import Refused


@frozen(eq=False)
class Invocation:
    """A call, its arguments lowered.

    Attributes:
        candidates: functions of the name that is called.
        written: template arguments; None if there are no `<>`.
        this: the struct whose function it is; of a constructor, where the struct is to be.
    """

    candidates: Functions
    written: tuple[syntax.TemplateArgument, ...] | None
    given: list[Value]
    this: Value | None = None


@frozen(eq=False)
class Overload:
    """A function that a call means, and what the parameters of its templates stand for."""

    source: declared.Function
    bindings: dict[str, Any]


def lower_defaults(
    unit: CudaUnit, source: declared.Function, given: int, bindings: dict[str, Any]
) -> list[Value]:
    """Lower the defaults of the parameters behind the given ones."""
    with unit.scopes.inner(bindings):
        return [
            lower(unit, parameter.default)
            for parameter in source.parameters[given:]
            if parameter.default is not None
        ]


def choose(
    unit: CudaUnit, node: syntax.Node, asked: Invocation, around: dict[str, Any]
) -> Overload:
    """Choose the function that takes the arguments with the least conversions.

    Args:
        unit: where the call is.
        node: the call.
        asked: what it asks for.
        around: the parameters of the struct's template, if it has one.

    Raises:
        Refused: no function takes the arguments, or none of several does best.
    """
    candidates, given = asked.candidates, asked.given
    rated = _rate(unit, asked, around)
    types = tuple(value.type.name for value in given)
    function = candidates.overloads[0].name
    if rated:
        best = min(rated, key=lambda each: (sum(each.ranks), each.template, each.place))
        if any(_is_rival(each, best) for each in rated):
            raise unit.error(node, fact("cpp.ambiguous", name=function, types=types))
        special = find_specialization(unit, best.source, best.bindings, candidates.overloads)
        if special is not None:
            return Overload(special, dict(around))
        return Overload(best.source, {**around, **best.bindings})
    for source in candidates.overloads:
        if source.refusal is not None and source.result is None and not source.parameters:
            raise source.refusal  # its parameters are not known
    if asked.this is not None and _rate(unit, _without_object(asked), around):
        raise unit.error(node, fact("cpp.const-object", name=function, type=asked.this.type.name))
    place = candidates.overloads[0].place
    if is_in_library(place):  # the library may have more functions of this name than ours
        written, library = f"{function}({', '.join(types)})", name_library(place)
        raise unit.refusal(node, fact("cpp.no-library-name", name=written, library=library))
    raise unit.error(node, fact("cpp.no-overload", name=function, types=types))


def _without_object(asked: Invocation) -> Invocation:
    return Invocation(asked.candidates, asked.written, asked.given)


def _rate(unit: CudaUnit, asked: Invocation, around: Mapping[str, Any]) -> list[_Candidate]:
    """Return the functions that take the arguments, without specializations of templates."""
    found: list[_Candidate] = []
    failure: Refused | None = None
    overloads = asked.candidates.overloads
    templates = [each for each in overloads if each.template != ()]
    kinds = [None if isinstance(each.type, VoidType) else each.type for each in asked.given]
    for place, source in enumerate(templates or overloads):
        own = _rank_object(source, asked.this)
        if own is None:
            continue
        try:
            bindings = bind(unit, source, asked.written, kinds)
            if bindings is None:
                continue
            ranks = _rank(unit, source, {**around, **bindings}, asked.given)
        except Refused as error:
            if not source.template:
                raise
            failure = failure or error  # of a type that there is not for these arguments
            continue
        if ranks is not None:
            found.append(_Candidate((*own, *ranks), bool(source.template), place, source, bindings))
    if failure is not None and not found:
        raise failure
    return found


def distance(unit: CudaUnit, candidates: Functions, given: list[Value]) -> tuple[int, bool] | None:
    """Return how far arguments are from what the nearest function takes, and if it is a template.

    Returns:
        None if no function takes them.
    """
    rated = _rate(unit, Invocation(candidates, None, given), candidates.around)
    return min(((sum(each.ranks), each.template) for each in rated), default=None)


class _Candidate(NamedTuple):
    """A function that takes the arguments; `ranks` are those of their conversions."""

    ranks: tuple[int, ...]
    template: bool
    place: int
    source: declared.Function
    bindings: dict[str, Any]


def _is_rival(each: _Candidate, best: _Candidate) -> bool:
    """Return True for a function that is not worse than the best one: then neither is chosen.

    Templates and references, of which one can be more special than another, are left out.
    """
    if each is best or each.template or best.template:
        return False
    parameters = (*each.source.parameters, *best.source.parameters)
    if any(isinstance(parameter.type, syntax.ReferenceType) for parameter in parameters):
        return False
    return not all(own >= its for own, its in zip(each.ranks, best.ranks, strict=True)) or (
        each.ranks == best.ranks
    )


def _rank(
    unit: CudaUnit, source: declared.Function, bindings: dict[str, Any], given: Sequence[Value]
) -> tuple[int, ...] | None:
    """Return how far each argument is converted; None if the function does not take them."""
    needed = sum(parameter.default is None for parameter in source.parameters)
    if not needed <= len(given) <= len(source.parameters):
        return None
    ranks: list[int] = []
    with unit.scopes.inner(bindings):
        for parameter, value in zip(source.parameters, given, strict=False):
            wanted, own = decay(unit.module.type_of(unit, parameter.type)), decay(value.type)
            if isinstance(value, Braces):
                if not _takes_list(unit, parameter, wanted, value):
                    return None
                ranks.append(_RANK_OF_LIST if isinstance(wanted, StructType) else 0)
                continue
            if is_function_pointer(wanted):
                if own != wanted and find_pointed(unit, value, wanted) is None:
                    return None
                ranks.append(0 if isinstance(value, Designator) else 2)
                continue
            if own != wanted and not _converts(own, wanted):
                return None
            ranks.append(0 if own == wanted else 1 if _is_promotion(own, wanted) else 2)
    return tuple(ranks)


_RANK_OF_LIST = 3
"""Of a struct that a list makes: as a conversion by a constructor, behind all of numbers."""


def _rank_object(source: declared.Function, this: Value | None) -> tuple[int, ...] | None:
    """Return how a member function takes its object; None if it may change one that is const."""
    if this is None or source.result is None or "static" in source.specifiers:
        return ()
    const = isinstance(this, (MemoryPlace, Aggregate)) and this.const
    if const and not source.const:
        return None
    return (int(source.const and not const),)


def _takes_list(
    unit: CudaUnit, parameter: declared.Parameter, wanted: CType, value: Braces
) -> bool:
    """Return True if a parameter can be begun by a list."""
    kind = parameter.type
    if isinstance(kind, syntax.ReferenceType) and not trees.is_const(kind.target):
        return False
    try:
        with unit.unevaluated():
            make_listed(unit, value, wanted)
    except Refused:
        return False
    return True


def _is_promotion(own: CType, wanted: CType) -> bool:
    """Return True for what converts before all other numbers: small integers, and float."""
    if own == FLOAT:
        return wanted == DOUBLE
    return isinstance(own, Arithmetic) and own.is_integer and promote(own) == wanted


def _converts(own: CType, wanted: CType) -> bool:
    match own, wanted:
        case Arithmetic(), Arithmetic():
            return converts_alone(own, wanted)
        case PointerTo(), PointerTo():
            return own.target == wanted.target or isinstance(wanted.target, VoidType)
        case Arithmetic(), PointerTo():
            return own.is_integer
    return False
