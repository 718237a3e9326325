"""What an operation checks: that its result fits its signed type, its shift is in range, and more.

What the type's own operation makes of it has been computed; nothing is changed. An index
along an inner axis of a declared array is checked to stay on that axis, and the divisor of an
integer division not to be zero.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.checks.findings import BEYOND_AXIS
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.masks import Bools


def check_divisor(here: ExecutionPoint, found: Value) -> Value:
    """Check the divisor of an integer division: a thread that divides by zero is a finding."""
    if found.all():
        return found
    bad, _ = here.mask.split(found == 0)
    if bad is not None:
        here._replace(mask=bad).report("zero-division", bad.full, fact("finding.zero-division"))
    return found


def check_axis(size: int, label: str, here: ExecutionPoint, index: Value) -> None:
    """Report threads whose index is beyond its axis: they access another row of the array.

    Args:
        size: elements along the axis.
        label: what the source calls the array.
        index: an integer for each thread.
    """
    if index.size == 1:
        if 0 <= index[0, 0] < size:
            return
    else:
        least, most = here.chunk.patterns.find(index).bounds
        if least >= 0 and most < size:
            return
    beyond = (index < 0) | (index >= size)
    beyond = beyond if here.mask.lanes is None else beyond & here.mask.lanes
    if beyond.any():
        full = np.broadcast_to(beyond, (here.chunk.blocks, here.chunk.threads))
        first = int(np.broadcast_to(index, full.shape)[full][0])
        what = fact("finding.beyond-axis", index=first, array=label, size=size)
        here.report("out-of-bounds", full, what, topic=BEYOND_AXIS, array=label)


_LEAST, _MOST = np.minimum.reduce, np.maximum.reduce
_SYMBOLS = {"div": "/", "rem": "%"}


def check_overflow(operator: str, here: ExecutionPoint, value: Value, *operands: Value) -> None:
    """Report threads whose operation overflows.

    Args:
        operator: of `machine.operators`.
        value: what the operation gave, of the type that it must fit.
        operands: integers of the same type.
    """
    if _is_proven(operator, value.dtype, operands):
        return
    beyond = _CHECKS[operator](value, *operands)
    lanes, chunk = here.mask.lanes, here.chunk
    beyond = beyond if lanes is None else beyond & lanes
    if not beyond.any():
        return
    full = np.broadcast_to(beyond, (chunk.blocks, chunk.threads))
    given = [int(np.broadcast_to(operand, full.shape)[full][0]) for operand in operands]
    sign = _SYMBOLS.get(operator, operator)
    dtype, topic = value.dtype.name, "signed overflow"
    if operator == "neg":
        what = fact("finding.signed-overflow.negation", value=given[0], dtype=dtype)
    elif operator in ("<<", ">>") and not 0 <= given[1] < 8 * value.dtype.itemsize:
        what = fact("finding.shift-count", count=given[1], dtype=dtype)
        topic = "shift"
    else:
        left, right = given
        wrapped = int(np.broadcast_to(value, full.shape)[full][0])
        what = fact(
            "finding.signed-overflow",
            left=left, operator=sign, right=right, dtype=dtype, wrapped=wrapped,
        )  # fmt: skip
    here.report("overflow", full, what, topic=topic)


def _is_proven(operator: str, dtype: np.dtype[Any], operands: tuple[Value, ...]) -> bool:
    """Return True if the operands' bounds tell that nothing overflows."""
    if operator not in ("+", "-", "*"):
        return False
    left, right = operands
    (low, high), (least, most) = _bounds_of(left), _bounds_of(right)
    fits_from, fits_to = _limits_of(dtype)
    match operator:
        case "+":
            bounds = low + least, high + most
        case "-":
            bounds = low - most, high - least
        case _:
            corners = (low * least, low * most, high * least, high * most)
            bounds = min(corners), max(corners)
    return bounds[0] >= fits_from and bounds[1] <= fits_to


def _bounds_of(value: Value) -> tuple[int, int]:
    """Return the least and the largest of numbers; of a constant without two reductions."""
    if value.size == 1:
        only = int(value.item())
        return only, only
    return int(_LEAST(value, None)), int(_MOST(value, None))


@lru_cache
def _limits_of(dtype: np.dtype[Any]) -> tuple[int, int]:
    limits = np.iinfo(dtype)
    return int(limits.min), int(limits.max)


def _sum(value: Value, left: Value, right: Value) -> Bools:
    lost: Bools = ((left ^ value) & (right ^ value)) < 0
    return lost


def _difference(value: Value, left: Value, right: Value) -> Bools:
    lost: Bools = ((left ^ right) & (left ^ value)) < 0
    return lost


def _product(value: Value, left: Value, right: Value) -> Bools:
    if value.dtype.itemsize < 8:
        narrow: Bools = left.astype(np.int64) * right != value
        return narrow
    least = np.iinfo(value.dtype).min
    other = np.where(right == 0, 1, right)
    back = np.where(other == -1, -value, value // other)
    lost: Bools = (right != 0) & ((back != left) | ((left == least) & (right == -1)))
    return lost


def _negation(value: Value, _only: Value) -> Bools:
    least: Bools = value == np.iinfo(value.dtype).min
    return least


def _quotient(value: Value, left: Value, right: Value) -> Bools:
    least: Bools = (left == np.iinfo(value.dtype).min) & (right == -1)
    return least


def _shift(value: Value, left: Value, count: Value) -> Bools:
    bits = 8 * value.dtype.itemsize
    beyond: Bools = np.broadcast_to((count < 0) | (count >= bits), value.shape)
    if value.dtype.kind == "u":
        return beyond
    unsigned: NDArray[Any] = np.array(-1, value.dtype).view(f"u{value.dtype.itemsize}")
    most = unsigned >> np.clip(count, 0, bits - 1).astype(unsigned.dtype)
    lost: Bools = beyond | ((left > 0) & (left.astype(unsigned.dtype) > most))
    return lost


def _shift_back(value: Value, _left: Value, count: Value) -> Bools:
    beyond: Bools = (count < 0) | (count >= 8 * value.dtype.itemsize)
    return beyond


_CHECKS: dict[str, Callable[..., Bools]] = {
    "+": _sum,
    "-": _difference,
    "*": _product,
    "neg": _negation,
    "div": _quotient,
    "rem": _quotient,
    "<<": _shift,
    ">>": _shift_back,
}
