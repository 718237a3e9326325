"""From a question to what the person did with it: a function a kind, and how a line is read."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from quizapp.domain.question import Choice, Number, Recall
from quizapp.domain.rating import Confidence
from quizapp.errors import StoreError
from quizapp.plain import question
from quizapp.plain.commands import COLONS, GaveUp, obey
from quizapp.plain.console import Ended, EndOfInput, Unclear
from quizapp.plain.feedback import model_answer
from quizapp.plain.markdown import CODE_INDENT
from quizapp.plain.sitting import Turn
from quizapp.study.values import Given

T = TypeVar("T")

TEXT_ENDS = ("", ".", "。")


def given(turn: Turn) -> Given:
    """What the person did with the question, giving up included."""
    try:
        answer = _answer(turn)
    except GaveUp:
        answer = Given(text="\n".join(turn.lines), gave_up=True, duration_ms=turn.stop())
    return replace(answer, hints=turn.hints)


def _answer(turn: Turn) -> Given:
    """What the person answers, by kind.

    Raises:
        GaveUp: they would rather see it.
    """
    match turn.asked.question:
        case Choice() as choice:
            return _choice(turn, choice)
        case Number() as number:
            return _number(turn, number)
        case Recall() as recall:
            return _recall(turn, recall)


def _choice(turn: Turn, choice: Choice) -> Given:
    asked, words = turn.asked, turn.sitting.words
    picked = ask(
        turn,
        question.request(asked, words),
        lambda typed: question.picked(typed, asked, choice, words),
    )
    return Given(picked=picked, duration_ms=turn.stop(), confidence=_confidence(turn))


def _number(turn: Turn, number: Number) -> Given:
    words = turn.sitting.words
    text, value = ask(
        turn,
        question.request(turn.asked, words),
        lambda typed: (typed.strip(), question.value(typed, number, words)),
    )
    duration_ms = turn.stop()
    return Given(text=text, value=value, duration_ms=duration_ms, confidence=_confidence(turn))


def _recall(turn: Turn, recall: Recall) -> Given:
    """The text, how sure, and only then the model answer to compare it with."""
    words = turn.sitting.words
    text = _text(turn)
    duration_ms = turn.stop()
    confidence = _confidence(turn)
    turn.sitting.console.say("")
    turn.sitting.console.prose(*model_answer(recall, words))
    covered = ask(
        turn,
        words("plain.ask.points"),
        lambda typed: question.covered(typed, recall, words),
    )
    return Given(text=text, covered=covered, duration_ms=duration_ms, confidence=confidence)


def _text(turn: Turn) -> str:
    """Lines up to an empty one or a `.`, each saved as it comes; a draft is their beginning."""
    sitting = turn.sitting
    sitting.console.say(question.request(turn.asked, sitting.words))
    if turn.asked.draft:
        turn.lines += turn.asked.draft.splitlines()
        sitting.console.say(sitting.words("plain.draft"))
        sitting.console.say(*(CODE_INDENT + line for line in turn.lines))
    while (typed := line(turn)).strip() not in TEXT_ENDS:
        turn.lines.append(typed)
        _save_draft(turn)
    return "\n".join(turn.lines)


def _save_draft(turn: Turn) -> None:
    try:
        turn.sitting.study.save_draft(turn.asked.entry.id, "\n".join(turn.lines))
    except StoreError:
        turn.sitting.console.say(turn.sitting.words("plain.draft_unsaved"))


def _confidence(turn: Turn) -> Confidence | None:
    """How sure they are; None where that is not asked, or the input ends with the answer."""
    words = turn.sitting.words
    if not turn.sitting.study.settings.confidence:
        return None
    with suppress(EndOfInput):
        return ask(
            turn, words("plain.ask.confidence"), lambda typed: question.confidence(typed, words)
        )
    return None


def ask(turn: Turn, prompt: str, read: Callable[[str], T]) -> T:
    """Ask until `read` understands a line; `q` alone quits, since here no text is expected."""
    while True:
        typed = line(turn, prompt)
        if typed.strip() == "q":
            raise Ended
        try:
            return read(typed)
        except Unclear as unclear:
            turn.sitting.console.say(str(unclear))


def line(turn: Turn, prompt: str = "") -> str:
    """The next line that is no command.

    Raises:
        EndOfInput, Ended, GaveUp, Moved: nothing more to read here.
    """
    while (typed := turn.sitting.console.read(prompt)).lstrip().startswith(COLONS):
        obey(turn, typed)
    return typed
