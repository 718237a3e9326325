"""Sums all answers while a replay passes them: the roll-ups as a rebuild makes them.

What is summed, `rollups` says. A test compares the sums with those that `rollups` keeps step by
step, and with sums made by hand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Connection, select

from quizapp.domain.log.totals import MATURE_DAYS
from quizapp.store import rollups
from quizapp.store.rollups import Sums
from quizapp.store.tables import asked

AnswerRow = tuple[int, int, str, int, int, int, int, int, int, int, int, int, int | None]
"""A row of `answer`."""

_Shape = tuple[int, int, int, int, bool, int | None]
_Counts = defaultdict[int, int]
"""Answers by the number of their shape, and under `_MS` the time that they took."""

_MS = -1


class ReplayTally:
    """Counts of answers per study day and per question, by shape.

    Answers of one shape add the same to every sum but the time. So a row is only counted, and
    SQLite sums one answer per shape; having it sum every row takes four times as long.
    """

    def __init__(self) -> None:
        self._shapes: dict[_Shape, int] = {}
        self._examples: list[int] = []
        """The event of an answer of each shape, by the shape's number."""
        self._days: defaultdict[int, _Counts] = defaultdict(_no_counts)
        self._questions: defaultdict[int, _Counts] = defaultdict(_no_counts)

    def add(self, rows: Iterable[AnswerRow]) -> None:
        """Count these answers."""
        for row in rows:
            event, question, _, day, _, counts, new, right, rating, ms, _, interval, sure = row
            shape = (counts, new, right, rating, interval >= MATURE_DAYS, sure)
            number = self._shapes.get(shape)
            if number is None:
                number = self._shapes[shape] = len(self._examples)
                self._examples.append(event)
            of_day = self._days[day]
            of_day[number] += 1
            of_day[_MS] += ms
            of_question = self._questions[question]
            of_question[number] += 1
            of_question[_MS] += ms

    def write(self, connection: Connection) -> None:
        """Write the sums into the empty roll-ups; `answer` has the rows that were counted."""
        shapes = [rollups.sums_of(connection, event) for event in self._examples]
        names = dict(connection.execute(select(asked.c.number, asked.c.question)).all())
        rollups.insert_sums(
            connection,
            {day: _sum_up(counts, shapes) for day, counts in self._days.items()},
            {names[each]: _sum_up(counts, shapes) for each, counts in self._questions.items()},
        )


def _no_counts() -> _Counts:
    return defaultdict(int)


def _sum_up(counts: Mapping[int, int], shapes: Sequence[Sums]) -> Sums:
    """Sum counted answers, given what one answer of each shape adds."""
    times = {number: count for number, count in counts.items() if number != _MS}
    names = shapes[0]
    sums = {name: sum(n * shapes[each][name] for each, n in times.items()) for name in names}
    return sums | {"duration_ms": counts[_MS]}
