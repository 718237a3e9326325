"""Lowers statements, and the declarations in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.lowering.analysis import folding
from grader.simt.cuda.lowering.assembly import lower_asm
from grader.simt.cuda.lowering.conversions import convert, load, number, rvalue, selector
from grader.simt.cuda.lowering.declarations import crosses, declare, declare_bindings
from grader.simt.cuda.lowering.expressions import lower, lower_effects, test
from grader.simt.cuda.lowering.model.types import (
    VOID,
    PointerTo,
    StructType,
    VoidType,
    decay,
    is_closure,
)
from grader.simt.cuda.lowering.model.values import (
    Aggregate,
    Braces,
    MemoryPlace,
    Plain,
    Value,
    VoidValue,
)
from grader.simt.cuda.lowering.objects.bases import to_base
from grader.simt.cuda.lowering.objects.lifetimes import (
    check_unnamed,
    is_alive,
    leave_block,
    leave_function,
    leave_loop,
    scope,
)
from grader.simt.cuda.lowering.objects.stored_closures import settle
from grader.simt.cuda.lowering.operators import drop
from grader.simt.cuda.lowering.ranges import loop_over
from grader.simt.cuda.lowering.templates.structs import make_listed
from grader.simt.cuda.lowering.unit import CudaUnit, Template, TypeName
from grader.simt.cuda.places import Place
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression, Logical, Loop, Operate, Operation, Read, Set
from grader.simt.program.types import BOOL, Pointer, Tuple

Form = Callable[[CudaUnit, Any], list[nodes.Statement]]
_ARRIVING = (
    syntax.Break, syntax.Continue, syntax.DoWhile, syntax.For, syntax.If, syntax.Return,
    syntax.Switch, syntax.While,
)  # fmt: skip
"""Statements before which is recorded: they hold other statements, or nothing comes after."""


def lower_statement(unit: CudaUnit, node: declared.Statement) -> list[nodes.Statement]:
    """Lower any statement: to none, to one, or to a declaration and what follows it.

    Raises:
        Refused: it is not C++, or not emulated.
    """
    lowered = _lower(unit, node)
    if unit.recorder is None or not lowered or isinstance(node, syntax.Compound):
        return lowered
    arriving = isinstance(node, _ARRIVING)
    lines = range(node.place.line, _last_line(node) + 1)
    numbers = tuple(
        name
        for name, kind in zip(unit.lowered.parameters, unit.lowered.types, strict=True)
        if not isinstance(kind, Pointer)
    )
    watch = partial(unit.recorder.watch, lines, numbers, on_arrival=arriving)
    return [*lowered[:-1], nodes.Watched(lowered[-1].site, lowered[-1], watch)]


def _lower(unit: CudaUnit, node: declared.Statement) -> list[nodes.Statement]:
    return _FORMS[type(node)](unit, node)


def _last_line(node: syntax.Node) -> int:
    """Return the last line of a statement; of one that holds others, of what is before them."""
    match node:
        case syntax.If() | syntax.For() | syntax.While() | syntax.Switch():
            parts: Sequence[syntax.Node | None] = [
                getattr(node, name, None) for name in ("initializer", "condition", "value", "step")
            ]
        case syntax.DoWhile():
            parts = ()
        case _:
            parts = trees.children(node)
    return max([node.place.line, *(_last_line(part) for part in parts if part is not None)])


def lower_block(
    unit: CudaUnit, body: Sequence[declared.Statement], end: Place | None = None
) -> nodes.Block:
    """Lower statements that have a scope of their own."""
    with unit.scopes.inner():
        return tuple(lower_scope(unit, body, end or body[-1].place) if body else ())


def lower_scope(
    unit: CudaUnit, body: Sequence[declared.Statement], end: Place
) -> list[nodes.Statement]:
    """Lower statements, and what ends with them; the names they declare stay."""
    with scope(unit, "block"):
        lowered = [each for node in body for each in lower_statement(unit, node)]
        return lowered + leave_block(unit, end, body[-1] if body else None)


def _body(unit: CudaUnit, node: declared.Statement | None) -> nodes.Block:
    if node is None:
        return ()
    if isinstance(node, syntax.Compound):
        return lower_block(unit, node.statements, node.end)
    return lower_block(unit, (node,))


def _step(site: Site, operations: Sequence[Operation]) -> list[nodes.Statement]:
    return [nodes.Step(site, tuple(operations))] if operations else []


def _expression(unit: CudaUnit, node: syntax.ExpressionStatement) -> list[nodes.Statement]:
    unit.unused = node.expression
    with unit.apart() as operations:
        lower_effects(unit, node.expression)
    return _step(unit.site(node.place), operations)


def _declaration(unit: CudaUnit, node: syntax.DeclarationStatement) -> list[nodes.Statement]:
    with unit.apart() as operations:
        _declare_all(unit, node.variables)
    return _step(unit.site(node.place), operations)


def _declare_all(unit: CudaUnit, variables: Sequence[syntax.Variable]) -> None:
    """Declare the variables of one declaration; `auto` is one type for all of them."""
    kinds = set[Any]()
    for variable in variables:
        declare(unit, variable)
        if trees.type_name(variable.type) == "auto":
            found = unit.scopes.find(variable.name)
            kinds.add(getattr(found, "type", None))
    if len(kinds) > 1:
        raise unit.error(variables[-1], fact("cpp.auto", type="auto", name=variables[-1].name))


def _compound(unit: CudaUnit, node: syntax.Compound) -> list[nodes.Statement]:
    return list(lower_block(unit, node.statements, node.end))


def _nothing(_unit: CudaUnit, _node: syntax.Node) -> list[nodes.Statement]:
    return []


def _asm(unit: CudaUnit, node: syntax.Asm) -> list[nodes.Statement]:
    return lower_asm(unit, node)


def _type(unit: CudaUnit, node: declared.TypeDeclaration) -> list[nodes.Statement]:
    _declare_type(unit, node)
    return []


def _condition(unit: CudaUnit, node: syntax.Condition) -> Expression:
    """Lower a test, or a variable that is tested."""
    if isinstance(node, syntax.DeclarationStatement):
        variable = node.variables[0]
        declare(unit, variable)
        part = syntax.NamePart(node.place, variable.name)
        return test(unit, syntax.Name(node.place, (part,)))
    return test(unit, node)


def _if(unit: CudaUnit, node: syntax.If) -> list[nodes.Statement]:
    with unit.scopes.inner(), scope(unit, "head"):
        before = [] if node.initializer is None else _lower(unit, node.initializer)
        with unit.apart() as operations:
            holds = _condition(unit, node.condition)
        if node.constexpr:
            known = folding.evaluate(holds)
            if known is None:
                raise unit.error(node.condition, fact("cpp.not-constant"))
            chosen = node.then if known else node.otherwise
            return before + _step(unit.site(node.place), operations) + list(_body(unit, chosen))
        site = unit.site(node.place)
        yes, no = _body(unit, node.then), _body(unit, node.otherwise)
    # What the test changes belongs to the branch itself, which counts it once.
    if operations:
        name = unit.temporary()
        operations.append(Set(name, holds))
        holds = Read(BOOL, name)
    return [*before, nodes.If(site, holds, yes, no, tuple(operations))]


def _loop(
    unit: CudaUnit,
    node: syntax.For | syntax.While,
    condition: syntax.Condition | None,
    step: syntax.Expression | None,
    begin: Sequence[Operation] = (),
) -> Loop:
    with unit.scopes.inner(), scope(unit, "loop"):
        with unit.apart() as head:
            holds = None if condition is None else _condition(unit, condition)
        body = _body(unit, node.body)
    with unit.apart() as after:
        if step is not None:
            lower_effects(unit, step)
    known = None if holds is None else folding.fold(holds)
    test_of_round = None if known else holds
    return Loop(
        unit.site(node.place),
        tuple(begin),
        test_of_round,
        (),
        body,
        tuple(after),
        (),
        head=tuple(head),
    )


def _for(unit: CudaUnit, node: syntax.For) -> list[nodes.Statement]:
    with unit.scopes.inner(), scope(unit, "head"):
        with unit.apart() as begin:
            match node.initializer:
                case syntax.DeclarationStatement(_, variables):
                    _declare_all(unit, variables)
                case syntax.ExpressionStatement(_, expression):
                    lower_effects(unit, expression)
        return [_loop(unit, node, node.condition, node.step, begin)]


def _range_for(unit: CudaUnit, node: syntax.RangeFor) -> list[nodes.Statement]:
    with unit.scopes.inner():
        with unit.apart() as begin:
            loop = loop_over(unit, node)
        return [*_step(unit.site(node.place), begin), *_for(unit, loop)]


def _bindings(unit: CudaUnit, node: syntax.Bindings) -> list[nodes.Statement]:
    with unit.apart() as operations:
        declare_bindings(unit, node)
    return _step(unit.site(node.place), operations)


def _while(unit: CudaUnit, node: syntax.While) -> list[nodes.Statement]:
    return [_loop(unit, node, node.condition, None)]


def _do_while(unit: CudaUnit, node: syntax.DoWhile) -> list[nodes.Statement]:
    """Lower a loop whose first round is not tested."""
    first = unit.temporary()
    with scope(unit, "loop"):
        body = _body(unit, node.body)
    with unit.apart() as head:
        with unit.apart() as tested:
            holds = test(unit, node.condition)
        if tested:
            name = unit.temporary()
            again = Operate(BOOL, "~", (Read(BOOL, first),))
            unit.emit(Set(name, nodes.Number(BOOL, value=True)))
            unit.emit(nodes.When(again, (*tested, Set(name, holds)), ()))
            holds = Read(BOOL, name)
        else:
            holds = Logical(BOOL, (Read(BOOL, first), holds), conjunction=False)
    begin = (Set(first, nodes.Number(BOOL, value=True)),)
    enter = (Set(first, nodes.Number(BOOL, value=False)),)
    site = unit.site(node.place)
    return [Loop(site, begin, holds, enter, body, (), (), head=tuple(head))]


def _switch(unit: CudaUnit, node: syntax.Switch) -> list[nodes.Statement]:
    """Lower a `switch`: a section runs for those that its labels, or the one before, chose."""
    with unit.scopes.inner(), scope(unit, "switch"):
        before = [] if node.initializer is None else _lower(unit, node.initializer)
        with unit.apart() as operations:
            given = node.value
            assert not isinstance(given, syntax.DeclarationStatement)  # the parser refuses it
            value = unit.hold_plain(selector(unit, given, lower(unit, given)))
            seen = set[Any]()
            chosen = [_chooses(unit, section, value, seen) for section in node.sections]
            known = [each for each in chosen if each is not None]
            matched = _any(known)
            rest = unit.hold(Operate(BOOL, "~", (matched,)))
        inside = nodes.Number(BOOL, value=False), unit.temporary()
        operations.append(Set(inside[1], inside[0]))
        body: list[nodes.Statement] = []
        declared = len(unit.unset)
        on = Read(BOOL, inside[1])
        for section, mine in zip(node.sections, chosen, strict=True):
            begins = mine if mine is not None else rest
            if mine is not None and None in section.labels:
                begins = Logical(BOOL, (mine, rest), conjunction=False)
            enters = Logical(BOOL, (on, begins), conjunction=False)
            site = unit.site(section.place)
            statements = tuple(
                each for inner in section.statements for each in lower_statement(unit, inner)
            )
            if section is not node.sections[-1]:
                _check_jump(unit, section)
            body.append(nodes.If(site, on, statements, (), (Set(inside[1], enters),)))
        with unit.apart() as flags:  # a label may jump over a declaration
            for variable in list(unit.unset)[declared:]:
                unit.leave_unset(variable)
        operations += flags
    return [*before, nodes.Switch(unit.site(node.place), tuple(operations), tuple(body))]


def _check_jump(unit: CudaUnit, section: syntax.Section) -> None:
    """Check that a later label jumps over no variable that a section begins with a value.

    Raises:
        Refused: it does.
    """
    for statement in section.statements:
        for each in getattr(statement, "variables", ()):
            if crosses(unit, each):
                raise unit.error(each, fact("cpp.jump-over", name=each.name))


def _chooses(
    unit: CudaUnit, section: syntax.Section, value: Plain, seen: set[Any]
) -> Expression | None:
    """Return whether the value is one of a section's labels; None if `default` is the only one.

    Labels that were `seen` before are refused; those of the section are added.
    """
    tests: list[Expression] = []
    for label in section.labels:
        if label is None:
            continue
        wanted = convert(unit, label, selector(unit, label, lower(unit, label)), value.type)
        known = folding.fold(wanted.node)
        if known is None:
            raise unit.error(label, fact("cpp.not-constant"))
        if known in seen:
            raise unit.error(label, fact("cpp.label-twice"))
        seen.add(known)
        tests.append(Operate(BOOL, "==", (value.node, wanted.node)))
    return _any(tests) if tests else None


def _any(tests: Sequence[Expression]) -> Expression:
    if not tests:
        return nodes.Number(BOOL, value=False)
    return tests[0] if len(tests) == 1 else Logical(BOOL, tuple(tests), conjunction=False)


def _break(unit: CudaUnit, node: syntax.Break) -> list[nodes.Statement]:
    left = leave_loop(unit, node.place, ("loop", "switch"))
    return [*left, nodes.Break(unit.site(node.place))]


def _continue(unit: CudaUnit, node: syntax.Continue) -> list[nodes.Statement]:
    left = leave_loop(unit, node.place, ("loop",))
    return [*left, nodes.Continue(unit.site(node.place))]


def _return(unit: CudaUnit, node: syntax.Return) -> list[nodes.Statement]:
    site = unit.site(node.place)
    if node.value is None:
        unit.result = unit.result or VOID
        with unit.apart() as operations:
            leave_function(unit)
        return [nodes.Return(site, output(unit, None), tuple(operations))]
    with unit.apart() as operations:
        chosen = None if unit.refers is None else _choose_place(unit, node.value)
        value = lower(unit, node.value) if chosen is None else chosen
        given = _result(unit, node, value)
        check_unnamed(unit, node, unit.result)
        if given and is_alive(unit):
            given = [unit.hold(each) for each in given]
        if isinstance(value, VoidValue):
            drop(unit, value)
        leave_function(unit)
        returned = output(unit, given)
        if operations and returned is not None:
            returned = unit.hold(returned)
    return [nodes.Return(site, returned, tuple(operations))]


def _choose_place(unit: CudaUnit, node: syntax.Expression) -> Value | None:
    """Lower `test ? a : b` to the place that is chosen; None if that is not in memory."""
    if not isinstance(node, syntax.Conditional):
        return None
    with unit.apart() as before:
        holds = test(unit, node.test)
        with unit.apart() as first:
            yes = lower(unit, node.yes)
        with unit.apart() as second:
            no = lower(unit, node.no)
    if not (isinstance(yes, MemoryPlace) and isinstance(no, MemoryPlace)):
        return None
    if yes.type != no.type or yes.pointer.type != no.pointer.type:
        return None
    unit.operations.extend(before)
    name = unit.temporary()
    chosen, other = (*first, Set(name, yes.pointer)), (*second, Set(name, no.pointer))
    unit.emit(nodes.When(holds, chosen, other))
    pointer = Read(yes.pointer.type, name)
    return MemoryPlace(yes.type, pointer, yes.const or no.const)


def _result(unit: CudaUnit, node: syntax.Return, value: Value) -> list[Expression] | None:
    """Return what a function returns, as numbers: one, or a struct's members."""
    if unit.refers is not None and (place := _referred(unit, node, value)) is not None:
        return [place]
    if isinstance(value, Braces) and (unit.result is None or unit.deduced):
        raise unit.error(value.node, fact("cpp.auto-list"))
    if unit.result is None:
        unit.result = decay(value.type, const=getattr(value, "const", False))
        unit.deduced = True
    if isinstance(unit.result, VoidType):
        if not isinstance(value, VoidValue):
            raise unit.error(node, fact("cpp.returns-value"))
        return None
    if is_closure(value.type):
        value = settle(unit, node, value)
    loaded = to_base(load(unit, node, make_listed(unit, value, unit.result)), unit.result)
    if isinstance(unit.result, StructType) and not unit.deduced and loaded.type != unit.result:
        loaded = unit.module.hooks.make(unit, node, unit.result, (loaded,))
    if unit.deduced and loaded.type != unit.result:
        what = fact("cpp.auto-results", first=unit.result.name, second=loaded.type.name)
        raise unit.error(node, what)
    if isinstance(loaded, Aggregate) and loaded.type == unit.result:
        return flatten(loaded)
    return [convert(unit, node, rvalue(unit, node, loaded), unit.result).node]


def _referred(unit: CudaUnit, node: syntax.Return, value: Value) -> Expression | None:
    """Return where that is to which a reference is returned; None of what is not in memory.

    Raises:
        Refused: one `return` has what is in memory, and another has not.
    """
    is_place = isinstance(value, MemoryPlace) and not value.const
    if unit.result is None:
        unit.returns_place = is_place
        unit.result = PointerTo(value.type) if is_place else unit.refers
    if unit.returns_place != is_place:
        raise unit.refusal(node, fact("cpp.returned-reference"))
    return value.pointer if isinstance(value, MemoryPlace) and is_place else None


def flatten(value: Value) -> list[Expression]:
    """Return the numbers of a struct, in order."""
    if isinstance(value, Aggregate):
        return [node for member in value.members for node in flatten(member)]
    assert isinstance(value, Plain)  # loaded
    return [value.node]


def output(unit: CudaUnit, given: list[Expression] | None) -> Expression | None:
    """Return what leaves the function: its result, and references to its caller's registers."""
    parts = [*(given or []), *(Read(unit.variable_type(name), name) for name in unit.outputs)]
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0]
    return nodes.Pack(Tuple(tuple(part.type for part in parts)), tuple(parts))


def _declare_type(unit: CudaUnit, node: declared.TypeDeclaration) -> None:
    """Declare a type within a function.

    Raises:
        Refused: an assertion does not hold.
    """
    module = unit.module
    match node:
        case declared.Alias(template=None):
            found = TypeName(module.type_of(unit, node.type), module.is_const(unit, node.type))
            unit.scopes.declare(node.name, found)
        case declared.Struct(template=None):
            around = {
                name: entity
                for name, entity in unit.scopes.visible().items()
                if isinstance(entity, (TypeName, Template))
                or (isinstance(entity, Plain) and isinstance(entity.node, nodes.Number))
            }
            unit.scopes.declare(node.name, TypeName(module.struct_of(unit, node, around)))
        case declared.Enum():
            kind, values = module.enum_of(unit, node)
            unit.scopes.declare(node.name, TypeName(kind))
            for name in () if node.scoped else values:
                unit.scopes.declare(name, number(kind, values[name]))
        case declared.StaticAssert(_, condition):
            if not module.constant(unit, condition):
                raise unit.error(node, fact("cpp.assertion"))
        case declared.Using():
            pass
        case _:
            raise unit.refusal(node, fact("cpp.no-class-template", name=node.name))


_FORMS: dict[type[Any], Form] = {
    syntax.ExpressionStatement: _expression,
    syntax.DeclarationStatement: _declaration,
    syntax.Compound: _compound,
    syntax.Empty: _nothing,
    syntax.If: _if,
    syntax.For: _for,
    syntax.RangeFor: _range_for,
    syntax.Bindings: _bindings,
    syntax.While: _while,
    syntax.DoWhile: _do_while,
    syntax.Switch: _switch,
    syntax.Break: _break,
    syntax.Continue: _continue,
    syntax.Return: _return,
    syntax.Asm: _asm,
    declared.Alias: _type,
    declared.Enum: _type,
    declared.Struct: _type,
    declared.StaticAssert: _type,
    declared.Using: _type,
}
