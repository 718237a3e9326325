"""Floating point (PTX ISA 9.7.3 to 9.7.5).

What the hardware approximates (`ex2.approx`, `sin.approx`, …) is computed in double precision and
rounded once: within the ISA's bounds, and not always the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.simt.intrinsics.functions import rounding
from grader.simt.program.types import (
    FLOAT64,
)
from grader.simt.ptx.instructions.arithmetic import quotient
from grader.simt.ptx.instructions.kinds import (
    Compute,
    Form,
    Make,
    float_function,
    is_float,
    mode_of,
    type_of,
)
from grader.simt.ptx.values import (
    DTYPES,
    Vector,
)


def approximate(function: Compute) -> Make:
    """Make an operation that the hardware approximates."""

    def make(modifiers: Sequence[str]) -> Form | None:
        kind = type_of(modifiers)
        if not kind or not is_float(kind):
            return None

        def compute(value: Vector) -> Any:
            return function(value.astype(FLOAT64)).astype(value.dtype)

        return Form((kind,), (kind,), float_function(kind, compute, modifiers))

    return make


def root(modifiers: Sequence[str]) -> Form | None:
    """Make `sqrt`."""
    kind = type_of(modifiers)
    mode = mode_of(modifiers)
    if kind not in ("f32", "f64"):
        return None
    function = np.sqrt if mode == "rn" else rounding.root(mode, DTYPES[kind].name)
    return Form((kind,), (kind,), float_function(kind, function, modifiers))


def reciprocal(modifiers: Sequence[str]) -> Form | None:
    """Make `rcp`."""
    kind = type_of(modifiers)
    if kind not in ("f32", "f64"):
        return None
    divided = quotient(modifiers)
    assert divided is not None  # it has a type
    one = DTYPES[kind].type(1)
    return Form((kind,), (kind,), lambda value: divided.compute(np.full_like(value, one), value))


def copysign(modifiers: Sequence[str]) -> Form | None:
    """Make `copysign`."""
    kind = type_of(modifiers)
    if kind not in ("f32", "f64"):
        return None
    return Form((kind,), (kind, kind), lambda sign, value: np.copysign(value, sign))


def _is_normal(value: Vector) -> Any:
    """Return where a number is normal; zeros are, on an H200."""
    return np.isfinite(value) & ((value == 0) | (np.abs(value) >= np.finfo(value.dtype).tiny))


_TESTS: dict[str, Compute] = {
    "finite": np.isfinite,
    "infinite": np.isinf,
    "number": lambda value: ~np.isnan(value),
    "notanumber": np.isnan,
    "normal": _is_normal,
    "subnormal": lambda value: (value != 0) & (np.abs(value) < np.finfo(value.dtype).tiny),
}


def testp(modifiers: Sequence[str]) -> Form | None:
    """Make `testp`."""
    kind, test = type_of(modifiers), _TESTS.get(modifiers[0]) if modifiers else None
    return None if test is None or not kind else Form(("pred",), (kind,), test)
