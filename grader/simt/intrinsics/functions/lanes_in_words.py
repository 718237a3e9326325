"""Functions of a word's four bytes, or of its two halves: `__vadd4`, `__vmaxs2`, ….

A lane is computed in int64, and put back with as many bits as it has.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from grader.simt.intrinsics.functions.fixed_signatures import COMPARISONS, Function, Vector
from grader.simt.program.types import UINT32, UINT64, Scalar

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


def _lanewise(function: Function, *words: Vector, bits: int, signed: bool) -> Vector:
    return join_lanes(function(*(split_lanes(word, bits, signed=signed) for word in words)), bits)


def _summed(function: Function, *words: Vector, bits: int, signed: bool) -> Vector:
    lanes = function(*(split_lanes(word, bits, signed=signed) for word in words))
    return np.asarray(lanes.sum(axis=-1), np.uint32)


def _saturated(function: Function, least: int, largest: int) -> Function:
    return lambda *lanes: np.clip(function(*lanes), least, largest)


def _distance(left: Vector, right: Vector) -> Vector:
    apart: Vector = np.abs(left - right)
    return apart


def rounded_mean(left: Vector, right: Vector) -> Vector:
    """Return the mean; halfway, what is farther from zero."""
    total = left + right
    mean: Vector = total + (total >= 0) >> 1
    return mean


def _of_signs(bits: int, *, signed: bool) -> dict[str, Function]:
    """Return what there is of signed lanes and of unsigned ones."""
    letter = "s" if signed else "u"
    make = partial(partial, _lanewise, bits=bits, signed=signed)
    found: dict[str, Function] = {
        f"vmax{letter}": make(np.maximum),
        f"vmin{letter}": make(np.minimum),
        f"vavg{letter}": make(rounded_mean),
        f"vabsdiff{letter}": make(_distance),
        f"vsad{letter}": partial(_summed, _distance, bits=bits, signed=signed),
    }
    limits = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    for name, function in (("vadd", np.add), ("vsub", np.subtract)):
        found[f"{name}{letter}s"] = make(_saturated(function, *limits))
    for test, compare in COMPARISONS.items():
        own = test if test in ("eq", "ne") else f"{test}{letter}"
        found[f"vset{own}"] = make(compare)
        found[f"vcmp{own}"] = make(_minus(compare))
    return found


def _minus(compare: Function) -> Callable[[Vector, Vector], Vector]:
    """Make a test whose result has all bits set where it holds."""
    return lambda left, right: -compare(left, right).astype(np.int64)


def _of_size(bits: int) -> dict[str, Function]:
    make = partial(partial, _lanewise, bits=bits)
    largest = (1 << bits - 1) - 1
    return {
        **_of_signs(bits, signed=False),
        **_of_signs(bits, signed=True),
        "vadd": make(np.add, signed=False),
        "vsub": make(np.subtract, signed=False),
        "vhaddu": make(lambda left, right: left + right >> 1, signed=False),
        "vabs": make(np.abs, signed=True),
        "vabsss": make(_saturated(np.abs, -largest, largest), signed=True),
        "vneg": make(np.negative, signed=True),
        "vnegss": make(_saturated(np.negative, -largest, largest), signed=True),
    }


def sum_products(kinds: tuple[str, str], part: slice, result: Scalar) -> Function:
    """Add products to a number: of the parts of a word, by NumPy's names of their types.

    The other factors are the parts of another word that the slice says.
    """

    def compute(left: Vector, right: Vector, more: Vector) -> Vector:
        first, second = (
            np.ascontiguousarray(word)[..., None].view(kind).astype(np.int64)
            for word, kind in zip((left, right), kinds, strict=True)
        )
        total = (first * second[..., part]).sum(axis=-1) + more.astype(np.int64)
        found: Vector = total.astype(np.uint64).astype(np.uint32).view(result)
        return found

    return compute


def _permute(
    picked: Callable[[Vector, int], Any], low: Vector, high: Vector, chosen: Vector
) -> Vector:
    both = low.astype(UINT64) | high.astype(UINT64) << UINT64.type(32)
    found: Any = UINT32.type(0)
    for place in range(4):
        pick = picked(chosen, place)
        shift = ((pick & UINT32.type(7)) * UINT32.type(8)).astype(UINT64)
        octet = (both >> shift).astype(UINT32) & UINT32.type(0xFF)
        sign = np.where(octet & UINT32.type(0x80), UINT32.type(0xFF), UINT32.type(0))
        octet = np.where(pick & UINT32.type(8), sign, octet)
        found = found | octet << UINT32.type(8 * place)
    return np.asarray(found, dtype=UINT32)


_CHOICES: dict[str, Callable[[Vector, int], Any]] = {
    "": lambda chosen, place: (chosen >> UINT32.type(4 * place)) & UINT32.type(15),
    "f4e": lambda chosen, place: (chosen & UINT32.type(3)) + UINT32.type(place),
    "b4e": lambda chosen, place: (chosen & UINT32.type(3)) - UINT32.type(place) & UINT32.type(7),
    "rc8": lambda chosen, _place: chosen & UINT32.type(3),
    "ecl": lambda chosen, place: np.maximum(chosen & UINT32.type(3), UINT32.type(place)),
    "ecr": lambda chosen, place: np.minimum(chosen & UINT32.type(3), UINT32.type(place)),
    "rc16": lambda chosen, place: (
        (chosen & UINT32.type(1)) * UINT32.type(2) | UINT32.type(place & 1)
    ),
}
PERMUTATIONS: dict[str, Function] = {
    mode: partial(_permute, picked) for mode, picked in _CHOICES.items()
}
"""By the mode of `prmt`, what chooses four of the eight bytes of two uint32 by a third one.

For each place it has the number of a byte; 8 more are its sign."""


FUNCTIONS: dict[str, Function] = {
    f"__{name}{_WORD // bits}": function
    for bits in (8, 16)
    for name, function in _of_size(bits).items()
}
"""By their names in CUDA C++: of uint32, one or two, each to uint32."""
UNARY = frozenset(
    f"__v{name}{count}" for name in ("abs", "absss", "neg", "negss") for count in (2, 4)
)
