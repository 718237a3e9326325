"""Reports of launches: the verdict, what bounds them, layouts, groups, and what is read back."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest

from grader.banks import Access, cost
from grader.facts import fact
from grader.kernels import SharedArray, WorstAccess
from grader.profiles import (
    NCU_METRICS,
    FaultPlace,
    NotAReport,
    find_bound,
    make_report,
    ncu_metrics,
    read_launches,
)
from grader.profiles.grouping import MOST_DIFFERENT, MOST_ELEMENTS, propose_layouts
from grader.simt import COUNTERS, Finding
from tests.grader.profiles.records import NAIVE, recorded, transposed
from tests.study.tools import ROOT

LANES = np.arange(32)


def test_the_verdict_names_the_costliest_line_and_what_helps():
    report = make_report([transposed(), transposed(33)])
    assert (report.verdict.launches, report.verdict.faulty) == (2, 0)
    [line] = report.verdict.costly
    assert (line.space, line.kernel, line.line, line.ratio) == ("shared", "transpose", 12, 32)
    # 128 warps: 32 wavefronts for the load of the first; 128 for each other access of both
    assert line.share == pytest.approx(128 * 32 / (128 * 32 + 3 * 128))
    assert line.proposal is not None
    assert line.proposal.pitch == 33
    assert line.proposal.swizzle == "row * 32 + (col ^ row)"


def test_scattered_sectors_are_named_with_a_warp_that_shows_them():
    launch = recorded(NAIVE)
    [line] = make_report([launch]).verdict.costly
    assert (line.space, line.line, line.ratio, line.share) == ("global", 6, 4.5, 1)
    [access] = launch.scattered
    assert (access.kind, access.array, access.sectors, access.ideal) == ("store", "out", 32, 4)
    assert access.addresses == tuple(range(0, 32 * 256, 256))


AOS = """
from numba import cuda

def aos(image, out):
    t = cuda.grid(1)
    out[0, t // 4] = image[0, t * STEP % 64]
"""


def test_lanes_that_are_a_row_apart_are_said_to_be():
    [found] = make_report([recorded(NAIVE)]).groups[0].strides
    assert (found.line, found.array, found.apart, found.is_row) == (6, "out", 256, True)
    assert (found.sectors, found.ideal) == (32, 4)


@pytest.mark.parametrize(("step", "apart"), [("2", [8]), ("1", []), ("3", []), ("t", [])])
def test_only_one_distance_between_lanes_is_a_stride(step, apart):
    launch = recorded(AOS.replace("STEP", step), 1, 32)
    strides = make_report([launch]).groups[0].strides
    assert [found.apart for found in strides if found.kind == "load"] == apart
    assert not any(found.is_row for found in strides)


def test_a_row_is_one_only_along_x():
    launch = replace(recorded(NAIVE), block=(1, 32, 32))
    assert not make_report([launch]).groups[0].strides[0].is_row


def test_a_wasteful_line_of_equal_launches_counts_each_time():
    report = make_report([transposed(), transposed(), transposed(33)])
    assert report.groups[0].numbers == (1, 2)
    # the load: 32 in each of two launches; three stores and the load of the third: 1 each
    assert report.verdict.costly[0].share == pytest.approx(64 / 68)


def test_faults_count_and_warnings_do_not():
    what = fact("finding.budget")
    launches = [
        replace(transposed(33), findings=(Finding(kind, 5, 1, what),))
        for kind in ("warning", "budget", "budget")
    ]
    verdict = make_report(launches).verdict
    assert (verdict.faulty, verdict.warnings, verdict.unfinished) == (2, 1, 0)
    again = [launches[0], replace(launches[0], finished=False)]
    verdict = make_report(again).verdict
    assert (verdict.faulty, verdict.warnings, verdict.unfinished) == (0, 1, 1)


def test_the_verdict_has_each_fault_once_with_both_places():
    what = fact("finding.budget")
    race = Finding("race", 12, 5, what, array="tile", other_line=8, other_file="/there.py")
    ends = Finding("budget", 9, 5, what)
    first = replace(transposed(33), file="/here.py", findings=(race, ends))
    other = replace(first, grid=(1, 1, 1), findings=(replace(race, count=7),))
    assert make_report([first, first, other]).verdict.faults == (
        FaultPlace("race", "tile", "/here.py", 12, "/there.py", 8),
        FaultPlace("budget", "", "/here.py", 9),
    )


@pytest.mark.parametrize(
    ("totals", "limit"),
    [
        ({"shared_load_wavefronts": 101, "global_load_sectors": 400}, "shared"),
        ({"shared_load_wavefronts": 99, "global_load_sectors": 400}, "global"),
        ({"shared_load_wavefronts": 1, "instructions": 401}, "shared"),
        ({"instructions": 401}, None),  # of statements, not of instructions
        ({}, None),
    ],
)
def test_the_bound_is_what_takes_most_cycles(totals, limit):
    assert find_bound(totals).limit == limit


def test_bytes_needed_and_moved():
    bound = find_bound({"global_store_sectors": 8, "global_store_ideal_sectors": 2})
    assert (bound.bytes_moved, bound.bytes_needed, bound.sector_share) == (256, 64, 0.25)


def column(pitch: int, itemsize: int = 4) -> WorstAccess:
    """Each lane takes an element of its own row."""
    addresses = LANES * pitch * itemsize
    found = cost(Access("load", itemsize, addresses, np.ones(32, np.bool_)), "9.0")
    return WorstAccess(
        1, 1, "load", itemsize, tuple(map(int, addresses)), (True,) * 32, found.wavefronts,
        found.ideal,
    )  # fmt: skip


@pytest.mark.parametrize(("columns", "itemsize"), [(32, 4), (64, 4), (16, 8), (24, 4)])
def test_a_proposed_pitch_saves_what_it_says(columns, itemsize):
    array = SharedArray("tile", itemsize, (32, columns), 0)
    [found] = propose_layouts((column(columns, itemsize),), (array,))
    assert found.pitch is not None
    padded = LANES * found.pitch * itemsize
    again = cost(Access("load", itemsize, padded, np.ones(32, np.bool_)), "9.0")
    assert again.wavefronts == found.padded < found.wavefronts


def test_an_array_of_one_axis_is_padded_after_every_32_elements():
    [found] = propose_layouts((column(32),), (SharedArray("s", 4, (1024,), 0),))
    assert found.is_flat
    assert (found.pitch, found.padded) == (33, 1)
    index = 32 * LANES
    padded = 4 * (index // 32 * found.pitch + index % 32)  # as the sentence has it
    assert cost(Access("load", 4, padded, np.ones(32, np.bool_)), "9.0").wavefronts == 1


@pytest.mark.parametrize("shape", [(1000,), (MOST_ELEMENTS // 32 + 1, 32)])
def test_an_array_of_odd_length_or_too_large_is_left_alone(shape):
    assert propose_layouts((column(32),), (SharedArray("tile", 4, shape, 0),)) == ()


def test_what_is_free_needs_no_layout():
    assert propose_layouts((column(33),), (SharedArray("tile", 4, (32, 33), 0),)) == ()


INDEXED = """
from numba import cuda, float32

def indexed(image, out):
    s = cuda.shared.array(2048, float32)
    t = cuda.threadIdx.x
    s[2 * t] = s[2 * t + 1] = image[0, t]
    cuda.syncthreads()
    i = INDEX
    out[0, t] = s[i]
"""


@pytest.mark.parametrize(
    ("index", "proposes"),
    [
        ("32 * t", True),
        ("(t + image.shape[0] - 64) * 32", True),
        ("int(image[0, t]) + 32 * t", False),
        ("int(s[2 * t]) + 32 * t", False),
        ("int(cuda.shfl_sync(0xffffffff, image[0, t], 0)) + 32 * t", False),
    ],
)
def test_no_layout_is_fitted_to_data(index, proposes):
    launch = recorded(INDEXED.replace("INDEX", index), 1, 32)
    worst = max(launch.worst, key=lambda access: access.excess)
    assert (worst.excess, worst.from_data) == (31, not proposes)
    assert bool(make_report([launch]).groups[0].proposals) is proposes


def test_many_launches_that_differ_are_one_sum():
    launches = [replace(transposed(33), totals={"instructions": n}, lines=()) for n in range(5)]
    some = [
        replace(launch, lines=(replace(transposed(33).lines[0], counts={"lanes": n + 1}),))
        for n, launch in enumerate(launches)
    ]
    assert len(make_report(some[:MOST_DIFFERENT]).groups) == MOST_DIFFERENT
    [group] = make_report(some).groups
    assert group.summed
    assert group.launch.lines[0].counts == {"lanes": 15}
    assert group.launch.totals == {"instructions": 10}


@pytest.mark.parametrize(
    "plain",
    [
        [], {}, {"launches": 1}, {"launches": [1]}, {"launches": [{}]},
        {"launches": [{"lines": 3}]}, {"launches": [{"lines": [[]]}]},
    ],
)  # fmt: skip
def test_what_is_no_report_is_refused(plain):
    with pytest.raises(NotAReport):
        read_launches(plain)


def test_each_metric_of_nsight_compute_is_one_that_was_recorded():
    """Its name stands for what an H200 counted, equal but for cells with a reason."""
    with (ROOT / "tests/data/gpu_kernels.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["counter"] for row in rows} == set(NCU_METRICS) <= set(COUNTERS)
    assert all(row["gpu"] == row["emulator"] or row["sass"] for row in rows)
    totals = {"shared_load_conflicts": 3, "shared_load_wavefronts": 5, "lanes": 9}
    assert ncu_metrics(totals) == {
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum": 3,
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": 5,
        "memory_l1_wavefronts_shared": 5,
    }
