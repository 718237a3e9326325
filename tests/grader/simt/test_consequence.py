"""Reads of what nobody wrote: a fault where the value decides anything, else a warning."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt.checks import consequence
from grader.simt.launches.reports import Interrupted
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


MOST = (
    "w = cuda.shared.array(32, numba.int32)",
    "t = cuda.threadIdx.x",
    "w[t % {}] = t",
    "cuda.syncthreads()",
    "x = w[t % 32]",
    "d = 2",
    "while d > 0:",
    "    y = cuda.shfl_down_sync(0xffffffff, x, d)",
    "    if {}:",
    "        x = y",
    "    d //= 2",
    "if t < {}:",
    "    a[t] = x",
)
"""Lane 0 gets the largest of the first four elements, of which some are written, by line 5."""


@pytest.mark.parametrize(
    ("written", "test", "stored", "fault"),
    [
        (4, "y > x", 1, False),
        (4, "x < y", 1, False),
        (4, "not y <= x", 1, False),
        (4, "y < x", 1, False),
        (8, "y > x", 5, False),
        (4, "y != 7 and y > x", 1, True),
        (4, "y == 77", 1, True),
        (4, "y > x", 2, True),
        (3, "y > x", 1, True),
        (2, "y > x", 1, True),
        (8, "y > x", 6, True),
    ],
)
def test_a_value_that_is_compared_and_then_discarded(written, test, stored, fault):
    lines = "\n".join(MOST).format(written, test, stored).splitlines()
    found = [each for each in told(*lines)[0] if each[0] != "race"]
    assert found == ([("uninitialised-read", "shared", 6)] if fault else [(*DISCARDED[0][:2], 6)])


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


EIGHT = (
    "t = cuda.threadIdx.x",
    "v = t",
    "if t < 8:",
    "    v = cuda.shfl_down_sync(0xff, t, 4)",
)
"""Lanes 4 to 7 read from lanes that the mask does not name, in line 5."""
UNSEEN_USES = [
    ("pass",),
    ("v = v + v", "if t < 4:", "    a[t] = v"),
    ("if v > 6:", "    v = 3", "if t < 4:", "    a[t] = v"),
    ("a[t] = v if t < 4 else 0",),
    ("a[t] = 5 // max(v, 1) * 0",),
    ("s = cuda.shared.array(32, numba.int32)", "s[t] = v", "if t < 4:", "    a[t] = s[t]"),
    ("if t < 4:", "    cuda.atomic.add(a, 0, v)"),
    ("v = cuda.shfl_sync(0xffffffff, v, 0)", "a[t] = v"),
    ("w = t // v if v != 0 else t", "if t < 4:", "    a[t] = w"),
]
SEEN_USES = [
    ("a[t] = v",),
    ("a[t] = min(v, 3)",),
    ("if v > 100:", "    a[t] = 1"),
    ("if v == t:", "    a[t] = 1"),
    ("while v > 100:", "    v -= 100", "    a[t] = 1"),
    ("a[v] = 1",),
    ("v = a[v]",),
    ("cuda.atomic.add(a, 0, v)",),
    ("cuda.atomic.add(a, min(max(v, 0), 63), 1)",),
    ("a[t] = cuda.shfl_sync(0xffffffff, v, 4)",),
    ("if t == 5:", "    print(v)"),
]


def shuffled(*lines: str) -> list[tuple[str, str, int]]:
    out = np.full(64, -7, np.int32)
    done = run(kernel(*EIGHT, *lines), [out], block=32, printed=[].append)
    return [(one.kind, one.topic, one.line) for one in done.findings if "lane" in one.topic]


@pytest.mark.parametrize("use", UNSEEN_USES)
def test_a_shuffle_may_read_from_any_lane_if_nobody_sees_the_value(use):
    assert shuffled(*use) == []


@pytest.mark.parametrize("use", SEEN_USES)
def test_what_a_shuffle_reads_from_a_lane_that_takes_no_part_must_not_be_seen(use):
    assert shuffled(*use) == [("absent-lanes", "undefined lane", 5)]


def test_of_two_shuffles_the_value_of_one_may_be_seen():
    again = ("w = 0", "if t < 8:", "    w = cuda.shfl_down_sync(0xff, t, 3)", "a[t] = w")
    assert shuffled(*again) == [("absent-lanes", "undefined lane", 8)]


@pytest.mark.parametrize("gone", [False, True])
def test_a_launch_too_long_to_be_repeated_blames_no_shuffle(gone, monkeypatch):
    """A tree in some lanes of a warp is common; reading from a lane that has returned is rare."""
    monkeypatch.setattr(consequence, "MOST_OPERATIONS", 0)
    if not gone:
        assert shuffled("a[t] = v") == []
        return
    lines = ("t = cuda.threadIdx.x", "if t > 7:", "    return", EIGHT[3].strip(), "a[t] = v")
    done = run(kernel(*lines).replace("0xff,", "0xffffffff,"), [np.zeros(64, np.int32)])
    assert [(one.kind, one.topic) for one in done.findings] == [("warning", "absent lanes")]


def test_a_launch_that_is_interrupted_blames_no_shuffle():
    def interrupt(_line: str) -> None:
        raise KeyboardInterrupt

    out = np.zeros(64, np.int32)
    with pytest.raises(Interrupted) as caught:
        run(kernel(*EIGHT, "print(1)", "a[t] = v"), [out], block=32, printed=interrupt)
    assert caught.value.done.findings == ()


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
