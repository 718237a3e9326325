"""Compiles operators: arithmetic, comparison, `and`, `or`, the ternary; typed as in Numba."""

from __future__ import annotations

import ast
from functools import partial
from operator import add, eq, ne
from typing import Any

import numpy as np

from grader.facts import fact
from grader.operators import COMPARE
from grader.simt.intrinsics.overflow import check_divisor
from grader.simt.machine.operators import BINARY, operand_types
from grader.simt.numba.raising import compile_raise, raise_where
from grader.simt.numba.reading import exact
from grader.simt.numba.reading.folding import LARGEST, decide, drop_decided, literal_value
from grader.simt.numba.reading.typing_rules import resolve
from grader.simt.numba.refused import REFUSED, explain_conflict
from grader.simt.numba.typed import TypedNode, cast, constant, item, keep_value, unpack
from grader.simt.numba.unit import ExpressionForms, Unit
from grader.simt.program import nodes
from grader.simt.program.nodes import (
    Apply,
    Choose,
    Convert,
    Expression,
    Keep,
    Logical,
    Observe,
    Operate,
    Perform,
    Static,
)
from grader.simt.program.types import (
    BFLOAT16,
    BOOL,
    FLOAT16,
    Conflict,
    Constant,
    Member,
    Nothing,
    Scalar,
    Text,
    Tuple,
    Type,
    describe,
    is_number,
    join_types,
    name_of,
    number,
)

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


_SAME = (ast.Is, ast.IsNot, ast.Eq, ast.NotEq)


def _compile_binary(unit: Unit, node: ast.BinOp) -> Expression:
    folded = _fold(unit, node)
    if folded is not None:
        return folded
    operator = OPERATORS.get(type(node.op))
    if operator is None:
        raise unit.refusal(node, REFUSED[type(node.op)])
    left, right = unit.compile_expression(node.left), unit.compile_expression(node.right)
    match left.type, operator, right.type:
        case Tuple(items), "+", Tuple(others):
            return Apply(Tuple((*items, *others)), "joined", add, (left, right))
        case Tuple(items), "*", Constant(times):
            return Apply(Tuple(items * times), "repeated", partial(_repeat, times), (left,))
        case Text(text), "+", Text(other):
            return Static(Text(text + other))
    return compile_operation(unit, node, operator, left, right)


def _repeat(times: int, items: tuple[Any, ...]) -> tuple[Any, ...]:
    return items * times


def compile_operation(
    unit: Unit, node: ast.expr | ast.stmt, operator: str, left: Expression, right: Expression
) -> Expression:
    """Compile a binary operator, typed as Numba types it."""
    left_dtype, right_dtype = unit.dtype(node, left.type), unit.dtype(node, right.type)
    signature = resolve(operator, left_dtype, right_dtype)
    if signature is None:
        shown = describe(left.type), describe(right.type)
        raise unit.typing_error(node, fact("simt.no-overload", name=operator, types=shown))
    unit.widening.note(node, operator, signature.result, (left.type, right.type))
    types = operand_types(operator, signature.result, signature.operands)
    first, second = cast(left, types[0]), cast(right, types[1])
    raises = unit.function.debug and not unit.function.fastmath
    if raises and operator in ("/", "//", "%"):
        fail = compile_raise(unit.function, node, ZeroDivisionError, "division by zero")
        check = raise_where(_is_zero, fail)
        second = Perform(types[1], "nonzero", check, (second,), unit.site(node))
    known = isinstance(right.type, Constant) and right.type.value != 0
    if operator in ("//", "%") and signature.result.kind in "iu" and not raises and not known:
        site = unit.site(node)
        second = Perform(types[1], "divisor", check_divisor, (second,), site, alone=True)
    return Operate(signature.result, operator, (first, second))


def _is_zero(value: Any) -> Any:
    return value == 0


def _fold(unit: Unit, node: ast.expr) -> Expression | None:
    """Fold arithmetic on literals, as Python does before Numba sees it."""
    try:
        value = literal_value(node)
    except (ValueError, ArithmeticError, TypeError):
        return None
    if isinstance(value, int) and abs(value) >= LARGEST:
        raise unit.refusal(node, fact("simt.beyond-64-bits"))
    return constant(value)


def _compile_negated(unit: Unit, node: ast.expr) -> Expression:
    """Compile the operand of `not`, the one test that Numba makes of a bfloat16."""
    typed = unit.compile_expression(node)
    if typed.type != BFLOAT16:
        return unit.compile_test(TypedNode(typed, node))
    return cast(Observe(typed.type, typed), BOOL)


def _compile_unary(unit: Unit, node: ast.UnaryOp) -> Expression:
    folded = _fold(unit, node)
    if folded is not None:
        return folded
    if isinstance(node.op, ast.Not):
        return Operate(BOOL, "~", (_compile_negated(unit, node.operand),))
    operator = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "~"}[type(node.op)]
    typed, dtype = unit.compile_number(node.operand)
    signature = resolve(operator, dtype)
    if signature is None:
        what = fact("simt.no-overload", name=operator, types=(dtype.name,))
        raise unit.typing_error(node, what)
    if operator in ("neg", "~") and dtype.kind in "iu":  # in its own width, then widened
        return cast(Operate(dtype, operator, (cast(typed, dtype),)), signature.result)
    return Operate(signature.result, operator, (cast(typed, signature.result),))


def _compile_comparison(unit: Unit, node: ast.Compare) -> Expression:
    left = unit.compile_expression(node.left)
    others = [
        _compile_comparand(unit, op, comparand)
        for op, comparand in zip(node.ops, node.comparators, strict=True)
    ]
    tests = []
    for op, other in zip(node.ops, others, strict=True):
        right, again = keep_value(other)
        tests.append(_compile_pair(unit, node, op, left, right))
        left = again
    if len(tests) == 1:
        return tests[0]
    return Logical(BOOL, tuple(tests), conjunction=True)


def _compile_comparand(unit: Unit, op: ast.cmpop, node: ast.expr) -> Expression:
    """Compile the right operand of a comparison; after `in`, a list literal is a tuple."""
    if isinstance(op, (ast.In, ast.NotIn)) and isinstance(node, ast.List):
        return unit.compile_expression(as_tuple(node))
    return unit.compile_expression(node)


def as_tuple(node: ast.List) -> ast.Tuple:
    """Return a list literal that is only read as a tuple, which Python makes of it itself."""
    return ast.copy_location(ast.Tuple(node.elts, ast.Load()), node)


def _compile_pair(
    unit: Unit, node: ast.Compare, op: ast.cmpop, left: Expression, right: Expression
) -> Expression:
    match op:
        case _ if isinstance(op, _SAME) and Nothing() in (left.type, right.type):
            same = left.type == right.type
            return constant(same is isinstance(op, (ast.Is, ast.Eq)))
        case ast.Eq() | ast.NotEq() if isinstance(left.type, Text) or isinstance(right.type, Text):
            return constant((left.type == right.type) is isinstance(op, ast.Eq))
        case ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() if _are_members(op, left, right):
            negated = isinstance(op, (ast.IsNot, ast.NotEq))
            return _same_member(left, right, negated=negated)
        case ast.Is() | ast.IsNot() if _is_truth(left) or _is_truth(right):
            if number(left.type) != number(right.type):
                return constant(isinstance(op, ast.IsNot))
            operator = OPERATORS[ast.Eq if isinstance(op, ast.Is) else ast.NotEq]
            return compile_operation(unit, node, operator, left, right)
        case ast.In() | ast.NotIn() if isinstance(left.type, Text) and isinstance(right.type, Text):
            return constant((left.type.value in right.type.value) is isinstance(op, ast.In))
        case ast.In() | ast.NotIn() if isinstance(right.type, Tuple):
            return _compile_membership(unit, node, op, left, right)
        case _ if type(op) in OPERATORS:
            operator = OPERATORS[type(op)]
            if isinstance(left.type, Tuple) and isinstance(right.type, Tuple):
                return _compare_tuples(unit, node, operator, left, right)
            return compile_operation(unit, node, operator, left, right)
        case _:
            raise unit.refusal(node, REFUSED[type(op)])


def _compile_membership(
    unit: Unit, node: ast.Compare, op: ast.cmpop, left: Expression, right: Expression
) -> Expression:
    assert isinstance(right.type, Tuple)  # the caller has looked
    kinds = set(map(common_kind, right.type.items))
    if len(kinds) > 1:
        raise unit.typing_error(node, fact("python.mixed-tuple"))
    if not kinds <= {common_kind(left.type)} and not all(map(is_number, (left.type, *kinds))):
        return constant(isinstance(op, ast.NotIn))  # None or text among numbers
    first, left = keep_value(left)
    same = ast.copy_location(ast.Compare(node.left, [ast.Eq()], [node.left]), node)
    tests = [_compile_pair(unit, same, ast.Eq(), left, part) for part in unpack(right, right.type)]
    among = Apply(BOOL, "among", _any_of, (first, *tests))
    return among if isinstance(op, ast.In) else Operate(BOOL, "~", (among,))


def _any_of(_value: Any, *tests: Any) -> Any:
    found = np.zeros((1, 1), dtype=np.bool_)
    for test in tests:
        found = found | test
    return found


def _compare_tuples(
    unit: Unit, node: ast.expr, operator: str, left: Expression, right: Expression
) -> Expression:
    assert isinstance(left.type, Tuple)  # the caller has looked
    assert isinstance(right.type, Tuple)  # the caller has looked
    lengths = len(left.type.items), len(right.type.items)
    if operator in ("==", "!=") and lengths[0] != lengths[1]:
        return constant(operator == "!=")
    (first, left), (second, right) = keep_value(left), keep_value(right)
    pairs = list(zip(_items(left), _items(right), strict=False))
    equal = [compile_operation(unit, node, "==", *pair) for pair in pairs]
    ends = BINARY[operator](*(np.array([[length]]) for length in lengths))
    rest = [compile_operation(unit, node, operator, *pair) for pair in pairs]
    first_unequal = partial(_first_unequal, ends)
    operands = (first, second, *(test for pair in zip(rest, equal, strict=True) for test in pair))
    return Apply(BOOL, "compared", first_unequal, operands)


def _first_unequal(ends: Any, _left: Any, _right: Any, *tests: Any) -> Any:
    """Compare by the first pair that differs: for each pair, how it compares, if it is equal."""
    result = ends
    for ordered, same in zip(reversed(tests[::2]), reversed(tests[1::2]), strict=True):
        result = np.where(same, result, ordered)
    return result


def _items(typed: Expression) -> list[Expression]:
    """Return the items of a tuple whose value is kept."""
    assert isinstance(typed.type, Tuple)  # the caller has looked
    return [item(typed, place) for place in range(len(typed.type.items))]


def common_kind(kind: Type) -> Type:
    """Return the type of a tuple's item without its value: those of a kind are of one type."""
    return number(kind) or (Text("") if isinstance(kind, Text) else kind)


def _compile_logical(unit: Unit, node: ast.BoolOp) -> Expression:
    is_and = isinstance(node.op, ast.And)
    values = drop_decided(node.values, conjunction=is_and)
    typed = [unit.compile_expression(value) for value in values]
    if len(typed) == 1:
        return typed[0]
    if Nothing() in {part.type for part in typed}:
        raise unit.refusal(node, fact("python.optional"))
    for value, part in zip(values, typed, strict=True):
        unit.require_truth(value, part.type)
    result: Type = typed[0].type
    for part in typed[1:]:
        result = join_types(result, part.type)
    dtype = unit.dtype(node, result)
    operands = tuple(cast(part, dtype) for part in typed)
    return Logical(dtype, operands, conjunction=is_and)


def decide_test(unit: Unit, test: ast.expr) -> bool | None:
    """Decide a test of constants, or of whether something is None: Numba drops the other branch."""
    holds = decide(test)
    if holds is not None:
        return holds
    known = _constant_of(unit, test)
    if known is not None:
        return bool(known)
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            holds = decide_test(unit, operand)
            return None if holds is None else not holds
        case ast.BoolOp(op=op, values=values):
            until = isinstance(op, ast.And)
            decided = (decide_test(unit, value) for value in values)
            return next((holds for holds in decided if holds is not until), until)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if isinstance(op, _SAME) and (
            _is_none(left) or _is_none(right)
        ):
            kinds = [unit.compile_expression(side).type for side in (left, right)]
            return (kinds[0] == kinds[1]) is isinstance(op, (ast.Is, ast.Eq))
    return None


def _constant_of(unit: Unit, node: ast.expr) -> Any:
    """Return the value of a literal, of a global number, or of a comparison of two; else None."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARE:
            first, second = _constant_of(unit, left), _constant_of(unit, right)
            if first is None or second is None:
                return None
            return exact.compared(type(op), first, second)
        case ast.Name(id=name) if name not in unit.assigned:
            value = unit.function.names.get(name)
            return value if isinstance(value, (bool, int, float)) else None
        case ast.Name(id=name) if name in unit.once:
            kind = (unit.env or {}).get(name)
            return kind.value if isinstance(kind, Constant) else None
    try:
        return literal_value(node)
    except (ValueError, ArithmeticError, TypeError):
        return None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _compile_conditional(unit: Unit, node: ast.IfExp) -> Expression:
    holds = decide_test(unit, node.test)
    if holds is not None:
        return unit.compile_expression(node.body if holds else node.orelse)
    test = unit.compile_test(node.test)
    body, other = unit.compile_expression(node.body), unit.compile_expression(node.orelse)
    kind = join_types(body.type, other.type)
    if isinstance(kind, Conflict):
        what = fact("python.two-types", first=describe(body.type), second=describe(other.type))
        raise unit.typing_error(node, explain_conflict(body.type, other.type, what))

    return Choose(kind, test, body, other)


def _are_members(op: ast.cmpop, left: Expression, right: Expression) -> bool:
    """Return True if members of enumerations are compared as such, and not as integers."""
    if not isinstance(left.type, Member) or not isinstance(right.type, Member):
        return False
    if isinstance(op, (ast.Is, ast.IsNot)):
        return True
    return not left.type.whole and left.type == right.type


def _is_truth(operand: Expression) -> bool:
    """Return True for `True` and `False`, with which Numba compares truth values by `is`."""
    written = operand.operand if isinstance(operand, Keep) else operand
    return isinstance(written, nodes.Number) and written.type == BOOL


def _same_member(left: Expression, right: Expression, *, negated: bool) -> Expression:
    if left.type != right.type:
        return constant(negated)
    return Apply(BOOL, "other" if negated else "same", ne if negated else eq, (left, right))


def cast_narrow(unit: Unit, node: ast.AST, typed: Expression, dtype: Scalar) -> Expression:
    """Cast, with a warning where an integer does not fit; unsigned integers may wrap."""
    given = number(typed.type)
    if given is not None and given.kind == "c" and dtype.kind not in "cb":
        what = fact("simt.complex-as-real", dtype=given.name)
        raise unit.typing_error(node, what)
    if given == BFLOAT16 and (dtype == FLOAT16 or dtype.kind in "bc"):
        what = fact("simt.no-conversion", dtype=name_of(given), wanted=dtype.name)
        raise unit.typing_error(node, what, fact("advice.write", code="float32(x)"))
    if given is None or given.kind not in "iu" or dtype.kind not in "iu":
        return cast(typed, dtype)
    if given.itemsize <= dtype.itemsize or dtype.kind == "u":
        return cast(typed, dtype)
    return Convert(dtype, cast(typed, given), unit.site(node))


FORMS: ExpressionForms = {
    ast.BinOp: _compile_binary,
    ast.UnaryOp: _compile_unary,
    ast.Compare: _compile_comparison,
    ast.BoolOp: _compile_logical,
    ast.IfExp: _compile_conditional,
}
