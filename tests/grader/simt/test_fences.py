"""What fences and atomics order between blocks: the last block, flags, and what may be missing."""

from __future__ import annotations

import numpy as np
import pytest

from grader.simt import launch
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda
from tests.grader.simt.budget import LAUNCH_BUDGET
from tests.grader.simt.tools import kernel, places, run

BLOCK = 64
TICKET = "cuda.atomic.add(count, 0, 1)"
LAST = (
    "s = cuda.shared.array(1, numba.int32)",
    "i, t = cuda.grid(1), cuda.threadIdx.x",
    "part[i] = i",
    "cuda.syncthreads()",
    "if t == 0:",
    "    cuda.threadfence()",
    f"    s[0] = {TICKET}",
    "cuda.syncthreads()",
    "if s[0] == cuda.gridDim.x - 1:",
    "    for k in range(t, part.size, cuda.blockDim.x):",
    "        out[k] = part[k]",
)
"""All threads leave something; a barrier and the fence of one thread cover it."""


def faults(*lines: str, grid: int = 4) -> list[tuple[str, int]]:
    size = grid * BLOCK
    given = [np.zeros(size), np.zeros(2, np.int32), np.zeros(size)]
    return places(run(kernel(*lines, takes="part, count, out"), given, grid=grid, block=BLOCK))


@pytest.mark.parametrize(
    ("fence", "found"),
    [
        ("cuda.threadfence_block()", []),
        ("cuda.threadfence()", []),
        ("pass", ["advice.not-released"]),
    ],
)
def test_the_last_warp_of_a_block_may_read_what_its_warps_left(fence, found):
    lines = (
        "s = cuda.shared.array(4, numba.float64)",
        "n = cuda.shared.array(1, numba.int32)",
        "t = cuda.threadIdx.x",
        "if t == 0:",
        "    n[0] = 0",
        "cuda.syncthreads()",
        "if t % 32 == 0:",
        "    s[t // 32] = t",
        f"    {fence}",
        "    if cuda.atomic.add(n, 0, 1) == 1:",
        "        out[0] = s[0] + s[1]",
    )
    done = run(kernel(*lines, takes="out"), [np.zeros(1)], block=BLOCK)
    assert [each.hint.code for each in done.faults] == found


def changed(line: int, by: str) -> list[str]:
    """`LAST` with another line; its first is line 2 of the kernel."""
    lines = list(LAST)
    lines[line - 2] = by
    return lines


def test_the_last_block_may_read_what_all_blocks_left():
    assert faults(*LAST) == []


@pytest.mark.parametrize(
    ("line", "by"),
    [
        (7, "    pass"),
        (7, "    cuda.threadfence_block()"),
        (5, "pass"),
        (5, "cuda.syncwarp()"),
        (10, "if True:"),
        (10, "if s[0] == 0:"),
    ],
    ids=["no fence", "a block's", "no barrier", "a warp's", "all blocks", "the first one"],
)
def test_a_race_where_something_is_missing(line, by):
    assert faults(*changed(line, by)) == [("global-race", 12)]


def test_a_fence_covers_what_others_wrote_before_a_barrier_alone():
    """Here they write after it: thread 0 fences for itself."""
    lines = [*LAST[:2], "cuda.syncthreads()", "part[i] = i", *LAST[4:]]
    assert faults(*lines) == [("global-race", 12)]


def test_each_thread_may_fence_for_itself():
    assert (
        faults(*LAST[:3], "cuda.threadfence()", "cuda.syncthreads()", "if t == 0:", *LAST[6:]) == []
    )


def test_what_one_thread_saw_others_see_after_a_barrier_alone():
    lines = (
        "b, t = cuda.blockIdx.x, cuda.threadIdx.x",
        "if b == 0:",
        "    part[t] = t",
        "    cuda.threadfence()",
        "    cuda.syncthreads()",
        "    cuda.atomic.add(count, 0, 1)",
        "else:",
        "    if t == 0:",
        "        while cuda.atomic.add(count, 0, 0) == 0:",
        "            pass",
        "    {}",
        "    out[t] = part[t]",
    )
    text = "\n".join(lines)
    assert faults(*text.format("cuda.syncthreads()").splitlines(), grid=2) == []
    for missing in ("pass", "cuda.syncwarp()"):
        assert faults(*text.format(missing).splitlines(), grid=2) == [("global-race", 13)]


def test_steps_of_a_grid_that_counts_itself():
    """More fences than are kept; two arrays in turn, so that each step has one meeting."""
    lines = (
        "i, n = cuda.grid(1), cuda.gridDim.x",
        "for step in range(7):",
        "    if step % 2 == 0:",
        "        part[i] = out[(i + 64) % out.size] + 1",
        "    else:",
        "        out[i] = part[(i + 64) % out.size] + 1",
        "    cuda.threadfence()",
        "    cuda.syncthreads()",
        "    if cuda.threadIdx.x == 0:",
        "        cuda.atomic.add(count, 0, 1)",
        "        while cuda.atomic.add(count, 0, 0) < (step + 1) * n:",
        "            pass",
        "    cuda.syncthreads()",
    )
    assert faults(*lines) == []
    without = [line for line in lines if "threadfence" not in line]
    assert {kind for kind, _ in faults(*without)} == {"global-race"}


LOCK = (
    "b, t = cuda.blockIdx.x, cuda.threadIdx.x",
    "x, tries = 10 * b, 0",
    "if t == 0:",
    "    while cuda.atomic.cas(count, 0, 0, 1) != 0:",
    "        tries += 1",
    "    x = x + 1",
    "    tries = 3",
    "    part[0] += x",
    "    {}",
    "    cuda.atomic.exch(count, 0, 0)",
    "cuda.syncthreads()",
    "out[cuda.grid(1)] = x + tries",
)


def test_blocks_take_a_lock_one_after_the_other():
    grid = 40
    given = [np.zeros(1), np.zeros(1, np.int32), np.zeros(grid * BLOCK)]
    text = kernel(*LOCK, takes="part, count, out").format("cuda.threadfence()")
    done = run(text, given, grid=grid, block=BLOCK, budget=LAUNCH_BUDGET)
    assert done.finished
    assert done.findings == ()
    first = np.arange(BLOCK) == 0
    assert given[0][0] == sum(10 * b + 1 for b in range(grid))
    right = 10 * np.arange(grid)[:, None] + np.where(first, 4, 0)
    assert (given[2].reshape(grid, BLOCK) == right).all()


def test_a_lock_without_a_fence_orders_nothing():
    text = "\n".join(LOCK).format("pass").splitlines()
    assert set(faults(*text)) == {("global-race", 9)}


def test_a_lock_that_nobody_gives_back_ends_the_budget():
    lines = [line for line in LOCK if "exch" not in line]
    text = kernel(*lines, takes="part, count, out").format("cuda.threadfence()")
    given = [np.zeros(1), np.zeros(1, np.int32), np.zeros(4 * BLOCK)]
    done = run(text, given, grid=4, block=BLOCK, budget=LAUNCH_BUDGET // 10)
    assert places(done) == [("budget", 5)]


def test_blocks_wait_for_the_one_before_them():
    """The sums of all blocks so far: each waits for a flag that the one before it raises last."""
    lines = (
        "s = cuda.shared.array(1, numba.float64)",
        "b, t = cuda.blockIdx.x, cuda.threadIdx.x",
        "x = 1.0 * b",
        "if b > 0:",
        "    y = x + 0.5",
        "    if t == 0:",
        "        while cuda.atomic.max(count, b - 1, 0) == 0:",
        "            x += 0",
        "        s[0] = part[b - 1]",
        "    cuda.syncthreads()",
        "    x = x + s[0] + y - y",
        "if t == 0:",
        "    part[b] = x",
        "    cuda.threadfence()",
        "    cuda.atomic.max(count, b, 1)",
        "out[cuda.grid(1)] = x",
    )
    grid = 12
    given = [np.zeros(grid), np.zeros(grid, np.int32), np.zeros(grid * BLOCK)]
    text = kernel(*lines, takes="part, count, out")
    done = run(text, given, grid=grid, block=BLOCK, budget=LAUNCH_BUDGET)
    assert done.findings == ()
    assert (given[2].reshape(grid, BLOCK) == np.cumsum(np.arange(grid))[:, None]).all()


@pytest.mark.parametrize("test", ["b > 0", "b < cuda.gridDim.x - 1"])
def test_who_waits_may_stand_before_who_is_waited_for(test):
    lines = (
        "b, t = cuda.blockIdx.x, cuda.threadIdx.x",
        f"if {test}:",
        "    if t == 0:",
        "        while cuda.atomic.add(count, 0, 0) == 0:",
        "            pass",
        "    cuda.syncthreads()",
        "    out[cuda.grid(1)] = part[t]",
        "else:",
        "    part[t] = t",
        "    cuda.syncthreads()",
        "    if t == 0:",
        "        cuda.threadfence()",
        "        cuda.atomic.add(count, 0, 1)",
    )
    assert faults(*lines) == []


def test_blocks_that_wait_keep_their_values_while_others_go_on():
    """All threads of a block wait for its turn; who goes before assigns what they still read."""
    lines = (
        "b, i = cuda.blockIdx.x, cuda.grid(1)",
        "x = 10 * b",
        "while cuda.atomic.add(count, 0, 0) < b:",
        "    pass",
        "y = x + 1",
        "x = 5",
        "out[i] = y + x",
        "cuda.syncthreads()",
        "if cuda.threadIdx.x == 0:",
        "    cuda.atomic.add(count, 0, 1)",
    )
    grid = 5
    out = np.zeros(grid * BLOCK)
    text = kernel(*lines, takes="count, out")
    done = run(text, [np.zeros(1, np.int32), out], grid=grid, block=BLOCK, budget=LAUNCH_BUDGET)
    assert done.findings == ()
    assert (out.reshape(grid, BLOCK) == 10 * np.arange(grid)[:, None] + 6).all()


def reset(*, draw: str = TICKET, test: str = "s[0]", then: str = "count[0] = 0") -> list[str]:
    """`LAST`, then one thread resets the counter."""
    lines = [*LAST, "    if t == 0:", f"        {then}"]
    return [line.replace(TICKET, draw).replace("if s[0]", f"if {test}") for line in lines]


@pytest.mark.parametrize("then", ["count[0] = 0", "out[0] = count[0]"])
@pytest.mark.parametrize("test", ["s[0]", "cuda.syncthreads_or(s[0])", "abs(s[0])"])
def test_who_drew_the_last_ticket_may_access_the_counter(test, then):
    assert faults(*reset(test=test, then=then)) == []


@pytest.mark.parametrize(
    "changed_part",
    [
        {"test": "cuda.blockIdx.x"},  # this block drew the last ticket by accident
        {"draw": "cuda.atomic.add(count, 1, 1); cuda.atomic.add(count, 0, 1)"},
    ],
    ids=["chosen by its index", "an unused result"],
)
def test_without_the_last_ticket_an_access_to_the_counter_races(changed_part):
    assert ("global-race", 14) in faults(*reset(**changed_part))


IN_CPP = """
__device__ unsigned count;
__device__ bool is_last() { return atomicInc(&count, gridDim.x) == gridDim.x - 1; }
__device__ void reset(unsigned* c) { *c = 0; }
__global__ void k(volatile float* out) {
    __shared__ bool last;
    if (threadIdx.x == 0) { out[blockIdx.x] = 1; __threadfence(); last = false; TICKET }
    __syncthreads();
    if (!last) return;
    if (threadIdx.x == 0) reset(&count);
}
"""


@pytest.mark.parametrize(
    ("ticket", "found"),
    [("if (is_last()) last = true;", 0), ("is_last(); last = blockIdx.x == gridDim.x - 1;", 1)],
    ids=["drawn", "chosen by its index"],
)
def test_a_ticket_is_followed_through_functions_and_branches(ticket, found):
    lowered, _ = lower_kernel(read_cuda(IN_CPP.replace("TICKET", ticket)), "k")
    assert len(launch(lowered, 4, BLOCK, [np.zeros(4, np.float32)]).faults) == found
