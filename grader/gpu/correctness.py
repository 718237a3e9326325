"""Checks a kernel at a shape: fresh inputs, guarded outputs, unchanged inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.comparing import compare
from grader.facts import FieldValue, fact
from grader.gpu.devices.device import Device, DeviceArray, DeviceKernel, DeviceLaunch
from grader.kernels.grading import format_value
from grader.kernels.inputs import ArgumentValue, make_arguments
from grader.kernels.outcome import describe_shape
from grader.kernels.problem import Argument, Problem, evaluate_integer, evaluate_sizes
from grader.kernels.reference import ReferenceOutputs
from grader.verdict import Gate

LAUNCH_SECONDS = 10.0
"""Limit of one launch: the emulator finished it within its budget; a device is far faster."""


@dataclass(frozen=True, eq=False)
class DeviceCase:
    """A problem at one shape, with inputs drawn from a seed that no kernel can know.

    Attributes:
        given: the kernel's arguments before the launch.
        right: the right outputs, in order.
    """

    problem: Problem
    shape: Mapping[str, int]
    given: Sequence[ArgumentValue] = field(repr=False)
    right: Sequence[NDArray[Any]] = field(repr=False)

    @property
    def bytes_moved(self) -> int:
        """Bytes to move at least: each input read once, each changed element written once."""
        read = sum(
            value.nbytes
            for argument, value in zip(self.problem.arguments, self.given, strict=True)
            if isinstance(value, np.ndarray) and argument.role != "output"
        )
        return read + sum(
            _count_changed_bytes(self.given[i], right)
            for i, right in zip(self.problem.outputs, self.right, strict=False)
        )


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a comparison: `gate` is None if all is right."""

    elements: int
    error: float
    allowed: float
    gate: Gate | None


class DeviceCases:
    """The cases of one submission: the problem's shapes and, last, the one that is timed."""

    def __init__(self, problem: Problem, seed: int, timed: Mapping[str, int] | None) -> None:
        shapes = problem.shapes if timed is None else (*problem.shapes, timed)
        self._problem = replace(problem, seed=seed, shapes=shapes)
        self._expected = ReferenceOutputs(self._problem) if problem.reference else None

    def __len__(self) -> int:
        return len(self._problem.shapes)

    def case(self, run: int) -> DeviceCase:
        """Return the `run`-th case.

        Raises:
            InvalidProblem, ReferenceFailed: the problem itself is at fault.
        """
        right = [] if self._expected is None else self._expected.for_run(run)
        return DeviceCase(
            self._problem, self._problem.shapes[run], make_arguments(self._problem, run), right
        )


class StagedCase:
    """A case on a device: a context manager that frees it on exit."""

    def __init__(self, device: Device, case: DeviceCase) -> None:
        self._device = device
        self._case = case
        self.arguments: list[Any] = []
        # Comparing 2²⁶ floats by their tolerance takes 7 s, by their bits 0.1 s: the inputs as they
        # were, and outputs that were right before the timing, are compared by their bits.
        self._known: dict[int, NDArray[Any]] = {
            i: value
            for i, value in enumerate(case.given)
            if isinstance(value, np.ndarray) and case.problem.arguments[i].role == "input"
        }

    def __enter__(self) -> StagedCase:
        """Copy all arrays to the device."""
        for argument, value in zip(self._case.problem.arguments, self._case.given, strict=True):
            self.arguments.append(
                self._device.to_device(value, refillable=argument.role != "input")
                if isinstance(value, np.ndarray)
                else value
            )
        return self

    def __exit__(self, *_: object) -> None:
        for argument in self.arguments:
            if isinstance(argument, DeviceArray):
                self._device.free(argument)
        self.arguments.clear()

    def launch(self, kernel: DeviceKernel) -> DeviceLaunch:
        """Describe the launch of a kernel with these arguments."""
        problem, shape = self._case.problem, self._case.shape
        refilled = tuple(self.arguments[i] for i in problem.outputs)
        return DeviceLaunch(
            kernel,
            evaluate_sizes(problem.grid, shape, ("launch", "grid")),
            evaluate_sizes(problem.block, shape, ("launch", "block")),
            self._arguments(kernel),
            evaluate_integer(problem.shared, shape, ("launch", "shared")),
            refilled,
        )

    def _arguments(self, kernel: DeviceKernel) -> tuple[Any, ...]:
        """Return what a kernel takes of the arguments and the sizes."""
        if kernel.takes is None:
            return tuple(self.arguments)
        names = (argument.name for argument in self._case.problem.arguments)
        known = {**self._case.shape, **dict(zip(names, self.arguments, strict=True))}
        return tuple(
            known[name] if dtype is None else np.dtype(dtype).type(known[name])
            for name, dtype in kernel.takes
        )

    def run(self, kernel: DeviceKernel) -> CheckResult:
        """Launch it once, on outputs that hold what no kernel computes, and compare.

        Raises:
            DeviceError: the launch failed.
        """
        launch = self.launch(kernel)
        for array in launch.refilled:
            self._device.refill(array)
        self._device.launch(launch, LAUNCH_SECONDS)
        return self.check()

    def check(self) -> CheckResult:
        """Compare the arrays on the device with the right ones; count only what changed."""
        case = self._case
        wanted = dict(zip(case.problem.outputs, case.right, strict=False))
        terms = evaluate_integer(case.problem.terms, case.shape, ("terms",))
        elements, error, allowed = 0, 0.0, 0.0
        for i, argument in enumerate(case.problem.arguments):
            before = case.given[i]
            if not isinstance(before, np.ndarray) or (argument.role != "input" and i not in wanted):
                continue
            fetched = self._device.from_device(self.arguments[i])
            if not fetched.guarded:
                return CheckResult(elements, error, allowed, _bounds_gate(argument, case))
            if i in self._known and _have_same_bits(fetched.values, self._known[i]):
                continue
            expected = wanted.get(i, before)
            found = compare(
                fetched.values, expected, terms if i in wanted else 0, rounded=argument.rounded
            )
            if i in wanted:
                elements += before.size
                error, allowed = max(error, found.error), max(allowed, found.allowed)
            if len(found.wrong):
                gate = _wrong_gate(argument, case, fetched.values, expected, found.wrong)
                return CheckResult(elements, error, allowed, gate)
            self._known[i] = fetched.values
        return CheckResult(elements, error, allowed, None)


def _wrong_gate(
    argument: Argument, case: DeviceCase, got: NDArray[Any], expected: NDArray[Any],
    rows: NDArray[np.int64],
) -> Gate:  # fmt: skip
    at = tuple(int(number) for number in rows[0])
    values: dict[str, FieldValue] = {
        "shape": describe_shape(case.shape), "wrong": len(rows), "elements": got.size,
        "array": argument.name, "index": ", ".join(map(str, at)),
        "got": format_value(got[at], got), "expected": format_value(expected[at], got),
    }  # fmt: skip
    if argument.role == "input":
        reason = fact("gpu.input-changed", **values)
    else:
        reason = fact("gpu.wrong-values", **values)
    return Gate("result", "failed", reason=reason, count=len(rows), most=0)


def _bounds_gate(argument: Argument, case: DeviceCase) -> Gate:
    reason = fact("gpu.beyond", array=argument.name, shape=describe_shape(case.shape))
    return Gate("result", "failed", reason=reason)


def _have_same_bits(first: NDArray[Any], second: NDArray[Any]) -> bool:
    """Compare bits: equal NaN match, and 0 differs from -0."""
    first, second = (np.ascontiguousarray(array).view(np.uint8) for array in (first, second))
    return np.array_equal(first, second)


def _count_changed_bytes(before: ArgumentValue, right: NDArray[Any]) -> int:
    """Count the bytes of the elements whose value must change."""
    assert isinstance(before, np.ndarray)
    same = before == right
    if before.dtype.kind == "f":
        same |= np.isnan(before) & np.isnan(np.asarray(right, np.float64))
    return int(np.count_nonzero(~same)) * before.itemsize
