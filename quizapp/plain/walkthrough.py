"""The answers of an interview that is over, line by line: each with all that is said of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TextIO, cast

from quizapp.domain.errors import Ungraded
from quizapp.domain.question import Choice, Index, Kernel, Number, Recall, Spot, code_block
from quizapp.plain import question
from quizapp.plain.answering import ask
from quizapp.plain.console import Console, Ended, Unclear, digits
from quizapp.plain.feedback import feedback, model_answer
from quizapp.plain.session import reveal_key
from quizapp.plain.sitting import Dialogue, Sitting
from quizapp.report import numbered_code, quantities
from quizapp.report.content import probes as probe_text
from quizapp.report.content import question_text
from quizapp.report.verdicts import kernel_verdict
from quizapp.report.words import Words
from quizapp.study.mock.walkthrough import AnswerPlace, Walkthrough, run_code
from quizapp.study.service import Study
from quizapp.study.values import GradedResponse, Turn

if TYPE_CHECKING:
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms


def go_through(sitting: Sitting, walkthrough: Walkthrough) -> None:
    """Show what the person wants to see, in order or by number, until they end it."""
    words, last = sitting.words, len(walkthrough.places)
    read = partial(_position_of, walkthrough, words)
    begins = walkthrough.turn_at(walkthrough.places[0]) if last else None
    if begins is None:
        return
    with suppress(Ended):
        at = ask(_open(sitting, begins), words("mock.walk-ask"), read(0))
        while at < last:
            dialogue = _show_at(sitting, walkthrough, at) or _open(sitting, begins)
            at = ask(dialogue, words("mock.walk-next"), read(at + 1))


def show_all(study: Study, walkthrough: Walkthrough, words: Words, stdout: TextIO) -> None:
    """Show every answer in order."""
    sitting = Sitting(study, Console(sys.stdin, stdout), words, walkthrough.interview)
    for at in range(len(walkthrough.places)):
        _show_at(sitting, walkthrough, at)


def _show_at(sitting: Sitting, walkthrough: Walkthrough, at: int) -> Dialogue | None:
    """Show one; None if it cannot be shown any more, which is said."""
    turn = _turn_at(sitting, walkthrough, at)
    if turn is None:
        sitting.console.say(sitting.words("mock.stage-changed"))
        return None
    dialogue = _open(sitting, turn)
    _show(dialogue)
    return dialogue


def _position_of(walkthrough: Walkthrough, words: Words, usual: int) -> Callable[[str], int]:
    """Return what reads the number of a stage as its position; an empty line is the usual one."""

    def read(typed: str) -> int:
        if not typed.strip():
            return usual
        numbers = digits(typed) or ()
        if len(numbers) != 1 or not 1 <= numbers[0] <= walkthrough.total:
            raise Unclear(words("plain.unclear.numbers", low=1, high=walkthrough.total))
        found = walkthrough.find(numbers[0])
        if found is None:
            raise Unclear(words("mock.no-answer-there", number=numbers[0]))
        return found

    return read


def _turn_at(sitting: Sitting, walkthrough: Walkthrough, at: int) -> Turn | None:
    """Return a stage as it ended, or a question about its kernel, which is run for that."""
    place = walkthrough.places[at]
    stage = walkthrough.turn_at(AnswerPlace(place.stage))
    if place.probe is None or stage is None or stage.answered is None:
        return stage
    sitting.console.say(sitting.words("mock.running-again"))
    examiner = sitting.asks.examiner
    try:
        made = probe_text.make_again(stage, examiner)
    except Ungraded as error:
        sitting.console.say(sitting.words.error(error))
        return None
    return walkthrough.probe_at(place, made)


def _open(sitting: Sitting, turn: Turn) -> Dialogue:
    """Return the dialogue of a stage as it ended."""
    assert turn.answered is not None
    graded = cast("GradedResponse", turn.answered.assessment)
    return Dialogue(sitting, turn, turn.answered, [], graded)


def _show(dialogue: Dialogue) -> None:
    """Say the question, the answer, and all that is said of it."""
    sitting, words = dialogue.sitting, dialogue.sitting.words
    console = sitting.console
    console.say("")
    console.prose(*question.describe(dialogue.turn, words))
    console.prose(*_own_answer(dialogue))
    console.say("")
    try:
        found = [*reveal_key(dialogue)]
        dialogue.attempt = run_code(dialogue.attempt, sitting.asks.examiner)
    except Ungraded as error:
        console.say(words.error(error))
        found = []
    if dialogue.graded is not None:
        dialogue.graded = replace(dialogue.graded, turn=dialogue.turn)
    console.report(found)
    if isinstance(dialogue.turn.question, Kernel) and dialogue.attempt.submission is not None:
        checked = cast("CheckedKernel", dialogue.attempt.submission)
        console.report(kernel_verdict.verdict(checked, words))
    if dialogue.graded is not None:
        console.prose(*feedback(dialogue.graded, words, repeats=False))


def _own_answer(dialogue: Dialogue) -> Iterator[str]:
    """Write what was answered; then what it was compared with."""
    attempt, words, asked = dialogue.attempt, dialogue.sitting.words, dialogue.turn.question
    written = isinstance(asked, Recall | Index | Kernel) and attempt.text.strip()
    if written or attempt.picked or attempt.value is not None:
        yield words("mock.you-answered")
    if written:
        yield code_block(attempt.text)
    if isinstance(asked, Number) and attempt.value is not None:
        yield quantities.write_typed(asked, attempt.text, attempt.value, words)
    if isinstance(asked, Spot) and attempt.claimed_bug is not None:
        line, kind = attempt.claimed_bug
        yield words("study.named", line=line, kind=numbered_code.kind_name(kind, words))
    if isinstance(asked, Choice):
        for row, position in enumerate(attempt.order, 1):
            if position in attempt.picked:
                told = question_text.option_text(asked, position, words, told=True)
                yield question.number_text(row, told)
    if isinstance(asked, Recall) and not attempt.gave_up:
        yield ""
        yield from model_answer(asked, words)
        ticked = " ".join(str(i + 1) for i in sorted(attempt.covered))
        yield words("mock.you-ticked", points=ticked or "–")
