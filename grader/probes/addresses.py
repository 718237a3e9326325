"""The accesses of a run by line: what a request costs, and why, by the addresses of a warp."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from grader import banks
from grader.facts import Fact, fact
from grader.probes.replaying import Run

COSTS = {"shared": "wavefronts", "global": "sectors"}
"""What a request is counted in."""
KINDS = ("load", "store", "atomic")
_IDEALS = {"shared": "ideal", "global": "ideal_sectors"}
_ARCHITECTURE = "9.0"
_SHOWN_LANES = 4
UNITS = {"shared": fact("probe.unit.wavefronts"), "global": fact("probe.unit.sectors")}
_NAMES = {
    ("shared", "load"): fact("probe.access.shared.load"),
    ("shared", "store"): fact("probe.access.shared.store"),
    ("shared", "atomic"): fact("probe.access.shared.atomic"),
    ("global", "load"): fact("probe.access.global.load"),
    ("global", "store"): fact("probe.access.global.store"),
    ("global", "atomic"): fact("probe.access.global.atomic"),
}


class LineAccess(NamedTuple):
    """The only access of its kind in a line: what one request of a warp costs, on average.

    Attributes:
        cost, ideal: wavefronts or sectors of a request.
        requests: of the launch.
        place: of the source, its line and column.
    """

    space: str
    kind: str
    line: int
    cost: float
    ideal: float
    requests: int
    place: tuple[int, int]

    @property
    def unit(self) -> Fact:
        """What the cost is counted in."""
        return UNITS[self.space]

    @property
    def name(self) -> Fact:
        """What it is called."""
        return _NAMES[self.space, self.kind]


def find_accesses(run: Run, but: Collection[int]) -> dict[tuple[str, str, int], LineAccess]:
    """Find the accesses of a run that are alone of their kind in their line.

    `but`: lines to leave out.
    """
    found: dict[tuple[str, str, int], LineAccess] = {}
    twice = set[tuple[str, str, int]]()
    for place, counts in run.done.counts.items():
        for space, cost in COSTS.items():
            for kind in KINDS:
                requests = int(counts.get(f"{space}_{kind}_requests", 0))
                if not requests:
                    continue
                key = space, kind, place[0]
                twice |= {key} & found.keys()
                spent = int(counts[f"{space}_{kind}_{cost}"]) / requests
                ideal = int(counts[f"{space}_{kind}_{_IDEALS[space]}"]) / requests
                found[key] = LineAccess(*key, spent, ideal, requests, place)
    left_out = {key for key in found if key[2] in but}
    return {key: each for key, each in found.items() if key not in twice | left_out}


def explain_cost(run: Run, access: LineAccess) -> Iterator[Fact]:
    """Yield what makes a request cost so much: the sum, and where the lanes of a warp go."""
    total = round(access.cost * access.requests)
    if access.requests > 1:
        yield fact("probe.seen.average", total=total, requests=access.requests, what=access.unit,
                   n=round(access.cost))  # fmt: skip
    yield from explain_lanes(run, access)


def explain_lanes(run: Run, access: LineAccess) -> Iterator[Fact]:
    """Yield where the lanes of a recorded warp go, if they go further than they must."""
    explain = _explain_banks if access.space == "shared" else _explain_sectors
    yield from explain(run, access)


def _explain_sectors(run: Run, access: LineAccess) -> Iterator[Fact]:
    found = run.done.scattered.get(access.place)
    if found is None or found.kind != access.kind:
        return
    addresses = found.addresses[found.active]
    steps = set(np.diff(addresses).tolist())
    lanes = len(addresses)
    if len(steps) == 1:
        yield fact("probe.seen.step", n=found.sectors, lanes=lanes, step=abs(steps.pop()),
                   width=found.width)  # fmt: skip
    else:
        first, last = int(addresses.min()), int(addresses.max()) + found.width - 1
        yield fact("probe.seen.span", n=found.sectors, lanes=lanes, first=first, last=last,
                   array=found.array)  # fmt: skip


def _explain_banks(run: Run, access: LineAccess) -> Iterator[Fact]:
    found = run.done.worst.get(access.place)
    if found is None or found.kind != access.kind or found.wavefronts != access.cost:
        return
    spent = banks.cost(
        banks.Access(found.kind, found.width, found.addresses, found.active), _ARCHITECTURE
    )
    use = spent.witness
    if found.kind in KINDS[:2] and use is not None and len(use.words) > 1:
        lanes = tuple(word.lanes[0] for word in use.words)
        code = "probe.seen.bank" if len(lanes) <= _SHOWN_LANES else "probe.seen.bank-more"
        yield Fact(code, {"n": len(lanes), "bank": use.bank, "lanes": lanes[:_SHOWN_LANES]})
        if len(spent.lane_groups) > 1:
            yield fact("probe.seen.groups", n=len(spent.lane_groups))
