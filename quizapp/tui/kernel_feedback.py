"""What the screen shows of a kernel that was submitted or test-run: verdict, then one view of it.

Values in, parts out; `kernel_verdict` has the lines.
"""

from __future__ import annotations

from quizapp.domain.attempt import Attempt
from quizapp.domain.question import code_language
from quizapp.exercises.kernels import CheckedKernel
from quizapp.report.content import question_text
from quizapp.report.lines import Line, Span
from quizapp.report.verdicts import kernel_verdict, kernel_views, known_mistakes
from quizapp.report.verdicts.kernel_views import View
from quizapp.report.words import Words
from quizapp.tui.widgets.page import Figure, Part


def parts(attempt: Attempt, say: Words, chosen: View | None) -> list[Part]:
    """Draw verdict, why a known mistake is one, and the chosen view, if it has anything."""
    checked = attempt.submission
    if not isinstance(checked, CheckedKernel):
        return []
    shown = brief(attempt, say)
    known = views(attempt)
    view = chosen if chosen in known else next(iter(known), None)
    if view is None:
        return shown
    before = _earlier_submissions(attempt, checked)
    shown.append(Figure(lambda _: [_titles(checked, known, view, say)]))
    if view == "twin":
        return [*shown, *question_text.twin(checked.question, say)]
    shown.append(Figure(lambda width: kernel_views.view(view, checked, before, say, width)))
    return shown


def brief(attempt: Attempt, say: Words) -> list[Part]:
    """Draw the verdict, and why a known mistake is one."""
    checked = attempt.submission
    if not isinstance(checked, CheckedKernel):
        return []
    shown: list[Part] = [Figure(lambda _: kernel_verdict.verdict(checked, say))]
    return shown if checked.passed else [*shown, known_mistakes.explain(checked, say)]


def views(attempt: Attempt) -> tuple[View, ...]:
    """List the views that the latest submission has, from the one that says most."""
    checked = attempt.submission
    if not isinstance(checked, CheckedKernel):
        return ()
    before = _earlier_submissions(attempt, checked)
    known = kernel_views.views(checked, before, solved=attempt.shows_answer)
    failure = checked.graded.verdict.failure
    telling: dict[str, View] = {"result": "values", "counts": "map"}
    wanted = telling.get(failure.name) if failure else None
    first = known.index(wanted) if wanted in known else 0
    return (*known[first:], *known[:first])


def line_to_mark(attempt: Attempt) -> int:
    """Return the line of the submission that is to blame; 0 for none."""
    checked = attempt.submission
    if not isinstance(checked, CheckedKernel):
        return 0
    measured = checked.measured
    failure = checked.graded.verdict.failure or (measured and measured.verdict.failure)
    return failure.line if failure else 0


def _titles(checked: CheckedKernel, known: tuple[View, ...], chosen: View, say: Words) -> Line:
    """Draw the views by name, the one that is shown in brackets."""
    spans: list[Span] = []
    twin = checked.question.twin
    for view in sorted(known, key=kernel_views.VIEWS.index):
        name = say(f"kernel.view.{view}", language=say(f"code.{twin.language}") if twin else "")
        spans.append((f"[{name}]", "bold") if view == chosen else (f" {name} ", "dim"))
    return tuple(spans)


def _earlier_submissions(attempt: Attempt, checked: CheckedKernel) -> tuple[str, ...]:
    """Return what was submitted before this in the same language."""
    language = code_language(checked.source)
    return tuple(
        source
        for source in attempt.failed
        if source != checked.source and code_language(source) == language
    )
