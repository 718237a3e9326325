"""Grades one submission: what a local worker, a worker of a cluster and a server have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Self

from msgspec.structs import replace

from grader import wire
from grader.facts import Fact, fact
from grader.verdict import Verdict
from quizapp.batch.values import MOST_LINES, Job, Result
from quizapp.domain import languages
from quizapp.domain.errors import Ungraded
from quizapp.domain.question import CodeLanguage, Index, code_language
from quizapp.exercises import faults, layouts
from quizapp.exercises.kernels import CheckedKernel
from quizapp.exercises.layouts import CheckedLayout
from quizapp.plain import markdown
from quizapp.report import submissions as report
from quizapp.report.lines import Line
from quizapp.report.verdicts import kernel_views
from quizapp.report.words import Words
from quizapp.study.examiner import Examiner
from quizapp.system.config import GpuSettings
from quizapp.system.gpu import NotMeasured

_COLUMNS = 100
"""Of a verdict's text."""
_LOST = frozenset({"batch.lost", "referee.ended", "referee.ended-saying", "gpu.worker-ended"})
"""Codes of why there is no verdict where the process that grades, or one of its own, ended."""


class Grader:
    """Grades submissions one after the other, in warm processes; a `with` ends those."""

    def __init__(self, gpu: GpuSettings | None = None) -> None:
        """Start nothing yet. `gpu`: which one judges what the emulator passes; None: none does."""
        self._gpu = gpu
        self._examiner = Examiner(lambda: gpu or GpuSettings(use=False), repeatable=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes; grading again starts others."""
        self._examiner.close()

    def open_gpu(self) -> Fact | None:
        """Start the GPU's process; return why there is no GPU."""
        missing = self._examiner.open_gpu()
        return None if missing is None else missing.what

    def grade(self, job: Job) -> Result:
        """Grade a submission."""
        try:
            return self._grade(job)
        except Ungraded as error:
            return ungraded(job, error.what)

    def _grade(self, job: Job) -> Result:
        if isinstance(job.exercise, Index):
            return _grade_layout(job, job.exercise)
        say = Words(job.said_in)
        question = languages.put_in(job.exercise, _language(job))
        self._examiner.author = job.author
        checked = self._examiner.check(question, job.source, job.seed)
        if self._gpu is not None:
            checked = self._examiner.measure(checked, job.seed)
        lines = report.kernel_lines(checked, say, _COLUMNS, _render, without=kernel_views.VIEWS)
        plain = report.kernel_as_plain(job.question, checked, job.said_in)
        verdict = checked.graded.verdict
        if verdict.failure is None and checked.measured is not None:
            verdict = checked.measured.verdict
        result = _make_result(job, checked, verdict, plain, lines)
        if not isinstance(checked.gpu, NotMeasured):
            return result
        what = checked.gpu.what
        return replace(result, status="ungraded", reason=what, said=say.fact(what))


def _grade_layout(job: Job, exercise: Index) -> Result:
    say = Words(job.said_in)
    try:
        checked = layouts.check(exercise, job.source)
    except faults.BadExercise as error:
        what = fact("grading.failed", question=job.question, reason=error.fault.located_fact)
        raise Ungraded(what) from None
    lines = report.layout_lines(checked, say, _COLUMNS, _render, search=False, with_maps=False)
    plain = report.layout_as_plain(job.question, checked, job.said_in, search=False)
    return _make_result(job, checked, checked.grade.verdict, plain, lines)


def _make_result(
    job: Job,
    checked: CheckedKernel | CheckedLayout,
    verdict: Verdict,
    plain: report.Plain,
    lines: Iterable[Line],
) -> Result:
    """Make the result of a submission that has a verdict."""
    text = tuple("".join(part for part, _ in line).rstrip() for line in lines)
    failure = verdict.failure
    return replace(
        _bare_result(job),
        status="passed" if checked.passed else "failed",
        gate=checked.gate,
        reason=failure.reason if failure is not None else None,
        said="" if checked.passed else _headline(text),
        verdict=wire.to_plain(plain),
        lines=text[:MOST_LINES],
    )


def _headline(text: Sequence[str]) -> str:
    """Join what failed and why, the first two lines of a verdict."""
    start = next((number for number, line in enumerate(text) if line.startswith("✗ ")), 0)
    first, *rest = (line.removeprefix("✗ ").strip() for line in text[start : start + 2])
    return ": ".join([first, *rest]) if rest and rest[0] else first


def _render(text: str) -> list[str]:
    return markdown.plain(text, _COLUMNS)


def ungraded(job: Job, what: Fact) -> Result:
    """Make the result of a submission that has no verdict, and why."""
    return replace(_bare_result(job), reason=what, said=Words(job.said_in).fact(what))


def is_lost(result: Result) -> bool:
    """Return True if there is no verdict since a process ended: another may give one."""
    reason = result.reason
    return result.status == "ungraded" and reason is not None and reason.code in _LOST


def _bare_result(job: Job) -> Result:
    """Make the result of a submission before anything came of it."""
    return Result(
        student=job.student,
        question=job.question,
        file=job.file,
        language=_language(job),
        sha256=digest(job.source),
        status="ungraded",
    )


def digest(source: str) -> str:
    """Hash a submission's source, by which a resumed run knows that it is unchanged."""
    return sha256(source.encode("utf-8", "surrogatepass")).hexdigest()


def _language(job: Job) -> CodeLanguage:
    return job.language or code_language(job.source)
