"""Evaluates the expressions of a Python program for all elements at once."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from grader.facts import fact
from grader.layouts import arithmetic
from grader.layouts.arithmetic import Array, Value, choose, constant
from grader.layouts.errors import LaneFault, TooMuchWork, WorkBudget
from grader.layouts.names import shorten, write
from grader.layouts.python.frame import CallFrame, ElementMask, split
from grader.layouts.python.source import PythonFunction, PythonProgram

DEEPEST_CALL = 24


class ExpressionEvaluator(ABC):
    """Evaluates expressions; a subclass says what a call of a function in the source does."""

    def __init__(self, program: PythonProgram, constants: Mapping[str, int], elements: int) -> None:
        self.program = program
        self.all_elements = np.ones(elements, dtype=np.bool_)
        self._work = WorkBudget(elements)
        self._expressions: dict[type[ast.expr], Callable[[Any, CallFrame, ElementMask], Value]] = {
            ast.Constant: self._constant,
            ast.Name: self._load,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.BoolOp: self._logical,
            ast.Compare: self._comparison,
            ast.IfExp: self._conditional,
            ast.Tuple: self._tuple,
            ast.Call: self._call,
        }
        self._globals: dict[str, Value] = {
            name: constant(number) for name, number in constants.items()
        }
        frame = CallFrame(None, self.all_elements, 0)
        for name, node in program.constants:
            self._globals[name] = self.value(node, frame, self.all_elements)

    @abstractmethod
    def enter(
        self, function: PythonFunction, arguments: Sequence[Value], active: ElementMask, depth: int
    ) -> Value:
        """Return what a function returns in the active elements."""

    def spend(self, node: ast.AST) -> None:
        """Take one operation from the bound."""
        if not self._work.spend():
            raise TooMuchWork(fact("layout.does-not-end"), *self.program.place(node))

    def value(self, node: ast.expr, frame: CallFrame, active: ElementMask) -> Value:
        """Return the value of an expression in the active elements.

        Raises:
            NoValue: with the first element that has none.
            TooMuchWork: the bound was reached.
        """
        self.spend(node)
        try:
            value: Value = self._expressions[type(node)](node, frame, active)
        except LaneFault as fault:
            raise fault.at(*self.program.place(node)) from None
        return value

    def number(self, node: ast.expr, frame: CallFrame, active: ElementMask) -> Array:
        """Return the value of an expression that must be one number, not a pair."""
        value = self.value(node, frame, active)
        if isinstance(value, tuple):
            fault = LaneFault(fact("layout.pair-for-number"), active)
            raise fault.at(*self.program.place(node))
        return value

    def integer(self, node: ast.expr, frame: CallFrame, active: ElementMask) -> Array:
        """Return the value of an expression that must be an integer."""
        value = self.number(node, frame, active)
        if value.dtype.kind == "f":
            fault = LaneFault(fact("layout.float-for-integer"), active, write("//"), whole=True)
            raise fault.at(*self.program.place(node))
        return arithmetic.as_whole(value)

    def split(
        self, test: ast.expr, frame: CallFrame, active: ElementMask
    ) -> tuple[ElementMask | None, ElementMask | None]:
        """Return the active elements for which the test holds, and the others."""
        return split(arithmetic.truth(self.number(test, frame, active)), active)

    def _constant(self, node: ast.Constant, _frame: CallFrame, _active: ElementMask) -> Array:
        return np.array([node.value])

    def _load(self, node: ast.Name, frame: CallFrame, active: ElementMask) -> Value:
        if frame.function is None or node.id not in frame.function.assigned:
            return self._globals[node.id]
        value, defined = frame.variables.get(node.id, (None, None))
        if value is None or defined is None:
            raise LaneFault(fact("layout.no-value", name=shorten(node.id)), active)
        if defined is not frame.entry and (missing := active & ~defined).any():
            raise LaneFault(fact("layout.no-value", name=shorten(node.id)), missing)
        return value

    def _binary(self, node: ast.BinOp, frame: CallFrame, active: ElementMask) -> Array:
        left = self.number(node.left, frame, active)
        right = self.number(node.right, frame, active)
        return arithmetic.binary(type(node.op), left, right, active)

    def _unary(self, node: ast.UnaryOp, frame: CallFrame, active: ElementMask) -> Array:
        value = self.number(node.operand, frame, active)
        match node.op:
            case ast.Not():
                return ~arithmetic.truth(value)
            case ast.USub():
                return arithmetic.negate(value)
            case ast.Invert():
                return arithmetic.invert(value, active)
            case _:
                return arithmetic.negate(arithmetic.negate(value))

    def _logical(self, node: ast.BoolOp, frame: CallFrame, active: ElementMask) -> Value:
        """Return the first value that decides; those after it are not evaluated."""
        result: Value = self.number(node.values[0], frame, active)
        pending: ElementMask | None = active
        for operand in node.values[1:]:
            last = arithmetic.truth(result) if isinstance(result, np.ndarray) else active
            yes, no = split(last, pending)
            pending = yes if isinstance(node.op, ast.And) else no
            if pending is None:
                break
            value = self.number(operand, frame, pending)
            result = value if pending is active else choose(pending, value, result, active)
        return result

    def _comparison(self, node: ast.Compare, frame: CallFrame, active: ElementMask) -> Value:
        left = self.number(node.left, frame, active)
        result: Value = constant(1)
        pending: ElementMask | None = active
        for op, operand in zip(node.ops, node.comparators, strict=True):
            if pending is None:
                break
            right = self.number(operand, frame, pending)
            holds = arithmetic.compare(type(op), left, right, pending)
            result = holds if pending is active else choose(pending, holds, result, active)
            pending, left = split(holds, pending)[0], right
        return result

    def _conditional(self, node: ast.IfExp, frame: CallFrame, active: ElementMask) -> Value:
        yes, no = self.split(node.test, frame, active)
        if no is None:
            return self.value(node.body, frame, active)
        if yes is None:
            return self.value(node.orelse, frame, active)
        first = self.value(node.body, frame, yes)
        return choose(yes, first, self.value(node.orelse, frame, no), active)

    def _tuple(self, node: ast.Tuple, frame: CallFrame, active: ElementMask) -> Value:
        return tuple(self.number(element, frame, active) for element in node.elts)

    def _call(self, node: ast.Call, frame: CallFrame, active: ElementMask) -> Value:
        name = name_of(node.func)
        if name in self.program.functions:
            if frame.depth >= DEEPEST_CALL:
                what = fact("layout.calls-too-deep", most=DEEPEST_CALL)
                raise TooMuchWork(what, *self.program.place(node))
            given = [self.value(argument, frame, active) for argument in node.args]
            return self.enter(self.program.functions[name], given, active, frame.depth + 1)
        arguments = [self.number(argument, frame, active) for argument in node.args]
        return _BUILTINS[name](arguments, active)


_BUILTINS: dict[str, Callable[[list[Array], ElementMask], Value]] = {
    "min": lambda values, active: arithmetic.take_extreme(values, active, largest=False),
    "max": lambda values, active: arithmetic.take_extreme(values, active, largest=True),
    "abs": lambda values, _active: arithmetic.absolute(values[0]),
    "divmod": lambda values, active: arithmetic.divide_with_rest(values[0], values[1], active),
    "int": lambda values, active: arithmetic.truncate(values[0], active),
}


def name_of(node: ast.expr) -> str:
    """Return the name that an expression is; the reader has checked that it is one."""
    if not isinstance(node, ast.Name):  # pragma: no cover
        raise TypeError
    return node.id
