"""The values that pass between the study service and the screens: frozen, without behavior."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from quizapp.deck.index import Entry
from quizapp.domain import actions
from quizapp.domain.attempt import (
    Assessment,
    Attempt,
    GradedSubmission,
    Response,
    begin,
    starter_of,
)
from quizapp.domain.credit import has_stakes
from quizapp.domain.languages import language_of
from quizapp.domain.leeches import LEECH_LAPSES, is_leech
from quizapp.domain.log.projection import Card
from quizapp.domain.question import AnyQuestion, CodeLanguage, Prose, PutQuestion
from quizapp.domain.queue import Item, Stage
from quizapp.domain.rating import Confidence, Rating
from quizapp.store.log import NewEvent
from quizapp.study.home_values import Filter, TopicRow

if TYPE_CHECKING:
    from quizapp.domain.grading import NotSubmitted
    from quizapp.exercises.spots import DrawnSpot
    from quizapp.exercises.traces import DrawnTrace  # NumPy, 80 ms

S = TypeVar("S", bound=GradedSubmission)


@dataclass(frozen=True, slots=True)
class Turn:
    """A question whose turn it is, and what is known from before.

    Attributes:
        question: as it is put, with what varies drawn.
        position, total: its place in this session, from 1.
        least_total: where the total depends on answers to come, the least it may be; 0 elsewhere.
        order: the drawn order of a choice's options.
        draft: what was written earlier and not submitted.
        drawn: what a `trace` became a number question with, or what varies in a `spot`.
        tried: submissions that failed since the last answer.
        hints: how many hints were shown since then.
        timed: True if a GPU judges it, too.
        pending: a submission that no GPU has judged yet; empty if there is none.
        linked: the questions of the deck that its follow-ups name, by id.
        returns: True if it comes back within this session when it is answered wrong.
        explains: True if how its kind works is said: the kind is new, or the session is guided.
        languages: those that it can be put in, where its code is a kernel.
        spent_ms: the time by the clock on the wall that it took before it was left.
        stands: an answer that is compared with the model answer now: its points are to be ticked.
        withholds: True if what is right is told only after more was asked.
        part: of a question about a kernel that a stage asked for, its place and how many there are.
        answered: the attempt as it ended, where that is looked at again.
        easier: questions to learn its concept from, if rating it Again sets it aside.
    """

    item: Item
    entry: Entry
    question: PutQuestion
    card: Card
    position: int
    total: int
    order: tuple[int, ...] = ()
    draft: str = ""
    drawn: DrawnTrace | DrawnSpot | None = field(default=None, compare=False)
    tried: tuple[str, ...] = ()
    hints: int = 0
    timed: bool = False
    pending: str = ""
    returns: bool = True
    explains: bool = False
    linked: Mapping[str, AnyQuestion] = field(default_factory=dict, compare=False, repr=False)
    languages: tuple[CodeLanguage, ...] = ()
    easier: tuple[str, ...] = ()
    least_total: int = 0
    spent_ms: int = 0
    stands: Response | None = None
    withholds: bool = False
    part: tuple[int, int] | None = None
    answered: Attempt | None = field(default=None, compare=False, repr=False)

    @property
    def lapses_if_leech(self) -> int | None:
        """How often it is forgotten once it is rated Again, if that sets it aside."""
        if self.item.stage is not Stage.REVIEW or self.card.memory is None:
            return None
        lapses = self.card.memory.lapses + 1
        return lapses if is_leech(lapses) else None

    @property
    def language(self) -> CodeLanguage:
        """The language of its code; Python's name for what has none."""
        return language_of(self.question)

    @property
    def other_language(self) -> CodeLanguage | None:
        """The language that it can be switched to; None if there is none."""
        return next((each for each in self.languages if each != self.language), None)

    @property
    def is_practice(self) -> bool:
        """True if the answer itself moves no schedule."""
        return self.item.stage in (Stage.PRACTICE, Stage.INTERVIEW, Stage.PLACEMENT)

    @property
    def grades_live(self) -> bool:
        """True if code is graded while it is written: in practice, but not in an interview."""
        return self.item.stage is Stage.PRACTICE

    def tell(self, submission: S) -> S:
        """Return a submission as it may be shown now: in an interview the person finds the cure."""
        hides_cures = self.item.stage is Stage.INTERVIEW and not submission.passed
        return submission.without_cures() if hides_cures else submission

    @property
    def initial_text(self) -> str:
        """The text its field holds at first: the draft, else an exercise's starter."""
        return self.draft or starter_of(self.question)

    def begin(self, at_ms: int, *, asks_confidence: bool) -> Attempt:
        """Begin an attempt now that the question is shown, or return the one that is over."""
        if self.answered is not None:
            return self.answered
        if self.item.stage is Stage.INTERVIEW and not has_stakes(self.question):
            asks_confidence = False  # it would change nothing
        return begin(
            self.question, at_ms, order=self.order, asks_confidence=asks_confidence,
            text=self.draft, hints=self.hints, failed=self.tried, pending=self.pending,
            spent_ms=self.spent_ms, stands=self.stands, withholds=self.withholds,
        )  # fmt: skip


def why_not_submitted(reason: NotSubmitted) -> str:
    """Return the key of the sentence that says why code is not graded."""
    match reason:
        case actions.AlreadyGraded():
            return "study.unchanged"
        case actions.StarterUnchanged():
            return "study.starter-unchanged"
        case _:
            return "study.write-first"


def why_nothing_chosen(narrowed: Filter) -> str:
    """Return the key of the sentence that says why there is nothing to ask."""
    return "study.nothing-failed" if narrowed.failed else "study.nothing-chosen"


def why_not_counted(submission: GradedSubmission) -> str:
    """Return the key of the sentence that says why it does not count as an attempt."""
    return "study.starter-unchanged" if submission.unchanged else "study.never-ran"


@dataclass(frozen=True, slots=True)
class GradedResponse(Assessment):
    """A response with its assessment, and the events that will record it.

    Nothing is stored before it is committed.
    """

    turn: Turn
    response: Response
    events: tuple[NewEvent, ...] = field(repr=False)
    chosen: Mapping[Rating, int] = field(default_factory=dict, repr=False)
    """The days that the schedule chose; `days` are those of the plan, if there is one. In a mock
    interview there are none."""

    @property
    def event_id(self) -> str:
        """The id of the answer's own event."""
        return self.events[-1].id


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo took back or a redo restored: the question, and the tag of the event.

    The question is empty if the event concerns none.
    """

    question: str
    what: str


@dataclass(frozen=True, slots=True)
class KindCount:
    """How many questions of a kind there are, and how many of them were answered."""

    kind: str
    seen: int
    questions: int


@dataclass(frozen=True, slots=True)
class HardQuestion:
    """A question, and how often it was forgotten."""

    question: AnyQuestion
    lapses: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What a session came to. `right` counts first attempts that were right.

    `again_today`: of what was answered in it, how many questions come again today.
    """

    answered: int
    right: int
    repeats: int
    new: int
    practice: int
    duration_ms: int
    topics: Mapping[tuple[str, str], tuple[int, int]]
    due_tomorrow: int
    again_today: int = 0


_SIGMAS = 1.96
"""What of a normal distribution lies within so many standard deviations: 95 %."""


@dataclass(frozen=True, slots=True)
class Retention:
    """True retention: of `answers` reviews (not first exposures), `passed` were not rated Again."""

    answers: int
    passed: int

    @property
    def share(self) -> float | None:
        """0–1; None without answers."""
        return self.passed / self.answers if self.answers else None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The shares that it lies between with 95 % (Wilson's interval); None without answers."""
        if not self.answers:
            return None
        share, z = self.passed / self.answers, _SIGMAS**2 / self.answers
        middle = (share + z / 2) / (1 + z)
        reach = math.sqrt(z * (share * (1 - share) + z / 4)) / (1 + z)
        return max(0.0, middle - reach), min(1.0, middle + reach)


@dataclass(frozen=True, slots=True)
class TopicDetail:
    """What is known of a topic beside its row. Days are study days.

    `retention` is over all reviews; `hardest` are questions that were answered, the worst first.
    """

    kinds: tuple[KindCount, ...]
    retention: Retention
    hardest: tuple[HardQuestion, ...]
    next_due_day: int | None
    next_due: int
    last_day: int | None


@dataclass(frozen=True, slots=True)
class MissedPoint:
    """A rubric point that answers to an interview question left out: `missed` of `answers`."""

    question: str
    point: Prose
    answers: int
    missed: int


@dataclass(frozen=True, slots=True)
class ForgottenQuestion:
    """A question forgotten often; `set_aside` if it is a leech that is not asked any more."""

    question: str
    lapses: int
    set_aside: bool = False

    @property
    def is_leech(self) -> bool:
        """True if it was forgotten as often as makes a leech."""
        return self.lapses >= LEECH_LAPSES


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the statistics screen shows; days are study days.

    Attributes:
        answers_by_day: first attempts; days without any are omitted.
        duration_by_day: milliseconds of all attempts, likewise.
        forecast: reviews due on each day from today.
        retention_young, retention_mature: of reviews scheduled less than `MATURE_DAYS` ahead, and
            of the others.
        topic_retention: by pack and topic, of each in `topics`.
        calibration: by confidence, first attempts and the correct ones among them.
        failed_checks: submissions that failed at each check, by its key; the most first.
        missed_points: rubric points left out most often; the most first.
        forgotten: questions forgotten often, leeches among them; the worst first.
    """

    day: int
    answers_by_day: Mapping[int, int]
    duration_by_day: Mapping[int, int]
    forecast: Mapping[int, int]
    retention_month: Retention
    retention_all: Retention
    retention_young: Retention
    retention_mature: Retention
    topic_retention: Mapping[tuple[str, str], Retention]
    calibration: Mapping[Confidence, tuple[int, int]]
    failed_checks: tuple[tuple[str, int], ...]
    missed_points: tuple[MissedPoint, ...]
    streak: int
    answers: int
    duration_ms: int
    topics: tuple[TopicRow, ...]
    packs: tuple[TopicRow, ...]
    forgotten: tuple[ForgottenQuestion, ...]
