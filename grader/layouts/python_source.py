"""Reads a Python `def`: functions and constants made of what is interpreted, or where they are not.

Nothing of the source is executed; `ast.parse` builds the tree, everything else is ours.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from grader.layouts.errors import NotUnderstood
from grader.layouts.python_expressions import place_of
from grader.layouts.python_refused import BUILTINS, REFUSED
from grader.layouts.python_statements import StatementReader
from grader.written import python_tree


@dataclass(frozen=True, eq=False)
class Function:
    """A `def`: its body, its parameters in order, and every name that is assigned in it."""

    node: ast.FunctionDef
    parameters: tuple[str, ...]
    assigned: frozenset[str]


@dataclass(frozen=True, eq=False)
class PythonProgram:
    """Functions by name, the one to be evaluated, and constants assigned beside them, in order."""

    entry: Function
    functions: Mapping[str, Function]
    constants: tuple[tuple[str, ast.expr], ...]
    lines: tuple[str, ...]

    def place(self, node: ast.AST) -> tuple[int, int]:
        """Line and column of a node, both from 1, in characters."""
        return place_of(node, self.lines)


def read_python(
    source: str, parameters: tuple[str, ...], constants: Collection[str]
) -> PythonProgram:
    """The program of a source that is short and holds no NUL.

    Args:
        source: one or several `def`; the entry is `index`, or the only one.
        parameters: what the entry takes, by place; used in messages and as the number of them.
        constants: names the caller gives values to.

    Raises:
        NotUnderstood: with line, column and what to write instead.
    """
    return _Reader(tuple(source.split("\n")), constants).program(
        python_tree(source, NotUnderstood), parameters
    )


class _Reader(StatementReader):
    """Reads a module."""

    def program(self, tree: ast.Module, parameters: tuple[str, ...]) -> PythonProgram:
        """Of definitions, constants and a docstring."""
        definitions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        functions = {node.name: self._signature(node) for node in definitions}
        for function in functions.values():
            for name in function.parameters:
                self.free_name(function.node, name)
        constants = list(self._constants(tree.body))
        wanted = f"write def index({', '.join(parameters)}): return …"
        entry = self._entry(functions, wanted)
        if len(entry.parameters) != len(parameters):
            took = f"{entry.node.name} takes {len(entry.parameters)} arguments"
            raise self.refused(entry.node, took, wanted)
        for function in functions.values():
            self.body(function.node.body, function.assigned)
        return PythonProgram(entry, functions, tuple(constants), self.lines)

    def _entry(self, functions: Mapping[str, Function], wanted: str) -> Function:
        if not functions:
            raise NotUnderstood("there is no function", 1, 1, wanted)
        if "index" not in functions and len(functions) > 1:
            raise NotUnderstood("none of the functions is called index", 1, 1, wanted)
        return functions.get("index") or next(iter(functions.values()))

    def _signature(self, node: ast.FunctionDef) -> Function:
        name, args = node.name, node.args
        if name in self.arity or name in BUILTINS or name == "range":
            raise self.refused(node, f"{name} is there already", "give it another name")
        if node.decorator_list:
            raise self.refused(
                node.decorator_list[0], "decorators are not available", "leave it out"
            )
        parameters = tuple(arg.arg for arg in (*args.posonlyargs, *args.args))
        if args.vararg or args.kwarg or args.kwonlyargs or args.defaults:
            plain = f"write def {name}({', '.join(parameters)}): …"
            raise self.refused(node, "parameters are names, without * and defaults", plain)
        self.arity[name] = len(parameters)
        return Function(node, parameters, frozenset({*parameters, *_assigned(node)}))

    def _constants(self, body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
        """What is assigned beside the functions."""
        for node in body:
            match node:
                case ast.FunctionDef() | ast.Pass():
                    pass
                case ast.Expr(value=ast.Constant(value=str())):
                    pass
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._constant(node, name, value)
                    yield name, value
                case ast.Expr(value=value) if type(value) in REFUSED:
                    raise self.unavailable(value)
                case _ if type(node) in REFUSED:
                    raise self.unavailable(node)
                case _:
                    what = "only functions and constants stand beside a function"
                    raise self.refused(node, what, "put it into def index(row, col): …")

    def _constant(self, node: ast.stmt, name: str, value: ast.expr) -> None:
        self.free_name(node, name)
        for part in ast.walk(value):
            if isinstance(part, ast.Call) and getattr(part.func, "id", "") in self.arity:
                # It could see constants that are yet to come.
                raise self.refused(part, "a constant calls no function", "call it in index")
        self.expressions(value)
        self.known.add(name)


def _assigned(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
