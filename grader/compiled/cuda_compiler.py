"""Compiles a kernel in CUDA C++ with NVRTC and NVIDIA's linker, on a machine without a driver."""

from __future__ import annotations

from importlib.metadata import version

from grader.compiled.linking import Linked, Linker
from grader.gpu.devices.nvrtc import compile_to_link

PACKAGES = ("nvidia-cuda-nvrtc", "nvidia-nvjitlink")
"""Those whose versions decide what comes out."""


class CudaCompiler:
    """Compiles for any architecture that NVRTC knows."""

    def __init__(self) -> None:
        self._linker = Linker()

    @property
    def name(self) -> str:
        """The packages with their versions."""
        return ", ".join(f"{package} {version(package)}" for package in PACKAGES)

    def compile(
        self, source: str, name: str, entry: str, capability: str, *, lines: bool = False
    ) -> Linked:
        """Compile a kernel of a text.

        Args:
            name: what the machine code calls it.
            entry: the kernel as C++ names it: `transpose<32, float>`.
            capability: major.minor.
            lines: the machine code names source lines; that may change it by a register or two.

        Raises:
            NotCompiled: NVRTC rejects it, with its log.
        """
        code = compile_to_link(source, name, capability, entry, lines=lines)
        return self._linker.link(code, name, capability, lines=lines)
