"""`CurrentPlan`: set and dropped, what it covers, and what of that is still to be met."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET

from quizapp.domain.goal import Goal
from quizapp.domain.log.events import PlanDropped, PlanSet
from quizapp.domain.log.projection import Card
from quizapp.domain.order import Candidate
from quizapp.domain.planning import plan
from quizapp.study.scheduling.progress import StudyProgress
from quizapp.study.sessions.session import Session


class CurrentPlan:
    """The plan of a person; `progress.goal` is the one that holds, if there is one.

    It remembers how many questions the latest simulation of it had time for.
    """

    def __init__(self, progress: StudyProgress, session: Session) -> None:
        self._progress = progress
        self._session = session
        self._fitting: tuple[tuple[int, Goal | None], int] = (0, None), 0

    def set(self, goal: Goal) -> None:
        """Plan for a day, in place of any plan before; what is due changes at once."""
        body = PlanSet(
            study_day=goal.since,
            day=goal.day,
            minutes=goal.minutes,
            topics=goal.topics,
            retention=UNSET if goal.retention is None else goal.retention,
            new_share=goal.new_share,
            promised=UNSET if goal.promised is None else goal.promised,
        )
        self._progress.append(body)
        self._session.follow_plan()

    def drop(self) -> None:
        """Drop the plan: the normal schedule holds again."""
        self._progress.append(PlanDropped(study_day=self._progress.day))
        self._session.follow_plan()

    def covered(self, goal: Goal | None) -> tuple[list[Card], list[Candidate]]:
        """List what was learned of what a plan covers, and what is still to be met, in order.

        Without a plan, of everything.
        """
        progress, course = self._progress, self._progress.course
        asked = [c for c in course.candidates() if goal is None or goal.covers(c)]
        cards = (progress.card(candidate.question) for candidate in asked)
        learned = [card for card in cards if card.memory and not card.suspended]
        return learned, plan.to_meet(asked, progress.cards, course.known)

    def to_meet(self) -> list[Candidate]:
        """List what was never answered of the selection, and will be asked one day, in order."""
        course = self._progress.course
        candidates = course.candidates(self._session.narrowed.by_schedule)
        return plan.to_meet(candidates, self._progress.cards, course.known)

    def waiting_new(self, asked: Sequence[Candidate]) -> plan.Waiting:
        """Count what is new in a selection and waits for others, and list these others' topics."""
        course = self._progress.course
        return plan.find_waiting(asked, course.candidates(), self._progress.cards, course.known)

    def split_new(self) -> tuple[list[Candidate], list[Candidate]] | None:
        """Split what is to be met: what fits into the plan, and what it leaves out; None without.

        What fits is what the plan promised, until a simulation found that it has shrunk.
        """
        day, goal = self._progress.day, self._progress.goal
        if goal is None:
            return None
        learned, new = self.covered(goal)
        noted = self._fitting[0] == (day, goal)
        fits = self._fitting[1] if noted else goal.promised
        left = len(new) if fits is None else max(0, fits - len(learned))
        return new[:left], new[left:]

    def note_fitting(self, day: int, goal: Goal, number: int) -> None:
        """Take note of how many questions fit into a plan by the simulation of a day.

        May be called from any thread.
        """
        self._fitting = (day, goal), number
