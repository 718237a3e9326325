"""Which element of an array a cell of its memory is, as the source counts it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

Race = Literal["race", "global-race"]


@dataclass(frozen=True)
class Watched:
    """Some memory, and what a race on it is called.

    Attributes:
        shape: in row order, to say which element a cell is; empty where that cannot be told.
        first_block: the block that threads are numbered from.
    """

    race: Race
    label: str
    shape: tuple[int, ...] = ()
    first_block: int = 0

    def index(self, cell: int) -> tuple[int, ...]:
        """Of a cell's element, as the source counts it."""
        if len(self.shape) > 1 and cell < int(np.prod(self.shape)):
            return tuple(int(one) for one in np.unravel_index(cell, self.shape))
        return (cell,)

    def element(self, cell: int) -> str:
        """As a message shows it."""
        return f"{self.label}[{', '.join(map(str, self.index(cell)))}]"
