"""Lowers the functions of a PTX text to graphs of the typed program, instruction by instruction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from numpy.typing import NDArray

from grader.simt.checks.counters import Site
from grader.simt.machine.chunk import ExecutionPoint
from grader.simt.program import nodes
from grader.simt.program.kernel import Program
from grader.simt.program.memory import DeclaredArray
from grader.simt.program.nodes import (
    Do,
    Expression,
    Graph,
    Observe,
    Operation,
    Perform,
    Read,
    Segment,
    When,
)
from grader.simt.program.types import BOOL, INT64, UINT8, Nothing, Scalar, Tuple, Type
from grader.simt.ptx import syntax
from grader.simt.ptx.graph import BasicBlock, find_blocks
from grader.simt.ptx.instructions.calls import Callee
from grader.simt.ptx.instructions.computing import compare_index, find_definitions, find_pointers
from grader.simt.ptx.instructions.mbarriers import spread_named
from grader.simt.ptx.instructions.table import lower
from grader.simt.ptx.instructions.tensor_cores.wgmma import find_accumulators, watch
from grader.simt.ptx.operands import Lowering, full_name, slot, slot_dtype
from grader.simt.ptx.syntax import Address
from grader.simt.ptx.values import DTYPES

_SHARING = frozenset({"volatile", "relaxed", "acquire", "acq_rel", "mmio"})
_WAITING = frozenset({"atom", "nanosleep", "mbarrier"})


class PtxFunctions:
    """The functions of a text, each lowered when it is first called."""

    def __init__(
        self,
        module: syntax.Module,
        program: Program,
        symbols: Mapping[str, NDArray[Any]],
        *,
        by_source: bool,
        path: str = "",
    ) -> None:
        self._path = path
        self._module = module
        self._program = program
        self._by_source = by_source
        self._data = {
            each.name: DeclaredArray(name, UINT8, data.shape, 0, data)
            for each in module.variables.values()
            if (name := full_name(each.name)) in symbols
            for data in (symbols[name].reshape(-1).view(UINT8),)
        }
        self._callees: dict[str, Callee] = {}
        self._open: list[str] = []

    def lower_kernel(
        self,
        function: syntax.Function,
        names: Sequence[str],
        types: Sequence[Scalar],
        given: Mapping[tuple[str, int], Expression],
        pointed: Mapping[str, tuple[Expression, ...]],
    ) -> nodes.Function:
        """Lower a kernel.

        Args:
            names: of what it is launched with.
            given: what is at an offset of each parameter.
            pointed: what is in parameters whose address it takes, one part after the other.

        Raises:
            Refused: it uses what is not emulated.
        """
        lowered = nodes.Function(
            function.name, tuple(names), Nothing(), types=tuple(types), is_kernel=True
        )
        self._fill(lowered, function, given, None, pointed)
        return lowered

    def _find(self, name: str, instruction: syntax.Instruction, site: Site) -> Callee | None:
        """Return a function that is called; None if the text does not have it."""
        function = self._module.functions.get(name)
        if function is None or function.is_kernel:
            return None
        known = self._callees.get(name)
        if known is not None:
            if name not in self._open:
                return known
            return replace(known, itself=site) if self._open[-1] == name else None
        inputs = find_slots(function, {each.name for each in function.parameters}, "ld")
        outputs = find_slots(function, {each.name for each in function.results}, "st")
        results = tuple(slot_dtype(size) for _, _, size in outputs)
        result: Type = Nothing() if not results else results[0]
        lowered = nodes.Function(
            name,
            tuple(slot(base, offset) for base, offset, _ in inputs),
            Tuple(results) if len(results) > 1 else result,
            types=tuple(slot_dtype(size) for _, _, size in inputs),
            exits=any(each.opcode == "exit" for each in function.instructions),
        )
        places = {each.name: at for at, each in enumerate(function.parameters)}
        callee = self._callees[name] = Callee(
            lowered,
            tuple((places[base], offset, size) for base, offset, size in inputs),
            tuple((offset, size) for _, offset, size in outputs),
        )
        self._open.append(name)
        values = tuple(Read(slot_dtype(size), slot(base, offset)) for base, offset, size in outputs)
        whole = (
            nodes.Pack(lowered.result, values) if len(values) > 1 else values[0] if values else None
        )
        self._fill(lowered, function, {}, whole)
        self._open.pop()
        return callee

    def _fill(
        self,
        lowered: nodes.Function,
        function: syntax.Function,
        given: Mapping[tuple[str, int], Expression],
        result: Expression | None,
        pointed: Mapping[str, tuple[Expression, ...]] = MappingProxyType({}),
    ) -> None:
        function = spread_named(function)
        lowering = Lowering(
            self._module, function, self._program, self._find, given,
            by_source=self._by_source, path=self._path, data=self._data,
            defined=find_definitions(function),
            pointers=find_pointers(function, self._module, pointed), pointed=pointed,
            accumulators=find_accumulators(function),
        )  # fmt: skip
        blocks, ends = find_blocks(function)
        segments = _Segments(lowering, blocks, ends, is_kernel=lowered.is_kernel).make()
        lowered.body = (Graph(segments[0].site, segments, result, ends),)


def find_slots(
    function: syntax.Function, names: set[str], opcode: str
) -> tuple[tuple[str, int, int], ...]:
    """Return (parameter, offset, bytes) of what a function accesses of some parameters.

    Args:
        names: of the parameters.
        opcode: `ld` or `st`.
    """
    found: dict[tuple[str, int, int], None] = {}
    for each in function.instructions:
        if each.opcode != opcode or "param" not in each.modifiers or len(each.operands) < 2:
            continue
        address, other = each.operands if opcode == "st" else each.operands[::-1]
        if isinstance(address, Address) and address.base in names:
            size = DTYPES[each.modifiers[-1]].itemsize
            count = len(other.parts) if isinstance(other, syntax.Group) else 1
            for at in range(count):
                found[address.base, address.offset + at * size, size] = None
    return tuple(found)


class _Segments:
    """Makes the segments of a function."""

    def __init__(
        self,
        lowering: Lowering,
        blocks: Sequence[BasicBlock],
        ends: Mapping[int, int],
        *,
        is_kernel: bool,
    ) -> None:
        self._lowering = lowering
        self._blocks = blocks
        self._ends = ends
        self._is_kernel = is_kernel
        self._numbers: list[int] = []

    def make(self) -> tuple[Segment, ...]:
        """Make them: one of each block, but for a table of targets, which takes one for each."""
        return tuple(self._segment(number, block) for number, block in enumerate(self._blocks))

    def _segment(self, number: int, block: BasicBlock) -> Segment:
        lowering, branch = self._lowering, block.branch
        instructions = lowering.function.instructions[block.first : block.end]
        runs = self._runs(instructions)
        last = instructions[-1]
        test: Expression | None = None
        yes = block.targets[0]
        no: int | None = None
        if branch is not None and branch.guard:
            test, no = self._guard(branch), block.targets[-1]
        if branch is not None and branch.opcode == "brx":
            test, yes, no = self._choose(branch, block)
        return Segment(
            runs, lowering.site(last), test, yes, no, block.loop, self._waits(block.loop)
        )

    def _choose(
        self, branch: syntax.Instruction, block: BasicBlock
    ) -> tuple[Expression | None, int | None, int | None]:
        """Return how threads part at a table of one or two targets."""
        targets = block.targets
        if branch.guard or len(targets) > 2:
            raise self._lowering.refuse(branch)
        if len(targets) == 1:
            return None, targets[0], None
        index = self._lowering.read(branch.operands[0], "u32", branch)
        return compare_index(index), targets[0], targets[1]

    def _runs(self, instructions: Sequence[syntax.Instruction]) -> tuple[nodes.Run, ...]:
        found = list[nodes.Run]()
        for each in instructions:
            site, operations = self._lowering.site(each), self._operations(each)
            if found and found[-1].site is site:
                found[-1] = nodes.Run(
                    site, (*found[-1].operations, *operations), found[-1].count + 1
                )
            else:
                found.append(nodes.Run(site, tuple(operations), 1))
        return tuple(found)

    def _operations(self, each: syntax.Instruction) -> list[Operation]:
        watched = watch(self._lowering, each)
        return [*self._guarded(each, watched), *self._operations_of(each)]

    def _operations_of(self, each: syntax.Instruction) -> list[Operation]:
        if each.opcode in ("bra", "brx", "ret"):
            return []
        if each.opcode == "exit":
            if self._is_kernel:
                return []
            leave = Perform(Nothing(), "exit", _end, (), self._lowering.site(each), exits=True)
            return self._guarded(each, [Do(leave)])
        return self._guarded(each, lower(self._lowering, each))

    def _guarded(self, each: syntax.Instruction, operations: list[Operation]) -> list[Operation]:
        if not each.guard or not operations:
            return operations
        return [When(self._guard(each), tuple(operations), ())]

    def _guard(self, each: syntax.Instruction) -> Expression:
        sign = "!" if each.negated else ""
        return Observe(BOOL, self._lowering.read(sign + each.guard, "pred", each))

    def _waits(self, loop: int | None) -> bool:
        """Return True if threads may wait in a loop for what others do."""
        if loop is None:
            return False
        function = self._lowering.function
        return any(
            each.opcode in _WAITING
            or (each.opcode == "ld" and not _SHARING.isdisjoint(each.modifiers))
            for block in self._blocks[loop : self._ends[loop] + 1]
            for each in function.instructions[block.first : block.end]
        )


def _end(here: ExecutionPoint) -> None:
    here.chunk.end(here.mask, here.site)


def parameter_type(kind: str) -> Scalar:
    """Return the dtype of a kernel's parameter, by its type in PTX."""
    dtype = DTYPES[kind]
    return INT64 if dtype.itemsize == INT64.itemsize and dtype.kind != "f" else dtype
