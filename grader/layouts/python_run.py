"""Evaluates a Python program for all elements at once, each with its own control flow.

Statements take the mask of elements that come to them and hand on the mask of those that go on to
the next one (None: nobody). `break`, `continue` and `return` are elements that do not go on.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from grader.layouts import arithmetic
from grader.layouts.arithmetic import Array, Value, constant
from grader.layouts.errors import Fault, NoValue, TooMuchWork
from grader.layouts.python_frame import Frame, Loop, Mask, merged, together
from grader.layouts.python_source import Function, PythonProgram
from grader.layouts.python_statements import is_none
from grader.layouts.python_values import Expressions, name_of


def run_python(
    program: PythonProgram,
    arguments: Sequence[Array],
    constants: Mapping[str, int],
    elements: int,
) -> Value:
    """What the entry returns, in all elements.

    Args:
        program: as it was read.
        arguments: one array, (elements,) or (1,), for each parameter.
        constants: values of the names that were given to the reader.
        elements: how many there are.

    Raises:
        NoValue: with the first element it happens in.
        TooMuchWork: the bound was reached.
    """
    with np.errstate(all="ignore"):  # inactive lanes divide by zero without a word
        try:
            return _Run(program, constants, elements).result(arguments)
        except RecursionError:
            raise TooMuchWork("nested too deeply", 1, 1, "name parts of it") from None


class _Run(Expressions):
    """Statements; each method takes who comes to it and hands on who goes on."""

    def __init__(self, program: PythonProgram, constants: Mapping[str, int], elements: int) -> None:
        super().__init__(program, constants, elements)
        self._statements: dict[type[ast.stmt], Callable[[Any, Frame, Mask], Mask | None]] = {
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
        return self.enter(self.program.entry, arguments, self.everyone, 1)

    def enter(
        self, function: Function, arguments: Sequence[Value], active: Mask, depth: int
    ) -> Value:
        frame = Frame(function, active, depth)
        for name, value in zip(function.parameters, arguments, strict=True):
            frame.variables[name] = value, active
        left = self._block(function.node.body, frame, active)
        if left is not None:
            what = f"{function.node.name} returns nothing"
            element = int(np.argmax(left))
            place = self.program.place(function.node)
            raise NoValue(what, *place, "return a value on every path", element)
        if frame.result is None:  # pragma: no cover — somebody entered, and nobody is left
            raise AssertionError
        return frame.result[0]

    def _block(self, body: list[ast.stmt], frame: Frame, active: Mask) -> Mask | None:
        for node in body:
            self.spend(node)
            try:
                left = self._statements[type(node)](node, frame, active)
            except Fault as fault:
                raise fault.at(*self.program.place(node)) from None
            if left is None:
                return None
            active = left
        return active

    def _nothing(self, _node: ast.stmt, _frame: Frame, active: Mask) -> Mask:
        return active

    def _assign(self, node: ast.Assign, frame: Frame, active: Mask) -> Mask:
        value = self.value(node.value, frame, active)
        for target in node.targets:
            self._store(target, value, frame, active)
        return active

    def _assign_annotated(self, node: ast.AnnAssign, frame: Frame, active: Mask) -> Mask:
        if node.value is not None:
            self._store(node.target, self.value(node.value, frame, active), frame, active)
        return active

    def _assign_augmented(self, node: ast.AugAssign, frame: Frame, active: Mask) -> Mask:
        name = ast.copy_location(ast.Name(name_of(node.target), ast.Load()), node.target)
        left = self.number(name, frame, active)
        right = self.number(node.value, frame, active)
        value = arithmetic.binary(type(node.op), left, right, active)
        self._store(node.target, value, frame, active)
        return active

    def _store(self, target: ast.expr, value: Value, frame: Frame, active: Mask) -> None:
        if isinstance(target, ast.Tuple):
            if not isinstance(value, tuple) or len(value) != len(target.elts):
                raise Fault(f"this is no {len(target.elts)} values", active)
            for part, one in zip(target.elts, value, strict=True):
                self._store(part, one, frame, active)
            return
        name = name_of(target)
        frame.variables[name] = merged(frame.variables.get(name), value, active, frame.entry)

    def _return(self, node: ast.Return, frame: Frame, active: Mask) -> None:
        if node.value is None or is_none(node.value):
            raise Fault("this returns nothing", active, "return an element on every path")
        value = self.value(node.value, frame, active)
        frame.result = merged(frame.result, value, active, frame.entry)

    def _if(self, node: ast.If, frame: Frame, active: Mask) -> Mask | None:
        yes, no = self.split(node.test, frame, active)
        if no is None:
            return self._block(node.body, frame, active)
        if yes is None:
            return self._block(node.orelse, frame, active)
        went = (self._block(node.body, frame, yes), self._block(node.orelse, frame, no))
        return together(active, went)

    def _while(self, node: ast.While, frame: Frame, active: Mask) -> Mask | None:
        loop, outside, going = Loop(), list[Mask](), active
        frame.loops.append(loop)
        while True:
            self.spend(node)
            inside, done = self.split(node.test, frame, going)
            if done is not None:
                outside.append(done)
            left = None if inside is None else self._round(node.body, frame, inside)
            if left is None:
                break
            going = left
        frame.loops.pop()
        return together(active, [*outside, *loop.broken])

    def _for(self, node: ast.For, frame: Frame, active: Mask) -> Mask | None:
        first, step, rounds = self._range(node, frame, active)
        loop, outside, going = Loop(), list[Mask](), active
        frame.loops.append(loop)
        for number in range(int(rounds[active].max() if rounds.size > 1 else rounds[0])):
            self.spend(node)
            if rounds.size > 1 and (done := going & (rounds <= number)).any():
                outside.append(done)
                going = going & ~done
                if not going.any():
                    break
            self._store(node.target, first + number * step, frame, going)
            left = self._round(node.body, frame, going)
            if left is None:
                break
            going = left
        else:
            outside.append(going)
        frame.loops.pop()
        return together(active, [*outside, *loop.broken])

    def _range(self, node: ast.For, frame: Frame, active: Mask) -> tuple[Array, Array, Array]:
        """First number, step, and how many rounds there are."""
        call = node.iter
        given = [
            self.whole(argument, frame, active)
            for argument in (call.args if isinstance(call, ast.Call) else [])
        ]
        if len(given) == 1:
            given.insert(0, constant(0))
        first, stop, step = (*given, constant(1))[:3]
        if ((step == 0) & active).any():
            raise Fault("the step of the range is 0", (step == 0) & active)
        return first, step, np.maximum(0, -((first - stop) // step))

    def _round(self, body: list[ast.stmt], frame: Frame, active: Mask) -> Mask | None:
        """One round of the innermost loop: who comes to the next."""
        loop = frame.loops[-1]
        left = self._block(body, frame, active)
        going = together(active, [left, *loop.continued])
        loop.continued.clear()
        return going

    def _break(self, _node: ast.stmt, frame: Frame, active: Mask) -> None:
        frame.loops[-1].broken.append(active)

    def _continue(self, _node: ast.stmt, frame: Frame, active: Mask) -> None:
        frame.loops[-1].continued.append(active)
