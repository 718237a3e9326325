"""What can be wrong with a source or with its values. Written for the person who wrote it.

LayoutError
├── NotUnderstood        outside the language; nothing was computed
├── TooMuchWork          it does not come to an end within the bound
└── NoValue              at one element there is no value
    └── NotWhole         at one element the value is no whole number
InvalidExercise          the exercise's own fault, not the person's
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.written import Mistake

BoolArray = NDArray[np.bool_]


class LayoutError(Mistake):
    """Something is wrong with a source, or with its value at an element."""


class NotUnderstood(LayoutError):
    """The source is outside the language."""


class TooMuchWork(LayoutError):
    """The work bound was reached; `line` and `column` are where."""


class NoValue(LayoutError):
    """There is no value at `element`, counted through what was evaluated."""

    def __init__(
        self, what: str, line: int = 1, column: int = 1, instead: str = "", element: int = 0
    ) -> None:
        super().__init__(what, line, column, instead)
        self.element = element


class NotWhole(NoValue):
    """The value at `element` is no whole number."""


class InvalidExercise(ValueError):
    """A tile, an access or a constant that cannot be; the author's to mend."""


class Fault(Exception):
    """Arithmetic that has no result in some lanes; the evaluator adds where it stands.

    Attributes:
        lanes: (n,) or (1,) where it happened.
        whole: whether it is about a number that is not whole.
    """

    def __init__(
        self, what: str, lanes: BoolArray, instead: str = "", *, whole: bool = False
    ) -> None:
        super().__init__(what)
        self.what = what
        self.lanes = lanes
        self.instead = instead
        self.whole = whole

    def at(self, line: int, column: int) -> NoValue:
        """The same as an error at a place, for the first of its lanes."""
        kind = NotWhole if self.whole else NoValue
        element = int(np.argmax(self.lanes))
        return kind(self.what, line, column, self.instead, element)


def fault_where(bad: BoolArray, active: BoolArray, what: str, instead: str = "") -> None:
    """Raise `Fault` if an active lane is bad. `bad` is (n,) or (1,), `active` (n,)."""
    if bad.any() and (lanes := bad & active).any():
        raise Fault(what, lanes, instead)


class Work:
    """Element-operations left; spending more than there are ends the evaluation.

    An operation on few elements costs as much time as one on some thousand: NumPy's own overhead.
    """

    BOUND = 150_000_000
    OVERHEAD = 3_500

    def __init__(self, elements: int, bound: int = BOUND) -> None:
        self._left = bound // (elements + self.OVERHEAD)

    def spend(self) -> bool:
        """Take one operation; False when there was none left."""
        self._left -= 1
        return self._left >= 0
