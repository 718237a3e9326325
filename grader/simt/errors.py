"""What can be wrong with a kernel or a launch before it runs. What is found later is no error.

SimtError
├── Refused              outside of what is emulated: line, column and what to write instead
│   └── NotTyped         no types fit, or two that do not go together meet in one variable
└── InvalidLaunch        arguments, grid or block that cannot be
"""

from __future__ import annotations


class SimtError(ValueError):
    """The kernel cannot be emulated."""


class Refused(SimtError):
    """Something in the source, at `line` and `column` (from 1); `instead` says what to write."""

    def __init__(self, what: str, line: int, column: int, instead: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.line = line
        self.column = column
        self.instead = instead

    def __str__(self) -> str:
        tail = f"; {self.instead}" if self.instead else ""
        return f"line {self.line}, column {self.column}: {self.what}{tail}"


class NotTyped(Refused):
    """Numba would find no types for it either."""


class InvalidLaunch(SimtError):
    """The launch itself cannot be: its arguments, its grid or its block."""
