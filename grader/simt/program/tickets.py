"""Which accesses only those threads make that drew a ticket: a test on what an atomic gave decides.

`if (atomicAdd(&count, 1) == last) count = 0;` is right, since all other atomics on the counter came
before the last ticket. A block that is chosen by its index instead draws no ticket. What an atomic
gave is followed through variables, calls, and shared or local memory, which counts as one place.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from grader.simt.checks.counters import Site
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression, Operation
from grader.simt.program.types import Array, Pointer
from grader.simt.program.walking import (
    find_functions,
    inner_blocks,
    operation_parts,
    own_expressions,
    own_operations,
    parts_of,
    walk_block,
    walk_expression,
    walk_statements,
)

Tickets = frozenset[int]
"""Numbers of the places of atomics."""
_LEAVING = (nodes.Return, nodes.Exit, nodes.Break, nodes.Continue)


def mark_tickets(kernel: nodes.Function) -> None:
    """Note at each access of a kernel and of its functions which atomics decide if it is made."""
    functions = find_functions(kernel)
    if any(_is_atomic(node) for each in functions for node in walk_block(each.body)):
        _Analysis(functions).run()


def _is_atomic(node: Expression) -> bool:
    return isinstance(node, nodes.Perform) and node.name.startswith("atomic")


class _Analysis:
    """What depends on which tickets; it only grows, until one more round adds nothing."""

    def __init__(self, functions: list[nodes.Function]) -> None:
        self._functions = functions
        self._known: defaultdict[object, Tickets] = defaultdict(frozenset)
        self._function = functions[0]
        self._grew = True

    def run(self) -> None:
        """Mark the accesses of all functions."""
        while self._grew:
            self._grew = False
            for function in self._functions:
                self._function = function
                self._visit_block(function.body, self._known["calls", id(function)])

    def _add(self, key: object, tickets: Tickets) -> None:
        if not tickets <= self._known[key]:
            self._known[key] |= tickets
            self._grew = True

    def _variable(self, function: nodes.Function, name: str) -> object:
        return id(function), name

    def _visit_block(self, block: nodes.Block, control: Tickets) -> None:
        for statement in block:
            control |= self._visit(statement, control)

    def _visit(self, statement: nodes.Statement, control: Tickets) -> Tickets:
        """Visit a statement; return the tickets that decide who goes on behind it."""
        self._visit_operations(own_operations(statement), control)
        for expression in own_expressions(statement):
            self._note_expression(expression, control)
        if isinstance(statement, nodes.Return) and statement.value is not None:
            self._add(("result", id(self._function)), control | self._find(statement.value))
        test = statement.test if isinstance(statement, (nodes.If, nodes.Loop)) else None
        inside = control if test is None else control | self._find(test)
        blocks = inner_blocks(statement)
        for block in blocks:
            self._visit_block(block, inside)
        leaves = any(
            isinstance(each, _LEAVING) for block in blocks for each in walk_statements(block)
        )
        return inside if leaves else frozenset()

    def _visit_operations(self, operations: Iterable[Operation], control: Tickets) -> None:
        for operation in operations:
            match operation:
                case nodes.Set(variable, value):
                    given = control | self._find(value)
                    self._add(self._variable(self._function, variable), given)
                case nodes.Store(place, value) | nodes.Update(place, _, value):
                    _mark(place, control)
                    if not _is_global(place):
                        self._add("memory", control | self._find(value))
                case nodes.When(test, yes, no):
                    inside = control | self._find(test)
                    for part in operation_parts(operation):
                        self._note_expression(part, control)
                    self._visit_operations((*yes, *no), inside)
                    for inner in (*yes, *no):
                        for part in operation_parts(inner):
                            self._note_expression(part, inside)

    def _note_expression(self, expression: Expression, control: Tickets) -> None:
        for node in walk_expression(expression):
            match node:
                case nodes.Load(_, place):
                    _mark(place, control)
                case nodes.Keep(_, variable, operand):
                    given = control | self._find(operand)
                    self._add(self._variable(self._function, variable), given)
                case nodes.Call(_, function, arguments):
                    self._add(("calls", id(function)), control)
                    for name, argument in zip(function.parameters, arguments, strict=True):
                        self._add(self._variable(function, name), self._find(argument))

    def _find(self, expression: Expression) -> Tickets:
        """Return the tickets that a value depends on."""
        return frozenset[int]().union(*self._each(expression))

    def _each(self, expression: Expression) -> Iterator[Tickets]:
        for node in walk_expression(expression):
            match node:
                case nodes.Read(_, variable):
                    yield self._known[self._variable(self._function, variable)]
                case nodes.Load(_, place) if not _is_global(place):
                    yield self._known["memory"]
                case nodes.Call(_, function):
                    yield self._known["result", id(function)]
                case nodes.Perform(site=Site(number=number)) if _is_atomic(node):
                    yield frozenset((number,))


def _mark(place: nodes.Place, control: Tickets) -> None:
    if isinstance(place, (nodes.Element, nodes.Target)):
        place.site.tickets |= control


def _is_global(place: nodes.Place) -> bool:
    """Return True for a place that is known to be in global memory."""
    kind = parts_of(place)[0].type
    return isinstance(kind, (Array, Pointer)) and kind.space == "global"
