"""The launches of a script: runs each in the emulator, and keeps what it did as plain data."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from grader.simt.api import launch, prepared
from grader.simt.arguments import part_name
from grader.simt.errors import NotTyped
from grader.simt.findings import Finding
from grader.simt.host.arrays import DeviceArray, MappedArray, see_that_it_is_whole
from grader.simt.host.progress import Progress
from grader.simt.host.typing_errors import as_numbas
from grader.simt.launching import Interrupted, Launch
from grader.simt.program import Kernel

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Config:
    """What stands between the brackets of a launch."""

    grid: Any
    block: Any
    shared_bytes: int = 0


class Out:
    """`cuda.In`, `cuda.Out`, `cuda.InOut`: which way an array of the host is copied."""

    def __init__(self, array: Any, *, there: bool, back: bool) -> None:
        self.array = array
        self.there = there
        self.back = back


class Session:
    """Launches in their order.

    Attributes:
        budget: operations of a launch; None for no end.
        launches: as plain data, see `docs/cli.md`; counters that are 0 are left out.
    """

    def __init__(self, budget: int | None = None) -> None:
        self.budget = budget
        self.launches: list[Plain] = []
        self._lock = RLock()

    def run(self, code: Any, config: Config, arguments: Sequence[Any]) -> None:
        """Run one launch.

        Raises:
            Interrupted: Ctrl-C; the launch is kept as far as it came.
            Refused: the kernel uses what is not emulated.
            InvalidLaunch: arguments or sizes that cannot be.
            Exception: what a thread raised, where the kernel has `debug=True`.
        """
        staged = [_staged(one) for one in arguments]
        given = [one.array for one in staged]
        with self._lock:
            try:
                ready = prepared(code, given)
            except NotTyped as error:
                raise as_numbas(error) from None
            progress = Progress(ready.function.name)
            begun = time.perf_counter()
            try:
                done = launch(
                    ready,
                    config.grid,
                    config.block,
                    given,
                    shared_bytes=config.shared_bytes,
                    budget=self.budget,
                    progress=progress,
                    printed=print,
                )
            except Interrupted as stop:
                self._keep(ready, stop.done, begun)
                raise
            finally:
                progress.end()
            record = self._keep(ready, done, begun)
        if done.raised is not None:
            raise done.raised
        for name, one in zip(ready.function.parameters, staged, strict=True):
            one.finish(name, ready, done, record)

    def _keep(self, ready: Kernel, done: Launch, begun: float) -> Plain:
        record = _plain(ready, done, time.perf_counter() - begun)
        self.launches.append(record)
        return record

    def save(self, path: Path) -> None:
        """Write all launches into a file."""
        path.write_text(json.dumps(self.launches), encoding="utf-8")


def _staged(given: Any) -> _Staged | _StagedTuple:
    return _StagedTuple(given) if isinstance(given, tuple) else _Staged(given)


class _StagedTuple:
    """A tuple of arguments."""

    def __init__(self, given: tuple[Any, ...]) -> None:
        self._parts = [_staged(one) for one in given]
        arrays = [one.array for one in self._parts]
        named = hasattr(given, "_fields")
        self.array: Any = type(given)(*arrays) if named else tuple(arrays)

    def finish(self, name: str, ready: Kernel, done: Launch, record: Plain) -> None:
        """After the launch, each of its parts."""
        for place, one in enumerate(self._parts):
            one.finish(part_name(name, place), ready, done, record)


class _Staged:
    """An argument on its way to the device and back."""

    def __init__(self, given: Any) -> None:
        self._device: DeviceArray | None = None
        self._host: Any = None
        if isinstance(given, Out):
            self._host = given.array if given.back else None
            base = np.array(given.array, order="K")
            written = None if given.there else np.zeros_like(base, np.bool_)
            self._device = DeviceArray(base, written)
            self.array: Any = base
        elif isinstance(given, DeviceArray):
            self._device = given
            self.array = given.base
        elif isinstance(given, MappedArray):
            self.array = given.view(np.ndarray)
        elif isinstance(given, np.ndarray):
            see_that_it_is_whole(given)
            self._host = given if given.flags.writeable else None
            self.array = given.copy(order="K")
            self.array.flags.writeable = given.flags.writeable
        else:
            self.array = given

    def finish(self, name: str, ready: Kernel, done: Launch, record: Plain) -> None:
        """After the launch: note what was written, and copy back."""
        if self._device is not None and self._device.written is not None:
            written = self._device.written
            np.logical_or(written, done.written(name), out=written)
            wrote = ready.program.stores_anywhere or name in ready.made.stored
            if not done.finished:  # that it ended is the finding
                self._device.history.told = None
            elif wrote or self._device.history.told is None:
                self._device.history.told = _Teller(name, ready, record)
        if self._host is None:
            return
        self._host[...] = self.array if self._device is None else self._device.copy_to_host()


class _Teller:
    """Adds to a launch that elements of one of its arrays were never written; once an array."""

    def __init__(self, name: str, ready: Kernel, record: Plain) -> None:
        self._name = name
        self._line, self._column = ready.function.place(ready.function.node)
        self._record = record
        self._finding: Plain = {}

    def __call__(self, missing: int, size: int, first: tuple[int, ...], address: int) -> None:
        """See `Told`."""
        if missing <= self._finding.get("count", 0):
            return
        shown = first[0] if len(first) == 1 else first
        message = (
            f"{missing:,} of {size:,} elements of {self._name} that the host took back were never"
            f" written, first {shown}"
        )
        if not self._finding:
            self._record["findings"].insert(0, self._finding)
        self._finding.update(
            kind="never-written",
            line=self._line,
            column=self._column,
            message=message,
            array=self._name,
            space="global",
            index=list(first),
            address=address,
            count=missing,
            hint="",
        )


def _plain(ready: Kernel, done: Launch, seconds: float) -> Plain:
    function = ready.function
    line, column = function.place(function.node)
    findings = [_finding(one) for one in done.findings]
    for one in findings:
        if not one["line"]:  # about the launch: it stands at the kernel's def
            one.update(line=line, column=column)
    sources = ready.program.sources
    return {
        "kernel": done.kernel,
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
                "source": _line(sources[file], row),
                **{name: int(count) for name, count in counts.items() if count},
            }
            for file, by_place in done.files.items()
            for (row, at), counts in by_place.items()
        ],
        "findings": findings,
    }


def _line(lines: Sequence[str], row: int) -> str:
    """Of a file that may have changed since."""
    return lines[row - 1] if row <= len(lines) else ""


def _finding(one: Finding) -> Plain:
    """As plain data; a file is named where it is not the kernel's."""
    names = ("file", "other_file")
    return {key: value for key, value in asdict(one).items() if value or key not in names}
