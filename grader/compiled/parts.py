"""Looks for what the extra `compile` installs; imports nothing of it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

_PACKAGES = ("numba_cuda", "cuda.bindings", "nvidia.cu13")
_LINKER = "lib/libnvJitLink.so.13"
_NVRTC = "lib/libnvrtc.so.13"
_DISASSEMBLER = "bin/nvdisasm"


def has_nvrtc() -> bool:
    """Return True if there may be NVRTC: its library can be one that no package has."""
    try:
        return find_spec("cuda.bindings") is not None
    except ImportError:  # of the package around it
        return False


def is_installed(language: str = "python") -> bool:
    """Return True if a language's compiler, the linker and the disassembler are there."""
    try:
        found = all(find_spec(name) is not None for name in _PACKAGES)
    except ImportError:  # of the package around one
        return False
    parts = (_LINKER, _DISASSEMBLER, *((_NVRTC,) if language == "cuda" else ()))
    return found and all(_find(part) is not None for part in parts)


def disassembler() -> Path:
    """Return the path of nvdisasm.

    Raises:
        FileNotFoundError: it is not installed.
    """
    found = _find(_DISASSEMBLER)
    if found is None:
        raise FileNotFoundError("nvidia-cuda-nvdisasm is not installed")
    return found


def _find(name: str) -> Path | None:
    """Find a file of NVIDIA's packages, which share one folder."""
    spec = find_spec("nvidia.cu13")
    folders = (spec.submodule_search_locations or ()) if spec else ()
    paths = (Path(folder, name) for folder in folders)
    return next((path for path in paths if path.is_file()), None)
