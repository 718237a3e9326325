"""Runs a person's script on the emulator, in a process of its own, and collects its launches."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from json import JSONDecodeError
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from grader import compiled, lifeline, probes, profiles, scripts
from grader.facts import fact
from quizapp.domain.errors import INTERRUPTED, TERMINATED, UsageError

if TYPE_CHECKING:
    from grader.compiled import KernelText
    from grader.probes import KernelProbes
    from grader.profiles import KernelProgram, LaunchRecord, MeasuredKernel, RefusedFeature
    from grader.scripts import Reads, SourceLaunch

PATIENCE = ((0.4, signal.SIGINT), (0.6, signal.SIGKILL))
"""Seconds that a script gets after Ctrl-C, and the signal that follows."""
_TICK_S = 0.5
_GRACE_S = 5.0
"""What a script that takes too long gets to write what it has."""
_STANDARD_ERROR = 2
_GUARDED = "from quizapp.system.streams import guard_script; guard_script()"
"""Before the script: its output steers the terminal no more than a question's text does."""


class ScriptRun(NamedTuple):
    """The launches of a script, its exit status, what the emulator refused, and what was kept.

    Without a report, nothing is known but the status: something ended the script unnoticed.
    """

    launches: tuple[LaunchRecord, ...]
    status: int
    refused: RefusedFeature | None = None
    kernels: tuple[KernelText, ...] = ()
    programs: tuple[KernelProgram, ...] = ()
    has_report: bool = True
    probes: tuple[KernelProbes, ...] = ()
    on_cpu: tuple[str, ...] = ()
    timed_out: bool = False

    @property
    def was_interrupted(self) -> bool:
        """True if Ctrl-C or SIGTERM ended the script."""
        ends = (INTERRUPTED, TERMINATED, -signal.SIGINT)
        return self.status in ends and not self.timed_out


SOURCES = (".cu", ".cuh", ".ptx", ".cubin", ".fatbin")
"""Endings of CUDA C++ sources, of which a kernel is launched; all else is a script."""


def is_source(file: Path) -> bool:
    """Return True if a file is a CUDA C++ source."""
    return file.suffix.lower() in SOURCES


def keep(*kinds: Literal["kernels", "programs"]) -> str:
    """Return what runs before a script to keep its kernels, see `grader.scripts.KEPT`."""
    return f"from grader.scripts import KEPT; KEPT.update({kinds!r})"


def run_script(
    script: Path,
    arguments: Sequence[str],
    budget: int | None,
    *,
    quiet: bool,
    prepare: str = "pass",
    allowed: Sequence[tuple[str, int]] = (),
    launch: SourceLaunch | None = None,
    reads: Reads = "either",
    seconds: float | None = None,
    tick: Callable[[], None] = lambda: None,
) -> ScriptRun:
    """Run the script to its end.

    Args:
        script: what to run.
        arguments: its command line.
        budget: operations of a launch before it is ended; None for no end.
        quiet: what it prints goes to standard error.
        prepare: a line of Python that runs before the script.
        allowed: file (the end of its path, "" for any) and line whose races are allowed.
        launch: what to launch, if it is a CUDA C++ source.
        reads: what of its kernels is run.
        seconds: after which it is ended, and `timed_out`; None for no end.
        tick: is called over and over while it runs.

    Raises UsageError: a kernel cannot be launched like that.
    """
    check = None
    if not is_source(script):
        check = (launch.check, launch.kernel) if launch is not None and launch.check else None
        launch = None
    with TemporaryDirectory(prefix="quiz-") as folder:
        report = Path(folder) / "launches.json"
        first = f"{_GUARDED}; {prepare}"
        line = scripts.command(
            script, arguments, report, budget,
            first=first, allowed=allowed, launch=launch, reads=reads, check=check,
        )  # fmt: skip
        run = _Waiting(seconds, tick)
        status = _run_child(line, _STANDARD_ERROR if quiet else None, run)
        try:
            plain = json.loads(report.read_text(encoding="utf-8"))
            launches, refused = profiles.read_launches(plain), profiles.read_refused(plain)
            kernels = _read_kernels(plain["kernels"]) if plain.get("kernels") else ()
            if launch is not None and refused is not None and not refused.line:
                raise UsageError(refused.what, refused.hint)
            return ScriptRun(
                launches, status, refused, kernels, profiles.read_programs(plain),
                probes=probes.read_probes(plain), on_cpu=tuple(map(str, plain.get("on_cpu", ()))),
                timed_out=run.timed_out,
            )  # fmt: skip
        except (OSError, JSONDecodeError):  # it ended before or while it wrote that
            return ScriptRun((), status, has_report=False, timed_out=run.timed_out)


class _Waiting:
    """Waits for a child process, for so many seconds."""

    def __init__(self, seconds: float | None, tick: Callable[[], None]) -> None:
        self._end_s = None if seconds is None else time.monotonic() + seconds
        self._tick = tick
        self.timed_out = False

    def wait(self, child: subprocess.Popen[bytes]) -> int:
        """Return the exit status of a child; one that takes too long is ended."""
        while True:
            try:
                return child.wait(_TICK_S)
            except subprocess.TimeoutExpired:
                self._tick()
            if self._end_s is not None and time.monotonic() > self._end_s:
                self.timed_out = True
                child.send_signal(signal.SIGINT)
                return _kill_after(child, _GRACE_S)


def _kill_after(child: subprocess.Popen[bytes], seconds: float) -> int:
    try:
        return child.wait(seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()


def _run_child(command: Sequence[str], stdout: int | None, waiting: _Waiting) -> int:
    """Run a command to its end, which is also ours; return its exit status."""
    sys.stdout.flush()
    with (
        _leaving_on_signals(),
        lifeline.hold() as descriptor,
        subprocess.Popen(
            command,
            stdout=stdout,
            pass_fds=(descriptor,),
            env={**os.environ, lifeline.VARIABLE: str(descriptor)},
        ) as child,
    ):
        try:
            _load_readers()
            return waiting.wait(child)
        except KeyboardInterrupt:
            _end(child)
            return INTERRUPTED
        except SystemExit as stop:
            child.send_signal(signal.SIGINT)
            _end(child)
            if stop.code != TERMINATED:
                raise
            return TERMINATED


def _load_readers() -> object:
    """Load what reads the launches, 0.2 s, while the script runs."""
    return profiles.read_launches


def _read_kernels(plain: object) -> tuple[KernelText, ...]:
    return msgspec.convert(plain, tuple[compiled.KernelText, ...], str_keys=True)


@contextmanager
def _leaving_on_signals() -> Iterator[None]:
    """Leave on SIGTERM, and on SIGHUP when the terminal was closed: the script is ended first.

    After SIGTERM, as `timeout` sends it, there is still somebody to show the launches to.
    """

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def read_saved(path: Path) -> tuple[LaunchRecord, ...]:
    """Read the launches of a report that `quiz profile --json` printed.

    Raises:
        UsageError: it is something else.
        OSError: it cannot be read.
    """
    try:
        return profiles.read_launches(json.loads(path.read_text(encoding="utf-8")))
    except (JSONDecodeError, UnicodeDecodeError) as error:
        why = fact("profile.not-a-report", file=str(path), why=str(error))
    except profiles.NotAReport as error:
        why = fact("profile.not-a-report", file=str(path), why=error.why)
    raise UsageError(why, fact("profile.save-report"))


def read_measured(path: Path) -> tuple[MeasuredKernel, ...]:
    """Read what Nsight Compute measured, as CSV.

    Raises:
        UsageError: it is something else.
        OSError: it cannot be read.
    """
    try:
        return profiles.read_nsight(path.read_bytes(), str(path))
    except profiles.NotNsight as error:
        raise UsageError(error.what, error.hint) from None


def _end(child: subprocess.Popen[bytes]) -> None:
    """Wait until the script has ended; Ctrl-C on a terminal reaches it, another signal may not."""
    for seconds, signalled in PATIENCE:
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            child.send_signal(signalled)
    child.wait()
