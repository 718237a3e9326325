"""`cuda.reduce`: an array folded into one value, in a tree, by the emulator.

It is Numba's library, not a kernel of the script, so no launch is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from grader.simt.host.arrays import EmulatedArray
from grader.simt.launches.api import launch, read
from grader.simt.numba.reading.source import of_function

_FOLD = """
def fold(values, half):
    i = cuda.grid(1)
    if i + half < values.size:
        values[i] = function(values[i], values[i + half])
"""
_BLOCK = 256


class Reduce:
    """A reduction by an associative and commutative function of two values."""

    def __init__(self, functor: Callable[..., Any]) -> None:
        self._fold = read(_FOLD, names={"function": of_function(functor)})

    def __call__(
        self, arr: Any, size: int | None = None, res: Any = None, init: Any = 0, stream: Any = 0
    ) -> Any:
        """Fold the elements, with `init` as one of them; None if `res` takes the result.

        Raises:
            TypeError: the array has several axes.
        """
        if arr.ndim != 1:
            raise TypeError("only support 1D array")
        device = isinstance(arr, EmulatedArray)
        values = np.append(arr.base if device else arr, arr.dtype.type(init))
        if size is not None:
            values = np.append(values[:size], values[-1])
        while values.size > 1:
            half = -(-values.size // 2)
            launch(self._fold, -(-half // _BLOCK), _BLOCK, [values, half])
            values = values[:half]
        if res is None:
            return values[0]
        res[:1] = values
        return None
