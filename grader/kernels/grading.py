"""The gates of a kernel: source, a run that ends, right values, no finding, counts within limits.

Runs the kernel in the emulator at every shape, until a gate is not passed. A pass is confirmed at a
shape and with values that are shown nowhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, fact, quote
from grader.kernels.comparing import compared
from grader.kernels.confirming import confirmation
from grader.kernels.inputs import Given, made
from grader.kernels.outcome import (
    Graded,
    Ran,
    WorstAccess,
    Writer,
    WrongElement,
    describe_shape,
    fault_name,
)
from grader.kernels.problem import CountLimit, Problem, counted, number, sizes, whole
from grader.kernels.reference import Expected
from grader.kernels.submission import read_submission
from grader.simt import GRADING_SECONDS, Finding, Function, InvalidLaunch, Launch, launch
from grader.verdict import Gate, State, verdict
from grader.written import Mistake

GATES = ("source", "runs", "result", "findings", "counts")
"""In the order they are come to. `source`: one kernel of that signature, which can be emulated.
`runs`: it ends, within what a device gives. `result`, `findings`: at every shape. `counts`: at the
first."""

SHOWN = 12
"""Wrong elements that are kept of a run."""
_RUNS = ("budget", "resources")


def gate_keys(problem: Problem) -> tuple[str, ...]:
    """The keys of the problem's gates, in order; a limit has one of its own."""
    counts = [f"counts: {limit.counter}" for limit in problem.limits]
    return ("source", "runs", *(["result"] if problem.reference else []), "findings", *counts)


def grade(
    problem: Problem, source: str, expected: Expected | None, seconds: float = GRADING_SECONDS
) -> Graded:
    """Grade a submission.

    Args:
        problem: what it is to do.
        source: what was handed in; interpreted, never executed.
        expected: the right outputs; None compares no values.
        seconds: of processor time until a run is ended.

    Raises:
        InvalidProblem, ReferenceFailed: the problem itself is at fault.
    """
    runs: list[Ran] = []
    worst: list[WorstAccess] = []
    failed: Gate | None = None
    try:
        names = tuple(one.name for one in problem.arguments)
        function = read_submission(source, problem.kernel, names)
        for run in range(len(problem.shapes)):
            ran, done = _run(problem, function, run, expected, seconds)
            runs.append(ran)
            if done is not None and not run:
                worst = [*_worst(done)]
            failed = _broken_off(ran) or _wrong(ran)
            if failed is not None:
                break
        if expected is not None and _all_passed(_gates(problem, runs, failed)):
            ran = _confirmed(problem, function, source, seconds)
            failed = _broken_off(ran) or _wrong(ran)
            if failed is not None or ran.faults:
                runs.append(ran)
    except Mistake as error:
        failed = Gate(
            "source", "failed", reason=error.what, hint=error.instead, line=error.line,
            column=error.column,
        )  # fmt: skip
    except InvalidLaunch as error:
        failed = Gate("runs", "failed", "resources", reason=_fact_of(error))
    except MemoryError:
        failed = Gate("runs", "failed", "resources", reason=fact("kernel.no-memory"))
    gates = [*_gates(problem, runs, failed)]
    return Graded(
        source, verdict(gates, gate_keys(problem)), tuple(runs), worst[0] if worst else None
    )


def _all_passed(gates: Iterator[Gate]) -> bool:
    return all(gate.state == "passed" for gate in gates)


def _confirmed(problem: Problem, function: Function, source: str, seconds: float) -> Ran:
    """One more run, whose shape and values nothing has shown."""
    unseen = confirmation(problem, source)
    ran, _ = _run(unseen, function, 0, Expected(unseen), seconds)
    return ran


def _gates(problem: Problem, runs: Sequence[Ran], failed: Gate | None) -> Iterator[Gate]:
    """All gates come to: passed ones, then the first that is not."""
    for name in ("source", "runs", "result"):
        if failed is not None and failed.name == name:
            yield failed
            return
        if name != "result" or problem.reference:
            yield Gate(name, "passed", count=_compared(name, runs))
    fault = next((fault for run in runs for fault in run.faults), None)
    if fault is not None:
        yield _found(fault)
        return
    yield Gate("findings", "passed")
    for limit in problem.limits:
        gate = _counted(problem, limit, runs[0])
        yield gate
        if gate.state == "failed":
            return


def _fact_of(error: InvalidLaunch) -> Fact:
    what = error.what
    return what if isinstance(what, Fact) else quote(what)


def _compared(name: str, runs: Sequence[Ran]) -> int | None:
    """Count the elements that were right, for the gate that was passed by them."""
    return sum(run.elements for run in runs) if name == "result" else None


def _found(fault: Finding) -> Gate:
    return Gate(
        "findings", "failed", subject=fault_name(fault), reason=fault.what, hint=fault.hint,
        line=fault.line, column=fault.column,
    )  # fmt: skip


def _broken_off(ran: Ran) -> Gate | None:
    """The gate `runs`, if the run did not come to its end, or a device would not begin it."""
    fault = next((one for one in ran.faults if one.kind in _RUNS), None)
    if fault is None:
        return None
    return Gate(
        "runs", "failed", subject=fault.kind, reason=fault.what, hint=fault.hint,
        line=fault.line, column=fault.column,
    )  # fmt: skip


def _wrong(ran: Ran) -> Gate | None:
    """The gate `result`, if an element is not right."""
    if not ran.wrong:
        return None
    first = ran.wrong[0]
    reason = fact(
        "kernel.result", shape=describe_shape(ran.shape), element=first.element, got=first.got,
        expected=first.expected, writer=first.last_write,
    )  # fmt: skip
    line = first.writer.line if first.writer else 0
    return Gate("result", "failed", reason=reason, count=ran.wrong_count, most=0, line=line)


def _counted(problem: Problem, limit: CountLimit, ran: Ran) -> Gate:
    """The gate of one limit."""
    shape, came = problem.shapes[0], ran.amount(limit.counter)
    least = None if limit.least is None else ceil(number(limit.least, shape, ("counts",)))
    most = None if limit.most is None else floor(number(limit.most, shape, ("counts",)))
    passed = (least is None or least <= came) and (most is None or came <= most)
    state: State = "passed" if passed else "failed"
    line = 0 if passed else _heaviest(limit.counter, ran)
    return Gate("counts", state, limit.counter, line=line, least=least, most=most, count=came)


def _heaviest(counter: str, ran: Ran) -> int:
    """The line that a counter is highest in."""
    parts = counted(counter)
    lines = {
        line: sum(counts.get(name, 0) for name in parts) for line, counts in ran.counts.items()
    }
    line = max(lines, key=lambda one: lines[one], default=0)
    return line if lines.get(line) else 0


def _run(
    problem: Problem, function: Function, run: int, expected: Expected | None, seconds: float
) -> tuple[Ran, Launch | None]:
    """One launch, with what is wrong with its outputs."""
    shape, given = problem.shapes[run], made(problem, run)
    before = [one.copy() if isinstance(one, np.ndarray) else one for one in given]
    parameters = function.parameters
    outputs = [parameters[i] for i, one in enumerate(problem.arguments) if one.role == "output"]
    with np.errstate(all="ignore"):
        done = launch(
            function,
            sizes(problem.grid, shape, ("launch", "grid")),
            sizes(problem.block, shape, ("launch", "block")),
            given,
            shared_bytes=whole(problem.shared, shape, ("launch", "shared")),
            seconds=seconds,
            outputs=outputs,
        )
    ran = Ran(shape, done.grid, done.block, _by_line(done), done.shared_bytes, done.findings)
    if expected is None or not done.finished:
        return ran, done
    arrays = _Arrays(parameters, before, given)
    return _with_values(problem, ran, done, arrays, expected.of(run)), done


class _Arrays(NamedTuple):
    """What a kernel was given, by the names that it has for it, before the launch and after."""

    parameters: Sequence[str]
    before: Sequence[Given]
    after: Sequence[Given]


def _with_values(
    problem: Problem, ran: Ran, done: Launch, arrays: _Arrays, right: Sequence[NDArray[Any]]
) -> Ran:
    """The run, with its outputs compared, and its inputs, which must be as they were."""
    parameters, before, after = arrays
    terms = whole(problem.terms, ran.shape, ("terms",))
    wanted = dict(zip(problem.outputs, right, strict=True))
    wrong: list[WrongElement] = []
    count = elements = 0
    error = allowed = 0.0
    for i, argument in enumerate(problem.arguments):
        got = after[i]
        if not isinstance(got, np.ndarray):
            continue
        expected = wanted.get(i, before[i])
        assert isinstance(expected, np.ndarray)
        found = compared(got, expected, terms if i in wanted else 0)
        count += len(found.wrong)
        if i in wanted:
            elements += got.size
            error, allowed = max(error, found.error), max(allowed, found.allowed)
        name = parameters[i]
        for row in found.wrong[: SHOWN - len(wrong)]:
            at = tuple(int(one) for one in row)
            writer = _writer(done, name, at)
            wrong.append(
                WrongElement(
                    argument.name, at, shown(expected[at], got), shown(got[at], got), writer
                )
            )
    return Ran(
        ran.shape, ran.grid, ran.block, ran.counts, ran.shared_bytes, ran.findings, tuple(wrong),
        count, elements, error, allowed,
    )  # fmt: skip


def shown(value: Any, like: NDArray[Any]) -> str:
    """A value as the output's type holds it: all digits of an integer, the fewest of a float."""
    if like.dtype.kind == "b":
        return str(bool(value))
    if like.dtype.kind in "iu":
        return str(int(value)) if value == int(value) else str(value)
    with np.errstate(over="ignore"):
        return str(like.dtype.type(value))


def _writer(done: Launch, name: str, at: tuple[int, ...]) -> Writer | None:
    origin = done.origin(name, at)
    return None if origin is None else Writer(origin.block, origin.thread, origin.line)


def _by_line(done: Launch) -> dict[int, dict[str, int]]:
    lines: dict[int, dict[str, int]] = defaultdict(dict)
    for (line, _), counts in done.counts.items():
        for name, count in counts.items():
            lines[line][name] = lines[line].get(name, 0) + count
    return dict(lines)


def _worst(done: Launch) -> Iterator[WorstAccess]:
    """The access with the most wavefronts beyond its ideal, if there is any."""
    if not done.worst:
        return
    (line, column), access = max(done.worst.items(), key=lambda item: item[1].excess)
    yield WorstAccess(
        line, column, access.kind, access.width,
        tuple(int(one) for one in access.addresses), tuple(bool(one) for one in access.active),
        access.wavefronts, access.ideal,
    )  # fmt: skip
