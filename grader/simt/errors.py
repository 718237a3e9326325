"""Errors of a kernel or a launch before it runs. What is found later is a finding, not an error.

SimtError
├── Refused              outside of what is emulated: line, column and what to write instead
│   └── NotTyped         no types fit, or two that do not go together meet in one variable
└── InvalidLaunch        arguments, grid or block that cannot be
    └── DeviceRefusal    sizes that a device's driver would refuse
"""

from __future__ import annotations

from grader.facts import Fact
from grader.mistakes import Mistake


class SimtError(ValueError):
    """The kernel cannot be emulated."""


class Refused(SimtError, Mistake):
    """Something in the source that is not emulated."""


class NotTyped(Refused):
    """Numba would find no types for it either."""


class InvalidLaunch(SimtError):
    """The launch itself is impossible: its arguments, its grid or its block.

    Attributes:
        instead: what to pass instead, where the catalogue does not know it by `what`.
    """

    def __init__(self, what: Fact, instead: Fact | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.instead = instead


class DeviceRefusal(InvalidLaunch):
    """A grid, a block or memory of a block that a device's driver would refuse."""


class DriverError(Exception):
    """A thread ended its launch: an assertion failed, or it trapped. Says what CUDA prints."""

    def __init__(self, what: str, number: int) -> None:
        super().__init__(what)
        self.number = number
