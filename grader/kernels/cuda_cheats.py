"""Writes cheats in CUDA C++: see `cheats`. A store to be left out would need a tree: it has none.

An array's size is not a parameter, so a cheat tells the listed shapes apart by the sizes it gets.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from grader.kernels.cuda_submission import read_cuda_submission, signature
from grader.kernels.problem import Argument, Problem, evaluate_sizes

_EACH = """\
    for (long long i = thread(); i < {elements}; i += threads())
        {output}[i] = {value};
"""
_HALF = "#include <cuda_fp16.h>\n"
_THREADS = """\
__device__ long long thread()
{
    long long block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    long long own = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return block * blockDim.x * blockDim.y * blockDim.z + own;
}

__device__ long long threads()
{
    return (long long)gridDim.x * gridDim.y * gridDim.z * blockDim.x * blockDim.y * blockDim.z;
}

"""


def write_cuda_cheats(problem: Problem, solution: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each cheat that the problem allows, with its source."""
    yield "nothing", _kernel(problem, "")
    yield "zeros", _kernel(problem, "".join(_fill_outputs(problem, None)))
    arrays = [argument for argument in problem.arguments if argument.value is None]
    inputs = [argument for argument in arrays if argument.role == "input"]
    if inputs:
        yield "copy of an input", _kernel(problem, "".join(_fill_outputs(problem, inputs[0])))
    yield "one block only", _in_one_block(problem, solution)


def _kernel(problem: Problem, body: str) -> str:
    declared = signature(problem)
    header = _HALF if "half" in declared else ""
    return f"{header}{_THREADS}{declared}\n{{\n{body}}}\n"


def _fill_outputs(problem: Problem, copied: Argument | None) -> Iterator[str]:
    for position in problem.outputs:
        output = problem.arguments[position]
        value = "0"
        if copied is not None:
            value = f"{copied.name}[i % {_elements(problem, copied)}]"
        elements = _elements(problem, output)
        yield _EACH.format(elements=elements, output=output.name, value=value)


def _elements(problem: Problem, argument: Argument) -> str:
    """Write the number of an array's elements, by the sizes that the kernel gets."""
    text = "1"
    for shape in reversed(problem.shapes):
        elements = prod(evaluate_sizes(argument.shape, shape, ("arguments",)))
        sizes = [f"{name} == {size}" for name, size in shape.items()
                 if name in problem.parameter_names]  # fmt: skip
        text = f"{' && '.join(sizes)} ? {elements} : {text}" if sizes else str(elements)
    return f"({text})"


def _in_one_block(problem: Problem, solution: str) -> str:
    """Let all blocks but the first return at once."""
    body = read_cuda_submission(problem, solution).declared.body
    assert body is not None
    lines = solution.splitlines(keepends=True)
    at = sum(map(len, lines[: body.place.line - 1])) + body.place.column
    return f"{solution[:at]} if (blockIdx.x || blockIdx.y || blockIdx.z) return; {solution[at:]}"
