"""Runs Numba's test modules, each in a process of its own, and keeps the table of outcomes."""

from __future__ import annotations

import csv
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[4]
TABLE = ROOT / "tests" / "data" / "numba_suite.csv"
FOLDERS = ("cudapy", "doc_examples")
_SECONDS = 600


class Row(NamedTuple):
    """A test: what became of it under Numba's simulator, and here."""

    id: str
    simulator: str
    ours: str
    message: str


Outcomes = dict[str, tuple[str, str]]
"""Outcome and message, by test."""


def table() -> list[Row]:
    """What was recorded."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [Row(**one) for one in csv.DictReader(file)]


def record(rows: Iterable[Row]) -> None:
    """Write the table."""
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows(rows)


def modules() -> list[str]:
    """Numba's test modules: `cudapy.test_atomics`."""
    found = importlib.util.find_spec("numba")
    assert found is not None
    assert found.origin is not None
    tests = Path(found.origin).parent / "cuda" / "tests"
    return [
        f"{folder}.{file.stem}"
        for folder in FOLDERS
        for file in sorted(tests.joinpath(folder).glob("test_*.py"))
    ]


def outcomes(side: str, module: str, *names: str) -> Outcomes:
    """Run one test module.

    Args:
        side: "ours", or "simulator" for Numba's.
        module: `cudapy.test_atomics`.
        names: of classes or tests in it; all of them if none is given.
    """
    with TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        child = "tests.grader.simt.numba_suite.child"
        command = [sys.executable, "-m", child, side, module, str(report), *names]
        simulator = "1" if side == "simulator" else "0"
        try:
            done = subprocess.run(
                command,
                cwd=ROOT,
                env={**os.environ, "NUMBA_ENABLE_CUDASIM": simulator, "PYTHONPATH": str(ROOT)},
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {module: ("error", f"no end after {_SECONDS} s")}
        if not report.exists():
            said = done.stderr.decode(errors="replace").strip().split("\n")
            return {module: ("error", f"status {done.returncode}: {said[-1]}")}
        found = json.loads(report.read_text(encoding="utf-8"))
    return {name: (outcome, message) for name, (outcome, message) in found.items()}


def all_outcomes(side: str, chosen: Iterable[str], workers: int = 2) -> Outcomes:
    """Run several test modules."""
    with ThreadPoolExecutor(workers) as pool:
        parts = pool.map(lambda module: outcomes(side, module), chosen)
        return {name: one for part in parts for name, one in part.items()}


def module_of(name: str) -> str:
    """The module that a test stands in."""
    return ".".join(name.split(".")[:2])


def rows(simulator: Outcomes, ours: Outcomes) -> list[Row]:
    """The table of two runs; where a module could not be imported, its tests share the outcome."""
    found = []
    for name in sorted(simulator):
        missing = ours.get(module_of(name), ("error", "it did not run"))
        outcome, message = ours.get(name, missing)
        found.append(Row(name, simulator[name][0], outcome, message))
    return found
