"""Which names of a function hold what memory gave: an element that was read, or a result of one.

An index that uses such a name follows the data: another run may have another pattern. Knows no
types: brackets after `shape` and `strides` read no memory, all others do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from grader.simt.numba.reading.scopes import Names, find_bound, walk_scope

_SIZES = ("shape", "strides")
_GIVING = ("atomic", "shfl")
"""Parts of the names of calls that return an element, or another thread's value."""


def find_loaded(body: Sequence[ast.AST]) -> Names:
    """Return the names that are assigned something loaded, or worked out from such a name."""
    assignments = [pair for node in walk_scope(body) for pair in _assignments(node)]
    found: Names = frozenset()
    while True:
        more = {
            name for names, value in assignments if depends_on_loads(value, found) for name in names
        }
        if more <= found:
            return found
        found |= more


def depends_on_loads(node: ast.AST, loaded: Names) -> bool:
    """Return True if an expression reads an element, or a name that holds a loaded value."""
    return any(_loads(inner, loaded) for inner in ast.walk(node))


def _loads(node: ast.AST, loaded: Names) -> bool:
    match node:
        case ast.Subscript(value=ast.Attribute(attr=name)) if name in _SIZES:
            return False
        case ast.Subscript(ctx=ast.Load()):
            return True
        case ast.Call(func=function):
            return any(part in ast.unparse(function) for part in _GIVING)
        case ast.Name(id=name):
            return name in loaded
        case _:
            return False


def _assignments(node: ast.AST) -> Iterator[tuple[Names, ast.AST]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            yield find_bound(targets), value
        case ast.AugAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
            yield find_bound([target]), value
        case ast.For(target=target, iter=value):
            yield find_bound([target]), value
        case _:
            return
