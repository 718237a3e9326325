"""Writes more kernels that do not do what is asked, for any problem: on a GPU each must be wrong.

Some fill the outputs, some are the solution with its stores changed. A problem on which one of them
is right has shapes or inputs too weak to tell.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.kernels.cheating.python_text import begin_with, parse_expression, transform
from grader.kernels.cheating.writing import (
    Cheat,
    OutputStores,
    build_kernel,
    unravel_index,
    write_cheats,
)
from grader.kernels.inputs import make_arguments
from grader.kernels.problem import Argument, Problem

_EACH = """\
    for i in range(block * threads + thread, {output}.size, blocks * threads):
{body}
"""
_TABLE = 64
"""Elements of the expected result that a cheat contains."""
Change = Callable[[str, ast.expr, ast.expr], tuple[ast.expr, ast.expr]]
"""Maps the array, the index and the value of a store to another index and value."""
_ATOMIC_ARGUMENTS = 3
"""An array, an index, a value."""


def gpu_cheats(problem: Problem, solution: str, right: Sequence[NDArray[Any]]) -> Iterator[Cheat]:
    """Write all cheats that a problem allows, including those of `grader.kernels.cheating.writing`.

    Args:
        problem: what is asked; nothing of it is run.
        solution: a submission that passes; its kernel must be a function of the problem's name.
        right: the outputs of the problem's first shape: `Referee.reference_outputs`.
    """
    # A GPU compares values: those that do not share the work are right.
    yield from write_cheats(replace(problem, limits=()), solution)
    if problem.language == "cuda":
        return  # the others are made from a tree of Python; the gates are the same
    yield from _fill_outputs(problem, right)
    yield from _change_stores(problem, solution)
    yield from _change_kernels(problem, solution)


def _fill_outputs(problem: Problem, right: Sequence[NDArray[Any]]) -> Iterator[Cheat]:
    """Write kernels that ignore the inputs."""
    outputs = [problem.arguments[i] for i in problem.outputs]
    stay = [_keep(argument) for argument in outputs]
    yield Cheat("stale output of an earlier call", _fill(problem, stay))
    means = [
        _literal(argument, _mean(array)) for argument, array in zip(outputs, right, strict=True)
    ]
    yield Cheat("the mean everywhere", _fill(problem, _stores(outputs, means)))
    ones = [_literal(argument, 1) for argument in outputs]
    yield Cheat("ones", _fill(problem, _stores(outputs, ones)))
    if any(_is_float(argument) for argument in outputs):
        nans = ["math.nan" if _is_float(argument) else "7" for argument in outputs]
        yield Cheat("not a number", _fill(problem, _stores(outputs, nans)))
    noise = ["((i * 1103515245 + 12345) % 65536) / 32768 - 1" if _is_float(argument)
             else "(i * 1103515245 + 12345) % 251" for argument in outputs]  # fmt: skip
    yield Cheat("random", _fill(problem, _stores(outputs, noise)))
    tables = [_table(array) for array in right]
    learned = [f"RIGHT{n}[i % {len(table)}]" for n, table in enumerate(tables)]
    text = "".join(f"RIGHT{n} = ({', '.join(table)},)\n" for n, table in enumerate(tables))
    body = _fill(problem, _stores(outputs, learned))
    yield Cheat("the expected result from globals", f"{text}\n\n{body}")
    yield from _copy_arrays(problem, outputs)


def _copy_arrays(problem: Problem, outputs: Sequence[Argument]) -> Iterator[Cheat]:
    """Write kernels that copy the last input, or another output, to the result."""
    arrays = [argument for argument in problem.arguments if argument.value is None]
    inputs = [argument for argument in arrays if argument.role == "input"]
    if len(inputs) > 1:
        source = _element(inputs[-1])
        yield Cheat("copy of the last input", _fill(problem, _stores(outputs, [source] * 9)))
    if len(outputs) > 1:
        turned = [_element(argument) for argument in (*outputs[1:], outputs[0])]
        yield Cheat("copy of another output", _fill(problem, _stores(outputs, turned)))


def _change_stores(problem: Problem, solution: str) -> Iterator[Cheat]:
    """Change the index or the value of the solution's stores to outputs."""
    outputs = [problem.arguments[i] for i in problem.outputs]
    changes: dict[str, Change] = {
        "negated": lambda _, index, value: (index, parse_expression(f"-({_text(value)})")),
        "one too large": lambda _, index, value: (index, parse_expression(f"({_text(value)}) + 1")),
    }
    if all(len(argument.shape) == 1 for argument in outputs):
        changes["off by one"] = lambda name, index, value: (
            parse_expression(f"({_text(index)} + 1) % {name}.size"), value,
        )  # fmt: skip
    elif all(len(argument.shape) > 1 for argument in outputs):
        changes["transposed"] = _transpose
    # Whole numbers would be cut back to what they were.
    if all(_is_float(argument) for argument in outputs):
        changes["one per mille too large"] = lambda _, index, value: (
            index, parse_expression(f"({_text(value)}) * 1.001 + 0.001"),
        )  # fmt: skip
    # A half stays as it is.
    if all(_is_float(argument) and argument.dtype != "float16" for argument in outputs):
        changes["half precision"] = lambda _, index, value: (
            index, parse_expression(f"np.float32(np.float16({_text(value)}))"),
        )  # fmt: skip
    for name, change in changes.items():
        yield Cheat(name, transform(_Stores(problem, change), solution))


def _transpose(name: str, index: ast.expr, value: ast.expr) -> tuple[ast.expr, ast.expr]:
    """Reverse the indices, each modulo the size of its axis."""
    if not isinstance(index, ast.Tuple):
        return index, value
    turned = [
        f"({_text(element)}) % {name}.shape[{axis}]"
        for axis, element in enumerate(reversed(index.elts))
    ]
    return parse_expression(f"({', '.join(turned)})"), value


def _change_kernels(problem: Problem, solution: str) -> Iterator[Cheat]:
    """Change the solution: it skips a part of the grid or of the shapes, or does more."""
    flat = "cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)"
    blocks = "cuda.gridDim.x * cuda.gridDim.y * cuda.gridDim.z"
    idle = {
        "last block only": f"{flat} != {blocks} - 1",
        "all but the last block": f"{flat} == {blocks} - 1",
        "every other block": f"({flat}) % 2",
    }
    for name, test in idle.items():
        yield Cheat(name, begin_with(problem.kernel, solution, f"if {test}:\n    return"))
    repeated = transform(_FirstBlock(problem), solution)
    if repeated != transform(ast.NodeTransformer(), solution):  # blocks may draw their numbers
        yield Cheat("the first block's part repeated", repeated)
    yield from _shape_cheats(problem, solution)
    yield from _mutations(problem, solution)


def _shape_cheats(problem: Problem, solution: str) -> Iterator[Cheat]:
    """Write a kernel that runs at the first shape alone, recognized by an array's size."""
    first = make_arguments(problem, 0)
    others = [make_arguments(problem, run) for run in range(1, len(problem.shapes))]
    for i, value in enumerate(first):
        if not isinstance(value, np.ndarray):
            continue
        if any(np.size(other[i]) != value.size for other in others):
            text = f"if {{}}.size != {value.size}:\n    return"
            yield Cheat("the first shape only", begin_with(problem.kernel, solution, text, i))
            return


def _mutations(problem: Problem, solution: str) -> Iterator[Cheat]:
    """Change the solution so that it modifies an input."""
    for i, argument in enumerate(problem.arguments):
        if argument.role != "input" or argument.value is not None:
            continue
        at = ", ".join("0" for _ in argument.shape)
        thread = "cuda.threadIdx.x + cuda.threadIdx.y + cuda.threadIdx.z"
        block = "cuda.blockIdx.x + cuda.blockIdx.y + cuda.blockIdx.z"
        change = f"{{}}[{at}] = 1 - {{}}[{at}]" if argument.dtype != "bool" else f"{{}}[{at}] = 0"
        text = f"if {thread} + {block} == 0:\n    {change}"
        yield Cheat("an input changed", begin_with(problem.kernel, solution, text, i))
        return


class _FirstBlock(ast.NodeTransformer):
    """Every block does the first one's part."""

    def __init__(self, problem: Problem) -> None:
        self._kernel = problem.kernel

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Replace `cuda.blockIdx.x` by 0."""
        if ast.unparse(node.value) == "cuda.blockIdx":
            return ast.copy_location(ast.Constant(0), node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Replace `cuda.grid(n)` by the thread's index in its block."""
        match node:
            case ast.Call(func=func, args=[ast.Constant(value=int() as axes)]) if (
                ast.unparse(func) == "cuda.grid"
            ):
                names = [f"cuda.threadIdx.{axis}" for axis in "xyz"[:axes]]
                return parse_expression(names[0] if axes == 1 else f"({', '.join(names)})")
        self.generic_visit(node)
        return node


class _Stores(OutputStores):
    """Every store to an output, also an atomic one, with another index or value."""

    def __init__(self, problem: Problem, change: Change) -> None:
        super().__init__(problem)
        self._change = change

    def replace_store(
        self, node: ast.Assign | ast.AugAssign, name: str, target: ast.Subscript
    ) -> ast.stmt:
        """Replace `out[i] = v`."""
        target.slice, node.value = self._change(name, target.slice, node.value)
        return node

    def replace_atomic(self, node: ast.Expr, name: str, call: ast.Call) -> ast.stmt:
        """Replace `cuda.atomic.add(out, i, v)`."""
        if len(call.args) == _ATOMIC_ARGUMENTS:
            call.args[1:] = self._change(name, call.args[1], call.args[2])
        return node


def _fill(problem: Problem, loops: Iterable[str]) -> str:
    return build_kernel(problem, "".join(loops))


def _stores(outputs: Sequence[Argument], values: Sequence[str]) -> Iterator[str]:
    for output, value in zip(outputs, values, strict=False):
        store = f"        {output.name}[{unravel_index(output, 'i')}] = {value}"
        yield _EACH.format(output=output.name, body=store)


def _keep(output: Argument) -> str:
    """Write the expression that keeps an element, but replaces NaN."""
    at = f"{output.name}[{unravel_index(output, 'i')}]"
    none = f"{at} != {at}" if _is_float(output) else f"{at} < 0"
    return _EACH.format(output=output.name, body=f"        if {none}:\n            {at} = 0")


def _element(argument: Argument) -> str:
    return f"{argument.name}[{unravel_index(argument, f'(i % {argument.name}.size)')}]"


def _table(array: NDArray[Any]) -> list[str]:
    flat = np.asarray(array).reshape(-1)[:_TABLE]
    if flat.dtype.kind == "f":
        return [repr(float(number)) if np.isfinite(number) else "0.0" for number in flat]
    return [str(int(number)) for number in flat]


def _mean(array: NDArray[Any]) -> float:
    wide = np.asarray(array, np.float64)
    finite = wide[np.isfinite(wide)]
    return float(finite.mean()) if finite.size else 0.5


def _literal(argument: Argument, value: float) -> str:
    return repr(float(value)) if _is_float(argument) else str(int(value))


def _is_float(argument: Argument) -> bool:
    return (argument.dtype or "float32").startswith("float")


def _text(node: ast.expr) -> str:
    return ast.unparse(node)
