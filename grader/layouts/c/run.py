"""Evaluates a C program for all elements at once.

A program has no loops and calls no function of its own, so every part is evaluated for all
elements; a part that C would not reach in an element cannot fault there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.facts import fact
from grader.layouts.arithmetic import Array
from grader.layouts.c.nodes import (
    Binary,
    Call,
    Cast,
    Conditional,
    CProgram,
    GuardedName,
    IntegerLiteral,
    Name,
    Node,
    Unary,
)
from grader.layouts.c.types import (
    INT,
    LONG,
    ULONG,
    CValue,
    boolean,
    c_value,
    call_function,
    common,
    negate,
    negative_and_inexact,
    operate,
)
from grader.layouts.errors import (
    WRITE_SHORTER,
    BoolArray,
    LaneFault,
    TooMuchWork,
    WorkBudget,
    fault_where,
)


def run_c(program: CProgram, names: Mapping[str, CValue], elements: int) -> tuple[Array, ...]:
    """Compute one or two (elements,) or (1,) arrays of int64: the indices.

    Raises:
        NoValue: with the first element it happens in.
        TooMuchWork: the bound was reached.
    """
    run = _CEvaluation(names, elements)
    with np.errstate(all="ignore"):  # inactive lanes may divide by zero
        for name, value in program.bindings:
            run.bind(name, value)
        return tuple(run.index(node) for node in program.indices)


def find_rounded_toward_zero(
    program: CProgram, names: Mapping[str, CValue], elements: int
) -> BoolArray:
    """Find the elements in which a `/` or `%` differs from Python's, which rounds down.

    The program must have a value in all elements. (elements,)
    """
    run = _CEvaluation(names, elements)
    with np.errstate(all="ignore"):
        for name, value in program.bindings:
            run.bind(name, value)
        for node in program.indices:
            run.index(node)
    return run.toward_zero


def make_constant(value: int) -> CValue:
    """Make a constant of the caller an int, or a long if it is too large for one."""
    return c_value(INT if -INT.largest <= value <= INT.largest else LONG, value)


class _CEvaluation:
    """One evaluation; `toward_zero` has the elements in which a division did not round down."""

    def __init__(self, names: Mapping[str, CValue], elements: int) -> None:
        self._names = dict(names)
        self._all = np.ones(elements, dtype=np.bool_)
        self._work = WorkBudget(elements)
        self.toward_zero = np.zeros(elements, dtype=np.bool_)

    def bind(self, name: str, node: Node) -> None:
        """Compute `node` once and keep it as `name`."""
        self._names[name] = self._value(node, self._all)

    def index(self, node: Node) -> Array:
        value = self._value(node, self._all)
        if value.type is ULONG:
            try:
                beyond = value.data > np.uint64(LONG.largest)
                fault_where(beyond, self._all, fact("layout.beyond-any-memory"))
            except LaneFault as fault:
                raise fault.at(*node.place) from None
        data: Array = value.data.astype(np.int64)
        return data

    def _value(self, node: Node, active: BoolArray) -> CValue:
        if not self._work.spend():
            raise TooMuchWork(fact("layout.too-much-work"), *node.place, WRITE_SHORTER)
        try:
            return self._dispatch(node, active)
        except LaneFault as fault:
            raise fault.at(*node.place) from None

    def _dispatch(self, node: Node, active: BoolArray) -> CValue:
        match node:
            case Name(name=name):
                return self._names[name]
            case GuardedName(name=name, flag=flag, what=what):
                fault_where(self._names[flag].data == 0, active, what)
                return self._names[name]
            case IntegerLiteral(value=number, type=ctype):
                return c_value(ctype, number)
            case Binary(operator="&&" | "||"):
                return self._logical(node, active)
            case Binary():
                return self._arithmetic(node, active)
            case Unary():
                return self._unary(node, active)
            case Conditional():
                return self._conditional(node, active)
            case Cast(type=ctype, operand=operand):
                return self._value(operand, active).convert(ctype)
            case Call(name=name, arguments=arguments):
                given = [self._value(argument, active) for argument in arguments]
                return call_function(name, given, active)

    def _arithmetic(self, node: Binary, active: BoolArray) -> CValue:
        operands = self._value(node.left, active), self._value(node.right, active)
        if node.operator in ("/", "%"):
            self.toward_zero |= active & negative_and_inexact(*operands)
        return operate(node.operator, *operands, active)

    def _logical(self, node: Binary, active: BoolArray) -> CValue:
        left = self._value(node.left, active).data != 0
        both = node.operator == "&&"
        right = self._value(node.right, active & (left if both else ~left)).data != 0
        return boolean(left & right if both else left | right)

    def _unary(self, node: Unary, active: BoolArray) -> CValue:
        value = self._value(node.operand, active)
        match node.operator:
            case "-":
                return negate(value, active)
            case "~":
                return CValue(value.type, ~value.data)
            case "!":
                return boolean(value.data == 0)
            case _:
                return value

    def _conditional(self, node: Conditional, active: BoolArray) -> CValue:
        holds: Any = self._value(node.test, active).data != 0
        ctype, yes, no = common(
            self._value(node.yes, active & holds), self._value(node.no, active & ~holds)
        )
        return CValue(ctype, np.where(holds, yes.data, no.data))
