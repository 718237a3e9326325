"""One function for one list of argument types, while it is made ready: what all its parts share.

`Program` is what the functions of a launch share: sites, declared arrays, what the kernel uses.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grader.simt.counters import Site, Sites
from grader.simt.environment import Env
from grader.simt.errors import Refused
from grader.simt.findings import Finding, Findings
from grader.simt.liveness import Liveness
from grader.simt.source import Function, of_function
from grader.simt.typed import Typed
from grader.simt.types import FLOAT32, FLOAT64, Array, Scalar, Type, number


@dataclass(frozen=True, eq=False)
class Declared:
    """A shared or local array of the source.

    Attributes:
        elements: 0 for one whose size the launch gives.
        base: byte address within a block's shared memory.
    """

    label: str
    dtype: Scalar
    elements: int
    base: int = 0

    @property
    def bytes(self) -> int:
        """Its size."""
        return self.elements * self.dtype.itemsize


@dataclass
class Program:
    """What all functions of a launch share.

    Attributes:
        shared, local: declared arrays, by their place in the tree.
        timed: whether there is any barrier.
        grid_sync: where the whole grid meets, if anywhere.
        fenced: whether there is a memory fence.
        dynamic_cell: bytes of the smallest element of dynamic shared memory; 0: it is not used.
        stores_anywhere: whether something is written whose array cannot be told.
        make: makes another function ready: `(program, function, types) → (result type, call)`.
        path: the kernel's file, or "".
    """

    make: Callable[..., Any]
    path: str = ""
    sites: Sites = field(default_factory=Sites)
    findings: Findings = field(default_factory=Findings)
    shared: dict[int, Declared] = field(default_factory=dict)
    local: dict[int, Declared] = field(default_factory=dict)
    made: dict[Any, Any] = field(default_factory=dict)
    functions: dict[Any, Function] = field(default_factory=dict)
    under_way: list[Any] = field(default_factory=list)
    timed: bool = False
    grid_sync: Site | None = None
    fenced: bool = False
    dynamic_cell: int = 0
    stores_anywhere: bool = False

    def function_of(self, function: Any) -> Function:
        """A function that a kernel calls, read once."""
        if function not in self.functions:
            self.functions[function] = of_function(function)
        return self.functions[function]

    @property
    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """The lines of each file that a function of it stands in; the kernel's is ""."""
        functions = (function for function, _ in self.made.values())
        return {"" if one.path == self.path else one.path: one.lines for one in functions}

    @property
    def shared_bytes(self) -> int:
        """Of all shared arrays whose size the source gives."""
        return max((one.base + one.bytes for one in self.shared.values()), default=0)

    @property
    def local_bytes(self) -> int:
        """Of all local arrays of a thread."""
        return sum(one.bytes for one in self.local.values())


class Specialisation:
    """The state of making one function ready.

    Attributes:
        file: that it stands in; "" for the kernel's.
        env: types of the variables, here.
        assigned: names that are variables of the function.
        stored: parameters that are written to.
        returns: type of each `return`.
        unused: the expression whose value nobody wants, where one stands alone.
        naming: the variable that an expression is assigned to.
        is_kernel: whether a thread that returns is gone.
    """

    def __init__(
        self, program: Program, function: Function, env: dict[str, Type], *, is_kernel: bool
    ) -> None:
        self.program = program
        self.function = function
        self.file = "" if function.path == program.path else function.path
        self.env: Env = env
        targets = (
            one.id
            for one in ast.walk(function.node)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        )
        self.reassigned = frozenset(targets)
        self.assigned = self.reassigned | frozenset(function.parameters)
        self.liveness = Liveness(function.node.body)
        self.is_kernel = is_kernel
        self.unused: ast.expr | None = None
        self.naming = ""
        self.stored: set[str] = set()
        self.returns: list[Type] = []

    def refused(self, node: ast.AST, what: str, instead: str = "") -> Refused:
        """An error at a node."""
        return self.function.refused(node, what, instead)

    def site(self, node: ast.AST) -> Site:
        """Where a node stands, to count at."""
        return self.program.sites.at(*self.function.place(node), self.file)

    def note_stored(self, node: ast.expr, kind: Array) -> None:
        """An array is written to that a node names."""
        if kind.space != "global":
            return
        parameters = {*self.function.parameters} - self.reassigned
        if isinstance(node, ast.Name) and node.id in parameters:
            self.stored.add(node.id)
            return
        self.program.stores_anywhere = True

    def warn(self, node: ast.AST, topic: str, message: str, hint: str = "") -> None:
        """Something that is legal, and probably not meant."""
        line, column = self.function.place(node)
        finding = Finding("warning", line, column, message, topic, file=self.file, hint=hint)
        self.program.findings.add((topic, self.file, line, column), 1, lambda: finding)

    def note_widening(
        self, node: ast.AST, operator: str, result: Scalar, operands: tuple[Type, ...]
    ) -> None:
        """float64 arithmetic on float32 data."""
        kinds = [number(one) for one in operands]
        if result != FLOAT64 or FLOAT32 not in kinds:
            return
        other = next((one for one in kinds if one is not None and one != FLOAT32), FLOAT32)
        message = f"float32 {operator} {other.name} is computed in float64"
        self.warn(node, "float64", message, "write numba.float32(…) around the other operand")

    def call(self, node: ast.Call, function: Function, given: list[Typed]) -> Typed:
        """A function of the person's own."""
        raise NotImplementedError

    def declare(
        self, node: ast.AST, label: str, dtype: Scalar, shape: tuple[int, ...], space: str
    ) -> Declared:
        """A shared or local array; the same node is the same array."""
        known = self.program.shared if space == "shared" else self.program.local
        if id(node) not in known:
            elements = int(np.prod(shape, dtype=object)) if shape else 1
            base = 0
            if space == "shared":
                base = -(-self.program.shared_bytes // 16) * 16
            known[id(node)] = Declared(label, dtype, elements, base)
        return known[id(node)]
