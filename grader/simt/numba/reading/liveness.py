"""Which assignments must keep the old value for threads that are elsewhere; the rest replace it.

In lockstep some threads wait while others run a branch. A variable that none of the waiting ones
reads again need not be merged, which keeps a loop's counter one number instead of a vector.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.simt.numba.reading.scopes import find_bound, find_captured

Names = frozenset[str]
_NONE: Names = frozenset()


@dataclass(frozen=True)
class _Loop:
    """The names that are read after a loop, and at its head."""

    after: Names
    head: Names


class Liveness:
    """Backwards through a function's body, through each loop until no name is added.

    What was found at a loop's head is where the next pass begins: a loop inside of others is gone
    through once for each of them and once or twice more, not twice for each pass of the outer one.

    Attributes:
        kept: for each statement that assigns (by id), the names whose old values are needed.
        left: for each loop (by id), the names whose values are needed once threads have left it.
    """

    def __init__(self, body: Sequence[ast.stmt]) -> None:
        captured = find_captured(body)  # read wherever the functions are called that capture them
        self.kept: dict[int, Names] = {}
        self.left: dict[int, Names] = {}
        self._heads: dict[int, Names] = {}
        self._paused: dict[int, Names] = {}
        self._block(body, _NONE, captured, None)

    def _block(
        self, body: Sequence[ast.stmt], after: Names, waiting: Names, loop: _Loop | None
    ) -> Names:
        """Return the names that are read at the head of a block.

        Args:
            body: its statements.
            after: what is read after it.
            waiting: what threads read that are not here now.
            loop: the innermost one around it.
        """
        known = self._paused.get(id(body), _NONE)
        live, paused, waiting = after, _NONE, waiting | known
        for node in reversed(body):
            live = self._statement(node, live, waiting, loop)
            if may_pause(node):
                paused |= live | after | _read(node)
        if not paused <= waiting:  # some stay in a loop, or are done, while others come here
            self._paused[id(body)] = known | paused
            return self._block(body, after, waiting, loop)
        return live

    def _statement(self, node: ast.stmt, after: Names, waiting: Names, loop: _Loop | None) -> Names:
        match node:
            case ast.If():
                other = self._block(node.orelse, after, waiting | after, loop)
                here = self._block(node.body, after, waiting | after | other, loop)
                return here | other | _read(node.test)
            case ast.While():
                return self._while(node, after, waiting)
            case ast.For():
                return self._for(node, after, waiting)
            case ast.Return():
                return _read(node.value)
            case ast.Break():
                return loop.after if loop else _NONE
            case ast.Continue():
                return loop.head if loop else _NONE
            case _:
                written = _find_written(node)
                self.kept[id(node)] = written & waiting
                read = _read(node)
                if isinstance(node, ast.AugAssign):
                    read |= written
                return (after - written) | read

    def _while(self, node: ast.While, after: Names, waiting: Names) -> Names:
        left = self._block(node.orelse, after, waiting | after, None)
        self.left[id(node)] = left | after | waiting
        head = left | _read(node.test) | self._heads.get(id(node), _NONE)
        while True:
            loop = _Loop(after, head)
            stay = self._block(node.body, head, waiting | after | left | head, loop)
            if stay <= head:
                break
            head |= stay
        self._heads[id(node)] = head
        return head

    def _for(self, node: ast.For, after: Names, waiting: Names) -> Names:
        target = _find_written(node.target)
        left = self._block(node.orelse, after, waiting | after, None)
        head = left | self._heads.get(id(node), _NONE)
        outside = self.left[id(node)] = waiting | after | left
        while True:
            loop = _Loop(after, head)
            paused = head if _continues(node.body) else _NONE
            stay = self._block(node.body, head, outside | paused, loop) - target
            if stay <= head:
                break
            head |= stay
        self._heads[id(node)] = head
        self.kept[id(node)] = target & (waiting | after | left)
        return head | _read(node.iter)


def may_spin(node: ast.AST) -> bool:
    """Return True for a `while` with an atomic, in which a block may wait for another."""
    return isinstance(node, ast.While) and any(
        isinstance(child, ast.Attribute) and child.attr == "atomic" for child in ast.walk(node)
    )


def may_pause(node: ast.AST) -> bool:
    """Return True if threads may wait in a statement while others go on after it."""
    if isinstance(node, ast.If):
        return any(map(may_pause, (*node.body, *node.orelse)))
    return may_spin(node)


def _continues(body: Iterable[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Continue) for statement in body for node in ast.walk(statement))


def _read(node: ast.AST | None) -> Names:
    if node is None:
        return _NONE
    return frozenset(
        child.id
        for child in ast.walk(node)
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load)
    )


def _find_written(node: ast.AST) -> Names:
    return find_bound([node])
