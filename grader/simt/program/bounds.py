"""Bounds of integers in one launch: which operations may have a result that their type cannot hold.

Each path of a kernel is followed with the least and the largest value of each variable; a test
narrows them, and a bound that a loop moves is given up after its first round. So an index made of
the thread's position, of the launch's sizes and of numbers that the kernel is given is proven, and
what is made of data is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, reduce
from typing import Any

import numpy as np

from grader.simt.program import nodes
from grader.simt.program.forward import ForwardPaths, Left
from grader.simt.program.nodes import Expression, Operation
from grader.simt.program.types import BOOL, Type, number
from grader.simt.program.walking import operands, operation_parts, walk_block, walk_expression

Interval = tuple[int, int]
_State = dict[str, Interval] | None
"""By variable; one that is not there may have any value of its type. None where no thread gets."""
_Follow = Callable[[Any, dict[str, Interval]], Interval | None]
"""Returns the bounds of one kind of value; of others it may be all that the type holds."""
_MOST_STEPS = 30_000
"""Expressions that are looked at, some 60 ms; beyond, nothing is proven."""
_FAR = 1 << 64
_COMPARED = ("<", "<=", ">", ">=", "==", "!=")
_OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def find_unproven(
    kernel: nodes.Function, arguments: Mapping[str, Interval], geometries: Sequence[Any]
) -> frozenset[int]:
    """Return the operations (by id) that must not overflow, and may; of unsigned ones, the places.

    Args:
        arguments: bounds of its parameters, of those that have any.
        geometries: the smallest and the largest of the launches, or that of one launch;
            `nodes.Position` asks them for its bounds.
    """
    analysis = _Analysis(geometries)
    if not any(isinstance(each, nodes.Graph) for each in kernel.body):  # of any shape
        with suppress(_TooLong):
            _Paths(analysis).block(kernel.body, dict(arguments))
            return frozenset(analysis.unproven)
    return frozenset(id(each) for each in _bounded(kernel, set()))


def is_bounded(kernel: nodes.Function) -> bool:
    """Return True if a function, or one that it calls, has an operation that is looked at."""
    return next(iter(_bounded(kernel, set(), wraps=True)), None) is not None


def _bounded(
    function: nodes.Function, seen: set[int], *, wraps: bool = False
) -> Iterable[Expression]:
    """Yield every operation that must not overflow, also in the functions that are called.

    With `wraps`, those too that wrap, and are reported if they get into an index.
    """
    if id(function) in seen:
        return
    seen.add(id(function))
    for node in walk_block(function.body):
        if isinstance(node, nodes.Operate) and (node.site or (wraps and node.wraps)):
            yield node
        elif isinstance(node, nodes.Call):
            yield from _bounded(node.function, seen, wraps=wraps)


def must_hold(node: Expression) -> bool:
    """Return True if an expression has an operation that must not overflow."""
    return any(
        isinstance(part, nodes.Operate) and part.site is not None for part in walk_expression(node)
    )


class _TooLong(Exception):
    """The program is too large."""


@dataclass(eq=False)
class _Analysis:
    geometries: Sequence[Any]
    unproven: set[int] = field(default_factory=set)
    steps: int = 0


class _Paths(ForwardPaths[dict[str, Interval]]):
    """Goes through the body of one function, for one call of it."""

    def __init__(self, analysis: _Analysis) -> None:
        super().__init__()
        self._analysis = analysis
        self._returned: list[Interval | None] = []
        self._kinds: dict[type[Expression], _Follow] = {
            nodes.Operate: self._operate,
            nodes.Read: self._read,
            nodes.Number: self._number,
            nodes.Convert: self._convert,
            nodes.Observe: self._convert,
            nodes.Position: self._position,
            nodes.Choose: self._choose,
            nodes.Logical: self._logical,
            nodes.Apply: self._apply,
            nodes.Perform: self._perform,
            nodes.Call: self._call,
        }

    def meet(self, *states: _State) -> _State:
        reached = [state for state in states if state is not None]
        return reduce(_join, reached) if reached else None

    def returned(self, value: Expression | None, state: _State) -> None:
        if value is not None and state is not None:
            self._returned.append(self._value(value, state))

    def unrolled(self, loop: nodes.Unrolled, state: _State) -> _State:
        raise _TooLong

    def loop(self, loop: nodes.Loop, state: _State) -> _State:
        head = self.operations(loop.begin, state)
        while True:
            tested = self.operations(loop.head, head)
            inside, done = (tested, None) if loop.test is None else self.part(loop.test, tested)
            left = Left[dict[str, Interval]]()
            self.around.append(left)
            after = self.block(loop.body, self.operations(loop.enter, inside))
            self.around.pop()
            after = self.operations(loop.step, self.meet(after, *left.continued))
            wider = self.meet(head, after)
            if wider == head:
                return self.meet(self.block(loop.otherwise, done), *left.broken)
            head = _widen(head, wider)

    def operations(self, run: Iterable[Operation], state: _State) -> _State:
        if state is None:
            return None
        state = dict(state)
        for operation in run:
            match operation:
                case nodes.When(test, yes, no):
                    first, second = self.part(test, state)
                    state = self.meet(self.operations(yes, first), self.operations(no, second))
                    if state is None:
                        return None
                case nodes.Set(variable, value):
                    _put(state, variable, self._value(value, state))
                case _:
                    if isinstance(operation, nodes.Update):
                        state.pop(operation.old, None)
                    for part in operation_parts(operation):
                        self._value(part, state)
        return state

    # Values

    def _value(self, node: Expression, state: dict[str, Interval]) -> Interval | None:
        """Return the bounds of a value; None for what is no integer."""
        self._analysis.steps += 1
        if self._analysis.steps > _MOST_STEPS:
            raise _TooLong
        return self._kinds.get(type(node), self._any)(node, state)

    def _any(self, node: Expression, state: dict[str, Interval]) -> Interval | None:
        """Return all that the type of a value holds."""
        for part in operands(node):
            self._value(part, state)
        return _range(node.type)

    def _read(self, node: nodes.Read, state: dict[str, Interval]) -> Interval | None:
        known, whole = state.get(node.variable), _range(node.type)
        return whole if known is None else _clip(known, whole)

    def _number(self, node: nodes.Number, _state: dict[str, Interval]) -> Interval | None:
        whole = _range(node.type)
        return whole and _fit((int(node.value), int(node.value)), whole)

    def _convert(
        self, node: nodes.Convert | nodes.Observe, state: dict[str, Interval]
    ) -> Interval | None:
        inner, whole = self._value(node.operand, state), _range(node.type)
        return whole if inner is None or whole is None else _fit(inner, whole)

    def _position(self, node: nodes.Position, _state: dict[str, Interval]) -> Interval | None:
        if node.bounds is None:
            return _range(node.type)
        return _hull([node.bounds(each) for each in self._analysis.geometries])

    def _choose(self, node: nodes.Choose, state: dict[str, Interval]) -> Interval | None:
        sides = zip(self.part(node.test, state), (node.yes, node.no), strict=True)
        return _hull([self._value(side, own) for own, side in sides if own is not None])

    def _logical(self, node: nodes.Logical, state: dict[str, Interval]) -> Interval | None:
        going: _State = state
        for part in node.operands:
            first, second = self.part(part, going)
            going = first if node.conjunction else second
        return _range(node.type)

    def _apply(self, node: nodes.Apply, state: dict[str, Interval]) -> Interval | None:
        given, whole = [self._value(part, state) for part in node.operands], _range(node.type)
        if whole is None or None in given or node.name not in _FUNCTIONS:
            return whole
        return _clip(_FUNCTIONS[node.name](*given), whole)

    def _perform(self, node: nodes.Perform, state: dict[str, Interval]) -> Interval | None:
        given, whole = [self._value(part, state) for part in node.operands], _range(node.type)
        if whole is None or None in given:
            return whole
        if node.name in ("divisor", "assigned"):
            return given[0]
        if node.name.startswith("shfl"):
            return given[1]  # another thread's value of the same expression
        return whole

    def _operate(self, node: nodes.Operate, state: dict[str, Interval]) -> Interval | None:
        given = [self._value(operand, state) for operand in node.operands]
        whole = _range(node.type)
        if whole is None or None in given or node.operator in _COMPARED:
            return whole
        exact = _OPERATORS.get(node.operator, _anything)(whole, *given)
        if node.site is not None and not is_defined(node.operator, whole, exact, given):
            self._analysis.unproven.add(id(node))
            return _clip(exact, whole)
        if node.wraps is not None and not _holds(whole, exact):
            self._analysis.unproven.add(id(node.wraps))
        return _fit(exact, whole)

    def _call(self, node: nodes.Call, state: dict[str, Interval]) -> Interval | None:
        given = [self._value(argument, state) for argument in node.arguments]
        if node.itself is not None:
            raise _TooLong
        inner = _Paths(self._analysis)
        own: dict[str, Interval] = {}
        for name, value in zip(node.function.parameters, given, strict=True):
            _put(own, name, value)
        inner.block(node.function.body, own)
        return _hull(inner._returned) if inner._returned else None

    # Tests

    def part(self, test: Expression, state: _State) -> tuple[_State, _State]:
        """Return the bounds where a test holds, and where it does not."""
        if state is None:
            return None, None
        match test:
            case nodes.Observe(_, operand):
                return self.part(operand, state)
            case nodes.Operate(_, operator, (left, right)) if operator in _COMPARED:
                first, second = self._value(left, state), self._value(right, state)
                if first is None or second is None:
                    return state, state
                pairs = (left, first), (right, second)
                yes, no = operator, _OPPOSITE[operator]
                return self._compare(yes, *pairs, state), self._compare(no, *pairs, state)
        self._value(test, state)
        return self._narrow(test, state, holds=True), self._narrow(test, state, holds=False)

    def _narrow(self, test: Expression, state: _State, *, holds: bool) -> _State:
        if state is None:
            return None
        match test:
            case nodes.Observe(_, operand):
                return self._narrow(operand, state, holds=holds)
            case nodes.Number(_, value) if bool(value) != holds:
                return None
            case nodes.Operate(_, "~", (operand,)) if test.type == BOOL:
                return self._narrow(operand, state, holds=not holds)
            case nodes.Logical(_, parts, conjunction):
                if conjunction != holds:
                    return state
                for part in parts:
                    state = self._narrow(part, state, holds=holds)
                return state
            case nodes.Operate(_, operator, (left, right)) if operator in _COMPARED:
                operator = operator if holds else _OPPOSITE[operator]
                first, second = self._value(left, state), self._value(right, state)
                if first is None or second is None:
                    return state
                return self._compare(operator, (left, first), (right, second), state)
        return state

    def _compare(
        self,
        operator: str,
        left: tuple[Expression, Interval],
        right: tuple[Expression, Interval],
        state: dict[str, Interval],
    ) -> _State:
        """Return the bounds where a comparison of two values holds, whose own are given."""
        (one, first), (other, second) = left, right
        narrowed = self._limit(one, _allowed(operator, first, second), state, first)
        return self._limit(other, _allowed(_SWAPPED[operator], second, first), narrowed)

    def _limit(
        self, node: Expression, allowed: Interval, state: _State, known: Interval | None = None
    ) -> _State:
        """Narrow the variables of an expression to what lets it be in an interval.

        Its bounds are found, unless they are `known`.
        """
        if state is None:
            return None
        own = known or self._value(node, state)
        if own is None:
            return state
        least, most = max(own[0], allowed[0]), min(own[1], allowed[1])
        if least > most:
            return None
        match node:
            case nodes.Read(_, variable):
                return {**state, variable: (least, most)}
            case nodes.Observe(_, operand):
                return self._limit(operand, allowed, state)
            case nodes.Convert(kind, operand):
                inner, whole, narrow = (
                    self._value(operand, state),
                    _range(kind),
                    _range(operand.type),
                )
                if inner is None or whole is None or narrow is None:
                    return state
                same = _holds(whole, inner) or (least >= 0 and most <= narrow[1])
                return self._limit(operand, (least, most), state) if same else state
            case nodes.Operate(_, "+" | "-" as operator, (left, right)):
                return self._limit_sum(node, operator, (left, right), (least, most), state)
        return state

    def _limit_sum(
        self,
        node: nodes.Operate,
        operator: str,
        pair: tuple[Expression, Expression],
        within: Interval,
        state: dict[str, Interval],
    ) -> _State:
        first, second = (self._value(each, state) for each in pair)
        whole = _range(node.type)
        if first is None or second is None or whole is None:
            return state
        if node.site is None and not _holds(whole, _OPERATORS[operator](whole, first, second)):
            return state  # it wraps
        least, most = within
        if operator == "+":
            own, other = (least - second[1], most - second[0]), (least - first[1], most - first[0])
        else:
            own, other = (least + second[0], most + second[1]), (first[0] - most, first[1] - least)
        return self._limit(pair[1], other, self._limit(pair[0], own, state))


def _join(one: dict[str, Interval], other: dict[str, Interval]) -> dict[str, Interval]:
    """Return bounds that hold in both of two states; most are the same."""
    joined: dict[str, Interval] = {}
    for name, own in one.items():
        its = other.get(name)
        if its is own:
            joined[name] = own
        elif its is not None:
            joined[name] = min(own[0], its[0]), max(own[1], its[1])
    return joined


def _put(state: dict[str, Interval], variable: str, value: Interval | None) -> None:
    if value is None:
        state.pop(variable, None)
    else:
        state[variable] = value


def _allowed(operator: str, own: Interval, other: Interval) -> Interval:
    """Return where a value must be that compares so with another one."""
    match operator:
        case "<":
            return -_FAR, other[1] - 1
        case "<=":
            return -_FAR, other[1]
        case ">":
            return other[0] + 1, _FAR
        case ">=":
            return other[0], _FAR
        case "==":
            return other
    if other[0] == other[1] == own[0]:
        return own[0] + 1, _FAR
    return (-_FAR, own[1] - 1) if other[0] == other[1] == own[1] else (-_FAR, _FAR)


def _widen(before: _State, after: _State) -> _State:
    """Return bounds that no later round moves further, but once below zero."""
    if before is None or after is None:
        return after
    wide: dict[str, Interval] = {}
    for name, (least, most) in after.items():
        low, high = before[name]
        if least < low:
            low = 0 if least >= 0 else -_FAR
        wide[name] = low, most if most <= high else _FAR
    return wide


@cache
def _range(kind: Type) -> Interval | None:
    dtype = number(kind)
    if dtype is None or dtype.kind not in "biu":
        return None
    if dtype.kind == "b":
        return 0, 1
    limits = np.iinfo(dtype)
    return int(limits.min), int(limits.max)


def _holds(whole: Interval, inner: Interval) -> bool:
    return whole[0] <= inner[0] and inner[1] <= whole[1]


def _fit(inner: Interval, whole: Interval) -> Interval:
    """Return the bounds of what wraps to a range."""
    return inner if _holds(whole, inner) else whole


def _clip(inner: Interval | None, whole: Interval | None) -> Interval | None:
    if inner is None or whole is None or inner[0] > whole[1] or inner[1] < whole[0]:
        return whole
    return max(inner[0], whole[0]), min(inner[1], whole[1])


def _hull(parts: list[Interval | None]) -> Interval | None:
    known = [part for part in parts if part is not None]
    if len(known) < len(parts) or not known:
        return None
    return min(least for least, _ in known), max(most for _, most in known)


def is_defined(operator: str, whole: Interval, exact: Interval, given: list[Any]) -> bool:
    """Return True if no operands within bounds overflow.

    Args:
        operator: of `machine.operators`.
        whole: all that the result's type holds.
        exact: bounds of the result without wrapping.
        given: bounds of the operands.
    """
    if operator in ("<<", ">>"):
        (_, most), (first, last) = given
        bits = (whole[1] - whole[0]).bit_length()
        if first < 0 or last >= bits:
            return False
        return operator == ">>" or whole[0] == 0 or most << last < 1 << bits
    if operator == "rem":
        (least, _), (first, last) = given
        return least > whole[0] or not first <= -1 <= last
    return _holds(whole, exact)


def _corners(function: Callable[[int, int], int], left: Interval, right: Iterable[int]) -> Interval:
    found = [function(one, other) for one in left for other in right]
    return min(found), max(found)


def _divide(one: int, other: int) -> int:
    """Divide toward zero."""
    return abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)


def _quotient(whole: Interval, left: Interval, right: Interval) -> Interval:
    by = [each for each in (*right, -1, 1) if each and right[0] <= each <= right[1]]
    return _corners(_divide, left, by) if by else whole


def _rest(_whole: Interval, left: Interval, right: Interval) -> Interval:
    most = max(abs(right[0]), abs(right[1]), 1) - 1
    least = max(-most, left[0]) if left[0] < 0 else 0
    return least, min(most, left[1]) if left[1] > 0 else 0


def _shift_left(whole: Interval, left: Interval, count: Interval) -> Interval:
    if count[0] < 0 or count[1] > 64:
        return whole
    return _corners(lambda one, by: one << by, left, count)


def _shift_right(whole: Interval, left: Interval, count: Interval) -> Interval:
    if count[0] < 0 or count[1] > 64:
        return whole
    return _corners(lambda one, by: one >> by, left, count)


def _and(whole: Interval, left: Interval, right: Interval) -> Interval:
    tops = [each[1] for each in (left, right) if each[0] >= 0]
    return (0, min(tops)) if tops else whole


def _or(whole: Interval, left: Interval, right: Interval) -> Interval:
    if left[0] < 0 or right[0] < 0:
        return whole
    return 0, (1 << max(left[1], right[1]).bit_length()) - 1


def _anything(whole: Interval, *_given: Interval) -> Interval:
    return whole


_OPERATORS: dict[str, Callable[..., Interval]] = {
    "+": lambda _, left, right: (left[0] + right[0], left[1] + right[1]),
    "-": lambda _, left, right: (left[0] - right[1], left[1] - right[0]),
    "*": lambda _, left, right: _corners(lambda one, other: one * other, left, right),
    "neg": lambda _, only: (-only[1], -only[0]),
    "~": lambda whole, only: whole if whole[0] == 0 else (-1 - only[1], -1 - only[0]),
    "div": _quotient,
    "rem": _rest,
    "<<": _shift_left,
    ">>": _shift_right,
    "&": _and,
    "|": _or,
    "^": _or,
}
_FUNCTIONS: dict[str, Callable[..., Interval]] = {
    "min": lambda left, right: (min(left[0], right[0]), min(left[1], right[1])),
    "max": lambda left, right: (max(left[0], right[0]), max(left[1], right[1])),
    "abs": lambda only: (
        0 if only[0] <= 0 <= only[1] else min(map(abs, only)),
        max(map(abs, only)),
    ),
}
