"""A function runs over threads that share nothing, as the front ends of index functions use it."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from grader.simt.checks.counters import Site
from grader.simt.lockstep.independent import make_chunk, run_function
from grader.simt.lockstep.merging import BranchPaths
from grader.simt.machine.chunk import Chunk, ExecutionPoint, OutOfBudget
from grader.simt.program import nodes
from grader.simt.program.nodes import Expression, Function
from grader.simt.program.printing import print_program
from grader.simt.program.types import BOOL, INT64, Dynamic

AT = Site(0, 3, 7)
ANY = Dynamic("any")
X = nodes.Read(INT64, "x")


def whole(number: int) -> Expression:
    return nodes.Number(INT64, number)


def returning(value: Expression) -> Function:
    return Function("f", ("x",), value.type, (nodes.Return(AT, value),))


def numbers(chunk: Chunk) -> dict[str, np.ndarray]:
    return {"x": np.arange(chunk.threads)[None, :]}


def test_a_thread_is_a_column_and_the_last_warp_may_lack_some():
    chunk = make_chunk(40, 10)
    seen: list[int] = []

    def note(here: ExecutionPoint, value: np.ndarray) -> np.ndarray:
        seen.append(here.mask.count)
        return value + 1

    found = run_function(
        returning(nodes.Perform(INT64, "note", note, (X,), AT)), chunk, numbers(chunk)
    )
    assert found.tolist() == [list(range(1, 65))]
    assert seen == [40]


def test_functions_may_call_each_other():
    odd, even = (Function(name, ("x",), INT64) for name in ("odd", "even"))
    for function, other, answer in ((odd, even, 0), (even, odd, 1)):
        less = nodes.Operate(INT64, "-", (X, whole(1)))
        is_zero = nodes.Operate(BOOL, "==", (X, whole(0)))
        further = (nodes.Return(AT, nodes.Call(INT64, other, (less,))),)
        function.body = (nodes.If(AT, is_zero, (nodes.Return(AT, whole(answer)),), further),)
    chunk = make_chunk(32, 1000)
    assert run_function(even, chunk, numbers(chunk)).tolist() == [[1, 0] * 16]


@pytest.mark.parametrize(("operations", "enough"), [(14, False), (40, True)])
def test_the_work_is_bounded_and_the_loop_is_named(operations, enough):
    count = nodes.Set("x", nodes.Operate(INT64, "-", (X, whole(1))))
    test, site = nodes.Operate(BOOL, ">", (X, whole(0))), Site(0, 5, 9)
    loop = nodes.Loop(site, (), test, (), (nodes.Step(AT, (count,)),), (), ())
    function = Function("f", ("x",), INT64, (loop, nodes.Return(AT, X)))
    given = {"x": np.array([[10]])}
    if enough:
        assert run_function(function, make_chunk(32, operations), given).tolist() == [[0]]
        return
    with pytest.raises(OutOfBudget) as stop:
        run_function(function, make_chunk(32, operations), given)
    assert stop.value.site is site


def test_a_value_without_a_type_is_given_to_its_front_end_where_paths_meet():
    first, second = (
        nodes.Apply(ANY, "as", partial(np.ndarray.astype, dtype=kind), (X,)) for kind in "fl"
    )
    is_small = nodes.Operate(BOOL, "<", (X, whole(4)))
    function = returning(nodes.Choose(ANY, is_small, first, second))
    chunk = make_chunk(32, 100)
    found = run_function(function, chunk, numbers(chunk))
    assert isinstance(found, BranchPaths)
    assert (found.mask.count, found.here.dtype.kind, found.elsewhere.dtype.kind) == (4, "f", "i")
    assert "-> any" in print_program(function)


def test_a_result_without_a_type_is_what_was_returned_last():
    is_small = nodes.Operate(BOOL, "<", (X, whole(4)))
    early = (nodes.Return(AT, nodes.Apply(ANY, "neg", np.negative, (X,))),)
    late = nodes.Return(AT, nodes.Apply(ANY, "all", lambda value: value + 0.5, (X,)))
    function = Function("f", ("x",), ANY, (nodes.If(AT, is_small, early, ()), late))
    chunk = make_chunk(32, 100)
    found = run_function(function, chunk, numbers(chunk))
    assert found.tolist() == [[number + 0.5 for number in range(32)]]
