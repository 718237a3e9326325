"""Writes the table of outcomes anew, all of it or of some modules, and prints its sums.

    python -m tests.grader.simt.numba_suite [cudapy.test_atomics …]

All of it takes some five minutes of two cores.
"""

from __future__ import annotations

import sys
from collections import Counter

from tests.grader.simt.numba_suite import suite


def main(chosen: list[str]) -> None:
    """Run, and write."""
    kept = [one for one in suite.table() if suite.module_of(one.id) not in chosen] if chosen else []
    modules = chosen or suite.modules()
    simulator, ours = (suite.all_outcomes(side, modules) for side in ("simulator", "ours"))
    rows = sorted([*kept, *suite.rows(simulator, ours)])
    suite.record(rows)
    for folder in suite.FOLDERS:
        here = [one for one in rows if one.id.startswith(folder)]
        counts = Counter((one.simulator, one.ours) for one in here)
        for (theirs, own), count in sorted(counts.items()):
            print(f"{folder:12}  simulator {theirs:8}  ours {own:8}  {count:5}")


if __name__ == "__main__":
    main(sys.argv[1:])
