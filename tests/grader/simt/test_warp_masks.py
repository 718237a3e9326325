"""Masks of warp primitives: what CUDA asks of them, and kernels that may not be blamed."""

from __future__ import annotations

import numpy as np
import pytest

from grader.facts import fact
from tests.grader.simt.tools import kernel, run

FULL = "0xffffffff"
CALLS = [
    "cuda.shfl_sync(M, t, 0)",
    "cuda.shfl_up_sync(M, t, 1)",
    "cuda.shfl_down_sync(M, t, 1)",
    "cuda.shfl_xor_sync(M, t, 1)",
    "cuda.all_sync(M, t > 0)",
    "cuda.any_sync(M, t > 0)",
    "cuda.eq_sync(M, t > 0)",
    "cuda.ballot_sync(M, t > 0)",
    "cuda.match_any_sync(M, t)",
    "cuda.match_all_sync(M, t)[0]",
    "cuda.syncwarp(M)",
]


def found(*lines: str, block: int = 64, out: int = 64):
    lines = ("t = cuda.threadIdx.x", "lane = t % 32", *lines)
    return run(kernel(*lines), [np.zeros(out, np.int64)], block=block).findings


def told(*lines: str, **options) -> list[tuple[str, str, int]]:
    return [(one.kind, one.topic, one.line) for one in found(*lines, **options)]


def calling(call: str, mask: str) -> str:
    call = call.replace("M", mask)
    return call if "syncwarp" in call else f"a[t] = {call}"


def read_beyond(call: str, *shuffles: str, line: int = 4) -> list[tuple[str, str, int]]:
    """What is found where a shuffle (any, or one of these) reads a lane that takes no part."""
    reads = call.startswith(tuple(f"cuda.{name}" for name in shuffles or ("shfl",)))
    return [("absent-lanes", "undefined lane", line)] if reads else []


@pytest.mark.parametrize("call", CALLS)
def test_a_caller_names_itself(call):
    assert told(calling(call, FULL)) == []
    assert told(calling(call, "-1")) == []
    assert told(calling(call, "1 << lane")) == read_beyond(call)
    for mask in ("0x1", "0", "0x7fffffff", f"{FULL} ^ 1 << lane"):
        (first, *_) = told(calling(call, mask))
        assert first == ("warp-mask", "own lane", 4), mask


@pytest.mark.parametrize("call", CALLS)
def test_lanes_that_name_each_other_give_the_same_mask(call):
    beyond = read_beyond(call, "shfl_sync", "shfl_up", "shfl_down")
    assert told(calling(call, "0xffff << lane // 16 * 16")) == beyond
    named = told(calling(call, f"{FULL} if lane < 16 else 0xffff0000"))
    beyond = read_beyond(call, "shfl_sync", "shfl_up")
    assert named == [*beyond, ("warp-mask", "different masks", 4)]


def test_what_is_said_of_a_mask():
    one, *_ = found("a[t] = cuda.shfl_down_sync(0x1, t, 1)")
    assert one.count == 62
    assert one.threads == ((1, 0, 0),)
    assert (one.what.fields["lane"], one.what.fields["mask"]) == (1, "0x1")


@pytest.mark.parametrize("call", CALLS)
def test_the_lanes_of_a_branch_may_name_themselves_alone(call):
    beyond = read_beyond(call, "shfl_down", line=5)
    assert told("if lane < 8:", "    " + calling(call, "0xff")) == beyond
    assert told("if lane < 8:", "    " + calling(call, "cuda.activemask()")) == beyond
    beyond = read_beyond(call, "shfl_down")
    assert told(calling(call, FULL), block=40) == beyond, "what is not there need not come"


@pytest.mark.parametrize("call", CALLS)
def test_named_lanes_that_are_elsewhere_are_missed(call):
    assert told("if lane < 8:", "    " + calling(call, FULL)) == [
        ("absent-lanes", "absent lanes", 5)
    ]


READS_NAMED = ("cuda.shfl_sync", "cuda.shfl_up", "cuda.all", "cuda.any", "cuda.eq", "cuda.ballot",
               "cuda.match", "cuda.syncwarp")  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_missed_lanes_come_with_a_remedy(call):
    (one,) = found("if lane < 8:", "    " + calling(call, FULL))
    assert one.what.code == "finding.absent-lanes"
    if call.startswith(READS_NAMED):
        assert one.hint == fact("advice.name-lanes", mask="0xff")
    elif "down" in call:
        assert one.hint == fact("advice.whole-warp")
    (one,) = found("if lane < t // 32 + 3:", "    " + calling("cuda.any_sync(M, t > 0)", FULL))
    assert one.hint == fact("advice.name-own-lanes")


@pytest.mark.parametrize("call", CALLS)
def test_lanes_that_have_returned_need_not_come(call):
    """Only a shuffle that reads from one of them gives what is undefined."""
    missed = told("if lane >= 7:", "    return", calling(call, FULL))
    assert missed == read_beyond(call, "shfl_down", "shfl_xor", line=6)


def test_lanes_may_meet_at_two_calls_of_syncwarp():
    both = ("if lane < 8:", "    cuda.syncwarp({0})", "else:", "    cuda.syncwarp({0})")
    assert told(*(line.format(FULL) for line in both)) == []
    assert told(*(line.format("") for line in both)) == []
    other = [line.format("0xff" if i < 2 else "0xffffff00") for i, line in enumerate(both)]
    assert told(*other) == []
    assert told(*other[:2], "else:", "    cuda.syncwarp(0xff00)")[0][1] == "own lane"


TREE = (
    "s = cuda.shared.array(32, numba.int32)",
    "s[lane] = lane",
    "cuda.syncwarp()",
    "d = 16",
    "while d > 0:",
    "    if lane < d:",
    "        s[lane] += s[lane + d]",
    "    cuda.syncwarp({})",
    "    d //= 2",
    "a[t] = s[0]",
)


@pytest.mark.parametrize("mask", ["", FULL, "cuda.activemask()"])
def test_a_tree_within_a_warp(mask):
    assert told(*(line.format(mask) for line in TREE), block=32) == []


def test_a_barrier_of_one_lane_orders_nothing():
    kinds = {kind for kind, *_ in told(*(line.format("1") for line in TREE), block=32)}
    assert kinds == {"race", "warp-mask"}
    alone = {kind for kind, *_ in told(*(line.format("1 << lane") for line in TREE), block=32)}
    assert alone == {"race"}


def test_halves_of_a_warp_are_ordered_in_themselves():
    half = "0xffff << lane // 16 * 16"
    lines = ("s = cuda.shared.array(32, numba.int32)", "s[lane] = t", f"cuda.syncwarp({half})")
    assert told(*lines, "a[t] = s[lane ^ 8]", block=32) == []
    assert told(*lines, "a[t] = s[lane ^ 16]", block=32) == [("race", "write-read", 7)]
    both = ("cuda.syncwarp()", "a[t] = s[lane ^ 16]")
    assert told(*lines, *both, block=32) == []
    assert told(*lines, both[1].replace("16", "8"), both[0], "s[lane] = 0", block=32) == []


UPPER = ("if lane < 8:", "    {0}", "else:", "    {1}")
MEETINGS = {
    "a call in each branch": (UPPER, ("x = F", "x = F"), []),
    "two calls in each branch": (UPPER, ("x = F; x = F", "x = F; x = F"), []),
    "a loop in each branch": (
        ("if lane < 8:", "    for i in range(5): {0}", "else:", "    for i in range(5): {1}"),
        ("x = F", "x = F"),
        [],
    ),
    "one call too many": (UPPER, ("x = F; x = F", "x = F"), ["absent-lanes"]),
    "a group of its own first": (UPPER, ("x = F", "y = G; x = F"), []),
    "another primitive first": (
        UPPER,
        ("x = F; y = E", "y = E; x = F"),
        ["absent-lanes", "absent-lanes"],
    ),
    "a call behind the branch": (
        ("if lane < 8:", "    {0}", "{1}"),
        ("x = F", "x = F"),
        ["absent-lanes"],
    ),
    "a barrier between": (
        ("if lane < 8:", "    {0}", "cuda.syncthreads()", "if lane >= 8:", "    {1}"),
        ("x = F", "x = F"),
        ["absent-lanes", "absent-lanes"],
    ),
}


@pytest.mark.parametrize("name", MEETINGS)
def test_lanes_of_two_branches_meet_as_on_a_device(name):
    """What a device exchanges between two calls, the emulator does not: that is a warning."""
    form, calls, faults = MEETINGS[name]
    texts = [
        call.replace("F", f"cuda.ballot_sync({FULL}, 1)")
        .replace("G", "cuda.ballot_sync(0xffffff00, 1)")
        .replace("E", f"cuda.any_sync({FULL}, 1)")
        for call in calls
    ]
    kinds = [kind for kind, *_ in told(*(line.format(*texts) for line in form))]
    assert [kind for kind in kinds if kind != "warning"] == faults
    assert faults or set(kinds) == {"warning"}


@pytest.mark.parametrize(
    ("comes", "mask", "lane", "absent"),
    [
        ("lane < 16", FULL, 0, "16–31"),
        ("lane % 2", FULL, 1, "0, 2, 4, …, 30"),
        ("lane > 7 and lane != 20", "0xffffff00", 8, "20"),
        ("lane == 3 or lane > 29", "0xc000000c", 3, "2"),
        ("t > 34", FULL, 3, "0–2"),
        ("lane >= 4", "0xfffffff7", 4, "0–2"),
    ],
)
def test_absent_lanes_are_named_with_a_caller_and_its_mask(comes, mask, lane, absent):
    lines = (f"if {comes}:", f"    a[t] = cuda.ballot_sync({mask}, t > 0)")
    one = next(each for each in found(*lines) if each.kind == "absent-lanes")
    assert (one.line, one.what.fields["absent"]) == (5, absent)
    assert (one.what.fields["lane"], one.what.fields["mask"]) == (lane, mask)
