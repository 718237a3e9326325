"""`Planned`: the plan that holds and the fitted weights, and what these make of schedule and deck.

Values read from the log; whoever changes a plan or weights appends an event and reads them anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from msgspec import UNSET
from msgspec.structs import replace

from quizapp.domain.goal import LATEST_DAYS, Goal
from quizapp.domain.log.projection import Card
from quizapp.domain.minutes import NEW_SHARE
from quizapp.domain.order import Candidate
from quizapp.domain.schedule import Parameters
from quizapp.store.store import Store


@dataclass(frozen=True, slots=True)
class Planned:
    """What the person planned, and what was fitted to them.

    `goal`: the plan, while its day is ahead and near enough to be planned for: a clock that was
    wrong once may have set another. `weights`: empty if they have the library's own.
    `last_chances`: the latest day of each planned question, as the plan spreads them. `ended`: the
    day of a plan that was not dropped, once it is no longer ahead.
    """

    goal: Goal | None = None
    weights: tuple[float, ...] = ()
    last_chances: Mapping[str, int] = field(default_factory=dict)
    ended: int | None = None

    def parameters(self, own: float | None) -> Parameters:
        """Return what the scheduler is tuned with.

        `own`: the retention that the person set; if none, the plan's holds.
        """
        parameters = replace(Parameters(), weights=self.weights) if self.weights else Parameters()
        chosen = None if self.goal is None else self.goal.retention
        retention = chosen if own is None else own
        return parameters if retention is None else replace(parameters, retention=retention)

    def bring_forward(self, question: str, last_day: int, due_day: int) -> int:
        """Return the day that a question is due on, by the plan; without one, `due_day`."""
        if self.goal is None:
            return due_day
        return self.goal.bring_forward(last_day, due_day, self.last_chances.get(question))

    def place(self, card: Card) -> Card:
        """Return a card with the due day that the plan gives it."""
        memory = card.memory
        if self.goal is None or memory is None:
            return card
        due = self.bring_forward(card.question, memory.last_day, memory.due_day)
        return replace(card, memory=replace(memory, due_day=due))


def read_planned(store: Store, day: int, order: Iterable[Candidate]) -> Planned:
    """Read what holds on a study day; `order` has the questions that a plan spreads."""
    found, weights = store.plan(), store.weights()
    if found is None or not day < found.day <= day + LATEST_DAYS:
        return Planned(weights=weights, ended=found.day if found and found.day <= day else None)
    goal = Goal(
        found.study_day,
        found.day,
        found.minutes,
        found.topics,
        retention=None if found.retention is UNSET else found.retention,
        new_share=NEW_SHARE if found.new_share is UNSET else found.new_share,
        promised=None if found.promised is UNSET else found.promised,
    )
    return Planned(goal, weights, goal.spread(order))
