"""Which metrics of Nsight Compute count the same as the emulator's counters.

Held against what an H200 counted: tests/data/gpu_kernels.csv, recorded by `bench.gpu`. A counter
without such a metric has no name here.
"""

from __future__ import annotations

from collections.abc import Mapping

from grader.profiles.values import total

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
