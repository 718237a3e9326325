"""Evaluates a C expression for all elements at once.

There are no loops and no calls of a person's own, so every part is evaluated for all elements; a
part that C would not come to in an element cannot fault there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from grader.layouts.arithmetic import Array
from grader.layouts.c_nodes import (
    Binary,
    Call,
    Cast,
    CExpression,
    Conditional,
    Name,
    Node,
    Number,
    Unary,
)
from grader.layouts.c_types import (
    INT,
    LONG,
    ULONG,
    CValue,
    boolean,
    c_value,
    called,
    common,
    negated,
    operate,
)
from grader.layouts.errors import BoolArray, Fault, TooMuchWork, Work, fault_where


def run_c(expression: CExpression, names: Mapping[str, CValue], elements: int) -> tuple[Array, ...]:
    """One or two (elements,) or (1,) arrays of int64: the indices.

    Raises:
        NoValue: with the first element it happens in.
        TooMuchWork: the bound was reached.
    """
    run = _Run(names, elements)
    with np.errstate(all="ignore"):  # inactive lanes divide by zero without a word
        return tuple(run.index(node) for node in expression.indices)


def named_constant(value: int) -> CValue:
    """A constant of the caller: an int, or a long where it is too large for one."""
    return c_value(INT if -INT.largest <= value <= INT.largest else LONG, value)


class _Run:
    def __init__(self, names: Mapping[str, CValue], elements: int) -> None:
        self._names = names
        self._everyone = np.ones(elements, dtype=np.bool_)
        self._work = Work(elements)

    def index(self, node: Node) -> Array:
        value = self._value(node, self._everyone)
        if value.type is ULONG:
            try:
                beyond = value.data > np.uint64(LONG.largest)
                fault_where(beyond, self._everyone, "the index is beyond any memory")
            except Fault as fault:
                raise fault.at(*node.place) from None
        data: Array = value.data.astype(np.int64)
        return data

    def _value(self, node: Node, active: BoolArray) -> CValue:
        if not self._work.spend():
            raise TooMuchWork("too much to compute", *node.place, "write a shorter expression")
        try:
            return self._dispatch(node, active)
        except Fault as fault:
            raise fault.at(*node.place) from None

    def _dispatch(self, node: Node, active: BoolArray) -> CValue:
        match node:
            case Name(name=name):
                return self._names[name]
            case Number(value=number, type=ctype):
                return c_value(ctype, number)
            case Binary(operator="&&" | "||"):
                return self._logical(node, active)
            case Binary(operator=operator, left=left, right=right):
                return operate(
                    operator, self._value(left, active), self._value(right, active), active
                )
            case Unary():
                return self._unary(node, active)
            case Conditional():
                return self._conditional(node, active)
            case Cast(type=ctype, operand=operand):
                return self._value(operand, active).to(ctype)
            case Call(name=name, arguments=arguments):
                given = [self._value(argument, active) for argument in arguments]
                return called(name, given, active)

    def _logical(self, node: Binary, active: BoolArray) -> CValue:
        left = self._value(node.left, active).data != 0
        both = node.operator == "&&"
        right = self._value(node.right, active & (left if both else ~left)).data != 0
        return boolean(left & right if both else left | right)

    def _unary(self, node: Unary, active: BoolArray) -> CValue:
        value = self._value(node.operand, active)
        match node.operator:
            case "-":
                return negated(value, active)
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
