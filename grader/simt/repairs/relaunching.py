"""Advice on a launch that has run: runs it again with changes, on what its arrays held before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from grader.changes import Change
from grader.simt.checks.findings import Finding
from grader.simt.launches.arguments import as_array, flatten
from grader.simt.launches.launching import Launch
from grader.simt.numba.reading.source import Function
from grader.simt.program.kernel import CompiledKernel
from grader.simt.repairs.candidates import Scene
from grader.simt.repairs.cuda_text import CudaText
from grader.simt.repairs.editing import edit_kernel, source_of
from grader.simt.repairs.proving import Relaunch, Trials, advise
from grader.simt.repairs.python_text import PythonText

Run = Callable[[CompiledKernel, int], Launch]
"""Launches a kernel with the arguments of the launch, within a budget of operations."""


def advise_launch(
    ready: CompiledKernel,
    findings: Sequence[Finding],
    done: Launch,
    arguments: Sequence[Any],
    relaunch: Relaunch,
) -> tuple[tuple[Finding, ...], Trials]:
    """Return the findings of a launch, with advice where a change is proven to remove one.

    Args:
        ready: the kernel.
        findings: of the launch, as the person sees them.
        done: the launch.
        arguments: of the launch.
        relaunch: see `Relaunch`.
    """
    if not any(each.kind != "warning" for each in findings):
        return tuple(findings), Trials()
    scene = make_scene(ready, arguments)
    if scene is None:
        return tuple(findings), Trials()
    return advise(findings, done, scene, relaunch)


def advise_in_place(
    ready: CompiledKernel,
    findings: Sequence[Finding],
    done: Launch,
    arguments: Sequence[Any],
    run: Run,
    *,
    keeps: bool = False,
) -> tuple[tuple[Finding, ...], Trials]:
    """Do the same with the arrays of the launch themselves, which are afterwards as they were.

    Args:
        ready: the kernel.
        findings: of the launch, as the person sees them.
        done: the launch; nothing is tried unless it kept what its arrays held before.
        arguments: of the launch.
        run: see `Run`.
        keeps: see `edit_kernel`.
    """
    kept = done.before
    if kept is None:
        return tuple(findings), Trials()

    def relaunch(changes: tuple[Change, ...], budget: int) -> Launch:
        changed = edit_kernel(ready, changes, arguments, keeps=keeps)
        for array, before in kept:
            array[...] = before
        return run(changed, budget)

    after = [(array, array.copy()) for array, _ in kept]
    try:
        return advise_launch(ready, findings, done, arguments, relaunch)
    finally:
        for array, result in after:
            array[...] = result


def make_scene(ready: CompiledKernel, arguments: Sequence[Any]) -> Scene | None:
    """Return what rules see of a launch; None if the source cannot be read as text."""
    text = source_of(ready)
    numbers, shapes = _describe(ready.function.parameters, arguments)
    try:
        if isinstance(ready.function, Function):
            return Scene(PythonText(text), numbers, shapes)
        return Scene(CudaText(text), numbers, shapes)
    except (SyntaxError, ValueError):
        return None


def _describe(
    names: Sequence[str], arguments: Sequence[Any]
) -> tuple[Mapping[str, int], Mapping[str, tuple[int, ...]]]:
    numbers: dict[str, int] = {}
    shapes: dict[str, tuple[int, ...]] = {}
    for name, value in zip(names, arguments, strict=False):
        for leaf, part in flatten(name, value):
            array = as_array(part)
            if array is not None:
                shapes[leaf] = array.shape
            elif isinstance(part, int | np.integer):
                numbers[leaf] = int(part)
    return numbers, shapes
