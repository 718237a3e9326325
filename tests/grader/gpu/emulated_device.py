"""A device that is the emulator: the worker's CUDA layer, replaced at its narrowest place.

Times are made of what the emulator counts, the same each time. What the emulator does not read is
executed as the real device would execute it, when the worker is ungated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from grader.gpu.device import (
    GUARD_BYTE,
    GUARD_BYTES,
    Compiled,
    DeviceArray,
    DeviceError,
    Fetched,
    Given,
    Launch,
)
from grader.gpu.loading import load
from grader.gpu.outcome import DeviceFacts
from grader.simt import Refused, SimtError, prepared
from grader.simt import launch as emulate
from grader.simt.module import read_module

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


class EmulatedDevice:
    """See `grader.gpu.device.Device`."""

    def __init__(self, facts: DeviceFacts = FACTS) -> None:
        self.facts = facts
        self.launches = 0
        self._times: dict[tuple[Any, ...], float] = {}

    def compile(
        self, source: str, kernel: str, arguments: Sequence[Given], *, gated: bool = True
    ) -> Compiled:
        try:
            handle: Any = prepared(read_module(source)[kernel], arguments)
        except (SimtError, KeyError) as error:
            if gated:
                raise DeviceError("compile", str(error)) from None
            try:
                handle = load(source, kernel, {}, lambda function: function, gated=False)
            except (Refused, SyntaxError) as said:
                raise DeviceError("compile", str(said)) from None
        return Compiled(32, 0, 0, 1024, handle)

    def to_device(self, array: np.ndarray, *, refillable: bool = False) -> DeviceArray:
        return DeviceArray(array.shape, array.dtype, Held(array, kept=refillable))

    def from_device(self, array: DeviceArray) -> Fetched:
        whole = array.handle.whole
        guards = (whole[:GUARD_BYTES], whole[-GUARD_BYTES:])
        return Fetched(array.handle.shaped.copy(), all((one == GUARD_BYTE).all() for one in guards))

    def refill(self, array: DeviceArray) -> None:
        array.handle.whole[:] = array.handle.first

    def free(self, array: DeviceArray) -> None:
        array.handle.whole = array.handle.shaped = array.handle.first = np.empty(0)

    def launch(self, launch: Launch, seconds: float) -> None:
        self._run(launch, seconds)

    def timed(self, launches: Sequence[Launch], seconds: float) -> list[float]:
        return [self._timed(launch, seconds) for launch in launches]

    def copy_bandwidth(self) -> float:
        return COPY

    def _timed(self, launch: Launch, seconds: float) -> float:
        shapes = tuple(getattr(one, "shape", one) for one in launch.arguments)
        key = (id(launch.kernel.handle), launch.grid, launch.block, shapes)
        if key not in self._times:
            for array in launch.refilled:
                self.refill(array)
            self._times[key] = self._run(launch, seconds)
        return self._times[key]

    def _run(self, launch: Launch, seconds: float) -> float:
        self.launches += 1
        given = [
            one.handle.shaped if isinstance(one, DeviceArray) else one for one in launch.arguments
        ]
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
                raise DeviceError("timed-out", finding.message)
            if finding.kind == "resources":
                kind = "shared-memory" if finding.topic == "shared memory" else "threads"
                raise DeviceError(kind, finding.message)
        totals = done.totals
        sectors = totals["global_load_sectors"] + totals["global_store_sectors"]
        wavefronts = sum(totals[f"shared_{kind}_wavefronts"] for kind in _KINDS)
        return OVERHEAD + sectors * _SECTOR / BANDWIDTH + wavefronts / WAVEFRONTS


def open_device() -> EmulatedDevice:
    """As `numba_device.open_device`."""
    return EmulatedDevice()
