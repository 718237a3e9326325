"""Reads what NVIDIA's linker reports about a kernel: registers, spills, memory. Runs nothing."""

from __future__ import annotations

import re
from typing import NamedTuple

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
