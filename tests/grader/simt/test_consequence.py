"""Reads of what nobody wrote: a fault where the value decides anything, else a warning."""

from __future__ import annotations

import numpy as np
import pytest

from tests.grader.simt.tools import kernel, run

BEGIN = (
    "s = cuda.shared.array(64, numba.float32)",
    "t = cuda.threadIdx.x",
    "if t < 40:",
    "    s[t] = t",
    "cuda.syncthreads()",
    "v = s[63 - t]",
)
"""Threads below 24 read what nobody wrote, in line 7."""
READ = 7
SUMS = (
    "w = cuda.shared.array(32, numba.float32)",
    "t = cuda.threadIdx.x",
    "if t % 32 == 0:",
    "    w[t // 32] = t",
    "cuda.syncthreads()",
    "x = w[t % 32]",
    "d = {}",
    "while d > 0:",
    "    x += cuda.shfl_down_sync(0xffffffff, x, d)",
    "    d //= 2",
    "if t == 0:",
    "    a[0] = x",
)


def told(*lines: str, block: int = 64) -> tuple[list[tuple[str, str, int]], np.ndarray]:
    out = np.full(64, -7, np.float32)
    done = run(kernel(*lines), [out], block=block)
    return [(one.kind, one.topic, one.line) for one in done.findings], out


DISCARDED = [("warning", "discarded value", READ)]
FAULT = [("uninitialised-read", "shared", READ)]


@pytest.mark.parametrize(
    "use",
    [
        ("pass",),
        ("if t >= 24:", "    a[t] = v"),
        ("w = v + v", "if t >= 24 and w > 0:", "    a[t] = w"),
        ("a[t] = v if t >= 24 else numba.float32(0)",),
        ("v = numba.float32(t)", "a[t] = v"),
        ("l = cuda.local.array(2, numba.float32)", "l[0] = v", "l[1] = t", "a[t] = l[1]"),
        ("if t >= 24:", "    cuda.atomic.add(a, 0, v)"),
    ],
)
def test_a_value_that_is_discarded_is_a_warning(use):
    found, _ = told(*BEGIN, *use)
    assert found == DISCARDED


@pytest.mark.parametrize(
    "use",
    [
        ("a[t] = v",),
        ("a[t] = 0 * v",),
        ("a[t] = max(v, numba.float32(3))",),
        ("a[t] = min(v, numba.float32(-3))",),
        ("a[t] = 1 if v == 12345 else 2",),
        ("if v == 12345:", "    a[t] = 1"),
        ("while v > 1e9:", "    a[t] = 1"),
        ("if v:", "    a[t] = 0"),
        ("if t < 30 and v == 12345:", "    a[t] = 1"),
        ("a[int(v) % 64] = 1",),
        ("cuda.atomic.add(a, 0, v)",),
        ("b = cuda.all_sync(0xffffffff, v == 12345)",),
        ("a[t] = cuda.shfl_sync(0xffffffff, v, 0)",),
    ],
)
def test_a_value_that_decides_anything_is_a_fault(use):
    found, _ = told(*BEGIN, *use)
    assert [one for one in found if one[0] == "uninitialised-read"] == FAULT


def test_an_atomic_discards_nothing():
    lines = (*BEGIN[:5], "cuda.atomic.add(s, 63, 1)")
    found, _ = told(*lines)
    assert found == [("uninitialised-read", "shared atomic", READ)]


def test_of_two_reads_one_may_matter():
    found, out = told(*BEGIN, "u = s[63 - t]", "a[t] = u")
    assert found == [("uninitialised-read", "shared", READ + 1), *DISCARDED]
    assert out.tolist() == [0.0] * 24 + [63.0 - t for t in range(24, 64)]


def test_sums_of_warps_that_the_last_lanes_do_not_reach():
    """With two warps, lane 0 needs the sums of two lanes; it never gets those of the others."""
    assert told(*(line.format(1) for line in SUMS))[0] == DISCARDED
    assert told(*(line.format(16) for line in SUMS))[0] == FAULT


def test_local_memory_too():
    lines = ("t = cuda.threadIdx.x", "l = cuda.local.array(4, numba.int32)", "l[t % 2] = t")
    found, _ = told(*lines, "x = l[0]", "if t % 2 == 0:", "    a[t] = x")
    assert found == [("warning", "discarded value", 5)]
    found, _ = told(*lines, "x = l[t // 32]", "a[t] = x")
    assert found == [("uninitialised-read", "local", 5)]


def test_what_the_launch_left_and_printed_is_of_one_run():
    a, b = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    printed: list[str] = []
    lines = (*BEGIN, "a[t] += numba.float32(1)", "b[t] = a[t]", "if t == 0:", "    print(1)")
    done = run(kernel(*lines, takes="a, b"), [a, b], block=64, printed=printed.append)
    assert [one.topic for one in done.findings] == ["discarded value"]
    assert a.tolist() == b.tolist() == [t + 1.0 for t in range(64)]
    assert printed == ["1"]
    assert done.line(8)["global_store_requests"] == 2
    assert done.origin("b", 3).line == 9


def test_one_memory_under_two_names():
    whole = np.zeros(128, np.float32)
    lines = (*BEGIN, "a[t] = b[t] + numba.float32(1)")
    done = run(kernel(*lines, takes="a, b"), [whole[:64], whole[:64]], block=64)
    assert [one.topic for one in done.findings] == ["discarded value"]
    assert whole.tolist() == [1.0] * 64 + [0.0] * 64
