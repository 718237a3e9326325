"""Kernels as compiled, in a session: of a `.ptx` file, or of a source that only a compiler reads.

NVRTC runs in a process of its own, which `grader.gpu.ptx_compiler` is; nothing is imported of it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, fact, quote
from grader.scripts import EMULATED, Reads
from grader.simt.cuda import declared, syntax
from grader.simt.cuda.declared import qualified_name
from grader.simt.cuda.lowering.kernel import CudaSource, type_parameters
from grader.simt.cuda.lowering.model.types import Arithmetic, ArrayOf, CType, PointerTo, StructType
from grader.simt.cuda.places import IllFormed
from grader.simt.errors import InvalidLaunch, Refused
from grader.simt.host.files.fitting import fit_argument, wrong_count
from grader.simt.host.files.written_arguments import WrittenTensor
from grader.simt.intrinsics.functions.bfloat16 import to_bits
from grader.simt.machine.conversion import uniform
from grader.simt.memory.allocations import Heap, HeapPointer
from grader.simt.program.kernel import CompiledKernel
from grader.simt.program.types import INT64
from grader.simt.ptx import syntax as ptx_syntax
from grader.simt.ptx.instructions.tensors import MAP_BYTES, MOST_RANK, TensorMap, encode
from grader.simt.ptx.kernel import ParameterField, find_kernel, is_read, list_fields, lower_ptx
from grader.simt.ptx.operands import begin_variable, full_name
from grader.simt.ptx.reading import read_ptx

_SECONDS = 300
"""For one kernel: it may take a minute of CPU time, which on a busy machine is more."""
_MOST_PTX = 64 << 20
CAPABILITY = "9.0"
_ARCHITECTURE = "9.0a"
"""What a source is compiled for: with what compute capability 9.0 has and later ones lack."""
_MOST_LOG = 3
"""Lines of a compiler's log that a person is shown."""
_ROOT = Path(__file__).resolve().parents[4]


class PtxKernel:
    """A kernel of a PTX text.

    Attributes:
        fields: what it is launched with.
        compiler: what compiled it; "PTX" for a text that a person has.
        types: of its parameters, where the source is known.
    """

    def __init__(
        self,
        module: ptx_syntax.Module,
        kernel: ptx_syntax.Function,
        parameters: Sequence[str],
        *,
        compiler: str = "PTX",
        place: LineInSource | None = None,
        types: tuple[CType, ...] | None = None,
        reads_all: bool = True,
        recipe: Any = None,
        replicated: bool = False,
    ) -> None:
        self._module = module
        self._kernel = kernel
        self._place = place
        self._recipe = recipe
        self._ready: CompiledKernel | None = None
        self.compiler = compiler
        self._replicated = replicated
        self.types = types
        fields = list_fields(kernel, parameters)
        if not reads_all:
            fields = tuple(each for each in fields if is_read(kernel, each.parameter))
        self.fields = fields if types is None else _typed(fields, parameters, types)
        self.parameters = tuple(parameters) or tuple(self.arguments)

    @property
    def arguments(self) -> dict[str, list[ParameterField]]:
        """What it is launched with where its types are not known: the fields of each, by name."""
        found = dict[str, list[ParameterField]]()
        for each in self.fields:
            found.setdefault(each.name.partition("@")[0], []).append(each)
        return found

    @property
    def signature(self) -> str:
        """What it takes: `name(.u64 in, .u32 n)`."""
        given = zip(self._kernel.parameters, self.parameters, strict=False)
        return f"{self.name}({', '.join(f'.{kind.type} {name}' for kind, name in given)})"

    @property
    def name(self) -> str:
        """The kernel, as the source has it."""
        return self.compiled.function.name if self._place is None else self._place.name

    @property
    def compiled(self) -> CompiledKernel:
        """The kernel, ready to be launched.

        Raises:
            Refused: it uses what is not emulated.
        """
        if self._ready is None:  # not cached by `functools`: a script's traceback would show that
            self._ready = self._lower()
        return self._ready

    def _lower(self) -> CompiledKernel:
        place = self._place
        if place is None:
            return lower_ptx(
                self._module, self._kernel, self.fields, compiler=self.compiler,
                replicated=self._replicated,
            )  # fmt: skip
        return lower_ptx(
            self._module, self._kernel, self.fields, name=place.name, qualified=place.qualified,
            start=place.start, path=place.path, sources=place.sources, symbols=place.symbols,
            compiler=self.compiler, recipe=self._recipe, replicated=self._replicated,
        )  # fmt: skip

    def fit(self, values: Sequence[Any]) -> list[Any]:
        """Return what it gets for the arguments of a launch.

        Args:
            values: one for each parameter; where their types are not known, one for each field.

        Raises:
            InvalidLaunch: they do not fit.
        """
        if self.types is not None:
            return self._fit_typed(values, self.types)
        groups = self.arguments
        if len(values) != len(groups):
            raise wrong_count(self.signature, len(groups), len(values))
        return [
            part
            for fields, value in zip(groups.values(), values, strict=True)
            for part in _fit_all(fields, value)
        ]

    def _fit_typed(self, values: Sequence[Any], types: Sequence[CType]) -> list[Any]:
        if len(values) != len(types):
            raise wrong_count(self.signature, len(types), len(values))
        triples = zip(self.parameters, types, values, strict=True)
        return self.place([part for each in triples for part in fit_argument(*each)], types)

    def place(self, parts: Iterable[Any], types: Sequence[CType]) -> list[Any]:
        """Return what it gets for the numbers and pointers of its arguments, in their order."""
        left, found = iter(parts), []
        laid = [_lay_out(kind, left) for kind in types]
        for each in self.fields:
            arrays, data = laid[each.parameter]
            own = data[each.offset : each.offset + each.dtype.itemsize]
            found.append(arrays.get(each.offset, np.frombuffer(bytes(own), each.dtype)[0]))
        return found

    def decode(self, arguments: Sequence[bytes], heap: Heap) -> list[Any]:
        """Return what it gets for the bytes that a program passes.

        Raises:
            InvalidLaunch: it takes another number of arguments, or of other sizes.
        """
        sizes = [each.size for each in self._kernel.parameters]
        if [len(each) for each in arguments] != sizes:
            raise wrong_count(self.signature, len(sizes), len(arguments))
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


class LineInSource(NamedTuple):
    """Where a compiled kernel is in its source."""

    name: str
    path: str
    start: tuple[int, int]
    sources: Mapping[str, tuple[str, ...]]
    symbols: Mapping[str, NDArray[Any]]
    qualified: str = ""


def _typed(
    fields: Sequence[ParameterField], names: Sequence[str], types: Sequence[CType]
) -> tuple[ParameterField, ...]:
    """Return fields as the source has them: `p.n` and its type for what is 8 bytes into `p`."""
    found = []
    for each in fields:
        name, dtype = each.name, each.dtype
        if each.parameter < len(types):
            numbers = _numbers(names[each.parameter], types[each.parameter], 0)
            at = next((number for number in numbers if number[0] == each.offset), None)
            if at is not None and at[2].size == dtype.itemsize:
                _, name, kind = at
                dtype = kind.stored if isinstance(kind, Arithmetic) else dtype
        found.append(replace(each, name=name, dtype=dtype))
    return tuple(found)


def _lay_out(kind: CType, parts: Iterator[Any]) -> tuple[Mapping[int, Any], bytearray]:
    """Take the parts of an argument; return its arrays by their offset, and its bytes."""
    arrays, data = dict[int, Any](), bytearray(kind.size)
    for offset, _, each in _numbers("", kind, 0):
        part = next(parts)
        if isinstance(each, PointerTo) and not isinstance(part, np.generic):
            arrays[offset] = part
            continue
        part = np.asarray(part)
        bits = to_bits(part) if part.dtype.itemsize != each.size else part
        data[offset : offset + each.size] = bits.tobytes()
    return arrays, data


def _numbers(name: str, kind: CType, offset: int) -> Iterator[tuple[int, str, CType]]:
    """Yield numbers and pointers of a type, as `fit_argument` orders them: offset, name, type."""
    match kind:
        case StructType():
            for each in kind.members:
                yield from _numbers(f"{name}.{each.name}", each.type, offset + each.offset)
        case ArrayOf(element, length):
            for at in range(length or 0):
                yield from _numbers(f"{name}[{at}]", element, offset + at * element.size)
        case _:
            yield offset, name, kind


def _fit_all(fields: Sequence[ParameterField], value: Any) -> Iterator[Any]:
    """Yield what the parts of a parameter get: one, or those of a tensor's map."""
    if not fields[0].whole:
        yield _fit(fields[0], value)
        return
    name = fields[0].name.partition("@")[0]
    if not isinstance(value, WrittenTensor) or len(fields) * INT64.itemsize != MAP_BYTES:
        raise InvalidLaunch(fact("cpp.written-tensor", name=name, text=str(value)))
    made = _map_of(name, value)
    yield value.array  # its address is what a map begins with
    yield from np.frombuffer(encode(made), np.int64)[1:]


def _map_of(name: str, given: WrittenTensor) -> TensorMap:
    """Return the map of a tensor, whose axes are in the order of memory; its address is missing.

    Raises:
        InvalidLaunch: there is no such map.
    """
    array, swizzles = given.array, (0, 32, 64, 128)
    sizes, box, steps = (tuple(reversed(each)) for each in (array.shape, given.box, given.steps))
    strides, item = array.strides[-2::-1], array.itemsize
    row = box[0] * item
    right = (
        str(array.dtype) in _TENSOR_TYPES and given.swizzle in swizzles
        and given.fill in ("zeros", "nan") and len(sizes) <= MOST_RANK
        and row % 16 == 0 and not any(each % 16 for each in strides)
        and (not given.swizzle or row <= given.swizzle)
        and all(1 <= each <= 256 for each in box) and all(1 <= each <= 8 for each in steps)
    )  # fmt: skip
    if not right:
        raise InvalidLaunch(fact("cpp.tensor-map", name=name))
    kind = _TENSOR_TYPES[str(array.dtype)]
    swizzle = swizzles.index(given.swizzle)
    return TensorMap(0, kind, swizzle, given.fill == "nan", sizes, strides, box, steps)


_TENSOR_TYPES = {
    "uint8": 0, "uint16": 1, "uint32": 2, "int32": 3, "uint64": 4, "int64": 5, "float16": 6,
    "float32": 7, "float64": 8,
}  # fmt: skip
"""Numbers of `CUtensorMapDataType`."""


def _fit(field: ParameterField, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        if field.dtype != INT64:
            raise InvalidLaunch(
                fact("cpp.argument-no-number", name=field.name, type=field.dtype.name)
            )
        return value
    if value is None:
        return np.int64(0)
    _check_number(field, value)
    if field.dtype.kind in "iu" and isinstance(value, float) and not field.is_integer:
        narrow = np.dtype(f"f{max(2, field.dtype.itemsize)}").type(value)
        return np.array([narrow]).view(field.dtype)[0]  # the bits are a float's
    return uniform(value, field.dtype)[0, 0]


def _check_number(field: ParameterField, value: int | float) -> None:
    """Require a number that a parameter can hold, as a signed or an unsigned one.

    Raises:
        InvalidLaunch: it cannot.
    """
    if field.dtype.kind not in "iu":
        return
    named = {"name": field.name, "type": field.dtype.name, "value": str(value)}
    if isinstance(value, float) and field.is_integer and not value.is_integer():
        raise InvalidLaunch(fact("cpp.argument-fraction", **named))
    bits, whole = 8 * field.dtype.itemsize, isinstance(value, int) or field.is_integer
    if whole and not -(1 << bits - 1) <= value < 1 << bits:
        raise InvalidLaunch(fact("cpp.argument-range", **named))


_MACHINE_CODE = (b"\x7fELF", b"P\xedU\xba")
"""How a cubin begins, and a fatbin."""


def open_ptx(file: Path, name: str) -> PtxKernel:
    """Read a kernel of a PTX file. `name`: of the kernel; "" for the only one.

    Raises:
        Refused: it is not PTX.
        InvalidLaunch: there is no such kernel.
        OSError: it cannot be read.
    """
    data = file.read_bytes()
    if data.startswith(_MACHINE_CODE):
        raise Refused(fact("ptx.machine-code"), 1, 1, file=str(file.absolute()))
    module = read_ptx(data.decode("utf-8", "replace"), str(file.absolute()))
    if not name and len(module.kernels) > 1:
        raise InvalidLaunch(
            fact("cpp.several-kernels"),
            fact("cpp.name-kernel", signatures="; ".join(module.kernels)),
        )
    return PtxKernel(module, find_kernel(module, name or (*module.kernels, "")[0]), ())


class AskedKernel(NamedTuple):
    """A kernel of a source that is to be compiled.

    Attributes:
        text: its name with the arguments of its template, as it is asked for.
        arguments: of its template; none where the front end does not know their types.
        given: types of the launch's arguments, from which further ones follow.
        folders: where included files are looked for.
    """

    source: CudaSource
    declared: declared.Function
    text: str
    arguments: Sequence[syntax.TemplateArgument] = ()
    given: Sequence[CType] = ()
    folders: Sequence[str] = ()

    def resolve(self) -> tuple[str, tuple[CType, ...] | None]:
        """Return its name with the arguments of its template, and the types of its parameters.

        They are None where only a compiler knows them.

        Raises:
            InvalidLaunch: its template takes other arguments.
        """
        declared = self.declared
        unknown = declared.refusal is not None and not declared.parameters
        kinds = [each.type for each in declared.parameters]
        unread = bool(self._written) and not self.arguments
        if unknown or unread or any(isinstance(kind, syntax.ReferenceType) for kind in kinds):
            return declared.name + self._written, None
        try:
            return type_parameters(
                self.source, declared.name, self.arguments, self.given, line=declared.place.line
            )
        except Refused:
            return declared.name + self._written, None

    @property
    def _written(self) -> str:
        """The arguments of its template, as they are asked for."""
        _, sign, rest = self.text.partition("<")
        return sign + rest

    def entry(self, resolved: str) -> str:
        """Return what C++ calls it. `resolved`: its name with the arguments of its template."""
        written = self._written
        if len(self.arguments) < len(self.declared.template or ()):
            written = resolved[len(self.declared.name) :]
        return qualified_name(self.declared) + written


_NOR_AS_COMPILED = frozenset({"cpp.no-launches", "cpp.no-new", "cpp.no-texture-references"})
"""Refusals that a compiler does not help with."""


def compile_source(
    asked: AskedKernel, refusal: Refused | None = None, reads: Reads = "either"
) -> PtxKernel:
    """Compile a kernel that the source front end refuses, or that is wanted as compiled.

    Args:
        refusal: why the front end refuses it: what is raised where there is no compiler.

    Raises:
        Refused: there is no compiler, or what it makes is not emulated.
        InvalidLaunch: there is no compiler, and the front end was not asked.
    """
    source, declared = asked.source, asked.declared
    if refusal is not None and refusal.what.code in _NOR_AS_COMPILED:
        raise refusal
    if refusal is not None and reads == "source":
        raise _advised(refusal, fact("ptx.source-only")) from None
    name, types = asked.resolve()
    entry = asked.entry(name)
    reply = ask_compiler(
        "grader.gpu.ptx_compiler",
        {
            "source": source.parsed.device_text(declared, entry=entry), "name": "<kernel>",
            "entry": entry, "capability": _ARCHITECTURE, "folders": list(asked.folders),
        },
    )  # fmt: skip
    if reply.get("missing"):
        if refusal is None:
            raise InvalidLaunch(fact("ptx.missing"))
        if _is_mistake(refusal):
            raise refusal
        raise _advised(refusal, fact("ptx.no-compiler")) from None
    start = declared.place.line, declared.place.column
    path = declared.place.path
    if "refused" in reply:
        log = shorten(reply["refused"])
        if refusal is None:
            raise Refused(fact("ptx.not-compiled", log=log), *start, file=path)
        raise _advised(refusal, fact("ptx.compiler-refuses", log=log)) from None
    module = read_ptx(reply["ptx"])
    sources = {"" if name == path else name: lines for name, lines in source.files.items()}
    _keep_variables(module, source)
    full = qualified_name(declared)
    place = LineInSource(name, path, start, sources, source.symbols, full)
    names = [each.name or f"param_{at}" for at, each in enumerate(declared.parameters)]
    kernel = module.functions[reply["entry"]]
    compiler = f"NVRTC {reply['version']}"
    return PtxKernel(module, kernel, names, compiler=compiler, place=place, types=types)


def _is_mistake(refusal: Refused) -> bool:
    """Return True if a compiler would refuse this, too; a name may be one of its own."""
    name = str(refusal.what.fields.get("name", ""))
    return isinstance(refusal, IllFormed) and "::" not in name and not name.startswith("__")


def shorten(log: str) -> Fact:
    """Return the first lines of what a compiler says, in one."""
    lines = [line for line in log.splitlines() if line.strip()]
    return quote(" ".join(" ".join(lines[:_MOST_LOG]).split()))


def _advised(refusal: Refused, instead: Fact) -> Refused:
    return Refused(refusal.what, refusal.line, refusal.column, instead, refusal.file)


def _keep_variables(module: ptx_syntax.Module, source: CudaSource) -> None:
    """Keep the variables of device memory with the source: all its kernels share them."""
    declared = {
        qualified_name(each)
        for each in source.tree.variables
        if each.specifiers & {"__device__", "__constant__", "__managed__"}
    }
    for each in module.variables.values():
        name = full_name(each.name)
        if name in declared and name not in source.symbols:
            source.symbols[name] = begin_variable(module, each)


def ask_compiler(module: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """Compile in a process that ends with it, and that a module is."""
    # A process of ours, not one that the script starts: it is not emulated.
    environment = {name: value for name, value in os.environ.items() if name != EMULATED}
    try:
        done = subprocess.run(
            [sys.executable, "-m", module],
            input=json.dumps(request).encode(),
            capture_output=True,
            timeout=_SECONDS,
            cwd=_ROOT,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"refused": f"no answer within {_SECONDS} s"}
    if done.returncode or len(done.stdout) > _MOST_PTX:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return {"refused": last[-1] if last else f"status {done.returncode}"}
    reply: dict[str, Any] = json.loads(done.stdout)
    return reply
