"""Runs a kernel on a real GPU: proves it right, and measures how much faster it is.

    with Gpu() as gpu:                     # or Gpu("user@host")
        gpu.describe().name
        graded = gpu.grade(problem, source, Benchmark({"n": 1 << 26}, baseline, {"NVIDIA H200": 2}))
        graded.standing, graded.speed, graded.verdict.failure

A process of its own has the CUDA context; this package imports no Numba outside of it.
docs/gpu.md says what is measured, and how.
"""

from grader.gpu.benchmark import Benchmark
from grader.gpu.calibrating.calibration import Agreement, Calibration, Group, ProbeResult
from grader.gpu.cheats import gpu_cheats
from grader.gpu.client import Gpu, GpuFailed, WorkerSetup
from grader.gpu.command import passed_on
from grader.gpu.devices.compilers import installed as installed_compiler
from grader.gpu.devices.driver import driver_version
from grader.gpu.outcome import (
    GATES,
    DeviceFacts,
    GpuGrade,
    Ratio,
    Resources,
    SelfTest,
    Speed,
    Standing,
)

__all__ = [
    "GATES", "Agreement", "Benchmark", "Calibration", "DeviceFacts", "Gpu", "GpuFailed", "GpuGrade",
    "Group", "ProbeResult", "Ratio", "Resources", "SelfTest", "Speed", "Standing", "WorkerSetup",
    "driver_version", "gpu_cheats", "installed_compiler", "passed_on",
]  # fmt: skip
