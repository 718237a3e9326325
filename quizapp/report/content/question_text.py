"""A question with its answer as text, for an author without a screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, cast

from quizapp.domain import question as questions
from quizapp.domain.languages import ENDINGS, dialect_of
from quizapp.exercises.numbers import compute_answer
from quizapp.report import difference, first_words, numbered_code, quantities
from quizapp.report.numbers import count_between

if TYPE_CHECKING:
    from quizapp.domain.question import Choice, Kernel, Number, PutQuestion, RubricPoint
    from quizapp.exercises.spots import SpotAnswer
    from quizapp.report.words import Words
    from quizapp.study.browsing import RevealedAnswer
    from quizapp.study.values import Turn

_NOTED = re.compile(r"(.*) \(([a-z, ]+)\)")
_MODULE = re.compile(r"grader(\.\w+)?")
RenderMarkdown = Callable[[str], Sequence[str]]
"""Renders Markdown as lines of text."""


def about(turn: Turn, say: Words, key: str = "study.place") -> list[str]:
    """Say which question this is, its topic, and its kind.

    An interview names no topic, since that can be half the answer.
    `key`: of the sentence that says which question it is.
    """
    topic = [] if turn.withholds else [say.topic(turn.entry.topic_names)]
    return [_place_text(turn, say, key), *topic, say(f"kind.{turn.entry.kind}")]


def _place_text(turn: Turn, say: Words, key: str) -> str:
    """Say which question this is, of how many; of one about a kernel, within its stage."""
    total = count_between(turn.least_total, turn.total, say)
    place = say(key, position=turn.position, total=total)
    if turn.part is None:
        return place
    number, several = turn.part
    return say("mock.place-in-stage", place=place, position=number, total=several)


def question_text(shown: RevealedAnswer, say: Words, render: RenderMarkdown) -> Iterator[str]:
    """Write the question, its answer and its explanation, line by line."""
    entry, question = shown.turn.entry, shown.turn.question
    kind, topic = say(f"kind.{entry.kind}"), say.topic(entry.topic_names)
    yield say("preview.heading", id=entry.id, kind=kind, topic=topic, difficulty=entry.difficulty)
    yield ""
    yield from render(questions.prose(question.prompt, say.language))
    yield ""
    yield from _answer(shown, say)
    yield ""
    yield from render(questions.prose(question.explanation, say.language))
    yield from (say("preview.source", source=line) for line in sources(question, say))


def how_it_works(turn: Turn, say: Words) -> Iterator[str]:
    """Say how the kind of a question works, and what its counts refer to."""
    yield explain_kind(turn, say)
    if turn.question.basis:
        yield say(f"basis.{turn.question.basis}.means")


def explain_kind(turn: Turn, say: Words) -> str:
    """Say how the kind of a question works; of a kernel, in which languages it can be written."""
    kind = turn.entry.kind
    if kind != "kernel":
        return say(f"guide.kind.{kind}")
    code = say(f"code.{dialect_of(turn.question)}")
    if turn.other_language is None:
        return say("guide.kind.kernel-in", code=code)
    other = say(f"code.{turn.other_language}")
    return say("guide.kind.kernel-in-either", code=code, other=other)


def sources(question: PutQuestion, say: Words) -> Iterator[str]:
    """Name where a question's facts are from; how they were found out, in the person's words."""
    for source in question.sources:
        text, note = source, ""
        if (noted := _NOTED.fullmatch(source)) and (
            note := say.get(f"source.note.{_slug(noted[2])}", "")
        ):
            text = noted[1]
        how, _, what = text.partition(": ")
        if what and (known := say.get(f"source.{_slug(how)}", "")):
            text = say("source-of", how=known, what=_name_tool(what, say))
        yield say("source-noted", source=text, note=note) if note else text


def follow_ups(turn: Turn, say: Words, *, answered: bool) -> Iterator[str]:
    """Write what an interviewer may ask next as Markdown: the questions, or each with its answer.

    Of another question of the deck there are its first words, and its id to find it by.
    """
    for number, follow in enumerate(turn.question.follow_ups, 1):
        if isinstance(follow, str):
            linked = turn.linked.get(follow)
            words = "" if linked is None else first_words.first_words(linked, say.language)
            yield f"{number}. {words} (`{follow}`)" if words else f"{number}. `{follow}`"
            continue
        asked = questions.prose(follow.prompt, say.language).strip()
        answer = follow.answer and questions.prose(follow.answer, say.language).strip()
        if answered and answer:
            yield f"{number}. **{asked}**"
            yield answer
        else:
            yield f"{number}. {asked}"


def has_answers(question: PutQuestion) -> bool:
    """Return True if a follow-up question has an answer to be shown."""
    return any(not isinstance(follow, str) and follow.answer for follow in question.follow_ups)


def twin(question: PutQuestion, say: Words) -> Iterator[str]:
    """Write the solution in the other language and what it is compared with; Markdown."""
    if not isinstance(question, questions.Kernel) or question.twin is None:
        return
    language = say(f"code.{question.twin.language}")
    for key, source in (
        ("study.twin-solution", question.twin.solution),
        ("study.twin-baseline", question.twin.baseline),
    ):
        if source is not None:
            yield f"**{say(key, language=language)}**"
            yield questions.code_block(source)


def _name_tool(what: str, say: Words) -> str:
    """Write the module that computed something as the tool that it is."""
    module = _MODULE.match(what)
    if module is None or not say.knows(f"source.tool.{module[0]}"):
        return what
    return say(f"source.tool.{module[0]}") + what[module.end() :]


def _slug(words: str) -> str:
    return words.replace(" ", "-")


def _answer(shown: RevealedAnswer, say: Words) -> Iterator[str]:
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
            yield from (f"- {rubric_point(point, say)}" for point in rubric)


def how_many(choice: Choice, say: Words) -> str:
    """Say how many options to choose, where it may be more than one."""
    if isinstance(choice, questions.FactChoice):
        return say("study.asks")
    count = choice.stated_count
    return say("study.several-count", n=count) if count else say("study.several")


def option_text(choice: Choice, position: int, say: Words, *, told: bool = False) -> str:
    """Write an option; of a fact, with the answer where that is told."""
    text = questions.prose(choice.options[position].text, say.language)
    if told and isinstance(choice, questions.FactChoice):
        answer = questions.prose(choice.facts[position].told, say.language).strip()
        return say("study.told", asked=text.strip(), told=answer)
    return text


def missed(choice: Choice, position: int, say: Words) -> str:
    """Say that a right option was not picked; of a fact, what depends on it."""
    if isinstance(choice, questions.FactChoice):
        why = questions.prose(choice.facts[position].why, say.language).strip()
        return say("study.not-asked", why=why)
    return say("study.missed")


def rubric_point(point: RubricPoint, say: Words) -> str:
    """Write a point of an interview answer with its weight."""
    text = questions.prose(point.point, say.language)
    return say("study.point", text=text, weight=point.weight)


def _number(number: Number, say: Words) -> str:
    bounds = compute_answer(number)
    expected = quantities.write_expected(number, bounds, say)
    return say("preview.answer", value=expected + quantities.write_accepted(number, bounds, say))


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
    if kernel.twin is not None:
        ending = ENDINGS[kernel.twin.language]
        yield f"solution{ending}:\n{kernel.twin.solution}"
        if kernel.twin.baseline is not None:
            yield f"baseline{ending}:\n{kernel.twin.baseline}"
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
