"""How `quiz grade` shows the verdict on a kernel: in words and tables, or as plain data."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from quizapp.commands._output import finite, print_json, print_lines, room, written_over
from quizapp.errors import ENVIRONMENT, FINDINGS, OK
from quizapp.gpu import NotMeasured

if TYPE_CHECKING:
    from quizapp.domain.question import Kernel
    from quizapp.exercises.kernels import CheckedKernel
    from quizapp.study.examiner import Examiner

_DECLINED = NotMeasured("declined", "--no-gpu was given")


class KernelReport:
    """Prints verdicts on submissions of one exercise."""

    def __init__(
        self,
        entry_id: str,
        asked: Kernel,
        examiner: Examiner,
        *,
        needs_gpu: bool | None,
        as_json: bool,
    ) -> None:
        """Nothing is graded yet.

        Args:
            entry_id: the question's.
            asked: the question.
            examiner: grades, on a GPU too if its settings name one.
            needs_gpu: a verdict without a GPU ends in a status of its own; None: none is wanted.
            as_json: print JSON and nothing else.
        """
        self._id = entry_id
        self._asked = asked
        self._examiner = examiner
        self._needs_gpu = needs_gpu
        self._as_json = as_json

    def show(self, source: str) -> int:
        """Grade a submission and print the verdict; the exit status."""
        checked = self._examiner.check(self._asked, source)
        with written_over(after=0) as say:
            if checked.passed and self._examiner.measures(self._asked):
                say("passed in the emulator; now on the GPU")
            checked = self._examiner.measured(checked)
        if self._needs_gpu is None and checked.gpu is not None:
            checked = replace(checked, gpu=_DECLINED)
        if self._as_json:
            print_json(self._plain(checked))
        else:
            self._print(checked)
        if not checked.passed:
            return FINDINGS
        return ENVIRONMENT if self._needs_gpu and checked.measured is None else OK

    def _print(self, checked: CheckedKernel) -> None:
        from quizapp import kernel_verdict  # noqa: PLC0415 - 100 ms: NumPy
        from quizapp.plain.markdown import plain  # noqa: PLC0415
        from quizapp.words import Words  # noqa: PLC0415

        say = Words("en")
        print_lines(kernel_verdict.verdict(checked, say))
        if why := kernel_verdict.mistake(checked, say):
            print("", *plain(why, room()), sep="\n")
        for view in kernel_verdict.views(checked, (), solved=False):
            print()
            print_lines(kernel_verdict.view(view, checked, (), say, room()))

    def _plain(self, checked: CheckedKernel) -> dict[str, Any]:
        """The verdict as `--json` prints it; the keys are promised in docs/cli.md."""
        from quizapp.domain.question import prose  # noqa: PLC0415 - msgspec, 18 ms

        graded = checked.graded.plain()
        del graded["source"]
        why = None if checked.mistake is None else prose(checked.mistake.why, "en")
        gates = graded.pop("verdict")["gates"]
        first = {"question": self._id, "passed": checked.passed, "gates": gates}
        for run in graded["runs"]:
            run["error"] = finite(run["error"])
            run["lines"] = [{"line": line, **counts} for line, counts in run.pop("counts").items()]
        return {**first, **graded, "mistake": why, "gpu": _gpu_as_plain(checked)}


def _gpu_as_plain(checked: CheckedKernel) -> dict[str, Any] | None:
    """What a GPU says as `--json` prints it, or why none says anything."""
    if checked.gpu is None:
        return None
    if isinstance(checked.gpu, NotMeasured):
        return {"standing": "not measured", "why": checked.gpu.what, "todo": checked.gpu.todo}
    plain = checked.gpu.plain()
    del plain["source"]
    standing, gates = plain.pop("standing"), plain.pop("verdict")["gates"]
    errors = {name: finite(plain[name]) for name in ("error", "allowed")}
    return {"standing": standing, "gates": gates, **plain, **errors}
