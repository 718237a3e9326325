"""A Numba CUDA kernel without a GPU: run, counted and checked line by line.

    done = launch(transpose, (8, 8), (32, 32), [image, out])
    done.totals["shared_load_conflicts"], done.findings, done.origin("out", (3, 5))

All threads of some blocks advance together through the kernel's syntax tree, as NumPy vectors; the
kernel is interpreted, never executed. Types are Numba's. docs/emulator.md explains what is counted
and what is found. Imports no Numba.
"""

from grader.simt.checks.counters import COUNTERS
from grader.simt.checks.findings import FINDINGS, Finding
from grader.simt.errors import InvalidLaunch, NotTyped, Refused, SimtError
from grader.simt.launches.api import compile_for, launch, read, record
from grader.simt.launches.launching import (
    GRADING_SECONDS,
    Launch,
)
from grader.simt.memory.recorder import Moment, RecordedArray, Recorder
from grader.simt.numba.reading.source import Function

__all__ = [
    "COUNTERS",
    "FINDINGS",
    "GRADING_SECONDS",
    "Finding",
    "Function",
    "InvalidLaunch",
    "Launch",
    "Moment",
    "NotTyped",
    "RecordedArray",
    "Recorder",
    "Refused",
    "SimtError",
    "compile_for",
    "launch",
    "read",
    "record",
]
