"""Asks the GPU worker, here or on another host; starts it, keeps it warm, replaces it.

The application's only access to a GPU. Imports neither Numba nor CUDA. A reply that
passes the checks here can still be a lie, but it cannot break the code that shows it.
"""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Literal, TypeVar, get_args

from grader.facts import Fact, FactError, fact
from grader.gpu import messages
from grader.gpu.benchmark import Benchmark
from grader.gpu.calibrating.calibration import Calibration, compare_with_model
from grader.gpu.calibrating.probes import INSTRUCTIONS, ProbeInstruction
from grader.gpu.calibrating.timed_accesses import TimedAccess, list_accesses
from grader.gpu.command import NUMBA_DEVICE, environment, local_command, ssh_command
from grader.gpu.devices.device import ErrorKind
from grader.gpu.outcome import GATES, DeviceFacts, GpuGrade, Ratio, SelfTest, Speed, Standing
from grader.gpu.verdicts import describe_output, grade_broken_run
from grader.kernels.plausible import check_gates
from grader.kernels.problem import Problem
from grader.process import Process, ProcessEnded, ProcessGarbled, ProcessOwner, ProcessSlow
from grader.wire import Malformed, Request, impossible

_SUBJECTS = {"compiles": ("source",), "runs": (*get_args(ErrorKind), "crashed")}


def check_timed(timed: messages.InstructionTimes, asked: Sequence[TimedAccess]) -> None:
    """See that there is a time for each question.

    Raises:
        Malformed: there is not.
    """
    if not timed.absent and not len(timed.cycles) == len(timed.behind) == len(asked):
        raise impossible("calibrate: cycles")


def check_graded(graded: GpuGrade) -> None:
    """See that a verdict can be one.

    Raises:
        Malformed: it cannot.
    """
    gates = graded.verdict.gates
    check_gates(gates, GATES, _SUBJECTS)
    if [gate.name for gate in gates] != [*GATES]:
        raise impossible("gates: name")
    passed = sum(gate.state == "passed" for gate in gates)
    if graded.standing not in _standings(graded, passed):
        raise impossible("standing")
    if graded.speed is not None:
        _check_speed(graded.speed)
    taken = graded.resources
    if graded.standing != "failed" and taken is None:
        raise impossible("resources")
    if taken is not None and taken.blocks and not taken.limiter:
        raise impossible("resources: limiter")
    judged = passed == len(GATES) or graded.verdict.fails_at("speedup")
    speed = graded.speed
    if judged and (speed is None or speed.ratio is None or speed.gate is None):
        raise impossible("speed: ratio")


def _standings(graded: GpuGrade, passed: int) -> tuple[Standing, ...]:
    """List the verdicts in words that fit the number of gates passed."""
    if graded.verdict.failure is not None:
        return ("failed",)
    if passed == len(GATES):
        return ("passed",)
    if passed == len(GATES) - 1:
        return ("right, speed not judged", "not decided", "right, not measured")
    return ()


def _check_speed(speed: Speed) -> None:
    if speed.ratio is not None:
        _check_ratio(speed.ratio)
    if not speed.seconds and not speed.refused:
        raise impossible("speed: seconds")


def _check_ratio(ratio: Ratio) -> None:
    if not 0 < ratio.low <= ratio.median <= ratio.high:
        raise impossible("speed: ratio")


SECONDS = 90.0
"""Limit for one submission: references of large shapes are recomputed, on one core."""
START_SECONDS = 60.0
"""Limit until a worker reports its device: a context takes seconds, over ssh more."""
_SEED_BITS = 48
_IDLE_SECONDS = 10.0
"""Limit for the answer of an idle worker."""
_SSH_FAILED = fact("process.status", status=255)
_NOT_FOUND = fact("process.status", status=127)
_FROM_OUTSIDE = (
    fact("process.signal", signal="SIGKILL"),
    fact("process.signal", signal="SIGTERM"),
    fact("process.status", status=137),
    fact("process.status", status=143),
    fact("process.status", status=0),
)
"""Ends that no kernel causes: out of memory, a shutdown, a lost connection."""

R = TypeVar("R", bound=messages.GpuReply)

FailedKind = Literal[
    "cancelled", "host", "no-package", "version", "no-device", "slow", "crashed", "garbled"
]


class GpuFailed(FactError):
    """There is no verdict, through no fault of the submission, which may be submitted again.

    Attributes:
        kind: for programs.
        todo: what to do about it, if `what` does not imply it.
    """

    def __init__(self, kind: FailedKind, what: Fact, todo: Fact | None = None) -> None:
        super().__init__(what)
        self.kind: FailedKind = kind
        self.todo = todo


@dataclass(frozen=True, slots=True)
class WorkerSetup:
    """How a worker is started; only tests change it.

    Attributes:
        device: the module whose `open_device` gives the device.
        gated: False lets the worker execute what the source gate refuses.
        start_seconds: limit until it has reported its device.
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
        """Start nothing yet.

        Args:
            host: `user@host`, or a name of ssh's configuration; None: this machine.
            seconds: for one submission.
        """
        super().__init__()
        self._host = host
        self._seconds = seconds
        self._setup = setup or WorkerSetup()
        self._folder = ""
        self._facts: DeviceFacts | None = None
        self._begun = 0
        """The value of `_cancelled` when the current turn was requested."""

    @property
    def host(self) -> str | None:
        """Where the worker runs; None: on this machine."""
        return self._host

    @property
    def worker_id(self) -> int:
        """Process id of the worker, or of the ssh to it; 0 if there is none."""
        return self._process.id if self._process is not None and self._process.alive else 0

    def describe(self) -> DeviceFacts:
        """Describe the device; this starts the worker, which then stays warm.

        Raises:
            GpuFailed: there is no device, or no worker.
        """
        facts: DeviceFacts = self._turn(self._start)
        return facts

    def grade(self, problem: Problem, source: str, benchmark: Benchmark | None = None) -> GpuGrade:
        """Grade a submission that the emulator has passed.

        A kernel that ends its worker, or that must be ended with it, gets a verdict, too.

        Args:
            benchmark: how it is timed; None: it only has to be right.

        Raises:
            InvalidProblem, ReferenceFailed: the problem itself is at fault.
            GpuFailed: no verdict.
        """
        seed = _draw_seed(problem)
        request = messages.GpuGradeRequest(
            problem=problem, source=source, benchmark=benchmark, seed=seed
        )
        graded: GpuGrade = self._turn(lambda: self._grade(request))
        return graded

    def calibrate(self, waiting: Callable[[Fact], None] = lambda _: None) -> Calibration:
        """Time accesses of warps to shared memory, and compare them with the bank model.

        Args:
            waiting: called with the next step, to show progress.

        Raises:
            GpuFailed: no answer.
        """
        facts = self.describe()
        times: list[tuple[ProbeInstruction, messages.InstructionTimes]] = []
        for number, instruction in enumerate(INSTRUCTIONS, 1):
            waiting(
                fact(
                    "gpu.timing",
                    instruction=instruction.shown,
                    number=number,
                    count=len(INSTRUCTIONS),
                )
            )
            times.append((instruction, self._turn(lambda: self._time(instruction))))  # noqa: B023 - at once
        return compare_with_model(facts, messages.package_version(), times)

    def selftest(self) -> SelfTest:
        """Test whether a test kernel compiles, runs and is right, for `quiz doctor`.

        Raises:
            GpuFailed: no answer.
        """
        found: SelfTest = self._turn(self._run_selftest)
        return found

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
                raise self._explain_end(error, answered=answered) from None

    def _check_cancelled(self) -> None:
        if self._begun != self._cancelled:
            raise GpuFailed("cancelled", fact("gpu.cancelled")) from None

    def _time(self, instruction: ProbeInstruction) -> messages.InstructionTimes:
        self._start()
        request = messages.CalibrateRequest(instruction=instruction.name)
        timed = self._ask(request, self._seconds, messages.CalibrateReply).calibrate
        if timed is None:
            raise self._distrust(fact("answer.impossible", part="calibrate"))
        try:
            check_timed(timed, list_accesses(instruction))
        except Malformed as error:
            raise self._distrust(error.what) from None
        return timed

    def _run_selftest(self) -> SelfTest:
        self._start()
        found = self._ask(
            messages.SelfTestRequest(), self._seconds, messages.SelfTestReply
        ).selftest
        if found is None:
            raise self._distrust(fact("answer.impossible", part="selftest"))
        return found

    def _grade(self, request: messages.GpuGradeRequest) -> GpuGrade:
        facts, source, seed = self._start(), request.source, request.seed
        try:
            answer = self._ask(request, self._seconds, messages.GpuGradeReply)
        except ProcessEnded as error:
            self._check_cancelled()
            garbled = isinstance(error, ProcessGarbled)
            if garbled or self._by_ssh(error) or error.what in _FROM_OUTSIDE:
                raise
            self._drop()
            return grade_broken_run(source, facts, seed, error, self._seconds)
        answer.raise_faults()
        if answer.graded is None:
            raise self._distrust(fact("answer.impossible", part="graded"))
        try:
            check_graded(answer.graded)
        except Malformed as error:
            raise self._distrust(error.what) from None
        # Do not trust it for what is known here.
        return replace(answer.graded, source=source, seed=seed, facts=facts)

    def _start(self) -> DeviceFacts:
        """Start the worker unless it runs; return its device."""
        if self._facts is not None and self._answers():
            return self._facts
        self._drop()
        try:
            self._folder = tempfile.mkdtemp(prefix="quiz-gpu-")
            self._process = Process(self._command(), environment(self._folder, self._host))
        except OSError as error:
            raise self._explain_start(error) from None
        hello = self._ask(messages.HelloRequest(), self._setup.start_seconds, messages.HelloReply)
        self._check_version(hello.protocol, hello.package)
        answer = self._ask(
            messages.DescribeRequest(), self._setup.start_seconds, messages.DeviceReply
        )
        if answer.describe is None:
            raise self._distrust(fact("answer.impossible", part="describe"))
        self._facts = answer.describe
        return self._facts

    def _answers(self) -> bool:
        """Test whether the idle worker is alive: a submission is not to blame for its death."""
        if self._process is None or not self._process.alive:
            return False
        try:
            self._ask(messages.HelloRequest(), _IDLE_SECONDS, messages.HelloReply)
        except ProcessEnded:
            self._check_cancelled()
            return False
        return True

    def _command(self) -> Sequence[str]:
        setup = self._setup
        if self._host is None:
            return local_command(setup.device, gated=setup.gated)
        return ssh_command(self._host, setup.python, setup.device, gated=setup.gated)

    def _ask(self, request: Request, seconds: float, kind: type[R]) -> R:
        """Send a request; return the worker's reply.

        Raises:
            ProcessEnded: it ended, was too slow, or answered something else, and was ended.
            GpuFailed: the device failed.
        """
        assert self._process is not None
        self._check_cancelled()  # now: there was no process to end before
        answer = self._process.ask(request, seconds, kind)
        if answer.poisoned:
            self._drop()
        if answer.device is not None:
            raise _no_device(answer.device.kind, answer.device.what, self._where())
        return answer

    def _distrust(self, what: Fact, said: str = "") -> GpuFailed:
        """Refuse an answer that is not one, or cannot be true.

        Args:
            said: how the line begins, if it is not a JSON object: a login script may print one.
        """
        if self._host is None:
            return GpuFailed("garbled", fact("gpu.garbled-here", how=what))
        if said and not said.startswith("{"):
            return GpuFailed("garbled", fact("gpu.garbled-by-shell", host=self._host, said=said))
        return GpuFailed("garbled", fact("gpu.garbled-there", host=self._host, how=what))

    def _check_version(self, protocol: int, package: str) -> None:
        ours = messages.package_version()
        if protocol == messages.PROTOCOL and (not package or not ours or package == ours):
            return
        there, here = _version_fact(package, protocol), _version_fact(ours, messages.PROTOCOL)
        what = fact("gpu.other-version", where=self._where(), there=there, here=here)
        raise GpuFailed("version", what)

    def _by_ssh(self, error: ProcessEnded) -> bool:
        """Return True if ssh failed, not the worker on the host."""
        return self._host is not None and error.what == _SSH_FAILED

    def _explain_end(self, error: ProcessEnded, *, answered: bool) -> GpuFailed:
        """Explain a worker that ended, or did not answer, not because of a kernel.

        Args:
            answered: True if it had described its device before.
        """
        if isinstance(error, ProcessGarbled):
            return self._distrust(error.what, error.said)
        said, host, where = describe_output(error), self._host, self._where()
        if self._by_ssh(error) and answered:
            return GpuFailed("host", fact("gpu.connection-lost", host=host, said=said))
        if self._by_ssh(error):
            return GpuFailed("host", fact("gpu.no-connection", host=host, said=said))
        slow = isinstance(error, ProcessSlow)
        missing = "No module named" in error.last_line or error.what == _NOT_FOUND
        if host is not None and missing and not slow:
            return GpuFailed("no-package", fact("gpu.not-installed", host=host, said=said))
        what = fact("gpu.worker-ended", where=where, how=error.what, said=said)
        return GpuFailed("slow" if slow else "crashed", what)

    def _explain_start(self, error: OSError) -> GpuFailed:
        """Explain a worker that this machine could not even start."""
        if self._host is not None and isinstance(error, FileNotFoundError):
            what = fact("gpu.no-ssh", host=self._host, program=str(error.filename))
            return GpuFailed("host", what)
        why = error.strerror or str(error)
        return GpuFailed("crashed", fact("gpu.not-started", where=self._where(), why=why))

    def _where(self) -> Fact:
        return fact("gpu.here") if self._host is None else fact("gpu.there", host=self._host)

    def _drop(self) -> None:
        """End the worker, if there is one, and remove its folder."""
        super()._drop()
        self._facts = None
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = ""


def _draw_seed(problem: Problem) -> int:
    """Draw a seed that the kernel's author cannot know; the verdict reports it."""
    if problem.hidden is None:
        return secrets.randbits(_SEED_BITS)
    digest = sha256(f"{problem.seed}\n{problem.hidden}".encode()).digest()
    return int.from_bytes(digest) >> (8 * len(digest) - _SEED_BITS)


def _version_fact(package: str, protocol: int) -> Fact:
    if not package:
        return fact("gpu.version-checkout", protocol=protocol)
    return fact("gpu.version", package=package, protocol=protocol)


def _no_device(kind: ErrorKind, why: Fact, where: Fact) -> GpuFailed:
    if kind == "no-package":
        return GpuFailed("no-package", fact("gpu.no-package", where=where, why=why))
    if kind == "no-device":
        return GpuFailed("no-device", fact("gpu.no-device", where=where, why=why))
    return GpuFailed("crashed", fact("gpu.device-failed", where=where, why=why))
