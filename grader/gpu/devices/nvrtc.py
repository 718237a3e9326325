"""Compiles CUDA C++ with NVRTC, which needs no GPU: only cuda-bindings and CUDA's headers."""

from __future__ import annotations

import site
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from grader.gpu.devices.host_headers import OWN_HEADERS, list_missing, prelude_of

OPTIONS = ("--std=c++17",)
"""Beside the architecture and the folder of the headers."""
_HEADER = "cuda_fp16.h"


class NotCompiled(Exception):
    """NVRTC rejects the text; the message is its log."""


class Image(NamedTuple):
    """Machine code, and the name that the kernel has in it."""

    code: bytes
    entry: str


def compile_cubin(source: str, name: str, capability: str, entry: str = "") -> Image:
    """Compile a text to machine code.

    Args:
        name: what the log calls it.
        capability: compute capability: "9.0".
        entry: the kernel as C++ names it: `transpose<32, float>`; "" if none is wanted.

    Raises:
        NotCompiled: with NVRTC's log.
    """
    nvrtc: Any = import_module("cuda.bindings.nvrtc")
    with _compiled(nvrtc, (source, name, architecture(capability)), entry) as program:
        image = b" " * _check(nvrtc, nvrtc.nvrtcGetCUBINSize(program))
        _check(nvrtc, nvrtc.nvrtcGetCUBIN(program, image))
        if not entry:
            return Image(image, "")
        mangled = _check(nvrtc, nvrtc.nvrtcGetLoweredName(program, entry.encode()))
        return Image(image, mangled.decode())


def compile_to_link(source: str, name: str, capability: str, entry: str, *, lines: bool) -> bytes:
    """Compile a text to code that NVIDIA's linker optimizes.

    Args:
        name: what the log, and the lines in the code, call it.
        lines: the code names source lines.

    Raises:
        NotCompiled: with NVRTC's log.
    """
    nvrtc: Any = import_module("cuda.bindings.nvrtc")
    # What has no specifier is for the device: functions of structs, `constexpr` functions.
    options = ["--dlink-time-opt", "--device-as-default-execution-space"]
    options += ["--generate-line-info"] if lines else []
    with _compiled(nvrtc, (source, name, architecture(capability)), entry, options) as program:
        code: bytes = b" " * _check(nvrtc, nvrtc.nvrtcGetLTOIRSize(program))
        _check(nvrtc, nvrtc.nvrtcGetLTOIR(program, code))
        return code


def compile_ptx(
    source: str,
    name: str,
    capability: str,
    entry: str,
    folders: Sequence[str] = (),
    *,
    contract: bool = True,
) -> Image:
    """Compile a text to PTX with the places of its source.

    Args:
        name: what the log, and the places in the PTX, call it.
        folders: where included files are looked for, beside CUDA's own.
        contract: products and sums may become multiply-adds.

    Raises:
        NotCompiled: with NVRTC's log.
    """
    nvrtc: Any = import_module("cuda.bindings.nvrtc")
    options = ["--generate-line-info", "--device-as-default-execution-space", "--disable-warnings"]
    options += [] if contract else ["--fmad=false"]
    virtual = architecture(capability).replace("sm_", "compute_")
    text = (source, name, virtual)
    with _compiled(nvrtc, text, entry, options, folders) as program:
        ptx: bytes = b" " * _check(nvrtc, nvrtc.nvrtcGetPTXSize(program))
        _check(nvrtc, nvrtc.nvrtcGetPTX(program, ptx))
        mangled = _check(nvrtc, nvrtc.nvrtcGetLoweredName(program, entry.encode()))
        return Image(ptx, mangled.decode())


@contextmanager
def _compiled(
    nvrtc: Any,
    text: tuple[str, str, str],
    entry: str,
    more: Sequence[str] = (),
    folders: Sequence[str] = (),
) -> Iterator[Any]:
    """Compile a text, with its name and its target, to a program of NVRTC; free it at the end.

    A program that is not destroyed keeps 13 KB, and a worker compiles as long as it lives.
    """
    source, name, target = text
    whole = (prelude_of(source) + f'#line 1 "{name}"\n' + source).encode("utf-8")
    of_source, of_cuda = [*map(Path, folders)], include_folders()
    texts = dict.fromkeys(list_missing(source, of_cuda, of_source), "") | OWN_HEADERS
    headers, bodies = ([part.encode() for part in parts] for parts in (texts, texts.values()))
    program = _check(
        nvrtc, nvrtc.nvrtcCreateProgram(whole, name.encode(), len(headers), bodies, headers)
    )
    try:
        if entry:
            _check(nvrtc, nvrtc.nvrtcAddNameExpression(program, entry.encode()))
        options = [*OPTIONS, f"--gpu-architecture={target}", *more]
        options += [f"--include-path={folder}" for folder in (*of_source, *of_cuda)]
        encoded = [option.encode() for option in options]
        (status,) = nvrtc.nvrtcCompileProgram(program, len(encoded), encoded)
        if int(status) != 0:
            log = b" " * _check(nvrtc, nvrtc.nvrtcGetProgramLogSize(program))
            _check(nvrtc, nvrtc.nvrtcGetProgramLog(program, log))
            raise NotCompiled(log.decode("utf-8", "replace").rstrip(" \0\n"))
        yield program
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def architecture(capability: str) -> str:
    """Return the real architecture of a compute capability: "sm_90" for "9.0"."""
    return "sm_" + capability.replace(".", "")


def version() -> str:
    """Return NVRTC's version."""
    nvrtc: Any = import_module("cuda.bindings.nvrtc")
    error, major, minor = nvrtc.nvrtcVersion()
    return f"{major}.{minor}" if int(error) == 0 else "unknown"


def include_folders() -> list[Path]:
    """Return the folders of CUDA's headers: of Python's packages, else of the toolkit."""
    packages = {Path(folder) for folder in (*sys.path, *site.getsitepackages()) if folder}
    places = (f"numba_cuda/numba/cuda/include/*/{_HEADER}", f"nvidia/*/include/{_HEADER}")
    found = [
        path.parent
        for place in places
        for package in sorted(packages)
        for path in sorted(package.glob(place))
    ]
    toolkits = [path.parent for path in sorted(Path("/usr/local").glob(f"cuda*/include/{_HEADER}"))]
    chosen = [*found[-1:], *toolkits[-1:]]
    # CUDA 13 has the headers of CCCL in a folder of their own; those of two versions do not fit.
    cccl = [each / "cccl" for each in chosen if (each / "cccl").is_dir()]
    return [*chosen, *cccl[:1]]


def _check(nvrtc: Any, result: Any) -> Any:
    """Return what a call gave beside its status.

    Raises:
        NotCompiled: the status is an error.
    """
    error, *given = result
    if int(error) != 0:
        raise NotCompiled(str(nvrtc.nvrtcGetErrorString(error)[1]))
    return given[0] if given else None
