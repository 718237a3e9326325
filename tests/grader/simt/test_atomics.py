"""Atomics where Numba has ways of its own: NaN, and indices that are no whole numbers."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import read
from grader.simt.launches.launching import compile_for_types
from grader.simt.numba.library.tables import INTRINSICS
from grader.simt.program.nodes import Perform
from grader.simt.program.types import UINT32, Array
from grader.simt.program.walking import walk_block
from tests.grader.simt.tools import kernel, run

NAN = np.nan


@pytest.mark.parametrize("used", [False, True])
@pytest.mark.parametrize(
    ("name", "before", "value"),
    [
        ("max", 1.0, 9.0),
        ("max", NAN, NAN),  # what is there stays
        ("min", 7.0, 2.0),
        ("min", NAN, NAN),
        ("nanmax", NAN, 9.0),
        ("nanmin", NAN, 2.0),
    ],
)
def test_nan(name, before, value, used):
    given = np.array([NAN, 2, NAN, 9])
    out, old = np.array([before]), np.zeros(4)
    call = f"cuda.atomic.{name}(out, 0, given[t])"
    lines = ("t = cuda.threadIdx.x", f"old[t] = {call}" if used else call)
    run(kernel(*lines, takes="given, out, old"), [given, out, old], block=4)
    np.testing.assert_array_equal(out, [value])
    if used:
        np.testing.assert_array_equal(old[0], before)


def test_what_is_behind_the_point_of_an_index_is_cut_off():
    out = np.zeros((2, 4))
    lines = ("t = cuda.threadIdx.x", "cuda.atomic.add(a, (t // 4, t % 4 + 0.5), 1)")
    assert run(kernel(*lines), [out], block=8).faults == ()
    assert (out == 1).all()


@pytest.mark.parametrize("name", [name for name in INTRINSICS if name.startswith("cuda.atomic.")])
def test_the_node_of_an_atomic_has_a_name_by_which_it_is_known(name):
    given = {"cuda.atomic.cas": "a, 0, 1, 2", "cuda.atomic.compare_and_swap": "a, 1, 2"}
    text = kernel(f"{name}({given.get(name, 'a, 0, 1')})")
    ready = compile_for_types(read(text), [Array(UINT32, 1, "global")])
    performed = [
        node for node in walk_block(ready.compiled.lowered.body) if isinstance(node, Perform)
    ]
    assert [node.name.partition(" ")[0] for node in performed] == ["atomic"]
    assert not performed[0].alone
