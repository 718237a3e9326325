"""`Walkthrough`: the stages of an interview that is over, one after the other, as they ended.

Each is a turn whose attempt is over, made from what the log kept; nothing is asked or stored. What
only a run tells (of a kernel, of inputs, of a bug) is added by whoever shows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from msgspec import UNSET

from quizapp.domain.attempt import Attempt, GradedSubmission, Phase, begin
from quizapp.domain.grading import Grade, NotSubmitted, read_number
from quizapp.domain.log.events import MockAnswered, Probed
from quizapp.domain.log.interview import InterviewRecord, read_words
from quizapp.domain.question import Index, Kernel, Number, Recall, Spot
from quizapp.domain.rating import Confidence
from quizapp.exercises import layouts
from quizapp.study.examiner import Examiner
from quizapp.study.mock.interview import Interview, Themes
from quizapp.study.mock.interview_report import is_as_asked
from quizapp.study.mock.probing import Probe, ProbedStage, Probing
from quizapp.study.service import Study
from quizapp.study.sessions import recording
from quizapp.study.values import Turn

_LINE = re.compile(r"line (\d+)")


class AnswerPlace(NamedTuple):
    """Where one is: at a stage, or at a question about its kernel, by its position from 0."""

    stage: str
    probe: int | None = None


class Walkthrough:
    """The answers of an interview, each with its question; like the study for one thread."""

    def __init__(self, study: Study, themes: Themes, record: InterviewRecord) -> None:
        """Go through an interview whose stages are all over."""
        self.record = record
        self.interview = Interview(study, themes, record)
        self._study = study
        stages = {stage.id: stage for theme in themes.values() for stage in theme.stages}
        self.places = [
            place
            for name in record.asked
            if (answer := record.answers.get(name)) is not None
            if is_as_asked(study, stages.get(name), answer)
            for place in self._places_of(name)
        ]
        """What can be shown, in order: a stage that has changed since cannot."""

    def _places_of(self, stage: str) -> tuple[AnswerPlace, ...]:
        probes = range(len(self._probed(stage)))
        return (AnswerPlace(stage), *(AnswerPlace(stage, i) for i in probes))

    def _probed(self, stage: str) -> tuple[Probed, ...]:
        return self.record.probes.get(stage, ())

    def turn_at(self, place: AnswerPlace) -> Turn | None:
        """Put a stage as it ended; None if it cannot be put any more."""
        answer = self.record.answers[place.stage]
        turn = self.interview.put(place.stage, answer.response)
        return None if turn is None else self._ended(turn, answer, place)

    def probe_at(self, place: AnswerPlace, probes: Iterable[Probe]) -> Turn | None:
        """Put a question about a kernel as it ended; None if it is not made of it any more.

        `probes`: all that are made of the kernel.
        """
        assert place.probe is not None
        answer = self._probed(place.stage)[place.probe]
        probe = next((each for each in probes if each.question.id == answer.probe), None)
        about = self.interview.put(place.stage)
        if probe is None or about is None:
            return None
        stage = ProbedStage.of(self.record, place.stage)
        turn = Probing(self._study, about, [probe], stage).next()
        return None if turn is None else self._ended(turn, answer, place)

    def find(self, number: int) -> int | None:
        """Return the position of a stage among the places, by its number; None if it has none."""
        stages = dict(enumerate(self.record.asked, 1))
        places = (i for i, place in enumerate(self.places) if place.stage == stages.get(number))
        return next(places, None)

    @property
    def total(self) -> int:
        """How many stages there are, also of those that cannot be shown."""
        return len(self.record.asked)

    def _ended(self, turn: Turn, answer: MockAnswered | Probed, place: AnswerPlace) -> Turn:
        part = place.probe
        turn = replace(
            turn,
            position=self.record.asked.index(place.stage) + 1,
            total=self.total,
            least_total=0,
            part=None if part is None else (part + 1, len(self._probed(place.stage))),
            withholds=False,
            stands=None,
        )
        return replace(turn, answered=_end(turn, answer))


def runs_again(attempt: Attempt) -> bool:
    """Return True if a run tells something more: of code that passed, of inputs, of a bug."""
    return attempt.needs_key or (attempt.is_written and _passed(attempt))


def _passed(attempt: Attempt) -> bool:
    return attempt.assessment is not None and attempt.assessment.grade.correct


def run_code(attempt: Attempt, examiner: Examiner) -> Attempt:
    """Add what the graders say of code that passed.

    Raises Ungraded, Cancelled: they say nothing.
    """
    submission: GradedSubmission | None = None
    if _passed(attempt):
        match attempt.question:
            case Kernel() as kernel:
                submission = examiner.check(kernel, attempt.text)
            case Index() as index:
                submission = layouts.check(index, attempt.text)
    return attempt if submission is None else replace(attempt, submission=submission)


def _end(turn: Turn, answer: MockAnswered | Probed) -> Attempt:
    """Return the attempt that was answered so."""
    question, response = turn.question, answer.response
    if isinstance(question, Recall) and isinstance(answer, MockAnswered):
        response = read_words(answer)
    if isinstance(question, Spot):
        response = _read_place(response)
    hints = answer.hints if isinstance(answer, MockAnswered) else 0
    attempt = begin(question, 0, order=turn.order, text=response, hints=hints, failed=turn.tried)
    attempt = replace(
        attempt,
        phase=Phase.GRADED,
        is_final=True,
        value=_read_value(question, response) if isinstance(question, Number) else None,
        covered=frozenset(answer.covered if isinstance(answer, MockAnswered) else ()),
        confidence=None if answer.confidence is None else Confidence(answer.confidence),
        gave_up=answer.gave_up,
    )
    graded = recording.grade_apart(turn, attempt.response)
    credit = None if answer.credit is UNSET else answer.credit
    return replace(
        attempt,
        assessment=replace(graded, grade=Grade(answer.correct, answer.score), credit=credit),
    )


def _read_place(response: str) -> str:
    """Return a draft of a `spot` from the place that was named, as it is kept."""
    line = _LINE.match(response)
    return "" if line is None else f"{int(line[1]) - 1} {response.rsplit(maxsplit=1)[-1]}"


def _read_value(question: Number, response: str) -> float | None:
    try:
        return read_number(question, response)
    except NotSubmitted:  # it was given up
        return None
