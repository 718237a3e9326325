"""Makes a kernel of a PTX text one that can be launched, like one of a source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from grader.did_you_mean import suggest
from grader.facts import fact
from grader.frozen import frozen
from grader.simt.errors import InvalidLaunch, Refused
from grader.simt.program.kernel import CompiledFunction, CompiledKernel, Program
from grader.simt.program.nodes import Expression, Read
from grader.simt.program.types import Scalar
from grader.simt.ptx import syntax
from grader.simt.ptx.functions import PtxFunctions, find_slots, parameter_type
from grader.simt.ptx.operands import slot_dtype, source_name
from grader.simt.ptx.reading import read_ptx
from grader.simt.ptx.shown import PtxFunction
from grader.simt.ptx.values import DTYPES

Lines = tuple[str, ...]


@frozen
class ParameterField:
    """A number or a pointer that a kernel is launched with: a parameter, or a member of one.

    Attributes:
        parameter: the number of the parameter.
        whole: True for a part of a parameter whose address the kernel takes.
        is_integer: True if the PTX says so; bits may be a float's.
    """

    name: str
    parameter: int
    offset: int
    dtype: Scalar
    whole: bool = False
    is_integer: bool = False


@dataclass
class PtxProgram(Program):
    """What all functions of a kernel share. `files`: the lines of each file; the kernel's is ""."""

    files: Mapping[str, Lines] = field(default_factory=dict, repr=False)

    @property
    def sources(self) -> Mapping[str, Lines]:
        """The lines of each file; the kernel's is ""."""
        return self.files


def find_kernel(module: syntax.Module, name: str) -> syntax.Function:
    """Return a kernel by its name, mangled or as the source has it.

    Raises:
        InvalidLaunch: there is none of this name, or several.
    """
    known = module.kernels
    named = [each for each in known if name in (each, source_name(each))]
    if len(named) == 1:
        return module.functions[named[0]]
    if not known:
        raise InvalidLaunch(fact("ptx.no-kernels"))
    shown = tuple(map(source_name, known))
    if named:
        raise InvalidLaunch(fact("ptx.several-kernels", name=name, known=tuple(named)))
    raise InvalidLaunch(fact("cpp.no-kernel", name=name, known=shown), suggest(name, shown))


def list_fields(kernel: syntax.Function, names: Sequence[str] = ()) -> tuple[ParameterField, ...]:
    """Return what a kernel is launched with: of a structure, what the kernel reads of it.

    Args:
        names: of its parameters in the source; further ones are left out if it does not read them.
            None are given: they are numbered.
    """
    found = []
    for number, each in enumerate(kernel.parameters):
        own = names[number] if number < len(names) else f"param_{number}"
        if names and number >= len(names) and not is_read(kernel, number):
            continue
        if each.type in DTYPES and each.size == DTYPES[each.type].itemsize:
            dtype, is_integer = parameter_type(each.type), each.type[0] in "us"
            found.append(ParameterField(own, number, 0, dtype, is_integer=is_integer))
            continue
        for _, offset, size in find_slots(kernel, {each.name}, "ld"):
            found.append(ParameterField(f"{own}+{offset}", number, offset, slot_dtype(size)))
        if is_pointed_to(kernel, each.name):
            word = next(size for size in (8, 4, 2, 1) if each.size % size == 0)
            found += [
                ParameterField(f"{own}@{offset}", number, offset, slot_dtype(word), whole=True)
                for offset in range(0, each.size, word)
            ]
    return tuple(found)


def is_read(kernel: syntax.Function, parameter: int) -> bool:
    """Return True if a kernel reads the parameter of a number."""
    name = kernel.parameters[parameter].name
    return bool(find_slots(kernel, {name}, "ld")) or is_pointed_to(kernel, name)


def is_pointed_to(kernel: syntax.Function, parameter: str) -> bool:
    """Return True if a kernel takes the address of a parameter, as of a tensor's map."""
    return any(
        each.opcode in ("mov", "cvta") and parameter in each.operands[1:]
        for each in kernel.instructions
    )


def _find_given(
    kernel: syntax.Function, fields: Sequence[ParameterField]
) -> dict[tuple[str, int], Expression]:
    """Return what is at the places of the parameters that a kernel loads."""
    return {
        (kernel.parameters[each.parameter].name, each.offset): Read(each.dtype, each.name)
        for each in fields
        if not each.whole
    }


def _find_pointed(
    kernel: syntax.Function, fields: Sequence[ParameterField]
) -> dict[str, tuple[Expression, ...]]:
    """Return what is in the parameters whose address a kernel takes, by their names."""
    found: dict[str, tuple[Expression, ...]] = {}
    for each in fields:
        if each.whole:
            name = kernel.parameters[each.parameter].name
            found[name] = (*found.get(name, ()), Read(each.dtype, each.name))
    return found


def lower_ptx(
    module: syntax.Module,
    kernel: syntax.Function,
    fields: Sequence[ParameterField],
    *,
    name: str = "",
    qualified: str = "",
    start: tuple[int, int] | None = None,
    path: str = "",
    sources: Mapping[str, Lines] | None = None,
    symbols: Mapping[str, NDArray[Any]] | None = None,
    compiler: str = "PTX",
    recipe: Any = None,
    replicated: bool = False,
) -> CompiledKernel:
    """Lower a kernel.

    Args:
        name: as the source has it.
        qualified: the same with its namespaces.
        start: line and column where it begins in the source; with `sources`.
        sources: the lines of the source and of what it includes; None: places are those of the PTX.
        symbols: the bytes of variables in memory of the device, by their names in the source.
        recipe: see `PtxFunction`.
        replicated: see `Program`.

    Raises:
        Refused: it uses what is not emulated.
    """
    by_source = sources is not None
    program = PtxProgram(files=sources if sources is not None else {"": module.lines})
    program.stores_anywhere, program.replicated = True, replicated
    program.most_threads, program.cluster = kernel.most_threads, kernel.cluster
    functions = PtxFunctions(module, program, symbols or {}, by_source=by_source, path=path)
    names = tuple(each.name for each in fields)
    try:
        types, pointed = [each.dtype for each in fields], _find_pointed(kernel, fields)
        given = _find_given(kernel, fields)
        lowered = functions.lower_kernel(kernel, names, types, given, pointed)
    except Refused as error:
        error.file = error.file or path or module.path
        raise

    def read_again(text: str) -> CompiledKernel:
        changed = read_ptx(text, module.path)
        again = changed.functions[kernel.name]
        return lower_ptx(changed, again, fields, compiler=compiler, replicated=replicated)

    shown = PtxFunction(
        name or source_name(kernel.name), qualified or kernel.name, names, path or module.path,
        start if start is not None and by_source else (kernel.line, 1),
        compiler, None if by_source else read_again, recipe, kernel.name, module.lines,
    )  # fmt: skip
    compiled = CompiledFunction(lowered, frozenset(names), pointers=True)
    return CompiledKernel(shown, program, compiled)
