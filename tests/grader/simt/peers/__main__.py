"""Runs peers' tests, prints the table and what is behind it, and records it.

    python -m tests.grader.simt.peers [--report FILE] [PEER[:PART] …]

Without a name, all whose folder is known. PART is a part of a file's path: then nothing is
recorded. `--report` leaves what became of each test, as JSON. Numba's own tests are run under its
simulator as well, and recorded one by one.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tests.grader.simt.peers import numba_record, table
from tests.grader.simt.peers.suites import PEERS, run


def main() -> None:
    """Run, print and record."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--report", type=Path)
    parser.add_argument("peers", nargs="*")
    asked = parser.parse_args()
    chosen = asked.peers or [name for name, peer in PEERS.items() if peer.folder()]
    rows, all_found = [], {}
    for one in chosen:
        name, _, part = one.partition(":")
        files = [file for file in PEERS[name].files() if part in str(file)]
        found = all_found[name] = run(PEERS[name], files)
        rows.append(table.row_of(PEERS[name], found))
        print(table.lines_of(rows[-1:]), table.details_of(found), sep="\n", flush=True)
        if not part:
            table.record(rows[-1:])
            if name == "numba":
                numba_record.record(run(PEERS[name], files, simulator=True), found)
    print(table.lines_of(rows))
    if asked.report:
        asked.report.write_text(json.dumps(all_found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
