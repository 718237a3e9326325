"""A call while it runs: its variables, its loops, and the threads that wait.

`Evaluate(frame, mask)` returns a value for each thread: (rows, columns) that broadcasts to the
chunk's (blocks, threads); its values for threads outside the mask mean nothing. A tuple is a Python
tuple of such values, an array is a `View` or a `Choice`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from grader.simt.machine.chunk import Chunk
from grader.simt.masks import Mask

Value = Any
"""A vector, a tuple of values, a `View`, a `Choice`, or None."""


@dataclass(eq=False)
class LoopMasks:
    """The threads that left a loop, and those that left its current iteration."""

    broken: list[Mask] = field(default_factory=list)
    continued: list[Mask] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class PausedThreads:
    """Threads that wait in a loop for others, and how they continue.

    `resume` returns the threads that leave the statement that paused them, as the statement does.
    """

    mask: Mask
    resume: Callable[[Frame], Mask | None]


@dataclass(eq=False)
class Frame:
    """A call while it runs: its variables and its loops.

    Attributes:
        values: by name of the variable, or by a key of their own for intermediate results.
        result: of the call; None before the first `return`.
        owns_result: True if nothing else refers to the vector of the result.
        paused: threads that the last statement paused; the statement around it takes them.
        depth: calls of a function by itself that are under way.
    """

    chunk: Chunk
    values: dict[Any, Value] = field(default_factory=dict)
    loops: list[LoopMasks] = field(default_factory=list)
    result: Value = None
    owns_result: bool = False
    paused: PausedThreads | None = None
    depth: int = 0


Evaluate = Callable[[Frame, Mask], Value]
Execute = Callable[[Frame, Mask], "Mask | None"]
"""A statement: from the threads that reach it to those that reach the next."""
