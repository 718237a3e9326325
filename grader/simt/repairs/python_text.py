"""The statements of a function in Python, by its tree."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from grader.simt.repairs.statements import KernelStatement, Kind, Suite
from grader.text_places import TextPlaces

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class PythonText:
    """A text in Python whose statements can be found by their place."""

    braces = False

    def __init__(self, text: str) -> None:
        self.text = text
        self._tree = ast.parse(text)
        self._places = TextPlaces(text)

    def find_body(self, offset: int) -> Suite | None:
        """Return the body of the innermost function around a place."""
        around = [
            node
            for node in ast.walk(self._tree)
            if isinstance(node, _FUNCTIONS) and self._holds(node, offset)
        ]
        if not around:
            return None
        return self._block(max(around, key=lambda node: node.lineno).body, 0)

    def offset(self, line: int, column: int) -> int:
        """Return where a place is; both from 1."""
        return self._places.offset(line, column)

    def find_subscripts(self, start: int, end: int) -> list[tuple[int, int, str, list[str]]]:
        """Return the accesses `array[i, j]` in a span: start, end, array, and the indices."""
        found = []
        for node in ast.walk(self._tree):
            if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
                continue
            begin, finish = self._places.span(node)
            if not start <= begin < end:
                continue
            index = node.slice
            parts = index.elts if isinstance(index, ast.Tuple) else [index]
            texts = [self.text[slice(*self._places.span(part))] for part in parts]
            found.append((begin, finish, node.value.id, texts))
        return found

    def find_operands(self, offset: int) -> list[tuple[int, int]]:
        """Return where the operands are of what begins at a place, the last one first."""
        found = list[ast.expr]()
        for node in ast.walk(self._tree):
            if isinstance(node, (ast.expr, ast.stmt)) and self._places.span(node)[0] == offset:
                match node:
                    case ast.BinOp(left=left, right=right):
                        found += [right, left]
                    case ast.AugAssign(value=value):
                        found.append(value)
                    case ast.Call(args=given):
                        found += reversed(given)
        return list(dict.fromkeys(map(self._places.span, found)))

    def _holds(self, node: ast.stmt, offset: int) -> bool:
        start, end = self._places.span(node)
        return start <= offset < end

    def _block(self, nodes: Sequence[ast.stmt], line: int) -> Suite:
        """Return statements; `line` is that of the head which they belong to."""
        closed = not nodes or nodes[0].lineno != line
        return Suite(tuple(map(self._statement, nodes)), closed)

    def _statement(self, node: ast.stmt) -> KernelStatement:
        start, end = self._places.span(node)
        match node:
            case ast.If(test=test) | ast.While(test=test):
                head = self._places.span(test)
            case ast.For(target=target, iter=iterated):
                head = self._places.span(target)[0], self._places.span(iterated)[1]
            case ast.With():
                return KernelStatement("other", start, end, (0, 0), (self._block(node.body, 0),))
            case _:
                return KernelStatement(_kind(node), start, end)
        line = node.body[0].lineno if self._is_behind(node.body[0], head) else 0
        blocks = [self._block(node.body, line)]
        if node.orelse:
            blocks.append(self._block(node.orelse, 0))
        kind: Kind = "if" if isinstance(node, ast.If) else "loop"
        return KernelStatement(kind, start, end, head, tuple(blocks))

    def _is_behind(self, node: ast.stmt, head: tuple[int, int]) -> bool:
        """Return True if a statement is in the line in which the head before it ends."""
        return "\n" not in self.text[head[1] : self._places.span(node)[0]]


def _kind(node: ast.stmt) -> Kind:
    return "return" if isinstance(node, ast.Return) else "simple"
