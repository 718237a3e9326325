"""Checks that Python expressions are of the few forms that are interpreted, or says where not."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from typing import Any

from grader.layouts.arithmetic import LARGEST
from grader.layouts.errors import NotUnderstood
from grader.layouts.python_refused import (
    AVAILABLE,
    BUILTINS,
    CALLABLE,
    REFUSED,
    shortened,
    suggestion,
)

DEEPEST = 60
"""Some three frames of ours a level: within Python's own limit of 1,000, inside a call or two."""

_OPERATORS = (
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift),
    *(ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor),
)
_COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)


def place_of(node: ast.AST, lines: tuple[str, ...]) -> tuple[int, int]:
    """Line and column of a node, from 1; the tree counts columns in bytes, we in characters."""
    line = getattr(node, "lineno", 1)
    text = lines[line - 1] if line <= len(lines) else ""
    before = text.encode(errors="replace")[: getattr(node, "col_offset", 0)]
    return line, len(before.decode(errors="ignore")) + 1


class ExpressionReader:
    """Walks expressions, top down.

    Attributes:
        known: names with a value everywhere.
        local: names with a value in the function that is being read.
        arity: how many arguments each of the person's functions takes.
    """

    def __init__(self, lines: tuple[str, ...], known: Collection[str]) -> None:
        self.lines = lines
        self.known = set(known)
        self.local: frozenset[str] = frozenset()
        self.arity: dict[str, int] = {}
        self.depth = 0
        self._forms: dict[type[ast.expr], Callable[[Any], None]] = {
            ast.Constant: self._literal,
            ast.Name: self._name,
            ast.BinOp: self._binary,
            ast.UnaryOp: lambda node: self.expressions(node.operand),
            ast.BoolOp: lambda node: self.expressions(*node.values),
            ast.Compare: self._comparison,
            ast.IfExp: lambda node: self.expressions(node.test, node.body, node.orelse),
            ast.Call: self._call,
            ast.Tuple: self._tuple,
        }

    def refused(self, node: ast.AST, what: str, instead: str = "") -> NotUnderstood:
        """An error at a node."""
        return NotUnderstood(what, *place_of(node, self.lines), instead)

    def unavailable(self, form: ast.AST, at: ast.AST | None = None) -> NotUnderstood:
        """The error for a form; operators have no place of their own, `at` has."""
        unknown = f"{type(form).__name__} is not available", AVAILABLE
        return self.refused(at or form, *REFUSED.get(type(form), unknown))

    def expressions(self, *nodes: ast.expr) -> None:
        """Refuse what is not available in them."""
        for node in nodes:
            form = self._forms.get(type(node))
            if form is None:
                raise self.unavailable(node)
            self.depth += 1
            if self.depth > DEEPEST:
                raise self.refused(node, "nested too deeply", "name parts of it")
            form(node)
            self.depth -= 1

    def operator(self, op: ast.operator, node: ast.AST) -> None:
        """Refuse an operator that is not available."""
        if not isinstance(op, _OPERATORS):
            raise self.unavailable(op, node)

    def free_name(self, node: ast.AST, name: str) -> None:
        """Refuse to give a function's name to something else."""
        if name in BUILTINS or name == "range" or name in self.arity:
            raise self.refused(node, f"{name} is a function here", "take another name")

    def arguments(self, node: ast.Call, name: str, least: int, most: int) -> None:
        """Refuse a call with the wrong number of arguments, or with named ones."""
        if node.keywords:
            raise self.refused(node, "arguments have no names here", f"write {name}(a, …)")
        if not least <= len(node.args) <= most:
            takes = str(least) if least == most else f"{least} to {most}"
            raise self.refused(node, f"{name} takes {takes} arguments, not {len(node.args)}")
        self.expressions(*node.args)

    def _binary(self, node: ast.BinOp) -> None:
        self.operator(node.op, node)
        self.expressions(node.left, node.right)

    def _comparison(self, node: ast.Compare) -> None:
        for op in node.ops:
            if not isinstance(op, _COMPARISONS):
                raise self.unavailable(op, node)
        self.expressions(node.left, *node.comparators)

    def _literal(self, node: ast.Constant) -> None:
        match node.value:
            case bool() | float():
                pass
            case int() as value if abs(value) > LARGEST:
                raise self.refused(node, "the number is beyond 2^62", "stay within 62 bits")
            case int():
                pass
            case None:
                raise self.refused(node, "None is no number", "give an element on every path")
            case str() | bytes():
                raise self.refused(node, *REFUSED[ast.JoinedStr])
            case _:
                raise self.refused(node, "this is no whole number", AVAILABLE)

    def _name(self, node: ast.Name) -> None:
        name = node.id
        if name in self.local or name in self.known:
            return
        if name in self.arity or name in BUILTINS:
            raise self.refused(node, f"{name} is a function", f"call it: {name}(…)")
        instead = suggestion(name, sorted(self.local | self.known))
        raise self.refused(node, f"the name {shortened(name)} is not known", instead)

    def _tuple(self, node: ast.Tuple) -> None:
        if not node.elts or any(isinstance(element, ast.Tuple) for element in node.elts):
            raise self.refused(node, "this is no pair of numbers", "write return row, col")
        self.expressions(*node.elts)

    def _call(self, node: ast.Call) -> None:
        match node.func:
            case ast.Name(id="range"):
                raise self.refused(node, "range stands in a for only", "write for i in range(n):")
            case ast.Name(id=name) if name in self.arity and name not in self.local:
                self.arguments(node, name, self.arity[name], self.arity[name])
            case ast.Name(id=name) if name in BUILTINS and name not in self.local:
                self.arguments(node, name, *BUILTINS[name])
            case ast.Name(id=name):
                raise self.refused(node, f"{shortened(name)} cannot be called", CALLABLE)
            case other if type(other) in REFUSED:
                raise self.unavailable(other)
            case _:
                raise self.refused(node, "a function is called by its name", CALLABLE)
