"""The larger and the smaller of two floats as a device has them: +0 is larger than -0.

NumPy leaves open which of two zeros it returns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def _by_sign(function: np.ufunc, zero: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Make a function of two vectors that asks `zero` where both are zeros."""

    def choose(left: Any, right: Any) -> Any:
        found = function(left, right)
        if found.all():  # no zero: a pass, where a test of both takes three
            return found
        both = (left == 0) & (right == 0)
        return np.where(both, zero(left, right), found) if both.any() else found

    return choose


def _sum(left: Any, right: Any) -> Any:
    return left + right


def _negative_sum(left: Any, right: Any) -> Any:
    return -(-left - right)


larger, smaller = _by_sign(np.fmax, _sum), _by_sign(np.fmin, _negative_sum)
"""Of a NaN and a number, the number."""
larger_or_nan, smaller_or_nan = _by_sign(np.maximum, _sum), _by_sign(np.minimum, _negative_sum)
