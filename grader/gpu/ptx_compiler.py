"""A process that compiles one kernel to PTX: a request on its input, an answer on its output.

    python -m grader.gpu.ptx_compiler < request.json

What it is given is compiled, never run. Its memory, its files and its time are limited.
"""

from __future__ import annotations

import contextlib
import json
import resource
import sys
from importlib.util import find_spec
from typing import Any

from grader.gpu.nvrtc import NotCompiled, compile_ptx, version

_MEMORY = 8 << 30
"""Bytes of address space: NVRTC maps more than a gigabyte before it works."""
_FILE_BYTES = 64 << 20
_SECONDS = 60


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Compile; return `ptx`, `entry` and `version`, or `refused` with the log, or `missing`."""
    try:
        if find_spec("cuda.bindings") is None:
            return {"missing": True}
    except ImportError:  # of the package around it
        return {"missing": True}
    try:
        image = compile_ptx(
            request["source"], request["name"], request["capability"], request["entry"],
            request["folders"],
        )  # fmt: skip
    except NotCompiled as error:
        return {"refused": str(error)}
    except RuntimeError as error:  # the library is not there
        return {"missing": True, "why": str(error)}
    return {
        "ptx": image.code.rstrip(b"\0").decode("utf-8", "replace"),
        "entry": image.entry,
        "version": version(),
    }


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
