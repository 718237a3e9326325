"""Comparison and selection (PTX ISA 9.7.6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from grader.simt.ptx.instructions.kinds import (
    Compute,
    Form,
    flush,
    is_float,
    type_of,
)
from grader.simt.ptx.values import (
    DTYPES,
    Vector,
    from_bfloat,
)

_COMPARE: dict[str, np.ufunc] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
    "ge": np.greater_equal, "lo": np.less, "ls": np.less_equal, "hi": np.greater,
    "hs": np.greater_equal,
}  # fmt: skip
_COMBINE = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}


def _unordered(test: Compute, a: Vector, b: Vector) -> Any:
    return test(a, b) | np.isnan(a) | np.isnan(b)


def _missing(a: Vector, b: Vector) -> Any:
    return np.isnan(a) | np.isnan(b)


_OF_FLOATS: dict[str, Compute] = {
    "nan": _missing,
    "num": lambda a, b: ~_missing(a, b),
    "ne": lambda a, b: (a < b) | (a > b),  # an ordered comparison: false for NaN
    **{f"{name}u": partial(_unordered, test) for name, test in _COMPARE.items()},
}


def _comparison(name: str, kind: str, modifiers: Sequence[str]) -> Compute | None:
    floats = is_float(kind)
    test = _OF_FLOATS.get(name, _COMPARE.get(name)) if floats else _COMPARE.get(name)
    if test is None or not floats:
        return test
    if kind == "bf16":
        return lambda a, b: test(from_bfloat(a), from_bfloat(b))
    if "ftz" in modifiers and kind == "f32":
        return lambda a, b: test(flush(a), flush(b))
    return test


def setp(modifiers: Sequence[str]) -> Form | None:
    """Make `setp`."""
    kind = type_of(modifiers)
    if not kind or kind in ("f16x2", "bf16x2"):
        return None
    test = _comparison(modifiers[0], kind, modifiers)
    if test is None:
        return None
    combine = next((_COMBINE[each] for each in modifiers[1:] if each in _COMBINE), None)
    if combine is None:
        return Form(("pred", "pred"), (kind, kind), lambda a, b: _both(test(a, b)))

    def combined(a: Vector, b: Vector, c: Vector) -> tuple[Vector, Vector]:
        holds = test(a, b)
        return combine(holds, c), combine(~holds, c)

    return Form(("pred", "pred"), (kind, kind, "pred"), combined)


def _both(holds: Vector) -> tuple[Vector, Vector]:
    return holds, ~holds


def set_register(modifiers: Sequence[str]) -> Form | None:
    """Make `set`."""
    if len(modifiers) < 3:
        return None
    result, kind = modifiers[-2:]
    test = _comparison(modifiers[0], kind, modifiers)
    if test is None or result not in ("u32", "s32", "f32"):
        return None
    dtype, yes = DTYPES[result], 1.0 if result == "f32" else -1
    high = np.array(yes if result != "u32" else 0xFFFFFFFF, dtype)
    return Form((result,), (kind, kind), lambda a, b: np.where(test(a, b), high, dtype.type(0)))


def selp(modifiers: Sequence[str]) -> Form | None:
    """Make `selp`."""
    kind = type_of(modifiers)
    return Form((kind,), (kind, kind, "pred"), lambda a, b, p: np.where(p, a, b)) if kind else None


def slct(modifiers: Sequence[str]) -> Form | None:
    """Make `slct`."""
    if len(modifiers) < 2:
        return None
    kind, test = modifiers[-2:]
    return Form((kind,), (kind, kind, test), lambda a, b, c: np.where(c >= 0, a, b))
