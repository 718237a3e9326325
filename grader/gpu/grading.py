"""The gates on a GPU, in order: compiles, runs, result, speedup. Needs only a `Device`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import prod
from statistics import median

from grader.facts import fact
from grader.gpu.benchmark import Benchmark
from grader.gpu.correctness import CheckResult, DeviceCase, DeviceCases, StagedCase
from grader.gpu.devices.device import (
    OF_THE_MACHINE,
    Device,
    DeviceError,
    DeviceKernel,
    DeviceLaunch,
    ErrorKind,
)
from grader.gpu.messages import GpuGradeRequest
from grader.gpu.occupancy import occupancy
from grader.gpu.outcome import GATES, GpuGrade, Resources, Speed, Standing
from grader.gpu.timing import find_impossible, minimum_seconds, ratio, reaches_gate, sample
from grader.gpu.verdicts import compile_gate, failed_verdict, runs_gate
from grader.kernels.problem import InvalidProblem, Problem, evaluate_integer, evaluate_number
from grader.kernels.submission import Submission, read_submission
from grader.mistakes import Mistake
from grader.simt import InvalidLaunch
from grader.verdict import Gate, verdict

BASELINE = ("gpu", "baseline")
"""The place of the baseline in a problem."""
_GIGA = 1e9


class _DeviceGateFailed(Exception):
    """A gate failed; `poisoned`: the process can no longer use the device."""

    def __init__(self, gate: Gate, *, poisoned: bool = False) -> None:
        super().__init__(gate.key)
        self.gate = gate
        self.poisoned = poisoned


class GpuGrader:
    """Grades on one device, and remembers its bandwidth and the kernels it has compiled."""

    def __init__(self, device: Device, *, gated: bool = True) -> None:
        """Measure nothing yet. `gated`: the emulator's source gate runs before the compiler."""
        self._device = device
        self._gated = gated
        self._copied = 0.0
        self._compiled: dict[tuple[str, ...], DeviceKernel] = {}

    def copy_bandwidth(self) -> float:
        """Return bytes per second, read and written, of a large copy; measured once."""
        if not self._copied:
            self._copied = self._device.copy_bandwidth()
        return self._copied

    def grade(self, request: GpuGradeRequest) -> GpuGrade:
        """Grade a submission.

        Raises:
            InvalidProblem, ReferenceFailed: the problem itself is at fault.
            DeviceError: the device failed for a reason other than the submission.
        """
        begun = GpuGrade(
            request.source, verdict([], GATES), "failed", self._device.facts, seed=request.seed
        )
        graded = [begun]
        try:
            for graded[0] in self._stages(begun, request):
                pass
        except _DeviceGateFailed as error:
            return replace(graded[0], verdict=failed_verdict(error.gate), replaced=error.poisoned)
        return graded[0]

    def _stages(self, graded: GpuGrade, request: GpuGradeRequest) -> Iterator[GpuGrade]:
        """Yield the grade as far as it is known, after each gate."""
        problem, benchmark = request.problem, request.benchmark
        cases = DeviceCases(problem, request.seed, benchmark.shape if benchmark else None)
        first = cases.case(0)
        gated = self._gated or problem.language == "cuda"
        submission = _check_source(problem, request.source, first) if gated else None
        with _blame_submission(compile_gate):
            kernel = self._kernel(problem, request.source, submission, first)
        graded = replace(graded, resources=self._resources(kernel, first))
        yield graded
        elements = 0
        for run in range(len(problem.shapes)):
            case = cases.case(run)
            with StagedCase(self._device, case) as staged:
                checked = _check(staged, kernel, case)
            elements += checked.elements
            graded = _add_errors(graded, checked)
            yield graded
            if checked.gate is not None:
                raise _DeviceGateFailed(checked.gate)
        if benchmark is not None:
            last = cases.case(len(problem.shapes))
            for timed in self._time(graded, request, kernel, (first, last)):
                graded = timed
                yield graded
            elements += sum(array.size for array in last.right)
        yield _finish(graded, request, elements)

    def _time(
        self,
        graded: GpuGrade,
        request: GpuGradeRequest,
        kernel: DeviceKernel,
        cases: tuple[DeviceCase, DeviceCase],
    ) -> Iterator[GpuGrade]:
        """Check the large shape, time it against the baseline, and check it again."""
        benchmark = request.benchmark
        assert benchmark is not None
        first, case = cases
        baseline = self._baseline(request, first)
        with StagedCase(self._device, case) as staged:
            checked = _check(staged, kernel, case)
            graded = _add_errors(graded, checked)
            if checked.gate is not None:
                yield graded
                raise _DeviceGateFailed(checked.gate)
            launch = staged.launch(kernel)
            beside = launch if baseline is None else staged.launch(baseline)
            with _blame_submission(lambda error: runs_gate(error, case.shape)):
                samples = sample(self._device, beside, launch, benchmark.seconds)
                again = _check(staged, kernel, case)
        if again.gate is not None:
            yield graded
            raise _DeviceGateFailed(again.gate)
        yield replace(graded, speed=self._speed(benchmark, case, samples, baseline is not None))

    def _speed(
        self, benchmark: Benchmark, case: DeviceCase, samples: tuple[list[float], list[float]],
        compared: bool,  # noqa: FBT001 - one of four facts
    ) -> Speed:  # fmt: skip
        facts, (slow, fast) = self._device.facts, samples
        seconds, copied, moved = median(fast), self.copy_bandwidth(), case.bytes_moved
        refused = find_impossible(seconds, minimum_seconds(moved, facts.l2, copied, facts.peak))
        path = ("gpu", "flops")
        flops = (
            None if benchmark.flops is None else evaluate_number(benchmark.flops, case.shape, path)
        )
        time = seconds or float("inf")
        return Speed(
            ratio=ratio(slow, fast) if compared and not refused else None,
            gate=benchmark.speedup.get(facts.name),
            baseline_seconds=median(slow) if compared else 0.0,
            seconds=seconds,
            samples=len(fast),
            bytes=moved,
            gigabytes=moved / time / _GIGA,
            gigaflops=None if flops is None else flops / time / _GIGA,
            copy_gigabytes=copied / _GIGA,
            refused=refused,
        )

    def _baseline(self, request: GpuGradeRequest, first: DeviceCase) -> DeviceKernel | None:
        """Compile the baseline, which must be right itself.

        Raises:
            InvalidProblem: it is not.
        """
        benchmark = request.benchmark
        if benchmark is None or not benchmark.baseline:
            return None
        try:
            submission = _check_source(request.problem, benchmark.baseline, first)
            kernel = self._kernel(request.problem, benchmark.baseline, submission, first)
            with StagedCase(self._device, first) as staged:
                gate = staged.run(kernel).gate
        except _DeviceGateFailed as error:
            gate = error.gate
        except DeviceError as error:
            if error.poisoned or error.kind in {"out-of-memory", *OF_THE_MACHINE}:
                raise
            gate = runs_gate(error)
        if gate is not None:
            raise InvalidProblem(
                BASELINE, fact("problem.baseline", gate=gate.name, reason=gate.reason)
            )
        return kernel

    def _kernel(
        self, problem: Problem, source: str, submission: Submission | None, case: DeviceCase
    ) -> DeviceKernel:
        """Compile a kernel; the same text and types return the same kernel.

        Args:
            submission: what the gate read; None: the text is executed as it stands.
        """
        name = problem.kernel if submission is None else submission.name
        types = (f"{getattr(argument, 'dtype', type(argument))}{getattr(argument, 'ndim', '')}"
                 for argument in case.given)  # fmt: skip
        key = (source, name, str(submission is None), problem.language, *types)
        if key not in self._compiled:
            if len(self._compiled) >= _KEPT:
                del self._compiled[next(iter(self._compiled))]
            if submission is None or submission.takes is None:
                gated = submission is not None
                kernel = self._device.compile(source, name, case.given, gated=gated)
            else:
                kernel = self._device.compile_cuda(source, submission.entry)
                kernel = replace(kernel, takes=submission.takes)
            self._compiled[key] = kernel
        return self._compiled[key]

    def _resources(self, kernel: DeviceKernel, case: DeviceCase) -> Resources:
        problem = case.problem
        dynamic = evaluate_integer(problem.shared, case.shape, ("launch", "shared"))
        threads = prod(
            evaluate_integer(size, case.shape, ("launch", "block"), 1) for size in problem.block
        )
        shared = kernel.shared + dynamic
        held = occupancy(self._device.facts.capability, threads, kernel.registers, shared)
        return Resources(kernel.registers, shared, kernel.local, *held)


_KEPT = 32
"""How many compiled kernels are cached."""


def _check_source(problem: Problem, source: str, case: DeviceCase) -> Submission:
    """Check a text with the emulator's source gate."""
    try:
        submission = read_submission(problem, source)
        submission.prepare(case.given, case.shape)
    except Mistake as error:
        gate = Gate(
            "compiles", "failed", "source", reason=error.what,
            hint=error.instead, line=error.line, column=error.column,
        )  # fmt: skip
        raise _DeviceGateFailed(gate) from None
    except InvalidLaunch as error:
        raise _DeviceGateFailed(Gate("compiles", "failed", "source", reason=error.what)) from None
    return submission


def _check(staged: StagedCase, kernel: DeviceKernel, case: DeviceCase) -> CheckResult:
    launch: DeviceLaunch = staged.launch(kernel)
    threads = prod(launch.block)
    with _blame_submission(lambda error: runs_gate(error, case.shape)):
        if threads > kernel.max_threads:
            kind: ErrorKind = "registers" if threads <= _MOST_THREADS else "threads"
            what = fact(
                "gpu.too-many-threads", threads=threads, registers=kernel.registers,
                most=kernel.max_threads,
            )  # fmt: skip
            raise DeviceError(kind, what)
        return staged.run(kernel)


_MOST_THREADS = 1024


@contextmanager
def _blame_submission(gate: Callable[[DeviceError], Gate]) -> Iterator[None]:
    """Turn the device's errors into failures of the submission, where they may be its own."""
    try:
        yield
    except DeviceError as error:
        if error.kind in OF_THE_MACHINE:
            raise
        raise _DeviceGateFailed(gate(error), poisoned=error.poisoned) from None


def _add_errors(graded: GpuGrade, checked: CheckResult) -> GpuGrade:
    return replace(
        graded, error=max(graded.error, checked.error), allowed=max(graded.allowed, checked.allowed)
    )


def _finish(graded: GpuGrade, request: GpuGradeRequest, elements: int) -> GpuGrade:
    """Complete the verdict with all gates, the last by the measured speed."""
    gate, standing = _judge_speed(graded.speed, request.benchmark)
    passed = [Gate(name, "passed") for name in GATES[:2]]
    passed.append(Gate("result", "passed", count=elements))
    return replace(graded, verdict=verdict([*passed, gate], GATES), standing=standing)


def _judge_speed(speed: Speed | None, benchmark: Benchmark | None) -> tuple[Gate, Standing]:
    """Judge the speed: return the gate `speedup` and the verdict in words."""
    if benchmark is None or speed is None:
        return Gate("speedup", "not reached"), "right, speed not judged"
    if speed.refused:
        return Gate("speedup", "not reached", reason=speed.refused), "right, not measured"
    if speed.ratio is None or speed.gate is None:
        return Gate("speedup", "not reached"), "right, speed not judged"
    reached = reaches_gate(speed.ratio, speed.gate)
    if reached:
        return Gate("speedup", "passed"), "passed"
    slow = Gate("speedup", "failed", reason=speed.shortfall)
    if reached is None:
        return replace(slow, state="not reached"), "not decided"
    return slow, "failed"
