"""Checks that Python statements have one of the few forms that are interpreted."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from typing import Any

from grader.facts import fact
from grader.layouts.errors import NotUnderstood
from grader.layouts.names import not_callable, write
from grader.layouts.python.expressions import DEEPEST, ExpressionReader
from grader.layouts.python.refused import CALLABLE, REFUSED

_RANGE = (1, 3)
_COUNT = write("for i in range(n):")
_ASSIGN = write("name = value")
_TOO_DEEP = fact("source.nested-too-deeply")
_USE_HELPER = fact("layout.use-helper")


class StatementReader(ExpressionReader):
    """Walks the body of a function."""

    def __init__(self, lines: tuple[str, ...], known: Collection[str]) -> None:
        super().__init__(lines, known)
        self._loops = 0
        self._statements: dict[type[ast.stmt], Callable[[Any], None]] = {
            ast.Assign: self._assign,
            ast.AnnAssign: self._assign_annotated,
            ast.AugAssign: self._assign_augmented,
            ast.Return: self._return,
            ast.If: self._if,
            ast.While: self._while,
            ast.For: self._for,
            ast.Break: self._jump,
            ast.Continue: self._jump,
            ast.Pass: lambda _node: None,
            ast.Expr: self._text,
            ast.FunctionDef: self._inner,
        }

    def body(self, statements: list[ast.stmt], local: frozenset[str]) -> None:
        """Refuse what is not available in a function with these local names."""
        self.local, self._loops, self.depth = local, 0, 0
        self._block(statements)

    def _block(self, statements: list[ast.stmt]) -> None:
        self.depth += 1
        for node in statements:
            if self.depth > DEEPEST:
                raise self.error(node, _TOO_DEEP, _USE_HELPER)
            form = self._statements.get(type(node))
            if form is None:
                raise self.unavailable_form(node)
            form(node)
        self.depth -= 1

    def _assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._target(target)
        self.expressions(node.value)

    def _assign_annotated(self, node: ast.AnnAssign) -> None:
        """Check all but the annotation: nothing of it would be computed."""
        self._target(node.target)
        if node.value is None:
            raise self.error(node, fact("layout.assigns-nothing"), _ASSIGN)
        self.expressions(node.value)

    def _assign_augmented(self, node: ast.AugAssign) -> None:
        self._target(node.target)
        self.operator(node.op, node)
        self.expressions(node.value)

    def _target(self, target: ast.expr) -> None:
        match target:
            case ast.Name(id=name):
                self.free_name(target, name)
            case ast.Tuple(elts=elements) if all(isinstance(e, ast.Name) for e in elements):
                for element in elements:
                    self._target(element)
            case _:
                raise self.error(target, fact("layout.only-names-assigned"), _ASSIGN)

    def _return(self, node: ast.Return) -> None:
        # A return without a value is reported when an element reaches it: perhaps none does.
        if node.value is None or is_none(node.value):
            return
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else ()
        if any(isinstance(part, ast.Tuple) for part in parts):
            raise self.error(node.value, fact("layout.not-a-pair"), write("return row, col"))
        self.expressions(node.value)

    def _if(self, node: ast.If) -> None:
        self.expressions(node.test)
        self._block(node.body)
        self._block(node.orelse)

    def _while(self, node: ast.While) -> None:
        self.expressions(node.test)
        self._loop(node)

    def _for(self, node: ast.For) -> None:
        if not isinstance(node.target, ast.Name):
            raise self.error(node.target, fact("layout.loop-counts-one-name"), _COUNT)
        self._target(node.target)
        match node.iter:
            case ast.Call(func=ast.Name(id="range")) as call:
                self.arguments(call, "range", *_RANGE)
            case other:
                raise self.error(other, fact("layout.loop-over-range"), _COUNT)
        self._loop(node)

    def _loop(self, node: ast.For | ast.While) -> None:
        if node.orelse:
            raise self.error(node.orelse[0], fact("layout.loop-else"))
        self._loops += 1
        self._block(node.body)
        self._loops -= 1

    def _jump(self, node: ast.stmt) -> None:
        if not self._loops:
            raise self.error(node, fact("layout.outside-loop"))

    def _inner(self, node: ast.FunctionDef) -> None:
        raise self.error(node, fact("layout.inner-function"))

    def _text(self, node: ast.Expr) -> None:
        if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)):
            raise self._reject_without_effect(node)

    def _reject_without_effect(self, node: ast.Expr) -> NotUnderstood:
        match node.value:
            case ast.Call(func=ast.Name(id=name)) if name not in self.arity:
                return self.error(node, not_callable(name), CALLABLE)
            case ast.Call(func=function) if type(function) in REFUSED:
                return self.unavailable_form(function)
            case value if type(value) in REFUSED:
                return self.unavailable_form(value)
            case _:
                return self.error(node, fact("layout.no-effect"))


def is_none(node: ast.expr) -> bool:
    """Return True for the constant None."""
    return isinstance(node, ast.Constant) and node.value is None
