"""What is called from outside: a function, or a text, in; a launch out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from grader.simt.arguments import type_of
from grader.simt.errors import Refused
from grader.simt.launching import Explanation, Launch
from grader.simt.launching import explained as run_explained
from grader.simt.launching import launch as run
from grader.simt.launching import prepared as made_ready
from grader.simt.module import read_module
from grader.simt.program import Kernel
from grader.simt.source import Function, of_function
from grader.simt.types import Type

Code = str | Function | Kernel | Callable[..., Any]
_ready: WeakKeyDictionary[Any, dict[Any, Kernel]] = WeakKeyDictionary()
"""Kernels made ready, by function and types, as Numba keeps compiled ones."""


def read(code: Code, name: str = "", names: Mapping[str, Any] | None = None) -> Function:
    """A kernel, from a Python function or from a text.

    Args:
        code: a function, what `cuda.jit` made of one, or a text with functions in it.
        name: which function of a text; its last one if not given.
        names: globals of a text, beside `cuda`, `math`, `np` and `numba`.

    Raises:
        Refused: it is not Python, or there is no such function.
    """
    if isinstance(code, Function):
        return code
    if not isinstance(code, str):
        return of_function(code)  # type: ignore[arg-type]
    functions = read_module(code, names)
    if not functions or (name and name not in functions):
        what = f"there is no function {name}" if name else "there is no function"
        raise Refused(what, 1, 1, "write def kernel(…):")
    return functions[name or list(functions)[-1]]


def prepared(code: Code, arguments: Sequence[Any]) -> Kernel:
    """A kernel made ready for the types of these arguments; the same one for the same types.

    Raises:
        Refused: it uses what is not emulated, or its types do not fit.
        InvalidLaunch: these arguments cannot be given.
    """
    if isinstance(code, Kernel):
        return code
    if isinstance(code, str):
        return made_ready(read(code), [type_of(one) for one in arguments])
    return compiled(code, [type_of(one) for one in arguments])


def compiled(code: Function | Callable[..., Any], types: Sequence[Type]) -> Kernel:
    """A kernel made ready for arguments of these types; the same one for the same types.

    Raises:
        Refused: it uses what is not emulated, or its types do not fit.
        InvalidLaunch: it takes another number of arguments.
    """
    kept, key = _ready.setdefault(code, {}), tuple(types)
    if key not in kept:
        kept[key] = made_ready(read(code), key)
    return kept[key]


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
            what `prepared` gave.
        grid: blocks along each axis, as Numba takes it.
        block: threads along each axis.
        arguments: NumPy arrays, numbers and tuples of numbers.
        options: shared_bytes, budget, arch, outputs, progress: see `launching.launch`.

    Raises:
        Refused: the kernel uses what is not emulated.
        InvalidLaunch: arguments or sizes that cannot be.
    """
    return run(prepared(code, arguments), grid, block, arguments, **options)


def explained(
    code: Code,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    arguments: Sequence[Any],
    element: tuple[str, int | tuple[int, ...]],
    **options: Any,
) -> Explanation:
    """Who writes an element last, and what that thread reads for it; see `launching.explained`.

    Args:
        code: as for `launch`.
        grid: blocks along each axis.
        block: threads along each axis.
        arguments: as they were before the launch; not changed.
        element: name of the array and index.
        options: as for `launch`.

    Raises:
        Refused: the kernel uses what is not emulated.
        InvalidLaunch: arguments or sizes that cannot be.
    """
    return run_explained(prepared(code, arguments), grid, block, arguments, element, **options)
