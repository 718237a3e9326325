"""Lowers functions, each once for the types and the places of its arguments, and calls of them.

A reference to memory is passed as a pointer. A reference to a register is passed by value, and the
function returns what it is afterwards: nothing else can refer to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from grader.facts import fact
from grader.frozen import frozen
from grader.simt.checks.findings import FLOAT64, Finding
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.libraries import find_counted, is_in_library
from grader.simt.cuda.lowering.analysis.sequencing import find_unsequenced
from grader.simt.cuda.lowering.assigning import assign
from grader.simt.cuda.lowering.choosing import Invocation, Overload, choose, lower_defaults
from grader.simt.cuda.lowering.closures import (
    Argument,
    Passed,
    check_apart,
    declare_closure,
    places_in,
)
from grader.simt.cuda.lowering.conversions import dtype_of
from grader.simt.cuda.lowering.declarations import (
    declare_parameter,
    declare_this,
    lower_initializers,
)
from grader.simt.cuda.lowering.model.types import (
    VOID,
    ArrayOf,
    CType,
    PointerTo,
    StructType,
    VoidType,
    has_array,
    parts_of,
)
from grader.simt.cuda.lowering.model.values import (
    Aggregate,
    MemoryPlace,
    Plain,
    Returned,
    Value,
    VoidValue,
    variables_in,
)
from grader.simt.cuda.lowering.objects.bases import as_base
from grader.simt.cuda.lowering.objects.stored_closures import Exposed, root_name
from grader.simt.cuda.lowering.passing import (
    check_moved,
    pass_argument,
    pass_memory,
    pass_this,
    prepare_argument,
)
from grader.simt.cuda.lowering.statements import lower_scope, output
from grader.simt.cuda.lowering.storage import declare_memory
from grader.simt.cuda.lowering.templates.parameters import binding_key
from grader.simt.cuda.lowering.unit import CudaUnit, Functions, Scopes
from grader.simt.cuda.places import Place
from grader.simt.program import nodes
from grader.simt.program.assigned import find_unassigned
from grader.simt.program.nodes import Do, Expression
from grader.simt.program.types import Array, Tuple, Type
from grader.simt.program.types import Nothing as NothingType
from grader.simt.program.walking import walk_block

_DEEPEST = 30
_MOST = 300
"""Functions of a kernel, each once for the types of its arguments: templates may ask for any."""


@frozen(eq=False)
class Instance:
    """A function that was lowered.

    Attributes:
        outputs: how many numbers it returns behind its result.
        place: whether its result points to what it returns a reference to.
    """

    source: declared.Function
    lowered: nodes.Function
    result: CType
    outputs: int
    place: bool = False


def lower_function(
    module: Any,
    source: declared.Function,
    bindings: dict[str, Any],
    passed: tuple[Passed, ...],
    this: Passed | None = None,
    *,
    called_at: Place | None = None,
) -> Instance:
    """Lower a function for its arguments, once.

    Args:
        this: how the struct is passed whose function it is.
        called_at: see `CudaUnit`.

    Raises:
        Refused: it is not C++, or not emulated.
    """
    key = _key(source, bindings, passed, this, called_at)
    found: Instance | None = module.instances.get(key)
    if found is None:
        found = module.instances[key] = _lower(
            module, source, bindings, passed, this, called_at=called_at
        )
    return found


def _key(
    source: declared.Function,
    bindings: dict[str, Any],
    passed: tuple[Passed, ...],
    this: Passed | None,
    called_at: Place | None,
) -> Any:
    """Return the key under which a function is kept that was lowered for these arguments."""
    bound = tuple([(name, binding_key(bindings[name])) for name in sorted(bindings)])
    return id(source), bound, passed, this, called_at


def _lower(
    module: Any,
    source: declared.Function,
    bindings: dict[str, Any],
    passed: tuple[Passed, ...],
    this: Passed | None,
    *,
    called_at: Place | None = None,
    watched: frozenset[str] = frozenset(),
    exposed: frozenset[str] = frozenset(),
) -> Instance:
    """Lower a function; once more where variables have to be `watched`, which few need.

    Those that are `exposed` have to be in memory: two references would be the same register.
    """
    if source.refusal is not None:
        raise source.refusal
    is_kernel = "__global__" in source.specifiers
    lowered = nodes.Function(source.name, (), NothingType(), is_kernel=is_kernel)
    unit = CudaUnit(
        module, lowered, Scopes(bindings), module.addressed.find(source) | exposed, VOID,
        watched=watched, namespace=source.scope, called_at=called_at,
    )  # fmt: skip
    under_way = list(module.under_way)
    try:
        return _lower_once(unit, source, bindings, passed, this, exposed=exposed)
    except Exposed as found:
        if found.unit is not unit:
            raise
        if found.names <= exposed:
            raise unit.refusal(found.node, fact("cpp.lambda-alias")) from None
        for key in [key for key in module.under_way if key not in under_way]:
            del module.under_way[key]
        both = exposed | found.names
        return _lower(
            module, source, bindings, passed, this, called_at=called_at, watched=watched,
            exposed=both,
        )  # fmt: skip


def _lower_once(
    unit: CudaUnit,
    source: declared.Function,
    bindings: dict[str, Any],
    passed: tuple[Passed, ...],
    this: Passed | None,
    *,
    exposed: frozenset[str],
) -> Instance:
    module, lowered, watched = unit.module, unit.lowered, unit.watched
    unit.be_followed(source.place.path)
    with unit.apart() as entry:
        _declare_parameters(unit, source, passed, this)
    if source.result is not None:  # it may name the parameters
        unit.result = None
        match source.result:
            case syntax.ReferenceType(_, target) if not module.is_const(unit, target):
                unit.refers = None if trees.is_auto(target) else module.type_of(unit, target)
            case syntax.ReferenceType(_, target) if trees.is_auto(target):
                pass  # to what is const: the value itself
            case _ if not trees.is_auto(source.result):
                unit.result = module.type_of(unit, source.result)
    key, known = _key(source, bindings, passed, this, unit.called_at), unit.result
    module.under_way[key] = None
    if known is not None:
        lowered.result = result_type(unit, known)
        module.under_way[key] = Instance(source, lowered, known, len(unit.outputs))
    lowered.body = _lower_body(unit, source, entry)
    module.under_way.pop(key)
    result = unit.result or VOID
    if module.recursive and key in module.recursive and _has_memory(lowered):
        raise unit.refusal(source, fact("cpp.recursion-memory", name=source.name))
    if known is None:
        lowered.result = result_type(unit, result)
    _note_unsequenced(unit, source)
    _note_widened(unit)
    unset = frozenset(unit.unset)
    unassigned = find_unassigned(lowered.body, unset, unit.uses) if unset else unset
    if unassigned - watched:
        module.program.unassigned = True
        return _lower(
            module, source, bindings, passed, this, called_at=unit.called_at, watched=unassigned,
            exposed=exposed,
        )  # fmt: skip
    return Instance(source, lowered, result, len(unit.outputs), unit.returns_place)


def _lower_body(
    unit: CudaUnit, source: declared.Function, entry: Sequence[nodes.Operation]
) -> nodes.Block:
    """Lower a function's body; `entry` sets its parameters first."""
    if source.body is None:
        raise unit.error(source, fact("cpp.no-body", name=source.name))
    body: list[nodes.Statement] = []
    if entry:
        body.append(nodes.Step(unit.site(source.place), tuple(entry)))
    if source.result is None:
        body += lower_initializers(unit, source)
    body += lower_scope(unit, source.body.statements, source.body.end)
    if unit.outputs:  # also of threads that reach the end without a result
        none: list[Expression] = [
            nodes.Number(each, 0) for each in number_types(unit.result or VOID)
        ]
        body.append(nodes.Return(unit.site(source.body.end), output(unit, none)))
    return tuple(body)


def _declare_parameters(
    unit: CudaUnit, source: declared.Function, passed: tuple[Passed, ...], this: Passed | None
) -> None:
    names, outputs = list[str](), list[str]()
    if this is not None and this.how == "closure":
        own, returned = declare_closure(unit, "", this, source)
        names += own
        outputs += returned
    elif this is not None:
        own = declare_this(unit, source, this.type, this)
        names += own
        outputs += own if this.how == "register" else []
    for parameter, given in zip(source.parameters, passed, strict=True):
        if given.how == "closure":
            own, returned = declare_closure(unit, parameter.name, given, None)
            names += own
            outputs += returned
            continue
        own = declare_parameter(unit, parameter, given.type, given)
        if given.base:
            whole: Any = unit.scopes.find(parameter.name)
            unit.scopes.declare(parameter.name, as_base(whole, given.base))
        names += own
        outputs += own if given.how == "register" else []
    unit.lowered.parameters, unit.outputs = tuple(names), tuple(outputs)
    unit.lowered.types = tuple(map(unit.variable_type, names))


def _note_unsequenced(unit: CudaUnit, source: declared.Function) -> None:
    for place, name in find_unsequenced(source, unit.module.bodies.nodes(source)).items():
        at, what = unit.site(place), fact("finding.unsequenced", name=name)
        found = Finding("unsequenced", at.line, at.column, what, "unsequenced", file=at.file)
        unit.module.program.findings.add(at.number, 1, partial(replace, found))


def _note_widened(unit: CudaUnit) -> None:
    for place, what in unit.widening.found.items():
        at = unit.site(place)
        found = Finding("warning", at.line, at.column, what, FLOAT64, file=at.file)
        unit.module.program.findings.add((FLOAT64, at.number), 1, partial(replace, found))


def result_type(unit: CudaUnit, result: CType) -> Type:
    """Return the program's type of what a function returns."""
    kinds = [*number_types(result), *(unit.variable_type(name) for name in unit.outputs)]
    if not kinds:
        return NothingType()
    return kinds[0] if len(kinds) == 1 else Tuple(tuple(kinds))


def number_types(kind: CType) -> list[Type]:
    """Return the types of the numbers that a value is made of."""
    match kind:
        case VoidType():
            return []
        case StructType() | ArrayOf():
            return [each for part in parts_of(kind) for each in number_types(part)]
    return [dtype_of(kind)]


def call_function(
    unit: CudaUnit, node: syntax.Call, name: syntax.Name, candidates: Functions, given: list[Value]
) -> Value:
    """Lower a call of a function of the source, whose arguments were lowered.

    Raises:
        Refused: no function takes these arguments, or calls are nested too deeply.
    """
    asked = Invocation(candidates, name.parts[-1].arguments, given)
    chosen = choose(unit, node, asked, dict(candidates.around))
    if "__global__" in chosen.source.specifiers:
        raise unit.refusal(node, fact("cpp.no-launch"))
    return invoke(unit, node, chosen, asked)


def invoke(unit: CudaUnit, node: syntax.Node, chosen: Overload, asked: Invocation) -> Value:
    """Lower a call of a function that was chosen.

    Raises:
        Refused: calls are nested too deeply.
    """
    this = None if asked.this is None else pass_this(unit, node, chosen.source, asked.this)
    instance, called, places = _call(unit, node, chosen, asked.given, this)
    return _take_result(unit, node, instance, called, places)


def call_constructor(
    unit: CudaUnit, node: syntax.Node, kind: StructType, chosen: Overload, asked: Invocation
) -> Value:
    """Lower a call of a constructor; return the struct.

    One with an array is made in memory: in `asked.this`, if that is there.
    """
    if has_array(kind):
        memory = asked.this
        if not isinstance(memory, MemoryPlace):
            memory = declare_memory(unit, node, kind.name, kind, "local")
        _, called, _ = _call(unit, node, chosen, asked.given, pass_memory(unit, memory))
        unit.emit(Do(called))
        return memory
    empty: list[Expression] = [nodes.Number(each, 0) for each in number_types(kind)]
    this = Passed(kind, "register"), empty, VoidValue(VOID)
    _, called, _ = _call(unit, node, chosen, asked.given, this)
    return build(kind, _parts(unit, called))


def _call(
    unit: CudaUnit, node: syntax.Node, chosen: Overload, given: list[Value], this: Argument | None
) -> tuple[Instance, nodes.Call, list[Value]]:
    """Return the function for its arguments, the call, and the places that it changes."""
    module, source, bindings = unit.module, chosen.source, chosen.bindings
    if len(module.under_way) > _DEEPEST:
        raise unit.refusal(node, fact("python.call-depth", most=_DEEPEST))
    if len(module.instances) > _MOST:
        raise unit.refusal(node, fact("cpp.too-many-instances", most=_MOST))
    with_defaults = [*given, *lower_defaults(unit, source, len(given), bindings)]
    addressed = module.addressed.find(source)
    written = node.arguments if isinstance(node, syntax.Call) else ()
    with unit.within(source.scope):
        for each in zip(source.parameters, written, given, strict=False):
            check_moved(unit, *each, bindings)
        pairs = [
            (
                each,
                prepare_argument(
                    unit, node, each, value, bindings, addressed=each.name in addressed
                ),
            )
            for each, value in zip(source.parameters, with_defaults, strict=True)
        ]
        passed = [pass_argument(unit, node, *each, bindings) for each in pairs]
    given_this = [this] if this else []
    if any(each.how == "closure" for each, _, _ in (*given_this, *passed)):
        referred: list[Argument] = [
            (how, [], value if _refers(parameter, how) else VoidValue(VOID))
            for (how, _, _), (parameter, value) in zip(passed, pairs, strict=True)
        ]
        check_apart(unit, node, [*given_this, *referred])
    how, to = tuple(each for each, _, _ in passed), this[0] if this else None
    at = None
    if is_in_library(source.place):
        at = unit.called_at or node.place
        if (library := find_counted(source.place)) is not None:
            module.program.libraries.add(library)
            module.program.library_lines.add((at.path, at.line))
    key = _key(source, bindings, how, to, at)
    itself = unit.site(node.place) if key in module.under_way else None
    if itself is None:
        instance = lower_function(module, source, bindings, how, to, called_at=at)
    else:
        instance = _find_caller(unit, node, source, key)
    every = [*given_this, *passed]
    arguments = tuple(part for _, parts, _ in every for part in parts)
    called = nodes.Call(
        instance.lowered.result, instance.lowered, arguments, itself, unit.site(node.place)
    )
    return instance, called, [inner for each, _, place in every for inner in places_in(each, place)]


def _refers(parameter: declared.Parameter, passed: Passed) -> bool:
    """Return True for what a function has without a copy of its own."""
    return isinstance(parameter.type, syntax.ReferenceType) or passed.how == "closure"


def _find_caller(
    unit: CudaUnit, node: syntax.Node, source: declared.Function, key: Any
) -> Instance:
    """Return a function that is being lowered, for a call of it within it.

    Raises:
        Refused: its result is not known yet.
    """
    under_way = unit.module.under_way
    around = list(under_way)
    unit.module.recursive.update(around[around.index(key) :])
    instance: Instance | None = under_way[key]
    if instance is None:
        raise unit.error(node, fact("cpp.auto-recursion", name=source.name))
    return instance


def _has_memory(function: nodes.Function) -> bool:
    """Return True for a function with arrays of its own, which all calls of it would share."""
    return any(
        isinstance(node, nodes.Memory)
        and isinstance(node.type, Array)
        and node.type.space == "local"
        for node in walk_block(function.body)
    )


def _take_result(
    unit: CudaUnit,
    node: syntax.Node,
    instance: Instance,
    called: nodes.Call,
    places: Sequence[Value],
) -> Value:
    value = _take_value(unit, node, instance, called, places)
    if instance.place and isinstance(value, Plain):
        assert isinstance(value.type, PointerTo)  # as it was returned
        return MemoryPlace(value.type.target, unit.hold(value.node))
    refers = isinstance(instance.source.result, syntax.ReferenceType)
    if not refers:
        return value
    names = frozenset(root_name(each) for place in places for each in variables_in(place))
    return _mark_returned(value, names)


def _mark_returned(value: Value, names: frozenset[str]) -> Value:
    """Return a value that is known to be one of a place."""
    match value:
        case Plain(kind, node):
            return Returned(kind, node, names)
        case Aggregate(kind, members, const):
            return Aggregate(kind, tuple(_mark_returned(each, names) for each in members), const)
    return value


def _take_value(
    unit: CudaUnit,
    node: syntax.Node,
    instance: Instance,
    called: nodes.Call,
    places: Sequence[Value],
) -> Value:
    kinds = number_types(instance.result)
    if not instance.outputs and len(kinds) <= 1 and not isinstance(instance.result, StructType):
        if kinds:
            return Plain(instance.result, called)
        unit.emit(Do(called))
        return VoidValue(VOID)
    parts = _parts(unit, called)
    result, rest = parts[: len(kinds)], parts[len(kinds) :]
    for place in places:
        count = len(number_types(place.type))
        assign(unit, node, place, build(place.type, rest[:count]))
        rest = rest[count:]
    is_void = isinstance(instance.result, VoidType)
    return VoidValue(VOID) if is_void else build(instance.result, result)


def _parts(unit: CudaUnit, called: nodes.Call) -> list[Expression]:
    """Return the numbers that a call gives, which is evaluated once."""
    if isinstance(called.type, NothingType):  # of a struct without members
        unit.emit(Do(called))
        return []
    whole, returned = unit.hold(called), called.type
    if isinstance(returned, Tuple):
        return [nodes.Part(each, whole, at) for at, each in enumerate(returned.items)]
    return [whole]


def build(kind: CType, parts: Sequence[Expression]) -> Value:
    """Return a value made of its numbers."""
    if not isinstance(kind, (ArrayOf, StructType)):
        return Plain(kind, parts[0])
    members: list[Value] = []
    for part in parts_of(kind):
        count = len(number_types(part))
        members.append(build(part, parts[:count]))
        parts = parts[count:]
    return Aggregate(kind, tuple(members))


# Which function
