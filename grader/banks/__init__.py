"""Turns a warp's addresses into wavefronts and conflicts. Knows no source code and no screen.

    cost(Access("load", 4, 8 * lanes, everyone)).wavefronts          one instruction, with a witness
    cost_many("load", 4, addresses, arch="8.0").wavefronts           many, as arrays

Terms: a *word* is 4 bytes; a *bank* serves one of its *rows* at a time (one word, but on 3.x
two); a *pass* is what all banks serve at once; a *wavefront*, which profilers count, is one trip
through the LSU data pipe: a pass takes one, that of compare-and-swap two. Lanes are
served in *lane groups*, one after the other. What differs between architectures is data, each rule
beside where it is known from (`architectures`). docs/bank-model.md explains how it counts.
"""

from grader.banks.access import (
    KINDS,
    LANES,
    MATRIX_KINDS,
    MATRIX_ROW_BYTES,
    SHARED_BYTES,
    WIDTHS,
    WORD_BYTES,
    Access,
    BoolArray,
    IntArray,
    InvalidAccess,
    Kind,
    bank,
    counted_lanes,
    find_refusals,
    width_of,
)
from grader.banks.architectures import ARCHITECTURES, SOURCES, Architecture, Evidence, architecture
from grader.banks.counting import AccessCost, BankUse, cost
from grader.banks.lanes_by_pass import Pass, passes
from grader.banks.many import Costs, cost_many

__all__ = [
    "ARCHITECTURES", "KINDS", "LANES", "MATRIX_KINDS", "MATRIX_ROW_BYTES", "SHARED_BYTES",
    "SOURCES", "WIDTHS", "WORD_BYTES", "Access", "AccessCost", "Architecture", "BankUse",
    "BoolArray", "Costs", "Evidence", "IntArray", "InvalidAccess", "Kind", "Pass", "architecture",
    "bank", "cost", "cost_many", "counted_lanes", "find_refusals", "passes", "width_of",
]  # fmt: skip
