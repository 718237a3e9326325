"""Runs the kernels of a folder in the emulator, each in a process of its own."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from bench.gpu.foreign import emulated, jobs
from bench.gpu.foreign.jobs import Row
from grader.simt.cuda import declared

_SECONDS = 120.0
"""For all launches of a kernel."""
_DEPTH = 5_000
"""Frames of Python, as `quiz profile` has them."""


def run_all(
    root: Path,
    out: Path,
    folders: Sequence[Path] = (),
    processes: int = 1,
    seconds: float = math.inf,
) -> Iterator[Row]:
    """Yield a row for each kernel below a folder; write a job for each that is to be compared.

    A kernel that several files include counts once. None is begun after so many seconds; files of
    all repositories come in turn.
    """
    seen, end = set[tuple[str, str, int]](), time.monotonic() + seconds
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        run = partial(_run_file, root, out, folders, end)
        for done in as_completed([pool.submit(run, path) for path in _in_turn(root)]):
            for row in done.result():
                key = row.repository, row.file, row.line
                if key not in seen:
                    seen.add(key)
                    yield row


def _in_turn(root: Path) -> list[Path]:
    """Return the files below a folder, those of its repositories in turn."""
    ranked = list[tuple[int, Path]]()
    for repository in sorted(root.iterdir()):
        ranked += enumerate(sorted(repository.rglob("*.cu")))
    return [path for _, path in sorted(ranked)]


def _run_file(root: Path, out: Path, folders: Sequence[Path], end: float, path: Path) -> list[Row]:
    if time.monotonic() > end:
        return []
    sys.setrecursionlimit(_DEPTH)
    try:
        found = emulated.read(path, root, folders)
    except Exception as error:
        return [Row(path.relative_to(root).parts[0], path.name, 0, "", "broken", repr(error))]
    if found.source is None:
        return [
            Row(found.repository, found.name(""), -number, "", "refused", found.refusal)
            for number in range(1, found.kernels + 1)
        ]
    return [
        _run_kernel(found, out, kernel)
        for kernel in found.source.tree.kernels
        if time.monotonic() <= end
    ]


def _run_kernel(found: emulated.Found, out: Path, kernel: declared.Function) -> Row:
    """Run a kernel in a process of its own."""
    context = get_context("fork")
    receiving, sending = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(found, out, kernel, sending))
    child.start()
    sending.close()
    row = Row(found.repository, found.name(kernel.place.path), kernel.place.line, kernel.name, "")
    if receiving.poll(_SECONDS):
        try:
            row = receiving.recv()
        except EOFError:
            row.outcome, row.why = "broken", "the process ended"
    else:
        row.outcome, row.why = "budget", "time"
    child.kill()
    child.join()
    return row


def _child(
    found: emulated.Found, out: Path, kernel: declared.Function, answers: Connection
) -> None:
    try:
        row, job = emulated.run(found, kernel)
    except Exception as error:
        row = Row(found.repository, found.name(kernel.place.path), kernel.place.line,
                  kernel.name, "broken", repr(error)[:300])  # fmt: skip
        job = None
    if job is not None:
        jobs.save(job, out / f"{jobs.name_of(row)}.npz")
    answers.send(row)
