"""Which variables a function may read on a path that has not given them a value."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from grader.simt.program import nodes
from grader.simt.program.nodes import Block, Expression, Operation, Statement
from grader.simt.program.walking import Names, operation_parts, walk_expression

_State = Names | None
"""The variables that have a value wherever threads are; None where no thread gets."""


def find_unassigned(body: Block, variables: Names, uses: Container[int]) -> Names:
    """Return the variables that may be read without a value.

    Args:
        body: of a function.
        variables: those that begin without a value.
        uses: the `Read` nodes (by id) that need one.
    """
    paths = _Paths(variables, uses)
    paths.block(body, frozenset())
    return frozenset(paths.found)


@dataclass(eq=False)
class _Left:
    """With what threads leave the innermost loop or `Switch`, and its rounds."""

    broken: list[_State] = field(default_factory=list)
    continued: list[_State] = field(default_factory=list)


class _Paths:
    """Forward through a body, once: a loop's later rounds begin with all that the first one has."""

    def __init__(self, variables: Names, uses: Container[int]) -> None:
        self.found: set[str] = set()
        self._variables = variables
        self._uses = uses
        self._around: list[_Left] = []

    def block(self, body: Block, state: _State) -> _State:
        """Return what has a value behind some statements."""
        for statement in body:
            state = self._statement(statement, state)
        return state

    def _statement(self, statement: Statement, state: _State) -> _State:
        match statement:
            case nodes.Step(_, operations):
                return self._operations(operations, state)
            case nodes.If(_, test, yes, no, before):
                state = self._operations(before, state)
                self._read((test,), state)
                return _meet(self.block(yes, state), self.block(no, state))
            case nodes.Loop():
                return self._loop(statement, state)
            case nodes.Switch(_, before, body):
                around = self._around[-1].continued if self._around else []
                self._around.append(_Left(continued=around))
                state = self.block(body, self._operations(before, state))
                return _meet(state, *self._around.pop().broken)
            case nodes.Unrolled(_, begin, rounds, otherwise):
                return self._unrolled(begin, rounds, otherwise, state)
            case nodes.Alive(_, inner) | nodes.Watched(_, inner):
                return self._statement(inner, state)
            case nodes.Nested(_, body):
                return self.block(body, state)
        self._leave(statement, state)
        return None

    def _leave(self, statement: Statement, state: _State) -> None:
        match statement:
            case nodes.Return(_, value, before):
                state = self._operations(before, state)
                self._read(() if value is None else (value,), state)
            case nodes.Break():
                self._around[-1].broken.append(state)
            case nodes.Continue():
                self._around[-1].continued.append(state)

    def _loop(self, loop: nodes.Loop, state: _State) -> _State:
        entered = self._operations(loop.begin, state)
        tested_later = _is_run_once(loop)
        if not tested_later:
            entered = self._head(loop, entered)
        inner = _Left()
        self._around.append(inner)
        left = self.block(loop.body, self._operations(loop.enter, entered))
        self._around.pop()
        left = self._operations(loop.step, _meet(left, *inner.continued))
        if tested_later:
            entered = self._head(loop, left)
        done = None if loop.test is None else self.block(loop.otherwise, entered)
        return _meet(done, *inner.broken)

    def _head(self, loop: nodes.Loop, state: _State) -> _State:
        state = self._operations(loop.head, state)
        self._read(() if loop.test is None else (loop.test,), state)
        return state

    def _unrolled(
        self,
        begin: Iterable[Operation],
        rounds: Iterable[tuple[Iterable[Operation], Block]],
        otherwise: Block,
        state: _State,
    ) -> _State:
        state = self._operations(begin, state)
        broken: list[_State] = []
        for enter, body in rounds:
            self._around.append(_Left(broken))
            state = self.block(body, self._operations(enter, state))
            state = _meet(state, *self._around.pop().continued)
        return _meet(self.block(otherwise, state), *broken)

    def _operations(self, operations: Iterable[Operation], state: _State) -> _State:
        for operation in operations:
            self._read(operation_parts(operation), state)
            match operation:
                case nodes.Set(variable) if variable in self._variables and state is not None:
                    state |= {variable}
                case nodes.When(_, yes, no):
                    state = _meet(self._operations(yes, state), self._operations(no, state))
        return state

    def _read(self, expressions: Iterable[Expression], state: _State) -> None:
        if state is None:
            return
        self.found |= {
            node.variable
            for expression in expressions
            for node in walk_expression(expression)
            if isinstance(node, nodes.Read) and id(node) in self._uses
            if node.variable not in state
        }


def _is_run_once(loop: nodes.Loop) -> bool:
    """Return True for a loop whose first round is not tested: a temporary says that it is one."""
    match loop.begin:
        case (nodes.Set(variable, nodes.Number(_, True)),):
            return nodes.is_temporary(variable)
    return False


def _meet(*states: _State) -> _State:
    reached = [state for state in states if state is not None]
    return frozenset.intersection(*reached) if reached else None
