"""Lowers a kernel of a CUDA C++ source, so that it can be launched with arguments of its types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from grader.facts import fact
from grader.simt.cuda import syntax
from grader.simt.cuda.lowering.calls import lower_call
from grader.simt.cuda.lowering.expressions import decay
from grader.simt.cuda.lowering.functions import (
    Passed,
    lower_function,
    template_argument,
)
from grader.simt.cuda.lowering.module import Module
from grader.simt.cuda.lowering.types import VOID, CType, Pointer
from grader.simt.cuda.lowering.unit import Unit
from grader.simt.cuda.parsing import parse
from grader.simt.errors import InvalidLaunch
from grader.simt.program import nodes
from grader.simt.program.kernel import CompiledFunction, CompiledKernel, Program
from grader.simt.program.loaded import mark_indices
from grader.simt.program.stores import written_parameters
from grader.simt.program.types import Nothing


@dataclass(frozen=True, eq=False)
class CudaSource:
    """A source that was parsed.

    Attributes:
        lines: of its text.
        symbols: the data of its variables in constant and global memory, by name: those that a
            lowered kernel uses.
    """

    tree: syntax.TranslationUnit
    path: str
    lines: tuple[str, ...] = field(repr=False)
    symbols: dict[str, NDArray[Any]] = field(default_factory=dict)

    @property
    def kernels(self) -> tuple[str, ...]:
        """The names of its kernels, in order."""
        return tuple(kernel.name for kernel in self.tree.kernels)


@dataclass(frozen=True, eq=False)
class CudaFunction:
    """A kernel's name, parameters and file, as a launch shows them."""

    name: str
    parameters: tuple[str, ...]
    path: str
    lines: tuple[str, ...] = field(repr=False)


def read_cuda(text: str, *, path: str = "", defines: Mapping[str, str] | None = None) -> CudaSource:
    """Parse a source.

    Raises:
        Refused: it is not C++, or too large.
    """
    tree = parse(text, path=path, defines=defines or {})
    return CudaSource(tree, path, tuple(text.splitlines()))


def lower_kernel(
    source: CudaSource, name: str, arguments: Sequence[syntax.TemplateArgument] = ()
) -> tuple[CompiledKernel, tuple[CType, ...]]:
    """Lower a kernel.

    Args:
        source: where it stands.
        name: its name.
        arguments: of its template.

    Returns:
        The kernel, and the types of its parameters.

    Raises:
        Refused: it is not C++, or not emulated.
        InvalidLaunch: there is no kernel of this name.
    """
    kernel = next((each for each in source.tree.kernels if each.name == name), None)
    if kernel is None:
        raise InvalidLaunch(fact("cpp.no-kernel", name=name, known=source.kernels))
    program = Program()
    module = Module(source.tree, program, lower_call, source.symbols)
    unit = Unit(module, nodes.Function(name, (), Nothing()), module.scopes(), frozenset(), VOID)
    bindings = {}
    for parameter, argument in zip(kernel.template or (), arguments, strict=False):
        bindings[parameter.name] = template_argument(unit, parameter, argument)
    for bound, entity in bindings.items():
        unit.scopes.declare(bound, entity)
    types = tuple(decay(module.type_of(unit, each.type)) for each in kernel.parameters)
    passed = tuple(
        Passed(kind, "value", "global" if isinstance(kind, Pointer) else "generic")
        for kind in types
    )
    instance = lower_function(module, kernel, bindings, passed)
    for each in module.instances.values():
        mark_indices(each.lowered.body)
    function = CudaFunction(name, instance.lowered.parameters, source.path, source.lines)
    written = written_parameters(instance.lowered)
    program.stores_anywhere = written is None
    stored = frozenset(instance.lowered.parameters) if written is None else written
    compiled = CompiledFunction(instance.lowered, stored, pointers=True)
    return CompiledKernel(function, program, compiled), types
