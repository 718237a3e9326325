"""Operands of instructions: registers, numbers, special registers and symbols, as expressions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import repeat
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.checks.counters import Site
from grader.simt.errors import Refused
from grader.simt.intrinsics import clusters, grid, parameters
from grader.simt.machine.chunk import Chunk
from grader.simt.machine.conversion import uniform
from grader.simt.program import nodes
from grader.simt.program.kernel import Program
from grader.simt.program.memory import DeclaredArray
from grader.simt.program.nodes import (
    AddressOf,
    Convert,
    Do,
    Expression,
    Keep,
    Operation,
    Perform,
    Position,
    Read,
    Set,
)
from grader.simt.program.types import (
    BOOL,
    INT32,
    INT64,
    UINT8,
    UINT32,
    Array,
    Pointer,
    Scalar,
    Space,
    Tuple,
    Type,
    VectorType,
)
from grader.simt.ptx import syntax
from grader.simt.ptx.reading import SIZES
from grader.simt.ptx.refusing import say_refused
from grader.simt.ptx.syntax import Address, registers_of
from grader.simt.ptx.values import (
    DTYPES,
    Vector,
    apply,
    as_pointer,
    held_as,
    moved,
    to_int64,
    viewed,
    widen,
)
from grader.simt.ptx.windows import Windows

_NUMBER = re.compile(r"-?(0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}|0[xX][0-9a-fA-F]+U?|[0-9].*)$")
_SYMBOL = re.compile(r"([A-Za-z_$%][\w$]*)(?:\+(-?[0-9]+))?$")
_LANES = 32
_LEAST_ALIGN, _MOST_ALIGN = 16, 1024
"""Of a shared array; beyond the second, no swizzle looks at an address."""
_FIRST_FUNCTION, _FUNCTION_BYTES = 1 << 41, 128
OWN_SOURCE = "<kernel>"
"""What the kernel's own file is called in what is compiled here."""


def _mask_of(compare: Callable[[Any, Any], Any]) -> Callable[[Chunk], Vector]:
    """Return what makes the mask of the lanes whose numbers compare with each lane's own."""
    lanes = np.arange(_LANES)
    table = np.array(
        [sum(1 << int(other) for other in lanes if compare(other, own)) for own in lanes],
        dtype=np.uint32,
    ).view(np.int32)
    return lambda chunk: table[chunk.lane]


def _warp(chunk: Chunk) -> Vector:
    return np.arange(chunk.threads, dtype=np.int32)[None, :] // _LANES


def _read_clock(chunk: Chunk) -> Vector:
    return uniform(chunk.launch.meter.spent, INT64)


def _constant(get: Callable[[Chunk], int]) -> Callable[[Chunk], Vector]:
    return lambda chunk: uniform(get(chunk), INT32)


def _cluster_size(axis: int, chunk: Chunk) -> Vector:
    return uniform(chunk.geometry.cluster[axis], INT32)


def _cluster_count(axis: int, chunk: Chunk) -> Vector:
    return uniform(chunk.geometry.grid[axis] // chunk.geometry.cluster[axis], INT32)


_SPECIAL: dict[str, Callable[[Chunk], Vector]] = {
    **{
        f"%{name}.{axis}": partial(get, at)
        for name, get in (
            ("tid", grid.thread_index), ("ctaid", grid.block_index),
            ("ntid", grid.block_size), ("nctaid", grid.grid_size),
        )
        for at, axis in enumerate("xyz")
    },
    "%laneid": grid.lane,
    "%warpid": _warp,
    "%nwarpid": _constant(lambda chunk: chunk.threads // _LANES),
    "%lanemask_eq": _mask_of(lambda other, own: other == own),
    "%lanemask_lt": _mask_of(lambda other, own: other < own),
    "%lanemask_le": _mask_of(lambda other, own: other <= own),
    "%lanemask_gt": _mask_of(lambda other, own: other > own),
    "%lanemask_ge": _mask_of(lambda other, own: other >= own),
    "%dynamic_smem_size": _constant(lambda chunk: chunk.launch.dynamic_bytes),
    "%total_smem_size": _constant(
        lambda chunk: chunk.launch.dynamic_bytes + chunk.launch.static_bytes
    ),
    "%gridid": _constant(lambda chunk: chunk.launch.serial),
    "%smid": _constant(lambda _chunk: 0),
    "%nsmid": _constant(lambda _chunk: 132),
    "%clock": _constant(lambda chunk: chunk.launch.meter.spent),
    **{
        f"%{name}.{axis}": partial(get, at)
        for name, get in (
            ("cluster_ctaid", clusters.place_in_cluster), ("cluster_nctaid", _cluster_size),
            ("clusterid", clusters.cluster_index), ("nclusterid", _cluster_count),
        )
        for at, axis in enumerate("xyz")
    },
    "%cluster_ctarank": clusters.own_rank,
    "%cluster_nctarank": _constant(lambda chunk: chunk.cluster),
    "%is_explicit_cluster": _constant(lambda chunk: int(chunk.cluster > 1)),
    "WARP_SZ": _constant(lambda _chunk: _LANES),
}  # fmt: skip
"""Special registers of 32 bits, int32. A clock counts the operations that the launch was charged:
it goes on, alike in each run, and says nothing of a GPU's time."""
_WIDE_SPECIAL = ("%clock64", "%globaltimer")
"""Those of 64 bits: clocks."""
_OF_GRID = {"%envreg1": 32, "%envreg2": 0}
"""Registers with the halves of an address that a cooperative launch gives, by their first bits."""
_GRID_BARRIER = syntax.Variable("%grid barrier", "global", "b32", 2, 8)
"""What is there: cooperative groups count arrivals at `grid.sync()` in the second word."""


def _half_of(shift: int, address: Vector, cooperative: Vector) -> Vector:
    half: Vector = np.where(cooperative, address >> shift, 0).astype(INT32)
    return half


@dataclass
class Lowering:
    """What is known while a function is lowered.

    Attributes:
        functions: what lowers a function that is called, by its name.
        given: the kernel's parameters: the expression of what is at an offset of each.
        by_source: True if places are those of the source that the PTX was compiled from.
        pointers: registers that hold a pointer.
        data: of variables in global and constant memory, by name.
        pointed: what is in the kernel's parameters whose address is taken, by their names.
        accumulators: registers that hold what `wgmma` may still have under way.
    """

    module: syntax.Module
    function: syntax.Function
    program: Program
    functions: Callable[[str, syntax.Instruction, Site], Any]
    given: Mapping[tuple[str, int], Expression]
    by_source: bool
    path: str = ""
    defined: Mapping[str, syntax.Instruction] = field(default_factory=dict)
    pointers: frozenset[str] = frozenset()
    data: dict[str, DeclaredArray] = field(default_factory=dict)
    pointed: Mapping[str, tuple[Expression, ...]] = field(default_factory=dict)
    accumulators: frozenset[str] = frozenset()
    _elements: dict[str, Scalar] = field(default_factory=dict)

    def is_read(self, register: str) -> bool:
        """Return False for `_`, and for a register that stands at one place alone."""
        return register != "_" and self._mentioned[register] > 1

    @cached_property
    def _mentioned(self) -> Counter[str]:
        """At how many places each register stands."""
        found: Counter[str] = Counter()
        for each in self.function.instructions:
            found[each.guard] += 1
            for operand in each.operands:
                if isinstance(operand, Address):
                    found.update((operand.base, *operand.place))
                else:
                    parts = registers_of(operand)
                    found.update(name for part in parts for name in part.split("|"))
        return found

    # Places and refusals

    def site(self, instruction: syntax.Instruction) -> Site:
        """Return where an instruction is counted."""
        if not self.by_source:
            return self.program.sites.at(instruction.line, 1)
        if not instruction.source:
            return self.program.sites.at(1, 1)
        known = self.program.sources
        places = [(self._file(each.file), each) for each in instruction.source]
        # The line of a library that was inlined says less than the person's that called it.
        file, place = next((each for each in places if each[0] in known), places[-1])
        return self.program.sites.at(place.line, max(1, place.column), file)

    def caller(self, instruction: syntax.Instruction) -> Site | None:
        """Return where the function was called that an instruction was inlined from, outermost."""
        if not self.by_source or len(instruction.source) < 2:
            return None
        place = instruction.source[-1]
        return self.program.sites.at(place.line, max(1, place.column), self._file(place.file))

    def _file(self, number: int) -> str:
        path = self.module.files.get(number, "")
        return "" if path in (OWN_SOURCE, self.path) or path.endswith(f"/{OWN_SOURCE}") else path

    def refuse(self, instruction: syntax.Instruction, why: str = "") -> Refused:
        """Return the refusal of an instruction that is not emulated."""
        site, what = self.site(instruction), say_refused(instruction, why)
        return Refused(what, site.line, site.column, file=site.file)

    # Reading

    def read(self, operand: object, kind: str, instruction: syntax.Instruction) -> Expression:
        """Return an operand as a value of a type.

        Raises:
            Refused: it is none.
        """
        dtype = DTYPES.get(kind)
        if dtype is None or not isinstance(operand, str):
            raise self.refuse(instruction)
        if operand.startswith("!"):
            return apply(BOOL, "not", np.logical_not, self.read(operand[1:], kind, instruction))
        if operand in self.function.registers:
            return viewed(self.register(operand), dtype)
        if _NUMBER.match(operand):
            return _number(operand, dtype)
        special = self._special(operand, instruction)
        if special is not None:
            return viewed(special, dtype)
        function = find_address(self.module, operand)
        if function is not None:
            return viewed(nodes.Number(INT64, function), dtype)
        address = self.symbol(operand, instruction)
        if operand in self.pointed:
            run = partial(parameters.place, operand)
            address = perform(self, instruction, INT64, "parameter", run, *self.pointed[operand])
        if address is None:
            raise self.refuse(instruction, operand)
        return viewed(address, dtype)

    def _special(self, operand: str, instruction: syntax.Instruction) -> Expression | None:
        """Return what is in a special register; None if it is none."""
        if operand in _SPECIAL:
            return Position(INT32, operand, _SPECIAL[operand])
        if operand in _WIDE_SPECIAL:
            return Position(INT64, operand, _read_clock)
        if operand not in _OF_GRID:
            return None
        self.program.grid_sync = self.program.grid_sync or self.site(instruction)
        barrier = AddressOf(INT64, self._declare(_GRID_BARRIER))
        cooperative = Position(INT32, "cooperative", grid.is_cooperative)
        return apply(INT32, "half", partial(_half_of, _OF_GRID[operand]), barrier, cooperative)

    def register(self, name: str) -> Expression:
        """Return what a register holds."""
        return Read(held_as(self.function.registers[name]), self.variable(name))

    def variable(self, register: str) -> str:
        """Return the program's variable that a register is."""
        return variable(register)

    def symbol(self, text: str, instruction: syntax.Instruction) -> Expression | None:
        """Return the address of a variable, as `mov` gives it; None if there is none."""
        found = _SYMBOL.match(text)
        if found is None:
            return None
        name, offset = found[1], int(found[2] or 0)
        array = self._array(name)
        if array is None:
            return None
        memory, space = array
        pointer: Expression = AddressOf(INT64, memory)
        if offset:
            pointer = moved(pointer, nodes.Number(INT64, offset))
        return self.to_window(pointer, space, instruction)

    def _array(self, name: str) -> tuple[nodes.Memory, str] | None:
        own = next((each for each in self.function.variables if each.name == name), None)
        variable = own or self.module.variables.get(name)
        if variable is None:
            return None
        return self._declare(variable), variable.space

    def _declare(self, variable: syntax.Variable) -> nodes.Memory:
        size = variable.count * SIZES[variable.type]
        align = max(variable.align, _LEAST_ALIGN)
        # What a kernel aligns itself, it aligns by pointers to an array: all begin as the widest.
        padded = _MOST_ALIGN if self.windows.has_layout and not 0 < size < _MOST_ALIGN else align
        if variable.space == "shared" and not variable.count:
            self.program.dynamic_align = max(self.program.dynamic_align, align, padded)
            return nodes.Memory(Array(self.elements("shared"), 1, "shared"), None)
        label = source_name(variable.name)
        if variable.space in ("shared", "local"):
            space: Space = "shared" if variable.space == "shared" else "local"
            dtype = self.elements(space)
            dtype = UINT8 if size % dtype.itemsize else dtype
            shape = (size // dtype.itemsize,)
            declared = self.program.declare(
                variable, label, dtype, shape, space, align=align, padded=padded
            )
            return nodes.Memory(Array(dtype, 1, space), declared)
        known = self.data.get(variable.name)
        if known is None:
            data = begin_variable(self.module, variable)
            known = DeclaredArray(label, UINT8, (size,), 0, data)
            self.data[variable.name] = known
        whole: Space = "constant" if variable.space == "const" else "global"
        return nodes.Memory(Array(UINT8, 1, whole), known)

    def elements(self, space: str) -> Scalar:
        """Return the dtype of the elements of arrays in a space: that of most accesses to it."""
        if space not in self._elements:
            self._elements[space] = _elements(self.module, space)
        return self._elements[space]

    # Writing

    def write(self, target: str, value: Expression, instruction: syntax.Instruction) -> Operation:
        """Return what sets a register; `_` stands for none."""
        if target == "_":
            return Do(value)
        kind = self.function.registers.get(target)
        if kind is None:
            raise self.refuse(instruction, target)
        held = held_as(kind)
        if isinstance(value.type, Pointer):
            value = Convert(INT64, value)
        given = value.type
        assert isinstance(given, np.dtype)  # instructions give numbers
        if given.kind in "iu" and held.kind in "iu" and given.itemsize < held.itemsize:
            return Set(
                self.variable(target), apply(held, "widen", partial(widen, dtype=held), value)
            )
        return Set(self.variable(target), viewed(value, held))

    def keep(
        self, value: Expression, instruction: syntax.Instruction
    ) -> tuple[Operation, Expression]:
        """Return what computes a value once, and what reads it from then on."""
        name = f"%kept{instruction.line}"
        return Do(Keep(value.type, name, value)), Read(value.type, name)

    def spread(
        self, value: Expression, registers: Sequence[str], instruction: syntax.Instruction
    ) -> list[Operation]:
        """Return what sets registers to the parts of a value, one each."""
        assert isinstance(value.type, Tuple | VectorType)
        kept, known = self.keep(value, instruction)
        items = value.type.items
        parts = [nodes.Part(items[at], known, at) for at in range(len(registers))]
        return [kept, *map(self.write, registers, parts, repeat(instruction))]

    # Addresses

    @property
    def names_blocks(self) -> bool:
        """True if addresses in shared memory may name the rank of a block."""
        return any(each.opcode == "mapa" for each in self.module.instructions())

    @cached_property
    def windows(self) -> Windows:
        """What addresses of 32 bits are in this function."""
        return Windows(self.module, self.function, self.names_blocks)

    @cached_property
    def meets_cluster(self) -> bool:
        """True if there is a barrier of the cluster."""
        return any(
            each.opcode == "barrier" and "cluster" in each.modifiers
            for each in self.module.instructions()
        )

    def to_window(
        self, pointer: Expression, space: str, instruction: syntax.Instruction
    ) -> Expression:
        """Return the address in a space that a generic one stands for."""
        return self.windows.enter(pointer, space, self.site(instruction))

    def from_window(
        self, address: Expression, space: str, instruction: syntax.Instruction
    ) -> Expression:
        """Return the generic address of one in a space."""
        return self.windows.leave(address, space, self.site(instruction))

    def pointer(self, address: Address, space: str, instruction: syntax.Instruction) -> Expression:
        """Return the generic pointer of an address in a space; "" stands for the generic one."""
        base, registers = address.base, self.function.registers
        if base in registers:
            wide = SIZES[registers[base]] == 8
            pointer = viewed(self.register(base), INT64 if wide else UINT32)
            if not wide:
                pointer = apply(INT64, "widen", to_int64, pointer)
        elif _NUMBER.match(base):
            pointer = _number(base, INT64)
        else:
            symbol = self.symbol(base, instruction)
            if symbol is None:
                raise self.refuse(instruction, base)
            pointer = symbol
        pointer = self.from_window(pointer, space, instruction)
        if address.offset:
            return moved(pointer, nodes.Number(INT64, address.offset))
        return as_pointer(pointer)


def perform(
    lowering: Lowering, instruction: syntax.Instruction, kind: Type, name: str,
    run: Callable[..., Any], *given: Expression,
) -> Expression:  # fmt: skip
    """Return what runs a function of the machine on the values of some operands."""
    site, caller = lowering.site(instruction), lowering.caller(instruction)
    return Perform(kind, name, run, given, site, caller=caller)


def _elements(module: syntax.Module, space: str) -> Scalar:
    kinds = Counter(
        each.modifiers[-1]
        for function in module.functions.values()
        for each in function.instructions
        if each.opcode in ("ld", "st")
        if space in each.modifiers
        if each.modifiers[-1] in DTYPES
    )
    if not kinds:
        return UINT8
    dtype = DTYPES[kinds.most_common(1)[0][0]]
    return dtype if dtype.kind == "f" else np.dtype(f"i{dtype.itemsize}")


def variable(register: str) -> str:
    """Return the name of a register's variable; one that begins with % would be a temporary."""
    return register.replace("%", "$")


def slot(parameter: str, offset: int) -> str:
    """Return the variable for what is at an offset of a parameter of a call."""
    return f"${parameter}+{offset}"


def slot_dtype(size: int) -> Scalar:
    """Return what such a variable is held as, by its bytes."""
    return np.dtype(f"i{size}")


def source_name(mangled: str) -> str:
    """Return a name as the source has it: `tile` of `_ZZ1kE4tile`."""
    found = re.match(r"_ZZ.*E([0-9]+)", mangled)
    if found is not None:
        name = mangled[found.end() :]
        return name[: int(found[1])]
    found = re.match(r"_Z(?:N.*?)?([0-9]+)([A-Za-z_]\w*)", mangled)
    if found is not None:
        return found[2][: int(found[1])]
    return mangled


_NOT_NAMED = ("_GLOBAL__N", "_INTERNAL_")
"""Namespaces that a source does not name: those of what is seen in one file only."""


def full_name(mangled: str) -> str:
    """Return the name of a variable with its namespaces: `math::limits` of `_ZN4math6limitsE`."""
    if not mangled.startswith(("_ZN", "_ZL")):
        return source_name(mangled)
    parts, rest = list[str](), mangled[3:]
    while (found := re.match(r"L?([0-9]+)", rest)) is not None:
        end = found.end() + int(found[1])
        parts.append(rest[found.end() : end])
        rest = rest[end:]
    return "::".join(part for part in parts if not part.startswith(_NOT_NAMED))


def find_address(module: syntax.Module, name: str) -> int | None:
    """Return the address of a device function; None of what is none."""
    function = module.functions.get(name)
    if function is None or function.is_kernel:
        return None
    return _FIRST_FUNCTION + _FUNCTION_BYTES * [*module.functions].index(name)


def _number(text: str, dtype: Scalar) -> Expression:
    """Return a number of the text, as a value of a dtype."""
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    if digits[:2] in ("0f", "0F") and len(digits) == 10:
        return viewed(_float(np.uint32(_bits(digits)).view(np.float32), sign), dtype)
    if digits[:2] in ("0d", "0D") and len(digits) == 18:
        return viewed(_float(np.uint64(_bits(digits)).view(np.float64), sign), dtype)
    if "." in digits or (digits[:2] not in ("0x", "0X") and "e" in digits):
        return nodes.Number(dtype, sign * float(digits))
    value = sign * int(digits.rstrip("U"), 0)
    if dtype.kind in "iu":
        return nodes.Number(dtype, value)
    if dtype == BOOL:
        return nodes.Number(BOOL, bool(value))
    bits = np.dtype(f"i{dtype.itemsize}")  # of a float register: `mov.f32 %f, 0x…`
    return viewed(nodes.Number(bits, value), dtype)


def _bits(text: str) -> int:
    """Return the bits of a float of the text: `0f3F800000`."""
    return int("0x" + text[2:], 0)


def _float(value: Any, sign: int) -> Expression:
    bits = np.dtype(f"i{value.dtype.itemsize}")  # keeps what a NaN holds
    whole = value if sign > 0 else -value
    return viewed(nodes.Number(bits, int(whole.view(bits))), value.dtype)


def begin_variable(module: syntax.Module, variable: syntax.Variable) -> Any:
    """Return the bytes that a variable in constant or global memory begins with."""
    data = np.zeros(max(1, variable.count * SIZES[variable.type]), dtype=np.uint8)
    each = SIZES[variable.type]
    dtype = np.dtype(f"u{each}") if each <= 8 else np.dtype("u8")
    for number, text in enumerate(variable.values):
        function = find_address(module, text)
        if function is not None:
            value = function
        elif text[:2] in ("0f", "0F", "0d", "0D"):
            value = _bits(text)
        elif _NUMBER.match(text):
            value = int(text.rstrip("U"), 0)
        else:
            raise Refused(fact("ptx.initial", name=variable.name, value=text), variable.line)
        wrapped = np.array([value & ((1 << 8 * each) - 1)], dtype=dtype)
        data[number * each : (number + 1) * each] = wrapped.view(np.uint8)
    return data
