"""Writes kernels that do not do what is asked, for any problem: each must fail.

`quiz lint` grades them all: one that passes shows that the gates are weak. Those that do part of
the work are made from the solution's own tree.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from grader.kernels.cheating.python_text import (
    begin_with,
    find_kernel,
    parse_expression,
    transform,
    write_tree,
)
from grader.kernels.cheating.serial import UNITS, write_serial_cheats
from grader.kernels.problem import Argument, Problem

CHEATS = (
    "nothing", "zeros", "copy of an input", "first element only", "one block only", "assertion",
    "trap", *UNITS.values(),
)  # fmt: skip
"""An assertion and a trap end the launch; the last ones give the right values."""
_LOOP = """\
def {kernel}({parameters}):
    threads = cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z
    thread = cuda.threadIdx.x + cuda.blockDim.x * (
        cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)
    block = cuda.blockIdx.x + cuda.gridDim.x * (
        cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)
    blocks = cuda.gridDim.x * cuda.gridDim.y * cuda.gridDim.z
{body}"""
_EACH = """\
    for i in range(block * threads + thread, {output}.size, blocks * threads):
        {output}[{index}] = {value}
"""


_ONE_BLOCK = "if cuda.blockIdx.x or cuda.blockIdx.y or cuda.blockIdx.z:\n    return"


@dataclass(frozen=True, slots=True)
class Cheat:
    """A kernel that does not do what is asked, by its name in `CHEATS`."""

    name: str
    source: str


def write_cheats(problem: Problem, solution: str) -> Iterator[Cheat]:
    """Write all cheats that the problem allows: a copy needs an array to copy.

    Args:
        solution: a submission that passes; its kernel must be a function of the problem's name.
    """
    if problem.language == "cuda":
        # The parser of C++ takes 100 ms that Python saves.
        from grader.kernels.cheating.cuda import write_cuda_cheats  # noqa: PLC0415

        yield from (Cheat(*each) for each in write_cuda_cheats(problem, solution))
        return
    if problem.language == "triton":
        from grader.kernels.cheating.triton import write_triton_cheats  # noqa: PLC0415 - seldom

        yield from (Cheat(*each) for each in write_triton_cheats(problem, solution))
        return
    yield Cheat("nothing", build_kernel(problem, "    return\n"))
    yield Cheat("zeros", build_kernel(problem, "".join(_fill_outputs(problem, None))))
    arrays = [argument for argument in problem.arguments if argument.value is None]
    inputs = [argument for argument in arrays if argument.role == "input"]
    if inputs:
        yield Cheat(
            "copy of an input", build_kernel(problem, "".join(_fill_outputs(problem, inputs[0])))
        )
    yield Cheat("first element only", transform(_FirstOnly(problem), solution))
    yield Cheat("one block only", begin_with(problem.kernel, solution, _ONE_BLOCK))
    yield Cheat("assertion", _write_assertion(problem.kernel, solution))
    yield from (Cheat(*each) for each in write_serial_cheats(problem, solution))


def build_kernel(problem: Problem, body: str) -> str:
    """Write a kernel of the problem's signature; the body can use its index in the grid."""
    names = ", ".join(argument.name for argument in problem.arguments)
    return _LOOP.format(kernel=problem.kernel, parameters=names, body=body)


def _fill_outputs(problem: Problem, copied: Argument | None) -> Iterator[str]:
    """Write a loop for every output that stores zeros or the elements of an input."""
    for position in problem.outputs:
        output = problem.arguments[position]
        value = "0"
        if copied is not None:
            value = f"{copied.name}[{unravel_index(copied, f'(i % {copied.name}.size)')}]"
        index = unravel_index(output, "i")
        yield _EACH.format(output=output.name, index=index, value=value)


def unravel_index(argument: Argument, flat: str) -> str:
    """Write the indices of the `flat`-th element."""
    parts = []
    for axis in range(len(argument.shape)):
        inner = [f"{argument.name}.shape[{i}]" for i in range(axis + 1, len(argument.shape))]
        part = f"{flat} // ({' * '.join(inner)})" if inner else flat
        parts.append(f"{part} % {argument.name}.shape[{axis}]" if axis else part)
    return ", ".join(parts)


def _write_assertion(kernel: str, solution: str) -> str:
    """Let every thread assert what does not hold, in a kernel compiled with `debug=True`."""
    tree = ast.parse(begin_with(kernel, solution, "assert False"))
    find_kernel(tree, kernel).decorator_list = [parse_expression("cuda.jit(debug=True)")]
    return write_tree(tree)


class OutputStores(ast.NodeTransformer):
    """Finds every store to an output, to be replaced by `replace_store` and `replace_atomic`."""

    def __init__(self, problem: Problem) -> None:
        self._kernel = problem.kernel
        self._positions = problem.outputs
        self._outputs: set[str] = set()

    def replace_store(
        self, node: ast.Assign | ast.AugAssign, name: str, target: ast.Subscript
    ) -> ast.stmt:
        """Return the replacement of `out[i] = v` or `out[i] += v`."""
        raise NotImplementedError

    def replace_atomic(self, node: ast.Expr, name: str, call: ast.Call) -> ast.stmt:
        """Return the replacement of `cuda.atomic.add(out, i, v)`."""
        raise NotImplementedError

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Look into the kernel, in which the outputs have names."""
        if node.name == self._kernel:
            self._outputs = {node.args.args[i].arg for i in self._positions}
            self.generic_visit(node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """Visit `out[i] = v`."""
        return self._find_output(node, node.targets[0])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        """Visit `out[i] += v`."""
        return self._find_output(node, node.target)

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        """Visit `cuda.atomic.add(out, i, v)`."""
        match node.value:
            case ast.Call(args=[ast.Name(id=name), _, *_]) if name in self._outputs:
                return self.replace_atomic(node, name, node.value)
        return node

    def _find_output(self, node: ast.Assign | ast.AugAssign, target: ast.expr) -> ast.stmt:
        match target:
            case ast.Subscript(value=ast.Name(id=name)) if name in self._outputs:
                return self.replace_store(node, name, target)
        return node


class _FirstOnly(OutputStores):
    """Nothing is written to an output but its first element."""

    def replace_store(
        self, node: ast.Assign | ast.AugAssign, name: str, target: ast.Subscript
    ) -> ast.stmt:
        """Keep it only where i is 0."""
        del name
        return self._where_first(node, target.slice)

    def replace_atomic(self, node: ast.Expr, name: str, call: ast.Call) -> ast.stmt:
        """Keep it only where i is 0."""
        del name
        return self._where_first(node, call.args[1])

    @staticmethod
    def _where_first(node: ast.stmt, index: ast.expr) -> ast.stmt:
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        test = " and ".join(f"({ast.unparse(part)}) == 0" for part in parts)
        return ast.If(parse_expression(test), [node], [])
