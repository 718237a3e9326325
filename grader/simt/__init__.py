"""A Numba CUDA kernel without a GPU: run, counted and checked line by line.

    done = launch(transpose, (8, 8), (32, 32), [image, out])
    done.totals["shared_load_conflicts"], done.findings, done.origin("out", (3, 5))

All threads of some blocks advance together through the kernel's syntax tree, as NumPy vectors; the
kernel is interpreted, never executed. Types are Numba's. docs/emulator.md explains what is counted
and what is found. Imports no Numba.
"""

from grader.simt.api import explained, launch, prepared, read
from grader.simt.counters import COUNTERS
from grader.simt.errors import InvalidLaunch, NotTyped, Refused, SimtError
from grader.simt.findings import Finding
from grader.simt.launching import GRADING_BUDGET, GRADING_SECONDS, Explanation, Launch, Origin
from grader.simt.program import Kernel
from grader.simt.source import Function
from grader.simt.watching import Read

__all__ = [
    "COUNTERS",
    "GRADING_BUDGET",
    "GRADING_SECONDS",
    "Explanation",
    "Finding",
    "Function",
    "InvalidLaunch",
    "Kernel",
    "Launch",
    "NotTyped",
    "Origin",
    "Read",
    "Refused",
    "SimtError",
    "explained",
    "launch",
    "prepared",
    "read",
]
