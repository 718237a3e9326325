"""What each expression of the typed program does: from a node to what evaluates it.

`evaluator(node, scope)(frame, mask)` returns a value for each thread: (rows, columns) that
broadcasts to the chunk's (blocks, threads); its values for threads outside the mask mean nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import is_
from typing import Any, NamedTuple

import numpy as np

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.intrinsics.overflow import check_overflow
from grader.simt.lockstep.declared import build_address, build_memory
from grader.simt.lockstep.exact import watch_index
from grader.simt.lockstep.merging import BranchPaths, merge, zero_value
from grader.simt.lockstep.scopes import Scope
from grader.simt.machine.chunk import OPERATION, ExecutionPoint
from grader.simt.machine.conversion import as_type, convert, uniform
from grader.simt.machine.frame import Evaluate, Frame, Value
from grader.simt.machine.operators import BINARY, COMPARISONS, IN_PLACE, UNARY
from grader.simt.masks import Mask
from grader.simt.memory.pointers import Pointed, move_pointer, reach_target
from grader.simt.memory.reaching import Reached, reach
from grader.simt.memory.records import reach_field
from grader.simt.program import nodes
from grader.simt.program.types import (
    BFLOAT16,
    BOOL,
    INT32,
    INT64,
    Constant,
    Dynamic,
    Scalar,
    number,
)

_LARGE = 1024
"""Numbers of a vector whose memory is worth using again."""


class _Built(NamedTuple):
    """What evaluates a node; `fresh` if each time makes a vector that nothing else refers to."""

    evaluate: Evaluate
    fresh: bool = False


Find = Callable[[Frame, Mask], Pointed | None]
"""Finds the cells of a number in memory, for the threads that have one."""


def evaluator(node: nodes.Expression, scope: Scope) -> Evaluate:
    """Return what evaluates a node."""
    return _build(node, scope).evaluate


def _build(node: nodes.Expression, scope: Scope) -> _Built:
    built = _BUILDERS[type(node)](node, scope)
    known = scope.invariants.get(id(node))
    return built if known is None else _Built(_remember(built.evaluate, known))


def _nothing(_frame: Frame, _mask: Mask) -> Value:
    return None


def _static(_node: nodes.Static, _scope: Scope) -> _Built:
    return _Built(_nothing)


def _number(node: nodes.Number, scope: Scope) -> _Built:
    dtype = number(node.type)
    vector = uniform(node.value, INT64 if dtype is None else dtype)  # a member has a number too
    return _Built(lambda _frame, _mask: vector)


def _position(node: nodes.Position, scope: Scope) -> _Built:
    get = node.get
    return _Built(lambda frame, _mask: get(frame.chunk))


def _memory(node: nodes.Memory, scope: Scope) -> _Built:
    return _Built(build_memory(node))


def _read(node: nodes.Read, scope: Scope) -> _Built:
    name, kind = node.variable, node.type
    dtype = number(kind)
    if isinstance(kind, Constant):
        return _number(nodes.Number(kind, kind.value), scope)
    if nodes.is_temporary(name) and not nodes.is_inlined(name):
        return _Built(lambda frame, _mask: frame.values[name])
    if isinstance(kind, Dynamic):
        return _Built(lambda frame, _mask: frame.values.get(name))

    def read(frame: Frame, _mask: Mask) -> Value:
        value = frame.values.get(name)
        if value is None:
            return zero_value(kind, name)
        if dtype is None:
            return as_type(value, kind)
        return value if value.dtype == dtype else convert(value, dtype)

    return _Built(read)


def _keep(node: nodes.Keep, scope: Scope) -> _Built:
    operand, name = evaluator(node.operand, scope), node.variable

    def evaluate(frame: Frame, mask: Mask) -> Value:
        value = frame.values[name] = operand(frame, mask)
        return value

    return _Built(evaluate)


def _remember(compute: Evaluate, variables: tuple[str, ...]) -> Evaluate:
    """Keep the last value with the vectors it was computed from, as long as they are the same."""
    key = object()

    def evaluate(frame: Frame, mask: Mask) -> Value:
        values = frame.values
        operands = [values.get(name) for name in variables]
        known = values.get(key)
        if known is not None and all(map(is_, known[0], operands)):
            return known[1]
        value = compute(frame, mask)
        values[key] = operands, value
        return value

    return evaluate


def _convert(node: nodes.Convert, scope: Scope) -> _Built:
    dtype = number(node.type)
    if dtype is None:  # of a tuple, or of memory
        whole, kind = evaluator(node.operand, scope), node.type
        return _Built(lambda frame, mask: as_type(whole(frame, mask), kind))
    given = number(node.operand.type)
    if isinstance(node.operand, nodes.Number) and given is not None:
        with np.errstate(all="ignore"):
            vector = convert(uniform(node.operand.value, given), dtype)
        return _Built(lambda _frame, _mask: vector)
    if isinstance(node.operand.type, Constant):
        vector = convert(uniform(node.operand.type.value, given or dtype), dtype)
        return _Built(lambda _frame, _mask: vector)
    operand, fresh = _build(node.operand, scope)
    if node.site is not None:
        return _Built(_narrow(operand, dtype, node.site))
    if given == dtype:
        return _Built(operand, fresh)
    return _Built(lambda frame, mask: convert(operand(frame, mask), dtype), fresh)


def _narrow(operand: Evaluate, dtype: Scalar, site: Site) -> Evaluate:
    limits = np.iinfo(dtype)

    def narrow(frame: Frame, mask: Mask) -> Value:
        value = operand(frame, mask)
        least, most = frame.chunk.patterns.find(value).bounds
        if least < limits.min or most > limits.max:
            _report_overflow(ExecutionPoint(frame.chunk, mask, site), value, dtype)
        return value.astype(dtype)

    return narrow


def _report_overflow(here: ExecutionPoint, value: Value, dtype: Scalar) -> None:
    limits, lanes = np.iinfo(dtype), here.mask.lanes
    beyond = (value < limits.min) | (value > limits.max)
    beyond = beyond if lanes is None else beyond & lanes
    if beyond.any():
        first = int(np.broadcast_to(value, beyond.shape)[beyond][0])
        wrapped = int(np.array([first]).astype(dtype)[0])
        what = fact("finding.overflow", value=first, dtype=dtype.name, wrapped=wrapped)
        here.report("warning", beyond, what, topic="overflow")


def _observe(node: nodes.Observe, scope: Scope) -> _Built:
    operand, fresh = _build(node.operand, scope)

    def evaluate(frame: Frame, mask: Mask) -> Value:
        found, chunk = operand(frame, mask), frame.chunk
        if chunk.launch.poison is not None:
            place = id(node), chunk.first_block
            chunk.launch.poison.tests.note(place, (found,), found != 0, mask)
        return found

    return _Built(evaluate, fresh)


def _operate(node: nodes.Operate, scope: Scope) -> _Built:
    if node.site is not None and id(node) in scope.checked:
        return _checked(node, node.site, scope)
    if len(node.operands) == 1:
        operand, unary = evaluator(node.operands[0], scope), UNARY[node.operator]
        return _Built(lambda frame, mask: unary(operand(frame, mask)))
    result = number(node.type)
    assert result is not None  # an operator makes a number
    (first, of_left), (second, of_right) = (_build(each, scope) for each in node.operands)
    if node.operator in COMPARISONS:
        return _compare(node, first, second)
    if result != BFLOAT16 and _types(node) == (result, result):
        if node.operator == "*" and result.kind in "fiu" and _is_same(*node.operands):
            return _Built(lambda frame, mask: np.square(first(frame, mask)), fresh=True)
        if node.operator in IN_PLACE:
            reuse = _reuse(IN_PLACE[node.operator], first, second, (of_left, of_right))
            return _Built(reuse, fresh=True)
    apply = BINARY[node.operator]

    def evaluate(frame: Frame, mask: Mask) -> Value:
        value = apply(first(frame, mask), second(frame, mask))
        return convert(value, result)

    return _Built(evaluate, fresh=True)


def _compare(node: nodes.Operate, first: Evaluate, second: Evaluate) -> _Built:
    apply = BINARY[node.operator]

    def evaluate(frame: Frame, mask: Mask) -> Value:
        given, chunk = (first(frame, mask), second(frame, mask)), frame.chunk
        holds = apply(*given)
        if chunk.launch.poison is not None:
            place = id(node), chunk.first_block
            chunk.launch.poison.tests.note(place, given, holds, mask)
        return holds

    return _Built(evaluate, fresh=True)


def _checked(node: nodes.Operate, site: Site, scope: Scope) -> _Built:
    """Apply an operator, and look for threads in which it overflows."""
    operands = [evaluator(operand, scope) for operand in node.operands]
    result, operator = number(node.type), node.operator
    assert result is not None  # an operator makes a number
    apply: Callable[..., Value] = (UNARY if len(operands) == 1 else BINARY)[operator]

    def evaluate(frame: Frame, mask: Mask) -> Value:
        given = [operand(frame, mask) for operand in operands]
        value = convert(apply(*given), result)
        check_overflow(operator, ExecutionPoint(frame.chunk, mask, site), value, *given)
        return value

    return _Built(evaluate)


def _types(node: nodes.Operate) -> tuple[Scalar | None, ...]:
    return tuple(number(operand.type) for operand in node.operands)


def _is_same(left: nodes.Expression, right: nodes.Expression) -> bool:
    """Return True for a variable, or the same part of one, twice: read it only once."""
    match left, right:
        case nodes.Read(kind, name), nodes.Read(other_kind, other):
            return name == other and kind == other_kind
        case nodes.Convert(kind, inner, None), nodes.Convert(other_kind, other_inner, None):
            return kind == other_kind and _is_same(inner, other_inner)
        case (
            nodes.Apply(_, _, function, (inner,), None),
            nodes.Apply(_, _, other_function, (other_inner,), None),
        ):
            return function is other_function and _is_same(inner, other_inner)
    return False


def _reuse(
    apply: np.ufunc, first: Evaluate, second: Evaluate, fresh: tuple[bool, bool]
) -> Evaluate:
    """Apply an operator in the memory of an operand: the processor's cache has it already."""
    of_left, of_right = fresh

    def evaluate(frame: Frame, mask: Mask) -> Value:
        left, right = first(frame, mask), second(frame, mask)
        if left.size >= _LARGE and of_left and (right.size == 1 or right.shape == left.shape):
            return apply(left, right, out=left)
        if right.size >= _LARGE and of_right and (left.size == 1 or left.shape == right.shape):
            return apply(left, right, out=right)
        return apply(left, right)

    return evaluate


def _apply(node: nodes.Apply, scope: Scope) -> _Built:
    function, operands = node.function, [evaluator(operand, scope) for operand in node.operands]
    result, cost = number(node.type), node.cost
    if cost is None:
        if len(operands) == 1:
            (only,) = operands
            return _Built(lambda frame, mask: function(only(frame, mask)))
        if len(operands) == 2:
            left, right = operands
            return _Built(lambda frame, mask: function(left(frame, mask), right(frame, mask)))
        return _Built(lambda frame, mask: function(*(each(frame, mask) for each in operands)))
    each_cost, kind = cost, node.type

    def evaluate(frame: Frame, mask: Mask) -> Value:
        value = function(*(operand(frame, mask) for operand in operands))
        if result is not None:
            frame.chunk.charge(OPERATION + each_cost * value.size)
            return convert(value, result)
        frame.chunk.charge(OPERATION + each_cost * value[0].size)  # a tuple
        return as_type(value, kind)

    return _Built(evaluate)


def _perform(node: nodes.Perform, scope: Scope) -> _Built:
    run, site = node.run, node.site
    if node.caller is not None:
        run = partial(_run_called, node.caller, run)
    operands = [evaluator(operand, scope) for operand in node.operands]
    if len(operands) == 2:  # most often: a list of one's own takes 0.4 µs
        first, second = operands

        def evaluate_two(frame: Frame, mask: Mask) -> Value:
            left = first(frame, mask)
            return run(ExecutionPoint(frame.chunk, mask, site), left, second(frame, mask))

        return _Built(evaluate_two)

    def evaluate(frame: Frame, mask: Mask) -> Value:
        values = [operand(frame, mask) for operand in operands]
        return run(ExecutionPoint(frame.chunk, mask, site), *values)

    return _Built(evaluate)


def _run_called(
    caller: Site, run: Callable[..., Value], here: ExecutionPoint, *given: Value
) -> Value:
    """Run what became a part of the kernel as the function would that it was in."""
    here.chunk.calls.append(caller)
    found = run(here, *given)
    here.chunk.calls.pop()
    return found


def _choose(node: nodes.Choose, scope: Scope) -> _Built:
    parts = (node.test, node.yes, node.no)
    test, body, other = (evaluator(part, scope) for part in parts)
    kind = node.type
    meet = BranchPaths if isinstance(kind, Dynamic) else merge

    def evaluate(frame: Frame, mask: Mask) -> Value:
        yes, no = mask.split(test(frame, mask))
        if no is None:
            return as_type(body(frame, mask), kind)
        if yes is None:
            return as_type(other(frame, mask), kind)
        first = as_type(body(frame, yes), kind)
        return meet(yes, first, as_type(other(frame, no), kind))

    return _Built(evaluate)


def _logical(node: nodes.Logical, scope: Scope) -> _Built:
    """Evaluate later operands only for threads that need them, or for all if it does no harm."""
    operands, until = [evaluator(operand, scope) for operand in node.operands], node.conjunction
    result = node.type

    def evaluate_together(frame: Frame, mask: Mask) -> Value:
        value = operands[0](frame, mask)
        for operand in operands[1:]:
            other = operand(frame, mask)
            if result == BOOL:
                value = value & other if until else value | other
            else:
                goes_on = (value != 0) == until
                value = np.where(goes_on, other, value)
        return value

    def one_by_one(frame: Frame, mask: Mask) -> Value:
        value = operands[0](frame, mask)
        pending = mask
        for operand in operands[1:]:
            yes, no = pending.split(convert(value, BOOL))
            left = yes if until else no
            if left is None:
                break
            pending = left
            other = operand(frame, pending)
            value = other if pending is mask else merge(pending, other, value)
        return value

    def evaluate_lazily(frame: Frame, mask: Mask) -> Value:
        quick = frame.chunk.launch.poison is None  # else only what threads reach counts
        return evaluate_together(frame, mask) if quick else one_by_one(frame, mask)

    calm = not scope.checks(node) and all(map(_is_harmless, node.operands[1:]))
    return _Built(evaluate_lazily if calm else one_by_one)


def _is_harmless(node: nodes.Expression) -> bool:
    """Return True if evaluating it for too many threads does no harm and is not counted."""
    match node:
        case nodes.Number() | nodes.Position() | nodes.Read() | nodes.Static():
            return True
        case nodes.Convert(_, operand) | nodes.Observe(_, operand):
            return _is_harmless(operand)
        case nodes.Part(_, operand, _):
            return _is_harmless(operand)
        case nodes.Operate(operands=parts) | nodes.Pack(parts=parts):
            return all(map(_is_harmless, parts))
        case nodes.Logical(operands=parts):
            return all(map(_is_harmless, parts))
        case nodes.Choose(_, test, yes, no):
            return all(map(_is_harmless, (test, yes, no)))
        case nodes.Apply(operands=parts, cost=None):
            return all(map(_is_harmless, parts))
    return False


def _pack(node: nodes.Pack, scope: Scope) -> _Built:
    parts = [evaluator(part, scope) for part in node.parts]
    return _Built(lambda frame, mask: tuple(part(frame, mask) for part in parts))


def _part(node: nodes.Part, scope: Scope) -> _Built:
    whole, place = evaluator(node.whole, scope), node.place
    return _Built(lambda frame, mask: whole(frame, mask)[place])


def finder(place: nodes.Place, scope: Scope) -> Find:
    """Return what finds the cells of a place."""
    match place:
        case nodes.Element():
            return _element(place, scope)
        case nodes.FieldOf(_, record, field, site, by_byte):
            whole = evaluator(record, scope)

            def find(frame: Frame, mask: Mask) -> Reached | None:
                here = ExecutionPoint(frame.chunk, mask, site)
                return reach_field(whole(frame, mask), field, here, by_byte=by_byte)

            return find
        case nodes.Target():
            return _target(place, scope)
    raise AssertionError(place)


def _target(place: nodes.Target, scope: Scope) -> Find:
    """Locate by a pointer; where it is moved from is kept apart from by how much."""
    held, site = place.kind, place.site
    steps, start = list[tuple[Evaluate, int]](), place.pointer
    offset = 0
    watched = list[Evaluate]()
    while isinstance(start, nodes.Move):
        if start.written is not None and scope.checks(start.written):
            watched.append(evaluator(start.written, scope))
        if isinstance(start.index, nodes.Number):
            kind = number(start.index.type) or INT64
            offset += int(uniform(start.index.value, kind).astype(INT64)[0, 0]) * start.step
        else:
            steps.insert(0, (_index(start.index, scope), start.step))
        start = start.pointer
    if offset:
        steps.append((evaluator(nodes.Number(INT64, offset), scope), 1))
    pointer = evaluator(start, scope)

    def find(frame: Frame, mask: Mask) -> Pointed | None:
        first = pointer(frame, mask)
        for look in watched:
            look(frame, mask)
        moves = [(index(frame, mask), step) for index, step in steps]
        return reach_target(held, first, moves, ExecutionPoint(frame.chunk, mask, site))

    return find


def _moved(node: nodes.Move, scope: Scope) -> _Built:
    pointer, index = evaluator(node.pointer, scope), _index(node.index, scope)
    step = node.step

    def evaluate(frame: Frame, mask: Mask) -> Value:
        first = pointer(frame, mask)
        return move_pointer(first, index(frame, mask), step, frame.chunk, mask)

    if node.written is None or not scope.checks(node.written):
        return _Built(evaluate)
    look = evaluator(node.written, scope)

    def look_first(frame: Frame, mask: Mask) -> Value:
        look(frame, mask)
        return evaluate(frame, mask)

    return _Built(look_first)


def _address_of(node: nodes.AddressOf, _scope: Scope) -> _Built:
    return _Built(build_address(node))


def _element(place: nodes.Element, scope: Scope) -> Find:
    array, site = evaluator(place.array, scope), place.site
    indices = [_index(index, scope) for index in place.indices]

    def find(frame: Frame, mask: Mask) -> Reached | None:
        whole = array(frame, mask)
        given = [index(frame, mask) for index in indices]
        return reach(whole, given, ExecutionPoint(frame.chunk, mask, site))

    return find


def _index(node: nodes.Expression, scope: Scope) -> Evaluate:
    """Return what evaluates an index; one number that is added only moves what is known of it."""
    place = scope.wraps.indices.get(id(node))
    if place is not None:
        return watch_index(node, place, scope, evaluator)
    match node:
        case nodes.Operate(_, "+", (left, right)) if (
            _types(node) == (INT64, INT64) and id(node) not in scope.checked
        ):
            moved = _move(evaluator(left, scope), evaluator(right, scope))
            known = scope.invariants.get(id(node))
            return moved if known is None else _remember(moved, known)
        case nodes.Convert(_, operand, None) if (node.type, operand.type) == (INT64, INT32):
            return _widened(evaluator(operand, scope))
    return evaluator(node, scope)


def _widened(narrow: Evaluate) -> Evaluate:
    """Convert an index to 64 bits: of the same vector, to the same one."""
    return lambda frame, mask: frame.chunk.patterns.widen(narrow(frame, mask))


def _move(first: Evaluate, second: Evaluate) -> Evaluate:
    def evaluate(frame: Frame, mask: Mask) -> Value:
        left, right = first(frame, mask), second(frame, mask)
        by_left = left.size == 1
        return frame.chunk.patterns.advance(*((right, left) if by_left else (left, right)))

    return evaluate


def _load(node: nodes.Load, scope: Scope) -> _Built:
    find, zero = finder(node.place, scope), zero_value(node.place.kind, "")

    def load(frame: Frame, mask: Mask) -> Value:
        cells = find(frame, mask)
        return zero if cells is None else cells.load()

    return _Built(load)


Builder = Callable[[Any, Scope], _Built]
_BUILDERS: dict[type[nodes.Expression], Builder] = {
    nodes.Static: _static,
    nodes.Number: _number,
    nodes.Position: _position,
    nodes.Memory: _memory,
    nodes.Read: _read,
    nodes.Keep: _keep,
    nodes.Convert: _convert,
    nodes.Observe: _observe,
    nodes.Operate: _operate,
    nodes.Apply: _apply,
    nodes.Perform: _perform,
    nodes.Choose: _choose,
    nodes.Logical: _logical,
    nodes.Pack: _pack,
    nodes.Part: _part,
    nodes.AddressOf: _address_of,
    nodes.Move: _moved,
    nodes.Load: _load,
}


def register(kind: type[nodes.Expression], build: Callable[[Any, Scope], Evaluate]) -> None:
    """Add a node that needs whole functions, which are above expressions."""
    _BUILDERS[kind] = lambda node, scope: _Built(build(node, scope))
