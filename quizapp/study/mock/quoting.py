"""What a later stage of an interview quotes: what was answered, and what is right. Pure.

Numbers have no unit and choices no letter: the text around the quote says what they are.
"""

from __future__ import annotations

from collections.abc import Iterable

from quizapp.domain.attempt import Response
from quizapp.domain.question import (
    Choice,
    FactChoice,
    Index,
    Kernel,
    Language,
    Number,
    Prose,
    PutQuestion,
    Recall,
    Spot,
    code_block,
    prose,
)
from quizapp.exercises.numbers import compute_answer

_DIGITS = 4


def quote_answer(question: PutQuestion, response: Response, language: Language) -> str:
    """Return what a person answered, as a later stage shows it; empty if there is nothing."""
    if response.effort.gave_up:
        return ""
    match question:
        case Number():
            return "" if response.value is None else _number(response.value)
        case FactChoice(facts=facts):
            return _told((facts[i].told for i in response.picked), language)
        case Choice(options=options):
            return _options([prose(options[i].text, language) for i in response.picked])
        case Index() | Kernel():
            return code_block(response.text)
        case Recall():
            return "\n".join(f"> {line}" for line in response.text.strip().splitlines())
        case Spot(code=code):
            return "" if response.claimed_bug is None else _line(code, response.claimed_bug[0])


def quote_correct(question: PutQuestion, language: Language) -> str:
    """Return what is right, as a later stage shows it."""
    match question:
        case Number():
            bounds = compute_answer(question)
            return _number(bounds.value)
        case FactChoice(facts=facts):
            return _told((each.told for each in facts if each.matters), language)
        case Choice(options=options):
            return _options([prose(o.text, language) for o in options if o.correct])
        case Index(solution=solution) | Kernel(solution=solution):
            return code_block(solution or "")
        case Recall(answer=answer):
            return prose(answer, language).strip()
        case Spot(cause=cause):
            return f"`{cause[0].strip()}`" if cause else ""


def knows_facts(question: PutQuestion, response: str) -> bool:
    """Return True if all facts that matter were asked for, whatever else was."""
    asked = {int(word) for word in response.split() if word.isdecimal()}
    return isinstance(question, FactChoice) and all(
        i in asked for i, each in enumerate(question.facts) if each.matters
    )


def _told(texts: Iterable[Prose], language: Language) -> str:
    """Join sentences; in Chinese without a blank between them."""
    return ("" if language == "zh" else " ").join(prose(each, language).strip() for each in texts)


def _number(value: float) -> str:
    whole = value == int(value) and abs(value) < 1e15
    return f"{int(value):,}" if whole else f"{value:,.{_DIGITS}g}"


def _options(texts: list[str]) -> str:
    return "; ".join(text.strip().rstrip(".。") for text in texts)


def _line(code: str, number: int) -> str:
    lines = code.splitlines()
    return f"`{lines[number - 1].strip()}`" if 0 < number <= len(lines) else ""
