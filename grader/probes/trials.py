"""The runs that probes of one launch are made of: each change is run once, and what it came to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from grader.changes import Change
from grader.facts import Fact, fact
from grader.gpu.occupancy import WARP
from grader.probes.compiled_text import read_text
from grader.probes.edits import ProbeEdit
from grader.probes.outcomes import SAME, describe_outcomes, faulty_lines, races_of
from grader.probes.replaying import Arrays, Replay, Run
from grader.probes.values import AS_IT_WAS, LaunchChange
from grader.simt.geometry import volume

MOST_OPERATIONS = 1_500_000_000
"""Of all runs together: one or two seconds."""
MOST_SLIPS = 20
MOST_COMPILED = 12
"""The same of a kernel in Triton: it takes a good part of a second to compile one."""
LEAST_TILE = 8
"""A smaller constant is no size of a tile."""
_ACCESSES = tuple(
    f"{space}_{kind}_requests"
    for space in ("shared", "global")
    for kind in ("load", "store", "atomic")
)
LANES = tuple(name.replace("requests", "lanes") for name in _ACCESSES)
"""The counters of what single threads access."""


class Trial(NamedTuple):
    """A change of the source that was run.

    Attributes:
        outcomes: all that it came to, the worst first.
    """

    edit: ProbeEdit
    run: Run
    outcomes: tuple[Fact, ...]

    @property
    def is_same(self) -> bool:
        """True if the change changes nothing."""
        return self.outcomes == (SAME,)

    def lines(self, *kinds: str) -> tuple[int, ...]:
        """Return the lines that have a fault of these kinds."""
        return faulty_lines(self.run, *kinds)


class TileTrial(NamedTuple):
    """A kernel in Triton that was compiled with another constant.

    Attributes:
        outcomes: see `Trial`.
    """

    name: str
    old: int
    new: int
    run: Run
    outcomes: tuple[Fact, ...]

    @property
    def launch(self) -> LaunchChange:
        """What is different."""
        return LaunchChange(constants=((self.name, self.new),))

    @property
    def said(self) -> Fact:
        """The same in words."""
        return fact("probe.edit.tile", name=self.name, old=self.old, new=self.new)


class Trials:
    """A launch without faults, and its runs with changes; each is run when it is asked for.

    Attributes:
        base: its run without a change.
    """

    def __init__(self, replay: Replay, base: Run) -> None:
        """Nothing is run yet.

        Raises:
            CannotReplay: the kernel is not found in its file.
        """
        self.base = base
        self.text = read_text(replay)
        self.replay = replay.within(base)
        self._left = MOST_OPERATIONS
        self._races: dict[tuple[tuple[Change, ...], LaunchChange], frozenset[Fact]] = {}

    @property
    def warps(self) -> int:
        """The warps of the launch."""
        return volume(self.base.done.grid) * -(-volume(self.base.done.block) // WARP)

    @cached_property
    def library_lines(self) -> frozenset[int]:
        """The lines that call a library: how many accesses it makes is not the person's text."""
        function = self.replay.kernel.function
        called: frozenset[tuple[str, int]] = getattr(function, "library_lines", frozenset())
        return frozenset(line for path, line in called if not path)

    @property
    def before(self) -> Arrays:
        """The outputs of the run without a change."""
        return {name: self.base.arrays[name] for name in self.replay.outputs}

    @cached_property
    def counts(self) -> dict[int, dict[str, int]]:
        """What was counted in each line of the kernel's file."""
        return count_by_line(self.base)

    @cached_property
    def access_lines(self) -> tuple[int, ...]:
        """The lines that access shared or global memory."""
        found = self.counts.items()
        return tuple(sorted(n for n, c in found if any(c.get(name, 0) for name in _ACCESSES)))

    @cached_property
    def code_lines(self) -> tuple[int, ...]:
        """The lines of the kernel in which something is executed."""
        head, last = self.text.head, self.text.last
        return tuple(line for line in sorted(self.counts) if head <= line <= last)

    @cached_property
    def barriers(self) -> tuple[Trial, ...]:
        """The launch without one of its barriers."""
        return tuple(self._try_each(self.text.barriers()))

    @cached_property
    def slips(self) -> tuple[Trial, ...]:
        """The launch with what is mistyped easily; a sample of it."""
        every = list(self.text.slips())
        most = MOST_SLIPS if self.replay.recipe is None else MOST_COMPILED
        step = -(-len(every) // most) or 1
        return tuple(self._try_each(every[::step]))

    @cached_property
    def guards(self) -> tuple[Trial, ...]:
        """The launch without one of its conditions."""
        return tuple(self._try_each(self.text.guards()))

    @cached_property
    def tiles(self) -> tuple[TileTrial, ...]:
        """The launch with tiles of half and of twice the size, on the same grid."""
        recipe = self.replay.recipe
        sizes = {} if recipe is None else recipe.constants
        found = list[TileTrial]()
        for name, old in sizes.items():
            if old < LEAST_TILE or old & (old - 1):
                continue
            for new in (old // 2, 2 * old):
                run = self.run((), LaunchChange(constants=((name, new),)))
                if run is not None and run.done.finished:
                    outcomes = describe_outcomes(run, self.before)
                    found.append(TileTrial(name, old, new, run, outcomes))
        return tuple(found)

    @property
    def every(self) -> tuple[Trial, ...]:
        """All of these."""
        return (*self.guards, *self.barriers, *self.slips)

    def run(
        self, changes: Sequence[ProbeEdit] = (), different: LaunchChange = AS_IT_WAS
    ) -> Run | None:
        """Run the launch with changes; None if it cannot be, or too much was run already."""
        if self._left <= 0:
            return None
        run = self.replay.run([each.change for each in changes], different)
        self._left -= run.done.operations if run is not None else 10_000
        return run

    def find_races(
        self, changes: Sequence[ProbeEdit] = (), different: LaunchChange = AS_IT_WAS
    ) -> frozenset[Fact]:
        """Return the races of the launch with changes, as CUDA's memory model has them.

        No answer may say of one of these that there is none.
        """
        key = (tuple(each.change for each in changes), different)
        if key not in self._races:
            run = self.replay.run(key[0], different, by_model=True)
            self._left -= run.done.operations if run is not None else 10_000
            self._races[key] = races_of(run)
        return self._races[key]

    def is_free(self, trial: Trial) -> bool:
        """Return True if a change changes nothing, and adds no race of the memory model either."""
        return trial.is_same and self.find_races([trial.edit]) <= self.find_races()

    def _try_each(self, edits: Iterator[ProbeEdit] | Sequence[ProbeEdit]) -> Iterator[Trial]:
        for edit in edits:
            run = self.run([edit])
            if run is not None:
                yield Trial(edit, run, describe_outcomes(run, self.before))


def count_by_line(run: Run) -> dict[int, dict[str, int]]:
    """Sum the counters of each line of the kernel's file."""
    found: dict[int, dict[str, int]] = {}
    for (line, _), counts in run.done.counts.items():
        own = found.setdefault(line, {})
        for name, count in counts.items():
            own[name] = own.get(name, 0) + int(count)
    return found


def count_accesses(run: Run, line: int) -> int:
    """Count the accesses of threads to shared and global memory in a line of the kernel's file."""
    counts = count_by_line(run).get(line, {})
    return sum(counts.get(name, 0) for name in LANES)
