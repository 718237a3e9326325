"""Runs a kernel over a grid, chunk by chunk, and says what happened.

The arrays that are given are changed in place, as a device would leave them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import mul
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from grader.simt.arguments import Argument, bound, type_of
from grader.simt.chunk import Chunk, LaunchState, OutOfBudget, Raised
from grader.simt.counters import ByPlace, Sites, WarpAccess
from grader.simt.errors import InvalidLaunch
from grader.simt.fences import Fences
from grader.simt.findings import Finding, Findings, Three
from grader.simt.masks import LANES
from grader.simt.meter import Meter
from grader.simt.program import Kernel, kernel
from grader.simt.resources import PROCESSORS, RESIDENT_WARPS, check_resources
from grader.simt.source import Function
from grader.simt.typed import Frame
from grader.simt.types import Type
from grader.simt.watching import Read, Watch

GRADING_BUDGET = 400_000_000
"""Operations, each up to a nanosecond (`chunk.OPERATION`): the same end on every machine."""
GRADING_SECONDS = 1.0
"""Of processor time, within which whatever ends is to end."""
CHUNK = 1 << 16
"""Threads that advance together: a vector of them is 512 KB, and stays in a core's cache."""
_CHUNK_BYTES = 1 << 28
"""Of local and shared arrays of a chunk."""
_RESIDENT = PROCESSORS * RESIDENT_WARPS * LANES
"""Threads that a device holds at once: a grid that meets must fit."""


class Reached(NamedTuple):
    """How far a launch is.

    Attributes:
        done, blocks: blocks that are done, and all.
        line, rounds: the loop that the next blocks are in, and how often it went round; 0: none.
    """

    done: int
    blocks: int
    line: int = 0
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class Origin:
    """Who wrote an element last, and where; the kernel's file is ""."""

    block: Three
    thread: Three
    line: int
    column: int
    file: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Where an element came from.

    Attributes:
        origin: who wrote it last; None if nobody did.
        reads: what that thread had read since its write before, in order.
    """

    origin: Origin | None
    reads: tuple[Read, ...]


@dataclass(frozen=True, eq=False)
class Launch:
    """What a launch did.

    Attributes:
        files: what was counted, by file, then by (line, column); the kernel's own file is "".
        worst: by (line, column) of that file, the shared access of a warp that is furthest from its
            ideal.
        shared_bytes: that a block declares, dynamic ones included.
        findings: faults first, then warnings, by line.
        finished: False if the budget ended it, or an error.
        operations: how many it took, of those that a budget counts.
        raised: what a thread raised, where the kernel has `debug=True`.
    """

    kernel: str
    grid: Three
    block: Three
    files: Mapping[str, ByPlace]
    worst: Mapping[tuple[int, int], WarpAccess]
    shared_bytes: int
    findings: tuple[Finding, ...]
    finished: bool
    operations: int = 0
    raised: BaseException | None = None
    _arguments: Mapping[str, Argument] = field(repr=False, default_factory=dict)
    _sites: Sites = field(repr=False, default_factory=Sites)

    @property
    def counts(self) -> ByPlace:
        """Of the kernel's own file, by (line, column); counters are those of `COUNTERS`."""
        return self.files[""]

    @property
    def totals(self) -> Mapping[str, int]:
        """The counters of all lines."""
        total: Counter[str] = Counter()
        for by_place in self.files.values():
            for counts in by_place.values():
                total.update(counts)
        return total

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The findings that are more than warnings."""
        return tuple(one for one in self.findings if one.kind != "warning")

    def line(self, number: int, file: str = "") -> Mapping[str, int]:
        """The counters of one line; of the kernel's file, if no other is named."""
        total: Counter[str] = Counter()
        for (line, _), counts in self.files.get(file, {}).items():
            if line == number:
                total.update(counts)
        return total

    def written(self, name: str) -> NDArray[np.bool_]:
        """Which elements of an array somebody wrote, in its shape."""
        argument = self._arguments[name]
        return argument.by_element(argument.written())

    def origin(self, name: str, index: int | tuple[int, ...]) -> Origin | None:
        """Who wrote an element last; None if nobody did."""
        argument = self._arguments[name]
        writer = argument.writer(index if isinstance(index, tuple) else (index,))
        if writer is None:
            return None
        thread, site = writer
        return self._origin(thread, site)

    def watch(self, name: str, index: int | tuple[int, ...]) -> Watch | None:
        """To be given to a second run: the thread that wrote an element last, and the element."""
        argument = self._arguments[name]
        at = index if isinstance(index, tuple) else (index,)
        writer = argument.writer(at)
        if writer is None:
            return None
        return Watch(writer[0], argument.buffer.watched.label, argument.cell(at))

    def _origin(self, thread: int, site: int) -> Origin:
        block, own = divmod(thread - 1, -(-_product(self.block) // LANES) * LANES)
        at = self._sites[site]
        place = at.line, at.column, at.file
        return Origin(_place(block, self.grid), _place(own, self.block), *place)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, while a kernel ran; `done` is what was counted and found until then."""

    def __init__(self, done: Launch) -> None:
        super().__init__()
        self.done = done


def launch(
    function: Function | Kernel,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    arguments: Sequence[Any],
    *,
    shared_bytes: int = 0,
    budget: int | None = None,
    seconds: float | None = None,
    arch: str = "9.0",
    outputs: Sequence[str] = (),
    progress: Callable[[Reached], None] | None = None,
    watch: Watch | None = None,
    printed: Callable[[str], None] | None = None,
) -> Launch:
    """Run a kernel.

    Args:
        function: the kernel, from `source`, or made ready by `prepared`.
        grid: blocks along each axis, as Numba takes it.
        block: threads along each axis.
        arguments: NumPy arrays, numbers and tuples of numbers.
        shared_bytes: dynamic shared memory.
        budget: thread-operations until it is ended, with a finding; None for no end.
        seconds: of processor time until it is ended so, looked at every 50 million operations.
        arch: the architecture whose banks count.
        outputs: names of arrays of which every element ought to be written.
        progress: is told now and then how far it is.
        watch: keeps what a thread reads; see `explained`.
        printed: is told each line that a thread prints.

    Raises:
        Refused: the kernel uses what is not emulated.
        InvalidLaunch: arguments or sizes that cannot be.
        Interrupted: Ctrl-C.
    """
    types = [type_of(one) for one in arguments]
    ready = function if isinstance(function, Kernel) else prepared(function, types)
    program = ready.program
    sizes, threads = _three(grid, "grid"), _three(block, "block")
    for site in program.sites:
        site.clear()
    findings = Findings()
    for finding in program.findings.all():
        key = finding.topic, finding.file, finding.line, finding.column
        findings.add(key, 1, lambda one=finding: one)  # type: ignore[misc]
    state = LaunchState(
        sizes,
        threads,
        program.sites,
        findings,
        Meter(budget, seconds),
        arch,
        program.timed,
        shared_bytes,
        program.shared_bytes,
        program.dynamic_cell or 1,
    )
    if program.fenced:
        state.fences = Fences(_product(sizes), state.padded)
    state.watch, state.printed = watch, printed
    check_resources(state, program.local_bytes)
    tracked = None if program.stores_anywhere else ready.made.stored
    names = ready.function.parameters
    given = bound(names, arguments, tracked, timed=program.timed)
    raised = None
    try:
        finished = _run(ready, state, given.values, progress)
    except Raised as stop:
        finished, raised = False, stop.error
    except KeyboardInterrupt:
        raise Interrupted(_done(ready, state, given.arrays, finished=False)) from None
    if finished:
        _report_unwritten(given.arrays, outputs, findings)
    return _done(ready, state, given.arrays, finished=finished, raised=raised)


def _done(
    ready: Kernel,
    state: LaunchState,
    arrays: Mapping[str, Argument],
    *,
    finished: bool,
    raised: BaseException | None = None,
) -> Launch:
    return Launch(
        ready.function.name,
        state.grid,
        state.block,
        state.sites.counts(),
        state.sites.worst(),
        state.static_bytes + state.dynamic_bytes,
        state.findings.all(),
        finished,
        state.meter.spent,
        raised,
        arrays,
        state.sites,
    )


def explained(
    function: Function | Kernel,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    arguments: Sequence[Any],
    element: tuple[str, int | tuple[int, ...]],
    **options: Any,
) -> Explanation:
    """Who writes an element last, and what that thread reads for it.

    The kernel runs twice, on copies: give the arguments as they were before the launch.

    Args:
        function: the kernel.
        grid: blocks along each axis.
        block: threads along each axis.
        arguments: as for `launch`; not changed.
        element: name of the array and index.
        options: as of `launch`.

    Raises:
        Refused: the kernel uses what is not emulated.
        InvalidLaunch: arguments or sizes that cannot be.
    """
    first = launch(function, grid, block, _copies(arguments), **options)
    watch = first.watch(*element)
    if watch is None:
        return Explanation(None, ())
    launch(function, grid, block, _copies(arguments), watch=watch, **options)
    return Explanation(first.origin(*element), watch.reads)


def _copies(arguments: Sequence[Any]) -> list[Any]:
    return [
        tuple(_copies(one)) if isinstance(one, tuple)
        else one.copy() if isinstance(one, np.ndarray) else one
        for one in arguments
    ]  # fmt: skip


def prepared(function: Function, types: Sequence[Type]) -> Kernel:
    """A kernel made ready for arguments of these types; it can be launched many times.

    Raises:
        Refused: it uses what is not emulated, or its types do not fit.
    """
    if len(types) != len(function.parameters):
        takes = f"{function.name} takes {len(function.parameters)} arguments, not {len(types)}"
        raise InvalidLaunch(takes)
    return kernel(function, types)


def _run(
    ready: Kernel,
    state: LaunchState,
    values: Mapping[str, Any],
    progress: Callable[[Reached], None] | None,
) -> bool:
    blocks = _product(state.grid)
    step = _blocks_at_once(ready, state, blocks)
    with np.errstate(all="ignore"):  # threads that are elsewhere divide by zero without a word
        for first in range(0, blocks, step):
            chunk = Chunk(state, first, min(step, blocks - first))
            if progress is not None:
                state.meter.tell = partial(_tell, progress, chunk, blocks)
            try:
                ready.made.body(Frame(chunk, dict(values)), chunk.everyone)
            except OutOfBudget as stop:
                _report_budget(state, stop)
                return False
            if progress is not None:
                progress(Reached(min(first + step, blocks), blocks))
    return True


def _tell(progress: Callable[[Reached], None], chunk: Chunk, blocks: int) -> None:
    loop = chunk.busiest
    where = (0, 0) if loop is None else (loop.site.line, loop.rounds)
    progress(Reached(chunk.first_block, blocks, *where))


def _blocks_at_once(ready: Kernel, state: LaunchState, blocks: int) -> int:
    program = ready.program
    if program.grid_sync is not None:
        if blocks * state.padded > _RESIDENT:
            site = program.grid_sync
            raise InvalidLaunch(
                f"{site.seen_from('')}: the whole grid meets here, and {blocks} blocks of "
                f"{state.block_threads} threads do not fit on a device at once"
            )
        return blocks
    each = state.padded * program.local_bytes + program.shared_bytes + state.dynamic_bytes
    return max(1, min(CHUNK // state.padded, _CHUNK_BYTES // max(1, each), blocks))


def _report_budget(state: LaunchState, stop: OutOfBudget) -> None:
    site = stop.site
    message = "the budget of operations ended here; is this loop left by all threads?"
    finding = Finding("budget", site.line, site.column, message, "budget", file=site.file)
    state.findings.add("budget", 1, lambda: finding)


def _report_unwritten(
    arrays: Mapping[str, Argument], outputs: Sequence[str], findings: Findings
) -> None:
    for name in outputs:
        argument = arrays[name]
        written = argument.by_element(argument.written())
        missing = int(np.count_nonzero(~written))
        if not missing:
            continue
        index = tuple(int(one) for one in np.argwhere(~written)[0])
        shown = index[0] if len(index) == 1 else index
        message = (
            f"{missing} of {written.size} elements of {name} were never written, first {shown}"
        )
        address = sum(map(mul, index, argument.array.strides))
        finding = Finding(
            "never-written",
            0,
            0,
            message,
            array=name,
            space="global",
            index=index,
            address=address,
        )
        findings.add(("never-written", name), missing, lambda finding=finding: finding)  # type: ignore[misc]


def _three(sizes: int | Sequence[int], what: str) -> Three:
    given = (sizes,) if isinstance(sizes, (int, np.integer)) else tuple(sizes)
    if not 1 <= len(given) <= 3 or any(int(one) != one or one < 1 for one in given):  # noqa: PLR2004
        raise InvalidLaunch(f"the {what} is one to three sizes of at least 1, not {sizes}")
    x, y, z = (*map(int, given), 1, 1)[:3]
    return x, y, z


def _product(sizes: Three) -> int:
    x, y, z = sizes
    return x * y * z


def _place(number: int, sizes: Three) -> Three:
    x, y, _ = sizes
    return number % x, number // x % y, number // (x * y)
