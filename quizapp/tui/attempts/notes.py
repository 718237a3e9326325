"""What is said below a question before it is answered: what to do, and why it is not graded."""

from __future__ import annotations

from collections.abc import Callable

from quizapp.domain.actions import NothingPicked
from quizapp.domain.attempt import Attempt
from quizapp.domain.grading import NotSubmitted
from quizapp.domain.question import (
    Choice,
    FactChoice,
    Index,
    InputChoice,
    Kernel,
    Number,
    Recall,
    Spot,
)
from quizapp.domain.typed.inputs import example_of
from quizapp.report import quantities
from quizapp.report.content import question_text
from quizapp.report.studying import ratings
from quizapp.report.words import Words
from quizapp.study.values import Turn

KeyOf = Callable[[str], str]
"""The key that a binding has, by its id."""


def opening(turn: Turn, say: Words, key_of: KeyOf) -> str:
    """Say what to do with the question, or what is there from last time."""
    if turn.answered is not None:
        return ""
    if turn.pending:
        return say("kernel.pending", check=key_of("check"), key=key_of("without-gpu"))
    if turn.stands is not None:
        return say("mock.answer-stands")
    if turn.draft:
        return f"{say(draft_note(turn))}\n{ratings.costs(turn, say)}".strip()
    return invitation(turn, say, key_of)


def draft_note(turn: Turn) -> str:
    """Return the key of the sentence on what is there from last time."""
    match turn.question:
        case FactChoice():
            return "study.draft-asked"
        case Choice() | Spot():
            return "study.draft-picked"
        case _:
            return "study.draft"


def invitation(turn: Turn, say: Words, key_of: KeyOf) -> str:
    """Say what to do, where the question does not say it itself, and what costs something."""
    return f"{_invite(turn, say, key_of)}\n{ratings.costs(turn, say)}".strip()


def _invite(turn: Turn, say: Words, key_of: KeyOf) -> str:
    explained = question_text.explain_kind(turn, say) + "\n" if turn.explains else ""
    out = {"leave": key_of("back"), "write": key_of("write"), "open": key_of("open-code")}
    match turn.question:
        case Index():
            return explained + say("study.write-it", **out)
        case Kernel():
            return explained + say("study.write-kernel", **out)
        case Spot():
            return say("study.spot-it", up=key_of("up"), down=key_of("down"), key=key_of("answer"))
        case InputChoice(kernel=kernel):
            example = example_of(kernel)
            return say("mock.inputs.type", key=out["write"], example=example)
        case Recall():
            said = "mock.say-it" if turn.withholds else "study.say-it"
            return say(said, key=key_of("answer"), write=out["write"], leave=out["leave"])
        case _:
            return ""


def explain(reason: NotSubmitted, attempt: Attempt, say: Words, key_of: KeyOf) -> str:
    """Say why an answer cannot be graded as it is."""
    question = attempt.question
    if isinstance(reason, NothingPicked):
        if isinstance(question, Spot):
            return say("study.pick-kind")
        return say("study.pick-first", n=attempt.rows, key=key_of("mark"))
    if isinstance(question, Choice):
        chosen = len(attempt.picked)
        return say("study.other-count", n=question.stated_count, chosen=chosen)
    assert isinstance(question, Number)
    return quantities.explain_number(reason, question, attempt.text, say)
