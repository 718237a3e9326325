"""Prints a typed program, one operation to a line, with the source line that it is counted at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from grader.simt.program import nodes
from grader.simt.program.nodes import Block, Expression, Function, Operation, Place, Statement
from grader.simt.program.types import (
    Array,
    Constant,
    Dynamic,
    Nothing,
    Pointer,
    Record,
    Tuple,
    Type,
    VectorType,
    name_of,
    number,
)
from grader.simt.program.walking import operands, walk_block

_INDENT = "    "
_NOWHERE = " " * 8
_INFIX = frozenset(
    (
        *("+", "-", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^"),
        *("<", "<=", ">", ">=", "==", "!="),
    )
)
_SIGNS = {"neg": "-", "pos": "+", "~": "~"}


def print_program(kernel: Function) -> str:
    """Return the text of a function and of those that it calls, each once."""
    functions = list(_reached(kernel, {}).values())
    return "\n\n".join(_Printer(function).text() for function in functions) + "\n"


def _reached(function: Function, found: dict[int, Function]) -> dict[int, Function]:
    if id(function) not in found:
        found[id(function)] = function
        for node in walk_block(function.body):
            if isinstance(node, nodes.Call):
                _reached(node.function, found)
    return found


class _Printer:
    """Prints one function; temporaries are numbered in the order in which they are met."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._numbers: dict[str, int] = {}

    def text(self) -> str:
        function = self._function
        what = "kernel" if function.is_kernel else "function"
        result = "" if function.is_kernel else f" -> {type_text(function.result)}"
        head = f"{what} {function.name}({', '.join(function.parameters)}){result}"
        return "\n".join((head, *self._block(function.body, 1)))

    def _block(self, block: Block, depth: int) -> Iterator[str]:
        for statement in block:
            yield from self._statement(statement, depth)

    def _statement(self, statement: Statement, depth: int) -> Iterator[str]:
        pad, where = _INDENT * depth, f"{statement.site.line:>4}:{statement.site.column:<3}"
        match statement:
            case nodes.Alive(_, inner) | nodes.Watched(_, inner):
                yield from self._statement(inner, depth)
            case nodes.Nested(_, body):
                yield from self._block(body, depth)
            case nodes.Step(_, operations):
                for operation in operations:
                    yield f"{where} {pad}{self._operation(operation)}"
                    where = _NOWHERE
            case nodes.If(_, test, yes, no):
                before = self._operations(" ", statement.before)
                yield f"{where} {pad}if{before} {self._expression(test)}"
                yield from self._block(yes, depth + 1)
                yield from self._after("else", no, depth)
            case nodes.Switch(_, before, body):
                yield f"{where} {pad}switch{self._operations(' ', before)}"
                yield from self._block(body, depth + 1)
            case nodes.Loop():
                yield from self._loop(statement, where, depth)
            case nodes.Unrolled():
                yield from self._unrolled(statement, where, depth)
            case _:
                yield f"{where} {pad}{self._leaving(statement)}"

    def _leaving(self, statement: Statement) -> str:
        match statement:
            case nodes.Return(_, value, before) if value is not None and value.type != Nothing():
                return f"return{self._operations(' ', before)} {self._expression(value)}"
        return type(statement).__name__.lower()

    def _loop(self, loop: nodes.Loop, where: str, depth: int) -> Iterator[str]:
        pad = _INDENT * depth
        test = "" if loop.test is None else f" while {self._expression(loop.test)}"
        begin = self._operations(" begin ", loop.begin)
        head = self._operations(" each ", loop.head)
        yield f"{where} {pad}loop{begin}{head}{test}{self._operations(' step ', loop.step)}"
        for operation in loop.enter:
            yield f"{_NOWHERE} {pad}{_INDENT}{self._operation(operation)}"
        yield from self._block(loop.body, depth + 1)
        yield from self._after("at its end", loop.otherwise, depth)

    def _unrolled(self, loop: nodes.Unrolled, where: str, depth: int) -> Iterator[str]:
        pad = _INDENT * depth
        yield f"{where} {pad}unrolled{self._operations(' begin ', loop.begin)}"
        for enter, body in loop.rounds:
            yield f"{_NOWHERE} {pad}round{self._operations(' ', enter)}"
            yield from self._block(body, depth + 1)
        yield from self._after("at its end", loop.otherwise, depth)

    def _after(self, title: str, block: Block, depth: int) -> Iterator[str]:
        if block:
            yield f"{_NOWHERE} {_INDENT * depth}{title}"
            yield from self._block(block, depth + 1)

    def _operations(self, before: str, operations: Iterable[Operation]) -> str:
        texts = [self._operation(operation) for operation in operations]
        return f"{before}({'; '.join(texts)})" if texts else ""

    def _operation(self, operation: Operation) -> str:
        match operation:
            case nodes.Set(variable, value):
                return (
                    f"{self._name(variable)}: {type_text(value.type)} = {self._expression(value)}"
                )
            case nodes.Store(place, value):
                return f"{self._place(place)} = {self._expression(value)}"
            case nodes.Update(place, old, value):
                return f"{self._place(place)} as {self._name(old)} = {self._expression(value)}"
            case nodes.Do(value):
                return self._expression(value)
            case nodes.When(test, yes, no):
                other = self._operations(" else ", no)
                return f"when {self._expression(test)}{self._operations(' ', yes)}{other}"

    def _expression(self, node: Expression) -> str:
        match node:
            case nodes.Number(kind, value):
                return str(value) if isinstance(kind, Constant) else f"{value}:{type_text(kind)}"
            case nodes.Static(kind):
                return type_text(kind)
            case nodes.Position(_, name):
                return name
            case nodes.Memory(_, declared):
                return "dynamic" if declared is None else f"memory of {declared.label}"
            case nodes.Read(_, variable):
                return self._name(variable)
            case nodes.Keep(_, variable, operand):
                return f"({self._name(variable)} := {self._expression(operand)})"
            case nodes.Observe(_, operand):
                return self._expression(operand)
            case nodes.Load(_, place):
                return self._place(place)
            case nodes.AddressOf() | nodes.Move():
                return self._memory(node)
        return self._operator(node, [self._expression(part) for part in operands(node)])

    def _memory(self, node: nodes.AddressOf | nodes.Move) -> str:
        match node:
            case nodes.AddressOf(_, memory):
                return f"&{self._expression(memory)}"
            case nodes.Move(_, pointer, index, step):
                return f"({self._expression(pointer)} + {step} * {self._expression(index)})"

    def _operator(self, node: Expression, parts: list[str]) -> str:
        match node:
            case nodes.Operate(_, operator) if operator in _INFIX:
                return f"({f' {operator} '.join(parts)})"
            case nodes.Operate(_, operator) if operator in _SIGNS:
                return f"{_SIGNS[operator]}{parts[0]}"
            case nodes.Choose():
                return "({} ? {} : {})".format(*parts)
            case nodes.Logical(_, _, conjunction):
                return f"({(' and ' if conjunction else ' or ').join(parts)})"
            case nodes.Part(_, _, place):
                return f"{parts[0]}.{place}"
        return f"{_called(node)}({', '.join(parts)})"

    def _place(self, place: Place) -> str:
        match place:
            case nodes.Element(_, array, indices):
                return f"{self._expression(array)}[{', '.join(map(self._expression, indices))}]"
            case nodes.FieldOf(_, record, field):
                return f"{self._expression(record)}.+{field.offset}"
            case nodes.Target(pointer=pointer):
                return f"*({type_text(place.kind)}*){self._expression(pointer)}"
        raise AssertionError(place)

    def _name(self, variable: str) -> str:
        if not nodes.is_temporary(variable):
            return variable
        return f"%{self._numbers.setdefault(variable, len(self._numbers) + 1)}"


def _called(node: Expression) -> str:
    match node:
        case nodes.Pack():
            return ""
        case nodes.Convert(kind):
            return type_text(kind)
        case nodes.Call(_, function):
            return function.name
        case nodes.Operate(_, name) | nodes.Apply(_, name) | nodes.Perform(_, name):
            return name.replace(" ", "_")
    return type(node).__name__.lower()


def type_text(kind: Type) -> str:
    """Return a type in a few characters."""
    match kind:
        case np.dtype():
            return name_of(kind)
        case Array(dtype, ndim, space):
            return f"{space} {name_of(dtype)}[{','.join(':' * ndim)}]"
        case Record(dtype, space):
            return f"{space} {name_of(dtype)}"
        case Pointer(target, space):
            return f"{space} {type_text(target)}*"
        case Tuple(items):
            return f"({', '.join(map(type_text, items))})"
        case VectorType(dtype, size):
            return f"{dtype.name}x{size}"
        case Nothing():
            return "nothing"
        case Dynamic(what):
            return what
    known = number(kind)
    return type(kind).__name__.lower() if known is None else known.name
