"""Runs every program in CUDA C++ of a folder, and prints what became of each.

    python -m bench.programs FOLDER [--seconds 20] [--budget N] [--most N] [--list] [--at-once N]
        [--include FOLDER]… [--arguments TEXT]

A program is a `.cu` file with a `main`. Each is run by `quiz profile` in an empty folder, without
input, with these arguments, and for so many seconds at most; N of them at once. The first folders
below FOLDER are the rows of the table.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

_MAIN = re.compile(r"^\s*(?:int|void|auto|signed)\s+main\s*\(", re.MULTILINE)
_COMPLAINS = re.compile(
    r"\b(?:fail(?:ed|ure)?|mismatch|incorrect|wrong|not equal)\b", re.IGNORECASE
)
OUTCOMES = (
    "run", "faults", "refused", "library", "compile", "status", "signal", "budget", "time",
    "broken",
)  # fmt: skip
"""In this order; see `_judge`."""


class Outcome(NamedTuple):
    """What became of a program.

    Attributes:
        kind: of `OUTCOMES`.
        why: a code, a header, a status; "" without.
        complains: True if its output speaks of a failure.
        seconds: it took.
        said: the last line of standard error.
    """

    kind: str
    why: str
    complains: bool
    seconds: float
    said: str


def find_programs(folder: Path) -> Iterator[Path]:
    """Yield the files with a `main`."""
    for file in sorted(folder.rglob("*.cu")):
        if _MAIN.search(file.read_text(errors="replace")):
            yield file


def run(file: Path, seconds: float, options: Sequence[str]) -> Outcome:
    """Run a program with further options of `quiz profile`."""
    command = [sys.executable, "-m", "quizapp", "profile", str(file.absolute()), "--json", *options]
    begun = time.monotonic()
    with TemporaryDirectory() as folder:
        child = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            out, err = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
            return Outcome("time", "", complains=False, seconds=seconds, said="")
    took = time.monotonic() - begun
    return _judge(child.returncode, out.decode(), err.decode("utf-8", "replace"), took)


def _judge(status: int, out: str, err: str, seconds: float) -> Outcome:
    """Say what became of a program, from what `quiz profile` printed."""
    lines = err.strip().splitlines() or [""]
    last = next((line for line in reversed(lines) if line.startswith("quiz: ")), lines[-1])
    complains = _COMPLAINS.search("\n".join(lines[:-1])) is not None
    try:
        report = json.loads(out)
    except ValueError:
        return Outcome("broken", "", complains, seconds, last)
    refused = report.get("refused")
    if refused is not None:
        code = refused["what"]["code"]
        fields = refused["what"]["fields"]
        kind = {
            "program.missing-library": "library",
            "program.missing-header": "library",
            "cpp.unknown-include": "library",
            "program.does-not-compile": "compile",
            "program.undefined": "compile",
        }.get(code, "refused")
        named = fields.get("library") or fields.get("header") or fields.get("name") or ""
        return Outcome(kind, f"{code} {named}".strip(), complains, seconds, last)
    kinds = {found["kind"] for launch in report["launches"] for found in launch["findings"]}
    if "budget" in kinds:
        return Outcome("budget", "", complains, seconds, last)
    if status == 5:
        kind = "signal" if "signal" in last else "status"
        return Outcome(kind, last.rsplit(" ", 1)[-1], complains, seconds, last)
    found = ", ".join(sorted(kinds - {"warning"}))
    return Outcome("run" if status == 0 else "faults", found, complains, seconds, last)


def main() -> int:
    """Run what was asked for, and print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--budget", type=int, default=3_000_000_000, help="of a launch")
    parser.add_argument("--most", type=int, help="programs of each row, evenly chosen")
    parser.add_argument("--list", action="store_true", help="print each program")
    parser.add_argument("--at-once", type=int, default=1, help="programs that run side by side")
    parser.add_argument("--include", type=Path, action="append", default=[], help="with headers")
    parser.add_argument("--arguments", default="", help="of each program, in one text")
    asked = parser.parse_args()
    options = ["--budget", str(asked.budget)]
    options += [part for each in asked.include for part in ("--include", str(each.absolute()))]
    options += ["--", *shlex.split(asked.arguments)]
    rows: dict[str, list[Path]] = defaultdict(list)
    for file in find_programs(asked.folder):
        parts = file.relative_to(asked.folder).parts
        rows[parts[0] if len(parts) > 1 else "."].append(file)
    table: dict[str, Counter[str]] = {}
    reasons: Counter[tuple[str, str]] = Counter()
    chosen = [
        (row, file)
        for row, files in rows.items()
        for file in files[:: max(1, -(-len(files) // asked.most)) if asked.most else 1]
    ]
    with ThreadPoolExecutor(asked.at_once) as together:
        outcomes = together.map(lambda each: run(each[1], asked.seconds, options), chosen)
        for (row, file), done in zip(chosen, outcomes, strict=True):
            table.setdefault(row, Counter())[done.kind] += 1
            reasons[done.kind, done.why] += bool(done.why)
            if asked.list:
                mark = "complains" if done.complains else ""
                name = file.relative_to(asked.folder)
                print(done.kind, f"{done.seconds:.1f}", mark, name, done.why, "|", done.said)
                sys.stdout.flush()
    _print_table(table)
    for (kind, why), count in reasons.most_common():
        if count:
            print(f"{count:5} {kind}: {why}")
    return 0


def _print_table(table: dict[str, Counter[str]]) -> None:
    print(f"{'':32}{'programs':>9}", *(f"{kind:>8}" for kind in OUTCOMES))
    total: Counter[str] = Counter()
    for row, counts in table.items():
        total.update(counts)
        shown = (f"{counts[kind]:8}" for kind in OUTCOMES)
        print(f"{row[:31]:32}{sum(counts.values()):9}", *shown)
    print(f"{'all':32}{sum(total.values()):9}", *(f"{total[kind]:8}" for kind in OUTCOMES))


if __name__ == "__main__":
    sys.exit(main())
