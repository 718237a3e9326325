"""The order of events: home line, question after question, summary."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TextIO

from quizapp.domain.question import PutQuestion, Spot
from quizapp.errors import OK, UnaskableQuestion, Ungraded
from quizapp.plain import around, question
from quizapp.plain.answering import ask, given
from quizapp.plain.commands import Moved, put
from quizapp.plain.console import Console, Ended
from quizapp.plain.feedback import feedback, ratings
from quizapp.plain.sitting import Sitting, Turn
from quizapp.study.overview import home
from quizapp.study.service import Study
from quizapp.study.statistics import summary
from quizapp.study.values import Asked, Filter, Graded
from quizapp.words import Words


def run(study: Study, narrowed: Filter, stdin: TextIO, stdout: TextIO) -> int:
    """Study until nothing is left, the person quits or the input ends; the exit status.

    Raises:
        UsageError: the filter names what does not exist; nothing was said.
        StoreError: an answer could not be stored, and the person gave up trying.
        KeyboardInterrupt: after saying where we stand.
    """
    sitting = Sitting(study, Console(stdin, stdout), Words(study.settings.language))
    questions = study.begin(narrowed).left
    sitting.console.prose(*around.welcome(home(study), questions, sitting.words))
    if not questions:
        sitting.console.prose(*around.nothing(home(study), study.deck.topics, sitting.words))
        return OK
    try:
        _ask_all(sitting)
        sitting.console.say(sitting.words("plain.done"))
    except Ended:
        sitting.console.say("", sitting.words("plain.stopped"))
    except KeyboardInterrupt:
        answers = len(sitting.study.results)
        sitting.console.say("", sitting.words("plain.interrupted", n=answers))
        raise
    sitting.console.prose(*around.farewell(summary(study, sitting.study.results), sitting.words))
    return OK


def _ask_all(sitting: Sitting) -> None:
    while (asked := _next(sitting)) is not None:
        try:
            with suppress(Moved):
                _ask_one(sitting, asked)
        except Ungraded as error:
            sitting.console.say(str(error))
            sitting.study.leave_out(asked.entry.id)


def _next(sitting: Sitting) -> Asked | None:
    """The next question that can be asked."""
    while True:
        try:
            return sitting.study.next()
        except UnaskableQuestion as error:
            sitting.console.say(str(error))


def _ask_one(sitting: Sitting, asked: Asked) -> None:
    """Question, answer, verdict, rating. What is answered is stored before the verdict is said."""
    turn = Turn(sitting, asked)
    sitting.console.say("")
    put(turn)
    answer = given(turn)
    found = [*_found(sitting, asked.question)]  # before it is stored: it may be that nobody knows
    graded = sitting.study.grade(asked, answer)
    sitting.kept(lambda: sitting.study.commit(graded))
    turn.graded = graded
    sitting.console.say("", *found)
    sitting.console.prose(*feedback(graded, sitting.words))
    _rate(turn, graded)


def _found(sitting: Sitting, put: PutQuestion) -> Iterator[str]:
    """What the emulator finds in the kernel of a `spot`; nothing for other kinds.

    Raises:
        Ungraded: nobody knows.
    """
    if isinstance(put, Spot):
        from quizapp import kernel_verdict  # noqa: PLC0415 - NumPy, 80 ms

        found = sitting.study.examiner.spotted(put)
        for line in kernel_verdict.spotted(found, sitting.words):
            yield "".join(text for text, _ in line)


def _rate(turn: Turn, graded: Graded) -> None:
    """Accept the rating, or override it."""
    words, suggested = turn.sitting.words, graded.suggestion.rating
    chosen = ask(
        turn,
        words("plain.ask.rating", ratings=ratings(graded, words)),
        lambda typed: question.rating(typed, suggested, words),
    )
    if chosen is not suggested:
        turn.sitting.kept(lambda: turn.sitting.study.rate(graded, chosen))
        turn.sitting.console.say(words("plain.rerated", rating=words(f"rating.{int(chosen)}")))
