"""Numba's own simulator on our corpus: `python -m bench.corpus_simulator` records its verdicts.

Each kernel runs in a process of its own, for 20 s at most: the simulator has a thread for each
thread of a block, and those of a barrier that not all reach wait for ever. What is recorded already
is kept: remove a line, or the file, to have it measured again.

    passes         a right kernel is right
    found          it raised an error for an index out of bounds, where that is the fault
    wrong result   it ran, and the result is wrong
    silent         it ran, and the result is right
    other error    an index out of bounds, where that is not the fault
    cannot run     it lacks something that the kernel uses
    timeout
"""

from __future__ import annotations

import csv
import multiprocessing
import os
import sys
import traceback
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from bench.figures import note
from tests.grader.simt.corpus import OWN, executed, faults, is_right, names, text_of

RECORD = OWN / "simulator.csv"
LIMIT_S = 20.0
RIGHT = "right"
"""What stands for the kinds of a kernel without a fault."""


@dataclass(frozen=True)
class Verdict:
    """A line of the record.

    Attributes:
        kinds: what is expected, or `right`.
        line: of the kernel, where the simulator named one; 0 for none.
    """

    name: str
    kinds: str
    simulator: str
    line: int
    seconds: float
    message: str


def read_record(path: Path = RECORD) -> dict[str, Verdict]:
    """The record, by name of the kernel or of its fault."""
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = [
            row | {"line": int(row["line"]), "seconds": float(row["seconds"])}
            for row in csv.DictReader(file)
        ]
    return {row["name"]: Verdict(**row) for row in rows}


def all_kernels() -> Iterator[tuple[str, str, str, str]]:
    """Kernel, name, kinds and text of all that is to be recorded."""
    for name in names():
        yield name, name, RIGHT, text_of(name)
        for fault in faults(name):
            yield name, fault.name, " ".join(fault.kinds), fault.text


def main() -> int:
    """Measure what is not recorded yet."""
    os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
    import numba.cuda  # noqa: F401, PLC0415 - once, for all processes that are forked from here

    known, verdicts = read_record(), []
    for kernel, name, kinds, text in all_kernels():
        note(name)
        verdicts.append(known.get(name) or _measure(kernel, name, kinds, text))
        _write(verdicts)
    return 0


def _write(verdicts: list[Verdict]) -> None:
    with RECORD.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [one.name for one in fields(Verdict)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(asdict(one) for one in verdicts)


def _measure(kernel: str, name: str, kinds: str, text: str) -> Verdict:
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    began = monotonic()
    process = context.Process(target=_run, args=(kernel, text, theirs), daemon=True)
    process.start()
    told = ours.recv() if ours.poll(LIMIT_S) else ("timeout", 0, f"killed after {LIMIT_S:.0f} s")
    seconds = round(monotonic() - began, 1)
    process.kill()
    process.join()
    outcome, line, message = told
    return Verdict(name, kinds, _decide(outcome, kinds), line, seconds, message)


def _decide(outcome: str, kinds: str) -> str:
    """The verdict, from `right`, `wrong`, `timeout` or the name of an error."""
    if outcome == "IndexError" and "out-of-bounds" in kinds:
        return "found"
    named = {
        "right": "passes" if kinds == RIGHT else "silent",
        "wrong": "wrong result",
        "timeout": "timeout",
        "IndexError": "other error",
    }
    return named.get(outcome, "cannot run")


def _run(kernel: str, text: str, answer: Connection) -> None:
    """In the process of its own."""
    sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115 - threads go on until the end
    space = executed(text, kernel, {})
    case = space["case"](np.random.default_rng(4))
    shared = case.get("shared_bytes", 0)
    try:
        run: Any = space["kernel"][case["grid"], case["block"], 0, shared]
        run(*case["arguments"].values())
    except Exception as error:
        file = space["kernel"].fn.__code__.co_filename
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == file]
        message = str(error).replace("\n", " ")[:120]
        answer.send((type(error).__name__, lines[-1] if lines else 0, message))
    else:
        answer.send(("right" if is_right(case) else "wrong", 0, ""))


if __name__ == "__main__":
    sys.exit(main())
