"""What is said after an answer, as Markdown: verdict first, then the right answer, then why. Pure.

Options go by the numbers they were shown under, not by their place in the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from quizapp.domain.question import (
    Choice,
    FactChoice,
    Index,
    Kernel,
    Number,
    Recall,
    Spot,
    code_block,
    prose,
)
from quizapp.domain.rating import Confidence, Rating, is_confident_error
from quizapp.exercises import traces
from quizapp.exercises.numbers import compute_answer
from quizapp.plain.question import number_text
from quizapp.report import quantities, trace_figure
from quizapp.report.content import question_text
from quizapp.report.studying.ratings import (
    brought_forward_text,
    counted_text,
    covered_text,
    credit_text,
    mended_text,
    put_off_text,
    rating_name,
    rule_text,
    set_aside_text,
    unscheduled_text,
)
from quizapp.report.words import Words
from quizapp.study.values import GradedResponse


def feedback(graded: GradedResponse, words: Words, *, repeats: bool = True) -> Iterator[str]:
    """Yield all that is said at once; a recall's model answer was said before its points.

    `repeats`: whether a number that was answered is repeated beside what is right.
    """
    yield verdict(graded, words)
    picked = graded.response.picked
    if counted := counted_text(graded.turn.question, graded.grade, picked, words):
        yield counted
    match graded.turn.question:
        case Choice() as choice:
            yield from _choice(choice, graded, words)
        case Number() as number:
            yield _number(number, graded, words, repeats=repeats)
            yield from _describe_trace(graded, words)
        case Recall() as recall:
            if graded.response.effort.gave_up:
                yield from model_answer(recall, words)
        case Index(solution=solution) | Kernel(solution=solution):
            if graded.response.effort.gave_up:
                yield words("study.a-solution")
                yield code_block(solution or "")
        case Spot():
            pass  # what is wrong with it is said by `session`, which can ask the emulator
    yield ""
    yield prose(graded.turn.question.explanation, words.language)
    yield from _rated(graded, words)


def _rated(graded: GradedResponse, words: Words) -> Iterator[str]:
    """Yield the rating with its rule, and what else there is to say of when it returns."""
    if graded.turn.is_practice:
        if said := unscheduled_text(graded.turn, words):
            yield from ("", said)
        return
    yield from ("", rule_text(graded, words))
    if earlier := brought_forward_text(graded, words):
        yield earlier
    suggested = graded.suggestion.rating
    if aside := set_aside_text(graded.turn, suggested, words):
        yield aside
    elif offered := put_off_text(graded.turn, suggested, words, ":b"):
        yield offered


def verdict(graded: GradedResponse, words: Words) -> str:
    """Say right or wrong, with a sign and a word, if it was a guess, and what it counts."""
    return _verdict(graded, words) + credit_text(graded, words)


def _verdict(graded: GradedResponse, words: Words) -> str:
    if graded.response.effort.gave_up:
        return words("plain.gave_up")
    confidence = graded.response.effort.confidence
    measured = _measured(graded, words)
    if graded.grade.correct:
        return measured + (words("study.and-guess") if confidence is Confidence.GUESS else "")
    is_recall = isinstance(graded.turn.question, Recall)
    sure = is_confident_error(confidence, graded.grade, is_recall=is_recall, credit=graded.credit)
    return measured + (f" · {words('plain.certain_wrong')}" if sure else "")


def _measured(graded: GradedResponse, words: Words) -> str:
    question, grade = graded.turn.question, graded.grade
    if isinstance(question, Recall):
        return covered_text(grade, words)
    if grade.correct:
        return mended_text(question, grade, words) or words("plain.right")
    if grade.score:
        return words("study.partly", percent=round(100 * grade.score))
    return words("plain.wrong")


def model_answer(recall: Recall, words: Words) -> Iterator[str]:
    """Yield the model answer and its numbered points."""
    yield words("plain.model")
    yield prose(recall.answer, words.language)
    yield ""
    yield words("plain.points")
    for number, point in enumerate(recall.rubric, 1):
        yield number_text(number, question_text.rubric_point(point, words))


def ratings(graded: GradedResponse, words: Words) -> str:
    """Yield each rating with its digit and when the question would return."""
    return " · ".join(
        words(
            "plain.rating",
            number=int(rating),
            rating=rating_name(rating, words),
            when=words("days.today")
            if rating is Rating.AGAIN
            else words("days", n=graded.days[rating]),
        )
        for rating in Rating
    )


def more(graded: GradedResponse, words: Words) -> Iterator[str]:
    """Yield what is said on demand: why of each option, the twin, sources, follow-up questions."""
    question = graded.turn.question
    yield from question_text.twin(question, words)
    if isinstance(question, Choice):
        for number, position in enumerate(graded.turn.order, 1):
            yield _reason(question, number, position, words)
    if question.basis and not graded.turn.explains:
        yield words(f"basis.{question.basis}.means")
    yield words("plain.sources")
    yield from (f"- {source}" for source in question_text.sources(question, words))
    if question.follow_ups:
        yield words("plain.follow_ups")
        yield from question_text.follow_ups(graded.turn, words, answered=False)
        if question_text.has_answers(question):
            yield words("plain.follow_up_answers")


def follow_up_answers(graded: GradedResponse, words: Words) -> Iterator[str]:
    """Yield the follow-up questions with their answers."""
    yield words("plain.follow_ups")
    yield from question_text.follow_ups(graded.turn, words, answered=True)


def _choice(question: Choice, graded: GradedResponse, words: Words) -> Iterator[str]:
    order = list(enumerate(graded.turn.order, 1))
    right = [(number, position) for number, position in order if question.options[position].correct]
    yield words("plain.answer", answer=" ".join(str(number) for number, _ in right))
    for number, position in right:
        text = question_text.option_text(question, position, words, told=True)
        yield number_text(number, text)
    gave_up = graded.response.effort.gave_up
    if isinstance(question, FactChoice) and not gave_up:
        for number, position in right:
            if position not in graded.response.picked:
                why = question_text.missed(question, position, words)
                yield number_text(number, why)
    for number, position in order:
        explained = gave_up or position in graded.response.picked
        if explained and not question.options[position].correct:
            yield _reason(question, number, position, words)


def _reason(question: Choice, number: int, position: int, words: Words) -> str:
    option = question.options[position]
    if option.why is None:
        return words("plain.option_right", number=number)
    if isinstance(question, FactChoice):
        return words("plain.fact_unneeded", number=number, why=prose(option.why, words.language))
    return words("plain.option_wrong", number=number, why=prose(option.why, words.language))


def _number(question: Number, graded: GradedResponse, words: Words, *, repeats: bool) -> str:
    bounds = compute_answer(question)
    answer = quantities.write_expected(question, bounds, words)
    accepted = quantities.write_accepted(question, bounds, words)
    said = words("plain.answer", answer=answer) + accepted
    response = graded.response
    yours = quantities.write_typed(question, response.text, response.value, words)
    return f"{said} · {words('plain.yours', answer=yours)}" if yours and repeats else said


def _describe_trace(graded: GradedResponse, words: Words) -> Iterator[str]:
    """Say what the access of a trace costs, and which lanes conflict."""
    drawn = graded.turn.drawn
    if drawn is not None and isinstance(drawn, traces.DrawnTrace):
        yield from trace_figure.summary(drawn, words)
