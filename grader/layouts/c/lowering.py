"""Lowers a C program to the typed program, where every conversion of C is a node.

A program has no loops and calls no function of its own: its bindings are one step, its indices what
it returns. What may fault is a `Perform`; all other arithmetic is the machine's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from grader.layouts.arithmetic import Array
from grader.layouts.c import arithmetic
from grader.layouts.c.nodes import (
    Binary,
    Call,
    Cast,
    Conditional,
    CProgram,
    GuardedName,
    IntegerLiteral,
    Name,
    Node,
    SourcePlace,
    Unary,
)
from grader.layouts.c.types import INT, LONG, ULONG, UNSIGNED, CType, CValue
from grader.layouts.errors import BoolArray
from grader.layouts.lowered import perform
from grader.simt.checks.counters import Site
from grader.simt.intrinsics.bits import brev, popc
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression
from grader.simt.program.types import BOOL, INT64, UINT64, Tuple

_TYPES = {ctype.dtype: ctype for ctype in (INT, UNSIGNED, LONG, ULONG)}
_COMPARE = frozenset(("==", "!=", "<", "<=", ">", ">="))
_BITS = frozenset(("&", "|", "^"))
_PICK = {"min": np.minimum, "max": np.maximum}


def lower_c(program: CProgram, names: Mapping[str, CValue], rounded: BoolArray) -> nodes.Function:
    """Lower a program to a function of the names that it uses, which returns its indices as int64.

    Args:
        program: as it was read.
        names: all that have a value; only their types matter.
        rounded: (1, threads): becomes True where a `/` or `%` differs from Python's, which rounds
            down.
    """
    lowering = _Lowering(names, rounded)
    bindings = tuple(lowering.bind(name, value) for name, value in program.bindings)
    indices = tuple(map(lowering.index, program.indices))
    kind = Tuple((INT64,) * len(indices))
    site = _site(program.indices[0].place)
    body = nodes.Step(site, bindings), nodes.Return(site, nodes.Pack(kind, indices))
    return nodes.Function("index", tuple(lowering.used), kind, body)


class _Lowering:
    """One program.

    Attributes:
        used: the names of the caller that it uses.
    """

    def __init__(self, names: Mapping[str, CValue], rounded: BoolArray) -> None:
        self._names = names
        self._bound: dict[str, Any] = {}
        self._rounded = rounded
        self.used: dict[str, None] = {}
        self._forms: dict[type[Node], Callable[[Any], Expression]] = {
            Name: self._name,
            GuardedName: self._guarded,
            IntegerLiteral: self._literal,
            Binary: self._binary,
            Unary: self._unary,
            Conditional: self._conditional,
            Cast: self._cast,
            Call: self._call,
        }

    def bind(self, name: str, node: Node) -> nodes.Set:
        """Compute `node` once and keep it as `name`: a truth value without its type of C."""
        value = self._value(node)
        value = _test(value) or value
        self._bound[name] = value.type
        return nodes.Set(name, value)

    def index(self, node: Node) -> Expression:
        """Lower an index, which must be within the range of int64."""
        value = self._value(node)
        if _ctype(value) is ULONG:
            site = _site(node.place)
            return perform(INT64, "reach", arithmetic.check_reach, (value,), site)
        return _convert(value, LONG)

    def _value(self, node: Node) -> Expression:
        return self._forms[type(node)](node)

    def _name(self, node: Name) -> Expression:
        return self._read(node.name)

    def _guarded(self, node: GuardedName) -> Expression:
        check, value = partial(arithmetic.check_assigned, node.what), self._read(node.name)
        operands = self._read(node.flag), value
        return perform(value.type, node.name, check, operands, _site(node.place))

    def _literal(self, node: IntegerLiteral) -> Expression:
        return _number(node.type, node.value)

    def _binary(self, node: Binary) -> Expression:
        if node.operator in ("&&", "||"):
            both = self._truth(node.left), self._truth(node.right)
            return _integer(nodes.Logical(BOOL, both, conjunction=node.operator == "&&"))
        left, right = self._value(node.left), self._value(node.right)
        return self._operate(node.place, node.operator, left, right)

    def _conditional(self, node: Conditional) -> Expression:
        holds, yes, no = self._truth(node.test), self._value(node.yes), self._value(node.no)
        ctype = _common(yes, no)
        return nodes.Choose(ctype.dtype, holds, _convert(yes, ctype), _convert(no, ctype))

    def _cast(self, node: Cast) -> Expression:
        return _convert(self._value(node.operand), node.type)

    def _call(self, node: Call) -> Expression:
        return _call(node.place, node.name, tuple(map(self._value, node.arguments)))

    def _read(self, name: str) -> Expression:
        kind = self._bound.get(name)
        if kind is None:
            self.used[name] = None
            kind = self._names[name].type.dtype
        value = nodes.Read(kind, name)
        return _integer(value) if kind == BOOL else value

    def _truth(self, node: Node) -> Expression:
        """Lower a test: what is not 0 holds."""
        value = self._value(node)
        return _test(value) or nodes.Operate(BOOL, "!=", (value, _number(_ctype(value), 0)))

    def _unary(self, node: Unary) -> Expression:
        if node.operator == "!":
            return _integer(nodes.Apply(BOOL, "!", np.logical_not, (self._truth(node.operand),)))
        value = self._value(node.operand)
        match node.operator:
            case "-":
                return self._operate(node.place, "-", _number(_ctype(value), 0), value)
            case "~":
                return nodes.Operate(value.type, "~", (value,))
            case _:
                return value

    def _operate(
        self, place: SourcePlace, operator: str, left: Expression, right: Expression
    ) -> Expression:
        """Lower any operator but `&&` and `||`."""
        site = _site(place)
        if operator in ("<<", ">>"):
            run = partial(arithmetic.shift, _ctype(left), operator)
            return perform(left.type, operator, run, (left, right), site)
        ctype = _common(left, right)
        operands = _convert(left, ctype), _convert(right, ctype)
        kind = operands[0].type
        if operator in _COMPARE:
            return _integer(nodes.Operate(BOOL, operator, operands))
        if ctype.signed and operator not in _BITS:
            return perform(kind, operator, self._signed(ctype, operator), operands, site)
        if operator in ("/", "%"):
            run = partial(arithmetic.divide_unsigned, operator)
            return perform(kind, operator, run, operands, site)
        return nodes.Operate(kind, operator, operands)

    def _signed(self, ctype: CType, operator: str) -> partial[Array]:
        run = partial(arithmetic.compute_signed, ctype, operator)
        if operator not in ("/", "%"):
            return run
        return partial(_note_rounding, self._rounded, run)


def _note_rounding(
    rounded: BoolArray, run: partial[Array], left: Array, right: Array, active: BoolArray
) -> Array:
    rounded |= active & arithmetic.is_rounded_up(left, right)
    return run(left, right, active)


def _call(place: SourcePlace, name: str, given: tuple[Expression, ...]) -> Expression:
    """Lower a call of a CUDA function: min, max, abs, `__brev`, `__popc`."""
    if name in _PICK:
        ctype = _common(*given)
        operands = tuple(_convert(value, ctype) for value in given)
        return nodes.Apply(operands[0].type, name, _PICK[name], operands)
    (value,) = given
    if name == "abs":
        ctype = {UNSIGNED: INT, ULONG: LONG}.get(_ctype(value), _ctype(value))
        value, run = _convert(value, ctype), partial(arithmetic.absolute, ctype)
        return perform(value.type, name, run, (value,), _site(place))
    value = _convert(value, UNSIGNED)
    if name == "__popc":
        return nodes.Convert(INT.dtype, nodes.Apply(UINT64, name, popc, (value,)))
    return nodes.Apply(value.type, name, brev, (value,))


def _common(left: Expression, right: Expression) -> CType:
    """Return the type of higher rank: int with unsigned is unsigned."""
    return max(_ctype(left), _ctype(right), key=lambda ctype: ctype.rank)


def _convert(value: Expression, ctype: CType) -> Expression:
    """Convert as C does: modulo the size."""
    return value if value.type == ctype.dtype else nodes.Convert(ctype.dtype, value)


def _integer(test: Expression) -> Expression:
    """Make a truth value of type int."""
    return nodes.Convert(INT.dtype, test)


def _test(value: Expression) -> Expression | None:
    """Return what a truth value of type int was made of; None for another value."""
    if isinstance(value, nodes.Convert) and value.operand.type == BOOL:
        return value.operand
    return None


def _number(ctype: CType, number: int) -> Expression:
    return nodes.Number(ctype.dtype, number)


def _ctype(value: Expression) -> CType:
    assert isinstance(value.type, np.dtype)
    return _TYPES[value.type]


def _site(place: SourcePlace) -> Site:
    return Site(0, *place)
