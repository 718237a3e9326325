"""Evaluates the expressions of a Python program for all elements at once."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from grader.layouts import arithmetic
from grader.layouts.arithmetic import Array, Value, chosen, constant
from grader.layouts.errors import Fault, TooMuchWork, Work
from grader.layouts.python_frame import Frame, Mask, split
from grader.layouts.python_source import Function, PythonProgram

DEEPEST_CALL = 24


class Expressions(ABC):
    """Values of expressions; what a call of a person's function does, a subclass says."""

    def __init__(self, program: PythonProgram, constants: Mapping[str, int], elements: int) -> None:
        self.program = program
        self.everyone = np.ones(elements, dtype=np.bool_)
        self._work = Work(elements)
        self._expressions: dict[type[ast.expr], Callable[[Any, Frame, Mask], Value]] = {
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
        frame = Frame(None, self.everyone, 0)
        for name, node in program.constants:
            self._globals[name] = self.value(node, frame, self.everyone)

    @abstractmethod
    def enter(
        self, function: Function, arguments: Sequence[Value], active: Mask, depth: int
    ) -> Value:
        """What a function returns to the active elements."""

    def spend(self, node: ast.AST) -> None:
        """Take one operation from the bound."""
        if not self._work.spend():
            what = "this does not come to an end in time"
            raise TooMuchWork(what, *self.program.place(node), "loop over a fixed small range")

    def value(self, node: ast.expr, frame: Frame, active: Mask) -> Value:
        """Of an expression, in the active elements.

        Raises:
            NoValue: with the first element that has none.
            TooMuchWork: the bound was reached.
        """
        self.spend(node)
        try:
            value: Value = self._expressions[type(node)](node, frame, active)
        except Fault as fault:
            raise fault.at(*self.program.place(node)) from None
        return value

    def number(self, node: ast.expr, frame: Frame, active: Mask) -> Array:
        """A value that is one number, not a pair."""
        value = self.value(node, frame, active)
        if isinstance(value, tuple):
            fault = Fault("a pair where one number is needed", active)
            raise fault.at(*self.program.place(node))
        return value

    def whole(self, node: ast.expr, frame: Frame, active: Mask) -> Array:
        """A value that is a whole number."""
        value = self.number(node, frame, active)
        if value.dtype.kind == "f":
            fault = Fault("a float where a whole number is needed", active, "write //", whole=True)
            raise fault.at(*self.program.place(node))
        return arithmetic.as_whole(value)

    def split(self, test: ast.expr, frame: Frame, active: Mask) -> tuple[Mask | None, Mask | None]:
        """Those of the active elements for which the test holds, and the others."""
        return split(arithmetic.truth(self.number(test, frame, active)), active)

    def _constant(self, node: ast.Constant, _frame: Frame, _active: Mask) -> Array:
        return np.array([node.value])

    def _load(self, node: ast.Name, frame: Frame, active: Mask) -> Value:
        if frame.function is None or node.id not in frame.function.assigned:
            return self._globals[node.id]
        value, defined = frame.variables.get(node.id, (None, None))
        if value is None or defined is None:
            raise Fault(f"{node.id} has no value yet", active, "assign it on every path")
        if defined is not frame.entry and (missing := active & ~defined).any():
            raise Fault(f"{node.id} has no value yet", missing, "assign it on every path")
        return value

    def _binary(self, node: ast.BinOp, frame: Frame, active: Mask) -> Array:
        left = self.number(node.left, frame, active)
        right = self.number(node.right, frame, active)
        return arithmetic.binary(type(node.op), left, right, active)

    def _unary(self, node: ast.UnaryOp, frame: Frame, active: Mask) -> Array:
        value = self.number(node.operand, frame, active)
        match node.op:
            case ast.Not():
                return ~arithmetic.truth(value)
            case ast.USub():
                return arithmetic.negative(value)
            case ast.Invert():
                return arithmetic.inverted(value, active)
            case _:
                return arithmetic.negative(arithmetic.negative(value))

    def _logical(self, node: ast.BoolOp, frame: Frame, active: Mask) -> Value:
        """The first value that decides; those after it are not looked at."""
        result: Value = self.number(node.values[0], frame, active)
        pending: Mask | None = active
        for operand in node.values[1:]:
            last = arithmetic.truth(result) if isinstance(result, np.ndarray) else active
            yes, no = split(last, pending)
            pending = yes if isinstance(node.op, ast.And) else no
            if pending is None:
                break
            value = self.number(operand, frame, pending)
            result = value if pending is active else chosen(pending, value, result, active)
        return result

    def _comparison(self, node: ast.Compare, frame: Frame, active: Mask) -> Value:
        left = self.number(node.left, frame, active)
        result: Value = constant(1)
        pending: Mask | None = active
        for op, operand in zip(node.ops, node.comparators, strict=True):
            if pending is None:
                break
            right = self.number(operand, frame, pending)
            holds = arithmetic.compared(type(op), left, right, pending)
            result = holds if pending is active else chosen(pending, holds, result, active)
            pending, left = split(holds, pending)[0], right
        return result

    def _conditional(self, node: ast.IfExp, frame: Frame, active: Mask) -> Value:
        yes, no = self.split(node.test, frame, active)
        if no is None:
            return self.value(node.body, frame, active)
        if yes is None:
            return self.value(node.orelse, frame, active)
        first = self.value(node.body, frame, yes)
        return chosen(yes, first, self.value(node.orelse, frame, no), active)

    def _tuple(self, node: ast.Tuple, frame: Frame, active: Mask) -> Value:
        return tuple(self.number(element, frame, active) for element in node.elts)

    def _call(self, node: ast.Call, frame: Frame, active: Mask) -> Value:
        name = name_of(node.func)
        if name in self.program.functions:
            if frame.depth >= DEEPEST_CALL:
                what = f"calls go deeper than {DEEPEST_CALL}"
                raise TooMuchWork(what, *self.program.place(node), "write a loop over a range")
            given = [self.value(argument, frame, active) for argument in node.args]
            return self.enter(self.program.functions[name], given, active, frame.depth + 1)
        arguments = [self.number(argument, frame, active) for argument in node.args]
        return _BUILTINS[name](arguments, active)


_BUILTINS: dict[str, Callable[[list[Array], Mask], Value]] = {
    "min": lambda values, active: arithmetic.extreme(values, active, largest=False),
    "max": lambda values, active: arithmetic.extreme(values, active, largest=True),
    "abs": lambda values, _active: arithmetic.absolute(values[0]),
    "divmod": lambda values, active: arithmetic.divided_with_rest(values[0], values[1], active),
    "int": lambda values, active: arithmetic.truncated(values[0], active),
}


def name_of(node: ast.expr) -> str:
    """The name that an expression is; the reader has seen to it that it is one."""
    if not isinstance(node, ast.Name):  # pragma: no cover
        raise TypeError
    return node.id
