"""How `quiz grade` shows the verdict on a kernel: in words and tables, or as plain data."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from quizapp.commands._output import print_json, print_lines, room
from quizapp.errors import FINDINGS, OK

if TYPE_CHECKING:
    from quizapp.domain.question import Kernel
    from quizapp.exercises.kernels import CheckedKernel
    from quizapp.study.examiner import Examiner


class KernelReport:
    """Prints verdicts on submissions of one exercise."""

    def __init__(self, entry_id: str, asked: Kernel, examiner: Examiner, *, as_json: bool) -> None:
        self._id = entry_id
        self._asked = asked
        self._examiner = examiner
        self._as_json = as_json

    def show(self, source: str) -> int:
        """Grade a submission and print the verdict; the exit status."""
        checked = self._examiner.check(self._asked, source)
        if self._as_json:
            print_json(self._plain(checked))
        else:
            self._print(checked)
        return OK if checked.passed else FINDINGS

    def _print(self, checked: CheckedKernel) -> None:
        from quizapp import kernel_verdict  # noqa: PLC0415 - 100 ms: NumPy
        from quizapp.plain.markdown import plain  # noqa: PLC0415
        from quizapp.words import Words  # noqa: PLC0415

        say = Words("en")
        if checked.passed:
            print_lines(kernel_verdict.passed(checked.graded, say))
        print_lines(kernel_verdict.failure(checked, say))
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
            run["error"] = run["error"] if isfinite(run["error"]) else None
            run["lines"] = [{"line": line, **counts} for line, counts in run.pop("counts").items()]
        return {**first, **graded, "mistake": why}
