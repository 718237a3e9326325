"""Advice on a launch that has run: runs it again with changes, on what its arrays held before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from grader.changes import Change
from grader.simt.checks.advice import Advice
from grader.simt.checks.findings import Finding
from grader.simt.launches.arguments import as_array, flatten
from grader.simt.launches.kept_memory import KeptMemory
from grader.simt.launches.reports import Launch
from grader.simt.numba.reading.source import Function
from grader.simt.program.kernel import CompiledKernel
from grader.simt.repairs.candidates import RepairScene
from grader.simt.repairs.cuda_text import CudaText
from grader.simt.repairs.editing import edit_kernel, source_of
from grader.simt.repairs.proving import Relaunch, RepairTrials, Rerun, advise, improve
from grader.simt.repairs.python_text import PythonText

_ROUNDING = 1e-3
"""Relative difference of sums in another order: those of float32 with thousands of terms."""
Run = Callable[[CompiledKernel, int], Launch]
"""Launches a kernel with the arguments of the launch, within a budget of operations."""


class Advised(NamedTuple):
    """What is advised on a launch.

    Attributes:
        findings: those of the launch, with advice where a change is proven to remove one.
        cheaper: of a launch without faults, changes that make it cheaper.
    """

    findings: tuple[Finding, ...]
    cheaper: tuple[Advice, ...] = ()
    trials: RepairTrials = RepairTrials()


def advise_launch(
    ready: CompiledKernel,
    findings: Sequence[Finding],
    done: Launch,
    arguments: Sequence[Any],
    relaunch: Relaunch,
) -> Advised:
    """Try changes of a kernel that was launched.

    Args:
        findings: of the launch, as the person sees them.
    """
    scene = make_scene(ready, arguments)
    if scene is None or not done.finished:
        return Advised(tuple(findings))
    advised, trials = advise(findings, done, scene, relaunch)
    if any(each.kind != "warning" for each in findings):
        return Advised(advised, (), trials)
    cheaper, more = improve(done, scene, relaunch)
    return Advised(advised, cheaper, trials.plus(more))


def advise_in_place(
    ready: CompiledKernel,
    findings: Sequence[Finding],
    done: Launch,
    arguments: Sequence[Any],
    run: Run,
    *,
    keeps: bool = False,
) -> Advised:
    """Do the same with the arrays of the launch themselves, which are afterwards as they were.

    Args:
        done: the launch; nothing is tried unless it kept what its arrays held before.
        keeps: see `edit_kernel`.
    """
    kept = done.before
    if kept is None:
        return Advised(tuple(findings))

    def relaunch(changes: tuple[Change, ...], budget: int) -> Rerun:
        changed = edit_kernel(ready, changes, arguments, keeps=keeps)
        kept.restore()
        return compare(run(changed, budget), kept.arrays, after.before)

    with KeptMemory.keep(kept.arrays) as after:
        return advise_launch(ready, findings, done, arguments, relaunch)


def compare(done: Launch, arrays: Sequence[Any], wanted: Sequence[Any]) -> Rerun:
    """Return a launch that ran again, with whether its arrays hold what they should."""
    pairs = [
        pair
        for pair in zip(arrays, wanted, strict=True)
        if isinstance(pair[0], np.ndarray) and pair[0].tobytes() != pair[1].tobytes()
    ]
    real = all(array.dtype.kind == "f" for array, _ in pairs)
    close = real and all(np.allclose(*pair, _ROUNDING, equal_nan=True) for pair in pairs)
    return Rerun(done, not pairs, close)


def make_scene(ready: CompiledKernel, arguments: Sequence[Any]) -> RepairScene | None:
    """Return what rules see of a launch; None if the source cannot be read as text."""
    text = source_of(ready)
    numbers, shapes, dtypes = _describe(ready.function.parameters, arguments)
    dtypes |= {each.label: each.dtype.name for each in ready.program.shared.values()}
    try:
        if isinstance(ready.function, Function):
            return RepairScene(PythonText(text), numbers, shapes, dtypes)
        return RepairScene(CudaText(text), numbers, shapes, dtypes)
    except (SyntaxError, ValueError):
        return None


def _describe(
    names: Sequence[str], arguments: Sequence[Any]
) -> tuple[dict[str, int], dict[str, tuple[int, ...]], dict[str, str]]:
    numbers: dict[str, int] = {}
    shapes: dict[str, tuple[int, ...]] = {}
    dtypes: dict[str, str] = {}
    for name, value in zip(names, arguments, strict=False):
        for leaf, part in flatten(name, value):
            array = as_array(part)
            if array is not None:
                shapes[leaf], dtypes[leaf] = array.shape, array.dtype.name
            elif isinstance(part, int | np.integer):
                numbers[leaf] = int(part)
    return numbers, shapes, dtypes
