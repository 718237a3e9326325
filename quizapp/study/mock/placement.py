"""`Placement`: a few adaptive questions that show what a person knows before the first session.

Every answer is stored, so that it can be taken up where it was left. At its end what was answered
right, unaided and without guessing, gets a first schedule by events of its own kind, which no
statistics count; one undo takes all back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quizapp.domain import placement
from quizapp.domain.attempt import Response
from quizapp.domain.log.events import (
    Body,
    ParametersSet,
    Placed,
    PlacementAnswer,
    PlacementProgress,
    PlacementTaken,
)
from quizapp.domain.log.projection import Card
from quizapp.domain.order import Candidate
from quizapp.domain.placement import PlacementStep
from quizapp.domain.queue import Item, Stage
from quizapp.domain.rating import Confidence
from quizapp.exercises.faults import BadExercise
from quizapp.store.log import NewEvent
from quizapp.study.scheduling import daily
from quizapp.study.service import Study
from quizapp.study.sessions import recording
from quizapp.study.sessions.asking import Attempts
from quizapp.study.sessions.drawing import draw
from quizapp.study.values import GradedResponse, Turn

_RESUMED_DAYS = 7
"""A placement that was left can be taken up for so long; then what is known may have changed."""

_FIRST = 3
"""So many of the new questions that follow are named."""


@dataclass(frozen=True, slots=True)
class PlacementResult:
    """What a placement found.

    Attributes:
        asked: the questions in order, each with whether it counts as known: right, without help,
            and no guess.
        first: the new questions that are asked next.
        day: the study day of an earlier placement; None of one that was taken just now.
    """

    asked: Mapping[str, bool]
    first: tuple[str, ...]
    day: int | None = None


class Placement:
    """A placement that goes on; like the study for one thread at a time.

    Attributes:
        resumed: how many answers of it were given before.
    """

    def __init__(self, study: Study) -> None:
        """Take up the placement that was left, or begin one.

        Only questions that were never answered are asked.
        """
        self.study = study
        self.examiner = study.examiner
        self.clock = study.clock
        self.attempts = Attempts()
        self._candidates: list[Candidate] = study.plan.to_meet()
        self._steps = self._left_steps()
        self.resumed = len(self._steps)
        self._known: tuple[str, ...] | None = None

    @property
    def asked(self) -> int:
        """How many questions were answered."""
        return len(self._steps)

    @property
    def found(self) -> Sequence[str]:
        """The questions that the person knows."""
        return [step.candidate.question for step in self._steps if step.knew]

    @property
    def result(self) -> PlacementResult:
        """What was found, once it is stored."""
        asked = {step.candidate.question: step.knew for step in self._steps}
        return PlacementResult(asked, _next_new(self.study))

    def next(self) -> Turn | None:
        """Return the question whose turn it is; None at the end."""
        while (candidate := placement.next_question(self._candidates, self._steps)) is not None:
            turn = self._turn(candidate)
            if turn is not None:
                return turn
            self._candidates.remove(candidate)
        return None

    def still_asks(self, turn: Turn) -> bool:
        """Return True if this question is still to be answered."""
        return all(step.candidate.question != turn.entry.id for step in self._steps)

    def leave_out(self, question: str) -> None:
        """Do not ask a question that has no verdict."""
        self._candidates = [c for c in self._candidates if c.question != question]

    def grade(self, turn: Turn, response: Response) -> GradedResponse:
        """Grade a response."""
        return recording.grade_apart(turn, response)

    def commit(self, graded: GradedResponse) -> None:
        """Store an answer, once. Raises StoreError: it is not stored; it may be called again."""
        if not self.still_asks(graded.turn):
            return
        effort, correct = graded.response.effort, graded.grade.correct
        guessed = effort.confidence == Confidence.GUESS
        name = graded.turn.entry.id
        candidate = next(c for c in self._candidates if c.question == name)
        knew = correct and not effort.hints and not effort.gave_up and not guessed
        said = recording.readable(graded.response)
        step = PlacementStep(candidate, correct, knew, graded.response.elapsed_ms, said)
        self._store([*self._steps, step])

    def switch_language(self, turn: Turn) -> None:
        """Change nothing: no question asked here has two languages."""

    @property
    def answers_stand(self) -> bool:
        """False: until the end each can be taken back."""
        return False

    def take_back(self) -> bool:
        """Take the latest answer back, so that it is asked again; False if there is none.

        Raises StoreError: that is not stored, and the answer stands.
        """
        if self._steps and self._known is None:
            self._store(self._steps[:-1])
            return True
        return False

    def finish(self) -> tuple[str, ...]:
        """Store what was asked, and what is known from now on; return the latter, once stored.

        Raises StoreError: nothing is stored; it may be called again.
        """
        if self._known is not None or not self._steps:
            return self._known or ()
        self.study.store.append(self._events())
        self.study.session.begin(self.study.session.narrowed)
        self._known = tuple(self.found)
        return self._known

    # Inside

    def _left_steps(self) -> list[PlacementStep]:
        """Return what a placement that was left has asked, of what still counts."""
        left = self.study.store.placement_so_far()
        if left is None or self.study.day - left.study_day > _RESUMED_DAYS:
            return []
        known = {candidate.question: candidate for candidate in self._candidates}
        return [
            PlacementStep(
                known[each.question],
                each.correct,
                each.knew is True,
                each.duration_ms,
                each.response or "",
            )
            for each in left.asked
            if each.question in known
        ]

    def _store(self, steps: list[PlacementStep]) -> None:
        study, now = self.study, self.study.clock.now().utc_ms
        body = PlacementProgress(asked=_answers(steps), study_day=study.day, utc_ms=now)
        study.progress.append(body)
        self._steps = steps

    def _events(self) -> list[NewEvent]:
        study, parameters = self.study, self.study.progress.parameters
        make_event = study.progress.make_event
        asked, now = _answers(self._steps), study.clock.now().utc_ms
        taken = make_event(PlacementTaken(asked=asked, study_day=study.day, utc_ms=now))
        first: list[Body] = []
        if parameters.id not in study.store.parameters():
            first.append(ParametersSet(parameters=parameters))
        known = [
            make_event(
                Placed(
                    placement=taken.id,
                    rev=step.candidate.rev,
                    study_day=study.day,
                    parameters_id=parameters.id,
                ),
                step.candidate.question,
            )
            for step in self._steps
            if step.knew
        ]
        return [*map(make_event, first), taken, *known]

    def _turn(self, candidate: Candidate) -> Turn | None:
        """Put a question; None if it cannot be computed."""
        study, name = self.study, candidate.question
        entry, question = study.deck.entries[name], study.deck.question(name)
        try:
            put, drawn = draw(question, name, 0)
        except BadExercise:
            return None
        return Turn(
            item=Item(name, entry.topic, Stage.PLACEMENT, entry.kind),
            entry=entry,
            question=put,
            card=Card(name),
            position=len(self._steps) + 1,
            total=placement.QUESTIONS,
            order=recording.draw_order(question, name, 0),
            drawn=drawn,
            returns=False,
        )


def find_earlier(study: Study) -> PlacementResult | None:
    """Return what the latest placement found; None if none was taken to its end, or it was undone.

    One that was undone has left no card.
    """
    taken = study.store.placement_taken()
    if taken is None:
        return None
    known = [answer.question for answer in taken.asked if answer.knew is True]
    if known and not any(study.progress.card(name).memory for name in known):
        return None
    asked = {a.question: a.knew is True for a in taken.asked if a.question in study.deck.entries}
    return PlacementResult(asked, _next_new(study), taken.study_day)


def _next_new(study: Study) -> tuple[str, ...]:
    items = daily.plan_day(study.progress, study.session.narrowed).items
    return tuple([item.question for item in items if item.stage is Stage.NEW][:_FIRST])


def _answers(steps: Sequence[PlacementStep]) -> tuple[PlacementAnswer, ...]:
    return tuple(
        PlacementAnswer(
            question=step.candidate.question,
            correct=step.correct,
            duration_ms=step.duration_ms,
            knew=step.knew,
            response=step.response,
        )
        for step in steps
    )
