"""Runs a kernel over a grid, chunk by chunk, and reports what happened.

Array arguments are changed in place, as a device would leave them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.facts import Fact, fact
from grader.simt.checks import harmless
from grader.simt.checks.consequence import (
    MOST_BYTES,
    LaunchOutcome,
    Poison,
    ValuePattern,
    is_undecided,
    leave_undecided,
    settle_reads,
)
from grader.simt.checks.fences import Assumptions, Fences
from grader.simt.checks.findings import Finding, Findings
from grader.simt.checks.other_data import OtherData
from grader.simt.errors import DeviceRefusal, InvalidLaunch
from grader.simt.geometry import Geometry, Three, order_by_cluster, volume
from grader.simt.intrinsics.participants import report_unmet
from grader.simt.launches.arguments import (
    BoundArguments,
    as_array,
    bind_arguments,
    bind_heap,
    flatten,
    type_of,
)
from grader.simt.launches.freed_memory import keep_freed_memory
from grader.simt.launches.helpers import Helpers, Helping
from grader.simt.launches.kept_memory import KeptMemory
from grader.simt.launches.lax_orders import MOST_OPERATIONS, name_lax_orders
from grader.simt.launches.reports import (
    Interrupted,
    Launch,
    LaunchProgress,
    ThreadEnd,
    describe,
    make_constant,
    report_budget,
    report_launch,
    report_unwritten,
)
from grader.simt.launches.resources import (
    AS_NEEDED,
    PROCESSORS,
    RESIDENT_WARPS,
    check_resources,
    refuse_absurd,
)
from grader.simt.lockstep.functions import build_function
from grader.simt.machine.chunk import Chunk, LaunchState, NoProgress, OutOfBudget, ThreadError
from grader.simt.machine.frame import Frame
from grader.simt.machine.meter import Meter
from grader.simt.masks import LANES
from grader.simt.memory.allocations import MOST_CLUSTER, Heap, HeapPointer, allocations_of
from grader.simt.memory.recorder import Recorder
from grader.simt.memory.written import WrittenBytes
from grader.simt.numba.kernel import compile_kernel
from grader.simt.numba.library.tables import SPECIAL, known_calls
from grader.simt.numba.reading.source import Function
from grader.simt.program.kernel import CompiledKernel
from grader.simt.program.types import Type

CHUNK = 1 << 16
"""Threads that advance together: a vector of them is 512 KB, and stays in a core's cache."""
WAVES = 2
"""Groups in which blocks run where their order is drawn: a block that takes another for finished
because of its number then meets one that has not started."""
_CHUNK_BYTES = 1 << 28
"""Of local and shared arrays of a chunk."""
_TIME_BYTES = 4
_RESIDENT = PROCESSORS * RESIDENT_WARPS * LANES
"""Threads that a device holds at once: a grid that meets must fit."""
_SEED = 20
"""Of other data."""
_REPEATED = 50_000_000
"""Operations that a repeated launch may take beyond its own: an undefined value may be a bound."""


def launch(
    function: Function | CompiledKernel,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    arguments: Sequence[Any],
    *,
    shared_bytes: int = 0,
    opted_in: int | None = AS_NEEDED,
    budget: int | None = None,
    seconds: float | None = None,
    arch: str = "9.0",
    outputs: Sequence[str] = (),
    progress: Callable[[LaunchProgress], None] | None = None,
    printed: Callable[[str], None] | None = None,
    everywhere: bool = False,
    tell_harmless: bool = False,
    same_races: bool = False,
    as_device: bool = False,
    heap: Heap | None = None,
    written: Sequence[WrittenBytes] = (),
    order: int | None = None,
    cluster: Sequence[int] | None = None,
    cooperative: bool = True,
    cores: int = 1,
) -> Launch:
    """Run a kernel.

    Args:
        function: the kernel, from `source`, or compiled by `compile_for_types`.
        grid: blocks along each axis, as Numba takes it.
        block: threads along each axis.
        arguments: NumPy arrays, numbers and tuples of numbers.
        shared_bytes: dynamic shared memory.
        opted_in: bytes of it that the kernel opted in to; None: to none.
        budget: thread-operations until it is ended, with a finding; None for no end.
        seconds: of processor time until it is ended, checked every 50 million operations.
        arch: the architecture whose banks count.
        outputs: names of arrays of which every element ought to be written.
        progress: called now and then with the progress.
        printed: called with each line that a thread prints.
        everywhere: also track reads of arrays that the kernel does not write to.
        tell_harmless: run a launch with races once more, to tell those that cannot be seen.
        same_races: threads that store the same value race, too, as CUDA's memory model has it.
        as_device: do not run what a device would refuse; `raised` has it.
        heap: memory that pointers may lead to, beside the arrays.
        written: of arrays that are not initialized, the bytes that are; it adds what it writes.
        order: seed of that of the blocks, in `WAVES` groups, reversed if negative; None: by number.
        cluster: blocks of a cluster along each axis; None: as the kernel says.
        cooperative: whether the whole grid may synchronize.
        cores: that may run blocks of a long launch, which changes nothing but the time.

    Raises:
        SimtError, Interrupted: what is not emulated, or impossible arguments or sizes; Ctrl-C.
    """
    ready = _compile(function, arguments)
    return describe(ready, _run_and_settle(_LaunchRequest(
        ready, _in_clusters(ready, _find_geometry(grid, block, order), cluster), arguments,
        shared_bytes, opted_in, budget, seconds, arch, outputs, everywhere, tell_harmless,
        same_races, as_device, heap, _find_partial(arguments, heap, written), cooperative, cores,
    ), progress, printed))  # fmt: skip


def _compile(function: Function | CompiledKernel, arguments: Sequence[Any]) -> CompiledKernel:
    if isinstance(function, CompiledKernel):
        return function
    return compile_for_types(function, [type_of(argument) for argument in arguments])


def _run_and_settle(
    asked: _LaunchRequest,
    progress: Callable[[LaunchProgress], None] | None,
    printed: Callable[[str], None] | None,
) -> Launch:
    """Run a launch, and again where only that decides which findings matter."""
    keep_freed_memory()
    program = asked.ready.program
    kept = None if program.recorder else asked.memory()
    racing = program.racing if asked.tell_harmless else {}
    log = asked.log(racing) if racing else None
    done = asked.run(progress=progress, printed=printed, log=log)
    if kept is None or not done.finished:
        return replace(done, findings=leave_undecided(done.findings))
    done = replace(done, findings=_settle_findings(asked, done, kept))
    done = _settle_races(asked, done, kept, log) if asked.tell_harmless else done
    if asked.ready.program.atomic and done.operations <= MOST_OPERATIONS:
        done = replace(done, findings=_name_lax_orders(asked, done, kept))
    return replace(done, before=kept)


def _find_partial(
    arguments: Sequence[Any], heap: Heap | None, written: Sequence[WrittenBytes]
) -> list[WrittenBytes]:
    """Return the memory of a launch that is not initialized as a whole."""
    starts = {value.start for value in arguments if isinstance(value, HeapPointer)}
    blocks = [heap.find(start) for start in starts] if heap is not None else []
    known = [*written, *(block.written for block in blocks if block and block.written)]
    return [each for each in known if not each.is_whole()]


@dataclass(frozen=True, eq=False)
class _LaunchRequest:
    """A launch that can be run several times; for its fields, see `launch`."""

    ready: CompiledKernel
    geometry: Geometry
    arguments: Sequence[Any]
    shared_bytes: int
    opted_in: int | None
    budget: int | None
    seconds: float | None
    arch: str
    outputs: Sequence[str]
    everywhere: bool
    tell_harmless: bool
    same_races: bool
    as_device: bool
    heap: Heap | None
    written: Sequence[WrittenBytes]
    cooperative: bool
    cores: int
    serial: int = field(default_factory=count(1).__next__)

    @property
    def tracked(self) -> frozenset[str] | None:
        """The parameters that the kernel writes to; None: possibly all."""
        program = self.ready.program
        return None if self.everywhere or program.stores_anywhere else self.ready.compiled.stored

    def log(self, wanted: Mapping[tuple[str, str], NDArray[Any]]) -> harmless.AccessLog:
        """Make a log of the accesses to some elements."""
        padded = self.geometry.padded
        return harmless.AccessLog(wanted, padded, timed=self.ready.program.timed)

    def memory(self) -> KeptMemory | None:
        """Copy the arrays that it may write to; None where all that it reads is initialized."""
        program = self.ready.program
        uses_more = program.shared_bytes or self.shared_bytes or program.local_bytes
        uses_more = uses_more or bool(self.written) or program.atomic
        if not (uses_more or program.unassigned or program.shuffles or self.tell_harmless):
            return None
        given = zip(self.ready.function.parameters, self.arguments, strict=True)
        tracked = self.tracked
        arrays = [
            array
            for name, value in given
            for leaf, part in flatten(name, value)
            if (array := as_array(part)) is not None and (tracked is None or leaf in tracked)
            if array.flags.writeable
        ]
        known = list(self.written)
        if self.heap is not None and tracked is None:
            own = {value.start for value in self.arguments if isinstance(value, HeapPointer)}
            more = [each for each in self.heap.blocks if each.start not in own]
            arrays += [each.data for each in more]
            known += [each.written for each in more if each.written is not None]
        known = [each for each in known if not each.holds(0, each.size)]
        if sum(array.nbytes for array in arrays) + sum(each.size for each in known) > MOST_BYTES:
            return None
        arrays += [each.bytes for each in known]
        return KeptMemory.keep(arrays)

    def run(
        self,
        *,
        progress: Callable[[LaunchProgress], None] | None = None,
        printed: Callable[[str], None] | None = None,
        poison: Poison | None = None,
        log: harmless.AccessLog | None = None,
        assumed: Assumptions | None = None,
    ) -> Launch:
        """Run it once."""
        ready, program = self.ready, self.ready.program
        for site in program.sites:
            site.clear()
        findings = Findings()
        for finding in program.findings.all():
            key = finding.topic, finding.file, finding.line, finding.column
            findings.add(key, 1, make_constant(finding))
        state = LaunchState(
            self.geometry, program.sites, findings, Meter(self.budget, self.seconds), self.arch,
            program.timed, self.shared_bytes, program.shared_bytes,
        )  # fmt: skip
        if program.fenced or assumed is not None:
            state.fences = Fences(volume(self.geometry.grid), self.geometry.padded, assumed)
        state.printed, state.poison, state.log = printed, poison, log
        state.dynamic_base, state.same_races = program.dynamic_base, self.same_races
        state.replicated = program.replicated
        state.grid_synced, state.serial = program.grid_sync is not None, self.serial
        state.cooperative = self.cooperative
        check_resources(state, ready, self.opted_in)
        given = self._bind(state)
        raised: BaseException | None = None
        ended: ThreadEnd | None = None
        refusal = next((found for found in findings.all() if found.kind == "resources"), None)
        if self.as_device and refusal is not None:
            raised = DeviceRefusal(refusal.what)
            return report_launch(ready, state, given.arrays, finished=False, raised=raised)
        refuse_absurd(state, program.local_bytes)
        try:
            finished = self._run_blocks(state, given, progress)
        except ThreadError as stop:
            finished, raised, at = False, stop.error, stop.site
            ended = ThreadEnd(stop.what, at.line, at.column, at.file)
        except KeyboardInterrupt:
            done = report_launch(ready, state, given.arrays, finished=False)
            done = replace(done, findings=leave_undecided(done.findings))
            raise Interrupted(describe(ready, done)) from None
        if finished:
            report_unwritten(given.arrays, self.outputs, findings)
        return report_launch(
            ready, state, given.arrays, finished=finished, raised=raised, ended=ended
        )

    def _bind(self, state: LaunchState) -> BoundArguments:
        """Bind the arguments, and the heap where there are pointers."""
        names = self.ready.function.parameters
        table = allocations_of(state) if self.ready.compiled.pointers else None
        if table is not None and self.heap is not None:
            bind_heap(
                self.heap, table, timed=state.timed, tracked=self.tracked is None,
                found=state.more_memory.append,
            )  # fmt: skip
        return bind_arguments(
            names, self.arguments, self.tracked, timed=state.timed, allocations=table,
            written=self.written, stored=self.ready.compiled.stored,
        )  # fmt: skip

    def _run_blocks(
        self,
        state: LaunchState,
        given: BoundArguments,
        progress: Callable[[LaunchProgress], None] | None,
    ) -> bool:
        """Run all blocks; return False if the launch was ended."""
        blocks = volume(state.geometry.grid)
        step = _blocks_at_once(self.ready, state, blocks)
        buffers = [bound.buffer for bound in given.arrays.values()]
        helpers = Helpers(
            self.ready, state, buffers, self.heap, chunks=-(-blocks // step), cores=self.cores
        )
        run = _BlockRunner(self.ready, state, given.values, step=step, helpers=helpers)
        run.progress = progress
        with np.errstate(all="ignore"):  # threads that are elsewhere divide by zero without a word
            try:
                for number in helpers.chunks():
                    run(number)
                    helpers.consider()
            except OutOfBudget as stop:
                report_budget(state, stop)
                return False
            except NoProgress:
                return False
            except Helping:
                helpers.help(run)
            finally:
                helpers.close()
        return True


def _settle_findings(asked: _LaunchRequest, done: Launch, kept: KeptMemory) -> tuple[Finding, ...]:
    """Decide which undefined values matter; return the findings."""
    if not any(map(is_undecided, done.findings)):
        return done.findings
    sites = asked.ready.program.sites
    bounded = replace(asked, budget=2 * done.operations + _REPEATED)

    def rerun(findings: Sequence[Finding], pattern: ValuePattern) -> LaunchOutcome:
        kept.restore()
        places = [sites.at(found.line, found.column, found.file) for found in findings]
        printed: list[str] = []
        poison = Poison((site.number for site in places), pattern)
        run = bounded.run(printed=printed.append, poison=poison)
        return LaunchOutcome(
            tuple(array.tobytes() for array in kept.arrays),
            (run.finished, repr(run.raised), printed),
            run.findings,
            run.files,
            poison.tests.by_place,
        )

    with KeptMemory.keep(kept.arrays):
        return settle_reads(done.findings, rerun, done.operations)


def _name_lax_orders(asked: _LaunchRequest, done: Launch, kept: KeptMemory) -> tuple[Finding, ...]:
    """Say of races which atomic or fence is too weak to order them."""
    bounded = replace(asked, budget=2 * done.operations + _REPEATED)

    def rerun(assumed: Assumptions) -> tuple[Finding, ...]:
        kept.restore()
        return bounded.run(printed=list[str]().append, assumed=assumed).findings

    with KeptMemory.keep(kept.arrays):
        return name_lax_orders(done.findings, asked.ready.program.sites, rerun)


def _settle_races(
    asked: _LaunchRequest, done: Launch, kept: KeptMemory, log: harmless.AccessLog | None
) -> Launch:
    """Tell the races that cannot be seen; without a log of their cells, by running once more."""
    question = harmless.ask(done.races)
    if question is None or done.operations > harmless.MOST_OPERATIONS:
        return done
    program = asked.ready.program
    if all(space == "global" for space, _ in question.wanted):
        program.racing = harmless.unite(program.racing, question.wanted)
    bounded = replace(asked, budget=2 * done.operations + _REPEATED)
    numbers = done.numbers

    def repeat(data: OtherData) -> harmless.AccessLog | None:
        if sum(each.nbytes for each in numbers) > MOST_BYTES:
            return None
        random, other = np.random.default_rng(_SEED), asked.log(question.wanted)
        with KeptMemory.keep(numbers):
            for each in numbers:
                data.change(each, random)
            ran = bounded.run(printed=list[str]().append, log=other)
        kept.restore()
        return other if ran.finished else None

    with KeptMemory.keep(kept.arrays):
        kept.restore()
        if log is None or not log.covers(question.wanted):
            log = asked.log(question.wanted)
            asked.run(printed=list[str]().append, log=log)
            kept.restore()
        found = harmless.settle_races(done.findings, question, log, repeat, program.harmless)
    return replace(done, findings=found)


def compile_for_types(
    function: Function, types: Sequence[Type], recorder: Recorder | None = None
) -> CompiledKernel:
    """Compile a kernel for arguments of these types; it can be launched many times.

    Args:
        recorder: what looks at a thread in each launch; None for nothing.

    Raises:
        Refused: it uses what is not emulated, or its types do not fit.
    """
    if len(types) != len(function.parameters):
        count = len(function.parameters)
        raise InvalidLaunch(
            fact("python.argument-count", function=function.name, n=count, given=len(types))
        )
    return compile_kernel(function, types, known_calls(function), SPECIAL, recorder)


class _BlockRunner:
    """Runs the chunks of a launch, each `step` blocks.

    Attributes:
        progress: called now and then with the progress; None: nothing is.
    """

    def __init__(
        self,
        ready: CompiledKernel,
        state: LaunchState,
        values: Mapping[str, Any],
        *,
        step: int,
        helpers: Helpers,
    ) -> None:
        self._state = state
        self._values = values
        self._step = step
        self.progress: Callable[[LaunchProgress], None] | None = None
        self._helpers = helpers
        self._blocks = volume(state.geometry.grid)
        self._execute = build_function(ready.compiled.lowered, _find_checked(ready, state, values))
        state.meter.tell = self._tell
        self._chunk: Chunk | None = None

    def __call__(self, number: int) -> None:
        """Run one chunk."""
        state, first = self._state, number * self._step
        chunk = self._chunk = Chunk(state, first, min(self._step, self._blocks - first))
        try:
            self._execute(Frame(chunk, dict(self._values)), chunk.everyone)
        except OutOfBudget:
            state.work.add(chunk.work)
            raise
        for finish in chunk.at_end:
            finish()
        report_unmet(chunk)
        state.work.add(chunk.work)
        if self.progress is not None:
            done = min(first + self._step, self._blocks)
            self.progress(LaunchProgress(self._count_done(done), self._blocks))

    def _count_done(self, done: int) -> int:
        """Return the number of finished blocks, with those of helpers."""
        return min(done + self._helpers.done * self._step, self._blocks)

    def _tell(self) -> None:
        """Tell how far the launch is, and look whether it takes long."""
        chunk = self._chunk
        if self.progress is not None and chunk is not None:
            loop = chunk.busiest
            where = (0, 0) if loop is None else (loop.site.line, loop.rounds)
            done = self._count_done(chunk.first_block)
            under_way = chunk.blocks * self._helpers.runners
            self.progress(LaunchProgress(done, self._blocks, *where, under_way))
        self._helpers.consider()


def _find_geometry(
    grid: int | Sequence[int], block: int | Sequence[int], order: int | None
) -> Geometry:
    blocks = _parse_sizes(grid, fact("launch.grid-sizes", sizes=str(grid)))
    threads = _parse_sizes(block, fact("launch.block-sizes", sizes=str(block)))
    return Geometry(blocks, threads, _draw_order(blocks, order))


def _in_clusters(
    ready: CompiledKernel, geometry: Geometry, given: Sequence[int] | None
) -> Geometry:
    """Return the sizes of a launch with those of its clusters, as it or the kernel says.

    Raises:
        DeviceRefusal: there cannot be such clusters.
    """
    own, grid = ready.program.cluster, geometry.grid
    if given is None:
        size = own or (1, 1, 1)
    else:
        size = _parse_sizes(given, fact("launch.cluster-sizes", sizes=str(tuple(given))))
    shown = str(size)
    if own is not None and size != own:
        raise DeviceRefusal(fact("launch.cluster-differs", own=str(own), cluster=shown))
    if volume(size) > MOST_CLUSTER:
        raise DeviceRefusal(fact("launch.cluster-large", cluster=shown, most=MOST_CLUSTER))
    if any(blocks % each for blocks, each in zip(grid, size, strict=True)):
        raise DeviceRefusal(fact("launch.cluster-grid", cluster=shown, grid=str(grid)))
    return geometry._replace(cluster=size, order=order_by_cluster(grid, size, geometry.order))


def _draw_order(grid: Three, seed: int | None) -> tuple[int, ...] | None:
    if seed is None:
        return None
    order: list[int] = np.random.default_rng(abs(seed)).permutation(volume(grid)).tolist()
    return tuple(order if seed >= 0 else reversed(order))


def _find_checked(
    ready: CompiledKernel, state: LaunchState, values: Mapping[str, Any]
) -> frozenset[int]:
    """Return the operations that may overflow in a launch of this size with these numbers."""
    unproven, lowered = ready.program.unproven, ready.compiled.lowered
    if unproven is None:
        return frozenset()
    pairs = zip(lowered.parameters, lowered.types, strict=True)
    whole = [name for name, kind in pairs if isinstance(kind, np.dtype) and kind.kind in "biu"]
    return unproven.find(
        {name: int(values[name][0, 0]) for name in whole}, state.geometry._replace(order=None)
    )


def _blocks_at_once(ready: CompiledKernel, state: LaunchState, blocks: int) -> int:
    program = ready.program
    if program.grid_sync is not None:
        if blocks * state.geometry.padded > _RESIDENT:
            site = program.grid_sync
            raise InvalidLaunch(
                fact(
                    "launch.grid-sync",
                    place=site.describe_from(""),
                    blocks=blocks,
                    threads=state.geometry.block_threads,
                )
            )
        return blocks
    if state.geometry.order is not None:
        blocks = -(-blocks // WAVES)
    each = state.geometry.padded * program.local_bytes + program.shared_bytes + state.dynamic_bytes
    size = volume(state.geometry.cluster)
    if size > 1:  # each thread has a time for every warp of its cluster
        each += state.geometry.padded * _TIME_BYTES * size * state.geometry.padded // LANES
    most = max(1, min(CHUNK // state.geometry.padded, _CHUNK_BYTES // max(1, each), blocks))
    return -(-most // size) * size


def _parse_sizes(sizes: int | Sequence[int], what: Fact) -> Three:
    given = (sizes,) if isinstance(sizes, (int, np.integer)) else tuple(sizes)
    if not 1 <= len(given) <= 3 or any(
        int(argument) != argument or argument < 1 for argument in given
    ):
        raise DeviceRefusal(what)
    x, y, z = (*map(int, given), 1, 1)[:3]
    return x, y, z
