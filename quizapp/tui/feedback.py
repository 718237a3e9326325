"""What the screen says about a trial: verdict, rows, reasons, ratings. Values in, text out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

from textual.content import Content

from quizapp import numbered_code
from quizapp.domain.grading import Expected
from quizapp.domain.kernel import SPOTTABLE
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
from quizapp.domain.rating import Confidence, Rating
from quizapp.domain.session import Stage
from quizapp.study.trial import Phase, Trial
from quizapp.study.values import Asked, Graded
from quizapp.tui.widgets.page import Figure, Part, Row
from quizapp.words import Words

if TYPE_CHECKING:
    from quizapp.exercises.layouts import Checked  # NumPy, 80 ms
    from quizapp.kernel_verdict import View

_SYMBOL = 3
"""Units of so many letters are symbols, longer ones words."""

MEASURE_STYLES = {True: "bold $text-success", False: "bold $text-error"}


def place(asked: Asked, say: Words) -> str:
    """Where I am: place in the session, topic, kind, difficulty, and what is special about it."""
    difficulty = "●" * asked.entry.difficulty + "○" * (5 - asked.entry.difficulty)
    parts = [
        say("study.place", position=asked.position, total=asked.total),
        say.topic(asked.entry.topic),
        say(f"kind.{asked.entry.kind}"),
        difficulty,
    ]
    if asked.item.stage is Stage.REPEAT:
        parts.append(say("stage.repeat"))
    if asked.entry.changed:
        parts.append(say("study.changed"))
    return " · ".join(parts)


def right_end(trial: Trial, say: Words) -> Content:
    """The verdict once there is one; before, what counts refer to."""
    if trial.graded is not None:
        return verdict(trial.graded, say)
    basis = trial.asked.question.basis
    return Content(say(f"basis.{basis}") if basis else "").stylize("dim")


def verdict(graded: Graded, say: Words) -> Content:
    """Right or wrong in a few words, with its sign first."""
    text = _verdict_text(graded, say)
    if graded.given.confidence is Confidence.CERTAIN and not graded.grade.correct:
        text += say("study.and-certain")
    if graded.given.confidence is Confidence.GUESS and graded.grade.correct:
        text += say("study.and-guess")
    return Content(text).stylize(MEASURE_STYLES[graded.grade.correct])


def rows(trial: Trial, say: Words) -> list[Row]:
    """The options, or the rubric's points, as they stand now."""
    question = trial.asked.question
    if isinstance(question, Choice):
        return [_option(trial, question, own, say) for own in trial.asked.order]
    if isinstance(question, Recall) and trial.phase in (Phase.COMPARING, Phase.GRADED):
        return [_point(trial, question, i, say) for i in range(len(question.rubric))]
    if isinstance(question, Spot) and trial.graded is None:
        return [
            Row(numbered_code.kind_name(kind, say), i in trial.picked)
            for i, kind in enumerate(SPOTTABLE)
        ]
    return []


def answer(trial: Trial, say: Words) -> str:
    """The right answer in words, where the rows do not show it."""
    question = trial.asked.question
    graded = trial.graded
    if isinstance(question, Recall) and trial.phase in (Phase.COMPARING, Phase.GRADED):
        return f"**{say('study.model-answer')}**\n\n{prose(question.answer, say.language)}"
    if isinstance(question, Number) and graded is not None and graded.expected is not None:
        right = f"**{expected_text(question, graded.expected, say)}**"
        return say("study.the-answer", right=right) + _accepted(question, graded.expected, say)
    if isinstance(question, Index | Kernel) and graded is not None and graded.given.gave_up:
        return f"**{say('study.a-solution')}**\n\n{code_block(question.solution or '')}"
    return ""


def code(trial: Trial) -> Part:
    """The kernel of a `spot`, with the line that is meant; once graded, with those that are."""
    question = trial.asked.question
    assert isinstance(question, Spot)  # noqa: S101 - the only kind that is looked at
    right = None if trial.spotted is None or trial.graded is None else trial.spotted.lines
    pointed = None if trial.gave_up else trial.cursor + 1
    return Figure(lambda _: numbered_code.lines(question.code, pointed=pointed, right=right))


def own_text(trial: Trial, say: Words) -> Content:
    """What the person wrote or named; code as it is, prose dimmed."""
    text = Content(trial.text)
    if trial.named is not None and trial.graded is not None:
        line, kind = trial.named
        text = Content(say("study.named", line=line, kind=numbered_code.kind_name(kind, say)))
    return text if isinstance(trial.asked.question, Index | Kernel) else text.stylize("dim")


def figures(trial: Trial, say: Words, *, detailed: bool, view: View | None) -> list[Part]:
    """What the graders have to show: of a trace that went wrong, of every submission, of a fault.

    `view`: of a kernel, the one that the person turned to; None for the first there is.
    """
    if isinstance(trial.asked.question, Kernel):
        from quizapp.tui import kernel_feedback  # noqa: PLC0415 - NumPy, 80 ms

        return kernel_feedback.parts(trial, say, view)
    if trial.checked is not None:
        return _submitted(cast("Checked", trial.checked), say, detailed=detailed)
    if trial.spotted is not None and trial.graded is not None:
        from quizapp import kernel_verdict  # noqa: PLC0415 - NumPy, 80 ms

        found = trial.spotted
        return [Figure(lambda _: kernel_verdict.spotted(found, say))]
    return _traced(trial, say, detailed=detailed)


def _traced(trial: Trial, say: Words, *, detailed: bool) -> list[Part]:
    """The access of a trace that went wrong, or on demand."""
    graded = trial.graded
    if trial.asked.drawn is None or graded is None or (graded.grade.correct and not detailed):
        return []
    from quizapp import trace_figure  # noqa: PLC0415 - NumPy, 80 ms
    from quizapp.exercises.traces import Drawn  # noqa: PLC0415

    drawn = trial.asked.drawn
    if not isinstance(drawn, Drawn):
        return []
    return [Figure(lambda width: trace_figure.lines(drawn, say, width, detailed=detailed))]


def _submitted(checked: Checked, say: Words, *, detailed: bool) -> list[Part]:
    """Verdict, reason and costs; the bank maps of one that passed on demand only."""
    from quizapp import layout_verdict  # noqa: PLC0415 - NumPy, 80 ms

    parts: list[Part] = []
    if not checked.passed:
        parts.append(Figure(lambda _: layout_verdict.failure(checked, say)))
        parts.append(layout_verdict.mistake(checked, say))
    if not checked.grade.accesses:
        return parts
    parts.append(Figure(lambda _: layout_verdict.figures(checked, say)))
    if detailed or not checked.passed:
        parts.append(Figure(lambda width: layout_verdict.maps(checked, say, width)))
    if detailed and checked.passed:
        best = list(layout_verdict.best(checked, say))
        parts.append(Figure(lambda _: best))
    return parts


def explanation(question: PutQuestion, say: Words) -> str:
    """Why."""
    return prose(question.explanation, say.language).strip()


def detail(question: PutQuestion, say: Words) -> str:
    """On demand: sources, checked claims, how an interviewer would go on."""
    parts = [f"**{say('study.sources')}**", "\n".join(f"- {s}" for s in question.sources)]
    if any(source.startswith("source 00") for source in question.sources) or question.claims:
        parts.append(say("study.where"))
    if question.claims:
        numbers = ", ".join(str(number) for number in question.claims)
        parts.append(say("study.claims", claims=numbers))
    if isinstance(question, Index | Kernel):
        parts[:0] = [f"**{say('study.a-solution')}**", code_block(question.solution or "")]
    if question.follow_ups:
        parts.append(f"**{say('study.follow-ups')}**")
        parts.append("\n".join(f"- {prose(f, say.language)}" for f in question.follow_ups))
    return "\n\n".join(parts)


def authored(question: PutQuestion, say: Words) -> Iterator[Part]:
    """Of an exercise, what else its author wrote: the beginning, and known mistakes."""
    if not isinstance(question, Index | Kernel):
        return
    yield f"**{say('preview.starter')}**\n\n{code_block(question.starter or '')}"
    wrong: Sequence[WrongSolution | WrongKernel] = question.wrong
    for one in wrong:
        title = say("preview.mistake", gate=one.fails)
        yield f"**{title}**\n\n{prose(one.why, say.language).strip()}"
        if isinstance(one, WrongKernel):
            yield _changed(question.solution or "", one.source or "", say)
        else:
            yield code_block(one.source)


def _changed(old: str, new: str, say: Words) -> Figure:
    from quizapp import kernel_verdict  # noqa: PLC0415 - NumPy, 80 ms

    return Figure(lambda _: kernel_verdict.difference(old, new, say))


def confidence_line(say: Words) -> Content:
    """How sure? Asked before the verdict is known."""
    line = Content(say("study.sure"))
    for confidence in Confidence:
        line += Content.assemble(
            "   ",
            (str(int(confidence)), "bold $text-accent"),
            f" {say(f'confidence.{int(confidence)}')}",
        )
    return line


def rule_text(graded: Graded, say: Words) -> str:
    """Which rule gave the rating."""
    percent = round(100 * graded.grade.score)
    rule = say(f"rule.{graded.suggestion.rule}", percent=percent)
    return say("study.rule", rating=rating_name(graded.suggestion.rating, say), rule=rule)


def ratings(graded: Graded, say: Words) -> Content:
    """Each rating with its key and what it would mean in days; the suggested one stands out."""
    line = Content("")
    for rating in Rating:
        days = say("study.back-in-session") if rating is Rating.AGAIN else ""
        days = days or say("days", n=graded.days[rating])
        chosen = rating is graded.suggestion.rating
        text = f"{int(rating)} {rating_name(rating, say)} {days}"
        shown = Content(f"[{text}]" if chosen else f" {text} ")
        line = line + shown.stylize("bold $text-accent" if chosen else "dim") + Content(" ")
    return line


def rating_name(rating: Rating, say: Words) -> str:
    """The rating's word."""
    return say(f"rating.{int(rating)}")


def expected_text(question: Number, expected: Expected, say: Words) -> str:
    """What was expected, with its unit."""
    unit = f" {_unit(say.unit(question.unit), expected.value)}" if question.unit else ""
    if question.range is not None:
        low, high = (number_text(bound) for bound in question.range)
        return say("study.range", low=low, high=high) + unit
    return number_text(expected.value) + unit


def _unit(unit: str, value: float) -> str:
    """`wavefronts`, but 1 `wavefront`; symbols such as `ms` and `GB/s` stay."""
    words = unit.isalpha() and unit.endswith("s") and len(unit) > _SYMBOL
    return unit[:-1] if value == 1 and words else unit


def _accepted(question: Number, expected: Expected, say: Words) -> str:
    """The bounds, where more than one value is right and the answer does not show them."""
    if question.range is not None or expected.low == expected.high:
        return ""
    low, high = number_text(expected.low), number_text(expected.high)
    return f" ({say('study.accepted', low=low, high=high)})"


def number_text(value: float) -> str:
    """A number without noise: 32, 1,024, 195.84."""
    if value == int(value) and abs(value) < 1e15:  # noqa: PLR2004 - exact integers
        return f"{int(value):,}"
    return f"{value:,.6g}"


def _verdict_text(graded: Graded, say: Words) -> str:
    question, sign = graded.asked.question, "✓" if graded.grade.correct else "✗"
    if graded.given.gave_up:
        return say("study.gave-up")
    if isinstance(question, Recall):
        return say("study.covered", sign=sign, percent=round(100 * graded.grade.score))
    if isinstance(question, Number) and graded.expected is not None:
        right = expected_text(question, graded.expected, say)
        if graded.grade.correct:
            return say("study.number-right", right=right)
        given = number_text(graded.given.value or 0.0)
        return say("study.number-wrong", right=right, given=given)
    return say("study.right" if graded.grade.correct else "study.wrong")


def _option(trial: Trial, question: Choice, own: int, say: Words) -> Row:
    """An option; once graded with its sign, and its reason when it was picked or missed."""
    option = question.options[own]
    picked = own in trial.picked
    text = prose(option.text, say.language)
    if trial.phase is not Phase.GRADED:
        return Row(text, picked)
    if option.correct:
        missed = say("study.missed") if question.several and not picked else ""
        return Row(text, picked, sign="✓", note=missed)
    why = prose(option.why, say.language).strip() if option.why is not None and picked else ""
    return Row(text, picked, sign="✗" if picked else "", note=why)


def _point(trial: Trial, question: Recall, position: int, say: Words) -> Row:
    point = question.rubric[position]
    covered = position in trial.covered
    text = f"{prose(point.point, say.language)} ({point.weight})"
    sign = "" if trial.phase is Phase.COMPARING else ("✓" if covered else "✗")
    return Row(text, covered, sign=sign)
