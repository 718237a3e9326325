"""Functions of a word's four bytes, or of its two halves: `__vadd4`, `__vmaxs2`, ….

A lane is computed in int64, and put back with as many bits as it has.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from grader.simt.intrinsics.functions.fixed_signatures import Function, Vector

_WORD = 32


def split_lanes(word: Vector, bits: int, *, signed: bool) -> Vector:
    """Return the lanes of words, lowest first, along a new last axis."""
    shifts = np.arange(0, _WORD, bits, dtype=np.int64)
    lanes: Vector = np.asarray(word).astype(np.int64)[..., None] >> shifts & ((1 << bits) - 1)
    return np.where(lanes >> (bits - 1) != 0, lanes - (1 << bits), lanes) if signed else lanes


def join_lanes(lanes: Vector, bits: int) -> Vector:
    """Return the words of lanes, of which the last bits count."""
    shifts = np.arange(0, _WORD, bits, dtype=np.int64)
    word = (lanes.astype(np.int64) & ((1 << bits) - 1)) << shifts
    return np.asarray(word.sum(axis=-1), np.uint32)


def _lanewise(function: Function, bits: int, signed: bool, *words: Vector) -> Vector:  # noqa: FBT001
    return join_lanes(function(*(split_lanes(word, bits, signed=signed) for word in words)), bits)


def _summed(function: Function, bits: int, signed: bool, *words: Vector) -> Vector:  # noqa: FBT001
    lanes = function(*(split_lanes(word, bits, signed=signed) for word in words))
    return np.asarray(lanes.sum(axis=-1), np.uint32)


def _saturated(function: Function, least: int, largest: int) -> Function:
    return lambda *lanes: np.clip(function(*lanes), least, largest)


def _distance(left: Vector, right: Vector) -> Vector:
    apart: Vector = np.abs(left - right)
    return apart


def _rounded_mean(left: Vector, right: Vector) -> Vector:
    """Return the mean; halfway, what is farther from zero."""
    total = left + right
    mean: Vector = total + (total >= 0) >> 1
    return mean


_COMPARISONS: dict[str, Function] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "ge": np.greater_equal,
    "gt": np.greater,
    "le": np.less_equal,
    "lt": np.less,
}


def _of_signs(bits: int, *, signed: bool) -> dict[str, Function]:
    """Return what there is of signed lanes and of unsigned ones."""
    letter = "s" if signed else "u"
    make = partial(partial, _lanewise)
    found: dict[str, Function] = {
        f"vmax{letter}": make(np.maximum, bits, signed),
        f"vmin{letter}": make(np.minimum, bits, signed),
        f"vavg{letter}": make(_rounded_mean, bits, signed),
        f"vabsdiff{letter}": make(_distance, bits, signed),
        f"vsad{letter}": partial(_summed, _distance, bits, signed),
    }
    limits = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    for name, function in (("vadd", np.add), ("vsub", np.subtract)):
        found[f"{name}{letter}s"] = make(_saturated(function, *limits), bits, signed)
    for test, compare in _COMPARISONS.items():
        own = test if test in ("eq", "ne") else f"{test}{letter}"
        found[f"vset{own}"] = make(compare, bits, signed)
        found[f"vcmp{own}"] = make(_minus(compare), bits, signed)
    return found


def _minus(compare: Function) -> Callable[[Vector, Vector], Vector]:
    """Make a test whose result has all bits set where it holds."""
    return lambda left, right: -compare(left, right).astype(np.int64)


def _of_size(bits: int) -> dict[str, Function]:
    make = partial(partial, _lanewise)
    largest = (1 << bits - 1) - 1
    return {
        **_of_signs(bits, signed=False),
        **_of_signs(bits, signed=True),
        "vadd": make(np.add, bits, False),  # noqa: FBT003
        "vsub": make(np.subtract, bits, False),  # noqa: FBT003
        "vhaddu": make(lambda left, right: left + right >> 1, bits, False),  # noqa: FBT003
        "vabs": make(np.abs, bits, True),  # noqa: FBT003
        "vabsss": make(_saturated(np.abs, -largest, largest), bits, True),  # noqa: FBT003
        "vneg": make(np.negative, bits, True),  # noqa: FBT003
        "vnegss": make(_saturated(np.negative, -largest, largest), bits, True),  # noqa: FBT003
    }


FUNCTIONS: dict[str, Function] = {
    f"__{name}{_WORD // bits}": function
    for bits in (8, 16)
    for name, function in _of_size(bits).items()
}
"""By their names in CUDA C++: of uint32, one or two, each to uint32."""
UNARY = frozenset(
    f"__v{name}{count}" for name in ("abs", "absss", "neg", "negss") for count in (2, 4)
)
