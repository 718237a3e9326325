"""Lowers calls: of functions of the source, of CUDA's own, and of types.

Some functions of CUDA are refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from grader.facts import Fact, fact
from grader.simt.cuda import declared, syntax
from grader.simt.cuda.lowering.choosing import distance, nearest
from grader.simt.cuda.lowering.expressions import lower_arguments
from grader.simt.cuda.lowering.functions import call_function
from grader.simt.cuda.lowering.library.group_reductions import qualify
from grader.simt.cuda.lowering.library.overloads import Overloaded
from grader.simt.cuda.lowering.library.tables import FORMS, HANDLERS, NEEDS, strip
from grader.simt.cuda.lowering.methods import call_method, call_object, call_own_method, construct
from grader.simt.cuda.lowering.model.types import StructType
from grader.simt.cuda.lowering.model.values import Braces, Value
from grader.simt.cuda.lowering.objects.bases import find_functions
from grader.simt.cuda.lowering.operators import cast
from grader.simt.cuda.lowering.unit import CudaUnit, Functions, Template, TypeName, Unavailable

_Why = Callable[[str], Fact]


def _each(names: str, why: _Why) -> dict[str, _Why]:
    return dict.fromkeys(names.split(), why)


_NAMES: dict[str, _Why] = {
    **_each(
        "clock clock64 __clock __clock64 __globaltimer",
        lambda name: fact("cpp.no-clock", name=name),
    ),
    **_each(
        """__isGridConstant __isClusterShared __cvta_generic_to_constant __cvta_generic_to_local
        __cvta_constant_to_generic __cvta_local_to_generic""",
        lambda name: fact("cpp.no-address-spaces", name=name),
    ),
    **_each("memcmp", lambda name: fact("cpp.no-byte-copies", name=name)),
    **_each("malloc free calloc alloca", lambda _name: fact("cpp.no-new")),
    **_each(
        "__shfl __shfl_up __shfl_down __shfl_xor __all __any __ballot",
        lambda name: fact("cpp.removed-primitive", name=name),
    ),
}
_PATTERNS: tuple[tuple[str, _Why], ...] = (
    (r"__nv_atomic_\w+", lambda name: fact("cpp.no-atomic-builtin", name=name)),
    (r"__cluster\w+|__threadfence_cluster", lambda _name: fact("cpp.no-clusters")),
    (r"__nv_cvt_\w+", lambda _name: fact("cpp.no-fp4")),
    (
        r".*bfloat16.*|.*_bf16|__h\w*2(_\w+)?|h2\w+|__\w*half2\w*",
        lambda name: fact("cpp.no-narrow-function", name=name),
    ),
    (r"cuda[A-Z]\w+", lambda name: fact("cpp.host-api", name=name)),
    (r"__\w*(mma|ldmatrix)_\w+", lambda _name: fact("cpp.no-wmma")),
)


def why_refused(name: str) -> Fact | None:
    """Return why a function of CUDA is not emulated; None for what is none."""
    if name in _NAMES:
        return _NAMES[name](name)
    found = (why(name) for pattern, why in _PATTERNS if re.fullmatch(pattern, name))
    return next(found, None)


def lower_call(unit: CudaUnit, node: syntax.Call) -> Value:
    """Lower a call.

    Raises:
        Refused: nothing of this name can be called with these arguments.
    """
    function = node.function
    if isinstance(function, syntax.Member):
        return call_method(unit, node, function)
    if not isinstance(function, syntax.Name):
        return call_object(unit, node)
    own = call_own_method(unit, node, function)
    if own is not None:
        return own
    match unit.module.find(unit, function):
        case Functions() as candidates:
            return _call_own(unit, node, function, candidates)
        case TypeName(kind):
            given = lower_arguments(unit, node.arguments)
            if isinstance(kind, StructType):
                return construct(unit, node, kind, given)
            return cast(unit, node, given[0], kind)
        case Template(source=declared.Struct()) as template:
            named = syntax.NamedType(function.place, function)
            kind = unit.module.hooks.deduce(unit, named, template, node.arguments)
            return construct(unit, node, kind, lower_arguments(unit, node.arguments))
        case Unavailable(reason):
            raise reason
        case None:
            return _call_friend(unit, node, function) or _call_built_in(unit, node, function)
    return call_object(unit, node)


def _call_friend(unit: CudaUnit, node: syntax.Call, function: syntax.Name) -> Value | None:
    """Lower a call of a friend that an argument's struct defines; None if there is none."""
    name = function.spelled
    if name not in unit.module.friend_names:
        return None
    given = lower_arguments(unit, node.arguments)
    written = function.parts[-1].arguments
    found = nearest(unit, find_functions(unit, name, given), given, written)
    return None if found is None else call_function(unit, node, function, found, given)


def is_built_in(name: str) -> bool:
    """Return True for the name of a function of CUDA."""
    return name in HANDLERS


def _call_own(
    unit: CudaUnit, node: syntax.Call, function: syntax.Name, candidates: Functions
) -> Value:
    """Lower a call of a function of the source, or of CUDA's of the same name if that fits best."""
    given, written = lower_arguments(unit, node.arguments), function.parts[-1].arguments
    of_scopes = (getattr(each.type, "source", None) for each in given)
    if function.spelled in unit.module.friend_names or (
        len(function.parts) == 1 and any(each and each.tree.scope for each in of_scopes)
    ):
        others = find_functions(unit, function.spelled, given)
        candidates = nearest(unit, [candidates, *others], given, written) or candidates
    handler = HANDLERS.get(strip(function.spelled))
    hides = any(each.scope or each.owner for each in candidates.overloads)
    if handler is None or written is not None or hides:
        return call_function(unit, node, function, candidates, given)
    own = distance(unit, candidates, given)
    built_in = handler.distance(given) if isinstance(handler, Overloaded) else None
    if own is None or (built_in is not None and (built_in, False) < own):
        return handler(unit, node, given)
    return call_function(unit, node, function, candidates, given)


def _call_built_in(unit: CudaUnit, node: syntax.Call, function: syntax.Name) -> Value:
    name = strip(function.spelled)
    if name in NEEDS:
        unit.module.require_header(unit, function, NEEDS[name])
    if name not in HANDLERS and name not in FORMS:
        name = qualify(unit, node, name)
    if name in FORMS:
        return FORMS[name](unit, node)
    if name in HANDLERS:
        given = lower_arguments(unit, node.arguments)
        for value in given:
            if isinstance(value, Braces):
                raise unit.refusal(value.node, fact("cpp.no-list-here"))
        return HANDLERS[name](unit, node, given)
    why = why_refused(name)
    if why is not None:
        raise unit.refusal(node, why)
    raise unit.module.unknown(unit, function, HANDLERS)
