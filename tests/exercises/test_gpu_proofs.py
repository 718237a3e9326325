"""What `quiz lint --gpu` proves of a kernel: a good one is spoilt in each way, and it is found.

The device is the emulator; each test knows a way in which a real one may be of another opinion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from grader.facts import fact, quote
from grader.gpu import Benchmark, Gpu, GpuFailed, GpuGrade
from grader.kernels import Cheat, Problem
from quizapp.deck.linting.lint import lint
from quizapp.exercises.gpu_proofs import GpuProofs, gpu_proofs
from tests.deck.tools import KERNEL, KERNEL_FILES, MARK, kernel_folder, split_mark
from tests.examining import REFEREE
from tests.exercises.tools import kernel
from tests.grader.gpu.emulated_device import NAME
from tests.grader.gpu.tools import SETUP
from tests.sentences import english, sentence

SOLUTION = KERNEL_FILES["solution.py"]
ZEROS = SOLUTION.replace("2 * a[i]", "0 * a[i]")
COPY = SOLUTION.replace("2 * a[i]", "a[i]")
FOREVER = SOLUTION.replace("out[i] = 2", "while True:\n            out[i] = 2")
SLOW = SOLUTION.replace("2 * a[i]", "2 * a[i] + a[i * 37 % out.size] - a[i * 37 % out.size]")
PART = {"shape": {"n": 5000}, "baseline": SLOW}


@pytest.fixture(scope="module")
def gpu() -> Iterator[Gpu]:
    with Gpu(setup=SETUP, seconds=20) as one:
        yield one


def prove(gpu: Any, part: dict[str, Any] | None = None, **fields: Any) -> GpuProofs:
    question = kernel(gpu={**PART, **(part or {})}, **fields)
    return gpu_proofs(question, "python", gpu, REFEREE, lambda _: None)


def wrong(source: str, fails: str = "result") -> dict[str, Any]:
    return {"wrong": [{"file": "one", "fails": fails, "why": "So.", "source": source}]}


# What is good has no fault


def test_what_these_tests_spoil_is_good(gpu):
    names: list[str] = []
    question = kernel(gpu={**PART, "speedup": {NAME: 1.01}}, **wrong(ZEROS))
    found = gpu_proofs(question, "python", gpu, REFEREE, names.append)
    assert found.faults == ()
    assert names == [proof.submission for proof in found.proofs]
    assert [(one.role, one.submission, one.gate) for one in found.proofs[:2]] == [
        ("solution", "solution", ""),
        ("wrong", "one", "result"),
    ]
    assert len(found.cheats) == len(found.proofs) - 2 >= 15
    assert {one.gate for one in found.cheats} == {"result"}
    assert {
        "zeros", "copy of an input", "stale output of an earlier call", "first element only",
        "one block only", "the expected result from globals", "an input changed",
    } <= {one.submission for one in found.cheats}  # fmt: skip
    assert found.solution is not None
    assert found.solution.standing == "passed"
    assert found.solution.speed.ratio.low > 1.01


def test_mistakes_that_are_none_of_values_are_not_run(gpu):
    found = prove(gpu, **wrong(SOLUTION, "counts: global_requests"))
    assert [one.role for one in found.proofs if one.role != "cheat"] == ["solution"]
    assert found.faults == ()


@dataclass
class Else:
    """A GPU that says something else of some submissions."""

    gpu: Gpu
    change: Callable[[str, GpuGrade], GpuGrade]

    def grade(self, problem: Problem, source: str, timed: Benchmark | None = None) -> GpuGrade:
        return self.change(source, self.gpu.grade(problem, source, timed))


@pytest.mark.parametrize(
    "standing", ["right, speed not judged", "not decided", "right, not measured"]
)
def test_what_a_gpu_does_not_judge_is_no_fault(gpu, standing):
    def change(source: str, graded: GpuGrade) -> GpuGrade:
        return replace(graded, standing=standing) if source == SOLUTION else graded

    found = prove(Else(gpu, change))
    assert found.faults == ()
    assert found.solution is not None
    assert found.solution.standing == standing
    assert len(found.cheats) >= 15


def test_a_gate_of_another_device_is_no_fault(gpu):
    found = prove(gpu, {"speedup": {"NVIDIA H200": 1000}})
    assert found.faults == ()
    assert found.solution is not None
    assert found.solution.standing == "right, speed not judged"


# What is spoilt has one


SPOILT = {
    "a gate that is not reached": (
        {"speedup": {NAME: 50}}, {}, ("gpu", "speedup", NAME),
        "times as fast as baseline.py, but 50 is required; make the solution faster"),
    "a solution that is wrong there": (
        {}, {"solution": ZEROS}, ("solution",),
        f"solution.py: on {NAME}: the solution fails at `result`: "),
    "a solution that has no end there": (
        {}, {"solution": FOREVER}, ("solution",),
        f"solution.py: on {NAME}: the solution fails at `runs: timed-out`"),
    "a solution that does not compile": (
        {}, {"solution": SOLUTION.replace("2 *", "open(a) *")}, ("solution",),
        f"solution.py:8:18: on {NAME}: the solution fails at `compiles: source`"),
    "a mistake that is none there": (
        {}, wrong(SOLUTION), ("wrong", 0, "fails"),
        f"on {NAME}: wrong/one.py passes; it must fail at result"),
    "a cheat that passes": (
        {"baseline": COPY},
        {"solution": COPY, "reference": "def reference(a):\n    return a\n"}, (),
        f"on {NAME}: the cheat `copy of an input` passes; compare more"),
    "a baseline that is wrong": (
        {"baseline": ZEROS}, {}, ("gpu", "baseline"), "fails at `result`"),
    "a reference without an answer for so much": (
        {}, {"reference": "def reference(a):\n    return 2 * a / (a.size < 5000 or None)\n"},
        ("reference",), "reference.py:2: the reference has no answer: TypeError"),
}  # fmt: skip


@pytest.mark.parametrize(("part", "fields", "path", "says"), SPOILT.values(), ids=SPOILT.keys())
def test_a_spoilt_kernel_has_one_fault_at_its_place(gpu, part, fields, path, says):
    (fault,) = prove(gpu, part, **fields).faults
    assert fault.path == path
    assert says in english(fault)


def test_without_a_right_solution_no_cheat_is_made(gpu):
    assert prove(gpu, solution=ZEROS).cheats == ()
    assert len(prove(gpu, {"speedup": {NAME: 50}}).cheats) >= 15


def test_a_cheat_that_fails_elsewhere_than_at_its_result(gpu, monkeypatch):
    cheats = [Cheat("zeros", ZEROS), Cheat("endless", FOREVER)]
    monkeypatch.setattr("quizapp.exercises.gpu_proofs.gpu_cheats", lambda *_: cheats)
    found = prove(gpu)
    (fault,) = found.faults
    assert fault.what == fact(
        "proof.gpu-cheat-gate", device=NAME, cheat="endless", gate="runs: timed-out"
    )
    assert [one.fault is None for one in found.cheats] == [True, False]


# A GPU that gives no verdict


def fail_cheats(kind: str) -> Callable[[str, GpuGrade], GpuGrade]:
    """From the first cheat on."""

    def change(source: str, graded: GpuGrade) -> GpuGrade:
        if source != SOLUTION:
            raise GpuFailed(kind, quote("it broke"), quote("mend it"))
        return graded

    return change


@pytest.mark.parametrize("kind", ["slow", "crashed", "garbled"])
def test_a_question_that_gets_no_verdict_has_a_fault(gpu, kind):
    found = prove(Else(gpu, fail_cheats(kind)))
    (fault,) = found.faults
    assert fault.path == ("gpu",)
    assert english(fault) == "the GPU gives no verdict: it broke; mend it"
    assert [one.role for one in found.proofs] == ["solution"]
    assert found.solution is not None


@pytest.mark.parametrize("kind", ["host", "no-device", "cancelled"])
def test_a_gpu_that_is_gone_ends_it(gpu, kind):
    with pytest.raises(GpuFailed):
        prove(Else(gpu, fail_cheats(kind)))


# Through lint, with positions. The mark stands where the problem must be reported.


GPU_PART = f"""\
  gpu:
    shape: {{n: 5000}}
    speedup:
      NVIDIA H200: 3
      {NAME}: 1.01
"""


@pytest.fixture
def linted(tmp_path, gpu):
    """Call it with YAML for a GPU and other files: the report, the mark's place, what was told."""

    def look(part: str = GPU_PART, **files: str):
        clean, place = split_mark(KERNEL + part) if MARK in part else (KERNEL + part, (0, 0))
        kernel_folder(tmp_path, clean, **{"baseline": SLOW, **files})
        said: list[tuple[int, int, str]] = []
        report = lint([], [str(tmp_path)], lambda *one: said.append(one), gpu)
        return report, place, said

    return look


def test_lint_measures_what_the_emulator_has_proven(linted):
    report, _, said = linted()
    assert report.problems == ()
    ((name, proofs),) = [(one.question, one.proofs) for one in report.measured]
    assert name == "pack/a-kernel"
    assert proofs.solution.standing == "passed"
    assert said[0] == (0, 1, "pack/a-kernel")
    assert said[1] == (0, 1, "pack/a-kernel (python) on the GPU: solution")
    assert len(said) == 1 + len(proofs.proofs)


def test_lint_gives_the_place_of_a_gate_that_is_not_reached(linted):
    report, place, _ = linted(GPU_PART.replace("1.01", f"{MARK}50"))
    (problem,) = report.problems
    assert (problem.line, problem.column) == place
    assert "but 50 is required" in english(problem)
    assert (problem.question, Path(problem.file).name) == ("pack/a-kernel", "question.yaml")


def test_what_the_emulator_fails_is_not_run(linted):
    report, _, said = linted(solution=ZEROS)
    assert [(one.question, one.proofs) for one in report.measured] == [("pack/a-kernel", None)]
    assert [
        sentence(problem.what) for problem in report.problems if " on " in english(problem)
    ] == []
    assert len(said) == 1


def test_a_kernel_without_a_part_for_a_gpu_is_not_run(linted):
    report, *_ = linted("", baseline=None)
    assert (report.measured, report.problems) == ((), ())
