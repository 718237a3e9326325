"""What a person prepares for: a day, the topics, the minutes per day. Pure.

The schedule itself stays as it is: a question that would not return before the day gets one more
due day, in the last fifth of the time. That day derives from the plan, so dropping the plan gives
back the normal one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

from quizapp.domain.minutes import NEW_SHARE
from quizapp.domain.order import Candidate

LATEST_DAYS = 730
"""No later day can be planned for."""

MINUTES, MOST_MINUTES = 30, 600
"""Per day: where the person sets no limit, and at most."""

LEAST_SHARE, MOST_SHARE = 0.1, 0.9
"""Of a day's minutes for new questions, so that neither they nor reviews are left without."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A plan as the person set it.

    Attributes:
        since: the study day on which it was set.
        day: the day to be ready on; the day before it is the last to study.
        minutes: per day.
        topics: these alone; all of them if empty.
        retention: the share still known when a question returns, as it was chosen for the plan;
            None if the person's own holds.
        new_share: the share of a day's minutes for new questions while reviews wait too.
        promised: how many questions will have been met by the day, in eight runs of ten; None if
            that was never simulated.
    """

    since: int
    day: int
    minutes: int
    topics: tuple[str, ...] = ()
    retention: float | None = None
    new_share: float = NEW_SHARE
    promised: int | None = None

    @property
    def last_fifth(self) -> range:
        """The days in which everything planned is met once more."""
        length = max(1, ceil((self.day - self.since) / 5))
        return range(self.day - length, self.day)

    def covers(self, candidate: Candidate) -> bool:
        """Return True if the question is on one of its topics."""
        return not self.topics or candidate.topic in self.topics

    def spread(self, candidates: Iterable[Candidate]) -> dict[str, int]:
        """Give each question that is covered a day of the last fifth, siblings different ones."""
        covered = sorted((c.concept, c.question) for c in candidates if self.covers(c))
        days = self.last_fifth
        return {name: days[place % len(days)] for place, (_, name) in enumerate(covered)}

    def bring_forward(self, last_day: int, due_day: int, last_chance: int | None) -> int:
        """Return the due day of a question, or an earlier one for the last fifth.

        `last_day`: when it was answered last. `due_day`: when the schedule asks it. `last_chance`:
        from `spread`; None for a question that is not planned.
        """
        met = last_day >= self.last_fifth.start
        if last_chance is None or met or due_day < self.day:
            return due_day
        return max(last_chance, last_day + 1)
