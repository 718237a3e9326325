"""Complex numbers: `complex(…)` and `cmath`."""

from __future__ import annotations

import ast

from grader.simt.intrinsics.functions import complexes
from grader.simt.numba.library.calling import (
    Table,
    arguments,
    describe_mismatch,
    elementwise,
)
from grader.simt.numba.reading.typing_rules import resolve
from grader.simt.numba.typed import cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Apply, Expression
from grader.simt.program.types import (
    BFLOAT16,
    COMPLEX64,
    COMPLEX128,
    FLOAT32,
    Tuple,
    real_of,
)


def _log(unit: Unit, node: ast.Call) -> Expression:
    count = len(arguments(unit, node, "cmath.log", 1, 2))
    return elementwise("cmath.log", f"complex {count}", complexes.log, count)(unit, node)


def _polar(unit: Unit, node: ast.Call) -> Expression:
    (given,) = arguments(unit, node, "cmath.polar", 1)
    typed, dtype = unit.compile_number(given)
    signature = resolve("complex 1", dtype)
    if signature is None:
        raise unit.typing_error(node, describe_mismatch("cmath.polar", dtype))
    value, part = cast(typed, signature.result), real_of(signature.result)
    return Apply(Tuple((part, part)), "polar", complexes.polar, (value,))


def _complex(unit: Unit, node: ast.Call) -> Expression:
    given = [unit.compile_number(argument) for argument in arguments(unit, node, "complex", 1, 2)]
    kinds = [dtype for _, dtype in given]
    if BFLOAT16 in kinds or (len(given) == 2 and any(kind.kind == "c" for kind in kinds)):
        raise unit.typing_error(node, describe_mismatch("complex", *kinds))
    narrow = all(kind == FLOAT32 for kind in kinds)
    result = COMPLEX64 if narrow else COMPLEX128
    if len(given) == 1:
        return cast(given[0][0], result)
    parts = tuple(cast(typed, real_of(result)) for typed, _ in given)
    return Apply(result, "complex", complexes.join_parts, parts)


CALLS: Table = {
    **{
        f"cmath.{name}": elementwise(f"cmath.{name}", "complex 1", function)
        for name, function in complexes.ONE.items()
    },
    **{
        f"cmath.{name}": elementwise(f"cmath.{name}", "complex test", function)
        for name, function in complexes.TESTS.items()
    },
    "cmath.phase": elementwise("cmath.phase", "complex abs", complexes.phase),
    "cmath.rect": elementwise("cmath.rect", "complex of reals", complexes.rect, 2),
    "cmath.log": _log,
    "cmath.polar": _polar,
    "builtins.complex": _complex,
}
