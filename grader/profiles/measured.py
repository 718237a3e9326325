"""What Nsight Compute measured beside what the emulator counted, kernel by kernel.

A counter of the compiled program may differ from that of the source for a few known causes, which
the directions of the differences tell apart (tests/data/cuda_counter_reasons.csv has examples).
Which metrics count the same is held against what an H200 counted: tests/data/gpu_kernels.csv,
recorded by `bench.gpu`. A counter without such a metric has no name here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

from grader.profiles.bounds import find_bound, find_line_costs, own_totals
from grader.profiles.nsight import MeasuredKernel
from grader.profiles.values import LaunchRecord, Space, total

_OPERATIONS = {"load": "ld", "store": "st", "atomic": "atom"}
_SHARED = {
    "requests": (
        "smsp__inst_executed_op_shared_{}",
        "smsp__sass_inst_executed_op_shared_{}",
        "sm__sass_inst_executed_op_shared_{}",
    ),
    "wavefronts": ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}",),
    "conflicts": ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{}",),
}
NCU_METRICS: Mapping[str, tuple[str, ...]] = {
    **{
        f"shared_{kind}_{what}": tuple(f"{name.format(op)}.sum" for name in names)
        for kind, op in _OPERATIONS.items()
        for what, names in _SHARED.items()
    },
    **{
        f"global_{kind}_{what}": (f"l1tex__t_{what}_pipe_lsu_mem_global_op_{op}.sum",)
        for kind, op in _OPERATIONS.items()
        if kind != "atomic"
        for what in ("requests", "sectors")
    },
}
"""By counter: metrics that count the same, the first that a device has is meant."""

_REMOTE = {
    f"remote_{kind}_sectors": f"l1tex__m_l1tex2xbar_write_sectors_mem_dshared_op_{op}.sum"
    for kind, op in _OPERATIONS.items()
}
"""Of clusters: compute capability 9.0 and later has them."""


def ncu_metrics(totals: Mapping[str, int]) -> dict[str, int]:
    """Return counters by the names of Nsight Compute's metrics; those that are 0 are left out.

    `memory_l1_wavefronts_shared` and its ideal are those of the source page.
    """
    found = {names[0]: totals.get(counter, 0) for counter, names in NCU_METRICS.items()}
    found.update({name: totals.get(counter, 0) for counter, name in _REMOTE.items()})
    found["memory_l1_wavefronts_shared"] = total(totals, "shared", "wavefronts")
    found["memory_l1_wavefronts_shared_ideal"] = total(totals, "shared", "ideal")
    return {name: count for name, count in found.items() if count}


Cause = Literal["same", "merged", "predicated", "replayed", "other"]
Limit = Literal["dram", "l2", "l1", "sm", "latency"]
Step = Literal["conflicts", "sectors", "bytes", "blocks", "warps", "loads", "instructions"]

_PEAKS: Mapping[Limit, tuple[str, ...]] = {
    "dram": ("gpu__dram_throughput", "dram__throughput"),
    "l2": ("lts__throughput",),
    "l1": ("l1tex__throughput",),
    "sm": ("sm__throughput",),
}
_WASTED: Mapping[Step, Space] = {"conflicts": "shared", "sectors": "global"}
_OF_PEAK = ".avg.pct_of_peak_sustained_elapsed"
_SMS = "device__attribute_multiprocessor_count"
_OCCUPANCY = "sm__warps_active.avg.pct_of_peak_sustained_active"
_SOURCE_PAGE = "memory_l1_wavefronts_shared"
_BUSY = 60.0
"""Percent of a peak from which a unit limits a kernel, as Nsight Compute's own rules have it."""
_FEW_WARPS = 50.0
"""Percent of the warps that an SM holds."""
_WASTE = 1.25
"""Wavefronts or sectors per ideal one from which they are the next thing to look at."""


@dataclass(frozen=True, slots=True)
class CounterPair:
    """One counter, measured and computed, and why they differ."""

    counter: str
    measured: int
    computed: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class KernelPair:
    """A measured kernel and the launch that is compared with it.

    Attributes:
        launch: None if the script launched none of its name and size.
        counters: those of either that are not 0.
        peaks: percent of each unit's peak, as far as it was measured.
        limit: the unit that limits it; None if no peak was measured.
        step: what to look at next; None without a launch.
        line, excess: for conflicts and sectors, where most are beyond the ideal, and how many there
            are in all per ideal one.
        occupancy: percent of an SM's warps, if that was measured.
    """

    kernel: MeasuredKernel
    launch: LaunchRecord | None
    counters: tuple[CounterPair, ...]
    peaks: Mapping[Limit, float]
    limit: Limit | None
    step: Step | None
    line: int
    excess: float
    occupancy: float | None


def pair_kernels(
    kernels: Sequence[MeasuredKernel], launches: Sequence[LaunchRecord]
) -> tuple[KernelPair, ...]:
    """Pair each measured kernel with the next launch of its name, grid, and block, or the first."""
    left = list(launches)
    found = []
    for kernel in kernels:
        launch = next((each for each in left if _is_same(kernel, each)), None)
        if launch is not None:
            left.remove(launch)
        else:  # it was measured more often
            launch = next((each for each in launches if _is_same(kernel, each)), None)
        found.append(_pair(kernel, launch))
    return tuple(found)


def _is_same(kernel: MeasuredKernel, launch: LaunchRecord) -> bool:
    return kernel.name == launch.kernel and (kernel.grid, kernel.block) == (
        tuple(launch.grid), tuple(launch.block),
    )  # fmt: skip


def _pair(kernel: MeasuredKernel, launch: LaunchRecord | None) -> KernelPair:
    peaks = dict(_find_peaks(kernel.metrics))
    limit = _find_limit(peaks)
    occupancy = kernel.metrics.get(_OCCUPANCY)
    if launch is None:
        return KernelPair(kernel, None, (), peaks, limit, None, 0, 1.0, occupancy)
    step, excess = _find_step(launch, limit, occupancy)
    if step in ("warps", "loads") and prod(kernel.grid) < kernel.metrics.get(_SMS, 0):
        step = "blocks"  # the other SMs are idle, whatever these do
    counters = tuple(_compare(kernel.metrics, launch.totals))
    line = _find_worst_line(launch, step)
    return KernelPair(kernel, launch, counters, peaks, limit, step, line, excess, occupancy)


def _find_peaks(metrics: Mapping[str, float]) -> Iterator[tuple[Limit, float]]:
    for unit, names in _PEAKS.items():
        known = [metrics[f"{name}{_OF_PEAK}"] for name in names if f"{name}{_OF_PEAK}" in metrics]
        if known:
            yield unit, known[0]


def _find_limit(peaks: Mapping[Limit, float]) -> Limit | None:
    if not peaks:
        return None
    most = max(peaks, key=lambda unit: peaks[unit])
    return most if peaks[most] >= _BUSY else "latency"


def _find_step(
    launch: LaunchRecord, limit: Limit | None, occupancy: float | None
) -> tuple[Step | None, float]:
    """Return what to look at next: what the launch wastes, before what limits it."""
    asked = find_bound(own_totals(launch))
    shared = asked.wavefronts / max(1, asked.ideal_wavefronts)
    sectors = asked.sectors / max(1, asked.ideal_sectors)
    if limit != "dram" and shared >= _WASTE:
        return "conflicts", shared
    if sectors >= _WASTE:
        return "sectors", sectors
    if limit in ("dram", "l2", "l1"):
        return "bytes", 1.0
    if limit == "latency":
        return "warps" if occupancy is not None and occupancy < _FEW_WARPS else "loads", 1.0
    return "instructions" if limit == "sm" else None, 1.0


def _find_worst_line(launch: LaunchRecord, step: Step | None) -> int:
    """Return the line with the most wavefronts or sectors beyond the ideal."""
    space = _WASTED.get(step) if step is not None else None
    costs = {} if space is None else find_line_costs(launch, space)
    worst = max(costs, key=lambda place: costs[place][0] - costs[place][1], default=("", 0))
    return worst[1]


def _compare(metrics: Mapping[str, float], totals: Mapping[str, int]) -> Iterator[CounterPair]:
    pairs = {
        counter: (int(metrics[name]), totals.get(counter, 0))
        for counter, names in NCU_METRICS.items()
        for name in [next((each for each in names if each in metrics), "")]
        if name
    }
    for counter, (measured, computed) in pairs.items():
        if measured or computed:
            cause = _find_cause(counter, pairs, metrics, totals)
            yield CounterPair(counter, measured, computed, cause)


def _find_cause(
    counter: str,
    pairs: Mapping[str, tuple[int, int]],
    metrics: Mapping[str, float],
    totals: Mapping[str, int],
) -> Cause:
    measured, computed = pairs[counter]
    if measured == computed:
        return "same"
    space_and_kind, _, what = counter.rpartition("_")
    requests = pairs.get(f"{space_and_kind}_requests", (0, 0))
    if requests[0] < requests[1]:
        return "merged"
    if requests[0] > requests[1]:
        return "predicated"
    counted = total(totals, "shared", "wavefronts")
    agrees = int(metrics.get(_SOURCE_PAGE, counted)) == counted
    is_more = what in ("wavefronts", "conflicts") and measured > computed
    return "replayed" if is_more and agrees else "other"
