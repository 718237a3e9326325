"""What all functions of a Numba kernel share: what was compiled, and is being compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from grader.simt.numba.reading.source import Function, of_function
from grader.simt.program.kernel import CompiledFunction, Program
from grader.simt.program.types import Scalar


@dataclass
class NumbaProgram(Program):
    """What all functions of a kernel share.

    Attributes:
        path: the kernel's file, or "".
        compiled: every function that was compiled, by its identity and its argument types.
        scopes: those whose variables a function can read, by the identity of one that is defined in
            another function.
        under_way: functions that are being compiled, outermost first.
        packed: record dtypes without `align=True` whose fields it accesses.
    """

    path: str = ""
    compiled: dict[Any, tuple[Function, CompiledFunction]] = field(default_factory=dict)
    functions: dict[Any, Function] = field(default_factory=dict)
    scopes: dict[int, tuple[object, ...]] = field(default_factory=dict)
    under_way: list[Function] = field(default_factory=list)
    packed: set[Scalar] = field(default_factory=set)

    def function_of(self, function: Any) -> Function:
        """Read a function that the kernel calls, once."""
        if function not in self.functions:
            self.functions[function] = of_function(function)
        return self.functions[function]

    @property
    def sources(self) -> Mapping[str, tuple[str, ...]]:
        """The lines of each file that a compiled function is in; the kernel's file is ""."""
        functions = (function for function, _ in self.compiled.values())
        return {
            "" if source.path == self.path else source.path: source.lines for source in functions
        }
