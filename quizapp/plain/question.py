"""How a question is asked, and what a typed line means to it. Pure: text in, value or text out."""

from __future__ import annotations

from collections.abc import Iterator

from quizapp.domain.attempt import starter_of
from quizapp.domain.grading import NotSubmitted
from quizapp.domain.question import Choice, Index, Kernel, Number, Recall, Spot, code_block, prose
from quizapp.domain.queue import Stage
from quizapp.domain.rating import USUAL_CONFIDENCE, Confidence, Rating
from quizapp.plain.console import Unclear, digits, read_numbers
from quizapp.report import numbered_code, quantities
from quizapp.report.content import question_text
from quizapp.report.verdicts import gpu_verdict
from quizapp.report.words import Words
from quizapp.study.values import Turn


def describe(turn: Turn, words: Words) -> Iterator[str]:
    """Write the question as Markdown; options are numbered in the drawn order."""
    question = turn.question
    yield _header(turn, words)
    yield ""
    if turn.explains:
        yield from question_text.how_it_works(turn, words)
        yield ""
    yield prose(question.prompt, words.language)
    if isinstance(question, Choice):
        yield ""
        if question.several:
            yield question_text.how_many(question, words)
            yield ""
        for number, position in enumerate(turn.order, 1):
            yield number_text(number, prose(question.options[position].text, words.language))
    if isinstance(question, Kernel) and question.gpu and turn.timed:
        yield ""
        yield gpu_verdict.goal(question.gpu, words)
    if isinstance(question, Index | Kernel):
        yield ""
        yield code_block(starter_of(question))
    if isinstance(question, Spot):
        yield ""
        yield code_block(with_numbers(question.code))
        yield ""
        yield numbered_code.launch(question, words)
        yield ""
        for number, kind in enumerate(question.kinds, 1):
            yield number_text(number, numbered_code.kind_name(kind, words))
    yield ""


def request(turn: Turn, words: Words) -> str:
    """Say what to type."""
    match turn.question:
        case Choice(several=True):
            return words("plain.ask.several")
        case Choice(options=options):
            return words("plain.ask.one", count=len(options))
        case Number(unit=None):
            return words("plain.ask.number")
        case Number(unit=unit):
            return words("plain.ask.unit", blank=quantities.write_blank(unit, words))
        case Recall():
            return words("plain.ask.recall")
        case Index() | Kernel():
            return words("plain.ask.code")
        case Spot(kinds=kinds):
            return words("plain.ask.spot", count=len(kinds))


def read_options(line: str, question: Choice, words: Words) -> tuple[int, ...]:
    """Read the options of a line, as rows in the order shown, from 0.

    Raises Unclear: not numbers of options, several where one is right, or not as many as asked for.
    """
    numbers = _numbers(line, 1, len(question.options), words)
    if len(numbers) > 1 and not question.several:
        raise Unclear(words("plain.unclear.one"))
    if question.stated_count not in (0, len(numbers)):
        count = question.stated_count
        raise Unclear(words("study.other-count", n=count, chosen=len(numbers)))
    return tuple(number - 1 for number in numbers)


def explain(reason: NotSubmitted, question: Number, typed: str, words: Words) -> str:
    """Say why a number cannot be graded as it was typed."""
    why = quantities.explain_number(reason, question, typed, words)
    return words("plain.not_graded", why=why)


def read_place(line: str, question: Spot, words: Words) -> tuple[int, int]:
    """Read the line that is named, from 1, and the row of the kind: `9 1`.

    Raises Unclear: not two numbers, or there is no such line or kind.
    """
    numbers = digits(line) or ()
    last = question.code.rstrip("\n").count("\n") + 1
    if len(numbers) == 2:
        place, kind = numbers
        if 1 <= place <= last and 1 <= kind <= len(question.kinds):
            return place, kind - 1
    raise Unclear(words("plain.unclear.spot", last=last, count=len(question.kinds)))


def with_numbers(code: str) -> str:
    """Number the lines of code."""
    lines = numbered_code.lines(code)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def read_points(line: str, question: Recall, words: Words) -> tuple[int, ...]:
    """Read the rubric points of a line, from 0; `0` is none.

    Raises Unclear: not numbers of points.
    """
    numbers = _numbers(line, 0, len(question.rubric), words)
    return tuple(number - 1 for number in numbers if number)


def confidence(line: str, words: Words) -> Confidence:
    """Read how sure a line says to be, by its number, or its word or how that begins.

    An empty one says what is usual. Raises Unclear: it does not say.
    """
    typed = line.strip().casefold()
    if not typed:
        return USUAL_CONFIDENCE
    for each in Confidence:
        if words(f"confidence.{int(each)}").casefold().startswith(typed):
            return each
    numbers = _numbers(line, Confidence.GUESS, Confidence.CERTAIN, words)
    if len(numbers) > 1:
        raise Unclear(words("plain.unclear.numbers", low=1, high=3))
    return Confidence(numbers[0])


def rating(line: str, suggested: Rating, words: Words) -> Rating:
    """Read the rating of a line; an empty line accepts the suggestion. Raises Unclear: neither."""
    if not line.strip():
        return suggested
    numbers = read_numbers(line, Rating.AGAIN, Rating.EASY)
    if numbers is None or len(numbers) > 1:
        raise Unclear(words("plain.unclear.rating"))
    return Rating(numbers[0])


def number_text(number: int, text: str) -> str:
    """Write `1. text`; code begins on a line of its own."""
    return f"{number}.\n{text}" if text.startswith("```") else f"{number}. {text}"


def _header(turn: Turn, words: Words) -> str:
    """Say in one line which question this is and what it is about."""
    entry, basis = turn.entry, turn.question.basis
    parts = [
        *question_text.about(turn, words, "plain.header"),
        words("plain.difficulty", n=entry.difficulty),
    ]
    if basis and turn.item.stage is not Stage.INTERVIEW:
        parts.append(words(f"basis.{basis}"))
    if turn.item.stage in (Stage.REPEAT, Stage.PRACTICE):
        parts.append(words(f"stage.{turn.item.stage}"))
    return " · ".join(parts)


def _numbers(line: str, low: int, high: int, words: Words) -> tuple[int, ...]:
    numbers = read_numbers(line, low, high)
    if numbers is None:
        raise Unclear(words("plain.unclear.numbers", low=low, high=high))
    return numbers
