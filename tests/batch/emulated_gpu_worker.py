"""The process that grades on a GPU, with the emulator in place of the device."""

from __future__ import annotations

from functools import partial

from grader import gpu
from quizapp.batch import gpu_worker
from quizapp.system import gpu as system_gpu
from tests.grader.gpu.tools import SETUP

MODULE = __name__


def main() -> None:
    """Grade until the application exits."""
    gpu.Gpu = partial(gpu.Gpu, setup=SETUP)
    gpu.installed_compiler = lambda: "numba-cuda"
    system_gpu.device_nodes = lambda: ["/dev/nvidia0"]
    gpu_worker.main()
