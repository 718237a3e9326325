"""Chooses among functions of one name, as C++ ranks what their arguments convert to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from grader.facts import fact
from grader.frozen import frozen
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.libraries import is_in_library, name_library
from grader.simt.cuda.lowering.analysis import folding
from grader.simt.cuda.lowering.conversions import find_conversion
from grader.simt.cuda.lowering.expressions import lower
from grader.simt.cuda.lowering.model.types import (
    DOUBLE,
    FLOAT,
    Arithmetic,
    ArrayOf,
    CType,
    PointerTo,
    StructType,
    VoidType,
    converts_alone,
    find_base,
    is_function_pointer,
    promote,
)
from grader.simt.cuda.lowering.model.values import (
    Aggregate,
    Braces,
    Designator,
    MemoryPlace,
    Plain,
    Value,
    decayed_type,
    is_place,
)
from grader.simt.cuda.lowering.pointed import find_pointed
from grader.simt.cuda.lowering.templates.deducing import bind, find_specialization
from grader.simt.cuda.lowering.templates.packs import unpack
from grader.simt.cuda.lowering.templates.structs import make_listed
from grader.simt.cuda.lowering.unit import CudaUnit, Functions, pick_definitions
from grader.simt.errors import Refused


@frozen(eq=False)
class Invocation:
    """A call, its arguments lowered.

    Attributes:
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
    with unit.within(source.scope), unit.scopes.inner(bindings):
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
        around: the parameters of the struct's template, if it has one.

    Raises:
        Refused: no function takes the arguments, or none of several does best.
    """
    candidates, given = asked.candidates, asked.given
    rated = _rate(unit, asked, around)
    types = tuple(value.type.name for value in given)
    function = candidates.overloads[0].name
    if rated:
        best = min(rated, key=lambda each: (sum(each.ranks), each.order))
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


def _rate(
    unit: CudaUnit, asked: Invocation, around: Mapping[str, Any], *, own_too: bool = True
) -> list[_Candidate]:
    """Return the functions that take the arguments, without specializations of templates."""
    found: list[_Candidate] = []
    failure: Refused | None = None
    overloads = asked.candidates.overloads
    templates = [each for each in overloads if each.template != ()]
    kinds = [None if isinstance(each.type, VoidType) else each.type for each in asked.given]
    const = [getattr(each, "const", False) for each in asked.given]
    for place, source in enumerate(templates or overloads):
        own = _rank_object(source, asked.this)
        if own is None:
            continue
        try:
            bindings = bind(unit, source, asked.written, kinds, const)
            if bindings is None:
                continue
            variadic = any(each.pack for each in source.parameters)
            source, bindings = unpack(unit.module, source, bindings)  # noqa: PLW2901
            with unit.within(source.scope):
                ranks = _rank(unit, source, {**around, **bindings}, asked.given, own_too=own_too)
                if ranks is not None:
                    _check_result(unit, source, {**around, **bindings})
        except Refused as error:
            if not source.template:
                raise
            failure = failure or error  # of a type that there is not for these arguments
            continue
        if ranks is not None:
            kinds_given = list(zip(source.parameters, asked.given, strict=False))
            with unit.within(source.scope), unit.scopes.inner({**around, **bindings}):
                bound = [_bind_reference(unit, *each, source) for each in kinds_given]
            special = sum(map(_speciality, source.parameters)) if source.template else 0
            order = sum(bound), bool(source.template), variadic, -special, place
            found.append(_Candidate((*own, *ranks), order, source, bindings))
    if failure is not None and not found:
        raise failure
    return found


def _check_result(unit: CudaUnit, source: declared.Function, bindings: dict[str, Any]) -> None:
    """Check that the result of a template is a type, as it may not be for its arguments.

    Raises:
        Refused: it is none.
    """
    kind = source.result
    names = kind.name.parts if source.template and isinstance(kind, syntax.NamedType) else ()
    if any(part.arguments is not None for part in names):
        with unit.scopes.inner(bindings):
            unit.module.type_of(unit, kind)


def distance(
    unit: CudaUnit,
    candidates: Functions,
    given: list[Value],
    written: tuple[syntax.TemplateArgument, ...] | None = None,
    *,
    own_too: bool = True,
) -> tuple[int, bool] | None:
    """Return how far arguments are from what the nearest function takes, and if it is a template.

    Returns:
        None if no function takes them.
    """
    asked = Invocation(candidates, written, given)
    rated = _rate(unit, asked, candidates.around, own_too=own_too)
    return min(((sum(each.ranks), each.order[1]) for each in rated), default=None)


def nearest(
    unit: CudaUnit,
    candidates: Sequence[Functions],
    given: list[Value],
    written: tuple[syntax.TemplateArgument, ...] | None = None,
) -> Functions | None:
    """Return the functions that take arguments best; the first if none does, None of none."""
    if len(candidates) < 2:
        return candidates[0] if candidates else None
    far = (_FAR, True)
    return min(candidates, key=lambda each: distance(unit, each, given, written) or far)


_FAR = 1_000


class _Candidate(NamedTuple):
    """A function that takes the arguments.

    Attributes:
        ranks: of the arguments' conversions.
        order: of those with equal ranks: how its references bind, whether it is a template, has a
            pack, how much of its parameters' types is not left open, and its place.
    """

    ranks: tuple[int, ...]
    order: tuple[int, bool, bool, int, int]
    source: declared.Function
    bindings: dict[str, Any]


_UNBOUND = 100
"""Of a reference to what it cannot refer to: others are preferred, else an error says so."""


def _bind_reference(
    unit: CudaUnit, parameter: declared.Parameter, value: Value, source: declared.Function
) -> int:
    """Return how a parameter that is a reference binds to a value; 0 for what is none."""
    kind = parameter.type
    if not isinstance(kind, syntax.ReferenceType):
        return 0
    const = unit.module.is_const(unit, kind.target)
    own = {each.name for each in source.template or ()}
    place = is_place(value)
    if kind.rvalue and trees.type_name(kind.target) in own:
        return 0
    if kind.rvalue:
        return _UNBOUND if place is True else 0
    if const:
        return 0 if place is False and getattr(value, "const", False) else 1
    fixed = getattr(value, "const", False)
    return _UNBOUND if place is False or fixed else 0


def _speciality(parameter: declared.Parameter) -> int:
    """Return how much a parameter's type says: `T` nothing, `T*` and `S<T>` more."""
    said = 0
    waiting: list[syntax.Node] = [_referred(parameter)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, syntax.NamedType):
            said += any(part.arguments is not None for part in node.name.parts)
            said += trees.is_const(node)
        elif not isinstance(node, (syntax.Name, syntax.NamePart)):
            said += 1
        waiting += trees.children(node)
    return said


def _referred(parameter: declared.Parameter) -> syntax.Type:
    """Return a parameter's type without a reference, of which `const` says nothing more."""
    kind = parameter.type
    return kind.target if isinstance(kind, syntax.ReferenceType) else kind


def _is_rival(each: _Candidate, best: _Candidate) -> bool:
    """Return True for a function that is not worse than the best one: then neither is chosen.

    Templates and references, of which one can be more special than another, are left out.
    """
    if each is best or each.order[1] or best.order[1]:
        return False
    parameters = (*each.source.parameters, *best.source.parameters)
    if any(isinstance(parameter.type, syntax.ReferenceType) for parameter in parameters):
        return False
    return not all(own >= its for own, its in zip(each.ranks, best.ranks, strict=True)) or (
        each.ranks == best.ranks
    )


def _rank(
    unit: CudaUnit,
    source: declared.Function,
    bindings: dict[str, Any],
    given: Sequence[Value],
    *,
    own_too: bool,
) -> tuple[int, ...] | None:
    """Return how far each argument is converted; None if the function does not take them.

    Constructors and conversions of the source count if `own_too`: of a chain of conversions, one
    can be of the source.
    """
    needed = sum(parameter.default is None for parameter in source.parameters)
    if not needed <= len(given) <= len(source.parameters):
        return None
    ranks: list[int] = []
    with unit.scopes.inner(bindings):
        for parameter, value in zip(source.parameters, given, strict=False):
            wanted = unit.module.parameter_type(unit, parameter.type)
            own = decayed_type(value)
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
            rank = _rank_plain(unit, parameter, value, wanted)
            if rank is None and own_too:
                rank = _rank_own(unit, parameter, value, wanted)
            if rank is None:
                return None
            ranks.append(rank)
    return tuple(ranks)


def _rank_plain(
    unit: CudaUnit, parameter: declared.Parameter, value: Value, wanted: CType
) -> int | None:
    """Return how far a value is from a parameter's type without what the source converts."""
    own = decayed_type(value)
    whole = isinstance(parameter.type, syntax.ReferenceType) and isinstance(value.type, ArrayOf)
    if whole and unit.module.type_of(unit, parameter.type) == value.type:
        return 0  # of a const array, too
    if isinstance(own, Arithmetic) and isinstance(wanted, PointerTo):
        is_null = isinstance(value, Plain) and folding.fold(value.node) == 0
        return _rank_conversion(own, wanted) if is_null else None
    return _rank_conversion(own, wanted)


def _rank_own(
    unit: CudaUnit, parameter: declared.Parameter, value: Value, wanted: CType
) -> int | None:
    """Return how far a value is from what a constructor or a conversion of the source makes of it.

    Returns:
        None if none of these makes it, or a parameter that is a reference may change it.
    """
    kind = parameter.type
    if isinstance(kind, syntax.ReferenceType) and not (
        kind.rvalue or unit.module.is_const(unit, kind.target)
    ):
        return None
    if isinstance(wanted, StructType) and wanted.source is not None:
        made = pick_definitions(
            each
            for each in wanted.source.tree.functions
            if each.name == wanted.source.tree.name
            and "explicit" not in each.specifiers
            and not _copies(each)
        )
        functions = Functions(made, wanted.source.bindings)
        near = distance(unit, functions, [value], own_too=False) if made else None
        return None if near is None else _RANK_OF_OWN
    numbers = isinstance(wanted, (Arithmetic, PointerTo))
    return _RANK_OF_OWN if numbers and find_conversion(value) is not None else None


def _copies(constructor: declared.Function) -> bool:
    """Return True for a constructor that copies or moves a struct, which no template is."""
    if len(constructor.parameters) != 1 or constructor.template is not None:
        return False
    named = _referred(constructor.parameters[0])
    return trees.type_name(named) == constructor.name


_RANK_OF_OWN = 20
_RANK_OF_VOID = 9
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


def _rank_conversion(own: CType, wanted: CType) -> int | None:
    """Return how far a type is from another one; None if it does not convert to it.

    A base is the nearer, the fewer structs are between; `void` is behind all of them.
    """
    if own == wanted:
        return 0
    match own, wanted:
        case Arithmetic(), Arithmetic():
            fits = converts_alone(own, wanted)
            return (1 if _is_promotion(own, wanted) else 2) if fits else None
        case PointerTo(), PointerTo():
            if isinstance(wanted.target, VoidType):
                return _RANK_OF_VOID
            path = find_base(own.target, wanted.target)
            return None if path is None else 2 + len(path)
        case Arithmetic(), PointerTo():
            return 2 if own.is_integer else None
        case StructType(), StructType():
            path = find_base(own, wanted)
            return None if path is None else 1 + len(path)
    return None
