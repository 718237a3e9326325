"""Checks that Python statements are of the few forms that are interpreted, or says where not."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from typing import Any

from grader.layouts.errors import NotUnderstood
from grader.layouts.python_expressions import DEEPEST, ExpressionReader
from grader.layouts.python_refused import CALLABLE, REFUSED, shortened

_RANGE = (1, 3)
_COUNT = "write for i in range(n):"


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
                raise self.refused(node, "nested too deeply", "use a helper function, fewer elif")
            form = self._statements.get(type(node))
            if form is None:
                raise self.unavailable(node)
            form(node)
        self.depth -= 1

    def _assign(self, node: ast.Assign) -> None:
        for target in node.targets:
            self._target(target)
        self.expressions(node.value)

    def _assign_annotated(self, node: ast.AnnAssign) -> None:
        """The annotation is not looked at: nothing of it would be computed."""
        self._target(node.target)
        if node.value is None:
            raise self.refused(node, "this assigns nothing", "write name = value")
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
                raise self.refused(target, "only names can be assigned", "write name = value")

    def _return(self, node: ast.Return) -> None:
        # A return of nothing is found when an element comes to it: it may be unreachable.
        if not (node.value is None or is_none(node.value)):
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
            raise self.refused(node.target, "a loop counts one name", _COUNT)
        self._target(node.target)
        match node.iter:
            case ast.Call(func=ast.Name(id="range")) as call:
                self.arguments(call, "range", *_RANGE)
            case other:
                raise self.refused(other, "loops run over a range", _COUNT)
        self._loop(node)

    def _loop(self, node: ast.For | ast.While) -> None:
        if node.orelse:
            raise self.refused(node.orelse[0], "a loop has no else here", "set a flag, test it")
        self._loops += 1
        self._block(node.body)
        self._loops -= 1

    def _jump(self, node: ast.stmt) -> None:
        if not self._loops:
            raise self.refused(node, "this stands outside a loop", "use return")

    def _inner(self, node: ast.FunctionDef) -> None:
        raise self.refused(node, "a function inside a function", "put it beside index")

    def _text(self, node: ast.Expr) -> None:
        if not (isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)):
            raise self._without_effect(node)

    def _without_effect(self, node: ast.Expr) -> NotUnderstood:
        match node.value:
            case ast.Call(func=ast.Name(id=name)) if name not in self.arity:
                return self.refused(node, f"{shortened(name)} cannot be called", CALLABLE)
            case ast.Call(func=function) if type(function) in REFUSED:
                return self.unavailable(function)
            case value if type(value) in REFUSED:
                return self.unavailable(value)
            case _:
                return self.refused(node, "this line has no effect", "assign it, or return it")


def is_none(node: ast.expr) -> bool:
    """Whether it is the constant None."""
    return isinstance(node, ast.Constant) and node.value is None
