"""The narrowest layer: all that grading needs of a GPU, and the one class of what goes wrong there.

Owns the protocol alone. `numba_device` is the real one; tests put an emulator here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact
from grader.gpu.outcome import DeviceFacts
from grader.kernels.inputs import ArgumentValue
from grader.kernels.submission import ParameterType

ErrorKind = Literal[
    "illegal-access", "misaligned", "registers", "threads", "shared-memory", "resources",
    "out-of-memory", "launch-failed", "timed-out", "compile", "compiler", "no-device", "no-package",
]  # fmt: skip
"""`resources`: the driver says no more than that they are too few for the launch. `compile`: the
compiler refuses the kernel; `compiler`: it fails itself, as packages do that do not fit together.
"""
OF_THE_MACHINE: frozenset[ErrorKind] = frozenset({"compiler", "no-device", "no-package"})
"""What is no kernel's fault."""

POISONED: frozenset[ErrorKind] = frozenset(
    {"illegal-access", "misaligned", "launch-failed", "timed-out"}
)
"""After these the context takes nothing any more: the process has to be replaced."""
GUARD_BYTES = 4096
"""On each side of an array; a multiple of every alignment, so that the array keeps its own."""
GUARD_BYTE = 0x7F
"""Read as numbers of any type it is large, so that what reads beyond an array comes out wrong."""


class DeviceError(Exception):
    """The device, the driver or the compiler refused; `what` mostly quotes them."""

    def __init__(self, kind: ErrorKind, what: Fact) -> None:
        super().__init__(f"{kind}: {what}")
        self.kind: ErrorKind = kind
        self.what = what

    @property
    def poisoned(self) -> bool:
        """True if the process can no longer use the device."""
        return self.kind in POISONED


@dataclass(frozen=True, eq=False)
class DeviceKernel:
    """A kernel for arguments of certain types.

    Attributes:
        takes: what it takes, where that is not just the arguments of its problem.
        registers: of a thread.
        shared: static shared memory of a block, in bytes.
        local: local memory of a thread, in bytes.
        max_threads: that a block of it may have.
    """

    registers: int
    shared: int
    local: int
    max_threads: int
    handle: Any = field(repr=False, default=None)
    takes: tuple[ParameterType, ...] | None = None


@dataclass(frozen=True, eq=False)
class DeviceArray:
    """An array on the device, with guards on both sides, and its initial contents."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    handle: Any = field(repr=False)


@dataclass(frozen=True, eq=False)
class FetchedArray:
    """The contents of an array; `guarded` is True if the guards on both sides are intact."""

    values: NDArray[Any]
    guarded: bool


@dataclass(frozen=True, eq=False)
class DeviceLaunch:
    """One launch of a compiled kernel.

    Attributes:
        arguments: arrays on the device, and numbers.
        shared: bytes of dynamic shared memory.
        refilled: arrays whose initial contents are restored before a timed launch.
    """

    kernel: DeviceKernel
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: tuple[Any, ...]
    shared: int = 0
    refilled: tuple[DeviceArray, ...] = ()


class Device(Protocol):
    """A GPU. All raise DeviceError; after one that is `poisoned`, nothing may be asked any more."""

    @property
    def facts(self) -> DeviceFacts:
        """What it is."""

    def compile(
        self, source: str, kernel: str, arguments: Sequence[ArgumentValue], *, gated: bool = True
    ) -> DeviceKernel:
        """Compile a kernel of a text for arguments of these types.

        Args:
            arguments: NumPy arrays and numbers; only their types count.
            gated: False executes the text as it stands, where tests ask for what the gate refuses.
        """

    def compile_cuda(self, source: str, entry: str) -> DeviceKernel:
        """Compile a kernel in CUDA C++.

        Args:
            entry: the kernel as C++ names it: `transpose<32, float>`.
        """

    def load_ptx(self, text: str, kernels: Sequence[str]) -> tuple[DeviceKernel, ...]:
        """Load kernels of a PTX text unchanged; their arrays are passed as pointers.

        Args:
            text: a whole module.
            kernels: names of its entries; in a launch, numbers are NumPy's, of the width declared.
        """

    def to_device(self, array: NDArray[Any], *, refillable: bool = False) -> DeviceArray:
        """Copy an array to the device, between guards; keep a second copy if it is refillable."""

    def from_device(self, array: DeviceArray) -> FetchedArray:
        """Fetch what it holds now."""

    def refill(self, array: DeviceArray) -> None:
        """Restore the initial contents of a refillable array, guards included."""

    def free(self, array: DeviceArray) -> None:
        """Give its memory back."""

    def launch(self, launch: DeviceLaunch, seconds: float) -> None:
        """Run a kernel to its end; `timed-out` if it does not finish in time."""

    def time_launches(self, launches: Sequence[DeviceLaunch], seconds: float) -> list[float]:
        """Run kernels one after the other, and tell the seconds each took by device events.

        Before each its arrays are refilled and the L2 cache is flushed, and both are queued ahead
        of the first event, so that the host's part of a launch is hidden behind them.

        Args:
            seconds: that one may take; `timed-out` after.
        """

    def copy_bandwidth(self) -> float:
        """Measure bytes per second, read and written, of a copy far larger than the L2 cache."""
