"""What a kernel can call: warp primitives and atomics against plain Python, mathematics against
Numba on the CPU, patterns that real kernels are made of.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from grader.simt import COUNTERS, Refused, launch, read
from grader.simt.numba.library.tables import INTRINSICS
from tests.grader.simt.budget import LAUNCH_BUDGET
from tests.grader.simt.tools import kernel, python_function, run

LANES = np.arange(32)
FULL = "0xffffffff"


def by_lane(*lines: str, dtype=np.int64, block: int = 32) -> list:
    out = np.zeros(block, dtype)
    done = run(kernel("t = cuda.threadIdx.x", *lines), [out], block=block)
    assert done.faults == ()
    return out.tolist()


@pytest.mark.parametrize(
    ("call", "source"),
    [
        ("shfl_sync(F, x, 3)", lambda _: 3),
        ("shfl_sync(F, x, t + 5)", lambda lane: (lane + 5) % 32),
        ("shfl_up_sync(F, x, 2)", lambda lane: lane - 2 if lane >= 2 else lane),
        ("shfl_down_sync(F, x, 30)", lambda lane: lane + 30 if lane < 2 else lane),
        ("shfl_xor_sync(F, x, 5)", lambda lane: lane ^ 5),
    ],
)
def test_shuffles(call, source):
    found = by_lane("x = t * t", f"a[t] = cuda.{call.replace('F', FULL)}")
    assert found == [source(lane) ** 2 for lane in range(32)]


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("all_sync(F, t < 32)", 1),
        ("all_sync(F, t < 31)", 0),
        ("any_sync(F, t == 31)", 1),
        ("eq_sync(F, t > 40)", 1),
        ("eq_sync(F, t > 4)", 0),
        ("ballot_sync(F, t % 2 == 0)", 0x55555555),
        ("match_all_sync(F, t // 32)[1]", 1),
        ("match_all_sync(F, t)[0]", 0),
    ],
)
def test_votes(call, value):
    found = by_lane(f"a[t] = cuda.{call.replace('F', FULL)}")
    assert set(found) == {value}


@pytest.mark.parametrize(
    ("call", "values"),
    [
        ("any_sync(0xf, t == 31)", [0] * 4),
        ("ballot_sync(0xf, t > 1)", [0xC] * 4),
        ("match_any_sync(0xf, t // 2 * 2)", [3, 3, 12, 12]),
    ],
)
def test_votes_of_some_lanes(call, values):
    found = by_lane("if t < 4:", f"    a[t] = cuda.{call}")
    assert found[:4] == values


def test_who_is_active():
    assert by_lane("a[t] = cuda.activemask()", block=5)[:5] == [31] * 5
    assert by_lane("a[t] = cuda.lanemask_lt()")[:4] == [0, 1, 3, 7]
    found = by_lane("if t % 2:", "    a[t] = cuda.activemask()", "a[t] += cuda.laneid")
    assert found[1] == 0xAAAAAAAA + 1


def test_a_shuffle_that_names_threads_that_do_not_come_is_a_warning():
    out = np.zeros(32)
    lines = ("t = cuda.threadIdx.x", "if t < 16:", f"    a[t] = cuda.shfl_down_sync({FULL}, t, 1)")
    done = run(kernel(*lines), [out])
    assert [(one.topic, one.line) for one in done.findings] == [("absent lanes", 4)]


def test_counting_barriers():
    below, last = "1 if t < 40 else 0", "1 if t == 63 else 0"
    found = by_lane(f"a[t] = cuda.syncthreads_count({below})", block=64)
    assert set(found) == {40}
    assert set(by_lane(f"a[t] = cuda.syncthreads_and({below})", block=64)) == {0}
    assert set(by_lane(f"a[t] = cuda.syncthreads_or({last})", block=64)) == {1}


@pytest.mark.parametrize("name", ["syncthreads_count", "syncthreads_and", "syncthreads_or"])
def test_a_counting_barrier_takes_a_whole_number_as_in_numba(name):
    with pytest.raises(Refused) as caught:
        by_lane(f"a[t] = cuda.{name}(t < 40)", block=64)
    assert "1 if … else 0" in str(caught.value.instead)


ATOMICS = {
    "add": lambda old, x: old + x,
    "sub": lambda old, x: old - x,
    "max": max,
    "min": min,
    "and_": lambda old, x: old & x,
    "or_": lambda old, x: old | x,
    "xor": lambda old, x: old ^ x,
    "exch": lambda _, x: x,
    "inc": lambda old, x: 0 if old >= x else old + 1,
    "dec": lambda old, x: x if old == 0 or old > x else old - 1,
}


@pytest.mark.parametrize("space", ["global", "shared"])
@pytest.mark.parametrize("cells", [1, 7, 60])
@pytest.mark.parametrize("name", ATOMICS)
def test_atomics_one_thread_after_the_other(name, cells, space):
    random = np.random.default_rng(1)
    where, operand = random.integers(0, cells, 64), random.integers(0, 40, 64).astype(np.uint32)
    memory, old = np.full(cells, 20, np.uint32), np.zeros(64, np.uint32)
    lines = ["t = cuda.threadIdx.x"]
    if space == "shared":
        lines += [
            f"s = cuda.shared.array({cells}, numba.uint32)",
            f"if t < {cells}:",
            "    s[t] = m[t]",
            "cuda.syncthreads()",
        ]
    target = "s" if space == "shared" else "m"
    lines += [f"old[t] = cuda.atomic.{name}({target}, w[t], x[t])"]
    if space == "shared":
        lines += ["cuda.syncthreads()", f"if t < {cells}:", "    m[t] = s[t]"]
    expected, before = memory.tolist(), []
    for cell, value in zip(where.tolist(), operand.tolist(), strict=True):
        before.append(expected[cell])
        expected[cell] = ATOMICS[name](expected[cell], value) % 2**32
    done = run(kernel(*lines, takes="m, w, x, old"), [memory, where, operand, old], block=64)
    assert done.findings == ()
    assert memory.tolist() == expected
    assert old.tolist() == before


def test_compare_and_swap():
    memory, old = np.array([5, 5], np.int32), np.zeros(32, np.int32)
    lines = ("t = cuda.threadIdx.x", "old[t] = cuda.atomic.cas(m, t % 2, 5, t)")
    run(kernel(*lines, takes="m, old"), [memory, old])
    assert memory.tolist() == [0, 1]
    assert old[:4].tolist() == [5, 5, 0, 1]


def test_a_histogram_of_floats_without_results():
    total = np.zeros(3, np.float32)
    run(kernel("cuda.atomic.add(a, cuda.grid(1) % 3, 0.5)"), [total], grid=6, block=64)
    assert total.tolist() == [64.0, 64.0, 64.0]


MATHS = [
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "log",
    "log2",
    "log10",
    "log1p",
    "expm1",
    "sqrt",
    "fabs",
    "floor",
    "ceil",
    "erf",
    "erfc",
    "gamma",
    "lgamma",
    "trunc",
    "degrees",
    "radians",
    "asinh",
    "atanh",
]


def test_mathematics_is_close_to_the_cpu():
    """CUDA's own functions are within a few units in the last place, as NumPy's are."""
    numba = pytest.importorskip("numba")
    x = np.array([0.01, 0.3, 0.5, 0.77, 0.9])
    ours, theirs = np.zeros((len(MATHS), 5)), np.zeros((len(MATHS), 5))
    body = [f"    out[{at}, i] = math.{name}(x[i])" for at, name in enumerate(MATHS)]
    run(kernel("i = cuda.grid(1)", "if i < 5:", *body, takes="x, out"), [x, ours])
    numba.njit(python_function(kernel("for i in range(5):", *body, takes="x, out")))(x, theirs)
    off = np.abs(ours - theirs) / np.spacing(np.abs(theirs))
    far = {name: one.max() for name, one in zip(MATHS, off, strict=True) if one.max() > 20}
    assert far == {}


def test_bits():
    found = by_lane(
        "a[0] = cuda.popc(0xff)",
        "a[1] = cuda.clz(numba.int32(1))",
        "a[2] = cuda.ffs(8)",
        "a[3] = cuda.brev(numba.uint32(1))",
        "a[4] = cuda.clz(0)",
        "a[5] = cuda.ffs(0)",
        "a[6] = cuda.selp(t > 40, 1, 2)",
    )
    assert found[:7] == [8, 31, 4, 1 << 31, 64, 0, 2]


def test_fma_rounds_once():
    a = np.array([1 + 2**-12, 1 - 2**-12, -1], np.float32)
    out = np.zeros(1, np.float32)
    run(kernel("out[0] = cuda.fma(a[0], a[1], a[2])", takes="a, out"), [a, out], block=1)
    assert out[0] == -(2.0**-24)


def test_the_last_block_adds_up_what_all_blocks_left():
    """Right with a fence on one side and an atomic on the other; a race without the fence."""
    text = """
def total(a, part, count, out):
    s = cuda.shared.array(1, numba.int32)
    if cuda.threadIdx.x == 0:
        part[cuda.blockIdx.x] = a[cuda.blockIdx.x]
        {fence}
        s[0] = cuda.atomic.add(count, 0, 1)
    cuda.syncthreads()
    if s[0] == cuda.gridDim.x - 1 and cuda.threadIdx.x == 0:
        for j in range(cuda.gridDim.x):
            out[0] += part[j]
"""
    for fence, faults in [("cuda.threadfence()", []), ("pass", [("global-race", 11)])]:
        out = np.zeros(1)
        given = [np.ones(8), np.zeros(8), np.zeros(1, np.int32), out]
        done = run(text.format(fence=fence), given, grid=8)
        assert out[0] == 8
        assert [(one.kind, one.line) for one in done.faults] == faults


def test_the_whole_grid_meets():
    a, b = np.zeros(2048), np.zeros(2048)
    text = kernel(
        "i = cuda.grid(1)",
        "a[i] = i",
        "cuda.cg.this_grid().sync()",
        "b[i] = a[a.size - 1 - i]",
        takes="a, b",
    )
    done = run(text, [a, b], grid=8, block=256)
    assert done.findings == ()
    assert (b == np.arange(2048)[::-1]).all()


def test_dynamic_shared_arrays_are_one_memory():
    text = kernel(
        "t = cuda.threadIdx.x",
        "s = cuda.shared.array(0, numba.float32)",
        "u = cuda.shared.array(0, numba.int32)",
        "s[t] = 1",
        "cuda.syncthreads()",
        "a[t] = u[31 - t]",
        "b[0] = s.size",
        takes="a, b",
    )
    a, size = np.zeros(32, np.int64), np.zeros(1, np.int64)
    done = run(text, [a, size], shared_bytes=128)
    assert done.findings == ()
    assert set(a.tolist()) == {np.float32(1).view(np.int32)}
    assert size[0] == 32


@pytest.mark.parametrize(("space", "own_bytes"), [("shared", 32 * (4 + 8)), ("local", 0)])
def test_a_device_function_has_an_array_for_each_list_of_types(space, own_bytes):
    copy = (
        "def copy(a, t):\n"
        f"    s = cuda.{space}.array(32, a.dtype)\n"
        "    s[t] = a[t]\n"
        "    a[t] = s[t] + 1\n"
    )
    lines = ("t = cuda.threadIdx.x", "copy(a, t)", "copy(b, t)")
    a, b = np.zeros(32, np.float32), np.full(32, (1 << 40) + 1)  # float32 cannot hold the latter
    done = run(copy + kernel(*lines, takes="a, b"), [a, b])
    assert done.faults == ()
    assert (a == 1).all()
    assert (b == (1 << 40) + 2).all()
    assert done.shared_bytes == own_bytes


def test_a_wide_store_over_narrow_cells_races_with_either_half():
    text = kernel(
        "t = cuda.threadIdx.x",
        "s = cuda.shared.array(0, numba.float32)",
        "u = cuda.shared.array(0, numba.float64)",
        "s[t] = 1",
        "u[t // 2] = 5",
    )
    done = run(text, [np.zeros(1)], block=64, shared_bytes=256)
    assert {one.kind for one in done.faults} == {"race"}


def test_half_precision():
    out = np.zeros(32, np.float16)
    lines = ("t = cuda.threadIdx.x", "x = np.float16(t) / np.float16(3)", "a[t] = x + x")
    run(kernel(*lines), [out])
    third = (LANES.astype(np.float16) / np.float16(3)).astype(np.float16)
    assert out.tolist() == (third + third).tolist()


def test_the_budget_names_the_loop():
    done = run(
        "def k(a):\n    while True:\n        a[0] = 1\n", [np.zeros(1)], budget=LAUNCH_BUDGET // 20
    )
    assert [(one.kind, one.line) for one in done.faults] == [("budget", 2)]
    lines = ("n = 0", "while n < 5:", "    for i in range(3):", "        n += 0", "    n = 1")
    done = run(kernel(*lines), [np.zeros(1)], budget=LAUNCH_BUDGET // 20)
    assert [(one.kind, one.line) for one in done.faults] == [("budget", 3)]


def test_every_counter_that_is_counted_is_named():
    text = kernel(
        "s = cuda.shared.array(32, numba.int32)",
        "l = cuda.local.array(1, numba.int32)",
        "t = cuda.threadIdx.x",
        "s[t] = t",
        "l[0] = s[t]",
        "cuda.atomic.add(s, t, 1)",
        "cuda.atomic.add(a, 0, l[0])",
        "if a[0] > TABLE[0]:",
        "    a[1] = 2",
        "cuda.syncthreads()",
    )
    done = launch(read(text, names={"TABLE": np.array([1])}), 1, 32, [np.zeros(2, np.int32)])
    assert set(done.totals) <= set(COUNTERS)
    assert len(set(done.totals)) > 20


def test_names_that_can_be_called_are_those_of_the_requirement():
    wanted = [
        *("grid", "gridsize", "syncthreads", "syncthreads_count", "syncthreads_and"),
        *("syncthreads_or", "syncwarp", "threadfence", "threadfence_block", "threadfence_system"),
        *("shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync", "all_sync", "any_sync"),
        *("eq_sync", "ballot_sync", "match_any_sync", "match_all_sync", "activemask"),
        *("lanemask_lt", "popc", "brev", "clz", "ffs", "fma", "selp", "cg.this_grid"),
        *(f"atomic.{name}" for name in (*ATOMICS, "cas", "nanmax", "nanmin", "compare_and_swap")),
        *("shared.array", "local.array", "const.array_like"),
    ]
    assert {f"cuda.{name}" for name in wanted} <= set(INTRINSICS)
    ours = {name[5:] for name in INTRINSICS if name.startswith("math.")}
    lacking = {"acosh", "cbrt", "comb", "dist", "factorial", "fsum", "gcd", "isclose", "isqrt"}
    lacking |= {"lcm", "perm", "prod", "sumprod", "ulp", "fma"}
    assert {name for name in dir(math) if callable(getattr(math, name))} - ours - lacking <= {
        "__loader__"
    }
