"""Asks the GPU worker, here or on another host; starts it, keeps it warm, replaces it.

The application's only way to a GPU. Imports neither Numba nor CUDA.
"""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from grader.gpu.benchmark import Benchmark
from grader.gpu.calibration import Calibration, compared
from grader.gpu.command import NUMBA_DEVICE, environment, local_command, ssh_command
from grader.gpu.device import ErrorKind
from grader.gpu.outcome import DeviceFacts, GpuGraded, facts_from, gpu_graded_from
from grader.gpu.probes import INSTRUCTIONS, Instruction
from grader.gpu.verdicts import broken_off
from grader.gpu.version import PROTOCOL, package_version
from grader.kernels.problem import InvalidProblem, Problem
from grader.kernels.reference import ReferenceFailed
from grader.process import Process, ProcessEnded, ProcessOwner, ProcessSlow

SECONDS = 90.0
"""For one submission: references of large shapes are computed anew, on one core."""
START_SECONDS = 60.0
"""Until a worker says hello, and what its device is: a context takes seconds, over ssh more."""
_IDLE_SECONDS = 10.0
"""Until a warm worker, which has nothing to do, must answer."""
_QUOTED = 60
"""Characters of a line that is no answer."""
_SSH_FAILED = 255
_NOT_FOUND = 127
_FROM_OUTSIDE = (
    "ended by SIGKILL", "ended by SIGTERM", "ended with status 137", "ended with status 143",
)  # fmt: skip
"""What no kernel does to its worker, but whoever is short of memory, or shuts a machine down."""

FailedKind = Literal[
    "cancelled", "host", "no-package", "version", "no-device", "slow", "crashed", "garbled"
]


class GpuFailed(Exception):
    """No verdict: not the submission's fault, or nobody's. It may be handed in again.

    Attributes:
        kind: for programs.
        what: what happened, for a person to read.
        todo: what to do about it.
    """

    def __init__(self, kind: FailedKind, what: str, todo: str = "") -> None:
        super().__init__(f"{what}; {todo}" if todo else what)
        self.kind: FailedKind = kind
        self.what = what
        self.todo = todo


@dataclass(frozen=True, slots=True)
class WorkerSetup:
    """How a worker is started; what only tests change.

    Attributes:
        device: the module whose `open_device` gives the device.
        gated: False lets the worker execute what the source gate refuses.
        start_seconds: until it must have said hello, and what its device is.
        python: the interpreter on another host.
    """

    device: str = NUMBA_DEVICE
    gated: bool = True
    start_seconds: float = START_SECONDS
    python: str = "python3"


class Gpu(ProcessOwner):
    """One worker; answers one request at a time. `cancel` may be called from another thread."""

    def __init__(
        self, host: str | None = None, *, seconds: float = SECONDS,
        setup: WorkerSetup | None = None,
    ) -> None:  # fmt: skip
        """Nothing is started yet.

        Args:
            host: `user@host`, or a name of ssh's configuration; None: this machine.
            seconds: for one submission.
            setup: how a worker is started.
        """
        super().__init__()
        self._host = host
        self._seconds = seconds
        self._setup = setup or WorkerSetup()
        self._folder = ""
        self._facts: DeviceFacts | None = None
        self._begun = 0
        """What `_cancelled` was when the present turn was asked for."""

    @property
    def host(self) -> str | None:
        """Where the worker runs; None: on this machine."""
        return self._host

    @property
    def worker_id(self) -> int:
        """Process id of the worker, or of the ssh to it; 0 if there is none."""
        return self._process.id if self._process is not None and self._process.alive else 0

    def describe(self) -> DeviceFacts:
        """What device there is; starts the worker, which is then warm.

        Raises:
            GpuFailed: there is none, or no worker.
        """
        facts: DeviceFacts = self._turn(self._started)
        return facts

    def grade(self, problem: Problem, source: str, benchmark: Benchmark | None = None) -> GpuGraded:
        """The verdict on a submission that the emulator has passed.

        A kernel that ends its worker, or that must be ended with it, has its verdict, too.

        Args:
            problem: what it is to do.
            source: what was handed in.
            benchmark: how it is timed; None: it is only to be right.

        Raises:
            InvalidProblem, ReferenceFailed: the problem itself is at fault.
            GpuFailed: no verdict.
        """
        request = {
            "do": "grade",
            "problem": asdict(problem),
            "source": source,
            "benchmark": None if benchmark is None else benchmark.plain(),
            # Unknown to whoever wrote the kernel, and known to who reads the verdict.
            "seed": secrets.randbits(48),
        }
        graded: GpuGraded = self._turn(lambda: self._graded(request))
        return graded

    def calibrate(self, told: Callable[[str], None] = lambda _: None) -> Calibration:
        """Time accesses of warps to shared memory, and compare them with the bank model.

        Args:
            told: is called with what is asked next, for a person who waits.

        Raises:
            GpuFailed: no answer.
        """
        facts = self.describe()
        times: list[tuple[Instruction, dict[str, Any]]] = []
        for number, one in enumerate(INSTRUCTIONS, 1):
            told(f"{one.shown}, {number} of {len(INSTRUCTIONS)}")
            times.append((one, self._plain({"do": "calibrate", "instruction": one.name})))
        try:
            return compared(facts, package_version(), times)
        except (KeyError, TypeError, ValueError):
            raise _garbled("times with other parts") from None

    def selftest(self) -> dict[str, Any]:
        """Whether a test kernel compiles, runs and is right: for `quiz doctor`.

        Raises:
            GpuFailed: no answer.
        """
        return self._plain({"do": "selftest"})

    def _turn(self, work: Callable[[], Any]) -> Any:
        """Do something while no other thread asks the worker."""
        before = self._cancelled
        with self._lock:
            self._begun = before
            try:
                self._check_cancelled()
                return work()
            except (GpuFailed, ProcessEnded) as error:
                answered = self._facts is not None
                self._drop()
                self._check_cancelled()
                if isinstance(error, GpuFailed):
                    raise
                raise self._gone(error, answered=answered) from None

    def _check_cancelled(self) -> None:
        if self._begun != self._cancelled:
            raise GpuFailed("cancelled", "cancelled") from None

    def _plain(self, request: dict[str, Any]) -> dict[str, Any]:
        def work() -> dict[str, Any]:
            self._started()
            answer = self._ask(request, self._seconds)
            found: dict[str, Any] = _member(answer, request["do"], dict)
            return found

        answered: dict[str, Any] = self._turn(work)
        return answered

    def _graded(self, request: dict[str, Any]) -> GpuGraded:
        facts = self._started()
        try:
            answer = self._ask(request, self._seconds)
        except ProcessEnded as error:
            self._check_cancelled()
            if self._by_ssh(error) or error.what in _FROM_OUTSIDE:
                raise
            self._drop()
            return broken_off(request["source"], facts, request["seed"], error, self._seconds)
        if "problem" in answer:
            fault = _member(answer, "problem", dict)
            raise InvalidProblem(tuple(fault["path"]), fault["what"], fault["todo"])
        if "reference" in answer:
            raise ReferenceFailed(**_member(answer, "reference", dict))
        return self._read(_member(answer, "graded", dict))

    def _read(self, plain: dict[str, Any]) -> GpuGraded:
        try:
            return gpu_graded_from(plain)
        except (KeyError, TypeError):
            raise _garbled("a verdict with other parts") from None

    def _started(self) -> DeviceFacts:
        """The device of a worker that runs, started if need be."""
        if self._facts is not None and self._answers():
            return self._facts
        self._drop()
        try:
            self._folder = tempfile.mkdtemp(prefix="quiz-gpu-")
            self._process = Process(self._command(), environment(self._folder, self._host))
        except OSError as error:
            raise self._not_started(error) from None
        hello = self._ask({"do": "hello"}, self._setup.start_seconds)
        self._check_version(_member(hello, "protocol", int), _member(hello, "package", str))
        answer = self._ask({"do": "describe"}, self._setup.start_seconds)
        try:
            self._facts = facts_from(_member(answer, "describe", dict))
        except TypeError:
            raise _garbled("a device with other parts") from None
        return self._facts

    def _answers(self) -> bool:
        """Whether the worker is there: what it died of while idle is no submission's fault."""
        if self._process is None or not self._process.alive:
            return False
        try:
            self._ask({"do": "hello"}, _IDLE_SECONDS)
        except ProcessEnded:
            self._check_cancelled()
            return False
        return True

    def _command(self) -> Sequence[str]:
        setup = self._setup
        if self._host is None:
            return local_command(setup.device, gated=setup.gated)
        return ssh_command(self._host, setup.python, setup.device, gated=setup.gated)

    def _ask(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The worker's answer.

        Raises:
            ProcessEnded: it ended, or was too slow and was ended.
            GpuFailed: it answered what is no answer, or that the device failed.
        """
        assert self._process is not None  # noqa: S101 - started before
        self._check_cancelled()  # by now: nobody could end a process that was not there
        try:
            answer = self._process.ask(request, seconds)
        except (ValueError, AttributeError) as error:  # no JSON, or no object
            said = str(getattr(error, "doc", "")).strip()[:_QUOTED]
            raise self._no_answer(said) from None
        if answer.get("poisoned"):
            self._drop()
        if "device" in answer:
            failed = _member(answer, "device", dict)
            raise _no_device(failed.get("kind", ""), failed.get("what", ""), self._where())
        return answer

    def _no_answer(self, said: str) -> GpuFailed:
        """Of a line that is none of ours; what came first, of a login script, is such a line."""
        if self._host is None:
            return _garbled("something that is no answer")
        what = f"`{said}`" if said else "something that is no answer"
        todo = f"`ssh {self._host} true` must print nothing: see to the login scripts there"
        return GpuFailed("garbled", f"the GPU worker {self._where()} answered {what}", todo)

    def _check_version(self, protocol: int, package: str) -> None:
        ours = package_version()
        if protocol == PROTOCOL and (not package or not ours or package == ours):
            return
        there = f"{package or 'a checkout'} (protocol {protocol})"
        here = f"{ours or 'a checkout'} (protocol {PROTOCOL})"
        what = f"the program {self._where()} is a different version, {there}; this one is {here}"
        raise GpuFailed("version", what, "install the same version at both ends")

    def _by_ssh(self, error: ProcessEnded) -> bool:
        """Whether it is ssh that failed, not what runs on the host."""
        return self._host is not None and error.what == f"ended with status {_SSH_FAILED}"

    def _gone(self, error: ProcessEnded, *, answered: bool) -> GpuFailed:
        """Of a worker that ended, or did not answer, through nobody's kernel.

        Args:
            error: how.
            answered: whether it had told of its device before.
        """
        last = error.last_line
        why = f": {last}" if last else ""
        if self._by_ssh(error) and answered:
            return GpuFailed("host", f"the connection to {self._host} was lost{why}", "try again")
        if self._by_ssh(error):
            todo = f"make sure that `ssh {self._host}` works without asking for a password"
            return GpuFailed("host", f"no connection to {self._host}{why}", todo)
        if isinstance(error, ProcessSlow):
            what = f"the GPU worker {self._where()} gave {error.what}{why}"
            return GpuFailed("slow", what, "try again; `quiz doctor` looks at the device")
        missing = "No module named" in last or error.what == f"ended with status {_NOT_FOUND}"
        if self._host is not None and missing:
            what = f"the program is not installed on {self._host}{why}"
            todo = f"install gpu-quiz[gpu-cu13] or [gpu-cu12] for the python3 of `ssh {self._host}`"
            return GpuFailed("no-package", what, todo)
        what = f"the GPU worker {self._where()} {error.what}{why}"
        return GpuFailed("crashed", what, "try again; `quiz doctor` looks at the device")

    def _not_started(self, error: OSError) -> GpuFailed:
        """Of a worker that this machine could not even start."""
        if self._host is not None and isinstance(error, FileNotFoundError):
            what = f"no connection to {self._host}: there is no `{error.filename}` here"
            return GpuFailed("host", what, "install the OpenSSH client")
        what = f"the GPU worker {self._where()} could not be started: {error.strerror}"
        return GpuFailed("crashed", what, "see that there is room for files and processes")

    def _where(self) -> str:
        return f"on {self._host}" if self._host is not None else "on this machine"

    def _drop(self) -> None:
        """End the worker, if there is one, and remove its folder."""
        super()._drop()
        self._facts = None
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = ""


def _no_device(kind: ErrorKind | str, what: str, where: str) -> GpuFailed:
    if kind == "no-package":
        todo = "install gpu-quiz[gpu-cu12] or gpu-quiz[gpu-cu13], by the CUDA of the driver"
        return GpuFailed("no-package", f"Numba's CUDA target is missing {where}: {what}", todo)
    if kind == "no-device":
        return GpuFailed("no-device", f"no GPU {where}: {what}", "`nvidia-smi` must list one")
    return GpuFailed("crashed", f"the GPU {where} failed: {what}", "try again")


def _garbled(what: str) -> GpuFailed:
    todo = "install the same version at both ends"
    return GpuFailed("garbled", f"the GPU worker answered {what}", todo)


def _member(answer: dict[str, Any], name: str, kind: type) -> Any:
    value = answer.get(name)
    if not isinstance(value, kind):
        raise _garbled(f"without `{name}`")
    return value
