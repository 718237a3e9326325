"""Reads a Python `def`: functions and constants in the forms that are interpreted.

Nothing of the source is executed; `ast.parse` builds the tree, everything else is ours.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from grader.facts import Fact, fact
from grader.layouts.errors import NotUnderstood
from grader.layouts.names import shorten, write
from grader.layouts.python.expressions import place_of
from grader.layouts.python.refused import BUILTINS, REFUSED
from grader.layouts.python.statements import StatementReader
from grader.mistakes import parse_python


@dataclass(frozen=True, eq=False)
class PythonFunction:
    """A `def`.

    Attributes:
        assigned: every name that is given a value in it, parameters included.
        unassigned: the parameters that keep the value that they are called with.
        numbers: the other names whose values cannot be pairs.
    """

    node: ast.FunctionDef
    parameters: tuple[str, ...]
    assigned: frozenset[str]
    unassigned: frozenset[str]
    numbers: frozenset[str]


@dataclass(frozen=True, eq=False)
class PythonProgram:
    """Functions by name, the one to evaluate, and constants assigned beside them, in order."""

    entry: PythonFunction
    functions: Mapping[str, PythonFunction]
    constants: tuple[tuple[str, ast.expr], ...]
    lines: tuple[str, ...]

    def place(self, node: ast.AST) -> tuple[int, int]:
        """Return line and column of a node, both from 1, in characters."""
        return place_of(node, self.lines)


def read_python(
    source: str, parameters: tuple[str, ...], constants: Collection[str]
) -> PythonProgram:
    """Read the program of a source that is short and holds no NUL.

    Args:
        source: one or several `def`; the entry is `index`, or the only one.
        parameters: what the entry takes, by place; used in messages and for their number.
        constants: names the caller gives values to.

    Raises:
        NotUnderstood: with line, column and what to write instead.
    """
    return _ModuleReader(tuple(source.split("\n")), constants).program(
        parse_python(source, NotUnderstood), parameters
    )


class _ModuleReader(StatementReader):
    """Reads a module."""

    def program(self, tree: ast.Module, parameters: tuple[str, ...]) -> PythonProgram:
        """Read definitions, constants and a docstring."""
        tree.body = [_as_function(node) for node in tree.body]
        definitions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        functions = {node.name: self._signature(node) for node in definitions}
        for function in functions.values():
            for name in function.parameters:
                self.free_name(function.node, name)
        constants = list(self._constants(tree.body))
        wanted = write(f"def index({', '.join(parameters)}): return …")
        entry = self._entry(functions, wanted)
        if len(entry.parameters) != len(parameters):
            name, count = shorten(entry.node.name), len(entry.parameters)
            what = fact("layout.parameter-count", name=name, n=count)
            raise self.error(entry.node, what, wanted)
        for function in functions.values():
            self.body(function.node.body, function.assigned)
        return PythonProgram(entry, functions, tuple(constants), self.lines)

    def _entry(self, functions: Mapping[str, PythonFunction], wanted: Fact) -> PythonFunction:
        if not functions:
            raise NotUnderstood(fact("layout.no-function"), 1, 1, wanted)
        if "index" not in functions and len(functions) > 1:
            raise NotUnderstood(fact("layout.no-index-function"), 1, 1, wanted)
        return functions.get("index") or next(iter(functions.values()))

    def _signature(self, node: ast.FunctionDef) -> PythonFunction:
        name, args = node.name, node.args
        if name in self.arity or name in BUILTINS or name == "range":
            raise self.error(node, fact("layout.defined-twice", name=shorten(name)))
        if node.decorator_list:
            what, instead = fact("layout.no-decorators"), fact("layout.leave-out")
            raise self.error(node.decorator_list[0], what, instead)
        parameters = tuple(arg.arg for arg in (*args.posonlyargs, *args.args))
        if args.vararg or args.kwarg or args.kwonlyargs or args.defaults:
            plain = write(f"def {shorten(name)}({', '.join(parameters)}): …")
            raise self.error(node, fact("layout.plain-parameters"), plain)
        self.arity[name] = len(parameters)
        parts = list(ast.walk(node))
        stored, own = frozenset(_list_assigned(parts)), frozenset(parameters)
        numbers = stored - own - frozenset(_list_pairs(parts))
        return PythonFunction(node, parameters, own | stored, own - stored, numbers)

    def _constants(self, body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
        """Yield what is assigned beside the functions."""
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
                    raise self.unavailable_form(value)
                case _ if type(node) in REFUSED:
                    raise self.unavailable_form(node)
                case _:
                    raise self.error(node, fact("layout.outside-function"))

    def _constant(self, node: ast.stmt, name: str, value: ast.expr) -> None:
        self.free_name(node, name)
        for part in ast.walk(value):
            if isinstance(part, ast.Call) and getattr(part.func, "id", "") in self.arity:
                # It could read constants that have no value yet.
                raise self.error(part, fact("layout.constant-calls"))
        self.expressions(value)
        self.known.add(name)


def _as_function(node: ast.stmt) -> ast.stmt:
    """Turn `lambda row, col: …`, alone or assigned to a name, into the `def` it stands for."""
    match node:
        case ast.Expr(value=ast.Lambda() as written):
            name = "index"
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as written):
            pass
        case _:
            return node
    returned = ast.copy_location(ast.Return(written.body), written.body)
    function = ast.FunctionDef(name, written.args, [returned], [])
    return ast.copy_location(function, node)


def _list_assigned(parts: list[ast.AST]) -> Iterator[str]:
    for node in parts:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _list_pairs(parts: list[ast.AST]) -> Iterator[str]:
    """Yield the names that are assigned what may be a pair."""
    for node in parts:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and not _is_number(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def _is_number(node: ast.expr | None) -> bool:
    """Return True for what can only be a number: its operator takes no pairs and makes none."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("min", "max", "abs", "int")
    return isinstance(node, (ast.Constant, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare))
