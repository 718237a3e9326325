"""Turns a function or a text into a tree: its code, its place, and what its names mean.

Nothing is executed: `ast.parse` builds the tree. A function object only lends its source, its
globals and its closure. What the default of an inner function reads of the function around it
(`f = lambda x, p=n: x * p`) is kept in a variable of its own, as it is where `f` is defined.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Any, NamedTuple, TypeVar

from grader.facts import Fact, fact
from grader.mistakes import parse_python
from grader.simt.errors import Refused
from grader.simt.numba.reading.matching import replace_matches
from grader.simt.numba.reading.paths import MLIR
from grader.simt.numba.reading.scopes import INNER, find_bound, walk_scope
from grader.simt.program.types import Scalar

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
        for suite in ("body", "orelse"):
            body = getattr(node, suite, None)
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


GENERATED: dict[CodeType, list[str]] = {}
"""Lines of text, by the code compiled from it, which has no file; a script's runner adds to it."""
_LAMBDA = "<lambda>"


class ExplicitSignature(NamedTuple):
    """A signature that the source gives."""

    result: Scalar | None
    operands: tuple[Scalar | None, ...]


@dataclass(frozen=True, eq=False)
class Function:
    """A `def`.

    Attributes:
        lines: of the file or text it stands in.
        first: line that the tree's line 1 is, less one.
        indent: columns that were taken off its lines.
        debug: whether what it raises is looked at.
        fastmath: whether a division by zero raises nothing even so.
        qualified: Python's `__qualname__`: `make.<locals>.kernel`; "" if it is not known.
        for_mlir: True if numba-cuda-mlir is imported, which has names that numba-cuda lacks.
        signatures: those that a device function was compiled for: result and parameters, None for
            what is not converted.
        compiled: what it became, by the types of its arguments. Kept here since that refers to the
            function: kept elsewhere, neither would ever go.
    """

    node: ast.FunctionDef
    names: Mapping[str, Any]
    lines: tuple[str, ...] = field(repr=False)
    first: int = 0
    indent: int = 0
    path: str = ""
    debug: bool = False
    fastmath: bool = False
    signatures: tuple[ExplicitSignature, ...] = ()
    qualified: str = ""
    for_mlir: bool = False
    compiled: dict[Any, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.node.name

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters, by position; that of `*rest` is the last."""
        args = self.node.args
        rest = () if args.vararg is None else (args.vararg,)
        return tuple(arg.arg for arg in (*args.posonlyargs, *args.args, *rest))

    @property
    def start(self) -> tuple[int, int]:
        """The line and column of its `def`."""
        return self.place(self.node)

    def place(self, node: ast.AST) -> tuple[int, int]:
        """Return the line and column of a node, both from 1; the tree counts columns in bytes."""
        line = getattr(node, "lineno", 1) + self.first
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        offset = getattr(node, "col_offset", 0) + self.indent
        before = text.encode(errors="replace")[:offset]
        return line, len(before.decode(errors="ignore")) + 1

    def text(self, line: int) -> str:
        """Return a line of the source, without the space around it."""
        return self.lines[line - 1].strip() if 0 < line <= len(self.lines) else ""

    def refusal(self, node: ast.AST, what: Fact, instead: Fact | None = None) -> Refused:
        """Make an error at a node."""
        return Refused(what, *self.place(node), instead, self.path)


def _find_source(plain: Any) -> tuple[list[str], int]:
    """Return the lines of the file or text of a function, and its place in them."""
    code = plain.__code__
    if code in GENERATED:
        return GENERATED[code], code.co_firstlineno - 1
    return inspect.findsource(plain)


def _definition(block: list[str], start: int, path: str) -> ast.FunctionDef:
    tree = parse_python(textwrap.dedent("".join(block)), Refused, start)
    node = tree.body[0] if tree.body else None
    if not isinstance(node, ast.FunctionDef):
        instead = fact("advice.write", code="def kernel(…):")
        raise Refused(fact("simt.not-a-function"), start + 1, 1, instead, path)
    return keep_defaults(replace_matches(node))


def _lambda(code: CodeType, lines: list[str]) -> ast.FunctionDef:
    """Return a lambda as a `def`; of several in a line, the one at the code's columns."""
    places = {(line, column) for line, _, column, _ in code.co_positions()}
    for node in ast.walk(parse_python("".join(lines), Refused)):
        if not isinstance(node, ast.Lambda) or node.lineno != code.co_firstlineno:
            continue
        first = node.body
        if (first.lineno, first.col_offset) in places:
            return lambda_definition(node)
    raise Refused(fact("simt.lambda-not-found"), code.co_firstlineno)


def lambda_definition(node: ast.Lambda) -> ast.FunctionDef:
    """Return a lambda as a `def`."""
    result = ast.copy_location(ast.Return(node.body), node.body)
    return ast.copy_location(ast.FunctionDef(_LAMBDA, node.args, [result], []), node)


def of_function(function: Callable[..., Any]) -> Function:
    """Read the tree of a Python function, or of one that Numba decorated (`.py_func`).

    Raises:
        Refused: its source is not available, or it is not a `def`.
    """
    plain = getattr(function, "py_func", function)
    try:
        lines, start = _find_source(plain)
        block = [] if plain.__name__ == _LAMBDA else inspect.getblock(lines[start:])
    except (AttributeError, OSError, TypeError):
        name = getattr(plain, "__name__", type(plain).__name__)
        raise Refused(fact("simt.no-source", name=name)) from None
    if not block:
        node, start, indent = _lambda(plain.__code__, lines), 0, 0
    else:
        node = _definition(block, start, plain.__code__.co_filename)
        indent = len(block[0]) - len(block[0].lstrip())
    names = dict(plain.__globals__)
    cells = plain.__closure__ or ()
    for name, cell in zip(plain.__code__.co_freevars, cells, strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:  # not assigned yet: an unknown name, like any other
            names.pop(name, None)
    path = plain.__code__.co_filename
    all_lines = tuple(line.rstrip("\n") for line in lines)
    debug, fastmath = (bool(getattr(function, option, False)) for option in ("debug", "fastmath"))
    signatures = tuple(getattr(function, "explicit", ()))
    return Function(
        *(node, names, all_lines, start, indent, path, debug, fastmath, signatures),
        qualified=plain.__qualname__,
        for_mlir=MLIR in sys.modules,
    )
