"""Runs public programs in CUDA C++ with small arguments, and records what becomes of each.

    python -m bench.public_programs FOLDER [--only TEXT] [--column after] [--seconds 100]

FOLDER has a checkout `owner+name` of each repository at the commit that
`tests/data/public_programs.csv` names; the programs, and what each is given, are its rows. Without
--column nothing is written.
"""

from __future__ import annotations

import argparse
import csv
import re
import shlex
import shutil
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.programs import Outcome, run

RECORD = Path(__file__).parents[1] / "tests/data/public_programs.csv"
_BUDGET = "20000000000"
KINDS = ("run", "finding", "refused", "stopped", "failed", "wrong")
"""What becomes of a program: of one that is refused, something is not emulated; one that failed
has ended with a status of its own; what is wrong says so itself."""


def read_rows() -> list[dict[str, str]]:
    """Return the rows of the record."""
    with RECORD.open(newline="") as file:
        return list(csv.DictReader(file))


def make_table() -> list[str]:
    """Return the rows of a table in Markdown: of each repository what became of its programs."""
    rows, found = read_rows(), list[str]()
    for repository, commit in dict.fromkeys((row["repository"], row["commit"]) for row in rows):
        own = [row for row in rows if row["repository"] == repository]
        counts = [Counter(row[column] for row in own) for column in ("before", "after")]
        cells = (f"{counts[0][kind]} → {counts[1][kind]}" for kind in KINDS)
        found.append(f"| {repository} | {commit} | {len(own)} | {' | '.join(cells)} |")
    return found


def judge(outcome: Outcome) -> tuple[str, str]:
    """Return which of `KINDS` a program is, and why."""
    if outcome.kind in ("time", "budget"):
        return "stopped", outcome.kind
    if outcome.complains:
        return "wrong", outcome.why or outcome.kind
    named = {"run": "run", "faults": "finding", "status": "failed", "signal": "failed"}
    return named.get(outcome.kind, "refused"), outcome.why


def run_row(row: dict[str, str], root: Path, seconds: float) -> Outcome:
    """Run the program of a row, or a copy with the lengths that the row makes smaller."""
    file = root / row["repository"].replace("/", "+") / row["file"]
    with TemporaryDirectory() as copied:
        if row["smaller"]:
            file = Path(shutil.copytree(file.parent, Path(copied) / "copy")) / file.name
            text = file.read_text()
            for edit in row["smaller"].split("; "):
                old, _, new = edit.partition(" => ")
                text = re.sub(old, new, text)
            file.write_text(text)
        places = {"root": root.absolute(), "here": file.parent.absolute()}
        options = ["--budget", _BUDGET, *_expand(row["options"].format(**places))]
        arguments = shlex.split(row["arguments"].format(**places))
        return run(file, seconds, [*options, "--", *arguments])


def _expand(options: str) -> list[str]:
    """Return the options as words, those with a `*` once for each file, except tests."""
    words: list[str] = []
    for word in shlex.split(options):
        path = Path(word)
        if "*" not in word:
            words.append(word)
            continue
        option = words.pop()
        for each in sorted(path.parent.glob(path.name)):
            words += [] if "_test" in each.name else [option, str(each)]
    return words


def main() -> int:
    """Run what was asked for, and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="rows whose repository or file has this")
    parser.add_argument("--column", choices=("before", "after"), help="write the outcomes there")
    parser.add_argument("--seconds", type=float, default=100)
    asked = parser.parse_args()
    rows, table = read_rows(), Counter[tuple[str, str]]()
    for row in rows:
        if asked.only not in f"{row['repository']}/{row['file']}":
            continue
        outcome = run_row(row, asked.folder, asked.seconds)
        kind, why = judge(outcome)
        table[row["repository"], kind] += 1
        print(f"{kind} {outcome.seconds:.0f} s", row["repository"], row["file"], why, outcome.said)
        sys.stdout.flush()
        if asked.column:
            row[asked.column], row["why"] = kind, why
    for (repository, kind), count in sorted(table.items()):
        print(f"{repository:32}{kind:10}{count:4}")
    if asked.column:
        with RECORD.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
