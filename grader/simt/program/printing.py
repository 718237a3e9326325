"""Prints a typed program, one operation to a line, with the source line that it is counted at.

A variable has its type where it is first set and where that changes; a `Read` of another type is
shown as the conversion that it is. A number without a type is int64 or float64, or of the type of
the operand before it. What changes no value has no sign of its own: `Observe`, `Alive`, `Watched`,
`Nested`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grader.simt.program import nodes
from grader.simt.program.expression_texts import ExpressionTexts, VariableTypes
from grader.simt.program.nodes import Expression, Operation
from grader.simt.program.type_texts import type_text
from grader.simt.program.types import Nothing
from grader.simt.program.walking import names_read, own_operations, walk_block, walk_statements

_INDENT = "    "
_NOWHERE = " " * 8


def print_program(kernel: nodes.Function) -> str:
    """Return the text of a function and of those that it calls, each once."""
    functions = list(_reached(kernel, {}).values())
    own = _file_of(kernel)
    return "\n\n".join(_Printer(function).text(own) for function in functions) + "\n"


def _reached(
    function: nodes.Function, found: dict[int, nodes.Function]
) -> dict[int, nodes.Function]:
    if id(function) not in found:
        found[id(function)] = function
        for node in walk_block(function.body):
            if isinstance(node, nodes.Call):
                _reached(node.function, found)
    return found


def _file_of(function: nodes.Function) -> str:
    return function.body[0].site.file if function.body else ""


def _target_text(number: int | None) -> str:
    return "leave" if number is None else f"go to {number}"


class _Printer:
    """Prints one function."""

    def __init__(self, function: nodes.Function) -> None:
        self._function = function
        self._where = _NOWHERE
        given = dict(zip(function.parameters, map(type_text, function.types), strict=False))
        self._texts = ExpressionTexts(given, names_read(walk_block(function.body)))

    def text(self, own: str) -> str:
        """Return the text; it names the file of the function, unless that is the kernel's own."""
        function = self._function
        what = "kernel" if function.is_kernel else "function"
        result = "" if function.is_kernel else f" -> {type_text(function.result)}"
        kinds = self._texts.shown
        names = [
            f"{name}: {kinds[name]}" if name in kinds else name for name in function.parameters
        ]
        file = _file_of(function)
        place = "" if file == own else f" in {file}"
        head = f"{what} {function.name}({', '.join(names)}){result}{place}"
        return "\n".join((head, *self._declared(), *self._block(function.body, 1)))

    def _declared(self) -> Iterator[str]:
        """Yield the arrays of which a pointer is taken, each once."""
        taken = (
            node for node in walk_block(self._function.body) if isinstance(node, nodes.AddressOf)
        )
        arrays = {node.memory.declared: node.memory for node in taken if node.memory.declared}
        for declared, memory in arrays.items():
            yield self._line(1, f"{declared.label} = {self._texts.expression(memory)}")

    def _line(self, depth: int, text: str) -> str:
        """Return a line; the first one of a statement has its place."""
        where, self._where = self._where, _NOWHERE
        return f"{where} {_INDENT * depth}{text}"

    def _block(self, block: nodes.Block, depth: int) -> Iterator[str]:
        for statement in block:
            self._where = f"{statement.site.line:>4}:{statement.site.column:<3}"
            yield from self._statement(statement, depth)
            self._where = _NOWHERE

    def _statement(self, statement: nodes.Statement, depth: int) -> Iterator[str]:
        match statement:
            case nodes.Alive(_, inner) | nodes.Watched(_, inner):
                yield from self._statement(inner, depth)
            case nodes.Nested(_, body):
                yield from self._block(body, depth)
            case nodes.Step(_, operations):
                yield from self._operations(operations, depth)
            case nodes.If(_, test, yes, no, before):
                yield from self._operations(before, depth)
                yield self._line(depth, f"if {self._texts.expression(test)}")
                other = self._titled("else", no, depth)
                yield from self._branches(self._block(yes, depth + 1), other)
            case nodes.Switch(_, before, body):
                yield from self._operations(before, depth)
                self._texts.join(_types_set(body))
                after = self._texts.types.copy()
                yield from self._titled("switch", body, depth)
                self._texts.types = after
            case nodes.Loop():
                yield from self._loop(statement, depth)
            case nodes.Unrolled():
                yield from self._unrolled(statement, depth)
            case nodes.Graph():
                yield from self._graph(statement, depth)
            case nodes.Return(_, value, before):
                yield from self._operations(before, depth)
                yield self._line(depth, self._return_text(value))
            case _:
                yield self._line(depth, type(statement).__name__.lower())

    def _graph(self, graph: nodes.Graph, depth: int) -> Iterator[str]:
        self._texts.join(_types_set((graph,)))
        for number, segment in enumerate(graph.segments):
            yield self._line(depth, f"segment {number}")
            for run in segment.runs:
                self._where = f"{run.site.line:>4}:{run.site.column:<3}"
                yield from self._operations(run.operations, depth + 1)
            self._where = _NOWHERE
            yes = _target_text(segment.yes)
            if segment.test is not None:
                test = self._texts.expression(segment.test)
                yes = f"if {test} {yes}, else {_target_text(segment.no)}"
            yield self._line(depth + 1, yes)
        if graph.result is not None:
            yield self._line(depth, f"return {self._texts.expression(graph.result)}")

    def _return_text(self, value: nodes.Expression | None) -> str:
        if value is None or value.type == Nothing():
            return "return"
        return f"return {self._texts.expression(value)}"

    def _unrolled(self, loop: nodes.Unrolled, depth: int) -> Iterator[str]:
        yield from self._operations(loop.begin, depth)
        for count, (enter, body) in enumerate(loop.rounds, 1):
            yield self._line(depth, f"round {count} of {len(loop.rounds)}")
            yield from self._operations(enter, depth + 1)
            yield from self._block(body, depth + 1)
            self._texts.join(_types_set(body))
        yield from self._titled("else", loop.otherwise, depth)

    def _loop(self, loop: nodes.Loop, depth: int) -> Iterator[str]:
        yield from self._operations(loop.begin, depth)
        self._texts.join(_types_set((loop,)))
        head = self._texts.types.copy()
        test = "" if loop.test is None else "while"
        if loop.head or not test:
            yield self._line(depth, "loop")
            yield from self._operations(loop.head, depth + 1)
        if loop.test is not None:
            title = "while" if loop.head else "loop while"
            yield self._line(depth, f"{title} {self._texts.expression(loop.test)}")
        yield from self._operations(loop.enter, depth + 1)
        yield from self._block(loop.body, depth + 1)
        self._texts.join(head)
        yield from self._titled("step", loop.step, depth)
        self._texts.types = head
        yield from self._titled("else", loop.otherwise, depth)

    def _titled(
        self, title: str, inner: nodes.Block | tuple[Operation, ...], depth: int
    ) -> Iterator[str]:
        """Yield a title and what it is of, if there is anything."""
        if not inner:
            return
        yield self._line(depth, title)
        for part in inner:
            if isinstance(part, nodes.Statement):
                yield from self._block((part,), depth + 1)
            else:
                yield from self._operations((part,), depth + 1)

    def _branches(self, yes: Iterable[str], no: Iterable[str]) -> Iterator[str]:
        """Yield the lines of two branches; then a variable may have the types of both."""
        before = self._texts.types.copy()
        yield from yes
        self._texts.types, after = before, self._texts.types
        yield from no
        self._texts.join(after)

    def _operations(self, operations: Iterable[Operation], depth: int) -> Iterator[str]:
        for operation in operations:
            match operation:
                case nodes.Set(variable, value):
                    yield self._line(depth, self._set(variable, value))
                case nodes.Store(place, value):
                    text = self._texts.expression(value)
                    yield self._line(depth, f"{self._texts.place(place)} = {text}")
                case nodes.Update(place, old, value):
                    self._texts.note(old, type_text(place.dtype))
                    text = f"{self._texts.name(old)} = {self._texts.expression(value)}"
                    yield self._line(depth, f"update {self._texts.place(place)} as {text}")
                case nodes.Do(value):
                    yield self._line(depth, self._texts.expression(value))
                case nodes.When(test, yes, no):
                    yield self._line(depth, f"when {self._texts.expression(test)}")
                    other = self._titled("else", no, depth)
                    yield from self._branches(self._operations(yes, depth + 1), other)

    def _set(self, variable: str, value: Expression) -> str:
        text, kind = self._texts.expression(value), type_text(value.type)
        known = self._texts.shown.get(variable) == kind or isinstance(value, nodes.Memory)
        self._texts.note(variable, kind)
        return f"{self._texts.name(variable)}{'' if known else f': {kind}'} = {text}"


def _types_set(block: nodes.Block) -> VariableTypes:
    """Return the variables that a block sets, each with all types that it gets there."""
    types: dict[str, frozenset[str]] = {}
    for statement in walk_statements(block):
        for operation in own_operations(statement):
            if isinstance(operation, nodes.Set):
                kinds = types.get(operation.variable, frozenset())
                types[operation.variable] = kinds | {type_text(operation.value.type)}
    return types
