"""What all functions of a kernel share: places to count at, declared arrays, what is used."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from grader.simt.checks.counters import Site, Sites
from grader.simt.checks.findings import Findings
from grader.simt.memory.recorder import Recorder
from grader.simt.numba.reading.source import Function, of_function
from grader.simt.program import nodes
from grader.simt.program.memory import DeclaredArray
from grader.simt.program.types import Scalar, Space


@dataclass(frozen=True, eq=False)
class CompiledFunction:
    """A function for one list of argument types.

    Attributes:
        lowered: what the machine runs.
        stored: parameters it writes to.
        pointers: True if it takes pointers to arrays.
    """

    lowered: nodes.Function
    stored: frozenset[str]
    pointers: bool = False


@dataclass
class Program:
    """What all functions of a kernel share.

    Attributes:
        path: the kernel's file, or "".
        shared, local: declared arrays, by their node in the tree, with dtype and shape: a device
            function that is compiled for several types has an array for each of them.
        compiled: every function that was compiled, by its identity and its argument types.
        scopes: those whose variables a function can read, by the identity of one that is defined in
            another function.
        under_way: functions that are being compiled, outermost first.
        timed: True if there is any barrier.
        grid_sync: where the whole grid synchronizes, if anywhere.
        fenced: True if there is a memory fence.
        stores_anywhere: True if the kernel writes to an array that is not one of its parameters.
        packed: record dtypes without `align=True` whose fields it accesses.
        racing: elements of global arrays that raced in launches before, by space and label.
        recorder: looks at a thread in a line, if somebody wants to.
    """

    path: str = ""
    sites: Sites = field(default_factory=Sites)
    findings: Findings = field(default_factory=Findings)
    shared: dict[Any, DeclaredArray] = field(default_factory=dict)
    local: dict[Any, DeclaredArray] = field(default_factory=dict)
    compiled: dict[Any, tuple[Function, CompiledFunction]] = field(default_factory=dict)
    functions: dict[Any, Function] = field(default_factory=dict)
    scopes: dict[int, tuple[object, ...]] = field(default_factory=dict)
    under_way: list[Function] = field(default_factory=list)
    timed: bool = False
    grid_sync: Site | None = None
    fenced: bool = False
    stores_anywhere: bool = False
    packed: set[Scalar] = field(default_factory=set)
    racing: Mapping[tuple[str, str], NDArray[Any]] = field(default_factory=dict)
    recorder: Recorder | None = None

    def function_of(self, function: Any) -> Function:
        """Read a function that the kernel calls, once."""
        if function not in self.functions:
            self.functions[function] = of_function(function)
        return self.functions[function]

    def declare(
        self, node: ast.AST, label: str, dtype: Scalar, shape: tuple[int, ...], space: Space
    ) -> DeclaredArray:
        """Declare a shared or local array; the same node, dtype, and shape are the same array."""
        known = self.shared if space == "shared" else self.local
        key = id(node), dtype, shape
        if key not in known:
            base = -(-self.shared_bytes // 16) * 16 if space == "shared" else 0
            known[key] = DeclaredArray(label, dtype, shape, base)
        return known[key]

    @property
    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """The lines of each file that a compiled function is in; the kernel's file is ""."""
        functions = (function for function, _ in self.compiled.values())
        return {
            "" if source.path == self.path else source.path: source.lines for source in functions
        }

    @property
    def shared_bytes(self) -> int:
        """The size of all shared arrays whose size the source gives."""
        return max((array.base + array.bytes for array in self.shared.values()), default=0)

    @property
    def local_bytes(self) -> int:
        """The size of all local arrays of a thread."""
        return sum(array.bytes for array in self.local.values())
