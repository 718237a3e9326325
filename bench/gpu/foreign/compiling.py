"""Compiles jobs with NVRTC, with the calls of cuda-bindings alone.

`grader.gpu.devices.nvrtc` is not imported: with it comes msgspec, which a machine with a GPU may
not have.
"""

from __future__ import annotations

import re
import site
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from bench.gpu.foreign.jobs import Job

OPTIONS = ("--std=c++17", "--fmad=false", "--device-as-default-execution-space")
"""A product and a sum stay two operations, as in the emulator."""
_TYPES = {
    "int8_t": "signed char", "uint8_t": "unsigned char", "int16_t": "short",
    "uint16_t": "unsigned short", "int32_t": "int", "uint32_t": "unsigned int", "int64_t": "long",
    "uint64_t": "unsigned long", "uint": "unsigned int", "ushort": "unsigned short",
    "uchar": "unsigned char", "ulong": "unsigned long", "uintptr_t": "unsigned long",
    "intptr_t": "long", "ssize_t": "long",
}  # fmt: skip
_STANDARD = """\
#include <cuda/std/cmath>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
namespace std { using namespace cuda::std; }
#if __has_include(<cuda/std/algorithm>)
#include <cuda/std/algorithm>
#else
namespace std {
template <class T> __device__ const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> __device__ const T &max(const T &a, const T &b) { return a < b ? b : a; }
}
#endif
"""
"""Of NVIDIA's C++ library, which is not the emulator's; older ones have no `algorithm`."""
_HEADERS = {
    "cuda_fp16.h": r"\b(?:half\d?|__half\d?|__\w*half\w*)\b",
    "cuda_bf16.h": r"bfloat16",
    "cuComplex.h": r"\bcu\w*[cC]omplex\b|\bcuC\w+\b",
}


class NotCompiled(Exception):
    """NVRTC rejects the text; the message is the first error."""


class Image(NamedTuple):
    """Machine code, and the names that the wanted ones have in it."""

    code: bytes
    names: tuple[str, ...]


def text_of(job: Job) -> str:
    """Return what NVRTC gets: the source, with what nvcc's headers declare and NVRTC's do not."""
    used = set(re.findall(r"\w+", job.source))
    parts = [f"#include <{name}>" for name, sign in _HEADERS.items() if re.search(sign, job.source)]
    if re.search(r"\bstd\b", job.source):
        parts.append(_STANDARD)
    declared = set(re.findall(r"\b(?:typedef [^;]*?|using )(\w+) (?=[;=])", job.source))
    parts += [f"typedef {kind} {name};" for name, kind in _TYPES.items() if name in used - declared]
    return "\n".join([*parts, '#line 1 "job.cu"', job.source])


def compile_job(job: Job, capability: str) -> Image:
    """Compile a job; the names are the kernel's, then those of its launches' variables.

    Raises:
        NotCompiled: NVRTC rejects it.
    """
    nvrtc: Any = import_module("cuda.bindings.nvrtc")
    wanted = [job.kernel, *(f"&{name}" for name in symbols(job))]
    made = _check(nvrtc, nvrtc.nvrtcCreateProgram(text_of(job).encode(), b"job.cu", 0, [], []))
    for name in wanted:
        _check(nvrtc, nvrtc.nvrtcAddNameExpression(made, name.encode()))
    options = [*OPTIONS, f"--gpu-architecture=sm_{capability}"]
    options += [f"--include-path={folder}" for folder in include_folders()]
    result = nvrtc.nvrtcCompileProgram(made, len(options), [one.encode() for one in options])
    if int(result[0]) != 0:
        log = b" " * _check(nvrtc, nvrtc.nvrtcGetProgramLogSize(made))
        _check(nvrtc, nvrtc.nvrtcGetProgramLog(made, log))
        lines = log.decode("utf-8", "replace").splitlines()
        raise NotCompiled(next((line for line in lines if "error" in line), lines[0]).strip(" \0"))
    code = b" " * _check(nvrtc, nvrtc.nvrtcGetCUBINSize(made))
    _check(nvrtc, nvrtc.nvrtcGetCUBIN(made, code))
    names = [_check(nvrtc, nvrtc.nvrtcGetLoweredName(made, name.encode())) for name in wanted]
    return Image(code, tuple(name.decode() for name in names))


def symbols(job: Job) -> tuple[str, ...]:
    """Return the variables of the source that the kernel uses."""
    buffers = job.launches[0].buffers if job.launches else ()
    return tuple(buffer.symbol for buffer in buffers if buffer.symbol)


def include_folders() -> Sequence[Path]:
    """Return the folders of CUDA's headers and of NVIDIA's C++ library."""
    packages = [Path(one) for one in (*sys.path, *site.getsitepackages()) if one]
    roots = [*packages, Path("/usr/local")]
    found = list[Path]()
    for name in ("cuda_fp16.h", "cuda/std/cmath"):
        places = ("nvidia/*/include", "nvidia/*/include/cccl", "cuda*/include",
                  "cuda*/include/cccl", "cupy/_core/include/cupy/_cccl/libcudacxx")  # fmt: skip
        folders = [
            folder
            for place in places
            for root in roots
            for folder in sorted(root.glob(place))
            if (folder / name).is_file()
        ]
        found += [folder for folder in folders[:1] if folder not in found]
    return found


def _check(nvrtc: Any, result: Any) -> Any:
    """Return what a call gave beside its status.

    Raises:
        NotCompiled: the status is an error.
    """
    error, *given = result
    if int(error) != 0:
        raise NotCompiled(f"NVRTC: {nvrtc.nvrtcGetErrorString(error)[1].decode()}")
    return given[0] if given else None
