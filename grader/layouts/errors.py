"""Errors of a source or of its values, as facts for its author.

LayoutError
├── NotUnderstood        outside the language; nothing was computed
├── TooMuchWork          the evaluation does not end within the bound
└── NoValue              an element has no value
    └── NotWhole         the value of an element is not an integer
InvalidExercise          the exercise itself is wrong, not what the person wrote
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, FactError, fact
from grader.mistakes import Mistake

BoolArray = NDArray[np.bool_]

NAME_PARTS = fact("layout.name-parts")
"""Advice for an expression that is too deep."""


class LayoutError(Mistake):
    """Something is wrong with a source, or with its value at an element."""


class NotUnderstood(LayoutError):
    """The source is outside the language."""


class TooMuchWork(LayoutError):
    """The work bound was reached; `line` and `column` are where."""


class NoValue(LayoutError):
    """There is no value at `element`, counted through what was evaluated."""

    def __init__(
        self,
        what: Fact,
        line: int = 1,
        column: int = 1,
        instead: Fact | None = None,
        element: int = 0,
    ) -> None:
        super().__init__(what, line, column, instead)
        self.element = element


class NotWhole(NoValue):
    """The value at `element` is not an integer."""


class InvalidExercise(FactError, ValueError):
    """A tile, an access or a constant is impossible; `what` tells the author of the exercise."""


class LaneFault(FactError):
    """Arithmetic has no result in some lanes; the evaluator adds the place in the source.

    Attributes:
        lanes: (n,) or (1,) where it happened.
        instead: what to write, where the catalogue cannot know it from `what` alone.
        whole: True if a number is not an integer where one is needed.
    """

    def __init__(
        self, what: Fact, lanes: BoolArray, instead: Fact | None = None, *, whole: bool = False
    ) -> None:
        super().__init__(what)
        self.lanes = lanes
        self.instead = instead
        self.whole = whole

    def at(self, line: int, column: int) -> NoValue:
        """Return the same as an error at a place, for the first of its lanes."""
        kind = NotWhole if self.whole else NoValue
        element = int(np.argmax(self.lanes))
        return kind(self.what, line, column, self.instead, element)


def fault_where(bad: BoolArray, active: BoolArray, what: Fact) -> None:
    """Raise `LaneFault` if an active lane is bad. `bad` is (n,) or (1,), `active` (n,)."""
    if bad.any() and (lanes := bad & active).any():
        raise LaneFault(what, lanes)
