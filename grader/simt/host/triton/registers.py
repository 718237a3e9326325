"""Counts the registers and spills of what Triton compiled, by the ptxas that Triton brings.

Only a script that asks for them waits for it: a tuned launch by occupancy, as in Triton's tutorial.
"""

from __future__ import annotations

import subprocess
from functools import lru_cache
from typing import Any

from grader.compiled.linking import read_report

_SECONDS = 60


def answer_when_asked(compiled_kernel: Any, nvidia: Any, capability: int) -> None:
    """Have Triton's class of compiled kernels count when `n_regs` or `n_spills` is read.

    Args:
        nvidia: Triton's module that knows where ptxas is.
        capability: what is compiled for.
    """
    program = nvidia.get_ptxas(capability).path

    def make(at: int) -> property:
        def count(self: Any) -> int:
            text = self.asm["ptx"]
            code = text.encode() if isinstance(text, str) else bytes(text)
            return _count(program, capability, code)[at]

        return property(count, lambda _self, _value: None)

    compiled_kernel.n_regs, compiled_kernel.n_spills = make(0), make(1)


@lru_cache(maxsize=64)
def _count(program: str, capability: int, text: bytes) -> tuple[int, int]:
    """Return registers, and bytes that a thread spills."""
    asked = [
        program,
        "/dev/stdin",
        "--verbose",
        f"--gpu-name=sm_{capability}",
        "--output-file=/dev/null",
    ]
    done = subprocess.run(  # noqa: S603 - Triton's own
        asked, input=text, capture_output=True, timeout=_SECONDS, check=True
    )
    report = read_report(done.stderr.decode("utf-8", "replace"))
    return report.registers, report.spill_stores + report.spill_loads
