"""What the screen says about a trial: verdict, rows, reasons, ratings. Values in, text out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from quizapp.domain.grading import Expected
from quizapp.domain.question import (
    Choice,
    Index,
    Number,
    PutQuestion,
    Recall,
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
    if isinstance(question, Index) and graded is not None and graded.given.gave_up:
        return f"**{say('study.a-solution')}**\n\n{code_block(question.solution)}"
    return ""


def own_text(trial: Trial) -> Content:
    """What the person wrote; code as it is, prose dimmed."""
    text = Content(trial.text)
    return text if isinstance(trial.asked.question, Index) else text.stylize("dim")


def figures(trial: Trial, say: Words, *, detailed: bool) -> list[Part]:
    """What the bank model has to show: of a trace that went wrong, of every submission."""
    if trial.checked is not None:
        return _submitted(trial.checked, say, detailed=detailed)
    drawn, graded = trial.asked.drawn, trial.graded
    if drawn is None or graded is None or (graded.grade.correct and not detailed):
        return []
    from quizapp import trace_figure  # noqa: PLC0415 - NumPy, 80 ms

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
    if isinstance(question, Index):
        parts[:0] = [f"**{say('study.a-solution')}**", code_block(question.solution)]
    if question.follow_ups:
        parts.append(f"**{say('study.follow-ups')}**")
        parts.append("\n".join(f"- {prose(f, say.language)}" for f in question.follow_ups))
    return "\n\n".join(parts)


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
