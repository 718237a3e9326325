"""Probes of what a kernel in Triton is compiled with: the sizes of its tiles, and its warps."""

from __future__ import annotations

from collections.abc import Iterator

from grader.facts import FieldValue, fact
from grader.gpu.occupancy import WARP
from grader.probes.addresses import LineAccess, find_accesses
from grader.probes.behavior import ask_launch
from grader.probes.bounds import count_unwritten, say_written
from grader.probes.replaying import Run
from grader.probes.trials import Trials
from grader.probes.values import KernelProbe, LaunchChange
from grader.simt.geometry import volume

_WARPS = (8, 2, 1, 16)


def tile_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask what comes of a tile of another size on the same grid: what stays unwritten, or else."""
    for trial in trials.tiles:
        what: dict[str, FieldValue] = {"name": trial.name, "old": trial.old, "new": trial.new}
        missing = list(_find_missing(trials, trial.run))
        if missing and not trial.run.done.faults:
            array, n = missing[0]
            asked = fact("probe.tile.question", **what, array=array)
            seen = (say_written(trial.run, array, by_programs=True),)
            yield KernelProbe("tile", asked, "number", answer=n, launch=trial.launch, seen=seen)
        elif not missing:
            asked = fact("probe.tile-outcome.question", **what)
            yield from ask_launch("tile", asked, trials, trial.launch, trials.replay.outputs)


def warps_probes(trials: Trials) -> Iterator[KernelProbe]:
    """Ask how many requests the same tile takes with another number of warps."""
    old = volume(trials.base.done.block) // WARP
    for new in _WARPS:
        launch = LaunchChange(block=(new * WARP,))
        run = trials.run((), launch) if new != old else None
        if run is None or run.done.faults or not run.done.finished:
            continue
        changed = list(_find_changed(trials, run))
        if changed:
            access = max(changed, key=lambda each: each.requests)
            asked = fact(
                "probe.warps.question", old=old, new=new, line=access.line,
                code=trials.text.code(access.line), access=access.name,
            )  # fmt: skip
            warps = new * volume(run.done.grid)
            seen = fact(
                "probe.seen.requests", line=access.line, n=access.requests, warps=warps,
                each=access.requests / warps,
            )  # fmt: skip
            yield KernelProbe(
                "warps", asked, "number", access.line, answer=access.requests, launch=launch,
                seen=(seen,),
            )  # fmt: skip


def _find_changed(trials: Trials, run: Run) -> Iterator[LineAccess]:
    """Yield accesses to global memory that make other requests."""
    before = find_accesses(trials.base, ())
    for key, access in find_accesses(run, ()).items():
        known = before.get(key)
        if known is not None and access.space == "global" and access.requests != known.requests:
            yield access


def _find_missing(trials: Trials, run: Run) -> Iterator[tuple[str, int]]:
    """Yield the arrays that are not written as a whole anymore, and how much is not."""
    for name in trials.replay.outputs:
        n = count_unwritten(run, name)
        if n and not count_unwritten(trials.base, name):
            yield name, n
