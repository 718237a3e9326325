"""Checks that Python expressions have one of the few forms that are interpreted."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from typing import Any

from grader.facts import Fact, fact
from grader.layouts.arithmetic import LARGEST
from grader.layouts.errors import NAME_PARTS, NotUnderstood
from grader.layouts.names import (
    argument_count,
    not_callable,
    shorten,
    suggest,
    unavailable,
    unknown_name,
    write,
)
from grader.layouts.python.refused import AVAILABLE, BUILTINS, CALLABLE, NO_TEXT, REFUSED
from grader.operators import BINARY, COMPARE

DEEPEST = 60
"""A level takes some three frames: even inside a call or two, below Python's limit of 1,000."""

_ON_EVERY_PATH = fact("layout.element-on-every-path")


def place_of(node: ast.AST, lines: tuple[str, ...]) -> tuple[int, int]:
    """Return line and column of a node, from 1, in characters; the tree counts bytes."""
    line = getattr(node, "lineno", 1)
    text = lines[line - 1] if line <= len(lines) else ""
    if text.isascii():
        return line, getattr(node, "col_offset", 0) + 1
    before = text.encode(errors="replace")[: getattr(node, "col_offset", 0)]
    return line, len(before.decode(errors="ignore")) + 1


class ExpressionReader:
    """Walks expressions, top down.

    Attributes:
        known: names with a value everywhere.
        local: names with a value in the function that is being read.
        arity: the number of arguments of each function in the source.
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
            ast.Subscript: self._item,
        }

    def error(self, node: ast.AST, what: Fact, instead: Fact | None = None) -> NotUnderstood:
        """Make an error at a node."""
        return NotUnderstood(what, *place_of(node, self.lines), instead)

    def unavailable_form(self, form: ast.AST, at: ast.AST | None = None) -> NotUnderstood:
        """Make the error for a form; an operator, which has no place of its own, is at `at`."""
        unknown = unavailable(type(form).__name__), AVAILABLE
        return self.error(at or form, *REFUSED.get(type(form), unknown))

    def expressions(self, *nodes: ast.expr) -> None:
        """Refuse what is not available in expressions."""
        for node in nodes:
            form = self._forms.get(type(node))
            if form is None:
                raise self.unavailable_form(node)
            self.depth += 1
            if self.depth > DEEPEST:
                raise self.error(node, fact("source.nested-too-deeply"), NAME_PARTS)
            form(node)
            self.depth -= 1

    def operator(self, op: ast.operator, node: ast.AST) -> None:
        """Refuse an operator that is not available."""
        if type(op) not in BINARY:
            raise self.unavailable_form(op, node)

    def free_name(self, node: ast.AST, name: str) -> None:
        """Refuse to give a function's name to something else."""
        if name in BUILTINS or name == "range" or name in self.arity:
            raise self.error(node, fact("layout.reserved-name", name=name))

    def arguments(self, node: ast.Call, name: str, least: int, most: int) -> None:
        """Refuse a call with the wrong number of arguments, or with named ones."""
        if node.keywords:
            raise self.error(node, fact("layout.named-arguments"), write(f"{name}(a, …)"))
        if not least <= len(node.args) <= most:
            raise self.error(node, _argument_count(name, least, most, len(node.args)))
        self.expressions(*node.args)

    def _binary(self, node: ast.BinOp) -> None:
        self.operator(node.op, node)
        self.expressions(node.left, node.right)

    def _comparison(self, node: ast.Compare) -> None:
        for op in node.ops:
            if type(op) not in COMPARE:
                raise self.unavailable_form(op, node)
        self.expressions(node.left, *node.comparators)

    def _literal(self, node: ast.Constant) -> None:
        match node.value:
            case bool() | float():
                pass
            case int() as value if abs(value) > LARGEST:
                raise self.error(node, fact("layout.beyond-62-bits"))
            case int():
                pass
            case None:
                raise self.error(node, fact("layout.none"), _ON_EVERY_PATH)
            case str() | bytes():
                raise self.error(node, NO_TEXT)
            case _:
                raise self.error(node, fact("layout.not-an-integer"), AVAILABLE)

    def _name(self, node: ast.Name) -> None:
        name = node.id
        if name in self.local or name in self.known:
            return
        if name in self.arity or name in BUILTINS:
            raise self.error(node, fact("layout.function-as-value", name=shorten(name)))
        raise self.error(node, unknown_name(name), suggest(name, sorted(self.local | self.known)))

    def _tuple(self, node: ast.Tuple) -> None:
        if not node.elts:
            raise self.error(node, fact("layout.not-a-pair"), write("return row, col"))
        self.expressions(*node.elts)

    def _item(self, node: ast.Subscript) -> None:
        """Check an item of a tuple: a table of the source, not an array or a part of one."""
        if isinstance(node.value, ast.Name) and node.value.id not in self.local | self.known:
            raise self.unavailable_form(node)
        if isinstance(node.slice, (ast.Slice, ast.Tuple)):
            raise self.unavailable_form(node)
        self.expressions(node.value, node.slice)

    def _call(self, node: ast.Call) -> None:
        match node.func:
            case ast.Name(id="range"):
                raise self.error(
                    node, fact("layout.range-outside-for"), write("for i in range(n):")
                )
            case ast.Name(id=name) if name in self.arity and name not in self.local:
                self.arguments(node, name, self.arity[name], self.arity[name])
            case ast.Name(id=name) if name in BUILTINS and name not in self.local:
                self.arguments(node, name, *BUILTINS[name])
            case ast.Name(id=name):
                raise self.error(node, not_callable(name), CALLABLE)
            case other if type(other) in REFUSED:
                raise self.unavailable_form(other)
            case _:
                raise self.error(node, fact("layout.call-by-name"), CALLABLE)


def _argument_count(name: str, least: int, most: int, given: int) -> Fact:
    """State that a call has too few or too many arguments."""
    if least == most:
        return argument_count(name, least, given)
    return fact("layout.argument-range", name=name, least=least, most=most, given=given)
