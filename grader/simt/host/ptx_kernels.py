"""Kernels as compiled, in a session: of a `.ptx` file, or of a source that only a compiler reads.

NVRTC runs in a process of its own, which `grader.gpu.ptx_compiler` is; nothing is imported of it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.facts import fact, quote
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.kernel import CudaSource
from grader.simt.errors import InvalidLaunch, Refused
from grader.simt.machine.conversion import uniform
from grader.simt.memory.allocations import Heap, HeapPointer
from grader.simt.program.kernel import CompiledKernel
from grader.simt.program.types import INT64, Scalar
from grader.simt.ptx.kernel import Field, find_kernel, list_fields, lower_ptx
from grader.simt.ptx.reading import read_ptx
from grader.simt.ptx.syntax import Function, Module

_SECONDS = 90
"""For one kernel; libcu++ and CUB take four seconds."""
_MOST_PTX = 64 << 20
_CAPABILITY = "9.0"
_MOST_LOG = 3
"""Lines of a compiler's log that a person is shown."""
_ROOT = Path(__file__).resolve().parents[3]


class PtxKernel:
    """A kernel of a PTX text.

    Attributes:
        name: as a report shows it.
        fields: what it is launched with.
        parameters: their names.
        compiler: what compiled it; "PTX" for a text that a person has.
    """

    def __init__(
        self,
        module: Module,
        kernel: Function,
        parameters: Sequence[str],
        *,
        compiler: str = "PTX",
        place: SourcePlace | None = None,
    ) -> None:
        self._module = module
        self._kernel = kernel
        self._place = place
        self.compiler = compiler
        self.fields = list_fields(kernel, parameters)
        self.parameters = tuple(parameters) or tuple(each.name for each in self.fields)

    @property
    def signature(self) -> str:
        """What it takes: `name(.u64 in, .u32 n)`."""
        given = zip(self._kernel.parameters, self.parameters, strict=False)
        return f"{self.name}({', '.join(f'.{kind.type} {name}' for kind, name in given)})"

    @property
    def name(self) -> str:
        """The kernel, as the source has it."""
        return self.compiled.function.name if self._place is None else self._place.name

    @cached_property
    def compiled(self) -> CompiledKernel:
        """The kernel, ready to be launched.

        Raises:
            Refused: it uses what is not emulated.
        """
        place = self._place
        if place is None:
            return lower_ptx(self._module, self._kernel, self.fields, compiler=self.compiler)
        return lower_ptx(
            self._module, self._kernel, self.fields, name=place.name, start=place.start,
            path=place.path, sources=place.sources, symbols=place.symbols, compiler=self.compiler,
        )  # fmt: skip

    def fit(self, values: Sequence[Any]) -> list[Any]:
        """Return what it gets for the arguments of a launch, one for each parameter.

        Raises:
            InvalidLaunch: they do not fit.
        """
        if len(values) != len(self.fields):
            n, given = len(self.fields), len(values)
            raise InvalidLaunch(
                fact("cpp.argument-count", function=self.signature, n=n, given=given)
            )
        return [_fit(each, value) for each, value in zip(self.fields, values, strict=True)]

    def decode(self, arguments: Sequence[bytes], heap: Heap) -> list[Any]:
        """Return what it gets for the bytes that a program passes.

        Raises:
            InvalidLaunch: it takes another number of arguments, or of other sizes.
        """
        sizes = [each.size for each in self._kernel.parameters]
        if [len(each) for each in arguments] != sizes:
            n, given = len(sizes), len(arguments)
            raise InvalidLaunch(
                fact("cpp.argument-count", function=self.signature, n=n, given=given)
            )
        arrays: dict[int, NDArray[Any]] = {}
        found = []
        for each in self.fields:
            start = each.offset
            data = arguments[each.parameter][start : start + each.dtype.itemsize]
            value = np.frombuffer(data, each.dtype)[0]
            block = heap.find(int(value)) if each.dtype == INT64 else None
            if block is not None:
                array = arrays.setdefault(block.start, block.data)
                value = HeapPointer(int(value), block.start, array)
            found.append(value)
        return found


class SourcePlace(NamedTuple):
    """Where a compiled kernel is in its source."""

    name: str
    path: str
    start: tuple[int, int]
    sources: Mapping[str, tuple[str, ...]]
    symbols: Mapping[str, NDArray[Any]]


def _fit(field: Field, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        if field.dtype != INT64:
            raise InvalidLaunch(
                fact("cpp.argument-no-number", name=field.name, type=field.dtype.name)
            )
        return value
    if value is None:
        return np.int64(0)
    return _number(field.dtype, value)


def _number(dtype: Scalar, value: Any) -> Any:
    """Return a number as a parameter holds it: bits of 32 may be a float's."""
    if dtype.kind in "iu" and isinstance(value, float):
        narrow = np.dtype(f"f{max(2, dtype.itemsize)}").type(value)
        return np.array([narrow]).view(dtype)[0]
    return uniform(value, dtype)[0, 0]


def open_ptx(file: Path, name: str) -> PtxKernel:
    """Read a kernel of a PTX file.

    Args:
        file: the file.
        name: of the kernel; "" for the only one.

    Raises:
        Refused: it is not PTX.
        InvalidLaunch: there is no such kernel.
        OSError: it cannot be read.
    """
    data = file.read_bytes()
    if data.startswith(b"\x7fELF"):
        raise Refused(fact("ptx.machine-code"))
    module = read_ptx(data.decode("utf-8", "replace"), str(file.absolute()))
    if not name and len(module.kernels) > 1:
        raise InvalidLaunch(
            fact("cpp.several-kernels"),
            fact("cpp.name-kernel", signatures="; ".join(module.kernels)),
        )
    return PtxKernel(module, find_kernel(module, name or (*module.kernels, "")[0]), ())


def compile_source(
    source: CudaSource,
    declared: syntax.Function,
    entry: str,
    refusal: Refused,
    folders: Sequence[str] = (),
) -> PtxKernel:
    """Compile a kernel that the source front end refuses.

    Args:
        source: where it stands.
        declared: the kernel.
        entry: its name with the arguments of its template.
        refusal: why the front end refuses it: what is raised where there is no compiler.
        folders: where included files are looked for.

    Raises:
        Refused: there is no compiler, or what it makes is not emulated.
    """
    text = source.parsed.device_text(declared, includes=True)
    request = {
        "source": text, "name": "<kernel>", "entry": entry, "capability": _CAPABILITY,
        "folders": list(folders),
    }  # fmt: skip
    reply = _ask(request)
    if reply.get("missing"):
        more = fact("ptx.no-compiler")
        raise Refused(refusal.what, refusal.line, refusal.column, more, refusal.file) from None
    if "refused" in reply:
        lines = [line for line in reply["refused"].splitlines() if line.strip()]
        log = " ".join(" ".join(lines[:_MOST_LOG]).split())
        more = fact("ptx.compiler-refuses", log=quote(log))
        raise Refused(refusal.what, refusal.line, refusal.column, more, refusal.file) from None
    module = read_ptx(reply["ptx"])
    path = declared.place.path
    sources = {"" if name == path else name: lines for name, lines in source.files.items()}
    place = SourcePlace(
        entry, path, (declared.place.line, declared.place.column), sources, source.symbols
    )
    names = [each.name or f"param_{at}" for at, each in enumerate(declared.parameters)]
    kernel = module.functions[reply["entry"]]
    return PtxKernel(module, kernel, names, compiler=f"NVRTC {reply['version']}", place=place)


def _ask(request: Mapping[str, Any]) -> dict[str, Any]:
    """Compile in a process that ends with it."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "grader.gpu.ptx_compiler"],
            input=json.dumps(request).encode(),
            capture_output=True,
            timeout=_SECONDS,
            cwd=_ROOT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"refused": f"no answer within {_SECONDS} s"}
    if done.returncode or len(done.stdout) > _MOST_PTX:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return {"refused": last[-1] if last else f"status {done.returncode}"}
    reply: dict[str, Any] = json.loads(done.stdout)
    return reply
