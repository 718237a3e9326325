"""Follows a function's body forward: what holds where paths part, meet, and leave a loop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from grader.simt.program import nodes
from grader.simt.program.nodes import Expression, Operation

StateT = TypeVar("StateT")


@dataclass(eq=False)
class Left(Generic[StateT]):
    """The states with which threads leave the innermost loop or `Switch`, and its iterations."""

    broken: list[StateT | None] = field(default_factory=list)
    continued: list[StateT | None] = field(default_factory=list)


class ForwardPaths(ABC, Generic[StateT]):
    """Follows every path with a state; None is the state where no thread gets.

    How states change, part and meet, and what a loop does to them, is the subclass's.
    """

    def __init__(self) -> None:
        self.around: list[Left[StateT]] = []

    def block(self, body: nodes.Block, state: StateT | None) -> StateT | None:
        """Return the state behind some statements."""
        for statement in body:
            if state is None:
                break
            state = self._statement(statement, state)
        return state

    def _statement(self, statement: nodes.Statement, state: StateT | None) -> StateT | None:
        match statement:
            case nodes.Step(_, run):
                return self.operations(run, state)
            case nodes.If(_, test, yes, no, before):
                first, second = self.part(test, self.operations(before, state))
                return self.meet(self.block(yes, first), self.block(no, second))
            case nodes.Loop():
                return self.loop(statement, state)
            case nodes.Unrolled():
                return self.unrolled(statement, state)
            case nodes.Switch(_, before, body):
                around = self.around[-1].continued if self.around else []
                self.around.append(Left(continued=around))
                state = self.block(body, self.operations(before, state))
                return self.meet(state, *self.around.pop().broken)
            case nodes.Alive(_, inner) | nodes.Watched(_, inner):
                return self._statement(inner, state)
            case nodes.Nested(_, body):
                return self.block(body, state)
        self._leave(statement, state)
        return None

    def _leave(self, statement: nodes.Statement, state: StateT | None) -> None:
        match statement:
            case nodes.Return(_, value, before):
                self.returned(value, self.operations(before, state))
            case nodes.Break():
                self.around[-1].broken.append(state)
            case nodes.Continue():
                self.around[-1].continued.append(state)

    @abstractmethod
    def operations(self, run: Iterable[Operation], state: StateT | None) -> StateT | None:
        """Return the state behind some operations."""

    @abstractmethod
    def part(self, test: Expression, state: StateT | None) -> tuple[StateT | None, StateT | None]:
        """Return the states where a test holds, and where it does not."""

    @abstractmethod
    def meet(self, *states: StateT | None) -> StateT | None:
        """Return the state where paths come together."""

    @abstractmethod
    def returned(self, value: Expression | None, state: StateT | None) -> None:
        """Take note of the end of a path, and of what it returns."""

    @abstractmethod
    def loop(self, loop: nodes.Loop, state: StateT | None) -> StateT | None:
        """Return the state behind a loop."""

    @abstractmethod
    def unrolled(self, loop: nodes.Unrolled, state: StateT | None) -> StateT | None:
        """Return the state behind a loop whose iterations are written out."""
