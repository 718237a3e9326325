"""The GPU that the settings name: where it is, or why there is none, and what is asked of it.

Libraries are looked up, not loaded, and nothing is started: that costs a laptop nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from grader import gpu as gpu_grader
from grader.facts import Fact, fact
from quizapp.system.config import GpuSettings

if TYPE_CHECKING:
    from grader.gpu import Gpu

_DEVICES = Path("/dev")
_NODES = ("nvidia[0-9]*", "dxg")
"""What the driver makes for a GPU; `dxg` is that of Windows' Linux."""


@dataclass(frozen=True, slots=True)
class NotMeasured:
    """No GPU said anything.

    Attributes:
        kind: for programs: `off`, `no-device`, `no-package`, or what `GpuFailed` says; `problem`
            where the question is at fault, `declined` where the command line wants none.
        what: why.
        todo: what to do about it, where the catalogue does not know by `what`.
    """

    kind: str
    what: Fact
    todo: Fact | None = None


def gpu_of(settings: GpuSettings) -> Gpu | NotMeasured:
    """Return the GPU of these settings, not started yet; or why there is none."""
    reason = explain_absence(settings)
    if reason is not None:
        return reason
    return gpu_grader.Gpu(settings.host or None)


def explain_absence(settings: GpuSettings) -> NotMeasured | None:
    """Say why there is no GPU to ask; None where it is worth trying."""
    if not settings.use:
        return NotMeasured("off", fact("gpu.off"))
    if settings.host:
        return None
    if not device_nodes():
        return NotMeasured("no-device", fact("gpu.no-node"))
    if gpu_grader.installed_compiler() is None:
        return NotMeasured("no-package", fact("gpu.no-numba"))
    return None


def device_nodes() -> list[str]:
    """List files that the driver makes for GPUs of this machine."""
    return sorted(str(path) for pattern in _NODES for path in _DEVICES.glob(pattern))
