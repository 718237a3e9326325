"""Turns `match` into `if` and `elif`, as Python's own compiler does for the patterns of a kernel.

Those are values, `True`, `False` and `None`, alternatives of them, names and `_`; a `match` with
others is left as it is.
"""

from __future__ import annotations

import ast
from typing import TypeVar

_Node = TypeVar("_Node", bound=ast.AST)
_SUBJECT = "match {}"
"""The variable of a subject that is not a name; no name of the source has a space."""


def replace_matches(tree: _Node) -> _Node:
    """Replace every `match` in a tree, which is changed."""
    for node in ast.walk(tree):
        for field in ("body", "orelse"):
            body = getattr(node, field, None)
            if isinstance(body, list):
                body[:] = [part for statement in body for part in _replace(statement)]
    return tree


def _replace(node: ast.stmt) -> list[ast.stmt]:
    if not isinstance(node, ast.Match) or not all(_is_simple(case.pattern) for case in node.cases):
        return [node]
    before: list[ast.stmt] = []
    subject = node.subject
    if not isinstance(subject, ast.Name):
        name = _SUBJECT.format(node.lineno)
        before = [ast.Assign([ast.Name(name, ast.Store())], subject)]
        subject = ast.Name(name, ast.Load())
    statements = [*before, *_chain(subject, node.cases)]
    for statement in statements:
        ast.copy_location(statement, node)
        ast.fix_missing_locations(statement)
    return statements or [ast.copy_location(ast.Pass(), node)]


def _is_simple(pattern: ast.pattern) -> bool:
    match pattern:
        case ast.MatchValue() | ast.MatchSingleton():
            return True
        case ast.MatchOr(patterns=parts):
            return all(isinstance(part, (ast.MatchValue, ast.MatchSingleton)) for part in parts)
        case ast.MatchAs(pattern=None):
            return True
    return False


def _chain(subject: ast.Name, cases: list[ast.match_case]) -> list[ast.stmt]:
    """Return what executes the first case that matches."""
    if not cases:
        return []
    case, rest = cases[0], _chain(subject, cases[1:])
    pattern, before = case.pattern, list[ast.stmt]()
    if isinstance(pattern, ast.MatchAs):
        if pattern.name is not None:
            target = ast.Name(pattern.name, ast.Store())
            before = [ast.copy_location(ast.Assign([target], subject), pattern)]
        if case.guard is None:
            return [*before, *case.body]
        test = case.guard
    else:
        test = _test(subject, pattern)
        if case.guard is not None:
            test = ast.copy_location(ast.BoolOp(ast.And(), [test, case.guard]), pattern)
    return [*before, ast.copy_location(ast.If(test, case.body, rest), pattern)]


def _test(subject: ast.Name, pattern: ast.pattern) -> ast.expr:
    parts = pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]
    tests = [_compare(subject, part) for part in parts]
    return tests[0] if len(tests) == 1 else ast.copy_location(ast.BoolOp(ast.Or(), tests), pattern)


def _compare(subject: ast.Name, part: ast.pattern) -> ast.expr:
    """Return the test of one value: `is` for those of which Python has one object alone."""
    if isinstance(part, ast.MatchSingleton):
        single = ast.copy_location(ast.Constant(part.value), part)
        return ast.copy_location(ast.Compare(subject, [ast.Is()], [single]), part)
    assert isinstance(part, ast.MatchValue)  # the caller has looked
    return ast.copy_location(ast.Compare(subject, [ast.Eq()], [part.value]), part)
