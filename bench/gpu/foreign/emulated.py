"""Runs the kernels of a file in the emulator, with arguments made for them."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.gpu.foreign.device_part import Part, cut, read_parts
from bench.gpu.foreign.inputs import SIZES, Arguments, NoArguments, Sizes, geometries
from bench.gpu.foreign.jobs import Buffer, Bytes, Field, Job, Launch, Row, compare, digest
from grader.simt import launch
from grader.simt.cuda import declared, syntax
from grader.simt.cuda.declared import qualified_name
from grader.simt.cuda.lowering.kernel import (
    CudaSource,
    describe_kernel,
    lower_kernel,
    name_parameters,
)
from grader.simt.cuda.lowering.model.types import CType
from grader.simt.cuda.places import IllFormed
from grader.simt.errors import InvalidLaunch, Refused
from grader.simt.host.files.modules import SourceFiles, open_source, split_kernel_name
from grader.simt.intrinsics.atomic import Atomic
from grader.simt.launches.reports import Launch as Launched
from grader.simt.memory.allocations import Heap, HeapBlock
from grader.simt.native.arguments import KernelParameters, decode_arguments
from grader.simt.program import nodes
from grader.simt.program.kernel import CompiledKernel
from grader.simt.program.walking import walk_block

SHARED = 16_384
"""Bytes of dynamic shared memory, where the source has some."""
LAUNCHES = 2
"""For each kernel, with other sizes, if so many are without a fault."""
_BUDGET, _SECONDS = 50_000_000, 1.0
"""Of a launch."""
_TRIAL_SECONDS = 20.0
"""Of processor time, for all launches of a kernel that are tried."""
_START, _APART = 1 << 62, 40
_FIRST = 2048
"""As `include/quiz_runtime.h` has it: lower numbers are a launch's own."""
_VALUES = ("32", "16", "256", "8", "4")
_NO_FAULTS = frozenset({"warning"})
_ROUNDED = re.compile(
    r"\b_*(?:a?sin|a?cos|a?tan|exp|log|pow|cbrt|erf|rsqrt|hypot|fdivide|h?exp|h?log)\w* \("
)
"""Functions that a GPU rounds in its own way; tokens stand apart."""


@dataclass(frozen=True)
class Found:
    """A file.

    Attributes:
        root: the folder whose first folders are repositories.
        source: parsed; None if it is refused as a whole.
        refusal: why it is.
        kernels: how many of them it seems to have then.
    """

    root: Path
    path: Path
    source: CudaSource | None
    parts: tuple[Part, ...] = ()
    refusal: str = ""
    kernels: int = 0

    @property
    def repository(self) -> str:
        """The first folder below the root."""
        return self.path.relative_to(self.root).parts[0]

    def name(self, path: str) -> str:
        """Return a file's name from its repository on."""
        known = Path(path) if path else self.path
        inside = known.is_relative_to(self.root / self.repository)
        return str(known.relative_to(self.root / self.repository)) if inside else known.name


def read(path: Path, root: Path, folders: Sequence[Path]) -> Found:
    """Read a file, and what it includes in quotes."""
    files = SourceFiles(path.absolute(), folders=(*_header_folders(path, root), *folders))
    try:
        source = open_source(files)
        parts = read_parts(files.read(), files.path, files.find)
    except Refused as error:
        text = path.read_text("utf-8", "replace")
        return Found(root, path, None, (), error.what.code, len(re.findall("__global__", text)))
    return Found(root, path, source, parts)


def _header_folders(path: Path, root: Path) -> list[Path]:
    """Return the folders of a file's repository that have headers, as its build would name them."""
    repository = root / path.relative_to(root).parts[0]
    headers = (each for sign in ("*.h", "*.cuh", "*.hpp") for each in repository.rglob(sign))
    return sorted({folder for each in headers for folder in (each.parent, each.parent.parent)})


def instances(found: Found, kernel: declared.Function, text: str) -> list[str]:
    """Return names of a kernel with its template's arguments: as it is launched, else guesses."""
    name = qualified_name(kernel)
    if kernel.template is None or kernel.specialized is not None:
        return [name]
    launched = re.findall(rf"\b{re.escape(kernel.name)}\s*<(?!<)([^;{{}}]*?)>\s*<<<", text)
    written = [f"{name}<{_with_values(each, text)}>" for each in dict.fromkeys(launched)]
    guesses = [
        f"{name}<{', '.join(_guess(each, value) for each in kernel.template)}>" for value in _VALUES
    ]
    return [*written[:2], *guesses]


def _with_values(arguments: str, text: str) -> str:
    """Return template arguments with the numbers that host code gives its own constants."""

    def value(word: re.Match[str]) -> str:
        constant = rf"\bconst\w*\b[^;(]*\b{word.group()}\s*=\s*(\d+)\s*[;,]"
        found = re.search(constant, text)
        return found[1] if found else word.group()

    return re.sub(r"\b[A-Za-z_]\w*\b", value, arguments.strip())


def _guess(parameter: declared.TemplateParameter, value: str) -> str:
    if parameter.type is None:
        return "float"
    is_bool = isinstance(parameter.type, syntax.NamedType) and "bool" in str(parameter.type)
    return "true" if is_bool else value


def run(found: Found, kernel: declared.Function) -> tuple[Row, Job | None]:
    """Run a kernel; return what became of it, and a job if it ran without a fault or is not C++."""
    assert found.source is not None
    file = found.name(kernel.place.path)
    row = Row(found.repository, file, kernel.place.line, qualified_name(kernel), "broken")
    text = "\n".join(found.source.files.get(kernel.place.path, ()))
    last: tuple[Refused | InvalidLaunch, str] | None = None
    for name in instances(found, kernel, text):
        try:
            ready = _lower(found.source, name, kernel.place.line)
        except (Refused, InvalidLaunch) as error:
            last = error, name  # of what was guessed rather than of a name from a template
            continue
        return _run(found, kernel, replace(row, kernel=name), ready)
    assert last is not None  # there is at least one
    error, name = last
    row = replace(row, outcome="refused", why=error.what.code, kernel=name)
    if not isinstance(error, IllFormed):
        return row, None
    row.outcome = "not C++"
    source = cut(found.parts, row.kernel)
    return row, Job(row.repository, row.file, row.line, name, source, ())


def _lower(source: CudaSource, name: str, line: int) -> tuple[CompiledKernel, tuple[CType, ...]]:
    bare, arguments = split_kernel_name(source, name)
    return lower_kernel(source, bare, arguments, line=line)


@dataclass
class _Trials:
    """The launches of a kernel that were tried.

    Attributes:
        kept: those without a fault that change memory.
        blamed: the findings of the launch with the fewest kinds; None before the first.
        idle: True if one had no fault and changed no memory.
        budget: the least size of one that took too long; 0 without.
    """

    kept: list[tuple[Sizes, Launch]]
    blamed: tuple[str, ...] | None = None
    idle: bool = False
    budget: int = 0


def _run(
    found: Found,
    kernel: declared.Function,
    row: Row,
    ready: tuple[CompiledKernel, tuple[CType, ...]],
) -> tuple[Row, Job | None]:
    assert found.source is not None
    text = cut(found.parts, row.kernel)
    trials, began = _Trials([]), time.process_time()
    try:
        symbols = _Symbols(found.source)
        for at, (sizes, grid, block) in enumerate(_plans(text)):
            kept = any(sizes == each for each, _ in trials.kept)
            if kept or (trials.budget and sizes.total >= trials.budget):
                continue
            launched = _Launch(kernel, ready, symbols, (sizes, grid, block), text)
            launched.run(1000 * at, trials)
            over = time.process_time() - began > _TRIAL_SECONDS
            if len(trials.kept) == LAUNCHES or over:
                break
    except NoArguments as error:
        row.outcome, row.why = "arguments", str(error)
        return row, None
    except (InvalidLaunch, Refused) as error:
        row.outcome, row.why = "refused", error.what.code
        return row, None
    if not trials.kept:
        blamed = "faults" if trials.blamed else "budget"
        row.outcome = "idle" if trials.idle else blamed
        row.why = ", ".join(trials.blamed or ())
        return row, None
    row.outcome = "runs"
    job = Job(
        row.repository, row.file, row.line, row.kernel, text,
        tuple(each for _, each in trials.kept),
    )  # fmt: skip
    return row, job


def _plans(source: str) -> Iterator[tuple[Sizes, tuple[int, ...], tuple[int, ...]]]:
    """Yield what is tried, in order: each size with each geometry."""
    shapes = list(geometries(source))
    for sizes in SIZES:
        for grid, block in shapes:
            yield sizes, grid, block


class _Symbols:
    """The variables of a source that a lowered kernel uses.

    Attributes:
        buffers: what describes each.
        arrays: the memory of each.
    """

    def __init__(self, source: CudaSource) -> None:
        declared = {
            each.name: each for each in source.tree.declarations
            if isinstance(each, syntax.Variable)
        }  # fmt: skip
        self.arrays: list[NDArray[Any]] = []
        self.buffers: list[Buffer] = []
        for at, (name, data) in enumerate(source.symbols.items()):
            node = declared[name]
            if isinstance(node.type, syntax.PointerType) or data.dtype.names:
                raise NoArguments(f"{name}, a variable")
            drawn = node.initializer is None and (
                "__constant__" in node.specifiers or data.dtype.kind == "f"
            )
            full = "::".join((*node.scope, name))
            fields = (Field(data.dtype.str, 0, data.size),)
            self.buffers.append(Buffer(1, data.nbytes, fields, full, 900 + at if drawn else None))
            self.arrays.append(data)
        self._before = [data.copy() for data in self.arrays]

    def reset(self) -> None:
        """Give each the value that a launch begins with."""
        for data, buffer, before in zip(self.arrays, self.buffers, self._before, strict=True):
            data[...] = before
            if buffer.seed is not None:
                data.reshape(-1).view(np.uint8)[...] = buffer.fill()


class _Launch:
    """A launch that is tried."""

    def __init__(
        self,
        kernel: declared.Function,
        ready: tuple[CompiledKernel, tuple[CType, ...]],
        symbols: _Symbols,
        plan: tuple[Sizes, tuple[int, ...], tuple[int, ...]],
        source: str,
    ) -> None:
        self._kernel = kernel
        self._ready, self._kinds = ready
        self._symbols = symbols
        self._sizes, self._grid, self._block = plan
        self._shared = SHARED if "extern" in source else 0
        self._rounds = _ROUNDED.search(source) is not None

    def run(self, seed: int, trials: _Trials) -> None:
        """Run it; keep it if it has no fault and changes memory."""
        given = Arguments(self._sizes, seed)
        names = name_parameters(self._kernel)
        for name, kind in zip(names, self._kinds, strict=True):
            given.add(name, kind)
        memory = [each.fill() for each in given.buffers]
        before = [each.copy() for each in memory]
        self._symbols.reset()
        started = [data.copy() for data in self._symbols.arrays]
        done = self._launch(given, names, memory)
        kinds = {finding.kind for finding in done.findings} - _NO_FAULTS
        if "budget" in kinds:
            trials.budget = self._sizes.total
            return
        if kinds or not done.finished:
            blamed = tuple(sorted(kinds)) or ("raised",)
            if trials.blamed is None or len(blamed) < len(trials.blamed):
                trials.blamed = blamed
            return
        outputs = {
            at: data for at, data in enumerate(memory) if not np.array_equal(data, before[at])
        }
        changed = bool(outputs)
        for at, (data, start) in enumerate(zip(self._symbols.arrays, started, strict=True)):
            outputs[len(memory) + at] = data.reshape(-1).view(np.uint8).copy()
            changed |= data.tobytes() != start.tobytes()
        if not changed:
            trials.idle = True
            return
        kept = self._record(given, before, outputs)
        if self._rounds:
            moved = [
                _move_up(buffer, data) for buffer, data in zip(given.buffers, before, strict=True)
            ]
            self._symbols.reset()
            self._launch(given, names, moved)
            left = [*moved, *(each.reshape(-1).view(np.uint8) for each in self._symbols.arrays)]
            kept = replace(kept, unstable=compare(kept, left)[0] == "wrong")
        trials.kept.append((self._sizes, kept))

    def _launch(self, given: Arguments, names: Sequence[str], memory: Sequence[Bytes]) -> Launched:
        return launch(
            self._ready, self._grid, self._block, self._decode(given, names, memory),
            shared_bytes=self._shared, budget=_BUDGET, seconds=_SECONDS, heap=self._heap,
        )  # fmt: skip

    def _decode(self, given: Arguments, names: Sequence[str], memory: Sequence[Bytes]) -> list[Any]:
        """Return what the kernel's parameters get; make the heap that they point into."""
        self._heap = Heap()
        starts = [_START + ((_FIRST + at) << _APART) for at in range(len(memory))]
        for start, data in zip(starts, memory, strict=True):
            self._heap.add(HeapBlock(start, data))
        passed = [bytearray(each) for each in given.parameters]
        for parameter, offset, buffer in given.pointers:
            passed[parameter][offset : offset + 8] = starts[buffer].to_bytes(8, "little")
        parameters = KernelParameters(describe_kernel(self._kernel), names, self._kinds)
        return decode_arguments(parameters, [bytes(data) for data in passed], self._heap)

    def _record(
        self, given: Arguments, before: Sequence[Bytes], outputs: Mapping[int, Bytes]
    ) -> Launch:
        return Launch(
            self._grid, self._block, self._shared,
            tuple(each.hex() for each in given.parameters), tuple(given.pointers),
            (*given.buffers, *self._symbols.buffers), digest(before),
            picks=_uses_atomics(self._ready.compiled.lowered), outputs=dict(outputs),
        )  # fmt: skip


def _move_up(buffer: Buffer, data: Bytes) -> Bytes:
    """Return memory whose floats are the next larger ones."""
    moved = data.copy().reshape(buffer.count, buffer.size)
    for each in buffer.fields:
        values = buffer.view(data, each)
        if values.dtype.kind == "f":
            place = slice(each.offset, each.offset + each.count * values.itemsize)
            larger = np.nextafter(values, np.asarray(np.inf, values.dtype))
            moved[:, place] = np.ascontiguousarray(larger).view(np.uint8)
    return moved.reshape(-1)


def _uses_atomics(function: nodes.Function) -> bool:
    """Return True if a function, or one that it calls, uses what an atomic returns."""
    for node in walk_block(function.body):
        match node:
            case nodes.Perform(run=partial(args=(Atomic(used=True), *_))):
                return True
            case nodes.Call(function=called, itself=None):
                if _uses_atomics(called):
                    return True
    return False
