"""A device that is the emulator: the worker's CUDA layer, replaced at its narrowest place.

Times are made of what the emulator counts, the same each time. What the emulator does not read is
executed as the real device would execute it, when the worker is ungated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from grader.banks import Access, AccessCost, cost
from grader.gpu.calibrating.probes import (
    BALLAST,
    BALLAST_WAVEFRONTS,
    BEHIND,
    INSTRUCTIONS,
    UNROLLED,
    WARPS,
    ProbeInstruction,
    probe_names,
)
from grader.gpu.devices.device import (
    GUARD_BYTE,
    GUARD_BYTES,
    ArgumentValue,
    DeviceArray,
    DeviceError,
    DeviceKernel,
    DeviceLaunch,
    FetchedArray,
)
from grader.gpu.devices.loading import load
from grader.gpu.outcome import DeviceFacts
from grader.simt import Refused, SimtError, compile_for
from grader.simt import launch as emulate
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from grader.simt.numba.reading.module import read_module

NAME = "Emulated"
BANDWIDTH = 4e12
COPY = 3.9e12
WAVEFRONTS = 132 * 1.7e9
"""A second, of all multiprocessors."""
OVERHEAD = 2e-6
FACTS = DeviceFacts(
    NAME, "9.0", "580.0", "13.0", "13.0", {"numpy": np.__version__}, 132, 1 << 37, 50 << 20,
    BANDWIDTH,
)  # fmt: skip
_SECTOR = 32
_SECONDS = 1.0
"""Of processor time: what ends on a device within its limit ends here within this."""
_KINDS = ("load", "store", "atomic")


class Held:
    """The memory of one array."""

    def __init__(self, array: np.ndarray, kept: bool) -> None:
        size = array.nbytes
        self.whole = np.full(size + 2 * GUARD_BYTES, GUARD_BYTE, np.uint8)
        middle = self.whole[GUARD_BYTES : GUARD_BYTES + size]
        self.shaped = middle.view(array.dtype).reshape(array.shape)
        self.shaped[...] = array
        self.first = self.whole.copy() if kept else None


class Probe(NamedTuple):
    """A probe of `grader.gpu.calibrating.probes`, by its name; of no instruction: the ballast."""

    name: str
    instruction: ProbeInstruction | None

    @property
    def behind(self) -> bool:
        return self.instruction is None or self.name.endswith(BEHIND)


PROBES = {BALLAST: Probe(BALLAST, None)} | {
    name: Probe(name, one) for one in INSTRUCTIONS for name in probe_names(one)
}


class EmulatedDevice:
    """See `grader.gpu.devices.device.Device`."""

    def __init__(self, facts: DeviceFacts = FACTS) -> None:
        self.facts = facts
        self.launches = 0
        self._times: dict[tuple[Any, ...], float] = {}

    def compile(
        self, source: str, kernel: str, arguments: Sequence[ArgumentValue], *, gated: bool = True
    ) -> DeviceKernel:
        try:
            handle: Any = compile_for(read_module(source)[kernel], arguments)
        except (SimtError, KeyError) as error:
            if gated:
                raise DeviceError("compile", str(error)) from None
            try:
                handle = load(source, kernel, {}, lambda function: function, gated=False)
            except (Refused, SyntaxError) as said:
                raise DeviceError("compile", str(said)) from None
        return DeviceKernel(32, 0, 0, 1024, handle)

    def compile_cuda(self, source: str, entry: str) -> DeviceKernel:
        try:
            read = read_cuda(source)
            name = read.parsed.parse_name(entry).parts[-1]
            kernel, _ = lower_kernel(read, name.identifier, name.arguments or ())
        except SimtError as error:
            raise DeviceError("compile", str(error)) from None
        return DeviceKernel(32, 0, 0, 1024, kernel)

    def load_ptx(self, text: str, kernels: Sequence[str]) -> tuple[DeviceKernel, ...]:
        assert all(f".entry {kernel}(" in text for kernel in kernels)
        return tuple(DeviceKernel(32, 0, 0, 1024, PROBES[kernel]) for kernel in kernels)

    def to_device(self, array: np.ndarray, *, refillable: bool = False) -> DeviceArray:
        return DeviceArray(array.shape, array.dtype, Held(array, kept=refillable))

    def from_device(self, array: DeviceArray) -> FetchedArray:
        whole = array.handle.whole
        guards = (whole[:GUARD_BYTES], whole[-GUARD_BYTES:])
        return FetchedArray(
            array.handle.shaped.copy(), all((one == GUARD_BYTE).all() for one in guards)
        )

    def refill(self, array: DeviceArray) -> None:
        array.handle.whole[:] = array.handle.first

    def free(self, array: DeviceArray) -> None:
        array.handle.whole = array.handle.shaped = array.handle.first = np.empty(0)

    def launch(self, launch: DeviceLaunch, seconds: float) -> None:
        self._run(launch, seconds)

    def time_launches(self, launches: Sequence[DeviceLaunch], seconds: float) -> list[float]:
        return [self._timed(launch, seconds) for launch in launches]

    def copy_bandwidth(self) -> float:
        return COPY

    def _timed(self, launch: DeviceLaunch, seconds: float) -> float:
        shapes = tuple(getattr(one, "shape", one) for one in launch.arguments)
        key = (id(launch.kernel.handle), launch.grid, launch.block, shapes)
        if key not in self._times:
            for array in launch.refilled:
                self.refill(array)
            self._times[key] = self._run(launch, seconds)
        return self._times[key]

    def _run(self, launch: DeviceLaunch, seconds: float) -> float:
        self.launches += 1
        given = [
            one.handle.shaped if isinstance(one, DeviceArray) else one for one in launch.arguments
        ]
        if isinstance(launch.kernel.handle, Probe):
            self._probe(launch.kernel.handle, given)
            return OVERHEAD
        if callable(launch.kernel.handle):
            launch.kernel.handle(*given)
            return OVERHEAD
        with np.errstate(all="ignore"):
            done = emulate(
                launch.kernel.handle, launch.grid, launch.block, given,
                shared_bytes=launch.shared, seconds=min(seconds, _SECONDS),
            )  # fmt: skip
        for finding in done.findings:
            if finding.kind == "budget":
                raise DeviceError("timed-out", finding.what)
            if finding.kind == "resources":
                kind = "shared-memory" if finding.topic == "shared memory" else "threads"
                raise DeviceError(kind, finding.what)
        totals = done.totals
        sectors = totals["global_load_sectors"] + totals["global_store_sectors"]
        wavefronts = sum(totals[f"shared_{kind}_wavefronts"] for kind in _KINDS)
        return OVERHEAD + sectors * _SECTOR / BANDWIDTH + wavefronts / WAVEFRONTS

    def _probe(self, probe: Probe, given: Sequence[Any]) -> None:
        """Write the cycles where a probe does; the warps begin one after the other."""
        offsets, active, clocks, _kept, rounds = given
        cycles = self.cycles(probe, offsets.astype(np.int64), active != 0)
        clocks[:, 0] = 1_000_000 + np.arange(WARPS)
        clocks[:, 1] = 1_000_000 + cycles * WARPS * UNROLLED * rounds - np.arange(WARPS)

    def cycles(self, probe: Probe, offsets: np.ndarray, active: np.ndarray) -> float:
        """Of one access: each wavefront takes one, and nothing else takes any."""
        one, ballast = probe.instruction, BALLAST_WAVEFRONTS if probe.behind else 0
        if one is None:
            return ballast
        found = self._cost(Access(one.kind, one.width, offsets, active))
        if found.wavefronts_at_most is None:  # a CAS loop; of nothing to retry, a store
            found = max(found, self._cost(Access("store", one.width, offsets, active)),
                        key=lambda cost: cost.wavefronts)  # fmt: skip
        return ballast + found.wavefronts

    def _cost(self, access: Access) -> AccessCost:
        return cost(access, self.facts.capability)


def open_device() -> EmulatedDevice:
    """As `numba_device.open_device`."""
    return EmulatedDevice()
