"""Pairs of 16-bit floats in a word: taken apart, put together, and added by atomics."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from grader.simt.intrinsics.functions.bfloat16 import from_bits, to_bits
from grader.simt.intrinsics.functions.fixed_signatures import Function, Vector
from grader.simt.machine.conversion import convert
from grader.simt.program.types import BFLOAT16


def low_bits(word: Vector) -> Vector:
    """Return the 16 bits of the first number, `x`."""
    return word.astype(np.uint16)


def high_bits(word: Vector) -> Vector:
    """Return the 16 bits of the second number, `y`."""
    return (word >> np.uint32(16)).astype(np.uint16)


def join_bits(low: Vector, high: Vector) -> Vector:
    """Return the word of two numbers' bits."""
    word: Vector = low.astype(np.uint32) | high.astype(np.uint32) << np.uint32(16)
    return word


def _add_halves(left: Vector, right: Vector) -> Vector:
    total: Vector = left.view(np.float16) + right.view(np.float16)
    return total.view(np.uint16)


def add_bfloats(left: Vector, right: Vector) -> Vector:
    """Add bfloat16 by their bits."""
    total = from_bits(left).astype(np.float64) + from_bits(right)
    return to_bits(convert(total, BFLOAT16))


def _in_each(add: Function) -> Callable[[Vector, Vector], Vector]:
    def apply(left: Vector, right: Vector) -> Vector:
        return join_bits(*(add(take(left), take(right)) for take in (low_bits, high_bits)))

    return apply


add_half2 = _in_each(_add_halves)
add_bfloat2 = _in_each(add_bfloats)
"""Of words: each of the two numbers is added by itself."""
