"""The packages that compile Numba's CUDA dialect, one found on this machine and imported.

numba-cuda comes first: every required speedup and every figure of docs/gpu.md was measured with it.
numba-cuda-mlir, its successor, is the same language without Numba. Both import in about a second.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Literal, NamedTuple

CompilerName = Literal["numba-cuda", "numba-cuda-mlir"]
COMPILERS: tuple[CompilerName, ...] = ("numba-cuda", "numba-cuda-mlir")
"""The one to prefer first."""
_PRESENT = {"numba-cuda": "numba_cuda", "numba-cuda-mlir": "numba_cuda_mlir"}
_DIALECT = {"numba-cuda": "numba", "numba-cuda-mlir": "numba_cuda_mlir"}
_MLIR_TYPES = "numba_cuda_mlir.numba_cuda.types"


class CompilerMissing(Exception):
    """None of the packages is installed, or the one that is does not import."""


class Compiler(NamedTuple):
    """An imported compiler.

    Attributes:
        cuda: what a submission knows as `numba.cuda`.
        numba: what it knows as `numba`.
        driver: the module with `device_memset`.
    """

    name: CompilerName
    cuda: Any
    numba: Any
    driver: Any


def installed(names: Sequence[CompilerName] = COMPILERS) -> CompilerName | None:
    """Name the first of these compilers that is installed; imports nothing."""
    return next((name for name in names if find_spec(_PRESENT[name]) is not None), None)


def open_compiler(names: Sequence[CompilerName] = COMPILERS) -> Compiler:
    """Import the first of these compilers that is installed.

    From then on, `import numba` in this process means it: submissions are written for Numba.

    Raises:
        CompilerMissing: none is installed, or it does not import.
    """
    name = installed(names)
    if name is None:
        raise CompilerMissing(f"No module named '{_PRESENT[names[0]]}'")
    os.environ["NUMBA_CUDA_MLIR_ICE_FULL_TB"] = "1"  # names the call it cannot compile
    try:
        cuda = import_module(f"{_DIALECT[name]}.cuda")
        numba = import_module("numba") if name == "numba-cuda" else _stand_in(cuda)
        driver = import_module(f"{_DIALECT[name]}.cuda.cudadrv.driver")
    except ImportError as error:
        raise CompilerMissing(str(error)) from None
    return Compiler(name, cuda, numba, driver)


def _stand_in(cuda: Any) -> ModuleType:
    """Make a module `numba` of numba-cuda-mlir, which neither has nor needs Numba.

    It replaces an installed Numba: the types of one are unknown to the other.
    """
    types = import_module(_MLIR_TYPES)
    numba = ModuleType("numba")
    public = {name: value for name, value in vars(types).items() if not name.startswith("_")}
    vars(numba).update(public, cuda=cuda, types=types)
    sys.modules.update({"numba": numba, "numba.cuda": cuda, "numba.types": types})
    return numba
