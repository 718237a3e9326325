"""A question with its answer as text, for an author without a screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from quizapp.domain import question as questions
from quizapp.report import difference, numbered_code
from quizapp.study import recording

if TYPE_CHECKING:
    from quizapp.domain.question import Choice, Kernel, Number
    from quizapp.exercises.spots import SpotAnswer
    from quizapp.report.words import Words
    from quizapp.study.browsing import Revealed

RenderMarkdown = Callable[[str], Sequence[str]]
"""Renders Markdown as lines of text."""


def question_text(shown: Revealed, say: Words, render: RenderMarkdown) -> Iterator[str]:
    """Write the question, its answer and its explanation, line by line."""
    entry, question = shown.turn.entry, shown.turn.question
    fields = {"id": entry.id, "kind": entry.kind, "topic": entry.topic}
    yield say("preview.heading", **fields, difficulty=entry.difficulty)
    yield ""
    yield from render(questions.prose(question.prompt, say.language))
    yield ""
    yield from _answer(shown, say)
    yield ""
    yield from render(questions.prose(question.explanation, say.language))
    yield from (say("preview.source", source=source) for source in question.sources)


def _answer(shown: Revealed, say: Words) -> Iterator[str]:
    """Write what is right, by kind."""
    match shown.turn.question:
        case questions.Choice() as choice:
            yield from _choice(choice, say)
        case questions.Number() as number:
            yield _number(number, say)
        case questions.Index(solution=solution, wrong=wrong):
            yield solution
            for mistake in wrong:
                yield say("preview.wrong", mistake=mistake.source.strip())
                why = questions.prose(mistake.why, say.language)
                yield say("preview.fails", gate=mistake.fails, why=why)
        case questions.Kernel() as kernel:
            yield from _kernel(kernel, say)
        case questions.Spot(code=code):
            yield from _spot(code, cast("SpotAnswer | None", shown.attempt.key), say)
        case questions.Recall(answer=answer, rubric=rubric):
            yield questions.prose(answer, say.language)
            yield from (f"- {questions.prose(p.point, say.language)} ({p.weight})" for p in rubric)


def _number(number: Number, say: Words) -> str:
    bounds = recording.compute_answer(number)
    low, high = f"{bounds.low:.12g}", f"{bounds.high:.12g}"
    unit = number.unit or ""
    if low == high:
        return say("preview.answer", value=low, unit=unit).rstrip()
    return say("preview.answer-range", low=low, high=high, unit=unit).rstrip()


def _choice(choice: Choice, say: Words) -> Iterator[str]:
    for number, option in enumerate(choice.options, 1):
        text = questions.prose(option.text, say.language)
        key = "preview.right-option" if option.correct else "preview.wrong-option"
        yield say(key, number=number, text=text)
        if option.why is not None:
            yield f"   {questions.prose(option.why, say.language)}"


def _kernel(kernel: Kernel, say: Words) -> Iterator[str]:
    """Write the starter, the solution, and how mistakes differ from that."""
    solution = kernel.solution or ""
    yield f"{say('preview.starter-file')}\n{kernel.starter}"
    yield f"{say('preview.solution-file')}\n{solution}"
    for mistake in kernel.wrong:
        yield say("preview.wrong", mistake=mistake.file)
        why = questions.prose(mistake.why, say.language)
        yield say("preview.fails", gate=mistake.fails, why=why)
        lines = difference.lines(solution, mistake.source or "", say)
        yield from ("".join(text for text, _ in line) for line in lines)
        yield ""


def _spot(code: str, answer: SpotAnswer | None, say: Words) -> Iterator[str]:
    """Write the code, and the lines and kinds that are right."""
    for line in numbered_code.lines(code, right=answer.lines if answer else None):
        yield "".join(text for text, _ in line).rstrip()
    for number, kind in sorted(answer.places) if answer else []:
        yield say("preview.right-place", line=number, kind=kind)
