"""Programs of nodes with pointers, built by hand: no front end is asked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from grader.simt import Launch, launch
from grader.simt.checks.counters import Site
from grader.simt.intrinsics.barriers import meet
from grader.simt.numba.kernel import CompiledKernel
from grader.simt.numba.program import CompiledFunction, Program
from grader.simt.program import nodes
from grader.simt.program.types import (
    INT32,
    INT64,
    Array,
    Nothing,
    Pointer,
    Scalar,
    Type,
    VectorType,
)

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

    def load(self, kind: Kind, pointer: nodes.Expression) -> nodes.Load:
        """Read what a pointer points to."""
        return nodes.Load(kind, nodes.target(kind, pointer, self.site()))

    def store(self, kind: Kind, pointer: nodes.Expression, value: nodes.Expression) -> None:
        """Write to what a pointer points to."""
        self.step(nodes.Store(nodes.target(kind, pointer, self.site()), value))

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
        lowered = nodes.Function("kernel", names, Nothing(), tuple(self.body), is_kernel=True)
        compiled = CompiledFunction(lowered, frozenset(names), frozenset(), self.pointers)
        function: Any = SimpleNamespace(name="kernel", parameters=names)
        return launch(
            CompiledKernel(function, self.program, compiled), grid, block, arguments, **options
        )


def thread() -> nodes.Expression:
    """threadIdx.x, an int32."""
    return nodes.Position(INT32, "threadIdx.x", lambda chunk: chunk.thread_index[0])


def everywhere() -> nodes.Expression:
    """The thread's number in a grid of one dimension, an int64."""
    return nodes.Position(INT64, "grid", lambda chunk: chunk.position[0])


def block() -> nodes.Expression:
    """blockIdx.x, an int32."""
    return nodes.Position(INT32, "blockIdx.x", lambda chunk: chunk.block_index[0])
