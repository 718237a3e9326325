"""Programs of nodes with pointers, built by hand: no front end is asked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.simt import Launch, launch
from grader.simt.checks.counters import Site
from grader.simt.intrinsics.barriers import meet
from grader.simt.program import nodes
from grader.simt.program.kernel import CompiledFunction, CompiledKernel, Program
from grader.simt.program.memory import DeclaredArray
from grader.simt.program.types import (
    BOOL,
    FLOAT32,
    INT32,
    INT64,
    Array,
    Nothing,
    Pointer,
    Scalar,
    Space,
    Type,
    VectorType,
)
from grader.simt.program.walking import walk_block

Kind = Scalar | VectorType | Pointer


class Builder:
    """A kernel under construction; each statement is a line of its own.

    Attributes:
        pointers: True if arrays are given as pointers, else as arrays.
    """

    def __init__(self, **parameters: Type) -> None:
        self.program = Program()
        self.parameters = parameters
        self.pointers = any(isinstance(kind, Pointer) for kind in parameters.values())
        self.body: list[nodes.Statement] = []
        self.line = 1

    def site(self) -> Site:
        """The place of the statement that is built."""
        return self.program.sites.at(self.line, 1)

    def read(self, name: str, kind: Type | None = None) -> nodes.Read:
        """Read a variable, or a parameter."""
        return nodes.Read(kind or self.parameters[name], name)

    def step(self, *operations: nodes.Operation) -> None:
        """Add a statement."""
        self.body.append(nodes.Step(self.site(), operations))
        self.line += 1

    def set(self, name: str, value: nodes.Expression) -> nodes.Read:
        """Set a variable."""
        self.step(nodes.Set(name, value))
        return nodes.Read(value.type, name)

    def get(self, place: nodes.Place) -> nodes.Load:
        """Read a place."""
        return nodes.Load(place.dtype, place)

    def load(self, kind: Kind, pointer: nodes.Expression) -> nodes.Load:
        """Read what a pointer points to."""
        return nodes.Load(kind, nodes.target(kind, pointer, self.site()))

    def store(self, kind: Kind, pointer: nodes.Expression, value: nodes.Expression) -> None:
        """Write to what a pointer points to."""
        self.step(nodes.Store(nodes.target(kind, pointer, self.site()), value))

    def wide_thread(self) -> nodes.Expression:
        """threadIdx.x as an int64."""
        return nodes.Convert(INT64, thread())

    def twice(self, value: nodes.Expression) -> nodes.Expression:
        """A number, doubled."""
        return nodes.Operate(value.type, "+", (value, value))

    def loop(self, test: nodes.Expression, *operations: nodes.Operation) -> None:
        """Add a loop."""
        step = nodes.Step(self.site(), operations)
        self.body.append(nodes.Loop(self.site(), (), test, (), (step,), (), ()))
        self.line += 1

    def element(self, array: nodes.Expression, *indices: nodes.Expression) -> nodes.Element:
        """An element of an array."""
        assert isinstance(array.type, Array)
        return nodes.Element(array.type.dtype, array, indices, self.site())

    def barrier(self) -> None:
        """Wait for the block."""
        self.program.timed = True
        self.step(nodes.Do(nodes.Perform(Nothing(), "syncthreads", meet, (), self.site())))

    def where(self, test: nodes.Expression, *operations: nodes.Operation) -> None:
        """Add a statement for some threads."""
        step = nodes.Step(self.site(), operations)
        self.body.append(nodes.If(self.site(), test, (step,), ()))
        self.line += 1

    def run(self, arguments: list[Any], *, grid: Any = 1, block: Any = 32, **options) -> Launch:
        """Launch it."""
        names = tuple(self.parameters)
        for node in walk_block(self.body):
            if isinstance(node, nodes.Memory) and node.declared and isinstance(node.type, Array):
                known = {"shared": self.program.shared, "local": self.program.local}
                known.get(node.type.space, {})[id(node.declared)] = node.declared
        lowered = nodes.Function("kernel", names, Nothing(), tuple(self.body), is_kernel=True)
        compiled = CompiledFunction(lowered, frozenset(names), self.pointers)
        function: Any = SimpleNamespace(name="kernel", parameters=names)
        return launch(
            CompiledKernel(function, self.program, compiled), grid, block, arguments, **options
        )


class Case(Builder):
    """Accesses that are the same through pointers and as elements.

    Args:
        few: True if only some threads make them.
    """

    def __init__(self, *, few: bool, **parameters: Type) -> None:
        super().__init__(**parameters)
        self.few = few

    def array(self, name: str) -> nodes.Expression:
        """An argument."""
        return self.read(name)

    def declare(self, memory: nodes.Memory) -> nodes.Expression:
        """An array of the program."""
        assert isinstance(memory.type, Array)
        kind = Pointer(memory.type.dtype, memory.type.space)
        return nodes.AddressOf(kind, memory) if self.pointers else memory

    def at(self, array: nodes.Expression, index: nodes.Expression) -> nodes.Place:
        """An element of an array."""
        if isinstance(array.type, Pointer):
            assert isinstance(array.type.target, np.dtype)
            place = move(array, index, array.type.target.itemsize)
            return nodes.target(array.type.target, place, self.site())
        return self.element(array, index)

    def write(self, place: nodes.Place, value: nodes.Expression) -> None:
        """Write to it."""
        self._add(nodes.Store(place, value))

    def update(self, place: nodes.Place) -> None:
        """Add one to it."""
        one = nodes.Number(place.dtype, 1)
        old = nodes.Read(place.dtype, "%old")
        self._add(nodes.Update(place, "%old", nodes.Operate(place.dtype, "+", (old, one))))

    def _add(self, operation: nodes.Operation) -> None:
        if not self.few:
            self.step(operation)
            return
        odd = nodes.Operate(INT32, "%", (thread(), nodes.Number(INT32, 3)))
        self.where(nodes.Convert(BOOL, odd), operation)


def case_of(*, pointers: bool, few: bool = False) -> Case:
    """A kernel with the arrays `a` and `out`."""
    kind: Type = Pointer(FLOAT32, "global") if pointers else Array(FLOAT32, 1, "global")
    return Case(few=few, a=kind, out=kind)


def thread() -> nodes.Expression:
    """threadIdx.x, an int32."""
    return nodes.Position(INT32, "threadIdx.x", lambda chunk: chunk.thread_index[0])


def everywhere() -> nodes.Expression:
    """The thread's number in a grid of one dimension, an int64."""
    return nodes.Position(INT64, "grid", lambda chunk: chunk.position[0])


def block() -> nodes.Expression:
    """blockIdx.x, an int32."""
    return nodes.Position(INT32, "blockIdx.x", lambda chunk: chunk.block_index[0])


def number_of(value: int) -> nodes.Number:
    """An int64."""
    return nodes.Number(INT64, value)


def plus(left: nodes.Expression, right: nodes.Expression) -> nodes.Operate:
    """A sum of int64."""
    return nodes.Operate(INT64, "+", (left, right))


def move(pointer: nodes.Expression, index: nodes.Expression, step: int) -> nodes.Move:
    """A pointer, moved."""
    return nodes.Move(pointer.type, pointer, index, step)


def declare(
    label: str,
    dtype: Scalar,
    shape: tuple[int, ...],
    space: Space,
    *,
    base: int = 0,
    data: NDArray[Any] | None = None,
) -> nodes.Memory:
    """An array that the program declares; without a shape, dynamic shared memory."""
    declared = DeclaredArray(label, dtype, shape, base, data)
    return nodes.Memory(Array(dtype, 1, space), declared if shape else None)
