"""What the screen says about an attempt: verdict, rows, reasons, ratings. Values in, text out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from textual.content import Content

from quizapp.domain.attempt import Assessment, Attempt, Phase
from quizapp.domain.question import (
    Choice,
    Index,
    Kernel,
    Number,
    PutQuestion,
    Recall,
    Spot,
    WrongKernel,
    WrongSolution,
    code_block,
    prose,
)
from quizapp.domain.queue import Stage
from quizapp.domain.rating import USUAL_CONFIDENCE, Confidence, Rating, is_confident_error
from quizapp.exercises import traces
from quizapp.exercises.numbers import compute_answer
from quizapp.report import difference, numbered_code, quantities, trace_figure
from quizapp.report.content import question_text
from quizapp.report.studying.ratings import (
    brought_forward_text,
    counted_text,
    covered_text,
    credit_text,
    mended_text,
    noted,
    put_off_text,
    rating_name,
    rule_text,
    set_aside_text,
    stakes_of_each,
    unscheduled_text,
)
from quizapp.report.verdicts import known_mistakes, layout_verdict, line_panel, spot_verdict
from quizapp.report.words import Words
from quizapp.study.values import Turn
from quizapp.system.safe_text import safe
from quizapp.tui import kernel_feedback, markdown
from quizapp.tui.safety import legible
from quizapp.tui.widgets.page import ROLE_STYLES, Figure, Part, PickableRow, style_line

if TYPE_CHECKING:
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms
    from quizapp.exercises.layouts import CheckedLayout
    from quizapp.exercises.spots import SpotAnswer
    from quizapp.report.lines import Line
    from quizapp.report.verdicts.kernel_views import View

MEASURE_STYLES = {True: "bold $text-success", False: "bold $text-error"}


def place(turn: Turn, say: Words) -> str:
    """Where I am: place in the session, topic, kind, difficulty, and what is special about it."""
    difficulty = "●" * turn.entry.difficulty + "○" * (5 - turn.entry.difficulty)
    parts = [*question_text.about(turn, say), difficulty]
    if turn.item.stage in (Stage.REPEAT, Stage.PRACTICE):
        parts.append(say(f"stage.{turn.item.stage}"))
    if turn.entry.changed:
        parts.append(say("browser.changed"))
    return " · ".join(parts)


def right_end(attempt: Attempt, say: Words) -> Content:
    """Draw the verdict once there is one; before, what counts refer to."""
    if attempt.assessment is not None:
        return verdict(attempt, attempt.assessment, say)
    if attempt.is_done:
        return Content(say("mock.stands")).stylize("dim")
    basis = attempt.question.basis
    return Content(say(f"basis.{basis}") if basis else "").stylize("dim")


def verdict(attempt: Attempt, assessment: Assessment, say: Words) -> Content:
    """Draw right or wrong in a few words, with its sign first."""
    correct = assessment.grade.correct
    if not attempt.shows_answer:
        return Content(noted(attempt.question, say, gave_up=attempt.gave_up)).stylize("dim")
    text = _verdict_text(attempt, assessment, say)
    is_recall = isinstance(attempt.question, Recall)
    if is_confident_error(
        attempt.confidence, assessment.grade, is_recall=is_recall, credit=assessment.credit
    ):
        text += say("study.and-certain")
    if attempt.confidence is Confidence.GUESS and correct:
        text += say("study.and-guess")
    text += credit_text(assessment, say)
    return Content(text).stylize(MEASURE_STYLES[correct])


def rows(attempt: Attempt, say: Words) -> list[PickableRow]:
    """Draw the options, or the rubric's points, as they are now."""
    question = attempt.question
    if isinstance(question, Choice):
        return [_option(attempt, question, own, say) for own in attempt.order]
    if isinstance(question, Recall) and _is_compared(attempt):
        return [_point(attempt, question, i, say) for i in range(len(question.rubric))]
    if isinstance(question, Spot) and not attempt.shows_answer:
        return [
            PickableRow(numbered_code.kind_name(kind, say), i in attempt.picked)
            for i, kind in enumerate(question.kinds)
        ]
    return []


def answer(attempt: Attempt, say: Words) -> str:
    """Say the right answer, where the rows do not show it; of rows, how a part of them counts."""
    question = attempt.question
    if attempt.assessment is not None and isinstance(question, Choice):
        return counted_text(question, attempt.assessment.grade, attempt.picked, say)
    if isinstance(question, Recall) and _is_compared(attempt):
        return f"**{say('study.model-answer')}**\n\n{prose(question.answer, say.language)}"
    if isinstance(question, Number) and attempt.shows_answer:
        bounds = compute_answer(question)
        right = f"**{quantities.write_expected(question, bounds, say)}**"
        accepted = quantities.write_accepted(question, bounds, say)
        return say("study.the-answer", right=right) + accepted
    if isinstance(question, Index | Kernel) and attempt.is_graded and attempt.gave_up:
        return f"**{say('study.a-solution')}**\n\n{code_block(question.solution or '')}"
    return ""


def _is_compared(attempt: Attempt) -> bool:
    """Return True if the model answer is shown."""
    return attempt.phase is Phase.COMPARING or attempt.shows_answer


def code(attempt: Attempt) -> Part:
    """Draw the kernel of a `spot` with the line that is pointed at; then with the right ones."""
    question = attempt.question
    assert isinstance(question, Spot)
    key = cast("SpotAnswer | None", attempt.key)
    right = key.lines if key is not None and attempt.shows_answer else None
    nowhere = attempt.gave_up or attempt.phase is Phase.REVEALED
    pointed = None if nowhere else attempt.cursor + 1
    return number_code(question, pointed=pointed, right=right)


def number_code(
    question: Spot, *, pointed: int | None = None, right: Collection[int] | None = None
) -> Figure:
    """Draw the kernel of a `spot` with its numbers and marks, colored as code in prose is."""

    def draw(_: int) -> Iterator[Content]:
        source = legible(question.code).rstrip("\n")
        colored = markdown.color_code(source, question.language).split("\n", allow_blank=True)
        drawn = numbered_code.lines(source, pointed=pointed, right=right)
        for (*lead, (_text, role)), text in zip(drawn, colored, strict=True):
            yield style_line(tuple(lead)) + text.stylize(ROLE_STYLES[role])

    return Figure(draw)


def own_text(attempt: Attempt, say: Words) -> Content:
    """Draw what the person wrote or named; code as it is, prose dimmed."""
    text, question = Content(safe(attempt.text)), attempt.question
    if isinstance(question, Number):
        text = Content(quantities.write_typed(question, attempt.text, attempt.value, say))
    if attempt.claimed_bug is not None and attempt.is_graded and not attempt.gave_up:
        line, kind = attempt.claimed_bug
        text = Content(say("study.named", line=line, kind=numbered_code.kind_name(kind, say)))
    return text if attempt.is_written else text.stylize("dim")


def figures(
    turn: Turn, attempt: Attempt, say: Words, *, detailed: bool, view: View | None
) -> list[Part]:
    """Draw what the graders have to show: of a trace that went wrong, of a submission, of a bug.

    `view`: of a kernel, the one that the person turned to; None for the first there is.
    """
    if attempt.is_edited:
        return _draw_edited(attempt, say, view)
    if attempt.is_graded and attempt.submission is None and attempt.failed:
        return _draw_to_solution(attempt.failed[-1], attempt.question, say)
    if isinstance(attempt.question, Kernel):
        return kernel_feedback.parts(attempt, say, view)
    if attempt.submission is not None:
        layout = cast("CheckedLayout", attempt.submission)
        if attempt.phase is Phase.REVEALED:
            return _draw_layout(layout, say, detailed=detailed)
        earned = detailed and layout.passed
        return [*brief(attempt, say), *(_draw_better(layout, attempt, say) if earned else [])]
    if isinstance(attempt.question, Spot) and attempt.key is not None and attempt.shows_answer:
        key, named = cast("SpotAnswer", attempt.key), attempt.claimed_bug
        return [Figure(lambda _: spot_verdict.lines(key, named, say))]
    went_wrong = attempt.assessment is not None and not attempt.assessment.grade.correct
    if attempt.shows_answer and (went_wrong or detailed):
        return _draw_trace(turn, say, detailed=detailed)
    return []


def shown_view(attempt: Attempt, chosen: View | None) -> View | None:
    """Return the view of a verdict that is drawn: the chosen one, if there is one to choose."""
    if not isinstance(attempt.question, Kernel) or not attempt.shows_answer or attempt.is_edited:
        return None
    known = kernel_feedback.views(attempt)
    return chosen if chosen in known else next(iter(known), None)


def views(attempt: Attempt) -> tuple[View, ...]:
    """List the views of a verdict, the most telling one first; of an old one what was changed."""
    return ("attempt",) if attempt.is_edited else kernel_feedback.views(attempt)


def summary(attempt: Attempt, live: CheckedKernel | CheckedLayout | None, say: Words) -> list[Part]:
    """Draw the verdict in short; once other code was run, also what came of that."""
    if live is None or not attempt.is_unjudged:
        return brief(attempt, say)
    if isinstance(attempt.question, Kernel):
        kernel = cast("CheckedKernel", live)
        lines = list(line_panel.summary(kernel, say))
    else:
        lines = list(layout_verdict.summary(cast("CheckedLayout", live), say))
    return [*_last_submission(attempt, say)[:2], Figure(lambda _: lines)]


def _last_submission(attempt: Attempt, say: Words) -> list[Part]:
    """Draw the verdict on the previous submission, unless it never ran."""
    submitted = attempt.submission
    if submitted is None or not submitted.ran:
        return []
    return [Content(say("study.last-submission")).stylize("dim"), *brief(attempt, say)]


def refused_line(checked: CheckedKernel | CheckedLayout) -> int:
    """Return the line for which code that is being written does not run; 0 for none."""
    graded = getattr(checked, "graded", None) or cast("CheckedLayout", checked).grade
    failure = graded.verdict.failure
    if failure is None or failure.name not in line_panel.REFUSALS:
        return 0
    return int(failure.line)


def _draw_edited(attempt: Attempt, say: Words, view: View | None) -> list[Part]:
    """Draw the verdict on what was submitted, and what was changed since."""
    submitted, shown = attempt.submission, _last_submission(attempt, say)
    if view != "attempt" or submitted is None:
        return shown
    head: Line = ((say("kernel.view.attempt"), "dim"),)
    now = attempt.text
    return [*shown, Figure(lambda _: [head, *difference.lines(submitted.source, now, say)])]


def _draw_to_solution(mine: str, question: PutQuestion, say: Words) -> list[Part]:
    """Draw how code differs from the solution, which is earned by now."""
    if not isinstance(question, Index | Kernel):
        return []
    solution = question.solution or ""
    head: Line = ((say("kernel.view.solution"), "dim"),)
    return [Figure(lambda _: [head, *difference.lines(mine, solution, say)])]


def brief(attempt: Attempt, say: Words) -> list[Part]:
    """Draw the verdict on a submission without its figures."""
    checked = attempt.submission
    if checked is None:
        return []
    if isinstance(attempt.question, Kernel):
        return kernel_feedback.brief(attempt, say)
    layout = cast("CheckedLayout", checked)
    return (
        []
        if layout.passed
        else [
            Figure(lambda _: layout_verdict.failure(layout, say)),
            known_mistakes.explain(layout, say),
        ]
    )


def _draw_trace(turn: Turn, say: Words, *, detailed: bool) -> list[Part]:
    if turn.drawn is None:
        return []

    drawn = turn.drawn
    if not isinstance(drawn, traces.DrawnTrace):
        return []
    return [Figure(lambda width: trace_figure.lines(drawn, say, width, detailed=detailed))]


def _draw_layout(checked: CheckedLayout, say: Words, *, detailed: bool) -> list[Part]:
    """Draw verdict, reason and costs; the bank maps of one that passed on demand only."""
    parts: list[Part] = []
    if not checked.passed:
        parts.append(Figure(lambda _: layout_verdict.failure(checked, say)))
        parts.append(known_mistakes.explain(checked, say))
    if not checked.grade.accesses:
        return parts
    parts.append(Figure(lambda _: layout_verdict.figures(checked, say)))
    if detailed or not checked.passed:
        parts.append(Figure(lambda width: layout_verdict.maps(checked, say, width)))
    return parts


def _draw_better(checked: CheckedLayout, attempt: Attempt, say: Words) -> list[Part]:
    """Draw the best of the usual layouts, and how a right one differs from the solution."""
    best = list(layout_verdict.best(checked, say))
    return [Figure(lambda _: best), *_draw_to_solution(checked.source, attempt.question, say)]


def explanation(question: PutQuestion, say: Words) -> str:
    """Draw the explanation."""
    return prose(question.explanation, say.language).strip()


def on_demand(attempt: Attempt, say: Words, key: str) -> list[Part]:
    """Say which key shows the follow-up questions or the CUDA C++, where there are some."""
    question = attempt.question
    if not attempt.shows_answer:
        return []
    if attempt.is_graded and isinstance(question, Recall) and question.follow_ups:
        said = say("study.shows-follow-ups", key=key)
    elif attempt.gave_up and isinstance(question, Kernel) and question.twin:
        said = say("study.shows-twin", key=key, language=say(f"code.{question.twin.language}"))
    else:
        return []
    return [Content(said).stylize("dim")]


def detail(turn: Turn, say: Words, answers_key: str) -> str:
    """Draw on demand: solutions, sources, checked claims, likely follow-up questions.

    `answers_key`: the key that shows the follow-up questions' answers; empty to show them.
    """
    question = turn.question
    listed = "\n".join(f"- {s}" for s in question_text.sources(question, say))
    parts = [f"**{say('study.sources')}**", listed]
    if question.basis and not turn.explains:  # then it is above, with the prompt
        parts.insert(0, say(f"basis.{question.basis}.means"))
    if question.claims:
        numbers = ", ".join(str(number) for number in question.claims)
        parts.append(say("study.claims", claims=numbers))
        parts.append(say("study.where"))
    if isinstance(question, Index | Kernel):
        solution = [f"**{say('study.a-solution')}**", code_block(question.solution or "")]
        parts[:0] = [*solution, *question_text.twin(question, say)]
    if question.follow_ups:
        parts.append(f"**{say('study.follow-ups')}**")
        parts += question_text.follow_ups(turn, say, answered=not answers_key)
        if answers_key and question_text.has_answers(question):
            parts.append(f"*{say('study.follow-up-answers', key=answers_key)}*")
    return "\n\n".join(parts)


def draw_authored(question: PutQuestion, say: Words) -> Iterator[Part]:
    """Draw what else the author of an exercise wrote: the starter, and known mistakes."""
    if not isinstance(question, Index | Kernel):
        return
    yield f"**{say('preview.starter')}**\n\n{code_block(question.starter or '')}"
    wrong: Sequence[WrongSolution | WrongKernel] = question.wrong
    for mistake in wrong:
        title = say("preview.mistake", gate=mistake.fails)
        yield f"**{title}**\n\n{prose(mistake.why, say.language).strip()}"
        if isinstance(mistake, WrongKernel):
            yield _draw_difference(question.solution or "", mistake.source or "", say)
        else:
            yield code_block(mistake.source)


def _draw_difference(old: str, new: str, say: Words) -> Figure:
    return Figure(lambda _: difference.lines(old, new, say))


def confidence_lines(turn: Turn, say: Words, usual_key: str, settings_key: str) -> Content:
    """Ask how sure the person is, before the verdict; say what it counts, or what asks no more."""
    line, stakes = Content(say("study.sure")), stakes_of_each(turn, say)
    for confidence in Confidence:
        line += Content.assemble(
            "   ",
            (str(int(confidence)), "bold $text-accent"),
            f" {say(f'confidence.{int(confidence)}')}",
            (f" {stakes[confidence]}" if stakes else "", "dim"),
        )
    usual = say(f"confidence.{int(USUAL_CONFIDENCE)}")
    names = {"usual": usual, "setting": say("setting.confidence")}
    about = say("study.sure-about", key=usual_key, settings=settings_key, **names)
    return line + Content(f"\n{say('mock.guess') if stakes else about}").stylize("dim")


def rating_lines(turn: Turn, attempt: Attempt, say: Words, width: int, bury_key: str) -> Content:
    """Draw the rule, and the ratings to choose from; in practice there is nothing to rate.

    `bury_key`: puts the question off.
    """
    assessment = attempt.assessment
    if assessment is None:
        return Content(say("mock.compare-later")).stylize("dim")
    if turn.is_practice:
        return Content(unscheduled_text(turn, say)).stylize("dim")
    said = filter(None, [rule_text(assessment, say), brought_forward_text(assessment, say)])
    rule = Content(" · ".join(said)).stylize("dim")
    lines = [rule, ratings(turn, assessment, say, width)]
    suggested = assessment.suggestion.rating
    aside = set_aside_text(turn, suggested, say) or put_off_text(turn, suggested, say, bury_key)
    if aside:
        lines.insert(0, Content(f"! {aside}").stylize("$text-warning"))
    return Content("\n").join(lines)


def ratings(turn: Turn, assessment: Assessment, say: Words, width: int) -> Content:
    """Draw each rating with its key and its days; the suggested one stands out.

    Where that is too wide, what comes back within the day has no word for it.
    """
    within = say("study.back-in-session" if turn.returns else "days.today")
    for back in (f" {within}", ""):
        line = Content("")
        for rating in Rating:
            days = say("days", n=assessment.days[rating])
            when = back if rating is Rating.AGAIN else f" {days}"
            chosen = rating is assessment.suggestion.rating
            text = f"{int(rating)} {rating_name(rating, say)}{when}"
            line += _choose(text, chosen=chosen) + Content(" ")
        if line.cell_length <= width:
            break
    return line


def _choose(text: str, *, chosen: bool) -> Content:
    """Draw one of several words; the chosen one stands in brackets."""
    shown = Content(f"[{text}]" if chosen else f" {text} ")
    return shown.stylize("bold $text-accent" if chosen else "dim")


def _verdict_text(attempt: Attempt, assessment: Assessment, say: Words) -> str:
    question, grade = attempt.question, assessment.grade
    if attempt.gave_up:
        return say("study.gave-up")
    if isinstance(question, Recall):
        return covered_text(grade, say)
    if isinstance(question, Number):
        right = quantities.write_expected(question, compute_answer(question), say)
        if grade.correct:
            return say("study.number-right", right=right)
        given = quantities.write_number(attempt.value or 0.0)
        return say("study.number-wrong", right=right, given=given)
    if not grade.correct and grade.score:
        return say("study.partly", percent=round(100 * grade.score))
    mended = mended_text(question, grade, say)
    return mended or say("study.right" if grade.correct else "study.wrong")


def _option(attempt: Attempt, question: Choice, own: int, say: Words) -> PickableRow:
    """Draw an option; once graded with its sign, and its reason if it was picked or missed.

    Once given up, every wrong one has its reason: no pick says which of them was tempting.
    """
    option = question.options[own]
    picked = own in attempt.picked or attempt.phase is Phase.REVEALED
    told = picked or (attempt.shows_answer and option.correct)
    text = question_text.option_text(question, own, say, told=told)
    if not attempt.shows_answer:
        return PickableRow(text, picked)
    if option.correct:
        is_missed = question.several and not picked and not attempt.gave_up
        missed = question_text.missed(question, own, say) if is_missed else ""
        return PickableRow(text, picked, sign="✓", note=missed)
    if option.why is None or not (picked or attempt.gave_up):
        return PickableRow(text, picked, sign="✗" if picked else "")
    return PickableRow(text, picked, sign="✗", note=prose(option.why, say.language).strip())


def _point(attempt: Attempt, question: Recall, position: int, say: Words) -> PickableRow:
    point = question.rubric[position]
    covered = position in attempt.covered or attempt.phase is Phase.REVEALED
    text = question_text.rubric_point(point, say)
    sign = "" if attempt.phase is Phase.COMPARING else ("✓" if covered else "✗")
    return PickableRow(text, covered, sign=sign)
