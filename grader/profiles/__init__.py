"""A report on the launches of a script: verdict, what bounds each launch, layouts that help.

    report = make_report(read_launches(plain), read_refused(plain))
    report.verdict.faulty, report.groups[0].bound.limit, report.groups[0].proposals

The launches are those that `grader.scripts` leaves in a file. Values in, values out: no sentence,
no format, no process.
"""

from grader.profiles.bounds import find_bound, own_totals
from grader.profiles.comparing import (
    CountChange,
    KernelChange,
    LineChange,
    ReportChange,
    compare_reports,
)
from grader.profiles.measured import NCU_METRICS, CounterPair, KernelPair, ncu_metrics, pair_kernels
from grader.profiles.nsight import MeasuredKernel, NotNsight, read_nsight
from grader.profiles.reading import NotAReport, read_launches, read_programs, read_refused
from grader.profiles.reporting import make_report
from grader.profiles.values import (
    SECTOR_BYTES,
    ArgumentRecord,
    Bound,
    CostlyLine,
    CountedLine,
    FaultPlace,
    KernelProgram,
    LaunchGroup,
    LaunchRecord,
    LaunchReport,
    LayoutProposal,
    RefusedFeature,
    ReportVerdict,
    ScatteredAccess,
    Space,
    StridedAccess,
    total,
)

__all__ = [
    "NCU_METRICS", "SECTOR_BYTES", "ArgumentRecord", "Bound", "CostlyLine", "CountChange",
    "CountedLine", "CounterPair", "FaultPlace", "KernelChange", "KernelPair", "KernelProgram",
    "LaunchGroup", "LaunchRecord", "LaunchReport", "LayoutProposal", "LineChange", "MeasuredKernel",
    "NotAReport", "NotNsight", "RefusedFeature", "ReportChange", "ReportVerdict", "ScatteredAccess",
    "Space", "StridedAccess", "compare_reports", "find_bound", "make_report", "ncu_metrics",
    "own_totals", "pair_kernels", "read_launches", "read_nsight", "read_programs", "read_refused",
    "total",
]  # fmt: skip
