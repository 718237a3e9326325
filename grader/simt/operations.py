"""Operators: arithmetic, comparison, `and` and `or`, the ternary; typed as Numba types them."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from grader.simt.errors import NotTyped
from grader.simt.folding import LARGEST, come_to, decided, harmless, literal_value
from grader.simt.operators import BINARY, UNARY, operand_types
from grader.simt.raising import checked, raising
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
    merged,
)
from grader.simt.types import (
    BOOL,
    Conflict,
    Member,
    Nothing,
    Scalar,
    Tuple,
    Type,
    described,
    joined,
    number,
)
from grader.simt.typing_rules import resolve

OPERATORS: dict[type[ast.AST], str] = {
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


class Operations(Specialisation):
    """Expressions that are made of others by operators."""

    def value(self, node: ast.expr) -> Typed:
        """Any expression."""
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

    def not_typed(self, node: ast.AST, what: str, instead: str = "") -> NotTyped:
        """An error of typing at a node."""
        return NotTyped(what, *self.function.place(node), instead, self.function.path)

    def item(self, typed: Typed, place: int) -> Typed:
        """One part of a tuple."""
        assert isinstance(typed.type, Tuple)  # noqa: S101 — the caller has looked
        part = typed.type.items[place]
        return Typed(part, lambda frame, mask: typed.evaluate(frame, mask)[place])

    def _binary(self, node: ast.BinOp) -> Typed:
        folded = self._folded(node)
        if folded is not None:
            return folded
        operator = OPERATORS.get(type(node.op))
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
        raises = self.function.debug and not self.function.fastmath
        if raises and operator in ("/", "//", "%"):
            fail = raising(self.function, node, ZeroDivisionError, "division by zero")
            second = checked(second, lambda value: value == 0, fail)
        result = signature.result

        def evaluate(frame: Frame, mask: Any) -> Value:
            value = apply(first(frame, mask), second(frame, mask))
            return value if value.dtype == result else value.astype(result)

        return Typed(result, evaluate)

    def _folded(self, node: ast.expr) -> Typed | None:
        """Arithmetic on literals, which Python itself does before Numba sees it."""
        try:
            value = literal_value(node)
        except (ValueError, ArithmeticError, TypeError):
            return None
        if isinstance(value, int) and abs(value) >= LARGEST:
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
        return self._all(tests, calm=all(map(harmless, later)))

    def _compared(self, node: ast.Compare, op: ast.cmpop, left: Typed, right: Typed) -> Typed:
        match op:
            case ast.Is() | ast.IsNot() if Nothing() in (left.type, right.type):
                same = left.type == right.type
                return constant(same is isinstance(op, ast.Is))
            case ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() if _are_members(op, left, right):
                negated = isinstance(op, (ast.IsNot, ast.NotEq))
                return _same_member(left, right, negated=negated)
            case ast.In() | ast.NotIn() if isinstance(right.type, Tuple):
                return self._contained(node, op, left, right)
            case _ if type(op) in OPERATORS:
                operator = OPERATORS[type(op)]
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

    def _all(self, tests: list[Typed], *, calm: bool) -> Typed:
        return _short_circuit([test.evaluate for test in tests], BOOL, calm=calm, until=True)

    def _logical(self, node: ast.BoolOp) -> Typed:
        is_and = isinstance(node.op, ast.And)
        values = come_to(node.values, conjunction=is_and)
        typed = [self.value(one) for one in values]
        if len(typed) == 1:
            return typed[0]
        for one, part in zip(values, typed, strict=True):
            self.dtype(one, part.type)
        result: Type = typed[0].type
        for part in typed[1:]:
            result = joined(result, part.type)
        dtype = self.dtype(node, result)
        operands = [cast(part, dtype) for part in typed]
        calm = all(map(harmless, values[1:]))
        return _short_circuit(operands, dtype, calm=calm, until=is_and)

    def _conditional(self, node: ast.IfExp) -> Typed:
        holds = decided(node.test)
        if holds is not None:
            return self.value(node.body if holds else node.orelse)
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


def _are_members(op: ast.cmpop, left: Typed, right: Typed) -> bool:
    """Whether members of enumerations are compared as such: the whole ones are numbers for ==."""
    if not isinstance(left.type, Member) or not isinstance(right.type, Member):
        return False
    if isinstance(op, (ast.Is, ast.IsNot)):
        return True
    return not left.type.whole and left.type == right.type


def _same_member(left: Typed, right: Typed, *, negated: bool) -> Typed:
    if left.type != right.type:
        return constant(negated)

    def evaluate(frame: Frame, mask: Any) -> Value:
        same = left.evaluate(frame, mask) == right.evaluate(frame, mask)
        return ~same if negated else same

    return Typed(BOOL, evaluate)


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
