"""What a profile says of each kernel of `cuda/scenarios.cu`, before and after its fix.

A case is `SCENARIO, VARIANT`; what it counts has the name that Nsight Compute shows.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from bench.gpu.claims.figures import Figure
from bench.gpu.claims.programs import build, measure_time
from bench.gpu.claims.tools import ToolFailed, call, find_program

_SHOWN = {
    "gpu__time_duration.sum": ("Duration", "us", 1e-3),
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": ("Compute (SM) Throughput", "%", 1),
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed": ("DRAM Throughput", "%", 1),
    "l1tex__throughput.avg.pct_of_peak_sustained_active": ("L1/TEX Cache Throughput", "%", 1),
    "lts__throughput.avg.pct_of_peak_sustained_elapsed": ("L2 Cache Throughput", "%", 1),
    "l1tex__t_sector_hit_rate.pct": ("L1/TEX Hit Rate", "%", 1),
    "lts__t_sector_hit_rate.pct": ("L2 Hit Rate", "%", 1),
    "launch__registers_per_thread": ("Registers Per Thread", "", 1),
    "launch__waves_per_multiprocessor": ("Waves Per SM", "", 1),
    "sm__maximum_warps_per_active_cycle_pct": ("Theoretical Occupancy", "%", 1),
    "sm__warps_active.avg.pct_of_peak_sustained_active": ("Achieved Occupancy", "%", 1),
    "sm__inst_executed.avg.per_cycle_elapsed": ("Executed Ipc Elapsed", "per cycle", 1),
    "smsp__issue_active.avg.pct_of_peak_sustained_active": ("Issue Slots Busy", "%", 1),
    "smsp__thread_inst_executed_per_inst_executed.ratio": ("Avg. Active Threads Per Warp", "", 1),
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum": ("Shared Bank Conflicts", "", 1),
    "smsp__sass_inst_executed_op_local.sum": ("Local Memory Instructions", "", 1),
    "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active": ("FP64 Pipe", "%", 1),
    "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active": ("FMA Pipe", "%", 1),
    **{
        f"smsp__average_warps_issue_stalled_{reason}_per_issue_active.ratio": (
            f"Stall {reason.replace('_', ' ').title()}",
            "warps",
            1,
        )
        for reason in (
            "long_scoreboard", "short_scoreboard", "lg_throttle", "mio_throttle",
            "math_pipe_throttle", "barrier", "wait", "not_selected",
        )
    },
}  # fmt: skip
_PER_REQUEST = {
    f"{kind} Sectors Per Request": (
        f"l1tex__t_sectors_pipe_lsu_mem_global_op_{op}.sum",
        f"l1tex__t_requests_pipe_lsu_mem_global_op_{op}.sum",
    )
    for kind, op in (("Load", "ld"), ("Store", "st"))
}


def scenarios(folder: Path) -> Iterator[Figure]:
    """Profile every kernel, and time it.

    Raises:
        ToolFailed: nvcc or ncu is not there or fails, or the launches are not those named.
    """
    program = build("scenarios", folder)
    asked = [*_SHOWN, *(metric for pair in _PER_REQUEST.values() for metric in pair)]
    log = program.with_suffix(".ncu")
    said = call([
        find_program("ncu"), f"--metrics={','.join(asked)}", "--csv", "--print-units=base",
        "--clock-control=none", f"--log-file={log}", program, "count",
    ])  # fmt: skip
    if said.status:
        raise ToolFailed(f"ncu ended with status {said.status}: {said.all[-1000:]}")
    names = [line.removeprefix("case ") for line in said.out.splitlines() if line[:5] == "case "]
    profiles = list(_profiles(log.read_text("utf-8", "replace")))
    if len(names) != len(profiles):
        raise ToolFailed(f"{len(profiles)} launches were counted, {len(names)} named")
    for name, found in zip(names, profiles, strict=True):
        yield from _shown(name, found)
    yield from measure_time("scenarios", program)


def _profiles(table: str) -> Iterator[dict[str, float]]:
    """Values by metric, launch by launch."""
    lines = table.splitlines()
    head = next(at for at, line in enumerate(lines) if line.startswith('"ID",'))
    found: dict[str, dict[str, float]] = {}
    for row in csv.DictReader(line for line in lines[head:] if line.startswith('"')):
        value = row["Metric Value"].replace(",", "")
        if value.replace(".", "", 1).isdigit():
            found.setdefault(row["ID"], {})[row["Metric Name"]] = float(value)
    return iter(found.values())


def _shown(case: str, found: dict[str, float]) -> Iterator[Figure]:
    for metric, (what, unit, scale) in _SHOWN.items():
        if metric in found:
            yield Figure("scenarios", case, what, f"{found[metric] * scale:.4g}", unit)
    for what, (sectors, requests) in _PER_REQUEST.items():
        if found.get(requests):
            yield Figure("scenarios", case, what, f"{found[sectors] / found[requests]:.4g}")
