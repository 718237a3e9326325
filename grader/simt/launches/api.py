"""Launches a kernel, given as a function or a text, and reports on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from grader.facts import fact
from grader.simt.errors import Refused
from grader.simt.launches.arguments import type_of
from grader.simt.launches.launching import compile_for_types
from grader.simt.launches.launching import launch as run
from grader.simt.launches.reports import Launch
from grader.simt.memory.recorder import Moment, Recorder
from grader.simt.numba.kernel import type_result
from grader.simt.numba.library.tables import SPECIAL, known_calls
from grader.simt.numba.reading.module import read_module
from grader.simt.numba.reading.source import Function, of_function
from grader.simt.program.kernel import CompiledKernel
from grader.simt.program.types import Type, layouts

Code = str | Function | CompiledKernel | Callable[..., Any]
_ready: WeakKeyDictionary[Any, dict[Any, CompiledKernel]] = WeakKeyDictionary()
"""Compiled kernels of Python's functions, by function and types, as Numba keeps them."""


def read(code: Code, name: str = "", names: Mapping[str, Any] | None = None) -> Function:
    """Read a kernel from a Python function or from a text.

    Args:
        code: a function, what `cuda.jit` made of one, or a text with functions in it.
        name: which function of a text; its last one if not given.
        names: globals of a text, beside `cuda`, `math`, `np` and `numba`.

    Raises:
        Refused: it is not Python, or there is no such function.
    """
    if isinstance(code, Function):
        return code
    if isinstance(code, CompiledKernel):
        function: Function = code.function
        return function
    if not isinstance(code, str):
        return of_function(code)
    functions = read_module(code, names)
    if not functions or (name and name not in functions):
        raise Refused(fact("python.no-function", name=name) if name else fact("python.no-kernel"))
    return functions[name or list(functions)[-1]]


def compile_for(
    code: Code, arguments: Sequence[Any], recorder: Recorder | None = None
) -> CompiledKernel:
    """Compile a kernel for the types of these arguments; once for the same types.

    Args:
        code: see `launch`.
        recorder: what looks at a thread in each launch; None for nothing.

    Raises:
        Refused: it uses what is not emulated, or its types do not fit.
        InvalidLaunch: a kernel cannot take these arguments.
    """
    if isinstance(code, CompiledKernel):
        return code
    types = [type_of(argument) for argument in arguments]
    if recorder is not None or isinstance(code, str):
        return compile_for_types(read(code), types, recorder)
    return compile_once(code, types)


def compile_once(code: Function | Callable[..., Any], types: Sequence[Type]) -> CompiledKernel:
    """Compile a kernel for arguments of these types; once for the same types.

    Raises:
        Refused: it uses what is not emulated, or its types do not fit.
        InvalidLaunch: it takes a different number of arguments.
    """
    kept = code.compiled if isinstance(code, Function) else _ready.setdefault(code, {})
    key = (*types, *layouts(types))
    if key not in kept:
        kept[key] = compile_for_types(read(code), types)
    return kept[key]


def result_type(function: Function, types: Sequence[Type]) -> Type:
    """Return the type of what a function that kernels call returns for arguments of these types.

    Raises:
        Refused: it uses what is not emulated, or its types do not fit.
    """
    explicit = function.signatures[0].result if function.signatures else None
    return explicit or type_result(function, types, known_calls(function), SPECIAL)


def launch(
    code: Code,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    arguments: Sequence[Any],
    **options: Any,
) -> Launch:
    """Run a kernel; the arrays are changed in place.

    Args:
        code: a function, what `cuda.jit` made of one, a text whose last function is the kernel, or
            what `compile_for` returned.
        grid: blocks along each axis, as Numba takes it.
        block: threads along each axis.
        arguments: NumPy arrays, numbers and tuples of numbers.
        options: shared_bytes, budget, arch, outputs, progress: see `launching.launch`.

    Raises:
        Refused: the kernel uses what is not emulated.
        InvalidLaunch: the arguments or sizes are impossible.
    """
    return run(compile_for(code, arguments), grid, block, arguments, **options)


def record(
    code: str | Function,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    arguments: Sequence[Any],
    moment: Moment,
    **options: Any,
) -> Recorder:
    """Run a kernel, and look at one thread where it executes a line; arrays change as by `launch`.

    Args:
        code: a function read before, or a text whose last function is the kernel.
        grid: see `launch`, as for all but `moment`.
        block: threads along each axis.
        arguments: NumPy arrays, numbers and tuples of numbers.
        moment: which thread, in which line, and which time it gets there.
        options: shared_bytes, seconds, ….

    Raises:
        Refused: the kernel uses what is not emulated.
        InvalidLaunch: the arguments or sizes are impossible.
    """
    recorder = Recorder(moment)
    run(compile_for(code, arguments, recorder), grid, block, arguments, **options)
    return recorder
