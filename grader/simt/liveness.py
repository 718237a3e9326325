"""Which assignments must keep the old value for threads that are elsewhere: the rest just replace.

In lockstep some threads wait while others run a branch. A variable that none of the waiting ones
reads again need not be merged, which keeps a loop's counter one number instead of a vector.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Names = frozenset[str]
_NONE: Names = frozenset()


@dataclass(frozen=True)
class _Loop:
    """What is read after leaving a loop, and at its head."""

    after: Names
    head: Names


class Liveness:
    """Backwards through a function's body, twice through each loop.

    Attributes:
        kept: for each statement that assigns (by id), the names whose old values somebody needs.
    """

    def __init__(self, body: Sequence[ast.stmt]) -> None:
        self.kept: dict[int, Names] = {}
        self._block(body, _NONE, _NONE, None)

    def _block(
        self, body: Sequence[ast.stmt], after: Names, waiting: Names, loop: _Loop | None
    ) -> Names:
        """What is read at the head of a block.

        Args:
            body: its statements.
            after: what is read after it.
            waiting: what threads read that are not here now.
            loop: the innermost one around it.
        """
        live, paused = after, _NONE
        for node in reversed(body):
            live = self._statement(node, live, waiting, loop)
            if may_pause(node):
                paused |= live | after | _read(node)
        if not paused <= waiting:  # some stay in a loop, or are done, while others come here
            return self._block(body, after, waiting | paused, loop)
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
                written = _written(node)
                self.kept[id(node)] = written & waiting
                read = _read(node)
                if isinstance(node, ast.AugAssign):
                    read |= written
                return (after - written) | read

    def _while(self, node: ast.While, after: Names, waiting: Names) -> Names:
        left = self._block(node.orelse, after, waiting | after, None)
        head = left | _read(node.test)
        for _ in range(2):
            loop = _Loop(after, head)
            stay = self._block(node.body, head, waiting | after | left | head, loop)
            head |= stay
        return head

    def _for(self, node: ast.For, after: Names, waiting: Names) -> Names:
        target = _written(node.target)
        left = self._block(node.orelse, after, waiting | after, None)
        head = left
        for _ in range(2):
            loop = _Loop(after, head)
            outside = waiting | after | left
            paused = head if _continues(node.body) else _NONE
            stay = self._block(node.body, head, outside | paused, loop)
            head |= stay - target
        self.kept[id(node)] = target & (waiting | after | left)
        return head | _read(node.iter)


def may_spin(node: ast.AST) -> bool:
    """Whether it is a `while` in which a block may wait for another: it has an atomic."""
    return isinstance(node, ast.While) and any(
        isinstance(one, ast.Attribute) and one.attr == "atomic" for one in ast.walk(node)
    )


def may_pause(node: ast.AST) -> bool:
    """Whether threads may wait in a statement while others go on after it."""
    if isinstance(node, ast.If):
        return any(map(may_pause, (*node.body, *node.orelse)))
    return may_spin(node)


def _continues(body: Iterable[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Continue) for one in body for node in ast.walk(one))


def _read(node: ast.AST | None) -> Names:
    if node is None:
        return _NONE
    return frozenset(
        one.id
        for one in ast.walk(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
    )


def _written(node: ast.AST) -> Names:
    return frozenset(
        one.id
        for one in ast.walk(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    )
