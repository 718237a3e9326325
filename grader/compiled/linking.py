"""Links code of NVIDIA's compilers to machine code, with nvJitLink, which has ptxas in it."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from grader.compiled.linked import LinkerReport, read_report


class Linked(NamedTuple):
    """Machine code for one architecture, and what the linker says of it."""

    cubin: bytes
    report: LinkerReport


class Linker:
    """Links the code of one kernel."""

    def __init__(self) -> None:
        self._linker: Any = import_module("cuda.bindings.nvjitlink")

    def link(
        self, code: bytes, name: str, capability: str, *, lines: bool, registers: int = 0
    ) -> Linked:
        """Link code that was compiled for link-time optimization.

        Args:
            code: LTO IR.
            name: what messages call it.
            capability: major.minor.
            lines: the machine code names source lines.
            registers: the most that a thread may have; 0 for no limit.
        """
        options = [f"-arch=sm_{capability.replace('.', '')}", "-lto", "-verbose"]
        options += ["-lineinfo"] if lines else []
        options += [f"-maxrregcount={registers}"] if registers else []
        linker = self._linker
        handle = linker.create(len(options), options)
        try:
            linker.add_data(handle, linker.InputType.LTOIR, code, len(code), name)
            linker.complete(handle)
            cubin = bytearray(linker.get_linked_cubin_size(handle))
            linker.get_linked_cubin(handle, cubin)
            log = bytearray(linker.get_info_log_size(handle))
            linker.get_info_log(handle, log)
        finally:
            linker.destroy(handle)
        return Linked(bytes(cubin), read_report(log.decode(errors="replace")))
