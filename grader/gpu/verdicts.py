"""Makes gates of a verdict from errors of the device or the worker."""

from __future__ import annotations

from collections.abc import Mapping

from grader.facts import Fact, fact, quote
from grader.gpu.devices.device import DeviceError, ErrorKind
from grader.gpu.outcome import GATES, DeviceFacts, GpuGrade
from grader.kernels.outcome import describe_shape
from grader.process import ProcessEnded, ProcessSlow
from grader.verdict import Gate, Verdict, verdict

_REASONS: Mapping[ErrorKind, Fact] = {
    "illegal-access": fact("gpu.illegal-access"),
    "misaligned": fact("gpu.misaligned"),
    "registers": fact("gpu.registers"),
    "threads": fact("gpu.threads"),
    "shared-memory": fact("gpu.shared-memory"),
    "resources": fact("gpu.resources"),
    "out-of-memory": fact("gpu.out-of-memory"),
    "launch-failed": fact("gpu.launch-failed"),
    "timed-out": fact("gpu.timed-out"),
    "compile": fact("gpu.not-compiled"),
    "compiler": fact("gpu.lost"),
    "no-device": fact("gpu.lost"),
    "no-package": fact("gpu.lost"),
}
_HINTS: Mapping[ErrorKind, Fact] = {
    "illegal-access": fact("gpu.check-indices"),
    "misaligned": fact("gpu.align"),
    "registers": fact("gpu.fewer-registers"),
    "threads": fact("gpu.smaller-blocks"),
    "shared-memory": fact("gpu.smaller-tile"),
    "resources": fact("gpu.smaller-blocks"),
    "timed-out": fact("gpu.endless"),
}


def compile_gate(error: DeviceError) -> Gate:
    """Make the gate `compiles` of a kernel that Numba refuses; `runs` where a block is too large.

    The linker already sees too much shared memory, which a learner meets as a matter of the launch.
    """
    if error.kind != "compile":
        return runs_gate(error)
    hint = fact("gpu.types-from-arguments")
    return Gate("compiles", "failed", reason=error.what, hint=hint)


def runs_gate(error: DeviceError, shape: Mapping[str, int] | None = None) -> Gate:
    """Make the gate `runs` of a launch that the device refused or broke off."""
    reason = fact("gpu.device-says", what=_REASONS[error.kind], said=error.what)
    if shape:
        reason = fact("gpu.at-shape", what=reason, shape=describe_shape(shape))
    return Gate("runs", "failed", error.kind, reason=reason, hint=_HINTS.get(error.kind))


def grade_broken_run(
    source: str, facts: DeviceFacts, seed: int, error: ProcessEnded, seconds: float
) -> GpuGrade:
    """Grade a submission that crashed its worker, or that was ended together with it."""
    if isinstance(error, ProcessSlow):
        reason = fact("gpu.no-verdict", seconds=seconds)
        gate = Gate("runs", "failed", "timed-out", reason=reason, hint=_HINTS["timed-out"])
    else:
        reason = fact("gpu.crashed", how=error.what, said=describe_output(error))
        gate = Gate("runs", "failed", "crashed", reason=reason)
    return GpuGrade(source, failed_verdict(gate), "failed", facts, seed=seed, replaced=True)


def describe_output(error: ProcessEnded) -> Fact:
    """Quote the last line that a process printed, usually the reason."""
    return quote(error.last_line) if error.last_line else fact("gpu.silent")


def failed_verdict(gate: Gate) -> Verdict:
    """Make the verdict in which one gate failed and those before it passed."""
    name = gate.name
    passed = [Gate(earlier, "passed") for earlier in GATES[: GATES.index(name)]]
    return verdict([*passed, gate], GATES)
