"""Makes a kernel of an elementwise function: each thread calls it for its own elements.

The kernel has the function's name, file and parameters, and stands in the line of its `def`, so a
report shows it as the function itself.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from grader.facts import fact
from grader.simt.errors import NotTyped
from grader.simt.host.arrays import EmulatedArray, MappedArray
from grader.simt.host.interface import as_cuda_array, is_cuda_array
from grader.simt.host.numba_names.numba_errors import as_numbas
from grader.simt.host.numba_names.signatures import explicit
from grader.simt.host.session import Config, ScriptSession
from grader.simt.host.streams import stream_of
from grader.simt.launches.api import read, result_type
from grader.simt.numba.reading.source import Function, of_function
from grader.simt.program.types import Scalar, number

_BLOCK = 128


def core_of(function: Callable[..., Any], signature: Any = None) -> Function:
    """Read the function that each thread calls; a signature converts its operands and its result.

    Raises:
        Refused: its source is not available.
    """
    core = of_function(function)
    return core if signature is None else replace(core, signatures=tuple(explicit(signature)))


def result_of(core: Function, operands: Sequence[Scalar]) -> Scalar:
    """Return the dtype that a function gives for numbers.

    Raises:
        NotTyped: its types do not fit, or it gives something else.
    """
    try:
        result = number(result_type(core, operands))
    except NotTyped as error:
        raise as_numbas(error) from None
    if result is None:
        raise as_numbas(NotTyped(fact("script.vectorized-result", name=core.name)))
    return result


def stage(core: Function, parameters: Sequence[str], size: str, statement: str) -> Function:
    """Make the kernel.

    Args:
        core: the function, which the statement calls `__core__`.
        parameters: of the kernel.
        size: an expression for the number of threads that have something to do.
        statement: what each does; its number is `__tid__`.
    """
    name = core.name if core.name.isidentifier() else "vectorized"  # a lambda has no name
    text = (
        f"def {name}({', '.join(parameters)}):\n"
        f"    __tid__ = cuda.grid(1)\n"
        f"    if __tid__ < {size}:\n"
        f"        {statement}\n"
    )
    staged = read(text, names={"__core__": core})
    line = core.place(core.node)[0]
    for node in ast.walk(staged.node):
        if hasattr(node, "lineno"):
            ast.copy_location(node, core.node)
            node.lineno = line
    return replace(staged, lines=core.lines, first=0, indent=core.indent, path=core.path)


def run_staged(
    session: ScriptSession, kernel: Function, threads: int, arguments: Sequence[Any], stream: Any
) -> None:
    """Launch it for at least as many threads; for none, nothing happens."""
    if threads:
        config = Config(-(-threads // _BLOCK), _BLOCK, 0, stream_of(stream))
        session.run(kernel, config, arguments)


def known_array(value: Any) -> Any:
    """Return a device array for what other libraries made of one; anything else as it is."""
    foreign = is_cuda_array(value) and not isinstance(value, MappedArray)
    return as_cuda_array(value) if foreign else value


def on_device(array: Any) -> bool:
    """Return True if an argument is in the emulated device's memory."""
    return isinstance(array, EmulatedArray)


def spread(array: EmulatedArray, shape: tuple[int, ...]) -> EmulatedArray:
    """Return a device array as if it had a shape: its elements repeat, the memory does not."""
    if array.shape == shape:
        return array
    written = None if array.written is None else np.broadcast_to(array.written, shape)
    base = np.broadcast_to(array.base, shape)
    return EmulatedArray(base, written, array.history, array.stream)
