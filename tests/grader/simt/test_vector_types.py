"""Vector types: what is made of what, and what numba-cuda 0.30.4 refuses when it compiles."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import Refused
from grader.simt.numba.library.vector_types import TYPES
from tests.grader.simt.tools import kernel, module, run

RUNS = {
    "cuda.float32x4(1, 2, 3, 4)": [1, 2, 3, 4],
    "cuda.float4(a, f, 1.5, 2)": [3, 0.25, 1.5, 2],
    "cuda.float32x4(cuda.float32x2(1, 2), cuda.float2(3, 4))": [1, 2, 3, 4],
    "cuda.float32x3(0, cuda.float32x2(1, 2))": [0, 1, 2],
    "cuda.float32x3(cuda.float32x3(1, 2, 3))": [1, 2, 3],
    "cuda.float32x2(cuda.float32x1(1), 2)": [1, 2],
    "cuda.int32x2(1.7, -1.7)": [1, -1],
    "cuda.uchar4(1, 2, 3, 300)": [1, 2, 3, 44],
    "cuda.uint32x1(-1)": [2**32 - 1],
    "cuda.longlong3(1, 2, 2**40)": [1, 2, 2**40],
    "cuda.float32x2(0.1, True)": [np.float32(0.1), 1],
    "cuda.double2(0.1, f)": [0.1, 0.25],
    "cuda.int16x2(1, 2) if a == 3 else cuda.int16x2(3, 4)": [1, 2],
    "made(a)": [3, 4],
    "(cuda.int2(5, 6), 7)[0]": [5, 6],
}


@pytest.mark.parametrize("code", RUNS)
def test_what_vectors_are_made_of(code):
    wanted = RUNS[code]
    lines = [f"v = {code}", *(f"o[{n}] = v.{'xyzw'[n]}" for n in range(len(wanted)))]
    text = kernel(*lines, takes="a, f, o")
    out = np.zeros(len(wanted))
    run(
        f"def made(a):\n    return cuda.int2(a, a + 1)\n{text}", [3, np.float32(0.25), out], block=1
    )
    assert out.tolist() == wanted


def test_a_variable_is_each_threads_own():
    lines = ["i = cuda.grid(1)", "v = cuda.float2(1, i)", "if i % 2:", "    v = cuda.float2(i, 2)"]
    lines += ["for k in range(i):", "    v = cuda.float2(v.x + 1, v.y)", "o[i] = v.x + v.y"]
    out = np.zeros(32)
    run(kernel(*lines, takes="o"), [out])
    i = np.arange(32)
    np.testing.assert_array_equal(out, np.where(i % 2, i + 2, 1 + i) + i)


REFUSED = (
    *("v = cuda.float32x4(a)", "v = cuda.float32x4(1, 2, 3)", "v = cuda.float32x2(1, 2, 3)"),
    *("v = cuda.float32x2(cuda.int32x2(1, 2))", "v = cuda.float32x3(cuda.float64x2(1, 2), 2)"),
    *("v = cuda.float32x2(cuda.float32x2(1, 2), 2)", "v = cuda.float32x2(2j, 1)"),
    *("v = cuda.float32x2(x=1, y=2)", "v = cuda.half2(1, 2)", "v = cuda.float16x2(1, 2)"),
    *("u.x = 5", "o[0] = u[0]", "o[0] = u.z", "v = u + u", "o[0] = u == u", "o[0] = len(u)"),
    *("x, y = u", "o[0] = u", "s = cuda.shared.array(4, cuda.float32x4)"),
    "v = u if a else cuda.float32x3(1, 2, 3)\n    o[0] = v.x",
)  # fmt: skip


@pytest.mark.parametrize("line", REFUSED)
def test_what_numba_refuses_is_refused(line):
    text = kernel("u = cuda.float32x2(1, 2)", line, takes="a, o")
    with pytest.raises(Refused):
        run(text, [1, np.zeros(2)], block=1)


def test_the_types_are_those_of_numba():
    theirs = module("numba.cuda.vector_types").vector_types
    ours = {f"{kind.dtype.name}x{kind.size}" for kind in TYPES.values()}
    assert ours == {*theirs}
    stubs = module("numba.cuda.stubs")._vector_type_stubs
    for stub in stubs:
        for alias in stub.aliases:
            kind = TYPES[alias]
            assert f"{kind.dtype.name}x{kind.size}" == stub.__name__
    assert len(TYPES) == len(theirs) + sum(len(stub.aliases) for stub in stubs)
