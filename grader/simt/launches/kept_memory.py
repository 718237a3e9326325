"""What memory held before a launch, so that it can run again on that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class KeptMemory:
    """Some arrays; as a context manager, it puts back at the end what they held."""

    arrays: Sequence[NDArray[Any]]
    before: Sequence[NDArray[Any]]

    @classmethod
    def keep(cls, arrays: Sequence[NDArray[Any]]) -> Self:
        """Keep what arrays hold now."""
        return cls(arrays, list(map(np.copy, arrays)))

    def restore(self) -> None:
        """Put back what they held."""
        for array, before in zip(self.arrays, self.before, strict=True):
            array[...] = before

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Put back what they held."""
        self.restore()
