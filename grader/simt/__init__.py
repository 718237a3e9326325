"""A CUDA kernel, in Numba or C++, without a GPU: run, counted and checked line by line.

    done = launch(transpose, (8, 8), (32, 32), [image, out])
    done.totals["shared_load_conflicts"], done.findings, done.origin("out", (3, 5))

All threads of some blocks advance together through the kernel's typed program, as NumPy vectors;
the kernel is interpreted, never executed. Types are those of its language. docs/emulator.md
explains what is counted and what is found. Imports no Numba, and a part only when it is used.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
"""Type checkers take this name for true."""

if TYPE_CHECKING:
    from typing import Any

    from grader.simt.checks.advice import Advice, DiffLine, Effect
    from grader.simt.checks.counters import COUNTERS
    from grader.simt.checks.findings import FINDINGS, RACES, Finding
    from grader.simt.errors import InvalidLaunch, NotTyped, Refused, SimtError
    from grader.simt.host.files.modules import load
    from grader.simt.launches.api import compile_for, launch, read, record
    from grader.simt.launches.reports import Launch
    from grader.simt.memory.recorder import Moment, RecordedArray, Recorder
    from grader.simt.numba.reading.source import Function
    from grader.simt.program.kernel import CompiledKernel

__all__ = [
    "COUNTERS", "FINDINGS", "RACES", "Advice", "CompiledKernel", "DiffLine", "Effect", "Finding",
    "Function", "InvalidLaunch", "Launch", "Moment", "NotTyped", "RecordedArray", "Recorder",
    "Refused", "SimtError", "compile_for", "launch", "load", "read", "record",
]  # fmt: skip

_PARTS = {
    "checks.advice": ("Advice", "DiffLine", "Effect"),
    "checks.counters": ("COUNTERS",),
    "checks.findings": ("FINDINGS", "RACES", "Finding"),
    "errors": ("InvalidLaunch", "NotTyped", "Refused", "SimtError"),
    "host.files.modules": ("load",),
    "launches.api": ("compile_for", "launch", "read", "record"),
    "launches.reports": ("Launch",),
    "memory.recorder": ("Moment", "RecordedArray", "Recorder"),
    "numba.reading.source": ("Function",),
    "program.kernel": ("CompiledKernel",),
}
"""Where each name is from. An index function needs the machine, not Numba's front end: 60 ms."""


def __getattr__(name: str) -> Any:
    """Load the part of a public name when the name is first used."""
    for part, names in _PARTS.items():
        if name in names:
            return getattr(import_module(f"grader.simt.{part}"), name)
    raise AttributeError(f"module 'grader.simt' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
