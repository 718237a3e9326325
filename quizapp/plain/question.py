"""How a question is put, and what a typed line means to it. Pure: text in, value or text out."""

from __future__ import annotations

from collections.abc import Iterator

from quizapp import numbered_code
from quizapp.domain import grading
from quizapp.domain.grading import NotANumber, UnknownUnit
from quizapp.domain.kernel import SPOTTABLE
from quizapp.domain.question import (
    Choice,
    Index,
    Kernel,
    Number,
    Recall,
    Spot,
    code_block,
    prose,
)
from quizapp.domain.rating import Confidence, Rating
from quizapp.domain.session import Stage
from quizapp.gpu import goal
from quizapp.plain.console import Unclear, read_numbers
from quizapp.study.values import Asked, starter
from quizapp.words import Words


def put(asked: Asked, words: Words) -> Iterator[str]:
    """The question as Markdown; options are numbered in the drawn order."""
    question = asked.question
    yield _header(asked, words)
    yield ""
    yield prose(question.prompt, words.language)
    if isinstance(question, Choice):
        yield ""
        for number, position in enumerate(asked.order, 1):
            yield numbered(number, prose(question.options[position].text, words.language))
    if isinstance(question, Kernel) and question.gpu and asked.timed:
        yield ""
        yield goal(question.gpu, words)
    if isinstance(question, Index | Kernel):
        yield ""
        yield code_block(starter(question))
    if isinstance(question, Spot):
        yield ""
        yield code_block(with_numbers(question.code))
        yield ""
        for number, kind in enumerate(SPOTTABLE, 1):
            yield numbered(number, numbered_code.kind_name(kind, words))
    yield ""


def request(asked: Asked, words: Words) -> str:
    """What to type."""
    match asked.question:
        case Choice(several=True):
            return words("plain.ask.several")
        case Choice(options=options):
            return words("plain.ask.one", count=len(options))
        case Number(unit=None):
            return words("plain.ask.number")
        case Number(unit=unit):
            return words("plain.ask.unit", unit=unit)
        case Recall():
            return words("plain.ask.recall")
        case Index() | Kernel():
            return words("plain.ask.code")
        case Spot():
            return words("plain.ask.spot", count=len(SPOTTABLE))


def picked(line: str, asked: Asked, question: Choice, words: Words) -> tuple[int, ...]:
    """The options of a line, as positions in the file.

    Raises:
        Unclear: no numbers of options, or several where one is right.
    """
    numbers = _numbers(line, 1, len(question.options), words)
    if len(numbers) > 1 and not question.several:
        raise Unclear(words("plain.unclear.one"))
    return tuple(sorted(asked.order[number - 1] for number in numbers))


def value(line: str, question: Number, words: Words) -> float:
    """The number of a line, in the question's unit.

    Raises:
        Unclear: no number, or a unit that the question does not know.
    """
    try:
        return grading.read_number(question, line)
    except NotANumber:
        raise Unclear(words("plain.unclear.number", text=line.strip())) from None
    except UnknownUnit as error:
        known = ", ".join([question.unit or "", *question.units]).strip(", ")
        key = "plain.unclear.unit" if known else "plain.unclear.no_unit"
        raise Unclear(words(key, unit=error, known=known)) from None


def named(line: str, question: Spot, words: Words) -> tuple[int, str]:
    """The line and the kind of fault that are named: `9 1`.

    Raises:
        Unclear: not two numbers, or there is no such line or kind.
    """
    parts = line.replace(",", " ").replace("，", " ").split()
    last = question.code.rstrip("\n").count("\n") + 1
    if len(parts) == 2 and all(part.isdecimal() for part in parts):  # noqa: PLR2004 - a pair
        place, kind = map(int, parts)
        if 1 <= place <= last and 1 <= kind <= len(SPOTTABLE):
            return place, SPOTTABLE[kind - 1]
    raise Unclear(words("plain.unclear.spot", last=last, count=len(SPOTTABLE)))


def with_numbers(code: str) -> str:
    """Code with its line numbers."""
    lines = numbered_code.lines(code)
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines)


def covered(line: str, question: Recall, words: Words) -> tuple[int, ...]:
    """The rubric points of a line, from 0; `0` is none.

    Raises:
        Unclear: no numbers of points.
    """
    numbers = _numbers(line, 0, len(question.rubric), words)
    return tuple(number - 1 for number in numbers if number)


def confidence(line: str, words: Words) -> Confidence:
    """How sure a line says to be.

    Raises:
        Unclear: it does not say.
    """
    numbers = _numbers(line, Confidence.GUESS, Confidence.CERTAIN, words)
    if len(numbers) > 1:
        raise Unclear(words("plain.unclear.numbers", low=1, high=3))
    return Confidence(numbers[0])


def rating(line: str, suggested: Rating, words: Words) -> Rating:
    """The rating of a line; an empty one accepts what was suggested.

    Raises:
        Unclear: neither.
    """
    if not line.strip():
        return suggested
    numbers = read_numbers(line, Rating.AGAIN, Rating.EASY)
    if numbers is None or len(numbers) > 1:
        raise Unclear(words("plain.unclear.rating"))
    return Rating(numbers[0])


def numbered(number: int, text: str) -> str:
    """`1. text`; code begins on a line of its own."""
    return f"{number}.\n{text}" if text.startswith("```") else f"{number}. {text}"


def _header(asked: Asked, words: Words) -> str:
    """Where we are and what it is about, in one line."""
    entry, basis = asked.entry, asked.question.basis
    parts = [
        words("plain.header", position=asked.position, total=asked.total),
        words.topic(entry.topic),
        words(f"kind.{entry.kind}"),
        words("plain.difficulty", n=entry.difficulty),
    ]
    if basis:
        parts.append(words(f"basis.{basis}"))
    if asked.item.stage is Stage.REPEAT:
        parts.append(words(f"stage.{asked.item.stage}"))
    return " · ".join(parts)


def _numbers(line: str, low: int, high: int, words: Words) -> tuple[int, ...]:
    numbers = read_numbers(line, low, high)
    if numbers is None:
        raise Unclear(words("plain.unclear.numbers", low=low, high=high))
    return numbers
