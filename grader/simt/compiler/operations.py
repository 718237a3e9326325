"""Compiles operators: arithmetic, comparison, `and`, `or`, the ternary; typed as in Numba."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from grader.facts import fact
from grader.operators import COMPARE
from grader.simt.checks.counters import Site
from grader.simt.compiler.invariants import find_operands, remember
from grader.simt.compiler.merging import merge
from grader.simt.compiler.raising import check_divisor, check_values, compile_raise
from grader.simt.compiler.refused import REFUSED, explain_conflict
from grader.simt.compiler.unit import ExpressionForms, Unit
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.operators import (
    BINARY,
    COMPARISONS,
    IN_PLACE,
    UNARY,
    operand_types,
)
from grader.simt.machine.typed import (
    Evaluate,
    Frame,
    TypedNode,
    TypedValue,
    Value,
    as_type,
    cast,
    constant,
    convert,
    item,
    keep_value,
    observe,
    unpack,
)
from grader.simt.masks import Mask
from grader.simt.reading import exact
from grader.simt.reading.folding import LARGEST, decide, drop_decided, is_harmless, literal_value
from grader.simt.reading.types import (
    BFLOAT16,
    BOOL,
    FLOAT16,
    INT64,
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
from grader.simt.reading.typing_rules import resolve

_LARGE = 1024
"""Numbers of a vector whose memory is worth using again."""

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


def _compile_binary(unit: Unit, node: ast.BinOp) -> TypedValue:
    names = find_operands(node, unit.loops, unit.env)
    if names is None or unit.function.debug:
        return _compile_arithmetic(unit, node)
    around, unit.loops.assigned = unit.loops.assigned, []
    try:
        return remember(_compile_arithmetic(unit, node), names)
    finally:
        unit.loops.assigned = around


def _compile_arithmetic(unit: Unit, node: ast.BinOp) -> TypedValue:
    folded = _fold(unit, node)
    if folded is not None:
        return folded
    operator = OPERATORS.get(type(node.op))
    if operator is None:
        raise unit.refusal(node, REFUSED[type(node.op)])
    left, right = unit.compile_expression(node.left), unit.compile_expression(node.right)
    match left.type, operator, right.type:
        case Tuple(items), "+", Tuple(others):
            both = Tuple((*items, *others))
            return TypedValue(both, lambda f, m: (*left.evaluate(f, m), *right.evaluate(f, m)))
        case Tuple(items), "*", Constant(times):
            return TypedValue(Tuple(items * times), lambda f, m: left.evaluate(f, m) * times)
        case Text(text), "+", Text(other):
            return TypedValue(Text(text + other))
    return compile_operation(unit, node, operator, left, right)


def compile_operation(
    unit: Unit, node: ast.expr | ast.stmt, operator: str, left: TypedValue, right: TypedValue
) -> TypedValue:
    """Compile a binary operator, typed as Numba types it."""
    left_dtype, right_dtype = unit.dtype(node, left.type), unit.dtype(node, right.type)
    signature = resolve(operator, left_dtype, right_dtype)
    if signature is None:
        shown = describe(left.type), describe(right.type)
        raise unit.typing_error(node, fact("simt.no-overload", name=operator, types=shown))
    unit.widening.note(node, operator, signature.result, (left.type, right.type))
    types = operand_types(operator, signature.result, signature.operands)
    first, second, apply = cast(left, types[0]), cast(right, types[1]), BINARY[operator]
    raises = unit.function.debug and not unit.function.fastmath
    if raises and operator in ("/", "//", "%"):
        fail = compile_raise(unit.function, node, ZeroDivisionError, "division by zero")
        second = check_values(second, lambda value: value == 0, fail)
    if operator in COMPARISONS:
        first, second = observe(first), observe(second)
    result = signature.result
    known = isinstance(right.type, Constant) and right.type.value != 0
    if operator in ("//", "%") and result.kind in "iu" and not raises and not known:
        second = check_divisor(second, unit.site(node))

    if operator == "*" and types == (result, result) and _is_square(unit, node, result):
        return TypedValue(result, lambda frame, mask: np.square(first(frame, mask)), fresh=True)
    if operator == "+" and node is unit.index and types == (INT64, INT64):
        return TypedValue(result, _move(first, second))
    if operator in IN_PLACE and types == (result, result) and result != BFLOAT16:
        reuse = _reuse(IN_PLACE[operator], first, second, (left.fresh, right.fresh))
        return TypedValue(result, reuse, fresh=True)

    def evaluate(frame: Frame, mask: Mask) -> Value:
        value = apply(first(frame, mask), second(frame, mask))
        return convert(value, result)

    return TypedValue(result, evaluate, fresh=True)


def _is_square(unit: Unit, node: ast.expr | ast.stmt, result: Scalar) -> bool:
    """Return True for a variable, or a part of a complex one, times itself: read it only once."""
    if not isinstance(node, ast.BinOp) or result.kind not in "fiu" or result == BFLOAT16:
        return False
    match node.left, node.right:
        case ast.Name(id=name), ast.Name(id=other):
            return name == other
        case ast.Attribute(ast.Name(id=name), part), ast.Attribute(ast.Name(id=other), again):
            known = number((unit.env or {}).get(name, Nothing()))
            return name == other and part == again and known is not None
    return False


def _move(first: Evaluate, second: Evaluate) -> Evaluate:
    """Add to an index; one number for all threads only moves what is known of it."""

    def evaluate(frame: Frame, mask: Mask) -> Value:
        left, right = first(frame, mask), second(frame, mask)
        by_left = left.size == 1
        return frame.chunk.patterns.advance(*((right, left) if by_left else (left, right)))

    return evaluate


def _reuse(
    apply: np.ufunc, first: Evaluate, second: Evaluate, fresh: tuple[bool, bool]
) -> Evaluate:
    """Apply an operator in the memory of an operand: the processor's cache has it already."""
    of_left, of_right = fresh

    def evaluate(frame: Frame, mask: Mask) -> Value:
        left, right = first(frame, mask), second(frame, mask)
        if left.size >= _LARGE and of_left and (right.size == 1 or right.shape == left.shape):
            return apply(left, right, out=left)
        if right.size >= _LARGE and of_right and (left.size == 1 or left.shape == right.shape):
            return apply(left, right, out=right)
        return apply(left, right)

    return evaluate


def _fold(unit: Unit, node: ast.expr) -> TypedValue | None:
    """Fold arithmetic on literals, as Python does before Numba sees it."""
    try:
        value = literal_value(node)
    except (ValueError, ArithmeticError, TypeError):
        return None
    if isinstance(value, int) and abs(value) >= LARGEST:
        raise unit.refusal(node, fact("simt.beyond-64-bits"))
    return constant(value)


def _compile_negated(unit: Unit, node: ast.expr) -> Evaluate:
    """Compile the operand of `not`, the one test that Numba makes of a bfloat16."""
    typed = unit.compile_expression(node)
    if typed.type != BFLOAT16:
        return unit.compile_test(TypedNode(typed, node))
    return cast(typed._replace(evaluate=observe(typed.evaluate)), BOOL)


def _compile_unary(unit: Unit, node: ast.UnaryOp) -> TypedValue:
    folded = _fold(unit, node)
    if folded is not None:
        return folded
    if isinstance(node.op, ast.Not):
        test = _compile_negated(unit, node.operand)
        return TypedValue(BOOL, lambda frame, mask: ~test(frame, mask))
    operator = {ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "~"}[type(node.op)]
    typed, dtype = unit.compile_number(node.operand)
    signature = resolve(operator, dtype)
    if signature is None:
        what = fact("simt.no-overload", name=operator, types=(dtype.name,))
        raise unit.typing_error(node, what)
    if operator in ("neg", "~") and dtype.kind in "iu":  # in its own width, then widened
        own = typed.evaluate
        return TypedValue(
            signature.result,
            lambda frame, mask: UNARY[operator](own(frame, mask)).astype(signature.result),
        )
    operand, apply = cast(typed, signature.result), UNARY[operator]
    return TypedValue(signature.result, lambda frame, mask: apply(operand(frame, mask)))


def _compile_comparison(unit: Unit, node: ast.Compare) -> TypedValue:
    operands = [node.left, *node.comparators]
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
    later = operands[2:]
    return _all(tests, calm=all(map(is_harmless, later)))


def _compile_comparand(unit: Unit, op: ast.cmpop, node: ast.expr) -> TypedValue:
    """Compile the right operand of a comparison; after `in`, a list literal is a tuple."""
    if isinstance(op, (ast.In, ast.NotIn)) and isinstance(node, ast.List):
        return unit.compile_expression(as_tuple(node))
    return unit.compile_expression(node)


def as_tuple(node: ast.List) -> ast.Tuple:
    """Return a list literal that is only read as a tuple, which Python makes of it itself."""
    return ast.copy_location(ast.Tuple(node.elts, ast.Load()), node)


def _compile_pair(
    unit: Unit, node: ast.Compare, op: ast.cmpop, left: TypedValue, right: TypedValue
) -> TypedValue:
    match op:
        case _ if isinstance(op, _SAME) and Nothing() in (left.type, right.type):
            same = left.type == right.type
            return constant(same is isinstance(op, (ast.Is, ast.Eq)))
        case ast.Eq() | ast.NotEq() if isinstance(left.type, Text) and isinstance(right.type, Text):
            return constant((left.type == right.type) is isinstance(op, ast.Eq))
        case ast.Eq() | ast.NotEq() if isinstance(left.type, Text) != isinstance(right.type, Text):
            return constant(isinstance(op, ast.NotEq))
        case ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() if _are_members(op, left, right):
            negated = isinstance(op, (ast.IsNot, ast.NotEq))
            return _same_member(left, right, negated=negated)
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
    unit: Unit, node: ast.Compare, op: ast.cmpop, left: TypedValue, right: TypedValue
) -> TypedValue:
    assert isinstance(right.type, Tuple)  # the caller has looked
    kinds = set(map(common_kind, right.type.items))
    if len(kinds) > 1:
        raise unit.typing_error(node, fact("python.mixed-tuple"))
    if not kinds <= {common_kind(left.type)} and not all(map(is_number, (left.type, *kinds))):
        return constant(isinstance(op, ast.NotIn))  # None or text among numbers
    first, left = keep_value(left)
    same = ast.copy_location(ast.Compare(node.left, [ast.Eq()], [node.left]), node)
    tests = [_compile_pair(unit, same, ast.Eq(), left, part) for part in unpack(right, right.type)]

    def evaluate(frame: Frame, mask: Mask) -> Value:
        first.evaluate(frame, mask)
        found = np.zeros((1, 1), dtype=np.bool_)
        for test in tests:
            found = found | test.evaluate(frame, mask)
        return found if isinstance(op, ast.In) else ~found

    return TypedValue(BOOL, evaluate)


def _compare_tuples(
    unit: Unit, node: ast.expr, operator: str, left: TypedValue, right: TypedValue
) -> TypedValue:
    assert isinstance(left.type, Tuple)  # the caller has looked
    assert isinstance(right.type, Tuple)  # the caller has looked
    lengths = len(left.type.items), len(right.type.items)
    if operator in ("==", "!=") and lengths[0] != lengths[1]:
        return constant(operator == "!=")
    (first, left), (second, right) = keep_value(left), keep_value(right)
    pairs = list(zip(_items(left), _items(right), strict=False))
    equal = [compile_operation(unit, node, "==", *pair) for pair in pairs]
    apply = BINARY[operator]
    ends = apply(*(np.array([[length]]) for length in lengths))
    rest = [compile_operation(unit, node, operator, *pair) for pair in pairs]

    def evaluate(frame: Frame, mask: Mask) -> Value:
        first.evaluate(frame, mask)
        second.evaluate(frame, mask)
        result: Value = ends
        for same, ordered in zip(reversed(equal), reversed(rest), strict=True):
            other = ordered.evaluate(frame, mask)
            result = np.where(same.evaluate(frame, mask), result, other)
        return result

    return TypedValue(BOOL, evaluate)


def _items(typed: TypedValue) -> list[TypedValue]:
    """Return the items of a tuple whose value is kept."""
    assert isinstance(typed.type, Tuple)  # the caller has looked
    return [item(typed, place) for place in range(len(typed.type.items))]


def common_kind(kind: Type) -> Type:
    """Return the type of a tuple's item without its value: those of a kind are of one type."""
    return number(kind) or (Text("") if isinstance(kind, Text) else kind)


def _all(tests: list[TypedValue], *, calm: bool) -> TypedValue:
    return _short_circuit([test.evaluate for test in tests], BOOL, calm=calm, until=True)


def _compile_logical(unit: Unit, node: ast.BoolOp) -> TypedValue:
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
    operands = [cast(part, dtype) for part in typed]
    calm = all(map(is_harmless, values[1:]))
    return _short_circuit(operands, dtype, calm=calm, until=is_and)


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


def _compile_conditional(unit: Unit, node: ast.IfExp) -> TypedValue:
    holds = decide_test(unit, node.test)
    if holds is not None:
        return unit.compile_expression(node.body if holds else node.orelse)
    test = unit.compile_test(node.test)
    body, other = unit.compile_expression(node.body), unit.compile_expression(node.orelse)
    kind = join_types(body.type, other.type)
    if isinstance(kind, Conflict):
        what = fact("python.two-types", first=describe(body.type), second=describe(other.type))
        raise unit.typing_error(node, explain_conflict(body.type, other.type, what))

    def evaluate(frame: Frame, mask: Mask) -> Value:
        yes, no = mask.split(test(frame, mask))
        if no is None:
            return as_type(body.evaluate(frame, mask), kind)
        if yes is None:
            return as_type(other.evaluate(frame, mask), kind)
        second = as_type(other.evaluate(frame, no), kind)
        return merge(yes, as_type(body.evaluate(frame, yes), kind), second)

    return TypedValue(kind, evaluate)


def _are_members(op: ast.cmpop, left: TypedValue, right: TypedValue) -> bool:
    """Return True if members of enumerations are compared as such, and not as integers."""
    if not isinstance(left.type, Member) or not isinstance(right.type, Member):
        return False
    if isinstance(op, (ast.Is, ast.IsNot)):
        return True
    return not left.type.whole and left.type == right.type


def _same_member(left: TypedValue, right: TypedValue, *, negated: bool) -> TypedValue:
    if left.type != right.type:
        return constant(negated)

    def evaluate(frame: Frame, mask: Mask) -> Value:
        same = left.evaluate(frame, mask) == right.evaluate(frame, mask)
        return ~same if negated else same

    return TypedValue(BOOL, evaluate)


def _short_circuit(
    operands: list[Evaluate], result: Scalar, *, calm: bool, until: bool
) -> TypedValue:
    """Evaluate `and` (`until` is True) or `or`; later operands only for threads that need them."""

    def evaluate_together(frame: Frame, mask: Mask) -> Value:
        value = operands[0](frame, mask)
        for operand in operands[1:]:
            other = operand(frame, mask)
            if result == BOOL:
                value = value & other if until else value | other
            else:
                goes_on = (value != 0) == until
                value = np.where(goes_on, other, value)
        return value

    def one_by_one(frame: Frame, mask: Mask) -> Value:
        value = operands[0](frame, mask)
        pending = mask
        for operand in operands[1:]:
            yes, no = pending.split(convert(value, BOOL))
            left = yes if until else no
            if left is None:
                break
            pending = left
            other = operand(frame, pending)
            value = other if pending is mask else merge(pending, other, value)
        return value

    def evaluate_lazily(frame: Frame, mask: Mask) -> Value:
        quick = frame.chunk.launch.poison is None  # else only what threads reach counts
        return evaluate_together(frame, mask) if quick else one_by_one(frame, mask)

    return TypedValue(result, evaluate_lazily if calm else one_by_one)


def cast_narrow(unit: Unit, node: ast.AST, typed: TypedValue, dtype: Scalar) -> Evaluate:
    """Cast, with a warning where an integer does not fit; unsigned integers may wrap."""
    given = number(typed.type)
    if given is not None and given.kind == "c" and dtype.kind not in "cb":
        what = fact("simt.complex-as-real", dtype=given.name)
        raise unit.typing_error(node, what)
    if given == BFLOAT16 and (dtype == FLOAT16 or dtype.kind in "bc"):
        what = fact("simt.no-conversion", dtype=name_of(given), wanted=dtype.name)
        raise unit.typing_error(node, what, fact("advice.write", code="float32(x)"))
    evaluate = cast(typed, dtype)
    if given is None or given.kind not in "iu" or dtype.kind not in "iu":
        return evaluate
    if given.itemsize <= dtype.itemsize or dtype.kind == "u":
        return evaluate
    wide, limits, site = cast(typed, given), np.iinfo(dtype), unit.site(node)

    def convert(frame: Frame, mask: Mask) -> Value:
        value = wide(frame, mask)
        least, most = frame.chunk.patterns.find(value).bounds
        if least < limits.min or most > limits.max:
            _report_overflow(frame, mask, value, dtype, site)
        return value.astype(dtype)

    return convert


def _report_overflow(frame: Frame, mask: Mask, value: Value, dtype: Scalar, site: Site) -> None:
    limits = np.iinfo(dtype)
    beyond = (value < limits.min) | (value > limits.max)
    beyond = beyond if mask.lanes is None else beyond & mask.lanes
    if beyond.any():
        first = int(np.broadcast_to(value, beyond.shape)[beyond][0])
        wrapped = _wrap(first, dtype)
        what = fact("finding.overflow", value=first, dtype=dtype.name, wrapped=wrapped)
        ExecutionPoint(frame.chunk, mask, site).report("warning", beyond, what, topic="overflow")


def _wrap(value: int, dtype: Scalar) -> int:
    return int(np.array([value]).astype(dtype)[0])


FORMS: ExpressionForms = {
    ast.BinOp: _compile_binary,
    ast.UnaryOp: _compile_unary,
    ast.Compare: _compile_comparison,
    ast.BoolOp: _compile_logical,
    ast.IfExp: _compile_conditional,
}
