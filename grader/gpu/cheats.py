"""More kernels that do not do what is asked, made for any problem: on a GPU each must be wrong.

Some fill the outputs, some are the solution with its stores changed. A problem on which one of them
is right has shapes or inputs too weak to tell.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.kernels.cheats import Cheat, OutputStores, unravelled, whole, write_cheats
from grader.kernels.inputs import made
from grader.kernels.problem import Argument, Problem

_EACH = """\
    for i in range(block * threads + thread, {output}.size, blocks * threads):
{body}
"""
_TABLE = 64
"""Elements of the expected result that a cheat has learned by heart."""
Change = Callable[[str, ast.expr, ast.expr], tuple[ast.expr, ast.expr]]
"""From the array, the index and the value of a store to another index and value."""
_ATOMIC_ARGUMENTS = 3
"""An array, an index, a value."""


def gpu_cheats(problem: Problem, solution: str, right: Sequence[NDArray[Any]]) -> Iterator[Cheat]:
    """All that can be made for a problem, those of `grader.kernels.cheats` among them.

    Args:
        problem: what is asked; nothing of it is run.
        solution: a submission that passes; its kernel must be a function of the problem's name.
        right: the outputs of the problem's first shape: `Referee.right`.
    """
    yield from write_cheats(problem, solution)
    yield from _filling(problem, right)
    yield from _changed_stores(problem, solution)
    yield from _changed_kernels(problem, solution)


def _filling(problem: Problem, right: Sequence[NDArray[Any]]) -> Iterator[Cheat]:
    """Kernels that do not look at the question at all."""
    outputs = [problem.arguments[i] for i in problem.outputs]
    stay = [_kept(one) for one in outputs]
    yield Cheat("stale output of an earlier call", _filled(problem, stay))
    means = [_literal(one, _mean(array)) for one, array in zip(outputs, right, strict=True)]
    yield Cheat("the mean everywhere", _filled(problem, _stores(outputs, means)))
    ones = [_literal(one, 1) for one in outputs]
    yield Cheat("ones", _filled(problem, _stores(outputs, ones)))
    if any(_is_float(one) for one in outputs):
        nans = ["math.nan" if _is_float(one) else "7" for one in outputs]
        yield Cheat("not a number", _filled(problem, _stores(outputs, nans)))
    noise = ["((i * 1103515245 + 12345) % 65536) / 32768 - 1" if _is_float(one)
             else "(i * 1103515245 + 12345) % 251" for one in outputs]  # fmt: skip
    yield Cheat("random", _filled(problem, _stores(outputs, noise)))
    tables = [_table(array) for array in right]
    learned = [f"RIGHT{n}[i % {len(one)}]" for n, one in enumerate(tables)]
    text = "".join(f"RIGHT{n} = ({', '.join(one)},)\n" for n, one in enumerate(tables))
    body = _filled(problem, _stores(outputs, learned))
    yield Cheat("the expected result from globals", f"{text}\n\n{body}")
    yield from _copies(problem, outputs)


def _copies(problem: Problem, outputs: Sequence[Argument]) -> Iterator[Cheat]:
    """An array in place of the result: the last input, or another output."""
    arrays = [one for one in problem.arguments if one.value is None]
    inputs = [one for one in arrays if one.role == "input"]
    if len(inputs) > 1:
        source = _element(inputs[-1])
        yield Cheat("copy of the last input", _filled(problem, _stores(outputs, [source] * 9)))
    if len(outputs) > 1:
        turned = [_element(one) for one in (*outputs[1:], outputs[0])]
        yield Cheat("copy of another output", _filled(problem, _stores(outputs, turned)))


def _changed_stores(problem: Problem, solution: str) -> Iterator[Cheat]:
    """The solution, whose stores to outputs go elsewhere or hold something else."""
    outputs = [problem.arguments[i] for i in problem.outputs]
    changes: dict[str, Change] = {
        "negated": lambda _, index, value: (index, _parsed(f"-({_text(value)})")),
        "one too large": lambda _, index, value: (index, _parsed(f"({_text(value)}) + 1")),
    }
    if all(len(one.shape) == 1 for one in outputs):
        changes["off by one"] = lambda name, index, value: (
            _parsed(f"({_text(index)} + 1) % {name}.size"), value,
        )  # fmt: skip
    elif all(len(one.shape) > 1 for one in outputs):
        changes["transposed"] = _transposed
    # Whole numbers would be cut back to what they were.
    if all(_is_float(one) for one in outputs):
        changes["one per mille too large"] = lambda _, index, value: (
            index, _parsed(f"({_text(value)}) * 1.001 + 0.001"),
        )  # fmt: skip
        changes["half precision"] = lambda _, index, value: (
            index, _parsed(f"np.float32(np.float16({_text(value)}))"),
        )  # fmt: skip
    for name, change in changes.items():
        yield Cheat(name, _with(_Stores(problem, change), solution))


def _transposed(name: str, index: ast.expr, value: ast.expr) -> tuple[ast.expr, ast.expr]:
    """The indices in turned order, each within its axis."""
    if not isinstance(index, ast.Tuple):
        return index, value
    turned = [
        f"({_text(one)}) % {name}.shape[{axis}]" for axis, one in enumerate(reversed(index.elts))
    ]
    return _parsed(f"({', '.join(turned)})"), value


def _changed_kernels(problem: Problem, solution: str) -> Iterator[Cheat]:
    """The solution, of which a part of the grid or of the shapes is left out, or more is done."""
    flat = "cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)"
    blocks = "cuda.gridDim.x * cuda.gridDim.y * cuda.gridDim.z"
    yield Cheat(
        "last block only",
        _with(_Top(problem, f"if {flat} != {blocks} - 1:\n    return"), solution),
    )
    yield Cheat(
        "all but the last block",
        _with(_Top(problem, f"if {flat} == {blocks} - 1:\n    return"), solution),
    )
    yield Cheat(
        "every other block", _with(_Top(problem, f"if ({flat}) % 2:\n    return"), solution)
    )
    yield Cheat("the first block's part repeated", _with(_FirstBlock(problem), solution))
    yield from _shape_cheats(problem, solution)
    yield from _mutations(problem, solution)


def _shape_cheats(problem: Problem, solution: str) -> Iterator[Cheat]:
    """Right at the first shape alone: told by the size of an array that differs elsewhere."""
    first = made(problem, 0)
    others = [made(problem, run) for run in range(1, len(problem.shapes))]
    for i, argument in enumerate(problem.arguments):
        one = first[i]
        if not isinstance(one, np.ndarray):
            continue
        if any(np.size(other[i]) != one.size for other in others):
            name = _Parameter(argument.name, i)
            text = f"if {{}}.size != {one.size}:\n    return"
            yield Cheat("the first shape only", _with(_Top(problem, text, name), solution))
            return


def _mutations(problem: Problem, solution: str) -> Iterator[Cheat]:
    """The solution, after which an input is another."""
    for i, argument in enumerate(problem.arguments):
        if argument.role != "input" or argument.value is not None:
            continue
        at = ", ".join("0" for _ in argument.shape)
        one = "cuda.threadIdx.x + cuda.threadIdx.y + cuda.threadIdx.z"
        block = "cuda.blockIdx.x + cuda.blockIdx.y + cuda.blockIdx.z"
        change = f"{{}}[{at}] = 1 - {{}}[{at}]" if argument.dtype != "bool" else f"{{}}[{at}] = 0"
        text = f"if {one} + {block} == 0:\n    {change}"
        name = _Parameter(argument.name, i)
        yield Cheat("an input changed", _with(_Top(problem, text, name), solution))
        return


class _Parameter:
    """An argument by its place: a solution may call it otherwise."""

    def __init__(self, name: str, position: int) -> None:
        self.name = name
        self.position = position


class _Top(ast.NodeTransformer):
    """Something in front of all that the kernel does."""

    def __init__(self, problem: Problem, text: str, parameter: _Parameter | None = None) -> None:
        self._kernel = problem.kernel
        self._text = text
        self._parameter = parameter

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Put it there."""
        if node.name == self._kernel:
            text = self._text
            if self._parameter is not None:
                text = text.replace("{}", node.args.args[self._parameter.position].arg)
            node.body[:0] = ast.parse(text).body
        return node


class _FirstBlock(ast.NodeTransformer):
    """Every block does the first one's part."""

    def __init__(self, problem: Problem) -> None:
        self._kernel = problem.kernel

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """`cuda.blockIdx.x` is 0."""
        if ast.unparse(node.value) == "cuda.blockIdx":
            return ast.copy_location(ast.Constant(0), node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """`cuda.grid(n)` is the place in the block."""
        match node:
            case ast.Call(func=func, args=[ast.Constant(value=int() as axes)]) if (
                ast.unparse(func) == "cuda.grid"
            ):
                names = [f"cuda.threadIdx.{axis}" for axis in "xyz"[:axes]]
                return _parsed(names[0] if axes == 1 else f"({', '.join(names)})")
        self.generic_visit(node)
        return node


class _Stores(OutputStores):
    """Every store to an output, also an atomic one, with another index or value."""

    def __init__(self, problem: Problem, change: Change) -> None:
        super().__init__(problem)
        self._change = change

    def stored(
        self, node: ast.Assign | ast.AugAssign, name: str, target: ast.Subscript
    ) -> ast.stmt:
        """`out[i] = v`."""
        target.slice, node.value = self._change(name, target.slice, node.value)
        return node

    def called(self, node: ast.Expr, name: str, call: ast.Call) -> ast.stmt:
        """`cuda.atomic.add(out, i, v)`."""
        if len(call.args) == _ATOMIC_ARGUMENTS:
            call.args[1:] = self._change(name, call.args[1], call.args[2])
        return node


def _with(transformer: ast.NodeTransformer, solution: str) -> str:
    tree = transformer.visit(ast.parse(solution))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def _filled(problem: Problem, loops: Iterable[str]) -> str:
    return whole(problem, "".join(loops))


def _stores(outputs: Sequence[Argument], values: Sequence[str]) -> Iterator[str]:
    for output, value in zip(outputs, values, strict=False):
        store = f"        {output.name}[{unravelled(output, 'i')}] = {value}"
        yield _EACH.format(output=output.name, body=store)


def _kept(output: Argument) -> str:
    """What is there stays, save what is no number."""
    at = f"{output.name}[{unravelled(output, 'i')}]"
    none = f"{at} != {at}" if _is_float(output) else f"{at} < 0"
    return _EACH.format(output=output.name, body=f"        if {none}:\n            {at} = 0")


def _element(argument: Argument) -> str:
    return f"{argument.name}[{unravelled(argument, f'(i % {argument.name}.size)')}]"


def _table(array: NDArray[Any]) -> list[str]:
    flat = np.asarray(array).reshape(-1)[:_TABLE]
    if flat.dtype.kind == "f":
        return [repr(float(one)) if np.isfinite(one) else "0.0" for one in flat]
    return [str(int(one)) for one in flat]


def _mean(array: NDArray[Any]) -> float:
    wide = np.asarray(array, np.float64)
    finite = wide[np.isfinite(wide)]
    return float(finite.mean()) if finite.size else 0.5


def _literal(argument: Argument, value: float) -> str:
    return repr(float(value)) if _is_float(argument) else str(int(value))


def _is_float(argument: Argument) -> bool:
    return (argument.dtype or "float32").startswith("float")


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _text(node: ast.expr) -> str:
    return ast.unparse(node)
