"""Sums what became of peers' tests: the table that is printed, and the rows that are recorded."""

from __future__ import annotations

import csv
import subprocess
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.grader.simt.peers.suites import ROOT, Outcomes, Peer

RECORDED = ROOT / "tests" / "data" / "peers.csv"
OUTCOMES = ("passed", "refused", "outside", "skipped", "wrong")


class Row(NamedTuple):
    """A peer: at which commit, and how many of its tests had each outcome."""

    peer: str
    commit: str
    tests: int
    passed: int
    refused: int
    outside: int
    skipped: int
    wrong: int
    launches: int


def row_of(peer: Peer, found: Outcomes) -> Row:
    """Sum the tests of a peer."""
    folder = peer.folder()
    assert folder is not None
    counts = Counter(one["outcome"] for one in found.values())
    launches = sum(one["launches"] for one in found.values())
    numbers = [counts[name] for name in OUTCOMES]
    return Row(peer.name, _version(peer, folder), len(found), *numbers, launches)


def _version(peer: Peer, folder: Path) -> str:
    if not peer.variable:
        import numba  # noqa: PLC0415 - only its version

        return str(numba.__version__)
    command = ["git", "-C", str(folder), "rev-parse", "--short=8", "HEAD"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "no commit"


def lines_of(rows: Iterable[Row]) -> str:
    """Return the table as text."""
    shown = [Row._fields, *(tuple(map(str, row)) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at < 2 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in shown
    )


def details_of(found: Outcomes) -> str:
    """Return why tests are refused or outside, and what is wrong."""
    reasons = Counter(
        f"{one['outcome']}: {one['reason']}"
        for one in found.values()
        if one["outcome"] in ("refused", "outside")
    )
    wrong = [f"  wrong: {name}: {one['message']}" for name, one in found.items()
             if one["outcome"] == "wrong"]  # fmt: skip
    return "\n".join([*(f"  {count:5}  {name}" for name, count in reasons.most_common()), *wrong])


def recorded() -> dict[str, Row]:
    """What was recorded, by peer."""
    with RECORDED.open(encoding="utf-8", newline="") as file:
        rows = [Row(*one[:2], *map(int, one[2:])) for one in list(csv.reader(file))[1:]]
    return {row.peer: row for row in rows}


def record(rows: Iterable[Row]) -> None:
    """Write the rows, and leave those of other peers."""
    kept = (recorded() if RECORDED.exists() else {}) | {row.peer: row for row in rows}
    with RECORDED.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([Row._fields, *kept.values()])
