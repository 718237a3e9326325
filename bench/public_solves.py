"""Judges public functions `solve` by `quiz profile --check`, with a reference in NumPy each.

    python -m bench.public_solves FOLDER [--only TEXT] [--write] [--seconds 300] [--at-once N]

FOLDER has a checkout `owner+name` of each repository at the commit that
`tests/data/public_solves.csv` names. A row has a file, its reference in `solve_references`, and
what a person says with `--args` where a problem restricts its sizes or inputs; `judged` is what
came of it, `known` what was found in its source where it is wrong.
"""

from __future__ import annotations

import argparse
import csv
import inspect
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import solve_references

RECORD = Path(__file__).parents[1] / "tests/data/public_solves.csv"
JUDGED = ("right", "wrong", "refused", "stopped")
"""What comes of a function: `wrong` is a wrong element or a fault; what is `refused` is not run to
its end, or its reference does not fit."""
_STATUSES = {0: "right", 1: "wrong"}
_BUDGET = "3000000000"


def read_rows() -> list[dict[str, str]]:
    """Return the rows of the record."""
    with RECORD.open(newline="") as file:
        return list(csv.DictReader(file))


def make_table() -> list[str]:
    """Return the rows of a table in Markdown; the last number is of what no reason is known for."""
    rows, found = read_rows(), list[str]()
    for repository in dict.fromkeys(row["repository"] for row in rows):
        own = [row for row in rows if row["repository"] == repository]
        counts = Counter(row["judged"] for row in own)
        false = sum(row["judged"] == "wrong" and not row["known"] for row in own)
        cells = " | ".join(str(counts[kind]) for kind in JUDGED)
        found.append(f"| {repository} | {own[0]['commit'][:7]} | {len(own)} | {cells} | {false} |")
    return found


def judge(row: dict[str, str], root: Path, seconds: float) -> tuple[str, str]:
    """Return which of `JUDGED` a function is, and what was said."""
    file = root / row["repository"].replace("/", "+") / row["file"]
    with TemporaryDirectory() as folder:
        reference = Path(folder) / "reference.py"
        text = inspect.getsource(getattr(solve_references, row["reference"]))
        reference.write_text(f"from __future__ import annotations\nimport numpy as np\n{text}")
        given = ("--args", row["args"]) if row["args"] else ()
        options = ("--check", str(reference), "--budget", _BUDGET, *given)
        try:
            done = subprocess.run(
                [sys.executable, "-m", "quizapp", "profile", str(file), *options],
                capture_output=True, text=True, timeout=seconds, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return "stopped", f"after {seconds:.0f} s"
    return _STATUSES.get(done.returncode, "refused"), done.stderr.strip()


def main() -> int:
    """Judge what was asked for, and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="rows whose repository or file has this")
    parser.add_argument("--write", action="store_true", help="write what came of each")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--at-once", type=int, default=1)
    asked = parser.parse_args()
    rows = read_rows()
    chosen = [row for row in rows if asked.only in f"{row['repository']}/{row['file']}"]
    run = partial(judge, root=asked.folder, seconds=asked.seconds)
    with ThreadPoolExecutor(asked.at_once) as pool:
        for row, (judged, said) in zip(chosen, pool.map(run, chosen), strict=True):
            print(judged, row["repository"], row["file"], f"({row['reference']})")
            print("   ", said.replace("\n", "\n    "), flush=True)
            row["judged"] = judged
    if asked.write:
        with RECORD.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    print(*make_table(), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
