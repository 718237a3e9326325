"""Checks that a reply of the process that grades is consistent: sizes and relations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from grader.banks import Access, InvalidAccess, cost
from grader.changes import ChangeRefused, apply_changes
from grader.kernels.grading import GATES
from grader.kernels.messages import EncodedArray
from grader.kernels.outcome import (
    STOPPED,
    UNDEFINED,
    KernelGrade,
    RunReport,
    WorstAccess,
    find_unproven,
)
from grader.kernels.problem import BYTES, SUMS, Problem, corners, evaluate_sizes
from grader.kernels.recording import Snapshot
from grader.probes import KernelProbes
from grader.simt.checks.counters import COUNTERS, SHARES
from grader.simt.checks.findings import Kind
from grader.verdict import Gate
from grader.wire import MOST_BYTES, impossible

_MOST_OF_A_LINE = 2048
"""Bytes that a line's counters take, each with a number of ten digits."""
_MOST_GRADED = 64 << 20
_MOST_PROBES = 100
_BASE64 = 4 / 3
_SUBJECTS = {
    "findings": {*get_args(Kind), *UNDEFINED.values()},
    "runs": {"budget", "no-progress", "resources", STOPPED},
    "counts": {BYTES, *SHARES, *SUMS, *COUNTERS},
}
_ORDER = ("passed", "failed", "not reached")


def decode_arrays(sent: Sequence[EncodedArray], problem: Problem) -> list[NDArray[Any]]:
    """Decode the outputs of a problem's first shape.

    Raises:
        Malformed: they are not those of the problem.
    """
    if [array.shape for array in sent] != _output_shapes(problem):
        raise impossible("outputs: shape")
    if any(len(array.data) != prod(array.shape) * np.dtype(array.dtype).itemsize for array in sent):
        raise impossible("outputs: data")
    return [np.frombuffer(array.data, array.dtype).reshape(array.shape).copy() for array in sent]


def max_output_bytes(problem: Problem) -> int:
    """Compute how many bytes the outputs of the first shape may take: 8 per element, as text.

    Raises:
        InvalidProblem: its sizes cannot be computed.
    """
    elements = sum(prod(shape) for shape in _output_shapes(problem))
    return MOST_BYTES + int(8 * elements * _BASE64)


def max_verdict_bytes(problem: Problem, source: str) -> int:
    """Compute how many bytes a verdict may take: counters of each line in each run."""
    lines = len(source.splitlines()) + 1
    return min(_MOST_GRADED, MOST_BYTES + (len(problem.shapes) + 1) * lines * _MOST_OF_A_LINE)


def check_graded(graded: KernelGrade, problem: Problem, source: str) -> None:
    """See that a verdict can be one on this submission.

    Raises:
        Malformed: it cannot.
    """
    gates = graded.verdict.gates
    check_gates(gates, GATES, _SUBJECTS)
    failure, runs = graded.verdict.failure, graded.runs
    passed = failure is None and all(gate.state == "passed" for gate in gates)
    if (failure is None) != passed or (passed and len(runs) != len(problem.shapes)):
        raise impossible("verdict")
    if failure is not None and failure.name == "result" and not _is_wrong(runs, problem):
        raise impossible("runs: wrong")
    listed = runs[:-1] if runs and runs[-1].confirms else runs
    if [run.shape for run in listed] != [*problem.shapes[: len(listed)]]:
        raise impossible("runs: shape")
    if len(listed) < len(runs) and not _can_confirm(runs[-1].shape, problem):
        raise impossible("runs: shape")
    if passed and not all(_is_evidence(run, problem) for run in runs):
        raise impossible("runs: evidence")
    _check_counts(graded, source)


def _is_wrong(runs: Sequence[RunReport], problem: Problem) -> bool:
    """Test whether the last run has wrong elements, or none that could be right."""
    return bool(runs) and bool(runs[-1].wrong or find_unproven(problem, runs[-1]))


def _can_confirm(shape: Mapping[str, int], problem: Problem) -> bool:
    """Test whether the run that confirms a pass can have a shape."""
    return [*shape] == [*problem.shapes[0]] and any(
        all(
            min(each[name] for each in ends) <= size <= max(each[name] for each in ends)
            for name, size in shape.items()
        )
        for ends in corners(problem) or (problem.shapes,)
    )


def _is_evidence(run: RunReport, problem: Problem) -> bool:
    """Test whether a run of a submission that passed proves what it should."""
    return run.finished and not (problem.reference and find_unproven(problem, run))


def check_observed(graded: KernelGrade, problem: Problem, source: str) -> None:
    """See that this can come of running a submission once.

    Raises:
        Malformed: it cannot.
    """
    gates = [gate for gate in graded.verdict.gates if gate.state != "not reached"]
    check_gates(gates, ("source", "runs"), _SUBJECTS)
    if [run.shape for run in graded.runs] not in ([], [problem.shapes[0]]):
        raise impossible("runs: shape")
    _check_counts(graded, source)


def _check_counts(graded: KernelGrade, source: str) -> None:
    lines = len(source.splitlines()) + 1
    for run in graded.runs:
        _check_run(run, lines)
    for access in graded.accesses:
        _check_access(access, lines)


def check_probes(made: KernelProbes) -> None:
    """See that each question can be asked about this source: its lines, options, and changes.

    Raises:
        Malformed: one cannot.
    """
    count = made.source.count("\n") + 1
    if not 0 < made.first <= made.last <= count or len(made.probes) > _MOST_PROBES:
        raise impossible("probes")
    for probe in made.probes:
        lines = {probe.line, *probe.lines, *probe.right}
        offered = {"line": probe.lines, "choice": probe.options, "number": (probe.answer,)}
        if max(lines) > count or not offered[probe.form] or 0 in probe.lines:
            raise impossible("probes: lines")
        try:
            apply_changes(made.source, probe.changes)
        except ChangeRefused:
            raise impossible("probes: changes") from None


def check_snapshot(snapshot: Snapshot) -> None:
    """See that each array has a state for each of its cells, in whole rows.

    Raises:
        Malformed: it has not.
    """
    for array in snapshot.arrays:
        cells, columns = len(array.cells), array.columns
        if cells != len(array.states) or not columns or cells % columns:
            raise impossible("arrays")


def check_gates(
    gates: Sequence[Gate], names: Sequence[str], subjects: Mapping[str, Collection[str]]
) -> None:
    """See that gates come in order: those passed, at most one that failed, those not reached.

    Args:
        names: all that there may be, in order.
        subjects: by name of a gate, what it may say it is about.

    Raises:
        Malformed: they do not.
    """
    if not {gate.name for gate in gates} <= {*names}:
        raise impossible("gates: name")
    if not gates or not _ascends(names.index(gate.name) for gate in gates):
        raise impossible("gates: order")
    states = [gate.state for gate in gates]
    if not _ascends(_ORDER.index(state) for state in states) or states.count("failed") > 1:
        raise impossible("gates: state")
    if any(gate.subject and gate.subject not in subjects.get(gate.name, ()) for gate in gates):
        raise impossible("gates: subject")


def _ascends(numbers: Iterable[int]) -> bool:
    return all(low <= high for low, high in pairwise(numbers))


def _check_run(run: RunReport, lines: int) -> None:
    if not all(1 <= line <= lines for line in run.counts):
        raise impossible("counts: line")
    if not all(counts.keys() <= {*COUNTERS} for counts in run.counts.values()):
        raise impossible("counts: counter")
    if not run.shares.keys() <= {*SHARES}:
        raise impossible("shares")


def _check_access(worst: WorstAccess, lines: int) -> None:
    try:
        cost(Access(worst.kind, worst.width, np.array(worst.addresses), np.array(worst.active)))
    except InvalidAccess:
        raise impossible("accesses") from None
    if not 1 <= worst.line <= lines:
        raise impossible("accesses: line")


def _output_shapes(problem: Problem) -> list[tuple[int, ...]]:
    shape = problem.shapes[0]
    return [
        evaluate_sizes(problem.arguments[i].shape, shape, ("arguments", i, "shape"))
        for i in problem.outputs
    ]
