"""Evaluates the defaults of inner functions where they are defined, as Python does.

`f = lambda x, p=n: x * p` keeps the `n` of now: what a default reads of the function around it is
kept in a variable of its own.
"""

from __future__ import annotations

import ast
from typing import TypeVar

from grader.simt.numba.reading.scopes import INNER, find_bound, walk_scope

_Node = TypeVar("_Node", bound=ast.AST)
_KEPT = "default {} {}"
"""The variable of a default, by its place; no name of the source has a space."""


def keep_defaults(tree: _Node) -> _Node:
    """Keep the defaults of all functions within the functions of a tree, which is changed."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            _keep_in(node, find_bound(node.body))
    return tree


def _keep_in(function: ast.FunctionDef, bound: frozenset[str]) -> None:
    waiting: list[ast.AST] = [function]
    while waiting:
        node = waiting.pop()
        for field in ("body", "orelse"):
            body = getattr(node, field, None)
            if isinstance(body, list):
                waiting += (each for each in body if not isinstance(each, INNER))
                body[:] = [part for each in body for part in (*_kept(each, bound), each)]


def _kept(statement: ast.stmt, bound: frozenset[str]) -> list[ast.stmt]:
    """Return what keeps the defaults of functions that a statement defines itself."""
    inner = [] if hasattr(statement, "body") else [*ast.iter_child_nodes(statement)]
    own = [statement] if isinstance(statement, ast.FunctionDef) else inner
    kept: list[ast.stmt] = []
    for node in walk_scope(own):
        defaults = node.args.defaults if isinstance(node, INNER) else []
        for at, default in enumerate(defaults):
            names = {each.id for each in ast.walk(default) if isinstance(each, ast.Name)}
            if names & bound:
                name = _KEPT.format(default.lineno, default.col_offset)
                defaults[at] = ast.copy_location(ast.Name(name, ast.Load()), default)
                kept.append(ast.Assign([ast.Name(name, ast.Store())], default))
                ast.copy_location(kept[-1], default)
                ast.fix_missing_locations(kept[-1])
    return kept
