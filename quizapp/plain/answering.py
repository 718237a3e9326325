"""From a question to what the person did with it: a function a kind, and how a line is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from quizapp.domain.kernel import SPOTTABLE
from quizapp.domain.question import Choice, Index, Kernel, Number, Recall, Spot
from quizapp.domain.rating import Confidence
from quizapp.errors import StoreError, Ungraded
from quizapp.gpu import NotMeasured
from quizapp.plain import question
from quizapp.plain.commands import COLONS, GaveUp, obey
from quizapp.plain.console import Ended, EndOfInput, Unclear
from quizapp.plain.feedback import model_answer
from quizapp.plain.markdown import CODE_INDENT
from quizapp.plain.sitting import Turn
from quizapp.study.values import Given, is_attempt

if TYPE_CHECKING:
    from quizapp.bankmap import Line
    from quizapp.exercises.kernels import CheckedKernel  # NumPy, 80 ms

T = TypeVar("T")

TEXT_ENDS = ("", ".", "。")
CODE_ENDS = (".", "。")
"""An empty line may belong to code."""
PLAIN_ROOM = 80
"""Columns of a table."""


def given(turn: Turn) -> Given:
    """What the person did with the question, giving up included."""
    try:
        answer = _answer(turn)
    except GaveUp:
        answer = Given(text="\n".join(turn.lines), gave_up=True, duration_ms=turn.stop())
    return replace(answer, hints=turn.hints, failures=len(turn.tried))


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
        case Index():
            return _exercise(turn)
        case Kernel() as kernel:
            return _kernel(turn, kernel)
        case Spot() as spot:
            return _spot(turn, spot)


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


def _exercise(turn: Turn) -> Given:
    """Submissions until one passes; each that fails is stored, and is told why."""
    from quizapp import layout_verdict  # noqa: PLC0415 - NumPy, 80 ms

    sitting = turn.sitting
    while True:
        source = _text(turn, CODE_ENDS)
        checked = sitting.kept(lambda: sitting.study.check(turn.asked, source))  # noqa: B023
        if checked.passed:
            return Given(text=source, solved=True, duration_ms=turn.stop())
        turn.tried = tuple(dict.fromkeys([*turn.tried, source]))
        turn.forget()
        _say_lines(turn, layout_verdict.failure(checked, sitting.words))
        if why := layout_verdict.mistake(checked, sitting.words):
            sitting.console.prose(why)
        _say_lines(turn, layout_verdict.figures(checked, sitting.words))


def _kernel(turn: Turn, kernel: Kernel) -> Given:
    """Kernels until one passes; each that fails is stored, and is told why."""
    from quizapp import kernel_verdict  # noqa: PLC0415 - NumPy, 80 ms

    sitting, words = turn.sitting, turn.sitting.words
    while True:
        source = _text(turn, CODE_ENDS)
        try:
            checked = _graded(turn, kernel, source)
        except Ungraded as error:
            sitting.console.say(str(error))
            continue
        sitting.kept(lambda: sitting.study.keep(turn.asked, checked))  # noqa: B023
        _say_lines(turn, kernel_verdict.verdict(checked, words))
        if checked.passed:
            if checked.measured is not None:
                _say_lines(turn, kernel_verdict.view("gpu", checked, (), words, PLAIN_ROOM))
            return Given(text=source, solved=True, duration_ms=turn.stop())
        before = turn.tried
        if is_attempt(checked):
            turn.tried = tuple(dict.fromkeys([*turn.tried, source]))
        turn.forget()
        if why := kernel_verdict.mistake(checked, words):
            sitting.console.prose(why)
        for view in kernel_verdict.views(checked, before, solved=False):
            if view in ("gpu", "findings", "values"):
                _say_lines(turn, kernel_verdict.view(view, checked, before, words, PLAIN_ROOM))


def _graded(turn: Turn, kernel: Kernel, source: str) -> CheckedKernel:
    """The verdict of the emulator, then that of a GPU if there is one.

    Raises:
        Ungraded: there is none.
    """
    sitting = turn.sitting
    examiner = sitting.study.examiner
    checked = examiner.check(kernel, source)
    if not checked.passed or not examiner.measures(kernel):
        return examiner.measured(checked)
    sitting.console.say(sitting.words("plain.on-gpu"))
    try:
        return examiner.measured(checked)
    except KeyboardInterrupt:  # once: the emulator's verdict stands
        return replace(checked, gpu=NotMeasured("cancelled", ""))


def _spot(turn: Turn, spot: Spot) -> Given:
    """The line and the kind of fault; what is right is known from the emulator."""
    words = turn.sitting.words
    line, kind = ask(
        turn,
        question.request(turn.asked, words),
        lambda typed: question.named(typed, spot, words),
    )
    duration_ms = turn.stop()
    confidence = _confidence(turn)
    return Given(
        text=f"line {line}: {kind}",
        picked=(SPOTTABLE.index(kind),),
        solved=turn.sitting.study.examiner.spotted(spot).right(line, kind),
        duration_ms=duration_ms,
        confidence=confidence,
    )


def _say_lines(turn: Turn, lines: Iterable[Line]) -> None:
    turn.sitting.console.say(*("".join(text for text, _ in line) for line in lines))


def _text(turn: Turn, ends: Sequence[str] = TEXT_ENDS) -> str:
    """Lines up to one of `ends`, each saved as it comes; a draft is their beginning."""
    sitting = turn.sitting
    sitting.console.say(question.request(turn.asked, sitting.words))
    if turn.asked.draft and not turn.lines:
        turn.lines += turn.asked.draft.splitlines()
        key = "plain.draft_code" if ends is CODE_ENDS else "plain.draft"
        sitting.console.say(sitting.words(key))
        sitting.console.say(*(CODE_INDENT + line for line in turn.lines))
    while (typed := line(turn, code=ends is CODE_ENDS)).strip() not in ends:
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


def line(turn: Turn, prompt: str = "", *, code: bool = False) -> str:
    """The next line that is no command; a longer one that begins with a colon may be code.

    Raises:
        EndOfInput, Ended, GaveUp, Moved: nothing more to read here.
    """
    while (typed := turn.sitting.console.read(prompt)).lstrip().startswith(COLONS):
        if code and len(typed.strip()) > len(":x"):
            break
        obey(turn, typed)
    return typed
