"""Further processes that run blocks of a long launch from its end, while this one begins at 0.

They are forks, so what they do is seen nowhere else until this process takes it over: memory,
counters, shadows. It does so only if all of that is what it would have come to by itself: if they
found nothing, printed nothing, made no atomic operation on global memory, and accessed no element
that another process wrote. Else it runs their blocks itself, as if they had never been.
"""

from __future__ import annotations

import fcntl
import os
import pickle
import select
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from mmap import mmap
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic, sleep, thread_time
from typing import IO, NamedTuple, NoReturn
from weakref import WeakSet

from grader import lifeline
from grader.simt.checks.counters import SiteCounts
from grader.simt.geometry import volume
from grader.simt.launches.tracked_memory import (
    CellRecords,
    OtherMemory,
    TrackedMemory,
    describe_records,
    find_tracked,
    have_conflict,
    unite,
)
from grader.simt.machine.chunk import LaunchState
from grader.simt.machine.meter import Meter
from grader.simt.machine.workload import LaunchWork
from grader.simt.memory.allocations import Heap, allocations_of
from grader.simt.memory.global_memory import GlobalBuffer
from grader.simt.memory.records import RecordBuffer
from grader.simt.program.kernel import CompiledKernel

MOST_HELPERS = 3
BEGIN = 0.03
"""Seconds of processor time, after which a launch is long."""
WORTH = 0.5
"""Seconds that its other chunks would take at least."""
PATIENCE = 4
"""How many times as long as this process a helper may take."""
_NEWS = 0.05
"""Seconds between two looks at whether the other process is still there."""

_unhelpful: WeakSet[CompiledKernel] = WeakSet()
"""Kernels for which helpers were of no use."""


class Helping(BaseException):
    """This process is a helper now: it leaves the chunk that it was forked in."""


class _Useless(Exception):
    """What a helper has run cannot be taken over."""


class _Help(NamedTuple):
    """What a helper has done.

    Attributes:
        counted: by the first chunk of some that follow each other, what they counted by site.
        spent: operations.
        shadows: of the launch's tracked memory, in its order.
    """

    counted: Mapping[int, Mapping[int, SiteCounts]]
    work: LaunchWork
    spent: int
    shadows: Sequence[CellRecords]


class _Helper(NamedTuple):
    process: int
    answer: IO[bytes]


class _Claims:
    """Which chunks are taken: this process takes the first ones, helpers the last ones."""

    def __init__(self, taken: int, chunks: int) -> None:
        self._numbers = memoryview(mmap(-1, 24)).cast("q")
        self._numbers[0], self._numbers[1] = taken, chunks
        self._file = TemporaryFile()  # noqa: SIM115 - as long as the launch

    @contextmanager
    def _locked(self) -> Iterator[memoryview]:
        fcntl.lockf(self._file, fcntl.LOCK_EX)  # which ends with the process that has it
        try:
            yield self._numbers
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN)

    @property
    def left(self) -> int:
        """The number of chunks that nobody has taken."""
        return int(self._numbers[1] - self._numbers[0])

    @property
    def finished(self) -> int:
        """The number of chunks that helpers have finished."""
        return int(self._numbers[2])

    def finish(self) -> None:
        """Note that a helper has finished a chunk."""
        with self._locked() as numbers:
            numbers[2] += 1

    def take_first(self) -> bool:
        """Take the first chunk, if there is one."""
        with self._locked() as numbers:
            if numbers[0] >= numbers[1]:
                return False
            numbers[0] += 1
            return True

    def take_last(self, share: int) -> range:
        """Take a share of the chunks, at their end."""
        with self._locked() as numbers:
            low, high, _ = numbers
            size = min(max(1, (high - low) // share), high - low)
            numbers[1] = high - size
        return range(high - size, high)


class Helpers:
    """The helpers of one launch, if it gets any."""

    def __init__(
        self,
        ready: CompiledKernel,
        state: LaunchState,
        memory: Iterable[GlobalBuffer | RecordBuffer],
        heap: Heap | None,
        *,
        chunks: int,
        cores: int,
    ) -> None:
        self._ready = ready
        self._state = state
        self._memory = list(memory)
        self._heap = heap
        self._chunks = chunks
        self._count = min(cores - 1, MOST_HELPERS, chunks - 1)
        self._may_come = self._count > 0 and _may_help(ready, state)
        self._tracked: list[TrackedMemory] = []
        self._claims: _Claims | None = None
        self._helpers: list[_Helper] = []
        self._taken = 0
        self._cases = state.findings.cases
        self._began, self._began_helping = thread_time(), 0.0

    def chunks(self) -> Iterator[int]:
        """Yield the numbers of the chunks that this process runs, in their order."""
        while self._taken < self._chunks:
            if self._claims is not None and not self._claims.take_first():
                if self._take_over():
                    return
                _unhelpful.add(self._ready)
                self.close()
            self._taken += 1
            yield self._taken - 1

    @property
    def done(self) -> int:
        """The number of chunks that helpers have finished."""
        return 0 if self._claims is None else self._claims.finished

    @property
    def runners(self) -> int:
        """The number of processes that run chunks: this one and its helpers."""
        return 1 + len(self._helpers)

    def consider(self) -> None:
        """Let helpers come, once it is clear that the launch takes long; called now and then.

        Raises:
            Helping: this is one of them.
        """
        if not self._may_come or (passed := thread_time() - self._began) < BEGIN:
            return
        if passed * (self._chunks - self._taken) < WORTH * max(1, self._taken):
            return
        self._may_come = False
        tracked = self._find_tracked()
        if tracked is None or not self._is_plain(tracked):
            return
        self._tracked = tracked
        self._claims = _Claims(self._taken, self._chunks)
        self._began_helping = monotonic()
        with suppress(OSError):  # no more processes, or no more memory
            for _ in range(self._count):
                self._fork()

    def _find_tracked(self) -> list[TrackedMemory] | None:
        return find_tracked([*self._memory, *self._state.more_memory], self._heap)

    def _is_plain(self, tracked: Sequence[TrackedMemory]) -> bool:
        """Return True if the launch has done nothing yet that depends on the order of blocks."""
        state = self._state
        if state.findings.cases > self._cases or state.characters:
            return False
        if self._ready.compiled.pointers and allocations_of(state).textures:
            return False
        return all(memory.shadow.record("atomic") is None for memory in tracked)

    def _fork(self) -> None:
        parent = os.getpid()
        answer, end = os.pipe()
        came: list[int] = []
        # An exception is lost in what runs directly after a fork, so Ctrl-C waits until then.
        before = signal.signal(signal.SIGINT, lambda number, _frame: came.append(number))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of threads of NumPy's libraries
            process = os.fork()
        if not process:
            self._become_helper(parent, end)
            raise Helping
        signal.signal(signal.SIGINT, before)
        os.close(end)
        self._helpers.append(_Helper(process, os.fdopen(answer, "rb")))
        if came:
            signal.raise_signal(signal.SIGINT)

    def _become_helper(self, parent: int, end: int) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other process ends this one
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        with suppress(OSError):  # where memory ends, this is the process to end
            Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
        self._helpers.clear()
        self._parent, self._end = parent, end
        if self._heap is not None and self._heap.detach is not None:
            self._heap.detach()
        for memory in self._tracked:
            memory.shadow.forget()
        for site in self._state.sites:
            site.clear()
        state = self._state
        state.work, state.printed = LaunchWork(), _refuse
        state.meter = Meter(state.meter.budget_left)
        state.meter.tell = self._follow

    def _follow(self) -> None:
        """End this process with the one that it helps."""
        if os.getppid() != self._parent:
            os._exit(1)

    def help(self, run: Callable[[int], None]) -> NoReturn:
        """Run chunks, and tell the other process of them; it ends this one."""
        try:
            told = pickle.dumps(self._run_last(run))
        except BaseException:  # whatever it is, the other process will meet it
            told = b""
        with suppress(OSError), os.fdopen(self._end, "wb") as answer:
            answer.write(told)
        while told:
            self._follow()
            sleep(_NEWS)
        os._exit(0)

    def _run_last(self, run: Callable[[int], None]) -> _Help:
        claims, state = self._claims, self._state
        assert claims is not None
        known = self._note_state()
        counted = dict[int, Mapping[int, SiteCounts]]()
        while chunks := claims.take_last(2 * (self._count + 1)):
            for number in chunks:
                run(number)
                claims.finish()
                self._follow()
            if self._note_state() != known:
                raise _Useless
            each = {site.number: site.take() for site in state.sites}
            counted[chunks.start] = {number: one for number, one in each.items() if one}
        if self._note_state() != known:
            raise _Useless
        return _Help(counted, state.work, state.meter.spent, self._describe_memory())

    def _note_state(self) -> tuple[int, ...]:
        """Return what a helper leaves as it was."""
        state, pointers = self._state, self._ready.compiled.pointers
        placed = len(allocations_of(state).own) if pointers else 0
        atomic = sum(each.shadow.record("atomic") is not None for each in self._tracked)
        return state.findings.cases, placed, atomic

    def _describe_memory(self) -> list[CellRecords]:
        tracked = {id(each.shadow) for each in self._find_tracked() or ()}
        shadows = [describe_records(memory) for memory in self._tracked]
        found = [records for records in shadows if records is not None]
        if len(found) < len(shadows) or tracked != {id(each.shadow) for each in self._tracked}:
            raise _Useless
        return found

    def _take_over(self) -> bool:
        """Take over what the helpers have done; return False if it cannot be."""
        found: list[tuple[OtherMemory, _Help]] = []
        try:
            for helper in self._helpers:
                help_ = self._wait_for(helper)
                if help_ is None:
                    return False
                found.append((OtherMemory(helper.process), help_))
            if not found or not self._are_independent(found):
                return False
            for other, each in found:
                for memory, records in zip(self._tracked, each.shadows, strict=True):
                    unite(memory, other, records)
        except OSError:  # the system does not let a process read another one
            return False
        finally:
            for other, _ in found:
                other.close()
        self._add([each for _, each in found])
        return True

    def _are_independent(self, found: Sequence[tuple[OtherMemory, _Help]]) -> bool:
        """Return True if it does not matter which process ran which chunk."""
        left = self._state.meter.budget_left
        if left is not None and sum(each.spent for _, each in found) >= left:
            return False
        if self._find_tracked() is None:
            return False
        return not any(
            have_conflict(memory, [(other, each.shadows[at]) for other, each in found])
            for at, memory in enumerate(self._tracked)
        )

    def _add(self, found: Sequence[_Help]) -> None:
        """Add what was counted, in the order of chunks."""
        sites = {site.number: site for site in self._state.sites}
        counted = {first: by_site for each in found for first, by_site in each.counted.items()}
        for first in sorted(counted):
            for number, counts in counted[first].items():
                sites[number].add_later(counts)
        for each in found:
            self._state.work.unite(each.work)
            self._state.meter.add(each.spent)

    def _wait_for(self, helper: _Helper) -> _Help | None:
        """Wait for what a helper has done; None if that is of no use, or takes too long."""
        until = monotonic() + PATIENCE * (monotonic() - self._began_helping) + 1
        told = bytearray()
        while True:
            ready, _, _ = select.select([helper.answer], [], [], max(0, until - monotonic()))
            if not ready:
                return None
            if not (part := os.read(helper.answer.fileno(), 1 << 16)):
                break
            told += part
        help_: _Help | None = pickle.loads(told) if told else None  # noqa: S301 - of our fork
        return help_

    def close(self) -> None:
        """End the helpers."""
        self._claims = None
        for helper in self._helpers:
            with suppress(ProcessLookupError):
                os.kill(helper.process, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(helper.process, 0)
            helper.answer.close()
        self._helpers.clear()


def count_cores() -> int:
    """Return the cores that this process may use, or 1 where it can have no helpers."""
    if sys.platform != "linux":  # a fork of a process with threads of libraries, and no `/proc`
        return 1
    return len(os.sched_getaffinity(0))


def _may_help(ready: CompiledKernel, state: LaunchState) -> bool:
    """Return True for a kernel whose blocks may be independent, in a process that may be forked."""
    program = ready.program
    ordered = (
        state.fences is not None or program.grid_sync is not None or program.recorder is not None
    )
    ordered = ordered or volume(state.geometry.cluster) > 1 or state.geometry.order is not None
    looked_at = state.log is not None or state.poison is not None
    others = {thread for thread in threading.enumerate() if thread.name != lifeline.THREAD}
    alone = others == {threading.main_thread()}
    return alone and not ordered and not looked_at and ready not in _unhelpful


def _refuse(_line: str) -> None:
    raise _Useless
