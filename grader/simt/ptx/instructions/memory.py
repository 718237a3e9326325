"""Instructions that access memory: `ld`, `st`, `atom`, `red`, `cvta`.

PTX ISA 9.7.9. Cache operators, eviction priorities and prefetches change no value and no count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from grader.simt.checks.fences import BLOCK, DEVICE, Fence, Strength
from grader.simt.intrinsics import barriers, clusters
from grader.simt.intrinsics.atomic import CHANGES, Atomic, change_target
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.machine.frame import Value
from grader.simt.memory.allocations import allocations_of, ranks_of, starts_of
from grader.simt.program import nodes
from grader.simt.program.nodes import Apply, Do, Expression, Operation, Perform, Read, Set, target
from grader.simt.program.types import (
    BOOL,
    FLOAT32,
    FLOAT64,
    INT32,
    INT64,
    Nothing,
    Scalar,
    VectorType,
)
from grader.simt.ptx import syntax
from grader.simt.ptx.operands import Lowering, slot, slot_dtype
from grader.simt.ptx.syntax import Address, Operand, registers_of
from grader.simt.ptx.values import DTYPES, held_as, moved, to_int64, viewed

Lower = Callable[[Lowering, syntax.Instruction], list[Operation]]
SPACES = ("global", "shared", "local", "const", "param")
_SYNCHRONIZING = frozenset({"relaxed", "acquire", "release", "acq_rel"})
_VECTORS = {"v2": 2, "v4": 4}
_BY_BITS = {"f16x2": "add half2", "bf16x2": "add bfloat162", "bf16": "add bfloat16"}
"""Additions of floats that are held as bits."""


def space_of(instruction: syntax.Instruction) -> str:
    """Return the state space that an instruction names; "" for the generic one."""
    names = (each.partition("::")[0] for each in instruction.modifiers)
    return next((name for name in names if name in SPACES), "")


def scope_of(instruction: syntax.Instruction) -> int:
    """Return the scope in which an instruction orders threads."""
    return BLOCK if "cta" in instruction.modifiers else DEVICE


def _element(lowering: Lowering, instruction: syntax.Instruction, register: str) -> Scalar:
    """Return the dtype of what is in memory: of bits that a register of floats gets, floats."""
    kind = instruction.modifiers[-1] if instruction.modifiers else ""
    if kind not in DTYPES or kind == "pred":
        raise lowering.refuse(instruction)
    dtype = DTYPES[kind]
    held = lowering.function.registers.get(register)
    if held is not None and held_as(held) in (FLOAT32, FLOAT64) and kind[0] == "b":
        whole = held_as(held)
        return whole if whole.itemsize == dtype.itemsize else dtype
    if kind[0] == "b" and dtype.itemsize > 1:
        return np.dtype(f"i{dtype.itemsize}")  # what the register is held as
    return dtype


class _Access(NamedTuple):
    """What `ld` and `st` say: where in which space, and the registers with their dtype."""

    space: str
    address: Address
    registers: tuple[str, ...]
    dtype: Scalar


def _access(lowering: Lowering, instruction: syntax.Instruction, address_at: int) -> _Access:
    operands = instruction.operands
    if len(operands) < 2:
        raise lowering.refuse(instruction)
    address, registers = operands[address_at], registers_of(operands[1 - address_at])
    wanted = next((_VECTORS[each] for each in instruction.modifiers if each in _VECTORS), 1)
    if not isinstance(address, Address) or len(registers) != wanted:
        raise lowering.refuse(instruction)
    dtype = _element(lowering, instruction, registers[0])
    return _Access(space_of(instruction), address, registers, dtype)


def load(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `ld` and `ldu`."""
    space, address, registers, dtype = _access(lowering, instruction, 1)
    if space == "param" and address.base not in lowering.function.registers:
        return [
            lowering.write(name, _parameter(lowering, instruction, dtype, place), instruction)
            for place, name in enumerate(registers)
        ]
    pointer, site = lowering.pointer(address, space, instruction), lowering.site(instruction)
    if _is_strong(instruction):
        return _load_strongly(lowering, instruction, registers, pointer)
    if len(registers) == 1:
        loaded = nodes.Load(dtype, target(dtype, pointer, site))
        return [lowering.write(registers[0], loaded, instruction)]
    kind = VectorType(dtype, len(registers))
    return lowering.spread(nodes.Load(kind, target(kind, pointer, site)), registers, instruction)


def _parameter(
    lowering: Lowering, instruction: syntax.Instruction, dtype: Scalar, place: int
) -> Expression:
    address = instruction.operands[1]
    assert isinstance(address, Address)  # the caller looked
    offset = address.offset + place * dtype.itemsize
    known = lowering.given.get((address.base, offset))
    if known is not None:
        return viewed(known, dtype)
    if any(name == address.base for name, _ in lowering.given):
        raise lowering.refuse(instruction, address.base)
    return viewed(Read(slot_dtype(dtype.itemsize), slot(address.base, offset)), dtype)


def store(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `st`."""
    space, address, registers, dtype = _access(lowering, instruction, 0)
    kind = instruction.modifiers[-1]
    values = [viewed(lowering.read(name, kind, instruction), dtype) for name in registers]
    if space == "param":
        return [
            Set(
                slot(address.base, address.offset + at * dtype.itemsize),
                viewed(value, slot_dtype(dtype.itemsize)),
            )
            for at, value in enumerate(values)
        ]
    pointer, site = lowering.pointer(address, space, instruction), lowering.site(instruction)
    if _is_strong(instruction):
        return _store_strongly(lowering, instruction, values, pointer)
    if len(values) == 1:
        return [nodes.Store(target(dtype, pointer, site), values[0])]
    whole = VectorType(dtype, len(values))
    return [nodes.Store(target(whole, pointer, site), nodes.Pack(whole, tuple(values)))]


# Accesses that threads synchronize by race with no atomics; of a vector, each element is one.


def _is_strong(instruction: syntax.Instruction) -> bool:
    """Return True if threads may synchronize by an access.

    `volatile` is `relaxed` at the scope of the system (PTX ISA, "Cache operators", `ld.volatile`).
    In shared memory it stays a plain one: what relies on it there for order has none.
    """
    modifiers = instruction.modifiers
    if "volatile" in modifiers:
        return "global" in modifiers
    return not _SYNCHRONIZING.isdisjoint(modifiers)


def _load_strongly(
    lowering: Lowering,
    instruction: syntax.Instruction,
    registers: Sequence[str],
    pointer: Expression,
) -> list[Operation]:
    """Lower a load that is `relaxed` or `acquire`."""
    lowering.program.atomic = True
    dtype = _word(instruction)
    strength, site = Strength(scope_of(instruction), bare=True), lowering.site(instruction)
    known = Atomic("load", dtype, used=True, by_one=False, strength=strength)
    read = partial(change_target, known)
    begun, places = _elements(lowering, instruction, (pointer, dtype), len(registers))
    loaded = [
        lowering.write(register, Perform(dtype, "atomic load", read, (place,), site), instruction)
        for register, place in zip(registers, places, strict=True)
    ]
    return [*begun, *loaded, *_ordering(lowering, instruction, ("acquire",))]


def _store_strongly(
    lowering: Lowering,
    instruction: syntax.Instruction,
    values: Sequence[Expression],
    pointer: Expression,
) -> list[Operation]:
    """Lower a store that is `relaxed` or `release`."""
    lowering.program.atomic = True
    dtype = _word(instruction)
    strength, site = Strength(scope_of(instruction), bare=True), lowering.site(instruction)
    known = Atomic("store", dtype, used=False, by_one=False, strength=strength)
    write = partial(change_target, known)
    begun, places = _elements(lowering, instruction, (pointer, dtype), len(values))
    made = [
        Do(Perform(dtype, "atomic store", write, (place, viewed(value, dtype)), site))
        for place, value in zip(places, values, strict=True)
    ]
    return [*_ordering(lowering, instruction, ("release",)), *begun, *made]


def _word(instruction: syntax.Instruction) -> Scalar:
    """Return the integer of the width that is accessed; only signed ones keep their sign."""
    kind = instruction.modifiers[-1]
    return np.dtype(f"{'i' if kind[0] == 's' else 'u'}{DTYPES[kind].itemsize}")


def _elements(
    lowering: Lowering,
    instruction: syntax.Instruction,
    first: tuple[Expression, Scalar],
    count: int,
) -> tuple[list[Operation], list[Expression]]:
    """Return pointers to the elements of a vector, and what keeps the first one, if it does."""
    pointer, dtype = first
    if count == 1:
        return [], [pointer]
    kept, known = lowering.keep(pointer, instruction)
    step = dtype.itemsize
    return [kept], [moved(known, nodes.Number(INT64, at * step)) for at in range(count)]


def _ordering(
    lowering: Lowering, instruction: syntax.Instruction, kinds: tuple[str, ...]
) -> list[Operation]:
    """Return the fence that an access has at its side."""
    if not set(kinds) & set(instruction.modifiers):
        return []
    does = Fence(scope_of(instruction), "release" in kinds, "acquire" in kinds)
    run, site = barriers.make_fence(lowering.program, does), lowering.site(instruction)
    return [Do(Perform(Nothing(), "threadfence", run, (), site))]


def atomic(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `atom` and `red`, which gives nothing; of a vector, one of each element."""
    returns = instruction.opcode == "atom"
    kind = instruction.modifiers[-1] if instruction.modifiers else ""
    does = next((each for each in instruction.modifiers if each in CHANGES), "")
    operands = instruction.operands[1 if returns else 0 :]
    if "L2::cache_hint" in instruction.modifiers:
        operands = operands[:-1]
    if kind in _BY_BITS:
        does = _BY_BITS[kind] if does == "add" else ""
    if (
        kind not in DTYPES
        or kind == "pred"
        or not does
        or not operands
        or not isinstance(operands[0], Address)
        or len(operands) != 1 + CHANGES[does].operands
    ):
        raise lowering.refuse(instruction)
    lowering.program.stores_anywhere = lowering.program.atomic = True
    parts = [registers_of(each) for each in operands[1:]]
    results = registers_of(instruction.operands[0]) if returns else ("_",) * len(parts[0])
    if len({len(results), *map(len, parts)}) > 1:
        raise lowering.refuse(instruction)
    dtype, site, made = DTYPES[kind], lowering.site(instruction), list[Operation]()
    bare = not _SYNCHRONIZING.isdisjoint(instruction.modifiers)
    strength = Strength(scope_of(instruction), bare=bare)
    for number, (register, *given) in enumerate(zip(results, *parts, strict=True)):
        used, by_one = lowering.is_read(register), given[0] == "1"
        change = Atomic(does, dtype, used=used, by_one=by_one, strength=strength)
        run = partial(change_target, change)
        place = replace(operands[0], offset=operands[0].offset + number * dtype.itemsize)
        pointer = lowering.pointer(place, space_of(instruction), instruction)
        values = [lowering.read(each, kind, instruction) for each in given]
        found = Perform(dtype, f"atomic {does}", run, (pointer, *values), site)
        made.append(lowering.write(register, found, instruction))
    return [
        *_ordering(lowering, instruction, ("release", "acq_rel")),
        *made,
        *_ordering(lowering, instruction, ("acquire", "acq_rel")),
    ]


def convert_address(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `cvta`: addresses in shared memory, and short ones, are others than generic ones."""
    register, given = map(str, instruction.operands)
    kind = instruction.modifiers[-1]
    if kind not in ("u64", "u32"):
        raise lowering.refuse(instruction)
    space = space_of(instruction)
    value = lowering.read(given, "s64", instruction)
    turn = lowering.to_window if "to" in instruction.modifiers else lowering.from_window
    value = turn(value, space, instruction)
    return [lowering.write(register, value, instruction)]


def is_in_space(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `isspacep`."""
    register, given = map(str, instruction.operands)
    space = space_of(instruction)
    if space not in ("global", "shared", "local", "const"):
        raise lowering.refuse(instruction)
    wanted = "constant" if space == "const" else space
    pointer = lowering.read(given, "s64", instruction)
    run = partial(find_space, wanted, of_any="shared::cluster" in instruction.modifiers)
    found = Perform(BOOL, "isspacep", run, (pointer,), lowering.site(instruction), alone=True)
    return [lowering.write(register, found, instruction)]


def find_space(wanted: str, here: ExecutionPoint, pointer: Value, *, of_any: bool = False) -> Value:
    """Return whether pointers lead to allocations in a space.

    Args:
        of_any: of any block of the cluster; else of the threads' own.
    """
    table, starts = allocations_of(here.chunk.launch), starts_of(pointer)
    found = np.zeros(pointer.shape, dtype=np.bool_)
    for start in np.unique(starts).tolist():
        allocation = table.at(start)
        if allocation is not None and allocation.space == wanted:
            found |= starts == start
    if wanted == "shared" and not of_any and here.chunk.cluster > 1:
        ranks = ranks_of(pointer)
        found = found & ((ranks < 0) | (ranks == clusters.own_rank(here.chunk)))
    return found


def map_address(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `mapa`: the address of the same place in another block of the cluster."""
    register, given, rank = instruction.operands
    kind = instruction.modifiers[-1]
    if kind not in ("u32", "u64"):
        raise lowering.refuse(instruction)
    of_window = space_of(instruction) == "shared"
    pointer = _generic(lowering, instruction, given, of_window=of_window)
    wanted = lowering.read(rank, "s32", instruction)
    run = clusters.map_to_rank
    found = Perform(INT64, "mapa", run, (pointer, wanted), lowering.site(instruction), alone=True)
    return [
        lowering.write(
            str(register),
            lowering.to_window(found, "shared", instruction) if of_window else found,
            instruction,
        )
    ]


def find_rank(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `getctarank`: the rank of the block whose shared memory an address leads to."""
    register, given = instruction.operands
    pointer = _generic(lowering, instruction, given, of_window=space_of(instruction) == "shared")
    run = clusters.find_rank
    found = Perform(INT32, "getctarank", run, (pointer,), lowering.site(instruction), alone=True)
    return [lowering.write(str(register), found, instruction)]


def _generic(
    lowering: Lowering, instruction: syntax.Instruction, given: Operand, *, of_window: bool
) -> Expression:
    """Return an address of a register or of a variable as a generic one."""
    wide = instruction.modifiers[-1] == "u64"
    value = lowering.read(given, "s64" if wide else "u32", instruction)
    if not wide:
        value = Apply(INT64, "widen", to_int64, (value,))
    return lowering.from_window(value, "shared", instruction) if of_window else value


def nothing(_lowering: Lowering, _instruction: syntax.Instruction) -> list[Operation]:
    """Lower what changes no value: hints to caches."""
    return []


def create_policy(lowering: Lowering, instruction: syntax.Instruction) -> list[Operation]:
    """Lower `createpolicy`: a number for caches, which nothing here reads."""
    none = nodes.Number(INT64, 0)
    return [lowering.write(str(instruction.operands[0]), none, instruction)]
