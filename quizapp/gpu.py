"""The GPU that the settings name: who is asked, why there is nobody to ask, and what is asked for.

Libraries are looked up, not loaded, and nothing is started: that costs a laptop nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from quizapp.config import GpuSettings
from quizapp.domain.question import GpuPart, prose
from quizapp.words import Words

if TYPE_CHECKING:
    from grader.gpu import Gpu  # NumPy, 80 ms

_DEVICES = Path("/dev")
_NODES = ("nvidia[0-9]*", "dxg")
"""What the driver makes for a GPU; `dxg` is that of Windows' Linux."""
_PACKAGE = "numba_cuda"


@dataclass(frozen=True, slots=True)
class NotMeasured:
    """No GPU said anything.

    Attributes:
        kind: for programs: `off`, `no-device`, `no-package`, or what `GpuFailed` says; `problem`
            where the question is at fault, `declined` where the command line wants none.
        what: why, for a person to read.
        todo: what to do about it.
    """

    kind: str
    what: str
    todo: str = ""


def gpu_of(settings: GpuSettings) -> Gpu | NotMeasured:
    """Who is asked by these settings, not started yet; or why nobody is."""
    reason = nobody(settings)
    if reason is not None:
        return reason
    from grader.gpu import Gpu  # noqa: PLC0415 - NumPy, 80 ms

    return Gpu(settings.host or None)


def nobody(settings: GpuSettings) -> NotMeasured | None:
    """Why there is nobody to ask; None where it is worth trying."""
    if not settings.use:
        return NotMeasured("off", "the GPU is switched off", "`quiz config gpu.use true`")
    if settings.host:
        return None
    if not device_nodes():
        todo = "`quiz config gpu.host user@host` names another that ssh reaches"
        return NotMeasured("no-device", "no GPU on this machine", todo)
    if find_spec(_PACKAGE) is None:
        todo = "install gpu-quiz[gpu-cu13], or [gpu-cu12] for an older driver"
        return NotMeasured("no-package", "numba-cuda is not installed", todo)
    return None


def device_nodes() -> list[str]:
    """Files that the driver makes for GPUs of this machine."""
    return sorted(str(path) for pattern in _NODES for path in _DEVICES.glob(pattern))


def goal(part: GpuPart, say: Words) -> str:
    """What a GPU will be asked of a kernel, as Markdown: beside what it is timed, and the gates."""
    what = "" if part.against is None else prose(part.against, say.language)
    text = say("gpu.goal", what=what) if what else say("gpu.goal-unnamed")
    gates = ", ".join(f"{gate:g} × ({device})" for device, gate in part.speedup.items())
    return text + (say("gpu.goal-gates", gates=gates) if gates else "")
