"""What names a function binds itself, and which it takes from the function around it.

Knows no types: only where Python's scopes begin and end in a tree.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

Names = frozenset[str]
INNER = (ast.FunctionDef, ast.Lambda)
"""Forms that open a scope of their own, as far as a kernel may have them."""


def walk_scope(body: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Walk through trees, but not into the functions that are defined in them."""
    waiting = list(reversed(body))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, INNER):
            waiting += node.args.defaults
        else:
            waiting += reversed(list(ast.iter_child_nodes(node)))


def find_bound(body: Sequence[ast.AST]) -> Names:
    """Return the names that some statements assign or define."""
    bound = set()
    for node in walk_scope(body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.add(node.id)
        elif isinstance(node, ast.FunctionDef):
            bound.add(node.name)
    return frozenset(bound)


def find_bound_once(body: Sequence[ast.AST]) -> Names:
    """Return the names that one assignment, and no loop or other statement, gives a value."""
    stores = Counter(
        node.id
        for node in walk_scope(body)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    return frozenset(name for name, count in stores.items() if count == 1)


def find_free(function: ast.FunctionDef | ast.Lambda) -> Names:
    """Return the names that a function reads and does not bind."""
    body = function.body if isinstance(function.body, list) else [function.body]
    read: set[str] = set()
    for node in walk_scope(body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            read.add(node.id)
        elif isinstance(node, INNER):
            read |= find_free(node)
    return frozenset(read) - find_bound(body) - set(parameters_of(function))


def parameters_of(function: ast.FunctionDef | ast.Lambda) -> tuple[str, ...]:
    """Return the names of all of a function's parameters."""
    args = function.args
    every = (*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg)
    return tuple(arg.arg for arg in every if arg is not None)
