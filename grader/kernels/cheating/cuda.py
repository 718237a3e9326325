"""Writes cheats in CUDA C++: see `writing`.

An array's size is not a parameter, so a cheat tells the listed shapes apart by the sizes it gets.
Those that do part of the work are the solution's text with something put in front of statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import prod

from grader.changes import Change, apply_changes, change_span
from grader.kernels.cheating.serial import AXES, UNITS, Unit, list_units, needs_barrier, size_of
from grader.kernels.cuda_submission import read_cuda_submission, signature
from grader.kernels.problem import Argument, Problem, evaluate_sizes
from grader.simt.cuda import declared, syntax, trees
from grader.simt.cuda.printing import format_node
from grader.text_places import TextPlaces

_EACH = """\
    for (long long i = thread(); i < {elements}; i += threads())
        {output}[i] = {value};
"""
_AT_THE_TOP = {
    "one block only": "if (blockIdx.x || blockIdx.y || blockIdx.z) return;",
    "assertion": "assert(false);",
    "trap": "__trap();",
}
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
    if first_only := _first_element_only(problem, solution):
        yield "first element only", first_only
    body = _read(problem, solution).body
    assert body is not None
    at = _find(solution, body) + 1
    for name, statement in _AT_THE_TOP.items():
        change = change_span(solution, at, at, f" {statement}")
        yield name, apply_changes(solution, [change])
    for unit in list_units(problem, solution):
        if serial := _write_serial(problem, solution, unit):
            yield UNITS[unit], serial


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


def _write_serial(problem: Problem, solution: str, unit: Unit) -> str:
    """Let thread 0 of each block, or block 0, do everything; "" where a template is the kernel."""
    kernel = _read(problem, solution)
    assert kernel.body is not None
    at = _find(solution, kernel.body)
    start = solution.rfind("__global__", 0, at)
    head = solution[start:at]
    if kernel.template or start < 0:
        return ""
    function = f"each_{unit}"
    begin = solution[:start].rstrip().removesuffix('extern "C"')
    own = re.sub(rf"\b{kernel.name}\s*\(", f"{function}(uint3 of, ", head, count=1)
    own = re.sub(r"__launch_bounds__\([^()]*\)", "", own).replace("__global__", "__device__")
    rest = re.sub(rf"\b{unit}Idx\b", "of", solution[at:])
    names = "".join(f", {each.name}" for each in kernel.parameters)
    barrier = " __syncthreads();" if needs_barrier(solution) else ""
    loops = "".join(
        f"    for (unsigned of_{axis} = 0; of_{axis} < {size_of(unit)}.{axis}; of_{axis}++)\n"
        for axis in reversed(AXES)
    )
    first = " || ".join(f"{unit}Idx.{axis}" for axis in AXES)
    call = f"{{ {function}(make_uint3(of_x, of_y, of_z){names});{barrier} }}"
    body = f"{{\n    if ({first}) return;\n{loops}        {call}\n}}\n"
    return f'{begin}{own}{rest}\nextern "C" {head}{body}'


def _first_element_only(problem: Problem, solution: str) -> str:
    """Let stores to an output do nothing but where they write its first element; "" without any.

    A solution that stores in a device function alone has none.
    """
    kernel = _read(problem, solution)
    assert kernel.body is not None
    outputs = {kernel.parameters[i].name: kernel.parameters[i].name for i in problem.outputs}
    changes: dict[int, Change] = {}
    for node in trees.walk(kernel.body):
        if isinstance(node, syntax.Variable) and isinstance(node.type, syntax.PointerType):
            root = _find_root(node.initializer, outputs) if node.initializer else ""
            outputs |= {node.name: root} if root else {}
        elif isinstance(node, syntax.ExpressionStatement):
            address, root = _find_store(node.expression, outputs)
            if root:  # the `else` keeps that of a statement around it
                at, test = _find(solution, node), f"if ((void*)({address}) != (void*){root}); else "
                changes[at] = change_span(solution, at, at, test)
    return apply_changes(solution, changes.values()) if changes else ""


def _find_store(node: syntax.Expression, outputs: Mapping[str, str]) -> tuple[str, str]:
    """Return the address that an expression writes to, and the output that is in; else "" twice."""
    match node:
        case syntax.Assignment(target=target) | syntax.Postfix(operand=target):
            address = f"&({format_node(target)})"
        case syntax.Unary(operator="++" | "--", operand=target):
            address = f"&({format_node(target)})"
        case syntax.Call(function=syntax.Name() as called, arguments=(target, *_)):
            if not called.spelled.startswith(("atomic", "__st")):
                return "", ""
            address = format_node(target)
        case _:
            return "", ""
    return address, "" if isinstance(target, syntax.Name) else _find_root(target, outputs)


def _find_root(node: syntax.Node, outputs: Mapping[str, str]) -> str:
    """Return the output whose pointer an expression begins with, but for indices; "" for none."""
    match node:
        case syntax.Index(object=inner) | syntax.Member(object=inner):
            return _find_root(inner, outputs)
        case syntax.Name():
            return outputs.get(node.spelled, "")
    roots = (_find_root(each, outputs) for each in trees.children(node))
    return next(filter(None, roots), "")


def _read(problem: Problem, solution: str) -> declared.Function:
    return read_cuda_submission(problem, solution).declared


def _find(text: str, node: syntax.Node) -> int:
    """Return where in a text a node begins."""
    return TextPlaces(text).offset(node.place.line, node.place.column)
