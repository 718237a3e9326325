"""Which loops may go on with only the warps that are still in them: see `lockstep.gathering`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from grader.simt.numba.environment import join_envs
from grader.simt.numba.reading.liveness import Names
from grader.simt.numba.unit import Unit
from grader.simt.program.types import Array, Closure, Record, Tuple, Type

_ALONE = ("builtins.", "cmath.", "math.", "np.", "operator.", "cuda.grid")
"""What looks at no other thread: the beginnings of names."""


def may_gather(unit: Unit, node: ast.For | ast.While, returns: Sequence[Type]) -> bool:
    """Return True if a loop that was just compiled looks at no other thread and sets no array.

    Args:
        unit: its function; `called` is what the loop calls, `exits` is the loop's.
        node: the loop.
        returns: types of what is returned in it.
    """
    if unit.exits or unit.function.debug or unit.program.recorder is not None:
        return False
    if not all(name.startswith(_ALONE) for name in unit.called):
        return False
    types = join_envs(unit.env, unit.inference.heads[id(node)]) or {}
    names = [child for child in ast.walk(node) if isinstance(child, ast.Name)]
    kinds = [(types[name.id], name.ctx) for name in names if name.id in types]
    return all(map(_is_plain, returns)) and all(
        _is_plain(kind) or (_has_no_owner(kind) and isinstance(context, ast.Load))
        for kind, context in kinds
    )


def _is_plain(kind: Type) -> bool:
    if isinstance(kind, Tuple):
        return all(map(_is_plain, kind.items))
    return not isinstance(kind, (Array, Record, Closure))


def _has_no_owner(kind: Type) -> bool:
    """Return True for memory that is not a block's or a thread's own."""
    return isinstance(kind, (Array, Record)) and kind.space in ("global", "constant")


def find_variables(unit: Unit, node: ast.For | ast.While) -> tuple[Names, Names]:
    """Return the variables of a loop whose warps may be gathered."""
    named = (child.id for child in ast.walk(node) if isinstance(child, ast.Name))
    return frozenset(named), unit.liveness.left[id(node)]
