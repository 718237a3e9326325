"""Lowers Python expressions to the typed program. What a value is, only the run tells: `Dynamic`.

An operation that may fault is a `Perform`, also one that joins what two paths gave.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from grader.layouts import arithmetic
from grader.layouts.lowered import perform
from grader.layouts.python import values
from grader.layouts.python.source import PythonFunction, PythonProgram
from grader.simt.checks.counters import Site
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression
from grader.simt.program.types import BOOL, FLOAT64, INT64, Dynamic, Type

VALUE = Dynamic("value")
"""A number or a pair."""
NUMBER = Dynamic("number")
VARIABLE = Dynamic("variable")
DEPTH = Dynamic("depth")
LANES = Dynamic("lanes")

_LITERALS = {bool: BOOL, int: INT64, float: FLOAT64}
_BUILTINS: dict[str, tuple[Dynamic, Callable[..., Any]]] = {
    "min": (NUMBER, values.least),
    "max": (NUMBER, values.greatest),
    "divmod": (VALUE, arithmetic.divide_with_rest),
    "int": (NUMBER, arithmetic.truncate),
}


class ExpressionLowering:
    """Lowers the expressions of one program, function by function.

    Attributes:
        function: the function whose expressions are lowered; None for constants beside them.
        constants: the names with a value in every function.
        plain: the parameters of the function that are never assigned, by type; they hold a value,
            all other variables a `Variable`.
        assigned: variables that all elements which get here have given a value.
    """

    def __init__(self, program: PythonProgram, constants: Mapping[str, int]) -> None:
        self.program = program
        self.constants: dict[str, Expression] = {
            name: nodes.Number(INT64, number) for name, number in constants.items()
        }
        self.function: PythonFunction | None = None
        self.plain: Mapping[str, Type] = {}
        self.assigned: frozenset[str] = frozenset()
        self._temporaries = 0
        self._called: dict[str, nodes.Function] = {}
        self._expressions: dict[type[ast.expr], Callable[[Any], Expression]] = {
            ast.Constant: self._literal,
            ast.Name: self._name,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.BoolOp: self._logical,
            ast.Compare: self._comparison,
            ast.IfExp: self._conditional,
            ast.Tuple: self._tuple,
            ast.Subscript: self._item,
            ast.Call: self._call,
        }

    def site(self, node: ast.AST) -> Site:
        """Return the place of a node."""
        return Site(0, *self.program.place(node))

    def temporary(self) -> str:
        """Return the name of a new temporary."""
        self._temporaries += 1
        return f"%{self._temporaries}"

    def value(self, node: ast.expr) -> Expression:
        """Lower an expression."""
        return self._expressions[type(node)](node)

    def number(self, node: ast.expr) -> Expression:
        """Lower an expression that must be one number, not a pair."""
        value = self.value(node)
        if value.type == NUMBER or isinstance(value.type, np.dtype):
            return value
        return perform(NUMBER, "number", values.one_number, (value,), self.site(node))

    def integer(self, node: ast.expr) -> Expression:
        """Lower an expression that must be an integer."""
        value = self.value(node)
        if value.type == INT64:
            return value
        return perform(INT64, "integer", values.one_integer, (value,), self.site(node))

    def test(self, node: ast.expr) -> Expression:
        """Lower an expression that decides."""
        return _truth(self.number(node))

    def callee(self, name: str) -> nodes.Function:
        """Return a function of the program, whose body may be lowered later."""
        function = self._called.get(name)
        if function is None:
            parameters = self.program.functions[name].parameters
            function = nodes.Function(name, ("%depth", *parameters), VALUE)
            self._called[name] = function
        return function

    def called(self) -> list[nodes.Function]:
        """Return the functions that were called so far."""
        return list(self._called.values())

    def _literal(self, node: ast.Constant) -> Expression:
        return nodes.Number(_LITERALS[type(node.value)], node.value)

    def _name(self, node: ast.Name) -> Expression:
        name = node.id
        if self.function is None or name not in self.function.assigned:
            return self.constants[name]
        if name in self.plain:
            return nodes.Read(self.plain[name], name)
        kind = NUMBER if name in self.function.numbers else VALUE
        if name in self.assigned:
            return nodes.Part(kind, nodes.Read(VARIABLE, name), 0)
        operands = nodes.Read(VARIABLE, name), entry_lanes()
        return perform(kind, "get", partial(values.take, name), operands, self.site(node))

    def operate(
        self, op: ast.operator, left: Expression, right: Expression, site: Site
    ) -> Expression:
        """Lower `left op right` of two numbers."""
        name, run = type(op).__name__, partial(arithmetic.binary, type(op))
        return perform(NUMBER, name, run, (left, right), site)

    def _binary(self, node: ast.BinOp) -> Expression:
        left, right = self.number(node.left), self.number(node.right)
        return self.operate(node.op, left, right, self.site(node))

    def _unary(self, node: ast.UnaryOp) -> Expression:
        value = self.number(node.operand)
        match node.op:
            case ast.Not():
                return nodes.Apply(BOOL, "not", values.is_false, (value,))
            case ast.USub():
                return nodes.Apply(NUMBER, "neg", arithmetic.negate, (value,))
            case ast.Invert():
                return perform(NUMBER, "~", arithmetic.invert, (value,), self.site(node))
            case _:
                return nodes.Apply(NUMBER, "pos", values.plus, (value,))

    def _logical(self, node: ast.BoolOp) -> Expression:
        """Lower `a and b` to what `b if a else a` is, with `a` computed once."""
        result = self.number(node.values[0])
        for operand in node.values[1:]:
            kept = self.temporary()
            test = _truth(nodes.Keep(result.type, kept, result))
            before, after = nodes.Read(result.type, kept), self.number(operand)
            yes, no = (after, before) if isinstance(node.op, ast.And) else (before, after)
            result = self._choose(NUMBER, test, yes, no, self.site(node))
        return result

    def _choose(
        self, kind: Dynamic, test: Expression, yes: Expression, no: Expression, site: Site
    ) -> Expression:
        return perform(kind, "join", values.join, (nodes.Choose(kind, test, yes, no),), site)

    def _comparison(self, node: ast.Compare) -> Expression:
        """Lower a chain to comparisons that each element makes until one does not hold."""
        links: list[Expression] = []
        left, last = self.number(node.left), len(node.ops) - 1
        for place, (op, operand) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = self.number(operand)
            after = right
            if place < last:
                kept = self.temporary()
                right = nodes.Keep(right.type, kept, right)
                after = nodes.Read(right.type, kept)
            run = partial(arithmetic.compare, type(op))
            links.append(perform(BOOL, type(op).__name__, run, (left, right), self.site(node)))
            left = after
        return links[0] if not last else nodes.Logical(BOOL, tuple(links), conjunction=True)

    def _conditional(self, node: ast.IfExp) -> Expression:
        test, yes, no = self.test(node.test), self.value(node.body), self.value(node.orelse)
        return self._choose(VALUE, test, yes, no, self.site(node))

    def _tuple(self, node: ast.Tuple) -> Expression:
        parts = tuple(map(self.value, node.elts))
        if all(part.type != VALUE for part in parts):
            return nodes.Pack(VALUE, parts)
        return perform(VALUE, "tuple", values.make_tuple, parts, self.site(node))

    def _item(self, node: ast.Subscript) -> Expression:
        operands = self.value(node.value), self.integer(node.slice)
        return nodes.Perform(VALUE, "item", values.take_item, operands, self.site(node))

    def _call(self, node: ast.Call) -> Expression:
        name, site = name_of(node.func), self.site(node)
        if name in self.program.functions:
            return self._call_function(name, node, site)
        arguments = tuple(map(self.number, node.args))
        if name == "abs":
            return nodes.Apply(NUMBER, name, arithmetic.absolute, arguments)
        kind, run = _BUILTINS[name]
        return perform(kind, name, run, arguments, site)

    def _call_function(self, name: str, node: ast.Call, site: Site) -> Expression:
        function = self.program.functions[name]
        depth = nodes.Perform(
            DEPTH, "depth", values.go_deeper, (nodes.Read(DEPTH, "%depth"),), site
        )
        arguments: list[Expression] = [depth]
        for parameter, argument in zip(function.parameters, node.args, strict=True):
            given = self.value(argument)
            if parameter not in function.unassigned:
                given = perform(VARIABLE, "pass", values.LayoutVariable, (given,), site)
            arguments.append(given)
        return nodes.Call(VALUE, self.callee(name), tuple(arguments))


def _truth(number: Expression) -> Expression:
    if number.type == BOOL:
        return number
    return nodes.Apply(BOOL, "truth", arithmetic.truth, (number,))


def entry_lanes() -> Expression:
    """Read the elements that the function was called for."""
    return nodes.Read(LANES, "%entry")


def name_of(node: ast.expr) -> str:
    """Return the name that an expression is; the reader has checked that it is one."""
    if not isinstance(node, ast.Name):  # pragma: no cover
        raise TypeError
    return node.id
