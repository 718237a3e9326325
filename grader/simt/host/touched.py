"""How far launches have gone into memory: the last byte of an allocation that was touched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class TouchedMemory(NamedTuple):
    """What launches did to some memory.

    Attributes:
        nbytes: from its start to the last byte that was touched.
        loaded: True if something was read, or changed by an atomic.
        stored: True if something was written.
    """

    nbytes: int = 0
    loaded: bool = False
    stored: bool = False

    def reach(self, last: int, *kinds: str) -> TouchedMemory:
        """Return it with accesses of some kinds, up to a byte."""
        return TouchedMemory(
            max(self.nbytes, last),
            self.loaded or not {"load", "atomic"}.isdisjoint(kinds),
            self.stored or not {"store", "atomic"}.isdisjoint(kinds),
        )

    def add(self, accessed: Mapping[Any, NDArray[np.bool_]], itemsize: int) -> TouchedMemory:
        """Return it with the elements that a launch accessed, by kind."""
        found = {kind: np.flatnonzero(there) for kind, there in accessed.items() if there.any()}
        last = max((int(each[-1]) + 1 for each in found.values()), default=0)
        return self.reach(last * itemsize, *found)
