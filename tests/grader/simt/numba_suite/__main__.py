"""Writes the table of outcomes anew, and prints its sums; some twenty minutes of two cores."""

from __future__ import annotations

from collections import Counter

from tests.grader.simt.numba_suite.suite import all_outcomes, modules, record, rows

if __name__ == "__main__":
    chosen = modules()
    found = rows(all_outcomes("simulator", chosen), all_outcomes("ours", chosen))
    record(found)
    for folder in ("cudapy", "doc_examples"):
        counts = Counter((one.simulator, one.ours) for one in found if one.id.startswith(folder))
        for (simulator, ours), count in sorted(counts.items()):
            print(f"{folder:12}  simulator {simulator:8}  ours {ours:8}  {count:5}")
