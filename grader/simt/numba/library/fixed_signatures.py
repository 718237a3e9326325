"""Makes functions that have a single signature: any number that Numba converts to it will do."""

from __future__ import annotations

import ast

from grader.simt.intrinsics.functions.fixed_signatures import FixedSignature
from grader.simt.numba.library.calling import (
    Intrinsic,
    apply_function,
    arguments,
    describe_mismatch,
)
from grader.simt.numba.reading.typing_rules import can_cast
from grader.simt.numba.typed import cast
from grader.simt.numba.unit import Unit
from grader.simt.program.nodes import Expression
from grader.simt.program.types import Tuple


def make_fixed(called: str, entry: FixedSignature) -> Intrinsic:
    """Make a function; several results are a tuple."""

    def make(unit: Unit, node: ast.Call) -> Expression:
        nodes = arguments(unit, node, called, len(entry.operands))
        given = [unit.compile_number(argument) for argument in nodes]
        kinds = [dtype for _, dtype in given]
        if not all(map(can_cast, kinds, entry.operands)):
            raise unit.typing_error(node, describe_mismatch(called, *kinds))
        pairs = zip(given, entry.operands, strict=True)
        operands = tuple(cast(typed, dtype) for (typed, _), dtype in pairs)
        if len(entry.results) > 1:
            return apply_function(called, entry.apply, operands, Tuple(entry.results))
        (result,) = entry.results
        unit.widening.note(node, called, result, tuple(typed.type for typed, _ in given))
        return apply_function(called, entry.apply, operands, result)

    return make
