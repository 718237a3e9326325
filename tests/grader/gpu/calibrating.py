"""A calibration without a worker, and devices that are unlike the model."""

from __future__ import annotations

from grader.banks import Kind
from grader.gpu import Calibration
from grader.gpu.calibrating.calibrate import time_instruction
from grader.gpu.calibrating.calibration import compare_with_model
from grader.gpu.calibrating.probes import INSTRUCTIONS
from grader.gpu.devices.device import Device
from tests.grader.gpu.emulated_device import EmulatedDevice

ROUNDS = 2


def calibrated(device: Device) -> Calibration:
    """What `Gpu.calibrate` would tell of the device."""
    times = [(one, time_instruction(device, one.name, ROUNDS)) for one in INSTRUCTIONS]
    return compare_with_model(device.facts, "1.0", times)


class NoBroadcast(EmulatedDevice):
    """A word that all lanes read or write takes three wavefronts, whatever the instruction."""

    def cycles(self, probe, offsets, active):
        same = probe.instruction is not None and not offsets.any() and active.all()
        return super().cycles(probe, offsets, active) + (2 if same else 0)


class Floor(EmulatedDevice):
    """Nothing is faster than twelve cycles, the ballast included."""

    def cycles(self, probe, offsets, active):
        return max(12, super().cycles(probe, offsets, active))


class Slow(EmulatedDevice):
    """Of some kinds a wavefront takes two cycles, and three are lost before it."""

    kinds: tuple[Kind, ...] = ("store", "atom", "atom_inc")

    def cycles(self, probe, offsets, active):
        found = super().cycles(probe, offsets, active)
        if probe.instruction is None or probe.instruction.kind not in self.kinds:
            return found
        ballast = 8 if probe.behind else 0
        return 2 * (found - ballast) + 3 + ballast
