"""`std::numeric_limits`, and NaN of a text: `nanf("")`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.conversions import number
from grader.simt.cuda.lowering.expressions import lower
from grader.simt.cuda.lowering.library.overloads import Handler, called, no_overload, require
from grader.simt.cuda.lowering.model.types import DOUBLE, FLOAT, Arithmetic
from grader.simt.cuda.lowering.model.values import Value
from grader.simt.cuda.lowering.unit import CudaUnit

_REAL: dict[str, Any] = {
    "min": lambda info: info.tiny,
    "max": lambda info: info.max,
    "lowest": lambda info: info.min,
    "epsilon": lambda info: info.eps,
    "denorm_min": lambda info: info.smallest_subnormal,
    "infinity": lambda _info: np.inf,
    "quiet_NaN": lambda _info: np.nan,
    "signaling_NaN": lambda _info: np.nan,
}
_WHOLE: dict[str, Any] = {
    "min": lambda info: info.min,
    "max": lambda info: info.max,
    "lowest": lambda info: info.min,
}
"""All others are 0, as in C++."""


def _limit(member: str) -> Handler:
    def lower_limit(unit: CudaUnit, node: syntax.Call, given: Sequence[Value]) -> Value:
        require(unit, node, given, 0)
        assert isinstance(node.function, syntax.Name)  # it was found by its name
        written = node.function.parts[-2].arguments or ()
        kind = unit.module.type_of(unit, written[0]) if len(written) == 1 else None
        if not isinstance(kind, Arithmetic):
            raise no_overload(unit, node, given)
        return number(kind, _find(member, kind))

    return lower_limit


def _find(member: str, kind: Arithmetic) -> float:
    dtype = kind.dtype
    if dtype.kind == "f":
        return float(_REAL[member](np.finfo(dtype)))
    if member not in _WHOLE:
        return 0
    return member == "max" if dtype.kind == "b" else int(_WHOLE[member](np.iinfo(dtype)))


def lower_nan(unit: CudaUnit, node: syntax.Call) -> Value:
    """Lower `nan` or `nanf`, whose text would choose the bits of a NaN that no operation keeps."""
    if len(node.arguments) != 1 or not isinstance(node.arguments[0], syntax.StringLiteral):
        raise no_overload(unit, node, [lower(unit, each) for each in node.arguments])
    return number(FLOAT if called(node) == "nanf" else DOUBLE, np.nan)


HANDLERS: dict[str, Handler] = {f"numeric_limits::{member}": _limit(member) for member in _REAL}
