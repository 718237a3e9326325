"""Which variables must keep their old values for threads that are elsewhere; the rest replace them.

A variable that none of the waiting threads reads again need not be merged, which keeps a loop's
counter one number instead of a vector. Also which blocks may wait in a loop for others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from grader.simt.program import nodes
from grader.simt.program.graphs import find_kept
from grader.simt.program.nodes import Operation
from grader.simt.program.walking import (
    Names,
    inner_blocks,
    names_read,
    operation_parts,
    own_operations,
    walk_block,
    walk_statements,
)

_NONE: Names = frozenset()


@dataclass(frozen=True)
class _Loop:
    """The variables that are read after a loop, and where its next round begins."""

    after: Names
    next_round: Names


class Liveness:
    """Backwards through a function's body, through each loop until no variable is added.

    What was found at a loop's head is where the next pass begins: a loop inside of others is gone
    through once for each of them and once or twice more, not twice for each pass of the outer one.

    Attributes:
        kept: the `Set` operations (by id) whose variable keeps its value for other threads.
        left: for each loop (by id), the variables that are needed once threads have left it.
    """

    def __init__(self, body: nodes.Block, waits: Collection[int] = ()) -> None:
        """Look at a function's body, of which some loops (by id) only wait."""
        self._waits = waits
        self.kept: set[int] = set()
        self.left: dict[int, Names] = {}
        self._heads: dict[int, Names] = {}
        self._paused: dict[int, Names] = {}
        self._block(body, _NONE, _NONE, None)

    def _block(self, body: nodes.Block, after: Names, waiting: Names, loop: _Loop | None) -> Names:
        """Return the variables that are read at the head of a block.

        Args:
            after: what is read after it.
            waiting: what threads read that are not here now.
            loop: the innermost one around it.
        """
        known = self._paused.get(id(body), _NONE)
        live, paused, waiting = after, _NONE, waiting | known
        for statement in reversed(body):
            live = self._statement(statement, live, waiting, loop)
            if _may_pause(statement, self._waits):
                paused |= live | after | names_read(walk_block((statement,)))
        if not paused <= waiting:  # some stay in a loop, or are done, while others come here
            self._paused[id(body)] = known | paused
            return self._block(body, after, waiting, loop)
        return live

    def _statement(
        self, statement: nodes.Statement, after: Names, waiting: Names, loop: _Loop | None
    ) -> Names:
        match statement:
            case nodes.Step(_, operations):
                return self._operations(operations, after, waiting)
            case nodes.If():
                return self._if(statement, after, waiting, loop)
            case nodes.Switch(_, before, body):
                inside = _Loop(after, loop.next_round if loop else _NONE)
                live = self._block(body, after, waiting | after, inside)
                return self._operations(before, live, waiting)
            case nodes.Loop():
                return self._loop(statement, after, waiting, loop)
            case nodes.Unrolled():
                return self._unrolled(statement, after, waiting, loop)
            case nodes.Alive(_, inner) | nodes.Watched(_, inner):
                return self._statement(inner, after, waiting, loop)
            case nodes.Nested(_, body):
                return self._block(body, after, waiting, loop)
            case nodes.Graph():
                self.kept |= find_kept(statement)
                return _NONE
        return self._leaving(statement, waiting, loop)

    def _leaving(self, statement: nodes.Statement, waiting: Names, loop: _Loop | None) -> Names:
        match statement:
            case nodes.Break():
                return loop.after if loop else _NONE
            case nodes.Continue():
                return loop.next_round if loop else _NONE
            case nodes.Return(_, value, before):
                live = _NONE if value is None else names_read((value,))
                return self._operations(before, live, waiting)
        return _NONE  # an exit

    def _if(self, statement: nodes.If, after: Names, waiting: Names, loop: _Loop | None) -> Names:
        other = self._block(statement.no, after, waiting | after, loop)
        here = self._block(statement.yes, after, waiting | after | other, loop)
        live = here | other | names_read((statement.test,))
        return self._operations(statement.before, live, waiting)

    def _operations(self, operations: Iterable[Operation], after: Names, waiting: Names) -> Names:
        live = after
        for operation in reversed(tuple(operations)):
            if isinstance(operation, nodes.Set):
                live -= {operation.variable}
                if operation.variable in waiting:
                    self.kept.add(id(operation))
            elif isinstance(operation, nodes.Update):
                live -= {operation.old}
            elif isinstance(operation, nodes.When):
                other = self._operations(operation.no, live, waiting | live)
                live = other | self._operations(operation.yes, live, waiting | live | other)
            live |= names_read(operation_parts(operation))
        return live

    def _loop(self, loop: nodes.Loop, after: Names, waiting: Names, around: _Loop | None) -> Names:
        left = self._block(loop.otherwise, after, waiting | after, around)
        outside = self.left[id(loop)] = waiting | after | left
        test = _NONE if loop.test is None else names_read((loop.test,))
        tested = left | test | self._heads.get(id(loop), _NONE)
        while True:
            head = self._operations(loop.head, tested, outside)
            step = self._operations(loop.step, head, outside)
            away = outside | step if _continues(loop.body) else outside
            live = self._block(loop.body, step, away, _Loop(after, step))
            live = self._operations(loop.enter, live, outside)
            if live <= tested:
                break
            tested |= live
        self._heads[id(loop)] = tested
        return self._operations(loop.begin, head, waiting)

    def _unrolled(
        self, loop: nodes.Unrolled, after: Names, waiting: Names, around: _Loop | None
    ) -> Names:
        live = left = self._block(loop.otherwise, after, waiting | after, around)
        outside = waiting | after | left
        for enter, body in reversed(loop.rounds):
            away = outside | live if _continues(body) else outside
            live = self._block(body, live, away, _Loop(after, live))
            live = self._operations(enter, live, outside)
        return self._operations(loop.begin, live, waiting)


def _continues(body: nodes.Block) -> bool:
    """Return True if threads may wait for the next round of the loop that has this body."""
    for statement in body:
        if isinstance(statement, nodes.Continue):
            return True
        if not isinstance(statement, (nodes.Loop, nodes.Unrolled)) and any(
            map(_continues, inner_blocks(statement))
        ):
            return True
    return False


def is_straight(body: nodes.Block) -> bool:
    """Return True for steps without branches, and a return after them."""
    return all(
        isinstance(statement, (nodes.Return, nodes.Step))
        and not any(isinstance(each, nodes.When) for each in own_operations(statement))
        for statement in body
    )


def find_pausing(block: nodes.Block, waits: Collection[int]) -> frozenset[int]:
    """Return the statements (by id) in which threads may wait while others go on after them.

    Args:
        waits: loops (by id) of it that only wait.
    """
    return frozenset(
        id(statement) for statement in walk_statements(block) if _may_pause(statement, waits)
    )


def may_spin(loop: nodes.Loop) -> bool:
    """Return True for a loop with an atomic, in which a block may wait for another."""
    return not loop.counted and any(
        isinstance(node, nodes.Perform) and node.name.startswith("atomic")
        for node in walk_block((loop,))
    )


def _may_pause(statement: nodes.Statement, waits: Collection[int]) -> bool:
    """Return True if threads may wait in a statement while others go on after it."""
    if isinstance(statement, nodes.Loop):
        return may_spin(statement) or id(statement) in waits
    if isinstance(statement, nodes.Unrolled):
        return False
    return any(_may_pause(inner, waits) for block in inner_blocks(statement) for inner in block)
