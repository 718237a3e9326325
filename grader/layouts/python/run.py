"""Evaluates a Python program for all elements at once, each with its own control flow.

A statement takes the mask of the elements that reach it and returns the mask of those that reach
the next one (None: no element). After `break`, `continue` and `return`, none does.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from grader.facts import fact
from grader.layouts import arithmetic
from grader.layouts.arithmetic import Array, Value, constant
from grader.layouts.errors import NAME_PARTS, LaneFault, NotWhole, NoValue, TooMuchWork
from grader.layouts.names import shorten
from grader.layouts.python.frame import CallFrame, ElementMask, LoopExits, merge, unite
from grader.layouts.python.source import PythonFunction, PythonProgram
from grader.layouts.python.statements import is_none
from grader.layouts.python.values import ExpressionEvaluator, name_of

_ON_EVERY_PATH = fact("layout.element-on-every-path")


class _FloatReturned(NamedTuple):
    """A float that the entry returns in an element."""

    integral: bool
    element: int
    error: NotWhole


def run_python(
    program: PythonProgram,
    arguments: Sequence[Array],
    constants: Mapping[str, int],
    elements: int,
) -> Value:
    """Return what the entry returns, in all elements.

    Args:
        program: as it was read.
        arguments: one array, (elements,) or (1,), for each parameter.
        constants: values of the names that were given to the reader.
        elements: how many there are.

    Raises:
        NoValue: with the first element it happens in.
        TooMuchWork: the bound was reached.
    """
    with np.errstate(all="ignore"):  # inactive lanes may divide by zero
        try:
            return _StatementEvaluator(program, constants, elements).result(arguments)
        except RecursionError:
            raise TooMuchWork(fact("source.nested-too-deeply"), 1, 1, NAME_PARTS) from None


class _StatementEvaluator(ExpressionEvaluator):
    """Evaluates statements; each method takes the elements that reach it and returns the rest."""

    def __init__(self, program: PythonProgram, constants: Mapping[str, int], elements: int) -> None:
        super().__init__(program, constants, elements)
        self._floats: list[_FloatReturned] = []
        self._statements: dict[
            type[ast.stmt], Callable[[Any, CallFrame, ElementMask], ElementMask | None]
        ] = {
            ast.Assign: self._assign,
            ast.AnnAssign: self._assign_annotated,
            ast.AugAssign: self._assign_augmented,
            ast.Return: self._return,
            ast.If: self._if,
            ast.While: self._while,
            ast.For: self._for,
            ast.Break: self._break,
            ast.Continue: self._continue,
            ast.Pass: self._nothing,
            ast.Expr: self._nothing,
        }

    def result(self, arguments: Sequence[Array]) -> Value:
        value = self.enter(self.program.entry, arguments, self.all_elements, 1)
        if self._floats:
            raise self._clearest_float()
        return value

    def enter(
        self, function: PythonFunction, arguments: Sequence[Value], active: ElementMask, depth: int
    ) -> Value:
        frame = CallFrame(function, active, depth)
        for name, value in zip(function.parameters, arguments, strict=True):
            frame.variables[name] = value, active
        left = self._block(function.node.body, frame, active)
        if left is not None:
            what = fact("layout.function-returns-nothing", name=shorten(function.node.name))
            place = self.program.place(function.node)
            raise NoValue(what, *place, element=int(np.argmax(left)))
        if frame.result is None:  # pragma: no cover — some elements entered, and none is left
            raise AssertionError
        return frame.result[0]

    def _block(
        self, body: list[ast.stmt], frame: CallFrame, active: ElementMask
    ) -> ElementMask | None:
        for node in body:
            self.spend(node)
            try:
                left = self._statements[type(node)](node, frame, active)
            except LaneFault as fault:
                raise fault.at(*self.program.place(node)) from None
            if left is None:
                return None
            active = left
        return active

    def _nothing(self, _node: ast.stmt, _frame: CallFrame, active: ElementMask) -> ElementMask:
        return active

    def _assign(self, node: ast.Assign, frame: CallFrame, active: ElementMask) -> ElementMask:
        value = self.value(node.value, frame, active)
        for target in node.targets:
            self._store(target, value, frame, active)
        return active

    def _assign_annotated(
        self, node: ast.AnnAssign, frame: CallFrame, active: ElementMask
    ) -> ElementMask:
        if node.value is not None:
            self._store(node.target, self.value(node.value, frame, active), frame, active)
        return active

    def _assign_augmented(
        self, node: ast.AugAssign, frame: CallFrame, active: ElementMask
    ) -> ElementMask:
        name = ast.copy_location(ast.Name(name_of(node.target), ast.Load()), node.target)
        left = self.number(name, frame, active)
        right = self.number(node.value, frame, active)
        value = arithmetic.binary(type(node.op), left, right, active)
        self._store(node.target, value, frame, active)
        return active

    def _store(self, target: ast.expr, value: Value, frame: CallFrame, active: ElementMask) -> None:
        if isinstance(target, ast.Tuple):
            if not isinstance(value, tuple) or len(value) != len(target.elts):
                raise LaneFault(fact("layout.not-so-many-values", n=len(target.elts)), active)
            for part, number in zip(target.elts, value, strict=True):
                self._store(part, number, frame, active)
            return
        name = name_of(target)
        frame.variables[name] = merge(frame.variables.get(name), value, active, frame.entry)

    def _return(self, node: ast.Return, frame: CallFrame, active: ElementMask) -> None:
        if node.value is None or is_none(node.value):
            raise LaneFault(fact("layout.returns-nothing"), active, _ON_EVERY_PATH)
        value = self.value(node.value, frame, active)
        if frame.depth == 1:
            self._note_floats(node.value, value, active)
        try:
            frame.result = merge(frame.result, value, active, frame.entry)
        except LaneFault as fault:  # a float on one path, an integer on another
            if fault.whole and frame.depth == 1:
                raise self._clearest_float() from None
            raise

    def _note_floats(self, node: ast.expr, value: Value, active: ElementMask) -> None:
        """Keep each float that the entry returns; other faults are reported first."""
        values = value if isinstance(value, tuple) else (value,)
        written = node.elts if isinstance(node, ast.Tuple) else [node] * len(values)
        for number, part in zip(values, written, strict=True):
            if number.dtype.kind == "f":
                inexact = active & (number % 1 != 0)
                element = int(np.argmax(inexact if inexact.any() else active))
                found = float(np.broadcast_to(number, active.shape)[element])
                what = fact("layout.float-returned", value=found)
                error = NotWhole(what, *self.program.place(part), element=element)
                self._floats.append(_FloatReturned(found.is_integer(), element, error))

    def _clearest_float(self) -> NotWhole:
        """Return the error to show: an inexact float explains most, then the first element."""
        return min(self._floats, key=lambda found: (found.integral, found.element)).error

    def _if(self, node: ast.If, frame: CallFrame, active: ElementMask) -> ElementMask | None:
        yes, no = self.split(node.test, frame, active)
        if no is None:
            return self._block(node.body, frame, active)
        if yes is None:
            return self._block(node.orelse, frame, active)
        went = (self._block(node.body, frame, yes), self._block(node.orelse, frame, no))
        return unite(active, went)

    def _while(self, node: ast.While, frame: CallFrame, active: ElementMask) -> ElementMask | None:
        loop, outside, going = LoopExits(), list[ElementMask](), active
        frame.loops.append(loop)
        while True:
            self.spend(node)
            inside, done = self.split(node.test, frame, going)
            if done is not None:
                outside.append(done)
            left = None if inside is None else self._iteration(node.body, frame, inside)
            if left is None:
                break
            going = left
        frame.loops.pop()
        return unite(active, [*outside, *loop.broken])

    def _for(self, node: ast.For, frame: CallFrame, active: ElementMask) -> ElementMask | None:
        first, step, iterations = self._range(node, frame, active)
        loop, outside, going = LoopExits(), list[ElementMask](), active
        frame.loops.append(loop)
        for number in range(
            int(iterations[active].max() if iterations.size > 1 else iterations[0])
        ):
            self.spend(node)
            if iterations.size > 1 and (done := going & (iterations <= number)).any():
                outside.append(done)
                going = going & ~done
                if not going.any():
                    break
            self._store(node.target, first + number * step, frame, going)
            left = self._iteration(node.body, frame, going)
            if left is None:
                break
            going = left
        else:
            outside.append(going)
        frame.loops.pop()
        return unite(active, [*outside, *loop.broken])

    def _range(
        self, node: ast.For, frame: CallFrame, active: ElementMask
    ) -> tuple[Array, Array, Array]:
        """Return the first number, the step, and the number of iterations."""
        call = node.iter
        given = [
            self.integer(argument, frame, active)
            for argument in (call.args if isinstance(call, ast.Call) else [])
        ]
        if len(given) == 1:
            given.insert(0, constant(0))
        first, stop, step = (*given, constant(1))[:3]
        if ((step == 0) & active).any():
            raise LaneFault(fact("layout.range-step-0"), (step == 0) & active)
        return first, step, np.maximum(0, -((first - stop) // step))

    def _iteration(
        self, body: list[ast.stmt], frame: CallFrame, active: ElementMask
    ) -> ElementMask | None:
        """Run one iteration of the innermost loop; return the elements that reach the next."""
        loop = frame.loops[-1]
        left = self._block(body, frame, active)
        going = unite(active, [left, *loop.continued])
        loop.continued.clear()
        return going

    def _break(self, _node: ast.stmt, frame: CallFrame, active: ElementMask) -> None:
        frame.loops[-1].broken.append(active)

    def _continue(self, _node: ast.stmt, frame: CallFrame, active: ElementMask) -> None:
        frame.loops[-1].continued.append(active)
