"""What a GPU gave for each program: a table of outputs by their hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.gpu.cuda_features.on_gpu import hash_inputs
from bench.gpu.cuda_features.programs import Program
from bench.gpu.rows import load_rows, save_rows
from grader.simt import Launch
from grader.simt import launch as launch_here
from grader.simt.cuda.lowering.kernel import lower_kernel, read_cuda

DATA = Path(__file__).parents[3] / "tests" / "data"
VALUES = DATA / "cuda_features.csv"


@dataclass(frozen=True, slots=True)
class Row:
    """One program.

    Attributes:
        sha256: of its text.
        output: the hash of what it wrote, built with `-fmad=false`.
        contracted: words that differ if nvcc may contract products and sums.
    """

    seed: int
    family: str
    sha256: str
    output: str
    contracted: int
    device: str


def sha256(program: Program) -> str:
    """Return the hash of a program's text."""
    return hashlib.sha256(program.source.encode()).hexdigest()


def hash_output(output: NDArray[Any]) -> str:
    """Return what is kept of an output."""
    return hashlib.sha256(output.tobytes()).hexdigest()[:24]


def emulate(program: Program) -> tuple[NDArray[Any], Launch]:
    """Run a program in the emulator; return its output, and the launch."""
    kernel, _ = lower_kernel(read_cuda(program.source), program.kernel)
    output = program.outputs()
    given = [*program.inputs(), output]
    return output, launch_here(kernel, (program.blocks,), (program.threads,), given)


def load() -> dict[int, Row]:
    """Return the recorded programs by their seeds."""
    if not VALUES.exists():
        return {}
    return {row.seed: row for row in load_rows(VALUES, Row)}


def missing(programs: Sequence[Program]) -> list[Program]:
    """Return those that are not recorded as they are drawn now."""
    known = load()
    return [
        each for each in programs
        if each.seed not in known or known[each.seed].sha256 != sha256(each)
    ]  # fmt: skip


def keep(programs: Sequence[Program], out: Path) -> Iterator[str]:
    """Add what `run` found to the record; yield what does not fit."""
    exact, contracted = (np.load(out / f"{name}.npz") for name in ("exact", "contracted"))
    rows, device = load(), str(exact["device"])
    for program in programs:
        if program.kernel not in exact:
            continue
        if str(exact[f"{program.kernel} given"]) != hash_inputs(program):
            yield f"{program.seed}: other inputs there"
            continue
        found, other = exact[program.kernel], contracted[program.kernel]
        differ = int((found != other).sum())
        rows[program.seed] = Row(
            program.seed, program.family.name, sha256(program), hash_output(found), differ, device
        )
    save_rows(VALUES, Row, (rows[seed] for seed in sorted(rows)))
    yield from compare(programs)


def compare(programs: Sequence[Program]) -> Iterator[str]:
    """Yield what differs from the record, and how many agree."""
    rows, same = load(), 0
    for program in programs:
        row = rows.get(program.seed)
        if row is None or row.sha256 != sha256(program):
            yield f"{program.seed} {program.family.name}: not recorded"
            continue
        found = problem_of(program, row)
        same += found is None
        if found:
            yield found
    yield f"{same} of {len(programs)} programs give the GPU's bits"


def problem_of(program: Program, row: Row) -> str | None:
    """Return what is wrong with a program here; None if it is as on the GPU."""
    output, done = emulate(program)
    name = f"{program.seed} {program.family.name}"
    if done.findings:
        return f"{name}: blamed, {done.findings[0]}"
    return None if hash_output(output) == row.output else f"{name}: another output"
