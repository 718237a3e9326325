"""Links code of NVIDIA's compilers to machine code, with nvJitLink, which has ptxas in it.

What it reports about a kernel is read from its text: registers, spills, memory.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, NamedTuple

_REGISTERS = re.compile(r"\b[Uu]sed (\d+) registers")
_SPILLS = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_SHARED = re.compile(r"(\d+) bytes smem")


class LinkerReport(NamedTuple):
    """What one kernel takes; see `outcome.ArchitectureReport`."""

    registers: int
    spill_stores: int
    spill_loads: int
    shared: int
    local: int


class UnknownReport(ValueError):
    """The text is not the linker's report on one kernel."""


def read_report(text: str) -> LinkerReport:
    """Read the report of `-verbose -lto` on a module with one kernel.

    Raises:
        UnknownReport: it has no line about registers.
    """
    registers = _REGISTERS.findall(text)
    if not registers:
        raise UnknownReport(text)
    stack, stores, loads = map(int, max(_SPILLS.findall(text), default=("0", "0", "0")))
    shared = int(max(_SHARED.findall(text), default="0", key=int))
    return LinkerReport(int(registers[-1]), stores, loads, shared, stack)


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
