"""A process that compiles a kernel for Numba to PTX: a request on its input, an answer out of it.

    python -m grader.compiled.numba_ptx < request.json

What it is given is compiled, never run. Its memory, its files and its time are limited.
"""

from __future__ import annotations

import contextlib
import json
import resource
import sys
from importlib.metadata import version
from typing import Any

from grader.compiled.numba_compiler import ArgumentType, NumbaCompiler
from grader.compiled.parts import is_installed

_MEMORY = 8 << 30
"""Bytes of address space: LLVM and NVVM map more than a gigabyte before they work."""
_FILE_BYTES = 64 << 20
_SECONDS = 60


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Compile; return `ptx` and `version`, or `refused` with the error, or `missing`."""
    if not is_installed():
        return {"missing": True}
    arguments = [ArgumentType(*argument) for argument in request["arguments"]]
    try:
        text = NumbaCompiler().compile_ptx(
            request["source"], request["kernel"], arguments, request["capability"]
        )
    except Exception as error:  # Numba's and NVVM's have no common root
        return {"refused": f"{type(error).__name__}: {error}"}
    return {"ptx": text, "version": version("numba-cuda")}


def main() -> None:
    """Answer one request."""
    limits = (
        (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, _FILE_BYTES),
        (resource.RLIMIT_AS, _MEMORY), (resource.RLIMIT_CPU, _SECONDS),
    )  # fmt: skip
    for what, most in limits:
        with contextlib.suppress(OSError, ValueError):  # macOS has no RLIMIT_AS
            resource.setrlimit(what, (most, most))
    json.dump(answer(json.load(sys.stdin)), sys.stdout)


if __name__ == "__main__":
    main()
