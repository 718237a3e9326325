"""The arrays that a kernel declares: whose they are, and where they lie in a block's memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt.program.types import Scalar


@dataclass(frozen=True, eq=False)
class DeclaredArray:
    """An array of the source: shared, local or constant, or a variable in global memory.

    Attributes:
        base: byte address within a block's shared memory.
        data: the elements of what is constant or global.
    """

    label: str
    dtype: Scalar
    shape: tuple[int, ...]
    base: int = 0
    data: NDArray[Any] | None = None

    @property
    def elements(self) -> int:
        """The number of its elements."""
        return int(np.prod(self.shape, dtype=object)) if self.shape else 1

    @property
    def bytes(self) -> int:
        """The size of the array."""
        return self.elements * self.dtype.itemsize
