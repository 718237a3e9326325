"""Every experiment in turn, on the GPU of this machine; one that fails stops no other."""

from __future__ import annotations

import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from bench.gpu.claims import checks, numba_kernels, products, replay, scenarios
from bench.gpu.claims.figures import Figure, save
from bench.gpu.claims.programs import build, measure_time, read_counters
from bench.gpu.claims.tools import call, find_program, version_of

COUNTED = (
    "transposes", "gemms", "columns", "reductions", "atomics",
    "matrix_fragments", "shared_atomics", "register_blocking", "last_warp", "async_copies",
    "local_memory",
)  # fmt: skip
TIMED = (
    "transposes", "gemms", "latency", "tensor_copies",
    "clusters", "shared_atomics", "register_blocking", "shared_bandwidth", "residency",
    "last_warp", "named_barriers", "async_copies", "bulk_copies", "wgmma",
    "pipelines", "local_memory", "overlap", "launch_limits", "litmus", "steps", "tensor_cores",
)  # fmt: skip
CHIP = ("chip_memory", "chip_instructions", "chip_synchronization", "chip_host")
"""Programs whose figures are one experiment, `chip`."""
Experiment = Callable[[], Iterable[Figure]]


def run(out: Path, only: Sequence[str], skip: Sequence[str], known: Container[str] = ()) -> bool:
    """Write `claims.csv`, and what else was recorded, into a folder.

    Args:
        out: the folder.
        only: experiments whose name begins so; none: all.
        skip: those whose name begins so.
        known: kernel questions whose speed need not be measured.

    Returns:
        whether every experiment came to its end.
    """
    failed = []
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory() as temporary:
        for name, experiment in _experiments(Path(temporary), out, known):
            if not name.startswith(tuple(only) or "") or name.startswith(tuple(skip)):
                continue
            began = time.monotonic()
            try:
                figures.extend(experiment())  # what was found before it fails is kept
                end = "done"
            except (Exception, SystemExit) as error:  # the device may be at hand only once
                traceback.print_exc()
                failed.append(name)
                end = f"FAILED: {error}"
            print(f"{name:<24} {time.monotonic() - began:6.1f} s  {end}", flush=True)
            save(out / "claims.csv", figures)
    print(f"{len(figures)} figures; failed: {', '.join(failed) or 'none'}")
    return not failed


def _experiments(
    folder: Path, out: Path, known: Container[str]
) -> Iterator[tuple[str, Experiment]]:
    yield "machine", _machine
    for name in COUNTED:
        yield f"{name} count", partial(_count, name, folder)
    for name in TIMED:
        yield f"{name} time", partial(_time, name, folder)
    for name in CHIP:
        yield name, partial(_time, name, folder, "chip")
    yield "shared_member", partial(checks.shared_member, folder)
    yield "addresses", partial(checks.addresses, folder)
    yield "barriers", partial(checks.barriers, folder)
    yield "limits", partial(checks.limits, folder)
    yield "faulty", partial(checks.faulty, folder)
    yield "products", products.products
    yield "scenarios", partial(scenarios.scenarios, folder)
    yield "numba counters", partial(numba_kernels.counters, out / "numba.ncu")
    yield "numba speeds", partial(numba_kernels.speeds, known)
    for name in replay.RECORDINGS:
        yield f"replay {name}", partial(replay.again, name, folder)
    yield "replay drawn", partial(replay.draw_rows, folder, out / "drawn.csv")


def _machine() -> Iterator[Figure]:
    asked = "--query-gpu=name,driver_version,clocks.max.sm"
    said = (
        call([find_program("nvidia-smi"), asked, "--format=csv,noheader"])
        .out.strip()
        .splitlines()[0]
    )
    for what, value in zip(("device", "driver", "clock"), said.split(", "), strict=True):
        yield Figure("machine", "one GPU", what, value)
    yield Figure("machine", "one GPU", "date", datetime.now(UTC).strftime("%Y-%m-%d"))
    yield Figure("machine", "one GPU", "Python", sys.version.split()[0])
    for tool in ("nvcc", "ncu", "cuobjdump", "compute-sanitizer"):
        yield Figure("machine", tool, "version", version_of(tool))


def _count(name: str, folder: Path) -> list[Figure]:
    return read_counters(name, build(name, folder))


def _time(name: str, folder: Path, experiment: str = "") -> list[Figure]:
    return measure_time(experiment or name, build(name, folder))
