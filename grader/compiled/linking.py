"""Links code of NVIDIA's compilers to machine code, with nvJitLink, which has ptxas in it.

What it reports about a kernel is read from its text: registers, spills, memory.
So PTX becomes machine code without a driver.
"""

from __future__ import annotations

import re
from importlib import import_module
from importlib.metadata import version
from typing import Any, NamedTuple

from grader.compiled.outcome import ARCHITECTURES

_REGISTERS = re.compile(r"\b[Uu]sed (\d+) registers")
_SPILLS = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_KERNEL = "Function properties for "
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


def read_report(text: str, kernel: str = "") -> LinkerReport:
    """Read the report of `-verbose` on a module with one kernel, or on one of several.

    Raises:
        UnknownReport: it has no line about registers.
    """
    if kernel:
        parts = (part.partition("\n") for part in text.split(_KERNEL)[1:])
        text = "\n".join(rest for name, _, rest in parts if name.strip("': \r") == kernel)
    registers = _REGISTERS.findall(text)
    if not registers:
        raise UnknownReport(text)
    stack, stores, loads = map(int, max(_SPILLS.findall(text), default=("0", "0", "0")))
    shared = int(max(_SHARED.findall(text), default="0", key=int))
    return LinkerReport(int(registers[-1]), stores, loads, shared, stack)


class NotLinked(ValueError):
    """The linker's words on why it makes no machine code."""


class Linked(NamedTuple):
    """Machine code for one architecture, and what the linker says of it."""

    cubin: bytes
    report: LinkerReport


class Linker:
    """Links the code of one kernel."""

    def __init__(self) -> None:
        self._linker: Any = import_module("cuda.bindings.nvjitlink")

    def link(
        self, code: bytes, name: str, capability: str, *, lines: bool, registers: int = 0,
        ptx: bool = False,
    ) -> Linked:  # fmt: skip
        """Link code that was compiled for link-time optimization, or a text of PTX.

        Args:
            code: LTO IR, or PTX.
            name: what messages call it; of PTX, the kernel that is reported on.
            capability: major.minor.
            lines: the machine code names source lines.
            registers: the most that a thread may have; 0 for no limit.

        Raises:
            NotLinked: it does not link.
        """
        options = [f"-arch=sm_{capability.replace('.', '')}", "-verbose"]
        options += [] if ptx else ["-lto"]
        options += ["-lineinfo"] if lines else []
        options += [f"-maxrregcount={registers}"] if registers else []
        linker = self._linker
        handle = linker.create(len(options), options)
        try:
            kind = linker.InputType.PTX if ptx else linker.InputType.LTOIR
            linker.add_data(handle, kind, code, len(code), name)
            linker.complete(handle)
            cubin = bytearray(linker.get_linked_cubin_size(handle))
            linker.get_linked_cubin(handle, cubin)
            log = bytearray(linker.get_info_log_size(handle))
            linker.get_info_log(handle, log)
        except linker.nvJitLinkError as error:
            said = bytearray(linker.get_error_log_size(handle))
            linker.get_error_log(handle, said)
            text = " ".join(said.decode(errors="replace").strip("\0").split())
            raise NotLinked(text or str(error)) from None
        finally:
            linker.destroy(handle)
        return Linked(bytes(cubin), read_report(log.decode(errors="replace"), name if ptx else ""))


_PACKAGE = "nvidia-nvjitlink"
_TARGET = re.compile(r"^\s*\.target\s+sm_(\d+)([af]?)", re.MULTILINE)


def find_architectures(text: str) -> tuple[str, ...]:
    """Return which of `ARCHITECTURES` a text of PTX is for: its target's own, and later ones.

    What is for one architecture alone, such as `sm_90a`, is for no later one.
    """
    target = _TARGET.search(text)
    if target is None:
        return ()
    number, alone = int(target[1]), bool(target[2])
    numbers = {each: int(each.replace(".", "")) for each in ARCHITECTURES}
    return tuple(
        each for each, own in numbers.items() if own == number or (own > number and not alone)
    )


class PtxLinker:
    """Links a kernel of a text."""

    def __init__(self) -> None:
        self._linker = Linker()

    @property
    def name(self) -> str:
        """The package with its version."""
        return f"{_PACKAGE} {version(_PACKAGE)}"

    def compile(self, text: str, kernel: str, capability: str, *, lines: bool = False) -> Linked:
        """Link it; `kernel` is what the text calls it."""
        target = _TARGET.search(text)
        own = capability + ("" if target is None else target[2])
        return self._linker.link(text.encode(), kernel, own, lines=lines, ptx=True)
