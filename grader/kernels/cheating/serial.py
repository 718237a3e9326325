"""Writes kernels in which thread 0 of each block, or block 0, does everything: see `writing`.

The solution becomes a function of a thread's index, or of a block's, that is called in a loop. What
takes seconds to run ends as soon as it can only miss its limit: see `pose_serial`. Where threads
exchange values, they cannot be called one after the other; what one that did the work of all would
count follows from the solution's counts: see `predict_serial`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import Literal

from grader.kernels.cheating.python_text import find_kernel, parse_expression
from grader.kernels.outcome import RunReport
from grader.kernels.problem import Problem, evaluate_number
from grader.simt.checks.counters import SHARES
from grader.simt.machine.chunk import OPERATION

AXES = ("x", "y", "z")
Unit = Literal["thread", "block"]
UNITS: dict[Unit, str] = {"thread": "thread 0 does all", "block": "block 0 does all"}
"""What does everything, and the name of the cheat."""
_SLACK = 4
"""How many times the solution's statements a cheat may take: it calls, and counts in loops."""
_IDLE = 3
"""Statements of a thread that only returns."""
_EXCHANGES = ("shared", "sync", "laneid", "activemask")
"""In the name of what threads exchange values by: they cannot run one after the other."""
_FUNCTION = "each_{unit}"
_KERNEL = """\
    if cuda.{unit}Idx.x or cuda.{unit}Idx.y or cuda.{unit}Idx.z:
        return
    for of_z in range({size}.z):
        for of_y in range({size}.y):
            for of_x in range({size}.x):
                {function}({arguments}, of_x, of_y, of_z)
"""
_BARRIER = "                cuda.syncthreads()\n"


def size_of(unit: Unit) -> str:
    """Name what says how many there are, in both languages."""
    return "gridDim" if unit == "block" else "blockDim"


def list_units(problem: Problem, solution: str) -> Iterator[Unit]:
    """Yield what can do everything, of a problem that limits how unevenly the work is shared.

    Threads that exchange values cannot run one after the other.
    """
    if any(limit.counter in SHARES for limit in problem.limits):
        if not any(word in solution for word in _EXCHANGES):
            yield "thread"
        yield "block"


def pose_serial(problem: Problem, name: str, runs: Sequence[RunReport]) -> Problem | None:
    """Pose the problem at one shape, within the operations that a cheat's limit allows.

    The shape is the smallest at which a thread, or a block, that does everything misses the limit.
    A run with more operations does so too, unless it has `_SLACK` times the solution's statements.

    Args:
        runs: of the solution, which passes.

    Returns:
        None if no cheat of this name does everything in one place.
    """
    unit = next((unit for unit, called in UNITS.items() if called == name), None)
    if unit is None:
        return None
    shapes = range(len(problem.shapes))
    excess = [_predict_excess(problem, unit, runs[i]) for i in shapes]
    missed = [i for i in shapes if excess[i] > 1] or [max(shapes, key=excess.__getitem__)]
    shape = min(missed, key=lambda i: runs[i].totals["lanes"])
    ran = runs[shape]
    uneven = max(100, ran.amount("busiest_thread_percent")) * _evaluate_limit(problem, unit, ran)
    statements = _SLACK * ran.totals["lanes"] / ran.threads * uneven / 10_000
    operations = int(statements * (OPERATION + ran.threads))
    return replace(problem, shapes=(problem.shapes[shape],), confirm=(), operations=operations)


def predict_serial(problem: Problem, runs: Sequence[RunReport]) -> dict[str, str]:
    """Predict where a kernel fails in which thread 0 of each block does everything.

    Between two barriers it may do the work of all; it executes their statements, the others none.

    Args:
        runs: of the solution, which passes.

    Returns:
        The gate by the name of the cheat: "" if its limit lets it pass at every shape. Empty
        without such a limit.
    """
    counter = SHARES[0]
    if all(limit.counter != counter for limit in problem.limits):
        return {}
    misses = any(_predict_excess(problem, "thread", ran) > 1 for ran in runs)
    return {UNITS["thread"]: f"counts: {counter}" if misses else ""}


def _predict_excess(problem: Problem, unit: Unit, run: RunReport) -> float:
    """Predict how many times its limit a unit takes that does everything; the others return."""
    work = run.totals["lanes"]
    alone = prod(run.grid if unit == "block" else run.block) * work / (work + _IDLE * run.threads)
    return 100 * alone / _evaluate_limit(problem, unit, run)


def _evaluate_limit(problem: Problem, unit: Unit, run: RunReport) -> float:
    """Return the percent of the mean that one thread or block may execute; see `SHARES`."""
    limits = [limit for limit in problem.limits if limit.counter in SHARES]
    own = [limit for limit in limits if unit in limit.counter] or limits
    return min(
        evaluate_number(limit.most, run.shape, ("counts",))
        for limit in own
        if limit.most is not None
    )


def needs_barrier(solution: str) -> bool:
    """Return True if a block must end one part before it begins the next: they share memory."""
    return "shared" in solution


def write_serial_cheats(problem: Problem, solution: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each cheat that can be made from a solution for Numba, with its source."""
    for unit in list_units(problem, solution):
        yield UNITS[unit], _write_serial(problem.kernel, solution, unit)


def _write_serial(kernel: str, solution: str, unit: Unit) -> str:
    tree = ast.parse(solution)
    declared = find_kernel(tree, kernel)
    names = [argument.arg for argument in declared.args.args]
    function = _FUNCTION.format(unit=unit)
    body = _KERNEL.format(
        unit=unit, size=f"cuda.{size_of(unit)}", function=function, arguments=", ".join(names)
    )
    if needs_barrier(solution):
        body += _BARRIER
    written = f"@cuda.jit\ndef {kernel}({', '.join(names)}):\n{body}"
    declared.name, declared.decorator_list = function, [parse_expression("cuda.jit(device=True)")]
    declared.args.args += [ast.arg(f"of_{axis}") for axis in AXES]
    _OwnIndex(unit).visit(declared)
    return f"{ast.unparse(ast.fix_missing_locations(tree))}\n\n\n{written}"


class _OwnIndex(ast.NodeTransformer):
    """Replaces the index of a thread or of a block, also in `cuda.grid`."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Replace `cuda.blockIdx.x`."""
        whole = ast.unparse(node.value)
        return parse_expression(f"of_{node.attr}") if whole == f"cuda.{self._unit}Idx" else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Replace `cuda.grid(1)`."""
        match node:
            case ast.Call(func=ast.Attribute(attr="grid"), args=[ast.Constant(value=int(count))]):
                each = [
                    f"cuda.blockIdx.{axis} * cuda.blockDim.{axis} + cuda.threadIdx.{axis}"
                    for axis in AXES[:count]
                ]
                return self.generic_visit_expression(parse_expression(", ".join(each)))
        return self.generic_visit_expression(node)

    def generic_visit_expression(self, node: ast.expr) -> ast.expr:
        """Visit what is in an expression."""
        visited = self.generic_visit(node)
        assert isinstance(visited, ast.expr)
        return visited
