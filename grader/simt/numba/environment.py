"""The types of a function's variables at one place, where two paths meet, and from pass to pass.

Numba infers types in passes over the whole function: what an expression has been typed as in any
pass is joined with what it is typed as in the next, and a loop's head learns in the next pass what
its body assigns. A uint32 that was once added to a uint32 and then to an int64 is float64 so.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from grader.simt.errors import Refused
from grader.simt.program.nodes import Convert, Expression
from grader.simt.program.types import Constant, Nothing, Type, is_same, join_types, number

Env = dict[str, Type] | None
"""None where no thread can get."""


@dataclass(eq=False)
class LoopEnvironments:
    """The types of variables where loops are left, and where they begin.

    Attributes:
        breaks, continues: at each `break` and `continue` of the loops around, innermost last.
    """

    breaks: list[list[Env]] = field(default_factory=list)
    continues: list[list[Env]] = field(default_factory=list)


@dataclass(eq=False)
class Inference:
    """What the passes over a function have found so far.

    Attributes:
        heads: types at the head of every loop, by its node.
        errors: of the current pass, in the order of the source; they count if it is the last.
        changed: True if the current pass found what the next one needs.
        result: type of what the function returns, as far as it is known.
        recursive: True if it calls itself.
    """

    heads: dict[int, Env] = field(default_factory=dict)
    errors: list[Refused] = field(default_factory=list)
    changed: bool = False
    result: Type | None = None
    recursive: bool = False
    _types: dict[int, tuple[ast.AST, Type]] = field(default_factory=dict)

    def begin_pass(self) -> None:
        """Begin a pass."""
        self.errors.clear()
        self.changed = False

    def settle(self, node: ast.AST, typed: Expression) -> Expression:
        """Join the type of a number with what its expression had in earlier passes."""
        if not isinstance(typed.type, np.dtype):
            return typed
        _, before = self._types.get(id(node), (node, typed.type))
        kind = join_types(before, typed.type)
        assert isinstance(kind, np.dtype)  # numbers always join
        self._types[id(node)] = node, kind  # the node is kept: its id is its own as long
        return typed if kind == typed.type else Convert(kind, typed)

    def note_result(self, returns: Sequence[Type], *, falls_through: bool) -> None:
        """Note what the function returns, which its own calls of itself use."""
        result = join_all([*returns, Nothing()] if falls_through else returns)
        self.changed |= self.recursive and not is_same(result, self.result)
        self.result = result

    def note_head(self, node: ast.AST, head: Env, again: Env) -> None:
        """Note the types at a loop's head, and those that it gets with what its body assigns."""
        if head != again:
            self.changed = True
        self.heads[id(node)] = again


def join_all(kinds: Sequence[Type]) -> Type | None:
    """Join several types; None without any."""
    return reduce(join_types, kinds) if kinds else None


def copy_env(env: Env) -> Env:
    """Copy an environment, so that it can be changed."""
    return None if env is None else dict(env)


def join_envs(first: Env, second: Env) -> Env:
    """Join the types of two paths; a variable that one path lacks has the other's type.

    It is no constant: what the first path's threads read is not known.
    """
    if first is None:
        return copy_env(second)
    if second is None:
        return copy_env(first)
    both = {name: kind if name in second else _widen(kind) for name, kind in first.items()}
    for name, kind in second.items():
        both[name] = join_types(both[name], kind) if name in both else _widen(kind)
    return both


def _widen(kind: Type) -> Type:
    return (number(kind) or kind) if isinstance(kind, Constant) else kind
