"""Lowers a kernel of a CUDA C++ source, so that it can be launched with arguments of its types."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

from numpy.typing import NDArray

from grader.did_you_mean import suggest
from grader.facts import fact
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.declared import qualified_name
from grader.simt.cuda.lowering.analysis import folding
from grader.simt.cuda.lowering.calls import is_built_in, lower_call
from grader.simt.cuda.lowering.class_deduction import deduce_class
from grader.simt.cuda.lowering.closures import Passed, copy_closure, make_closure
from grader.simt.cuda.lowering.conversions import check_copied
from grader.simt.cuda.lowering.expressions import plain
from grader.simt.cuda.lowering.functions import lower_function
from grader.simt.cuda.lowering.initializers import make_initial
from grader.simt.cuda.lowering.methods import (
    apply_operator,
    construct,
    destroy,
    has_assignment,
    has_constructor,
)
from grader.simt.cuda.lowering.model.types import VOID, ArrayOf, CType, PointerTo
from grader.simt.cuda.lowering.module import Module
from grader.simt.cuda.lowering.program import CudaFunction, CudaProgram, Lines
from grader.simt.cuda.lowering.storage import check_dynamic
from grader.simt.cuda.lowering.templates.deducing import bind, find_specialization
from grader.simt.cuda.lowering.templates.packs import element_name, flat, unpack
from grader.simt.cuda.lowering.templates.parameters import describe_binding
from grader.simt.cuda.lowering.unit import CudaUnit, Hooks, Scopes
from grader.simt.cuda.parser.parsing import ParsedSource
from grader.simt.cuda.parser.preprocessing import Reader
from grader.simt.cuda.parser.rules import check
from grader.simt.cuda.printing import format_type
from grader.simt.errors import InvalidLaunch, Refused
from grader.simt.geometry import Three
from grader.simt.memory.recorder import Recorder
from grader.simt.program import nodes
from grader.simt.program.bounds import is_bounded
from grader.simt.program.flattening import flatten
from grader.simt.program.guesses import mark_guesses
from grader.simt.program.kernel import CompiledFunction, CompiledKernel
from grader.simt.program.loaded import mark_indices
from grader.simt.program.stores import written_parameters
from grader.simt.program.tickets import mark_tickets
from grader.simt.program.types import Nothing
from grader.simt.program.unproven import Unproven
from grader.simt.program.waiting import polls_volatile

HOOKS = Hooks(
    lower_call, apply_operator, construct, has_constructor, has_assignment, make_initial,
    make_closure, copy_closure, bind, is_built_in, destroy,
    deduce_class,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class CudaSource:
    """A source that was parsed.

    Attributes:
        path: its file, or "".
        files: the lines of it and of what it includes, by path.
        edit: reads it again with another text of its file.
        symbols: the data of its variables in constant and global memory, by name: those that a
            lowered kernel uses.
        dynamic: the types of its dynamic shared arrays, by name: those of lowered kernels.
    """

    parsed: ParsedSource
    path: str
    files: Mapping[str, Lines] = field(repr=False)
    edit: Callable[[str], CudaSource] = field(repr=False)
    symbols: dict[str, NDArray[Any]] = field(default_factory=dict)
    dynamic: dict[str, str] = field(default_factory=dict)

    @property
    def tree(self) -> declared.TranslationUnit:
        """What kernels can use of it."""
        return self.parsed.tree

    @property
    def kernels(self) -> tuple[str, ...]:
        """The names of its kernels, in order."""
        return tuple(dict.fromkeys(kernel.name for kernel in self.tree.kernels))

    @cached_property
    def dynamic_arrays(self) -> tuple[tuple[syntax.Variable, tuple[str, ...]], ...]:
        """The dynamic shared arrays, but for those of templates, with the namespaces around."""
        outside = ((each, each.scope) for each in self.tree.variables)
        inside = (
            (variable, function.scope)
            for function in (*self.tree.functions, *self.tree.kernels)
            if function.body and not function.template
            for statement in trees.walk(function.body, parts=trees.statements_in)
            if isinstance(statement, syntax.DeclarationStatement)
            for variable in statement.variables
        )
        every = (*outside, *inside)
        return tuple(each for each in every if each[0].specifiers >= {"__shared__", "extern"})

    def find_kernel(self, name: str, line: int = 0) -> declared.Function:
        """Return a kernel by its name, with the namespaces around it or without them.

        Args:
            line: of its name, where several have this name; else the first.

        Raises:
            InvalidLaunch: there is none of this name.
        """
        named = self._named(name)
        for kernel in named:
            if kernel.place.line == line:
                return kernel
        if named:
            return named[0]
        if name in self.tree.host_functions:
            raise InvalidLaunch(fact("cpp.not-a-kernel", name=name))
        if not self.kernels:
            raise InvalidLaunch(fact("cpp.no-kernels"))
        what = fact("cpp.no-kernel", name=name, known=self.kernels)
        raise InvalidLaunch(what, suggest(name, self.kernels))

    def overloads(self, name: str) -> tuple[declared.Function, ...]:
        """Return the kernels of a name, without the specializations of a template."""
        return tuple(each for each in self._named(name) if each.template != ())

    def _named(self, name: str) -> list[declared.Function]:
        return [each for each in self.tree.kernels if name in (each.name, qualified_name(each))]


def read_cuda(
    text: str,
    *,
    path: str = "",
    defines: Mapping[str, str] | None = None,
    read: Reader | None = None,
    compiled: bool = False,
) -> CudaSource:
    """Parse a source; see `parsing.parse` and `Preprocessor` for the arguments.

    Raises:
        Refused: it is not C++, or too large.
    """
    files = {path: _split_lines(text)}

    def read_include(name: str, including: str) -> tuple[str, str] | None:
        found = None if read is None else read(name, including)
        if found is not None:
            files[found[0]] = _split_lines(found[1])
        return found

    parsed = ParsedSource(
        text, path=path, defines=defines or {}, read=read_include, compiled=compiled
    )
    check(parsed.tree)
    edit = partial(read_cuda, path=path, defines=defines, read=read)
    return CudaSource(parsed, path, files, edit)


def _split_lines(text: str) -> Lines:
    return tuple(re.split("\r\n?|\n", text.removeprefix("\ufeff")))


def lower_kernel(
    source: CudaSource,
    name: str,
    arguments: Sequence[syntax.TemplateArgument] = (),
    given: Sequence[CType] = (),
    recorder: Recorder | None = None,
    *,
    line: int = 0,
) -> tuple[CompiledKernel, tuple[CType, ...]]:
    """Lower a kernel.

    Args:
        arguments: of its template.
        given: types of the launch's arguments, which tell what is not among `arguments`.
        recorder: what looks at a thread in each launch; None for nothing.
        line: of its name, where several have this name.

    Returns:
        The kernel, and the types of its parameters.

    Raises:
        Refused: it is not C++, or not emulated.
        InvalidLaunch: there is no kernel of this name, or its template takes other arguments.
    """
    kernel = source.find_kernel(name, line)
    program = CudaProgram(path=kernel.place.path, files=source.files, recorder=recorder)
    if recorder is not None:
        recorder.declared = lambda: (*program.shared.values(), *program.local.values())
    module = Module(source.tree, program, HOOKS, source.symbols, source.dynamic)
    unit = CudaUnit(module, nodes.Function(name, (), Nothing()), Scopes({}), frozenset(), VOID)
    _check_assertions(unit, source.tree)
    _check_dynamic_arrays(unit, source)
    found = _instantiate(unit, source, kernel, arguments, given)
    lowered = _lower_instance(unit, found)

    def edit(text: str, shift: Callable[[int], int], *, keeps: bool) -> CompiledKernel:
        changed = source.edit(text)
        changed = replace(changed, symbols=source.symbols) if keeps else changed
        return lower_kernel(changed, name, arguments, given, line=line and shift(line))[0]

    kernel = found.declared
    home = kernel.place.path
    called = {("" if path == home else path, at) for path, at in program.library_lines}
    function = CudaFunction(
        found.name, qualified_name(kernel), lowered.parameters,
        home, (kernel.place.line, kernel.place.column),
        partial(source.parsed.device_text, kernel), edit, tuple(sorted(program.libraries)),
        frozenset(called),
    )  # fmt: skip
    written = written_parameters(lowered)
    program.stores_anywhere = written is None
    program.polls = polls_volatile(lowered)
    flatten(lowered)
    if is_bounded(lowered):
        program.unproven = Unproven(lowered)
    stored = frozenset(lowered.parameters) if written is None else written
    compiled = CompiledFunction(lowered, stored, pointers=True)
    return CompiledKernel(function, program, compiled), found.types


MOST_PASSED = 32_764
"""Bytes of a kernel's parameters (CUDA C++ Programming Guide, since CUDA 12.1 on 7.0)."""


class _Instance(NamedTuple):
    """A kernel with arguments of its template.

    Attributes:
        name: as a report shows it.
        declared: what is lowered: a specialization of the kernel if there is one for these.
        bindings: what the parameters of its template stand for.
    """

    name: str
    declared: declared.Function
    bindings: dict[str, Any]
    types: tuple[CType, ...]


def _lower_instance(unit: CudaUnit, found: _Instance) -> nodes.Function:
    """Lower a kernel, and mark what the checks look for.

    Raises:
        Refused: it is not C++, or not emulated.
    """
    module, kernel = unit.module, found.declared
    with unit.scopes.inner(found.bindings):
        module.program.most_threads = _most_threads(unit, kernel)
        module.program.cluster = _cluster(unit, kernel)
    for parameter, kind in zip(kernel.parameters, found.types, strict=True):
        if isinstance(parameter.type, syntax.ReferenceType):
            raise unit.refusal(parameter, fact("cpp.kernel-reference", name=parameter.name))
        check_copied(unit, parameter, kind, MOST_PASSED)
    passed = tuple(
        Passed(kind, "value", "global" if isinstance(kind, PointerTo) else "generic")
        for kind in found.types
    )
    try:
        instance = lower_function(module, kernel, found.bindings, passed)
    except RecursionError:  # templates that need further ones without an end
        raise unit.refusal(kernel, fact("cpp.template-depth", name=kernel.name)) from None
    for each in module.instances.values():
        mark_indices(each.lowered.body)
        mark_guesses(each.lowered.body)
    mark_tickets(instance.lowered)
    return instance.lowered


def _instantiate(
    unit: CudaUnit,
    source: CudaSource,
    kernel: declared.Function,
    arguments: Sequence[syntax.TemplateArgument],
    given: Sequence[CType],
) -> _Instance:
    """Find what a kernel is for some arguments; see `lower_kernel` for these and the errors."""
    if kernel.template == ():  # a specialization is for these arguments alone
        arguments = ()
    bindings = _bind(unit, kernel, arguments, given)
    shown = _instance_name(kernel, bindings)
    special = find_specialization(unit, kernel, bindings, source.tree.kernels)
    if special is not None:
        kernel, bindings = special, {}
    kernel, bindings = unpack(unit.module, kernel, bindings)
    with unit.scopes.inner(bindings):
        types = tuple(unit.module.parameter_type(unit, each.type) for each in kernel.parameters)
    return _Instance(shown, kernel, bindings, types)


def type_parameters(
    source: CudaSource,
    name: str,
    arguments: Sequence[syntax.TemplateArgument] = (),
    given: Sequence[CType] = (),
    *,
    line: int = 0,
) -> tuple[str, tuple[CType, ...]]:
    """Return a kernel's name with the arguments of its template, and the types of its parameters.

    Its body may be what is not emulated. See `lower_kernel` for the arguments and the errors.
    """
    module = Module(source.tree, CudaProgram(), HOOKS, source.symbols)
    unit = CudaUnit(module, nodes.Function(name, (), Nothing()), Scopes({}), frozenset(), VOID)
    found = _instantiate(unit, source, source.find_kernel(name, line), arguments, given)
    return found.name, found.types


def _check_assertions(unit: CudaUnit, tree: declared.TranslationUnit) -> None:
    """Check what is asserted at file scope, as far as it can be computed here.

    Raises:
        Refused: it does not hold.
    """
    for node in tree.declarations:
        if isinstance(node, declared.StaticAssert):
            try:
                holds = unit.module.constant(unit, node.condition)
            except Refused:
                continue  # it may be about what only the host has
            if not holds:
                raise unit.error(node, fact("cpp.assertion"))


def _check_dynamic_arrays(unit: CudaUnit, source: CudaSource) -> None:
    """Check that the dynamic shared arrays of all functions agree.

    Raises:
        Refused: two of one name have different types.
    """
    for variable, namespace in source.dynamic_arrays:
        try:
            kind = unit.module.type_of(unit, variable.type)
        except Refused:
            continue  # a type of the function itself
        if isinstance(kind, ArrayOf):
            check_dynamic(unit, variable, kind, namespace)


def _most_threads(unit: CudaUnit, kernel: declared.Function) -> int | None:
    """Return the threads of a block that `__launch_bounds__` allows; None without it.

    Raises:
        Refused: it is no constant.
    """
    if not kernel.launch_bounds:
        return None
    known = folding.fold(plain(unit, kernel.launch_bounds[0]).node)
    if known is None:
        raise unit.error(kernel.launch_bounds[0], fact("cpp.not-constant"))
    return int(known)


def _cluster(unit: CudaUnit, kernel: declared.Function) -> Three | None:
    """Return the blocks of a cluster along each axis, as `__cluster_dims__` says; else None."""
    sizes = [unit.module.constant(unit, each) for each in kernel.cluster]
    x, y, z = (*sizes, 1, 1, 1)[:3]
    return (x, y, z) if sizes else None


def default_arguments(source: CudaSource, name: str, line: int = 0) -> dict[str, Any]:
    """Return the numbers that a kernel's parameters have by default, by name.

    Args:
        line: of its name, where several have this name.

    Raises:
        Refused: a default is no constant.
    """
    kernel = source.find_kernel(name, line)
    module = Module(source.tree, CudaProgram(), HOOKS, source.symbols)
    unit = CudaUnit(module, nodes.Function(name, (), Nothing()), Scopes({}), frozenset(), VOID)
    found: dict[str, Any] = {}
    for each in kernel.parameters:
        if isinstance(each.default, syntax.NullPointer):
            found[each.name] = None
        elif each.default is not None:
            found[each.name] = folding.fold(plain(unit, each.default).node)
            if found[each.name] is None:
                raise unit.error(each.default, fact("cpp.not-constant"))
    return found


def _bind(
    unit: CudaUnit,
    kernel: declared.Function,
    arguments: Sequence[syntax.TemplateArgument],
    given: Sequence[CType],
) -> dict[str, Any]:
    """Return what the parameters of a kernel's template stand for."""
    parameters = kernel.template or ()
    text = describe_kernel(kernel)
    variadic = any(each.pack for each in parameters)
    if len(arguments) > len(parameters) and not variadic:
        raise InvalidLaunch(
            fact("cpp.template-count", kernel=text, n=len(parameters), given=len(arguments))
        )
    for parameter, argument in zip(() if variadic else parameters, arguments, strict=False):
        if (parameter.type is None) != isinstance(argument, syntax.Type):
            own = parameter.name
            if parameter.type is None:
                raise InvalidLaunch(fact("cpp.template-type", parameter=own, kernel=text))
            raise InvalidLaunch(fact("cpp.template-number", parameter=own, kernel=text))
    written = tuple(arguments) or None
    pairs = zip(kernel.parameters, given, strict=False)
    arrays = [(own, kind) for own, kind in pairs if isinstance(kind, PointerTo) and not variadic]
    by_arrays = replace(kernel, parameters=tuple(own for own, _ in arrays))
    bindings = bind(unit, by_arrays, written, [kind for _, kind in arrays])
    if bindings is None:  # a number has a type of its own only where no array says which
        bindings = bind(unit, kernel, written, given)
    if bindings is None:
        raise InvalidLaunch(fact("cpp.template-open", kernel=text, name=kernel.name))
    return bindings


def _instance_name(kernel: declared.Function, bindings: Mapping[str, Any]) -> str:
    if not bindings:
        return kernel.name
    return f"{kernel.name}<{', '.join(map(describe_binding, flat(bindings)))}>"


def describe_kernel(kernel: declared.Function) -> str:
    """Write a kernel's signature: `transpose<int TILE>(const float *in, float *out, int n)`."""
    parameters = ", ".join(format_type(each.type, each.name) for each in kernel.parameters)
    return f"{qualified_name(kernel)}{_template(kernel)}({parameters})"


def name_parameters(kernel: declared.Function, count: int | None = None) -> tuple[str, ...]:
    """Return the names of a kernel's parameters; of one without a name its number, from 1.

    With a `count` of its arguments, a pack has a name for each.
    """
    names = [each.name or str(place) for place, each in enumerate(kernel.parameters, 1)]
    if count is not None and kernel.parameters and kernel.parameters[-1].pack:
        pack = names.pop()
        names += [element_name(pack, at) for at in range(count - len(names))]
    return tuple(names)


def _template(kernel: declared.Function) -> str:
    if not kernel.template:
        return ""
    parts = (
        f"typename {each.name}" if each.type is None else format_type(each.type, each.name)
        for each in kernel.template
    )
    return f"<{', '.join(parts)}>"
