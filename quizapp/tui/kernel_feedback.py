"""What the screen shows of a kernel that was handed in or tried out: verdict, then one view of it.

Values in, parts out; `kernel_verdict` has the lines.
"""

from __future__ import annotations

from quizapp import kernel_verdict
from quizapp.bankmap import Line, Span
from quizapp.domain.question import Kernel
from quizapp.exercises.kernels import CheckedKernel
from quizapp.kernel_verdict import View
from quizapp.study.trial import Trial
from quizapp.tui.widgets.page import Figure, Part
from quizapp.words import Words


def parts(trial: Trial, say: Words, chosen: View | None) -> list[Part]:
    """Verdict, why a known mistake is one, and the view that was chosen, if it has anything."""
    checked = trial.checked
    if not isinstance(checked, CheckedKernel):
        return _given_up(trial, say)
    shown: list[Part] = [Figure(lambda _: kernel_verdict.verdict(checked, say))]
    if not checked.passed:
        shown.append(kernel_verdict.mistake(checked, say))
    known = views(trial)
    view = chosen if chosen in known else first_view(trial)
    if view is None:
        return shown
    before = _before(trial, checked)
    shown.append(Figure(lambda _: [_titles(known, view, say)]))
    shown.append(Figure(lambda width: kernel_verdict.view(view, checked, before, say, width)))
    return shown


def views(trial: Trial) -> tuple[View, ...]:
    """The views that the latest submission has."""
    checked = trial.checked
    if not isinstance(checked, CheckedKernel):
        return ()
    before = _before(trial, checked)
    return kernel_verdict.views(checked, before, solved=trial.graded is not None)


def first_view(trial: Trial) -> View | None:
    """The view that says most about what failed; None where there is none."""
    known = views(trial)
    failure = (
        trial.checked.graded.verdict.failure if isinstance(trial.checked, CheckedKernel) else None
    )
    telling: dict[str, View] = {"result": "values", "counts": "map"}
    wanted = telling.get(failure.name) if failure else None
    return wanted if wanted in known else next(iter(known), None)


def marked(trial: Trial) -> int:
    """The line of the submission that is to blame; 0 for none."""
    checked = trial.checked
    if not isinstance(checked, CheckedKernel):
        return 0
    measured = checked.measured
    failure = checked.graded.verdict.failure or (measured and measured.verdict.failure)
    return failure.line if failure else 0


def _titles(known: tuple[View, ...], chosen: View, say: Words) -> Line:
    """The views by name, the one that is shown in brackets."""
    spans: list[Span] = []
    for view in known:
        name = say(f"kernel.view.{view}")
        spans.append((f"[{name}]", "good") if view == chosen else (f" {name} ", "dim"))
    return tuple(spans)


def _before(trial: Trial, checked: CheckedKernel) -> tuple[str, ...]:
    """What was handed in before this."""
    return tuple(source for source in trial.tried if source != checked.source)


def _given_up(trial: Trial, say: Words) -> list[Part]:
    """How the last attempt differs from the solution."""
    question = trial.asked.question
    if trial.graded is None or not trial.tried or not isinstance(question, Kernel):
        return []
    last, solution = trial.tried[-1], question.solution or ""
    head: Line = ((say("kernel.view.solution"), "dim"),)
    return [Figure(lambda _: [head, *kernel_verdict.difference(last, solution, say)])]
