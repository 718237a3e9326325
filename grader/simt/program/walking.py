"""Goes through a typed program: the parts of each node, and everything below one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import Any

from grader.simt.program import nodes
from grader.simt.program.nodes import Expression, Operation

Names = frozenset[str]


def operands(node: Expression) -> tuple[Expression, ...]:
    """Return the expressions that an expression is made of, in the order of evaluation."""
    return _OPERANDS[type(node)](node)


def parts_of(place: nodes.Place) -> tuple[Expression, ...]:
    """Return the expressions that locate a place."""
    match place:
        case nodes.Element(_, array, indices):
            return array, *indices
        case nodes.FieldOf(_, record):
            return (record,)
        case nodes.Target(_, pointer):
            return (pointer,)
    raise AssertionError(place)


def _parts_of_move(node: nodes.Move) -> tuple[Expression, ...]:
    own = node.pointer, node.index
    return own if node.written is None else (*own, node.written)


_LEAVES = (nodes.Static, nodes.Number, nodes.Position, nodes.Memory, nodes.Read)
_OPERANDS: dict[type[Expression], Callable[[Any], tuple[Expression, ...]]] = {
    **dict.fromkeys(_LEAVES, lambda _node: ()),
    **dict.fromkeys(
        (nodes.Apply, nodes.Perform, nodes.Operate, nodes.Logical), attrgetter("operands")
    ),
    **dict.fromkeys((nodes.Keep, nodes.Convert, nodes.Observe), lambda node: (node.operand,)),
    nodes.Choose: attrgetter("test", "yes", "no"),
    nodes.Pack: attrgetter("parts"),
    nodes.Part: lambda node: (node.whole,),
    nodes.Call: attrgetter("arguments"),
    nodes.Load: lambda node: parts_of(node.place),
    nodes.Move: _parts_of_move,
    nodes.AddressOf: lambda node: (node.memory,),
}
"""By kind; a `match` would compare with one class after another, for each node of each walk."""


def operation_parts(operation: Operation) -> tuple[Expression, ...]:
    """Return the expressions of an operation."""
    match operation:
        case nodes.Set(_, value) | nodes.Do(value):
            return (value,)
        case nodes.Store(place, value) | nodes.Update(place, _, value):
            return value, *parts_of(place)
        case nodes.When(test):
            return (test,)


def each_operation(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Yield operations, and those in a `When`."""
    for operation in operations:
        yield operation
        if isinstance(operation, nodes.When):
            yield from each_operation((*operation.yes, *operation.no))


def walk_expression(node: Expression) -> Iterator[Expression]:
    """Yield an expression and everything that it is made of."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += _OPERANDS[type(node)](node)[::-1]


def own_operations(statement: nodes.Statement) -> Iterator[Operation]:
    """Yield the operations of a statement, without those of the blocks in it."""
    match statement:
        case nodes.Step(_, operations):
            yield from each_operation(operations)
        case nodes.If() | nodes.Switch() | nodes.Return():
            yield from each_operation(statement.before)
        case nodes.Loop():
            own = (*statement.begin, *statement.head, *statement.enter, *statement.step)
            yield from each_operation(own)
        case nodes.Unrolled(_, begin, rounds):
            yield from each_operation(begin)
            for enter, _ in rounds:
                yield from each_operation(enter)
        case nodes.Graph(_, segments):
            for segment in segments:
                for run in segment.runs:
                    yield from each_operation(run.operations)


def own_expressions(statement: nodes.Statement) -> Iterator[Expression]:
    """Yield the expressions of a statement, without those of the blocks in it."""
    for operation in own_operations(statement):
        yield from operation_parts(operation)
    match statement:
        case nodes.If(_, test) | nodes.Loop(_, _, test) if test is not None:
            yield test
        case nodes.Return(_, value) if value is not None:
            yield value
        case nodes.Graph(_, segments, result):
            yield from (each.test for each in segments if each.test is not None)
            if result is not None:
                yield result


def inner_blocks(statement: nodes.Statement) -> tuple[nodes.Block, ...]:
    """Return the blocks that a statement holds."""
    match statement:
        case nodes.If(_, _, yes, no):
            return yes, no
        case nodes.Nested(_, body) | nodes.Switch(_, _, body):
            return (body,)
        case nodes.Loop():
            return statement.body, statement.otherwise
        case nodes.Unrolled(_, _, rounds, otherwise):
            return *(body for _, body in rounds), otherwise
        case nodes.Alive(_, inner) | nodes.Watched(_, inner):
            return ((inner,),)
    return ()


def walk_statements(block: Iterable[nodes.Statement]) -> Iterator[nodes.Statement]:
    """Yield the statements of a block and of all blocks in it."""
    waiting = [*block][::-1]
    while waiting:
        statement = waiting.pop()
        yield statement
        for inner in reversed(inner_blocks(statement)):
            waiting += inner[::-1]


def walk_block(block: Iterable[nodes.Statement]) -> Iterator[Expression]:
    """Yield every expression of a block, each before what it is made of."""
    for statement in walk_statements(block):
        waiting = [*own_expressions(statement)][::-1]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += _OPERANDS[type(node)](node)[::-1]


def find_functions(kernel: nodes.Function) -> list[nodes.Function]:
    """Return a kernel and all functions that it calls, or they."""
    found = [kernel]
    for function in found:  # which grows
        for node in walk_block(function.body):
            if isinstance(node, nodes.Call) and node.function not in found:
                found.append(node.function)
    return found


def names_read(expressions: Iterable[Expression]) -> Names:
    """Return the variables that expressions read."""
    return frozenset(
        node.variable
        for expression in expressions
        for node in walk_expression(expression)
        if isinstance(node, nodes.Read)
    )


def names_set(block: Iterable[nodes.Statement]) -> Names:
    """Return the variables that a block gives a value."""
    return frozenset(
        operation.variable
        for statement in walk_statements(block)
        for operation in own_operations(statement)
        if isinstance(operation, nodes.Set)
    )
