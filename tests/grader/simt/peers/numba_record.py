"""The outcome of each of Numba's own tests, under its simulator and here, as it is recorded."""

from __future__ import annotations

import csv
from typing import NamedTuple

from tests.grader.simt.peers.suites import ROOT, Outcomes

RECORDED = ROOT / "tests" / "data" / "numba_suite.csv"


class Row(NamedTuple):
    """A test: what became of it under Numba's simulator, and here, and why."""

    id: str
    simulator: str
    ours: str
    reason: str
    message: str


def rows() -> list[Row]:
    """What was recorded."""
    with RECORDED.open(encoding="utf-8", newline="") as file:
        return [Row(**one) for one in csv.DictReader(file)]


def record(simulator: Outcomes, ours: Outcomes) -> None:
    """Write what two runs found."""
    found = [
        Row(
            name,
            simulator.get(name, {"outcome": "skipped"})["outcome"],
            *(one[part] for part in ("outcome", "reason", "message")),
        )
        for name, one in sorted(ours.items())
    ]
    with RECORDED.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([Row._fields, *found])
