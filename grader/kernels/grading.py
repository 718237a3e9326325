"""Grades a kernel by gates: source, a run that ends, right values, no finding, limited counts.

Runs the kernel in the emulator at every shape, until a gate fails. A pass is confirmed at a
shape and with values that are shown nowhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, floor, prod
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.changes import Change, apply_changes
from grader.comparing import compare
from grader.facts import Fact, FieldValue, fact
from grader.kernels.accepting import check_text
from grader.kernels.confirming import list_confirmations
from grader.kernels.inputs import ArgumentValue, make_arguments
from grader.kernels.launching import launch_submission
from grader.kernels.outcome import (
    STOPPED,
    ComparedOutput,
    KernelGrade,
    RunReport,
    SharedArray,
    WorstAccess,
    Writer,
    WrongElement,
    describe_shape,
    fault_name,
    find_unproven,
)
from grader.kernels.problem import (
    CountLimit,
    Problem,
    counters_of,
    evaluate_integer,
    evaluate_number,
    evaluate_sizes,
)
from grader.kernels.reference import ReferenceOutputs
from grader.kernels.submission import Submission, read_submission
from grader.mistakes import Mistake
from grader.simt import Finding, InvalidLaunch, Launch
from grader.simt.checks.counters import SHARES
from grader.verdict import Gate, GateState, verdict

if TYPE_CHECKING:
    from grader.simt.repairs.proving import Rerun

GATES = ("source", "runs", "result", "findings", "counts")
"""In their order. `source`: one kernel of that signature, which can be emulated.
`runs`: every block runs to its end, within what a device gives. `result`, `findings`, `counts`: at
every shape."""

SHOWN = 12
"""How many wrong elements of a run are kept."""
_RUNS = ("budget", "no-progress", "resources")
_QUICK = 650_000_000
"""Operations of a run that only has to tell a right kernel: three times what any shipped solution
takes at a shape of its problem."""
_STOPS = (Mistake, InvalidLaunch, MemoryError)


def gate_keys(problem: Problem) -> tuple[str, ...]:
    """List the keys of the problem's gates, in order; each limit has its own."""
    counts = [f"counts: {limit.counter}" for limit in problem.limits]
    return ("source", "runs", *(["result"] if problem.reference else []), "findings", *counts)


def grade(
    problem: Problem, source: str, expected: ReferenceOutputs | None, *, advise: bool = False
) -> KernelGrade:
    """Grade a submission.

    Args:
        source: the submission; interpreted, never executed.
        expected: the right outputs; None compares no values.
        advise: also try changes that may help it to pass.

    Raises:
        InvalidProblem, ReferenceFailed: the problem itself is at fault.
    """
    runs: list[RunReport] = []
    first: Launch | None = None
    failed: Gate | None = None
    try:
        submission = read_submission(problem, source)
        for run in range(len(problem.shapes)):
            ran, done = _run(problem, submission, run, expected)
            runs.append(ran)
            if not run:
                first = done
            failed = _runs_gate(problem, ran, done) or _result_gate(problem, ran)
            if failed is not None:
                break
        if failed is not None and failed.subject == "budget" and _have_missed(problem, runs[:-1]):
            runs.pop()
            failed = None
        if expected is not None and _have_all_passed(_list_gates(problem, runs, failed)):
            ran, failed = _confirm(problem, submission, source)
            if not _have_all_passed(_list_gates(problem, (*runs, ran), failed)):
                runs.append(ran)
    except _STOPS as error:
        failed = _stop_gate(error)
    gates = [*_list_gates(problem, runs, failed)]
    if advise and _may_be_advised(problem, gates[-1], runs):
        runs = _advise(problem, source, runs)
    accesses, arrays = ((), ()) if first is None else (_list_worst(first), _list_arrays(first))
    graded = verdict(gates, gate_keys(problem))
    return KernelGrade(source, graded, tuple(runs), accesses, arrays)


def observe(problem: Problem, source: str) -> KernelGrade:
    """Run a submission at the first shape, and say what was counted.

    Values are not compared, what was found is left out: the gates `source` and `runs` alone are
    reached.

    Raises:
        InvalidProblem: the problem itself is at fault.
    """
    runs: list[RunReport] = []
    done: Launch | None = None
    failed: Gate | None = None
    try:
        submission = read_submission(problem, source)
        ran, done = _run(problem, submission, 0, None)
        failed = _runs_gate(problem, ran, done)
        runs.append(replace(ran, findings=()))
    except _STOPS as error:
        failed = _stop_gate(error)
    ran_at_all = failed is None or failed.name == "runs"
    gates = [Gate("source", "passed")] if ran_at_all else []
    gates.append(failed or Gate("runs", "passed"))
    accesses, arrays = ((), ()) if done is None else (_list_worst(done), _list_arrays(done))
    found = verdict(gates, gate_keys(problem))
    return KernelGrade(source, found, tuple(runs), accesses, arrays)


def find_failure(problem: Problem, source: str, expected: ReferenceOutputs | None) -> str:
    """Find a gate that a submission fails, and run no more than that takes.

    The shape with the fewest threads comes first, and nothing follows a failure. So it may be
    another gate than the first that `grade` finds.

    Args:
        expected: the right outputs; None compares no values.

    Returns:
        The key of the gate; "" if it passes all of them at every shape, and is confirmed.

    Raises:
        InvalidProblem, ReferenceFailed: the problem itself is at fault.
    """
    limited = replace(problem, operations=problem.operations or _QUICK)
    try:
        submission = read_submission(problem, source)
        for run in sorted(range(len(problem.shapes)), key=partial(_count_threads, problem)):
            ran, done = _run(limited, submission, run, expected)
            failed = _runs_gate(problem, ran, done) or _result_gate(problem, ran)
            gate = [*_list_gates(problem, (ran,), failed)][-1]
            if gate.state == "failed":
                return gate.key
        if expected is None:
            return ""
        ran, failed = _confirm(problem, submission, source)
        gate = [*_list_gates(problem, (ran,), failed)][-1]
    except _STOPS as error:
        gate = _stop_gate(error)
    return gate.key if gate.state == "failed" else ""


def _count_threads(problem: Problem, run: int) -> int:
    shape = problem.shapes[run]
    grid = evaluate_sizes(problem.grid, shape, ("launch", "grid"))
    return prod(grid) * prod(evaluate_sizes(problem.block, shape, ("launch", "block")))


def _stop_gate(error: Mistake | InvalidLaunch | MemoryError) -> Gate:
    """Make the gate of a submission that could not be run."""
    match error:
        case Mistake():
            return Gate(
                "source", "failed", reason=error.what, hint=error.instead, line=error.line,
                column=error.column,
            )  # fmt: skip
        case InvalidLaunch():
            return Gate("runs", "failed", "resources", reason=error.what)
        case _:
            return Gate("runs", "failed", "resources", reason=fact("kernel.no-memory"))


def _have_missed(problem: Problem, runs: Sequence[RunReport]) -> bool:
    """Return True if runs that ended have a fault, or more than is allowed: that says why."""
    return bool(runs) and not _have_all_passed(_list_gates(problem, runs, None))


def _have_all_passed(gates: Iterator[Gate]) -> bool:
    return all(gate.state == "passed" for gate in gates)


def _confirm(
    problem: Problem, submission: Submission, source: str
) -> tuple[RunReport, Gate | None]:
    """Run it at shapes, with values and in orders of blocks that it cannot know, until it fails.

    Returns:
        The last run.
    """
    for unseen in list_confirmations(problem, source):
        ran, failed = _confirm_at(unseen, submission)
        if not _have_all_passed(_list_gates(problem, (ran,), failed)):
            break
    return replace(ran, confirms=True), failed


def _confirm_at(unseen: Problem, submission: Submission) -> tuple[RunReport, Gate | None]:
    """Run it at one shape.

    If every order must give the same bits, a run in the reverse order is compared with it.
    """
    given = make_arguments(unseen, 0)
    ran, done = _run(unseen, submission, 0, ReferenceOutputs(unseen), given=given)
    failed = _runs_gate(unseen, ran, done) or _result_gate(unseen, ran)
    if failed is not None or ran.faults or not unseen.deterministic:
        return ran, failed
    again = replace(unseen, order=-unseen.seed, terms=0)
    first = [np.asarray(given[i]) for i in unseen.outputs]
    ran, done = _run(again, submission, 0, ReferenceOutputs(again, {0: first}))
    return ran, _runs_gate(unseen, ran, done) or _result_gate(unseen, ran, reordered=True)


def _may_be_advised(problem: Problem, gate: Gate, runs: Sequence[RunReport]) -> bool:
    """Return True if a change of the source may help to pass a gate; no rule knows Triton."""
    faulty = any(ran.faults for ran in runs)
    known = gate.name == "counts" or (gate.name in ("findings", "result") and faulty)
    return known and gate.state == "failed" and problem.language != "triton"


def _advise(problem: Problem, source: str, runs: Sequence[RunReport]) -> list[RunReport]:
    """Return the runs with advice: on the first one that has faults, or else on the first one."""
    # Only a submission that fails needs it: 20 ms
    from grader.simt.repairs.relaunching import advise_launch, compare  # noqa: PLC0415

    found = next((number for number, ran in enumerate(runs) if ran.faults), 0)
    posed, run = problem, found
    if runs[found].confirms:
        shape = runs[found].shape
        unseen = list_confirmations(problem, source)
        posed, run = next(each for each in unseen if each.shapes[0] == shape), 0
    text = check_text(source)
    first = launch_submission(posed, read_submission(posed, source), run)

    def relaunch(changes: tuple[Change, ...], budget: int) -> Rerun:
        changed = read_submission(posed, apply_changes(text, changes))
        again = launch_submission(posed, changed, run, budget=budget)
        return compare(again.done, again.given, first.given)

    advised = advise_launch(
        first.kernel, runs[found].findings, first.done, first.arguments, relaunch
    )
    return [
        replace(ran, findings=advised.findings, advice=advised.cheaper)
        if ran is runs[found]
        else ran
        for ran in runs
    ]


def _list_gates(problem: Problem, runs: Sequence[RunReport], failed: Gate | None) -> Iterator[Gate]:
    """Yield all gates that were reached: the passed ones, then the first that failed."""
    for name in ("source", "runs", "result"):
        if failed is not None and failed.name == name:
            yield failed
            return
        if name != "result" or problem.reference:
            yield Gate(name, "passed", count=_count_compared(name, runs))
    fault = next((fault for run in runs for fault in run.faults), None)
    if fault is not None:
        yield _finding_gate(fault)
        return
    yield Gate("findings", "passed")
    yield from _list_limit_gates(problem, runs)


def _list_limit_gates(problem: Problem, runs: Sequence[RunReport]) -> Iterator[Gate]:
    """Yield the gates of the limits, as they passed at the first shape; the first missed is last.

    Of several, it is the one at the earliest shape: a mistake is seen where figures are largest.
    """
    first = [_limit_gate(limit, runs[0]) for limit in problem.limits]
    for ran in runs:
        for i, limit in enumerate(problem.limits):
            gate = _limit_gate(limit, ran)
            if gate.state == "failed":
                yield from first[:i]
                yield gate
                return
    yield from first


def _count_compared(name: str, runs: Sequence[RunReport]) -> int | None:
    """Count the elements that were right, for the gate that was passed by them."""
    return sum(run.elements for run in runs) if name == "result" else None


def _finding_gate(fault: Finding) -> Gate:
    return Gate(
        "findings", "failed", subject=fault_name(fault), reason=fault.what, hint=fault.hint,
        line=fault.line, column=fault.column,
    )  # fmt: skip


def _runs_gate(problem: Problem, ran: RunReport, done: Launch) -> Gate | None:
    """Make the gate `runs` if the run did not finish, or a device would not launch it.

    One that takes too long may do so because one thread or block does the work of all.
    """
    if (end := done.ended) is not None:
        line, column = (0, 0) if end.file else (end.line, end.column)
        return Gate("runs", "failed", STOPPED, reason=end.what, line=line, column=column)
    fault = next((finding for finding in ran.faults if finding.kind in _RUNS), None)
    if fault is None:
        assert done.finished  # what else ends a launch has a finding of those kinds
        return None
    reason = _find_uneven(problem, ran) if fault.kind == "budget" else None
    return Gate(
        "runs", "failed", subject=fault.kind, reason=reason or fault.what, hint=fault.hint,
        line=fault.line, column=fault.column,
    )  # fmt: skip


def _find_uneven(problem: Problem, ran: RunReport) -> Fact | None:
    """Return how unevenly the work was shared until the run was ended; None if within limits."""
    for limit in problem.limits:
        gate = _limit_gate(limit, ran)
        if limit.counter not in SHARES or gate.state == "passed":
            continue
        found, most = (gate.count or 0) / 100, (gate.most or 0) / 100
        counts: dict[str, FieldValue] = {"count": found, "most": most}
        if limit.counter == "busiest_thread_percent":
            return fact("kernel.stopped-thread", **counts)
        return fact("kernel.stopped-block", **counts)
    return None


def _result_gate(problem: Problem, ran: RunReport, *, reordered: bool = False) -> Gate | None:
    """Make the gate `result`: an input was written, an element is wrong, or nothing is proven.

    With `reordered` it is compared with a run in which the blocks had another order.
    """
    shape = describe_shape(ran.shape)
    if not ran.wrong:
        array = find_unproven(problem, ran) if problem.reference else None
        if array is None:
            return None
        reason = fact("kernel.unproven", shape=shape, array=array)
        return Gate("result", "failed", reason=reason, count=0, most=0)
    inputs = {argument.name for argument in problem.arguments if argument.role == "input"}
    written = next((each for each in ran.wrong if each.array in inputs), None)
    first = written or ran.wrong[0]
    seen: dict[str, FieldValue] = {
        "shape": shape, "element": first.element, "got": first.got, "expected": first.expected,
        "writer": first.last_write,
    }  # fmt: skip
    reason = fact("kernel.order", **seen) if reordered else fact("kernel.result", **seen)
    if written is not None:
        reason = fact(
            "kernel.input-written", shape=shape, array=first.array, element=first.element,
            writer=first.last_write,
        )  # fmt: skip
    line = first.writer.line if first.writer else 0
    return Gate("result", "failed", reason=reason, count=ran.wrong_count, most=0, line=line)


def _limit_gate(limit: CountLimit, ran: RunReport) -> Gate:
    """Make the gate of one limit, in one run."""
    shape, came = ran.shape, ran.amount(limit.counter)
    least = None if limit.least is None else ceil(evaluate_number(limit.least, shape, ("counts",)))
    most = None if limit.most is None else floor(evaluate_number(limit.most, shape, ("counts",)))
    reason: Fact | None = None
    if most is not None and came > most:
        reason = fact("kernel.above-limit", count=came, most=most, shape=describe_shape(shape))
    elif least is not None and came < least:
        reason = fact("kernel.below-limit", count=came, least=least, shape=describe_shape(shape))
    state: GateState = "passed" if reason is None else "failed"
    line = 0 if reason is None else _find_heaviest_line(limit.counter, ran)
    return Gate(
        "counts", state, limit.counter, reason, line=line, least=least, most=most, count=came
    )


def _find_heaviest_line(counter: str, ran: RunReport) -> int:
    """Find the line in which a counter is highest; where threads share badly, the longest one."""
    parts = ("instructions",) if counter in SHARES else counters_of(counter)
    lines = {
        line: sum(counts.get(name, 0) for name in parts) for line, counts in ran.counts.items()
    }
    line = max(lines, key=lambda number: lines[number], default=0)
    return line if lines.get(line) else 0


def _run(
    problem: Problem,
    submission: Submission,
    run: int,
    expected: ReferenceOutputs | None,
    *,
    given: list[ArgumentValue] | None = None,
) -> tuple[RunReport, Launch]:
    """Launch it once, and find the wrong elements of its outputs, which are in `given` then."""
    launched = launch_submission(problem, submission, run, given=given)
    done, shape = launched.done, problem.shapes[run]
    ran = RunReport(
        shape, done.grid, done.block, _sum_by_line(done), done.shared_bytes, done.findings,
        finished=done.finished, shares=done.shares,
    )  # fmt: skip
    if expected is None or not done.finished:
        return ran, done
    arrays = _Arrays(submission.parameters, launched.before, launched.given)
    return _compare_values(problem, ran, done, arrays, expected.for_run(run)), done


class _Arrays(NamedTuple):
    """A kernel's parameters, and its arguments before the launch and after."""

    parameters: Sequence[str]
    before: Sequence[ArgumentValue]
    after: Sequence[ArgumentValue]


def _compare_values(
    problem: Problem, ran: RunReport, done: Launch, arrays: _Arrays, right: Sequence[NDArray[Any]]
) -> RunReport:
    """Compare the run's outputs, and find what was written of its inputs."""
    parameters, before, after = arrays
    terms = evaluate_integer(problem.terms, ran.shape, ("terms",))
    wanted = dict(zip(problem.outputs, right, strict=True))
    compared: list[ComparedOutput] = []
    wrong: list[WrongElement] = []
    count = 0
    error = allowed = 0.0
    for i, argument in enumerate(problem.arguments):
        got = after[i]
        if not isinstance(got, np.ndarray):
            continue
        expected = wanted.get(i, before[i])
        assert isinstance(expected, np.ndarray)
        name = parameters[i]
        found = compare(got, expected, terms if i in wanted else 0, rounded=argument.rounded)
        rows = found.wrong
        if i in wanted:
            written = int(np.count_nonzero(done.written_elements(parameters[i])))
            compared.append(ComparedOutput(argument.name, got.size, written))
            error, allowed = max(error, found.error), max(allowed, found.allowed)
        elif name and (stored := done.accessed_elements(name).get("store")) is not None:
            rows = np.unique(np.concatenate((rows, np.argwhere(stored))), axis=0)
        count += len(rows)
        for row in rows[: SHOWN - len(wrong)]:
            at = tuple(int(number) for number in row)
            writer = _find_writer(done, name, at)
            wrong.append(
                WrongElement(
                    argument.name,
                    at,
                    format_value(expected[at], got),
                    format_value(got[at], got),
                    writer,
                )
            )
    return replace(
        ran, compared=tuple(compared), wrong=tuple(wrong), wrong_count=count, error=error,
        allowed=allowed,
    )  # fmt: skip


def format_value(value: Any, like: NDArray[Any]) -> str:
    """Write a value as the output's type holds it: all digits of an integer, few of a float."""
    if like.dtype.kind == "b":
        return str(bool(value))
    if like.dtype.kind in "iu":
        return str(int(value)) if value == int(value) else str(value)
    with np.errstate(over="ignore"):
        return str(like.dtype.type(value))


def _find_writer(done: Launch, name: str, at: tuple[int, ...]) -> Writer | None:
    origin = done.origin(name, at)
    return None if origin is None else Writer(origin.block, origin.thread, origin.line)


def _sum_by_line(done: Launch) -> dict[int, dict[str, int]]:
    lines: dict[int, dict[str, int]] = defaultdict(dict)
    for (line, _), counts in done.counts.items():
        for name, count in counts.items():
            lines[line][name] = lines[line].get(name, 0) + count
    return dict(lines)


def _list_worst(done: Launch) -> tuple[WorstAccess, ...]:
    """Return the worst access to shared memory at each place."""
    return tuple(
        WorstAccess(
            line, column, access.kind, access.width,
            tuple(map(int, access.addresses)), tuple(map(bool, access.active)),
            access.wavefronts, access.ideal, access.from_data,
        )
        for (line, column), access in done.worst.items()
    )  # fmt: skip


def _list_arrays(done: Launch) -> tuple[SharedArray, ...]:
    return tuple(
        SharedArray(array.label, array.dtype.itemsize, array.shape, array.base)
        for array in done.shared
    )
