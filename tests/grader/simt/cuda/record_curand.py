"""Records what cuRAND's own header gives, compiled by NVRTC and run as PTX, into tests/data.

    python -m tests.grader.simt.cuda.record_curand INCLUDE…

The folders hold cuRAND's headers, CUDA's, and CCCL's; it needs the extra `compile`.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from grader.simt import launch
from grader.simt.ptx.kernel import find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx

DATA = Path(__file__).resolve().parents[3] / "data"
SOURCE = DATA / "curand.cu"
RECORD = DATA / "curand.json"
THREADS = 64
SHOWN = 8
"""Threads that are recorded."""
CASES = [
    (state, more, sequence, seed, offset)
    for state, more in (("curandState", ""), ("curandStatePhilox4_32_10_t", "1"))
    for sequence, seed, offset in (
        ("1ull", 1234, 0), ("7ull", 0, 5), ("3ull", 99_999_999_999, 99_999),
    )
]  # fmt: skip


def macros(state: str, more: str, sequence: str) -> dict[str, str]:
    """The macros of a case."""
    return {"STATE": state, "SEQUENCE": sequence} | ({"MORE": more} if more else {})


def draw(kernel: Any, seed: int, offset: int) -> dict[str, list[int]]:
    """Launch a kernel; return the bits of what the first threads draw."""
    u, f = np.zeros(THREADS * 6, np.uint32), np.zeros(THREADS * 8, np.float32)
    d = np.zeros(THREADS * 3)
    arguments = [u, f, d, np.uint64(seed), np.uint64(offset)]
    done = launch(kernel, 2, THREADS // 2, arguments, budget=10_000_000_000)
    assert done.findings == ()
    return {
        "u": u[: SHOWN * 6].tolist(),
        "f": f[: SHOWN * 8].view(np.uint32).tolist(),
        "d": d[: SHOWN * 3].view(np.uint64).tolist(),
    }


def _compile(text: str, folders: list[str]) -> str:
    nvrtc: Any = import_module("cuda.bindings.nvrtc")
    _, program = nvrtc.nvrtcCreateProgram(text.encode(), b"curand.cu", 0, [], [])
    options = ["--gpu-architecture=compute_90", *(f"--include-path={each}" for each in folders)]
    (status,) = nvrtc.nvrtcCompileProgram(program, len(options), [o.encode() for o in options])
    assert int(status) == 0
    _, size = nvrtc.nvrtcGetPTXSize(program)
    ptx = b" " * size
    nvrtc.nvrtcGetPTX(program, ptx)
    return ptx.decode().rstrip("\0 ")


def main(folders: list[str]) -> int:
    """Record all cases."""
    found = []
    for state, more, sequence, seed, offset in CASES:
        defines = macros(state, more, sequence).items()
        text = "".join(f"#define {name} {value}\n" for name, value in defines)
        module = read_ptx(_compile(text + SOURCE.read_text("utf-8"), folders))
        kernel = find_kernel(module, "draw")
        found.append(draw(lower_ptx(module, kernel, list_fields(kernel)), seed, offset))
    RECORD.write_text(json.dumps(found) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
