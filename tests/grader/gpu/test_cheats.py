"""Cheats: many for the shipped questions, and none of them right.

For questions that have each form of an output, and one output or more; for all in `make test-long`.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.gpu.cheats import gpu_cheats
from grader.gpu.grading import GpuGrader
from grader.kernels import Argument, Problem, ReferenceOutputs
from tests.grader.gpu.emulated_device import EmulatedDevice
from tests.grader.gpu.tools import DOUBLE, GOOD, Shipped, request, shipped
from tests.sampling import first_with_each

SEED = 20_111
ALWAYS = {
    "zeros", "stale output of an earlier call", "first element only", "one block only",
    "the expected result from globals", "ones", "random", "negated", "one too large",
    "the mean everywhere", "last block only", "nothing", "the first shape only",
    "every other block",
}  # fmt: skip
OF_INPUTS = {"copy of an input", "an input changed"}
"""Of arrays that are inputs alone: one that is changed in place is copied by doing nothing."""
LEAST = 15


def inputs_of(one: Shipped) -> list[Argument]:
    return [a for a in one.problem.arguments if a.value is None and a.role == "input"]


def forms(one: Shipped) -> set[tuple[object, ...]]:
    """What decides which cheats can be written for a question."""
    arguments = one.problem.arguments
    outputs = [arguments[i] for i in one.problem.outputs]
    inputs = min(len(inputs_of(one)), 2)
    types = {("type", a.dtype[:5] == "float" and a.dtype) for a in outputs}
    dimensions = {("dimensions", len(a.shape)) for a in outputs}
    return {*types, *dimensions, ("inputs", inputs), ("several", len(outputs) > 1)}


def without_first_shape(problem: Problem) -> Problem:
    """The first shape is the largest, and takes most of the time; others keep their own inputs."""

    def later(argument: Argument) -> Argument:
        recipes = map(argument.recipe, range(1, len(problem.shapes)))
        fillings, lows, highs = zip(*recipes, strict=True)
        return replace(argument, filling=fillings, low=lows, high=highs)

    arguments = tuple(map(later, problem.arguments))
    return replace(problem, arguments=arguments, shapes=problem.shapes[1:])


@pytest.mark.parametrize("one", first_with_each(forms, shipped(), lambda one: one.id))
def test_none_is_right(one: Shipped):
    grader, solution = GpuGrader(EmulatedDevice()), one.question.solution or ""
    problem = without_first_shape(one.problem)
    found = {
        cheat.name: grader.grade(request(problem, cheat.source, None, SEED))
        for cheat in gpu_cheats(problem, solution, ReferenceOutputs(problem).for_run(0))
    }
    assert found.keys() >= ALWAYS
    assert found.keys() & OF_INPUTS == (OF_INPUTS if inputs_of(one) else set())
    assert ("the first block's part repeated" in found) == (
        "blockIdx" in solution or "cuda.grid" in solution
    )
    assert len(found) >= LEAST
    failed = {name: graded.verdict.failed_at for name, graded in found.items()}
    waits = "while flag" in solution  # for other blocks, which a cheat may keep from writing
    ends = {"result", "runs: timed-out"} if waits else {"result"}
    assert {name: at for name, at in failed.items() if at not in ends} == {}


def test_the_result_of_the_emulators_inputs_learned_by_heart_is_right_with_them():
    """So that it is the fresh inputs that this cheat fails at."""
    problem = replace(DOUBLE, shapes=({"n": 64},))
    cheats = gpu_cheats(problem, GOOD, ReferenceOutputs(problem).for_run(0))
    cheat = next(one for one in cheats if "globals" in one.name)
    grader = GpuGrader(EmulatedDevice())
    known = grader.grade(request(problem, cheat.source, None, problem.seed))
    fresh = grader.grade(request(problem, cheat.source, None, SEED))
    assert known.right
    assert not fresh.right
