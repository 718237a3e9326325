"""What to do about an error that ends a script: what to install, or what to give it."""

from __future__ import annotations

import sys

import numpy as np

from grader.facts import Fact, fact

_OURS = ("numba", "numba_cuda", "numba_cuda_mlir")
_NEED_A_GPU = ("cudf", "cuml", "cupy", "cupyx", "pycuda", "rmm")
"""Libraries that work on a GPU alone, so that installing them helps nobody here."""
_OTHER_NUMPY = ("compiled using NumPy", "numpy.core.multiarray", "numpy.dtype size changed")
"""In what NumPy says of a module that was built for another major version."""

_NO_GPU = ("Torch not compiled with CUDA enabled", "Found no NVIDIA driver on your system")
"""In what PyTorch says where it needs a GPU, or a build for one."""


def explain(error: BaseException) -> Fact | None:
    """Return what to do about an error, where it is not one of the emulator's own."""
    text = str(error)
    if any(part in text for part in _NO_GPU):
        return fact("script.torch-gpu")
    if any(part in text for part in _OTHER_NUMPY):
        return fact("script.other-numpy", version=np.__version__, python=sys.executable)
    if isinstance(error, ImportError):
        return _explain_import(error, text)
    if isinstance(error, EOFError) and text == "EOF when reading a line":
        return fact("script.no-input")
    return None


def _explain_import(error: ImportError, text: str) -> Fact | None:
    if "relative import" in text:
        return fact("script.relative-import")
    root = (error.name or "").partition(".")[0]
    if root == "triton":
        return fact("script.triton")
    if root in _OURS:
        return fact("script.not-in-emulator", name=root)
    if not isinstance(error, ModuleNotFoundError) or not root:
        return None
    if root in _NEED_A_GPU:
        return fact("script.needs-gpu", name=root)
    return fact("script.missing-module", name=root, python=sys.executable)
