"""Comparison and selection (PTX ISA 9.7.6)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from grader.simt.intrinsics.functions.approximations import flush
from grader.simt.intrinsics.functions.fixed_signatures import COMPARISONS
from grader.simt.program.types import FLOAT16, UINT16
from grader.simt.ptx.instructions.kinds import Compute, Form, is_float
from grader.simt.ptx.values import DTYPES, Vector, from_bfloat, join_halves, split_halves

_COMPARE: dict[str, np.ufunc] = {
    **COMPARISONS, "lo": np.less, "ls": np.less_equal, "hi": np.greater, "hs": np.greater_equal,
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


def _comparison(modifiers: Sequence[str], kind: str) -> Compute | None:
    """Return the test that is named first; of packed floats, it gives (…, 2) booleans."""
    name, one = modifiers[0], kind.removesuffix("x2")
    if not is_float(kind):
        return _COMPARE.get(name)
    test = _OF_FLOATS.get(name, _COMPARE.get(name))
    if test is None or kind == "f32x2":
        return None
    steps = list[Compute]()
    if kind != one:
        steps.append(split_halves)
    if kind == "f16x2":
        steps.append(lambda value: value.view(FLOAT16))
    if one == "bf16":
        steps.append(from_bfloat)
    if "ftz" in modifiers and one in ("f16", "f32"):
        steps.append(flush)
    return partial(_test_after, tuple(steps), test) if steps else test


def _test_after(steps: Sequence[Compute], test: Compute, *values: Vector) -> Any:
    for step in steps:
        values = tuple(map(step, values))
    return test(*values)


def setp(kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `setp`; of packed floats, it sets a predicate for each half."""
    test = _comparison(modifiers, kind)
    if test is None:
        return None
    both = _both_halves if kind.endswith("x2") else _both
    combine = next((_COMBINE[each] for each in modifiers[1:] if each in _COMBINE), None)
    if combine is None:
        return Form(("pred", "pred"), (kind, kind), lambda a, b: both(test(a, b)))

    def combined(a: Vector, b: Vector, c: Vector) -> tuple[Vector, Vector]:
        first, second = both(test(a, b))
        return combine(first, c), combine(second, c)

    return Form(("pred", "pred"), (kind, kind, "pred"), combined)


def _both(holds: Vector) -> tuple[Vector, Vector]:
    return holds, ~holds


def _both_halves(holds: Vector) -> tuple[Vector, Vector]:
    return holds[..., 0], holds[..., 1]


_YES = {
    "u16": 0xFFFF, "s16": -1, "u32": 0xFFFFFFFF, "s32": -1, "f16": 1.0, "bf16": 0x3F80, "f32": 1.0,
}  # fmt: skip
"""What `set` gives where a test holds, by its result's type."""
_YES_OF_HALVES = {"u32": 0xFFFF, "s32": 0xFFFF, "f16x2": 0x3C00, "bf16x2": 0x3F80}
"""The same for a half of packed floats."""


def set_register(kind: str, modifiers: Sequence[str]) -> Form | None:
    """Make `set`."""
    if len(modifiers) < 3:
        return None
    result, test = modifiers[-2], _comparison(modifiers, kind)
    packed = kind.endswith("x2")
    yes = (_YES_OF_HALVES if packed else _YES).get(result)
    if test is None or yes is None:
        return None
    combine = next((_COMBINE[each] for each in modifiers[1:-2] if each in _COMBINE), None)
    dtype = DTYPES[result]
    each = UINT16 if packed else dtype

    def compute(a: Vector, b: Vector, *known: Vector) -> Any:
        holds = test(a, b)
        if combine is not None:
            holds = combine(holds, known[0][..., None] if packed else known[0])
        found = np.where(holds, each.type(yes), each.type(0))
        return join_halves(found).view(dtype) if packed else found

    operands = (kind, kind) if combine is None else (kind, kind, "pred")
    return Form((result,), operands, compute)


def selp(kind: str, _modifiers: Sequence[str]) -> Form:
    """Make `selp`."""
    return Form((kind,), (kind, kind, "pred"), lambda a, b, p: np.where(p, a, b))


def slct(test: str, modifiers: Sequence[str]) -> Form | None:
    """Make `slct`."""
    kind = modifiers[-2] if len(modifiers) > 1 else ""
    if kind not in DTYPES or test not in ("s32", "f32"):
        return None
    read = flush if "ftz" in modifiers and test == "f32" else np.asarray
    return Form((kind,), (kind, kind, test), lambda a, b, c: np.where(read(c) >= 0, a, b))
