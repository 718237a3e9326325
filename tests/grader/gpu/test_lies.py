"""Workers that lie: whatever they answer, nothing but the errors that are promised comes of it.

The client and the referee for real. In the fast tests a line goes straight to their decoders; in
the long one 10,000 processes send them through pipes.
"""

from __future__ import annotations

import json
import resource
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from grader.gpu import Gpu, GpuFailed, GpuGrade, WorkerSetup
from grader.gpu.calibrating.probes import INSTRUCTIONS
from grader.kernels import InvalidProblem, KernelGrade, Referee, RefereeFailed, ReferenceFailed
from grader.kernels.messages import GradeReply
from grader.process import Process, ProcessGarbled
from grader.wire import MOST_TEXT, Malformed, decode_reply, to_plain
from quizapp.exercises.kernels import CheckedKernel
from quizapp.report.verdicts import kernel_verdict, kernel_views
from quizapp.report.words import Words
from tests.grader.gpu.lies import Honest, honest, is_referee, line, mutated
from tests.grader.gpu.tools import shipped
from tests.tables import each
from tests.waiting import PATIENCE_S

LIMIT = 1.0
PROMISED = (GpuFailed, RefereeFailed, InvalidProblem, ReferenceFailed)
LANGUAGES = [Words("en"), Words("zh")]
ROOM = 100


class Canned:
    """Stands in for a process: its answers are there before it is asked."""

    alive = True
    id = 1

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines
        self.asked = 0

    def ask(self, _request: Any, _seconds: float, kind: Any, most: int = 1_000_000) -> Any:
        self.asked += 1
        try:
            data = self.lines.pop(0) if self.lines else b""
            return decode_reply(data[: most + 1], kind, self.asked)
        except Malformed as error:
            self.alive = False
            raise ProcessGarbled(error.what) from None

    def end(self) -> None:
        self.alive = False

    close = end


def told(one: Honest, lines: list[bytes], monkeypatch: pytest.MonkeyPatch) -> object:
    """What comes of these answers: a value, or a promised error."""
    for module in ("grader.gpu.client", "grader.kernel_worker"):
        monkeypatch.setattr(f"{module}.Process", lambda *_: Canned(lines))
    monkeypatch.setattr("grader.gpu.client.INSTRUCTIONS", INSTRUCTIONS[:1])
    return came_of(one, Referee() if is_referee(one) else Gpu())


def came_of(one: Honest, asked: Gpu | Referee) -> object:
    """A value, shown in both languages, or a promised error with what to do."""
    try:
        with asked:
            found = one.ask(asked)
    except PROMISED as error:
        found = error
    if isinstance(found, GpuFailed):
        assert LANGUAGES[0].fact(found.what)
        assert LANGUAGES[0].hint(found.what)
    if isinstance(found, Exception):
        assert len(str(found)) < 3 * MOST_TEXT
    else:
        show(found)
    return found


def show(found: object) -> None:
    """As a person would see it, on any screen: no field of it may break that."""
    one = shipped()[0]
    if isinstance(found, GpuGrade):
        checked = CheckedKernel(one.question, passed(), found)
    elif isinstance(found, KernelGrade):
        checked = CheckedKernel(one.question, found)
    else:
        str(found)
        return
    for say in LANGUAGES:
        assert [*kernel_verdict.verdict(checked, say)]
        for view in kernel_views.views(checked, (), solved=True):
            drawn = [*kernel_views.view(view, checked, (), say, ROOM)]
            assert drawn or view == "twin"  # which the screen draws
    json.dumps(to_plain(found), allow_nan=False)


def passed() -> KernelGrade:
    """The verdict of the emulator on a kernel that a GPU is asked about."""
    (good,) = (one for one in honest() if one.name == "emulated True")
    found = decode_reply(line(good, good.answer), GradeReply, 1).graded
    assert found is not None
    return found


def exchange(one: Honest, answer: bytes) -> list[bytes]:
    """All lines of an exchange, with this for the answer."""
    before, after = (
        [json.dumps(each).encode() for each in some] for some in (one.before, one.after)
    )
    return [*before, answer, *after]


@each("one", honest(), ids=lambda one: one.name)
def test_what_is_honest_is_believed(one, monkeypatch):
    found = told(one, exchange(one, line(one, one.answer)), monkeypatch)
    if one.name in ("device", "problem", "reference"):
        assert isinstance(found, PROMISED)
    else:
        assert not isinstance(found, Exception), found


@each("one", honest(), ids=lambda one: one.name)
@each("seed", range(30))
def test_whatever_is_answered_nothing_else_comes_of_it(one, seed, monkeypatch):
    random = Random(f"{one.name} {seed}")
    told(one, exchange(one, mutated(one, random)), monkeypatch)


def changed(name: str, path: str, value: Any) -> tuple[Honest, bytes]:
    """An honest exchange of which one field is another."""
    (one,) = (one for one in honest() if one.name == name)
    answer = json.loads(json.dumps(one.answer))
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place = answer
    for step in steps:
        place = place[step]
    place[last] = value
    return one, line(one, answer)


LIES = [
    ("grade passed", "graded.speed.ratio.median", -1),
    ("grade passed", "graded.speed.ratio.median", float("nan")),
    ("grade passed", "graded.speed.ratio.low", 1e9),
    ("grade passed", "graded.speed.ratio.high", 0),
    ("grade passed", "graded.speed.ratio.high", float("inf")),
    ("grade passed", "graded.speed.ratio", None),
    ("grade passed", "graded.speed", None),
    ("grade passed", "graded.speed.gate", None),
    ("grade passed", "graded.speed.seconds", 0),
    ("grade passed", "graded.speed.seconds", -1e-6),
    ("grade passed", "graded.speed.copy_gigabytes", 1e300),
    ("grade passed", "graded.resources", None),
    ("grade passed", "graded.resources.limiter", "patience"),
    ("grade passed", "graded.resources.limiter", ""),
    ("grade passed", "graded.resources.occupancy", 1.5),
    ("grade passed", "graded.standing", "failed"),
    ("grade passed", "graded.standing", "not decided"),
    ("grade passed", "graded.standing", "splendid"),
    ("grade passed", "graded.verdict.gates", []),
    ("grade passed", "graded.verdict.gates.0.state", "failed"),
    ("grade passed", "graded.verdict.gates.3.state", "not reached"),
    ("grade passed", "graded.verdict.gates.0.name", "speedup"),
    ("grade passed", "graded.verdict.gates.0.subject", "x" * (MOST_TEXT + 1)),
    ("grade passed", "graded.error", None),
    ("grade passed", "graded.error", -1),
    ("grade passed", "graded.facts", 7),
    ("grade wrong", "graded.verdict.gates.2.state", "passed"),
    ("grade wrong", "graded.standing", "passed"),
    ("grade too slow", "graded.speed.ratio", None),
    ("describe", "describe.capability", "nine"),
    ("describe", "describe.memory", -1),
    ("describe", "describe.versions", [1]),
    ("describe", "describe.versions", {str(n): "1" for n in range(100)}),
    ("describe", "describe.name", "x" * 201),
    ("selftest", "selftest.right", "yes"),
    ("selftest", "selftest", {}),
    ("calibrate", "calibrate.cycles", [1.0]),
    ("calibrate", "calibrate.behind.0", None),
    ("problem", "problem", {}),
    ("problem", "problem.what", "x"),
    ("problem", "problem.what.code", "No such\ncode"),
    ("problem", "problem.what.fields.name", "x" * (MOST_TEXT + 1)),
    ("grade wrong", "graded.verdict.gates.2.reason.fields.got", ["x"] * 101),
    ("grade wrong", "graded.verdict.gates.2.reason.fields.elements", 1 << 60),
    ("grade wrong", "graded.verdict.gates.2.reason.fields", {str(n): n for n in range(101)}),
    ("problem", "problem.path", 5),
    ("reference", "reference.line", -1),
    ("device", "device.kind", "offended"),
    ("right", "outputs.0.shape", [7]),
    ("right", "outputs.0.dtype", "object"),
    ("right", "outputs.0.data", "AAAA"),
    ("right", "outputs", []),
    ("emulated True", "graded.runs", []),
    ("emulated True", "graded.runs.0.shape.n", 7),
    ("emulated True", "graded.runs.0.counts", {"99": {}}),
    ("emulated True", "graded.runs.0.counts.8", {"patience": 1}),
    ("emulated True", "graded.verdict.gates.0.name", "patience"),
    ("emulated True", "graded.verdict.gates.1.state", "not reached"),
    ("emulated False", "graded.verdict.gates.2.subject", "offence"),
    ("emulated False", "graded.runs.0.wrong", []),
]


@each(("name", "path", "value"), LIES)
def test_a_field_that_cannot_be_is_refused(name, path, value, monkeypatch):
    one, lie = changed(name, path, value)
    found = told(one, exchange(one, lie), monkeypatch)
    assert isinstance(found, GpuFailed | RefereeFailed), found
    assert not isinstance(found, GpuFailed) or found.kind == "garbled"


def test_what_is_known_here_is_not_taken_from_the_answer(monkeypatch):
    one, _ = changed("grade passed", "graded.seed", 7)
    answer = json.loads(json.dumps(one.answer))
    answer["graded"] |= {"source": "another kernel", "seed": 7, "facts": None}
    found = told(one, exchange(one, line(one, answer)), monkeypatch)
    assert isinstance(found, GpuGrade)
    assert (found.source, found.facts.name) == (replace(found).source, "Emulated")
    assert "another" not in found.source
    assert found.seed != 7


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_ten_thousand_answers_through_real_processes(tmp_path: Path, monkeypatch):
    """No other error, no wait far beyond the limit, and memory that does not grow."""
    count, slowest, came = 10_000, 0.0, Counter[str]()
    random, script = Random(11), tmp_path / "answers"
    command = ["sh", "-c", f"cat {script}; exec sleep 600"]
    monkeypatch.setattr("grader.gpu.client.local_command", lambda *_, **__: command)
    monkeypatch.setattr("grader.kernel_worker.Process", lambda _: Process(command))
    monkeypatch.setattr("grader.gpu.client.INSTRUCTIONS", INSTRUCTIONS[:1])
    setup = WorkerSetup(start_seconds=LIMIT)
    one_of = honest()
    before = 0
    for number in range(count):
        one = one_of[number % len(one_of)]
        end = b"\n" if random.random() < 0.98 else b""
        lie = mutated(one, random)
        script.write_bytes(b"\n".join(exchange(one, lie)) + end)
        began = time.monotonic()
        found = came_of(one, Referee(LIMIT) if is_referee(one) else Gpu(seconds=LIMIT, setup=setup))
        slowest = max(slowest, time.monotonic() - began)
        came[getattr(found, "kind", type(found).__name__)] += 1
        if number == count // 10:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    print(f"\n{count:,} answers: slowest {slowest:.2f} s, memory +{grown / 1024:.1f} MB, {came}")
    assert slowest < PATIENCE_S
    assert grown < 50_000
