"""The result of grading a layout: the verdict, and the figures of every access."""

from __future__ import annotations

from dataclasses import dataclass

from grader.banks import AccessCost, Costs, IntArray, Kind
from grader.verdict import Verdict


@dataclass(frozen=True, eq=False)
class AccessReport:
    """How good a layout is for one access. Wavefronts are those of the worst warp instruction.

    Attributes:
        name, kind, width: of the access; bytes per lane.
        wavefronts: what the worst warp takes; where only bounds are known, the upper bound if any.
        ideal: what the best placement of the same words would take.
        allowed: the most that passes the gate.
        warp: the number of that warp, from 0.
        total, total_ideal: wavefronts of all warps together.
        cost: of the worst warp, with lane groups, banks and a witness.
        elements: (32,) the first element of each of its lanes, counted along the tile's rows.
        addresses: (32,) the byte addresses of these elements.
    """

    name: str
    kind: Kind
    width: int
    wavefronts: int
    ideal: int
    allowed: int
    warp: int
    warps: int
    total: int
    total_ideal: int
    cost: AccessCost
    elements: IntArray
    addresses: IntArray

    @property
    def passed(self) -> bool:
        """True if the access passes its gate."""
        return self.wavefronts <= self.allowed


@dataclass(frozen=True, eq=False)
class LayoutGrade:
    """A verdict with figures; what was not reached is None or empty.

    Attributes:
        language: `Python` or `C`; empty if the source was not understood.
        placed: (elements,) the slot of every element, even if it is outside or not unique.
        slots: (rows, columns) the same, once each has a slot of its own inside.
        extra_elements: storage used beyond one slot for each element, and `extra_bytes` the same.
        accesses: in the exercise's order.
    """

    verdict: Verdict
    language: str = ""
    placed: IntArray | None = None
    slots: IntArray | None = None
    extra_elements: int | None = None
    extra_bytes: int | None = None
    accesses: tuple[AccessReport, ...] = ()


def graded_wavefronts(costs: Costs) -> IntArray:
    """Return the (N,) wavefronts that are graded: the upper bound if there is one."""
    return costs.wavefronts if costs.wavefronts_at_most is None else costs.wavefronts_at_most
