"""Starts the process that grades kernels, before what asks it is loaded: each takes 0.2 s."""

from __future__ import annotations

from grader.process import Process, python

COMPILES = "with-triton"
"""The argument of a worker that has a compiler of Triton beside it."""


def start(*, compiles: bool = False) -> Process:
    """Start it; `compiles`: with a compiler of Triton."""
    command = python("grader.kernels.worker")
    return Process([*command, COMPILES] if compiles else command)
