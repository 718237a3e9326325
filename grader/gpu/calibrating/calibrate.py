"""Times the accesses of an instruction on a device, by its own clock; judges nothing.

The worker's part of a calibration; `calibration` is the client's.
"""

from __future__ import annotations

import numpy as np

from grader.facts import Fact, fact
from grader.gpu.calibrating import probes
from grader.gpu.calibrating.probes import (
    INSTRUCTIONS,
    THREADS,
    UNROLLED,
    WARPS,
    ProbeInstruction,
    probe_name,
)
from grader.gpu.calibrating.timed_accesses import TimedAccess, list_accesses
from grader.gpu.devices.device import Device, DeviceError, DeviceKernel, DeviceLaunch
from grader.gpu.messages import InstructionTimes

ROUNDS = 400
"""Rounds of a probe: 100,000 accesses, so that a cold start is 1%."""
_RUNS = 3
_SECONDS = 10.0
_DIGITS = 3


def time_instruction(device: Device, name: str, rounds: int = ROUNDS) -> InstructionTimes:
    """Measure the cycles of each of an instruction's questions, in the order of `questions`.

    Args:
        rounds: how often each warp goes through a probe's loop.

    Raises:
        DeviceError: this process can no longer use the device.
    """
    instruction = next(known for known in INSTRUCTIONS if known.name == name)
    lacking = _name_lacking(instruction, device.facts.capability)
    if lacking:
        return InstructionTimes(absent=lacking)
    try:
        return _time_probes(device, instruction, rounds)
    except DeviceError as error:
        if error.poisoned:
            what = fact("gpu.of-instruction", instruction=instruction.shown, what=error.what)
            raise DeviceError(error.kind, what) from None
        return InstructionTimes(absent=error.what)


def _name_lacking(instruction: ProbeInstruction, capability: str) -> Fact | None:
    """Name what the instruction needs and the device lacks."""
    major, _, minor = capability.partition(".")
    if 10 * int(major) + int(minor) >= instruction.since:
        return None
    return fact("gpu.needs-capability", capability=f"{instruction.since / 10:.1f}")


def _time_probes(device: Device, instruction: ProbeInstruction, rounds: int) -> InstructionTimes:
    asked = list_accesses(instruction)
    names = probes.probe_names(instruction)
    kernels = dict(zip(names, device.load_ptx(probes.text(instruction), names), strict=True))
    (ballast,) = device.load_ptx(probes.ballast_text(), (probes.BALLAST,))
    alone = _cycles(device, ballast, asked[0], rounds)

    def measure(question: TimedAccess, *, behind: bool) -> float:
        masked = not instruction.matrix and not all(question.active)
        kernel = kernels[probe_name(instruction, masked=masked, behind=behind)]
        return _cycles(device, kernel, question, rounds)

    return InstructionTimes(
        ballast=round(alone, _DIGITS),
        cycles=tuple(round(measure(item, behind=False), _DIGITS) for item in asked),
        behind=tuple(round(measure(item, behind=True) - alone, _DIGITS) for item in asked),
    )


def _cycles(device: Device, kernel: DeviceKernel, question: TimedAccess, rounds: int) -> float:
    """Measure the cycles of one access, issued by all warps back to back: the minimum."""
    arrays = [
        device.to_device(array)
        for array in (
            np.array(question.offsets, np.int32),
            np.array(question.active, np.int32),
            np.zeros((WARPS, 2), np.int64),
            np.zeros(THREADS, np.int32),
        )
    ]
    launch = DeviceLaunch(kernel, (1,), (THREADS,), (*arrays, np.int32(rounds)))
    try:
        return min(_run_probe(device, launch) for _ in range(_RUNS)) / (WARPS * UNROLLED * rounds)
    finally:
        for array in arrays:
            device.free(array)


def _run_probe(device: Device, launch: DeviceLaunch) -> int:
    """Measure the cycles from the start of the first warp to the end of the last."""
    device.launch(launch, _SECONDS)
    before, after = device.from_device(launch.arguments[2]).values.T
    return int(after.max() - before.min())
