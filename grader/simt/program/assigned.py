"""Which variables a function may read on a path that has not given them a value."""

from __future__ import annotations

from collections.abc import Container, Iterable

from grader.simt.program import nodes
from grader.simt.program.forward import ForwardPaths, Left
from grader.simt.program.nodes import Expression, Operation
from grader.simt.program.walking import Names, operation_parts, walk_expression

_State = Names | None
"""The variables that have a value wherever threads are; None where no thread gets."""


def find_unassigned(body: nodes.Block, variables: Names, uses: Container[int]) -> Names:
    """Return the variables that may be read without a value.

    Args:
        variables: those that begin without a value.
        uses: the `Read` nodes (by id) that need one.
    """
    paths = _Paths(variables, uses)
    paths.block(body, frozenset())
    return frozenset(paths.found)


class _Paths(ForwardPaths[Names]):
    """Goes through a body once: a loop's later iterations begin with all that the first one has."""

    def __init__(self, variables: Names, uses: Container[int]) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._variables = variables
        self._uses = uses

    def part(self, test: Expression, state: _State) -> tuple[_State, _State]:
        self._read((test,), state)
        return state, state

    def meet(self, *states: _State) -> _State:
        reached = [state for state in states if state is not None]
        return frozenset.intersection(*reached) if reached else None

    def returned(self, value: Expression | None, state: _State) -> None:
        self._read(() if value is None else (value,), state)

    def loop(self, loop: nodes.Loop, state: _State) -> _State:
        entered = self.operations(loop.begin, state)
        tested_later = _is_run_once(loop)
        if not tested_later:
            entered = self._head(loop, entered)
        inner = Left[Names]()
        self.around.append(inner)
        left = self.block(loop.body, self.operations(loop.enter, entered))
        self.around.pop()
        left = self.operations(loop.step, self.meet(left, *inner.continued))
        if tested_later:
            entered = self._head(loop, left)
        done = None if loop.test is None else self.block(loop.otherwise, entered)
        return self.meet(done, *inner.broken)

    def _head(self, loop: nodes.Loop, state: _State) -> _State:
        state = self.operations(loop.head, state)
        self._read(() if loop.test is None else (loop.test,), state)
        return state

    def unrolled(self, loop: nodes.Unrolled, state: _State) -> _State:
        state = self.operations(loop.begin, state)
        broken: list[_State] = []
        for enter, body in loop.rounds:
            self.around.append(Left(broken))
            state = self.block(body, self.operations(enter, state))
            state = self.meet(state, *self.around.pop().continued)
        return self.meet(self.block(loop.otherwise, state), *broken)

    def operations(self, operations: Iterable[Operation], state: _State) -> _State:
        for operation in operations:
            self._read(operation_parts(operation), state)
            match operation:
                case nodes.Set(variable) if variable in self._variables and state is not None:
                    state |= {variable}
                case nodes.When(_, yes, no):
                    state = self.meet(self.operations(yes, state), self.operations(no, state))
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
