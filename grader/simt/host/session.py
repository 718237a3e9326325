"""The launches of a script: runs each in the emulator, and keeps what it did as plain data."""

from __future__ import annotations

import copy
import json
import linecache
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from functools import lru_cache, partial
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from grader.facts import Fact, fact
from grader.frozen import frozen
from grader.mistakes import Mistake
from grader.scripts import KEPT, Reads
from grader.simt.checks.fences import BLOCK
from grader.simt.checks.findings import Finding, is_advised
from grader.simt.cuda.lowering.program import CudaFunction
from grader.simt.errors import DeviceRefusal, InvalidLaunch, Refused
from grader.simt.host.allowed import AllowedLine, allow
from grader.simt.host.launch_details import describe_accesses, describe_arguments
from grader.simt.host.numba_names.numba_errors import as_drivers, as_numbas
from grader.simt.host.programs import KernelPrograms, unite
from grader.simt.host.progress import LaunchTicker
from grader.simt.host.staged import LaunchRecord, StagedArgument, StagedTuple, stage
from grader.simt.host.standalone import KernelTexts
from grader.simt.host.streams import (
    DEFAULT_STREAM,
    TIMELINE,
    UNNAMED,
    EarlyTime,
    ScriptPlace,
    Stream,
    StreamAccess,
    UnorderedPair,
    caller,
)
from grader.simt.host.touched import TouchedMemory
from grader.simt.launches.api import compile_for, launch
from grader.simt.launches.helpers import count_cores
from grader.simt.launches.reports import Interrupted, Launch
from grader.simt.launches.resources import AS_NEEDED
from grader.simt.memory.allocations import Heap, HeapPointer
from grader.simt.program.kernel import CompiledKernel
from grader.simt.ptx.shown import PtxFunction

OPERATIONS = {
    "kernel": fact("operation.kernel"), "copy": fact("operation.copy"),
    "set": fact("operation.set"), "allocation": fact("operation.allocation"),
    "free": fact("operation.free"),
}  # fmt: skip
"""By the name that streams have for an operation."""
MEMORY = {
    UNNAMED: fact("memory.array"), "managed memory": fact("memory.managed"),
    "pinned memory": fact("memory.pinned"),
}  # fmt: skip
"""By the name that streams have for what has none in the source."""

_COSTLY = (
    "shared_load_conflicts", "shared_store_conflicts", "shared_atomic_lanes", "global_atomic_lanes",
)  # fmt: skip
"""Counters of what a change may make cheaper."""
_MOST_ADVISED = 3
"""Launches of a kernel, with different findings, for which changes are tried."""
_MOST_EXACT = 1 << 53
"""The largest integer that every reader of JSON keeps; the text of a finding has any."""
RUNNING: list[ScriptSession] = []
"""The session of the script that this process runs, if it runs one."""


@frozen
class Config:
    """The launch configuration: what is between the brackets of a launch.

    Attributes:
        outputs: arguments of which the kernel ought to write every element; brackets name none.
        heap: memory that pointers may lead to, beside the arguments.
        caller: the line that launches it; None for that of the script that runs.
        cluster: blocks of a cluster along each axis, where the launch says so.
        everywhere: also track reads of arrays that the kernel does not write to.
        cooperative: whether the whole grid may synchronize.
        opted_in: bytes of dynamic shared memory that the kernel opted in to; None: to none.
    """

    grid: Any
    block: Any
    shared_bytes: int = 0
    stream: Stream = DEFAULT_STREAM
    outputs: tuple[str, ...] = ()
    heap: Heap | None = None
    caller: ScriptPlace | None = None
    cluster: tuple[int, int, int] | None = None
    everywhere: bool = False
    cooperative: bool = True
    opted_in: int | None = AS_NEEDED


JudgeLaunch = Callable[[CompiledKernel, Mapping[str, Any], Mapping[str, Any], Launch], None]
"""Compares a launch: given its kernel, its arguments before it and after it, and what it did."""
Watch = Callable[[CompiledKernel, Config, Sequence[Any]], Callable[[], None]]
"""Looks at a launch before it runs; what it returns is called after it."""
WATCHERS: list[Watch] = []
"""Added in the process of a person's script."""
MORE: dict[str, Any] = {}
"""What they have found, by name: plain data that is saved with the launches."""


def _no_memory(ready: CompiledKernel, given: Sequence[Any]) -> Fact:
    arrays = (each.array if isinstance(each, HeapPointer) else each for each in given)
    size = sum(each.nbytes for each in arrays if isinstance(each, np.ndarray))
    return fact("launch.no-memory", kernel=ready.function.name, n=size >> 20)


def _compile(code: Any, given: Sequence[Any]) -> CompiledKernel:
    try:
        return compile_for(code, given)
    except Refused as error:
        raise as_numbas(error) from None


def _nothing() -> None:
    """Do nothing."""


class ScriptSession:
    """The launches of a script, in their order.

    Attributes:
        budget: operations of a launch; None for no limit.
        allowed: lines whose races are allowed.
        reads: what of a kernel is run.
        cores: that may run blocks of a launch.
        has_script: False if no line of a script launches what is run.
        launches: as plain data, see `docs/cli.md`; counters that are 0 are left out.
        refused: why the emulator did not run what ended the script, as plain data, or None.
        begins: called when something is launched.
        keeps_writers: True if somebody will ask for `writers`.
        on_cpu: libraries that the program has called and that ran on the CPU.
        judge: compares each launch, if there is something to compare it with.
        touched: by the start of an allocation, what launches did to it; None if nobody asks.
        writers: by the start of an allocation, the last launch that could store there, and what its
            kernel calls it.
    """

    def __init__(
        self,
        budget: int | None = None,
        allowed: Sequence[AllowedLine] = (),
        reads: Reads = "either",
    ) -> None:
        self.budget = budget
        self.allowed = allowed
        self.reads: Reads = reads
        self.cores = count_cores()
        self.has_script = True
        self.launches: list[LaunchRecord] = []
        self.refused: LaunchRecord | None = None
        self.begins: Callable[[], None] = _nothing
        self.on_cpu: list[str] = []
        self.keeps_writers = False
        self.writers: dict[int, tuple[Launch, str]] = {}
        self._ahead: list[Finding] = []
        self.judge: JudgeLaunch | None = None
        self.touched: dict[int, TouchedMemory] | None = None
        self._texts = KernelTexts()
        self._programs = KernelPrograms()
        self._advised: dict[CompiledKernel, dict[tuple[Finding, ...], tuple[Finding, ...]]] = {}
        self._lock = RLock()

    def run(self, code: Any, config: Config, arguments: Sequence[Any]) -> Launch:
        """Run one launch; return what it did.

        Raises:
            Interrupted: Ctrl-C; the launch is kept as far as it came.
            Refused: the kernel uses what is not emulated.
            InvalidLaunch: arguments that cannot be.
            DeviceRefusal: sizes that cannot be, also as the driver's error; nothing ran.
            Exception: what a thread raised, where the kernel has `debug=True`.
        """
        staged = [stage(argument) for argument in arguments]
        given = [argument.array for argument in staged]
        self.begins()
        with self._lock:
            ready = _compile(code, given)
            watched = _watch(ready, config, given)
            judge = self._begin_judging(ready, given)
            progress = LaunchTicker(ready.function.name)
            begun = time.perf_counter()
            written = [known for each in staged for known in each.written_bytes()]
            run = partial(
                launch, grid=config.grid, block=config.block, arguments=given,
                shared_bytes=config.shared_bytes, opted_in=config.opted_in,
                cluster=config.cluster,
                cooperative=config.cooperative, outputs=config.outputs, progress=progress,
                everywhere=config.everywhere or self._follows(config),
                tell_harmless=True, as_device=True,
                heap=config.heap, written=written, cores=self.cores,
            )  # fmt: skip
            try:
                done = run(ready, budget=self.budget, printed=print)
                seconds = time.perf_counter() - begun
                done, cheaper = self._advise(ready, done, given, run, keeps=config.heap is not None)
            except DeviceRefusal as error:
                raise as_drivers(error) from None
            except Interrupted as stop:
                seconds = time.perf_counter() - begun
                self._keep(ready, stop.done, seconds, given, config.caller)
                raise
            except MemoryError:
                raise InvalidLaunch(_no_memory(ready, given)) from None
            finally:
                progress.end()
            record = self._keep(ready, done, seconds, given, config.caller)
            record["advice"] = cheaper
            watched.close()
            judge(done)
            if "kernels" in KEPT:
                self._texts.add(ready.function, given, config.shared_bytes, record)
        if isinstance(done.raised, DeviceRefusal):
            raise as_drivers(done.raised)
        if done.raised is not None:
            raise done.raised
        named = list(zip(ready.function.parameters, staged, strict=True))
        _issue(config, ready, done, named)
        for name, argument in named:
            argument.finish(name, ready, done, record)
            argument.take_back(config.stream)
        return done

    def _follows(self, config: Config) -> bool:
        """Return True if somebody asks for all accesses of a launch."""
        return self.touched is not None or TIMELINE.follows(config.stream)

    def _begin_judging(
        self, ready: CompiledKernel, given: Sequence[Any]
    ) -> Callable[[Launch], None]:
        """Return what compares a launch with these arguments after it."""
        judge, names = self.judge, ready.function.parameters
        if judge is None:
            return lambda _done: None
        before = dict(zip(names, copy.deepcopy(given), strict=True))
        return lambda done: judge(ready, before, dict(zip(names, given, strict=True)), done)

    @property
    def has_faults(self) -> bool:
        """True if a launch has more than warnings."""
        return any(
            finding["kind"] != "warning"
            for launch in self.launches
            for finding in launch["findings"]
        )

    def report_unordered(self, found: UnorderedPair | EarlyTime) -> None:
        """Add what the host does, or two operations do, in no order to the last launch."""
        self.add_finding(_early(found.place) if isinstance(found, EarlyTime) else _race(found))

    def add_finding(self, finding: Finding, launch: int = -1) -> None:
        """Add what is wrong at a line of the host to a launch, once; to the first, if none is."""
        if not self.launches:
            self._ahead.append(finding)
            return
        sources = {finding.file: linecache.getlines(finding.file)}
        found = _finding(allow(finding, sources, self.allowed))
        record = self.launches[launch]
        for name in ("file", "other_file"):
            if found.get(name) == record["file"]:
                del found[name]
        seen = (found["line"], found["other_line"], found["what"])
        known = [
            (finding["line"], finding["other_line"], finding["what"])
            for finding in record["findings"]
        ]
        if seen not in known:
            record["findings"].insert(0, found)

    def say_findings(self) -> None:
        """Print the findings of a program that launches nothing."""
        for each in self._ahead:
            print(f"{each.file}:{each.line}: {each.what}", file=sys.stderr, flush=True)

    def _keep(
        self,
        ready: CompiledKernel,
        done: Launch,
        seconds: float,
        given: Sequence[Any],
        place: ScriptPlace | None,
    ) -> LaunchRecord:
        at = place or caller() if self.has_script else None
        record = _launch_record(ready, done, seconds, at)
        if at is not None:
            record["caller"] = at._asdict()
        record["arguments"] = describe_arguments(ready.function.parameters, given)
        called = {each["line"] for each in record["lines"] if each.get("library")}
        record |= describe_accesses(done, called)
        self.launches.append(record)
        ahead, self._ahead = self._ahead, []
        for each in ahead:
            self.add_finding(each)
        if "programs" in KEPT:
            self._programs.add(ready, len(self.launches))
        return record

    def _advise(
        self,
        ready: CompiledKernel,
        done: Launch,
        given: Sequence[Any],
        run: Callable[..., Launch],
        *,
        keeps: bool,
    ) -> tuple[Launch, list[LaunchRecord]]:
        """Return a launch whose findings are as the person allows them, with advice.

        Returns:
            The launch; and what makes it cheaper, as plain data, at the kernel's first launch.
        """
        findings = self._allow(ready, done)
        advisable = any(map(is_advised, findings))
        worth = advisable or any(map(done.totals.get, _COSTLY))
        known = self._advised.setdefault(ready, {})
        if findings in known and advisable:
            return replace(done, findings=known[findings], before=None), []
        enough = len(known) >= (_MOST_ADVISED if advisable else 1)
        if done.before is None or not worth or enough or isinstance(ready.function, PtxFunction):
            return replace(done, findings=findings, before=None), []
        # Other launches spare its 20 ms
        from grader.simt.repairs.relaunching import advise_in_place  # noqa: PLC0415

        def rerun(changed: CompiledKernel, budget: int) -> Launch:
            return run(changed, budget=budget, printed=list[str]().append)

        advised = advise_in_place(ready, findings, done, given, rerun, keeps=keeps)
        known[findings] = advised.findings
        done = replace(done, findings=advised.findings, before=None)
        return done, list(map(asdict, advised.cheaper))

    def _allow(self, ready: CompiledKernel, done: Launch) -> tuple[Finding, ...]:
        path = ready.function.path
        sources = {file or path: lines for file, lines in ready.program.sources.items()}
        found = []
        for finding in done.findings:
            placed = replace(
                finding, file=finding.file or path, other_file=finding.other_file or path
            )
            allowed = allow(placed, sources, self.allowed)
            found.append(
                replace(finding, kind=allowed.kind, topic=allowed.topic, what=allowed.what)
            )
        return tuple(sorted(found, key=lambda finding: finding.kind == "warning"))

    def save(self, path: Path, others: Sequence[LaunchRecord] = ()) -> None:
        """Write all launches into a file, and why the script ended if the emulator refused it.

        Args:
            others: what further processes of the script saved.
        """
        launches, refused, kernels = self.launches, self.refused, self._texts.plain
        programs = self._programs.plain
        for other in others:
            kernels = kernels + other.get("kernels", [])
            programs = unite(programs, other.get("programs", []), len(launches))
            launches, refused = launches + other["launches"], refused or other["refused"]
        saved = {
            "launches": launches,
            "refused": refused,
            "kernels": kernels,
            "programs": programs,
            "on_cpu": self.on_cpu,
        } | MORE
        path.write_text(json.dumps(saved), encoding="utf-8")

    def take(self) -> list[LaunchRecord]:
        """Return the launches since the last call, and forget them."""
        with self._lock:
            taken, self.launches = self.launches, []
        return taken

    def begin_fork(self) -> None:
        """Forget the launches, which the process that was forked keeps."""
        self.launches.clear()
        self.refused = None
        self._texts = KernelTexts()
        self._programs = KernelPrograms()
        self._lock = RLock()  # another thread may have held it

    def note_refusal(self, error: BaseException) -> None:
        """Keep what the emulator refused, where that is what ended the script."""
        if isinstance(error, Mistake):
            place = {"file": error.file, "line": error.line, "column": error.column}
        elif isinstance(error, InvalidLaunch):
            place = {}
        else:
            return
        hint = error.instead and asdict(error.instead)
        self.refused = {**place, "what": asdict(error.what), "hint": hint}


def _issue(
    config: Config,
    ready: CompiledKernel,
    done: Launch,
    named: Sequence[tuple[str, StagedArgument | StagedTuple]],
) -> None:
    """Tell the streams what a launch touched of what stays on the device."""
    accesses: list[StreamAccess] = []
    if TIMELINE.follows(config.stream) and not (config.heap and ready.program.fenced > BLOCK):
        accesses += [each for name, argument in named for each in argument.accesses(name, done)]
    at = config.caller
    TIMELINE.issue(config.stream, "kernel", accesses, None if at is None else lambda: at)


def _watch(ready: CompiledKernel, config: Config, given: Sequence[Any]) -> ExitStack:
    """Have watchers look at a launch; what is returned is closed after it."""
    watched = ExitStack()
    for watch in WATCHERS:
        watched.callback(watch(ready, config, given))
    return watched


def _launch_record(
    ready: CompiledKernel, done: Launch, seconds: float, at: ScriptPlace | None
) -> LaunchRecord:
    function = ready.function
    line, column = function.start
    findings = [_finding(finding) for finding in done.findings]
    for finding in findings:
        if finding["line"]:
            continue
        if at is not None and at.line:  # about the launch
            finding.update(line=at.line, column=1)
            finding.update({"file": at.file} if at.file != function.path else {})
        else:
            finding.update(line=line, column=column)
    sources = ready.program.sources
    compiled = {"compiler": function.compiler} if isinstance(function, PtxFunction) else {}
    libraries, called = (
        (function.libraries, function.library_lines)
        if isinstance(function, CudaFunction)
        else ((), frozenset())
    )
    return {
        **compiled,
        **({"libraries": list(libraries)} if libraries else {}),
        **({"shared_bytes": done.shared_bytes} if done.shared_bytes else {}),
        "kernel": done.kernel,
        "qualname": function.qualified or done.kernel,
        "file": function.path,
        "line": line,
        "grid": list(done.grid),
        "block": list(done.block),
        "seconds": round(seconds, 6),
        "finished": done.finished,
        "operations": done.operations,
        "totals": {name: int(count) for name, count in done.totals.items() if count},
        "lines": [
            {
                **({"file": file} if file else {}),
                "line": row,
                "column": at,
                "source": _line(sources.get(file, ()), row),
                **({"library": True} if (file, row) in called else {}),
                **{name: int(count) for name, count in counts.items() if count},
            }
            for file, by_place in done.files.items()
            for (row, at), counts in by_place.items()
        ],
        "findings": findings,
    }


def _early(place: ScriptPlace) -> Finding:
    what = fact("finding.early-time")
    return Finding(
        "stream-race", place.line, 1, what, "host", place.line, 1, place.file, place.file
    )


def _race(pair: UnorderedPair) -> Finding:
    """Describe two operations without synchronization, at the line of the later one."""
    later, other, place = pair.later, pair.earlier, pair.place
    fields = {
        "n": pair.count, "array": MEMORY.get(pair.name, pair.name),
        "earlier": OPERATIONS[other.what], "line": other.place.line,
    }  # fmt: skip
    if later is None:
        topic = "host"
        what = fact("finding.host-race", other=other.stream.number, **fields)
    elif later.stream.launched_in and later.stream.launched_in is other.stream.launched_in:
        topic = "branches"
        what = fact("finding.branch-race", operation=OPERATIONS[later.what], **fields)
    else:
        topic = "streams"
        what = fact(
            "finding.stream-race", operation=OPERATIONS[later.what],
            stream=_number(later.stream), other=_number(other.stream), **fields,
        )  # fmt: skip
    return Finding(
        "stream-race", place.line, 1, what, topic, other.place.line, 1, place.file,
        other.place.file, array="" if pair.name in MEMORY else pair.name, space="global",
        count=pair.count,
    )  # fmt: skip


def _number(stream: Stream) -> int:
    """Return the number by which a person knows a stream; of a branch, of its graph's."""
    return (stream.launched_in or stream).number


def _line(lines: Sequence[str], row: int) -> str:
    """Return a line of a file that may have changed since, or that only a compiler has read."""
    return lines[row - 1] if row <= len(lines) else ""


def _finding(finding: Finding) -> LaunchRecord:
    """Return it as plain data; a file is named only if it is not the kernel's."""
    return dict(_as_plain(finding))


@lru_cache(maxsize=256)
def _as_plain(finding: Finding) -> LaunchRecord:
    """Convert it once: launches of one kernel repeat their findings, and `asdict` takes 0.1 ms."""
    names = ("file", "other_file")
    plain = {key: value for key, value in asdict(finding).items() if value or key not in names}
    if any(abs(number) > _MOST_EXACT for number in (*finding.index, finding.address or 0)):
        plain |= {"index": (), "address": None}
    return plain
