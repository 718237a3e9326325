"""Types expressions and makes them ready to be evaluated, or says where they cannot be."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grader.simt import names
from grader.simt.errors import NotTyped, Refused
from grader.simt.intrinsics import INTRINSICS, SPECIAL
from grader.simt.operators import BINARY, UNARY, operand_types
from grader.simt.refused import REFUSED
from grader.simt.specialisation import Specialisation
from grader.simt.typed import (
    Evaluate,
    Frame,
    Typed,
    Value,
    as_type,
    cast,
    constant,
    converted,
    is_value,
    merged,
    zero_of,
)
from grader.simt.types import (
    BOOL,
    Array,
    Conflict,
    Constant,
    Device,
    DType,
    Nothing,
    Opaque,
    Path,
    Scalar,
    Text,
    Tuple,
    Type,
    described,
    joined,
    number,
)
from grader.simt.typing_rules import resolve

_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_LARGEST_FOLDED = 1 << 64
_FORMS: dict[type[ast.expr], str] = {
    ast.Constant: "_literal",
    ast.Name: "_name",
    ast.Attribute: "_attribute",
    ast.Subscript: "element",
    ast.BinOp: "_binary",
    ast.UnaryOp: "_unary",
    ast.Compare: "_comparison",
    ast.BoolOp: "_logical",
    ast.IfExp: "_conditional",
    ast.Call: "_call",
    ast.Tuple: "_tuple",
}
"""Which method makes a form ready."""


class Expressions(Specialisation):
    """Expressions without brackets; `Indexing` adds those."""

    def value(self, node: ast.expr) -> Typed:
        """Any expression.

        Raises:
            Refused: it is not emulated.
            NotTyped: its parts do not fit.
        """
        form = _FORMS.get(type(node))
        if form is None:
            raise self.unavailable(node)
        made: Typed = getattr(self, form)(node)
        return made

    def _tuple(self, node: ast.Tuple) -> Typed:
        return packed([self.value(one) for one in node.elts])

    def element(self, node: ast.Subscript) -> Typed:
        """What stands before brackets, indexed."""
        raise NotImplementedError

    def subscripts(self, node: ast.AST, typed: Sequence[Typed]) -> list[Evaluate]:
        """Whole numbers, and tuples of them, as indices."""
        raise NotImplementedError

    def narrowed(self, node: ast.AST, typed: Typed, dtype: Scalar) -> Evaluate:
        """Cast, with a warning where a whole number does not fit."""
        raise NotImplementedError

    def attribute_of_array(self, node: ast.Attribute, base: Typed, kind: Array) -> Typed:
        """`a.shape` and the like."""
        raise NotImplementedError

    def number(self, node: ast.expr) -> tuple[Typed, Scalar]:
        """An expression that is one number, and its dtype."""
        typed = self.value(node)
        return typed, self.dtype(node, typed.type)

    def dtype(self, node: ast.AST, kind: Type) -> Scalar:
        """Of a number's type.

        Raises:
            NotTyped: it is none.
        """
        dtype = number(kind)
        if dtype is None:
            raise self.not_typed(node, f"{described(kind)} where a number is needed")
        return dtype

    def truth(self, node: ast.expr) -> Evaluate:
        """An expression as a test."""
        typed = self.value(node)
        if isinstance(typed.type, Nothing):
            return cast(constant(value=False), BOOL)
        self.dtype(node, typed.type)
        return cast(typed, BOOL)

    def unavailable(self, node: ast.AST) -> Refused:
        """The error for a form that is not emulated."""
        unknown = f"{type(node).__name__} is not available in a kernel", ""
        return self.refused(node, *REFUSED.get(type(node), unknown))

    def _literal(self, node: ast.Constant) -> Typed:
        match node.value:
            case bool() | float():
                return constant(node.value)
            case int() as whole if abs(whole) < _LARGEST_FOLDED:
                return constant(whole)
            case None:
                return Typed(Nothing())
            case str() as text:
                return Typed(Text(text))
            case _:
                raise self.refused(node, "this is no number that a kernel can use")

    def _name(self, node: ast.Name) -> Typed:
        name = node.id
        if name in self.assigned:
            return self._variable(node)
        try:
            value = names.names_of(self.function.names, name)
            typed = names.meaning(value, name, self.program.function_of)
        except KeyError:
            known = sorted({*self.assigned, *map(str, self.function.names)})
            close = difflib.get_close_matches(name[:40], known, 1)
            instead = f"did you mean {close[0]}?" if close else "assign it, or pass it"
            raise self.refused(node, f"the name {name} is not known", instead) from None
        except LookupError:
            kind = type(names.names_of(self.function.names, name)).__name__
            what = f"{name} is a {kind}, which a kernel cannot use"
            raise self.refused(node, what, "numbers, tuples and arrays can be global") from None
        return self._static(typed)

    def _static(self, typed: Typed) -> Typed:
        """A path that stands for a type, a number or a value of the machine's."""
        if not isinstance(typed.type, Path):
            return typed
        dtype = names.dtype_of(typed.type)
        if dtype is not None:
            return Typed(dtype)
        value = names.number_of(typed.type)
        if value is not None:
            return constant(value)
        special = SPECIAL.get(typed.type.name)
        return special() if special is not None else typed

    def _variable(self, node: ast.Name) -> Typed:
        name = node.id
        if self.env is None:  # nobody comes here
            return constant(0)
        kind = self.env.get(name)
        if kind is None:
            raise self.refused(node, f"{name} has no value yet", "assign it before")
        if isinstance(kind, Conflict):
            what = f"{name} is {described(kind.first)} on one way and {described(kind.second)}"
            raise self.not_typed(node, f"{what} on another", "take a name for each")
        if not is_value(kind):
            return Typed(kind)
        if isinstance(kind, Constant):
            return constant(kind.value)
        dtype, empty = number(kind), zero_of(kind)

        def read(frame: Frame, _mask: Any) -> Value:
            value = frame.values.get(name)
            if value is None:
                return empty
            if dtype is None:
                return as_type(value, kind)
            return value if value.dtype == dtype else converted(value, dtype)

        return Typed(kind, read)

    def _attribute(self, node: ast.Attribute) -> Typed:
        base = self.value(node.value)
        match base.type:
            case Path(name):
                return self._static(self._member(node, f"{name}.{node.attr}"))
            case Array() as kind:
                return self.attribute_of_array(node, base, kind)
            case Opaque(kind):
                return Typed(Path(f"{kind}.{node.attr}"))
            case DType(dtype) if node.attr in ("itemsize", "bitwidth"):
                size = dtype.itemsize * (8 if node.attr == "bitwidth" else 1)
                return constant(size)
            case other:
                raise self.refused(node, f"{described(other)} has no {node.attr} in a kernel")

    def _member(self, node: ast.Attribute, path: str) -> Typed:
        typed = Typed(Path(path))
        known = [*INTRINSICS, *SPECIAL]
        if (
            any(one == path or one.startswith(f"{path}.") for one in known)
            or names.dtype_of(Path(path)) is not None
            or names.number_of(Path(path)) is not None
            or path in ("cuda.types", "numba.types", "numba.cuda")
        ):
            return Typed(Path("cuda")) if path == "numba.cuda" else typed
        close = difflib.get_close_matches(path, known, 1)
        instead = f"did you mean {close[0]}?" if close else ""
        raise self.refused(node, f"{path} is not emulated", instead)

    def _binary(self, node: ast.BinOp) -> Typed:
        folded = self._folded(node)
        if folded is not None:
            return folded
        operator = _OPERATORS.get(type(node.op))
        if operator is None:
            raise self.refused(node, *REFUSED[type(node.op)])
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(left.type, Tuple) and isinstance(right.type, Tuple) and operator == "+":
            both = Tuple((*left.type.items, *right.type.items))
            return Typed(both, lambda f, m: (*left.evaluate(f, m), *right.evaluate(f, m)))
        return self.operation(node, operator, left, right)

    def operation(self, node: ast.AST, operator: str, left: Typed, right: Typed) -> Typed:
        """A binary operator, typed as Numba types it."""
        one, other = self.dtype(node, left.type), self.dtype(node, right.type)
        signature = resolve(operator, one, other)
        if signature is None:
            what = f"no {operator} for {described(left.type)} and {described(right.type)}"
            raise self.not_typed(node, what)
        self.note_widening(node, operator, signature.result, (left.type, right.type))
        types = operand_types(operator, signature.result, signature.operands)
        first, second, apply = cast(left, types[0]), cast(right, types[1]), BINARY[operator]
        result = signature.result

        def evaluate(frame: Frame, mask: Any) -> Value:
            value = apply(first(frame, mask), second(frame, mask))
            return value if value.dtype == result else value.astype(result)

        return Typed(result, evaluate)

    def _folded(self, node: ast.expr) -> Typed | None:
        """Arithmetic on literals, which Python itself does before Numba sees it."""
        try:
            value = _literal_value(node)
        except (ValueError, ArithmeticError, TypeError):
            return None
        if isinstance(value, int) and abs(value) >= _LARGEST_FOLDED:
            raise self.refused(node, "the number is beyond 64 bits")
        return constant(value)

    def _unary(self, node: ast.UnaryOp) -> Typed:
        folded = self._folded(node)
        if folded is not None:
            return folded
        if isinstance(node.op, ast.Not):
            test = self.truth(node.operand)
            return Typed(BOOL, lambda frame, mask: ~test(frame, mask))
        operator = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "~"}[type(node.op)]
        typed, dtype = self.number(node.operand)
        signature = resolve(operator, dtype)
        if signature is None:
            raise self.not_typed(node, f"no {operator} for {dtype.name}")
        if operator in ("neg", "~") and dtype.kind in "iu":  # in its own width, then widened
            own = typed.evaluate
            return Typed(
                signature.result,
                lambda frame, mask: UNARY[operator](own(frame, mask)).astype(signature.result),
            )
        operand, apply = cast(typed, signature.result), UNARY[operator]
        return Typed(signature.result, lambda frame, mask: apply(operand(frame, mask)))

    def _comparison(self, node: ast.Compare) -> Typed:
        operands = [node.left, *node.comparators]
        typed = [self.value(one) for one in operands]
        tests = []
        for place, op in enumerate(node.ops):
            left, right = typed[place], typed[place + 1]
            tests.append(self._compared(node, op, left, right))
        if len(tests) == 1:
            return tests[0]
        later = operands[2:]
        return self._all(tests, calm=all(map(_calm, later)))

    def _compared(self, node: ast.Compare, op: ast.cmpop, left: Typed, right: Typed) -> Typed:
        match op:
            case ast.Is() | ast.IsNot() if Nothing() in (left.type, right.type):
                same = left.type == right.type
                return constant(same is isinstance(op, ast.Is))
            case ast.In() | ast.NotIn() if isinstance(right.type, Tuple):
                return self._contained(node, op, left, right)
            case _ if type(op) in _OPERATORS:
                operator = _OPERATORS[type(op)]
                if isinstance(left.type, Tuple) and isinstance(right.type, Tuple):
                    return self._tuples_compared(node, operator, left, right)
                return self.operation(node, operator, left, right)
            case _:
                raise self.refused(node, *REFUSED[type(op)])

    def _contained(self, node: ast.Compare, op: ast.cmpop, left: Typed, right: Typed) -> Typed:
        assert isinstance(right.type, Tuple)  # noqa: S101 — the caller has looked
        tests = [
            self.operation(node, "==", left, self.item(right, place))
            for place in range(len(right.type.items))
        ]

        def evaluate(frame: Frame, mask: Any) -> Value:
            found = np.zeros((1, 1), dtype=np.bool_)
            for test in tests:
                found = found | test.evaluate(frame, mask)
            return found if isinstance(op, ast.In) else ~found

        return Typed(BOOL, evaluate)

    def _tuples_compared(self, node: ast.AST, operator: str, left: Typed, right: Typed) -> Typed:
        assert isinstance(left.type, Tuple)  # noqa: S101 — the caller has looked
        same = isinstance(right.type, Tuple) and len(left.type.items) == len(right.type.items)
        if operator not in ("==", "!=") or not same:
            raise self.refused(node, "tuples can be compared for equality", "compare their parts")
        count = len(left.type.items)
        tests = [
            self.operation(node, "==", self.item(left, place), self.item(right, place))
            for place in range(count)
        ]
        equal = self._all(tests, calm=True)
        if operator == "==":
            return equal
        return Typed(BOOL, lambda frame, mask: ~equal.evaluate(frame, mask))

    def item(self, typed: Typed, place: int) -> Typed:
        """One part of a tuple."""
        assert isinstance(typed.type, Tuple)  # noqa: S101 — the caller has looked
        part = typed.type.items[place]
        return Typed(part, lambda frame, mask: typed.evaluate(frame, mask)[place])

    def _all(self, tests: list[Typed], *, calm: bool) -> Typed:
        return _short_circuit([test.evaluate for test in tests], BOOL, calm=calm, until=True)

    def _logical(self, node: ast.BoolOp) -> Typed:
        typed = [self.value(one) for one in node.values]
        for one, part in zip(node.values, typed, strict=True):
            self.dtype(one, part.type)
        result: Type = typed[0].type
        for part in typed[1:]:
            result = joined(result, part.type)
        dtype = self.dtype(node, result)
        operands = [cast(part, dtype) for part in typed]
        calm = all(map(_calm, node.values[1:]))
        is_and = isinstance(node.op, ast.And)
        return _short_circuit(operands, dtype, calm=calm, until=is_and)

    def _conditional(self, node: ast.IfExp) -> Typed:
        test = self.truth(node.test)
        body, other = self.value(node.body), self.value(node.orelse)
        kind = joined(body.type, other.type)
        if isinstance(kind, Conflict):
            what = f"{described(body.type)} or {described(other.type)} in one expression"
            raise self.not_typed(node, what, "write if and else")

        def evaluate(frame: Frame, mask: Any) -> Value:
            yes, no = mask.split(test(frame, mask))
            if no is None:
                return as_type(body.evaluate(frame, yes), kind)
            if yes is None:
                return as_type(other.evaluate(frame, no), kind)
            second = as_type(other.evaluate(frame, no), kind)
            return merged(yes, as_type(body.evaluate(frame, yes), kind), second)

        return Typed(kind, evaluate)

    def _call(self, node: ast.Call) -> Typed:
        if any(isinstance(one, ast.Starred) for one in node.args):
            raise self.refused(node, "* is not available in a call", "write each argument out")
        callee = self.value(node.func)
        match callee.type:
            case Path(name) if name in INTRINSICS:
                return INTRINSICS[name](self, node)
            case Path(name):
                raise self.refused(node, f"{name} cannot be called")
            case DType(dtype):
                return self._conversion(node, dtype)
            case Device(function):
                given = [self.value(one) for one in self.in_order(node, function)]
                return self.call(node, function, given)
            case other:
                raise self.refused(node, f"{described(other)} cannot be called")

    def in_order(self, node: ast.Call, function: Any) -> list[ast.expr]:
        """The arguments of a call by place."""
        given = list(node.args)
        named = {one.arg or "": one.value for one in node.keywords}
        defaults = dict(
            zip(reversed(function.parameters), reversed(function.node.args.defaults), strict=False)
        )
        for name in function.parameters[len(given) :]:
            if name not in named and name not in defaults:
                raise self.refused(node, f"{function.name} needs {name}")
            given.append(named.pop(name) if name in named else defaults[name])
        if named or len(given) > len(function.parameters):
            raise self.refused(node, f"{function.name} takes {len(function.parameters)} arguments")
        return given

    def _conversion(self, node: ast.Call, dtype: Scalar) -> Typed:
        if len(node.args) != 1 or node.keywords:
            raise self.refused(node, f"{dtype.name}(…) takes one number")
        typed, _ = self.number(node.args[0])
        return Typed(dtype, cast(typed, dtype))

    def not_typed(self, node: ast.AST, what: str, instead: str = "") -> NotTyped:
        """An error of typing at a node."""
        return NotTyped(what, *self.function.place(node), instead)


def packed(parts: list[Typed]) -> Typed:
    """Several expressions as a tuple."""
    kind = Tuple(tuple(part.type for part in parts))
    return Typed(kind, lambda frame, mask: tuple(part.evaluate(frame, mask) for part in parts))


def _short_circuit(operands: list[Evaluate], result: Scalar, *, calm: bool, until: bool) -> Typed:
    """`and` (until: go on while true) or `or`; what comes later is for those who come to it."""

    def together(frame: Frame, mask: Any) -> Value:
        value = operands[0](frame, mask)
        for operand in operands[1:]:
            other = operand(frame, mask)
            if result == BOOL:
                value = value & other if until else value | other
            else:
                goes_on = (value != 0) == until
                value = np.where(goes_on, other, value)
        return value

    def one_by_one(frame: Frame, mask: Any) -> Value:
        value = operands[0](frame, mask)
        pending = mask
        for operand in operands[1:]:
            holds = converted(value, BOOL)
            yes, no = pending.split(holds)
            pending = yes if until else no
            if pending is None:
                break
            other = operand(frame, pending)
            value = other if pending is mask else merged(pending, other, value)
        return value

    return Typed(result, together if calm else one_by_one)


def _calm(node: ast.expr) -> bool:
    """Whether evaluating it for too many threads does no harm and is not counted."""
    return not any(isinstance(one, (ast.Subscript, ast.Call)) for one in ast.walk(node))


_FOLDABLE: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.LShift: lambda a, b: a << b if b < 128 else _too_large(),  # noqa: PLR2004
    ast.RShift: lambda a, b: a >> b,
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
    ast.BitXor: lambda a, b: a ^ b,
    ast.Pow: lambda a, b: a**b if abs(b) < 128 and abs(a) < 2**64 else _too_large(),  # noqa: PLR2004
}


def _too_large() -> int:
    raise ValueError


def _literal_value(node: ast.expr) -> Any:
    """Of an expression that is made of literals.

    Raises:
        ValueError: it is not.
    """
    match node:
        case ast.Constant(value=bool() | int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_literal_value(operand)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return +_literal_value(operand)
        case ast.UnaryOp(op=ast.Invert(), operand=operand):
            return ~_literal_value(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _FOLDABLE:
            value = _FOLDABLE[type(op)](_literal_value(left), _literal_value(right))
            if isinstance(value, (int, float)):
                return value
    raise ValueError
