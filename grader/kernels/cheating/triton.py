"""Writes kernels in Triton that do not do what is asked: see `writing`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.kernels.cheating.python_text import (
    begin_with,
    find_kernel,
    parse_expression,
    transform,
    write_tree,
)
from grader.kernels.cheating.serial import AXES, UNITS, list_units
from grader.kernels.problem import Argument, Problem

_HEAD = """\
import triton
import triton.language as tl


@triton.jit
def {kernel}({parameters}):
    program = tl.program_id(0) + tl.num_programs(0) * (
        tl.program_id(1) + tl.num_programs(1) * tl.program_id(2))
    programs = tl.num_programs(0) * tl.num_programs(1) * tl.num_programs(2)
{body}"""
_TILE = 1024
_EACH = """\
    for begin in range(program * {tile}, {size}, programs * {tile}):
        at = begin + tl.arange(0, {tile})
        tl.store({output} + at, {value}, mask=at < {size})
"""
_ONE_PROGRAM = "if tl.program_id(0) + tl.program_id(1) + tl.program_id(2) > 0:\n    return"
_TRAP = (
    'tl.inline_asm_elementwise("trap; mov.b32 $0, $1;", "=r,r", [tl.program_id(0)],'
    " dtype=tl.int32, is_pure=False, pack=1)"
)
_SERIAL = """\


@triton.jit
def {kernel}({parameters}):
    if tl.program_id(0) + tl.program_id(1) + tl.program_id(2) > 0:
        return
    for of_2 in range(tl.num_programs(2)):
        for of_1 in range(tl.num_programs(1)):
            for of_0 in range(tl.num_programs(0)):
                {function}({arguments}, of_0, of_1, of_2)
"""
_FUNCTION = "each_program"


def write_triton_cheats(problem: Problem, solution: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each cheat that the problem allows, with its source.

    Args:
        solution: a submission that passes; its kernel must be a function of the problem's name.
    """
    yield "nothing", _write(problem, "")
    yield "zeros", _write(problem, "".join(_fill_outputs(problem, None)))
    arrays = (argument for argument in problem.arguments if argument.value is None)
    copied = next((argument for argument in arrays if argument.role == "input"), None)
    if copied is not None:
        yield "copy of an input", _write(problem, "".join(_fill_outputs(problem, copied)))
    yield "first element only", transform(_FirstOnly(problem), solution)
    yield "one block only", begin_with(problem.kernel, solution, _ONE_PROGRAM)
    yield "trap", begin_with(problem.kernel, solution, _TRAP)
    if "block" in list_units(problem, solution):
        yield UNITS["block"], _write_serial(problem, solution)


def _write(problem: Problem, body: str) -> str:
    names = ", ".join(
        f"{name}: tl.constexpr" if name in problem.constants else name
        for name in problem.parameter_names
    )
    return _HEAD.format(kernel=problem.kernel, parameters=names, body=body)


def _fill_outputs(problem: Problem, copied: Argument | None) -> Iterator[str]:
    """Write a loop for every output that stores zeros or the elements of an input."""
    for position in problem.outputs:
        output = problem.arguments[position]
        value = "tl.full(at.shape, 0, tl.int32)"
        if copied is not None:
            value = f"tl.load({copied.name} + at % ({_size(problem, copied)}))"
        yield _EACH.format(tile=_TILE, size=_size(problem, output), output=output.name, value=value)


def _size(problem: Problem, argument: Argument) -> str:
    """Write an array's size; one that the kernel does not take may be that of the grid."""
    programs = {str(size): f"tl.num_programs({axis})" for axis, size in enumerate(problem.grid)}
    sizes = (
        each if each in problem.parameter_names else programs.get(str(each), each)
        for each in argument.shape
    )
    return " * ".join(f"({size})" for size in sizes)


class _FirstOnly(ast.NodeTransformer):
    """Stores nothing but the first element of the first output."""

    def __init__(self, problem: Problem) -> None:
        self._first = problem.arguments[problem.outputs[0]].name

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Mask `tl.store` with its own pointer."""
        if ast.unparse(node.func) == "tl.store":
            pointer = ast.unparse(node.args[0])
            first = f"({pointer}).to(tl.int64) == {self._first}.to(tl.int64)"
            masks = [each.value for each in node.keywords if each.arg == "mask"] + node.args[2:3]
            test = " & ".join(f"({text})" for text in (first, *map(ast.unparse, masks)))
            mask = parse_expression(test)
            node.args = node.args[:2]
            node.keywords = [each for each in node.keywords if each.arg != "mask"]
            node.keywords.append(ast.keyword("mask", mask))
        return node


def _write_serial(problem: Problem, solution: str) -> str:
    """Write what calls the solution for each program, one after the other, in the first one."""
    tree = ast.parse(solution)
    declared = find_kernel(tree, problem.kernel)
    parameters = ", ".join(map(ast.unparse, declared.args.args))
    names = ", ".join(each.arg for each in declared.args.args)
    written = _SERIAL.format(
        kernel=problem.kernel, parameters=parameters, function=_FUNCTION, arguments=names
    )
    declared.name = _FUNCTION
    declared.args.args += [ast.arg(f"of_{axis}") for axis in range(len(AXES))]
    _OwnProgram().visit(declared)
    return write_tree(tree).rstrip("\n") + written


class _OwnProgram(ast.NodeTransformer):
    """Replaces the number of the program."""

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Replace `tl.program_id(0)`."""
        match node:
            case ast.Call(
                func=ast.Attribute(attr="program_id"), args=[ast.Constant(value=int(axis))]
            ):
                return ast.Name(f"of_{axis}", ast.Load())
        self.generic_visit(node)
        return node
