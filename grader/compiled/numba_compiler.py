"""Compiles a kernel with numba-cuda, NVVM and NVIDIA's linker, on a machine without a driver.

The same path as in the GPU worker: Numba's LLVM IR, NVVM's link-time code, then nvJitLink, which
has ptxas in it. The kernel's text goes through `grader.gpu`'s loader, so nothing of it runs.
Patches numba-cuda in this process: a worker of its own imports this module.
"""

from __future__ import annotations

import math
import subprocess
import tempfile
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from grader.compiled.linking import Linked, Linker
from grader.compiled.parts import disassembler
from grader.gpu.devices.loading import FILE, load

PACKAGES = ("numba-cuda", "nvidia-nvvm", "nvidia-nvjitlink")
"""Those whose versions decide what comes out."""
_SECONDS = 20.0
_OPTIONS = ("fastmath",)


class ArgumentType(NamedTuple):
    """The type of an argument: NumPy's name of the elements, and the axes; 0 for a number."""

    dtype: str
    axes: int


class NumbaCompiler:
    """Compiles for any architecture that NVVM knows."""

    def __init__(self) -> None:
        """Import numba-cuda, which takes about a second."""
        self._cuda: Any = import_module("numba.cuda")
        self._numba: Any = import_module("numba")
        self._linker = Linker()
        self._driverless = _Driverless()

    @property
    def name(self) -> str:
        """The packages with their versions."""
        return ", ".join(f"{package} {version(package)}" for package in PACKAGES)

    def compile(
        self,
        source: str,
        kernel: str,
        arguments: Sequence[ArgumentType],
        capability: str,
        *,
        lines: bool = False,
    ) -> Linked:
        """Compile a kernel of a text.

        Args:
            capability: major.minor.
            lines: the machine code names source lines; that may change it by a register or two.

        Raises:
            Refused: the text holds what is not read.
            Exception: Numba, NVVM, or the linker rejects it; they have no common root.
        """
        code, given = self._emit(source, kernel, arguments, capability, "ltoir", lines=lines)
        most = given.get("max_registers") or 0
        return self._linker.link(code, FILE, capability, lines=lines, registers=most)

    def compile_ptx(
        self, source: str, kernel: str, arguments: Sequence[ArgumentType], capability: str
    ) -> str:
        """Compile a kernel of a text to PTX with the lines of the text; as for `compile`."""
        code, _ = self._emit(source, kernel, arguments, capability, "ptx", lines=True)
        return code.decode() if isinstance(code, bytes) else str(code)

    def _emit(
        self,
        source: str,
        kernel: str,
        arguments: Sequence[ArgumentType],
        capability: str,
        output: str,
        *,
        lines: bool,
    ) -> tuple[Any, Any]:
        """Return a kernel's code, and the options of its decorator."""
        major, minor = map(int, capability.split("."))
        self._driverless.capability = (major, minor)
        names = {"cuda": self._cuda, "math": math, "np": np, "numba": self._numba}
        dispatcher = load(source, kernel, names, self._cuda.jit, gated=True)
        given = dispatcher.targetoptions
        types = tuple(dispatcher.typeof_pyval(_sample(argument)) for argument in arguments)
        code, _ = self._cuda.compile(
            dispatcher.py_func, types, cc=(major, minor), device=False, abi="numba",
            lineinfo=lines, output=output,
            **{name: given[name] for name in _OPTIONS if given.get(name)},
        )  # fmt: skip
        return code, given


def disassemble(cubin: bytes) -> str:
    """Print machine code with the lines of the source it comes from.

    Raises:
        OSError, subprocess.SubprocessError: the disassembler is missing or fails.
    """
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        command = [str(disassembler()), "--print-code", "--print-line-info", file.name]
        done = subprocess.run(command, capture_output=True, check=True, text=True, timeout=_SECONDS)
    return done.stdout


class _Driverless:
    """Lets numba-cuda 0.30 compile without a driver and without NVRTC.

    It asks the driver for the architecture of device functions, and NVRTC (143 MB) for the list of
    architectures and for its own place on the disk; it compiles nothing with either.
    """

    def __init__(self) -> None:
        self.capability = (0, 0)
        dispatcher: Any = import_module("numba.cuda.dispatcher")
        dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=self.capability)
        nvrtc: Any = import_module("numba.cuda.cudadrv.nvrtc")
        nvrtc.get_supported_ccs = lambda: (self.capability,)
        paths: Any = import_module("numba.cuda.cuda_paths")
        paths._get_nvrtc_path = lambda: None  # noqa: SLF001 - it has no other switch


def _sample(argument: ArgumentType) -> Any:
    """Make a value of an argument's type."""
    dtype = np.dtype(argument.dtype)
    return np.zeros((2,) * argument.axes, dtype) if argument.axes else dtype.type(0)
